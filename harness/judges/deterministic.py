"""Identities and inequalities for all inputs: one replayed counterexample refutes."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor

from harness.certify.certificate import certify
from harness.certify.proof import prove
from harness.certify.rounding.spread import CLEAR, leaves_torch
from harness.errors import ClaimError
from harness.judges.base import Data, Judge, Row, Task, check_instance, dump, load, rows_of
from harness.judges.contract import check_instances
from harness.language.kind import Comparison
from harness.language.quantifiers import Draw, stream
from harness.language.spaces import Interval, tensor
from harness.search.adapt import adapt
from harness.search.approaches import SHIFT, closest_of
from harness.search.exchange import exchange
from harness.search.finders import KEEP, Finds, ascend, edges, evolve, hard, joined, low_discrepancy, scatter
from harness.search.objective import CONFIRMATIONS, FEWER, PATIENCE, Batch, Deterministic, excess, gap_of, score
from harness.search.polish import polish
from harness.search.reduce import reduce
from harness.verdict import CellVerdict, Status

STAGES = ("hard", "edges", "scatter", "ascend", "polish", "evolve", "exchange", "adapt")
NEEDS = {
    "ascend": "smooth",
    "polish": "smooth",
    "adapt": "smooth",
    "exchange": "jumps",
    "edges": "smooth",
}  # kinds of variables
CLIMBS = ("ascend", "polish", "adapt")  # stages that follow slopes
LEVEL = 3  # times fewer steps where an identity differs only by rounding, so that only jumps are left to find
VISIBLE = 0.1  # a reduced counterexample keeps this share of the violation
ABOVE = 8.0  # after a dropped violation the search continues at this many times the noise
OPERATIONS, LEAST = 100, 0.5  # of torch in a body that gets all the steps of an ascent; the least share of them
PLAIN = 0.6  # of the steps, for plain ascent: quasi-Newton goes on from there
BASINS = 4  # times as many starts where every value of a discrete variable has basins of its own
FINITE_TRIES = 65_536  # inputs that are tried before a cell counts as nowhere finite
FEW, CONVERGED = 4, 60  # in at most this many coordinates, this many generations converge at a kink
SUSPECTS = 3  # instances whose violation only exact inputs can confirm
NOTHING_QUANTIFIED = {"reason": "no input is quantified: both sides are plain numbers of float64"}


class DeterministicJudge(Judge):
    """Searches for a violation with several finders in turn; stops at the first, then simplifies it."""

    @property
    def kind(self) -> Comparison:
        assert isinstance(self.claim.kind, Comparison)
        return self.claim.kind

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        """The next stage of the search; where it has found nothing, a proof is tried."""
        if rows_of(rows, "prove"):
            return []
        tasks = self._search(rows)
        if tasks or not rows[0].data["variables"] or any(row.data.get("stands") for row in rows):
            return tasks
        return [{"stage": "prove", "boxes": self.effort.boxes}]

    def _search(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [{"stage": "anatomy"}]
        if not rows[0].data["variables"]:
            return self._approach(rows) if rows_of(rows, "single") else [{"stage": "single"}]
        accused = rows_of(rows, "reduce")
        if any(row.data["stands"] for row in accused):
            return []
        cost = {"bytes": rows[0].data["bytes"], "rounding": _rounding_seen(rows)}
        dropped = {"clear": CLEAR * ABOVE ** len(accused)} if accused else {}
        if rows[-1].data["best_score"] > 0.0 and rows[-1].task["stage"] in (*STAGES, "approach"):
            return [{"stage": "reduce", **cost, "from": rows[-1].data["best"][:1]}]
        done = {row.task["stage"] for row in rows}
        for stage in STAGES:
            if stage in done or (stage in NEEDS and not rows[0].data[NEEDS[stage]]):
                continue
            return [{"stage": stage, **cost, **dropped, **self._effort(stage, rows)}]
        suspects = self._suspects(rows)
        if suspects and not any("suspect" in row.task for row in rows):
            return [{"stage": "reduce", **cost, "suspect": number, "from": [s]} for number, s in enumerate(suspects)]
        return self._approach(rows)

    @staticmethod
    def _approach(rows: Sequence[Row]) -> list[Task]:
        """The task that settles the closest approach, over all finders' records."""
        if rows_of(rows, "approach"):
            return []
        best = [values for _, _, values in closest_of([tuple(e) for row in rows for e in row.data.get("records", [])])]
        return [{"stage": "approach", "bytes": rows[0].data["bytes"], "from": best}] if best else []

    @staticmethod
    def _suspects(rows: Sequence[Row]) -> list[dict[str, Any]]:
        """The violations within their own rounding that are largest beside it: a jump, or nothing."""
        found = [entry for row in rows for entry in row.data.get("suspects", [])]
        return [values for _, values in sorted(found, key=lambda entry: -entry[0])[:SUSPECTS]]

    def _effort(self, stage: str, rows: Sequence[Row]) -> Task:
        effort = self.effort
        if stage in ("hard", "edges"):
            return {"count": effort.hard}
        if stage == "scatter":
            return {"count": effort.random}
        starts = [best for row in rows for best in row.data["best"]]
        share = min(1.0, max(OPERATIONS / max(rows[0].data["operations"], 1), LEAST))  # of the steps, for long bodies
        if stage in ("ascend", "polish"):
            more = BASINS if rows[0].data["discrete"] else 1
            part = share * (PLAIN if stage == "ascend" else 1.0)
            return {"count": more * effort.starts, "steps": math.ceil(effort.steps * part), "from": starts}
        steps = math.ceil(effort.generations * max(share, 0.5))
        if stage == "adapt" and rows[0].data["coordinates"] <= FEW:
            steps = max(steps, CONVERGED)
        if stage == "exchange":  # has the work of the gradient finders to spend where these cannot help
            fewer = 2 if rows[0].data["discrete"] else 4
            steps = steps // fewer if rows[0].data["smooth"] else 3 * steps
        return {"count": effort.population, "steps": steps, "from": starts}

    def execute(self, task: Task) -> Data:
        stage = task["stage"]
        if stage == "anatomy":
            return self._discover()
        if stage == "prove":
            return {"proof": asdict(prove(self.claim, self.params, self.anatomy, boxes=task["boxes"]))}
        objective = self._objective(task.get("bytes", 1), task.get("clear", CLEAR))
        if stage == "single":
            return self._single(objective)
        objective.earlier, objective.usual, objective.largest = task.get("rounding", (0, 0.0, 0.0))
        if stage == "approach":
            return self._settle(objective, load(task["from"]), len(task["from"]))
        if stage == "reduce":
            return self._reduce(objective, load(task["from"]), "suspect" in task)
        return self._report(objective, self._find(objective, task))

    def _single(self, objective: Deterministic) -> Data:
        """A claim without inputs: any violation is examined, whatever its rounding error, which is measured there."""
        sides = objective.sides({}, 1)
        objective.remember({}, sides)
        found = self._report(objective, Finds({}, score(sides, self.kind)))
        return {**found, **self._accuse({})} if found["best_score"] > 0.0 else found

    def _find(self, objective: Deterministic, task: Task) -> Finds:
        rng = stream(*self.key("search", task["stage"]))
        afresh = {"hard": hard, "edges": edges, "scatter": scatter}
        if task["stage"] in afresh:
            return afresh[task["stage"]](objective, rng, task["count"])
        known = load(task["from"])
        parents = Finds(known, objective.scores(known, len(task["from"])).detach())
        fresh = scatter(objective, rng, max(task["count"], 2))
        pool = joined([parents, fresh]).niches(task["count"], objective.spaces)
        level = objective.level(pool.values, len(pool.scores))
        if level and task["stage"] in CLIMBS:
            return pool
        steps = math.ceil(task["steps"] / LEVEL) if level else task["steps"]
        if task["stage"] == "ascend":
            return ascend(objective, pool, task["steps"])
        if task["stage"] == "polish":
            return polish(objective, pool, task["steps"])
        if task["stage"] == "exchange":
            return exchange(objective, rng, pool, steps, task["count"])
        if task["stage"] == "adapt":
            return adapt(objective, rng, pool, task["steps"], task["count"])
        return evolve(objective, rng, pool, steps)

    def _settle(self, objective: Deterministic, known: Batch, count: int) -> Data:
        """The closest approach at given instances and beside them, where a body that jumps is sharp."""
        if not known:
            return {"closest": objective.closest({}, 1), "best_score": -math.inf, "best": []}
        rng = stream(*self.key("search", "approach"))
        near = {name: value.clone() for name, value in known.items()}
        for space in objective.spaces:
            if space.smooth:
                value = known[space.name]
                near[space.name] = space.perturb(
                    value * (1.0 + SHIFT * tensor(rng.standard_normal(value.shape))), rng, SHIFT
                )
        found = joined([Finds(values, objective.scores(values, count).detach()) for values in (known, near)])
        best = found.best(1)
        return {
            "closest": objective.closest(found.values, 2 * count),
            "best_score": float(best.scores[0]),
            "best": [dump(best.values)],
        }

    def _discover(self) -> Data:
        parts = self.anatomy
        check_instances(self.claim, self.params, parts.spaces)
        objective = self._objective(parts.bytes_per_replicate)
        found = self._inhabited(objective)
        if found is None:
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.params} is nowhere finite (its sides are NaN or infinite on all "
                f"of {FINITE_TRIES} structured and random inputs); restrict the quantified sets or guard the formula."
            )
        return {
            "variables": [space.name for space in objective.spaces],
            "smooth": any(space.smooth for space in objective.spaces),
            "discrete": any(not space.smooth for space in objective.spaces),
            "jumps": any(not s.smooth or (isinstance(s, Interval) and s.entries > 1) for s in objective.spaces),
            "coordinates": sum(space.entries for space in objective.spaces if space.smooth),
            "bytes": parts.bytes_per_replicate,
            "operations": parts.operations,
            "best_score": -math.inf,
            "best": found,
        }

    def _inhabited(self, objective: Deterministic) -> list[dict[str, Any]] | None:
        """Instances where both sides are finite, best first; none are needed where they are usual; None without any.

        Where the sides are undefined on most of the set, what is left of it may be one part in ten thousand.
        """
        if not objective.spaces:
            sides = objective.sides({}, 1)
            return [] if bool(torch.isfinite(sides.lhs + sides.rhs).all()) else None
        rng = stream(*self.key("finite"))
        usual = low_discrepancy(objective.spaces, rng, 256)
        with torch.no_grad():
            sides = objective.sides(usual, 256)
        if bool(torch.isfinite(sides.lhs + sides.rhs).any()):
            return []
        finds = hard(objective, rng, FINITE_TRIES // 8)
        best = finds
        for _ in range(7):
            best = joined([best, scatter(objective, rng, FINITE_TRIES // 8)]).best(KEEP)
        known = best.best(int((best.scores > -math.inf).sum()))
        return [dump(known.values, i) for i in range(len(known.scores))] or None

    def _objective(self, cost: int, clear: float = CLEAR) -> Deterministic:
        spaces, device = self.anatomy.spaces, self.settings.device
        patience = math.ceil(PATIENCE * min(1.0, OPERATIONS / max(self.anatomy.operations, 1)))
        return Deterministic(self.claim, self.params, self.kind, spaces, cost, device, clear, patience)

    def _report(self, objective: Deterministic, finds: Finds) -> Data:
        best = finds.best(KEEP)
        return {
            "best_score": float(best.scores[0]),
            "best": [dump(best.values, i) for i in range(len(best.scores))] if best.values else [{}],
            "records": [[*known, dump(values) if values else {}] for *known, values in objective.records.entries()],
            "evaluations": objective.evaluations,
            "nonfinite": objective.nonfinite,
            "smallest_rhs": objective.smallest_rhs,
            "suspects": [[rank, dump(values)] for rank, values in objective.suspects],
            "rounding": [objective.earlier + objective.measurements, objective.usual, objective.largest],
        }

    def _reduce(self, objective: Deterministic, instance: Batch, suspect: bool) -> Data:  # noqa: FBT001
        """Simplify, then recompute on the CPU in float64; a violation must exceed its own rounding error there."""
        if suspect:
            found = self._accuse(instance, calls=FEWER)
            if found["stands"]:  # it was rounding before, so that luck has to be excluded
                found = self._accuse(instance, calls=2 * CONFIRMATIONS)
            return {**found, "best_score": -math.inf, "best": []}
        objective.device = "cpu"
        before = float(objective.shares(instance, 1)[0])

        def acceptable(shares: Tensor) -> Tensor:
            return shares >= VISIBLE * before

        small = reduce(objective.spaces, instance, acceptable, objective.shares) if before > 0.0 else instance
        found = self._accuse(small)
        if not found["stands"]:
            found = self._accuse(instance)
        return {**found, "best_score": before, "best": []}

    def _accuse(self, instance: Batch, calls: int = CONFIRMATIONS) -> Data:
        """A violation with its rounding and its certificate, and whether it stands."""
        found = self.measure(instance, calls)
        certificate = certify(self.claim, self.params, self.anatomy.spaces, instance, gap=found["gap"])
        found = {**found, "values": dump(instance) if instance else {}, "certificate": certificate}
        return {**found, "stands": _stands(found)}

    def measure(self, instance: Batch, calls: int = CONFIRMATIONS) -> Data:
        """Both sides at one instance, in float64 on the CPU, and how far rounding moves their difference."""
        objective = self._objective(self.anatomy.bytes_per_replicate)
        objective.device = "cpu"
        sides = objective.sides(instance, 1)
        noise = float(objective.noise(instance, sides, calls)[0])
        return {
            "lhs": float(sides.lhs[0]),
            "rhs": float(sides.rhs[0]),
            "gap": float(gap_of(sides, self.kind)[0]),
            "excess": float(excess(sides, self.kind)[0]),
            "noise": noise if math.isfinite(noise) else None,
            "blind": leaves_torch(self.claim, self.params, instance, Draw(1, ()), 1),
        }

    def replay(self, values: Batch) -> Data:
        """Both sides at given values, and whether the violation stands."""
        check_instance(self.claim, self.anatomy.spaces, values)
        return self._accuse(values)

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        searched = [row.data for row in rows if "evaluations" in row.data]
        evaluations = sum(data["evaluations"] for data in searched)
        worst = max((row.data["closest"] for row in rows_of(rows, "approach")), default=0.0)
        details: dict[str, Any] = {
            "finders": {row.task["stage"]: row.data["best_score"] for row in rows if "evaluations" in row.data},
            "nonfinite": sum(data["nonfinite"] for data in searched),
        }
        accused = [row for row in rows if "certificate" in row.data]
        standing = next((row.data for row in accused if row.data["stands"]), None)
        if standing is not None:
            return self._refuted(evaluations, standing, details)
        dropped = [row.data for row in accused if "suspect" not in row.task]
        if dropped:
            details["dropped"] = [_why_dropped(data) for data in dropped]
        unclear = next((data for data in dropped if data["excess"] > 0.0 and data["noise"] is None), None)
        if unclear is not None:
            reason = f"the search saw a violation, but it {_why_dropped(unclear)}"
            return CellVerdict(self.params, Status.UNDECIDED, evaluations, reason=reason, details=details)
        smallest = min(data["smallest_rhs"] for data in searched)
        trivial = self.claim.trivial
        details["proof"] = next((row.data["proof"] for row in rows_of(rows, "prove")), NOTHING_QUANTIFIED)
        return CellVerdict(
            self.params,
            Status.PROVED if details["proof"].get("c") == 1.0 else Status.HOLDS,
            trials=evaluations,
            worst_ratio=worst,
            looseness=None if self.kind.two_sided or worst <= 0.0 else 1.0 / worst,
            detectable_factor=None if self.kind.two_sided else worst,
            vacuous=trivial is not None and smallest >= trivial,
            details=details,
        )

    def _refuted(self, evaluations: int, data: Data, details: dict[str, Any]) -> CellVerdict:
        lhs, rhs = data["lhs"], data["rhs"]
        shown = ("values", "lhs", "rhs", "excess", "noise", "blind", "certificate")
        return CellVerdict(
            self.params,
            Status.REFUTED,
            trials=evaluations,
            violations=1,
            worst_ratio=lhs / rhs if rhs > 0.0 else None,
            counterexample={name: data[name] for name in shown},
            replay=self.replay_line(data["values"]),
            details=details,
        )


def _rounding_seen(rows: Sequence[Row]) -> list[float]:
    """How often rounding was measured so far, the largest share of both sides that it was, and the largest."""
    return next((row.data["rounding"] for row in reversed(rows) if "rounding" in row.data), [0, 0.0, 0.0])


def _stands(found: Data) -> bool:
    """Whether a violation is proved by enclosures, or exceeds CLEAR times its rounding without being contradicted."""
    verdict = found["certificate"].get("verdict")
    if not found["excess"] > 0.0 or verdict == "contradicted":
        return False
    clear = found["noise"] is not None and found["excess"] > CLEAR * found["noise"]
    return bool(verdict == "confirmed" or clear)


def _why_dropped(found: Data) -> str:
    if found["excess"] <= 0.0:
        return "vanished on replay in float64 on the CPU"
    if found["certificate"].get("verdict") == "contradicted":
        return "vanished in ball arithmetic, so it was rounding"
    return "is within the rounding error of the sides there"
