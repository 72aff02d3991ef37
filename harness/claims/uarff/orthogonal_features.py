"""Kernels whose random features do not interact: every risk is a sum over single features, at a cost free of n and s.

`Cells`: inputs fall into disjoint cells A_j of probability pi_j, and the feature drawn with probability p_j is the
indicator of A_j, so that K / n has the eigenvalues ``p_j n_j / n``, of mean ``mu_j = p_j pi_j``, where n_j of n
independent points lie in A_j. All losses decouple: the learner has one value on each cell. On n equally spaced points
of the circle with trigonometric features (`Cells.on_the_circle`) the same formulas hold with one in place of pi_j and
n_j / n; there mu_j = p_j may decay slowly, as it may for independent fair signs as features (`hardest_sign_risk`).

Features drawn c_j times among s with probability q_j replace p_j by ``k_j = c_j p_j / (s q_j)``.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import torch
from scipy import stats
from torch import Tensor

from bounds.random_features.feature_counts import PRINTED_POOL_CONSTANT, leverage_feature_count, plain_feature_count
from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from harness import Draw
from harness.claims.placement import table

Scheme: TypeAlias = Literal["leverage", "plain", "pool"]

DELTA, NOISE = 0.1, 0.5
_HALVINGS = 80


@dataclass(frozen=True)
class Cells:
    """Probabilities pi_j of the cells, probabilities p_j of their features, lambda, and a bound z_0 on features."""

    masses: Tensor
    spectral: Tensor
    regularisation: float
    feature_bound: float = 1.0
    random_points: bool = True

    @classmethod
    def equal_halves(cls, spectrum: Tensor, regularisation: float) -> "Cells":
        """pi = p, proportional to the square roots of the spectrum."""
        halves = spectrum.sqrt() / spectrum.sqrt().sum()
        return cls(halves, halves, regularisation)

    @classmethod
    def on_the_circle(cls, spectrum: Tensor, regularisation: float) -> "Cells":
        """Features sqrt2 cos and sqrt2 sin, orthogonal on more equally spaced points than there are features."""
        return cls(
            torch.ones_like(spectrum), spectrum / spectrum.sum(), regularisation, math.sqrt(2), random_points=False
        )

    @cached_property
    def eigenvalues(self) -> Tensor:
        """mu (J,), of the population."""
        return self.masses * self.spectral

    @property
    def dimension(self) -> float:
        """The effective dimension of the population."""
        return float((self.eigenvalues / (self.eigenvalues + self.regularisation)).sum())

    def count(self, scheme: Scheme) -> int:
        """Features that the theorems ask for, by the effective dimension of the population, with delta = 0.1."""
        return _count(scheme, self.dimension, self.regularisation, self.feature_bound)

    def hardest_target(self) -> Tensor:
        """Values (J,) of a function of norm 1 that lives where mu is near lambda, where a ridge costs most of it."""
        mu, lam = self.eigenvalues, self.regularisation
        weights = mu * lam / (mu + lam) ** 2
        return (self.spectral * weights / weights.sum()).sqrt()

    def shares(self, draw: Draw, n: int) -> Tensor:
        """n_j / n (reps, J) of n independent points; ones on the circle."""
        if self.random_points:
            return draw.multinomial("points", n, self.masses) / n
        return self.masses.to(draw.device).expand(draw.reps, -1)

    def kernel(self, draw: Draw, shares: Tensor, scheme: Scheme) -> Tensor:
        """k (reps, J) of features drawn by the scheme, as many as the theorems ask for: `pool` is Algorithm 1."""
        if scheme == "plain":
            return self.plain_kernel(draw, "features", self.count("plain"))
        spectral = table(self.spectral, like=shares)
        if scheme == "pool":
            spectral = self.plain_kernel(draw, "pool", self.count("pool"))
        return self.leverage_kernel(draw, spectral, shares, self.count("leverage"))

    def plain_kernel(self, draw: Draw, name: str, count: int) -> Tensor:
        """k (reps, J) of so many features drawn by p."""
        return draw.multinomial(name, count, self.spectral) / count

    def leverage_kernel(self, draw: Draw, spectral: Tensor, shares: Tensor, count: int) -> Tensor:
        """k (reps, J) of so many features drawn by their leverage in the kernel with the weights `spectral`."""
        scores = spectral * shares / (spectral * shares + self.regularisation)
        chances = scores / scores.sum(-1, keepdim=True)
        return draw.multinomial("features", count, chances) * spectral / (count * torch.where(scores > 0, chances, 1.0))

    def squared_risk(self, n: int, shares: Tensor, kernel: Tensor) -> Tensor:
        """Excess risk (reps,) of ridge regression at the hardest target, averaged over noise of deviation 1/2.

        ``sum_j pi_j ((1 - h_j)^2 f_j^2 + h_j^2 sigma^2 / n_j)`` with ``h = k n_j / (k n_j + n lambda)``.
        """
        lam, target = self.regularisation, table(self.hardest_target(), like=shares)
        kept = lam / (kernel * shares + lam) * target
        noise = NOISE**2 / n * shares * (kernel / (kernel * shares + lam)) ** 2
        return (table(self.masses, like=shares) * (kept**2 + noise)).sum(-1)

    def labels(self, draw: Draw, n: int, chances: Tensor) -> tuple[Tensor, Tensor]:
        """Shares (reps, J) among n points of those with label 1, of these chances, and with label -1, in each cell."""
        both = draw.multinomial("labelled points", n, torch.cat([self.masses * chances, self.masses * (1 - chances)]))
        positive, negative = (both / n).chunk(2, -1)
        return positive, negative

    def logistic_risk(self, positive: Tensor, negative: Tensor, kernel: Tensor) -> Tensor:
        """Excess logistic risk (reps,) of the penalised learner; the hardest target is the log-odds of the labels."""
        target = table(self.hardest_target(), like=positive)
        fitted = logistic_values(positive, negative, kernel, self.regularisation)
        losses = [torch.nn.functional.softplus(g) - target.sigmoid() * g for g in (fitted, target)]
        return (table(self.masses, like=positive) * (losses[0] - losses[1])).sum(-1)


def logistic_values(positive: Tensor, negative: Tensor, kernel: Tensor, regularisation: float) -> Tensor:
    """The minimiser of ``a log(1 + e^-g) + b log(1 + e^g) + lambda g^2 / k`` of each entry by bisection; 0 if k = 0."""
    total, slope = positive + negative, 2 * regularisation / torch.where(kernel > 0, kernel, 1.0)
    high = total / slope
    low = -high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        above = total * middle.sigmoid() - positive + slope * middle > 0
        low, high = torch.where(above, low, middle), torch.where(above, middle, high)
    return torch.where(kernel > 0, (low + high) / 2, 0.0)


def hinge_values(positive: Tensor, negative: Tensor, kernel: Tensor, regularisation: float) -> Tensor:
    """The minimiser of ``a (1 - g)_+ + b (1 + g)_+ + lambda g^2 / k`` for each entry."""
    return ((positive - negative) * kernel / (2 * regularisation)).clamp(-1.0, 1.0)


def hardest_sign_risk(chances: Tensor, regularisation: float, dimension: float, scheme: Scheme) -> float:
    """Largest mean excess risk over the targets ``sqrt(p_j) x_j`` of norm 1, absolute loss, on the population.

    Features are independent fair signs x_j = +-1, drawn with the `chances` p_j; d is the effective dimension of all of
    them. The penalised learner puts ``b = min(sqrt(p_j), k_j / (2 lambda))`` on x_j and nothing elsewhere, by symmetry;
    the mean of ``sqrt(p_j) - b`` over the binomial count of x_j is summed.
    """
    p, lam = chances, regularisation
    proposal = p / (p + lam) / dimension if scheme == "leverage" else p
    s = _count(scheme, dimension, lam, 1.0)
    enough = p.sqrt() * 2 * lam * s * proposal / p  # times that x_j must be drawn
    times = torch.arange(int(enough.max()) + 1, dtype=p.dtype).unsqueeze(-1)
    weights = torch.as_tensor(stats.binom.pmf(times, s, proposal))
    return float((weights * p.sqrt() * (1 - times / enough).clamp_min(0)).sum(0).max())


def _count(scheme: Scheme, dimension: float, regularisation: float, feature_bound: float) -> int:
    """Features that the theorems ask for, with delta = 0.1; of the pool, for `pool`."""
    if scheme == "leverage":
        return leverage_feature_count(dimension, DELTA, constant=PRINTED_THEOREM_CONSTANT)
    return plain_feature_count(
        dimension,
        DELTA,
        feature_bound=feature_bound,
        regularisation=regularisation,
        constant=PRINTED_THEOREM_CONSTANT if scheme == "plain" else PRINTED_POOL_CONSTANT,
    )


def finite_rank(regularisation: float, weakest: str) -> Tensor:
    """Three eigenvalues: equal ones, or the last one down at lambda."""
    last = 1 / 9 if weakest == "fixed" else regularisation
    half = (1 - math.sqrt(last)) / 2
    return torch.tensor([half**2, half**2, last], dtype=torch.float64)


def geometric() -> Tensor:
    """2^-i for i up to 60, to be scaled."""
    return 0.5 ** torch.arange(1, 61, dtype=torch.float64)


def polynomial(decay: float, features: int) -> Tensor:
    """i^-a, to be scaled."""
    return torch.arange(1, features + 1, dtype=torch.float64) ** -decay
