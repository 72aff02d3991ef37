"""Test problems: small function classes whose Rademacher complexities and suprema are exact."""

import itertools
from functools import cache
from typing import Literal

import numpy as np
import torch
from scipy import special
from torch import Tensor

from algos.complexity.rademacher import all_signs
from harness.claims.placement import table

from .finite_support import product

_STEPS, _SMALLEST = 8, 1e-90


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


def example_complexity(values: Tensor, law: Tensor, n: int) -> Tensor:
    """Rademacher complexity (Definition 1) of functions on m examples, `(batch, k, m)`, for their law `(batch, m)`.

    The expectation over samples as well: an example comes with a sign, so that a sample is a multinomial of 2 m cells.
    """
    sums, counts, log_ways = (table(part, like=values) for part in _signed_samples(n, law.shape[-1]))
    chances = (log_ways + (law.clamp_min(1e-300) / 2).log() @ counts.mT).exp()
    return 2 / n * (chances * (values @ sums.mT).abs().amax(-2)).sum(-1)


def quadratic_supremum(curvature: Tensor, slope: Tensor, radius: float) -> Tensor:
    """Largest A a^2 + B a over |a| <= radius, that is A t^2 + |B| t over 0 <= t <= radius."""
    concave = curvature < 0
    vertex = slope.abs() / (2 * torch.where(concave, -curvature, 1.0))
    best = torch.where(concave, vertex.clamp_max(radius), radius)
    return curvature * best.square() + slope.abs() * best


def ball_quadratic_supremum(curvature: Tensor, slope: Tensor, radius: Tensor) -> Tensor:
    """Largest theta^T A theta + b^T theta over |theta| <= R, A symmetric `(*batch, r, r)`, by its dual.

    ``min_mu mu R^2 + sum_i (b_i / 2)^2 / (mu - a_i)`` over mu >= max(a_i, 0) in the eigenbasis of A, without a gap.
    Sought is mu - max(a_i, 0), which keeps its digits where b is small beside A.
    """
    eigenvalues, basis = torch.linalg.eigh(curvature)
    halves, base = (product(basis.mT, slope) / 2).abs(), eigenvalues[..., -1].clamp_min(0)
    below = base.unsqueeze(-1) - eigenvalues
    beyond = (halves / radius.unsqueeze(-1) - below).amax(-1).clamp_min(0)  # where one entry alone has the norm R
    for _ in range(_STEPS):  # of Newton on 1 / |theta|, from the left
        gap = (beyond.unsqueeze(-1) + below).clamp_min(_SMALLEST)
        squares = (halves / gap).square()
        norm, slopes = squares.sum(-1), (squares / gap).sum(-1)
        beyond = beyond + (norm.sqrt() / radius - 1).clamp_min(0) * norm / slopes.clamp_min(_SMALLEST)
    gap = (beyond.unsqueeze(-1) + below).clamp_min(_SMALLEST)
    supremum: Tensor = (base + beyond) * radius.square() + (halves * (halves / gap)).sum(-1)
    return supremum


@cache
def _signed_samples(n: int, examples: int) -> tuple[Tensor, Tensor, Tensor]:
    """Of n signed examples: sums of signs and numbers of each example, `(c, m)`, and the logarithm of their orders."""
    bars = np.array(list(itertools.combinations(range(n + 2 * examples - 1), 2 * examples - 1)), dtype=np.float64)
    edges = np.concatenate([np.full((len(bars), 1), -1.0), bars, np.full((len(bars), 1), n + 2 * examples - 1.0)], 1)
    cells = np.diff(edges) - 1
    positive, negative = cells[:, :examples], cells[:, examples:]
    log_ways = special.gammaln(n + 1) - special.gammaln(cells + 1).sum(1)
    return torch.as_tensor(positive - negative), torch.as_tensor(positive + negative), torch.as_tensor(log_ways)
