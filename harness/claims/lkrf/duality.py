"""The divergence ball: its dual, the size of its weights, and balls around samples."""

import torch

from algos.divergence_ball import divergence_ball_dual, f_divergence
from bounds.divergence_ball import weight_norm
from harness import Draw, Forall, always, claim, expectation, grid, identity
from harness.claims.lkrf.ball import ball_maximum


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
    solution = ball_maximum(g, rho, k, base)
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
    extreme = ball_maximum(direction, rho, k).weights
    weights = 1 / N + share.unsqueeze(-1) * (extreme - 1 / N)
    return torch.linalg.vector_norm(weights, dim=-1), weight_norm(rho, N, order=k)


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
    return ball_maximum(atoms, rho, k, sample).value, ball_maximum(atoms, rho, k, law).value
