"""Test problems: finitely many features, so kernels, leverage scores and expectations over draws are exact sums."""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from algos.ridge.leverage import feature_kernel, ridge_leverage_scores, sampled_kernel
from algos.ridge.regression import dual_coefficients, unit_ball_coefficients
from bounds.random_features.leverage import feature_count
from harness import Draw, Forall


@dataclass(frozen=True)
class FiniteSupport:
    """Features on the sample, their probabilities, and the regularisation n lambda."""

    features: Tensor  # (batch, n, V): column v holds z(v, x_1), ..., z(v, x_n)
    probabilities: Tensor  # (batch, V)
    ridge: Tensor  # (batch,)

    @cached_property
    def kernel(self) -> Tensor:
        """K, `(batch, n, n)`."""
        return feature_kernel(self.features, self.probabilities)

    @cached_property
    def scores(self) -> Tensor:
        """Ridge leverage scores, `(batch, V)`."""
        return ridge_leverage_scores(self.features, self.probabilities, self.ridge)

    @property
    def dimension(self) -> Tensor:
        """The effective dimension, the sum of the scores: `(batch,)`."""
        return self.scores.sum(-1)

    @property
    def leverage_distribution(self) -> Tensor:
        """q*, `(batch, V)`."""
        return self.scores / self.scores.sum(-1, keepdim=True)

    def count(self, delta: float, constant: float) -> int:
        """Features that leverage sampling of a single instance needs: constant d log(16 d / delta)."""
        dimension = float(self.dimension)
        return feature_count(dimension, dimension, delta, constant=constant)

    def sampled(self, draw: Draw, s: int) -> Tensor:
        """K~ of s features drawn in proportion to their leverage scores, `(reps, n, n)`."""
        sampling = self.leverage_distribution
        counts = draw.multinomial("counts", s, sampling)
        return sampled_kernel(self.features, self.probabilities, counts, sampling=sampling)

    def sampled_by(self, draw: Draw, bound: Tensor, *, delta: float, constant: float) -> Tensor:
        """K~ of constant d_l log(16 d / delta) features drawn in proportion to a bound l~ on the scores."""
        total = bound.sum(-1, keepdim=True)
        s = feature_count(float(total), float(self.dimension), delta, constant=constant)
        counts = draw.multinomial("counts", s, bound / total)
        return sampled_kernel(self.features, self.probabilities, counts, sampling=bound / total)

    def every_sample(self, size: int, sampling: Tensor) -> tuple[Tensor, Tensor]:
        """K~ of every ordered sample of features from q, and its probability: `(batch, V^s, n, n)`, `(batch, V^s)`."""
        atoms = self.probabilities.shape[-1]
        each = torch.arange(atoms, device=self.features.device)
        positions = torch.cartesian_prod(*[each] * size).reshape(-1, size)
        counts = torch.nn.functional.one_hot(positions, atoms).sum(-2).to(self.features.dtype)
        features, probabilities, q = (t.unsqueeze(1) for t in (self.features, self.probabilities, sampling))
        kernels = sampled_kernel(features, probabilities, counts, sampling=q)
        return kernels, sampling[:, positions].prod(-1)


def finite_support(forall: Forall, *, n: int, atoms: int) -> FiniteSupport:
    """Any features and probabilities, and n lambda up to the largest eigenvalue of K (Assumption 3).

    Features have unit norm on the sample: with leverage sampling only sqrt(p) z matters.
    """
    features = forall.sphere("features", atoms, n).mT
    probabilities = forall.simplex("probabilities", atoms)
    share = forall.interval("ridge", 1e-3, 1.0)
    largest = torch.linalg.eigvalsh(feature_kernel(features, probabilities))[..., -1]
    return FiniteSupport(features, probabilities, share * largest)


def any_bound(forall: Forall, bed: FiniteSupport) -> Tensor:
    """Any l~ >= l, `(1, V)`, of up to four times its sum."""
    excess = (
        3 * forall.interval("excess of l~", 0.0, 1.0).unsqueeze(-1) * forall.simplex("l~ - l", bed.scores.shape[-1])
    )
    return bed.scores + bed.scores.sum(-1, keepdim=True) * excess


def unit_norm_weights(forall: Forall, kernel: Tensor) -> Tensor:
    """Coefficients w of a function sum_i w_i k(x_i, .) of norm at most 1, within rounding of 1 in range K."""
    return unit_ball_coefficients(kernel, forall.sphere("target", kernel.shape[-1]))


def product(matrix: Tensor, vector: Tensor) -> Tensor:
    """Matrix times vector, batched."""
    result: Tensor = (matrix @ vector.unsqueeze(-1)).squeeze(-1)
    return result


def squared_norm(kernel: Tensor, weights: Tensor) -> Tensor:
    """w^T K w, the squared norm of the function with coefficients w."""
    return (weights * product(kernel, weights)).sum(-1)


def fitted_targets(kernel: Tensor, weights: Tensor, ridge: Tensor) -> Tensor:
    """Targets Y = (K + n lambda I) w, whose kernel ridge fit has the coefficients w."""
    return product(kernel, weights) + ridge.unsqueeze(-1) * weights


def refitted_weights(kernel: Tensor, approximation: Tensor, weights: Tensor, ridge: Tensor) -> Tensor:
    """Change of the dual coefficients when K~ replaces K at the same targets: -(K~ + n lambda)^{-1} (K~ - K) w.

    Formed from the difference of the kernels: subtracting two solutions would lose the part of w outside range K.
    """
    return -dual_coefficients(approximation, product(approximation - kernel, weights), ridge)


def training_risk_excess(kernel: Tensor, approximation: Tensor, weights: Tensor, ridge: Tensor) -> Tensor:
    """R_n(f~) - R_n(f^): as Y - f^ = n lambda w, it is (n lambda)^2 (|w~|^2 - |w|^2) / n."""
    change = refitted_weights(kernel, approximation, weights, ridge)
    return ridge.square() * (change * (2 * weights + change)).sum(-1) / kernel.shape[-1]
