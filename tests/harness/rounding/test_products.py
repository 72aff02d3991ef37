"""Sums of products, products and norms outside torch: what they lose is seen, what vanishes on the way comes back."""

import cmath
import functools
import itertools
import math
import operator
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics.pairwise import euclidean_distances

from harness import always, check, claim
from harness.certify.rounding.products import regrouped
from harness.language.registry import Claim
from harness.verdict import Status

U, V = [1e9, 1.0, 1e9], [1e9, 1.0, -1e9]
SMALL = [1e-200, 1e-200, 1e200, 1e200]
ONES: dict[str, Callable[[], float]] = {
    "dot": lambda: float(np.dot(U, V)),
    "inner": lambda: float(np.inner(U, V)),
    "vdot": lambda: float(np.vdot(U, V)),
    "tensordot": lambda: float(np.tensordot(U, V, 1)),
    "convolve": lambda: float(np.convolve(U, V[::-1])[2]),
    "matmul": lambda: float(np.matmul(np.array([U]), np.array([V]).T)[0, 0]),
    "operator": lambda: float(np.array(U) @ np.array(V)),
    "prod": lambda: float(np.prod(SMALL)),
    "cumprod": lambda: float(np.cumprod(SMALL)[-1]),
    "multiply.reduce": lambda: float(np.multiply.reduce(SMALL)),
    "add.reduce": lambda: float(np.add.reduce([1e18, 1.0, -1e18])),
    "reduce": lambda: functools.reduce(operator.add, [1e18, 1.0, -1e18]),
    "reduce-mul": lambda: functools.reduce(operator.mul, SMALL),
    "math.prod": lambda: math.prod(SMALL),
    "accumulate": lambda: list(itertools.accumulate([1e18, 1.0, -1e18]))[-1],
    "norm": lambda: float(np.linalg.norm([1e-200, 0.0]) * 1e200),
    "operator.add": lambda: operator.sub(operator.add(1, 2.0**-60), 1) * 2.0**60,
    "np.add": lambda: float(np.subtract(np.add(1.0, 2.0**-60), 1.0)) * 2.0**60,
    "math.hypot": lambda: (math.hypot(1, 2.0**-30) - 1) * 2.0**61,
    "np.hypot": lambda: (float(np.hypot(1, 2.0**-30)) - 1) * 2.0**61,
    "cmath.exp": lambda: (cmath.exp(2.0**-60).real - 1) * 2.0**60,
    "distances": lambda: float(euclidean_distances([[1e9]], [[1e9 + 1.0]])[0, 0]),
}


def _claims(name: str) -> tuple[Claim, Claim]:
    one = ONES[name]

    @claim(f"products/{name}-below", always())
    def below(forall):
        """1 x <= x / 2."""
        x = forall.interval("x", 1, 2)
        return one() * x, x / 2

    @claim(f"products/{name}-above", always())
    def above(forall):
        """x / 2 <= 1 x."""
        x = forall.interval("x", 1, 2)
        return x / 2, one() * x

    return below, above


@pytest.mark.parametrize("name", ONES)
def test_a_one_that_float64_takes_for_zero_proves_and_refutes_nothing(name: str) -> None:
    assert ONES[name]() == 0.0
    below, above = _claims(name)
    assert check(below, effort="quick").status is not Status.PROVED
    assert check(above, effort="quick").status is not Status.REFUTED


def test_products_are_as_they_are_where_nothing_vanishes() -> None:
    rng = np.random.default_rng(1)
    some = rng.normal(size=9)
    assert regrouped(np.prod, (some,), 0.25) == 0.25
    assert regrouped(np.sum, (SMALL,), 0.25) == 0.25
    assert regrouped(math.prod, ([0.0, *SMALL],), 0.0) == 0.0
    assert regrouped(math.prod, (SMALL,), 0.0) == pytest.approx(1.0, rel=1e-14)
    assert regrouped(np.cumprod, (SMALL,), np.zeros(4)) == pytest.approx([1e-200, 0.0, 1e-200, 1.0], rel=1e-14)
    assert regrouped(math.prod, ([1e200, 1e200],), math.inf) == math.inf
    assert regrouped(np.linalg.norm, ([3e-200, 4e-200],), 0.0) == pytest.approx(5e-200, rel=1e-14)
