"""The looseness that a verdict states is never contradicted by what the judge itself refutes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.language.registry import Claim
from harness.run.api import check
from harness.run.loading import from_file
from harness.verdict import Status

ALIEN = Path(__file__).parents[1] / "alien"
SAFE = 0.95  # of the stated looseness: its estimate has an error of its own
FILES = sorted(ALIEN.glob("known_*.py"))
KINDS = ("always", "high probability")
PER_FILE = 4  # claims of each kind, the first of each file


def _candidates() -> list[Claim]:
    found: list[Claim] = []
    for file in FILES:
        true = [claim for claim in from_file(file) if "/true-" in claim.id]
        for kind in KINDS:
            found += [claim for claim in true if claim.kind.name == kind][:PER_FILE]
    return found


def _divided(claim: Claim, factor: float) -> Claim:
    """lhs <= rhs / factor."""

    def body(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        lhs, rhs = claim.body(*args, **kwargs)
        return lhs, rhs / factor

    return replace(claim, id=f"{claim.id}-divided", body=body)


@pytest.mark.nightly
@pytest.mark.parametrize("claim", _candidates(), ids=lambda claim: claim.key)
def test_no_division_within_the_stated_looseness_is_refuted(claim: Claim) -> None:
    """Catches a looseness read off another distribution or instance than the tightest that the search can find."""
    verdict = check(claim, effort="quick", family=400)
    if verdict.status is not Status.HOLDS or verdict.looseness is None or verdict.looseness <= 1.0 / SAFE:
        pytest.skip("no slack is stated")
    factor = SAFE * min(verdict.looseness, 1e6)
    again = check(_divided(claim, factor), effort="quick", family=400)
    assert again.status is not Status.REFUTED, f"looseness {verdict.looseness:.4g}, divided by {factor:.4g} it falls"
