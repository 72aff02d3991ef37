"""Algorithm 1, the bisection on the multiplier: what it returns, how long it takes, whether it ends.

Its search bounds the width of an interval of multipliers by epsilon, and it returns the last weights that it computed.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum, f_divergence
from algos.divergence_ball.penalised import PenalisedMaximum, penalised_maximum, printed_penalised_maximum
from algos.divergence_ball.published import (
    BisectionResult,
    certified_bisection,
    fully_printed_bisection,
    printed_bisection,
)
from harness import Forall, always, claim, grid
from harness.claims.lkrf.ball import ball_maximum
from harness.claims.lkrf.defects import RETURNED_WEIGHTS, STOPPING_RULE

SUBOPTIMAL = [{"N": 9, "rho": 4.0, "epsilon": 0.01}, {"N": 200, "rho": 100.0, "epsilon": 0.01}]
READINGS = ((printed_bisection, penalised_maximum), (fully_printed_bisection, printed_penalised_maximum))
"""The search with its inner problem, which is solved, or follows the printed form of (8)."""
INFEASIBLE = [{"N": 4, "rho": 1.0, "epsilon": 0.1}, {"N": 200, "rho": 100.0, "epsilon": 0.003}]


@claim(
    "lkrf/alg-1",
    always(),
    reading="printed",
    expected="refuted",
    over=SUBOPTIMAL,
    cite="lkrf, Algorithm 1, output: an epsilon-suboptimal solution",
    quote="OUTPUT: q in R^{N_w} that is an epsilon-suboptimal solution to (4).",
    defect=STOPPING_RULE,
)
def search_is_suboptimal_by_epsilon_as_printed(forall: Forall, *, N: int, rho: float, epsilon: float):
    """The weights q that Algorithm 1 returns have q.v >= sup - epsilon, v in [0, 1]^N and k = 2.

    In the reading that is kindest to it: epsilon is absolute, which asks for less than a share of sup <= 1; its inner
    problem is solved exactly or by the printed form of (8); and q are its last weights or those at lambda_u, whichever
    is best. The supremum is taken from below, from the certified search. One distinguished feature is enough, v = (1,
    0, ..., 0): that of a single point with phi = 1 there.
    """
    v = forall.interval("v", 0.0, 1.0, N)
    best = certified_bisection(v, rho, order=2, tolerance=1e-9).value
    reached = [value for reading in READINGS for value in values_reached(v, rho, epsilon, *reading)]
    return best - torch.stack(reached).amax(0), epsilon


@claim(
    "lkrf/alg-1",
    always(),
    reading="corrected",
    over=SUBOPTIMAL,
    cite="lkrf, Algorithm 1, with the weights at lambda_u and lambda_u (rho - D(q)) <= epsilon to stop it",
    restricts="k = 2, v in [0, 1]^N, N = 9 and 200, epsilon = .01",
)
def search_is_suboptimal_by_epsilon(forall: Forall, *, N: int, rho: float, epsilon: float):
    """The weights q at lambda_u have q.v >= sup - epsilon once lambda_u (rho - D(q)) <= epsilon.

    Left the larger one of the suboptimality and of the gap that certifies it.
    """
    v = forall.interval("v", 0.0, 1.0, N)
    found = certified_bisection(v, rho, order=2, tolerance=epsilon)
    return torch.maximum(chi_square_ball_maximum(v, rho).value - found.value, found.gap), epsilon


@claim(
    "lkrf/alg-1-feasible",
    always(),
    reading="inferred",
    expected="refuted",
    over=INFEASIBLE,
    cite="lkrf, Algorithm 1, output: a solution to (4), if the last weights are returned",
    defect=RETURNED_WEIGHTS,
)
def search_is_feasible_at_its_last_weights(forall: Forall, *, N: int, rho: float, epsilon: float):
    """The last weights q that Algorithm 1 computes lie in the ball: D(q) <= rho, v in [0, 1]^N and k = 2.

    The box has no line that returns q: that the last one is meant is our reading, and q at lambda_u is feasible. The
    smaller divergence of two runs, with the exact inner problem and with the printed form of (8): 144.9 against 100.
    """
    v = forall.interval("v", 0.0, 1.0, N)
    runs = [search(v, rho, order=2, tolerance=epsilon) for search, _ in READINGS]
    return torch.minimum(*(f_divergence(run.weights) for run in runs)), rho


@claim(
    "lkrf/alg-1-feasible",
    always(),
    reading="corrected",
    over=INFEASIBLE,
    cite="lkrf, Algorithm 1, with the weights at lambda_u",
    restricts="k = 2, v in [0, 1]^N, N = 4 and 200",
)
def search_is_feasible(forall: Forall, *, N: int, rho: float, epsilon: float):
    """The weights q at lambda_u lie in the ball: D(q) <= rho."""
    v = forall.interval("v", 0.0, 1.0, N)
    return f_divergence(certified_bisection(v, rho, order=2, tolerance=epsilon).weights), rho


@claim(
    "lkrf/alg-1-certificate",
    always(),
    over=grid(k=[2], N=[3], rho=[0.1, 5.0]),
    cite="lkrf, Section 2.1, the dual function g(lambda) of problem (4)",
    restricts="k = 2, N = 3, rho = .1 and 5, lambda <= 3",
)
def every_multiplier_bounds_the_supremum(forall: Forall, *, k: int, N: int, rho: float):
    """sup <= g(lambda) = q.v + lambda (rho - D(q)) at every lambda, with q the maximiser of the Lagrangian there.

    Hence a feasible q(lambda) is suboptimal by lambda (rho - D(q)) at most: the certificate that Algorithm 1 lacks.
    """
    v, multiplier = forall.interval("v", 0.0, 1.0, N), forall.interval("lambda", 0.0, 3.0)
    found = penalised_maximum(v, multiplier, order=k)
    return chi_square_ball_maximum(v, rho).value, (found.weights * v).sum(-1) + multiplier * (rho - found.divergence)


@claim(
    "lkrf/alg-1-dual",
    always(),
    over=[
        {"part": "above", "k": 2, "N": 7, "rho": 20.0},
        {"part": "above", "k": 2.5, "N": 2, "rho": 0.1},
        {"part": "convex", "k": 2, "N": 30, "rho": 5.0},
        {"part": "least", "k": 2, "N": 4, "rho": 1.0},
        {"part": "least", "k": 3, "N": 2, "rho": 0.1},
    ],
    cite="lkrf, Section 2.1, the dual function g(lambda), which bisection minimises",
    sizes="k = 2, 2.5 and 3; N = 2, 4, 7 and 30; rho = .1, 1, 5 and 20; v in [0, 1]^N, lambda from .001 to 100",
)
def dual_function_is_minimised_by_bisection(forall: Forall, *, part: str, k: float, N: int, rho: float):
    """g is above the supremum of (4) everywhere, convex, and epsilon above it where the bisection for rho ends.

    g(lambda) = q.v + lambda (rho - D(q)) at the maximiser q of the Lagrangian. The parts: sup <= g(lambda); g below
    its chords; g(lambda_u) - sup <= epsilon = .05 at the lambda_u of the bisection on D(q) against rho. So its minimum
    is the supremum, and bisection finds it.
    """
    v = forall.interval("v", 0.0, 1.0, N)

    def dual(multiplier: Tensor) -> Tensor:
        found = penalised_maximum(v, multiplier, order=k)
        return (found.weights * v).sum(-1) + multiplier * (rho - found.divergence)

    if part == "least":
        reached = certified_bisection(v, rho, order=k, tolerance=0.05)
        return dual(reached.multiplier) - ball_maximum(v, rho, k).value, 0.05
    first = 10 ** forall.interval("log10_lambda", -3.0, 2.0)
    if part == "above":
        return ball_maximum(v, rho, k).value, dual(first)
    other, share = 10 ** forall.interval("log10_other", -3.0, 2.0), forall.interval("share", 0.0, 1.0)
    middle = first + share * (other - first)
    return dual(middle), dual(first) + share * (dual(other) - dual(first))


@claim(
    "lkrf/alg-1-complexity",
    always(),
    over=[{"rho": 0.01, "epsilon": 0.5}, {"rho": 2.0, "epsilon": 0.001}],
    cite="lkrf, Section 2.1 and Algorithm 1: O(N log(1/epsilon)) time",
    restricts="k = 2, N = 4; steps, not time, to the printed stop, which does not certify epsilon",
)
def search_takes_logarithmically_many_steps(forall: Forall, *, rho: float, epsilon: float):
    """Algorithm 1 comes to its stop within 1 + max(0, log2(sd(v)/sqrt rho)) + ceil(log2(1/epsilon)) steps, k = 2.

    Steps to the printed stop, which does not make the weights epsilon-suboptimal (lkrf/alg-1); each costs O(N). The
    first multiplier 2^j with D(q) < rho is at most sd(v)/sqrt rho or 1, as D(q(lambda)) <= var(v)/(4 lambda^2); halving
    does the rest, epsilon being a share of 2^j. So the stated order hides log(sd(v)) and log(1/rho), and v is of the
    order of n^2.
    """
    v = 2 ** forall.integers("exponent", -5, 15).unsqueeze(-1) * forall.interval("v", 0.0, 1.0, 4)
    steps = printed_bisection(v, rho, order=2, tolerance=epsilon).steps.to(v.dtype)
    doublings = (v.std(-1, correction=0) / math.sqrt(rho)).clamp(min=1).log2()
    return steps, 1 + doublings + max(0, math.ceil(-math.log2(epsilon)))


@claim(
    "lkrf/alg-1-termination",
    always(),
    over=grid(N=[3]),
    cite="lkrf, Algorithm 1",
    restricts="k = 2, N = 3, whole numbers times powers of two, rho from 1e-4 to 100",
    unnoticed="its right side is zero: the left side counts searches that do not end",
)
def search_ends(forall: Forall, *, N: int):
    """Algorithm 1 ends for every rho > 0 and epsilon > 0; 1 where it does not within 256 steps.

    Constant v, ties and balls that hold the simplex included. It never ends for rho = 0, as D(q) < rho is impossible.
    """
    v = 2 ** forall.integers("exponent", -5, 10).unsqueeze(-1) * forall.integers("v", 0, 10, N)
    rho, epsilon = 10 ** forall.integers("log10_rho", -4, 2), 10 ** forall.integers("log10_epsilon", -5, 0)
    return (~printed_bisection(v, rho, order=2, tolerance=epsilon).terminated).to(v.dtype), 0.0


def values_reached(
    values: Tensor,
    rho: float,
    epsilon: float,
    search: Callable[..., BisectionResult],
    maximum: Callable[..., PenalisedMaximum],
) -> list[Tensor]:
    """q.v of the last weights of Algorithm 1, and of those at its final lambda_u."""
    found = search(values, rho, order=2, tolerance=epsilon)
    upper = maximum(values, upper_multiplier(found, rho, epsilon), order=2).weights
    return [found.value, (upper * values).sum(-1)]


def upper_multiplier(found: BisectionResult, rho: float, epsilon: float) -> Tensor:
    """lambda_u at the end: the last multiplier if that was feasible, else one width of the final bracket above it."""
    halvings = max(0, math.ceil(-math.log2(epsilon)))
    width = 2.0 ** (found.steps - 1 - 2 * halvings)  # 2^j lambda_s, after j doublings, halved
    return torch.where(found.divergence < rho, found.multiplier, found.multiplier + width)
