"""Expectations by enumeration: all samples of a finite distribution by their counts, all signs."""

import math
from functools import cache

import torch
from torch import Tensor

from harness.claims.placement import table


def all_counts(law: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Every count vector of a sample of `size` atoms (outcomes, K), and its probability (*batch, outcomes)."""
    counts, ways = _table(law.shape[-1], size)
    counts, ways = table(counts, like=law), table(ways, like=law)
    return counts, ways * (law.unsqueeze(-2) ** counts).prod(-1)


def all_signs(count: int, *, like: Tensor) -> Tensor:
    """The vertices of the cube, (2^count, count), of the dtype and device of `like`."""
    return torch.cartesian_prod(*[table([-1.0, 1.0], like=like)] * count).reshape(-1, count)


@cache
def _table(atoms: int, size: int) -> tuple[Tensor, Tensor]:
    rows = _compositions(atoms, size)
    ways = [math.factorial(size) / math.prod(math.factorial(k) for k in row) for row in rows]
    return torch.tensor(rows, dtype=torch.float64), torch.tensor(ways, dtype=torch.float64)


def _compositions(parts: int, total: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in _compositions(parts - 1, total - first)]
