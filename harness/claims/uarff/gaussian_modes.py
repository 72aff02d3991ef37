"""Random Fourier features of the Gaussian kernel in the plane, in Hermite functions: ridge at a cost free of n and s.

For inputs from N(0, sigma^2 I) and frequencies from N(0, width^2 I) the feature ``sqrt2 cos(<w, x> + b)`` is
``sqrt2 sum_{j, k} sqrt(mu_j mu_k) cos(b + (j + k) pi / 2) phi_j(x_1) phi_k(x_2) chi_j(w_1) chi_k(w_2)``; phi and chi
are orthonormal under the two laws, and mu decays geometrically. Psi (n, B) has columns ``sqrt(mu_j mu_k) phi_j phi_k``,
with ``j + k <= K``; a feature has coordinates a_i (B,), weighted by c_i. With ``T = Psi^T Psi / n``,
``v = Psi^T y / n`` and ``H = (1/s) sum_i c_i^2 a_i a_i^T`` ridge regression has the coefficients
``(H T + lambda I)^-1 H v`` in Psi, and a feature of a pool the leverage ``(1/s) a_i^T T (H T + lambda I)^-1 a_i``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from algos.ridge.gaussian_leverage import gaussian_kernel_eigenvalues
from algos.ridge.streaming import feature_gram, feature_moments

_ROWS = 1024


@dataclass(frozen=True)
class GaussianModes:
    """The modes of total degree at most K for inputs and frequencies with these standard deviations."""

    width: float
    input_scale: float
    degree: int

    @cached_property
    def roots(self) -> Tensor:
        """sqrt(mu_j mu_k) by the degree j + k (K + 1,)."""
        eigenvalues, _ = gaussian_kernel_eigenvalues(
            self.degree + 1, lengthscale=1 / self.width, input_scale=self.input_scale, dimension=2
        )
        return eigenvalues.sqrt()

    def of_points(self, points: Tensor) -> Tensor:
        """Psi (n, B) at the points (n, 2), B = (K + 1)(K + 2) / 2."""
        first, second = _orthonormal(points, self.degree + 1, self.input_scale, self.width).unbind(1)
        return self._products(first, second, self.roots.to(points).expand(len(points), -1))

    def of_features(self, features: Tensor) -> Tensor:
        """Coordinates (s, B) of features (s, 3), each a frequency and a phase."""
        first, second = _orthonormal(features[:, :2], self.degree + 1, self.width, self.input_scale).unbind(1)
        degrees = torch.arange(self.degree + 1, device=features.device)
        turns = 2**0.5 * torch.cos(features[:, 2:] + degrees * math.pi / 2)
        return self._products(first, second, turns)

    def _products(self, first: Tensor, second: Tensor, by_degree: Tensor) -> Tensor:
        """``first_j second_k by_degree_{j + k}`` (n, B) for all modes, of values (n, K + 1) each."""
        count = self.degree + 1
        found = first.new_empty(len(first), count * (count + 1) // 2)
        start = 0
        for j in range(count):
            some = found[:, start : start + count - j]
            torch.mul(second[:, : count - j], by_degree[:, j:], out=some)
            some.mul_(first[:, j : j + 1])
            start += count - j
        return found


@dataclass(frozen=True)
class ModalSample:
    """Points and targets, as far as ridge regression on the features needs them: T (B, B) and v (B,)."""

    modes: GaussianModes
    gram: Tensor
    moments: Tensor

    @staticmethod
    def of(modes: GaussianModes, points: Tensor, targets: Tensor) -> "ModalSample":
        """Streamed: Psi is never stored."""
        gram, moments = feature_moments(points, targets, modes.of_points)
        return ModalSample(modes, gram / len(targets), moments / len(targets))

    def operator(self, features: Tensor, weights: Tensor | None = None) -> Tensor:
        """H (B, B) of features (s, 3) with weights (s,), by default one each."""
        multipliers = torch.ones_like(features[:, 0]) if weights is None else weights
        rows = torch.cat([features, multipliers.unsqueeze(-1)], -1)
        gram = feature_gram(rows, lambda some: self.modes.of_features(some[:, :3]) * some[:, 3:])
        return gram / len(features)

    def scores(self, features: Tensor, operator: Tensor, regularisation: float) -> Tensor:
        """Ridge leverage scores (s,) of a pool with this operator, for lambda."""
        form = torch.linalg.solve(_shifted(operator @ self.gram, regularisation), self.gram, left=False)
        found = [((rows := self.modes.of_features(some)) @ form * rows).sum(-1) for some in features.split(_ROWS)]
        return torch.cat(found).clamp_min(0) / len(features)

    def fits(self, operator: Tensor, regularisations: Sequence[float]) -> list[Tensor]:
        """Coefficients (B,) in Psi of the fitted function, for each lambda."""
        system, moments = operator @ self.gram, operator @ self.moments
        return [torch.linalg.solve(_shifted(system, each), moments) for each in regularisations]


def _shifted(matrix: Tensor, shift: float) -> Tensor:
    return matrix + shift * torch.eye(len(matrix), dtype=matrix.dtype, device=matrix.device)


def _orthonormal(points: Tensor, count: int, scale: float, other: float) -> Tensor:
    """The first functions (*shape, count) that are orthonormal under N(0, scale^2), for features of deviation `other`.

    With ``a = 1 / (4 scale^2)``, ``b = other^2 / 2``, ``c = sqrt(a^2 + 2 a b)`` they are
    ``(pi c / a)^{1/4} h_k(sqrt(2 c) x) exp(a x^2)`` for the Hermite functions h_k, orthonormal on the line.
    """
    a = 1 / (4 * scale**2)
    c = math.sqrt(a**2 + a * other**2)
    t = math.sqrt(2 * c) * points
    previous, current = torch.zeros_like(t), (c / a) ** 0.25 * torch.exp((a - c) * points.square())
    values = [current]
    for k in range(count - 1):
        following = math.sqrt(2 / (k + 1)) * t * current - math.sqrt(k / (k + 1)) * previous
        previous, current = current, following
        values.append(current)
    return torch.stack(values, -1)
