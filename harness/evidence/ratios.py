"""Logarithms of lhs/rhs and their quantiles, of samples and of outcomes with probabilities."""

import numpy as np

LARGEST_LOG = 50.0


def log_ratios(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """log(lhs/rhs) where both sides are positive, cut at +- LARGEST_LOG, which also stand where the signs differ."""
    with np.errstate(all="ignore"):
        ratios = np.log(np.abs(lhs)) - np.log(np.abs(rhs))
        alike = lhs * rhs > 0.0
    ratios = np.where((lhs < 0.0) & (rhs < 0.0), -ratios, ratios)
    decided = np.where(lhs > rhs, LARGEST_LOG, -LARGEST_LOG)
    return np.clip(np.where(alike, ratios, decided), -LARGEST_LOG, LARGEST_LOG)


def quantile(numbers: np.ndarray, level: float, weights: np.ndarray | None) -> float:
    """A quantile of a sample; of outcomes with these probabilities, the largest number with P(X >= it) > 1 - level."""
    if weights is None:
        return float(np.quantile(numbers, level))
    order = np.argsort(numbers)
    below = np.cumsum(weights[order])
    return float(numbers[order[min(int(np.searchsorted(below, level * below[-1])), len(order) - 1)]])


def ratio(sides: tuple[float, float]) -> float:
    """lhs/rhs where both are positive, else 0."""
    lhs, rhs = sides
    return lhs / rhs if lhs > 0.0 and rhs > 0.0 else 0.0
