"""Cholesky factors of regularised Gram matrices, shared by the leverage scores and the ridge fits."""

from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

Ridge: TypeAlias = float | Tensor
"""The multiple of the identity that is added: n lambda. A number, or a tensor with the batch axes alone."""


def as_ridge(ridge: Ridge, like: Tensor) -> Tensor:
    """The ridge as a tensor that broadcasts against vectors ``(*batch, n)`` of the dtype and device of ``like``."""
    value = torch.as_tensor(ridge, dtype=like.dtype, device=like.device)
    if bool((value < 0).any()):
        raise ValueError(
            f"the ridge n lambda is {value.min().item()}, but it must not be negative: pass n * lambda >= 0"
        )
    return value.unsqueeze(-1)


def broadcast_batch(*shapes: torch.Size) -> torch.Size:
    """The common shape of batch axes."""
    return torch.Size(np.broadcast_shapes(*shapes))


def check_square(name: str, matrix: Tensor) -> None:
    """Refuse anything but ``(*batch, n, n)``."""
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise ValueError(f"{name} has shape {tuple(matrix.shape)}, but must be square: pass (*batch, n, n)")


def regularised_cholesky(matrix: Tensor, ridge: Ridge) -> Tensor:
    """Lower Cholesky factor of ``matrix + ridge I``.

    A batch entry that is not positive definite to working precision (for instance a zero matrix with ridge 0) becomes
    NaN as a whole, so that the other entries of the batch survive.
    """
    check_square("the kernel matrix", matrix)
    shift = as_ridge(ridge, matrix).unsqueeze(-1) * torch.eye(
        matrix.shape[-1], dtype=matrix.dtype, device=matrix.device
    )
    factor, info = torch.linalg.cholesky_ex(matrix + shift)
    masked: Tensor = factor.masked_fill((info != 0)[..., None, None], float("nan"))
    return masked


def cholesky_solve(factor: Tensor, vectors: Tensor) -> Tensor:
    """Solve ``L L^T x = b`` for vectors ``(*batch, n)``; batch axes broadcast."""
    batch = broadcast_batch(factor.shape[:-2], vectors.shape[:-1])
    n = factor.shape[-1]
    columns = vectors.expand(*batch, n).unsqueeze(-1)
    return torch.cholesky_solve(columns, factor.expand(*batch, n, n)).squeeze(-1)
