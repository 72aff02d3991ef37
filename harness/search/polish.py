"""Quasi-Newton ascent from many starts at once: follows ill-conditioned slopes that plain ascent only zigzags along."""

import torch
from torch import Tensor

from harness.search.adapt import MOST_COORDINATES, flatten, unflatten, unit
from harness.search.finders import Finds, gradient_of
from harness.search.objective import Batch, Sloped
from harness.spaces import Interval, Space

FIRST_MOVE = 0.05  # of a set's size
SHORTEST = 1e-8


def polish(objective: Sloped, starts: Finds, steps: int) -> Finds:
    """Projected BFGS: one inverse Hessian per start, steps kept only when they climb, reset when none does."""
    smooth = tuple(space for space in objective.spaces if space.smooth)
    size = sum(space.entries for space in smooth)
    if not 0 < size <= MOST_COORDINATES:
        return starts
    batch = len(starts.scores)
    values = dict(starts.values)
    heights = _heights(objective, values, batch)
    slope = _slope(objective, values, smooth)
    if slope is None:
        return starts
    x = flatten(smooth, values)
    inverse = _fresh(slope)
    length = torch.ones(batch, 1, dtype=torch.float64)
    for _ in range(steps):
        direction = (inverse @ slope.unsqueeze(-1)).squeeze(-1)
        uphill = (direction * slope).sum(-1, keepdim=True) > 0.0
        direction = torch.where(uphill, direction, _scaled(slope))
        trial = {**values, **unflatten(smooth, x + length * direction)}
        with torch.no_grad():
            found = _heights(objective, trial, batch)
        better = found > heights
        column = better.unsqueeze(-1)
        if bool(better.any()):
            values = {
                n: torch.where(better.reshape(-1, *(1 for _ in v.shape[1:])), trial[n], v) for n, v in values.items()
            }
            heights = torch.where(better, found, heights)
            moved = flatten(smooth, values)
            new = _slope(objective, values, smooth)
            if new is None:
                break
            inverse = torch.where(column.unsqueeze(-1), _updated(inverse, moved - x, slope - new), inverse)
            x, slope = moved, new
        length = torch.where(column, torch.ones_like(length), 0.3 * length)
        lost = length < SHORTEST
        inverse = torch.where(lost.unsqueeze(-1), _fresh(slope), inverse)
        length = torch.where(lost, torch.ones_like(length), length)
    with torch.no_grad():
        return Finds(values, objective.scores(values, batch))


def _heights(objective: Sloped, values: Batch, batch: int) -> Tensor:
    return torch.nan_to_num(objective.heights(values, batch), nan=-torch.inf)


def _scaled(slope: Tensor) -> Tensor:
    """A steepest move of FIRST_MOVE."""
    norm: Tensor = torch.linalg.vector_norm(slope, dim=-1, keepdim=True)
    return FIRST_MOVE * slope / norm.clamp_min(1e-300)


def _fresh(slope: Tensor) -> Tensor:
    norm: Tensor = torch.linalg.vector_norm(slope, dim=-1)
    return torch.eye(slope.shape[-1], dtype=slope.dtype) * (FIRST_MOVE / norm.clamp_min(1e-300))[:, None, None]


def _updated(inverse: Tensor, move: Tensor, bend: Tensor) -> Tensor:
    """The BFGS update of the inverse Hessian of minus the height, where the curvature has the right sign."""
    curvature = (move * bend).sum(-1)
    norms = torch.linalg.vector_norm(move, dim=-1) * torch.linalg.vector_norm(bend, dim=-1)
    good = curvature > 1e-10 * norms
    rho = torch.where(good, 1.0 / torch.where(good, curvature, 1.0), 0.0)[:, None, None]
    eye = torch.eye(move.shape[-1], dtype=move.dtype)
    left = eye - rho * move.unsqueeze(-1) * bend.unsqueeze(-2)
    updated = left @ inverse @ left.mT + rho * move.unsqueeze(-1) * move.unsqueeze(-2)
    sound = good & torch.isfinite(updated).all(-1).all(-1)
    return torch.where(sound[:, None, None], updated, inverse)


def _slope(objective: Sloped, values: Batch, smooth: tuple[Space, ...]) -> Tensor | None:
    """Gradient of the height in units of the sets' sizes; zero where it only pushes against an end of an interval."""
    gradient = gradient_of(objective.heights, values, [space.name for space in smooth])
    if gradient is None:
        return None
    for space in smooth:
        if isinstance(space, Interval):
            x, g = values[space.name], gradient[space.name]
            blocked = ((x <= space.low) & (g < 0.0)) | ((x >= space.high) & (g > 0.0))
            gradient[space.name] = torch.where(blocked, 0.0, g)
    gradients = {space.name: gradient[space.name] * unit(space) ** 2 for space in smooth}
    return flatten(smooth, gradients)
