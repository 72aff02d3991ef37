"""Claims about means: betting e-processes both ways at the worst distribution found."""

import math
from collections.abc import Sequence

import numpy as np

from harness.errors import ClaimError
from harness.evaluation import Sides
from harness.evidence.betting import log_e_asymptotic, log_e_mean, log_wealths
from harness.judges.base import Data, Row, rows_of
from harness.judges.random import RandomJudge, ties
from harness.kinds import Expectation
from harness.verdict import CellVerdict, Status

FACTORS = (0.99, 0.97, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


class ExpectationJudge(RandomJudge):
    """E lhs <= E rhs; HOLDS certifies E lhs <= E rhs + margin."""

    @property
    def kind(self) -> Expectation:
        assert isinstance(self.claim.kind, Expectation)
        return self.claim.kind

    def badness(self, lhs: np.ndarray, rhs: np.ndarray) -> float:
        """Mean excess, less two standard errors so that noise is not mistaken for it."""
        x = lhs - rhs
        return float(x.mean() - 2.0 * x.std() / math.sqrt(len(x)))

    def tolerable_loss(self, score: float) -> float:
        return 0.8 * score

    def notable_score(self) -> float:
        return 0.0

    def record(self, sides: Sides) -> Data:
        lhs, rhs = sides.lhs.numpy(), sides.rhs.numpy()
        x = np.where(ties(lhs, rhs), 0.0, lhs - rhs)  # rounding of one sign has no variance: it would look certain
        data: Data = {
            "lhs": float(lhs.sum()),
            "rhs": float(rhs.sum()),
            "sum": float(x.sum()),
            "squares": float((x**2).sum()),
            "smallest_rhs": float(rhs.min()),
        }
        if self.kind.range is None:
            return data
        low, high = self.kind.range
        slack = 1e-9 * max(abs(low), abs(high))
        for extreme in (float(x.min()), float(x.max())):
            if not low - slack <= extreme <= high + slack:
                raise ClaimError(
                    f"claim {self.claim.key!r} at {self.params}: lhs - rhs = {extreme:.6g} lies outside the stated "
                    f"range ({low}, {high}); widen range=, for the evidence rests on it."
                )
        x = np.clip(x, low, high)
        data["against"] = log_wealths(x, low).tolist()
        data["in favour"] = log_wealths(self.kind.margin - x, self.kind.margin - high).tolist()
        if rhs.min() >= 0.0:
            data["factors"] = [log_wealths(x + (1.0 - c) * rhs, low).tolist() for c in FACTORS]
        return data

    def total(self, parts: Sequence[Data]) -> Data:
        trials = sum(part["trials"] for part in parts)
        summed = {name: sum(part[name] for part in parts) for name in ("lhs", "rhs", "sum", "squares")}
        mean = summed["sum"] / trials
        variance = max(summed["squares"] / trials - mean**2, 0.0)
        return {
            "trials": trials,
            "mean_lhs": summed["lhs"] / trials,
            "mean_rhs": summed["rhs"] / trials,
            "mean_excess": mean,
            "standard_error": math.sqrt(variance / trials),
            "log_e": self._evidence(parts, "against"),
        }

    def _evidence(self, parts: Sequence[Data], side: str) -> float:
        if self.kind.range is not None:
            return log_e_mean(np.sum([part[side] for part in parts], axis=0))
        trials = sum(part["trials"] for part in parts)
        total, squares = sum(part["sum"] for part in parts), sum(part["squares"] for part in parts)
        if side == "against":
            return log_e_asymptotic(trials, total, squares)
        margin = self.kind.margin
        return log_e_asymptotic(trials, trials * margin - total, squares - 2 * margin * total + trials * margin**2)

    def enough(self, rows: Sequence[Row], cost: int) -> bool:
        parts = [row.data for row in rows_of(rows, "block")]
        if self._evidence(parts, "against") >= self.conviction or self.spent(rows, cost):
            return True
        trials = sum(part["trials"] for part in parts)
        certified = self._evidence(parts, "in favour") >= self.threshold
        return certified and trials >= self.effort.minimum_trials

    def _detectable(self, parts: Sequence[Data]) -> float | None:
        if any("factors" not in part for part in parts):
            return None
        for index, factor in enumerate(FACTORS):
            if log_e_mean(np.sum([part["factors"][index] for part in parts], axis=0)) >= self.conviction:
                return factor
        return 0.0

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        parts = [row.data for row in rows_of(rows, "block")]
        summary = self.total(parts)
        against, favour = self._evidence(parts, "against"), self._evidence(parts, "in favour")
        status = Status.UNDECIDED
        if against >= self.conviction:
            status = Status.REFUTED
        elif favour >= self.threshold:
            status = Status.HOLDS
        instance = self.instance(rows)
        refuted = status is Status.REFUTED
        lhs, rhs = summary["mean_lhs"], summary["mean_rhs"]
        positive = lhs > 0.0 and rhs > 0.0
        notes = []
        if self.kind.range is None:
            notes.append("asymptotic: no range was stated, the evidence rests on the central limit theorem")
        if status is Status.UNDECIDED:
            notes.append(
                f"mean excess {summary['mean_excess']:.3g} +- {summary['standard_error']:.2g} is too close to zero; "
                "an exact equality needs a margin to be certified"
            )
        trivial = self.claim.trivial
        return CellVerdict(
            self.params,
            status,
            trials=summary["trials"],
            worst_ratio=lhs / rhs if positive else None,
            looseness=rhs / lhs if positive else None,
            detectable_factor=self._detectable(parts),
            counterexample={"values": instance, **{k: summary[k] for k in _SHOWN}} if refuted else None,
            replay=self.replay_line(instance, "--trials", str(_replay_trials(summary))) if refuted else None,
            reason="; ".join(notes),
            log_e=against,
            vacuous=trivial is not None and min(part["smallest_rhs"] for part in parts) >= trivial,
            details={
                "instance": instance,
                "margin": self.kind.margin,
                "laws": sum(row.data["laws"] for row in rows_of(rows, "laws")),
                **summary,
            },
        )


_SHOWN = ("mean_lhs", "mean_rhs", "mean_excess", "standard_error")


def _replay_trials(summary: Data) -> int:
    """Enough fresh trials to see the mean excess again at six standard errors."""
    excess, error = summary["mean_excess"], summary["standard_error"]
    needed = 36.0 * error**2 * summary["trials"] / max(excess, 1e-300) ** 2
    return int(min(max(1000.0, needed), 10_000_000.0))
