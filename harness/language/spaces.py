"""The sets over which a claim is quantified: how to sample, stress, move within, project onto and simplify them.

Every set works on float64 tensors `(batch, *shape)`; all finders, the reducer and replay use these few methods only.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from scipy import special
from torch import Tensor

Rng = np.random.Generator


def tensor(array: object) -> Tensor:
    """A float64 CPU tensor."""
    return torch.as_tensor(np.asarray(array, dtype=np.float64))


@dataclass(frozen=True)
class Space(ABC):
    """A set of arrays of one shape."""

    name: str
    shape: tuple[int, ...]
    smooth: ClassVar[bool] = True  # gradient ascent may move inside the set
    rounded: ClassVar[bool] = False  # its elements, as floats, lie on it up to rounding only

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

    @abstractmethod
    def sample(self, rng: Rng, batch: int) -> Tensor:
        """Random elements over a mixture of scales, from tiny to extreme."""

    @abstractmethod
    def corners(self, rng: Rng, batch: int) -> Tensor:
        """Hard instances: zeros, equal entries, one-hot, extremes, duplicates."""

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


@dataclass(frozen=True)
class Interval(Space):
    """Entries in [low, high]."""

    low: float
    high: float

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
        return tensor(_structured(rng, (batch, *self.shape), specials))

    def project(self, x: Tensor) -> Tensor:
        return x.clamp(self.low, self.high)

    def contains(self, x: Tensor) -> Tensor:
        return ((x >= self.low) & (x <= self.high)).reshape(len(x), -1).all(-1)

    def simplest(self) -> tuple[float, ...]:
        middle = 0.5 * (self.low + self.high)
        return tuple(v for v in (0.0, 1.0, -1.0, self.low, self.high, middle) if self.low <= v <= self.high)


@dataclass(frozen=True)
class Integers(Space):
    """Whole numbers in [low, high], both included, as float64."""

    low: int
    high: int
    smooth: ClassVar[bool] = False

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
        return self.project(tensor(_structured(rng, (batch, *self.shape), specials)))

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

    def from_unit(self, u: np.ndarray) -> Tensor:
        return tensor(np.where(u < 0.5, -1.0, 1.0)).reshape(-1, *self.shape)

    def sample(self, rng: Rng, batch: int) -> Tensor:
        bias = rng.random((batch, *(1 for _ in self.shape)))
        bias = np.where(rng.random(bias.shape) < 0.5, 0.5, bias)
        return tensor(np.where(rng.random((batch, *self.shape)) < bias, 1.0, -1.0))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        x = self.project(tensor(_structured(rng, (batch, *self.shape), [-1.0, 1.0])))
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


@dataclass(frozen=True)
class Ball(Space):
    """Vectors (along the last axis) of Euclidean norm at most `radius`; norm exactly `radius` for a sphere."""

    radius: float
    surface: bool
    rounded: ClassVar[bool] = True

    @property
    def size(self) -> float:
        return self.radius

    def _directions(self, gaussian: np.ndarray) -> np.ndarray:
        norm = np.linalg.norm(gaussian, axis=-1, keepdims=True)
        first = np.zeros_like(gaussian)
        first[..., 0] = 1.0
        return np.where(norm > 0.0, gaussian / np.where(norm > 0.0, norm, 1.0), first)

    def from_unit(self, u: np.ndarray) -> Tensor:
        clipped = np.clip(u, 1e-9, 1.0 - 1e-9).reshape(-1, *self.shape)
        gaussian = special.ndtri(clipped)
        if self.surface:
            return tensor(self.radius * self._directions(gaussian))
        squared = (gaussian**2).sum(-1, keepdims=True)
        radial = special.chdtr(self.shape[-1], squared) ** (1.0 / self.shape[-1])
        return tensor(self.radius * radial * self._directions(gaussian))

    def sample(self, rng: Rng, batch: int) -> Tensor:
        directions = self._directions(rng.standard_normal((batch, *self.shape)))
        if self.surface:
            return tensor(self.radius * directions)
        column = (batch, *(1 for _ in self.shape))
        uniform = rng.random((batch, *self.shape[:-1], 1)) ** (1.0 / self.shape[-1])
        scale = 10.0 ** -rng.uniform(0.0, 6.0, column)
        pick = rng.random(column)
        radial = np.where(pick < 0.4, uniform, np.where(pick < 0.7, 1.0, uniform * scale))
        return tensor(self.radius * radial * directions)

    def corners(self, rng: Rng, batch: int) -> Tensor:
        x = _structured(rng, (batch, *self.shape), [0.0, 1.0, -1.0])
        unit = self._directions(x)
        if self.surface:
            return tensor(self.radius * unit)
        return tensor(self.radius * unit * (np.linalg.norm(x, axis=-1, keepdims=True) > 0.0))

    def project(self, x: Tensor) -> Tensor:
        if not self.surface:
            norm: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
            return x * (self.radius / norm.clamp_min(self.radius))
        size = x.detach().abs().amax(-1, keepdim=True)
        shaped = x / torch.where(size > 0.0, size, 1.0)  # squares of tiny entries would underflow
        length: Tensor = torch.linalg.vector_norm(shaped, dim=-1, keepdim=True)
        first = torch.zeros_like(x)
        first[..., 0] = self.radius
        return torch.where(size > 0.0, shaped * (self.radius / length.clamp_min(1e-300)), first)

    def contains(self, x: Tensor) -> Tensor:
        norm: Tensor = torch.linalg.vector_norm(x, dim=-1)
        slack = 1e-12 * max(self.radius, 1e-300)
        inside: Tensor = norm <= self.radius + slack
        if self.surface:
            inside &= norm >= self.radius - slack
        return inside.reshape(len(x), -1).all(-1)

    def simplest(self) -> tuple[float, ...]:
        return (0.0, self.radius, -self.radius)


@dataclass(frozen=True)
class Simplex(Space):
    """Probability vectors along the last axis."""

    rounded: ClassVar[bool] = True

    def from_unit(self, u: np.ndarray) -> Tensor:
        exponential = -np.log(np.clip(u, 1e-12, 1.0 - 1e-12)).reshape(-1, *self.shape)
        return tensor(exponential / exponential.sum(-1, keepdims=True))

    def sample(self, rng: Rng, batch: int) -> Tensor:
        concentration = 10.0 ** rng.uniform(-1.5, 1.5, (batch, *(1 for _ in self.shape)))
        gamma = rng.standard_gamma(np.broadcast_to(concentration, (batch, *self.shape))) + 1e-300
        return tensor(gamma / gamma.sum(-1, keepdims=True))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        """Uniform on a few atoms; one heavy atom and the rest spread; a vertex."""
        k = self.shape[-1]
        support = rng.integers(1, k, (batch, *self.shape[:-1], 1), endpoint=True)
        flat = (np.arange(k) < support) / support
        heavy = rng.choice([0.5, 2.0 / 3.0, 0.75, 0.8, 0.9], (batch, *self.shape[:-1], 1))
        spread = np.where(np.arange(k) == 0, heavy, (1.0 - heavy) / max(k - 1, 1))
        use_flat = rng.random((batch, *(1 for _ in self.shape))) < 0.5
        return self.project(tensor(np.where(use_flat, flat, spread)))

    def project(self, x: Tensor) -> Tensor:
        """Euclidean projection by sorting."""
        k = x.shape[-1]
        x = x - x.amax(-1, keepdim=True)  # a shift changes nothing, and large numbers would swallow the 1 below
        ordered = x.sort(dim=-1, descending=True).values
        excess = (ordered.cumsum(-1) - 1.0) / torch.arange(1, k + 1, dtype=x.dtype, device=x.device)
        support = (ordered > excess).sum(-1, keepdim=True).clamp_min(1)
        clipped = (x - excess.gather(-1, support - 1)).clamp_min(0.0)
        return clipped / clipped.sum(-1, keepdim=True)

    def contains(self, x: Tensor) -> Tensor:
        inside = (x >= 0.0).all(-1) & ((x.sum(-1) - 1.0).abs() <= 1e-12)
        return inside.reshape(len(x), -1).all(-1)


@dataclass(frozen=True)
class PositiveSemidefinite(Space):
    """Symmetric n x n matrices with non-negative eigenvalues, of given trace when `trace` is not None."""

    trace: float | None
    rounded: ClassVar[bool] = True

    def from_unit(self, u: np.ndarray) -> Tensor:
        return self._gram(special.ndtri(np.clip(u, 1e-9, 1.0 - 1e-9)).reshape(-1, *self.shape))

    def sample(self, rng: Rng, batch: int) -> Tensor:
        n = self.shape[-1]
        factor = rng.standard_normal((batch, n, n)) * 10.0 ** -rng.uniform(0.0, 4.0, (batch, 1, n))
        factor *= rng.random((batch, 1, n)) < rng.random((batch, 1, 1)) + 1.0 / n
        return self._gram(factor + 1e-9 * np.eye(n))

    def corners(self, rng: Rng, batch: int) -> Tensor:
        n = self.shape[-1]
        kinds = [np.eye(n), np.ones((n, n)), np.diag(np.arange(n) == 0), np.diag(10.0 ** -np.arange(n))]
        return self._of_trace(tensor(np.stack([kinds[i] for i in rng.integers(0, len(kinds), batch)])))

    def _gram(self, factor: np.ndarray) -> Tensor:
        return self._of_trace(tensor(factor @ np.swapaxes(factor, -1, -2)))

    def _of_trace(self, gram: Tensor) -> Tensor:
        """Scale to the given trace; the zero matrix becomes a multiple of the identity."""
        if self.trace is None:
            return gram
        total = gram.diagonal(dim1=-2, dim2=-1).sum(-1)[..., None, None]
        flat = torch.eye(gram.shape[-1], dtype=gram.dtype) * (self.trace / gram.shape[-1])
        return torch.where(total > 0.0, gram * (self.trace / total.clamp_min(1e-300)), flat)

    def project(self, x: Tensor) -> Tensor:
        values, vectors = torch.linalg.eigh(0.5 * (x + x.mT))
        clipped = values.clamp_min(0.0)
        if self.trace is not None:
            total = clipped.sum(-1, keepdim=True)
            flat = torch.full_like(clipped, self.trace / x.shape[-1])
            clipped = torch.where(total > 0.0, clipped * (self.trace / total.clamp_min(1e-300)), flat)
        projected: Tensor = (vectors * clipped[..., None, :]) @ vectors.mT
        return 0.5 * (projected + projected.mT)

    def contains(self, x: Tensor) -> Tensor:
        values: Tensor = torch.linalg.eigvalsh(0.5 * (x + x.mT))
        top = values[..., -1].clamp_min(1e-300)
        inside: Tensor = (values[..., 0] >= -1e-12 * top) & ((x - x.mT).abs().amax((-2, -1)) <= 1e-12 * top)
        if self.trace is not None:
            inside &= (x.diagonal(dim1=-2, dim2=-1).sum(-1) - self.trace).abs() <= 1e-12 * max(abs(self.trace), 1.0)
        return inside


@dataclass(frozen=True)
class Choice(Space):
    """One of a few hand-written instances, which are always tried first."""

    options: tuple[tuple[float, ...], ...]
    smooth: ClassVar[bool] = False
    rounded: ClassVar[bool] = True

    @property
    def dimension(self) -> int:
        return 1

    def _take(self, index: np.ndarray) -> Tensor:
        return tensor(self.options)[torch.as_tensor(index)].reshape(-1, *self.shape)

    def from_unit(self, u: np.ndarray) -> Tensor:
        return self._take(np.minimum((u[:, 0] * len(self.options)).astype(int), len(self.options) - 1))

    def sample(self, rng: Rng, batch: int) -> Tensor:
        return self._take(rng.integers(0, len(self.options), batch))

    def corners(self, rng: Rng, batch: int) -> Tensor:  # noqa: ARG002
        return self._take(np.arange(batch) % len(self.options))

    def project(self, x: Tensor) -> Tensor:
        table = tensor(self.options).to(x)
        nearest = (x.reshape(len(x), 1, -1) - table).abs().sum(-1).argmin(-1)
        return table[nearest].reshape(x.shape)

    def perturb(self, x: Tensor, rng: Rng, scale: float) -> Tensor:
        return torch.where(
            torch.as_tensor(rng.random((len(x), *(1 for _ in self.shape))) < scale), self.sample(rng, len(x)), x
        )

    def contains(self, x: Tensor) -> Tensor:
        gap = (x.reshape(len(x), 1, -1) - tensor(self.options)).abs().amax(-1)
        return gap.amin(-1) == 0.0

    def simplest(self) -> tuple[float, ...]:
        return ()


def _structured(rng: Rng, shape: tuple[int, ...], specials: list[float]) -> np.ndarray:
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
