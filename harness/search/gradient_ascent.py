"""Projected gradient ascent from many starts at once."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from harness.search.objective import TIE, Batch, Sloped
from harness.search.population import ATTAINED, Population, column, sloped

IDLE, GAIN = 30, 1e-7  # an ascent ends after so many steps without such a gain, in log-ratio, of any start
FALLS = 3  # times that an ascent may step into rounding before it is given up


def gradient_ascent(objective: Sloped, starts: Population, steps: int) -> Population:
    """Projected gradient ascent from many starts at once, each with its own step, kept only when it climbs."""
    smooth = {space.name: space for space in objective.spaces if space.smooth}
    values, batch = dict(starts.values), len(starts.scores)
    best, gradients = heights(objective, values, smooth)
    slope = gradients()
    if slope is None:
        return starts
    directions = _normed(slope)
    step = torch.full((batch,), 0.1, dtype=torch.float64)
    fell, retired = torch.zeros(batch, dtype=torch.long), torch.zeros(batch, dtype=torch.bool)
    idle = 0
    for _ in range(steps):
        if idle >= IDLE or bool(retired.all()):
            break
        trial = dict(values)
        for name, space in smooth.items():
            move = column(step, values[name]) * space.size * directions[name]
            trial[name] = torch.where(column(retired, move), values[name], space.project(values[name] + move))
        found, gradients = heights(objective, trial, smooth)
        fell += (found == TIE).long()
        retired = (fell >= FALLS) | (best.abs() < ATTAINED)  # at equality nothing is left to climb
        better = found > best
        idle = 0 if bool((found > best + GAIN).any()) else idle + 1
        if bool(better.any()):
            slope = gradients()
            if slope is None:
                break
            directions = moved(better, _normed(slope), directions)
            values, best = moved(better, trial, values), torch.where(better, found, best)
        step = torch.where(better, 1.5 * step, 0.4 * step).clamp(1e-12, 2.0)
        step = torch.where(step < 1e-10, 0.1, step)
    return arrived(objective, starts, values)


def arrived(objective: Sloped, starts: Population, values: Batch) -> Population:
    """Where the starts have climbed to, with their scores; one that has not moved keeps its own."""
    stayed = torch.ones(len(starts.scores), dtype=torch.bool)
    for name, value in values.items():
        stayed &= (value == starts.values[name]).reshape(len(stayed), -1).all(-1)
    with torch.no_grad():
        found = objective.scores(values, len(stayed))
    return Population(values, torch.where(stayed, starts.scores, found))


def heights(objective: Sloped, values: Batch, smooth: Iterable[str]) -> tuple[Tensor, Callable[[], Batch | None]]:
    """The log-ratio of each instance, -inf where it has none, and what gives the slopes there."""
    found, gradients = sloped(objective.log_ratios, values, list(smooth))
    return torch.nan_to_num(found, nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf), gradients


def moved(rows: Tensor, new: Batch, old: Batch) -> Batch:
    """The new instances in some rows, the old ones in the others."""
    return {name: torch.where(column(rows, value), new[name], value) for name, value in old.items()}


def _normed(gradients: Batch) -> Batch:
    """Ascent direction of each variable and start, of largest entry 1."""
    for name, gradient in gradients.items():
        norm = gradient.reshape(len(gradient), -1).abs().amax(-1).clamp_min(1e-300)
        gradients[name] = gradient / column(norm, gradient)
    return gradients
