"""Sets whose coordinates depend on each other: balls and spheres, simplices, positive semidefinite matrices."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from scipy import special
from torch import Tensor

from harness.language.spaces.base import Accuracy, Rng, Space, structured, tensor

SUPPORTS = 16  # different ones at most, spaced geometrically


def supports(rng: Rng, shape: tuple[int, ...], entries: int) -> np.ndarray:
    """How many of the entries are not zero: one number after another, from a random one on, so that none is missed."""
    numbers = np.unique(np.geomspace(1, entries, SUPPORTS).round().astype(int))
    if entries <= SUPPORTS:
        numbers = np.arange(1, entries + 1)
    turn = rng.integers(len(numbers), size=(1, *shape[1:])) + np.arange(shape[0]).reshape(-1, *(1 for _ in shape[1:]))
    return np.asarray(numbers[turn % len(numbers)])


@dataclass(frozen=True)
class Ball(Space):
    """Vectors (along the last axis) of Euclidean norm at most `radius`; norm exactly `radius` for a sphere."""

    radius: float
    surface: bool
    accuracy: ClassVar[Accuracy] = "entry"

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
        """Patterns of 0, 1 and -1; of every third one, equal weights on few entries, as many as turn by turn."""
        x = structured(rng, (batch, *self.shape), [0.0, 1.0, -1.0])
        few = supports(rng, (batch // 3 + 1, *self.shape[:-1], 1), self.shape[-1]).repeat(3, axis=0)[:batch]
        sparse = np.arange(self.shape[-1]) < few
        third = np.arange(batch).reshape(-1, *(1 for _ in self.shape)) % 3 == 0
        x = np.where(third, sparse * np.where(x < 0.0, -1.0, 1.0), x)
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

    accuracy: ClassVar[Accuracy] = "entry"

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
        support = supports(rng, (batch // 2 + 1, *self.shape[:-1], 1), k).repeat(2, axis=0)[:batch]
        flat = (np.arange(k) < support) / support
        heavy = rng.choice([0.5, 2.0 / 3.0, 0.75, 0.8, 0.9], (batch, *self.shape[:-1], 1))
        spread = np.where(np.arange(k) == 0, heavy, (1.0 - heavy) / max(k - 1, 1))
        use_flat = np.arange(batch).reshape(-1, *(1 for _ in self.shape)) % 2 == 0
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
    accuracy: ClassVar[Accuracy] = "entry"

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
        values, vectors = spectrum(0.5 * (x + x.mT))
        clipped = values.clamp_min(0.0)
        if self.trace is not None:
            total = clipped.sum(-1, keepdim=True)
            flat = torch.full_like(clipped, self.trace / x.shape[-1])
            clipped = torch.where(total > 0.0, clipped * (self.trace / total.clamp_min(1e-300)), flat)
        projected: Tensor = (vectors * clipped[..., None, :]) @ vectors.mT
        return 0.5 * (projected + projected.mT)

    def contains(self, x: Tensor) -> Tensor:
        values, _ = spectrum(0.5 * (x + x.mT))
        top = values[..., -1].clamp_min(1e-300)
        inside: Tensor = (values[..., 0] >= -1e-12 * top) & ((x - x.mT).abs().amax((-2, -1)) <= 1e-12 * top)
        if self.trace is not None:
            inside &= (x.diagonal(dim1=-2, dim2=-1).sum(-1) - self.trace).abs() <= 1e-12 * max(abs(self.trace), 1.0)
        return inside


def spectrum(x: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of symmetric matrices, each found by itself where a batch fails.

    LAPACK finds none where entries span too many magnitudes (1e-300 beside 1e154): that matrix counts as its diagonal.
    """
    try:
        values, vectors = torch.linalg.eigh(x)
    except torch.linalg.LinAlgError:  # type: ignore[attr-defined]
        if x.ndim > 2:
            parts = [spectrum(each) for each in x]
            return torch.stack([part[0] for part in parts]), torch.stack([part[1] for part in parts])
        values, order = x.diagonal().sort()
        vectors = torch.eye(len(x), dtype=x.dtype, device=x.device)[:, order]
    return values, vectors
