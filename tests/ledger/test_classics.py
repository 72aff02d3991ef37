"""The classics: a ledger of its own, true theorems that hold, sharp constants that are sharp, false friends refuted."""

import ast
import math
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from click.testing import CliRunner

import harness.claims.classics
from harness import UsageError, check
from harness.cli import main
from harness.cli.selection import gather, readings
from harness.language.registry import Claim
from harness.report.classics import classics
from harness.report.layout import judged
from harness.run.catalogue import Entry, catalogue
from harness.run.loading import ledger
from harness.run.sensitivity import shrunk
from harness.verdict import Status
from tests.helpers import bare_check

pytestmark = pytest.mark.usefixtures("double_precision")

FOLDER = Path(harness.claims.classics.__file__).parent
CLASSICS = ledger("classics")
KEYS = {claim.id.partition("/")[2]: claim for claim in CLASSICS}
TRUE = [claim for claim in CLASSICS if claim.expected is None]
FALSE = [claim for claim in CLASSICS if claim.expected == "refuted"]
SHARP = [claim for claim in TRUE if isinstance(claim.sharp, float)]
FAMILY = 2 * len(CLASSICS)

SAMPLE = (  # one of each kind and of each way to quantify, among the fast ones
    "weyl",
    "pinsker",
    "donsker-varadhan",
    "rearrangement",
    "kantorovich-rubinstein",
    "halving",
    "maurey",
    "consistent-learner",
    "massart-one-sided",
    "harmonic",
    "coupon-collector",
    "laurent-massart-upper",
)
FRIENDS = ("false-golden-thompson", "false-contraction", "false-pairwise", "false-subgaussian-mean", "false-hardy")
TIGHT = ("chernoff", "gaussian-poincare", "chebyshev-mixtures")
"""Theorems with equality: no number of draws certifies them, and UNDECIDED is the honest verdict."""

WORDS = tuple(
    re.findall(
        r"\S+",
        """
        forall.interval( forall.integers( forall.ball( forall.sphere( forall.simplex( forall.psd( forall.law(
        forall.gaussian_mixture( forall.pareto( forall.real( forall.symmetric( forall.orthogonal( forall.spectrum(
        forall.permutation( forall.lipschitz( forall.convex( forall.graph( forall.strategy( forall.assume(
        draw.normal( draw.uniform( draw.bernoulli( draw.signs( draw.law( draw.multinomial( draw.categorical(
        within. tail( rate( up_to_constant( expectation( identity( high_probability(
        every. expected_value( at="exactly" correction=None
        """,
    )
)


def bodies() -> Iterator[tuple[ast.FunctionDef, str]]:
    """Every function of the classics, with its source."""
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert isinstance(node, ast.FunctionDef), node.name
                start = node.decorator_list[0].lineno - 1 if node.decorator_list else node.lineno - 1
                yield node, "\n".join(text.splitlines()[start : node.end_lineno])


def test_there_are_enough_of_them() -> None:
    assert len(TRUE) >= 80
    assert len(FALSE) >= 12
    assert len({claim.id for claim in CLASSICS}) == len(CLASSICS)


def test_each_says_what_it_states_where_it_stands_and_whether_it_is_sharp() -> None:
    for claim in CLASSICS:
        assert re.fullmatch(r"classics/[a-z0-9-]+", claim.id), claim.id
        assert claim.statement.endswith("."), claim.id
        assert claim.cite, claim.id
    for claim in TRUE:
        assert claim.sharp, claim.id
        assert isinstance(claim.sharp, str) or 0.8 <= claim.sharp < 1.0, claim.id
    for claim in FALSE:
        assert len(claim.remarks) > 20, claim.id  # what is true instead


def test_each_is_as_short_as_its_theorem_and_needs_no_helper() -> None:
    """Every function is a claim, so that no helper can be repeated; what several need stands in the language."""
    lengths = []
    for node, _ in bodies():
        assert any("claim" in ast.unparse(made) for made in node.decorator_list), node.name
        assert node.end_lineno is not None
        lengths.append(node.end_lineno - node.body[1].lineno + 1)
    assert median(lengths) <= 9
    assert max(lengths) <= 12


@pytest.mark.parametrize("word", WORDS)
def test_each_word_serves_two_theorems(word: str) -> None:
    assert sum(word in source for _, source in bodies()) >= 2


def test_they_are_a_ledger_of_their_own() -> None:
    """Neither the papers' ledger nor its counts know them."""
    assert not {claim.key for claim in ledger()} & {claim.key for claim in CLASSICS}
    assert all(not claim.id.startswith("classics") for claim in ledger())
    assert gather([])[1] == len(ledger())
    assert [claim.key for claim in gather(["classics"])[0]] == [claim.key for claim in CLASSICS]
    assert gather(["classics/*"])[1] == len(CLASSICS)
    assert gather(["classics/weyl", "lkrf/lem-3"])[1] == len(CLASSICS) + len(ledger())
    assert readings("classics/weyl") == ([KEYS["weyl"]], len(CLASSICS))
    with pytest.raises(UsageError, match=r"classics/weyl"):
        gather(["classics/weil"])


@pytest.mark.in_turn
def test_the_list_is_that_of_the_claims_as_they_are_imported() -> None:
    shown = [Entry(c.id, c.reading, c.kind.name, c.expected, c.statement) for c in CLASSICS]
    assert catalogue("classics") == shown
    listed = CliRunner().invoke(main, ["list", "classics/we*", "nsrf/thm-4.3"]).output
    assert "classics/weyl" in listed
    assert "nsrf/thm-4.3" in listed
    assert "classics/" not in CliRunner().invoke(main, ["list"]).output


def agrees(claim: Claim, status: Status) -> bool:
    """HOLDS or PROVED, or, for a theorem with equality, UNDECIDED; REFUTED for a false friend."""
    if claim.expected == "refuted":
        return status is Status.REFUTED
    return status.favourable or (status is Status.UNDECIDED and claim.id.partition("/")[2] in TIGHT)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", SAMPLE + FRIENDS)
def test_a_sample_of_the_verdicts(name: str) -> None:
    verdict = check(KEYS[name], effort="quick", family=FAMILY)
    assert agrees(KEYS[name], verdict.status)
    assert verdict.looseness is None or math.isfinite(verdict.looseness)


@pytest.mark.in_turn
@pytest.mark.parametrize("name", [name for name in SAMPLE if isinstance(KEYS[name].sharp, float)])
def test_a_sample_of_the_sharp_constants(name: str) -> None:
    refuted(KEYS[name])


def refuted(claim: Claim) -> None:
    assert isinstance(claim.sharp, float)
    assert bare_check(shrunk(claim, claim.sharp).claim, family=FAMILY).status is Status.REFUTED


@pytest.mark.nightly
@pytest.mark.parametrize("claim", SHARP, ids=lambda claim: claim.id)
def test_every_sharp_constant_is_sharp(claim: Claim) -> None:
    refuted(claim)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("claim", CLASSICS, ids=lambda claim: claim.id)
def test_every_verdict_on_every_seed(claim: Claim, seed: int) -> None:
    assert agrees(claim, check(claim, seed=seed, family=FAMILY).status)


def test_the_page_has_a_row_for_each() -> None:
    """The page is made from a run; here from verdicts on two claims."""
    run = [judged(check(KEYS[name], effort="quick")) for name in ("weyl", "false-jensen")]
    page = classics(run, "quick", 0)
    assert "1 theorems: 1 HOLDS. 1 false friends: 1 REFUTED." in page
    row = next(line for line in page.splitlines() if line.startswith("| `weyl`"))
    assert "Bhatia 1997" in row
    assert row.endswith("| HOLDS | 1 | 0.8 |")
    assert "`false-jensen`" in page.partition("False friends")[2]


def test_the_page_in_the_documents_is_that_of_these_claims() -> None:
    text = (Path(__file__).parents[2] / "docs" / "classics.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}
    assert rows.keys() == KEYS.keys()
    for name, claim in KEYS.items():
        assert claim.statement.replace("|", "\\|") in rows[name]
        assert claim.cite in rows[name]
        assert ("REFUTED" in rows[name]) == (claim.expected == "refuted")
