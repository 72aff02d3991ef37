"""Logarithms of lhs/rhs and their quantiles, of samples and of outcomes with probabilities."""

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Ordered:
    """Finite numbers in order, for several quantiles; of outcomes, with the probability of each and all before it."""

    numbers: np.ndarray
    below: np.ndarray | None = None

    @classmethod
    def of(cls, numbers: np.ndarray, weights: np.ndarray | None) -> "Ordered":
        """A sample in order, or outcomes with these probabilities."""
        if weights is None:
            return cls(np.sort(numbers))
        order = np.argsort(numbers)
        return cls(numbers[order], np.cumsum(weights[order]))

    def quantile(self, level: float) -> float:
        """A quantile as of `numpy.quantile`; of outcomes, the largest number with P(X >= it) > 1 - level."""
        last = len(self.numbers) - 1
        if self.below is not None:
            return float(self.numbers[min(int(np.searchsorted(self.below, level * self.below[-1])), last)])
        place = level * last
        below = int(place)
        share, low, high = place - below, float(self.numbers[below]), float(self.numbers[min(below + 1, last)])
        step = high - low
        return low + step * share if share < 0.5 else high - step * (1.0 - share)


def ratio(sides: tuple[float, float]) -> float:
    """lhs/rhs where both are positive, else 0."""
    lhs, rhs = sides
    return lhs / rhs if lhs > 0.0 and rhs > 0.0 else 0.0
