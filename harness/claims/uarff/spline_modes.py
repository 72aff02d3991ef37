"""Ridge regression on periodic spline features in Fourier modes: the same estimator, at a cost free of s and n.

Spline features ``k_r(v - x) = 1 + 2 sum_{m <= M} m^-r cos(2 pi m (v - x))`` of M modes are bounded also for r = 1,
where the full series is not. In the orthonormal basis psi = (1, sqrt2 cos, sqrt2 sin) they are
``sum_j w_j psi_j(v) psi_j(x)``. With ``W = diag(w)``, ``S = W mean(psi(v) psi(v)^T) W``, ``m = sum_i y_i psi(x_i)``
and ``G = sum_i psi(x_i) psi(x_i)^T`` the fitted function has the coefficients ``S (G S + n lambda I)^-1 m``. S and G
are Toeplitz plus Hankel, in sums of ``exp(2 pi i k x)``. ``S = W^2`` gives kernel ridge regression itself.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import mpmath
import torch
from torch import Tensor

from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT, feature_count
from harness.claims.placement import table

NOISE, ORIGIN, DELTA = 0.5, 0.3, 0.1
"""Standard deviation of the targets, x_0 and delta; the paper states none of them."""

_STEP = 16
_TABLE_ELEMENTS = 2**17


@dataclass(frozen=True)
class PredictedRisk:
    """The parts of the excess risk to first order in 1/s and 1/n."""

    bias: float
    features: float
    points: float
    noise: float

    @property
    def total(self) -> float:
        return self.bias + self.features + self.points + self.noise


@dataclass(frozen=True)
class SplineProblem:
    """Targets with mean k_t(x - x_0), spline features of order r with M modes, and lambda."""

    order: float
    smoothness: float
    regularisation: float
    modes: int = 128

    @cached_property
    def weights(self) -> Tensor:
        """w (2 M + 1,); the kernel of the features has the eigenvalues w^2."""
        return _powers(self.order, self.modes)

    @cached_property
    def regression(self) -> Tensor:
        """Coefficients (2 M + 1,) of the regression function in the M modes."""
        return _powers(self.smoothness, self.modes) * modal_values(torch.tensor([ORIGIN]).double(), self.modes)[0]

    @property
    def beyond(self) -> float:
        """Squared norm of the regression function beyond the M modes, a part of every excess risk."""
        return _tail(2 * self.smoothness, self.modes)

    @property
    def effective_dimension(self) -> float:
        """The effective dimension of the population."""
        return float((self.weights**2 / (self.weights**2 + self.regularisation)).sum())

    def leverage_count(self, constant: float = PRINTED_THEOREM_CONSTANT) -> int:
        """Features that Corollary 10 asks for; uniform ones are leverage sampling, by translation invariance."""
        return feature_count(self.effective_dimension, self.effective_dimension, DELTA, constant=constant)

    def plain_count(self, constant: float = PRINTED_THEOREM_CONSTANT) -> int:
        """Features that Corollary 11 asks for: |k_r| <= k_r(0), the sum of the weights."""
        dimension = float(self.weights.sum()) ** 2 / self.regularisation
        return feature_count(dimension, self.effective_dimension, DELTA, constant=constant)

    def feature_operator(self, centres: Tensor) -> Tensor:
        """S (*batch, 2 M + 1, 2 M + 1) for features with these centres (*batch, s)."""
        mean = modal_gram(centres, self.modes) / centres.shape[-1]
        weights = table(self.weights, like=mean)
        return weights.unsqueeze(-1) * mean * weights

    def excess_risk(self, coefficients: Tensor) -> Tensor:
        """Squared distance (*batch,) of functions with coefficients (*batch, 2 M + 1) from the regression function."""
        return (coefficients - table(self.regression, like=coefficients)).square().sum(-1) + self.beyond

    def predicted_risk(self, n: float, features: float) -> PredictedRisk:
        """Bias, prices of s random features and of n random points, and of noise, to first order in 1/s and 1/n.

        With eigenvalues mu, ``C = mu + lambda``, ``g = f / C``, ``d = sum mu / C`` and ``d' = sum lambda mu / C^2``
        the features cost ``(lambda d' <g, mu g> + 2 lambda^2 d <g, mu/C g> - 3 lambda^2 <g, (mu/C)^2 g>) / s``, of the
        order ``lambda ||f||_H^2 d / s``: E z z^T A z z^T is known because z^T C^-1 z = d for every feature. Points cost
        the same with ``lambda^2 |g|^2 sum (mu/C)^2 / n`` as the first term, noise ``sigma^2 sum (mu/C)^2 / n``.
        """
        lam, mu = self.regularisation, self.weights**2
        share, fitted = mu / (mu + lam), (lam * self.regression / (mu + lam)).square()
        d, slope, square = share.sum(), (lam * mu / (mu + lam) ** 2).sum(), share.square().sum()
        common = (fitted * (2 * d * share - 3 * share**2)).sum()
        return PredictedRisk(
            bias=float(fitted.sum()) + self.beyond,
            features=float(slope * (mu * fitted).sum() / lam + common) / features,
            points=float(square * fitted.sum() + common) / n,
            noise=NOISE**2 * float(square) / n,
        )


def modal_values(points: Tensor, modes: int) -> Tensor:
    """psi (*batch, n, 2 M + 1) at the points (*batch, n)."""
    angles = 2 * math.pi * points.unsqueeze(-1) * table(range(1, modes + 1), like=points)
    return torch.cat([torch.ones_like(points).unsqueeze(-1), 2**0.5 * angles.cos(), 2**0.5 * angles.sin()], -1)


def modal_sums(points: Tensor, weights: Tensor, frequencies: int) -> Tensor:
    """``sum_i a_i exp(2 pi i k x_i)``, k = 0, ..., K - 1, for weights (*batch, c, n): complex (*batch, c, K).

    With ``k = 16 p + q`` a product of two short tables; a table stays in a second-level cache.
    """
    (*batch, c, n), coarse = weights.shape, math.ceil(frequencies / _STEP)
    flat, amplitudes = points.expand(*batch, n).reshape(-1, n), weights.reshape(-1, c, n)
    total = flat.new_zeros(len(flat), c, coarse * _STEP, dtype=torch.complex128)
    fitting = _TABLE_ELEMENTS // (_STEP + c * coarse)
    for some, part in product(_slices(len(flat), max(1, fitting // n)), _slices(n, fitting)):
        angles = 2 * math.pi * flat[some, part]
        turn = torch.complex(angles.cos(), angles.sin())
        fine = _powers_of(turn, _STEP)
        jumps = _powers_of(fine[..., -1, :] * turn, coarse)
        rows = (jumps.unsqueeze(-3) * amplitudes[some, :, part].unsqueeze(-2)).flatten(-3, -2)
        total[some] += (rows @ fine.mT).reshape(len(rows), c, -1)
    return total[..., :frequencies].reshape(*batch, c, frequencies)


def _slices(length: int, size: int) -> Iterable[slice]:
    """An axis in parts of a size."""
    return [slice(first, first + size) for first in range(0, length, size)]


def modal_gram(points: Tensor, modes: int) -> Tensor:
    """``sum_i psi(x_i) psi(x_i)^T`` (*batch, 2 M + 1, 2 M + 1), from 2 M + 1 complex sums over the points."""
    return _gram_of(modal_sums(points, torch.ones_like(points).unsqueeze(-2), 2 * modes + 1)[..., 0, :], modes)


def modal_ridge(operator: Tensor, points: Tensor, targets: Tensor, *, modes: int, ridge: float) -> Tensor:
    """Coefficients (*batch, c, 2 M + 1) of ridge regression with the operator S on targets (*batch, c, n).

    The ridge is n lambda.
    """
    weights = torch.cat([torch.ones_like(targets[..., :1, :]), targets], -2)
    sums = modal_sums(points, weights, 2 * modes + 1)
    moments = _by_basis(sums[..., 1:, :], modes)
    return _regularised_solve(operator, _gram_of(sums[..., 0, :], modes), moments, ridge)


def _by_basis(sums: Tensor, modes: int) -> Tensor:
    """Sums of psi from sums of exp(2 pi i k x)."""
    some = 2**0.5 * sums[..., 1 : modes + 1]
    return torch.cat([sums.real[..., :1], some.real, some.imag], -1)


def _gram_of(sums: Tensor, modes: int) -> Tensor:
    cosine, sine = sums.real, sums.imag
    index = torch.arange(1, modes + 1, device=sums.device)
    gap, total = index - index.unsqueeze(-1), index + index.unsqueeze(-1)
    near, far = cosine[..., gap.abs()], cosine[..., total]
    mixed = sine[..., total] + gap.sign() * sine[..., gap.abs()]  # row: cosine of m; column: sine of l
    first = _by_basis(sums, modes)
    inner = torch.cat([torch.cat([near + far, mixed], -1), torch.cat([mixed.mT, near - far], -1)], -2)
    return torch.cat([first.unsqueeze(-2), torch.cat([first[..., 1:].unsqueeze(-1), inner], -1)], -2)


def population_fit(problem: SplineProblem, operator: Tensor) -> Tensor:
    """Coefficients (*batch, 2 M + 1) of ridge regression on infinitely many points."""
    identity, regression = (table(x, like=operator) for x in (torch.eye(len(problem.weights)), problem.regression))
    return _regularised_solve(operator, identity, regression.unsqueeze(0), problem.regularisation)[..., 0, :]


def _regularised_solve(operator: Tensor, gram: Tensor, moments: Tensor, ridge: float) -> Tensor:
    """``S (G S + r I)^-1 m`` for each row m of the moments."""
    system = gram @ operator
    system.diagonal(dim1=-2, dim2=-1).add_(ridge)
    columns = moments.mT.expand(*system.shape[:-1], moments.shape[-2])
    fitted: Tensor = operator @ torch.linalg.solve(system, columns)
    return fitted.mT


@lru_cache(maxsize=64)
def _tail(exponent: float, modes: int) -> float:
    """``2 sum_{m > M} m^-e``."""
    return float(2 * mpmath.zeta(exponent, modes + 1))


def _powers(exponent: float, modes: int) -> Tensor:
    powers = torch.arange(1, modes + 1, dtype=torch.float64) ** -exponent
    return torch.cat([torch.ones(1, dtype=torch.float64), powers, powers])


def _powers_of(base: Tensor, count: int) -> Tensor:
    """``1, z, z^2, ...`` (*batch, count, n) of complex numbers (*batch, n)."""
    powers = base.new_empty(*base.shape[:-1], count, base.shape[-1])
    powers[..., 0, :] = 1
    known, last = 1, base
    while known < count:
        more = min(known, count - known)
        torch.mul(powers[..., :more, :], last.unsqueeze(-2), out=powers[..., known : known + more, :])
        known, last = known + more, last.square()
    return powers
