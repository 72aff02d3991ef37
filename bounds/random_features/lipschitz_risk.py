"""Uniform deviations of risks with a Lipschitz loss, and what sampled features add to them."""

import math
from typing import Literal, TypeAlias

from signatures.checked import checked
from signatures.numbers import Count, HalfOpenProbability, NonNegative, Positive, Real

Convention: TypeAlias = Literal["plain", "absolute"]
"""Rademacher averages ``E sup (1/n) sum sigma_i f(x_i)`` (plain) or ``E sup |(2/n) sum sigma_i f(x_i)|`` (absolute)."""


@checked
def composition_complexity(
    complexity: NonNegative, *, lipschitz: NonNegative, convention: Convention = "plain"
) -> Real:
    """Rademacher complexity of a Lipschitz loss composed with a class, ``{l(y, f) - l(y, 0)}``.

    ``L R`` in the plain convention (where subtracting ``l(y, 0)`` changes nothing), ``2 L R`` in the absolute one.

    Parameters
    ----------
    complexity : float or array
        R >= 0, of the class, in the same convention.
    lipschitz : float or array
        L >= 0.
    convention : {"plain", "absolute"}

    Returns
    -------
    float or array

    References
    ----------
    uarff proof of Theorem 9, which uses L with the absolute convention of Definition 1.
    """
    return (2 if convention == "absolute" else 1) * lipschitz * complexity


@checked
def risk_deviation(
    complexity: NonNegative,
    n: Count,
    delta: HalfOpenProbability,
    *,
    loss_range: NonNegative = 1.0,
    convention: Convention = "plain",
) -> Real:
    """How far the risk exceeds the empirical risk at most, over a class fixed before the sample.

    Plain convention: ``2 R + M sqrt(log(1/delta) / (2 n))``; absolute: ``R + M sqrt(8 log(2/delta) / n)``. With
    probability 1 - delta, for all functions at once.

    Parameters
    ----------
    complexity : float or array
        R >= 0, expected Rademacher complexity of the composed class.
    n : int
        Sample size, at least 1.
    delta : float
        In (0, 1].
    loss_range : float or array
        M >= 0, the length of an interval that holds all losses (1 in print).
    convention : {"plain", "absolute"}

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    uarff Lemma 3 (absolute); symmetrisation and bounded differences (plain).
    """
    if convention == "absolute":
        return complexity + loss_range * math.sqrt(8 * (math.log(2) - math.log(delta)) / n)
    return 2 * complexity + loss_range * math.sqrt(-math.log(delta) / (2 * n))


@checked
def printed_approximation_loss(regularisation: Positive) -> Real:
    """What the paper adds to the risk for sampling features: ``sqrt(2 lambda)``.

    Right for losses of Lipschitz constant at most 1 (hinge, logistic) and lambda at most 1/8; the constant is missing.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).

    Returns
    -------
    float or array

    References
    ----------
    uarff Theorem 15, as printed.
    """
    return (2 * regularisation) ** 0.5


@checked
def approximation_loss(regularisation: Positive, *, lipschitz: Positive) -> Real:
    """What sampling features adds to the empirical risk of a penalised Lipschitz loss, on the event of Lemma 22.

    ``L sqrt(2 lambda)`` for ``lambda <= L^2 / 8`` and ``L^2 / 4 + 2 lambda`` beyond: the largest
    ``L sqrt(a) + 2 lambda - a`` over ``0 <= a <= 2 lambda``, the part of ``2 lambda`` that is error and not penalty.
    Uniform over the unit ball; the features may depend on the targets.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    lipschitz : float or array
        L > 0.

    Returns
    -------
    float or array

    References
    ----------
    uarff Theorem 15, corrected. Theorems 19 and 21 drop L in the same way.
    """
    furthest = (2 * regularisation) ** 0.5
    beyond = furthest - lipschitz / 2
    overshoot = (beyond + abs(beyond)) / 2  # of sqrt(a) = L / 2, where the loss peaks
    return lipschitz * (furthest - overshoot) + overshoot * (2 * furthest - overshoot)


@checked
def lipschitz_excess_risk_bound(
    regularisation: Positive,
    feature_bound: Positive,
    n: Count,
    delta: HalfOpenProbability,
    *,
    lipschitz: Positive,
    squared_radius: Positive,
) -> Real:
    """Risk beyond that of the best function of the unit ball, with all constants.

    ``approximation_loss + 2 L sqrt(rho) z_0 / sqrt n + 2 L (sqrt(rho) + 1) z_0 sqrt(log(1/delta) / (2 n))``: one
    application of symmetrisation to the differences of losses, which lie within ``L (sqrt(rho) + 1) z_0`` of zero. It
    holds for ``s |beta|^2 <= rho`` and features drawn from the spectral measure, on the event of Lemma 22, with
    probability 1 - delta more.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    feature_bound : float or array
        z_0 > 0.
    n : int
        Sample size, at least 1.
    delta : float
        In (0, 1].
    lipschitz : float or array
        L > 0.
    squared_radius : float or array
        rho > 0; the paper takes 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    uarff Theorem 15, whose ``O(1/sqrt n)`` is written out and whose Lipschitz constant is put back.
    """
    radius = squared_radius**0.5
    complexity = composition_complexity(radius * feature_bound / n**0.5, lipschitz=lipschitz)
    deviation = risk_deviation(complexity, n, delta, loss_range=2 * lipschitz * (radius + 1) * feature_bound)
    return approximation_loss(regularisation, lipschitz=lipschitz) + deviation
