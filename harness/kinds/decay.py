"""Rates: the mean of a quantity along one parameter, and the interval of its exponent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np
import torch

from harness.errors import ClaimError
from harness.evidence.rates import LATE, Curve, RateFit, fit_late, fit_rate, local_slopes
from harness.judges.base import Data, Findings, Judge, Row, Task, block_size, expect
from harness.judges.contract import check_quantity
from harness.language.drawing import COLOURS, logarithmic
from harness.language.evaluation import anatomy, quantity
from harness.language.kind import Kind, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, headed
from harness.verdict import CellVerdict, Counterexample, Details, Status, Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from harness.settings import Settings

CONFIDENCE = 0.99  # of the interval that certifies
SURE = 4.0  # standard errors below zero at which a mean is negative
FEWEST = 4  # points that a fit needs: it has three parameters
FRESH = 8  # times the replicates, because a replayed curve must refute by itself
MOST_REPLAYED = 20_000  # replicates of each point
UNKNOWN = RateFit(math.nan, -math.inf, math.inf, math.nan, math.nan, math.nan)


class Anatomy(Task, frozen=True, kw_only=True):
    """See whether the body keeps the contract."""


class Point(Task, frozen=True, kw_only=True):
    """Replicates of the quantity at one value of the parameter along which the rate is measured."""

    index: int | str
    at: int | float
    reps: int


class Kept(Data, frozen=True, kw_only=True):
    """The body keeps the contract."""


class Moments(Data, frozen=True, kw_only=True):
    """Of the replicates: how many, their mean, and the sum of squares around it."""

    count: int
    mean: float
    spread: float


class Slope(Data, frozen=True, kw_only=True):
    """The exponent of a fresh curve with its interval."""

    exponent: float
    interval: tuple[float, float]
    claimed: float


class Fitted(Details, frozen=True, kw_only=True):
    """The curve and its fit: means with standard errors at each n, the exponent with its interval, local exponents."""

    exponent: float | None
    interval: tuple[float | None, float | None]
    claimed: float
    log_power: float
    margin: float
    misfit: float | None
    leading: float | None
    correction: float | None
    along: str
    slopes: list[float | None]
    n: list[float]
    mean: list[float]
    error: list[float]
    replicates: list[int]


class TooSlow(Counterexample, frozen=True, kw_only=True):
    """The exponent with its interval, which lies above the claimed one."""

    exponent: float
    interval: tuple[float, float | None]
    claimed: float


@dataclass(frozen=True)
class Rate(Kind[Fitted, TooSlow]):
    """E of the quantity decays at least as fast as along^exponent x log^log_power, up to `margin` in the exponent."""

    name: ClassVar[str] = "rate"
    returns: ClassVar[Any] = "quantity"
    details: ClassVar[Any] = Fitted
    counterexample: ClassVar[Any] = TooSlow
    along: str
    exponent: float
    log_power: float = 0.0
    correction: float = 0.5
    margin: float = 0.05

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        values = {cell.get(self.along) for cell in over}
        if None in values or len(values) < FEWEST:
            raise ClaimError(
                f"claim {claim!r}: rate({self.along!r}) needs a grid parameter of that name with at least {FEWEST} "
                f"values, got {sorted(v for v in values if v is not None)}."
            )
        if "forall" in wants:
            raise ClaimError(f"claim {claim!r} is a rate but takes `forall`; put its instances into the grid instead.")

    def groups(self, cells: tuple[Parameters, ...]) -> tuple[Parameters, ...]:
        """The grid without the parameter along which the rate is measured."""
        unique: dict[tuple[tuple[str, Any], ...], Parameters] = {}
        for cell in cells:
            rest = {name: value for name, value in cell.items() if name != self.along}
            unique.setdefault(tuple(rest.items()), rest)
        return tuple(unique.values())

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "RateJudge":
        return RateJudge(claim, params, settings)

    def replay(self, judge: "RateJudge", values: Instance, trials: int, seed: int) -> Replay:  # noqa: ARG002
        data = judge.replay(min(trials, MOST_REPLAYED), seed)
        low, high = data.interval
        text = f"exponent {data.exponent:.3f} in [{low:.3f}, {high:.3f}], claimed {data.claimed:.3f}."
        return Replay(low > data.claimed, text, data)

    def tried(self, verdict: Verdict) -> list[str]:
        fits: list[Fitted] = [cell.details for cell in verdict.cells if cell.details is not None]
        if not fits:
            return []
        n, replicates = fits[0].n, min(fits[0].replicates)
        return [f"Tried: {self.along} = {min(n):g} to {max(n):g}, with at least {replicates} replicates each."]

    def line(self, cell: CellVerdict[Fitted, TooSlow]) -> str:
        d = cell.details
        assert d is not None
        low, high = d.interval
        return f"exponent {d.exponent:.3f} in [{low:.3f}, {high:.3f}], claimed {d.claimed:.3f}"

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "What could still be wrong: a change of slope beyond the largest n; more than one correction term."

    @classmethod
    def draw(cls, axes: "Axes", cells: Sequence[CellVerdict[Fitted, TooSlow]]) -> bool:
        """Log-log: empirical means, and the claimed slope through the first of them."""
        for index, cell in enumerate(cells[:6]):
            d = cell.details
            assert d is not None
            colour = COLOURS[index % len(COLOURS)]
            label = headed(cell.params, _slope(d))
            errors = [3 * e for e in d.error]
            axes.errorbar(d.n, d.mean, yerr=errors, fmt="o", markersize=3, color=colour, label=label)
            theory = f"theory: slope {d.claimed:.3f}" if index == 0 else None
            axes.plot(d.n, claimed_decay(d), linestyle="--", color=colour, linewidth=0.9, label=theory)
            axes.set_xlabel(d.along)
        logarithmic(axes)
        axes.set_ylabel("mean")
        axes.legend(fontsize=7)
        return True


def _slope(d: Fitted) -> str:
    """The fitted exponent in words."""
    low, high = d.interval
    if d.exponent is None or low is None or high is None:
        return "no slope"
    return f"slope {d.exponent:.3f} in [{low:.3f}, {high:.3f}]"


def claimed_decay(d: Fitted) -> list[float]:
    """The claimed decay through the first mean at which a logarithm is positive."""
    start = next((i for i, x in enumerate(d.n) if x > 1.0), 0)
    logs = [(math.log(x) / math.log(d.n[start])) ** d.log_power if d.log_power and x > 1.0 else 1.0 for x in d.n]
    return [d.mean[start] * (x / d.n[start]) ** d.claimed * log for x, log in zip(d.n, logs, strict=True)]


def rate(along: str, exponent: float, *, log_power: float = 0.0, correction: float = 0.5, margin: float = 0.05) -> Rate:
    """E of the returned quantity decays at least as fast as along^exponent x log(along)^log_power."""
    return Rate(along, exponent, log_power, correction, margin)


class RateJudge(Judge):
    """Doubles the replicates of every point until the interval of the exponent decides."""

    finds: ClassVar[Findings] = {Anatomy: Kept, Point: Moments}

    @property
    def kind(self) -> Rate:
        assert isinstance(self.claim.kind, Rate)
        return self.claim.kind

    def axis(self) -> list[Any]:
        """The values of the parameter along which the rate is measured, in this group."""
        rest = self.params.items()
        along = self.kind.along
        return sorted(cell[along] for cell in self.claim.cells if all(cell[name] == value for name, value in rest))

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [Anatomy()]
        rounds = len(_points(rows)) // len(self.axis())
        if rounds and (rounds >= self.effort.rate_rounds or self._decided(rows, rounds)):
            return []
        reps = self.effort.rate_replicates * (1 if rounds == 0 else 2 ** (rounds - 1))
        return [Point(index=rounds, at=value, reps=reps) for value in self.axis()]

    def execute(self, task: Task) -> Kept | Moments:
        if isinstance(task, Anatomy):
            small = {**self.params, self.kind.along: self.axis()[0]}
            check_quantity(self.claim, small, self.settings.device)
            return Kept()
        assert isinstance(task, Point)
        return self._point(task)

    def _point(self, task: Point) -> Moments:
        params = {**self.params, self.kind.along: task.at}
        cost = anatomy(self.claim, params).bytes_per_replicate
        size = block_size(9, 4 * cost)
        values = []
        for start in range(0, task.reps, size):
            reps = min(size, task.reps - start)
            with torch.no_grad():
                name = ("point", task.at, task.index, start)
                values.append(quantity(self.claim, params, self.draw(reps, *name)).numpy())
        x = np.concatenate(values)
        if not np.isfinite(x).all():
            raise ClaimError(
                f"claim {self.claim.key!r} at {params} returned {int((~np.isfinite(x)).sum())} non-finite values of "
                f"{len(x)}; a rate needs finite quantities."
            )
        return Moments(count=len(x), mean=float(x.mean()), spread=float(((x - x.mean()) ** 2).sum()))

    def _curve(self, rows: Sequence[Row]) -> tuple[Curve, list[int]]:
        axis = self.axis()
        means, errors, counts = [], [], []
        for value in axis:
            data = [part for task, part in _points(rows) if task.at == value]
            count = sum(part.count for part in data)
            mean = sum(part.count * part.mean for part in data) / count
            spread = sum(part.spread + part.count * (part.mean - mean) ** 2 for part in data)
            variance = spread / max(count - 1, 1)
            means.append(mean)
            if mean < -SURE * math.sqrt(variance / count):
                raise ClaimError(
                    f"claim {self.claim.key!r} at {self.params} has the mean {mean:.3g} at {self.kind.along} = "
                    f"{value}, below zero; a rate is about magnitudes, so return the absolute value."
                )
            errors.append(max(math.sqrt(variance / count), 1e-12 * mean, 1e-300))
            counts.append(count)
        return Curve(
            np.array(axis, dtype=float), np.array(means), np.array(errors), self.kind.log_power, self.kind.correction
        ), counts

    def _seen(self, rows: Sequence[Row]) -> Curve:
        """The curve without the points at which the quantity vanishes, which carry no information on the exponent."""
        curve, _ = self._curve(rows)
        some = (curve.mean > 0.0) & (curve.logs > 0.0) & np.isfinite(curve.logs)
        return replace(curve, n=curve.n[some], mean=curve.mean[some], error=curve.error[some])

    def _status(self, rows: Sequence[Row]) -> tuple[Status, RateFit]:
        curve, seen = self._curve(rows)[0], self._seen(rows)
        if len(seen.n) < FEWEST:
            return Status.UNDECIDED, UNKNOWN
        limit = self.kind.exponent + self.kind.margin
        certifying = fit_rate(seen, CONFIDENCE)
        if certifying.high <= limit:
            return Status.HOLDS, certifying
        if seen.n[-1] == curve.n[-1]:  # what vanishes at the end is not refuted
            convicting = fit_late(seen, self._level(rows))
            if convicting.low > limit:
                return Status.REFUTED, convicting
        return Status.UNDECIDED, certifying

    def _level(self, rows: Sequence[Row]) -> float:
        """The two-sided confidence at which this look may refute.

        A slope interval is not an e-process: each look costs. Look r may spend 1/(r (r + 1)) of the level, which sums
        to one over any number of looks, so that a larger effort or budget never exceeds the promise.
        """
        look = len(_points(rows)) // len(self.axis())
        share = self.settings.alpha / (self.settings.family * len(self.claim.groups()) * look * (look + 1))
        return 1.0 - 2.0 * share

    def _decided(self, rows: Sequence[Row], rounds: int) -> bool:
        return rounds > 0 and self._status(rows)[0] is not Status.UNDECIDED

    def verdict(self, rows: Sequence[Row]) -> CellVerdict[Fitted, TooSlow]:
        curve, counts = self._curve(rows)
        status, fit = self._status(rows)
        limit = self.kind.exponent + self.kind.margin
        cell = CellVerdict(
            self.params,
            status,
            trials=sum(counts),
            reason=self._undecided(rows, fit, limit) if status is Status.UNDECIDED else "",
            details=self._details(fit, curve, counts),
        )
        if status is not Status.REFUTED:
            return cell
        return msgspec.structs.replace(
            cell,
            counterexample=TooSlow(exponent=fit.exponent, interval=(fit.low, fit.high), claimed=self.kind.exponent),
            replay=self.replay_line({}, "--trials", str(FRESH * max(counts))),
        )

    def _details(self, fit: RateFit, curve: Curve, counts: list[int]) -> Fitted:
        return Fitted(
            exponent=fit.exponent,
            interval=(fit.low, fit.high),
            claimed=self.kind.exponent,
            log_power=self.kind.log_power,
            margin=self.kind.margin,
            misfit=fit.misfit,
            leading=fit.leading,
            correction=fit.correction,
            along=self.kind.along,
            slopes=[float(slope) for slope in local_slopes(curve.n, curve.mean)],
            n=curve.n.tolist(),
            mean=curve.mean.tolist(),
            error=curve.error.tolist(),
            replicates=counts,
        )

    def _undecided(self, rows: Sequence[Row], fit: RateFit, limit: float) -> str:
        """What was computed, and what would settle it."""
        curve = self._seen(rows)
        if len(curve.n) < FEWEST:
            return f"the quantity is positive at fewer than {FEWEST} values of {self.kind.along}, too few for a fit"
        along, largest = self.kind.along, float(curve.n.max())
        at_most = f"claimed {self.kind.exponent:.3f} + margin {self.kind.margin:g} = {limit:.3f}"
        if fit.low > limit and fit_late(curve, CONFIDENCE).low > limit:
            return (
                f"the 99 % interval [{fit.low:.3f}, {fit.high:.3f}] of the exponent lies above {at_most}, but not at "
                "the family-wise level that a refutation needs: more replicates (--budget) would settle it"
            )
        if fit.low > limit:
            slopes = local_slopes(curve.n, curve.mean)
            return (
                f"the fitted exponent {fit.exponent:.3f} in [{fit.low:.3f}, {fit.high:.3f}] lies above {at_most}, but "
                f"a decay as claimed, with a lower-order term {LATE:g} times the leading one at the end, fits as well "
                f" (local exponents from {slopes[0]:.3f} to {slopes[-1]:.3f}): larger {along} than {largest:g} or "
                "more replicates (--budget) would settle it"
            )
        return (
            f"the 99 % interval [{fit.low:.3f}, {fit.high:.3f}] of the exponent extends beyond {at_most}: more "
            f"replicates (--budget) or larger {along} than {largest:g} would settle it"
        )

    def replay(self, reps: int, seed: int) -> Slope:
        """A fresh curve with `reps` replicates per point, and its fit."""
        tasks = [Point(index=f"replay-{seed}", at=value, reps=reps) for value in self.axis()]
        rows = [Row(task, self.execute(task), 0.0) for task in tasks]
        seen = self._seen(rows)
        fit = fit_rate(seen, CONFIDENCE) if len(seen.n) >= FEWEST else UNKNOWN
        return Slope(exponent=fit.exponent, interval=(fit.low, fit.high), claimed=self.kind.exponent)


def _points(rows: Sequence[Row]) -> list[tuple[Point, Moments]]:
    return [(row.task, expect(row.data, Moments)) for row in rows if isinstance(row.task, Point)]
