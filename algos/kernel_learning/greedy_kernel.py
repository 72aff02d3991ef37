"""Greedy kernel learning: reweight a pool of random frequencies by alignment, then sample few of them."""

import math
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Values
from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.kernel_learning.pseudo_posterior import gibbs_posterior
from signatures.checked import checked
from signatures.numbers import Count, NonNegativeFloat, Size
from signatures.tensors import Shaped


@checked
def pseudo_bayesian_weights(losses: Values, beta: NonNegativeFloat, *, sample_size: Count) -> Tensor:
    """Weights of the pool by the pseudo-posterior ``Q_m ~ exp(-beta sqrt(n) loss_m)`` (PBRFF).

    The minimiser of the Kullback-Leibler bound at ``t = beta sqrt(n)``; O(N) per new beta.

    Parameters
    ----------
    losses : Tensor (*batch, N)
        Alignment losses of the pool on the training sample.
    beta : float
        Non-negative; 0 gives plain random features.
    sample_size : int
        Points in the training sample.

    Returns
    -------
    Tensor (*batch, N)
        Probabilities.

    Raises
    ------
    ValueError
        If beta is negative or not finite.

    References
    ----------
    pbrff eqs. 12 and 19.
    """
    return gibbs_posterior(losses, beta * math.sqrt(sample_size))


@checked
def chi_square_alignment_weights(losses: Values, rho: NonNegativeFloat) -> Tensor:
    """Weights of the pool of smallest alignment loss within a chi-square ball around the uniform ones (OKRFF).

    Exact solution of ``min <Q, loss>`` over the simplex with ``chi^2(Q || uniform) = N |Q - 1/N|^2 <= rho``.

    Parameters
    ----------
    losses : Tensor (*batch, N)
    rho : float
        Non-negative; 0 gives uniform weights, N - 1 or more the best frequencies alone.

    Returns
    -------
    Tensor (*batch, N)
        Probabilities.

    Raises
    ------
    ValueError
        If rho is negative or not finite.

    References
    ----------
    pbrff eqs. 17 and 18 at mu = 2, lkrf problem (8). The kernel is ``sum_m Q_m cos(<w_m, x - x'>)``: pbrff prints a
    spurious 1/N.
    """
    return chi_square_ball_maximum(-losses, rho).weights


@checked
def sample_frequencies(
    frequencies: Annotated[Tensor, Shaped("k d")],
    weights: Annotated[Tensor, Shaped("k", "[0, inf)")],
    count: Size,
    *,
    generator: torch.Generator,
) -> Tensor:
    """Draw frequencies from the pool with replacement.

    Parameters
    ----------
    frequencies : Tensor (N, d)
    weights : Tensor (N,)
        Non-negative; normalised here.
    count : int
    generator : torch.Generator

    Returns
    -------
    Tensor (count, d)

    Raises
    ------
    ValueError
        If the weights do not fit the pool, or none is positive.

    References
    ----------
    pbrff Sections 5.3 and 5.4.
    """
    if weights.shape != frequencies.shape[:1]:
        raise ValueError(
            f"weights have shape {tuple(weights.shape)} for a pool of {len(frequencies)} frequencies: give one for each"
        )
    if not bool((weights >= 0).all() and weights.sum() > 0):
        raise ValueError(
            f"weights have minimum {float(weights.min())}, but none may be negative and one must be positive"
        )
    return frequencies[torch.multinomial(weights.double(), count, replacement=True, generator=generator)]
