"""The chi-square ball for one large vector on the CPU without gradients: a sort and a few passes in cache.

The same solution as the general one of `algos.divergence_ball.exact`, whose passes over large fresh arrays cost several
times the sort. Sums run over blocks of the sorted depths that stay in a second-level cache, and are of non-negative
terms only, so that nothing cancels.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from signatures.tensors import watched

_SMALLEST = 4096
"""Entries from which the passes weigh more than the calls."""
_BLOCK = 2**13
"""Numbers of a block."""
_TINY = 1e-100
"""Positive depths below it are left to the general solution, which lifts them before it squares them."""

Array = NDArray[np.float64]


class SortedBall(NamedTuple):
    """The solution in depths below the largest value, relative to the spread of the values."""

    weights: Tensor
    below: float
    """Weighted mean of the depths, with a minus."""
    dual: float
    depth: float
    """Of the threshold."""
    top: float
    spread: float


class _Active(NamedTuple):
    """Depths of the active entries in ascending order, the depth of the next one (inf if none), and all entries."""

    depths: Array
    outer: float
    size: int


def large_and_plain(values: Tensor, base: Tensor | None) -> bool:
    """Whether this is one large float64 vector on the CPU, with the uniform base, unwatched and without gradients."""
    plain = base is None and type(values) is Tensor and values.device.type == "cpu" and values.dtype == torch.float64
    if not plain or values.ndim != 1 or len(values) < _SMALLEST or watched():
        return False
    return not (torch.is_grad_enabled() and values.requires_grad)


def sorted_ball(values: Tensor, rho: float) -> SortedBall | None:
    """The maximum for rho > 0; None where the general rules are needed: the largest values alone fit, or underflow."""
    numbers = values.detach().numpy()
    low, top = (float(end) for end in torch.aminmax(values.detach()))
    spread = top - low
    if not 0 < spread < math.inf:
        return None
    depths = np.empty_like(numbers)
    for some, out in zip(_blocks(numbers), _blocks(depths), strict=True):
        np.divide(np.subtract(top, some, out=out), spread, out=out)
    depths.sort()
    ties = int(np.searchsorted(depths, 0.0, side="right"))
    last = _last_active(depths, rho)
    if depths[ties] < _TINY or last < ties:
        return None
    count = int(np.searchsorted(depths, depths[last], side="right"))
    active = _Active(depths[:count], float(depths[count]) if count < len(depths) else math.inf, len(depths))
    inner = float(active.depths[-1])
    step = _step(active, rho)
    total, below, dual = _certificate(active, step, rho)
    weights = np.empty_like(numbers)
    for some, out in zip(_blocks(numbers), _blocks(weights), strict=True):
        depth = np.divide(np.subtract(top, some, out=out), spread, out=out)
        inside = depth <= inner
        np.add(np.multiply(np.subtract(inner, depth, out=out), 1 / (inner * total), out=out), step / total, out=out)
        np.multiply(out, inside, out=out)
    return SortedBall(torch.from_numpy(weights), -below, dual, inner + step * inner, top, spread)


def _blocks(numbers: Array) -> Iterator[Array]:
    return (numbers[start : start + _BLOCK] for start in range(0, len(numbers), _BLOCK))


def _last_active(depths: Array, rho: float) -> int:
    """The first entry such that the maximiser with the threshold at the next one lies in the ball, else the last.

    With F and S the sums of (eta - d)_+ and of its square over the entries before the threshold eta, the divergence is
    N S / F^2 - 1. When eta moves on by a step, both grow by non-negative terms.
    """
    size, first, second = len(depths), 0.0, 0.0
    for start in range(0, size - 1, _BLOCK):
        stop = min(start + _BLOCK, size - 1)
        heights = depths[stop] - depths[start:stop]
        step = float(heights[0])
        new_second = second + step * (2 * first + start * step) + float((heights * heights).sum())
        new_first = first + start * step + float(heights.sum())
        if new_first > 0 and size * new_second <= (1 + rho) * new_first**2:
            found = _first_inside(depths[start : stop + 1], start, (first, second), rho / size + 1 / size)
            return start + found
        first, second = new_first, new_second
    return size - 1


def _first_inside(depths: Array, before: int, sums: tuple[float, float], share: float) -> int:
    """Where in a block S <= (1 + rho) / N F^2 holds first, entry by entry; its last place where rounding hides it."""
    steps = np.diff(depths)
    moved = np.arange(before + 1, before + 1 + len(steps)) * steps
    first = sums[0] + np.cumsum(moved)
    earlier = np.concatenate([[sums[0]], first[:-1]])
    second = sums[1] + np.cumsum(steps * (2 * earlier + moved))
    inside = (first > 0) & (second <= share * first**2)
    inside[-1] = True
    return int(inside.argmax())


def _step(active: _Active, rho: float) -> float:
    """How far the threshold lies beyond the last active entry, in units of its depth."""
    inner, count = float(active.depths[-1]), len(active.depths)
    mean = sum(float(((inner - block) / inner).sum()) for block in _blocks(active.depths)) / count
    variance = 0.0
    for block in _blocks(active.depths):
        centred = (inner - block) / inner - mean
        variance += float((centred * centred).sum()) / count
    slack = (rho * count - (active.size - count)) / active.size
    squared = variance / max(slack, np.finfo(np.float64).tiny)
    step = (squared - mean**2) / (math.sqrt(squared) + mean)
    return min(max(step, 0.0), (active.outer - inner) / inner)


def _certificate(active: _Active, step: float, rho: float) -> tuple[float, float, float]:
    """The sum of the weights before they are normalised, the weighted mean depth, and the dual value below the top."""
    inner = float(active.depths[-1])
    threshold = inner + step * inner
    total = below = moment = 0.0
    drop = float(len(active.depths) - active.size)
    for block in _blocks(active.depths):
        weights = (inner - block) / inner + step
        total += float(weights.sum())
        below += float((weights * block).sum())
        relative = block / threshold
        rest = 1.0 - relative
        moment += float((rest * rest).sum())
        drop -= float((relative * (1.0 + rest)).sum())
    moment, drop = moment / active.size, drop / active.size
    logarithm = (math.log(moment) if moment < 0.5 else math.log1p(drop)) / 2
    return total, below / total, threshold * math.expm1(math.log1p(rho) / 2 + logarithm)
