"""Theorem 2: the margin bound, where its supremum over the class is known.

M points, M features that are the rows of a Hadamard matrix, equal weights: the kernel is the identity, and the class
contains all functions on the points with Euclidean norm at most B.
"""

import math

import torch

from bounds.complexity.margin import margin_excess_risk
from harness import Draw, Forall, always, claim, grid, high_probability


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
