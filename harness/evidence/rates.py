"""The exponent of a decay: mean(n) = A n^b log(n)^p (1 + c n^-g), fitted by profiling over b.

For a given b the model is linear in (A, A c), so the profile is an exact weighted least-squares problem and the
interval of b needs neither a good start nor a linearisation. A straight line through log-log points is never used:
its interval ignores the lower-order term and misses the exponent most of the time.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

SEARCH = (-8.0, 3.0)
LARGEST_CORRECTION = 4.0


@dataclass(frozen=True)
class RateFit:
    """Exponent with a two-sided interval, and how well the curve fits."""

    exponent: float
    low: float
    high: float
    misfit: float  # chi-square per degree of freedom
    leading: float  # A
    correction: float  # c


@dataclass(frozen=True)
class Curve:
    """Means with standard errors along n."""

    n: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    log_power: float
    correction: float

    def _design(self, exponent: float) -> np.ndarray:
        leading = self.n**exponent * np.log(self.n) ** self.log_power
        columns = np.stack([leading, leading * self.n**-self.correction], axis=1)
        return np.asarray(columns / self.error[:, None])

    def solve(self, exponent: float) -> tuple[float, np.ndarray]:
        """Weighted residual sum of squares and (A, A c) at a given exponent.

        A >= 0 and |c| <= LARGEST_CORRECTION, and the model stays positive: otherwise a vanishing leading term could
        explain any slope at all.
        """
        design = self._design(exponent)
        target = self.mean / self.error
        coefficients, *_ = np.linalg.lstsq(design, target, rcond=None)
        leading, lower = coefficients
        low, high = self._edges()
        if leading <= 0.0 or not low * leading <= lower <= high * leading:
            coefficients = self._bounded(design, target)
        residual = target - design @ coefficients
        return float(residual @ residual), coefficients

    def _edges(self) -> tuple[float, float]:
        """The admissible range of c."""
        return max(-LARGEST_CORRECTION, -0.9 * float(self.n.min()) ** self.correction), LARGEST_CORRECTION

    def _bounded(self, design: np.ndarray, target: np.ndarray) -> np.ndarray:
        """The best coefficients on the two edges of the admissible cone."""
        best, chosen = math.inf, np.zeros(2)
        for ratio in self._edges():
            column = design @ np.array([1.0, ratio])
            leading = max(float(column @ target / (column @ column)), 0.0)
            residual = target - leading * column
            if residual @ residual < best:
                best, chosen = float(residual @ residual), leading * np.array([1.0, ratio])
        return chosen


def fit_rate(curve: Curve, confidence: float) -> RateFit:
    """Fit the exponent and its profile interval at the given confidence.

    The interval is {b: rss(b) <= rss_min + q s}, q the chi-square quantile with one degree of freedom and
    s = max(1, misfit): a curve that the model does not describe widens its own interval.
    """

    def rss(exponent: float) -> float:
        return curve.solve(exponent)[0]

    grid = np.linspace(*SEARCH, 221)
    values = np.array([rss(b) for b in grid])
    at = int(values.argmin())
    left, right = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
    best = float(optimize.minimize_scalar(rss, bounds=(left, right), method="bounded", options={"xatol": 1e-7}).x)
    smallest, coefficients = curve.solve(best)
    freedom = max(len(curve.n) - 3, 1)
    misfit = smallest / freedom
    quantile = float(stats.chi2.ppf(confidence, 1)) * max(1.0, misfit)
    ceiling = smallest + quantile

    def edge(outer: float) -> float:
        if rss(outer) <= ceiling:
            return outer
        return float(optimize.brentq(lambda b: rss(b) - ceiling, best, outer, xtol=1e-6))

    return RateFit(
        exponent=best,
        low=edge(SEARCH[0]),
        high=edge(SEARCH[1]),
        misfit=misfit,
        leading=float(coefficients[0]),
        correction=float(coefficients[1] / coefficients[0]) if coefficients[0] else math.inf,
    )


def local_slopes(n: np.ndarray, mean: np.ndarray) -> list[float]:
    """Slopes between neighbouring points, shown so that nobody has to trust a fit."""
    return [float(s) for s in np.diff(np.log(np.maximum(mean, 1e-300))) / np.diff(np.log(n))]
