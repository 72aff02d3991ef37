"""Power means of small samples, exactly: every bound on A - Y_n, and how close it comes."""

import itertools
import math

import numpy as np
import pytest
import torch
from scipy import stats

from bounds.divergence_ball.moments import (
    bounded_high_power_deficit,
    bounded_low_power_deficit,
    bounded_power_mean_deficit,
    high_power_deficit,
    intermediate_moment_bound,
    low_power_deficit,
    power_mean_deficit,
)


def exact(atoms, law, n, power):
    """A, Var Z^p and E (mean Z^p)^(1/p) over all samples of n."""
    counts = np.array([c for c in itertools.product(range(n + 1), repeat=len(law)) if sum(c) == n])
    chances = stats.multinomial.pmf(counts, n, law)
    powers = atoms**power
    mean = law @ powers
    return mean ** (1 / power), law @ powers**2 - mean**2, chances @ (counts @ powers / n) ** (1 / power)


@pytest.mark.parametrize("power", [1.0, 1.3, 2.0, 3.0, 8.0])
def test_every_bound_covers_exact_deficits(power):
    """600 laws on two and three atoms, rare and common, n up to 5; the one-line form is never the worse one."""
    generator = np.random.default_rng(0)
    for index in range(600):
        n, atoms = 1 + index % 5, generator.uniform(0, 1, 2 + index % 2)
        law = generator.dirichlet(np.full(len(atoms), 0.4))
        norm, variance, mean = exact(atoms, law, n, power)
        deficit, slack = norm - mean, 1e-12 * norm
        sharp, bound = power_mean_deficit(norm, variance, n, power=power), atoms.max()
        assert deficit <= sharp + slack
        assert deficit <= bounded_power_mean_deficit(bound, n, power=power) + slack
        if power <= 2:
            assert deficit <= low_power_deficit(norm, variance, math.sqrt(law @ atoms**2), n, power=power) + slack
            assert deficit <= bounded_low_power_deficit(bound, n, power=power) + slack
        if power >= 2:
            assert deficit <= high_power_deficit(norm, variance, n, power=power) + slack
            assert deficit <= bounded_high_power_deficit(bound, n, power=power) + slack


@pytest.mark.parametrize("power", [1.3, 2.0, 5.0])
def test_the_one_line_form_is_tight(power):
    """n = 1 and a rare zero: the ratio tends to one, so that no smaller constant holds."""
    norm, variance, mean = exact(np.array([0.0, 1.0]), np.array([1e-5, 1 - 1e-5]), 1, power)
    assert (norm - mean) / power_mean_deficit(norm, variance, 1, power=power) == pytest.approx(1, abs=1e-4)


def test_a_power_of_the_range_would_be_false():
    """Z in {0, 100}, p = 2, n = 1: the deficit 25 is above 100^(1/2) sqrt 2 and below 100 / 2 * sqrt 2."""
    norm, _, mean = exact(np.array([0.0, 100.0]), np.array([0.75, 0.25]), 1, 2.0)
    assert norm - mean == 25
    assert 100**0.5 * math.sqrt(2) < 25 < bounded_low_power_deficit(100.0, 1, power=2.0)


def test_the_smaller_printed_branch_is_chosen_elementwise():
    """Arrays and tensors on both sides of the crossing f^2 V = n A^(2p), and exactly on it."""
    variances = [0.5, 4.0, 64.0]
    expected = [2 * min(0.5 * v**0.5, 0.25 * v) for v in variances]
    for make in (np.array, lambda v: torch.tensor(v, dtype=torch.float64)):
        assert high_power_deficit(1.0, make(variances), 1, power=2.0).tolist() == pytest.approx(expected, rel=1e-14)


def test_intermediate_moments_are_log_convex():
    """Random three-valued variables; equality for two-valued ones with a zero is among the oracle values."""
    generator = np.random.default_rng(0)
    for _ in range(300):
        atoms, law, k = generator.uniform(0, 2, 3), generator.dirichlet(np.ones(3)), generator.uniform(0.2, 4)
        ratio = generator.uniform(1, 2)
        left = law @ atoms ** (ratio * k)
        assert left <= intermediate_moment_bound(law @ atoms**k, law @ atoms ** (2 * k), ratio=ratio) * (1 + 1e-12)
