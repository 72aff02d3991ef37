"""Claims about means: betting e-processes both ways at the worst distribution found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from harness.errors import ClaimError
from harness.evidence.betting import log_e_asymptotic, log_e_mean, log_wealths
from harness.evidence.ratios import log_ratios, ratio
from harness.judges.base import Findings, Row, expect, found, load
from harness.judges.random import RandomJudge
from harness.judges.settling import DECIDES, ROUNDING, WARY
from harness.judges.trials import (
    Anatomy,
    Block,
    Counts,
    Enumerate,
    Every,
    Frozen,
    Laws,
    MeanTotal,
    Moments,
    Parts,
    Probe,
    Probed,
    Shrink,
    Sums,
    Tight,
    Worst,
    sums,
)
from harness.kinds.mean_findings import (
    SURE_ERRORS,
    Judged,
    Means,
    TooLarge,
    check_range,
    surely_between,
    untold_mean,
    why_undecided,
)
from harness.language.arguments import real, span
from harness.language.charts import Chart, Series, around, labels_of
from harness.language.kind import Kind, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, count, number
from harness.search.distributions import Sample, Statistic
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import decided_by_rounding, exact_conviction, tightness, trials

if TYPE_CHECKING:
    from harness.settings import Settings

FACTORS = (0.99, 0.97, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)
VISIBLE = 2.0  # log-evidence of the best bet from which a mean excess counts as seen, by the search only


@dataclass(frozen=True)
class Expectation(Kind[Means, TooLarge]):
    """E lhs <= E rhs. `range` bounds lhs - rhs, each end finite or not; HOLDS certifies E lhs <= E rhs + `margin`."""

    name: ClassVar[str] = "expectation"
    details: ClassVar[Any] = Means
    counterexample: ClassVar[Any] = TooLarge
    range: tuple[float, float] | None = None
    margin: float = 0.0

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "ExpectationJudge":
        return ExpectationJudge(claim, params, settings)

    def replay(self, judge: "ExpectationJudge", values: Instance, trials: int, seed: int) -> Replay:
        data = judge.replay(load([values]) if values else {}, trials, seed)
        if isinstance(data, Moments):
            text = f"mean excess {data.excess:.9g} exactly, over all {data.outcomes} outcomes."
            return Replay(data.least > data.tolerance, text, data)
        data = expect(data, MeanTotal)
        excess, error = data.mean_excess, data.standard_error
        text = f"mean excess {excess:.6g} +- {error:.2g} over {data.trials} fresh trials."
        return Replay(excess > SURE_ERRORS * error, text, data)

    def tried(self, verdict: Verdict) -> list[str]:
        return trials(verdict)

    def line(self, cell: CellVerdict[Means, TooLarge]) -> str:
        d = cell.details
        assert d is not None
        if d.exact:
            sides = f"E lhs = {number(d.mean_lhs)}, E rhs = {number(d.mean_rhs)}, excess {number(d.mean_excess)}"
            return f"{sides} exactly, over all {count(cell.trials)} outcomes"
        return (
            f"E lhs = {number(d.mean_lhs)}, E rhs = {number(d.mean_rhs)}, "
            f"excess {number(d.mean_excess)} +- {number(d.standard_error)} over {count(cell.trials)} trials"
        )

    def caveat(self, verdict: Verdict) -> str:
        return tightness(verdict)

    def conviction(self, verdict: Verdict) -> str:
        return exact_conviction(verdict) or super().conviction(verdict)

    @classmethod
    def draw(cls, cells: Sequence[CellVerdict[Means, TooLarge]]) -> Sequence[Chart]:
        """Mean excess lhs - rhs with three standard errors per cell."""
        means = [(cell.details, row) for row, cell in enumerate(cells) if cell.details is not None]
        found = [(d.mean_excess, row, d.standard_error or 0.0) for d, row in means if d.mean_excess is not None]
        excess = Series([(m, row) for m, row, _ in found], around([m for m, _, _ in found], [e for *_, e in found]))
        margin = {d.margin for d, _ in means if d.margin}
        return [
            Chart(
                [excess],
                x="mean of lhs - rhs, with three standard errors" + (f"; margin {max(margin):g}" if margin else ""),
                rows=labels_of(cells),
                verticals=[0.0, *margin],
            )
        ]


def expectation(range: tuple[float, float] | None = None, *, margin: float = 0.0) -> Expectation:
    """For all inputs, E lhs <= E rhs.

    `range` = (low, high) bounds lhs - rhs; either end may be infinite. A finite low end is needed to refute: no sample
    refutes the mean of a variable that may be -9999 once in ten thousand trials. A finite high end is needed to
    certify; without it HOLDS rests on the central limit theorem and says so.
    No finite sample certifies an exact equality: `margin` > 0 states the slack at which HOLDS is certified.
    """
    ends = (-math.inf, math.inf) if range is None else span("range", range)
    if not ends[0] < 0.0 < ends[1]:
        raise ClaimError(f"expectation(range={range}) must be (low, high) with low < 0 < high, the range of lhs - rhs.")
    if not 0.0 <= real("margin", margin) < ends[1]:
        raise ClaimError(f"expectation(margin={margin}) must be from 0 to below the upper end of range, {ends[1]:g}.")
    return Expectation(range and ends, margin)


class ExpectationJudge(RandomJudge):
    """E lhs <= E rhs; HOLDS certifies E lhs <= E rhs + margin."""

    finds: ClassVar[Findings] = {
        Anatomy: Parts,
        Laws: Worst,
        Shrink: Frozen,
        Enumerate: Moments,
        Probe: Probed,
        Block: Sums,
        Tight: Sums,
    }

    @property
    def kind(self) -> Expectation:
        assert isinstance(self.claim.kind, Expectation)
        return self.claim.kind

    @property
    def ends(self) -> tuple[float, float]:
        """The stated range of lhs - rhs; infinite where nothing was stated."""
        return self.kind.range or (-math.inf, math.inf)

    def statistic(self, sample: Sample) -> float:
        """Above 1 where evidence against the claim is visible, by how fast it grows. Below, a positive mean excess in
        units of its deviation, since a mean excess beside both sides rewards luck with rare events; else the relative
        mean excess, worth less where the effort could not prove it.

        Of all outcomes the mean excess is known: above 1 by its size beside both sides where it is positive, and more
        than the rounding of what happens almost always.
        """
        lhs, rhs, shares = sample.only_finite
        x, low = lhs - rhs, self.ends[0]
        mean = float(np.average(x, weights=shares))
        size = max(float(np.average(np.abs(lhs) + np.abs(rhs), weights=shares)), 1e-300)
        relative = mean / size
        if shares is not None:
            clear = mean - WARY * sample.noise - sample.rounding(x)
            return 1.0 + clear / size if clear > ROUNDING * size else min(relative, ROUNDING)
        variance = float(x.var())
        if math.isfinite(low):
            evidence = float(log_wealths(np.maximum(x, low), low).max())
        else:
            evidence = self._growth(max(mean, 0.0), variance) * len(x)
        if evidence > VISIBLE:
            return 1.0 + evidence / len(x)
        if mean > 0.0:
            return min(math.sqrt(2.0 * self._growth(mean, variance)), 1.0)
        if not math.isfinite(low):
            return relative
        return relative * (2.0 - min(self._growth(-mean, variance) * self.effort.maximum_trials / self.conviction, 1.0))

    def _growth(self, mean: float, variance: float) -> float:
        """Evidence for each trial that the best bet collects if `mean` is the excess; mean^2 / (2 variance) at most.

        Of distributions that differ by a scale alone only the large ones can be refuted, as the range is stated once.
        """
        low = self.ends[0]
        if not math.isfinite(low):
            return mean**2 / max(2.0 * variance, 1e-300)
        bet = min(mean / max(variance, 1e-300), -1.0 / low)
        return bet * mean - 0.5 * bet**2 * variance

    def tightness(self, sample: Sample) -> float:
        """log(E lhs / E rhs)."""
        lhs, rhs, shares = sample.only_finite
        sides = [np.atleast_1d(np.average(side, weights=shares)) for side in (lhs, rhs)]
        return float(log_ratios(*sides)[0])

    def beyond(self, level: float) -> Statistic:
        """log(E lhs / E rhs) itself, which has a slope everywhere."""
        return lambda sample: self.tightness(sample) - level

    def notable_score(self) -> float:
        return 1.0

    def exactly(self, every: Every) -> Moments:
        lhs, rhs, weights = every.lhs, every.rhs, every.weights
        check_range(self.claim, self.params, lhs - rhs, self.ends)
        least, most = self.between(lhs, rhs, every.doubt)
        size = math.fsum(weights * (np.abs(lhs) + np.abs(rhs)))
        tolerance, decided = ROUNDING * size + every.noise, 0.0
        if math.fsum(weights * most) > tolerance:
            rounding = every.rounding(lhs - rhs)
            tolerance += rounding
            decided = rounding if rounding > DECIDES * size else 0.0
        return Moments(
            outcomes=len(lhs),
            lhs=math.fsum(weights * lhs),
            rhs=math.fsum(weights * rhs),
            excess=math.fsum(weights * (lhs - rhs)),
            tolerance=tolerance,
            smallest_rhs=float(rhs.min()),
            least=math.fsum(weights * least),
            most=math.fsum(weights * most) + decided,
        )

    def between(self, lhs: np.ndarray, rhs: np.ndarray, doubt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Between what lhs - rhs lies in each trial: where rounding decides, it counts for neither verdict."""
        gap, unsure = lhs - rhs, doubt > 0.0
        return np.where(unsure, np.minimum(gap - doubt, 0.0), gap), gap + doubt

    def record(self, counts: Counts, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray, doubt: np.ndarray) -> Sums:
        low, high = self.ends
        x = (lhs - rhs)[finite]
        check_range(self.claim, self.params, x, self.ends)
        with np.errstate(invalid="ignore"):
            least, most = (np.clip(end, low, high) for end in self.between(lhs, rhs, doubt))
        against = factors = favour = None
        if math.isfinite(low):  # a trial without finite sides counts as the least that it can be, for either evidence
            against = log_wealths(np.where(finite, least, low), low).tolist()
            if rhs[finite].min() >= 0.0:
                loosened = least + (1.0 - np.array(FACTORS)[:, None]) * rhs
                factors = [log_wealths(some, low).tolist() for some in np.where(finite, loosened, low)]
        if math.isfinite(high):
            margin = self.kind.margin
            favour = log_wealths(margin - np.where(finite, most, high), margin - high).tolist()
        return Sums(
            **msgspec.structs.asdict(counts),
            lhs=float(lhs[finite].sum()),
            rhs=float(rhs[finite].sum()),
            sum=float(x.sum()),
            squares=float((x**2).sum()),
            largest=float(np.abs(x - x.mean()).max()),
            doubtful=float((most[finite] - x).sum()),
            undone=float((x - least[finite]).sum()),
            decided=int((doubt[finite] > 0.0).sum()),
            smallest_rhs=float(rhs[finite].min()),
            against=against,
            in_favour=favour,
            factors=factors,
        )

    def total(self, parts: Sequence[Sums]) -> MeanTotal:
        trials = sum(part.trials for part in parts)
        mean = sum(part.sum for part in parts) / trials
        variance = max(sum(part.squares for part in parts) / trials - mean**2, 0.0)
        return MeanTotal(
            trials=trials,
            mean_lhs=sum(part.lhs for part in parts) / trials,
            mean_rhs=sum(part.rhs for part in parts) / trials,
            mean_excess=mean,
            standard_error=math.sqrt(variance / trials),
            log_e=self._against(parts),
        )

    def _against(self, parts: Sequence[Sums]) -> float:
        """log e-value against the claim; none without a finite lower end of the range."""
        bets = [part.against for part in parts if part.against is not None]
        return log_e_mean(np.sum(bets, axis=0)) if len(bets) == len(parts) else -math.inf

    def _in_favour(self, parts: Sequence[Sums]) -> float:
        """log e-value in favour of the claim; without an upper end of the range, by the central limit theorem."""
        bets = [part.in_favour for part in parts if part.in_favour is not None]
        if len(bets) == len(parts):
            return log_e_mean(np.sum(bets, axis=0))
        trials, total, squares = sums(parts)
        if any(part.nonfinite for part in parts):
            return -math.inf  # which may be as large as one likes
        if untold_mean(parts):
            return -math.inf
        total += sum(part.doubtful for part in parts)
        margin = self.kind.margin
        return log_e_asymptotic(trials, trials * margin - total, squares - 2 * margin * total + trials * margin**2)

    def deviation(self, rows: Sequence[Row]) -> float:
        parts = found(rows, Block, Sums)
        if not parts or not math.isfinite(self.ends[0]):
            return 0.0  # no sample refutes such a mean
        summary = self.total(parts)
        return summary.mean_excess / max(summary.standard_error, 1e-300)

    def enough(self, rows: Sequence[Row], cost: int) -> bool:
        parts = found(rows, Block, Sums)
        if self._against(parts) >= self.conviction or self.spent(rows, cost):
            return True
        summary = self.total(parts)
        least, most = surely_between(parts, summary)
        if least < 0.0 <= self.kind.margin < most:
            return summary.trials >= self.effort.minimum_trials  # rounding decides
        return self._in_favour(parts) >= self.threshold and summary.trials >= self.effort.minimum_trials

    def _elsewhere(self, rows: Sequence[Row]) -> list[tuple[float, float]]:
        """Means at the tightest distribution, the left one at the lower end of its error bar."""
        parts = found(rows, Tight, Sums)
        if not parts:
            return []
        total = self.total(parts)
        return [(total.mean_lhs - SURE_ERRORS * total.standard_error, total.mean_rhs)]

    def _detectable(self, parts: Sequence[Sums]) -> float | None:
        bets = [part.factors for part in parts if part.factors is not None]
        if len(bets) < len(parts):
            return None
        for index, factor in enumerate(FACTORS):
            if log_e_mean(np.sum([each[index] for each in bets], axis=0)) >= self.conviction:
                return factor
        return 0.0

    def verdict(self, rows: Sequence[Row]) -> CellVerdict[Means, TooLarge]:
        exact = found(rows, Enumerate, Moments)
        return self._exact(rows, exact) if exact[0].outcomes else self._sampled(rows)

    def _exact(self, rows: Sequence[Row], exact: Sequence[Moments]) -> CellVerdict[Means, TooLarge]:
        """From all outcomes at the worst distribution, and at the tightest."""
        instance, here = self.violating(rows, exact, lambda each: each.least - each.tolerance)
        tightest, factor = max(ratio(each.largest) for each in exact), max(ratio(each.sides) for each in exact)
        status, reason = Status.HOLDS, ""
        if here.least > here.tolerance:
            status = Status.REFUTED
        elif here.most > here.tolerance:
            share = number(here.most - here.least)
            decided = f"events of probability {share}" if self.events else f"differences of {share} on average"
            status, reason = Status.UNDECIDED, decided_by_rounding(decided)
        judged = Judged(status, instance, here.total)
        return self._cell(rows, judged, tightest, here.smallest_rhs, detectable_factor=factor or None, reason=reason)

    def _sampled(self, rows: Sequence[Row]) -> CellVerdict[Means, TooLarge]:
        """From fresh trials at the worst distribution, and at the tightest."""
        parts = found(rows, Block, Sums)
        summary = self.total(parts)
        tightest = ratio(max([(summary.mean_lhs, summary.mean_rhs), *self._elsewhere(rows)], key=ratio))
        status, smallest = self._status(parts), min(part.smallest_rhs for part in parts)
        reason = self._reason(status, parts, summary)
        factor = self._detectable(parts)
        judged = Judged(status, self.instance(rows), summary)
        return self._cell(rows, judged, tightest, smallest, detectable_factor=factor, reason=reason)

    def _cell(
        self, rows: Sequence[Row], judged: Judged, tightest: float, smallest_rhs: float, **more: Any
    ) -> CellVerdict[Means, TooLarge]:
        """The verdict, with its counterexample where it refutes."""
        status, instance, summary = judged
        trivial, means = self.claim.trivial, msgspec.structs.asdict(summary)
        cell = CellVerdict(
            self.params,
            status,
            trials=summary.trials,
            worst_ratio=tightest or None,
            looseness=1.0 / tightest if tightest else None,
            log_e=summary.log_e,
            vacuous=trivial is not None and smallest_rhs >= trivial,
            details=Means(instance=instance, margin=self.kind.margin, laws=self.laws(rows), **means),
            **more,
        )
        if status is not Status.REFUTED:
            return cell
        shown = {name: means[name] for name in ("mean_lhs", "mean_rhs", "mean_excess", "standard_error")}
        line = self.replay_line(instance, *([] if summary.exact else ["--trials", str(summary.replay_trials)]))
        return msgspec.structs.replace(cell, counterexample=TooLarge(values=instance, **shown), replay=line)

    def _status(self, parts: Sequence[Sums]) -> Status:
        if self._against(parts) >= self.conviction:
            return Status.REFUTED
        return Status.HOLDS if self._in_favour(parts) >= self.threshold else Status.UNDECIDED

    def _reason(self, status: Status, parts: Sequence[Sums], summary: MeanTotal) -> str:
        if status is Status.UNDECIDED:
            return why_undecided(parts, summary, ends=self.ends, conviction=self.conviction)
        if status is Status.HOLDS and not math.isfinite(self.ends[1]):
            return "asymptotic: no upper end of the range was stated, certified by the central limit theorem"
        return ""
