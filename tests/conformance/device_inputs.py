"""Ordinary inputs of the device cases, and the leaves of their results."""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import torch
from torch import Tensor

from algos.best_response.lattice import FinitePeaks
from algos.margin_game import game as margin_game
from algos.margin_game import measure as dual_measure
from algos.margin_game import online
from algos.sphere import zonal

N, M = 8, 6


@dataclass(frozen=True)
class Inputs:
    """Fixed numbers, made on the CPU and placed on a device."""

    device: str

    def placed(self, x: Tensor) -> Tensor:
        return x if self.device == "cpu" else x.to(self.device)

    def real(self, *shape: int, seed: int = 0) -> Tensor:
        """Standard normal numbers."""
        generator = torch.Generator().manual_seed(1000 * seed + len(shape))
        return self.placed(torch.randn(shape, dtype=torch.float64, generator=generator))

    def law(self, *shape: int) -> Tensor:
        return self.real(*shape, seed=7).softmax(-1)

    @property
    def learned(self) -> dict[str, Tensor]:
        """What similarities to landmarks are learned from."""
        sample = {"points": self.points, "sample": self.whole(0, 4), "labels": self.whole(0, 1)}
        landmarks = {"landmarks": self.points[:3], "landmark_labels": self.classes[:3]}
        return sample | landmarks | {"frequencies": self.real(3, M, 2), "betas": self.law(2)}

    def signs(self, p: int) -> Tensor:
        """Signs of two blocks of structured frequencies."""
        return self.real(2, 3, p, seed=5).sign()

    def gram(self, n: int = N) -> Tensor:
        x = self.real(n, n, seed=3)
        return x @ x.mT / n + 0.1 * self.placed(torch.eye(n, dtype=torch.float64))

    def whole(self, *numbers: int) -> Tensor:
        return self.placed(torch.tensor(numbers))

    def places(self, n: int = N) -> Tensor:
        """Points of the unit interval."""
        return self.placed(torch.linspace(0.05, 0.95, n, dtype=torch.float64).square())

    def generator(self) -> torch.Generator:
        return torch.Generator(device=self.device).manual_seed(5)

    @property
    def points(self) -> Tensor:
        return self.real(N, 2)

    @property
    def space(self) -> Tensor:
        return zonal.unit_directions(self.real(N, 3, seed=1))

    @property
    def frequencies(self) -> Tensor:
        return self.real(M, 2, seed=2)

    @property
    def labels(self) -> Tensor:
        return self.placed(torch.tensor([1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0], dtype=torch.float64))

    @property
    def classes(self) -> Tensor:
        return self.whole(0, 1, 0, 0, 1, 1, 0, 1)

    @property
    def weights(self) -> Tensor:
        return self.law(N)

    @property
    def player(self) -> FinitePeaks:
        return FinitePeaks(self.points, self.frequencies)

    @property
    def game(self) -> margin_game.MarginGame:
        return margin_game.play_margin_game(
            self.player, self.labels, 1.0, rounds=5, step=online.decreasing_step(0.3), mass=1.0
        )

    @property
    def measure(self) -> dual_measure.DualMeasure:
        return dual_measure.dual_measure(self.game)


def leaves(result: Any) -> list[Any]:
    """The tensors and numbers of a result, in its dataclasses, lists and mappings too."""
    if is_dataclass(result):
        return [leaf for f in fields(result) for leaf in leaves(getattr(result, f.name))]
    if isinstance(result, dict):
        return [leaf for value in result.values() for leaf in leaves(value)]
    if isinstance(result, list | tuple):
        return [leaf for value in result for leaf in leaves(value)]
    return [result]
