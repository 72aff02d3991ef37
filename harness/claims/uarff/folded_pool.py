"""Ridge regression on features of a pool with inner cross validation, from Gram matrices of the folds alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.ridge.leverage_sampling import leverage_sampling_weights, pool_leverage_scores, sample_by_leverage
from algos.ridge.streaming import feature_moments
from harness.claims.uarff.feature_pool import REGULARISATIONS, Sample, Selection, cosines

FOLDS = 5


@dataclass(frozen=True)
class FoldedPool:
    """Sums over the parts of a sample, five folds and the test points: Z^T Z, Z^T y and y^T y, and how many points."""

    grams: Tensor
    moments: Tensor
    squares: Tensor
    counts: Tensor

    @staticmethod
    def of(train: Sample, test: Sample, features: Tensor) -> "FoldedPool":
        """The points are in random order; features (s, d + 1) are frequencies and phases."""
        points, targets = (part.tensor_split(FOLDS) for part in train)
        parts = [*zip(points, targets, strict=True), test]
        sums = [feature_moments(x, y, lambda rows: cosines(rows, features)) for x, y in parts]
        grams, moments = (torch.stack(some) for some in zip(*sums, strict=True))
        squares = torch.stack([y.square().sum() for _, y in parts])
        return FoldedPool(grams, moments, squares, torch.tensor([len(y) for _, y in parts]).to(squares))

    def best(self, chosen: Selection) -> Tensor:
        """Root mean squared errors (2,), in cross validation and on the test points, at the best lambda.

        Each fold is predicted by the fit to the other four, the test points by the fit to all.
        """
        errors = self._every_error(chosen)
        return errors[errors[:, 0].argmin()]

    def tuned(self, chosen: Selection) -> tuple[float, float]:
        """The smallest error in cross validation, and the lambda that has it."""
        errors = self._every_error(chosen)[:, 0]
        return float(errors.min()), REGULARISATIONS[int(errors.argmin())]

    def everything(self) -> Selection:
        """All features of the pool, without weights."""
        count = self.grams.shape[-1]
        return Selection(torch.arange(count, device=self.grams.device), torch.ones(count).to(self.grams))

    def _every_error(self, chosen: Selection) -> Tensor:
        """Errors (lambdas, 2)."""
        grams = self.grams[:, chosen.indices][:, :, chosen.indices] * (chosen.weights.unsqueeze(-1) * chosen.weights)
        moments = self.moments[:, chosen.indices] * chosen.weights
        held = torch.eye(FOLDS + 1, dtype=grams.dtype, device=grams.device)[:, :FOLDS]  # of the test: no fold is held
        fitted, against, n = (_others(values, held) for values in (grams, moments, self.counts))
        ridges = n.unsqueeze(-1) * torch.tensor(REGULARISATIONS).to(n) * grams.shape[-1]
        identity = torch.eye(grams.shape[-1], dtype=grams.dtype, device=grams.device)
        systems = fitted.unsqueeze(1) + ridges[..., None, None] * identity
        beta = torch.linalg.solve(systems, against.unsqueeze(1).expand(systems.shape[:-1]))  # parts, lambdas, m
        explained = (beta * (2 * moments.unsqueeze(1) - (grams.unsqueeze(1) @ beta.unsqueeze(-1)).squeeze(-1))).sum(-1)
        errors = (self.squares.unsqueeze(-1) - explained).clamp_min(0)
        validation = (errors[:FOLDS].sum(0) / self.counts[:FOLDS].sum()).sqrt()
        test = (errors[FOLDS] / self.counts[FOLDS]).sqrt()
        return torch.stack([validation, test], -1)

    def plain(self, count: int, *, generator: torch.Generator) -> Selection:
        """Features without weights, drawn without replacement."""
        order = torch.randperm(self.grams.shape[-1], device=generator.device, generator=generator)
        return Selection(order[:count], torch.ones(count, dtype=self.grams.dtype, device=order.device))

    def by_leverage(self, count: int, scores: Tensor, *, generator: torch.Generator) -> Selection:
        """A draw with replacement by Algorithm 1."""
        indices = sample_by_leverage(scores, count, generator=generator)
        return Selection(indices, leverage_sampling_weights(scores)[indices])

    def scores(self, regularisations: Sequence[float]) -> list[Tensor]:
        """Leverage scores of Algorithm 1, repaired, of all training points, for each lambda."""
        gram, n = self.grams[:FOLDS].sum(0), float(self.counts[:FOLDS].sum())
        return [pool_leverage_scores(gram, n * regularisation) for regularisation in regularisations]


def gaussian_features(count: int, dimension: int, width: float, *, generator: torch.Generator) -> Tensor:
    """Frequencies of the Gaussian kernel of this width, in units of sqrt(d), and phases (count, d + 1)."""
    device = generator.device
    frequencies = torch.randn(count, dimension, dtype=torch.float64, device=device, generator=generator)
    phases = torch.rand(count, 1, dtype=torch.float64, device=device, generator=generator)
    return torch.cat([frequencies / (width * math.sqrt(dimension)), 2 * math.pi * phases], -1)


def _others(values: Tensor, held: Tensor) -> Tensor:
    """Sums over the training folds without the one that each part holds out."""
    folds = values[:FOLDS]
    left: Tensor = folds.sum(0) - torch.tensordot(held, folds, 1)
    return left
