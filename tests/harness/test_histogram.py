"""Ratios in logarithmic bins: order statistics to half a per cent, mergeable, with nothing lost at the ends."""

import math

import numpy as np
import pytest
from scipy import stats

from harness.evidence.histogram import (
    BINS_PER_E,
    OVER,
    UNDER,
    kth_largest,
    merged,
    quantile_interval,
    ratio_counts,
)

WIDTH = math.exp(1.0 / BINS_PER_E)


def _ratios(n: int, seed: int = 0) -> np.ndarray:
    return np.exp(np.random.default_rng(seed).normal(-1.0, 2.0, n))


def test_order_statistics_agree_with_sorting_to_one_bin() -> None:
    x = _ratios(5000)
    bins = merged([ratio_counts(x, np.ones_like(x))])
    descending = np.sort(x)[::-1]
    for k in (1, 2, 50, 2500, 5000):
        assert kth_largest(bins, k) * (1.0 - 1e-12) <= descending[k - 1] <= kth_largest(bins, k) * WIDTH * (1 + 1e-12)
    assert kth_largest(bins, 5001) == 0.0


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95, 0.999])
def test_quantiles_agree_with_numpy_to_one_bin(level: float) -> None:
    x = _ratios(2000, seed=1)
    estimate, low, high = quantile_interval(merged([ratio_counts(x, np.ones_like(x))]), level)
    exact = float(np.quantile(x, level, method="inverted_cdf"))
    assert estimate * (1.0 - 1e-12) <= exact <= estimate * WIDTH * (1.0 + 1e-12)
    assert low <= estimate <= high


@pytest.mark.parametrize("trials", [5, 60, 1000])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_of_a_quantile_covers_by_exact_binomial_tails(trials: int, level: float) -> None:
    """Ranks are read off the interval on 1, 2, ..., trials (in bins of their own), then their coverage is summed."""
    x = np.exp((np.arange(trials) + 0.5) / 10.0)
    _, low, high = quantile_interval(merged([ratio_counts(x, np.ones_like(x))]), level)
    low_rank = int((x < low / WIDTH).sum()) + 1
    high_rank = trials + 1 if math.isinf(high) else int((x < high / WIDTH).sum()) + 1
    # X_(i) <= quantile iff at least i of the trials fall at or below it
    below = stats.binom.sf(low_rank - 1, trials, level) if low > 0.0 and low_rank > 1 else 1.0
    above = stats.binom.sf(high_rank - 1, trials, level) if high_rank <= trials else 0.0
    assert below - above >= 0.95 - 1e-12


def test_merging_blocks_is_counting_once() -> None:
    x = _ratios(3000, seed=2)
    ones = np.ones(1000)
    parts = [ratio_counts(x[i : i + 1000], ones) for i in (2000, 0, 1000)]
    assert merged(parts) == merged([ratio_counts(x, np.ones_like(x))])
    assert merged([]) == []


def test_every_trial_lands_in_a_bin_whatever_its_signs() -> None:
    lhs = np.array([1.0, 0.0, -1.0, 1.0, 1.0, -1.0, -2.0, 0.0, 1e-300, 1e300])
    rhs = np.array([2.0, 2.0, 2.0, 0.0, -1.0, -2.0, -1.0, 0.0, 1e300, 1e-300])
    counts = dict(merged([ratio_counts(lhs, rhs)]))
    assert sum(counts.values()) == len(lhs)
    assert counts[OVER] == 3  # 1 > 0, 1 > -1 and -1 > -2: violated without a ratio
    assert counts[UNDER] == 4  # 0 <= 2, -1 <= 2, -2 <= -1, 0 <= 0
    assert kth_largest(sorted(counts.items()), 1) == math.inf
    assert kth_largest(sorted(counts.items()), len(lhs)) == 0.0
