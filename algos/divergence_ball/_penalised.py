"""The arithmetic of `algos.divergence_ball.penalised`: maximisers of q.v minus a multiple of the divergence of q.

Weights are written as ratios L = N q with mean 1. At multiplier lambda the maximiser is L_i = (z - d_i)_+^(1/(k-1))
with the depths d_i = (max v - v_i) / (k lambda) and the level z that makes the mean 1. The largest ratio
y = z^(1/(k-1)) lies in [1, N], so depths beyond N^(k-1) play no part: they are cut at (2 N)^(k-1), out of reach of
rounding, and nothing overflows however small lambda is.
"""

import math
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from algos._ratios import power_excess

Number: TypeAlias = float | Tensor
"""A number, or one per batch entry (*batch,)."""
Search: TypeAlias = Literal["sort", "median"]
"""How the active entries are found."""

_RESIDUAL = 1e-15
"""Relative accuracy of the smallest active ratio, a few units of float64 rounding."""

_MOST_NEWTON_STEPS = 100
"""About ten are used; the limit only guards against rounding that moves to and fro."""


def depths(gaps: Tensor, multiplier: Tensor, order: float) -> Tensor:
    """Depths d of the gaps max v - v (*batch, N) at the multipliers (*batch, 1); at lambda = 0 ties alone stay near."""
    size = gaps.shape[-1]
    most = math.log(torch.finfo(torch.promote_types(gaps.dtype, torch.float32)).max / (8 * size))
    if (order - 1) * math.log(size) > most:
        raise ValueError(
            f"order = {order} is too high for {size} values: N^(k-1) must be a number, so lower the order."
        )
    cut = (2.0 * size) ** min(order - 1, most / math.log(2 * size))
    furthest = torch.full((), cut, dtype=torch.float64, device=gaps.device).to(gaps.dtype)
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


def level_and_ratios(depth: Tensor, active: Tensor, order: float) -> tuple[Tensor, Tensor]:
    """z - 1 and the ratios L for any order when the active entries are known; differentiable in the depths.

    With the depth D of the last active entry and its ratio u, L_i = (D - d_i + u^(k-1))^(1/(k-1)): u keeps its digits
    where z is close to D. The mean ratio is a convex function of u for k >= 2, and N / (active entries) lies above its
    root, so that Newton's rule descends to it; for k < 2 it is concave, and the rule climbs to it after one step.
    """
    power, size = order - 1, depth.shape[-1]
    last = torch.where(active, depth, 0.0).amax(-1, keepdim=True)
    above = torch.where(active, last - depth, 0.0).clamp_min(0)
    with torch.no_grad():
        smallest = size / active.sum(-1, keepdim=True).to(depth.dtype)
        for _ in range(_MOST_NEWTON_STEPS):
            ratios, slope = _ratios_and_slope(above, active, smallest, power)
            trial = torch.maximum(smallest - (ratios.mean(-1, keepdim=True) - 1) / slope, smallest / 16)
            moved = (trial - smallest).abs() > _RESIDUAL * smallest
            smallest = torch.where(moved, trial, smallest)
            if not bool(moved.any()):
                break
        slope = _ratios_and_slope(above, active, smallest, power)[1]
    if depth.requires_grad:
        residual = _ratios_and_slope(above, active, smallest, power)[0].mean(-1, keepdim=True) - 1
        smallest = smallest - (residual - residual.detach()) / slope
    return last + smallest**power - 1, _ratios_and_slope(above, active, smallest, power)[0]


def _ratios_and_slope(above: Tensor, active: Tensor, smallest: Tensor, power: float) -> tuple[Tensor, Tensor]:
    """Ratios, and the derivative of their mean in the smallest active one."""
    ratios = (above + smallest**power) ** (1 / power)
    slope = torch.where(active, (smallest / ratios) ** (power - 1), 0.0).mean(-1, keepdim=True)
    return torch.where(active, ratios, 0.0), slope


def divergence_of(deviation: Tensor, order: float) -> Tensor:
    """Mean of L^k - 1 for ratios L = 1 + deviation of mean 1, never negative, accurate when it is tiny."""
    if order == 2:
        return deviation.square().mean(-1)
    positive = deviation > -1
    excess = torch.where(positive, power_excess(torch.where(positive, deviation, 0.0), order), order - 1)
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
            again = active[..., :size].sum(-1, keepdim=True)
            visits = visits + torch.where(waiting.any(-1, keepdim=True), again, 0)
            fits = ((pivot - depth).clamp_min(0) ** (1 / (order - 1))).sum(-1, keepdim=True) < size
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


def maximiser(depth: Tensor, order: float, search: Search) -> tuple[Tensor, Tensor, Tensor]:
    """Ratios N q - 1, level z - 1, visits."""
    visits = torch.zeros_like(depth[..., :1], dtype=torch.int64)
    if order == 2 and search == "sort":
        level = chi_square_level(depth, depth.detach().sort(-1).values)
        return (level - depth).clamp_min(-1), level, visits
    with torch.no_grad():
        active, looked = median_search(depth, order)
    visits = looked if search == "median" else visits
    if order == 2:
        level = level_of_active(depth, active)
        return (level - depth).clamp_min(-1), level, visits
    level, ratios = level_and_ratios(depth, active, order)
    deviation, level = _near_one(depth, level, ratios, order)
    return deviation, level, visits


def _near_one(depth: Tensor, level: Tensor, ratios: Tensor, order: float) -> tuple[Tensor, Tensor]:
    """L - 1 and z - 1, from their own equation where all depths are small: mean of (1 + (z - 1) - d)^(1/(k-1)) - 1 = 0.

    Newton's step is exact up to rounding where the level is so already, and gives it its gradient.
    """
    near = depth.amax(-1, keepdim=True) < 0.25
    small, start = torch.where(near, depth, 0.0), torch.where(near, level, 0.0).detach()

    def deviation(level: Tensor) -> Tensor:
        return torch.expm1(torch.log1p(level - small) / (order - 1))

    with torch.no_grad():
        slope = ((1 + deviation(start)) / (1 + start - small)).mean(-1, keepdim=True) / (order - 1)
        start = start - deviation(start).mean(-1, keepdim=True) / slope
    better = start - deviation(start).mean(-1, keepdim=True) / slope
    return torch.where(near, deviation(better), ratios - 1), torch.where(near, better, level)


def column(number: Number, values: Tensor) -> Tensor:
    """(*batch, 1), in the dtype of the values."""
    return torch.as_tensor(number, dtype=values.dtype, device=values.device).unsqueeze(-1)


def check_values(values: Tensor) -> None:
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(
            f"values of shape {tuple(values.shape)} have no entries: give at least one along the last axis."
        )
