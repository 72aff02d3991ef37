"""Rademacher complexities of balls in reproducing kernel Hilbert spaces, of one kernel and of a ball of kernels."""

import math

from bounds.divergence_ball.norms import chi_square_radius
from signatures.checked import checked
from signatures.numbers import BallOrder, Count, NonNegative, Real


@checked
def printed_unit_ball_complexity(trace: NonNegative, n: Count) -> Real:
    """The paper's bound on the empirical Rademacher complexity of the unit ball.

    ``sqrt(Tr K) / n``. It belongs to the convention without the factor two; with the paper's own Definition 1,
    ``E sup_f |(2/n) sum_i sigma_i f(x_i)|``, it is too small by a factor between sqrt(2) and 2 for every K.

    Parameters
    ----------
    trace : float or array
        Tr K >= 0, of the unnormalised n x n kernel matrix.
    n : int
        Sample size, at least 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    uarff Lemma 2, as printed.
    """
    return trace**0.5 / n


@checked
def unit_ball_complexity(trace: NonNegative, n: Count) -> Real:
    """Bound on the empirical Rademacher complexity of the unit ball, in the convention with factor two.

    ``2 sqrt(Tr K) / n``, by Jensen's inequality from ``(2/n) E sqrt(sigma^T K sigma)``; an equality when K is diagonal.

    Parameters
    ----------
    trace : float or array
        Tr K >= 0, of the unnormalised n x n kernel matrix.
    n : int
        Sample size, at least 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    uarff Lemma 2, corrected to the convention of its Definition 1.
    """
    return 2 * printed_unit_ball_complexity(trace, n)


@checked
def printed_divergence_ball_complexity(radius: NonNegative, rho: NonNegative, n: Count) -> Real:
    """The paper's bound on the empirical Rademacher complexity over a divergence ball: B sqrt(2 (1 + rho) / n).

    The class is sum_m alpha_m sqrt(q_m) phi_m with ||alpha|| <= B and weights q in the ball, features in [-1, 1], and
    the convention is that without the factor two. At least the trivial B unless n > 2 (1 + rho).

    Parameters
    ----------
    radius : float or array
        B >= 0.
    rho : float or array
        Radius of the divergence ball, >= 0.
    n : int
        Sample size, >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    lkrf Lemma 3.
    """
    return radius * (2 * (1 + rho) / n) ** 0.5


@checked
def fourth_moment_divergence_ball_complexity(radius: NonNegative, rho: NonNegative, n: Count) -> Real:
    """What the paper's proof gives before its last line: B ((3 - 2/n) (1 + rho))^(1/4) / sqrt n.

    The last line squares the factor (1 + rho)^(1/4).

    Parameters
    ----------
    radius : float or array
        B >= 0.
    rho : float or array
        Radius of the divergence ball, >= 0.
    n : int
        Sample size, >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    lkrf Lemma 3, from its proof.
    """
    return radius * ((3 - 2 / n) * (1 + rho)) ** 0.25 / math.sqrt(n)


@checked
def divergence_ball_complexity(radius: NonNegative, rho: NonNegative, n: Count, *, order: BallOrder = 2.0) -> Real:
    """Sharp bound over a divergence ball of kernels: (B / sqrt n) sqrt(1 + sqrt(2 rho' (1 - 1/n))).

    rho' = (1 + rho)^(1/(k-1)) - 1. Mean plus sqrt(rho') standard deviations of (sigma . psi_m)^2, by Jensen's
    inequality. For k = 2 attained by all 2^n sign patterns as features, up to rho = 2 - 2/n for even n and 2n/(n-1)
    for odd n.

    Parameters
    ----------
    radius : float or array
        B >= 0.
    rho : float or array
        Radius of the divergence ball, >= 0.
    n : int
        Sample size, >= 1.
    order : float
        k >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive, or for an order below 2.

    References
    ----------
    lkrf Lemma 3, sharpened.
    """
    return radius * ((1 + (2 * (1 - 1 / n) * chi_square_radius(rho, order=order)) ** 0.5) / n) ** 0.5


@checked
def khinchine_divergence_ball_complexity(radius: NonNegative, rho: NonNegative, n: Count, *, order: BallOrder) -> Real:
    """Bound over a divergence ball of kernels by Hoelder's and Khinchine's inequalities, for large radii and k > 2.

    ``(B / sqrt n) (1 + rho)^(1/(2k)) (E |G|^(2 k*))^(1/(2 k*))``, G standard normal and k* = k / (k - 1).

    Parameters
    ----------
    radius : float or array
        B >= 0.
    rho : float or array
        Radius of the divergence ball, >= 0.
    n : int
        Sample size, >= 1.
    order : float
        k >= 2; for k = 2 the fourth moment 3 of the paper's proof.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive, or for an order below 2.

    References
    ----------
    lkrf Lemma 3, sharpened for k > 2.
    """
    conjugate = order / (order - 1)
    moment = 2**conjugate * math.gamma(conjugate + 0.5) / math.sqrt(math.pi)
    return radius * (1 + rho) ** (0.5 / order) * moment ** (0.5 / conjugate) / math.sqrt(n)
