"""Distributions as inputs: `forall.law("P", ...)` quantifies over them, `draw.law("x", P, n)` draws from one.

A distribution is made of ordinary inputs (its atoms, weights, scales), each a variable of its own: the search, the
reducer and replay treat it as they treat all else. Every tensor has the batch first: `(batch, k)` for atoms.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from harness.errors import ClaimError

if TYPE_CHECKING:
    from harness.language.quantifiers import Draw


class Distribution(ABC):
    """A distribution on the real line for each instance of a batch."""

    @property
    @abstractmethod
    def mean(self) -> Tensor:
        """Its mean, `(batch,)`."""

    @property
    @abstractmethod
    def variance(self) -> Tensor:
        """Its variance, `(batch,)`."""

    @abstractmethod
    def sample(self, draw: "Draw", name: str, *shape: int) -> Tensor:
        """Independent draws, `(reps, *shape)`."""


@dataclass(frozen=True)
class Atoms(Distribution):
    """Finitely many atoms `(batch, k)` with weights `(batch, k)`."""

    atoms: Tensor
    weights: Tensor

    def expect(self, f: Callable[[Tensor], Tensor]) -> Tensor:
        """E f(X) = sum_i w_i f(a_i), exactly; `f` maps `(batch, k)` to `(batch, k)`."""
        return (self.weights * f(self.atoms)).sum(-1)

    @property
    def mean(self) -> Tensor:
        return (self.weights * self.atoms).sum(-1)

    @property
    def variance(self) -> Tensor:
        return (self.weights * (self.atoms - self.mean.unsqueeze(-1)) ** 2).sum(-1)

    def probability(self, event: Callable[[Tensor], Tensor]) -> Tensor:
        """P(event(X)), exactly."""
        return (self.weights * event(self.atoms)).sum(-1)

    def quantile(self, level: float | Tensor) -> Tensor:
        """The smallest atom a with P(X <= a) >= level, for a level in (0, 1]."""
        if isinstance(level, int | float) and not 0.0 < level <= 1.0:
            raise ClaimError(f"a quantile of the level {level} is none; levels lie in (0, 1].")
        atoms, order = self.atoms.expand_as(self.weights).sort(-1)
        reached = self.weights.gather(-1, order).cumsum(-1)
        wanted = torch.as_tensor(level, dtype=atoms.dtype, device=atoms.device)
        wanted = wanted.unsqueeze(-1) if wanted.ndim else wanted
        place = (reached < wanted).sum(-1).clamp(max=atoms.shape[-1] - 1)
        return atoms.gather(-1, place.unsqueeze(-1)).squeeze(-1)

    def sample(self, draw: "Draw", name: str, *shape: int) -> Tensor:
        return _picked(self.atoms, draw.categorical(name, self.weights, *shape))


def _picked(table: Tensor, index: Tensor) -> Tensor:
    """Entries of the rows of a table `(batch, k)`, by their places `(reps, *shape)`."""
    reps = len(index)
    return table.expand(reps, -1).gather(-1, index.long().reshape(reps, -1)).reshape(index.shape)


@dataclass(frozen=True)
class GaussianMixture(Distribution):
    """Normal components with means, standard deviations and weights, each `(batch, k)`."""

    means: Tensor
    scales: Tensor
    weights: Tensor

    @property
    def mean(self) -> Tensor:
        return (self.weights * self.means).sum(-1)

    @property
    def variance(self) -> Tensor:
        return (self.weights * (self.scales**2 + (self.means - self.mean.unsqueeze(-1)) ** 2)).sum(-1)

    def sample(self, draw: "Draw", name: str, *shape: int) -> Tensor:
        component = draw.categorical(f"{name} component", self.weights, *shape)
        return _picked(self.means, component) + _picked(self.scales, component) * draw.normal(name, *shape)


@dataclass(frozen=True)
class Pareto(Distribution):
    """P(X > x) = x^(-index) for x >= 1; the index `(batch,)` says how heavy the tail is."""

    index: Tensor

    @property
    def mean(self) -> Tensor:
        return torch.where(self.index > 1.0, self.index / (self.index - 1.0), torch.inf)

    @property
    def variance(self) -> Tensor:
        a = self.index
        return torch.where(a > 2.0, a / ((a - 1.0) ** 2 * (a - 2.0)), torch.inf)

    def sample(self, draw: "Draw", name: str, *shape: int) -> Tensor:
        uniform = 1.0 - draw.uniform(name, *shape)  # in (0, 1]
        return uniform ** (-1.0 / self.index.reshape(-1, *(1 for _ in shape)))


def gpus_in_use() -> range:
    """Those that this process has asked for: the generators of others need no saving, and to ask takes a second."""
    return range(torch.cuda.device_count() if torch.cuda.is_initialized() else 0)  # type: ignore[no-untyped-call]
