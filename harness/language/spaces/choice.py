"""Finite sets that are written out."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from harness.language.spaces.base import Accuracy, Rng, Space, tensor


@dataclass(frozen=True)
class Choice(Space):
    """One of a few hand-written instances, which are always tried first."""

    options: tuple[tuple[float, ...], ...]
    smooth: ClassVar[bool] = False
    accuracy: ClassVar[Accuracy] = "entry"

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
