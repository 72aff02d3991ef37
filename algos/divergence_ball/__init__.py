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
from algos.divergence_ball.published import (
    BisectionResult,
    PenalisedMaximum,
    certified_bisection,
    penalised_maximum,
    published_bisection,
)

__all__ = [
    "BallBisection",
    "BisectionResult",
    "DivergenceBallSolution",
    "PenalisedMaximum",
    "certified_bisection",
    "chi_square_ball_bisection",
    "chi_square_ball_maximum",
    "divergence_ball_dual",
    "divergence_ball_maximum",
    "f_divergence",
    "penalised_maximum",
    "published_bisection",
]
