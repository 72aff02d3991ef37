"""Whether a positive curve stays bounded: models that do against models that grow, as powers of n or of log n.

A bounded curve may rise for long before it levels off, so that a slope decides nothing. What decides is whether any
bounded model describes the curve as well as the best of all models does: A n^b (1 + c n^-g) and A n^b / (1 + c n^-g)
with b <= 0, and the same in log n. The lower-order term may be up to LATE times the leading one at the end. What grows
faster than these powers, as 2^n does, is looked at in its logarithm, which is bounded where the curve is. Terms of
several orders, as in log n! / (n log n), fade one after the other: what decides must do so without the first points.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from harness.evidence.rates import COARSEST, LATE, NARROW, Curve, RateFit, chi_square_quantile, fit_rate, local_slopes

POWERS = (0.1, 0.2, 0.5, 1.0, 2.0)  # g of the models in n; a bound that is approached more slowly counts as growth
LOG_POWERS = (0.5, 1.0, 2.0)  # g of the models in log n
EXPONENTS = np.linspace(-3.0, 4.0, 71)  # b that are tried, zero among them
FADED = 0.5  # a local exponent below this share of the largest one is on its way to zero
RISEN = 1.25  # local exponents in log n that rise further than this in the last half are those of a power
STEEP = 2.5  # a local exponent beyond which a curve is looked at in its logarithm
GROWN = 1.5  # a curve that has grown by less over the whole grid does not count as growing
NOISY, SPAN = 1e-4, 30.0  # curves with larger relative errors count as growing on grids that span so much only
STRICT = 1.0 - 1e-4  # the confidence with which bounded models must fail at least
FEWEST, LEFT_OUT = 5, 2  # points that models are compared on at least, and first points that are left out at most
SURE = 3.0  # standard errors by which a local exponent must differ to have moved


@dataclass(frozen=True)
class Growth:
    """The exponent with its interval, whether the curve has grown, and whether that points to a bound."""

    fit: RateFit
    grown: bool  # by a factor that counts
    doubtful: bool  # no bounded model describes the curve at the confidence of the interval
    unbounded: bool  # nor at the level of a refutation
    steady: str  # "n" or "log n", in which it keeps growing; "" where the local exponents fade in both
    steep: bool  # it grows too fast for an exponent

    @property
    def endless(self) -> bool:
        """Whether nothing bounded describes the curve and nothing in it points to a bound."""
        return self.grown and (self.steep or self.fit.low > 0.0) and self.unbounded and bool(self.steady)

    def bounded(self, margin: float) -> bool:
        """Whether the exponent is below the margin, and the curve has not grown as no bounded model does."""
        return self.fit.high <= margin and not (self.grown and self.doubtful)


def growth(n: np.ndarray, values: np.ndarray, errors: np.ndarray, confidence: float, *, sure: float) -> Growth:
    """The growth of positive `values` at n > 1, of which there must be at least four.

    Parameters
    ----------
    n, values, errors : increasing arguments, what is observed there, and its standard errors.
    confidence : of the interval of the exponent.
    sure : the confidence with which bounded models must fail.
    """
    curve = Curve(n, values, np.maximum(errors, COARSEST * values), 0.0, 0.5)
    power, logarithm = _Slopes.of(np.log(n), curve), _Slopes.of(np.log(np.log(n)), curve)
    lasting = [("n", power)] if power.lasting else []
    if logarithm.lasting and logarithm.easing and logarithm.level:
        lasting.append(("log n", logarithm))
    steady = min(lasting, key=lambda one: one[1].unevenness)[0] if lasting and power.easing else ""
    steep = bool(power.slopes.max() > STEEP)
    noisy = bool((curve.error > NOISY * curve.mean).any())
    least = SPAN if noisy else 1.0 if steep else NARROW
    excess = _least_excess(_compressed(curve) if steep else curve)
    return Growth(
        fit=fit_rate(curve, confidence),
        grown=bool(values[-1] > GROWN * values[0] + SURE * np.hypot(errors[-1], GROWN * errors[0])),
        doubtful=excess > chi_square_quantile(confidence),
        unbounded=excess > chi_square_quantile(max(sure, STRICT)) and bool(n[-1] >= least * n[0]),
        steady=steady,
        steep=steep,
    )


def _compressed(curve: Curve) -> Curve:
    """log(1 + mean / first mean), with errors to first order."""
    first = curve.mean[0]
    return replace(curve, mean=np.log1p(curve.mean / first), error=curve.error / (first + curve.mean))


def _models(curve: Curve) -> Iterator[Curve]:
    """Every model in n and in log n, the lower-order term in the numerator or the denominator."""
    for n, powers in ((curve.n, POWERS), (np.log(curve.n), LOG_POWERS)):
        for power in powers:
            late = replace(curve, n=n, correction=power, largest=LATE * float(n.max()) ** power)
            yield late
            yield replace(late, inverse=True)


def _least_excess(curve: Curve) -> float:
    """The least of all points, and without the first ones."""
    without = range(min(LEFT_OUT, max(len(curve.n) - FEWEST, 0)) + 1)
    return min(_excess(replace(curve, n=curve.n[k:], mean=curve.mean[k:], error=curve.error[k:])) for k in without)


def _excess(curve: Curve) -> float:
    """By how much the best bounded model describes the curve worse than the best of all, as a chi-square."""
    misfits = np.array([model.solve_all(EXPONENTS)[0] for model in _models(curve)])
    best, bounded = _lowest(curve, misfits), _lowest(curve, np.where(EXPONENTS <= 0.0, misfits, np.inf))
    return (bounded - best) / max(1.0, best / max(len(curve.n) - 3, 1))


def _lowest(curve: Curve, misfits: np.ndarray) -> float:
    """The smallest misfit over models and exponents, refined between the neighbours of the best on the grid."""
    from scipy import optimize  # noqa: PLC0415  (only a constant that grows needs it, and it takes long to import)

    which, at = np.unravel_index(int(misfits.argmin()), misfits.shape)
    model, around = list(_models(curve))[which], misfits[which, max(at - 1, 0) : at + 2]
    span = EXPONENTS[max(at - 1, 0) : at + 2][np.isfinite(around)]
    found = optimize.minimize_scalar(lambda b: model.solve(b)[0], bounds=(span[0], span[-1]), method="bounded")
    return min(float(misfits[which, at]), float(found.fun))


@dataclass(frozen=True)
class _Slopes:
    """Local exponents along a scale, their standard errors, and how fast they move."""

    slopes: np.ndarray
    errors: np.ndarray
    middles: np.ndarray

    @classmethod
    def of(cls, scale: np.ndarray, curve: Curve) -> "_Slopes":
        share = curve.error / curve.mean
        errors = np.hypot(share[1:], share[:-1]) / np.diff(scale)
        return cls(np.array(local_slopes(np.exp(scale), curve.mean)), errors, (scale[1:] + scale[:-1]) / 2.0)

    @property
    def lasting(self) -> bool:
        """Whether the last one is positive and not far below the largest."""
        slack = SURE * self.errors
        return bool(self.slopes[-1] > slack[-1] and self.slopes[-1] >= FADED * self.slopes.max() - slack.max())

    @property
    def easing(self) -> bool:
        """Whether they do not fall, or ever more slowly: what falls ever faster in n falls to zero in either scale."""
        falls = -np.diff(self.slopes) / np.diff(self.middles)
        slack = SURE * np.hypot(self.errors[1:], self.errors[:-1]) / np.diff(self.middles)
        return bool(falls[-1] <= slack[-1] or falls[-1] <= falls[-2] + slack[-1] + slack[-2])

    @property
    def level(self) -> bool:
        """Whether they rise no further than RISEN times in the last half."""
        return bool(self.slopes[-1] <= RISEN * self.slopes[len(self.slopes) // 2] + SURE * self.errors[-1])

    @property
    def unevenness(self) -> float:
        """The largest by the smallest."""
        return float(self.slopes.max() / self.slopes.min()) if self.slopes.min() > 0.0 else np.inf
