"""High-probability claims: the event lhs > rhs is a Bernoulli trial, and e-processes decide both ways."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from harness.errors import ClaimError
from harness.evidence.bernoulli import fewest_violations, log_e_above, log_e_below, probability_interval
from harness.evidence.histogram import BINS_PER_E, OVER, UNDER, kth_largest, merged, quantile_interval, ratio_counts
from harness.judges.base import Data, Row, load, rows_of
from harness.judges.random import LARGEST_LOG, RandomJudge, log_ratios
from harness.language.drawing import COLOURS, legend
from harness.language.kind import Kind, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import parameters
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import tightness, trials

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from harness.settings import Settings

CLOSENESS = 1e-4  # of a unit of log-ratio, in units of frequency


@dataclass(frozen=True)
class HighProbability(Kind):
    """P(lhs <= rhs) >= 1 - delta, where the grid parameter `parameter` holds delta."""

    name: ClassVar[str] = "high probability"
    parameter: str

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        for cell in over:
            delta = cell.get(self.parameter)
            if not isinstance(delta, int | float) or not 0.0 < delta < 1.0:
                raise ClaimError(
                    f"claim {claim!r}: high_probability({self.parameter!r}) needs a grid parameter of that name "
                    f"in (0, 1), got {delta!r}."
                )
        if "draw" not in wants:
            raise ClaimError(
                f"claim {claim!r} is 'high probability' but does not take `draw`; draw its random inputs, "
                "or return the exact violation probability as an `always` claim."
            )

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "ProbabilityJudge":
        return ProbabilityJudge(claim, params, settings)

    def replay(self, judge: "ProbabilityJudge", values: Mapping[str, Any], trials: int, seed: int) -> Replay:
        data = judge.replay(load([values]) if values else {}, trials, seed)
        low, high = data["interval"]
        text = (
            f"violated in {data['violations']} of {data['trials']} fresh trials: "
            f"frequency {data['frequency']:.6g}, 99% interval [{low:.6g}, {high:.6g}], allowed {data['delta']}."
        )
        return Replay(low > data["delta"], text, data)

    def tried(self, verdict: Verdict) -> list[str]:
        return trials(verdict)

    def line(self, cell: CellVerdict) -> str:
        return (
            f"{cell.violations} violations in {cell.trials} trials (delta = {cell.details.get('delta')}), "
            f"worst of {cell.details.get('laws', 0) or 1} distributions tried"
        )

    def caveat(self, verdict: Verdict) -> str:
        return tightness(verdict)

    @classmethod
    def draw(cls, axes: "Axes", cells: list[Mapping[str, Any]]) -> bool:
        """Survival of lhs/rhs and the allowed level: where a curve passes 1 above its level, the bound fails."""
        for index, cell in enumerate(cells[:6]):
            bins = [(i, c) for i, c in cell["details"]["ratios"] if i > UNDER]
            total = sum(c for _, c in cell["details"]["ratios"])
            colour = COLOURS[index % len(COLOURS)]
            x, y, above = [], [], sum(c for _, c in bins)
            for i, c in bins:
                x.append(math.exp(min(i, OVER) / BINS_PER_E) if i < OVER else 10.0)
                y.append(above / total)
                above -= c
            axes.step(x, y, where="post", color=colour, label=parameters(cell["params"]).rstrip(": ") or None)
            axes.axhline(cell["details"]["delta"], color=colour, linestyle=":", linewidth=0.8)
        axes.axvline(1.0, color="black", linewidth=0.8)
        most = max(sum(c for _, c in cell["details"]["ratios"]) for cell in cells)
        axes.set_ylim(0.5 / most, 1.5)
        axes.set(xscale="log", yscale="log", xlabel="lhs / rhs", ylabel="P(ratio > x)")
        axes.set_title("survival of lhs/rhs; dotted: the allowed probability", fontsize=8)
        legend(axes, cells)
        return True


def high_probability(parameter: str) -> HighProbability:
    """For all inputs, P(lhs <= rhs) >= 1 - delta; `parameter` is the name of the grid parameter that holds delta."""
    return HighProbability(parameter)


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
            f"tight here: violated in {violations} of {trials} trials, so the violation probability lies between "
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
