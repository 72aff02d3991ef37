"""How many random features ridge leverage scores ask for, and what those features then guarantee."""

import math

from bounds.random_features._dimensions import check_dominated
from signatures.checked import checked
from signatures.numbers import (
    Count,
    HalfOpenProbability,
    Magnitude,
    NonNegative,
    Positive,
    PositiveFloat,
    PositiveMagnitude,
    Real,
    UnitInterval,
)

PRINTED_THEOREM_CONSTANT = 5.0
"""The factor of ``d log(16 d_K / delta)`` in Lemma 22 and Theorem 9. Source: uarff Theorem 9."""


@checked
def leverage_score_upper(probability: NonNegative, feature_bound: Magnitude, regularisation: Positive) -> Real:
    """Upper bound on a ridge leverage score by the size of the features.

    ``l(v) <= p(v) z_0^2 / lambda`` whenever ``|z(v, x)| <= z_0``.

    Parameters
    ----------
    probability : float or array
        p(v) >= 0.
    feature_bound : float or array
        z_0 >= 0.
    regularisation : float or array
        lambda > 0 (not multiplied by n).

    Returns
    -------
    float or array

    References
    ----------
    uarff Section 2.2.
    """
    return probability * feature_bound**2 / regularisation


@checked
def printed_deviation_constant(epsilon: UnitInterval) -> float:
    """Features per unit of ``d log(16 d_K / delta)`` that the paper asks for, for relative error epsilon.

    ``1/epsilon^2 + 2/(3 epsilon)``; 16/3 at epsilon = 1/2, where the paper's theorems print 5.

    Parameters
    ----------
    epsilon : float
        In (0, 1].

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If epsilon is not in (0, 1].

    References
    ----------
    uarff Lemma 27, as printed.
    """
    return 1 / epsilon**2 + 2 / (3 * epsilon)


@checked
def deviation_constant(epsilon: UnitInterval) -> float:
    """Features per unit of ``d log(16 d_K / delta)`` that matrix Bernstein asks for, for relative error epsilon.

    ``2/epsilon^2 + 4/(3 epsilon)``; 32/3 at epsilon = 1/2.

    Parameters
    ----------
    epsilon : float
        In (0, 1].

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If epsilon is not in (0, 1].

    References
    ----------
    uarff Lemma 27. The last display of the printed proof loses a factor two.
    """
    return 2 * printed_deviation_constant(epsilon)


@checked
def refined_deviation_constant(epsilon: UnitInterval) -> float:
    """The corrected constant, using that the summands are positive semidefinite.

    ``2/epsilon^2 + 2/(3 epsilon)``; 28/3 at epsilon = 1/2. The centred summands are bounded by the larger of the two
    norms instead of by their sum.

    Parameters
    ----------
    epsilon : float
        In (0, 1].

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If epsilon is not in (0, 1].

    References
    ----------
    uarff Lemma 27, our derivation.
    """
    return 2 / epsilon**2 + 2 / (3 * epsilon)


@checked
def feature_count(
    sampling_dimension: PositiveFloat,
    effective_dimension: PositiveFloat,
    delta: HalfOpenProbability,
    *,
    constant: PositiveFloat,
) -> int:
    """Number of features for an event that may fail with probability delta.

    ``s = ceil(constant * d * log(16 d_K / delta))``, at least one.

    Parameters
    ----------
    sampling_dimension : float
        d, the integral of the upper bound on the leverage scores that is sampled from; d >= d_K > 0.
    effective_dimension : float
        d_K > 0; at least 1/2 under the paper's Assumption 3 (n lambda at most the largest eigenvalue).
    delta : float
        In (0, 1].
    constant : float
        One of this module's constants, > 0.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Theorem 9, Lemmas 22 and 27.
    """
    check_dominated(effective_dimension, sampling_dimension)
    return max(1, math.ceil(constant * sampling_dimension * math.log(16 * effective_dimension / delta)))


@checked
def printed_cross_term_bound(regularisation: Positive) -> Real:
    """What the paper claims for the cross term, for every draw of the features and ``||f||_H <= 1``.

    ``<Y - f, f - f~> / n <= lambda``. False as stated: the proof treats a product of two non-commuting contractions as
    positive semidefinite.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).

    Returns
    -------
    float or array

    References
    ----------
    uarff Lemma 24, as printed.
    """
    return regularisation


@checked
def cross_term_bound(
    regularisation: PositiveMagnitude,
    squared_norm: Magnitude,
    sampling_dimension: Positive,
    features: Count,
    delta: HalfOpenProbability,
) -> Real:
    """Bound on the cross term on the event of Lemma 27 (epsilon = 1/2) and with probability 1 - delta more.

    ``<Y - f, f - f~> / n <= lambda ||f||^2 (1 + 2 sqrt(d / (s delta)))``. The second term is Markov's inequality for
    ``E |Delta C^{-1/2} K w|^2 <= (d / s) ||f||^2``; the features must not depend on Y given the inputs.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    squared_norm : float or array
        ``||f||_H^2 = w^T K w`` >= 0, of the kernel ridge estimate.
    sampling_dimension : float or array
        d > 0, the integral of the bound on the leverage scores.
    features : int
        s >= 1.
    delta : float
        In (0, 1]; the failure probability of this step alone.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If s or delta is out of range.

    References
    ----------
    uarff Lemma 24, our correction.
    """
    return regularisation * squared_norm * (1 + 2 * (sampling_dimension / (features * delta)) ** 0.5)


@checked
def deterministic_cross_term_bound(regularisation: Positive, residual_risk: NonNegative) -> Real:
    """Bound on the cross term whenever ``K~ + n lambda I >= K / 2`` and ``||f||_H <= 1``, whatever the targets.

    ``<Y - f, f - f~> / n <= sqrt(2 lambda R_n(f))`` with the empirical risk ``R_n(f) = |Y - f|^2 / n``, by
    Cauchy-Schwarz and Lemma 22; of order sqrt(lambda), too large for the paper's rate.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    residual_risk : float or array
        R_n(f) >= 0.

    Returns
    -------
    float or array

    References
    ----------
    uarff Lemma 24, our derivation.
    """
    return (2 * regularisation * residual_risk) ** 0.5
