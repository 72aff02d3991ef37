"""Predicted exponents at the worked values, and the spline dimension against closed forms."""

import math

import mpmath
import numpy as np
import pytest

from bounds.random_features.rates import spline_effective_dimension, spline_ridge_exponent, theorem_exponent


@pytest.mark.parametrize(
    ("a", "order", "smoothness", "expected"),
    [
        (1 / 2, 1, 1.55, -0.525),
        (1 / 3, 1, 1.55, -0.35),
        (1 / 2, 1, 3, -0.75),
        (1 / 3, 1, 3, -2 / 3),
        (1 / 2, 2, 2.55, -0.5125),
        (1 / 3, 2, 2.55, -0.341666667),
        (1 / 2, 2, 5, -0.875),
        (1 / 3, 2, 5, -2 / 3),
    ],
)
def test_predicted_exponents(a: float, order: float, smoothness: float, expected: float) -> None:
    assert spline_ridge_exponent(a, order, smoothness) == pytest.approx(expected, rel=1e-8)
    assert spline_ridge_exponent(a, order, smoothness) <= theorem_exponent(a)


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


@pytest.mark.parametrize("order", [1.0, 1.7, 2.0])
@pytest.mark.parametrize("regularisation", [2.0, 0.1, 1e-4, 1e-6])
def test_dimension_is_the_infinite_sum(order: float, regularisation: float) -> None:
    """Against the closed form at r = 1, a direct sum with bracketing tail integrals elsewhere."""
    ours = spline_effective_dimension(order, regularisation)
    if order == 1:
        root = mpmath.sqrt(1 / mpmath.mpf(regularisation))
        exact = 1 / (1 + mpmath.mpf(regularisation)) + mpmath.pi * root * mpmath.coth(mpmath.pi * root) - 1
        assert ours == pytest.approx(float(exact), rel=1e-9)
        return
    last = 3_000_000
    terms = 1 / (1 + regularisation * np.arange(1, last, dtype=np.float64) ** (2 * order))
    partial = 1 / (1 + regularisation) + 2 * math.fsum(terms)
    tail = 2 * last ** (1 - 2 * order) / (regularisation * (2 * order - 1))
    assert partial * (1 - 1e-9) <= ours <= (partial + 1.1 * tail) * (1 + 1e-9)
