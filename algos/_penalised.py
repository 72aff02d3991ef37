"""The arithmetic of `algos.divergence_ball_published`: maximisers of q.v minus a multiple of the divergence of q.

Weights are written as ratios L = N q with mean 1. At multiplier lambda the maximiser is L_i = (z - d_i)_+^(1/(k-1))
with the depths d_i = (max v - v_i) / (k lambda) and the level z that makes the mean 1. The largest ratio
y = z^(1/(k-1)) lies in [1, N], so depths beyond N^(k-1) play no part: they are cut at (2 N)^(k-1), out of reach of
rounding, and nothing overflows however small lambda is.
"""

import math

import torch
from torch import Tensor

from algos._divergence_ball import illinois

_RESIDUAL = 1e-15
"""Accuracy of the mean of the ratios, a few units of float64 rounding."""


def depths(gaps: Tensor, multiplier: Tensor, order: float) -> Tensor:
    """Depths d of the gaps max v - v (*batch, N) at the multipliers (*batch, 1); at lambda = 0 ties alone stay near."""
    size = gaps.shape[-1]
    furthest = (2.0 * size) ** (order - 1)
    scale = multiplier * order
    positive = scale > 0
    depth = gaps / torch.where(positive, scale, 1.0)
    return torch.where(positive, depth, torch.where(gaps > 0, furthest, 0.0)).clamp(max=furthest)


def chi_square_level(depth: Tensor, ascending: Tensor) -> Tensor:
    """z - 1 for order 2, from the depths in ascending order: no cancellation where all ratios are close to 1."""
    size = depth.shape[-1]
    count = torch.arange(1, size + 1, dtype=depth.dtype, device=depth.device)
    with torch.no_grad():
        level = ((size - count) + ascending.cumsum(-1)) / count
        cutoff = ascending.gather(-1, (level > ascending - 1).sum(-1, keepdim=True).clamp_min(1) - 1)
    return level_of_active(depth, depth <= cutoff)


def level_of_active(depth: Tensor, active: Tensor) -> Tensor:
    """z - 1 for order 2 when the active entries are known; differentiable in the depths."""
    size = depth.shape[-1]
    count = active.sum(-1, keepdim=True)
    return ((size - count) + torch.where(active, depth, 0.0).sum(-1, keepdim=True)) / count


def largest_ratio(depth: Tensor, order: float) -> Tensor:
    """y for any order, by root-finding between 1 and N; differentiable in the depths by one implicit Newton step."""
    size = depth.shape[-1]
    with torch.no_grad():
        low = torch.ones_like(depth[..., :1])
        root = illinois(
            lambda y: ratios(depth, y, order).mean(-1, keepdim=True) - 1,
            torch.full_like(low, 2.0 * size),
            low,
            done=(depth <= 0).all(-1, keepdim=True),
            tolerance=_RESIDUAL,
        )
    residual = ratios(depth, root, order).mean(-1, keepdim=True) - 1
    return root - residual / slope(depth, root, order)


def ratios(depth: Tensor, largest: Tensor, order: float) -> Tensor:
    """L = y (1 - d / y^(k-1))_+^(1/(k-1))."""
    relative = depth / largest ** (order - 1)
    active = relative < 1
    return torch.where(active, largest * (1 - torch.where(active, relative, 0.0)) ** (1 / (order - 1)), 0.0)


def slope(depth: Tensor, largest: Tensor, order: float) -> Tensor:
    """Derivative in y of the mean ratio, no gradient: the mean of (L / y)^(2-k) over the active entries."""
    with torch.no_grad():
        relative = ratios(depth, largest, order) / largest
        active = relative > 0
        return torch.where(active, torch.where(active, relative, 1.0) ** (2 - order), 0.0).mean(-1, keepdim=True)


def divergence_of(deviation: Tensor, order: float) -> Tensor:
    """Mean of L^k - 1 for ratios L = 1 + deviation of mean 1, never negative, accurate when it is tiny."""
    if order == 2:
        return deviation.square().mean(-1)
    positive = deviation > -1
    safe = torch.where(positive, deviation, 0.0)
    excess = torch.where(positive, torch.expm1(order * torch.log1p(safe)) - order * safe, order - 1)
    return excess.clamp_min(0).mean(-1)


def median_search(depth: Tensor, order: float) -> tuple[Tensor, Tensor]:
    """Whether an entry is active (*batch, N), and the number of entries looked at (*batch, 1).

    Each round compares the undecided entries with their median depth p. If the ratios at level z = p have mean below 1,
    all entries up to p are active, otherwise all from p on are inactive; either way at most half stay undecided. For
    order 2 the sum of the active depths carries over; for other orders the active ratios are evaluated again.
    """
    size = depth.shape[-1]
    active = depth.new_zeros((*depth.shape[:-1], size + 1), dtype=torch.bool)  # the last column is scratch
    undecided, places = depth, torch.arange(size, device=depth.device).expand(depth.shape)
    total, count = torch.zeros_like(depth[..., :1]), torch.zeros_like(depth[..., :1])
    visits = torch.zeros_like(depth[..., :1], dtype=torch.int64)
    while undecided.shape[-1]:
        waiting = ~undecided.isnan()
        visits = visits + waiting.sum(-1, keepdim=True)
        pivot = undecided.nanmedian(-1, keepdim=True).values
        near = undecided <= pivot
        if order == 2:
            more = torch.where(near, undecided, 0.0).sum(-1, keepdim=True)
            new_count, new_total = count + near.sum(-1, keepdim=True), total + more
            fits = new_count * pivot - new_total < size
        else:
            visits = visits + active[..., :size].sum(-1, keepdim=True)
            fits = ratios(depth, pivot ** (1 / (order - 1)), order).nan_to_num(0.0).sum(-1, keepdim=True) < size
            new_count, new_total = count, total
        count, total = torch.where(fits, new_count, count), torch.where(fits, new_total, total)
        active = active.scatter(-1, places, active.gather(-1, places) | (near & fits))
        undecided, places = _compact(undecided, places, torch.where(fits, undecided > pivot, undecided < pivot), size)
    return active[..., :size], visits


def _compact(entries: Tensor, places: Tensor, keep: Tensor, scratch: int) -> tuple[Tensor, Tensor]:
    """The kept entries at the front of their rows, nan behind them, and their places, in linear time."""
    width = int(keep.sum(-1).max()) if keep.numel() else 0
    target = torch.where(keep, keep.cumsum(-1) - 1, width)
    fronts = entries.new_full((*entries.shape[:-1], width + 1), math.nan).scatter(-1, target, entries)[..., :width]
    moved = places.new_full((*places.shape[:-1], width + 1), scratch).scatter(-1, target, places)[..., :width]
    return fronts, moved
