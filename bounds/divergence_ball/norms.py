"""Norms in, and deviations over, the divergence ball {Q : E_P (dQ/dP)^k - 1 <= rho}, k >= 2."""

import math
from fractions import Fraction

import numpy as np

from bounds._ranges import AtLeastTwo
from signatures.checked import checked
from signatures.numbers import AtLeastOne, BallOrder, Float, NonNegative, Probability, Real


@checked
def radius_growth(rho: NonNegative, exponent: Float) -> Real:
    """Excess of a power of the radius over one: (1 + rho)^a - 1, without cancellation.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    exponent : float
        a.

    Returns
    -------
    float or array

    References
    ----------
    lkrf equation (17), where a = 1 - 1/k.
    """
    if isinstance(rho, Fraction):
        rho = float(rho)
    if isinstance(rho, int | float | np.ndarray):
        return np.expm1(exponent * np.log1p(rho))
    return (exponent * rho.log1p()).expm1()


@checked
def chi_square_radius(rho: NonNegative, *, order: BallOrder) -> Real:
    """Radius of the chi-square ball that holds the ball of order k: rho' = (1 + rho)^(1/(k-1)) - 1 <= rho.

    A density ratio L has E L = 1 and E L^k <= 1 + rho, so E L^2 <= (1 + rho)^(1/(k-1)) because moments are log-convex.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    order : float
        k >= 2; rho' = rho for k = 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an order below 2.

    References
    ----------
    lkrf equation (13), sharpened for k > 2.
    """
    return radius_growth(rho, 1 / (order - 1))


@checked
def printed_weight_norm(rho: NonNegative, count: AtLeastOne, *, order: BallOrder) -> Real:
    """Printed bound on the Euclidean norm of weights in the ball around uniform: (1 + rho)^(1/k) / sqrt N.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    count : float or array
        Number of weights N >= 1.
    order : float
        k >= 2. Equality for k = 2 on the sphere D = rho.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an order below 2.

    References
    ----------
    lkrf equation (13).
    """
    return (1 + rho) ** (1 / order) / count**0.5


@checked
def weight_norm(rho: NonNegative, count: AtLeastOne, *, order: BallOrder) -> Real:
    """Sharper bound on the Euclidean norm of weights in the ball around uniform: (1 + rho)^(1/(2(k-1))) / sqrt N.

    With L = N q: E L = 1 and E L^k <= 1 + rho, so E L^2 <= (1 + rho)^(1/(k-1)) because moments are log-convex. For
    k = 2 it is `printed_weight_norm`.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    count : float or array
        Number of weights N >= 1.
    order : float
        k >= 2. Equality for k = 2 on the sphere D = rho.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an order below 2.

    References
    ----------
    lkrf equation (13), sharpened for k > 2.
    """
    return (1 + rho) ** (1 / (2 * (order - 1))) / count**0.5


@checked
def alignment_deviation_tail(deviation: NonNegative, rho: NonNegative, n: AtLeastTwo) -> Real:
    """Probability bound for sup_Q |That(Q) - T(Q)| >= t over the ball: sqrt 2 exp(-n t^2 / (16 (1 + rho))).

    That is the U-statistic of n pairs, with similarities and features in [-1, 1].

    Parameters
    ----------
    deviation : float or array
        t >= 0, a plain number or array.
    rho : float or array
        Radius, >= 0.
    n : float or array
        Sample size, >= 2.

    Returns
    -------
    float or array

    References
    ----------
    lkrf Lemma 1. Above 1, hence empty, unless n t^2 > 5.55 (1 + rho).
    """
    return math.sqrt(2) * math.e ** (-n * deviation**2 / (16 * (1 + rho)))


@checked
def alignment_deviation(rho: NonNegative, n: AtLeastTwo, *, delta: Probability) -> Real:
    """Deviation of the alignment, uniform over the ball, exceeded with probability at most delta.

    4 sqrt((1 + rho) log(sqrt 2 / delta) / n).

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    n : float or array
        Sample size, >= 2.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If delta is outside (0, 1).

    References
    ----------
    lkrf Lemma 1, solved for the deviation.
    """
    return 4 * ((1 + rho) * (math.log(2) / 2 - math.log(delta)) / n) ** 0.5


@checked
def mcdiarmid_alignment_deviation(
    rho: NonNegative, n: AtLeastTwo, *, delta: Probability, order: BallOrder = 2.0
) -> Real:
    """The same deviation with the radius outside the logarithm's factor.

    sqrt(2 (1 + rho)^(1/(k-1)) / n) + sqrt(8 log(1 / delta) / n).

    The supremum has bounded differences 4/n. Its mean is at most ||dQ/dP||_2 max_w sd(That_w) by the Cauchy-Schwarz
    inequality, with Var That_w <= 2/n and the norm of `chi_square_radius`.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    n : float or array
        Sample size, >= 2.
    delta : float
        In (0, 1).
    order : float
        k >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If delta is outside (0, 1), or for an order below 2.

    References
    ----------
    lkrf Lemma 1, sharpened by McDiarmid's inequality on the supremum itself.
    """
    return (2 * (1 + rho) ** (1 / (order - 1)) / n) ** 0.5 + (-8 * math.log(delta) / n) ** 0.5
