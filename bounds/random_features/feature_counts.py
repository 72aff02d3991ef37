"""Feature counts of the corollaries, and the tails of matrix Bernstein inequalities behind them."""

import math
from typing import Literal

from bounds._ranges import AtLeastHalf, OpenUnit
from bounds.random_features._dimensions import check_dominated
from bounds.random_features.leverage import feature_count
from signatures.checked import checked
from signatures.numbers import (
    AtLeastOne,
    HalfOpenProbability,
    Positive,
    PositiveFloat,
    PositiveMagnitude,
    Real,
    UnitInterval,
)

PRINTED_POOL_CONSTANT = 7.0
"""The factor of ``(z_0^2 / lambda) log(16 d_K / delta)`` for the pool of Algorithm 1. Source: uarff Theorem 20."""


@checked
def leverage_feature_count(
    effective_dimension: PositiveFloat, delta: HalfOpenProbability, *, constant: PositiveFloat = 32 / 3
) -> int:
    """Features drawn by their ridge leverage scores: ``s = ceil(c d_K log(16 d_K / delta))``.

    Parameters
    ----------
    effective_dimension : float
        d_K > 0.
    delta : float
        In (0, 1].
    constant : float
        c > 0; 32/3 by matrix Bernstein, 28/3 refined, while the paper prints 5.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Corollaries 10 and 17, which print c = 5.
    """
    return feature_count(effective_dimension, effective_dimension, delta, constant=constant)


@checked
def plain_sampling_dimension(feature_bound: PositiveMagnitude, *, regularisation: Positive) -> Real:
    """What stands for d when features come from the spectral measure itself: ``z_0^2 / lambda``.

    It is the integral of ``p(v) z_0^2 / lambda``, which bounds every ridge leverage score, and is at least d_K.

    Parameters
    ----------
    feature_bound : float or array
        z_0 > 0, with ``|z(v, x)| <= z_0``.
    regularisation : float or array
        lambda > 0 (not multiplied by n).

    Returns
    -------
    float or array

    References
    ----------
    uarff Corollaries 11 and 18.
    """
    return feature_bound**2 / regularisation


@checked
def plain_feature_count(
    effective_dimension: PositiveFloat,
    delta: HalfOpenProbability,
    *,
    feature_bound: PositiveFloat,
    regularisation: PositiveFloat,
    constant: PositiveFloat = 32 / 3,
) -> int:
    """Features drawn from the spectral measure itself: ``s = ceil(c (z_0^2 / lambda) log(16 d_K / delta))``.

    Parameters
    ----------
    effective_dimension : float
        d_K > 0, at most ``z_0^2 / lambda``.
    delta : float
        In (0, 1].
    feature_bound : float
        z_0 > 0.
    regularisation : float
        lambda > 0 (not multiplied by n).
    constant : float
        c > 0; 32/3 by matrix Bernstein, while the paper prints 5 (7 for a pool). No plain sample is known that needs
        more than 5.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Corollaries 11 and 18, which print c = 5, and Theorem 20.
    """
    sampling_dimension = plain_sampling_dimension(feature_bound, regularisation=regularisation)
    return feature_count(sampling_dimension, effective_dimension, delta, constant=constant)


@checked
def lower_tail_feature_count(
    sampling_dimension: PositiveFloat,
    effective_dimension: AtLeastHalf,
    delta: HalfOpenProbability,
    *,
    epsilon: UnitInterval = 0.5,
) -> int:
    """Features for the lower half of the event alone, ``K~ + n lambda >= (1 - epsilon) (K + n lambda)``.

    ``s = ceil((2 d / epsilon^2 + 2 / (3 epsilon)) log(8 d_K / delta))``, which at epsilon = 1/2 is
    ``(8 d + 4/3) log(8 d_K / delta)``: the summands ``E X - X`` are at most the largest eigenvalue of ``E X``, which is
    below 1, and one side has half the prefactor. The approximation error and the excess risk need no more.

    Parameters
    ----------
    sampling_dimension : float
        d >= d_K > 0.
    effective_dimension : float
        d_K >= 1/2 (Assumption 3: n lambda at most the largest eigenvalue).
    delta : float
        In (0, 1].
    epsilon : float
        In (0, 1].

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Lemma 22, our derivation.
    """
    check_dominated(effective_dimension, sampling_dimension)
    units = sampling_dimension + epsilon / 3  # in units of 2 / epsilon^2
    return math.ceil(2 / epsilon**2 * units * math.log(8 * effective_dimension / delta))


@checked
def failure_probability(
    features: AtLeastOne,
    sampling_dimension: Positive,
    effective_dimension: Positive,
    *,
    constant: PositiveFloat = 32 / 3,
) -> Real:
    """Matrix Bernstein bound on the probability that s features miss the event: ``16 d_K exp(-s / (c d))``.

    The inverse of the feature count; more than 1 says nothing.

    Parameters
    ----------
    features : float or array
        s >= 1.
    sampling_dimension : float or array
        d >= d_K > 0.
    effective_dimension : float or array
        d_K > 0; at least 1/2 under Assumption 3.
    constant : float
        c > 0, of `bounds.random_features.leverage` for the relative error wanted.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If the constant is not positive.

    References
    ----------
    uarff Lemma 27. Its printed exponent is twice as large: c = 1/epsilon^2 + 2/(3 epsilon).
    """
    return 16 * effective_dimension * math.e ** (-features / (constant * sampling_dimension))


@checked
def matrix_bernstein_tail(
    deviation: Positive,
    n: AtLeastOne,
    *,
    variance: Positive,
    norm: Positive,
    dimension: AtLeastOne,
    summands: Literal["bounded", "semidefinite"] = "bounded",
) -> Real:
    """Tail of the operator norm of a centred mean of n random matrices, with the intrinsic dimension.

    ``4 d exp(-(n x^2 / 2) / (m + b x / 3))`` with b = 2 L for summands of norm at most L, and b = L if they are
    positive semidefinite (and their mean as well: the larger norm bounds the difference). Stated for
    ``x >= sqrt(m/n) + b/(3n)``; below that the bound exceeds 1, so that no condition is needed.

    Parameters
    ----------
    deviation : float or array
        x > 0.
    n : float or array
        Number of matrices, at least 1.
    variance : float or array
        m > 0, the norm of both variance matrices.
    norm : float or array
        L > 0, almost sure bound on the norm of a summand.
    dimension : float or array
        d >= 1, sum of both traces of the variance matrices over m (for Hermitian summands twice ``tr M / m``).
    summands : {"bounded", "semidefinite"}

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    uarff Lemma 26 (printed with 2 L for all summands).
    """
    span = 2 * norm if summands == "bounded" else norm
    return 4 * dimension * math.e ** (-n * deviation**2 / (2 * variance + 2 * span * deviation / 3))


@checked
def unit_ball_approximation_error(regularisation: Positive, *, epsilon: OpenUnit = 0.5) -> Real:
    """How well sampled features imitate every function of the unit ball: ``lambda / (1 - epsilon)``.

    Bound on ``min_beta |f - Z beta|^2 / n + lambda s |beta|^2`` wherever
    ``K~ + n lambda >= (1 - epsilon) (K + n lambda)``; ``2 lambda`` at epsilon = 1/2, uniformly over the ball.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    epsilon : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If epsilon is not in (0, 1).

    References
    ----------
    uarff Lemma 22 (epsilon = 1/2; printed for one f at a time, though its proof is uniform).
    """
    return regularisation / (1 - epsilon)
