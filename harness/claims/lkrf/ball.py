"""Suprema over the divergence ball of any order."""

from torch import Tensor

from algos.divergence_ball import DivergenceBallSolution, chi_square_ball_maximum, divergence_ball_maximum


def ball_maximum(values: Tensor, rho: float, order: float, base: Tensor | None = None) -> DivergenceBallSolution:
    """The exact solver for order 2, root-finding on the threshold for other orders."""
    if order == 2:
        return chi_square_ball_maximum(values, rho, base=base)
    return divergence_ball_maximum(values, rho, order=order, base=base)
