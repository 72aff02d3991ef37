"""Where a search begins: corners of every set, rare laws, edge cases of floating point, points all over the sets."""

import numpy as np
import torch
from torch import Tensor
from torch.quasirandom import SobolEngine

from harness.language.spaces import Choice, Interval, Rng, Space, axes_of, tensor
from harness.search.objective import Batch, Objective
from harness.search.population import Population, scored
from harness.search.structure import structured, thin

_TINY = (1e-300, 1e-200, 1e-154, 1e-120, 1e-77, 1e-40, 1e-20, 2.0**-53, 1e-12, 1e-8, 1e-4)
_PLAIN = (0.0, 0.1, 1.0 / 3.0, 0.5, 1.0 - 2.0**-53, 1.0, 1.0 + 2.0**-52, 2.0, 10.0)
AWKWARD = np.array([*_TINY, *_PLAIN, 1e8, 1e16, 1e77, 1e154])


def corner_cases(objective: Objective, rng: Rng, count: int) -> Population:
    """Structured instances; every hand-written choice meets several of them."""
    options = max((len(s.options) for s in objective.spaces if isinstance(s, Choice)), default=1)
    batch = max(count, options)
    values = {space.name: space.corners(rng, batch) for space in objective.spaces}
    half = batch // 2
    drawn = {space.name: space.sample(rng, batch - half) for space in objective.spaces}
    related = structured(objective.spaces, rng, drawn)
    for space in objective.spaces:
        keep = half if not isinstance(space, Choice) else batch
        values[space.name] = torch.cat([values[space.name][:keep], related[space.name][: batch - keep]])
    return scored(objective, values, batch)


def rare_cases(objective: Objective, rng: Rng, count: int) -> Population:
    """Simple instances with one small number each, of every order of magnitude."""
    return scored(objective, thin(objective.spaces, rng, count), count)


def first_laws(objective: Objective, rng: Rng, count: int, *, anywhere: int) -> list[Population]:
    """What a race of distributions begins with: corners, rare laws, and some anywhere in the sets."""
    return [
        corner_cases(objective, rng, max(count // 3, 16)),
        rare_cases(objective, rng, count // 4),
        random_points(objective, rng, anywhere),
    ]


def float_edge_cases(objective: Objective, rng: Rng, count: int) -> Population:
    """Edge cases of floating point: a few awkward numbers per instance, repeated over its entries.

    Squares that underflow, differences that cancel, near ties, signed zeros: where algorithms leave the real numbers.
    """
    values = {space.name: _awkward(space, rng, count) for space in objective.spaces}
    return scored(objective, values, count)


def _awkward(space: Space, rng: Rng, count: int) -> Tensor:
    if not space.smooth:
        return space.sample(rng, count)
    palette = rng.choice(AWKWARD, (count, 3)) * rng.choice([-1.0, 1.0], (count, 3))
    anchors = [0.0, 0.0, space.low, space.high] if isinstance(space, Interval) else [0.0]
    palette = palette + rng.choice(anchors, (count, 1))
    pick = rng.integers(0, rng.integers(1, 4, (count, 1)), (count, space.entries))  # one, two or three of them
    return space.project(tensor(np.take_along_axis(palette, pick, axis=1)).reshape(count, *space.shape))


def random_points(objective: Objective, rng: Rng, count: int) -> Population:
    """Half low-discrepancy points, half a mixture of scales, of which some are structured."""
    even = count // 2
    values = low_discrepancy(objective.spaces, rng, even)
    mixed = structured(objective.spaces, rng, {s.name: s.sample(rng, count - even) for s in objective.spaces})
    return scored(objective, {name: torch.cat([values[name], mixed[name]]) for name in values}, count)


def low_discrepancy(spaces: tuple[Space, ...], rng: Rng, count: int) -> Batch:
    """Scrambled Sobol points mapped to the joint set; plain random points beyond 64 coordinates."""
    dimension = sum(space.dimension for space in spaces)
    if 0 < dimension <= 64:
        engine = SobolEngine(dimension, scramble=True, seed=int(rng.integers(2**63)))  # type: ignore[no-untyped-call]
        cube = engine.draw(count, dtype=torch.float64).numpy()
    else:
        cube = rng.random((count, dimension))
    return {space.name: space.from_unit(cube[:, axis]) for space, axis in axes_of(spaces)}
