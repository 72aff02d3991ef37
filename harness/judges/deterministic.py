"""Identities and inequalities for all inputs: one replayed counterexample refutes."""

import math
from collections.abc import Sequence
from typing import ClassVar

import msgspec
import torch
from torch import Tensor

from harness.certify.proof import Proof
from harness.certify.readings import prove_in_turn, remember, tried
from harness.certify.rounding.digits import refuse_overflow
from harness.certify.rounding.spread import CLEAR
from harness.errors import ClaimError
from harness.judges.accusing import accusation_at, lucky, unviolated
from harness.judges.base import Data, Findings, Judge, Row, Task, check_instance, expect, found, load
from harness.judges.contract import check_instances
from harness.judges.findings import (
    Accusation,
    Anatomy,
    Approach,
    Attempt,
    Prove,
    Rounding,
    Search,
    Searched,
    Searches,
    Sets,
    Settled,
    Shrink,
    Shrunk,
    Single,
    Step,
    Violation,
)
from harness.judges.gathered import accused_in, dropped_in, rounding_seen, searched_in
from harness.language.arguments import shown
from harness.language.kind import Comparison
from harness.language.quantifiers import stream
from harness.language.spaces import Interval, tensor
from harness.numbers import Instance, claim_at, dump
from harness.search.approaches import SHIFT, closest_of
from harness.search.bfgs import bfgs
from harness.search.cma_es import MOST_COORDINATES, cma_es
from harness.search.differential_evolution import differential_evolution
from harness.search.edges import at_the_edge
from harness.search.local_search import local_search
from harness.search.objective import CONFIRMATIONS, FEWER, PATIENCE, Batch, Deterministic, score
from harness.search.population import KEEP, Population, joined
from harness.search.shrink import shrink
from harness.search.starts import corner_cases, float_edge_cases, low_discrepancy, random_points
from harness.verdict import CellVerdict, Status

SAMPLED = ("corner_cases", "float_edge_cases", "random_points")  # points from everywhere
PROVED = (*SAMPLED, "bfgs")  # with a proof nothing is left to find but how close the sides come
STAGES = (*SAMPLED, "bfgs", "differential_evolution", "local_search", "cma_es")
NEEDS = {
    "bfgs": "smooth",
    "differential_evolution": "mixed",
    "cma_es": "smooth",
    "local_search": "jumps",
    "float_edge_cases": "smooth",
}  # kinds of variables; left out is what found no falsehood of the zoos, and no closest approach, that another missed
CLIMBS = ("bfgs", "cma_es")  # stages that follow slopes
LEVEL = 3  # times fewer steps where an identity differs only by rounding, so that only jumps are left to find
VISIBLE = 0.1  # a reduced counterexample keeps this share of the violation
AT_THE_EDGE, MOVES = 24, 32  # rounds of moves to the edge of what is assumed, and of random points, for one move
ABOVE = 8.0  # after a dropped violation the search continues at this many times the noise
OPERATIONS, LEAST = 100, 0.5  # of torch in a body that gets all the steps of an ascent; the least share of them
BASINS = 4  # times as many starts where every value of a discrete variable has basins of its own
FINITE_TRIES = 65_536  # inputs that are tried before a cell counts as nowhere finite
FEW, CONVERGED = 4, 60  # in at most this many coordinates, this many generations converge at a kink
SUSPECTS = 3  # instances whose violation only exact inputs can confirm


class DeterministicJudge(Judge):
    """Searches for a violation with several finders in turn; stops at the first, then simplifies it."""

    finds: ClassVar[Findings] = {
        Anatomy: Sets,
        Single: Searched,
        Search: Searched,
        Shrink: Shrunk,
        Approach: Settled,
        Prove: Attempt,
    }

    helps: ClassVar[tuple[type[Task], ...]] = (Prove,)

    @property
    def kind(self) -> Comparison:
        assert isinstance(self.claim.kind, Comparison)
        return self.claim.kind

    def learn(self, row: Row) -> None:
        """What the proofs of other cells have tried is not tried again."""
        assert isinstance(row.task, Prove), row.task
        remember(self.claim, expect(row.data, Attempt).tried, boxes=row.task.boxes)

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        """The next stage of the search; before it climbs, a proof is tried, whose open boxes are among its starts."""
        searched = [row for row in rows if not isinstance(row.task, Prove)]
        attempts = found(rows, Prove, Attempt)
        tasks = self._next(searched, proved=any(isinstance(a.proof, Proof) and a.proof.c == 1.0 for a in attempts))
        climbs = [task for task in tasks if isinstance(task, Search) and task.finder not in SAMPLED]
        single = [expect(row.data, Searched).accusation for row in rows if isinstance(row.task, Single)]
        alone = not tasks and any(accusation is None or not accusation.stands for accusation in single)
        if (climbs or alone) and self.effort.boxes and not attempts:
            return [Prove(boxes=self.effort.boxes)]
        leads = [point for attempt in attempts for point in attempt.proof.leads]
        return [msgspec.structs.replace(task, start=[*task.start, *leads]) for task in climbs] or tasks

    def _next(self, rows: Sequence[Row], *, proved: bool) -> list[Task]:
        if not rows:
            return [Anatomy()]
        sets = expect(rows[0].data, Sets)
        if not sets.variables:
            return self._approach(rows) if found(rows, Single, Searched) else [Single()]
        accused = [data.accusation for data in found(rows, Shrink, Shrunk)]
        if any(accusation.stands for accusation in accused):
            return []
        rounding = rounding_seen(rows)
        last = expect(rows[-1].data, Step)
        if last.best_score > 0.0 and isinstance(rows[-1].task, Search | Approach):
            rounds = self.effort.simplifications
            return [Shrink(bytes=sets.bytes, rounding=rounding, instance=last.best[0], rounds=rounds)]
        clear = CLEAR * ABOVE ** len(accused) if accused else CLEAR
        done = {row.task.stage for row in rows}
        stages = PROVED if proved else STAGES
        wanted = (stage for stage in stages if stage not in NEEDS or getattr(sets, NEEDS[stage]))
        for stage in wanted:
            if stage not in done:
                return [self._search(stage, rows, sets, rounding, clear)]
        suspects = self._suspects(rows)
        if suspects and all(task.suspect is None for row in rows if isinstance(task := row.task, Shrink)):
            return [
                Shrink(bytes=sets.bytes, rounding=rounding, instance=values, suspect=number)
                for number, values in enumerate(suspects)
            ]
        return self._approach(rows)

    @staticmethod
    def _approach(rows: Sequence[Row]) -> list[Task]:
        """The task that settles the closest approach, over all finders' records."""
        if found(rows, Approach, Settled):
            return []
        entries = [entry for data in searched_in(rows) for entry in data.records]
        best = [values for _, _, values in closest_of(entries)]
        return [Approach(bytes=expect(rows[0].data, Sets).bytes, start=best)] if best else []

    @staticmethod
    def _suspects(rows: Sequence[Row]) -> list[Instance]:
        """The violations within their own rounding that are largest beside it: a jump, or nothing."""
        entries = [entry for data in searched_in(rows) for entry in data.suspects]
        return [values for _, values in sorted(entries, key=lambda entry: -entry[0])[:SUSPECTS]]

    def _search(self, stage: str, rows: Sequence[Row], sets: Sets, rounding: Rounding, clear: float) -> Search:
        """The task of a finder, with the effort that it may spend."""
        effort = self.effort
        count, steps, start = effort.population, 0, [best for row in rows for best in expect(row.data, Step).best]
        share = min(1.0, max(OPERATIONS / max(sets.operations, 1), LEAST))  # of the steps, for long bodies
        if stage in SAMPLED:
            count, start = effort.random if stage == "random_points" else effort.hard, []
        elif stage == "bfgs":
            count = (BASINS if sets.discrete else 1) * effort.starts
            steps = math.ceil(effort.steps * share)
        else:
            steps = self._generations(stage, sets, share)
        return Search(
            finder=stage, bytes=sets.bytes, rounding=rounding, count=count, steps=steps, start=start, clear=clear
        )

    def _generations(self, stage: str, sets: Sets, share: float) -> int:
        """The steps of a finder that moves whole populations."""
        steps = math.ceil(self.effort.generations * max(share, 0.5))
        if stage == "cma_es" and sets.coordinates <= FEW:
            return max(steps, CONVERGED)
        if stage == "local_search":  # has the work of the gradient finders to spend where these cannot help
            fewer = 2 if sets.discrete else 4
            return steps // fewer if sets.smooth else 3 * steps
        return steps

    def execute(self, task: Task) -> Data:
        if isinstance(task, Anatomy):
            return self._discover()
        if isinstance(task, Prove):
            proof = prove_in_turn(self.claim, self.params, boxes=task.boxes)
            return Attempt(proof=proof, tried=tried(self.claim, self.params, boxes=task.boxes))
        if isinstance(task, Single):
            return self._single(self._objective(1))
        if isinstance(task, Approach):
            return self._settle(self._objective(task.bytes), load(task.start), len(task.start))
        assert isinstance(task, Shrink | Search)
        objective = self._objective(task.bytes, task.clear if isinstance(task, Search) else CLEAR)
        objective.earlier, objective.usual, objective.largest = task.rounding
        if isinstance(task, Shrink):
            return self._shrink(objective, task)
        return self._report(objective, self._find(objective, task))

    def _single(self, objective: Deterministic) -> Data:
        """A claim without inputs: any violation is examined, whatever its rounding error, which is measured there."""
        sides = objective.sides({}, 1)
        objective.remember({}, sides)
        scores = score(sides, self.kind)
        clean = not float(scores[0]) > 0.0
        accusation = unviolated(self.claim, self.params, sides) if clean else self.accuse({})
        return self._report(objective, Population({}, scores), accusation)

    def _find(self, objective: Deterministic, task: Search) -> Population:
        rng = stream(*self.key("search", task.finder))
        afresh = {"corner_cases": corner_cases, "float_edge_cases": float_edge_cases, "random_points": random_points}
        if task.finder in afresh:
            pool = afresh[task.finder](objective, rng, task.count)
            rounds = math.ceil(AT_THE_EDGE * min(1.0, OPERATIONS / max(self.anatomy.operations, 1)))
            last = task.finder == "random_points"
            at_once = task.count // MOVES
            return at_the_edge(objective, rng, pool, rounds * at_once, at_once=at_once) if last else pool
        known = load(task.start)
        parents = Population(known, objective.scores(known, len(task.start)).detach())
        fresh = random_points(objective, rng, max(task.count, 2))
        pool = joined([parents, fresh]).niches(task.count, objective.spaces)
        level = objective.level(pool.values, len(pool.scores))
        if level and task.finder in CLIMBS:
            return pool
        steps = math.ceil(task.steps / LEVEL) if level else task.steps
        if task.finder == "bfgs":
            return bfgs(objective, pool, task.steps)
        if task.finder == "local_search":
            return local_search(objective, rng, pool, steps, task.count)
        if task.finder == "cma_es":
            return cma_es(objective, rng, pool, task.steps, task.count)
        return differential_evolution(objective, rng, pool, steps)

    def _settle(self, objective: Deterministic, known: Batch, count: int) -> Settled:
        """The closest approach at given instances and beside them, where a body that jumps is sharp."""
        if not known:
            return Settled(closest=objective.closest({}, 1))
        rng = stream(*self.key("search", "approach"))
        near = {name: value.clone() for name, value in known.items()}
        for space in objective.spaces:
            if space.smooth:
                value = known[space.name]
                near[space.name] = space.perturb(
                    value * (1.0 + SHIFT * tensor(rng.standard_normal(value.shape))), rng, SHIFT
                )
        pool = joined([Population(values, objective.scores(values, count).detach()) for values in (known, near)])
        best = pool.best(1)
        closest = objective.closest(pool.values, 2 * count)
        luck = lucky(self.claim, self.params, self.anatomy.spaces, best.values)
        return Settled(closest=closest, best_score=float(best.scores[0]), best=[dump(best.values)], accusation=luck)

    def _discover(self) -> Sets:
        parts = self.anatomy
        check_instances(self.claim, self.params, parts.spaces)
        refuse_overflow(self.claim, self.params, parts.spaces)
        objective = self._objective(parts.bytes_per_replicate)
        inhabited = self._inhabited(objective)
        if inhabited is None:
            raise ClaimError(
                f"{claim_at(self.claim.key, self.params)} is nowhere finite (its sides are NaN or infinite, or "
                f"what it assumes is false, on all of {FINITE_TRIES} structured and random inputs); restrict the "
                "quantified sets or guard the formula."
            )
        smooth, discrete = (any(space.smooth is kind for space in objective.spaces) for kind in (True, False))
        coordinates = sum(space.entries for space in objective.spaces if space.smooth)
        return Sets(
            variables=[space.name for space in objective.spaces],
            smooth=smooth,
            discrete=discrete,
            jumps=any(not s.smooth or (isinstance(s, Interval) and s.entries > 1) for s in objective.spaces),
            mixed=(smooth and discrete) or coordinates > MOST_COORDINATES,
            coordinates=coordinates,
            bytes=parts.bytes_per_replicate,
            operations=parts.operations,
            best=inhabited,
        )

    def _inhabited(self, objective: Deterministic) -> list[Instance] | None:
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
        finds = corner_cases(objective, rng, FINITE_TRIES // 8)
        best = finds
        for _ in range(7):
            best = joined([best, random_points(objective, rng, FINITE_TRIES // 8)]).best(KEEP)
        known = best.best(int((best.scores > -math.inf).sum()))
        return [dump(known.values, i) for i in range(len(known.scores))] or None

    def _objective(self, cost: int, clear: float = CLEAR) -> Deterministic:
        spaces, device = self.anatomy.spaces, self.settings.device
        patience = math.ceil(PATIENCE * min(1.0, OPERATIONS / max(self.anatomy.operations, 1)))
        return Deterministic(self.claim, self.params, self.kind, spaces, cost, device, clear, patience)

    def _report(self, objective: Deterministic, finds: Population, accusation: Accusation | None = None) -> Searched:
        best = finds.best(KEEP)
        return Searched(
            best_score=float(best.scores[0]),
            best=[dump(best.values, i) for i in range(len(best.scores))] if best.values else [{}],
            records=[(ratio, decade, dump(values)) for ratio, decade, values in objective.records.entries()],
            suspects=[(rank, dump(values)) for rank, values in objective.suspects],
            evaluations=objective.evaluations,
            nonfinite=objective.nonfinite,
            smallest_rhs=objective.smallest_rhs,
            rounding=(objective.earlier + objective.measurements, objective.usual, objective.largest),
            accusation=accusation,
        )

    def _shrink(self, objective: Deterministic, task: Shrink) -> Shrunk:
        """Simplify, then recompute on the CPU in float64; a violation must exceed its own rounding error there."""
        instance = load([task.instance])
        if task.suspect is not None:
            accusation = self.accuse(instance, calls=FEWER)
            if accusation.stands:  # it was rounding before, so that luck has to be excluded
                accusation = self.accuse(instance, calls=2 * CONFIRMATIONS)
            return Shrunk(accusation=accusation)
        objective.device = "cpu"
        before = float(objective.shares(instance, 1)[0])

        def acceptable(shares: Tensor) -> Tensor:
            return shares >= VISIBLE * before

        rounds = task.rounds if before > 0.0 else 0
        accusation = self.accuse(shrink(objective.spaces, instance, acceptable, objective.shares, rounds))
        if rounds and not accusation.stands:
            accusation = self.accuse(instance)
        return Shrunk(accusation=accusation, best_score=before)

    def accuse(self, instance: Batch, calls: int = CONFIRMATIONS) -> Accusation:
        """What speaks for a violation at one instance, and what against it."""
        return accusation_at(self.claim, self.params, self.anatomy, instance, calls)

    def replay(self, values: Batch) -> Accusation:
        """Both sides at given values, and whether the violation stands."""
        check_instance(self.claim, self.anatomy.spaces, values)
        return self.accuse(values)

    def verdict(self, rows: Sequence[Row]) -> CellVerdict[Searches, Violation]:
        searched = searched_in(rows)
        details = self._details(rows)
        evaluations = sum(data.evaluations for data in searched)
        if standing := next((accusation for accusation in accused_in(rows) if accusation.stands), None):
            return self._refuted(evaluations, standing, details)
        proved = isinstance(details.proof, Proof) and details.proof.c == 1.0
        doubts = (each for each in dropped_in(rows) if each.unclear and not (proved and (each.blurred or each.lucky)))
        if unclear := next(doubts, None):
            where = f" (at {shown(unclear.values)})" if unclear.values else ""
            reason = f"the search saw a violation{where}, but it {unclear.why_dropped}"
            return CellVerdict(self.params, Status.UNDECIDED, evaluations, reason=reason, details=details)
        worst = max((data.closest for data in found(rows, Approach, Settled)), default=0.0)
        smallest = min(data.smallest_rhs for data in searched)
        trivial = self.claim.trivial
        return CellVerdict(
            self.params,
            Status.PROVED if proved else Status.HOLDS,
            trials=evaluations,
            worst_ratio=worst,
            looseness=None if self.kind.two_sided or worst <= 0.0 else 1.0 / worst,
            detectable_factor=None if self.kind.two_sided else worst,
            vacuous=trivial is not None and smallest >= trivial,
            details=details,
        )

    @staticmethod
    def _details(rows: Sequence[Row]) -> Searches:
        return Searches(
            finders={row.task.stage: row.data.best_score for row in rows if isinstance(row.data, Searched)},
            nonfinite=sum(data.nonfinite for data in searched_in(rows)),
            dropped=[accusation.why_dropped for accusation in dropped_in(rows)],
            doubted=next((each.doubted for each in dropped_in(rows) if each.visible), ""),
            proof=next((data.proof for data in found(rows, Prove, Attempt)), None),
        )

    def _refuted(self, evaluations: int, found: Accusation, details: Searches) -> CellVerdict[Searches, Violation]:
        return CellVerdict(
            self.params,
            Status.REFUTED,
            trials=evaluations,
            violations=1,
            worst_ratio=found.lhs / found.rhs if found.rhs > 0.0 else None,
            counterexample=found.violation,
            replay=self.replay_line(found.values),
            details=details,
        )
