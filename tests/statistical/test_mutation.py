"""Every change of a constant, exponent, term or argument of a bound is noticed, and by whom."""

from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from bounds.margin_game.fourier_potential import lipschitz_constant
from bounds.random_features import leverage, rates
from bounds.random_features.rates import theorem_exponent
from harness.claims.uarff import generalisation
from harness.errors import UsageError
from tests.bounds.orderings import orderings
from tests.mutation.__main__ import main, modules_of_bounds
from tests.mutation.engine import judge, judge_all
from tests.mutation.equivalents import EQUIVALENTS
from tests.mutation.killers import ClaimKiller, OracleKiller, OrderingKiller, OutOfTimeError, time_limit
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.report import as_json, counts, survivors
from tests.mutation.variants import installed

ORACLES = Path(__file__).parents[1] / "oracles"
MODULES = modules_of_bounds()


def find(module: str, name: str, before: str, after: str, occurrence: int = 1) -> Mutant:
    return next(m for m in mutants_of(module) if m.key == (module, name, before, after, occurrence))


@pytest.mark.in_turn
@pytest.mark.parametrize("module", MODULES)
def test_no_mutant_survives(module: str) -> None:
    """Oracle values and orderings notice every mutant that is not proved to be none; no claim is needed."""
    outcomes = judge_all([module], [OracleKiller(ORACLES, seconds=0.5), OrderingKiller()])
    assert survivors(outcomes) == []
    statuses = Counter(outcome.status for outcome in outcomes)
    assert statuses["killed"] + statuses["equivalent"] == len(mutants_of(module)) > 0


@pytest.mark.nightly
@pytest.mark.parametrize("module", MODULES)
def test_no_claim_contradicts_a_proof(module: str) -> None:
    """Mutants that are listed as equivalent leave every verdict of the ledger as it is."""
    outcomes = judge_all([module], [OracleKiller(ORACLES), OrderingKiller(), ClaimKiller()])
    assert survivors(outcomes) == []


@pytest.mark.in_turn
def test_every_proof_belongs_to_a_mutant() -> None:
    """A proof of something that no longer exists is dropped with it."""
    keys = {mutant.key for module in MODULES for mutant in mutants_of(module)}
    assert set(EQUIVALENTS) <= keys


@pytest.mark.in_turn
@pytest.mark.parametrize("module", MODULES)
def test_every_ordering_notices_some_mutant(module: str) -> None:
    """An ordering that no mistake can break says nothing."""
    idle = list(orderings(module))
    for mutant in mutants_of(module):
        with installed(mutant), suppress(OutOfTimeError), time_limit(0.5):
            idle = [ordering for ordering in idle if ordering.broken(6) is None]
        if not idle:
            return
    assert list(map(str, idle)) == []


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("module", "name", "before", "after", "paper"),
    [
        ("bounds.complexity.rademacher", "unit_ball_complexity", "2", "1", "uarff/"),
        ("bounds.margin_game.fourier_potential", "expected_potential", "ideal + (1 - ideal) / n", "ideal", "nsrf/"),
        ("bounds.margin_game.online", "online_ascent_regret", "2", "4", "nsrf/"),
        ("bounds.divergence_ball.norms", "printed_weight_norm", "count ** 0.5", "count ** (0.5 + 0.5)", "lkrf/"),
        (
            "bounds.random_features.leverage",
            "leverage_score_upper",
            "probability * feature_bound ** 2 / regularisation",
            "probability * feature_bound ** 2",
            "uarff/",
        ),
        (
            "bounds.pac_bayes.power_divergence",
            "printed_alignment_variance_bound",
            "4 * sample_size",
            "sample_size",
            "pbrff/",
        ),
        ("bounds.pac_bayes.power_divergence", "chi_square_bound", "2", "4", "pbrff/"),
    ],
)
def test_claims_notice_tight_mutants(module: str, name: str, before: str, after: str, paper: str) -> None:
    """Without oracles and orderings: the ledger refutes what was made too small, or misses a refutation."""
    outcome = judge(find(module, name, before, after), [ClaimKiller()])
    assert outcome.killer == "claim"
    assert outcome.evidence.startswith(paper)


def test_a_mutant_is_in_place_only_inside_the_block() -> None:
    """Wherever a function was imported to; after an exception too."""
    mutant = find("bounds.random_features.rates", "theorem_exponent", "0.5", "0.25")
    with installed(mutant):
        assert theorem_exponent(1.0) == rates.theorem_exponent(1.0) == -0.25
    assert theorem_exponent(1.0) == rates.theorem_exponent(1.0) == -0.5
    with pytest.raises(ValueError), installed(mutant):
        theorem_exponent(-1.0)
    assert theorem_exponent(1.0) == rates.theorem_exponent(1.0) == -0.5


def test_a_constant_is_changed_wherever_it_was_imported() -> None:
    """Claims hold constants under their own name."""
    with installed(find("bounds.random_features.leverage", "PRINTED_THEOREM_CONSTANT", "5.0", "10.0")):
        assert leverage.PRINTED_THEOREM_CONSTANT == generalisation.PRINTED_THEOREM_CONSTANT == 10.0
    assert leverage.PRINTED_THEOREM_CONSTANT == generalisation.PRINTED_THEOREM_CONSTANT == 5.0


@pytest.mark.in_turn
def test_mutants_of_a_formula_are_those_expected() -> None:
    """n**2 * radius by hand; validation and docstrings stay as they are."""
    changes = {
        (m.before, m.after)
        for m in mutants_of("bounds.margin_game.fourier_potential")
        if m.name == "lipschitz_constant"
    }
    assert changes == {
        ("(n, radius)", "(radius, n)"),
        ("n ** 2 * radius", "n ** 2"),
        ("n ** 2 * radius", "radius"),
        ("n ** 2 * radius", "n ** 2 / radius"),
        ("n ** 2", "n ** (2 + 0.5)"),
        ("n ** 2", "n ** (2 - 0.5)"),
        ("n ** 2", "n"),
        ("n ** 2", "2 ** n"),
        ("2", "1"),
        ("2", "4"),
    }
    with installed(find("bounds.margin_game.fourier_potential", "lipschitz_constant", "2", "4")):
        assert lipschitz_constant(3, 2.0) == 162
    assert not any(m.name.startswith("_check") for module in MODULES for m in mutants_of(module))


class Blind:
    """Notices nothing."""

    name = "blind"

    def notices(self, *_: str) -> str | None:
        return None


class Grumbler:
    """Objects to everything, the original included."""

    name = "grumbler"

    def notices(self, *_: str) -> str | None:
        return "no"


def test_survivors_and_wrong_proofs_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine can say no: nobody noticed, or somebody noticed what a proof declares equivalent."""
    outcomes = judge_all(["bounds.complexity.rademacher"], [Blind()])
    assert len(survivors(outcomes)) == len(outcomes) == counts(outcomes)["bounds.complexity.rademacher"]["survived"]
    mutant = find("bounds.complexity.rademacher", "unit_ball_complexity", "2", "1")
    monkeypatch.setitem(EQUIVALENTS, mutant.key, "because")
    outcome = judge(mutant, [OracleKiller(ORACLES)])
    assert outcome.status == "wrong proof"
    assert "but unit_ball_complexity" in survivors([outcome])[0]
    assert as_json([outcome])["mutants"][0]["status"] == "wrong proof"


def test_a_killer_that_objects_to_the_original_is_not_believed() -> None:
    with pytest.raises(UsageError, match="as it stands"):
        judge_all(["bounds.complexity.rademacher"], [Grumbler()])


def test_endless_mutants_are_ended() -> None:
    """10^8 terms instead of 10^4."""
    mutant = find("bounds.random_features.rates", "spline_effective_dimension", "1 / power", "1")
    outcome = judge(mutant, [OracleKiller(ORACLES, seconds=0.2)])
    assert "takes more than 0.2 s" in outcome.evidence


def test_the_command_tells_by_its_exit_code(tmp_path: Path) -> None:
    """0 all noticed, 1 a survivor, 2 bad usage; the JSON has one row per mutant."""
    run, file = CliRunner().invoke, tmp_path / "mutants.json"
    options = ["--oracles", str(ORACLES), "--killers", "oracle,ordering", "--json", str(file)]
    assert run(main, ["rademacher", *options]).exit_code == 0
    assert file.read_text(encoding="utf-8").count('"status": "killed"') == len(
        mutants_of("bounds.complexity.rademacher")
    )
    alone = run(main, ["leverage", "--killers", "ordering"])
    assert alone.exit_code == 1
    assert "survived: bounds.random_features.leverage" in alone.output
    assert run(main, ["rademacher", "--oracles", str(tmp_path)]).exit_code == 2
    assert run(main, ["rademacher", "--killers", "luck"]).exit_code == 2
    assert run(main, ["unknown"]).exit_code == 2
