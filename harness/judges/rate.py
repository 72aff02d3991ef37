"""Rates: the mean of a quantity along one parameter, and the interval of its exponent."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from harness.errors import ClaimError
from harness.evaluation import anatomy, quantity
from harness.evidence.rates import Curve, RateFit, fit_rate, local_slopes
from harness.judges.base import Data, Judge, Row, Task, block_size, rows_of
from harness.kinds import Rate
from harness.quantifiers import Draw
from harness.verdict import CellVerdict, Status

CONFIDENCE = 0.99  # of the interval that certifies
FRESH = 8  # a replayed curve has to convince by itself: this many times the replicates


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
            quantity(self.claim, small, Draw(3, self.key("anatomy")))
            return {}
        params = {**self.params, self.kind.along: task["at"]}
        cost = anatomy(self.claim, params).bytes_per_replicate
        size = block_size(9, 4 * cost)
        values = []
        for start in range(0, task["reps"], size):
            reps = min(size, task["reps"] - start)
            with torch.no_grad():
                name = ("point", task["at"], task["index"], start)
                values.append(quantity(self.claim, params, self.draw(reps, *name)).cpu().numpy())
        x = np.concatenate(values)
        if not np.isfinite(x).all():
            raise ClaimError(
                f"claim {self.claim.key!r} at {params} returned {int((~np.isfinite(x)).sum())} non-finite values of "
                f"{len(x)}; a rate needs finite quantities."
            )
        return {"count": len(x), "sum": float(x.sum()), "squares": float((x**2).sum())}

    def _curve(self, rows: Sequence[Row]) -> tuple[Curve, list[int]]:
        axis = self.axis()
        means, errors, counts = [], [], []
        for value in axis:
            data = [row.data for row in rows_of(rows, "point") if row.task["at"] == value]
            count = sum(part["count"] for part in data)
            mean = sum(part["sum"] for part in data) / count
            variance = max(sum(part["squares"] for part in data) / count - mean**2, 0.0) * count / max(count - 1, 1)
            means.append(mean)
            errors.append(max(math.sqrt(variance / count), 1e-12 * abs(mean), 1e-300))
            counts.append(count)
        n = np.array(axis, dtype=float)
        return Curve(n, np.array(means), np.array(errors), self.kind.log_power, self.kind.correction), counts

    def _fits(self, rows: Sequence[Row]) -> tuple[RateFit, RateFit]:
        """The certifying fit at 99 %, and the convicting one at the family-wise level.

        A slope interval is not an e-process: each look costs. Look r may spend 1/(r (r + 1)) of the level, which sums
        to one over any number of looks, so that a larger effort or budget never exceeds the promise.
        """
        curve, _ = self._curve(rows)
        look = len(rows_of(rows, "point")) // len(self.axis())
        level = self.settings.alpha / (self.settings.family * len(self.claim.groups()) * look * (look + 1))
        return fit_rate(curve, CONFIDENCE), fit_rate(curve, 1.0 - 2.0 * level)

    def _status(self, rows: Sequence[Row]) -> tuple[Status, RateFit]:
        certifying, convicting = self._fits(rows)
        limit = self.kind.exponent + self.kind.margin
        if convicting.low > limit:
            return Status.REFUTED, convicting
        return (Status.HOLDS if certifying.high <= limit else Status.UNDECIDED), certifying

    def _decided(self, rows: Sequence[Row], rounds: int) -> bool:
        return rounds > 0 and self._status(rows)[0] is not Status.UNDECIDED

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        curve, counts = self._curve(rows)
        status, fit = self._status(rows)
        limit = self.kind.exponent + self.kind.margin
        reason = ""
        if status is Status.UNDECIDED:
            reason = f"the exponent lies in [{fit.low:.3f}, {fit.high:.3f}], which contains {limit:.3f}"
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

    def replay(self, reps: int, seed: int) -> Data:
        """A fresh curve with `reps` replicates per point, and its fit."""
        rows = []
        for value in self.axis():
            task: Task = {"stage": "point", "index": f"replay-{seed}", "at": value, "reps": reps}
            rows.append(Row(task, self.execute(task), 0.0))
        fit = fit_rate(self._curve(rows)[0], CONFIDENCE)
        return {"exponent": fit.exponent, "interval": [fit.low, fit.high], "claimed": self.kind.exponent}
