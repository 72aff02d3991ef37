"""Sinha, Duchi: Learning Kernels with Random Features.

The ball of radius rho around a measure P is {Q : E_P (dQ/dP)^k - 1 <= rho}, with the unscaled f(t) = t^k - 1 of the
main text; on N equal weights N^(k-1) sum_m q_m^k - 1 <= rho. Populations are finite, so that suprema over a ball are
exact. The alignment of a feature is T(w) = E[S(Z, Z') phi(X, w) phi(X', w)], its estimate the U-statistic over pairs.
"""

import torch
from torch import Tensor

from algos.divergence_ball import (
    DivergenceBallSolution,
    chi_square_ball_maximum,
    divergence_ball_dual,
    divergence_ball_maximum,
    f_divergence,
)
from bounds.divergence_ball import alignment_deviation, weight_norm
from harness import Draw, Forall, always, claim, expectation, grid, high_probability, identity


def _maximum(values: Tensor, rho: float, order: float, base: Tensor | None = None) -> DivergenceBallSolution:
    if order == 2:
        return chi_square_ball_maximum(values, rho, base=base)
    return divergence_ball_maximum(values, rho, order=order, base=base)


@claim(
    "lkrf/lem-4",
    identity(),
    over=grid(k=[2], N=[2, 20], rho=[0.01, 1.0, 50.0]) + grid(k=[3], N=[5], rho=[1.0]),
    cite="lkrf, Lemma 4",
)
def duality_on_the_divergence_ball(forall: Forall, *, k: int, N: int, rho: float):
    """sup { E_Q g : D_f(Q || P) <= rho } = inf { lambda E_P f*((g - eta)/lambda) + lambda rho + eta : lambda, eta }.

    Left: the value of the weights found by sorting (k = 2) or bisection, less what they leave the ball by. Right: the
    dual objective after its minimum over lambda, at one eta. Weak duality makes equality a proof that both are optimal.
    """
    g = forall.interval("g", -1.0, 1.0, N)
    base = forall.simplex("P", N)
    solution = _maximum(g, rho, k, base)
    outside = (f_divergence(solution.weights, base, order=k) - rho).clamp(min=0)
    return (solution.weights * g).sum(-1) - outside, divergence_ball_dual(
        g, solution.threshold, rho, order=k, base=base
    )


@claim(
    "lkrf/eq-13",
    always(),
    over=grid(k=[2], N=[2, 10], rho=[0.5, 5.0]) + grid(k=[3], N=[10], rho=[5.0]),
    cite="lkrf, equation (13)",
)
def weights_in_the_ball_have_small_norm(forall: Forall, *, k: int, N: int, rho: float):
    """Weights q with N^(k-1) sum q^k - 1 <= rho have Euclidean norm at most (1 + rho)^(1/k) / sqrt N.

    Every point of the ball lies between its centre and the maximiser of a linear function.
    """
    direction = forall.interval("direction", -1.0, 1.0, N)
    share = forall.interval("share", 0.0, 1.0)
    extreme = _maximum(direction, rho, k).weights
    weights = 1 / N + share.unsqueeze(-1) * (extreme - 1 / N)
    return torch.linalg.vector_norm(weights, dim=-1), weight_norm(rho, N, order=k)


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


@claim(
    "lkrf/eq-11",
    expectation(range=(-2.0, 2.0), margin=0.02),
    over=grid(k=[2], N=[1, 3, 10], rho=[0.3, 3.0]) + grid(k=[3], N=[3], rho=[1.0]),
    cite="lkrf, equation (11)",
)
def empirical_balls_are_pessimistic(forall: Forall, draw: Draw, *, k: int, N: int, rho: float):
    """E sup over the ball around N samples of E_Q Z is at most the supremum over the ball around their law."""
    law = forall.simplex("law", 3)
    atoms = forall.interval("Z", -1.0, 1.0, 3)
    sample = draw.multinomial("counts", N, law) / N
    return _maximum(atoms, rho, k, sample).value, _maximum(atoms, rho, k, law).value
