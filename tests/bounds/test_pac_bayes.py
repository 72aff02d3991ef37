"""The bounds against published numbers, against each other, and against exact binomial probabilities."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from bounds import pac_bayes


def coin_gaps(n: int, mean: float) -> tuple[np.ndarray, np.ndarray]:
    """Gap and probability of each outcome for constant inputs and labels of the given mean: an exact test bed."""
    heads = np.arange(n + 1)
    total = 2 * heads - n
    empirical = n / (2 * (n - 1)) - total**2 / (2 * n * (n - 1))
    return (1 - mean**2) / 2 - empirical, stats.binom.pmf(heads, n, (1 + mean) / 2)


def best_gap(bound) -> float:
    def at(log_t: float) -> float:
        return bound(0.0, 0.46, sample_size=340, delta=0.05, inverse_temperature=math.exp(log_t))

    return float(optimize.minimize_scalar(at, bounds=(0, 10), method="bounded").fun)


def test_published_gaps_at_the_best_temperature():
    """n = 340, KL = .46, delta = .05: .468 (Corollary 2), .143 (Theorem 3), .101 (Theorem 3 by blocks)."""
    assert best_gap(pac_bayes.printed_averaged_first_order_kl_bound) == pytest.approx(0.468, abs=5e-4)
    assert best_gap(pac_bayes.printed_second_order_kl_bound) == pytest.approx(0.143, abs=5e-4)
    assert best_gap(pac_bayes.second_order_kl_bound) == pytest.approx(0.101, abs=5e-4)


def test_published_values_of_corollary_2_along_its_rate():
    """t = sqrt(n log n), KL = 0, delta = .05: gap / sqrt(log(n) / n) = 4.32, 3.87, 3.65, 3.52."""
    for n, truth in ((100, 4.32), (1000, 3.87), (10**4, 3.65), (10**5, 3.52)):
        t = math.sqrt(n * math.log(n))
        gap = pac_bayes.printed_averaged_first_order_kl_bound(
            0.0, 0.0, sample_size=n, delta=0.05, inverse_temperature=t
        )
        assert gap / math.sqrt(math.log(n) / n) == pytest.approx(truth, abs=5e-3)


@pytest.mark.parametrize("n", [2, 3, 4, 10, 50])
def test_the_second_order_term_bounds_the_exact_log_moment(n):
    """Exact log E exp(t gap) over coins; at n = 2 the constant is attained, so a smaller one would fail."""
    worst = -math.inf
    for mean in np.linspace(0, 0.95, 20):
        gap, weight = coin_gaps(n, mean)
        for t in (1e-2, 0.5, 2.0, 10.0):
            exact = math.log(float(weight @ np.exp(t * gap)))
            bound = pac_bayes.second_order_kl_bound(0, 0, sample_size=n, delta=0.5, inverse_temperature=t)
            worst = max(worst, (exact - bound * t + math.log(2)) / t**2)
    assert worst <= 1e-12
    if n == 2:
        assert worst > -1e-3


@pytest.mark.parametrize(
    ("n", "order", "delta", "failure"),
    [(1000, 4, 0.2, 0.332), (1000, 10, 0.05, 0.300), (10**4, 10, 0.01, 0.183), (10**6, 4, 0.01, 0.240)],
)
def test_the_printed_second_case_fails_with_the_published_probability_and_the_corrected_does_not(
    n, order, delta, failure
):
    gap, weight = coin_gaps(n, 2**-0.5)
    printed = pac_bayes.printed_power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order)
    assert float(weight[gap > printed].sum()) == pytest.approx(failure, abs=5e-4)
    corrected = pac_bayes.power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order, labels="binary")
    assert float(weight[gap > corrected].sum()) <= delta


def test_the_smallest_counterexample_to_the_second_case():
    bound = pac_bayes.printed_power_divergence_bound(0.0, 0.0, sample_size=2, delta=0.4, order=3)
    assert bound == pytest.approx(0.4605, abs=5e-5)
    gap, weight = coin_gaps(2, 0.0)
    assert float(weight[gap > bound].sum()) == pytest.approx(0.5)


def test_three_classes_refute_the_printed_chi_square_bound_at_n_2_and_not_the_safe_one():
    printed = pac_bayes.printed_chi_square_bound(0.0, 0.0, sample_size=2, delta=0.3)
    safe = pac_bayes.chi_square_bound(0.0, 0.0, sample_size=2, delta=0.3)
    assert printed == pytest.approx(0.6455, abs=5e-5)
    assert printed < 2 / 3 < safe


@pytest.mark.parametrize("order", [1.05, 1.2, 1.5, 1.9, 2.0, 3.0, 20.0])
@pytest.mark.parametrize("n", [2, 3, 10, 100])
def test_the_corrected_norms_bound_the_exact_norms_of_coins(n, order):
    """Catches an exponent on the wrong case: the factor of the bound is compared with the exact norm of the gap."""
    conjugate = order / (order - 1)
    factor = pac_bayes.power_divergence_bound(0, 0, sample_size=n, delta=0.5, order=order, labels="binary")
    factor *= 0.5 ** (1 / conjugate)
    for mean in np.linspace(0, 0.95, 20):
        gap, weight = coin_gaps(n, mean)
        assert float(weight @ np.maximum(gap, 0) ** conjugate) ** (1 / conjugate) <= factor * (1 + 1e-12)


@pytest.mark.parametrize(("delta", "published"), [(0.05, 5.744), (0.01, 7.638), (0.001, 10.233)])
def test_the_logarithmic_bound_is_the_minimum_over_its_parameter(delta, published):
    def at(c: float) -> float:
        return math.log(1 / ((1 - c) * delta)) / c

    best = optimize.minimize_scalar(at, bounds=(1e-6, 1 - 1e-9), method="bounded", options={"xatol": 1e-12}).fun
    squared = (pac_bayes.logarithmic_chi_square_bound(0, 0.5, sample_size=100, delta=delta)) ** 2 * 100 / 1.5
    assert squared == pytest.approx(best, rel=1e-9)
    assert squared == pytest.approx(published, abs=1e-3)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10, 50, 200])
def test_the_one_sided_moment_of_coins_is_below_its_bound_although_the_variance_is_not(n):
    """4 n sup E D_+^2 = 1 at n = 2, .594 at n = 10, .512 at n = 200; 4 n Var exceeds 1 for every n."""
    one_sided, variance = [], []
    for mean in np.linspace(0, 1, 401):
        gap, weight = coin_gaps(n, mean)
        one_sided.append(float(weight @ np.maximum(gap, 0) ** 2))
        variance.append(float(weight @ gap**2))
    assert max(one_sided) <= pac_bayes.one_sided_second_moment(n, labels="binary") * (1 + 1e-12)
    assert pac_bayes.printed_alignment_variance_bound(n) < max(variance)
    assert max(variance) <= pac_bayes.alignment_variance_bound(n, labels="binary") * (1 + 1e-12)
    published = {2: 1.0, 3: 0.790, 10: 0.594, 50: 0.528, 200: 0.512}
    if n in published:
        assert 4 * n * max(one_sided) == pytest.approx(published[n], abs=1e-3)
