"""Norm and deviation bounds of the divergence ball: a swapped exponent or a lost constant would fail here."""

import math

import numpy as np
import pytest

from bounds.divergence_ball import norms


def divergence(weights, order):
    n = weights.shape[-1]
    return ((weights * n) ** order).mean(-1) - 1


@pytest.mark.parametrize("order", [2.0, 2.5, 3.0, 7.0])
def test_norm_bounds_hold_and_are_ordered(order):
    """On random weights with rho set to their own divergence; equality for order 2."""
    weights = np.random.default_rng(1).dirichlet(np.full(6, 0.3), size=2000)
    rho = divergence(weights, order)
    norm = np.linalg.norm(weights, axis=-1)
    sharp, printed = norms.weight_norm(rho, 6, order=order), norms.printed_weight_norm(rho, 6, order=order)
    assert (norm <= sharp * (1 + 1e-12)).all()
    assert (sharp <= printed * (1 + 1e-12)).all()
    if order == 2:
        np.testing.assert_allclose(norm, printed, rtol=1e-12)


def exact_deviation_tail(n, probability):
    """|U - E U| for the single feature y = +-1: U = (s^2 - n)/(n(n-1)), s = 2 Bin(n, p) - n; values and their law."""
    count = np.arange(n + 1)
    law = np.array([math.comb(n, k) * probability**k * (1 - probability) ** (n - k) for k in count])
    statistic = ((2 * count - n) ** 2 - n) / (n * (n - 1))
    return np.abs(statistic - (2 * probability - 1) ** 2), law


@pytest.mark.parametrize("n", [2, 3, 10, 60])
def test_exact_binomial_tails_stay_below_both_forms(n):
    """rho = 0, so that the ball is one point: exact tails for nine biases against both bounds, at every level."""
    for probability in np.linspace(0.1, 0.9, 9):
        deviation, law = exact_deviation_tail(n, probability)
        for value in deviation:
            exact = law[deviation >= value - 1e-12].sum()
            assert exact <= norms.alignment_deviation_tail(value, 0.0, n)
        for delta in (0.01, 0.1, 0.5):
            for radius in (norms.alignment_deviation, norms.mcdiarmid_alignment_deviation):
                assert law[deviation > radius(0.0, n, delta=delta)].sum() <= delta
