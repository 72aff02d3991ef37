"""The chi-square ball for one large vector on the CPU without gradients: a shrinking active set, by passes in cache.

The same solution as the general one of `algos.divergence_ball.exact`, whose passes over large fresh arrays cost several
times its sort; here nothing is sorted. Let eta_A = mu - sigma / sqrt((1 + rho) P - 1) be the threshold that makes
N sum_A (v - eta)^2 / (sum_A (v - eta))^2 = 1 + rho for a set A of entries, with mean mu, deviation sigma and share P.
If A holds all that are active at the true threshold, the further terms raise this quotient there, which increases with
eta: eta_A is no larger, and whatever lies below it is inactive. Leaving that out until nothing is left out ends at the
solution.
"""

import math
from collections.abc import Iterable, Iterator
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
"""Active depths that are all below it are left to the general solution, which lifts them before it squares them."""
_ROUNDS = 60
"""Fewer than ten are used where values have any usual law; the general solution needs none."""

Array = NDArray[np.float64]


class ActiveSetBall(NamedTuple):
    """The solution in depths below the largest value, relative to the spread of the values."""

    weights: Tensor
    below: float
    """Weighted mean of the depths, with a minus."""
    dual: float
    depth: float
    """Of the threshold."""
    top: float
    spread: float


def large_and_plain(values: Tensor, base: Tensor | None) -> bool:
    """Whether this is one large float64 vector on the CPU, with the uniform base, unwatched and without gradients."""
    plain = base is None and type(values) is Tensor and values.device.type == "cpu" and values.dtype == torch.float64
    if not plain or values.ndim != 1 or len(values) < _SMALLEST or watched():
        return False
    return not (torch.is_grad_enabled() and values.requires_grad)


def active_set_ball(values: Tensor, rho: float) -> ActiveSetBall | None:
    """The maximum for rho > 0; None where the general rules are needed: the largest values alone fit, or underflow."""
    numbers = values.detach().numpy()
    low, top = (float(end) for end in torch.aminmax(values.detach()))
    spread = top - low
    if not 0 < spread < math.inf:
        return None
    depths = np.empty_like(numbers)
    for some, out in zip(_blocks(numbers), _blocks(depths), strict=True):
        np.divide(np.subtract(top, some, out=out), spread, out=out)
    active = _active(depths, rho)
    if active is None:
        return None
    inner = float(active.max())
    if inner < _TINY:
        return None
    step = _step(active, inner, len(depths), rho)
    total, below, dual = _certificate(active, inner, step, len(depths), rho)
    weights = depths
    for out in _blocks(weights):
        inside = out <= inner
        np.add(np.multiply(np.subtract(inner, out, out=out), 1 / (inner * total), out=out), step / total, out=out)
        np.multiply(out, inside, out=out)
    return ActiveSetBall(torch.from_numpy(weights), -below, dual, inner + step * inner, top, spread)


def _blocks(numbers: Array) -> Iterator[Array]:
    return (numbers[start : start + _BLOCK] for start in range(0, len(numbers), _BLOCK))


def _sum(terms: Iterable[Array]) -> float:
    return sum(float(block.sum()) for block in terms)


def _active(depths: Array, rho: float) -> Array | None:
    """Depths of the active entries; None if there are too many rounds, or ties at the top alone are left."""
    active, room = depths, np.empty_like(depths)
    for _ in range(_ROUNDS):
        count = len(active)
        mean = _sum(_blocks(active)) / count
        variance = _sum(np.square(block - mean) for block in _blocks(active)) / count
        slack = _slack(count, len(depths), rho)
        if slack <= 0 or variance <= 0:
            return None
        threshold = mean + math.sqrt(variance / slack)
        kept = 0
        for block in _blocks(active):  # what is kept goes to the front of the room, where it has been read already
            few = np.compress(block < threshold, block)
            room[kept : kept + len(few)] = few
            kept += len(few)
        active = room[:kept]
        if kept == count:
            return active
    return None


def _slack(count: int, size: int, rho: float) -> float:
    """(1 + rho) P - 1 for the share P, without cancellation."""
    return (rho * count - (size - count)) / size


def _step(active: Array, inner: float, size: int, rho: float) -> float:
    """How far the threshold lies beyond the last active entry, in units of its depth."""
    mean = _sum((inner - block) / inner for block in _blocks(active)) / len(active)
    variance = _sum(np.square((inner - block) / inner - mean) for block in _blocks(active)) / len(active)
    squared = variance / _slack(len(active), size, rho)
    return max((squared - mean**2) / (math.sqrt(squared) + mean), 0.0)


def _certificate(active: Array, inner: float, step: float, size: int, rho: float) -> tuple[float, float, float]:
    """The sum of the weights before they are normalised, the weighted mean depth, and the dual value below the top."""
    threshold = inner + step * inner
    total = below = moment = 0.0
    drop = float(len(active) - size)
    for block in _blocks(active):
        weights = (inner - block) / inner + step
        total += float(weights.sum())
        below += float((weights * block).sum())
        relative = block / threshold
        rest = 1.0 - relative
        moment += float((rest * rest).sum())
        drop -= float((relative * (1.0 + rest)).sum())
    moment, drop = moment / size, drop / size
    logarithm = (math.log(moment) if moment < 0.5 else math.log1p(drop)) / 2
    return total, below / total, threshold * math.expm1(math.log1p(rho) / 2 + logarithm)
