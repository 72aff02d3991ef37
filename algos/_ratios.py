"""Ratios of probabilities that are nearly equal, shared by the divergences."""

import torch
from torch import Tensor


def log_near_one(weights: Tensor, base: Tensor) -> tuple[Tensor, Tensor]:
    """Where q/p lies between 1/2 and 3/2, and log(q/p) there, 0 elsewhere: q - p is exact, and q/p is not."""
    offset = weights - base
    near = offset.abs() < 0.5 * base
    return near, torch.log1p(torch.where(near, offset / torch.where(near, base, 1.0), 0.0))


def uniform_like(weights: Tensor) -> Tensor:
    """The mass 1/N of each of the N atoms of the last axis, a scalar."""
    return torch.full((), 1 / weights.shape[-1], dtype=weights.dtype, device=weights.device)
