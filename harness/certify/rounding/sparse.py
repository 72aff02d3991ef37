"""Sparse matrices: their entries are numbers like any other, in a tensor of their own."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from harness.certify.rounding.operations import EXACT, names

REARRANGING = EXACT | names(
    """
    sparse_coo_tensor _sparse_coo_tensor_unsafe sparse_compressed_tensor sparse_csr_tensor sparse_csc_tensor
    _sparse_coo_tensor_with_dims_and_tensors _sparse_compressed_tensor_unsafe _to_sparse _to_sparse_csr _to_sparse_csc
    _to_sparse_bsr _to_sparse_bsc to_sparse _to_dense to_dense _values values _indices indices crow_indices col_indices
    ccol_indices row_indices sparse_mask sparse_resize sparse_resize_and_clear _nnz is_coalesced _coalesced
    """
)
"""What makes, reads and turns over sparse matrices, and computes nothing."""


def is_sparse(x: Any) -> bool:
    """Whether it is a tensor that does not keep its zeros."""
    return isinstance(x, Tensor) and x.layout is not torch.strided


def entries(x: Tensor) -> Tensor:
    """The entries that are kept, of a dense tensor all of them."""
    if x.layout is torch.strided:
        return x
    return x._values() if x.layout is torch.sparse_coo else x.values()


def with_values(x: Tensor, move: Callable[[Tensor], Tensor]) -> Tensor:
    """The same places with other entries."""
    if x.layout is torch.strided:
        return move(x)
    if x.layout is torch.sparse_coo:
        return torch.sparse_coo_tensor(
            x._indices(), move(x._values()), x.shape, is_coalesced=x.is_coalesced(), check_invariants=False
        )
    by_rows = x.layout in (torch.sparse_csr, torch.sparse_bsr)
    places = (x.crow_indices(), x.col_indices()) if by_rows else (x.ccol_indices(), x.row_indices())
    return torch.sparse_compressed_tensor(*places, move(x.values()), x.shape, layout=x.layout, check_invariants=False)
