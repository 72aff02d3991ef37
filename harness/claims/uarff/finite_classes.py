"""Test problems: small function classes whose Rademacher complexities and suprema are exact."""

import math
from typing import Literal

import torch
from torch import Tensor

from algos.complexity.rademacher import all_signs
from harness.claims.placement import table


def class_complexity(values: Tensor, *, convention: Literal["absolute", "plain"] = "absolute") -> Tensor:
    """Empirical Rademacher complexity of finitely many functions `(batch, k, n)`: `(batch,)`.

    "absolute" is Definition 1, E max |(2/n) sum sigma_i f(x_i)|; "plain" is E max (1/n) sum sigma_i f(x_i).
    """
    n = values.shape[-1]
    half = all_signs(n, like=values)
    signs = torch.cat([half, -half])
    sums = values @ signs.mT
    if convention == "plain":
        return sums.amax(-2).mean(-1) / n
    return 2 * sums.abs().amax(-2).mean(-1) / n


def two_example_complexity(values: Tensor, second: Tensor, n: int) -> Tensor:
    """Rademacher complexity (Definition 1) of functions on two examples, `(batch, k, 2)`, for P(second) `(batch,)`.

    The expectation over samples as well: a sum over the number of second examples and of positive signs in each group.
    """
    counts = table(range(n + 1), like=values)
    rows = counts.unsqueeze(-1)
    p = second.unsqueeze(-1).clamp(1e-300, 1 - 1e-16)
    sample = (_log_choices(rows[-1], counts) + counts * p.log() + (n - counts) * (1 - p).log()).exp()
    halves = (_log_choices(rows, counts) - math.log(2) * rows).exp()
    signs = torch.where(counts <= rows, halves, 0.0)  # of m fair signs, the probability of each number of positive ones
    first, other = 2 * counts - (n - rows), 2 * counts - rows
    left = values[..., 0, None, None, None] * first.unsqueeze(-1)
    right = values[..., 1, None, None, None] * other.unsqueeze(-2)
    largest = (left + right).abs().amax(1)
    weights = signs.flip(0).unsqueeze(-1) * signs.unsqueeze(-2)
    return 2 / n * (sample * (weights * largest).sum((-2, -1))).sum(-1)


def quadratic_supremum(curvature: Tensor, slope: Tensor, radius: float) -> Tensor:
    """Largest A a^2 + B a over |a| <= radius, that is A t^2 + |B| t over 0 <= t <= radius."""
    concave = curvature < 0
    vertex = slope.abs() / (2 * torch.where(concave, -curvature, 1.0))
    best = torch.where(concave, vertex.clamp_max(radius), radius)
    return curvature * best.square() + slope.abs() * best


def _log_choices(total: Tensor, chosen: Tensor) -> Tensor:
    return torch.lgamma(total + 1) - torch.lgamma(chosen + 1) - torch.lgamma((total - chosen).clamp_min(0) + 1)
