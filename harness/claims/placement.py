"""Where the numbers of a body live: its tables, data sets and generators go to the device of its inputs or draws."""

from collections.abc import Sequence

import torch
from torch import Tensor

from harness import Draw


def table(numbers: Tensor | Sequence[object], *, like: Tensor) -> Tensor:
    """The numbers as a tensor of the dtype of `like` and on its device, where operations with it then take place."""
    return torch.as_tensor(numbers, dtype=like.dtype, device=like.device)


def on_device(draw: Draw, data: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Points and labels on the device of the draws, where an experiment with them then takes place."""
    points, labels = data
    return points.to(draw.device), labels.to(draw.device)


def generators(draw: Draw, name: str, *, device: str | None = None) -> list[torch.Generator]:
    """One generator for each replicate, its seed drawn under this name; on the device of the draws, or on another."""
    seeds = draw.uniform(name, 1, high=2.0**31).flatten()
    return [torch.Generator(device or draw.device).manual_seed(int(seed)) for seed in seeds]


def so_many_generators(draw: Draw, name: str, count: int) -> list[torch.Generator]:
    """The same at every effort: for trials whose number is fixed by what is to be told apart."""
    seeds = draw.uniform(name, count, high=2.0**31)[0]
    return [torch.Generator(draw.device).manual_seed(int(seed)) for seed in seeds]
