"""Claims about means: betting e-processes both ways at the worst distribution found."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from harness.errors import ClaimError
from harness.evidence.betting import log_e_asymptotic, log_e_mean, log_wealths
from harness.judges.base import Data, Row, load, rows_of
from harness.judges.random import RandomJudge, log_ratios
from harness.language.drawing import labels_of
from harness.language.kind import Kind, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import number
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import tightness, trials

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from harness.settings import Settings

FACTORS = (0.99, 0.97, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)


SURE_ERRORS = 3.0  # standard errors taken off a ratio that was selected for its size
VISIBLE = 2.0  # log-evidence of the best bet from which a mean excess counts as seen, by the search only


@dataclass(frozen=True)
class Expectation(Kind):
    """E lhs <= E rhs. `range` bounds lhs - rhs, each end finite or not; HOLDS certifies E lhs <= E rhs + `margin`."""

    name: ClassVar[str] = "expectation"
    range: tuple[float, float] | None = None
    margin: float = 0.0

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "ExpectationJudge":
        return ExpectationJudge(claim, params, settings)

    def replay(self, judge: "ExpectationJudge", values: Mapping[str, Any], trials: int, seed: int) -> Replay:
        data = judge.replay(load([values]) if values else {}, trials, seed)
        excess, error = data["mean_excess"], data["standard_error"]
        text = f"mean excess {excess:.6g} +- {error:.2g} over {data['trials']} fresh trials."
        return Replay(excess > SURE_ERRORS * error, text, data)

    def tried(self, verdict: Verdict) -> list[str]:
        return trials(verdict)

    def line(self, cell: CellVerdict) -> str:
        d = cell.details
        return (
            f"E lhs = {number(d['mean_lhs'])}, E rhs = {number(d['mean_rhs'])}, "
            f"excess {number(d['mean_excess'])} +- {number(d['standard_error'])} over {cell.trials} trials"
        )

    def caveat(self, verdict: Verdict) -> str:
        return tightness(verdict)

    @classmethod
    def draw(cls, axes: "Axes", cells: list[Mapping[str, Any]]) -> bool:
        """Mean excess lhs - rhs with three standard errors per cell."""
        means = [c["details"]["mean_excess"] for c in cells]
        errors = [3.0 * c["details"]["standard_error"] for c in cells]
        axes.errorbar(means, range(len(cells)), xerr=errors, fmt="o", color="#1f6feb", capsize=3)
        axes.axvline(0.0, color="black", linewidth=0.8)
        for cell in cells[:1]:
            if cell["details"]["margin"]:
                axes.axvline(cell["details"]["margin"], color="grey", linestyle=":", label="margin")
                axes.legend(fontsize=7)
        axes.set_yticks(range(len(cells)), labels_of(cells))
        axes.invert_yaxis()
        axes.set(xlabel="mean of lhs - rhs, with three standard errors")
        return True


def expectation(range: tuple[float, float] | None = None, *, margin: float = 0.0) -> Expectation:
    """For all inputs, E lhs <= E rhs.

    `range` = (low, high) bounds lhs - rhs; either end may be infinite. A finite low end is needed to refute: no sample
    refutes the mean of a variable that may be -9999 once in ten thousand trials. A finite high end is needed to
    certify; without it HOLDS rests on the central limit theorem and says so.
    No finite sample certifies an exact equality: `margin` > 0 states the slack at which HOLDS is certified.
    """
    if range is not None and not range[0] < 0.0 < range[1]:
        raise ClaimError(f"expectation(range={range}) must be (low, high) with low < 0 < high, the range of lhs - rhs.")
    if margin < 0.0:
        raise ClaimError(f"expectation(margin={margin}) must not be negative.")
    return Expectation(range, margin)


class ExpectationJudge(RandomJudge):
    """E lhs <= E rhs; HOLDS certifies E lhs <= E rhs + margin."""

    @property
    def kind(self) -> Expectation:
        assert isinstance(self.claim.kind, Expectation)
        return self.claim.kind

    @property
    def ends(self) -> tuple[float, float]:
        """The stated range of lhs - rhs; infinite where nothing was stated."""
        return self.kind.range or (-math.inf, math.inf)

    def badness(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> float:
        """Above 1 where evidence against the claim is visible, by how fast it grows; else the relative mean excess."""
        lhs, rhs = lhs[finite], rhs[finite]
        x, low = lhs - rhs, self.ends[0]
        mean = float(x.mean())
        if math.isfinite(low):
            evidence = float(log_wealths(np.maximum(x, low), low).max())
        else:
            evidence = max(mean, 0.0) ** 2 * len(x) / max(2.0 * float(x.var()), 1e-300)
        if evidence > VISIBLE:
            return 1.0 + evidence / len(x)
        return mean / max(float(np.abs(lhs).mean() + np.abs(rhs).mean()), 1e-300)

    def tightness(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> float:
        """log(E lhs / E rhs)."""
        return float(log_ratios(np.array([lhs[finite].mean()]), np.array([rhs[finite].mean()]))[0])

    def notable_score(self) -> float:
        return 1.0

    def record(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> Data:
        low, high = self.ends
        x = (lhs - rhs)[finite]
        data: Data = {
            "lhs": float(lhs[finite].sum()),
            "rhs": float(rhs[finite].sum()),
            "sum": float(x.sum()),
            "squares": float((x**2).sum()),
            "smallest_rhs": float(rhs[finite].min()),
        }
        slack = 1e-9 * max(abs(end) for end in (low, high, 0.0) if math.isfinite(end))
        for extreme in (float(x.min()), float(x.max())):
            if not low - slack <= extreme <= high + slack:
                raise ClaimError(
                    f"claim {self.claim.key!r} at {self.params}: lhs - rhs = {extreme:.6g} lies outside the stated "
                    f"range ({low}, {high}); widen range=, because the evidence relies on it."
                )
        with np.errstate(invalid="ignore"):
            gap = np.clip(lhs - rhs, low, high)
        if math.isfinite(low):  # a trial without finite sides counts as the least that it can be, for either evidence
            data["against"] = log_wealths(np.where(finite, gap, low), low).tolist()
            if rhs[finite].min() >= 0.0:
                loosened = gap + (1.0 - np.array(FACTORS)[:, None]) * rhs
                data["factors"] = [log_wealths(x, low).tolist() for x in np.where(finite, loosened, low)]
        if math.isfinite(high):
            data["in favour"] = log_wealths(
                self.kind.margin - np.where(finite, gap, high), self.kind.margin - high
            ).tolist()
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
        """log e-value against the claim or in its favour; without a range, the latter by the central limit theorem."""
        if all(side in part for part in parts):
            return log_e_mean(np.sum([part[side] for part in parts], axis=0))
        return -math.inf if side == "against" else self._limit(parts, side)

    def _limit(self, parts: Sequence[Data], side: str) -> float:
        """Asymptotic evidence: valid as the number of trials grows."""
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

    def _undecided(self, parts: Sequence[Data], summary: Data, low: float) -> str:
        """Why neither side is certified, and what would settle it."""
        excess, error = summary["mean_excess"], summary["standard_error"]
        measured = f"mean excess {excess:.3g} +- {error:.2g}"
        if not math.isfinite(low) and self._limit(parts, "against") >= self.conviction:
            return (
                f"asymptotic evidence against: {measured}; to refute a mean, lhs - rhs needs a finite lower bound, "
                "state range=(low, math.inf)"
            )
        if all(part["ties"] == part["trials"] for part in parts):
            return "tight here: both sides are equal in every trial, at every distribution that comes close"
        return f"tight here: {measured} is too close to zero; to certify an exact equality, state a margin"

    def _elsewhere(self, rows: Sequence[Row]) -> list[tuple[float, float]]:
        """Means at the tightest distribution, the left one at the lower end of its error bar."""
        parts = [row.data for row in rows_of(rows, "tight")]
        if not parts:
            return []
        found = self.total(parts)
        return [(found["mean_lhs"] - SURE_ERRORS * found["standard_error"], found["mean_rhs"])]

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
        tightest = max([(lhs, rhs), *self._elsewhere(rows)], key=_ratio)
        notes = []
        low, high = self.ends
        if status is Status.HOLDS and not math.isfinite(high):
            notes.append("asymptotic: no upper end of the range was stated, certified by the central limit theorem")
        if status is Status.UNDECIDED:
            notes.append(self._undecided(parts, summary, low))
        trivial = self.claim.trivial
        return CellVerdict(
            self.params,
            status,
            trials=summary["trials"],
            worst_ratio=_ratio(tightest) or None,
            looseness=1.0 / _ratio(tightest) if _ratio(tightest) else None,
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


def _ratio(sides: tuple[float, float]) -> float:
    """lhs/rhs where both are positive, else 0."""
    lhs, rhs = sides
    return lhs / rhs if lhs > 0.0 and rhs > 0.0 else 0.0


_SHOWN = ("mean_lhs", "mean_rhs", "mean_excess", "standard_error")


def _replay_trials(summary: Data) -> int:
    """Enough fresh trials to see the mean excess again at six standard errors."""
    excess, error = summary["mean_excess"], summary["standard_error"]
    needed = 36.0 * error**2 * summary["trials"] / max(excess, 1e-300) ** 2
    return int(min(max(1000.0, needed), 10_000_000.0))
