"""Sampling bounds over divergence balls against exact enumeration of samples: a lost factor or exponent fails here."""

import itertools
import math

import numpy as np
import pytest
import torch
from scipy import stats

from algos.divergence_ball.exact import divergence_ball_maximum
from bounds.divergence_ball import sampling


def samples_of(law, count):
    """All counts of `count` samples from a law on few atoms, and their probabilities."""
    counts = [c for c in itertools.product(range(count + 1), repeat=len(law)) if sum(c) == count]
    return torch.tensor(counts, dtype=torch.float64), stats.multinomial.pmf(counts, count, law)


def suprema(atoms, law, count, rho, order):
    """The supremum over the ball around a law; those around its samples, and their probabilities; all exact."""
    counts, chances = samples_of(law, count)
    values = torch.tensor(atoms, dtype=torch.float64)
    population = divergence_ball_maximum(values, rho, order=order, base=torch.tensor(law, dtype=torch.float64)).value
    sampled = divergence_ball_maximum(values.expand_as(counts), rho, order=order, base=counts / count).value
    return float(population), sampled.numpy(), chances


def binomial_deviation(count, share):
    """E |B/N - a| by summation."""
    b = np.arange(count + 1)
    law = np.array([math.comb(count, k) * share**k * (1 - share) ** (count - k) for k in b])
    return float(law @ np.abs(b / count - share))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12, 40])
def test_the_binomial_constant_is_the_largest_over_all_shares(count):
    """On 4000 shares none is larger, and 1/(2N) attains it: the closed form is the supremum."""
    shares = np.concatenate(
        [np.linspace(0, 1, 2001)[1:-1], np.geomspace(1e-6, 0.5, 1000), 1 - np.geomspace(1e-6, 0.5, 1000)]
    )
    constant = sampling.binomial_deviation_constant(count)
    ratios = [math.sqrt(count / (a * (1 - a))) * binomial_deviation(count, a) for a in shares]
    assert max(ratios) <= constant * (1 + 1e-12)
    a = 1 / (2 * count)
    assert math.sqrt(count / (a * (1 - a))) * binomial_deviation(count, a) == pytest.approx(constant, rel=1e-12)


@pytest.mark.in_turn
@pytest.mark.parametrize("order", [2.0, 3.0, 5.0])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_sharp_gap_covers_every_small_law(count, order):
    """Exact means of the sampled supremum, for 60 laws on two and three atoms, over six decades of radii."""
    generator = np.random.default_rng(0)
    worst = 0.0
    for index in range(60):
        atoms = generator.uniform(-1, 1, 2 + index % 2)
        law = generator.dirichlet(np.full(len(atoms), 0.4))
        rho = 10 ** generator.uniform(-3, 3)
        population, sampled, chances = suprema(atoms, law, count, rho, order)
        gap = population - float(chances @ sampled)
        half_range = np.ptp(atoms) / 2
        bound = sampling.expected_supremum_gap(half_range, rho, count, order=order)
        assert -1e-9 <= gap <= bound * (1 + 1e-9) + 1e-9
        assert bound <= sampling.printed_expected_supremum_gap(half_range, rho, count)
        worst = max(worst, gap / bound)
    assert worst > 0.1  # a bound ten times too large would pass nothing else here


@pytest.mark.parametrize("count", [1, 2, 3, 10, 30])
def test_the_sharp_gap_is_attained_by_rare_largest_values(count):
    """Z = +-M, P(Z = M) = 1/(2N), rho = 2N - 1: any smaller constant is false."""
    law, rho = [1 / (2 * count), 1 - 1 / (2 * count)], 2 * count - 1
    counts = np.arange(count + 1)
    chances = np.array([math.comb(count, k) * law[0] ** k * law[1] ** (count - k) for k in counts])
    gap = 1.5 * 2 * chances[0]  # M in the population and in samples with a success; -M in the others
    population, sampled, _ = suprema([1.5, -1.5], law, count, rho, 2.0)
    assert population == pytest.approx(1.5, rel=1e-9)
    assert sorted(sampled) == pytest.approx([-1.5] + [1.5] * count, rel=1e-9)
    assert sampling.expected_supremum_gap(1.5, rho, count) == pytest.approx(gap, rel=1e-12)


@pytest.mark.parametrize("order", [2.0, 3.5])
@pytest.mark.parametrize("rho", [0.01, 0.3, 1.0])
def test_thresholds_stay_inside_their_interval(order, rho):
    """The dual's minimiser over 300 random problems."""
    generator = torch.Generator().manual_seed(0)
    values = 2 * torch.rand(300, 6, generator=generator, dtype=torch.float64) - 1
    threshold = divergence_ball_maximum(values, rho, order=order).threshold
    assert (threshold <= 1).all()
    assert (threshold >= -sampling.dual_threshold_bound(rho, order=order)).all()


def test_the_interval_of_thresholds_is_tight_for_large_radii():
    """Z = +-1 with mean -sqrt(rho / (1 + rho)) has the threshold -sqrt(1 + 1/rho); c is 1.02 at rho = 10^4."""
    for rho in (1.0, 100.0, 1e4):
        mean = -math.sqrt(rho / (1 + rho))
        base = torch.tensor([(1 + mean) / 2, (1 - mean) / 2], dtype=torch.float64)
        values = torch.tensor([1.0, -1.0], dtype=torch.float64)
        threshold = float(divergence_ball_maximum(values, rho, order=2.0, base=base).threshold)
        assert threshold == pytest.approx(-math.sqrt(1 + 1 / rho), rel=1e-6)
        assert -threshold <= sampling.dual_threshold_bound(rho, order=2.0)
    assert sampling.dual_threshold_bound(1e4, order=2.0) < -1.021 * threshold


def test_exact_tails_of_two_valued_suprema_stay_below_the_concentration_bound():
    """Equation (14) for features +-1 with probability p: exact binomial tails at every level."""
    for count, p, rho in itertools.product([5, 40], [0.02, 0.3], [0.5, 20.0]):
        share = np.arange(count + 1) / count
        chances = np.array([math.comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)])
        spread = np.sqrt(rho * share * (1 - share))
        inside = share * (1 + rho) < 1
        value = np.where(share == 0, -1.0, np.where(inside, 2 * (share + spread) - 1, 1.0))
        deviation = np.abs(value - chances @ value)
        for delta in (1e-6, 0.01, 0.1, 0.5):
            assert chances[deviation > sampling.supremum_deviation(1.0, rho, count, delta=delta)].sum() <= delta
