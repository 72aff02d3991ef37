"""Definition 1 and what the proofs take from it: sums, tails, bounded variables, squares, the largest of several.

A law is finite, and its constant s^2 is the smallest that Definition 1 allows, found on a fine grid of lambda.
"""

import torch
from torch import Tensor

from harness import Forall, always, claim, every, grid
from harness.claims.placement import table

SCALES = [sign * 10 ** (power / 12) for power in range(-15, 31) for sign in (-1.0, 1.0)]
"""Values of lambda times the largest |x|: the quotient is smooth in the logarithm, and its limits are the variances."""


def variance_proxy(law: Tensor, places: Tensor) -> Tensor:
    """The smallest s^2 with log E exp(lambda (X - E X)) <= lambda^2 s^2/2: law and places (*batch, K) -> (*batch,).

    The largest of 2 log E exp(lambda X) / lambda^2 over the grid, and of the variance; X less its mean. At most one
    percent below the supremum over all lambda, which makes the claims a little stronger.
    """
    centred = places - (law * places).sum(-1, keepdim=True)
    largest = centred.abs().amax(-1, keepdim=True).clamp(min=1e-9)
    scales = table(SCALES, like=law) / largest
    exponents = scales.unsqueeze(-1) * centred.unsqueeze(-2)
    moments = torch.logsumexp(law.clamp(min=1e-300).log().unsqueeze(-2) + exponents, -1)
    return torch.maximum((2 * moments / scales**2).amax(-1), (law * centred**2).sum(-1))


def centred_law(forall: Forall, atoms: int, name: str = "") -> tuple[Tensor, Tensor]:
    """Any law on some atoms of [-1, 1], and its places less its mean."""
    law = forall.simplex(f"{name}law", atoms)
    law = (law + 1e-9) / (1 + 1e-9 * atoms)
    places = forall.interval(f"{name}X", -1.0, 1.0, atoms)
    return law, places - (law * places).sum(-1, keepdim=True)


@claim(
    "lkrf/def-1-bounded",
    always(),
    over=grid(atoms=[2, 5]),
    cite="lkrf, Definition 1: bounded variables",
    sizes="distributions on two and five points",
)
def bounded_variables_are_sub_gaussian(forall: Forall, *, atoms: int):
    """log E exp(lambda (X - E X)) <= lambda^2 (b - a)^2/8 for a <= X <= b: X is (b - a)^2/4-sub-Gaussian.

    Equality as lambda -> 0 for fair coins. Points of [-1, 1], |lambda| <= 20, beyond which the bound is trivial there.
    """
    law, centred = centred_law(forall, atoms)
    scale = forall.interval("lambda", -20.0, 20.0)
    width = centred.amax(-1) - centred.amin(-1)
    return torch.logsumexp(law.log() + scale.unsqueeze(-1) * centred, -1), scale**2 * width**2 / 8


@claim(
    "lkrf/def-1-sums",
    always(),
    over=grid(n=[2], atoms=[3]) + grid(n=[4], atoms=[2]),
    cite="lkrf, Definition 1: sums of independent variables",
    sizes="n = 2 and 4 variables, each with its own distribution on two or three points",
)
def sums_are_sub_gaussian(forall: Forall, *, n: int, atoms: int):
    """The sum of n independent s^2-sub-Gaussian variables is n s^2-sub-Gaussian: its s^2 is at most n max_i s_i^2.

    At any lambda, the law of the sum by enumeration of all outcomes; equality for variables of one law.
    """
    laws, places = zip(*(centred_law(forall, atoms, f"{name} ") for name in range(n)), strict=True)
    scale = forall.interval("lambda", 0.01, 20.0)
    pairs = list(zip(laws, places, strict=True))
    here = [2 * torch.logsumexp(law.log() + scale.unsqueeze(-1) * place, -1) / scale**2 for law, place in pairs]
    largest = torch.stack([*(variance_proxy(*pair) for pair in pairs), *here], -1).amax(-1)
    outcomes = every.vectors(atoms, n, like=laws[0]).long()
    chances = torch.stack([law[..., outcomes[:, i]] for i, law in enumerate(laws)]).prod(0)
    sums = torch.stack([place[..., outcomes[:, i]] for i, place in enumerate(places)]).sum(0)
    return torch.logsumexp(chances.log() + scale.unsqueeze(-1) * sums, -1), scale**2 * n * largest / 2


@claim(
    "lkrf/def-1-tail",
    always(),
    over=grid(atoms=[2, 5]),
    cite="lkrf, Definition 1: the tail of a sub-Gaussian variable",
    sizes="distributions on two and five points, every t >= 0",
    unnoticed="each of the two tails alone is below exp(-t^2/(2 s^2)): half of it is reached, at t = 0",
)
def tails_of_sub_gaussian_variables(forall: Forall, *, atoms: int):
    """P(X >= E X + t) and P(X <= E X - t) are at most 2 exp(-t^2/(2 s^2)) for all t >= 0.

    At the t, one of the places of X or zero, where a tail comes closest to its bound.
    """
    law, centred = centred_law(forall, atoms)
    proxy = variance_proxy(law, centred).clamp(min=1e-12)
    levels = torch.cat([centred.abs(), torch.zeros_like(centred[..., :1])], -1)
    tails = [(law.unsqueeze(-2) * (sign * centred.unsqueeze(-2) >= levels.unsqueeze(-1))).sum(-1) for sign in (1, -1)]
    bounds = 2 * (-(levels**2) / (2 * proxy.unsqueeze(-1))).exp()
    return (torch.maximum(*tails) / bounds.clamp(min=1e-200)).amax(-1), 1.0


@claim(
    "lkrf/eq-10-any-law",
    always(),
    over=grid(atoms=[2, 5]),
    reading="corrected",
    cite="lkrf, equation (10), lambda >= 0",
    sizes="distributions on two and five points; 2 lambda s^2 <= .99",
)
def squares_of_sub_gaussian_variables_of_any_law(forall: Forall, *, atoms: int):
    """E exp(lambda X^2) <= (1 - 2 lambda s^2)^(-1/2) for X of mean zero and s^2-sub-Gaussian, 0 <= lambda < 1/(2 s^2).

    We add lambda >= 0, where it is used (lkrf/eq-10).
    """
    law, centred = centred_law(forall, atoms)
    share = forall.interval("2 lambda s^2", 0.0, 0.99)
    scale = share / (2 * variance_proxy(law, centred).clamp(min=1e-12))
    moments = torch.logsumexp(law.log() + scale.unsqueeze(-1) * centred**2, -1)
    return moments.exp(), (1 - share) ** -0.5


@claim(
    "lkrf/lem-5-maximum",
    always(),
    over=grid(count=[1], outcomes=[2]) + grid(count=[3], outcomes=[5]),
    cite="lkrf, proof of Lemma 5: the mean of the largest of sub-Gaussian variables",
    sizes="one and three variables, dependent ones included; joint distributions on two and five outcomes",
)
def largest_of_sub_gaussian_variables(forall: Forall, *, count: int, outcomes: int):
    """E max_i |X_i| <= sqrt(2 s^2 log(2 n)) for n s^2-sub-Gaussian variables of mean zero, dependent or not."""
    law = forall.simplex("law", outcomes)
    law = (law + 1e-9) / (1 + 1e-9 * outcomes)
    places = forall.interval("X", -1.0, 1.0, count, outcomes)
    centred = places - (law.unsqueeze(-2) * places).sum(-1, keepdim=True)
    proxy = variance_proxy(law.unsqueeze(-2).expand_as(centred), centred).amax(-1)
    largest = (law * centred.abs().amax(-2)).sum(-1)
    return largest, (2 * proxy * torch.log(2 * proxy.new_tensor(float(count)))).sqrt()
