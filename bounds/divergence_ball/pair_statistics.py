"""Deviations of the alignment of features on n points: U-statistics of pairs, at one feature and over the ball.

The alignment of a feature is T(w) = E S(Z, Z') phi(Z, w) phi(Z', w), estimated by the U-statistic That(w) over pairs;
similarities and features lie in [-1, 1]. For k > 2 the radius is rho' = (1 + rho)^(1/(k-1)) - 1.
"""

import math
from fractions import Fraction

from bounds.divergence_ball.norms import chi_square_radius
from signatures.checked import checked
from signatures.numbers import BallOrder, Extended, NonNegative, PairCount, Probability, Real


@checked
def square_moment_bound(scale: NonNegative, *, proxy: NonNegative) -> Extended:
    """Bound on E exp(lambda X^2) for a centred sub-Gaussian X: (1 - 2 lambda sigma^2)_+^(-1/2).

    Infinite from lambda = 1 / (2 sigma^2) on; an equality for Gaussian X. False for lambda < 0 (X = 0).

    Parameters
    ----------
    scale : float or array
        lambda >= 0.
    proxy : float or array
        Variance proxy sigma^2 >= 0.

    Returns
    -------
    float or array

    References
    ----------
    lkrf equation (10).
    """
    left = 1 - 2 * scale * proxy
    if isinstance(left, int | float | Fraction) and left <= 0:
        return math.inf
    return ((left + abs(left)) / 2) ** -0.5


@checked
def alignment_variance_proxy(n: PairCount) -> float:
    """Sub-Gaussian variance proxy of the U-statistic of one feature: 1 / floor(n/2).

    Hoeffding's average over blocks of floor(n/2) disjoint pairs; sharp for n = 2. For even n it is half of
    `printed_alignment_variance_proxy`.

    Parameters
    ----------
    n : int
        Sample size, >= 2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    lkrf Lemma 6, by blocks.
    """
    return 1 / (n // 2)


@checked
def printed_alignment_variance_proxy(n: PairCount) -> float:
    """The paper's variance proxy of the U-statistic of one feature: 4 / n, by bounded differences.

    Parameters
    ----------
    n : int
        Sample size, >= 2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    lkrf Lemma 6.
    """
    return 4 / n


@checked
def block_alignment_deviation_tail(
    deviation: NonNegative, rho: NonNegative, n: PairCount, *, order: BallOrder = 2.0
) -> Real:
    """Probability bound for sup_Q |That(Q) - T(Q)| >= t: sqrt 2 exp(-floor(n/2) t^2 / (4 (1 + rho'))).

    Lemma 1 with Hoeffding's blocks: 16 / n becomes 4 / floor(n/2), for even n half of it.

    Parameters
    ----------
    deviation : float or array
        t >= 0.
    rho : float or array
        Radius, >= 0.
    n : int
        Sample size, >= 2.
    order : float
        k >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or order is below 2.

    References
    ----------
    lkrf Lemma 1, sharpened.
    """
    slope = alignment_variance_proxy(n) * (1 + chi_square_radius(rho, order=order))
    return math.sqrt(2) * math.e ** (-(deviation**2) / (4 * slope))


@checked
def block_alignment_deviation(rho: NonNegative, n: PairCount, *, delta: Probability, order: BallOrder = 2.0) -> Real:
    """Deviation of the alignment, uniform over the ball: 2 sqrt((1 + rho') log(sqrt 2 / delta) / floor(n/2)).

    The inverse of `block_alignment_deviation_tail`.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    n : int
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
        If n or order is below 2, or delta is outside (0, 1).

    References
    ----------
    lkrf Lemma 1, sharpened.
    """
    proxy = alignment_variance_proxy(n) * (1 + chi_square_radius(rho, order=order))
    return 2 * (proxy * (math.log(2) / 2 - math.log(delta))) ** 0.5


@checked
def diagonal_loss_by_spread(spread: NonNegative, n: PairCount) -> Real:
    """Alignment lost by maximising the V-statistic instead of the U-statistic: spread / (n (n - 1)).

    With v_m = (sum_i y_i phi_m(x_i))^2 and s_m = sum_i phi_m(x_i)^2, the spread is max - min over m of s_m, or that of
    the centred s_m - v_m / n: both are valid.

    Parameters
    ----------
    spread : float or array
        Difference between the largest and the smallest diagonal, >= 0.
    n : int
        Sample size, >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    lkrf Algorithm 1 against Theorem 1, for S = y y'.
    """
    return spread / (n * (n - 1))


@checked
def diagonal_loss(n: PairCount) -> float:
    """Largest alignment lost by maximising the V-statistic: 1 / (n - 1) for even n, (n + 1) / n^2 for odd n.

    n numbers in [-1, 1] have a centred sum of squares of at most n, for odd n of at most n - 1/n. Approached, not
    attained.

    Parameters
    ----------
    n : int
        Sample size, >= 2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    lkrf Algorithm 1 against Theorem 1, for S = y y'.
    """
    return 1 / (n - 1) if n % 2 == 0 else (n + 1) / n**2


@checked
def binary_alignment_half_range(n: PairCount) -> float:
    """Half the length of the range of a feature's U-statistic for S = y y': m / (2 (m - 1)), m = 2 ceil(n/2).

    The statistic is affine in each y_i phi(x_i) in [-1, 1], so that it is largest, 1, and smallest, -1/(m - 1), at
    signs.

    Parameters
    ----------
    n : int
        Sample size, >= 2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n is below 2.

    References
    ----------
    lkrf Lemma 2, where print has 1.
    """
    even = n + n % 2
    return even / (2 * (even - 1))


@checked
def centred_alignment_deviation(rho: NonNegative, n: PairCount, *, delta: Probability, order: BallOrder = 2.0) -> Real:
    """Deviation of the one-sided sup_Q That(Q) - T(Q): sqrt(2 rho' / n) + sqrt(8 log(1 / delta) / n).

    The supremum is at most the mean plus sqrt(rho') standard deviations of the error over the features, and the error
    has mean zero; its differences are bounded by 4/n. Tends to the deviation at one measure as rho -> 0.

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.
    n : int
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
        If n or order is below 2, or delta is outside (0, 1).

    References
    ----------
    lkrf Lemma 1, sharpened by McDiarmid's inequality on the one-sided supremum.
    """
    return (2 * chi_square_radius(rho, order=order) / n) ** 0.5 + math.sqrt(-8 * math.log(delta) / n)
