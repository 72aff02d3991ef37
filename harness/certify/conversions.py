"""Which type of numbers a conversion asks for, in every way in which torch lets it be asked."""

from typing import Any

import torch
from torch import Tensor

_PYTHON = {int: torch.int64, float: torch.float64, bool: torch.bool, complex: torch.complex128}


def is_type(option: Any) -> bool:
    """Whether an argument names a type of numbers: torch.float32, int, torch.LongTensor."""
    return isinstance(option, torch.dtype | type)


def wanted_type(*options: Any) -> torch.dtype | None:
    """The type that `x.to(*options)` or `x.type(*options)` asks for; None where devices and flags alone are given.

    Raises
    ------
    ValueError
        For what may be a type and is not known here.
    """
    found = None
    for option in options:
        if option is None or isinstance(option, bool | torch.device):
            continue
        found = _type_of(option) or found
    return found


def _type_of(option: Any) -> torch.dtype | None:
    if isinstance(option, torch.dtype):
        return option
    dtype = getattr(option, "dtype", None)
    if isinstance(dtype, torch.dtype) and (isinstance(option, Tensor | type)):  # a tensor, or torch.LongTensor
        return dtype
    if isinstance(option, str):
        torch.device(option)  # raises RuntimeError for what is none
        return None
    if isinstance(option, type) and option in _PYTHON:
        return _PYTHON[option]
    raise ValueError(f"a conversion to {option!r}")
