"""The payoff of the margin game between the weights of a support vector machine and the spectrum of its kernel."""

import torch
from torch import Tensor

from algos.fourier import fourier_potential, fourier_sums


def margin_payoff(weights: Tensor, labels: Tensor, points: Tensor, frequencies: Tensor, *, mass: float) -> Tensor:
    """Payoff of weights against a symmetric pair of frequencies of a given total mass.

    F(a, (s/2)(delta_w + delta_-w)) = sum_i a_i - (s/2) |sum_i y_i a_i exp(i w.x_i)|^2.

    Parameters
    ----------
    weights : (*batch, n), a.
    labels : (n,) or (*batch, n), y in {-1, +1}.
    points : (*batch, n, d), x.
    frequencies : (*batch, m, d), w.
    mass : s; 1 for a strategy of the game, 2 for the pair that the printed algorithm plays.

    Returns
    -------
    (*batch, m).

    Source: nsrf Section 3.2.
    """
    return weights.sum(-1, keepdim=True) - 0.5 * mass * fourier_potential(points, frequencies, weights * labels)


def margin_payoff_gradient(
    weights: Tensor, labels: Tensor, points: Tensor, frequencies: Tensor, *, mass: float
) -> Tensor:
    """Gradient of `margin_payoff` in the weights: 1 - s Y Re(conj(S) Phi(w)), S = sum_i y_i a_i exp(i w.x_i).

    Parameters
    ----------
    weights, labels, points, frequencies, mass : as in `margin_payoff`.

    Returns
    -------
    (*batch, m, n).

    Source: nsrf Algorithm 2, whose factor 2 is the mass s = 2.
    """
    cosine, sine = fourier_sums(points, frequencies, (weights * labels).unsqueeze(-2))
    phases = frequencies @ points.mT
    response = cosine.mT * torch.cos(phases) + sine.mT * torch.sin(phases)
    return 1.0 - mass * labels.unsqueeze(-2) * response
