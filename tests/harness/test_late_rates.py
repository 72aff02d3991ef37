"""Curves whose exponent is not yet to be seen: what falls ever faster is not refuted, what falls too slowly is."""

import math
from collections.abc import Callable

import pytest
import torch

from harness import check, claim, grid, rate
from harness.language.registry import Claim

AXIS = [8, 16, 32, 64, 128, 256, 512]


def stated(exponent: float, curve: Callable[[float], float]) -> Claim:
    @claim("rates/late", rate("n", exponent), over=grid(n=AXIS))
    def late(*, n):
        """A curve without noise."""
        return torch.tensor([curve(float(n))], dtype=torch.float64)

    return late


@pytest.mark.parametrize(
    ("curve", "exponent"),
    [
        (lambda n: 1.0 / (n + 1e4), -1.0),
        (lambda n: 1.0 / math.sqrt(n * n + 1e6), -1.0),
        (lambda n: 0.999**n, -2.0),
    ],
)
def test_a_curve_that_falls_ever_faster_is_not_refuted(curve: Callable[[float], float], exponent: float) -> None:
    assert check(stated(exponent, curve), effort="quick").status == "UNDECIDED"


@pytest.mark.parametrize("curve", [lambda n: n**-0.5, lambda n: n**-0.5 + 3.0 / n, lambda n: 1.0 / math.log(n)])
def test_a_curve_that_falls_too_slowly_is(curve: Callable[[float], float]) -> None:
    assert check(stated(-1.0, curve), effort="quick").status == "REFUTED"
