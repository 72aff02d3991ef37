"""A common factor of both sides changes no verdict: tolerances are relative to the sides."""

import pytest

from harness.kinds import always, high_probability, identity
from harness.language.registry import Claim, claim, grid
from harness.run.api import check
from harness.verdict import Status

FACTORS = [1e-100, 1e-10, 1.0, 1e10, 1e100]
SCALES = grid(c=FACTORS)


@claim("scaled/tight", always(), over=SCALES)
def scaled_tight(forall, *, c):
    """c <x, y> <= c |x| |y|, with equality on a ray."""
    x, y = forall.interval("x", -3.0, 3.0, 4), forall.interval("y", -3.0, 3.0, 4)
    return c * (x * y).sum(-1), c * (x.norm(dim=-1) * y.norm(dim=-1))


@claim("scaled/vanishing", always(), over=SCALES)
def scaled_vanishing(forall, *, c):
    """c ((x + 1/3) - 1/3 - x) <= 0: both sides vanish, up to rounding."""
    x = forall.interval("x", 0.0, 1.0, 3)
    return c * ((x + 1 / 3) - 1 / 3 - x).amax(-1), 0.0


@claim("scaled/vanishing-identity", identity(), over=SCALES)
def scaled_vanishing_identity(forall, *, c):
    """c (sin^2 + cos^2 - 1) = 0."""
    x = forall.interval("x", -9.0, 9.0)
    return c * (x.sin().square() + x.cos().square() - 1.0), 0.0


@claim("scaled/cancelling-identity", identity(), over=SCALES)
def scaled_polarisation(forall, *, c):
    """4 c <x, y> = c |x + y|^2 - c |x - y|^2."""
    x, y = forall.interval("x", -100.0, 100.0, 3), forall.ball("y", 3)
    return 4.0 * c * (x * y).sum(-1), c * (x + y).square().sum(-1) - c * (x - y).square().sum(-1)


@claim("scaled/false", always(), over=SCALES)
def scaled_false(forall, *, c):
    """c x <= 0.999 c y for y >= x: false where they are close."""
    x, gap = forall.interval("x", 0.0, 1.0), forall.interval("gap", 0.0, 1.0)
    return c * x, 0.999 * c * (x + gap)


@claim("scaled/false-beside-zero", always(), over=SCALES)
def scaled_false_beside_zero(forall, *, c):
    """c x^2 <= 0: false but at zero."""
    return c * forall.interval("x", -1.0, 1.0).square(), 0.0


@claim("scaled/false-identity", identity(), over=SCALES)
def scaled_false_identity(forall, *, c):
    """c sin^2 + c cos^2 = c (1 + 1e-6 x)."""
    x = forall.interval("x", -9.0, 9.0)
    return c * x.sin().square() + c * x.cos().square(), c * (1.0 + 1e-6 * x)


@claim("scaled/tie", high_probability("delta"), over=grid(c=FACTORS, delta=[0.01]))
def scaled_tie(draw, *, c, delta):
    """c sum of tenths <= c/10 sum, equal up to rounding."""
    x = draw.signs("x", 10)
    return (c * (x * 0.1)).sum(-1), x.sum(-1) * (0.1 * c)


@claim("scaled/false-tail", high_probability("delta"), over=grid(c=FACTORS, delta=[0.05]))
def scaled_false_tail(draw, *, c, delta):
    """c u <= c (1 - 2 delta)."""
    return c * draw.uniform("u"), c * (1.0 - 2.0 * delta)


SCALED = [
    (scaled_tight, Status.HOLDS),
    (scaled_vanishing, Status.HOLDS),
    (scaled_vanishing_identity, Status.HOLDS),
    (scaled_polarisation, Status.HOLDS),
    (scaled_tie, Status.HOLDS),
    (scaled_false, Status.REFUTED),
    (scaled_false_beside_zero, Status.REFUTED),
    (scaled_false_identity, Status.REFUTED),
    (scaled_false_tail, Status.REFUTED),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(("made", "status"), SCALED, ids=lambda value: value.id if isinstance(value, Claim) else None)
def test_a_common_factor_of_both_sides_changes_no_verdict(made: Claim, status: Status) -> None:
    """A tolerance from a guessed scale accuses what is tiny and true, or acquits what is tiny and false."""
    for seed in range(2):
        cells = check(made, seed=seed, effort="quick").cells
        found = {cell.params["c"]: Status.HOLDS if cell.status.favourable else cell.status for cell in cells}
        assert found == dict.fromkeys(FACTORS, status)
