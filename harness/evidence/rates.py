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
WIDE_POWERS = (0.25, 0.5, 1.0, 2.0)  # of the correction, where the curve still bends
WIDE_CORRECTION = 1e4
FITS = 3.0  # misfit (chi-square per degree of freedom) up to which a model describes a curve
MOVING = 3.0  # standard errors by which the slope changes towards the claim
AHEAD, SURE = 1.0, 2.0  # ranges of log n that a slope is followed beyond the end, and standard errors taken off there
SEEN = 5.0  # standard errors by which a change of the slope is seen by itself
SHRINKING, FARTHER = 0.75, 3.0  # the ratio of changes that shrink; how many times the extrapolated rest is allowed for
COARSEST = 1e-6  # relative error below which nobody can ask a model to describe a curve


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
    """Means with standard errors along n; `inverse` puts the correction into the denominator."""

    n: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    log_power: float
    correction: float
    largest: float = LARGEST_CORRECTION
    inverse: bool = False

    @property
    def logs(self) -> np.ndarray:
        """log(n)^log_power; 1 where there is no such factor, at n = 1 too."""
        if not self.log_power:
            return np.ones_like(self.n)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.n) ** self.log_power)

    def _design(self, exponent: float) -> np.ndarray:
        leading = self.n**exponent * self.logs
        columns = np.stack([leading, leading * self.n**-self.correction], axis=1)
        return np.asarray(columns / self.error[:, None])

    def solve(self, exponent: float) -> tuple[float, np.ndarray]:
        """Weighted residual sum of squares and (A, A c) at a given exponent.

        A >= 0 and |c| <= LARGEST_CORRECTION, and the model stays positive: otherwise a vanishing leading term could
        explain any slope at all.
        """
        if self.inverse:
            return self._solve_inverse(exponent)
        design = self._design(exponent)
        target = self.mean / self.error
        coefficients, *_ = np.linalg.lstsq(design, target, rcond=None)
        leading, lower = coefficients
        low, high = self._edges()
        if leading <= 0.0 or not low * leading <= lower <= high * leading:
            coefficients = self._bounded(design, target)
        residual = target - design @ coefficients
        return float(residual @ residual), coefficients

    def _solve_inverse(self, exponent: float) -> tuple[float, np.ndarray]:
        """mean = A n^b log(n)^p / (1 + c n^-g): 1/mean is linear in (1/A, c/A), with errors to first order."""
        leading = self.n**exponent * self.logs
        weights = self.mean**2 / self.error
        design = np.stack([1.0 / leading, self.n**-self.correction / leading], axis=1) * weights[:, None]
        target = weights / self.mean
        coefficients, *_ = np.linalg.lstsq(design, target, rcond=None)
        low, high = self._edges()
        if coefficients[0] <= 0.0 or not low * coefficients[0] <= coefficients[1] <= high * coefficients[0]:
            coefficients = self._bounded(design, target)
        fitted = leading / np.maximum(coefficients[0] + coefficients[1] * self.n**-self.correction, 1e-300)
        residual = (self.mean - fitted) / self.error
        return float(residual @ residual), np.array([1.0 / max(coefficients[0], 1e-300), coefficients[1]])

    def _edges(self) -> tuple[float, float]:
        """The admissible range of c."""
        return max(-self.largest, -0.9 * float(self.n.min()) ** self.correction), self.largest

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


def still_moving(curve: Curve, limit: float) -> bool:
    """Whether the local exponents may still fall to the limit, as far as the larger part of the curve can tell.

    A weighted parabola in log n through log mean - p log log n on the last two thirds of the points (four at least):
    the curve has stopped when its second coefficient is not below zero by MOVING standard errors, and its slope,
    extrapolated over AHEAD times the range of log n beyond the end, lies above the limit by SURE of them.
    """
    count = max(4, math.ceil(2 * len(curve.n) / 3))
    t = np.log(curve.n[-count:])
    y = np.log(curve.mean[-count:]) - np.log(np.maximum(curve.logs[-count:], 1e-300))
    weight = curve.mean[-count:] / curve.error[-count:]
    t = t - t.mean()
    design = np.stack([np.ones_like(t), t, t**2], axis=1) * weight[:, None]
    covariance = np.linalg.pinv(design.T @ design)
    coefficients = covariance @ design.T @ (y * weight)
    at = t[-1] + AHEAD * (t[-1] - t[0])
    direction = np.array([0.0, 1.0, 2.0 * at])
    slope, error = float(direction @ coefficients), math.sqrt(max(float(direction @ covariance @ direction), 0.0))
    falls = float(coefficients[2]) < -MOVING * math.sqrt(max(float(covariance[2, 2]), 0.0))
    return falls or slope - SURE * error <= limit


def settles_above(curve: Curve, limit: float, confidence: float) -> bool:
    """Whether local exponents that still fall will come to rest above the limit: by extrapolation, or by every model.

    1/(n + 200) looks like n^-0.1 at first and decays like 1/n in the end. Two ways to conclude all the same:

    - the changes of the local exponents shrink geometrically; the rest of the way, by the worst of the last two ratios
      and FARTHER times as long, ends above the limit;
    - models with wide corrections of several powers, in the numerator or the denominator, describe the curve, and all
      that do have their exponent above the limit. Small n are dropped until some model fits.
    """
    return _comes_to_rest_above(curve, limit) or modelled_above(curve, limit, confidence)


def _comes_to_rest_above(curve: Curve, limit: float) -> bool:
    t, y = np.log(curve.n), np.log(curve.mean) - np.log(np.maximum(curve.logs, 1e-300))
    slopes = np.diff(y) / np.diff(t)
    noise = np.hypot(*(curve.error[i : len(t) - 1 + i] / curve.mean[i : len(t) - 1 + i] for i in (0, 1))) / np.diff(t)
    if len(slopes) < 4:
        return False
    changes, spread = np.diff(slopes)[-3:], np.hypot(noise[1:], noise[:-1])[-3:]
    if np.any(np.abs(changes) < SEEN * spread):
        return False
    ratio = float(np.max(changes[1:] / changes[:-1]))
    if not 0.0 < ratio < SHRINKING or np.any(changes > 0.0):
        return False
    rest = float(changes[-1]) * ratio / (1.0 - ratio)
    return bool(slopes[-1] + FARTHER * rest > limit)


def modelled_above(curve: Curve, limit: float, confidence: float) -> bool:
    """Whether some model with a wide correction describes the curve, small n dropped, and all that do lie above."""
    floor = np.maximum(curve.error, COARSEST * curve.mean)
    for dropped in range(len(curve.n) - 4):
        n, mean, error = curve.n[dropped:], curve.mean[dropped:], floor[dropped:]
        described = []
        for power in WIDE_POWERS:
            for inverse in (False, True):
                wide = Curve(n, mean, error, curve.log_power, power, WIDE_CORRECTION, inverse)
                fit = fit_rate(wide, confidence)
                if fit.misfit <= FITS:
                    described.append(fit.low)
        if described:
            return min(described) > limit
    return False


def local_slopes(n: np.ndarray, mean: np.ndarray) -> list[float]:
    """Slopes between neighbouring points, shown so that nobody has to trust a fit."""
    return [float(s) for s in np.diff(np.log(np.maximum(mean, 1e-300))) / np.diff(np.log(n))]
