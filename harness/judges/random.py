"""Claims that draw: search for the worst distribution with common random numbers, then judge it on fresh ones only."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR, trial_noise
from harness.errors import ClaimError
from harness.judges.base import Data, Judge, Row, Task, block_size, check_instance, dump, load, rows_of
from harness.judges.contract import check_trials
from harness.language.evaluation import Sides, evaluate
from harness.language.quantifiers import Recorder, stream
from harness.search.adapt import adapt
from harness.search.exchange import exchange
from harness.search.finders import Finds, evolve, hard, joined, scatter
from harness.search.objective import MEMORY, TIED, Badness, Batch, Law, noise_level
from harness.search.reduce import reduce

FINALISTS = 8
HEAT, MORE = 12, 4  # how many laws go on to the second heat, and with how many times the replicates
FINAL, LAST = 16, 3  # times the replicates of the last heat, and its laws
NEIGHBOURS = 16  # of a discrete distribution, per step
OFFSPRING, ADAPTATIONS = 12, 3  # of a continuous one, and generations per step
ROUNDING = 1e-9  # lhs > rhs beyond the stated relative tolerance
PROBED = 509  # trials whose rounding is measured at the frozen distribution
WARY = 8.0  # trials within this many times the rounding of the probe have their own rounding measured
TIGHT_POOL = 24  # laws that may be the tightest one
TIGHTNESS = 1  # large blocks that measure the looseness there
UNMEASURED = 1e-6  # of both sides: the rounding of a trial that cannot be evaluated otherwise
LARGEST_LOG = 50.0
GIVEN_AWAY = 0.05  # of the excess, by a simpler distribution


def log_ratios(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """log(lhs/rhs) where both sides are positive, cut at +- LARGEST_LOG, which also stand where the signs differ."""
    with np.errstate(all="ignore"):
        ratios = np.log(np.abs(lhs)) - np.log(np.abs(rhs))
    ratios = np.where((lhs < 0.0) & (rhs < 0.0), -ratios, ratios)
    decided = np.where(lhs > rhs, LARGEST_LOG, -LARGEST_LOG)
    return np.clip(np.where(lhs * rhs > 0.0, ratios, decided), -LARGEST_LOG, LARGEST_LOG)


class RandomJudge(Judge):
    """The plan that all claims with `draw` share; subclasses say what a block records and when it is enough."""

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [{"stage": "anatomy"}]
        cost, variables = rows[0].data["bytes"], rows[0].data["variables"]
        if variables and not rows_of(rows, "laws"):
            return [{"stage": "laws", "bytes": cost, "count": self.effort.laws, "steps": self.effort.law_generations}]
        if variables and not rows_of(rows, "reduce"):
            best = rows_of(rows, "laws")[-1].data["best"]
            return [{"stage": "reduce", "bytes": cost, "from": [best]}]
        if not rows_of(rows, "probe"):
            return [{"stage": "probe", "instance": self.instance(rows)}]
        blocks = rows_of(rows, "block")
        index = len(blocks)
        if not blocks or not self.enough(rows, cost):
            task = {"stage": "block", "index": index, "reps": block_size(index, cost)}
            return [{**task, "instance": self.instance(rows), "noise": rows_of(rows, "probe")[-1].data["noise"]}]
        tight = rows_of(rows, "laws")[-1].data["tight"] if variables else None
        seen = len(rows_of(rows, "tight"))
        if tight is not None and seen < TIGHTNESS:
            return [{"stage": "tight", "index": seen, "reps": block_size(9, cost), "instance": tight}]
        return []

    def instance(self, rows: Sequence[Row]) -> dict[str, Any]:
        """The frozen distribution."""
        reduced = rows_of(rows, "reduce")
        return reduced[-1].data["values"] if reduced else {}

    def spent(self, rows: Sequence[Row], cost: int) -> bool:
        """Whether the effort for this cell is used up: trials, or bytes written by its blocks."""
        trials = sum(row.data["trials"] for row in rows_of(rows, "block"))
        return bool(trials >= self.effort.maximum_trials or trials * cost >= self.effort.megabytes * 1e6)

    @abstractmethod
    def enough(self, rows: Sequence[Row], cost: int) -> bool:
        """Whether the blocks so far decide the cell, or the effort is spent."""

    @abstractmethod
    def badness(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> float:
        """What the search for the worst distribution climbs."""

    @abstractmethod
    def tightness(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> float:
        """What the search for the tightest distribution climbs: the logarithm of the ratio that looseness inverts."""

    @abstractmethod
    def record(self, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> Data:
        """What a block of replicates leaves behind: counts and sums that add up over blocks.

        Trials with a side that is not finite stay in: without them the others would be judged on a condition.
        """

    def execute(self, task: Task) -> Data:
        if task["stage"] == "anatomy":
            parts = self.anatomy
            check_trials(self.claim, self.params, parts.spaces, self.settings.device)
            return {"variables": [space.name for space in parts.spaces], "bytes": parts.bytes_per_replicate}
        if task["stage"] == "laws":
            return self._laws(task)
        if task["stage"] == "reduce":
            return self._reduce(task)
        instance = load([task["instance"]])
        if task["stage"] == "probe":
            return {"noise": self.probe(instance)}
        return self.block(instance, task["reps"], task["stage"], task["index"], noise=task.get("noise"))

    def block(self, instance: Batch, reps: int, *stream_name: object, noise: Mapping[str, float] | None = None) -> Data:
        """Fresh replicates at one distribution; `noise` is what a probe there has found."""
        recorder = Recorder(self.draw(reps, *stream_name))
        sides = self._sides(instance, recorder)
        finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
        if not bool(finite.any()):
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.params} is nowhere finite (its sides are NaN or infinite in all "
                f"of {reps} replicates at {dump(instance) if instance else 'its only instance'}); guard the formula."
            )
        settled, ties = self._settled(instance, sides, noise or self.probe(instance), recorder)
        counts = {"trials": len(finite), "nonfinite": int((~finite).sum()), "ties": ties}
        return {**counts, **self.record(settled.lhs.numpy(), settled.rhs.numpy(), finite.numpy())}

    def _sides(self, instance: Batch, draw: Any) -> Sides:
        with torch.no_grad():
            return evaluate(self.claim, self.params, self._on_device(instance), draw, draw.reps)

    def _on_device(self, instance: Batch) -> Batch:
        return {name: value.to(self.settings.device) for name, value in instance.items()}

    def _noise(self, instance: Batch, gap: Tensor, draw: Callable[[], Any]) -> Tensor:
        values = self._on_device(instance)
        return trial_noise(self.claim, self.params, self.anatomy.spaces, values, draw, gap, pairs=2)

    def probe(self, instance: Batch) -> dict[str, float]:
        """The largest rounding of lhs - rhs over some trials at a distribution, as it is and beside both sides."""
        reps = min(PROBED, block_size(9, 4 * self.anatomy.bytes_per_replicate))
        recorder = Recorder(self.draw(reps, "probe"))
        sides = self._sides(instance, recorder)
        noise = self._noise(instance, sides.lhs - sides.rhs, recorder.again)
        return noise_level(sides, noise)

    def _settled(self, instance: Batch, sides: Sides, noise: Mapping[str, float], drawn: Recorder) -> tuple[Sides, int]:
        """The sides with ties made equal, and how many there are.

        A tie is a trial whose sides differ by no more than the stated tolerance, or than rounding, which is measured
        where the probe leaves it in doubt. Sides that are nothing but rounding become zero.
        """
        gap, size = (sides.lhs - sides.rhs).abs(), sides.lhs.abs() + sides.rhs.abs()
        tied = gap <= ROUNDING * torch.maximum(sides.lhs.abs(), sides.rhs.abs())
        nothing = torch.zeros_like(tied)
        expected = torch.maximum(torch.tensor(noise["absolute"], dtype=torch.float64), noise["relative"] * size)
        doubtful = ~tied & (gap <= WARY * CLEAR * expected) & torch.isfinite(gap)
        if bool(doubtful.any()):
            some = torch.nonzero(doubtful).squeeze(-1)
            own = CLEAR * self._noise(instance, (sides.lhs - sides.rhs)[some], lambda: drawn.rows(some))
            own = torch.where(torch.isfinite(own), own, UNMEASURED * size[some])
            tied[some] = gap[some] <= own
            nothing[some] = tied[some] & (size[some] <= own)
        lhs = torch.where(nothing, 0.0, torch.where(tied, sides.rhs, sides.lhs))
        return Sides(lhs, torch.where(nothing, 0.0, sides.rhs)), int(tied.sum())

    def law(
        self, cost: int, stage: str, scale: int = 1, badness: Badness | None = None, *, thorough: bool = False
    ) -> Law:
        """The objective over distributions; replicates limited by memory."""
        reps = int(min(max(MEMORY // (4 * max(cost, 1)), 67), self.search_replicates() * scale))
        return Law(
            self.claim,
            self.params,
            self.anatomy.spaces,
            reps,
            self.key(stage),
            badness or self.badness,
            self.settings.device,
            thorough,
        )

    def search_replicates(self) -> int:
        """Replicates per distribution while searching."""
        return 509

    def _laws(self, task: Task) -> Data:
        """Heats: many distributions at few replicates, the best of them at more, each heat on other randomness."""
        cost, count = task["bytes"], task["count"]
        objective = self.law(cost, "laws")
        rng = stream(*self.key("laws", "instances"))
        pool = joined([hard(objective, rng, max(count // 3, 16)), scatter(objective, rng, count)])
        tight = self._tightest(pool, cost)
        pool = pool.distinct().best(HEAT)
        if task["steps"]:
            pool = joined([pool, self._refine(objective, rng, pool.best(FINALISTS), task["steps"])]).distinct()
        again = self.law(cost, "heat", MORE)
        pool = Finds(pool.values, again.scores(pool.values, len(pool.scores)))
        final = self.law(cost, "select", FINAL, thorough=True)  # the winner of a noisy race must win again
        pool = pool.best(LAST)
        chosen = Finds(pool.values, final.scores(pool.values, len(pool.scores))).best(1)
        return {
            "best": dump(chosen.values),
            "best_score": float(chosen.scores[0]),
            "tight": tight,
            "laws": objective.evaluations,
        }

    def _tightest(self, pool: Finds, cost: int) -> dict[str, Any] | None:
        """The distribution whose ratio of both sides is the largest, when it is another than the worst one."""
        found = self.law(cost, "laws", 1, self.tightness)
        some = pool.distinct().best(TIGHT_POOL)
        ranked = Finds(some.values, found.scores(some.values, len(some.scores))).best(LAST)
        again = self.law(cost, "tight", FINAL // 2, self.tightness, thorough=True)
        best = Finds(ranked.values, again.scores(ranked.values, len(ranked.scores))).best(1)
        return dump(best.values) if math.isfinite(float(best.scores[0])) and float(best.scores[0]) > TIED else None

    def _refine(self, objective: Law, rng: np.random.Generator, pool: Finds, steps: int) -> Finds:
        """Worse distributions near the worst ones: whole populations, then discrete entries, then continuous ones.

        The search looks for the worst distribution, not for the first bad one, so that it has no goal to stop at.
        """
        pool = evolve(objective, rng, pool, steps)
        pool = exchange(objective, rng, pool, steps, NEIGHBOURS, climbers=1, goal=math.inf)
        pool = adapt(objective, rng, pool, ADAPTATIONS * steps, OFFSPRING, goal=math.inf)
        return pool.best(FINALISTS)

    def _reduce(self, task: Task) -> Data:
        objective = self.law(task["bytes"], "select", scale=4)
        instance = load(task["from"])
        before = float(objective.scores(instance, 1)[0])
        least = self.notable_score()
        floor = before - GIVEN_AWAY * (before - least)

        def acceptable(scores: Tensor) -> Tensor:
            return scores >= floor

        if before <= least:
            return {"values": dump(instance), "best_score": before}
        small = reduce(objective.spaces, instance, acceptable, objective.scores, rounds=12)
        surely = self.law(task["bytes"], "select", scale=4, thorough=True)
        if not bool(acceptable(surely.scores(small, 1)).all()):
            small = instance  # round numbers may put an event on its edge, where rounding decides it
        return {"values": dump(small), "best_score": before}

    @abstractmethod
    def notable_score(self) -> float:
        """The score above which a distribution may refute the claim, and so is worth simplifying."""

    def replay(self, values: Batch, reps: int, seed: int) -> Data:
        """Fresh replicates at given values, from a stream of their own."""
        check_instance(self.claim, self.anatomy.spaces, values)
        cost = self.anatomy.bytes_per_replicate
        noise = self.probe(values)
        parts: list[Data] = []
        while sum(part["trials"] for part in parts) < reps:
            size = min(block_size(9, cost), reps - sum(part["trials"] for part in parts))
            parts.append(self.block(values, size, "replay", seed, len(parts), noise=noise))
        return self.total(parts)

    @abstractmethod
    def total(self, parts: Sequence[Data]) -> Data:
        """Blocks added up."""
