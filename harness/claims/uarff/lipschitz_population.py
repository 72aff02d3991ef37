"""Test problems: classifiers on two points, with kernels of sampled features and any loss of `losses`."""

from dataclasses import dataclass

import torch
from torch import Tensor

from harness import Draw, Forall

from .ball_supremum import unit_disc_supremum
from .finite_population import leverage_scores
from .losses import POINTS, Loss, PiecewiseLinear, factor


@dataclass(frozen=True)
class Problem:
    """Features on two points, their law and labels, and a sample."""

    features: Tensor  # (1, 2, V)
    probabilities: Tensor  # (1, V)
    law: Tensor  # (1, 2)
    chances: Tensor  # (1, 2): of the label 1
    multiplier: Tensor  # (1,): of the constraint on the norm of g_H
    positive: Tensor  # (reps, 2)
    negative: Tensor

    def gram(self, probabilities: Tensor) -> Tensor:
        """Phi^T diag(shares) Phi, `(reps, V, V)`."""
        phi = self.features * probabilities.sqrt().unsqueeze(-2)
        return phi.mT @ ((self.positive + self.negative).unsqueeze(-1) * phi)

    def scores(self, probabilities: Tensor, lam: Tensor) -> Tensor:
        """Leverage scores on the sample, `(reps, V)`."""
        return leverage_scores(self.gram(probabilities), probabilities, lam)

    def drawn(self, draw: Draw, name: str, s: Tensor, sampling: Tensor, probabilities: Tensor) -> Tensor:
        """Weights of s features drawn by `sampling`, in place of their probabilities."""
        counts = draw.multinomial(name, s, sampling)
        seen = counts > 0
        return torch.where(seen, probabilities / torch.where(seen, sampling, 1.0) * counts / s.unsqueeze(-1), 0.0)

    def excess(self, loss: Loss, weights: Tensor, lam: Tensor) -> tuple[Tensor, Tensor]:
        """E l_g - E l_gH of the learner g on these features, and |g| in their space; g_H in the unit ball.

        Exact for piecewise linear losses; for others g_H is any minimiser of E l + mu |g|^2, scaled into the ball.
        """
        values, norm = self.fit(loss, weights, lam)
        if isinstance(loss, PiecewiseLinear):
            return self.risk(loss, values) - self._least_risk(loss), norm
        target, radius = self.target(loss)
        return self.risk(loss, values) - self.risk(loss, target / radius.clamp_min(1.0).unsqueeze(-1)), norm

    def _least_risk(self, loss: PiecewiseLinear) -> Tensor:
        """E l_gH in the unit ball, `(1,)`."""
        space = factor((self.features * self.probabilities.unsqueeze(-2)) @ self.features.mT)
        rows = torch.stack([torch.stack([space.own, 0 * space.own], -1), torch.stack([space.off, space.other], -1)], -2)
        masses = torch.stack([self.law * self.chances, self.law * (1 - self.chances)], -2)
        return -unit_disc_supremum(loss, rows, -masses)

    def fit(self, loss: Loss, weights: Tensor, lam: Tensor) -> tuple[Tensor, Tensor]:
        """Values (reps, 2) of the learner on these features, and its norm in their space, `(reps,)`."""
        kernel = (self.features * weights.unsqueeze(-2)) @ self.features.mT
        return _fitted(loss, self.positive, self.negative, kernel, lam.expand(len(weights)))

    def target(self, loss: Loss) -> tuple[Tensor, Tensor]:
        """Values (1, 2) and norm (1,) of the minimiser of E l + mu |g|^2: g_H of the ball of this radius."""
        kernel = (self.features * self.probabilities.unsqueeze(-2)) @ self.features.mT
        return _fitted(loss, self.law * self.chances, self.law * (1 - self.chances), kernel, self.multiplier)

    def risk(self, loss: Loss, values: Tensor) -> Tensor:
        """E l_g from the values of g at the points."""
        right, wrong = loss.values(values)
        return (self.law * (self.chances * right + (1 - self.chances) * wrong)).sum(-1)


def _fitted(loss: Loss, positive: Tensor, negative: Tensor, kernel: Tensor, lam: Tensor) -> tuple[Tensor, Tensor]:
    """Values and norm of the minimiser."""
    space = factor(kernel)
    theta = loss.learner(positive, negative, space, lam)
    return space.values(theta), theta.norm(dim=-1)


def problem(forall: Forall, draw: Draw, n: Tensor, features: int, multiplier: Tensor | None = None) -> Problem:
    """Any features in [-1, 1], law, labels and multiplier, by default from 1e-5 to 1; n points are drawn."""
    z, p = forall.interval("features", -1.0, 1.0, POINTS, features), forall.simplex("probabilities", features)
    law, chances = forall.simplex("law", POINTS), forall.interval("chance of 1", 0.0, 1.0, POINTS)
    if multiplier is None:
        multiplier = 10.0 ** forall.interval("log10 mu", -5.0, 0.0)
    counts = draw.multinomial("sample", n, torch.cat([law * chances, law * (1 - chances)], -1))
    positive, negative = (counts / counts.sum(-1, keepdim=True)).chunk(2, -1)
    return Problem(z, p, law, chances, multiplier, positive, negative)
