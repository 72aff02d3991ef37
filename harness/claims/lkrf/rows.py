"""Rows of the experiments."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import torch

Row: TypeAlias = tuple[str, float, float, float | None]
"""Label, our number, its standard error, the printed number or limit; None where nothing is judged."""


def mean_and_error(values: Sequence[float], *, least: float = 0.0) -> tuple[float, float]:
    """Mean with its standard error over the data sets, or `least` where that is larger."""
    numbers = torch.tensor(values, dtype=torch.float64)
    spread = float(numbers.std()) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return float(numbers.mean()), max(spread, least)
