"""Sets whose coordinates are free of each other: intervals, integers, signs."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from harness.language.spaces.base import Accuracy, Rng, Space, structured, tensor


@dataclass(frozen=True)
class Interval(Space):
    """Entries in [low, high]."""

    low: float
    high: float
    accuracy: ClassVar[Accuracy] = "exact"

    @property
    def size(self) -> float:
        return self.high - self.low

    def from_unit(self, u: np.ndarray) -> Tensor:
        return self.project(
            tensor(self.low + self.size * u).reshape(-1, *self.shape)
        )  # low + (high - low) may round up

    def sample(self, rng: Rng, batch: int) -> Tensor:
        shape = (batch, *self.shape)
        column = (batch, *(1 for _ in self.shape))
        uniform = rng.random(shape)
        tiny = 10.0 ** -rng.uniform(0.0, 8.0, column) * rng.random(shape)
        near_end = np.where(rng.random(column) < 0.5, tiny, 1.0 - tiny)
        anchor = min(max(0.0, self.low), self.high)
        centred = anchor + 10.0 ** -rng.uniform(0.0, 4.0, column) * (self.low + self.size * uniform - anchor)
        pick = rng.random(column)
        value = np.where(pick < 0.5, self.low + self.size * uniform, np.where(pick < 0.75, centred, 0.0))
        return self.project(tensor(np.where(pick < 0.75, value, self.low + self.size * near_end)))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        specials = [self.low, self.high, 0.5 * (self.low + self.high), min(max(0.0, self.low), self.high)]
        return tensor(structured(rng, (batch, *self.shape), specials))

    def project(self, x: Tensor) -> Tensor:
        return x.clamp(self.low, self.high)

    def contains(self, x: Tensor) -> Tensor:
        return ((x >= self.low) & (x <= self.high)).reshape(len(x), -1).all(-1)

    def simplest(self) -> tuple[float, ...]:
        middle = 0.5 * (self.low + self.high)
        return tuple(v for v in (0.0, 1.0, -1.0, self.low, self.high, middle) if self.low <= v <= self.high)


@dataclass(frozen=True)
class Triangle(Interval):
    """Lower triangles of symmetric matrices, row by row."""

    def corners(self, rng: Rng, batch: int) -> Tensor:
        """Those of the entries, and in half of the batch diagonals, arrows, exchanges, signs and blocks of matrices."""
        n = math.isqrt(2 * self.entries)
        signs = rng.choice([-1.0, 1.0], (batch, n))
        some = (rng.random((batch, n)) < rng.random((batch, 1))).astype(float)
        first = np.zeros((batch, n)) + (np.arange(n) == rng.integers(0, n, (batch, 1)))
        order = rng.random((batch, n)).argsort(-1)
        eye, swapped = np.eye(n), np.eye(n)[order]
        matrices = [
            rng.choice([-1.0, 1.0], (batch, 1, 1)) * eye,
            signs[:, :, None] * eye,
            some[:, :, None] * eye,
            signs[:, :, None] * signs[:, None, :],
            some[:, :, None] * some[:, None, :],
            np.maximum(first[:, :, None], first[:, None, :]) * (1.0 - eye),
            1.0 - eye,
            np.maximum(swapped, swapped.swapaxes(-1, -2)),
        ]
        which = rng.integers(0, 2 * len(matrices), (batch, 1))
        rows, columns = np.tril_indices(n)
        triangles = [matrix[..., rows, columns] * self.high for matrix in matrices]
        found = super().corners(rng, batch).numpy()
        return self.project(tensor(np.select([which == i for i in range(len(triangles))], triangles, found)))


@dataclass(frozen=True)
class Keys(Interval):
    """Numbers of which the order alone matters, such as those that a permutation sorts."""

    def of_ranks(self, ranks: Tensor) -> Tensor:
        """Keys without ties, in the order of 0 ... n - 1 on the last axis."""
        return (ranks + 0.5) / self.entries


@dataclass(frozen=True)
class Integers(Space):
    """Whole numbers in [low, high], both included, as float64."""

    low: int
    high: int
    smooth: ClassVar[bool] = False
    accuracy: ClassVar[Accuracy] = "exact"

    @property
    def size(self) -> float:
        return float(self.high - self.low)

    def from_unit(self, u: np.ndarray) -> Tensor:
        steps = self.high - self.low + 1
        return tensor(np.minimum(self.low + np.floor(u * steps), self.high)).reshape(-1, *self.shape)

    def sample(self, rng: Rng, batch: int) -> Tensor:
        return tensor(rng.integers(self.low, self.high, (batch, *self.shape), endpoint=True))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        middle = (self.low + self.high) // 2
        specials = [float(v) for v in (self.low, self.high, middle, min(self.low + 1, self.high))]
        return self.project(tensor(structured(rng, (batch, *self.shape), specials)))

    def project(self, x: Tensor) -> Tensor:
        return x.round().clamp(self.low, self.high)

    def perturb(self, x: Tensor, rng: Rng, scale: float) -> Tensor:
        mask = rng.random(x.shape) < max(1.0 / max(self.entries, 1), 0.15)
        width = max(1.0, scale * self.size)
        step = np.sign(rng.standard_normal(x.shape)) * np.ceil(rng.random(x.shape) * width)
        return self.project(x + tensor(step * mask))

    def contains(self, x: Tensor) -> Tensor:
        return ((x == x.round()) & (x >= self.low) & (x <= self.high)).reshape(len(x), -1).all(-1)

    def simplest(self) -> tuple[float, ...]:
        return tuple(float(v) for v in (0, 1, self.low, self.low + 1, self.high) if self.low <= v <= self.high)


@dataclass(frozen=True)
class Signs(Space):
    """Entries -1 or +1."""

    smooth: ClassVar[bool] = False
    accuracy: ClassVar[Accuracy] = "exact"

    def from_unit(self, u: np.ndarray) -> Tensor:
        return tensor(np.where(u < 0.5, -1.0, 1.0)).reshape(-1, *self.shape)

    def sample(self, rng: Rng, batch: int) -> Tensor:
        bias = rng.random((batch, *(1 for _ in self.shape)))
        bias = np.where(rng.random(bias.shape) < 0.5, 0.5, bias)
        return tensor(np.where(rng.random((batch, *self.shape)) < bias, 1.0, -1.0))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        x = self.project(tensor(structured(rng, (batch, *self.shape), [-1.0, 1.0])))
        if self.shape and batch > 2:
            alternating = torch.ones(self.shape[-1], dtype=torch.float64)
            alternating[1::2] = -1.0
            x[0] = alternating
        return x

    def project(self, x: Tensor) -> Tensor:
        return torch.where(x < 0, -1.0, 1.0).to(x)

    def perturb(self, x: Tensor, rng: Rng, scale: float) -> Tensor:
        flip = rng.random(x.shape) < max(1.0 / max(self.entries, 1), 0.3 * scale)
        return torch.where(torch.as_tensor(flip), -x, x)

    def contains(self, x: Tensor) -> Tensor:
        return (x.abs() == 1.0).reshape(len(x), -1).all(-1)

    def simplest(self) -> tuple[float, ...]:
        return (1.0, -1.0)
