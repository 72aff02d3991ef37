"""Rows of tables and figures, as a reproduction returns them."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import torch
from torch import Tensor

Row: TypeAlias = tuple[str, float, float, float | None]
"""Label, our number, its standard error, the printed number or limit; None where nothing is judged."""


def mean_and_error(values: Sequence[float] | Tensor, *, least: float = 0.0) -> tuple[float, float]:
    """Mean with its standard error, or `least` where that is larger; a single value has no error of its own."""
    numbers = torch.as_tensor(values, dtype=torch.float64)
    spread = float(numbers.std()) / math.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return float(numbers.mean()), max(spread, least)
