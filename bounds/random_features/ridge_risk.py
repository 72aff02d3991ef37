"""Risk of ridge regression on sampled features: against kernel ridge regression on the sample, and on new points."""

import math

from bounds._ranges import FloatAboveOne
from bounds.complexity.rademacher import printed_unit_ball_complexity, unit_ball_complexity
from bounds.random_features.lipschitz_risk import Convention, composition_complexity, risk_deviation
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
)

PRINTED_SQUARED_RADIUS = 2.0
"""Squared norm to which the paper confines ridge fits on features. Source: uarff equation 15."""


@checked
def printed_empirical_risk_excess(regularisation: Positive) -> Real:
    """What the paper claims ridge regression on features loses on the sample: ``4 lambda`` for ``||f||_H <= 1``.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).

    Returns
    -------
    float or array

    References
    ----------
    uarff equation 16. No counterexample is known, but the proof rests on Lemma 24, which fails.
    """
    return 4 * regularisation


@checked
def empirical_risk_excess_constant(multiple: PositiveFloat, *, truncation: FloatAboveOne = 16.0) -> float:
    """Constant c of ``R_n(f~) - R_n(f) <= c lambda ||f||_H^2`` with ``s >= multiple * d log(16 d_K / delta)`` features.

    ``c = 2 + (1/sqrt(tau) + x)^2 / (1 - 1/tau - eps)`` with ``2/eps^2 + 2/(3 eps) = multiple`` and
    ``2/x^2 + 2 (sqrt(tau) + sqrt 2)/(3 x) = multiple``, with probability 1 - 3 delta / 2 over features that do not
    depend on the targets given the inputs. Below 4 at 32/3, the multiple of the corrected Lemma 27, and from 9.46 on;
    with tau = 26.6, the best there, from 9.18 on.

    Parameters
    ----------
    multiple : float
        Features per ``d log(16 d_K / delta)``, > 0.
    truncation : float
        tau > 1: features with ``(z^T w)^2 > tau d ||f||^2`` are dropped in the proof.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the multiple is too small for the truncation: 1/tau + eps must stay below 1.

    References
    ----------
    uarff equation 16, our proof (docs/features.md).
    """
    lower = _bernstein_deviation(multiple, 1.0)
    vector = _bernstein_deviation(multiple, math.sqrt(truncation) + math.sqrt(2))
    kept = 1 - 1 / truncation - lower
    if not kept > 0:
        raise ValueError(
            f"multiple is {multiple} and truncation {truncation}, but 1/tau + eps = {1 - kept} must stay below 1: "
            "take more features or a larger truncation"
        )
    return 2 + (1 / math.sqrt(truncation) + vector) ** 2 / kept


@checked
def markov_empirical_risk_excess(
    regularisation: PositiveMagnitude,
    *,
    squared_norm: Magnitude,
    sampling_dimension: Positive,
    features: Count,
    delta: HalfOpenProbability,
) -> Real:
    """What ridge regression on features loses on the sample, by Markov's inequality.

    ``R_n(f~) - R_n(f) <= lambda ||f||^2 (2 + 2 d / (s delta))`` on the event of Lemma 22 and with probability 1 - delta
    more; the features must not depend on Y given the inputs.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    squared_norm : float or array
        ``||f||_H^2`` >= 0, of the kernel ridge estimate.
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
    uarff equation 16, our derivation.
    """
    return regularisation * squared_norm * (2 + 2 * sampling_dimension / (features * delta))


@checked
def squared_norm_bound(
    squared_norm: NonNegative, *, sampling_dimension: Positive, features: Count, delta: HalfOpenProbability
) -> Real:
    """Squared norm ``s |beta|^2`` of ridge regression on features, on the event of Lemma 22.

    ``||f||_H^2 (2 / delta) (1 + sqrt(2 d / s))^2`` with probability 1 - delta more: Markov's inequality twice, at
    delta / 2 each. The paper takes 2 for it, of which the true value is not a multiple: it grows as delta shrinks.

    Parameters
    ----------
    squared_norm : float or array
        ``||f||_H^2`` >= 0, of the kernel ridge estimate.
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
    uarff equation 15, our correction.
    """
    return squared_norm * (2 / delta) * (1 + (2 * sampling_dimension / features) ** 0.5) ** 2


@checked
def generalisation_gap(
    target_bound: NonNegative,
    feature_bound: NonNegative,
    n: Count,
    delta: HalfOpenProbability,
    *,
    squared_radius: NonNegative,
    convention: Convention = "plain",
) -> Real:
    """How far squared-loss risk and empirical risk differ over a fixed ball, in one direction.

    With probability 1 - delta: complexity of the ball ``sqrt(rho) z_0 / sqrt n`` (twice that in the absolute
    convention), contraction with ``2 (y_0 + sqrt(rho) z_0)`` and the deviation of a loss of range
    ``(y_0 + sqrt(rho) z_0)^2``. The ball must not depend on the sample, and ``k(x, x) <= z_0^2``: sampled features
    satisfy both if they are drawn plainly.

    Parameters
    ----------
    target_bound : float or array
        y_0 >= 0, with ``|y| <= y_0``.
    feature_bound : float or array
        z_0 >= 0.
    n : int
        Sample size, at least 1.
    delta : float
        In (0, 1].
    squared_radius : float or array
        rho >= 0.
    convention : {"plain", "absolute"}
        Rademacher averages with 1/n and no absolute value, or 2/n and one (Definition 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    uarff equations 15, 17 and 19, with the factors that print leaves out.
    """
    height = target_bound + squared_radius**0.5 * feature_bound
    ball = unit_ball_complexity if convention == "absolute" else printed_unit_ball_complexity
    complexity = composition_complexity(
        squared_radius**0.5 * feature_bound * ball(n, n), lipschitz=2 * height, convention=convention
    )
    return risk_deviation(complexity, n, delta, loss_range=height**2, convention=convention)


@checked
def ridge_excess_risk_bound(
    regularisation: NonNegative,
    target_bound: NonNegative,
    feature_bound: NonNegative,
    n: Count,
    delta: HalfOpenProbability,
    *,
    squared_radius: NonNegative,
    constant: PositiveFloat,
    convention: Convention = "plain",
) -> Real:
    """Risk of ridge regression on features beyond that of kernel ridge regression, with all constants.

    ``c lambda`` plus the generalisation gaps of the ball of squared radius rho and of the unit ball. It holds for
    ``||f||_H <= 1`` and ``s |beta|^2 <= rho``, on the event of (16), with probability 1 - 2 delta more.

    Parameters
    ----------
    regularisation : float or array
        lambda >= 0 (not multiplied by n).
    target_bound : float or array
        y_0 >= 0, with ``|y| <= y_0``.
    feature_bound : float or array
        z_0 >= 0.
    n : int
        Sample size, at least 1.
    delta : float
        In (0, 1].
    squared_radius : float or array
        rho >= 0.
    constant : float
        c > 0, of `empirical_risk_excess_constant`; the paper has 4, for which no proof is known.
    convention : {"plain", "absolute"}
        Rademacher averages with 1/n and no absolute value, or 2/n and one (Definition 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    uarff Theorem 9, whose ``O(1/sqrt n)`` is written out.
    """
    gaps = [
        generalisation_gap(target_bound, feature_bound, n, delta, squared_radius=rho, convention=convention)
        for rho in (squared_radius, 1.0)
    ]
    return constant * regularisation + gaps[0] + gaps[1]


def _bernstein_deviation(multiple: float, span: float) -> float:
    """The positive root x of ``2/x^2 + 2 span/(3 x) = multiple``."""
    half = span / 3
    return (half + math.sqrt(half**2 + 2 * multiple)) / multiple
