"""Test problems: classifiers (hinge, logistic and squared loss) on two points, with kernels of sampled features.

The learner has the values g = K c on the points and minimises sum_j a_j l(g_j) + b_j l(-g_j) + lambda c^T K c, for
shares a_j and b_j of the sample with either label.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import softplus

from harness import Draw, Forall

from .finite_population import leverage_scores
from .finite_support import product

Loss: TypeAlias = Literal["hinge", "logistic", "squared"]

POINTS, _SMALLEST, _STAGES, _POLISHING = 2, 1e-13, 10, 4


def loss_values(loss: Loss, g: Tensor) -> Tensor:
    """l(g) for the label 1."""
    if loss == "squared":
        return (1 - g).square()
    return (1 - g).clamp_min(0) if loss == "hinge" else softplus(-g)


def learner(loss: Loss, positive: Tensor, negative: Tensor, kernel: Tensor, lam: Tensor) -> Tensor:
    """Coefficients c of the minimiser, `(reps, 2)`."""
    if loss == "hinge":
        return _hinge_coefficients(positive, negative, kernel, lam.unsqueeze(-1))
    if loss == "squared":
        return _squared_coefficients(positive, negative, kernel, lam.unsqueeze(-1))
    return _logistic_coefficients(positive, negative, kernel, lam.unsqueeze(-1))


def _hinge_coefficients(positive: Tensor, negative: Tensor, kernel: Tensor, lam: Tensor) -> Tensor:
    """The best of all solutions with each value below -1, at -1, between, at 1 or above; `lam` is (reps, 1).

    On a piece c_j = -slope / (2 lambda), at a kink (K c)_j = +-1; the minimiser is one of these 25, and one with no
    |c_j| above 1 / lambda. Larger ones are of kernels that are nearly singular, and rounding.
    """
    free = -torch.stack([-positive, negative - positive, negative], -1) / (2 * lam.unsqueeze(-1))  # (reps, 2, 3)
    ends = free.new_tensor([-1.0, 1.0])
    (own, off), (_, other) = kernel[:, 0, :, None].unbind(1), kernel[:, 1, :, None].unbind(1)
    determinant = own * other - off.square() + _SMALLEST
    kinks = torch.stack([ends.repeat_interleave(2), ends.repeat(2)], -1)  # (4, 2)
    firsts = [free[:, 0].repeat_interleave(3, -1)]
    seconds = [free[:, 1].repeat(1, 3)]
    for end in (-1.0, 1.0):
        firsts += [(end - off * free[:, 1]) / (own + _SMALLEST), free[:, 0]]
        seconds += [free[:, 1], (end - off * free[:, 0]) / (other + _SMALLEST)]
    firsts.append((other * kinks[:, 0] - off * kinks[:, 1]) / determinant)
    seconds.append((own * kinks[:, 1] - off * kinks[:, 0]) / determinant)
    first, second = torch.cat(firsts, -1), torch.cat(seconds, -1)  # (reps, 25)
    objective = torch.zeros_like(first)
    for j, (value, c) in enumerate(((own * first + off * second, first), (off * first + other * second, second))):
        losses = positive[:, j, None] * (1 - value).clamp_min(0) + negative[:, j, None] * (1 + value).clamp_min(0)
        objective = objective + losses + lam * value * c
    objective = objective.masked_fill(torch.maximum(first.abs(), second.abs()) * lam > 1.0 + 1e-9, torch.inf)
    best = objective.argmin(-1, keepdim=True)
    return torch.cat([first.gather(-1, best), second.gather(-1, best)], -1)


def _squared_coefficients(positive: Tensor, negative: Tensor, kernel: Tensor, lam: Tensor) -> Tensor:
    """Solution of (a + b) K c + lambda c = a - b, by Cramer's rule."""
    total, residual = positive + negative, positive - negative
    diagonal = total * kernel.diagonal(dim1=-2, dim2=-1) + lam
    off = total * kernel[:, 0, 1].unsqueeze(-1)
    determinant = diagonal.prod(-1, keepdim=True) - off.prod(-1, keepdim=True)
    return (diagonal.flip(-1) * residual - off * residual.flip(-1)) / determinant


def _logistic_coefficients(positive: Tensor, negative: Tensor, kernel: Tensor, lam: Tensor) -> Tensor:
    """Newton's steps on (a + b) sigma(g) - a + 2 lambda c = 0, for lambda decreasing to its value from 1."""
    c = torch.zeros_like(positive)
    for stage in range(1, _STAGES + _POLISHING + 1):
        at = lam ** min(stage / _STAGES, 1.0)
        sigmoid = product(kernel, c).sigmoid()
        curvature = (positive + negative) * sigmoid * (1 - sigmoid)
        residual = (positive + negative) * sigmoid - positive + 2 * at * c
        diagonal = curvature * kernel.diagonal(dim1=-2, dim2=-1) + 2 * at
        off = curvature * kernel[:, 0, 1].unsqueeze(-1)  # of the Jacobian, row by row
        determinant = diagonal.prod(-1, keepdim=True) - off.prod(-1, keepdim=True)
        c = c - (diagonal.flip(-1) * residual - off * residual.flip(-1)) / determinant
    return c


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
        """E l_g - E l_g' of the learner g on these features, and |g| in their space."""
        values, norm = self.fit(loss, weights, lam)
        target, radius = self.target(loss)
        return self.risk(loss, values) - self.risk(loss, target / radius.clamp_min(1.0).unsqueeze(-1)), norm

    def fit(self, loss: Loss, weights: Tensor, lam: Tensor) -> tuple[Tensor, Tensor]:
        """Values (reps, 2) of the learner on these features, and its norm in their space, `(reps,)`."""
        kernel = (self.features * weights.unsqueeze(-2)) @ self.features.mT
        c = learner(loss, self.positive, self.negative, kernel, lam.expand(len(weights)))
        values = product(kernel, c)
        return values, (c * values).sum(-1).clamp_min(0.0).sqrt()

    def target(self, loss: Loss) -> tuple[Tensor, Tensor]:
        """Values (1, 2) and norm (1,) of the minimiser of E l + mu |g|^2: g_H of the ball of this radius."""
        kernel = (self.features * self.probabilities.unsqueeze(-2)) @ self.features.mT
        c = learner(loss, self.law * self.chances, self.law * (1 - self.chances), kernel, self.multiplier)
        values = product(kernel, c)
        return values, (c * values).sum(-1).clamp_min(0.0).sqrt()

    def risk(self, loss: Loss, values: Tensor) -> Tensor:
        """E l_g from the values of g at the points."""
        right, wrong = (loss_values(loss, signed) for signed in (values, -values))
        return (self.law * (self.chances * right + (1 - self.chances) * wrong)).sum(-1)


def problem(forall: Forall, draw: Draw, n: Tensor, features: int, multiplier: Tensor | None = None) -> Problem:
    """Any features in [-1, 1], law, labels and multiplier, by default from 1e-5 to 1; n points are drawn."""
    z, p = forall.interval("features", -1.0, 1.0, POINTS, features), forall.simplex("probabilities", features)
    law, chances = forall.simplex("law", POINTS), forall.interval("chance of 1", 0.0, 1.0, POINTS)
    if multiplier is None:
        multiplier = 10.0 ** forall.interval("log10 mu", -5.0, 0.0)
    counts = draw.multinomial("sample", n, torch.cat([law * chances, law * (1 - chances)], -1))
    positive, negative = (counts / counts.sum(-1, keepdim=True)).chunk(2, -1)
    return Problem(z, p, law, chances, multiplier, positive, negative)
