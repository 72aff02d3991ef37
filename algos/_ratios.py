"""Ratios of probabilities that are nearly equal, shared by the divergences."""

import torch
from torch import Tensor


def log_near_one(weights: Tensor, base: Tensor) -> tuple[Tensor, Tensor]:
    """Where q/p lies between 1/2 and 3/2, and log(q/p) there, 0 elsewhere: q - p is exact, and q/p is not."""
    offset = weights - base
    near = offset.abs() < 0.5 * base
    return near, torch.log1p(torch.where(near, offset / torch.where(near, base, 1.0), 0.0))


def rounds(weights: Tensor) -> bool:
    """Whether these are floats, of whose ratios near one little is left; balls, boxes and normal forms keep them."""
    return type(weights) in (Tensor, torch.nn.Parameter)


def uniform_like(weights: Tensor) -> Tensor:
    """The mass 1/N of each of the N atoms of the last axis, a scalar."""
    return torch.full((), 1 / weights.shape[-1], dtype=weights.dtype, device=weights.device)


def power_excess(deviation: Tensor, order: float) -> Tensor:
    """(1 + z)^k - 1 - k z for z >= -1, by the first terms of its binomial series where it is tiny."""
    near = deviation.abs() < 0.02 / order
    small = torch.where(near, deviation, 0.0)
    series = torch.zeros_like(small)
    for term in range(8, 1, -1):  # z^2 k (k - 1)/2 (1 + z (k - 2)/3 (1 + z (k - 3)/4 (...)))
        series = small * ((order - term + 1) / term) * (1 + series)
    plain = torch.expm1(order * torch.log1p(torch.where(near, 0.0, deviation))) - order * deviation
    return torch.where(near, order * small * series, plain)
