"""Test bed: regression on three points with three features, where population risks are exact sums."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from bounds.random_features.feature_counts import plain_sampling_dimension
from bounds.random_features.leverage import feature_count
from harness import Draw, Forall
from harness.claims.placement import table

from .finite_support import product

Sampling: TypeAlias = Literal["leverage", "plain", "mixed"]

_SIZE = 3


@dataclass(frozen=True)
class RidgeRisks:
    """Of one sample and one draw of features each, `(reps,)`."""

    excess: Tensor  # E l_f~ - E l_f^
    squared_norm: Tensor  # |f^|_H^2
    features: int


def ridge_risks(forall: Forall, draw: Draw, n: int, delta: float, *, sampling: Sampling, constant: float) -> RidgeRisks:
    """Ridge regression with the kernel and with its features, lambda = n^-1/2, |z| <= 1 and |y| <= 1.

    Functions are Phi theta with Phi = Z sqrt(p) on the three points, and the ridge penalty is lambda |theta|^2. The
    number of features is that for the largest possible effective dimension, 3.
    """
    z, p = forall.interval("features", -1.0, 1.0, _SIZE, _SIZE), forall.simplex("probabilities", _SIZE)
    law, mean = forall.simplex("law", _SIZE), forall.interval("mean", -1.0, 1.0, _SIZE)
    spread = forall.interval("spread", 0.0, 1.0, _SIZE) * (1 - mean.abs())
    counts = draw.multinomial("sample", n, torch.cat([law, law], -1) / 2).reshape(-1, 2, _SIZE) / n
    masses, sums = counts.sum(-2), counts[:, 0] * (mean + spread) + counts[:, 1] * (mean - spread)
    lam = n**-0.5
    exact = _fit(z * p.sqrt().unsqueeze(-2), masses, sums, lam)
    q, dimension = _distribution(z, p, masses, lam, sampling)
    s = feature_count(dimension, float(_SIZE), delta, constant=constant)
    drawn = draw.multinomial("features", s, q)
    weights = torch.where(drawn > 0, p / torch.where(drawn > 0, q, 1.0) * drawn / s, 0.0)
    sampled = _fit(z * weights.sqrt().unsqueeze(-2), masses, sums, lam)
    risks = [(law * (values - mean).square()).sum(-1) for values, _ in (sampled, exact)]
    return RidgeRisks(risks[0] - risks[1], exact[1], s)


def _fit(phi: Tensor, masses: Tensor, sums: Tensor, lam: float) -> tuple[Tensor, Tensor]:
    """Values of the ridge fit on the points, and its squared norm."""
    gram = phi.mT @ (masses.unsqueeze(-1) * phi)
    theta = torch.linalg.solve(gram + lam * table(torch.eye(_SIZE), like=gram), product(phi.mT, sums))
    return product(phi, theta), theta.square().sum(-1)


def _distribution(z: Tensor, p: Tensor, masses: Tensor, lam: float, sampling: Sampling) -> tuple[Tensor, float]:
    """q, and the integral of the bound on the leverage scores that it is proportional to."""
    if sampling == "plain":
        return p, float(plain_sampling_dimension(1.0, regularisation=lam))
    phi = z * p.sqrt().unsqueeze(-2)
    gram = phi.mT @ (masses.unsqueeze(-1) * phi)
    eye = table(torch.eye(_SIZE), like=gram)
    scores = torch.linalg.solve(gram + lam * eye, gram).diagonal(dim1=-2, dim2=-1).clamp_min(0) + 1e-12 * p
    leverage = scores / scores.sum(-1, keepdim=True)
    return (leverage, float(_SIZE)) if sampling == "leverage" else ((leverage + p) / 2, 2.0 * _SIZE)
