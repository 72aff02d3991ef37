"""The margin game of the support vector machine with squared hinge losses, whose payoff is strongly concave."""

from collections.abc import Callable

import torch

from algos._domains import Signs, Vector
from algos.best_response.oracle import KernelPlayer
from algos.margin_game._rounds import GameRules, MarginGame, play_rounds
from algos.margin_game.cone_ball import _ConeBall
from algos.margin_game.online import StepRule
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size


@checked
def strongly_concave_step(modulus: PositiveFloat) -> StepRule:
    """Steps 1 / (rho t) of Hazan, Agarwal and Kale for rho-strongly concave payoffs; rho = 1/C here, so C / t.

    A step rule is a function of t = 1, 2, ... and of sum_(s<=t) |g_s|^2, one number for each instance, (*batch,).

    Parameters
    ----------
    modulus : float
        rho > 0.

    Returns
    -------
    callable

    References
    ----------
    nsrf Section 4.1, which cites the rate log T / T.
    """
    return lambda t, _: 1 / (modulus * t)


@checked
def play_squared_hinge_game(
    respond: KernelPlayer,
    labels: Signs,
    box: PositiveFloat,
    *,
    rounds: Size,
    step: StepRule | None = None,
    mass: PositiveFloat = 1.0,
    start: Vector | None = None,
    progress: Callable[[int], None] | None = None,
) -> MarginGame:
    """Play `algos.margin_game.game.play_margin_game` with squared hinge losses.

    The payoff F(a, lambda) = 1.a - (1/2) int v_a dlambda - |a|^2 / (2 C) on {a >= 0, y.a = 0}: no box. It is maximal
    within |a| <= C sqrt n for every lambda, since there 1.a >= |a|^2 / C; the max-player stays in that ball, which is
    what bounds its gradients. g_t = 1 - s y Psi_t Psi_t^T (y a_t) - a_t / C.

    Parameters
    ----------
    respond : callable
        The min-player; it gets the signed weights y a (*batch, n).
    labels : Tensor (n,) or (*batch, n)
        y in {-1, +1}, of any dtype; the game runs in that of the player's features.
    box : float
        C > 0, the constant of the squared losses.
    rounds : int
        T >= 1.
    step : callable, optional
        eta_t, by default C / t.
    mass : float
        s; 1 plays the game whose value the theorem bounds. 2 is what is printed; mass 2 with C is
        the game of mass 1 with 2C.
    start : Tensor (*batch, n), optional
        a_1 in the set; by default the projection of C/2 for every point.
    progress : callable, optional
        Called with t after each round.

    Returns
    -------
    MarginGame
        With `ridge` 1/C and an infinite `box`.

    Raises
    ------
    ValueError
        If there are no rounds, a label is not -1 or +1, or C is not a positive number.

    References
    ----------
    nsrf Section 4.1 and Appendix C, the l2-SVM; the domain is ours, the printed one is unbounded.
    """
    if not 0 < box < torch.inf:
        raise ValueError(f"box = {box} must be positive and finite: the payoff is (1/C)-strongly concave.")
    if not labels.is_floating_point():
        labels = labels.double()
    project = _ConeBall(labels, box * labels.shape[-1] ** 0.5)
    if start is None:
        start = project(torch.full_like(labels, box / 2))
    rules = GameRules(
        respond, labels, project, step or strongly_concave_step(1 / box), mass=mass, ridge=1 / box, progress=progress
    )
    return play_rounds(rules, start, rounds)
