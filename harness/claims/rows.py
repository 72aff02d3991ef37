"""Numbers for rows of tables and figures."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor


def mean_and_error(values: Sequence[float] | Tensor, *, least: float = 0.0) -> tuple[float, float]:
    """Mean with its standard error, or `least` where that is larger; a single value has no error of its own."""
    numbers = torch.as_tensor(values, dtype=torch.float64)
    spread = float(numbers.std()) / math.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return float(numbers.mean()), max(spread, least)
