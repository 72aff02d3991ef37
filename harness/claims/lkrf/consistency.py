"""What a sample says about the population: deviations of the alignment, uniformly over the ball."""

import torch

from algos.divergence_ball import chi_square_ball_maximum
from bounds.divergence_ball import alignment_deviation
from harness import Draw, Forall, claim, grid, high_probability


@claim(
    "lkrf/lem-1",
    high_probability("delta"),
    over=grid(n=[10, 100, 1000], rho=[0.5, 10.0], delta=[0.05]),
    trivial=2.0,
    cite="lkrf, Lemma 1, for k = 2",
)
def alignment_is_consistent_in_the_data(forall: Forall, draw: Draw, *, n: int, rho: float, delta: float):
    """sup over the ball of |That(Q) - T(Q)| is below 4 sqrt((1 + rho) log(sqrt 2/delta)/n) with probability 1 - delta.

    S = y y', four labelled points, eight features in [-1, 1]. The supremum of an absolute value is the larger one of
    the suprema of both signs, each exact.
    """
    law = forall.simplex("law", 4)
    features = forall.interval("features", -1.0, 1.0, 4, 8)
    measure = forall.simplex("P0", 8)
    signed = forall.signs("labels", 4).unsqueeze(-1) * features
    counts = draw.multinomial("counts", n, law).unsqueeze(-1)
    sums, squares = (counts * signed).sum(-2), (counts * features**2).sum(-2)
    error = (sums**2 - squares) / (n * (n - 1)) - (law.unsqueeze(-1) * signed).sum(-2) ** 2
    above = chi_square_ball_maximum(error, rho, base=measure).value
    below = chi_square_ball_maximum(-error, rho, base=measure).value
    return torch.maximum(above, below), alignment_deviation(rho, n, delta=delta)
