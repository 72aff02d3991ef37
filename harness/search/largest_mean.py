"""The distribution under which the mean of a quantity is largest."""

import math
from typing import NamedTuple

import numpy as np

from harness.language.anatomy import Anatomy
from harness.language.quantifiers import stream
from harness.language.registry import Claim, Parameters
from harness.search.distributions import DistributionObjective, Sample, Statistic, Usual, fitting
from harness.search.objective import Batch
from harness.search.population import Population, joined, scored
from harness.search.race import FINAL, final, race
from harness.search.starts import first_laws

REPLICATES = 509  # of each distribution at the first heat


class Largest(NamedTuple):
    """Where the mean was largest, and after how many distributions."""

    values: Batch
    tried: int


class Search(NamedTuple):
    """How many distributions a search begins with, and how many steps it goes on for."""

    laws: int
    steps: int


def largest_mean(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    parts: Anatomy,
    starts: Batch,
    search: Search,
    key: tuple[object, ...],
    device: str,
) -> Largest:
    """Race for the distribution with the largest mean of a rate's quantity; `starts` are in the race from the start.

    The winner is noisy, and its mean biased: it has to be measured on fresh draws.
    """
    together, usual = fitting(parts.bytes_per_replicate), Usual()

    def law(stage: str, scale: int = 1, statistic: Statistic | None = None) -> DistributionObjective:
        reps = min(together, REPLICATES) * scale
        climbed = statistic or _mean
        return DistributionObjective(
            claim, params, parts.spaces, reps, (*key, stage), climbed, device, math.inf, together, usual=usual
        )

    objective, rng = law("laws"), stream(*key, "instances")
    pool = first_laws(objective, rng, search.laws, anywhere=search.laws)
    if starts:
        pool.append(scored(objective, starts, len(next(iter(starts.values())))))
    finalists = race(law, objective, rng, joined(pool).distinct(), search.steps)
    best: Population = final(law("select", FINAL), finalists)
    return Largest(best.values, objective.evaluations)


def _mean(sample: Sample) -> float:
    return float(np.average(sample.lhs, weights=sample.weights)) if sample.finite.all() else -math.inf
