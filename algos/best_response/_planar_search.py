"""Local ascent and branch and bound for the Fourier potential in the plane."""

from dataclasses import dataclass

import torch
from torch import Tensor

from algos.best_response.separable_potential import SeparablePotential

_CELLS = 2**13
"""Cells evaluated at a time: each takes a few hundred numbers, and a flat ridge keeps up to a million cells."""


def newton_peaks(
    potential: SeparablePotential, moments: Tensor, starts: Tensor, *, longest: Tensor, steps: int = 8
) -> tuple[Tensor, Tensor]:
    """Safeguarded Newton ascent inside the box of the potential, from every start.

    Where the Hessian is not negative definite it is shifted until it is; a step is shortened, never bent, to `longest`
    in every coordinate and to the box; a coordinate that presses against the box is held, and a step that does not
    ascend is divided by four. The potential never falls; ascent ends once every step is below the root of rounding.

    Parameters
    ----------
    moments : Tensor (*batch, K, K')
        Starts : (*batch, s, 2). longest : (2,).

    Returns
    -------
    tuple of Tensor
        Frequencies (*batch, s, 2) and their potential (*batch, s).
    """
    place, (value, gradient, hessian) = starts, potential.value_gradient_and_hessian(moments, starts)
    size = torch.ones_like(value)
    still = 8 * torch.finfo(value.dtype).eps ** 0.5
    for _ in range(steps):
        step = size.unsqueeze(-1) * _ascent_step(place, gradient, hessian, potential.radius, longest)
        trial = (place + step).clamp(-potential.radius, potential.radius)
        if bool(((trial - place).abs() * potential.half_range <= still).all()):
            break
        there = potential.value_gradient_and_hessian(moments, trial)
        better = there[0] > value
        place = torch.where(better.unsqueeze(-1), trial, place)
        value = torch.where(better, there[0], value)
        gradient = torch.where(better.unsqueeze(-1), there[1], gradient)
        hessian = torch.where(better[..., None, None], there[2], hessian)
        size = torch.where(better, 1.0, size / 4)
    return place, value


def _ascent_step(place: Tensor, gradient: Tensor, hessian: Tensor, radius: float, longest: Tensor) -> Tensor:
    """An ascent direction for two coordinates, no longer than the box and `longest` allow."""
    low, high = place <= -radius * (1 - 1e-12), place >= radius * (1 - 1e-12)
    held = (high & (gradient >= 0)) | (low & (gradient <= 0))
    step = _shifted_newton(gradient, hessian, held)
    outward = (high & (step > 0)) | (low & (step < 0))
    if bool(outward.any()):
        step = _shifted_newton(gradient, hessian, held | outward)
    room = torch.minimum(torch.where(step > 0, radius - place, radius + place), longest)
    share = torch.where(step == 0, 1.0, room / step.abs())
    return step * share.amin(-1, keepdim=True).clamp(max=1.0)


def _shifted_newton(gradient: Tensor, hessian: Tensor, held: Tensor) -> Tensor:
    """Solve (shift - H) p = g in closed form, with the coordinates in `held` left at zero.

    Both sides are divided by their largest entry first, so that the determinant neither overflows nor vanishes; the
    shift is felt also where one eigenvalue is zero, as it is for points on a line.
    """
    tiny = torch.finfo(gradient.dtype).tiny
    scale = torch.maximum(hessian.abs().amax((-1, -2)), gradient.abs().amax(-1)).clamp(min=tiny).unsqueeze(-1)
    gradient, hessian = (gradient / scale).masked_fill(held, 0.0), hessian / scale.unsqueeze(-1)
    first, second = hessian[..., 0, 0], hessian[..., 1, 1]
    first, second = first.masked_fill(held[..., 0], -1.0), second.masked_fill(held[..., 1], -1.0)
    cross = hessian[..., 0, 1].masked_fill(held.any(-1), 0.0)
    mean, spread = (first + second) / 2, torch.hypot((first - second) / 2, cross)
    floor = 1e-3 * (mean.abs() + spread) + tiny
    shift = (mean + spread + floor).clamp(min=0.0)
    first, second = first - shift, second - shift
    determinant = (first * second - cross.square()).clamp(min=tiny)
    along, across = gradient.unbind(-1)
    solved = torch.stack([cross * across - second * along, cross * along - first * across], -1)
    return solved / determinant.unsqueeze(-1)


@dataclass(frozen=True)
class Curvature:
    """What bounds the potential around a point: sum |u|, and the covariance (11, 12, 22) of the points under |u|."""

    total: Tensor
    covariance: Tensor

    def upper(self, value: Tensor, half: Tensor) -> Tensor:
        """Bound of v at any critical point of a cell with `value` at its centre and half widths (..., 2)."""
        first, cross, second = self.covariance.unbind(-1)
        reach = half[..., 0].square() * first + half[..., 1].square() * second
        slack = self.total * (reach + 2 * half[..., 0] * half[..., 1] * cross.abs())
        return ((slack + (slack.square() + 4 * value).sqrt()) / 2).square()


def grid_cells(
    axes: tuple[Tensor, Tensor], half: Tensor, values: Tensor, curvature: Curvature, threshold: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Cells of a grid on half of the box that may hold a maximum above `threshold`: centres, half widths, values.

    A maximum inside the box is critical in the cell around its nearest grid point; one on an edge is critical along the
    edge only, in a cell without width across it.
    """
    everything, edges = slice(None), [0, -1]
    families = ((everything, everything, (1, 1)), ([-1], everything, (0, 1)), (everything, edges, (1, 0)))
    centres, halves, kept = [], [], []
    for rows, columns, widths in families:
        some, widths_there = values[rows][:, columns], half * half.new_tensor(widths)
        row, column = (curvature.upper(some, widths_there) > threshold).nonzero(as_tuple=True)
        centres.append(torch.stack([axes[0][rows][row], axes[1][columns][column]], -1))
        halves.append(widths_there.expand(len(row), 2))
        kept.append(some[row, column])
    return torch.cat(centres), torch.cat(halves), torch.cat(kept)


@dataclass(frozen=True)
class BranchAndBound:
    """The best frequency (2,) that the search met, its potential, and an upper bound of the potential in the box."""

    frequency: Tensor
    value: Tensor
    upper: Tensor


def branch_and_bound(
    potential: SeparablePotential,
    moments: Tensor,
    curvature: Curvature,
    cells: tuple[Tensor, Tensor, Tensor],
    best: tuple[Tensor, Tensor],
    *,
    slack: Tensor,
    evaluations: int,
) -> BranchAndBound:
    """Halve the cells that may hold more than `best` + `slack` until none is left or the evaluations are spent.

    Parameters
    ----------
    moments : Tensor (K, K')
        Cells : centres (c, 2), half widths (c, 2), values (c,); they hold every candidate.
    best : tuple of Tensor
        Frequency (2,) and value () to start from.
    """
    centres, halves, values = cells
    frequency, value = best
    while True:
        bounds = curvature.upper(values, halves)
        alive = bounds > value + slack
        centres, halves, values = centres[alive], halves[alive], values[alive]
        if len(centres) == 0:
            return BranchAndBound(frequency, value, value + slack)
        if evaluations < 4 * len(centres):
            return BranchAndBound(frequency, value, bounds.amax())
        centres, halves = _halved(centres, halves, potential.radius)
        values = torch.cat([potential.value(moments, some) for some in torch.split(centres, _CELLS)])
        evaluations -= len(centres)
        top = values.argmax()
        if bool(values[top] > value):
            places, peaks = newton_peaks(potential, moments, centres[top].unsqueeze(0), longest=halves.amax(0))
            frequency, value = places[0], peaks[0]


def _halved(centres: Tensor, halves: Tensor, radius: float) -> tuple[Tensor, Tensor]:
    """Each cell in two along every coordinate in which it has a width; halves of the plane and box left out go."""
    for j in range(2):
        wide = halves[:, j] > 0
        shift = torch.zeros_like(centres)
        shift[:, j] = halves[:, j] / 2
        smaller = halves.clone()
        smaller[:, j] = halves[:, j] / 2
        centres = torch.cat([centres + shift, (centres - shift)[wide]])
        halves = torch.cat([smaller, smaller[wide]])
    inside = (centres.abs() <= radius).all(-1) & (centres[:, 0] >= 0)
    return centres[inside], halves[inside]
