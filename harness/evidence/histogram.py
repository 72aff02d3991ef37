"""Ratios lhs/rhs as a mergeable histogram with logarithmic bins of half a per cent."""

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np
from scipy import special

BINS_PER_E = 200
PARTS = 2**30  # what a probability of one is worth among counts
UNDER, OVER = -(10**6), 10**6  # lhs <= 0 or rhs <= 0 without violation; violation with rhs <= 0


def ratio_counts(lhs: np.ndarray, rhs: np.ndarray) -> dict[str, int]:
    """Counts per bin, keyed by the bin's index as text (they are stored as JSON)."""
    values, counts = np.unique(_bins(lhs, rhs), return_counts=True)
    return {str(v): int(c) for v, c in zip(values, counts, strict=True)}


def ratio_shares(lhs: np.ndarray, rhs: np.ndarray, weights: np.ndarray) -> dict[str, int]:
    """Probability per bin in units of 1/PARTS, keyed as counts are."""
    values, place = np.unique(_bins(lhs, rhs), return_inverse=True)
    shares = np.bincount(place, weights)
    return {str(v): round(PARTS * float(share)) for v, share in zip(values, shares, strict=True)}


def _bins(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    positive = (lhs > 0.0) & (rhs > 0.0)
    log_ratio = np.log(np.where(positive, lhs, 1.0)) - np.log(np.where(positive, rhs, 1.0))
    index = np.clip(np.floor(log_ratio * BINS_PER_E), UNDER + 1, OVER - 1)
    return np.where(positive, index, np.where((rhs <= 0.0) & (lhs > rhs), OVER, UNDER)).astype(int)


def merged(parts: list[Mapping[str, int]]) -> list[tuple[int, int]]:
    """All (bin, count) of several blocks, in ascending order."""
    total: Counter[int] = Counter()
    for part in parts:
        for name, count in part.items():
            total[int(name)] += count
    return sorted(total.items())


def lower_edge(index: int) -> float:
    """The smallest ratio of a bin."""
    if index <= UNDER:
        return 0.0
    return math.inf if index >= OVER else math.exp(index / BINS_PER_E)


def kth_largest(bins: list[tuple[int, int]], k: int) -> float:
    """Lower edge of the bin that holds the k-th largest ratio."""
    seen = 0
    for index, count in reversed(bins):
        seen += count
        if seen >= k:
            return lower_edge(index)
    return 0.0


def quantile_interval(
    bins: list[tuple[int, int]], level: float, confidence: float = 0.95
) -> tuple[float, float, float]:
    """The `level`-quantile of the ratio and a distribution-free interval from binomial order statistics."""
    trials = sum(count for _, count in bins)
    tail = (1.0 - confidence) / 2.0
    below = np.arange(trials + 1)
    cdf = special.bdtr(below, trials, level)
    low_rank = int(np.searchsorted(cdf, tail))  # order statistics X_(low) <= quantile <= X_(high)
    high_rank = int(np.searchsorted(cdf, 1.0 - tail)) + 1
    middle = math.ceil(level * trials)
    estimate, low, high = (
        kth_largest(bins, trials - min(max(rank, 1), trials) + 1) for rank in (middle, low_rank, high_rank)
    )
    return estimate, low, math.inf if high_rank > trials else high
