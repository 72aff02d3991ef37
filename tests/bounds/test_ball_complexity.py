"""Complexities over a ball of kernels and the margin bound, against enumeration of all signs."""

import itertools
import math

import numpy as np
import pytest
import torch

from algos.divergence_ball.exact import divergence_ball_maximum
from bounds.complexity import rademacher
from bounds.complexity.margin import margin_excess_risk


def signs(n):
    return np.array(list(itertools.product([-1.0, 1.0], repeat=n)))


def complexity(features, rho, order=2.0):
    """(1/n) E sup sqrt(sum_m q_m (sigma . psi_m)^2) for B = 1, over all signs; features have shape (n, N)."""
    squares = torch.tensor((signs(len(features)) @ features) ** 2)
    return float(divergence_ball_maximum(squares, rho, order=order).value.sqrt().mean()) / len(features)


@pytest.mark.parametrize("order", [2.0, 3.0, 6.0])
def test_every_bound_covers_exact_complexities(order):
    """90 random feature matrices with entries in [-1, 1], mostly signs, n and N up to 5 and 6."""
    generator = np.random.default_rng(0)
    for index in range(90):
        n, count = 1 + index % 5, 1 + index % 6
        features = np.clip(generator.normal(0, 2, (n, count)), -1, 1)
        rho = 10 ** generator.uniform(-2, 2)
        exact = complexity(features, rho, order) * (1 - 1e-9)
        assert exact <= rademacher.divergence_ball_complexity(1.0, rho, n, order=order)
        assert exact <= rademacher.khinchine_divergence_ball_complexity(1.0, rho, n, order=order)
        assert exact <= rademacher.fourth_moment_divergence_ball_complexity(1.0, rho, n)
        assert exact <= rademacher.printed_divergence_ball_complexity(1.0, rho, n)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_sharp_bound_is_attained_by_all_sign_patterns(n):
    """N = 2^n features, k = 2: equality up to rho = 2 - 2/n (n even) or 2 n/(n - 1) (n odd), not beyond."""
    largest = 2 - 2 / n if n % 2 == 0 else 2 * n / (n - 1)
    features = signs(n).T
    for rho in (0.1, largest / 2, largest * (1 - 1e-9)):
        assert complexity(features, rho) == pytest.approx(rademacher.divergence_ball_complexity(1.0, rho, n), rel=1e-8)
    beyond = 1.2 * largest
    assert complexity(features, beyond) < rademacher.divergence_ball_complexity(1.0, beyond, n) * (1 - 1e-4)


def test_the_margin_bound_on_a_finite_class_of_signs():
    """Both hypotheses +-1 on n fair labels: the exact violation probability of the bound is at most delta."""
    n, delta, margin = 60, 0.5, 1.0
    law = np.array([math.comb(n, k) * 0.5**n for k in range(n + 1)])
    right = np.arange(n + 1) / n
    excess = 0.5 - np.minimum(right, 1 - right)  # risk 1/2 of each against its ramp loss, 0 or 1 at margin 1
    mean_absolute = float(law @ np.abs(2 * np.arange(n + 1) - n)) / n
    assert law[excess > margin_excess_risk(mean_absolute, margin, n, delta=delta)].sum() <= delta
