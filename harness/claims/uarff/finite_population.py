"""Test problems: regression on a few points with a few features, where population risks are exact sums."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from harness import Draw, Forall
from harness.claims.placement import table

from .finite_support import product

Sampling: TypeAlias = Literal["leverage", "plain", "mixed", "any"]
"""What bounds the scores: l itself, p z_0^2 / lambda, d_K (q* + p), or l plus anything of up to three times its sum."""


@dataclass(frozen=True)
class Sizes:
    """Numbers of points and features, and the exponents a of lambda = n^-a, any between the two."""

    points: int = 3
    features: int = 3
    exponents: tuple[float, float] = (0.5, 0.5)


@dataclass(frozen=True)
class RidgeRisks:
    """Of one sample and one draw of features each, `(reps,)`."""

    excess: Tensor  # E l_f~ - E l_f^
    admissible: Tensor  # |f^|_H <= 1, and n lambda <= lambda_1 (Assumption 3)
    features: Tensor  # s, that of the effective dimension on this sample
    regularisation: Tensor | float
    fixed_point_spectrum: Tensor  # eigenvalues of K / n on this sample, `(reps, V)`


def ridge_risks(
    forall: Forall,
    draw: Draw,
    n: int | Tensor,
    delta: float,
    *,
    sampling: Sampling,
    constant: float,
    sizes: Sizes = Sizes(),
) -> RidgeRisks:
    """Ridge regression with the kernel and with its features, |z| <= 1 and |y| <= 1.

    Functions are Phi theta with Phi = Z sqrt(p) on the points, and the ridge penalty is lambda |theta|^2. The number of
    features is constant * d_l log(16 d_K / delta) with the d_K of each sample.
    """
    points, atoms = sizes.points, sizes.features
    z, p = forall.interval("features", -1.0, 1.0, points, atoms), forall.simplex("probabilities", atoms)
    law, mean = forall.simplex("law", points), forall.interval("mean", -1.0, 1.0, points)
    spread = forall.interval("spread", 0.0, 1.0, points) * (1 - mean.abs())
    counts = draw.multinomial("sample", n, torch.cat([law, law], -1) / 2).reshape(-1, 2, points)
    counts = counts / counts.sum((-2, -1), keepdim=True)
    masses, sums = counts.sum(-2), counts[:, 0] * (mean + spread) + counts[:, 1] * (mean - spread)
    lam = _regularisation(forall, n, sizes)
    phi = z * p.sqrt().unsqueeze(-2)
    exact = _fit(phi, masses, sums, lam)
    gram = phi.mT @ (masses.unsqueeze(-1) * phi)
    scores = leverage_scores(gram, p, lam)
    bound = _upper_bound(scores, p, lam, sampling)
    if sampling == "any":
        extra = 3 * forall.interval("excess of l~", 0.0, 1.0).unsqueeze(-1) * forall.simplex("l~ - l", atoms)
        bound = scores + scores.sum(-1, keepdim=True) * extra
    q = bound / bound.sum(-1, keepdim=True)
    s = _counts(scores.sum(-1), bound.sum(-1), delta, constant)
    drawn = draw.multinomial("features", s, q)
    weights = torch.where(drawn > 0, p / torch.where(drawn > 0, q, 1.0) * drawn / s.unsqueeze(-1), 0.0)
    sampled = _fit(z * weights.sqrt().unsqueeze(-2), masses, sums, lam)
    risks = [(law * (values - mean).square()).sum(-1) for values, _ in (sampled, exact)]
    spectrum = torch.linalg.eigvalsh(gram)
    admissible = (exact[1] <= 1) & (spectrum[..., -1] >= lam)
    return RidgeRisks(risks[0] - risks[1], admissible, s, lam, spectrum)


def _regularisation(forall: Forall, n: int | Tensor, sizes: Sizes) -> Tensor | float:
    low, high = sizes.exponents
    return n**-low if low == high else n ** -forall.interval("exponent of lambda", low, high)


def _column(lam: Tensor | float) -> Tensor | float:
    return lam if isinstance(lam, float) else lam[:, None, None]


def _fit(phi: Tensor, masses: Tensor, sums: Tensor, lam: Tensor | float) -> tuple[Tensor, Tensor]:
    """Values of the ridge fit on the points, and its squared norm."""
    gram = phi.mT @ (masses.unsqueeze(-1) * phi)
    eye = table(torch.eye(gram.shape[-1]), like=gram)
    theta = torch.linalg.solve(gram + _column(lam) * eye, product(phi.mT, sums))
    return product(phi, theta), theta.square().sum(-1)


def leverage_scores(gram: Tensor, p: Tensor, lam: Tensor | float) -> Tensor:
    """l(v), `(reps, V)`, whose sum is d_K; kept off zero, so every feature can be drawn."""
    eye = table(torch.eye(gram.shape[-1]), like=gram)
    scores: Tensor = torch.linalg.solve(gram + _column(lam) * eye, gram).diagonal(dim1=-2, dim2=-1)
    return scores.clamp_min(0) + 1e-12 * p


def _upper_bound(scores: Tensor, p: Tensor, lam: Tensor | float, sampling: Sampling) -> Tensor:
    """l~, `(reps, V)`, of sum d_K, z_0^2 / lambda or 2 d_K; q is proportional to it."""
    if sampling == "plain":
        inverse = 1 / lam if isinstance(lam, float) else 1 / lam.unsqueeze(-1)
        return (p * inverse).expand_as(scores)
    return scores if sampling == "leverage" else scores + scores.sum(-1, keepdim=True) * p


def _counts(dimension: Tensor, integral: Tensor, delta: float, constant: float) -> Tensor:
    """s for each sample, `(reps,)`, at least one."""
    return (constant * integral * (16 * dimension / delta).log()).ceil().clamp_min(1)


def least_power_of_ten(right: Callable[[float], float], *, reach: float) -> int:
    """Smallest k with right(10^k) <= reach / 2, for a decreasing bound on what is at most `reach`.

    From there on a bound says something, and twice it is noticed at inputs that reach half of their largest value.
    """
    k = 0
    while right(10.0**k) > reach / 2:
        k += 1
    return k
