"""Tables of numbers that a body needs beside its quantified inputs: grids, binomial coefficients, nodes and weights."""

from collections.abc import Sequence

import torch
from torch import Tensor


def table(numbers: Tensor | Sequence[object], *, like: Tensor) -> Tensor:
    """The numbers as a tensor of the dtype of `like` and on its device, where operations with it then take place."""
    return torch.as_tensor(numbers, dtype=like.dtype, device=like.device)
