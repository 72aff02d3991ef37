"""The exponent of a decay: mean(n) = A n^b log(n)^p (1 + c n^-g), fitted by profiling over b.

For a given b the model is linear in (A, A c), so the profile is an exact weighted least-squares problem and the
interval of b needs neither a good start nor a linearisation. A straight line through log-log points is never used:
its interval ignores the lower-order term and misses the exponent most of the time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

SEARCH, APART = (-8.0, 3.0), 0.05  # exponents that are tried at least, and how far apart
FURTHER, MOST = 5.0, 2000  # beyond the local exponents of a curve, others that are tried, and how many at most
DIGITS = 290.0  # of powers of n, at most
LARGEST_CORRECTION = 4.0
LATE = 2.5  # a lower-order term may be up to this many times the leading one at the end of a curve
NARROW = 4.0  # a grid whose largest n is fewer times its smallest one does not tell a step or a swing from an exponent
FASTER = 1.5  # times the exponent in the middle of a curve: where the last one is, it falls ever faster
USUAL = (0.25, 1.0 / 3.0, 0.5, 1.0, 2.0)  # of corrections, where none is stated, and of late ones besides a stated one
CLOSE, PARTS = 1e-6, 64  # exponents are found to so much, by cutting an interval into so many parts again and again
SHARES = 1.1  # times each other, between which the share that a model misses is found
COARSEST = 1e-6  # relative error below which nobody can ask a model to describe a curve


def chi_square_quantile(probability: float) -> float:
    """The quantile of the chi-square distribution with one degree of freedom."""
    return 2.0 * float(special.gammaincinv(0.5, probability))


@dataclass(frozen=True)
class RateFit:
    """Exponent with a two-sided interval, and how well the curve fits."""

    exponent: float
    low: float
    high: float
    misfit: float  # chi-square per degree of freedom
    leading: float  # A
    correction: float  # c
    power: float  # g
    missed: float = 0.0  # the share of each mean that the model misses, beyond the errors


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

    def solve(self, exponent: float) -> tuple[float, np.ndarray]:
        """Weighted residual sum of squares and (A, A c), or (A, c) of the inverse model, at a given exponent."""
        sums, coefficients = self.solve_all(np.array([exponent]))
        return float(sums[0]), coefficients[0]

    def solve_all(self, exponents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same at each of several exponents: sums of squares (E,) and coefficients (E, 2).

        A >= 0 and |c| <= LARGEST_CORRECTION, and the model stays positive: otherwise a vanishing leading term could
        explain any slope at all. The inverse model mean = A n^b log(n)^p / (1 + c n^-g) is linear in (1/A, c/A) for
        1/mean, with errors to first order.
        """
        leading = self.n ** exponents[:, None] * self.logs
        lower = self.n**-self.correction
        if not self.inverse:
            design = np.stack([leading, leading * lower], axis=-1) / self.error[:, None]
            target = self.mean / self.error
            coefficients = self._least_squares(design, target)
            residual = target - (design @ coefficients[..., None])[..., 0]
            return (residual**2).sum(-1), coefficients
        weights = self.mean**2 / self.error
        design = np.stack([1.0 / leading, lower / leading], axis=-1) * weights[:, None]
        inverse, ratio = self._least_squares(design, weights / self.mean).T
        fitted = leading / np.maximum(inverse[:, None] + ratio[:, None] * lower, 1e-300)
        residual = (self.mean - fitted) / self.error
        return (residual**2).sum(-1), np.stack([1.0 / np.maximum(inverse, 1e-300), ratio], axis=-1)

    def _edges(self) -> tuple[float, float]:
        """The admissible range of c."""
        return max(-self.largest, -0.9 * float(self.n.min()) ** self.correction), self.largest

    def _least_squares(self, design: np.ndarray, target: np.ndarray) -> np.ndarray:
        """The best coefficients (E, 2) in the admissible cone, for designs (E, n, 2): inside, or else on an edge."""
        first, second = design[..., 0], design[..., 1]
        length = np.maximum(np.sqrt((first**2).sum(-1)), 1e-300)
        unit = first / length[:, None]
        shared = (unit * second).sum(-1)
        rest = second - shared[:, None] * unit
        again = (unit * rest).sum(-1)  # orthogonal to rounding: the columns may be nearly parallel
        rest -= again[:, None] * unit
        across = (rest**2).sum(-1)
        apart = across > (np.finfo(float).eps * len(target)) ** 2 * (second**2).sum(-1)
        lower = np.divide((rest * target).sum(-1), across, out=np.zeros_like(across), where=apart)
        leading = ((unit * target).sum(-1) - (shared + again) * lower) / length
        free = np.stack([leading, lower], axis=-1)
        low, high = self._edges()
        outside = (free[:, 0] <= 0.0) | (free[:, 1] < low * free[:, 0]) | (free[:, 1] > high * free[:, 0])
        if outside.any():
            free[outside] = self._bounded(design[outside], target)
        return free

    def _bounded(self, design: np.ndarray, target: np.ndarray) -> np.ndarray:
        """The best coefficients on the two edges of the admissible cone."""
        rays = np.array([[1.0, ratio] for ratio in self._edges()])
        columns = np.moveaxis(design @ rays.T, -1, 0)
        leading = np.maximum((columns * target).sum(-1) / (columns**2).sum(-1), 0.0)
        left_over = ((target - leading[..., None] * columns) ** 2).sum(-1)
        chosen = np.argmin(left_over, axis=0)
        return np.asarray(np.take_along_axis(leading, chosen[None], 0)[0][:, None] * rays[chosen])


def fit_rate(curve: Curve, confidence: float, powers: Sequence[float] = ()) -> RateFit:
    """Fit the exponent and its profile interval at the given confidence.

    The interval is {b: rss(b) <= rss_min + q s}, q the chi-square quantile with one degree of freedom and
    s = max(1, misfit): a curve that the model does not describe widens its own interval. So that it does not rest on
    the few points that are known best, such a curve has what the model misses, as one share of all means, among its
    errors. Of several `powers` of the lower-order term the one that fits best is chosen, and the interval holds what
    any of them describes as well.
    """
    return _profiled([replace(curve, correction=power) for power in powers] or [curve], confidence)


def fit_late(curve: Curve, confidence: float, powers: Sequence[float] = ()) -> RateFit:
    """The same over every model whose lower-order term may still dominate at the end of the curve.

    1/(n + 200) looks like n^-0.1 on every small n. The models are A n^b log(n)^p (1 + c n^-g) and A n^b log(n)^p /
    (1 + c n^-g), g the stated power or a USUAL one, c up to LATE n_max^g. What lies outside is described by none
    of them. Errors are at least COARSEST of the means. Curves that fall ever faster may do so beyond the grid: their
    interval has no lower end.
    """
    floored = replace(curve, error=np.maximum(curve.error, COARSEST * curve.mean))
    models = []
    for power in dict.fromkeys((*(powers or (curve.correction,)), *USUAL)):
        late = replace(floored, correction=power, largest=LATE * float(curve.n.max()) ** power)
        models += [late, replace(late, inverse=True)]
    fit = _profiled(models, confidence)
    return replace(fit, low=-math.inf) if falls_ever_faster(curve) else fit


def _profiled(curves: Sequence[Curve], confidence: float) -> RateFit:
    """The best exponent over several models of one curve, and every exponent that one of them describes as well."""
    profiles = [_profile(curve) for curve in curves]
    misfit = _misfit(profiles)
    missed = _missed(curves) if misfit > 1.0 else 0.0
    if missed:
        profiles = _missing(curves, missed)
    nearest = min(profiles, key=lambda profile: float(profile.sums.min()))
    smallest, at = float(nearest.sums.min()), int(nearest.sums.argmin())
    curve, best = nearest.curve, float(nearest.exponents[at])
    ceiling = smallest + chi_square_quantile(confidence) * max(1.0, _misfit(profiles))
    described = [profile.described(ceiling) for profile in profiles if profile.sums.min() <= ceiling]
    leading, lower = curve.solve(best)[1]
    return RateFit(
        exponent=best,
        low=min(low for low, _ in described),
        high=max(high for _, high in described),
        misfit=misfit,
        leading=float(leading),
        correction=float(lower / leading) if leading else math.inf,
        power=curve.correction,
        missed=missed,
    )


def _misfit(profiles: Sequence["_Profile"]) -> float:
    """Chi-square per degree of freedom of the model that fits best."""
    return min(float(profile.sums.min()) / max(len(profile.curve.n) - 3, 1) for profile in profiles)


def _missing(curves: Sequence[Curve], share: float) -> list["_Profile"]:
    """The profiles of models that miss this share of each mean."""
    return [_profile(replace(curve, error=np.hypot(curve.error, share * curve.mean))) for curve in curves]


def _missed(curves: Sequence[Curve]) -> float:
    """The share of all means that the best model misses: with it among the errors, chi-square is as expected.

    As the spread between studies in a meta-analysis (Paule and Mandel 1982). Without it a curve that the model does not
    describe is fitted to the few points of the least error, and the others have no say.
    """
    low, high = 0.0, float((curves[0].error / np.abs(curves[0].mean)).min())
    while _misfit(_missing(curves, high)) > 1.0:
        low, high = high, 4.0 * high
    while high > SHARES * low:
        middle = math.sqrt(low * high) if low else high / 4.0
        described = _misfit(_missing(curves, middle)) <= 1.0
        low, high = (low, middle) if described else (middle, high)
    return high


@dataclass(frozen=True)
class _Profile:
    """Weighted residual sums of squares of a model along the exponent: on a grid, and at every local minimum."""

    curve: Curve
    exponents: np.ndarray
    sums: np.ndarray

    def described(self, ceiling: float) -> tuple[float, float]:
        """The smallest and the largest exponent whose sum of squares is at most `ceiling`."""
        inside = np.flatnonzero(self.sums <= ceiling)
        return self._edge(ceiling, int(inside[0]), -1), self._edge(ceiling, int(inside[-1]), 1)

    def _edge(self, ceiling: float, at: int, step: int) -> float:
        """Where the sum of squares crosses `ceiling` between a point below it and its neighbour above."""
        inside = float(self.exponents[at])
        if not 0 <= at + step < len(self.exponents):  # where the table ends, the exponents do not
            return step * math.inf
        outside = float(self.exponents[at + step])
        while abs(outside - inside) > CLOSE:
            tried = np.linspace(inside, outside, PARTS + 1)
            last = int(np.flatnonzero(self.curve.solve_all(tried[:-1])[0] <= ceiling).max(initial=0))
            inside, outside = float(tried[last]), float(tried[last + 1])
        return inside


def _profile(curve: Curve) -> _Profile:
    """The profile of a model. There may be two minima: as a power, and with a correction that dominates everywhere."""
    grid = _tried(curve)
    sums = curve.solve_all(grid)[0]
    walled = np.array([math.inf, *sums, math.inf])
    exponents, values = [*grid], [*sums]
    for at in np.flatnonzero((sums <= walled[:-2]) & (sums <= walled[2:])).tolist():
        low, high = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
        while high - low > CLOSE:
            tried = np.linspace(low, high, PARTS + 1)
            found = curve.solve_all(tried)[0]
            best = int(found.argmin())
            low, high = tried[max(best - 1, 0)], tried[min(best + 1, PARTS)]
        exponents.append(float(tried[best]))
        values.append(float(found[best]))
    order = np.argsort(exponents)
    return _Profile(curve, np.array(exponents)[order], np.array(values)[order])


def _tried(curve: Curve) -> np.ndarray:
    """Exponents on both sides of those between the points of a curve, as far as powers of n are numbers."""
    with np.errstate(all="ignore"):
        slopes = [slope for slope in local_slopes(curve.n, curve.mean / curve.logs) if math.isfinite(slope)] or [0.0]
    limit = DIGITS / max(abs(math.log10(n)) for n in (curve.n.min(), curve.n.max(), 2.0))
    low, high = max(min(SEARCH[0], min(slopes) - FURTHER), -limit), min(max(SEARCH[1], max(slopes) + FURTHER), limit)
    return np.linspace(low, high, min(round((high - low) / APART), MOST) + 1)


def local_slopes(n: np.ndarray, mean: np.ndarray) -> list[float]:
    """Slopes between neighbouring points, shown so that nobody has to trust a fit."""
    return [float(s) for s in np.diff(np.log(np.maximum(mean, 1e-300))) / np.diff(np.log(n))]


def fades(curve: Curve, limit: float) -> bool:
    """Whether most of what the exponent exceeds a limit by is gone in the second half of the curve.

    Such is log(n)^3 / n beside n^-0.8: its exponents fall towards -1, and where they end is beyond the grid.
    """
    parts = (slice(None, len(curve.n) // 2 + 1), slice(len(curve.n) // 2, None))
    with np.errstate(divide="ignore"):
        log = np.log(curve.mean / curve.logs)
        early, late = (float(np.polyfit(np.log(curve.n[p]), log[p], 1)[0]) - limit for p in parts)
    return early > 0.0 and late < 0.5 * early


def falls_ever_faster(curve: Curve) -> bool:
    """Whether each local exponent is below the one before, by more than that one was: the grid does not say how far.

    So do 1/(n + 10000) and .999^n while n is small.
    """
    slopes = np.array(local_slopes(curve.n, curve.mean))
    middles = np.log(curve.n[1:] * curve.n[:-1]) / 2.0
    falls = -np.diff(slopes) / np.diff(middles)
    faster = len(falls) > 1 and falls[0] > 0.0 and bool((np.diff(falls) > 0.0).all())
    return faster and bool(slopes[-1] < FASTER * slopes[len(slopes) // 2] < 0.0)
