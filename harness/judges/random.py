"""Claims that draw: search the distribution on common random numbers, freeze it, judge it on fresh randomness only."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.evaluation import Sides, evaluate
from harness.judges.base import Data, Judge, Row, Task, block_size, check_instance, dump, load, rows_of
from harness.quantifiers import stream
from harness.search.adapt import adapt
from harness.search.exchange import exchange
from harness.search.finders import Finds, evolve, hard, joined, scatter
from harness.search.objective import MEMORY, Batch, Law
from harness.search.reduce import reduce

FINALISTS = 8
NEIGHBOURS = 16  # of a discrete distribution, per step
OFFSPRING, ADAPTATIONS = 12, 3  # of a continuous one, and generations per step
ROUNDING = 1e-9  # lhs > rhs beyond rounding: on discrete laws a rounding tie can triple a violation probability


def ties(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """The event lhs = rhs, up to rounding."""
    return np.asarray(np.abs(lhs - rhs) <= ROUNDING * np.maximum(np.abs(lhs), np.abs(rhs)) + 1e-300)


def violates(lhs: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """The event lhs > rhs, beyond rounding."""
    return np.asarray((lhs > rhs) & ~ties(lhs, rhs))


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
        blocks = rows_of(rows, "block")
        index = len(blocks)
        size = block_size(index, cost)
        if blocks and self.enough(rows, cost):
            return []
        return [{"stage": "block", "index": index, "reps": size, "instance": self.instance(rows)}]

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
    def badness(self, lhs: np.ndarray, rhs: np.ndarray) -> float:
        """What the search for the worst distribution climbs."""

    @abstractmethod
    def tolerable_loss(self, score: float) -> float:
        """The score below which a simpler distribution is no longer as bad as one of score `score`."""

    @abstractmethod
    def record(self, sides: Sides) -> Data:
        """What a block of replicates leaves behind: counts and sums that add up over blocks."""

    def execute(self, task: Task) -> Data:
        if task["stage"] == "anatomy":
            parts = self.anatomy
            return {"variables": [space.name for space in parts.spaces], "bytes": parts.bytes_per_replicate}
        if task["stage"] == "laws":
            return self._laws(task)
        if task["stage"] == "reduce":
            return self._reduce(task)
        return self.block(load([task["instance"]]), task["reps"], "block", task["index"])

    def block(self, instance: Batch, reps: int, *stream_name: object) -> Data:
        """Fresh replicates at one distribution."""
        values = {name: value.to(self.settings.device) for name, value in instance.items()}
        with torch.no_grad():
            sides = evaluate(self.claim, self.params, values, self.draw(reps, *stream_name), reps)
        finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
        if not bool(finite.any()):
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.params} is nowhere finite (its sides are NaN or infinite in all "
                f"of {reps} replicates at {dump(instance) if instance else 'its only instance'}); guard the formula."
            )
        kept = Sides(sides.lhs[finite].cpu(), sides.rhs[finite].cpu())
        return {"trials": int(finite.sum()), "nonfinite": int((~finite).sum()), **self.record(kept)}

    def law(self, cost: int, stage: str, scale: int = 1) -> Law:
        """The objective over distributions; replicates limited by memory."""
        reps = int(min(max(MEMORY // (4 * max(cost, 1)), 67), self.search_replicates() * scale))
        return Law(
            self.claim,
            self.params,
            self.anatomy.spaces,
            reps,
            self.key(stage),
            self.badness,
            self.settings.device,
        )

    def search_replicates(self) -> int:
        """Replicates per distribution while searching."""
        return 509

    def _laws(self, task: Task) -> Data:
        objective = self.law(task["bytes"], "laws")
        rng = stream(*self.key("laws", "instances"))
        count = task["count"]
        pool = joined([hard(objective, rng, max(count // 4, 8)), scatter(objective, rng, count)]).best(FINALISTS)
        if task["steps"]:
            pool = self._refine(objective, rng, pool, task["steps"])
        fresh = self.law(task["bytes"], "select", scale=4)  # the winner of a noisy race must win again
        final = Finds(pool.values, fresh.scores(pool.values, len(pool.scores))).best(1)
        return {
            "best": dump(final.values),
            "best_score": float(final.scores[0]),
            "laws": objective.evaluations + fresh.evaluations,
        }

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
        floor = self.tolerable_loss(before)

        def acceptable(scores: Tensor) -> Tensor:
            return scores >= floor

        worth_reading = before > self.notable_score()
        small = reduce(objective, instance, acceptable, rounds=12) if worth_reading else instance
        return {"values": dump(small), "best_score": before}

    @abstractmethod
    def notable_score(self) -> float:
        """The score above which a distribution may be convicted, so that it is worth simplifying."""

    def replay(self, values: Batch, reps: int, seed: int) -> Data:
        """Fresh replicates at given values, from a stream of their own."""
        check_instance(self.claim, self.anatomy.spaces, values)
        cost = self.anatomy.bytes_per_replicate
        parts: list[Data] = []
        while sum(part["trials"] for part in parts) < reps:
            size = min(block_size(9, cost), reps - sum(part["trials"] for part in parts))
            parts.append(self.block(values, size, "replay", seed, len(parts)))
        return self.total(parts)

    @abstractmethod
    def total(self, parts: Sequence[Data]) -> Data:
        """Blocks added up."""
