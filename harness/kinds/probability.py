"""High-probability claims: the event lhs > rhs is a Bernoulli trial, and e-processes decide both ways."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from harness.certify.proof import Proof, Unproved, prove_chance
from harness.errors import ClaimError
from harness.evidence.bernoulli import fewest_violations, log_e_above, log_e_below, probability_interval
from harness.evidence.histogram import (
    PARTS,
    kth_largest,
    merged,
    quantile_interval,
    ratio_counts,
    ratio_shares,
)
from harness.evidence.ratios import LARGEST_LOG
from harness.judges.base import Data, Findings, Row, Task, expect, found, load
from harness.judges.findings import Attempt, Prove
from harness.judges.random import RandomJudge
from harness.judges.settling import DECIDES, ROUNDING
from harness.judges.trials import (
    Anatomy,
    Block,
    Counts,
    Enumerate,
    Every,
    Frozen,
    Laws,
    Parts,
    Probe,
    Probed,
    Shares,
    Shrink,
    Tight,
    Violations,
    Worst,
)
from harness.kinds.frequencies import Ratios, TooOften, Total, deciding, replay_trials, surely, survival, undefined
from harness.language.charts import Chart
from harness.language.kind import Kind, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, count, number
from harness.search.distributions import Sample, Statistic
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import decided_by_rounding, exact_conviction, infinite, of_trials, tightness, trials

if TYPE_CHECKING:
    from harness.settings import Settings

PROVABLE = 2**13  # outcomes, at most, over which a proof is tried
CLOSENESS = 1e-4  # of a unit of log-ratio, in units of frequency
LEVELS = np.linspace(-2.0, 2.0, 5)  # standard errors of its level by which a quantile is moved
SIGNED = 10.0  # units of log-ratio that an approach of sides of different signs is worth


@dataclass(frozen=True)
class HighProbability(Kind[Ratios, TooOften]):
    """P(lhs <= rhs) >= 1 - delta, where the grid parameter `parameter` holds delta."""

    name: ClassVar[str] = "high probability"
    details: ClassVar[Any] = Ratios
    counterexample: ClassVar[Any] = TooOften
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

    def replay(self, judge: "ProbabilityJudge", values: Instance, trials: int, seed: int) -> Replay:
        data = judge.replay(load([values]) if values else {}, trials, seed)
        if isinstance(data, Shares):
            text = f"violated with probability {data.probability:.9g}, over all {data.outcomes} outcomes, allowed"
            return Replay(judge.violated(data), f"{text} {judge.delta}.", data)
        data = expect(data, Total)
        low, high = data.interval
        text = (
            f"violated in {data.violations} of {data.trials} fresh trials: "
            f"frequency {data.frequency:.6g}, 99% interval [{low:.6g}, {high:.6g}], allowed {data.delta}."
        )
        return Replay(low > data.delta, text, data)

    def tried(self, verdict: Verdict) -> list[str]:
        return trials(verdict)

    def line(self, cell: CellVerdict[Ratios, TooOften]) -> str:
        assert cell.details is not None
        laws = cell.details.laws
        if cell.details.probability is not None:
            return (
                f"violated with probability {cell.details.probability:.6g} (delta = {cell.details.delta}), over "
                f"all {count(cell.trials)} outcomes"
                + (f" at the worst of {laws} distributions tried" if laws > 1 else "")
                + ("" if cell.details.proof is None else f"; for all inputs: {cell.details.proof.sentence}")
            )
        return f"{count(cell.violations)} violations in {count(cell.trials)} trials (delta = {cell.details.delta})" + (
            f", worst of {laws} distributions tried" if laws > 1 else ""
        )

    def caveat(self, verdict: Verdict) -> str:
        return tightness(verdict)

    def conviction(self, verdict: Verdict) -> str:
        return exact_conviction(verdict) or super().conviction(verdict)

    @classmethod
    def draw(cls, cells: Sequence[CellVerdict[Ratios, TooOften]]) -> Sequence[Chart]:
        return [survival([(cell.params, cell.details) for cell in cells if cell.details is not None])]


def high_probability(parameter: str) -> HighProbability:
    """For all inputs, P(lhs <= rhs) >= 1 - delta; `parameter` is the name of the grid parameter that holds delta."""
    return HighProbability(parameter)


class ProbabilityJudge(RandomJudge):
    """P(lhs <= rhs) >= 1 - delta at the worst distribution found."""

    finds: ClassVar[Findings] = {
        Anatomy: Parts,
        Laws: Worst,
        Shrink: Frozen,
        Enumerate: Shares,
        Prove: Attempt,
        Probe: Probed,
        Block: Violations,
        Tight: Violations,
    }

    @property
    def delta(self) -> float:
        assert isinstance(self.claim.kind, HighProbability)
        return float(self.params[self.claim.kind.parameter])

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        """What all claims that draw have; and a proof, where all outcomes at the worst distribution refute nothing."""
        tasks, exact = super().plan(rows), found(rows, Enumerate, Shares)
        if tasks or not exact or not 0 < exact[0].outcomes <= PROVABLE or any(map(self.violated, exact)):
            return tasks
        variables = expect(rows[0].data, Parts).variables
        if not (variables and self.effort.boxes) or found(rows, Prove, Attempt):
            return []
        return [Prove(boxes=self.effort.boxes)]

    def execute(self, task: Task) -> Data:
        if not isinstance(task, Prove):
            return super().execute(task)
        sizes = self.sizes(PROVABLE)
        if sizes is None:
            return Attempt(proof=Unproved("its draws have no fixed number of outcomes"))
        found = prove_chance(self.claim, self.params, self.anatomy, sizes, self.delta, ROUNDING, task.boxes)
        return Attempt(proof=found)

    def search_replicates(self, written: int) -> int:
        return int(min(max(super().search_replicates(written), math.ceil(20.0 / self.delta)), 20_011))

    def statistic(self, sample: Sample) -> float:
        """Violation frequency; among distributions without violations, how close the (1 - delta)-quantile comes."""
        lhs, rhs, finite = sample.lhs, sample.rhs, sample.finite
        close = sample.ordered.quantile(1.0 - self.delta)
        if close <= -LARGEST_LOG:  # sides of different signs, as in "gap <= 0", have no ratio
            close += SIGNED * self._approach(np.where(finite, lhs - rhs, np.nan))
        possible = 0.0 if finite.all() else sample.share(undefined(lhs, rhs, finite))
        violated = finite & (lhs > rhs)
        often = sample.share(violated) - sample.rounding(violated[finite].astype(float))
        return often + CLOSENESS * close + 0.5 * self.delta * possible

    def _approach(self, gap: np.ndarray) -> float:
        """The (1 - delta)-quantile of lhs - rhs beside its typical size, in (-1, 1)."""
        level, size = np.nanquantile(gap, 1.0 - self.delta), np.nanmean(np.abs(gap))
        return float(level / (abs(level) + size)) if math.isfinite(size) and size > 0.0 else 0.0

    def tightness(self, sample: Sample) -> float:
        """The (1 - delta)-quantile of log(lhs/rhs), averaged over two standard errors of the level on either side.

        Where the ratio has atoms, the quantile itself jumps with the luck of a few replicates.
        """
        if sample.weights is not None:
            return sample.ordered.quantile(1.0 - self.delta)
        error = math.sqrt(self.delta * (1.0 - self.delta) / len(sample.lhs))
        levels = np.clip(1.0 - self.delta + error * LEVELS, 0.0, 1.0).tolist()
        return float(np.mean([sample.ordered.quantile(level) for level in levels]))

    def beyond(self, level: float) -> Statistic:
        """How often log(lhs/rhs) is above a level: where ratios have atoms, their quantile is flat, and this is not."""

        def often(sample: Sample) -> float:
            return sample.share(sample.log_ratios > level) + CLOSENESS * sample.ordered.quantile(1.0 - self.delta)

        return often

    def notable_score(self) -> float:
        return self.delta

    def exactly(self, every: Every) -> Shares:
        lhs, rhs, weights = every.lhs, every.rhs, every.weights
        doubt = deciding(lhs, rhs, every.doubt)
        violated = (lhs > rhs) & (doubt == 0.0)  # ties have been made equal
        possible = violated | (doubt > 0.0)
        seldom = math.fsum(weights[possible]) <= self.delta
        rounding = 0.0 if seldom else every.rounding(possible.astype(float))
        return Shares(
            outcomes=len(lhs),
            violations=int(violated.sum()),
            ties=int((lhs == rhs).sum()),
            probability=math.fsum(weights[violated]),
            doubtful=math.fsum(weights[doubt > 0.0]) + (rounding if rounding > DECIDES else 0.0),
            rounding=rounding,
            ratios=ratio_shares(surely(lhs, rhs, doubt), rhs, weights),
            smallest_rhs=float(rhs.min()),
        )

    def violated(self, shares: Shares) -> bool:
        """Whether the probability is above delta by more than rounding."""
        return self._beyond(shares.probability, shares) > 0.0

    def _beyond(self, probability: float, shares: Shares) -> float:
        """By how much a probability exceeds delta, beyond rounding."""
        return probability - shares.rounding - self.delta * (1.0 + ROUNDING)

    def record(
        self, counts: Counts, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray, doubt: np.ndarray
    ) -> Violations:
        doubt = deciding(lhs, rhs, doubt)
        return Violations(
            **msgspec.structs.asdict(counts),
            violations=int((finite & (lhs > rhs) & (doubt == 0.0)).sum()),  # ties have been made equal
            doubtful=int((doubt > 0.0).sum()),
            undefined=int(undefined(lhs, rhs, finite).sum()),
            ratios=ratio_counts(np.where(finite, surely(lhs, rhs, doubt), 0.0), np.where(finite, rhs, 1.0)),
            smallest_rhs=float(rhs[finite].min()),
        )

    def total(self, parts: Sequence[Violations]) -> Total:
        trials = sum(part.trials for part in parts)
        violations = sum(part.violations for part in parts)
        return Total(
            trials=trials,
            violations=violations,
            frequency=violations / trials,
            interval=probability_interval(violations, trials),
            delta=self.delta,
            log_e=log_e_above(violations, trials, self.delta),
        )

    def _counts(self, rows: Sequence[Row]) -> tuple[int, int]:
        blocks = found(rows, Block, Violations)
        return sum(block.violations for block in blocks), sum(block.trials for block in blocks)

    def _certified(self, rows: Sequence[Row], *, strictly: bool = True) -> bool:
        """Whether the blocks certify the claim; `strictly`, what may be a violation counts as one."""
        violations, trials = self._counts(rows)
        return log_e_below(self._possible(rows) if strictly else violations, trials, self.delta) >= self.threshold

    def _possible(self, rows: Sequence[Row]) -> int:
        """In how many trials of the blocks there may be a violation."""
        return sum(block.violations + block.doubtful + block.undefined for block in found(rows, Block, Violations))

    def deviation(self, rows: Sequence[Row]) -> float:
        violations, trials = self._counts(rows)
        expected = trials * self.delta
        return (violations - expected) / math.sqrt(max(expected * (1.0 - self.delta), 1e-300))

    def enough(self, rows: Sequence[Row], cost: int) -> bool:
        violations, trials = self._counts(rows)
        if log_e_above(violations, trials, self.delta) >= self.conviction or self.spent(rows, cost):
            return True
        if (
            self._certified(rows, strictly=False)
            and log_e_above(self._possible(rows), trials, self.delta) >= self.threshold
        ):
            return True  # rounding, or what is not finite, decides
        return trials >= self.effort.minimum_trials and self._certified(rows)

    def _detectable(self, rows: Sequence[Row]) -> float | None:
        """The largest c for which the same rows would have refuted lhs <= c rhs."""
        factors = []
        for stage in (Block, Tight):
            bins = merged([data.ratios for data in found(rows, stage, Violations)])
            needed = fewest_violations(sum(count for _, count in bins), self.delta, self.conviction) if bins else None
            if needed is not None:
                factors.append(kth_largest(bins, needed))
        return max(factors, default=None)

    def verdict(self, rows: Sequence[Row]) -> CellVerdict[Ratios, TooOften]:
        exact = found(rows, Enumerate, Shares)
        return self._exact(rows, exact) if exact[0].outcomes else self._sampled(rows)

    def _exact(self, rows: Sequence[Row], exact: Sequence[Shares]) -> CellVerdict[Ratios, TooOften]:
        """From all outcomes at the worst distribution, and at the tightest."""
        trivial = self.claim.trivial
        instance, here = self.violating(rows, exact, lambda each: self._beyond(each.probability, each))
        above = math.floor(PARTS * self.delta) + 1
        factor = max(kth_largest(merged([shares.ratios]), above) for shares in exact)
        bins, known = merged([here.ratios]), {"probability": here.probability}
        proof = next((data.proof for data in found(rows, Prove, Attempt)), None)
        status, reason = Status.PROVED if isinstance(proof, Proof) else Status.HOLDS, ""
        if self.violated(here):
            status = Status.REFUTED
        elif status is Status.HOLDS and self._beyond(here.probability + here.doubtful, here) > 0.0:
            status, reason = Status.UNDECIDED, decided_by_rounding(f"events of probability {number(here.doubtful)}")
        cell = CellVerdict(
            self.params,
            status,
            reason=reason,
            trials=here.outcomes,
            violations=here.violations,
            worst_ratio=kth_largest(bins, 1),
            looseness=1.0 / factor if factor > 0.0 else math.inf,
            detectable_factor=factor,
            vacuous=trivial is not None and here.smallest_rhs >= trivial,
            details=self._details(rows, instance, bins, ties=here.ties, nonfinite=0, proof=proof, **known),
        )
        if cell.status is not Status.REFUTED:
            return cell
        example = TooOften(values=instance, frequency=here.probability, interval=(here.probability, here.probability))
        return msgspec.structs.replace(cell, counterexample=example, replay=self.replay_line(instance))

    def _details(self, rows: Sequence[Row], instance: Instance, bins: list[tuple[int, int]], **more: Any) -> Ratios:
        return Ratios(instance=instance, ratios=bins, delta=self.delta, laws=self.laws(rows), **more)

    def _sampled(self, rows: Sequence[Row]) -> CellVerdict[Ratios, TooOften]:
        """From fresh trials at the worst distribution, and at the tightest."""
        violations, trials = self._counts(rows)
        blocks = found(rows, Block, Violations)
        bins = merged([block.ratios for block in blocks])
        against = log_e_above(violations, trials, self.delta)
        quantile, low, high = self._quantile(rows, bins)
        instance, trivial = self.instance(rows), self.claim.trivial
        cell = CellVerdict(
            self.params,
            self._status(rows),
            trials=trials,
            violations=violations,
            worst_ratio=kth_largest(bins, 1),
            looseness=1.0 / quantile if quantile > 0.0 else math.inf,
            looseness_interval=(1.0 / high if high else math.inf, 1.0 / low if low else math.inf),
            detectable_factor=self._detectable(rows),
            log_e=against,
            vacuous=trivial is not None and min(block.smallest_rhs for block in blocks) >= trivial,
            details=self._details(
                rows, instance, bins, ties=sum(b.ties for b in blocks), nonfinite=sum(b.nonfinite for b in blocks)
            ),
        )
        return self._explained(cell, instance, rows)

    def _status(self, rows: Sequence[Row]) -> Status:
        if log_e_above(*self._counts(rows), self.delta) >= self.conviction:
            return Status.REFUTED
        return Status.HOLDS if self._certified(rows) else Status.UNDECIDED

    def _quantile(self, rows: Sequence[Row], bins: list[tuple[int, int]]) -> tuple[float, float, float]:
        """The (1 - delta)-quantile of lhs/rhs with its interval, where it is the largest."""
        elsewhere = merged([data.ratios for data in found(rows, Tight, Violations)])
        here = quantile_interval(bins, 1.0 - self.delta)
        return max(here, quantile_interval(elsewhere, 1.0 - self.delta)) if elsewhere else here

    def _explained(
        self, cell: CellVerdict[Ratios, TooOften], instance: Instance, rows: Sequence[Row]
    ) -> CellVerdict[Ratios, TooOften]:
        """The verdict with its counterexample, or with the reason why it is open."""
        frequency, interval = cell.violations / cell.trials, probability_interval(cell.violations, cell.trials)
        if cell.status is Status.UNDECIDED and self._certified(rows, strictly=False):
            blocks = found(rows, Block, Violations)
            doubtful = sum(block.doubtful for block in blocks)
            infinite_sides = sum(block.undefined for block in blocks)
            what = f"violations in {of_trials(doubtful / cell.trials)}"
            decided = decided_by_rounding(what, sum(block.unresolved for block in blocks))
            reason = decided if doubtful else infinite(infinite_sides / cell.trials)
            return msgspec.structs.replace(cell, reason=reason)
        if cell.status is Status.UNDECIDED:
            reason = (
                f"tight here: violated in {count(cell.violations)} of {count(cell.trials)} trials, so the violation "
                f"probability lies between {interval[0]:.5g} and {interval[1]:.5g}, too close to delta = {self.delta} "
                "for this effort; more trials: --budget"
            )
            return msgspec.structs.replace(cell, reason=reason)
        if cell.status is not Status.REFUTED:
            return cell
        line = self.replay_line(instance, "--trials", str(replay_trials(frequency, self.delta)))
        example = TooOften(values=instance, frequency=frequency, interval=interval)
        return msgspec.structs.replace(cell, counterexample=example, replay=line)
