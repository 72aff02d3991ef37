"""High-probability claims: the event lhs > rhs is a Bernoulli trial, and e-processes decide both ways."""

import math
from collections.abc import Sequence

import numpy as np

from harness.evidence.bernoulli import fewest_violations, log_e_above, log_e_below, probability_interval
from harness.evidence.histogram import kth_largest, merged, quantile_interval, ratio_counts
from harness.judges.base import Data, Row, rows_of
from harness.judges.random import LARGEST_LOG, RandomJudge, log_ratios
from harness.kinds import HighProbability
from harness.verdict import CellVerdict, Status

CLOSENESS = 1e-4  # of a unit of log-ratio, in units of frequency


class ProbabilityJudge(RandomJudge):
    """P(lhs <= rhs) >= 1 - delta at the worst distribution found."""

    @property
    def delta(self) -> float:
        assert isinstance(self.claim.kind, HighProbability)
        return float(self.params[self.claim.kind.parameter])

    def search_replicates(self) -> int:
        return int(min(max(509, math.ceil(20.0 / self.delta)), 20_011))

    def badness(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> float:
        """Violation frequency; among distributions without violations, how close the (1 - delta)-quantile comes."""
        return float((finite & (lhs > rhs)).mean() + CLOSENESS * self.tightness(lhs, rhs, finite))

    def tightness(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> float:
        """The (1 - delta)-quantile of log(lhs/rhs), cut at +- 50."""
        return float(np.quantile(np.where(finite, log_ratios(lhs, rhs), -LARGEST_LOG), 1.0 - self.delta))

    def notable_score(self) -> float:
        return self.delta

    def record(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> Data:
        return {
            "violations": int((finite & (lhs > rhs)).sum()),  # ties have been made equal
            "ratios": ratio_counts(np.where(finite, lhs, 0.0), np.where(finite, rhs, 1.0)),
            "smallest_rhs": float(rhs[finite].min()),
        }

    def total(self, parts: Sequence[Data]) -> Data:
        trials = sum(part["trials"] for part in parts)
        violations = sum(part["violations"] for part in parts)
        low, high = probability_interval(violations, trials)
        return {
            "trials": trials,
            "violations": violations,
            "frequency": violations / trials,
            "interval": [low, high],
            "delta": self.delta,
            "log_e": log_e_above(violations, trials, self.delta),
        }

    def _counts(self, rows: Sequence[Row]) -> tuple[int, int]:
        blocks = rows_of(rows, "block")
        return sum(row.data["violations"] for row in blocks), sum(row.data["trials"] for row in blocks)

    def enough(self, rows: Sequence[Row], cost: int) -> bool:
        violations, trials = self._counts(rows)
        if log_e_above(violations, trials, self.delta) >= self.conviction or self.spent(rows, cost):
            return True
        certified = log_e_below(violations, trials, self.delta) >= self.threshold
        return certified and trials >= self.effort.minimum_trials

    def _detectable(self, rows: Sequence[Row]) -> float | None:
        """The largest c for which the same rows would have refuted lhs <= c rhs."""
        found = []
        for stage in ("block", "tight"):
            bins = merged([row.data["ratios"] for row in rows_of(rows, stage)])
            needed = fewest_violations(sum(count for _, count in bins), self.delta, self.conviction) if bins else None
            if needed is not None:
                found.append(kth_largest(bins, needed))
        return max(found, default=None)

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        violations, trials = self._counts(rows)
        blocks = rows_of(rows, "block")
        bins = merged([row.data["ratios"] for row in blocks])
        against = log_e_above(violations, trials, self.delta)
        status = Status.UNDECIDED
        if against >= self.conviction:
            status = Status.REFUTED
        elif log_e_below(violations, trials, self.delta) >= self.threshold:
            status = Status.HOLDS
        quantile, low, high = quantile_interval(bins, 1.0 - self.delta)
        elsewhere = merged([row.data["ratios"] for row in rows_of(rows, "tight")])
        if elsewhere:
            quantile, low, high = max((quantile, low, high), quantile_interval(elsewhere, 1.0 - self.delta))
        instance = self.instance(rows)
        frequency = violations / trials
        interval = probability_interval(violations, trials)
        refuted = status is Status.REFUTED
        smallest = min(row.data["smallest_rhs"] for row in blocks)
        trivial = self.claim.trivial
        undecided = (
            f"tight here: violated in {violations} of {trials} trials, which puts the probability between "
            f"{interval[0]:.5g} and {interval[1]:.5g}, too close to delta = {self.delta} for this effort; more trials: "
            "--budget"
        )
        return CellVerdict(
            self.params,
            status,
            trials=trials,
            violations=violations,
            worst_ratio=kth_largest(bins, 1),
            looseness=1.0 / quantile if quantile > 0.0 else math.inf,
            looseness_interval=(1.0 / high if high else math.inf, 1.0 / low if low else math.inf),
            detectable_factor=self._detectable(rows),
            counterexample={"values": instance, "frequency": frequency, "interval": list(interval)}
            if refuted
            else None,
            replay=self.replay_line(instance, "--trials", str(_replay_trials(frequency, self.delta)))
            if refuted
            else None,
            reason=undecided if status is Status.UNDECIDED else "",
            log_e=against,
            vacuous=trivial is not None and smallest >= trivial,
            details={
                "instance": instance,
                "ratios": [[index, count] for index, count in bins],
                "delta": self.delta,
                "laws": sum(row.data["laws"] for row in rows_of(rows, "laws")),
                "ties": sum(row.data["ties"] for row in blocks),
                "nonfinite": sum(row.data["nonfinite"] for row in blocks),
            },
        )


def _replay_trials(frequency: float, delta: float) -> int:
    """Enough fresh trials to see a frequency above delta again: six standard errors apart."""
    gap = max(frequency - delta, 1e-6)
    return int(min(max(1000, 36.0 * max(frequency, delta) / gap**2), 10_000_000))
