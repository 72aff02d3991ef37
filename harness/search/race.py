"""Races of distributions: many at few replicates, the best of them at more, each heat on other randomness."""

import math
from collections.abc import Iterable
from typing import Protocol

from harness.language.spaces import Rng, Space
from harness.search.cma_es import cma_es
from harness.search.differential_evolution import differential_evolution
from harness.search.distributions import DistributionObjective, Statistic
from harness.search.local_search import local_search
from harness.search.population import Population, joined, scored

FINALISTS = 8
HEAT, MORE = 12, 4  # how many laws go on to the second heat, and with how many times the replicates
SEATS, APART = 4, 0.25  # of these for laws far from each other, in sizes of the sets: nearby ones share their luck
FINAL, LAST = 16, 3  # times the replicates of the last heat, and its laws
NEIGHBOURS = 16  # of a discrete distribution, per step
FEWEST, OFFSPRING = 6, 12  # of a continuous one: of one coordinate, and of many
ADAPTATIONS = 3  # generations per step


class Law(Protocol):
    """Makes the objective of a stage: its randomness, how many times the replicates, and what is climbed."""

    def __call__(self, stage: str, scale: int = 1, statistic: Statistic | None = None) -> DistributionObjective: ...


def heat(objective: DistributionObjective, pool: Population) -> Population:
    """The same distributions, scored again."""
    return scored(objective, pool.values, len(pool.scores))


def final(objective: DistributionObjective, pool: Population, above: float = -math.inf) -> Population:
    """The winner, with its rounding measured if it scores `above` what is known."""
    return objective.champion(pool.values, len(pool.scores), above)


def race(law: Law, objective: DistributionObjective, rng: Rng, pool: Population, steps: int) -> Population:
    """The finalists: of the best, of those near them, and of some far apart, what is best on other randomness."""
    apart = pool.apart(SEATS, objective.spaces, APART)
    pool = pool.best(HEAT - SEATS)
    if steps:
        pool = joined([pool, _refine(objective, rng, pool.best(FINALISTS), steps)])
    pool = joined([pool, apart]).distinct()
    return heat(law("heat", MORE, objective.statistic), pool).best(LAST)


def _refine(objective: DistributionObjective, rng: Rng, pool: Population, steps: int) -> Population:
    """Worse distributions near the worst ones: whole populations, then discrete entries, then continuous ones.

    The search looks for the worst distribution, not for the first bad one, so that it has no goal to stop at.
    """
    pool = differential_evolution(objective, rng, pool, steps)
    pool = local_search(objective, rng, pool, steps, NEIGHBOURS, climbers=1, goal=math.inf)
    pool = cma_es(objective, rng, pool, ADAPTATIONS * steps, _offspring(objective.spaces), goal=math.inf)
    return pool.best(FINALISTS)


def _offspring(spaces: Iterable[Space]) -> int:
    """Hansen's 4 + 3 log(coordinates) and two more, since scores are noisy."""
    coordinates = sum(space.entries for space in spaces if space.smooth)
    return min(FEWEST + int(3.0 * math.log(max(coordinates, 1))), OFFSPRING)
