"""The edge of what a claim assumes: where the worst instance lies more often than not, and a search from inside ends.

An instance scores -inf where its sides are not numbers, or what is assumed is false. A move that leads there is cut
short at the edge; one that stays inside goes on, in some of its variables, towards an instance outside.
"""

import torch
from torch import Tensor

from harness.language.spaces import Rng, Space
from harness.search.objective import Batch, Confined
from harness.search.population import Population, joined, scored

OUTSIDE = 0.1  # of the instances that a search begins with: fewer outside are no reason to look for an edge
HALVINGS = 7  # of the way from inside to outside
ELITES, APART = 8, 0.1  # best instances that moves start from, as many others, and how far these are apart, in sizes
DECADES = 2.5  # of the sizes of moves, from the size of the set down


def at_the_edge(objective: Confined, rng: Rng, pool: Population, moves: int, *, at_once: int = 4) -> Population:
    """The pool, and what so many moves lead to at the edge; the pool alone where too few are outside."""
    inside = torch.isfinite(pool.scores)
    smooth = [space for space in objective.spaces if space.smooth]
    if not smooth or not bool(inside.any()) or float((~inside).double().mean()) < OUTSIDE:
        return pool
    outer, best = pool.take(~inside), _elites(objective.spaces, pool.take(inside).distinct())
    for _ in range(moves // at_once):
        best = _elites(objective.spaces, joined([best, _moved(objective, rng, best, outer, at_once)]).distinct())
    return joined([pool, best])


def _elites(spaces: tuple[Space, ...], pool: Population) -> Population:
    """The best, and the best that are far from each other: one basin must not hide the others."""
    return joined([pool.best(ELITES), pool.apart(ELITES, spaces, APART)]).distinct()


def _moved(objective: Confined, rng: Rng, best: Population, outer: Population, moves: int) -> Population:
    """Moves of the best instances, each as far as the edge."""
    start = best.take(torch.as_tensor(rng.integers(0, len(best.scores), moves))).values
    far = outer.take(torch.as_tensor(rng.integers(0, len(outer.scores), moves))).values
    child = {space.name: _near(space, start[space.name], rng) for space in objective.spaces}
    stays = objective.inside(child, moves)
    from_, to = {}, {}
    for space in objective.spaces:
        name = space.name
        goes = torch.as_tensor(rng.random(moves) < 0.5) & space.smooth  # in some of its variables
        onwards = torch.where(_beside(goes, child[name]), far[name], child[name])
        from_[name] = torch.where(_beside(stays, child[name]), child[name], start[name])
        to[name] = torch.where(_beside(stays, child[name]), onwards, child[name])
    return scored(objective, _cut(objective, from_, to, moves), moves)


def _near(space: Space, x: Tensor, rng: Rng) -> Tensor:
    """Moves of random sizes, half of which leave this variable alone."""
    moved = torch.cat([space.perturb(row[None], rng, float(10.0 ** -rng.uniform(0.0, DECADES))) for row in x])
    return torch.where(_beside(torch.as_tensor(rng.random(len(x)) < 0.5), x), moved, x)


def _cut(objective: Confined, from_: Batch, to: Batch, moves: int) -> Batch:
    """The last instance inside that halving finds on each way; its end, where that is inside."""
    low, high = torch.zeros(moves, dtype=torch.float64), torch.ones(moves, dtype=torch.float64)
    low = torch.where(objective.inside(to, moves), high, low)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        inside = objective.inside(_between(objective.spaces, from_, to, middle), moves)
        low, high = torch.where(inside, middle, low), torch.where(inside, high, middle)
    return _between(objective.spaces, from_, to, low)


def _between(spaces: tuple[Space, ...], from_: Batch, to: Batch, share: Tensor) -> Batch:
    """Instances so far along the ways; what takes single values alone stays."""
    found = {}
    for space in spaces:
        first, last = from_[space.name], to[space.name]
        way = _beside(share, first)
        along = space.project(first + way * (last - first)) if space.smooth else first
        found[space.name] = torch.where(way <= 0.0, first, along)
    return found


def _beside(values: Tensor, like: Tensor) -> Tensor:
    return values.reshape(-1, *(1 for _ in like.shape[1:]))
