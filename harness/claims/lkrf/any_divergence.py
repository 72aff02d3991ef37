"""Lemma 4 for any closed convex f: powers, both relative entropies, any kinks, a likelihood ratio that is bounded.

Each problem is built from its solution: a likelihood ratio L = dQ/dP, a multiplier lambda and a threshold eta are free,
and g = eta + lambda s with any slopes s of f at L. These are the conditions of optimality: every g, P, f and rho with a
solution and a multiplier is of this kind.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from harness import Forall, always, claim, grid, identity

Generator: TypeAlias = Literal["t^1.5 - 1", "t^4 - 1", "t log t", "-log t", "bounded", "kinks"]
POWERS = {"t^1.5 - 1": 1.5, "t^4 - 1": 4.0}
POSITIVE = ("t log t", "-log t")
"""Generators with an infinite slope at 0, where no solution has L = 0."""

CELLS = (
    grid(f=["t^1.5 - 1", "bounded"], N=[3]) + grid(f=["t log t", "kinks"], N=[5]) + grid(f=["-log t", "t^4 - 1"], N=[2])
)
SIZES = (
    "spaces of two, three and five points; f(t) = t^k - 1 with k = 1.5 and 4, t log t, -log t, piecewise linear "
    "with as many kinks as points, and 0 on [0, c], infinite beyond"
)
SHIFT = 10.0


@dataclass(frozen=True)
class Smooth:
    """A power or an entropy."""

    name: Generator

    def values(self, t: Tensor) -> Tensor:
        """f(t)."""
        if self.name == "t log t":
            entropy: Tensor = torch.special.xlogy(t, t)
            return entropy
        return -t.log() if self.name == "-log t" else t ** POWERS[self.name] - 1

    def slopes(self, t: Tensor, below: Tensor, share: Tensor) -> Tensor:  # noqa: ARG002
        """f'(t), and anything below it at t = 0."""
        if self.name == "t log t":
            return t.log() + 1
        k = POWERS.get(self.name, 0.0)
        return -1 / t if self.name == "-log t" else k * t ** (k - 1) - torch.where(t > 0, 0.0, below)

    def conjugate(self, s: Tensor) -> Tensor:
        """f*(s): e^(s - 1), -1 - log(-s) for s < 0, or (k - 1) (s_+/k)^(k*) + 1."""
        if self.name == "t log t":
            return (s - 1).exp()
        if self.name == "-log t":
            return -1 - (-s).log()
        k = POWERS[self.name]
        return (k - 1) * (s.clamp(min=0) / k) ** (k / (k - 1)) + 1


@dataclass(frozen=True)
class Bounded:
    """0 on [0, c], infinite beyond: all Q with dQ/dP <= c, whatever rho is. `largest`: c, (batch, 1)."""

    largest: Tensor

    def values(self, t: Tensor) -> Tensor:
        return 0.0 * t

    def slopes(self, t: Tensor, below: Tensor, share: Tensor) -> Tensor:
        """0 inside, anything below at 0 and anything above at c."""
        return torch.where(t >= self.largest, share, 0.0) - torch.where(t > 0, 0.0, below)

    def conjugate(self, s: Tensor) -> Tensor:
        return self.largest * s.clamp(min=0)


@dataclass(frozen=True)
class Kinked:
    """a (t - 1) + sum_j c_j ((t - t_j)_+ - (1 - t_j)_+) with c_j >= 0: any piecewise linear convex f with f(1) = 0."""

    places: Tensor
    rises: Tensor
    start: Tensor

    def values(self, t: Tensor) -> Tensor:
        bends = (t.unsqueeze(-1) - self.places.unsqueeze(-2)).clamp(min=0)
        bends = bends - (1 - self.places).clamp(min=0).unsqueeze(-2)
        return self.start * (t - 1) + (self.rises.unsqueeze(-2) * bends).sum(-1)

    def slopes(self, t: Tensor, below: Tensor, share: Tensor) -> Tensor:
        """The slope left of t and a share of its rise there; anything below it at t = 0."""
        before, here = t.unsqueeze(-1) > self.places.unsqueeze(-2), t.unsqueeze(-1) == self.places.unsqueeze(-2)
        rises = self.rises.unsqueeze(-2) * (before + share.unsqueeze(-1) * here)
        return self.start + rises.sum(-1) - torch.where(t > 0, 0.0, below)

    def conjugate(self, s: Tensor) -> Tensor:
        """The largest s t - f(t) at t = 0 and at the kinks, for s up to the last slope of f."""
        ends = torch.cat([torch.zeros_like(self.places[..., :1]), self.places], -1)
        return (s.unsqueeze(-1) * ends.unsqueeze(-2) - self.values(ends).unsqueeze(-2)).amax(-1)


Family: TypeAlias = Smooth | Bounded | Kinked


@claim("lkrf/lem-4-any-f", identity(), over=CELLS, cite="lkrf, Lemma 4", sizes=SIZES)
def supremum_is_the_infimum(forall: Forall, *, f: Generator, N: int):
    """sup { E_Q g : D_f(Q || P) <= rho } = inf { lambda E_P f*((g - eta)/lambda) + rho lambda + eta }, for any f.

    Left E_P L g for a feasible L with D_f = rho, right the dual objective at one lambda and eta: no L has more and no
    lambda and eta have less (lkrf/lem-4-any-f-weak), so that both are optimal.
    """
    law, ratio = likelihood(forall, f, N)
    family = generator(forall, f, ratio)
    slopes = family.slopes(ratio, forall.interval("below", 0.0, 2.0, N), forall.interval("share", 0.0, 1.0, N))
    scale, eta = forall.interval("lambda", 0.01, 3.0), forall.interval("eta", -3.0, 3.0)
    g, rho = eta.unsqueeze(-1) + scale.unsqueeze(-1) * slopes, (law * family.values(ratio)).sum(-1)
    dual = scale * (law * family.conjugate(slopes)).sum(-1) + rho * scale + eta
    return SHIFT + (law * ratio * g).sum(-1), SHIFT + dual


@claim("lkrf/lem-4-any-f-weak", always(), over=CELLS, cite="lkrf, Lemma 4", sizes=SIZES)
def supremum_is_below_the_infimum(forall: Forall, *, f: Generator, N: int):
    """E_Q g <= lambda E_P f*((g - eta)/lambda) + rho lambda + eta if D_f(Q || P) <= rho and lambda > 0, for any eta.

    eta is taken from both sides, in units of lambda: left E_P L s with s = (g - eta)/lambda, any slopes of f, right
    E_P f*(s) + rho. Ten is added to both sides, which makes them positive.
    """
    law, ratio = likelihood(forall, f, N)
    family = generator(forall, f, forall.interval("kinks", 0.0, 3.0, N) if f == "kinks" else ratio)
    at = forall.interval("slopes at", 0.1, 3.0, N)
    s = family.slopes(at, torch.zeros_like(at), forall.interval("share", 0.0, 1.0, N))
    s = s - forall.interval("below", 0.0, 2.0, N)
    rho = (law * family.values(ratio)).sum(-1) + forall.interval("rho - D", 0.0, 1.0)
    return SHIFT + (law * ratio * s).sum(-1), SHIFT + (law * family.conjugate(s)).sum(-1) + rho


def likelihood(forall: Forall, f: Generator, N: int) -> tuple[Tensor, Tensor]:
    """P and a likelihood ratio of mean one: at most 20, and zero where f allows it."""
    law = forall.simplex("P", N)
    ratio = forall.interval("L", 0.01 if f in POSITIVE else 0.0, 1.0, N)
    mean = (law * ratio).sum(-1, keepdim=True)
    forall.assume(mean.squeeze(-1) > 0.05)
    return law, ratio / mean


def generator(forall: Forall, f: Generator, places: Tensor) -> Family:
    """f with kinks at these places, or the least c that allows these ratios."""
    if f == "kinks":
        return Kinked(
            places,
            forall.interval("rises", 0.0, 1.0, places.shape[-1]),
            forall.interval("first slope", -1.0, 1.0).unsqueeze(-1),
        )
    return Bounded(places.amax(-1, keepdim=True)) if f == "bounded" else Smooth(f)
