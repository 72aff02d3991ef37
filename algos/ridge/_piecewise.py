"""Sums over the sample for features that are polynomials between knots, in time linear in the sample."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor


def piecewise_moments(
    points: Tensor, centres: Tensor, targets: Tensor, polynomial: Sequence[float]
) -> tuple[Tensor, Tensor]:
    """``Z^T Z`` and ``Z^T Y`` for ``Z_ij = p(|v_j - x_i|)``, with points and centres in [0, 1].

    Between two neighbouring centres every feature is a polynomial in x, so the sample enters through its moments there:
    O(n) for the moments and O(s^3) for the Gram matrix, instead of O(n s^2). Polynomials and moments are taken about
    the middle of each interval, which keeps them well scaled.

    Parameters
    ----------
    points, targets : Tensor (batch, n)
    centres : Tensor (batch, s)
    polynomial : sequence of float
        Coefficients of p, lowest power first.

    Returns
    -------
    tuple of Tensor (batch, s, s)
        (batch, s).
    """
    degree = len(polynomial) - 1
    knots = centres.sort(-1).values
    edges = torch.nn.functional.pad(knots, (1, 1))
    edges[..., -1] = 1
    middles = (edges[..., 1:] + edges[..., :-1]) / 2
    interval = torch.searchsorted(knots, points)
    local = points - middles.gather(-1, interval)
    power = torch.ones_like(local)
    sums, weighted = [], []
    for exponent in range(2 * degree + 1):
        sums.append(torch.zeros_like(middles).scatter_add_(-1, interval, power))
        if exponent <= degree:
            weighted.append(torch.zeros_like(middles).scatter_add_(-1, interval, power * targets))
        power = power * local
    taylor = _taylor(centres.unsqueeze(-1) - middles.unsqueeze(-2), polynomial)
    rows = torch.cat(taylor, -1)
    mixed = [sum(t * sums[e + f].unsqueeze(-2) for f, t in enumerate(taylor)) for e in range(degree + 1)]
    gram = torch.cat([torch.as_tensor(m) for m in mixed], -1) @ rows.mT
    return gram, (rows @ torch.cat(weighted, -1).unsqueeze(-1)).squeeze(-1)


def _taylor(offsets: Tensor, polynomial: Sequence[float]) -> list[Tensor]:
    """Coefficients of ``p(|offset - t|)`` in powers of t, on the side of the centre where the interval lies."""
    distance = offsets.abs()
    side = torch.where(offsets > 0, -1.0, 1.0).to(distance)
    coefficients = []
    for exponent in range(len(polynomial)):
        value = torch.full_like(distance, math.comb(len(polynomial) - 1, exponent) * polynomial[-1])
        for d in range(len(polynomial) - 2, exponent - 1, -1):
            value = value * distance + math.comb(d, exponent) * polynomial[d]
        coefficients.append(value * side if exponent % 2 else value)
    return coefficients
