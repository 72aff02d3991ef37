"""Projected gradient ascent from many starts at once."""

import torch

from harness.search.objective import TIE, Batch, Sloped
from harness.search.population import ATTAINED, Population, column, gradient_of

IDLE, GAIN = 30, 1e-7  # an ascent ends after so many steps without such a gain, in log-ratio, of any start
FALLS = 3  # times that an ascent may step into rounding before it is given up


def gradient_ascent(objective: Sloped, starts: Population, steps: int) -> Population:
    """Projected gradient ascent from many starts at once, each with its own step, kept only when it climbs."""
    smooth = {space.name: space for space in objective.spaces if space.smooth}
    values, best = dict(starts.values), starts.scores.clone()
    batch = len(best)
    step = torch.full((batch,), 0.1, dtype=torch.float64)
    stale = torch.ones(batch, dtype=torch.bool)
    directions: Batch = {}
    fell, retired = torch.zeros(batch, dtype=torch.long), torch.zeros(batch, dtype=torch.bool)
    idle = 0
    for _ in range(steps):
        if idle >= IDLE or bool(retired.all()):
            break
        if bool(stale.any()):
            gradient = _directions(objective, values, list(smooth))
            if gradient is None:
                break
            directions = gradient
        trial = dict(values)
        for name, space in smooth.items():
            move = column(step, values[name]) * space.size * directions[name]
            trial[name] = torch.where(column(retired, move), values[name], space.project(values[name] + move))
        with torch.no_grad():
            found = objective.scores(trial, batch)
        fell += (found == TIE).long()
        retired = (fell >= FALLS) | ((best <= 0.0) & (best > -ATTAINED))  # at equality nothing is left to climb
        better = found > best
        idle = 0 if bool((found > best + GAIN).any()) else idle + 1
        values = {name: torch.where(column(better, value), trial[name], value) for name, value in values.items()}
        best = torch.where(better, found, best)
        step = torch.where(better, 1.5 * step, 0.4 * step).clamp(1e-12, 2.0)
        step = torch.where(step < 1e-10, 0.1, step)
        stale = better
    return Population(values, best)


def _directions(objective: Sloped, values: Batch, smooth: list[str]) -> Batch | None:
    """Ascent direction of each variable and start, of largest entry 1; None when the claim has no gradient at all."""
    gradients = gradient_of(objective.log_ratios, values, smooth)
    if gradients is None:
        return None
    for name, gradient in gradients.items():
        norm = gradient.reshape(len(gradient), -1).abs().amax(-1).clamp_min(1e-300)
        gradients[name] = gradient / column(norm, gradient)
    return gradients
