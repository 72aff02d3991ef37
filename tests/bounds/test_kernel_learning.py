"""Guarantees for learned kernels against exact enumeration of small samples: a lost term or factor fails here."""

import itertools
import math

import numpy as np
import pytest
import torch
from scipy import stats

from algos.divergence_ball.exact import chi_square_ball_maximum
from bounds.divergence_ball.kernel_learning import (
    printed_sampling_deviation,
    sampling_deviation,
)
from bounds.divergence_ball.pair_statistics import (
    alignment_variance_proxy,
    binary_alignment_half_range,
    block_alignment_deviation,
    centred_alignment_deviation,
    diagonal_loss,
    diagonal_loss_by_spread,
    square_moment_bound,
)


def problem(generator, n, features=4, points=3):
    """Errors That - T of features on a finite law of labelled points, over all samples of n, and their chances."""
    law = generator.dirichlet(np.full(points, 0.6))
    signed = generator.choice([-1.0, 1.0], (points, features)) * generator.uniform(0.3, 1, (points, features)) ** 0.2
    counts = np.array([c for c in itertools.product(range(n + 1), repeat=points) if sum(c) == n])
    statistics = ((counts @ signed) ** 2 - counts @ signed**2) / (n * (n - 1))
    return statistics - (law @ signed) ** 2, stats.multinomial.pmf(counts, n, law)


def suprema(errors, rho):
    return chi_square_ball_maximum(torch.tensor(errors), rho).value.numpy()


@pytest.mark.parametrize("n", [2, 3, 6])
def test_uniform_deviations_against_exact_tails(n):
    """Means, tails and both forms of the deviation, one-sided and two-sided, for 40 laws and two radii."""
    generator = np.random.default_rng(n)
    for _, rho in itertools.product(range(40), [0.3, 3.0]):
        errors, chances = problem(generator, n)
        above, below = suprema(errors, rho), suprema(-errors, rho)
        two_sided = np.maximum(above, below)
        assert chances @ above <= math.sqrt(2 * rho / n) + 1e-12
        for delta in (0.01, 0.2, 0.6):
            assert chances[above > centred_alignment_deviation(rho, n, delta=delta) + 1e-12].sum() <= delta + 1e-12
            assert chances[two_sided > block_alignment_deviation(rho, n, delta=delta) + 1e-12].sum() <= delta + 1e-12


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_the_proxy_dominates_exact_exponential_moments(n):
    """Coins y with bias: E exp(lambda (U - E U)) at lambda up to 4 n, for one feature +-1."""
    proxy = alignment_variance_proxy(n)
    for p in np.linspace(0.05, 0.95, 19):
        k = np.arange(n + 1)
        chances = np.array([math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in k])
        error = ((2 * k - n) ** 2 - n) / (n * (n - 1)) - (2 * p - 1) ** 2
        for scale in np.concatenate([-np.geomspace(0.01, 4 * n, 20), np.geomspace(0.01, 4 * n, 20)]):
            assert math.log(chances @ np.exp(scale * error)) <= scale**2 * proxy / 2 + 1e-12


def diagonal_cost(features):
    """Alignment lost by the feature with the larger V-statistic; both spreads of the diagonal."""
    n = features.shape[-1]
    v, s = features.sum(-1) ** 2, (features**2).sum(-1)
    statistic = (v - s) / (n * (n - 1))
    return statistic.max() - statistic[v.argmax()], (np.ptp(s), np.ptp(s - v / n))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_diagonal_costs_at_most_its_bound(n):
    generator = np.random.default_rng(n)
    for _ in range(1000):
        loss, spreads = diagonal_cost(generator.uniform(-1, 1, (2, n)))
        assert loss <= min(diagonal_loss_by_spread(spread, n) for spread in spreads) + 1e-12
        assert loss <= diagonal_loss(n)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10, 11])
def test_the_cost_of_the_diagonal_is_approached(n):
    """Nearly balanced signs against a constant with almost the same sum: no smaller bound holds, for n odd or even."""
    balanced = np.array([1.0, -1.0] * (n // 2) + [1.0] * (n % 2))
    balanced[1] += 0 if n % 2 else 1e-4
    constant = np.full(n, balanced.sum() / n * (1 - 1e-4))
    assert diagonal_cost(np.stack([balanced, constant]))[0] == pytest.approx(diagonal_loss(n), rel=1e-3)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_the_half_range_holds_every_statistic_and_is_attained(n):
    generator = np.random.default_rng(n)
    signed = np.concatenate([generator.uniform(-1, 1, (2000, n)), np.array(list(itertools.product([-1, 1], repeat=n)))])
    statistic = (signed.sum(-1) ** 2 - (signed**2).sum(-1)) / (n * (n - 1))
    assert np.ptp(statistic) == pytest.approx(2 * binary_alignment_half_range(n), rel=1e-12)
    assert statistic.max() == pytest.approx(1.0)


RADII = np.linspace(2.5, 2.8, 3001)


def test_square_moments_of_signs_and_beyond_the_range():
    """X = +-1 is 1-sub-Gaussian: e^lambda is below the bound; from lambda = 1/2 on it is infinite, in arrays too."""
    scales = np.linspace(0, 0.49, 50)
    assert (np.exp(scales) <= square_moment_bound(scales, proxy=1.0)).all()
    assert square_moment_bound(0.5, proxy=1.0) == math.inf
    with np.errstate(divide="ignore"):
        assert np.isinf(square_moment_bound(np.array([0.5, 2.0]), proxy=1.0)).all()
    assert torch.isinf(square_moment_bound(torch.tensor([0.5, 2.0]), proxy=1.0)).all()


def test_lemma_2_says_something_from_12656_features_on():
    """At the best radius."""
    least = {n: min(printed_sampling_deviation(rho, n, delta=0.05) for rho in RADII) for n in (12655, 12656)}
    assert least[12656] < 1 < least[12655]


def test_exact_lemma_two_on_two_valued_features():
    """The sampled supremum of features with alignments +-1 leaves the sharp band with probability at most delta."""
    for count, p, rho in itertools.product([10, 100], [0.05, 0.4], [0.2, 5.0]):
        share = np.arange(count + 1) / count
        chances = np.array([math.comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)])

        def supremum(a, rho=rho):
            return np.where(a == 0, -1, np.where(a * (1 + rho) < 1, 2 * (a + np.sqrt(rho * a * (1 - a))) - 1, 1))

        deviation = np.abs(supremum(share) - supremum(np.array(p)))
        for delta in (1e-4, 0.05, 0.4):
            bound = sampling_deviation(1.0, rho, count, delta=delta)
            assert chances[deviation > bound].sum() <= delta
