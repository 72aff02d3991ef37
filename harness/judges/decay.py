"""Judges a rate: the mean of a quantity along one parameter, at the worst inputs found, and its exponent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import msgspec
import numpy as np
import torch

from harness.certify.rounding.trials import trial_noise
from harness.errors import ClaimError
from harness.evidence.rates import COARSEST, LATE, NARROW, Curve, RateFit, fades, fit_late, fit_rate, local_slopes
from harness.judges.along import AlongJudge
from harness.judges.base import Data, Findings, Row, Task, block_size, check_instance, expect, found, held, load
from harness.judges.contract import check_trials
from harness.judges.decay_findings import Anatomy, Astray, Fitted, Frozen, Kept, Noise, Point, Rounding, Slope, Worst
from harness.judges.replicates import Replicates, untold
from harness.language.evaluation import evaluate
from harness.language.recorded import Recorder
from harness.numbers import Instance, claim_at, dump
from harness.search.largest_mean import Search, largest_mean
from harness.search.objective import Batch
from harness.search.structure import multiplied
from harness.verdict import CellVerdict, Status

CONFIDENCE = 0.99  # of the interval that certifies
SURE = 4.0  # standard errors below zero at which a mean is negative
FEWEST = 4  # points that a fit needs: it has three parameters
STARTS, SHRINKING = 2, (0.0, 0.5, 1.0)  # worst inputs that a search starts from, and powers of 1/n by which they shrink
PROBED, ROUNDED = 61, 10.0  # replicates whose rounding is measured, and how many times that a mean must be
FINER = 0.1  # of what the model misses of each mean: smaller errors of these change no fit
FRESH = 8  # times the replicates, because a replayed curve must refute by itself
UNKNOWN = RateFit(math.nan, -math.inf, math.inf, math.nan, math.nan, math.nan, math.nan)


class RateJudge(AlongJudge):
    """Searches the worst input at every point; doubles the replicates until the interval of the exponent decides."""

    finds: ClassVar[Findings] = {Anatomy: Kept, Worst: Frozen, Point: Replicates, Rounding: Noise}

    _fitted: tuple[int, tuple[Status, RateFit]] | None = None

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [Anatomy()]
        axis, worst, kept = self.axis(), found(rows, Worst, Frozen), expect(rows[0].data, Kept)
        if kept.shapes[0] and len(worst) < len(axis):
            return [self._worst(axis[len(worst)], kept.shapes[len(worst)], worst)]
        rounds = len(_points(rows)) // len(axis)
        instances = [each.values for each in worst] or [{} for _ in axis]
        if rounds and self._ends(rows, rounds):
            if self._status(rows)[0] is not Status.REFUTED or found(rows, Rounding, Noise):
                return []
            return [Rounding(at=n, instance=x) for n, x in zip(axis, instances, strict=True)]
        reps = self.replicates(rounds)
        return [Point(index=rounds, at=n, reps=reps, instance=x) for n, x in zip(axis, instances, strict=True)]

    def _ends(self, rows: Sequence[Row], rounds: int) -> bool:
        """Whether no more replicates are wanted."""
        status = self._status(rows)[0]
        if status is Status.HOLDS or self._exact(rows):
            return True
        written = expect(rows[0].data, Kept).written
        return self.convincing(rounds, written) if status is Status.REFUTED else not self.another(rounds, written)

    def _exact(self, rows: Sequence[Row]) -> bool:
        """Whether the means are known so well that more replicates would change no fit."""
        curve, _ = self._curve(rows)
        return self._known(curve, self._status(rows)[1]) and not self._untold(rows, curve)

    @staticmethod
    def _known(curve: Curve, fit: RateFit) -> bool:
        """Whether the errors of the means are nothing beside what the model misses."""
        return bool((curve.error <= max(COARSEST, FINER * fit.missed) * curve.mean).all())

    def _worst(self, value: float, shapes: Mapping[str, tuple[int, ...]], before: Sequence[Frozen]) -> Worst:
        """The search at a value, from the last finds where these lie in sets of the same shape."""
        known = list(zip(self.axis(), before, strict=False))[-STARTS:]
        start = [(n, each.values) for n, each in known if _shapes(each.values) == shapes]
        return Worst(at=value, count=self.effort.laws, steps=self.effort.law_generations, start=start)

    def execute(self, task: Task) -> Data:
        if isinstance(task, Anatomy):
            spaces = self.parts(self.axis()[0]).spaces
            check_trials(self.claim, self.at(self.axis()[0]), spaces, self.settings.device)
            shapes = [{space.name: space.shape for space in self.parts(value).spaces} for value in self.axis()]
            return Kept(shapes=shapes, written=self.written())
        if isinstance(task, Worst):
            key, search = self.key("worst", task.at), Search(task.count, task.steps)
            parts, starts = self.parts(task.at), self._inside(task)
            largest = largest_mean(self.claim, self.at(task.at), parts, starts, search, key, self.settings.device)
            return Frozen(values=dump(held(parts.spaces, largest.values)), tried=largest.tried)
        if isinstance(task, Rounding):
            return Noise(noise=self._rounding(task))
        assert isinstance(task, Point)
        return self._point(task)

    def _inside(self, task: Worst) -> Batch:
        """The starts of a search: worst inputs elsewhere, as they are, and as they would be if they shrink with n."""
        starts = [(power, n / task.at, load([values])) for n, values in task.start for power in SHRINKING]
        spaces = self.parts(task.at).spaces
        return {
            s.name: torch.cat([multiplied(s, ratio**power, values[s.name]) for power, ratio, values in starts])
            for s in spaces
            if starts
        }

    def _point(self, task: Point) -> Replicates:
        params = self.at(task.at)
        size = block_size(9, 4 * self.parts(task.at).bytes_per_replicate)
        inputs, values = self._inputs(task), []
        for start in range(0, task.reps, size):
            reps = min(size, task.reps - start)
            with torch.no_grad():
                draw = self.draw(reps, "point", task.at, task.index, start)
                values.append(evaluate(self.claim, params, inputs, draw, reps).lhs.numpy())
        x = np.concatenate(values)
        if not np.isfinite(x).all():
            raise ClaimError(
                f"{claim_at(self.claim.key, params)} returned {int((~np.isfinite(x)).sum())} non-finite values of "
                f"{len(x)}; a rate needs finite quantities."
            )
        return Replicates.of(x)

    def _rounding(self, task: Rounding) -> float:
        """The mean rounding of some replicates; zero where it cannot be measured."""
        params, inputs = self.at(task.at), self._inputs(task)
        recorder = Recorder(self.draw(PROBED, "rounding", task.at))
        with torch.no_grad():
            plain = evaluate(self.claim, params, inputs, recorder, PROBED).lhs
        noise = trial_noise(self.claim, params, self.parts(task.at).spaces, inputs, recorder.again, plain, pairs=1)
        finite = noise[torch.isfinite(noise)]
        return float(finite.mean()) if len(finite) else 0.0

    def _inputs(self, task: Point | Rounding) -> Batch:
        return {name: x.to(self.settings.device) for name, x in load([task.instance]).items()}

    def _curve(self, rows: Sequence[Row]) -> tuple[Curve, list[int]]:
        points = self._moments(rows)
        for value, point in points.items():
            if point.mean < -SURE * point.error:
                raise ClaimError(
                    f"{claim_at(self.claim.key, self.params)} has the mean {point.mean:.3g} at {self.kind.along} = "
                    f"{value}, below zero; a rate is about magnitudes, so return the absolute value."
                )
        n, means = np.array(list(points), dtype=float), np.array([point.mean for point in points.values()])
        errors = np.array([max(point.error, 1e-12 * point.mean, 1e-300) for point in points.values()])
        counts = [point.count for point in points.values()]
        return Curve(n, means, errors, self.kind.log_power, self.kind.powers[0]), counts

    def _moments(self, rows: Sequence[Row]) -> dict[float, Replicates]:
        """What all replicates say at each value of the parameter."""
        points = _points(rows)
        return {n: Replicates.joined([part for task, part in points if task.at == n]) for n in self.axis()}

    def _untold(self, rows: Sequence[Row], seen: Curve) -> str:
        """Where replicates tell no error of a mean that is fitted; empty where they do, and where nothing is drawn."""
        points = self._moments(rows) if "draw" in self.claim.wants else {}
        return untold({n: point for n, point in points.items() if n in seen.n}, self.kind.along)

    def _seen(self, rows: Sequence[Row]) -> Curve:
        """The curve without points where the quantity vanishes or is mostly rounding, which is an error elsewhere."""
        curve, _ = self._curve(rows)
        measured = {row.task.at: expect(row.data, Noise).noise for row in rows if isinstance(row.task, Rounding)}
        noise = np.array([measured.get(n, 0.0) for n in self.axis()])
        some = (curve.mean > ROUNDED * noise) & (curve.logs > 0.0) & np.isfinite(curve.logs)
        error = np.maximum(curve.error, noise)
        return replace(curve, n=curve.n[some], mean=curve.mean[some], error=error[some])

    def _status(self, rows: Sequence[Row]) -> tuple[Status, RateFit]:
        """What the rows say so far; asked by the plan and by the verdict, and fitted once."""
        if self._fitted is None or self._fitted[0] != len(rows):
            self._fitted = len(rows), self._fit(rows)
        return self._fitted[1]

    def _fit(self, rows: Sequence[Row]) -> tuple[Status, RateFit]:
        seen = self._seen(rows)
        if len(seen.n) < FEWEST:
            return Status.UNDECIDED, UNKNOWN
        certifying = fit_rate(seen, CONFIDENCE, self.kind.powers)
        if self._untold(rows, seen):
            return Status.UNDECIDED, certifying
        low, high = self.kind.limits
        if low <= certifying.low and certifying.high <= high:
            return Status.HOLDS, certifying
        wide = seen.n[-1] >= NARROW * seen.n[0]
        if wide and seen.n[-1] == self.axis()[-1]:  # what vanishes at the end is not refuted
            convicting = fit_late(seen, self._level(rows), self.kind.powers)
            if self._beyond(convicting, seen, rows):
                return Status.REFUTED, convicting
        return Status.UNDECIDED, certifying

    def _beyond(self, fit: RateFit, seen: Curve, rows: Sequence[Row]) -> bool:
        """Whether the whole interval lies outside; below only where nothing is searched: worse inputs may be slower."""
        low, high = self.kind.limits
        return (fit.low > high and not fades(seen, high)) or bool(fit.high < low and not found(rows, Worst, Frozen))

    def _level(self, rows: Sequence[Row]) -> float:
        """The two-sided confidence at which this look may refute.

        A slope interval is not an e-process: each look costs. Look r may spend 1/(r (r + 1)) of the level, which sums
        to one over any number of looks, so that a larger effort or budget never exceeds the promise.
        """
        look = len(_points(rows)) // len(self.axis())
        share = self.settings.alpha / (self.settings.family * len(self.claim.groups()) * look * (look + 1))
        return 1.0 - 2.0 * share

    def verdict(self, rows: Sequence[Row]) -> CellVerdict[Fitted, Astray]:
        curve, counts = self._curve(rows)
        status, fit = self._status(rows)
        details = self._details(rows, fit, curve, counts)
        cell = CellVerdict(
            self.params,
            status,
            trials=sum(counts),
            reason=self._undecided(rows, fit) if status is Status.UNDECIDED else "",
            details=details,
        )
        if status is not Status.REFUTED:
            return cell
        claimed, interval, values = self.kind.exponent, (fit.low, fit.high), details.inputs
        return msgspec.structs.replace(
            cell,
            counterexample=Astray(values=values, exponent=fit.exponent, interval=interval, claimed=claimed),
            replay=self.replay_line(values, "--trials", str(FRESH * max(counts))),
        )

    def _details(self, rows: Sequence[Row], fit: RateFit, curve: Curve, counts: list[int]) -> Fitted:
        worst = found(rows, Worst, Frozen)
        named = ((n, item) for n, each in zip(self.axis(), worst, strict=False) for item in each.values.items())
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
            at=self.kind.at,
            power=fit.power,
            inputs={self.name_of(n, name): value for n, (name, value) in named},
            tried=sum(each.tried for each in worst),
        )

    def _undecided(self, rows: Sequence[Row], fit: RateFit) -> str:
        """What was computed, and what would settle it."""
        curve, (low, high) = self._seen(rows), self.kind.limits
        if len(curve.n) < FEWEST:
            return (
                f"the quantity is positive, and {ROUNDED:g} times its rounding, at fewer than {FEWEST} values of "
                f"{self.kind.along}: too few for a fit"
            )
        if reason := self._untold(rows, curve):
            return f"{reason}: more replicates (--budget) would settle it"
        along, largest = self.kind.along, float(curve.n.max())
        random = "draw" in self.claim.wants and not self._known(curve, fit)
        more = "more replicates (--budget) or " if random else ""
        above, below = fit.low > high, fit.high < low
        if not above and not below:
            return (
                f"the 99 % interval [{fit.low:.3f}, {fit.high:.3f}] of the exponent extends beyond "
                f"{self.kind.claimed}: {more}larger {along} than {largest:g} would settle it"
            )
        if below and found(rows, Worst, Frozen):
            return (
                f"at the inputs that were found the exponent lies in [{fit.low:.3f}, {fit.high:.3f}], below "
                f"{self.kind.claimed}: no input was found at which the quantity is larger, but there may be one"
            )
        side = "above" if above else "below"
        if largest < NARROW * curve.n.min():
            return (
                f"the fitted exponent {fit.exponent:.3f} in [{fit.low:.3f}, {fit.high:.3f}] lies {side} "
                f"{self.kind.claimed}, but the grid ends at {largest / curve.n.min():.3g} times its smallest {along}, "
                f"too soon to tell a step or a swing from an exponent: larger {along} than {largest:g} would settle it"
            )
        if above and fades(curve, high):
            return (
                f"the exponent lies in [{fit.low:.3f}, {fit.high:.3f}], above {self.kind.claimed}, but falls along the "
                f"curve: larger {along} than {largest:g} would settle it"
            )
        late = fit_late(curve, CONFIDENCE, self.kind.powers)
        if late.low > high or late.high < low:
            return (
                f"the 99 % interval [{fit.low:.3f}, {fit.high:.3f}] of the exponent lies {side} {self.kind.claimed}, "
                f"but not at the family-wise level that a refutation needs: {more}larger {along} than {largest:g} "
                "would settle it"
            )
        slopes = local_slopes(curve.n, curve.mean)
        return (
            f"the fitted exponent {fit.exponent:.3f} in [{fit.low:.3f}, {fit.high:.3f}] lies {side} "
            f"{self.kind.claimed}, but a decay as claimed, with a lower-order term {LATE:g} times the leading one at "
            f"the end, fits as well (local exponents from {slopes[0]:.3f} to {slopes[-1]:.3f}): {more}larger {along} "
            f"than {largest:g} would settle it"
        )

    def replay(self, values: Instance, reps: int, seed: int) -> Slope:
        """A fresh curve with `reps` replicates per point, at the inputs of a counterexample, and its fit."""
        tasks = [Point(index=f"replay-{seed}", at=n, reps=reps, instance=self._given(values, n)) for n in self.axis()]
        rows = [Row(task, self.execute(task), 0.0) for task in tasks]
        seen = self._seen(rows)
        fit = fit_rate(seen, CONFIDENCE, self.kind.powers) if len(seen.n) >= FEWEST else UNKNOWN
        return Slope(exponent=fit.exponent, interval=(fit.low, fit.high), claimed=self.kind.exponent)

    def _given(self, values: Instance, n: float) -> Instance:
        """The inputs at one value of the parameter, of `{"n=10: x": ...}`."""
        spaces, own = self.parts(n).spaces, self.own(values, n)
        if len(own) < len(spaces):
            wanted = self.name_of(n, next(space.name for space in spaces if space.name not in own))
            raise ClaimError(f"claim {self.claim.key!r} needs a value for {wanted!r}; give it in --values.")
        check_instance(self.claim, spaces, load([own]))
        return own


def _points(rows: Sequence[Row]) -> list[tuple[Point, Replicates]]:
    return [(row.task, expect(row.data, Replicates)) for row in rows if isinstance(row.task, Point)]


def _shapes(values: Instance) -> dict[str, tuple[int, ...]]:
    return {name: np.shape(value) for name, value in values.items()}
