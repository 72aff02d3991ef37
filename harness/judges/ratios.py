"""The largest ratio of both sides of a body: searched as a violation is, and clear of rounding."""

import math
from dataclasses import dataclass, field
from itertools import pairwise

import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR, sides_noise
from harness.errors import ClaimError
from harness.judges.base import Data, load
from harness.language.anatomy import Anatomy
from harness.language.evaluation import Sides
from harness.language.kind import Comparison
from harness.language.quantifiers import stream
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.numbers import Instance, claim_at, dump
from harness.search.bfgs import bfgs
from harness.search.cma_es import cma_es
from harness.search.differential_evolution import differential_evolution
from harness.search.local_search import local_search
from harness.search.objective import CONFIRMATIONS, Batch, log_ratio, sides_of
from harness.search.population import Population, joined, scored
from harness.search.starts import corner_cases, float_edge_cases, random_points
from harness.settings import Effort

BELOW = 2000.0  # all scores lie so far below zero, where finders would take them for violations and stop
NOTHING = 1e-290  # a right side below is zero, or has underflowed
SOMETHING = 1e-190  # a left side above is not
FINE = 1e-4  # of a side, which CLEAR times its rounding may be: the largest ratio must not be one of the rounding
INFINITE = 1e100  # a ratio above is infinite: no constant is meant to be so large
GAINED = 0.1  # in log-ratio, beyond what was reached before, from which rounding is measured during the search
LOOKED_AT = (0, 4, 16, 128, 512)  # the best of these have their rounding measured first, then the next
FINAL = 16  # of the finds of each finder, looked at once more at the end


class Ratio(Data, frozen=True, kw_only=True):
    """Both sides where their ratio is largest, zero where no left side is positive; and how many were tried."""

    lhs: float
    rhs: float
    values: Instance
    evaluations: int
    clear: bool = True  # of rounding; otherwise all that was found is rounding

    @property
    def value(self) -> float:
        """lhs/rhs; infinite beyond INFINITE."""
        if self.lhs <= 0.0:
            return 0.0
        ratio = self.lhs / self.rhs if self.rhs >= NOTHING else math.inf
        return math.inf if ratio > INFINITE else ratio


@dataclass
class RatioObjective:
    """The logarithm of lhs/rhs for the finders: as high as rounding vouches for, and never a goal to stop at."""

    claim: Claim
    params: Parameters
    kind: Comparison
    spaces: tuple[Space, ...]
    bytes_per_instance: int
    differentiable: bool = True
    evaluations: int = 0
    reached: float = -math.inf  # the largest log-ratio that is clear of rounding
    champion: Batch = field(default_factory=dict)  # the instance there

    def sides(self, values: Batch, batch: int) -> Sides:
        """Both sides, evaluated in chunks that fit the memory cap."""
        return sides_of(self.claim, self.params, values, batch, bytes_each=self.bytes_per_instance)

    def scores(self, values: Batch, batch: int) -> Tensor:
        sides = self.sides(values, batch)
        self.evaluations += batch
        found = heights(sides, self.kind)
        plain = Sides(sides.lhs.detach(), sides.rhs.detach())
        return torch.where(self._doubtful(values, plain, found.detach()), -torch.inf, found) - BELOW

    log_ratios = scores

    def _doubtful(self, values: Batch, sides: Sides, found: Tensor) -> Tensor:
        """Which of the instances that go beyond what was reached are rounding; the others of these are let pass."""
        beyond = torch.nonzero(found > self.reached + GAINED).squeeze(-1)
        doubtful = torch.zeros(len(found), dtype=torch.bool)
        order = beyond[torch.argsort(found[beyond], descending=True, stable=True)]
        at = self.first_clear({n: v[order] for n, v in values.items()}, Sides(sides.lhs[order], sides.rhs[order]), 1)
        doubtful[order[:at] if at is not None else order] = True
        if at is not None:
            self.reached = float(found[order[at]])
            self.champion = {name: value[order[at] : order[at] + 1].detach().clone() for name, value in values.items()}
        return doubtful

    def first_clear(self, values: Batch, sides: Sides, calls: int) -> int | None:
        """The place of the first instance that is clear of rounding, of those that are looked at."""
        for start, stop in pairwise(LOOKED_AT):
            some = slice(start, stop)
            own = Sides(sides.lhs[some], sides.rhs[some])
            if not len(own.lhs):
                return None
            clear = self.clear({name: value[some] for name, value in values.items()}, own, calls)
            if bool(clear.any()):
                return start + int(clear.double().argmax())
        return None

    def clear(self, values: Batch, sides: Sides, calls: int) -> Tensor:
        """Where both sides exceed their measured rounding by far.

        Raises ClaimError where the right side is negative beyond rounding.
        """
        noise = sides_noise(self.claim, self.params, self.spaces, values, sides, calls=calls)
        negative = (sides.rhs < 0.0) & (-sides.rhs > CLEAR * noise.rhs)
        if bool(negative.any()):
            raise ClaimError(
                f"{claim_at(self.claim.key, self.params)}: its right side is {float(sides.rhs[negative][0]):.6g}; up "
                "to a constant only a right side that is never negative means anything."
            )
        return (CLEAR * noise.lhs <= FINE * sides.lhs.abs()) & (CLEAR * noise.rhs <= FINE * sides.rhs)


def heights(sides: Sides, kind: Comparison) -> Tensor:
    """log(lhs/rhs); -inf where a side is not finite, or both are nothing but underflow."""
    rhs = torch.where(sides.rhs < NOTHING, 0.0 * sides.rhs, sides.rhs)
    found = log_ratio(Sides(sides.lhs, rhs), kind)
    return torch.where((rhs == 0.0) & (sides.lhs > 0.0) & (sides.lhs < SOMETHING), -torch.inf, found)


def largest_ratio(  # noqa: PLR0917
    claim: Claim, params: Parameters, kind: Comparison, anatomy: Anatomy, effort: Effort, key: tuple[object, ...]
) -> Ratio:
    """Where lhs/rhs is largest, by every finder in turn; `key` names the randomness of the search."""
    objective = RatioObjective(claim, params, kind, anatomy.spaces, anatomy.bytes_per_replicate)
    if not anatomy.spaces:
        sides = objective.sides({}, 1)
        _check_finite(claim, params, sides)
        if not bool(objective.clear({}, sides, CONFIRMATIONS)[0]):
            return Ratio(lhs=0.0, rhs=0.0, values={}, evaluations=1, clear=False)
        return Ratio(lhs=float(sides.lhs[0]), rhs=float(sides.rhs[0]), values={}, evaluations=1)
    pool = _searched(objective, effort, key)
    _check_finite(claim, params, objective.sides(pool.values, len(pool.scores)))
    some = pool.take(pool.scores > -math.inf).best(len(pool.scores))
    with torch.no_grad():
        sides = objective.sides(some.values, len(some.scores))
    if len(some.scores) and float(sides.lhs[0]) <= 0.0:  # what is not positive ranks last
        return Ratio(lhs=0.0, rhs=0.0, values={}, evaluations=objective.evaluations)
    at = objective.first_clear(some.values, sides, CONFIRMATIONS)
    if at is None:
        return Ratio(lhs=0.0, rhs=0.0, values={}, evaluations=objective.evaluations, clear=False)
    lhs, rhs = float(sides.lhs[at]), float(sides.rhs[at])
    return Ratio(lhs=lhs, rhs=rhs, values=dump(some.values, at), evaluations=objective.evaluations)


def ratio_at(claim: Claim, params: Parameters, kind: Comparison, anatomy: Anatomy, values: Instance) -> Ratio:
    """Both sides at given values; no ratio where it is rounding."""
    objective = RatioObjective(claim, params, kind, anatomy.spaces, anatomy.bytes_per_replicate)
    batch = load([values]) if values else {}
    sides = objective.sides(batch, 1)
    clear = bool(objective.clear(batch, sides, CONFIRMATIONS)[0])
    lhs, rhs = float(sides.lhs[0]), float(sides.rhs[0])
    return Ratio(lhs=lhs if clear else 0.0, rhs=rhs, values=values, evaluations=1, clear=clear)


def _check_finite(claim: Claim, params: Parameters, sides: Sides) -> None:
    if not bool(torch.isfinite(sides.lhs + sides.rhs).any()):
        raise ClaimError(
            f"{claim_at(claim.key, params)} is nowhere finite; restrict the quantified sets or guard the formula."
        )


def _searched(objective: RatioObjective, effort: Effort, key: tuple[object, ...]) -> Population:
    """The finds of every finder, each from the most promising basins of those before it."""
    spaces = objective.spaces
    starts = [
        corner_cases(objective, stream(*key, "corner_cases"), effort.hard),
        float_edge_cases(objective, stream(*key, "float_edge_cases"), effort.hard),
        random_points(objective, stream(*key, "random_points"), effort.random),
    ]
    pool = joined(starts)
    climbers = pool.niches(effort.starts, spaces)
    if any(space.smooth for space in spaces):
        climbers = bfgs(objective, climbers, effort.steps)
    members = joined([climbers, pool.niches(effort.population, spaces)])
    evolved = differential_evolution(objective, stream(*key, "evolution"), members, effort.generations)
    evolved = local_search(objective, stream(*key, "local_search"), evolved, effort.generations, effort.population)
    evolved = cma_es(objective, stream(*key, "cma_es"), evolved, effort.generations, effort.population)
    again = [] if not any(space.smooth for space in spaces) else [bfgs(objective, evolved.best(4), effort.steps)]
    known = [scored(objective, objective.champion, 1)] if objective.champion else []
    best = joined([pool.best(FINAL), climbers, evolved.best(FINAL), *again, *known])
    return scored(objective, best.values, len(best.scores))
