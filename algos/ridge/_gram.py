"""Gram matrices of streamed features and the diagonal of their regularised inverse, in place where LAPACK can."""

from collections.abc import Iterable

import torch
from scipy.linalg import blas, lapack
from torch import Tensor

_MIRRORED_ROWS = 512


def differentiable(*tensors: object) -> bool:
    """Whether autograd must remember what is done with one of the tensors."""
    return torch.is_grad_enabled() and any(isinstance(t, Tensor) and t.requires_grad for t in tensors)


def by_lapack(matrix: Tensor) -> bool:
    """Whether LAPACK may work in the memory of the matrix: one real matrix on the CPU, no gradients."""
    real = matrix.dtype in {torch.float32, torch.float64}
    return matrix.ndim == 2 and real and matrix.device.type == "cpu" and not differentiable(matrix)


def accumulate_gram(blocks: Iterable[Tensor]) -> Tensor:
    """``sum_b Z_b^T Z_b`` over blocks ``(*batch, rows, s)``; one design on the CPU by symmetric rank-k updates."""
    gram: Tensor | None = None
    symmetric = False
    for block in blocks:
        if gram is None:
            s = block.shape[-1]
            symmetric = by_lapack(block)
            gram = block.new_zeros(*block.shape[:-2], s, s)
        if not symmetric:
            gram = gram + block.mT @ block
        elif block.numel():
            update = blas.ssyrk if block.dtype == torch.float32 else blas.dsyrk
            columns = block.detach().contiguous().numpy().T
            update(1.0, columns, beta=1.0, c=gram.numpy().T, lower=1, overwrite_c=1)
    if gram is None:
        raise ValueError("there are 0 blocks of features, but a Gram matrix is a sum over them: pass at least one")
    return _mirror(gram) if symmetric else gram


def inverse_diagonal_(matrix: Tensor, shift: float) -> Tensor:
    """``diag((matrix + shift I)^{-1})`` by LAPACK in the memory of the matrix, which is destroyed; NaN if singular."""
    single = matrix.dtype == torch.float32
    potrf, trtri = (lapack.spotrf, lapack.strtri) if single else (lapack.dpotrf, lapack.dtrtri)
    matrix.diagonal().add_(shift)
    factor, info = potrf(matrix.numpy().T, lower=1, clean=1, overwrite_a=1)
    if info != 0:
        return torch.full_like(matrix[0], float("nan"))
    inverse, _ = trtri(factor, lower=1, overwrite_c=1)
    norms: Tensor = torch.linalg.vector_norm(torch.from_numpy(inverse.T), dim=-1)
    return norms.square()


def _mirror(gram: Tensor) -> Tensor:
    """Copy the upper triangle below the diagonal, block by block."""
    for row in range(0, len(gram), _MIRRORED_ROWS):
        rows = slice(row, row + _MIRRORED_ROWS)
        corner = gram[rows, rows].triu()
        gram[rows, rows] = corner + corner.triu(1).T
        gram[row + _MIRRORED_ROWS :, rows] = gram[rows, row + _MIRRORED_ROWS :].T
    return gram
