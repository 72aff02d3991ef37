"""Logarithms of lhs/rhs and their quantiles, of samples and of outcomes with probabilities."""

import numpy as np

LARGEST_LOG = 50.0


def log_ratios(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """log(lhs/rhs) where both sides are positive, cut at +- LARGEST_LOG, which also stand where the signs differ."""
    with np.errstate(all="ignore"):
        if lhs.min(initial=np.inf) > 0.0 and rhs.min(initial=np.inf) > 0.0:  # as usual
            return np.asarray(np.clip(np.log(lhs) - np.log(rhs), -LARGEST_LOG, LARGEST_LOG))
        ratios = np.log(np.abs(lhs)) - np.log(np.abs(rhs))
    negative = (lhs < 0.0) & (rhs < 0.0)
    ratios = np.where(negative, -ratios, ratios)
    decided = np.where(lhs > rhs, LARGEST_LOG, -LARGEST_LOG)
    return np.asarray(
        np.clip(np.where(negative | ((lhs > 0.0) & (rhs > 0.0)), ratios, decided), -LARGEST_LOG, LARGEST_LOG)
    )


def quantile(numbers: np.ndarray, level: float, weights: np.ndarray | None) -> float:
    """A quantile of a sample; of outcomes with these probabilities, the largest number with P(X >= it) > 1 - level."""
    if weights is None:
        return float(quantiles(numbers, np.array([level]))[0])
    order = np.argsort(numbers)
    below = np.cumsum(weights[order])
    return float(numbers[order[min(int(np.searchsorted(below, level * below[-1])), len(order) - 1)]])


def quantiles(numbers: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Quantiles of a sample of finite numbers, interpolated as `numpy.quantile` does, without its overhead."""
    places = levels * (len(numbers) - 1)
    below = places.astype(np.intp)
    above = np.minimum(below + 1, len(numbers) - 1)
    ordered = np.partition(numbers, [*below, *above])
    share, low, high = places - below, ordered[below], ordered[above]
    step = high - low
    return np.asarray(np.where(share < 0.5, low + step * share, high - step * (1.0 - share)))


def ratio(sides: tuple[float, float]) -> float:
    """lhs/rhs where both are positive, else 0."""
    lhs, rhs = sides
    return lhs / rhs if lhs > 0.0 and rhs > 0.0 else 0.0
