"""Linear maximisation over f-divergence balls: exact, by bisection, and as published."""

from algos.divergence_ball.bisection import (
    BallBisection,
    chi_square_ball_bisection,
)
from algos.divergence_ball.exact import (
    DivergenceBallSolution,
    chi_square_ball_maximum,
    divergence_ball_dual,
    divergence_ball_maximum,
    f_divergence,
)
from algos.divergence_ball.linear_time import LinearTimeMaximum, linear_time_maximum
from algos.divergence_ball.penalised import PenalisedMaximum, penalised_maximum, printed_penalised_maximum
from algos.divergence_ball.published import (
    BisectionResult,
    certified_bisection,
    fully_printed_bisection,
    printed_bisection,
)

__all__ = [
    "BallBisection",
    "BisectionResult",
    "DivergenceBallSolution",
    "LinearTimeMaximum",
    "PenalisedMaximum",
    "certified_bisection",
    "chi_square_ball_bisection",
    "chi_square_ball_maximum",
    "divergence_ball_dual",
    "divergence_ball_maximum",
    "f_divergence",
    "fully_printed_bisection",
    "linear_time_maximum",
    "penalised_maximum",
    "printed_bisection",
    "printed_penalised_maximum",
]
