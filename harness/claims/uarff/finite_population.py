"""Test problems: regression on three points with three features, where population risks are exact sums."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from bounds.random_features.feature_counts import plain_sampling_dimension
from harness import Draw, Forall
from harness.claims.placement import table

from .finite_support import product

Sampling: TypeAlias = Literal["leverage", "plain", "mixed"]

_SIZE = 3


@dataclass(frozen=True)
class RidgeRisks:
    """Of one sample and one draw of features each, `(reps,)`."""

    excess: Tensor  # E l_f~ - E l_f^
    admissible: Tensor  # |f^|_H <= 1, and n lambda <= lambda_1 (Assumption 3)
    features: Tensor  # s, that of the effective dimension on this sample


def ridge_risks(forall: Forall, draw: Draw, n: int, delta: float, *, sampling: Sampling, constant: float) -> RidgeRisks:
    """Ridge regression with the kernel and with its features, lambda = n^-1/2, |z| <= 1 and |y| <= 1.

    Functions are Phi theta with Phi = Z sqrt(p) on the three points, and the ridge penalty is lambda |theta|^2. The
    number of features is constant * d_l log(16 d_K / delta) with the d_K of each sample.
    """
    z, p = forall.interval("features", -1.0, 1.0, _SIZE, _SIZE), forall.simplex("probabilities", _SIZE)
    law, mean = forall.simplex("law", _SIZE), forall.interval("mean", -1.0, 1.0, _SIZE)
    spread = forall.interval("spread", 0.0, 1.0, _SIZE) * (1 - mean.abs())
    counts = draw.multinomial("sample", n, torch.cat([law, law], -1) / 2).reshape(-1, 2, _SIZE) / n
    masses, sums = counts.sum(-2), counts[:, 0] * (mean + spread) + counts[:, 1] * (mean - spread)
    lam = n**-0.5
    exact = _fit(z * p.sqrt().unsqueeze(-2), masses, sums, lam)
    phi = z * p.sqrt().unsqueeze(-2)
    gram = phi.mT @ (masses.unsqueeze(-1) * phi)
    scores = _leverage_scores(gram, p, lam)
    q = _distribution(scores, p, sampling)
    s = _counts(scores.sum(-1), delta, lam, sampling, constant)
    drawn = draw.multinomial("features", s, q)
    weights = torch.where(drawn > 0, p / torch.where(drawn > 0, q, 1.0) * drawn / s.unsqueeze(-1), 0.0)
    sampled = _fit(z * weights.sqrt().unsqueeze(-2), masses, sums, lam)
    risks = [(law * (values - mean).square()).sum(-1) for values, _ in (sampled, exact)]
    admissible = (exact[1] <= 1) & (torch.linalg.eigvalsh(gram)[..., -1] >= lam)
    return RidgeRisks(risks[0] - risks[1], admissible, s)


def _fit(phi: Tensor, masses: Tensor, sums: Tensor, lam: float) -> tuple[Tensor, Tensor]:
    """Values of the ridge fit on the points, and its squared norm."""
    gram = phi.mT @ (masses.unsqueeze(-1) * phi)
    theta = torch.linalg.solve(gram + lam * table(torch.eye(_SIZE), like=gram), product(phi.mT, sums))
    return product(phi, theta), theta.square().sum(-1)


def _leverage_scores(gram: Tensor, p: Tensor, lam: float) -> Tensor:
    """l(v), `(reps, 3)`, whose sum is d_K; kept off zero, so every feature can be drawn."""
    eye = table(torch.eye(_SIZE), like=gram)
    scores: Tensor = torch.linalg.solve(gram + lam * eye, gram).diagonal(dim1=-2, dim2=-1)
    return scores.clamp_min(0) + 1e-12 * p


def _distribution(scores: Tensor, p: Tensor, sampling: Sampling) -> Tensor:
    """q, proportional to an upper bound on the leverage scores."""
    if sampling == "plain":
        return p.expand_as(scores)
    leverage = scores / scores.sum(-1, keepdim=True)
    return leverage if sampling == "leverage" else (leverage + p) / 2


def _integral(dimension: Tensor | float, lam: float, sampling: Sampling) -> Tensor | float:
    """d_l, the integral of that bound: d_K of the scores, z_0^2 / lambda of p, 2 d_K of d_K (q* + p)."""
    if sampling == "plain":
        return float(plain_sampling_dimension(1.0, regularisation=lam))
    return dimension if sampling == "leverage" else 2 * dimension


def _counts(dimension: Tensor, delta: float, lam: float, sampling: Sampling, constant: float) -> Tensor:
    """s for each sample, `(reps,)`, at least one."""
    return (constant * _integral(dimension, lam, sampling) * (16 * dimension / delta).log()).ceil().clamp_min(1)
