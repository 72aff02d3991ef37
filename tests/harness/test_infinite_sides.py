"""An infinite side is no violation: it may be an overflow. What is violated on the way there is refuted there."""

import math

import pytest
import torch

from harness import always, check, claim
from harness.verdict import Status


@claim("infinite/overflow", always())
def overflow(forall):
    """e^x <= e^(x + 1): true for all x, and both sides overflow, the right one first."""
    x = forall.interval("x", 0.0, 1000.0)
    return torch.exp(x), torch.exp(x + 1.0)


@claim("infinite/overflow-left", always())
def overflow_left(forall):
    """e^x e^-x <= 2: true for all x, and the left side overflows on a third of them."""
    x = forall.interval("x", 0.0, 1000.0)
    return torch.where(x > 709.0, torch.exp(x), 1.0), torch.full_like(x, 2.0)


@claim("infinite/pole", always())
def pole(forall):
    """1/x <= 1e6: false near the pole, where both sides are finite."""
    return 1.0 / forall.interval("x", 0.0, 1.0), 1e6


@pytest.mark.parametrize(
    ("made", "expected"),
    [(overflow, Status.HOLDS), (overflow_left, Status.REFUTED), (pole, Status.REFUTED)],
    ids=lambda value: getattr(value, "id", str(value)),
)
def test_infinite_sides_neither_convict_nor_hide_a_finite_violation(made, expected) -> None:
    verdict = check(made)
    assert verdict.status.favourable if expected is Status.HOLDS else verdict.status is expected
    if expected is Status.REFUTED:
        found = verdict.cells[0].counterexample
        assert math.isfinite(found.lhs)
        assert found.lhs > found.rhs
    else:
        assert verdict.cells[0].details.nonfinite > 0
