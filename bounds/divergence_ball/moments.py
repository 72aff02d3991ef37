"""How far the mean of a power mean of a sample lies below the norm it estimates, and moments between moments.

For Z >= 0, A = ||Z||_p = (E Z^p)^(1/p), Y_n = E ((1/n) sum_i Z_i^p)^(1/p) <= A, V = Var Z^p and f = (p - 1)/p.
"""

import math

from bounds._ranges import HighPower, LowPower, MomentRatio
from signatures.checked import checked
from signatures.numbers import Count, FloatFromOne, NonNegative, Positive, Real


@checked
def low_power_deficit(
    norm: Positive,
    variance: NonNegative,
    two_norm: Positive,
    n: Count,
    *,
    power: LowPower,
) -> Real:
    """Bound on A - Y_n for powers up to two: f sqrt(2 V / n) ||Z||_2 / A^p.

    Parameters
    ----------
    norm : float or array
        A > 0.
    variance : float or array
        V >= 0, of Z^p.
    two_norm : float or array
        ||Z||_2 >= A > 0.
    n : int
        Sample size, >= 1.
    power : float
        p in [1, 2].

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or p is out of range.

    References
    ----------
    lkrf Lemma 7, (16a), p <= 2.
    """
    return (power - 1) / power * (2 * variance / n) ** 0.5 * two_norm / norm**power


@checked
def high_power_deficit(
    norm: Positive,
    variance: NonNegative,
    n: Count,
    *,
    power: HighPower,
) -> Real:
    """Bound on A - Y_n for powers from two on: 2 min(f sqrt(V / n) / A^(p-1), f^2 V / (n A^(2p-1))).

    Parameters
    ----------
    norm : float or array
        A > 0.
    variance : float or array
        V >= 0, of Z^p.
    n : int
        Sample size, >= 1.
    power : float
        p >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or p is out of range.

    References
    ----------
    lkrf Lemma 7, (16a), p >= 2.
    """
    share = (power - 1) / power * (variance / n) ** 0.5 / norm**power
    return 2 * norm * share * ((share < 1) * share + (share >= 1))


@checked
def bounded_low_power_deficit(bound: NonNegative, n: Count, *, power: LowPower) -> Real:
    """Bound on A - Y_n for Z <= C and powers up to two: C f sqrt(2 / n).

    The product C f is what the proof gives; the statement, as rendered in our copy, has C to the power f, which fails
    for p = 2, n = 1, Z in {0, 100} with probability 1/4 for 100.

    Parameters
    ----------
    bound : float or array
        C >= 0.
    n : int
        Sample size, >= 1.
    power : float
        p in [1, 2].

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or p is out of range.

    References
    ----------
    lkrf Lemma 7, (16b), p <= 2.
    """
    return bound * (power - 1) / power * math.sqrt(2 / n)


@checked
def bounded_high_power_deficit(bound: NonNegative, n: Count, *, power: HighPower) -> Real:
    """Bound on A - Y_n for Z <= C and powers beyond two: 2 C n^(-1/p).

    Parameters
    ----------
    bound : float or array
        C >= 0.
    n : int
        Sample size, >= 1.
    power : float
        p >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or p is out of range.

    References
    ----------
    lkrf Lemma 7, (16b), p > 2.
    """
    return 2 * bound * n ** (-1 / power)


@checked
def power_mean_deficit(norm: Positive, variance: NonNegative, n: Count, *, power: FloatFromOne) -> Real:
    """Sharper bound on A - Y_n in one line, for every power: f V / (n A^(2p-1)).

    From x^(1/p) >= 1 + (x - 1)/p - f (x - 1)^2, x >= 0. At most the printed 1/n branch for p >= 2, of order 1/n for
    p < 2 too, and tight for n = 1 and Bernoulli variables with a rare zero.

    Parameters
    ----------
    norm : float or array
        A > 0.
    variance : float or array
        V >= 0, of Z^p.
    n : int
        Sample size, >= 1.
    power : float
        p >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or p is out of range.

    References
    ----------
    lkrf Lemma 7, sharpened.
    """
    return (power - 1) / power * variance / (n * norm ** (2 * power - 1))


@checked
def bounded_power_mean_deficit(bound: NonNegative, n: Count, *, power: FloatFromOne) -> Real:
    """Its consequence for Z <= C and every power: A - Y_n <= C (f / n)^(1/p).

    The smaller of A and of the one-line bound, where V <= C^p A^p, at the worst A. The printed C / sqrt(2 n) for p = 2.

    Parameters
    ----------
    bound : float or array
        C >= 0.
    n : int
        Sample size, >= 1.
    power : float
        p >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or p is out of range.

    References
    ----------
    lkrf Lemma 7, sharpened.
    """
    return bound * ((power - 1) / power / n) ** (1 / power)


@checked
def intermediate_moment_bound(
    moment: NonNegative,
    double_moment: NonNegative,
    *,
    ratio: MomentRatio,
) -> Real:
    """Moment between two moments: E X^(a k) <= (E X^k)^(2 - a) (E X^(2k))^(a - 1), by log-convexity.

    Parameters
    ----------
    moment : float or array
        E X^k >= 0.
    double_moment : float or array
        E X^(2k) >= 0.
    ratio : float
        a in [1, 2]. Equality for X in {0, c}.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If a is out of range.

    References
    ----------
    lkrf Lemma 8.
    """
    return moment ** (2 - ratio) * double_moment ** (ratio - 1)
