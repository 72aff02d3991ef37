"""Claims that draw: search for the worst distribution with common random numbers, then judge it on fresh ones only."""

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR, NoiseLevel
from harness.certify.rounding.trials import chances_otherwise
from harness.errors import ClaimError
from harness.judges.base import Data, Judge, Row, Task, block_size, check_instance, expect, found, held, load
from harness.judges.contract import check_trials
from harness.judges.settling import SEVERAL, Settled, Settling
from harness.judges.trials import (
    Anatomy,
    Block,
    Counts,
    Enumerate,
    Every,
    Exact,
    Frozen,
    Laws,
    Parts,
    Probe,
    Probed,
    Shrink,
    Tight,
    Trials,
    Worst,
    together,
)
from harness.language.evaluation import Sides, evaluate
from harness.language.outcomes import Endless, Outcomes, counted
from harness.language.quantifiers import stream
from harness.language.recorded import Recorder
from harness.numbers import Instance, claim_at, dump
from harness.search.distributions import (
    REMEMBERED,
    TIED,
    DistributionObjective,
    Sample,
    Statistic,
    Usual,
    fitting,
)
from harness.search.edges import at_the_edge
from harness.search.objective import MEMORY, Batch
from harness.search.population import joined
from harness.search.race import FINAL, LAST, MORE, Law, final, heat, race
from harness.search.shrink import shrink
from harness.search.starts import corner_cases, first_laws, low_discrepancy

PROBED = 509  # trials whose rounding is measured at the frozen distribution
CHEAP = 2**17  # bytes of temporaries that the replicates of one distribution may always make
LONGER, IN_SIGHT = 8.0, 2.5  # times the effort, and standard errors beyond the claim from which it is worth that
SIMPLER = 12  # rounds of simplification of a distribution, at most
ROUNDS, AHEAD = 2, 0.02  # of the search for the tightest distribution, each for one that beats what is known by so much
ASKED, OPERATION = 5, 2**15  # times the laws of an effort that a search evaluates; bytes written in the time of one
CORNERS = 16  # at least, at which a round for the tightest distribution looks
SEARCHED, LEAST = 0.5, 0.15  # of what the trials may write, for the search; and of a search, however much it costs
GIVEN_AWAY = 0.05  # of the excess, by a simpler distribution


Enumerated: TypeAlias = tuple[Instance, Any]
"""A distribution, and what all its outcomes give."""


class RandomJudge(Judge):
    """The plan that all claims with `draw` share; subclasses say what a block records and when it is enough."""

    events: ClassVar[bool] = False
    """Whether the left side is an event, 0 or 1, and its rounding whether it happens at all."""

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [Anatomy()]
        parts = expect(rows[0].data, Parts)
        laws, probed = found(rows, Laws, Worst), found(rows, Probe, Probed)
        bytes_each = together(parts.bytes, parts.written)
        if parts.variables and not laws:
            return [self._search(parts)]
        if parts.variables and not found(rows, Shrink, Frozen):
            rounds = min(self.effort.simplifications, SIMPLER)
            return [Shrink(bytes=parts.bytes, instance=laws[-1].best, rounds=rounds)]
        exact = found(rows, Enumerate, Exact)
        if not exact:
            return [Enumerate(instance=self.instance(rows))]
        if exact[0].outcomes:
            tight = laws[-1].tight if laws and len(exact) == 1 else None
            return [] if tight is None else [Enumerate(instance=tight)]
        if not probed:
            return [Probe(instance=self.instance(rows))]
        index = len(found(rows, Block, Trials))
        if not index or not self.enough(rows, parts.written):
            reps = block_size(index, bytes_each)
            return [Block(index=index, reps=reps, instance=self.instance(rows), noise=probed[-1].noise)]
        tight = laws[-1].tight if parts.variables else None
        seen = len(found(rows, Tight, Trials))
        if tight is not None and seen < self.effort.tight:
            return [Tight(index=seen, reps=block_size(9, bytes_each), instance=tight)]
        return []

    def _search(self, parts: Parts) -> Laws:
        """The search for the worst distribution: the less, the more a distribution writes and the longer the body is.

        It writes about half as much as the trials may, but is never cut to less than a LEAST part.
        """
        effort = self.effort
        work = self.replicates(parts.bytes, parts.written) * parts.written + parts.operations * OPERATION
        share = SEARCHED * 1e6 * effort.megabytes / (ASKED * effort.laws * max(work, 1))
        share = min(max(share, LEAST), 1.0)
        count, steps = math.ceil(effort.laws * share), math.ceil(effort.law_generations * share)
        return Laws(bytes=parts.bytes, count=count, steps=steps, tight=effort.tight > 0)

    def instance(self, rows: Sequence[Row]) -> Instance:
        """The frozen distribution."""
        reduced = found(rows, Shrink, Frozen)
        return reduced[-1].values if reduced else {}

    def violating(self, rows: Sequence[Row], exact: Sequence[Exact], excess: Callable[[Any], float]) -> Enumerated:
        """The frozen distribution, or that of the largest excess among those with all their outcomes, if it has any."""
        places = [row.task.instance for row in rows if isinstance(row.task, Enumerate)]
        return max(zip(places, exact, strict=True), key=lambda pair: max(excess(pair[1]), 0.0))

    def laws(self, rows: Sequence[Row]) -> int:
        """How many distributions were tried."""
        return sum(data.laws for data in found(rows, Laws, Worst))

    def spent(self, rows: Sequence[Row], cost: int) -> bool:
        """Whether the effort for this cell is used up: trials, or bytes written by its blocks.

        Where a violation is in sight, it goes on for several times as long.
        """
        trials = sum(data.trials for data in found(rows, Block, Trials))
        share = max(trials / self.effort.maximum_trials, trials * cost / (self.effort.megabytes * 1e6))
        return bool(share >= (LONGER if self.deviation(rows) > IN_SIGHT else 1.0))

    @abstractmethod
    def deviation(self, rows: Sequence[Row]) -> float:
        """How many standard errors the blocks so far lie beyond what is claimed."""

    @abstractmethod
    def enough(self, rows: Sequence[Row], cost: int) -> bool:
        """Whether the blocks so far decide the cell, or the effort is spent."""

    @abstractmethod
    def statistic(self, sample: Sample) -> float:
        """What the search for the worst distribution climbs."""

    @abstractmethod
    def tightness(self, sample: Sample) -> float:
        """What the search for the tightest distribution climbs: the logarithm of the ratio that looseness inverts."""

    @abstractmethod
    def beyond(self, level: float) -> Statistic:
        """What the search for a distribution with a larger log-ratio than `level` climbs."""

    @abstractmethod
    def record(self, counts: Counts, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray, doubt: np.ndarray) -> Trials:
        """What a block of replicates leaves behind: counts and sums that add up over blocks; `doubt` as in `Settled`.

        Trials with a side that is not finite stay in: without them the others would be judged on a condition.
        """

    @abstractmethod
    def exactly(self, every: Every) -> Exact:
        """What all outcomes give."""

    def execute(self, task: Task) -> Data:
        if isinstance(task, Anatomy):
            parts = self.anatomy
            check_trials(self.claim, self.params, parts.spaces, self.settings.device)
            names = [space.name for space in parts.spaces]
            return Parts(
                variables=names,
                bytes=parts.bytes_per_replicate,
                written=parts.written,
                operations=parts.operations,
            )
        if isinstance(task, Laws):
            return self._laws(task)
        if isinstance(task, Shrink):
            return self._shrink(task)
        assert isinstance(task, Enumerate | Probe | Block | Tight)
        instance = load([task.instance])
        if isinstance(task, Enumerate):
            return self.exact(instance)
        if isinstance(task, Probe):
            return Probed(noise=self.probe(instance))
        noise = task.noise if isinstance(task, Block) else None
        return self.block(instance, task.reps, task.stage, task.index, noise=noise)

    def exact(self, instance: Batch) -> Exact:
        """All outcomes at one distribution; none where there are too many, or the body stops at one of them."""
        most = min(self.effort.maximum_trials, self.effort.megabytes * 1e6 / max(self.anatomy.written, 1))
        try:
            sizes = counted(partial(self._sides, instance), self.settings.device, most=most)
            listed = [self._outcomes(sizes, most, span) for span in self._spans(sizes)]
            noise = self._rounding(instance, sizes, most)
            parts = [self._enumerated(instance, outcomes, noise) for outcomes in listed]
        except (Endless, ClaimError):  # what fails on an outcome that never happens is none of the claim's business
            return Exact()
        of = f"{claim_at(self.claim.key, self.params)}: "
        weights = torch.cat([part.chances(of) for part in listed]).cpu().numpy()
        (lhs, rhs, doubt), happens = np.concatenate(parts, 1), weights > 0.0
        if not (np.isfinite(lhs[happens]).all() and np.isfinite(rhs[happens]).all()):
            return Exact()

        def otherwise() -> np.ndarray:
            again = partial(chances_otherwise, self.claim, self.params, self.anatomy.spaces, self._on_device(instance))
            found = [again(partial(self._outcomes, sizes, most, span)) for span in self._spans(sizes)]
            return torch.cat(found, 1).numpy()[:, happens]

        sides = lhs[happens], rhs[happens], weights[happens], doubt[happens]
        with suppress(Endless):  # rounding decides how many outcomes there are
            return self.exactly(Every(*sides, CLEAR * noise.absolute, otherwise))
        return Exact()

    def sizes(self, most: float) -> list[int] | None:
        """How many outcomes each draw has; None where they are infinitely many, more than `most`, or vary."""
        anywhere = low_discrepancy(self.anatomy.spaces, stream(*self.key("laws", "instances")), 1)
        try:
            return counted(partial(self._sides, anywhere), self.settings.device, most=most)
        except (Endless, ClaimError):
            return None

    def _spans(self, sizes: list[int]) -> list[tuple[int, int]]:
        """The outcomes in parts that fit the memory."""
        total, step = math.prod(sizes), max(MEMORY // max(self.anatomy.bytes_per_replicate, 1), 16)
        return [(start, min(start + step, total)) for start in range(0, total, step)]

    def _outcomes(self, sizes: list[int], most: float, span: tuple[int, int]) -> Outcomes:
        return Outcomes(sizes, self.settings.device, most=most, part=span)

    def _rounding(self, instance: Batch, sizes: list[int], most: float) -> NoiseLevel:
        """What a probe finds; and whether rounding decides any of the outcomes, if they are few: it may miss some."""
        noise, outcomes = self.probe(instance), partial(self._outcomes, sizes, most, (0, math.prod(sizes)))
        if noise.decides or math.prod(sizes) > SEVERAL or len(self._spans(sizes)) > 1:
            return noise
        return noise._replace(decides=self._level(instance, Recorder(outcomes())).decides)

    def _enumerated(self, instance: Batch, outcomes: Outcomes, noise: NoiseLevel) -> np.ndarray:
        """Both sides of these outcomes, and where rounding decides, `(3, outcomes)`."""
        recorder = Recorder(outcomes)
        settled = self._settled(instance, self._sides(instance, recorder), noise, recorder)
        return torch.stack([settled.sides.lhs, settled.sides.rhs, settled.doubt]).numpy()

    def block(self, instance: Batch, reps: int, *stream_name: object, noise: NoiseLevel | None = None) -> Trials:
        """Fresh replicates at one distribution; `noise` is what a probe there has found."""
        recorder = Recorder(self.draw(reps, *stream_name))
        sides = self._sides(instance, recorder)
        finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
        if not bool(finite.any()):
            raise ClaimError(
                f"{claim_at(self.claim.key, self.params)} is nowhere finite (its sides are NaN or infinite in all "
                f"of {reps} replicates at {dump(instance) if instance else 'its only instance'}); guard the formula."
            )
        settled = self._settled(instance, sides, noise or self.probe(instance), recorder)
        counts = Counts(len(finite), int((~finite).sum()), settled.ties, settled.unresolved)
        lhs, rhs = settled.sides.lhs.numpy(), settled.sides.rhs.numpy()
        return self.record(counts, lhs, rhs, finite.numpy(), settled.doubt.numpy())

    def _sides(self, instance: Batch, draw: Any) -> Sides:
        with torch.no_grad():
            return evaluate(self.claim, self.params, self._on_device(instance), draw, draw.reps)

    def _on_device(self, instance: Batch) -> Batch:
        return {name: value.to(self.settings.device) for name, value in instance.items()}

    @cached_property
    def settling(self) -> Settling:
        return Settling(self.claim, self.params, self.anatomy.spaces, self.events)

    def probe(self, instance: Batch) -> NoiseLevel:
        """The largest rounding of lhs - rhs over some trials at a distribution, as it is and beside both sides."""
        reps = min(PROBED, block_size(9, 4 * self.anatomy.bytes_per_replicate))
        return self._level(instance, Recorder(self.draw(reps, "probe")))

    def _level(self, instance: Batch, recorder: Recorder) -> NoiseLevel:
        return self.settling.level(self._on_device(instance), self._sides(instance, recorder), recorder)

    def _settled(self, instance: Batch, sides: Sides, noise: NoiseLevel, drawn: Recorder) -> Settled:
        return self.settling.settled(self._on_device(instance), sides, noise, drawn)

    def law(
        self,
        cost: int,
        stage: str,
        scale: int = 1,
        statistic: Statistic | None = None,
        *,
        beside: Statistic | None = None,
        usual: Usual | None = None,
    ) -> DistributionObjective:
        """The objective over distributions; replicates limited by memory, and `scale` times as many in parts."""
        return DistributionObjective(
            self.claim,
            self.params,
            self.anatomy.spaces,
            self.replicates(cost, self.anatomy.written) * scale,
            self.key(stage),
            statistic or self.statistic,
            self.settings.device,
            self.notable_score(),
            fitting(cost),
            beside,
            usual or Usual(),
            self.events,
        )

    def replicates(self, cost: int, written: int) -> int:
        """Replicates per distribution at the first heat of a search, each of which holds `cost` bytes at a time."""
        return min(fitting(cost), self.search_replicates(written))

    def search_replicates(self, written: int) -> int:
        """Replicates per distribution that a search would like: more where they write few bytes."""
        return int(min(max(CHEAP // max(written, 1), 509), 1021))

    def _laws(self, task: Laws) -> Worst:
        """The worst distribution, and the tightest one: whatever one search tries may win the other."""
        count = task.count
        law = partial(self.law, task.bytes, usual=Usual())
        objective = law("laws", beside=self.tightness)
        rng = stream(*self.key("laws", "instances"))
        pool = joined(first_laws(objective, rng, count, anywhere=count - count // 4)).distinct()
        pool = at_the_edge(objective, rng, pool, count * (task.steps + 1) // 2)
        last = law("select", FINAL)
        worst = final(last, race(law, objective, rng, pool, task.steps))  # a noisy race must be won again
        return Worst(
            best=dump(held(self.anatomy.spaces, worst.values)),
            best_score=worst.top,
            tight=self._tightest(law, objective, task) if task.tight else None,
            laws=objective.evaluations,
        )

    def _tightest(self, law: Law, tried: DistributionObjective, task: Laws) -> Instance | None:
        """The distribution whose ratio of both sides is the largest, from rounds of looking for one that beats it."""
        if not tried.remembered:
            return None  # nothing but ties
        rng = stream(*self.key("laws", "tight"))
        share = task.count / self.effort.laws
        pool = tried.worst_beside().best(math.ceil(REMEMBERED * share))
        again = law("select", FINAL // 2, self.tightness)
        best = final(again, heat(law("heat", MORE, self.tightness), pool).best(LAST))
        for _ in range(ROUNDS):
            objective = law("laws", 1, self.beyond(best.top + AHEAD))
            start = joined(
                [heat(objective, pool), corner_cases(objective, rng, max(task.count // 6, math.ceil(CORNERS * share)))]
            )
            found = race(law, objective, rng, start.distinct(), max(task.steps // 4, 2))
            pool, better = joined([pool, found]), final(again, found, above=best.top)
            if not better.top > best.top:
                break
            best = better
        return dump(best.values) if math.isfinite(best.top) and best.top > TIED else None

    def _shrink(self, task: Shrink) -> Frozen:
        objective = self.law(task.bytes, "select", scale=4)
        instance = load([task.instance])
        before = float(objective.scores(instance, 1)[0])
        least = self.notable_score()
        floor = before - GIVEN_AWAY * (before - least)

        def acceptable(scores: Tensor) -> Tensor:
            return scores >= floor

        if before <= least or not task.rounds:
            return Frozen(values=dump(instance), best_score=before)
        small = shrink(objective.spaces, instance, acceptable, objective.scores, task.rounds)
        if not objective.surely(small) >= floor:
            small = instance
        return Frozen(values=dump(small), best_score=before)

    @abstractmethod
    def notable_score(self) -> float:
        """The score above which a distribution may refute the claim, and so is worth simplifying."""

    def replay(self, values: Batch, reps: int, seed: int) -> Data:
        """Fresh replicates at given values, from a stream of their own."""
        check_instance(self.claim, self.anatomy.spaces, values)
        exact = self.exact(values)
        if exact.outcomes:
            return exact
        bytes_each = together(self.anatomy.bytes_per_replicate, self.anatomy.written)
        noise = self.probe(values)
        parts: list[Trials] = []
        while sum(part.trials for part in parts) < reps:
            size = min(block_size(9, bytes_each), reps - sum(part.trials for part in parts))
            parts.append(self.block(values, size, "replay", seed, len(parts), noise=noise))
        return self.total(parts)

    @abstractmethod
    def total(self, parts: Sequence[Any]) -> Data:
        """Blocks added up."""
