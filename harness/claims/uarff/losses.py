"""Losses of classifiers with their learners on two points: any piecewise linear one, the logistic and the squared loss.

A loss is two functions of the value g, one of each label. The learner has the values g = K c on the points and
minimises sum_j a_j l(1, g_j) + b_j l(-1, g_j) + lambda c^T K c, for shares a_j and b_j of the sample with either label.
With K = F F^T and F lower triangular, g = F theta and c^T K c = |theta|^2: theta stays moderate where c is of the order
of 1 / lambda, which may be as small as 1e-14.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn.functional import softplus

from harness import Forall
from harness.claims.placement import table

POINTS, _SMALLEST, _STAGES, _POLISHING = 2, 1e-150, 10, 4


@dataclass(frozen=True)
class Factor:
    """The lower triangular F with K = F F^T, entry by entry: `(reps,)`."""

    own: Tensor
    off: Tensor
    other: Tensor

    def values(self, theta: Tensor) -> Tensor:
        """F theta, `(reps, 2)`."""
        first, second = theta.unbind(-1)
        return torch.stack([self.own * first, self.off * first + self.other * second], -1)


def factor(kernel: Tensor) -> Factor:
    """By Cholesky's steps; K may be singular, (reps, 2, 2)."""
    own = kernel[:, 0, 0].clamp_min(0).sqrt()
    off = kernel[:, 0, 1] / own.clamp_min(_SMALLEST)
    return Factor(own, off, (kernel[:, 1, 1] - off.square()).clamp_min(0).sqrt())


class Loss(Protocol):
    """A loss of both labels."""

    @property
    def at_zero(self) -> float | Tensor:
        """The larger of l(1, 0) and l(-1, 0)."""

    def values(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """l(1, g) and l(-1, g), entry by entry of `(reps, points)`."""

    def learner(self, positive: Tensor, negative: Tensor, factor: Factor, lam: Tensor) -> Tensor:
        """theta of the minimiser, `(reps, 2)`, from shares (reps, 2), `factor` of K and lambda (reps,)."""


@dataclass(frozen=True)
class PiecewiseLinear:
    """Losses with kinks where the slope changes, L = 1; convex where the slopes ascend."""

    kinks: Tensor  # (1, 2, K), ascending: of the label 1, of the label -1
    slopes: Tensor  # (1, 2, K + 1), in [-1, 1]: the first at most 0 and the last at least 0
    least: Tensor  # (1, 2): the smallest value of either

    @property
    def at_zero(self) -> Tensor:
        """`(1,)`."""
        first, second = self.values(torch.zeros_like(self.least[..., :1]))
        return torch.maximum(first, second).squeeze(-1)

    @property
    def largest(self) -> Tensor:
        """Largest loss of values in [-1, 1], where the kinks are in it, `(1,)`."""
        ends = torch.ones_like(self.least[..., :1])
        first, second = self.values(torch.cat([-ends, ends, self.kinks.flatten(1)], -1))
        return torch.maximum(first, second).amax(-1)

    def values(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """l(1, g) and l(-1, g)."""
        rises = self.slopes.diff(dim=-1)
        both = []
        for label in range(2):
            kinks, rise, first = self.kinks[:, label], rises[:, label], self.slopes[:, label, 0]
            lowest = _from_first_kink(kinks, kinks, rise, first).amin(-1)
            offset = (self.least[:, label] - lowest).unsqueeze(-1)
            both.append(_from_first_kink(g, kinks, rise, first) + offset)
        return both[0], both[1]

    def learner(self, positive: Tensor, negative: Tensor, factor: Factor, lam: Tensor) -> Tensor:
        """The best of all solutions with each value in a piece or at a kink; a local minimum is one of these."""
        shares = torch.stack([positive, negative], -1)
        free = -(shares @ self.slopes_between) / (2 * lam[:, None, None])  # c of every piece: (reps, 2, pieces)
        first, second = _candidates(free, self.all_kinks.expand(len(free), -1), factor)
        own, off, other = (each.unsqueeze(-1) for each in (factor.own, factor.off, factor.other))
        objective = lam.unsqueeze(-1) * (first.square() + second.square())
        for j, value in enumerate((own * first, off * first + other * second)):
            right, wrong = self.values(value)
            objective = objective + positive[:, j, None] * right + negative[:, j, None] * wrong
        best = objective.argmin(-1, keepdim=True)
        return torch.cat([first.gather(-1, best), second.gather(-1, best)], -1)

    @property
    def all_kinks(self) -> Tensor:
        """The kinks of both labels in ascending order, `(1, 2 K)`."""
        return self.kinks.flatten(1).sort(-1).values

    @property
    def slopes_between(self) -> Tensor:
        """Slopes of both labels on the pieces between the kinks of both in ascending order, `(1, 2, pieces)`."""
        ends = self.all_kinks
        middles = torch.cat([ends[:, :1] - 1, (ends[:, 1:] + ends[:, :-1]) / 2, ends[:, -1:] + 1], -1)
        passed = (middles[:, None, :, None] > self.kinks[:, :, None, :]).to(ends.dtype)
        return self.slopes[..., :1] + (passed @ self.slopes.diff(dim=-1).unsqueeze(-1)).squeeze(-1)


def _from_first_kink(g: Tensor, kinks: Tensor, rises: Tensor, first: Tensor) -> Tensor:
    """The piecewise linear function that vanishes at the first kink."""
    value = first.unsqueeze(-1) * (g - kinks[..., :1])
    for kink, rise in zip(kinks.split(1, -1), rises.split(1, -1), strict=True):
        value = value + rise * (g - kink).clamp_min(0)
    return value


def _candidates(free: Tensor, ends: Tensor, factor: Factor) -> tuple[Tensor, Tensor]:
    """Both entries of theta = F^T c, `(reps, (pieces + kinks)^2)`: at each point c by the piece, or the value given.

    In this order, where differences of large numbers are left to the first: both on pieces; the first, the second, both
    at a kink.
    """
    pieces, kinks = free.shape[-1], ends.shape[-1]
    own, off, other = (each.unsqueeze(-1) for each in (factor.own, factor.off, factor.other))
    c_1, at_1 = free[:, 0].repeat_interleave(pieces, -1), ends.repeat_interleave(kinks, -1)
    c_2, at_2 = free[:, 1].repeat(1, pieces), ends.repeat(1, kinks)
    beside, under = ends.repeat_interleave(pieces, -1), free.repeat(1, 1, kinks)  # a kink and a piece
    square = (off.square() + other.square()).clamp_min(_SMALLEST)
    at_own, above = own.clamp_min(_SMALLEST), other.clamp_min(_SMALLEST)
    first = [own * c_1 + off * c_2, beside / at_own, (own * other.square() * under[:, 0] + off * beside) / square]
    second = [other * c_2, other * under[:, 1], other * (beside - own * off * under[:, 0]) / square]
    first.append(at_1 / at_own)
    second.append((at_2 - off * first[-1]) / above)
    return torch.cat(first, -1), torch.cat(second, -1)


def hinge(like: Tensor) -> PiecewiseLinear:
    """max(0, 1 - y g)."""
    kinks, slopes = table([[[1.0], [-1.0]]], like=like), table([[[-1.0, 0.0], [0.0, 1.0]]], like=like)
    return PiecewiseLinear(kinks, slopes, table([[0.0, 0.0]], like=like))


def any_piecewise_linear(forall: Forall, reach: float = 2.0) -> PiecewiseLinear:
    """Two kinks in [-reach, reach] and any three slopes for either label, convex or not; smallest values in [0, 1]."""
    kinks = forall.interval("kinks", -reach, reach, 2, 2).sort(-1).values
    outer, middle = forall.interval("outer slopes", 0.0, 1.0, 2, 2), forall.interval("slope between", -1.0, 1.0, 2, 1)
    slopes = torch.cat([-outer[..., :1], middle, outer[..., 1:]], -1)
    return PiecewiseLinear(kinks, slopes, forall.interval("smallest loss", 0.0, 1.0, 2))


def any_lipschitz(forall: Forall, *, like: Tensor, other: Loss) -> Loss:
    """The hinge loss, any piecewise linear one, or the other one; one instance is judged at a time."""
    which, free = int(forall.integers("loss", 0, 2)), any_piecewise_linear(forall)
    return other if which == 0 else hinge(like) if which == 1 else free


@dataclass(frozen=True)
class Logistic:
    """log(1 + exp(-y g))."""

    at_zero: float = math.log(2)

    def values(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """l(1, g) and l(-1, g)."""
        return softplus(-g), softplus(g)

    def learner(self, positive: Tensor, negative: Tensor, factor: Factor, lam: Tensor) -> Tensor:
        """Newton's steps on F^T ((a + b) sigma(g) - a) + 2 lambda theta = 0, for lambda falling to its value from 1."""
        total, theta = positive + negative, torch.zeros_like(positive)
        for stage in range(1, _STAGES + _POLISHING + 1):
            at = lam ** min(stage / _STAGES, 1.0)
            sigmoid = factor.values(theta).sigmoid()
            descent = _newton(factor, total * sigmoid * (1 - sigmoid), positive - total * sigmoid, 2 * at, theta)
            theta = theta + descent
        return theta


def _newton(factor: Factor, curvature: Tensor, descent: Tensor, ridge: Tensor, theta: Tensor) -> Tensor:
    """(F^T A F + ridge)^-1 (F^T d - ridge theta), `(reps, 2)`; A the curvatures and d the descent, both `(reps, 2)`.

    The determinant a_1 a_2 |F|^2 + ridge Tr F^T A F + ridge^2 is a sum of positive numbers.
    """
    (a, b), (right, under) = curvature.unbind(-1), descent.unbind(-1)
    own, off, other = factor.own, factor.off, factor.other
    first, cross, second = a * own.square() + b * off.square(), b * off * other, b * other.square()
    determinant = a * b * (own * other).square() + ridge * (first + second) + ridge.square()
    left = own * second * right + ridge * (own * right + off * under)
    low = other * ((a * own.square() + ridge) * under - b * own * off * right)
    pull = ridge.unsqueeze(-1) * torch.stack(
        [(second + ridge) * theta[:, 0] - cross * theta[:, 1], (first + ridge) * theta[:, 1] - cross * theta[:, 0]], -1
    )
    return (torch.stack([left, low], -1) - pull) / determinant.unsqueeze(-1)


@dataclass(frozen=True)
class Squared:
    """(1 - y g)^2."""

    at_zero: float = 1.0

    def values(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """l(1, g) and l(-1, g)."""
        return (1 - g).square(), (1 + g).square()

    def learner(self, positive: Tensor, negative: Tensor, factor: Factor, lam: Tensor) -> Tensor:
        """Solution of (F^T (a + b) F + lambda) theta = F^T (a - b)."""
        return _newton(factor, positive + negative, positive - negative, lam, torch.zeros_like(positive))
