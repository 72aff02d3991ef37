"""The supremum of a weighted sum of piecewise linear losses over the functions of the unit ball of two features."""

import torch
from torch import Tensor

from harness.claims.placement import table

from .losses import PiecewiseLinear

_SMALLEST, _ROUNDING = 1e-300, 1e-12


def unit_disc_supremum(loss: PiecewiseLinear, phi: Tensor, weights: Tensor) -> Tensor:
    """sup over |theta| <= 1 of sum_j w_1j l(1, phi_j . theta) + w_2j l(-1, phi_j . theta), `(reps,)`.

    `phi` is (1, points, 2) and `weights` (reps, 2, points), of any sign. The sum is linear on the cells that the lines
    phi_j . theta = kink cut: its largest value on a cell within the disc is at a vertex, where a line meets the circle,
    or where its gradient points.
    """
    levels = loss.all_kinks
    normals = phi.repeat_interleave(levels.shape[-1], -2)  # (1, lines, 2)
    offsets = levels.repeat(1, phi.shape[-2])
    fixed = torch.cat([_vertices(normals, offsets), _ends(normals, offsets)], -2).expand(len(weights), -1, -1)
    theta = torch.cat([fixed, _gradients(loss, phi, weights)], -2)  # (reps, candidates, 2)
    g = theta @ phi.mT
    right, wrong = loss.values(g.flatten(1))
    total = (right.view_as(g) @ weights[:, 0].unsqueeze(-1) + wrong.view_as(g) @ weights[:, 1].unsqueeze(-1)).squeeze(
        -1
    )
    first, second = theta.unbind(-1)
    worst: Tensor = total.masked_fill(first.square() + second.square() > 1 + _ROUNDING, -torch.inf).amax(-1)
    return worst


def _vertices(normals: Tensor, offsets: Tensor) -> Tensor:
    """Where two lines meet, `(1, pairs, 2)`; far away for parallel ones."""
    first, second = torch.triu_indices(offsets.shape[-1], offsets.shape[-1], 1, device=normals.device)
    (a, b), (c, d) = normals[:, first].unbind(-1), normals[:, second].unbind(-1)
    p, q, determinant = offsets[:, first], offsets[:, second], a * d - b * c
    safe = torch.where(determinant == 0, _SMALLEST, determinant)
    point = torch.stack([(d * p - b * q) / safe, (a * q - c * p) / safe], -1)
    return torch.where((determinant == 0).unsqueeze(-1), 2.0, point)


def _ends(normals: Tensor, offsets: Tensor) -> Tensor:
    """Where a line meets the circle, `(1, 2 lines, 2)`; outside of the disc where it does not."""
    length = normals.norm(dim=-1).clamp_min(_SMALLEST)
    foot = offsets / length
    unit, half = normals / length.unsqueeze(-1), (1 - foot.square()).clamp_min(0).sqrt().unsqueeze(-1)
    along = torch.stack([-unit[..., 1], unit[..., 0]], -1)
    base = foot.unsqueeze(-1) * unit
    return torch.cat([base + half * along, base - half * along], -2)


def _gradients(loss: PiecewiseLinear, phi: Tensor, weights: Tensor) -> Tensor:
    """Unit vectors along the gradients of all cells that pieces could form, `(reps, pieces^points, 2)`."""
    slopes = weights.mT @ loss.slopes_between  # (reps, points, pieces)
    points, pieces = slopes.shape[-2:]
    total = table(torch.zeros(1, 1, 2), like=phi)
    for j in range(points):
        each = slopes[:, j].unsqueeze(-1) * phi[:, j].unsqueeze(-2)  # (reps, pieces, 2)
        total = (total.unsqueeze(-2) + each.unsqueeze(-3)).flatten(1, 2)
    assert total.shape[-2] == pieces**points
    directions: Tensor = total / total.norm(dim=-1, keepdim=True).clamp_min(_SMALLEST)
    return directions
