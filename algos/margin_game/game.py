"""The margin game between the weights of a support vector machine and the spectrum of its kernel.

The max-player picks a in K = {0 <= a <= C, y.a = 0}, the min-player a probability measure lambda over pure strategies;
the payoff is F(a, lambda) = 1.a - (1/2) int v_a dlambda, the dual objective of the machine with the kernel of lambda.
"""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from algos._domains import Frequencies, NonNegativeBatch, Points, Signs, Vector
from algos.best_response.oracle import KernelPlayer
from algos.fourier.sums import fourier_potential, fourier_sums
from algos.margin_game._rounds import GameRules, MarginGame, play_rounds
from algos.margin_game.online import Projection, StepRule
from algos.margin_game.projection import BoxHyperplane
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size

__all__ = ["MarginGame", "margin_payoff", "margin_payoff_gradient", "play_margin_game"]


@checked
def margin_payoff(
    weights: Vector, labels: Signs, points: Points, frequencies: Frequencies, *, mass: PositiveFloat
) -> Tensor:
    """Payoff of weights against a symmetric pair of frequencies of a given total mass.

    F(a, (s/2)(delta_w + delta_-w)) = sum_i a_i - (s/2) |sum_i y_i a_i exp(i w.x_i)|^2.

    Parameters
    ----------
    weights : Tensor (*batch, n)
        a.
    labels : Tensor (n,) or (*batch, n)
        y in {-1, +1}.
    points : Tensor (*batch, n, d)
        x.
    frequencies : Tensor (*batch, m, d)
        w.
    mass : float
        s; 1 for a strategy of the game, 2 for the pair that the printed algorithm plays.

    Returns
    -------
    Tensor (*batch, m)

    References
    ----------
    nsrf Section 3.2.
    """
    return weights.sum(-1, keepdim=True) - 0.5 * mass * fourier_potential(points, frequencies, weights * labels)


@checked
def margin_payoff_gradient(
    weights: Vector, labels: Signs, points: Points, frequencies: Frequencies, *, mass: PositiveFloat
) -> Tensor:
    """Gradient of `margin_payoff` in the weights: 1 - s Y Re(conj(S) Phi(w)), S = sum_i y_i a_i exp(i w.x_i).

    Parameters
    ----------
    weights : Tensor (*batch, n)
        a.
    labels : Tensor (n,) or (*batch, n)
        y in {-1, +1}.
    points : Tensor (*batch, n, d)
        x.
    frequencies : Tensor (*batch, m, d)
        w.
    mass : float
        s; 1 for a strategy of the game, 2 for the pair that the printed algorithm plays.

    Returns
    -------
    Tensor (*batch, m, n)

    References
    ----------
    nsrf Algorithm 2, whose factor 2 is the mass s = 2.
    """
    cosine, sine = fourier_sums(points, frequencies, (weights * labels).unsqueeze(-2))
    phases = frequencies @ points.mT
    response = cosine.mT * torch.cos(phases) + sine.mT * torch.sin(phases)
    return 1.0 - mass * labels.unsqueeze(-2) * response


@checked
def play_margin_game(
    respond: KernelPlayer,
    labels: Signs,
    box: NonNegativeBatch,
    *,
    rounds: Size,
    step: StepRule,
    mass: PositiveFloat = 1.0,
    project: Projection | None = None,
    start: Vector | None = None,
    progress: Callable[[int], None] | None = None,
) -> MarginGame:
    """Play online gradient ascent over the weights against best responses of the kernel player.

    a_(t+1) = project(a_t + eta_t g_t),  g_t = 1 - s y Psi_t Psi_t^T (y a_t), Psi_t the features of the answer to a_t.

    Parameters
    ----------
    respond : callable
        The min-player; it gets the signed weights y a (*batch, n).
    labels : Tensor (n,) or (*batch, n)
        y in {-1, +1}, of any dtype; the game runs in that of the player's features.
    box : float or Tensor
        C >= 0, a number or (*batch,).
    rounds : int
        T >= 1.
    step : callable
        eta_t, see `algos.margin_game.online`.
    mass : float
        s; 1 plays the game whose value the theorem bounds. 2 is what is printed; it is the game in the box 2C.
    project : callable, optional
        Onto K; exact by default. `algos.margin_game.projection.alternating_projection` is the printed one.
    start : Tensor (*batch, n), optional
        a_1 in K; by default the projection of C/2 for every point.
    progress : callable, optional
        Called with t after each round.

    Returns
    -------
    MarginGame
        Without gradients. Batch axes are those of the inputs and of the player's answers.

    Raises
    ------
    ValueError
        If there are no rounds, a label is not -1 or +1, or C is negative or not finite.

    References
    ----------
    nsrf Algorithm 2.
    """
    if not labels.is_floating_point():
        labels = labels.double()
    nearest = BoxHyperplane(labels, box)
    if start is None:
        half = 0.5 * torch.as_tensor(box, dtype=labels.dtype, device=labels.device).unsqueeze(-1)
        start = nearest(half * torch.ones_like(labels))
    rules = GameRules(respond, labels, project or nearest, step, mass=mass, progress=progress)
    return replace(play_rounds(rules, start, rounds), box=box)
