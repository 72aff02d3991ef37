"""Joint instances with structure: relations across variables, patterns along an axis, scales of a whole variable.

A set knows its own corners; what no set can know alone is that x = y, that y is x sorted, or that losses alternate.
"""

import numpy as np
import torch
from torch import Tensor

from harness.search.objective import Batch
from harness.spaces import Ball, Choice, Integers, Interval, PositiveSemidefinite, Rng, Signs, Simplex, Space, tensor

RELATED, PATTERNED, SCALED, SPARSE = 0.35, 0.35, 0.35, 0.25  # shares of the instances that get each of these
SMALLEST_SCALE = 12.0  # decades below the size of a set; for some instances ten times as many


def structured(spaces: tuple[Space, ...], rng: Rng, values: Batch) -> Batch:
    """Some instances of a batch given patterns, sparse or equal entries, scales and relations; the rest as they are."""
    result = {name: value.clone() for name, value in values.items()}
    batch = len(next(iter(result.values())))
    for space in spaces:
        value = result[space.name]
        for share, change in ((PATTERNED, _pattern), (SPARSE, _sparse), (SCALED, _scaled)):
            rows = torch.as_tensor(np.flatnonzero(rng.random(batch) < share))
            if len(rows) and not isinstance(space, Choice):
                value[rows] = change(space, rng, value[rows])
    for rows, one, other in _pairs(spaces, rng, batch):
        result[other.name][rows] = _relation(rng, one, other, result[one.name][rows], result[other.name][rows])
    return result


def _pattern(space: Space, rng: Rng, x: Tensor) -> Tensor:
    """Two values alternating along an axis, as a chessboard, in halves, one row against the others; or a ramp."""
    if not space.shape or isinstance(space, PositiveSemidefinite):
        return x
    low, high = _ends(space)
    grid = np.indices(space.shape)
    rows = []
    for _ in range(len(x)):
        axis = int(rng.integers(len(space.shape)))
        along, phase = grid[axis], int(rng.integers(2))
        period = int(rng.choice([1, 1, 1, 2, 3, max(space.shape[axis] // 2, 1)]))
        shapes = [
            (along // period + phase) % 2,
            (grid.sum(0) // period + phase) % 2,
            (along < rng.integers(1, space.shape[axis] + 1)).astype(int) ^ phase,
            (along == rng.integers(space.shape[axis])).astype(int) ^ phase,
        ]
        if rng.random() < 0.15:
            ramp = along / max(space.shape[axis] - 1, 1)
            rows.append(low + (high - low) * (ramp if phase else 1.0 - ramp))
            continue
        first, second = (low, high) if rng.random() < 0.7 else tuple(rng.uniform(low, high, 2))
        rows.append(np.where(shapes[int(rng.integers(len(shapes)))] == 1, second, first))
    return space.project(tensor(np.stack(rows)))


def _ends(space: Space) -> tuple[float, float]:
    if isinstance(space, Interval | Integers):
        return float(space.low), float(space.high)
    if isinstance(space, Ball):
        return -space.radius, space.radius
    return (-1.0, 1.0) if isinstance(space, Signs) else (0.0, 1.0)


def _sparse(space: Space, rng: Rng, x: Tensor) -> Tensor:
    """A few entries of equal size, with signs where the set has them, the others zero; spectra alike for matrices."""
    if isinstance(space, PositiveSemidefinite):
        return _spectrum(space, rng, len(x))
    if not space.shape or isinstance(space, Signs | Integers):
        return x
    k = space.shape[-1]
    count = np.minimum(np.floor(np.exp(rng.random((len(x), *space.shape[:-1], 1)) * np.log(k + 1.0))), k)
    ranks = rng.random((len(x), *space.shape)).argsort(-1)
    kept = ranks < count
    signs = 1.0 if isinstance(space, Simplex) else rng.choice([-1.0, 1.0], kept.shape)
    if rng.random() < 0.5:
        return space.project(torch.where(torch.as_tensor(kept), x, 0.0))
    size = space.size if isinstance(space, Interval) else space.radius if isinstance(space, Ball) else 1.0
    return space.project(tensor(np.where(kept, signs * size / np.sqrt(count), 0.0)))


def _spectrum(space: PositiveSemidefinite, rng: Rng, batch: int) -> Tensor:
    """Matrices of given spectrum: one large and equal others, low rank, clusters, powers; in some basis."""
    n = space.shape[-1]
    rows = []
    for _ in range(batch):
        small, rank = 10.0 ** -rng.uniform(0.0, 8.0), int(rng.integers(1, n + 1))
        spectra = [
            np.where(np.arange(n) == 0, 1.0, small),
            (np.arange(n) < rank).astype(float),
            np.where(np.arange(n) < rank, 1.0, small),
            small ** (np.arange(n) / max(n - 1, 1)),
            1.0 / (1.0 + np.arange(n)) ** rng.uniform(0.5, 3.0),
        ]
        basis = np.eye(n) if rng.random() < 0.3 else np.linalg.qr(rng.standard_normal((n, n)))[0]
        scale = 1.0 if space.trace is not None else 10.0 ** rng.uniform(-4.0, 2.0)
        rows.append(scale * (basis * spectra[int(rng.integers(len(spectra)))]) @ basis.T)
    return space.project(tensor(np.stack(rows)))


def _scaled(space: Space, rng: Rng, x: Tensor) -> Tensor:
    """The whole variable scaled down, by up to SMALLEST_SCALE decades, or by ten times as many."""
    if not space.smooth or isinstance(space, Simplex) or (isinstance(space, Ball) and space.surface):
        return x
    column = (len(x), *(1 for _ in space.shape))
    decades = rng.uniform(0.0, SMALLEST_SCALE, column) * np.where(rng.random(column) < 0.15, 10.0, 1.0)
    return space.project(x * tensor(10.0**-decades))


def _pairs(spaces: tuple[Space, ...], rng: Rng, batch: int) -> list[tuple[Tensor, Space, Space]]:
    """For some instances, two variables whose entries can stand for each other."""
    able = [space for space in spaces if not isinstance(space, Choice | PositiveSemidefinite)]
    pairs = [(one, other) for one in able for other in able if one is not other and one.entries == other.entries]
    if not pairs:
        return []
    chosen = np.where(rng.random(batch) < RELATED, rng.integers(0, len(pairs), batch), -1)
    return [
        (torch.as_tensor(np.flatnonzero(chosen == i)), one, other)
        for i, (one, other) in enumerate(pairs)
        if (chosen == i).any()
    ]


def _relation(rng: Rng, one: Space, other: Space, x: Tensor, y: Tensor) -> Tensor:
    """The second variable as a function of the first: equal, opposite, reversed, sorted, or equal but for one entry."""
    x = x.reshape(len(x), *other.shape)
    candidates = [x, -x, x, x]
    if x.ndim > 1:
        ordered = x.sort(dim=-1).values
        last = x.clone()
        last[..., -1] = y[..., -1]
        candidates += [x.flip(-1), ordered, ordered.flip(-1), last]
        candidates.append(x[..., torch.as_tensor(rng.permutation(x.shape[-1]))])
    if isinstance(one, Interval) and isinstance(other, Interval):
        candidates.append(one.low + one.high - x)
    pick = torch.as_tensor(rng.integers(0, len(candidates), len(x)))
    mixed = torch.stack([candidates[int(k)][i] for i, k in enumerate(pick)])
    return other.project(mixed)
