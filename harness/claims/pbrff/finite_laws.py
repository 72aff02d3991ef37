"""Expectations over all samples of a finite distribution, by enumeration."""

import torch
from torch import Tensor


def all_samples(probabilities: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Every i.i.d. sample of `size` atoms, as positions (K^size, size), and its probability (*batch, K^size)."""
    atoms = torch.arange(probabilities.shape[-1], device=probabilities.device)
    positions = torch.cartesian_prod(*[atoms] * size).reshape(-1, size)
    return positions, probabilities[..., positions].prod(-1)
