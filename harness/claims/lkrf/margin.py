"""Theorem 2: the margin bound, where its supremum over the class is known.

M points, M features that are the rows of a Hadamard matrix, equal weights: the kernel is the identity, and the class
contains all functions on the points with Euclidean norm at most B.
"""

import math

import torch
from torch import Tensor

from bounds.complexity.margin import margin_excess_risk
from harness import Draw, Forall, always, claim, grid, high_probability

FUNCTIONS = 8
"""Of the class, chosen before the sample is drawn."""


@claim(
    "lkrf/thm-2",
    high_probability("delta"),
    over=grid(M=[2, 8, 64], n=[400], delta=[0.05]),
    trivial=1.0,
    cite="lkrf, Theorem 2",
    restricts="one class, its kernel the identity on M = 2, 8, 64 points; n = 400, delta = .05, nu = B / sqrt M",
    unnoticed="McDiarmid's inequality for the complexity of the sample triples the deviation: .18 of it is reached",
)
def margin_bound(forall: Forall, draw: Draw, *, M: int, n: int, delta: float):
    """sup over h of R(h) - Rhat_nu(h) <= (2/nu) R_n + 3 sqrt(log(2/delta)/(2n)) with probability 1 - delta.

    At nu = B/sqrt M every labelling of the points is in the class with full margin, and the supremum is the total
    variation between sample and distribution: right where a point is over-represented, slightly wrong elsewhere. R_n is
    replaced by a smaller number: the mean of sqrt(X)/n, X = sum over points of (sum of signs)^2, by
    (E X)^(3/2) / (n (E X^2)^(1/2)).
    """
    law = forall.simplex("law", M)
    counts = draw.multinomial("counts", n, law)
    supremum = (counts / n - law).clamp(min=0).sum(-1)
    second_moment = n**2 + 2 * (counts * (counts - 1)).sum(-1)
    return supremum, margin_excess_risk((n / second_moment).sqrt(), M**-0.5, n, delta=delta)


@claim(
    "lkrf/thm-2-any-class",
    high_probability("delta"),
    over=[
        {"M": 3, "N": 2, "n": 400, "rho": 0.5, "delta": 0.05},
        {"M": 2, "N": 4, "n": 2000, "rho": 2.0, "delta": 0.2},
    ],
    trivial=1.0,
    cite="lkrf, Theorem 2",
    sizes=(
        "two and three labelled points, two and four features, n = 400 and 2000, rho = .5 and 2, delta = .05 and .2; "
        "k = 2, whose ball contains the others"
    ),
    restricts=f"the supremum over any {FUNCTIONS} functions of the class, fixed before the sample",
    unnoticed="McDiarmid's inequality for the complexity of the sample triples the deviation: .2 of it is reached",
)
def margin_bound_of_any_class(forall: Forall, draw: Draw, *, M: int, N: int, n: int, rho: float, delta: float):
    """sup over h of R(h) - Rhat_nu(h) <= (2/nu) R_n + 3 sqrt(log(2/delta)/(2n)) with probability 1 - delta.

    For any distribution on labelled points, any features in [-1, 1], any nu, and any functions h = sum_m alpha_m
    sqrt(q_m) phi_m of the class, |alpha| <= B = 1 (nu is in units of B). R_n is replaced by a smaller number: that of
    equal weights q, which every ball holds, and there the mean of sqrt X, X = sum_m (s.psi_m)^2/N over random signs s,
    by (E X)^(3/2) / (E X^2)^(1/2).
    """
    law, features = forall.simplex("law", M), forall.interval("phi", -1.0, 1.0, M, N)
    labels, margin = forall.signs("y", M), forall.interval("nu", 0.05, 2.0)
    functions = any_functions(forall, features, rho)
    counts = draw.multinomial("counts", n, law)
    margins = labels.unsqueeze(-2) * functions
    ramp = (1 - margins / margin[:, None, None]).clamp(0, 1)
    risks = (law.unsqueeze(-2) * (margins < 0)).sum(-1)
    supremum = (risks - (counts.unsqueeze(-2) * ramp).sum(-1) / n).amax(-1)
    return supremum, margin_excess_risk(least_complexity(features, counts, n), margin, n, delta=delta)


def any_functions(forall: Forall, features: Tensor, rho: float) -> Tensor:
    """Values (batch, functions, M) of functions of the class with B = 1, each with weights of its own in the ball."""
    count = features.shape[-1]
    direction, alpha = forall.simplex("q", FUNCTIONS, count), forall.ball("alpha", FUNCTIONS, count)
    divergence = (count * direction.square().sum(-1, keepdim=True) - 1).clamp(min=1e-12)
    weights = 1 / count + (rho / divergence).sqrt().clamp(max=1.0) * (direction - 1 / count)
    return (alpha * weights.clamp(min=0).sqrt()) @ features.mT


def least_complexity(features: Tensor, counts: Tensor, n: int) -> Tensor:
    """A lower bound on R_n at B = 1, (batch,), from the kernel K of equal weights on the sampled points.

    E X = tr K and E X^2 = (tr K)^2 + 2 sum over different points i, j of the sample of K_ij^2, for X = s'K s.
    """
    kernel = features @ features.mT / features.shape[-1]
    own = kernel.diagonal(dim1=-2, dim2=-1)
    trace = (counts * own).sum(-1)
    squares = (counts.unsqueeze(-2) @ kernel.square() @ counts.unsqueeze(-1))[..., 0, 0]
    second = trace**2 + 2 * (squares - (counts * own.square()).sum(-1))
    positive = trace > 0
    return torch.where(positive, trace**1.5 / torch.where(positive, second, 1.0).sqrt(), 0.0) / n


@claim(
    "lkrf/thm-2-limit",
    always(),
    over=grid(n=[100, 10**6], delta=[0.05]),
    cite="lkrf, Theorem 2",
    restricts="the limit of one class; n = 100 and 1e6, delta = .05",
    unnoticed="in the limit of ever more points this class reaches .499 of it; no other class is tried",
)
def margin_bound_without_duplicates(forall: Forall, *, n: int, delta: float):
    """The same for M -> infinity, all points of the sample different: two formulas, each side worked out by us.

    At every margin. R_n = B/sqrt n; the supremum is min(1, B/(nu sqrt n)), the norm spread evenly over the sample. The
    factor 2 of the complexity is at most twice too large.
    """
    margin = forall.interval("nu sqrt n / B", 0.5, 20.0) / math.sqrt(n)
    supremum = torch.clamp(1 / (margin * math.sqrt(n)), max=1.0)
    return supremum, margin_excess_risk(1 / math.sqrt(n), margin, n, delta=delta)
