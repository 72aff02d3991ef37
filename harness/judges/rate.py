"""Rates: the mean of a quantity along one parameter, and the interval of its exponent."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from harness.contract import check_quantity
from harness.errors import ClaimError
from harness.evaluation import anatomy, quantity
from harness.evidence.rates import LATE, Curve, RateFit, fit_late, fit_rate, local_slopes
from harness.judges.base import Data, Judge, Row, Task, block_size, rows_of
from harness.kinds import Rate
from harness.verdict import CellVerdict, Status

CONFIDENCE = 0.99  # of the interval that certifies
SURE = 4.0  # standard errors below zero at which a mean is negative
FEWEST = 4  # points that a fit needs: it has three parameters
FRESH = 8  # a replayed curve has to convince by itself: this many times the replicates


UNKNOWN = RateFit(math.nan, -math.inf, math.inf, math.nan, math.nan, math.nan)


class RateJudge(Judge):
    """Doubles the replicates of every point until the interval of the exponent decides."""

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
            return [{"stage": "anatomy"}]
        rounds = len(rows_of(rows, "point")) // len(self.axis())
        if rounds and (rounds >= self.effort.rate_rounds or self._decided(rows, rounds)):
            return []
        reps = self.effort.rate_replicates * (1 if rounds == 0 else 2 ** (rounds - 1))
        return [{"stage": "point", "index": rounds, "at": value, "reps": reps} for value in self.axis()]

    def execute(self, task: Task) -> Data:
        if task["stage"] == "anatomy":
            small = {**self.params, self.kind.along: self.axis()[0]}
            check_quantity(self.claim, small, self.settings.device)
            return {}
        params = {**self.params, self.kind.along: task["at"]}
        cost = anatomy(self.claim, params).bytes_per_replicate
        size = block_size(9, 4 * cost)
        values = []
        for start in range(0, task["reps"], size):
            reps = min(size, task["reps"] - start)
            with torch.no_grad():
                name = ("point", task["at"], task["index"], start)
                values.append(quantity(self.claim, params, self.draw(reps, *name)).numpy())
        x = np.concatenate(values)
        if not np.isfinite(x).all():
            raise ClaimError(
                f"claim {self.claim.key!r} at {params} returned {int((~np.isfinite(x)).sum())} non-finite values of "
                f"{len(x)}; a rate needs finite quantities."
            )
        return {"count": len(x), "mean": float(x.mean()), "spread": float(((x - x.mean()) ** 2).sum())}

    def _curve(self, rows: Sequence[Row]) -> tuple[Curve, list[int]]:
        axis = self.axis()
        means, errors, counts = [], [], []
        for value in axis:
            data = [row.data for row in rows_of(rows, "point") if row.task["at"] == value]
            count = sum(part["count"] for part in data)
            mean = sum(part["count"] * part["mean"] for part in data) / count
            spread = sum(part["spread"] + part["count"] * (part["mean"] - mean) ** 2 for part in data)
            variance = spread / max(count - 1, 1)
            means.append(mean)
            if mean < -SURE * math.sqrt(variance / count):
                raise ClaimError(
                    f"claim {self.claim.key!r} at {self.params} has the mean {mean:.3g} at {self.kind.along} = "
                    f"{value}, below zero; a rate is about sizes, return the absolute value."
                )
            errors.append(max(math.sqrt(variance / count), 1e-12 * mean, 1e-300))
            counts.append(count)
        n, mean = np.array(axis, dtype=float), np.array(means)
        return Curve(n, mean, np.array(errors), self.kind.log_power, self.kind.correction), counts

    def _seen(self, rows: Sequence[Row]) -> Curve:
        """The curve without the points at which the quantity vanishes: they say nothing about an exponent."""
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
        """The two-sided confidence at which this look may convict.

        A slope interval is not an e-process: each look costs. Look r may spend 1/(r (r + 1)) of the level, which sums
        to one over any number of looks, so that a larger effort or budget never exceeds the promise.
        """
        look = len(rows_of(rows, "point")) // len(self.axis())
        share = self.settings.alpha / (self.settings.family * len(self.claim.groups()) * look * (look + 1))
        return 1.0 - 2.0 * share

    def _decided(self, rows: Sequence[Row], rounds: int) -> bool:
        return rounds > 0 and self._status(rows)[0] is not Status.UNDECIDED

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        curve, counts = self._curve(rows)
        status, fit = self._status(rows)
        limit = self.kind.exponent + self.kind.margin
        reason = ""
        if status is Status.UNDECIDED:
            reason = self._undecided(rows, fit, limit)
        points = {
            "n": curve.n.tolist(),
            "mean": curve.mean.tolist(),
            "error": curve.error.tolist(),
            "replicates": counts,
        }
        refuted = status is Status.REFUTED
        return CellVerdict(
            self.params,
            status,
            trials=sum(counts),
            counterexample={"exponent": fit.exponent, "interval": [fit.low, fit.high], "claimed": self.kind.exponent}
            if refuted
            else None,
            replay=self.replay_line({}, "--trials", str(FRESH * max(counts))) if refuted else None,
            reason=reason,
            details={
                "exponent": fit.exponent,
                "interval": [fit.low, fit.high],
                "claimed": self.kind.exponent,
                "log_power": self.kind.log_power,
                "margin": self.kind.margin,
                "misfit": fit.misfit,
                "leading": fit.leading,
                "correction": fit.correction,
                "along": self.kind.along,
                "slopes": local_slopes(curve.n, curve.mean),
                **points,
            },
        )

    def _undecided(self, rows: Sequence[Row], fit: RateFit, limit: float) -> str:
        """What was computed, and what would settle it."""
        curve = self._seen(rows)
        if len(curve.n) < FEWEST:
            return f"the quantity is positive at fewer than {FEWEST} values of {self.kind.along}: a fit needs more"
        along, largest = self.kind.along, float(curve.n.max())
        at_most = f"claimed {self.kind.exponent:.3f} + margin {self.kind.margin:g} = {limit:.3f}"
        if fit.low > limit and fit_late(curve, CONFIDENCE).low > limit:
            return (
                f"the 99 % interval [{fit.low:.3f}, {fit.high:.3f}] of the exponent lies above {at_most}, but not at "
                "the family-wise level that an accusation needs: more replicates (--budget) would settle it"
            )
        if fit.low > limit:
            slopes = local_slopes(curve.n, curve.mean)
            return (
                f"the fitted exponent {fit.exponent:.3f} in [{fit.low:.3f}, {fit.high:.3f}] lies above {at_most}, but "
                f"a decay as claimed whose lower-order term is {LATE:g} times the leading one at the end fits as well "
                f" (local exponents from {slopes[0]:.3f} to {slopes[-1]:.3f}): larger {along} than {largest:g} or "
                "more replicates (--budget) would settle it"
            )
        return (
            f"the 99 % interval [{fit.low:.3f}, {fit.high:.3f}] of the exponent reaches beyond {at_most}: more "
            f"replicates (--budget) or larger {along} than {largest:g} would settle it"
        )

    def replay(self, reps: int, seed: int) -> Data:
        """A fresh curve with `reps` replicates per point, and its fit."""
        rows = []
        for value in self.axis():
            task: Task = {"stage": "point", "index": f"replay-{seed}", "at": value, "reps": reps}
            rows.append(Row(task, self.execute(task), 0.0))
        seen = self._seen(rows)
        fit = fit_rate(seen, CONFIDENCE) if len(seen.n) >= FEWEST else UNKNOWN
        return {"exponent": fit.exponent, "interval": [fit.low, fit.high], "claimed": self.kind.exponent}
