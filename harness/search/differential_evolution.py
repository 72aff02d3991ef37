"""Differential evolution (Storn and Price 1997) with local moves, on mixed sets."""

import torch

from harness.language.spaces import Integers, Rng
from harness.search.objective import Batch, Objective
from harness.search.population import GAIN, Population, column
from harness.search.structure import rescaled, structured

BARREN = 30  # generations in which no member gains


def differential_evolution(objective: Objective, rng: Rng, parents: Population, generations: int) -> Population:
    """Differential evolution with local moves: needs no gradient and changes integers and signs too."""
    values, best = dict(parents.values), parents.scores.clone()
    size = len(best)
    idle = 0
    for generation in range(generations):
        if idle >= BARREN:
            break
        scale = 10.0 ** -rng.uniform(0.0, 1.0 + 3.0 * generation / max(generations, 1))
        mates = rng.integers(0, size, (3, size))
        child: Batch = {}
        for space in objective.spaces:
            value = values[space.name]
            numbers = isinstance(space, Integers) or space.smooth
            move = rng.random()
            if numbers and move < 0.5:
                weight = float(rng.uniform(0.2, 1.0)) if space.smooth else 1.0
                child[space.name] = space.project(value[mates[0]] + weight * (value[mates[1]] - value[mates[2]]))
            elif space.smooth and move < 0.65:
                child[space.name] = rescaled(space, rng, value)
            else:
                child[space.name] = space.perturb(value, rng, scale)
            keep = column(torch.as_tensor(rng.random(size) < 0.3), value)
            child[space.name] = torch.where(keep, value, child[space.name])
        if generation % 4 == 3:
            child = structured(objective.spaces, rng, child)
        with torch.no_grad():
            found = objective.scores(child, size)
        better = found > best
        idle = 0 if bool((found > best + GAIN).any()) else idle + 1
        values = {name: torch.where(column(better, value), child[name], value) for name, value in values.items()}
        best = torch.where(better, found, best)
    return Population(values, best)
