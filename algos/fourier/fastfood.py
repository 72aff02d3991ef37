"""Fastfood: Gaussian random features from Hadamard transforms, without a matrix of frequencies."""

import math

import torch
from torch import Tensor

from algos._domains import Points
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size


@checked
def fastfood_features(points: Points, *, count: Size, gamma: PositiveFloat, generator: torch.Generator) -> Tensor:
    """Random features of the kernel ``exp(-gamma |x - x'|^2)`` in O(n m log d) time.

    The features of `random_fourier_features` with m frequencies that are the rows of ``(2 gamma)^(1/2) S H G P H B``,
    block by block: B random signs, H the Hadamard matrix over the root of its size, P a random permutation, G normal, S
    the factors that give each row the length of a normal vector. Each row is normal with covariance ``2 gamma I``, so
    the mean of products of features is the kernel; rows of one block are dependent. Points are padded with zeros to
    the next power of two, p.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        Of float dtype; every entry of the batch has transforms of its own.
    count : int
        m >= 1.
    gamma : float
        Positive.
    generator : torch.Generator
        On the device of the points.

    Returns
    -------
    Tensor (*batch, n, 2 m)

    References
    ----------
    lkrf Section 2.1; Le, Sarlos and Smola 2013, Fastfood: Computing Hilbert space expansions in loglinear time.
    """
    size = 1 << max(points.shape[-1] - 1, 0).bit_length()
    shape = (*points.shape[:-2], -(-count // size), size)  # (*batch, blocks, p)
    normal = torch.randn(shape, dtype=points.dtype, device=points.device, generator=generator)
    signs = torch.rand_like(normal, generator=generator).round() * 2 - 1
    order = torch.rand_like(normal, generator=generator).argsort(-1)
    squares = 2 * torch._standard_gamma(torch.full_like(normal, size / 2), generator=generator)
    lengths = (squares / normal.square().sum(-1, keepdim=True)).sqrt()
    padded = torch.nn.functional.pad(points, (0, size - points.shape[-1])).unsqueeze(-3)  # (*batch, 1, n, p)
    mixed = _hadamard(padded * signs.unsqueeze(-2))
    shuffled = mixed.gather(-1, order.unsqueeze(-2).expand_as(mixed)) * normal.unsqueeze(-2)
    rows = _hadamard(shuffled) * lengths.unsqueeze(-2) * math.sqrt(2 * gamma * size)
    phases = rows.transpose(-2, -3).flatten(-2)[..., :count]
    return torch.cat([phases.cos(), phases.sin()], -1) / math.sqrt(count)


def _hadamard(values: Tensor) -> Tensor:
    """The transform of the last axis, of length p = 2^k, over the root of p: k passes of sums and differences."""
    size = values.shape[-1]
    half = 1
    while half < size:
        first, second = values.reshape(*values.shape[:-1], size // (2 * half), 2, half).unbind(-2)
        values = torch.stack([first + second, first - second], -2).flatten(-3)
        half *= 2
    return values / math.sqrt(size)
