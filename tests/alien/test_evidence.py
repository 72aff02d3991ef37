"""The alien claims are what they say: every falsehood is violated where its writer says, every truth has a proof.

A mislabelled claim would make the score lie. The exact computations are in `evidence/`; these are the quick checks.
"""

import importlib.util
import math
import re
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from rich.console import Console
from torch import Tensor

from harness import Draw
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate, Reproduction, Tail, UpToConstant
from harness.language.evaluation import call
from harness.language.registry import Claim
from harness.run.loading import from_file
from harness.testing import instance
from harness.verdict import Status

FOLDER = Path(__file__).parent
FILES = sorted([*FOLDER.glob("known_*.py"), *FOLDER.glob("aside_*.py")])
CLAIMS = [(path, claim) for path in FILES for claim in from_file(path)]
RTOL = 1e-9  # the relative tolerance of `always()` and `identity()`
REPLICATES = 64


def tables(path: Path) -> dict[str, dict[str, Any]]:
    """PROOFS and WITNESSES of a file that has been loaded."""
    loaded = vars(sys.modules[next(claim for file, claim in CLAIMS if file == path).body.__module__])
    return {name: loaded[name] for name in ("PROOFS", "WITNESSES")}


def false(claim: Claim) -> bool:
    return not claim.id.split("/")[1].startswith("true-")


def by_id(wanted: Callable[[Claim], bool]) -> pytest.MarkDecorator:
    """One test per falsehood that is `wanted`, with its witness."""
    found = [
        (claim, tables(path)["WITNESSES"].get(claim.id)) for path, claim in CLAIMS if false(claim) and wanted(claim)
    ]
    return pytest.mark.parametrize(("claim", "witness"), [pytest.param(*pair, id=pair[0].id) for pair in found])


def sides(claim: Claim, witness: dict[str, Any], reps: int) -> tuple[Tensor, Tensor]:
    """Both sides at the witness, which must be a cell of the grid and values of the quantified sets."""
    assert witness["params"] in claim.cells, "no cell of the grid"
    forall = instance(witness["values"])
    returned = call(claim, witness["params"], forall=forall, draw=Draw(reps, ("evidence", claim.id)))
    assert set(forall.spaces) == set(witness["values"]), "names of the values"
    for name, space in forall.spaces.items():
        value = torch.as_tensor(witness["values"][name], dtype=torch.float64)[None]
        assert value.shape == (1, *space.shape), name
        assert bool(space.contains(value).all()), f"{name} is outside its set"
    lhs, rhs = (torch.as_tensor(side, dtype=torch.float64).broadcast_to((reps,)) for side in returned)
    return lhs, rhs


@by_id(lambda claim: isinstance(claim.kind, Always | Identity))
def test_a_deterministic_falsehood_is_violated_at_its_witness(claim: Claim, witness: dict[str, Any]) -> None:
    """A witness that float64 does not see is none that the judge could be asked to find."""
    lhs, rhs = (float(side) for side in sides(claim, witness, 1))
    excess = abs(lhs - rhs) if isinstance(claim.kind, Identity) else lhs - rhs
    assert excess > RTOL * max(abs(lhs), abs(rhs))


def least(delta: float) -> float:
    """A detectable probability where `delta` is allowed: 1.25 delta, or 0.025 standard deviations of a trial more.

    The two agree at delta = 0.01. At one half, 1.25 delta would ask for ten times the second excess.
    """
    return min(1.25 * delta, delta + 0.025 * math.sqrt(delta * (1.0 - delta)))


@by_id(lambda claim: isinstance(claim.kind, HighProbability | Expectation))  # a tail is an expectation
def test_a_drawn_falsehood_runs_at_its_witness_and_states_a_detectable_excess(
    claim: Claim, witness: dict[str, Any]
) -> None:
    """A large enough P or a positive mean is stated (and proved in `evidence/`), and lhs - rhs keeps to its range."""
    lhs, rhs = sides(claim, witness, REPLICATES)
    gap = lhs - rhs
    assert bool(gap.isfinite().all())
    if isinstance(claim.kind, HighProbability | Tail):
        allowed = float(rhs[0]) if isinstance(claim.kind, Tail) else witness["params"][claim.kind.parameter]
        assert least(allowed) * (1.0 - RTOL) <= witness["probability"] <= 1.0
        if isinstance(claim.kind, Tail):
            assert bool(((lhs == 0.0) | (lhs == 1.0)).all()), "no event"
            assert bool((rhs == allowed).all())
        return
    low, high = claim.kind.range or (-math.inf, math.inf)
    assert math.isfinite(low), "no mean is refuted without a finite low end"
    assert witness["mean"] >= 0.004 * abs(low)
    assert low - RTOL * abs(low) <= float(gap.min())
    assert float(gap.max()) <= high + RTOL * abs(high)


@by_id(lambda claim: isinstance(claim.kind, Rate))
def test_a_false_rate_runs_along_its_grid_and_states_a_slower_one(claim: Claim, witness: dict[str, Any]) -> None:
    assert witness["values"] == {}
    for cell in claim.cells:
        returned = call(claim, cell, forall=instance(), draw=Draw(REPLICATES, ("evidence", claim.id)))
        assert bool(torch.as_tensor(returned, dtype=torch.float64).broadcast_to((REPLICATES,)).isfinite().all())
    assert witness["exponent"] > claim.kind.exponent + claim.kind.margin


@by_id(lambda claim: isinstance(claim.kind, UpToConstant))
def test_no_constant_serves_the_witnesses_of_a_false_bound_up_to_a_constant(
    claim: Claim, witness: dict[str, Any]
) -> None:
    """One witness for each cell: from one to the next the ratio grows, and no less than before."""
    assert list(claim.cells) == witness["params"]
    pairs = zip(witness["params"], witness["values"], strict=True)
    along = [{"params": params, "values": values} for params, values in pairs]
    ratios = [float(lhs / rhs) for lhs, rhs in (sides(claim, each, 1) for each in along)]
    growth = [b - a for a, b in pairwise(ratios)]
    assert growth[0] > RTOL * ratios[-1]
    assert growth == sorted(growth)


@by_id(lambda claim: isinstance(claim.kind, Reproduction))
def test_a_false_table_has_the_named_row_off_by_more_than_it_tolerates(claim: Claim, witness: dict[str, Any]) -> None:
    """Our number is stated (and computed in `evidence/`); the row that the body returns agrees with it."""
    assert (witness["params"] in claim.cells, witness["values"]) == (True, {})
    returned = call(claim, witness["params"], forall=instance(), draw=Draw(REPLICATES, ("evidence", claim.id)))
    row = next(row for row in (row.stored() for row in returned) if row.label == witness["row"])
    assert abs(row.ours - witness["ours"]) <= 5.0 * row.standard_error
    assert abs(row.printed - witness["ours"]) > 1.25 * claim.kind.tolerance


def test_the_tests_above_reach_every_falsehood() -> None:
    kinds = Always | Identity | HighProbability | Expectation | Rate | UpToConstant | Reproduction
    assert [claim.id for _, claim in CLAIMS if not isinstance(claim.kind, kinds)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_claim_has_its_evidence_its_grade_and_its_source(path: Path) -> None:
    """A claim without evidence, or with the expectation of the other grade, would be scored on the writer's word."""
    hand = path.stem.split("_")[1]
    here = [claim for file, claim in CLAIMS if file == path]
    assert {claim.id for claim in here if not false(claim)} == set(tables(path)["PROOFS"])
    assert {claim.id for claim in here if false(claim)} == set(tables(path)["WITNESSES"])
    for claim in here:
        assert re.fullmatch(rf"{hand}/(true|plain|subtle)-[a-z0-9-]+", claim.key), claim.id
        assert claim.expected == ("refuted" if false(claim) else None), claim.id
        assert claim.cite, claim.id
    for name, proof in tables(path)["PROOFS"].items():
        assert len(proof.split()) >= 2, name


def test_no_two_claims_share_an_id_and_none_stands_in_both_sets() -> None:
    """A claim in both sets would be tuned on and scored."""
    twice = Counter(claim.id for _, claim in CLAIMS)
    assert [name for name, times in twice.items() if times > 1] == []
    text = {part: set() for part in ("known", "aside")}
    for path, claim in CLAIMS:
        text[path.stem.split("_")[0]].add((claim.source.split('"""')[-1], str(claim.cells)))
    shared = len(text["known"] & text["aside"])
    assert shared == 0


@pytest.fixture(scope="module")
def score() -> ModuleType:
    spec = importlib.util.spec_from_file_location("alien_score", FOLDER / "score.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("case", "trouble", "code"),
    [
        (("known", "true", Status.HOLDS), "", 0),
        (("known", "true", Status.UNDECIDED), "", 0),
        (("known", "true", Status.REFUTED), "accused", 1),
        (("aside", "true", Status.REFUTED), "accused", 1),
        (("known", "plain", Status.REFUTED), "", 0),
        (("known", "plain", Status.HOLDS), "missed", 0),
        (("aside", "subtle", Status.UNDECIDED), "missed", 0),
        (("aside", "subtle", Status.ERROR), "error", 1),
    ],
)
def test_the_score_counts_each_trouble_and_names_it_for_the_known_set_alone(
    score: ModuleType, monkeypatch, case: tuple[str, str, Status], trouble: str, code: int
) -> None:
    """A score that cannot fail would prove nothing, and one that names hold-out claims would spoil them."""
    part, grade, status = case
    job = score.Job(part, "hand", grade, FOLDER / "none.py", "hand/some-claim", 0)
    console = Console(record=True, width=200)
    monkeypatch.setattr(score, "run", lambda *_: [score.Result(job, status, 1.0)])
    monkeypatch.setattr(score, "Console", lambda: console)
    assert score.main([part]) == code
    shown = console.export_text()
    assert ("hand/some-claim" in shown) == (part == "known" and bool(trouble))
    for name in score.TROUBLES:
        assert f"{int(name == trouble)} {name}" in shown


def test_the_score_judges_every_claim_once_a_seed(score: ModuleType) -> None:
    jobs = [job for part in ("known", "aside") for job in score.jobs_of(part, [0, 1])]
    assert Counter(job.claim_id for job in jobs) == {claim.id: 2 for _, claim in CLAIMS}
    assert {job.grade for job in jobs} == {"true", "plain", "subtle"}
