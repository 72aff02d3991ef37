"""Identities and inequalities for all inputs: one replayed counterexample refutes."""

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from harness.certificate import certify
from harness.errors import ClaimError
from harness.judges.base import Data, Judge, Row, Task, check_instance, dump, load, rows_of
from harness.kinds import Always, Identity
from harness.quantifiers import stream
from harness.search.adapt import adapt
from harness.search.exchange import exchange
from harness.search.finders import KEEP, Finds, ascend, edges, evolve, hard, joined, scatter
from harness.search.objective import ROUNDING, Batch, Deterministic, excess, tolerance
from harness.search.polish import polish
from harness.search.reduce import reduce
from harness.spaces import Interval
from harness.verdict import CellVerdict, Status

STAGES = ("hard", "edges", "scatter", "ascend", "polish", "evolve", "exchange", "adapt")
NEEDS = {
    "ascend": "smooth",
    "polish": "smooth",
    "adapt": "smooth",
    "exchange": "discrete",
    "edges": "smooth",
}  # kinds of variables
LAST_DIGIT, REPEATS, CLEAR = 2.0**-52, 16, 4.0  # a violation must exceed float64's noise by the factor CLEAR
ALL_ROUNDING = 2.0**-46  # sides this small beside inputs of order one are nothing but rounding
VISIBLE = 0.1  # a reduced counterexample keeps this share of the violation


class DeterministicJudge(Judge):
    """Searches for a violation with several finders in turn; stops at the first, then reduces it."""

    @property
    def kind(self) -> Identity | Always:
        assert isinstance(self.claim.kind, Identity | Always)
        return self.claim.kind

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [{"stage": "anatomy"}]
        if not rows[0].data["variables"]:
            return [] if rows_of(rows, "single") else [{"stage": "single", "scale": rows[0].data["scale"]}]
        if rows_of(rows, "reduce"):
            return []
        found = [row for row in rows[1:] if row.data["best_score"] > 0.0]
        scale, cost = rows[0].data["scale"], rows[0].data["bytes"]
        if found:
            return [{"stage": "reduce", "scale": scale, "bytes": cost, "from": found[-1].data["best"][:1]}]
        done = {row.task["stage"] for row in rows}
        for stage in STAGES:
            if stage in done or (stage in NEEDS and not rows[0].data[NEEDS[stage]]):
                continue
            return [{"stage": stage, "scale": scale, "bytes": cost, **self._effort(stage, rows)}]
        return []

    def _effort(self, stage: str, rows: Sequence[Row]) -> Task:
        effort = self.effort
        if stage in ("hard", "edges"):
            return {"count": effort.hard}
        if stage == "scatter":
            return {"count": effort.random}
        starts = [best for row in rows[1:] for best in row.data["best"]]
        if stage in ("ascend", "polish"):
            count = effort.starts if stage == "ascend" else max(effort.starts // 4, 2)
            return {"count": count, "steps": effort.steps, "from": starts}
        steps = effort.generations
        if stage == "exchange":  # has the work of the gradient finders to spend where these cannot help
            steps = steps // 2 if rows[0].data["smooth"] else 3 * steps
        return {"count": effort.population, "steps": steps, "from": starts}

    def execute(self, task: Task) -> Data:
        stage = task["stage"]
        if stage == "anatomy":
            return self._discover()
        objective = self._objective(task["scale"], task.get("bytes", 1))
        if stage == "single":
            found = self._report(objective, Finds({}, objective.scores({}, 1)))
            return found if found["best_score"] <= 0.0 else {**found, **self._accuse({}, objective.scale)}
        if stage == "reduce":
            return self._reduce(objective, load(task["from"]))
        return self._report(objective, self._find(objective, task))

    def _find(self, objective: Deterministic, task: Task) -> Finds:
        rng = stream(*self.key("search", task["stage"]))
        afresh = {"hard": hard, "edges": edges, "scatter": scatter}
        if task["stage"] in afresh:
            return afresh[task["stage"]](objective, rng, task["count"])
        known = load(task["from"])
        parents = Finds(known, objective.scores(known, len(task["from"])).detach())
        fresh = scatter(objective, rng, max(task["count"], 2))
        pool = joined([parents.best(task["count"] // 2), fresh]).best(10**9)
        pool = Finds({k: v[: task["count"]] for k, v in pool.values.items()}, pool.scores[: task["count"]])
        if task["stage"] == "ascend":
            return ascend(objective, pool, task["steps"])
        if task["stage"] == "polish":
            return polish(objective, pool, task["steps"])
        if task["stage"] == "exchange":
            return exchange(objective, rng, pool, task["steps"], task["count"])
        if task["stage"] == "adapt":
            return adapt(objective, rng, pool, task["steps"], task["count"])
        return evolve(objective, rng, pool, task["steps"])

    def _discover(self) -> Data:
        parts = self.anatomy
        objective = self._objective(1.0, parts.bytes_per_replicate)
        batch = 256 if objective.spaces else 1
        rng = stream(*self.key("scale"))
        values = {space.name: space.from_unit(rng.random((batch, space.dimension))) for space in objective.spaces}
        with torch.no_grad():
            sides = objective.sides(values, batch)
        finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
        if not bool(finite.any()):
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.params} is nowhere finite (its sides are NaN or infinite on all "
                f"of {batch} random inputs); restrict the quantified sets or guard the formula."
            )
        scale = _scale(sides.lhs[finite], sides.rhs[finite], list(values.values()))
        return {
            "variables": [space.name for space in objective.spaces],
            "smooth": any(space.smooth for space in objective.spaces),
            "discrete": any(not space.smooth for space in objective.spaces),
            "scale": scale,
            "bytes": parts.bytes_per_replicate,
            "best_score": -2.0,
            "best": [],
        }

    def _objective(self, scale: float, cost: int) -> Deterministic:
        return Deterministic(
            self.claim,
            self.params,
            self.kind,
            self.anatomy.spaces,
            scale,
            cost,
            self.settings.device,
        )

    def _report(self, objective: Deterministic, finds: Finds) -> Data:
        best = finds.best(KEEP)
        return {
            "best_score": float(best.scores[0]),
            "best": [dump(best.values, i) for i in range(len(best.scores))] if best.values else [{}],
            "worst_ratio": objective.worst_ratio,
            "evaluations": objective.evaluations,
            "nonfinite": objective.nonfinite,
            "smallest_rhs": objective.smallest_rhs,
        }

    def _reduce(self, objective: Deterministic, instance: Batch) -> Data:
        """Reduce, then recompute on the CPU in float64; only what violates there counts."""
        objective.device = "cpu"
        before = float(objective.scores(instance, 1)[0])

        def acceptable(scores: Tensor) -> Tensor:
            return scores >= VISIBLE * before if before > 0.0 else scores > 0.0

        small = reduce(objective, instance, acceptable) if before > 0.0 else instance
        return {**self._accuse(small, objective.scale), "best_score": before, "best": []}

    def _accuse(self, instance: Batch, scale: float) -> Data:
        """A violation with its certificate."""
        found = self.measure(instance, scale)
        certificate = certify(self.claim, self.params, instance, rounding=found["rounding"])
        noise = 0.0 if certificate["digits"] else self._noise(instance)
        return {**found, "values": dump(instance) if instance else {}, "certificate": certificate, "noise": noise}

    def _noise(self, instance: Batch) -> float:
        """How much lhs - rhs moves when all continuous inputs are rescaled by a few units of their last digit.

        Cancellation in the body makes that as large as its rounding error. A common factor keeps ties and zeros, and
        larger and smaller factors are taken apart, so that a jump at the end of a set is not mistaken for noise.
        """
        spaces = [space for space in self.anatomy.spaces if space.smooth]
        sides = Deterministic(self.claim, self.params, self.kind, (), 1.0, 1)
        spreads = []
        for sign in (-1.0, 1.0):
            factor = 1.0 + sign * LAST_DIGIT * torch.arange(REPEATS, dtype=torch.float64)
            scaled = {name: value.expand(REPEATS, *value.shape[1:]).clone() for name, value in instance.items()}
            for space in spaces:
                value = scaled[space.name]
                moved = value * factor.reshape(-1, *(1 for _ in space.shape))
                scaled[space.name] = space.project(moved) if isinstance(space, Interval) else moved
            found = sides.sides(scaled, REPEATS)
            gap = found.lhs - found.rhs
            spreads.append(float(gap.max() - gap.min()) if bool(torch.isfinite(gap).all()) else math.inf)
        return min(spreads)

    def measure(self, instance: Batch, scale: float) -> Data:
        """Both sides at one instance, in float64 on the CPU."""
        objective = Deterministic(self.claim, self.params, self.kind, (), scale, 1)
        sides = objective.sides(instance, 1)
        return {
            "lhs": float(sides.lhs[0]),
            "rhs": float(sides.rhs[0]),
            "excess": float(excess(sides, self.kind, scale)[0]),
            "rounding": float(tolerance(sides, self.kind.rtol, scale)[0]),
        }

    def replay(self, values: Batch) -> Data:
        """Both sides at given values, with the cell's own scale."""
        check_instance(self.claim, self.anatomy.spaces, values)
        return self.measure(values, self._discover()["scale"])

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        searched = [row.data for row in rows if "worst_ratio" in row.data]
        evaluations = sum(data["evaluations"] for data in searched)
        worst = max(data["worst_ratio"] for data in searched)
        details: dict[str, Any] = {
            "finders": {row.task["stage"]: row.data["best_score"] for row in rows if "worst_ratio" in row.data},
            "nonfinite": sum(data["nonfinite"] for data in searched),
        }
        accused = [row.data for row in rows if "certificate" in row.data]
        if accused and _stands(accused[0]):
            return self._refuted(evaluations, accused[0], details)
        if accused:
            reason = f"a violation was seen by the search and {_why_dropped(accused[0])}"
            return CellVerdict(self.params, Status.UNDECIDED, evaluations, reason=reason, details=details)
        is_identity = isinstance(self.kind, Identity)
        smallest = min(data["smallest_rhs"] for data in searched)
        trivial = self.claim.trivial
        return CellVerdict(
            self.params,
            Status.HOLDS,
            trials=evaluations,
            worst_ratio=worst,
            looseness=None if is_identity or worst <= 0.0 else 1.0 / worst,
            detectable_factor=None if is_identity else worst,
            vacuous=trivial is not None and smallest >= trivial,
            details=details,
        )

    def _refuted(self, evaluations: int, data: Data, details: dict[str, Any]) -> CellVerdict:
        lhs, rhs = data["lhs"], data["rhs"]
        return CellVerdict(
            self.params,
            Status.REFUTED,
            trials=evaluations,
            violations=1,
            worst_ratio=lhs / rhs if rhs > 0.0 else None,
            counterexample={name: data[name] for name in ("values", "lhs", "rhs", "excess", "certificate")},
            replay=self.replay_line(data["values"]),
            details=details,
        )


def _stands(accusation: Data) -> bool:
    """Whether a violation survives its replay, and 50 digits; where the body has no such form, the noise of float64."""
    certificate = accusation["certificate"]
    beyond = certificate["excess"] if certificate["digits"] else accusation["excess"] - CLEAR * accusation["noise"]
    return bool(accusation["excess"] > 0.0 and beyond > 0.0)


def _why_dropped(accusation: Data) -> str:
    if accusation["excess"] <= 0.0:
        return "vanished on replay in float64 on the CPU"
    if accusation["certificate"]["digits"]:
        return "vanished in 50 digits: it was rounding"
    return "is no larger than what the last digits of the inputs change: it may be rounding"


def _scale(lhs: Tensor, rhs: Tensor, inputs: list[Tensor]) -> float:
    """Root mean square of both sides; where those are within rounding of the inputs, what makes that rounding pass.

    Sides that are zero in exact arithmetic come out as the rounding of sums of the inputs: a scale of their own size
    would call one rounding error a violation beyond another.
    """
    own = float(((lhs.square() + rhs.square()).mean() / 2.0).sqrt())
    sizes = [float(value.square().mean().sqrt()) for value in inputs if value.numel()]
    size = min(max(sizes, default=0.0), 1.0)
    return own if own > ALL_ROUNDING * size else ALL_ROUNDING * size / ROUNDING
