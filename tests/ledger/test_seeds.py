"""No verdict of an experiment hangs on the seed: what two runs differ by is in the error, or far from the limit."""

import math

import pytest

from harness.errors import SkipClaim
from harness.kinds import Reproduction
from harness.language.evaluation import call
from harness.language.quantifiers import Draw, Forall, from_values
from harness.language.registry import Claim
from harness.language.rows import Row
from harness.run.loading import ledger
from harness.settings import QUICK

DRAWN = [claim for claim in ledger() if isinstance(claim.kind, Reproduction) and "draw" in claim.wants]
CELLS = [pytest.param(claim, cell, id=f"{claim.key} {cell or ''}") for claim in DRAWN for cell in claim.cells]
ERRORS = 5.0
"""In standard errors of the difference; those of few replicates are themselves rough."""


def judged(claim: Claim, cell: dict, seed: int) -> dict[str, Row]:
    """The judged rows of one run at quick effort."""
    draw = Draw(QUICK.replicates, (seed, claim.key), "cpu")
    rows = call(claim, cell, forall=Forall(from_values({})), draw=draw)
    return {row.name: row for row in rows if isinstance(row, Row) and row.printed is not None}


def hangs_on_the_seed(one: Row, other: Row, tolerance: float, sided: str) -> bool:
    """Whether two runs differ by more than their errors, and by more than either is from where its verdict turns."""
    gaps = [float(row.ours) - float(row.printed) for row in (one, other)]
    sign = {"at most": -1.0, "at least": 1.0}.get(sided)
    room = [abs(tolerance + (sign * gap if sign else -abs(gap))) for gap in gaps]
    moved = abs(gaps[0] - gaps[1])
    return moved > ERRORS * math.hypot(float(one.error), float(other.error)) and moved > min(room)


@pytest.mark.nightly
@pytest.mark.parametrize(("claim", "cell"), CELLS)
def test_an_experiment_gives_the_same_verdict_on_other_seeds(claim: Claim, cell: dict) -> None:
    try:
        one, other = (judged(claim, cell, seed) for seed in (1, 2))
    except SkipClaim as reason:
        pytest.skip(str(reason))
    hanging = [
        (name, one[name], other[name])
        for name in one.keys() & other.keys()
        if hangs_on_the_seed(one[name], other[name], claim.kind.tolerance, claim.kind.sided)
    ]
    assert hanging == []


@pytest.mark.parametrize(
    ("one", "other", "hangs"),
    [
        (Row("x", 1.4, 0.02, 1.2), Row("x", 0.9, 0.02, 1.2), True),  # a fifth of an exponent, and no error that says so
        (Row("x", 0.4, 0.0, 1.2), Row("x", 0.5, 0.0, 1.2), False),  # far from the limit
        (Row("x", 1.1, 0.0, 1.2), Row("x", 0.9, 0.0, 1.2), True),  # it may as well come out at 1.3
        (Row("x", 1.3, 0.1, 1.2), Row("x", 1.0, 0.1, 1.2), False),  # the errors say so
    ],
)
def test_what_hangs_on_the_seed(one, other, hangs):
    assert hangs_on_the_seed(one, other, 0.0, "at most") is hangs


def test_a_table_may_be_off_on_either_side():
    assert hangs_on_the_seed(Row("x", 0.95, 0.0, 1.0), Row("x", 1.06, 0.0, 1.0), 0.1, "two")
    assert not hangs_on_the_seed(Row("x", 0.99, 0.0, 1.0), Row("x", 1.01, 0.0, 1.0), 0.1, "two")
