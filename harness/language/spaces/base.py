"""What every set can do: sample, stress, move, contain, project. Three methods make a set: see CONTRIBUTING."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import torch
from torch import Tensor

Rng = np.random.Generator
Accuracy = Literal["exact", "entry", "size"]


def tensor(array: object) -> Tensor:
    """A float64 CPU tensor."""
    return torch.as_tensor(np.asarray(array, dtype=np.float64))


@dataclass(frozen=True)
class Space(ABC):
    """A set of arrays of one shape."""

    name: str
    shape: tuple[int, ...]
    smooth: ClassVar[bool] = True  # gradient ascent may move inside the set
    accuracy: ClassVar[Accuracy] = "size"
    """How floats lie on the set: exactly, or up to a last place of each entry, or of the size of the set."""

    @property
    def entries(self) -> int:
        return math.prod(self.shape)

    @property
    def dimension(self) -> int:
        """How many unit-cube coordinates `from_unit` consumes."""
        return self.entries

    @property
    def size(self) -> float:
        """A typical distance inside the set, the unit of step sizes."""
        return 1.0

    @abstractmethod
    def from_unit(self, u: np.ndarray) -> Tensor:
        """Map points of the unit cube `(batch, dimension)` to the set, spreading them evenly."""

    def sample(self, rng: Rng, batch: int) -> Tensor:
        """Random elements over a mixture of scales, from tiny to extreme."""
        scale = 10.0 ** -rng.uniform(0.0, 6.0, (batch, *(1 for _ in self.shape)))
        shrunk = np.where(rng.random(scale.shape) < 0.5, 1.0, scale)
        return self.project(self.from_unit(rng.random((batch, self.dimension))) * tensor(shrunk))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        """Hard instances: zeros, equal entries, one-hot, extremes, duplicates."""
        return self.project(tensor(structured(rng, (batch, *self.shape), list(self.simplest()))))

    @abstractmethod
    def project(self, x: Tensor) -> Tensor:
        """The nearest element (or a feasible one close by)."""

    @abstractmethod
    def contains(self, x: Tensor) -> Tensor:
        """Boolean `(batch,)`: which elements lie in the set, to rounding."""

    def perturb(self, x: Tensor, rng: Rng, scale: float) -> Tensor:
        """A random move of about `scale` times the size of the set."""
        mask = rng.random(x.shape) < max(1.0 / max(self.entries, 1), 0.3)
        return self.project(x + tensor(rng.standard_normal(x.shape) * mask) * (scale * self.size))

    def simplest(self) -> tuple[float, ...]:
        """The numbers that the reducer tries first for an entry."""
        return (0.0, 1.0, -1.0)


def structured(rng: Rng, shape: tuple[int, ...], specials: list[float]) -> np.ndarray:
    """Arrays built from a few special numbers: constant, one-hot, two blocks, duplicated, independent."""
    batch, inner = shape[0], shape[1:]
    values = np.asarray(specials, dtype=np.float64)
    independent = rng.choice(values, shape)
    if not inner:
        return np.asarray(independent)
    column = (batch, *(1 for _ in inner))
    first, second = rng.choice(values, column), rng.choice(values, column)
    flat_index = np.arange(math.prod(inner)).reshape(inner)
    cut = rng.integers(0, math.prod(inner), column, endpoint=True)
    constant = np.broadcast_to(first, shape)
    one_hot = np.where(flat_index == cut % math.prod(inner), first, second)
    blocks = np.where(flat_index < cut, first, second)
    jitter = first + (values.max() - values.min()) * 1e-3 * rng.standard_normal(shape)
    kinds = [independent, constant, one_hot, blocks, np.clip(jitter, values.min(), values.max())]
    which = rng.integers(0, len(kinds), column)
    return np.asarray(np.select([which == i for i in range(len(kinds))], kinds))


def axes_of(spaces: tuple[Space, ...]) -> Iterator[tuple[Space, slice]]:
    """Each set with its slice of the joint unit cube."""
    start = 0
    for space in spaces:
        yield space, slice(start, start + space.dimension)
        start += space.dimension
