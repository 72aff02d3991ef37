"""The predicted bias exponent against the exact bias, and the spline dimension against direct sums."""

import math

import numpy as np
import pytest

from bounds.random_features.rates import spline_effective_dimension, spline_ridge_exponent


def test_bias_exponent_is_that_of_the_exact_population_bias() -> None:
    """2 sum (lambda m^{2r} / (1 + lambda m^{2r}))^2 m^{-2t} + (lambda / (1 + lambda))^2 as lambda decreases."""
    m = np.arange(1, 2_000_000, dtype=np.float64)
    for order, smoothness in ((2, 2.55), (2, 5), (1, 1.55)):
        bias = []
        for lam in (1e-5, 1e-6):
            shrink = lam * m ** (2 * order) / (1 + lam * m ** (2 * order))
            bias.append((lam / (1 + lam)) ** 2 + 2 * (shrink**2 * m ** (-2.0 * smoothness)).sum())
        slope = math.log10(bias[0] / bias[1])
        assert slope == pytest.approx(-spline_ridge_exponent(1e-3, order, smoothness) * 1e3, abs=0.03)


@pytest.mark.parametrize("order", [1.7, 2.0])
@pytest.mark.parametrize("regularisation", [2.0, 0.1, 1e-4, 1e-6])
def test_dimension_is_the_infinite_sum(order: float, regularisation: float) -> None:
    """Bracketed by a direct sum and its tail integrals; an ordering has the closed form of order one."""
    ours = spline_effective_dimension(order, regularisation)
    last = 3_000_000
    terms = 1 / (1 + regularisation * np.arange(1, last, dtype=np.float64) ** (2 * order))
    partial = 1 / (1 + regularisation) + 2 * math.fsum(terms)
    tail = 2 * last ** (1 - 2 * order) / (regularisation * (2 * order - 1))
    assert partial * (1 - 1e-9) <= ours <= (partial + 1.1 * tail) * (1 + 1e-9)
