"""Risk against the number of random features, with the numbers that the bounds ask for."""

import math

import torch
from torch import Tensor

from algos.ridge.spline import spline_kernel
from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT, deviation_constant
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.placement import table
from harness.claims.uarff.feature_pool import mean_row
from harness.claims.uarff.spline_modes import NOISE, ORIGIN, SplineProblem, modal_ridge

POINTS, MODES = 1024, {1: 96, 2: 48}
MULTIPLES = (0.5, 1, 2, 4, 8, 16)
"""Numbers of features on the curve, in effective dimensions."""


@claim(
    "uarff/fig-1-count",
    reproduction(sided="at most"),
    over=grid(order=[1, 2]),
    cite="uarff, Theorem 9, Corollaries 10 and 11, in the setting of Figure 1",
    restricts="spline features, n = 1024, lambda = n^-1/2, delta = .1",
    unnoticed="the counts are for the worst kernel of their dimension: a fortieth of 4 lambda is reached",
)
def risk_against_the_number_of_features(draw: Draw, *, order: int):
    """With the features that the bounds ask for, the risk exceeds that of kernel ridge regression by at most 4 lambda.

    Spline features and targets inside the space (t = 2 r + 1), n = 1024, lambda = n^-1/2, delta = .1, exact risks on
    the same points: the largest excess of all replicates, without the term O(n^-1/2). The counts are those of Corollary
    10 with 5 and with 32/3 and of Corollary 11 with 5; the curve of the mean shows how many would do.
    """
    problem = SplineProblem(order, 2.0 * order + 1, POINTS**-0.5, MODES[order])
    counts = [
        problem.leverage_count(PRINTED_THEOREM_CONSTANT),
        problem.leverage_count(deviation_constant(0.5)),
        problem.plain_count(PRINTED_THEOREM_CONSTANT),
    ]
    curve = [math.ceil(multiple * problem.effective_dimension) for multiple in MULTIPLES]
    excess = excess_over_kernel_ridge(draw, problem, sorted({*curve, *counts}))
    unit = "excess over kernel ridge / lambda"
    rows: list[Row] = [
        Row(
            "largest at the counts asked for",
            float(excess[count].max()),
            printed=4.0,
            at={"features": count},
            unit=unit,
        )
        for count in counts
    ]
    return rows + [mean_row("mean", excess[count], at={"features": count}, unit=unit) for count in [*curve, counts[0]]]


def excess_over_kernel_ridge(draw: Draw, problem: SplineProblem, counts: list[int]) -> dict[int, Tensor]:
    """Risk less that of kernel ridge regression on the same points, in units of lambda, (reps,) for each number."""
    points = draw.uniform("points", POINTS)
    targets = spline_kernel(points - ORIGIN, problem.smoothness) + NOISE * draw.normal("noise", POINTS)

    def risk(operator: Tensor) -> Tensor:
        ridge = POINTS * problem.regularisation
        fitted = modal_ridge(operator, points, targets.unsqueeze(-2), modes=problem.modes, ridge=ridge)
        return problem.excess_risk(fitted[:, 0])

    whole = torch.diag(table(problem.weights, like=points) ** 2)
    kernel_ridge = risk(whole.expand(draw.reps, -1, -1))
    found = {}
    for count in counts:
        centres = draw.uniform(f"{count} features", count)
        found[count] = (risk(problem.feature_operator(centres)) - kernel_ridge) / problem.regularisation
    return found
