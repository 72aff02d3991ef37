"""Ridge regression on features drawn from a pool, plainly or by their leverage scores, tuned on validation points."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from algos.ridge.leverage_sampling import leverage_sampling_weights, pool_leverage_scores, sample_by_leverage
from algos.ridge.regression import feature_ridge_from_moments
from algos.ridge.streaming import feature_moments
from harness import Estimate, Row

Sample: TypeAlias = tuple[Tensor, Tensor]
Loss: TypeAlias = Callable[[Tensor, Tensor], Tensor]

REGULARISATIONS = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
"""Of the ridge fits; lambda, not multiplied by n."""


@dataclass(frozen=True)
class Parts:
    """Points and targets to fit, to choose parameters, and to report."""

    train: Sample
    validation: Sample
    test: Sample


@dataclass(frozen=True)
class Selection:
    """Positions in the pool, and multipliers of these columns."""

    indices: Tensor
    weights: Tensor


@dataclass(frozen=True)
class Pool:
    """Features of a pool (s, d + 1), each a frequency and a phase, with their sums over the training points."""

    features: Tensor
    gram: Tensor
    moments: Tensor

    @staticmethod
    def of(parts: Parts, frequencies: Tensor, *, generator: torch.Generator) -> "Pool":
        """Phases are drawn; the features of all training points are streamed, never stored."""
        phases = (
            2
            * math.pi
            * torch.rand(len(frequencies), 1, dtype=torch.float64, device=generator.device, generator=generator)
        )
        features = torch.cat([frequencies, phases], -1)
        return Pool(features, *feature_moments(*parts.train, lambda rows: cosines(rows, features)))

    def everything(self) -> Selection:
        return self._plainly(torch.arange(len(self.features), device=self.features.device))

    def plain(self, count: int, draws: int, *, generator: torch.Generator) -> list[Selection]:
        """Several draws of plain features, without replacement."""
        size, device = len(self.features), generator.device
        orders = (torch.randperm(size, device=device, generator=generator) for _ in range(draws))
        return [self._plainly(order[:count]) for order in orders]

    def scores(self, regularisations: Sequence[float], points: int) -> list[Tensor]:
        """Leverage scores of Algorithm 1, repaired, for each lambda."""
        return [pool_leverage_scores(self.gram, points * regularisation) for regularisation in regularisations]

    def by_leverage(self, count: int, scores: Sequence[Tensor], *, generator: torch.Generator) -> list[Selection]:
        """A draw with replacement for each vector of scores."""
        found = []
        for some in scores:
            indices = sample_by_leverage(some, count, generator=generator)
            found.append(Selection(indices, leverage_sampling_weights(some)[indices]))
        return found

    def best(self, parts: Parts, candidates: Sequence[Selection], *, loss: Loss) -> Tensor:
        """Losses (validation, test) of the ridge fit, among candidates and regularisations, that validates best."""
        found = []
        for chosen in candidates:
            weights = chosen.weights
            gram = self.gram[chosen.indices][:, chosen.indices] * (weights.unsqueeze(-1) * weights)
            moments = self.moments[chosen.indices] * weights
            tested = [
                (cosines(x, self.features[chosen.indices]) * weights, y) for x, y in (parts.validation, parts.test)
            ]
            for regularisation in REGULARISATIONS:
                beta = feature_ridge_from_moments(gram, moments, len(parts.train[1]) * regularisation)
                found.append(torch.stack([loss(z @ beta, y) for z, y in tested]))
        losses = torch.stack(found)
        return losses[losses[:, 0].argmin()]

    @staticmethod
    def _plainly(indices: Tensor) -> Selection:
        return Selection(indices, torch.ones_like(indices, dtype=torch.float64))


def cosines(points: Tensor, features: Tensor) -> Tensor:
    """``sqrt2 cos(<w, x> + b)`` (n, s) for features (s, d + 1), each a frequency and a phase."""
    return (points @ features[:, :-1].mT).add_(features[:, -1]).cos_().mul_(math.sqrt(2))


def root_mean_square(predictions: Tensor, targets: Tensor) -> Tensor:
    """Root mean squared error."""
    return (predictions - targets).square().mean().sqrt()


def percent_wrong(predictions: Tensor, targets: Tensor) -> Tensor:
    """Wrong signs in percent, for targets -1 and +1."""
    return 100.0 * (predictions * targets <= 0).to(torch.float64).mean()


def mean_row(
    label: str,
    values: Tensor,
    printed: float | None = None,
    *,
    at: Mapping[str, float] | None = None,
    unit: str = "",
) -> Row:
    """Mean over the data sets with its standard error; a single one decides nothing."""
    return Row(label, Estimate.mean(values), printed=printed, at=at, unit=unit)
