"""Exact laws of the gap ``L_D(h_w) - empirical loss``: finitely many values with their probabilities, no simulation."""

import itertools
import math
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.kernel_learning.alignment import label_alignment_loss, quadratic_alignment
from harness import Forall
from harness.claims.pbrff.finite_laws import all_samples


@dataclass(frozen=True)
class Law:
    """Values of the gap and their probabilities, both ``(batch, k)``."""

    gaps: Tensor
    probabilities: Tensor

    def moment(self, order: float) -> Tensor:
        """``E |D|^order``, ``(batch,)``."""
        return (self.probabilities * self.gaps.abs() ** order).sum(-1)

    def one_sided_second_moment(self) -> Tensor:
        """``E D_+^2``, ``(batch,)``."""
        return (self.probabilities * self.gaps.clamp_min(0).square()).sum(-1)

    def worst_level(self, half: Tensor | float, power: float) -> tuple[Tensor, Tensor]:
        """Failure probability of a bound ``c delta^(-1 / power)`` and its delta, at the worst level delta.

        A bound that equals an attained gap d at level delta(d) fails with probability P(D >= d) at every level just
        above: it is true at all levels if and only if P(D >= d) <= delta(d) for every d > 0. Returned are both numbers
        at the d of largest ratio, each ``(batch,)``; where no gap is positive, the first is 0. `half` is the bound at
        delta = 1/2, a number or ``(batch,)``.
        """
        descending = self.gaps.sort(-1, descending=True)
        positive = descending.values > SMALLEST
        failure = self.probabilities.gather(-1, descending.indices).cumsum(-1)
        failure = torch.where(positive, failure, 0.0)
        bound = half.unsqueeze(-1) if isinstance(half, Tensor) else half
        level = (bound / descending.values.clamp_min(SMALLEST)) ** power / 2
        worst = torch.where(positive, failure / level, 0.0).argmax(-1).unsqueeze(-1)
        return failure.gather(-1, worst).squeeze(-1), level.gather(-1, worst).squeeze(-1)


SMALLEST = 1e-6
"""Gaps up to this are not told from rounding."""


def gap_law(name: str, forall: Forall, *, n: int) -> Law:
    """The distribution of that name: "coin", "heavy", "circle" (four atoms) or "<number> classes" (n = 2 and 3)."""
    if name.endswith("classes"):
        return label_law(forall.simplex("class_probabilities", int(name.split(maxsplit=1)[0])), n)
    if name == "circle":
        p, phase = forall.simplex("probabilities", 4), forall.interval("phase", 0.0, 2 * math.pi, 4)
        return pair_law((1 - (phase.unsqueeze(-1) - phase.unsqueeze(-2)).cos()) / 2, p, n)
    return {"coin": coin_law, "heavy": heavy_law}[name](forall.interval("bias", 0.0, 1.0), n)


def coin_law(bias: Tensor, n: int) -> Law:
    """Every input is the same point, labels are coin flips of any bias."""
    heads = torch.arange(n + 1, dtype=torch.float64, device=bias.device)
    losses = label_alignment_loss(torch.stack([heads, n - heads], -1))
    return Law((2 * bias * (1 - bias)).unsqueeze(-1) - losses, binomial_probabilities(bias, n))


def heavy_law(bias: Tensor, n: int) -> Law:
    """Every input is the same point, one class has any probability, all other labels differ: infinitely many classes.

    The limit of one heavy and L - 1 equal classes as L grows.
    """
    heads = torch.arange(n + 1, dtype=torch.float64, device=bias.device)
    agreeing = heads * (heads - 1) / (n * (n - 1))
    return Law(agreeing - bias.square().unsqueeze(-1), binomial_probabilities(bias, n))


def label_law(class_probabilities: Tensor, n: int) -> Law:
    """Every input is the same point, labels follow any class distribution; two or three points.

    Two labels agree or differ; of three, all agree, two do, or none.
    """
    if n not in (2, 3):
        raise ValueError(f"n is {n}, but class counts are enumerated for two and three points only: use coin or heavy")
    squares, cubes = ((class_probabilities**k).sum(-1) for k in (2, 3))
    if n == 2:
        losses, probabilities = [0.0, 1.0], [squares, 1 - squares]
    else:
        losses, probabilities = [0.0, 2 / 3, 1.0], [cubes, 3 * (squares - cubes), 1 - 3 * squares + 2 * cubes]
    values = torch.tensor(losses, dtype=torch.float64, device=class_probabilities.device)
    return Law((1 - squares).unsqueeze(-1) - values, torch.stack(probabilities, -1))


def pair_law(kernel: Tensor, probabilities: Tensor, n: int) -> Law:
    """Any distribution of k atoms with symmetric pair losses ``(batch, k, k)``, by enumerating its k^n samples."""
    positions, weights = all_samples(probabilities, n)
    pairs = [kernel[..., positions[:, i], positions[:, j]] for i, j in itertools.combinations(range(n), 2)]
    expected = quadratic_alignment(kernel, probabilities)
    return Law(expected.unsqueeze(-1) - torch.stack(pairs).mean(0), weights)


def binomial_probabilities(success: Tensor, n: int) -> Tensor:
    """Probabilities of 0, ..., n successes, ``(batch, n + 1)``; n up to 1000."""
    k = torch.arange(n + 1, dtype=torch.float64, device=success.device)
    ways = torch.tensor([float(math.comb(n, j)) for j in range(n + 1)], dtype=torch.float64, device=success.device)
    p = success.unsqueeze(-1)
    return ways * p**k * (1 - p) ** (n - k)
