"""Joint instances with structure: relations across variables, patterns along an axis, scales of a whole variable.

A set knows its own corners; what no set can know alone is that x = y, that y is x sorted, or that losses alternate.
"""

import numpy as np
import torch
from torch import Tensor

from harness.language.spaces import (
    Ball,
    Choice,
    Integers,
    Interval,
    PositiveSemidefinite,
    Rng,
    Signs,
    Simplex,
    Space,
    tensor,
)
from harness.search.objective import Batch

RELATED, PATTERNED, SCALED, SPARSE = 0.35, 0.35, 0.35, 0.25  # shares of the instances that get each of these
RAREST = 6.0  # decades below 1 of the probability that rare atoms share
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


def thin(spaces: tuple[Space, ...], rng: Rng, batch: int) -> Batch:
    """Joint instances that are simple but for one small number, which the batch spreads evenly over RAREST decades.

    Where extremal laws are: an atom of that probability, all entries at that distance from an end.
    """
    small = 10.0 ** -(RAREST * (rng.permutation(batch) + rng.random(batch)) / batch)
    values = {space.name: _thin(space, rng, small) for space in spaces}
    for one, other in ((one, other) for one in spaces for other in spaces if one is not other):
        if isinstance(one, Simplex) and isinstance(other, Interval) and one.shape == other.shape:
            low, high = _ends(other)
            likeliest = values[one.name] == values[one.name].amax(-1, keepdim=True)
            either = tensor(rng.random((batch, *(1 for _ in one.shape)))) < 0.5
            values[other.name] = low + (high - low) * (likeliest == either).to(torch.float64)
    return values


def _thin(space: Space, rng: Rng, small: np.ndarray) -> Tensor:
    """Elements of one set that are a corner, or at a small distance from one."""
    corners, column = space.corners(rng, len(small)), (len(small), *(1 for _ in space.shape))
    if isinstance(space, Simplex):
        ranks = rng.random((len(small), *space.shape)).argsort(-1)
        return space.project(tensor(_one_and_rare(ranks, rng.integers(1, 3, column), small.reshape(column))))
    if not isinstance(space, Interval | Integers):
        return corners
    distance = space.size * small.reshape(column)
    near = np.where(rng.random(column) < 0.5, space.low + distance, space.high - distance) * np.ones(space.shape)
    return torch.where(torch.as_tensor(rng.random(column) < 0.25), corners, space.project(tensor(near)))


def _pattern(space: Space, rng: Rng, x: Tensor) -> Tensor:
    """Two values alternating along an axis, as a chessboard, in halves, one row against the others; or a ramp."""
    if not space.shape or isinstance(space, PositiveSemidefinite):
        return x
    low, high = _ends(space)
    batch, column = len(x), (len(x), *(1 for _ in space.shape))

    def whole(below: np.ndarray | int) -> np.ndarray:
        return np.floor(rng.random(batch) * below).astype(int)

    axis = whole(len(space.shape))
    length = np.array(space.shape)[axis]
    period = np.stack([np.full(batch, k) for k in (1, 1, 1, 2, 3)] + [np.maximum(length // 2, 1)])
    period = period[whole(len(period)), np.arange(batch)].reshape(column)
    phase, cut, place, form = (whole(n).reshape(column) for n in (2, length, length, 4))
    grid = np.indices(space.shape)
    along = grid[axis]
    second = np.choose(form, [along // period % 2, grid.sum(0) // period % 2, along <= cut, along == place]) != phase
    ends = np.where(rng.random((2, batch)) < 0.3, rng.uniform(low, high, (2, batch)), [[low], [high]])
    two = np.where(second, ends[1].reshape(column), ends[0].reshape(column))
    ramp = along / np.maximum(length - 1, 1).reshape(column)
    ramp = low + (high - low) * np.where(phase == 1, ramp, 1.0 - ramp)
    return space.project(tensor(np.where((rng.random(batch) < 0.15).reshape(column), ramp, two)))


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
    as_they_are = rng.random((len(x), *(1 for _ in space.shape))) < 0.5
    if isinstance(space, Simplex):
        entries = np.where(as_they_are, _rare(rng, ranks, count), kept / count)
    else:
        size = space.size if isinstance(space, Interval) else space.radius if isinstance(space, Ball) else 1.0
        equal = rng.choice([-1.0, 1.0], kept.shape) * size / np.sqrt(count)
        entries = np.where(kept, np.where(as_they_are, x.numpy(), equal), 0.0)
    return space.project(tensor(entries))


def _rare(rng: Rng, ranks: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Probability vectors of one likely atom, and a few others that share what is left, down to one in a million."""
    return _one_and_rare(ranks, count, 10.0 ** -rng.uniform(0.0, RAREST, count.shape))


def _one_and_rare(ranks: np.ndarray, count: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """One atom, and `count` others that share `rest`."""
    return np.where(ranks == 0, 1.0 - rest, rest * ((ranks > 0) & (ranks <= count)) / count)


def _spectrum(space: PositiveSemidefinite, rng: Rng, batch: int) -> Tensor:
    """Matrices of given spectrum: one large and equal others, low rank, clusters, powers; in some basis."""
    n = space.shape[-1]
    order = np.arange(n)
    small = 10.0 ** -rng.uniform(0.0, 8.0, (batch, 1))
    rank, power = rng.integers(1, n + 1, (batch, 1)), rng.uniform(0.5, 3.0, (batch, 1))
    spectra = [
        np.where(order == 0, 1.0, small),
        np.where(order < rank, 1.0, 0.0),
        np.where(order < rank, 1.0, small),
        small ** (order / max(n - 1, 1)),
        1.0 / (1.0 + order) ** power,
    ]
    spectrum = np.stack(spectra)[rng.integers(0, len(spectra), batch), np.arange(batch)]
    basis = np.linalg.qr(rng.standard_normal((batch, n, n)))[0]
    basis = np.where(rng.random((batch, 1, 1)) < 0.3, np.eye(n), basis)
    if space.trace is None:
        spectrum = spectrum * 10.0 ** rng.uniform(-4.0, 2.0, (batch, 1))
    return space.project(tensor((basis * spectrum[:, None, :]) @ basis.transpose(0, 2, 1)))


def _scaled(space: Space, rng: Rng, x: Tensor) -> Tensor:
    """The whole variable scaled down, by up to SMALLEST_SCALE decades, or by ten times as many; integers to the low."""
    if isinstance(space, Integers):
        decades = rng.uniform(0.0, np.log10(space.size + 1.0), (len(x), *(1 for _ in space.shape)))
        return space.project(space.low + (x - space.low) * tensor(10.0**-decades))
    if not space.smooth or isinstance(space, Simplex) or (isinstance(space, Ball) and space.surface):
        return x
    column = (len(x), *(1 for _ in space.shape))
    decades = rng.uniform(0.0, SMALLEST_SCALE, column) * np.where(rng.random(column) < 0.15, 10.0, 1.0)
    return space.project(x * tensor(10.0**-decades))


def rescaled(space: Space, rng: Rng, x: Tensor) -> Tensor:
    """Whole variables closer to zero, or farther from it, by a factor of up to four."""
    return multiplied(space, tensor(4.0 ** rng.uniform(-1.0, 1.0, (len(x), *(1 for _ in space.shape)))), x)


def multiplied(space: Space, factor: Tensor | float, x: Tensor) -> Tensor:
    """Whole variables times a factor, in their set; of weights all but the largest."""
    if not isinstance(space, Simplex):
        return space.project(factor * x)
    likeliest = x == x.amax(-1, keepdim=True)
    others = torch.where(likeliest, 0.0, factor * x)
    left = (1.0 - others.sum(-1, keepdim=True)).clamp_min(0.0) / likeliest.sum(-1, keepdim=True)
    return space.project(torch.where(likeliest, left, others))


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
    if isinstance(one, Simplex) and x.ndim > 1:  # the law of one likely value and one rare, either way
        low, high = _ends(other)
        likeliest = x == x.amax(-1, keepdim=True)
        candidates += 3 * [low + (high - low) * (~likeliest).to(x), low + (high - low) * likeliest.to(x)]
    pick = torch.as_tensor(rng.integers(0, len(candidates), len(x)))
    return other.project(torch.stack(candidates)[pick, torch.arange(len(x))])
