"""How far the mean of independent variables in an interval lies from its expectation, on one side.

Each function returns t such that mean - E mean <= t with probability at least 1 - delta, or E mean - mean <= t, since
the variables may be turned around. The variables lie in an interval of length b; they need not be alike.
"""

import math

from scipy.special import lambertw, wrightomega

from bounds._ranges import Variance, Width
from signatures.checked import checked
from signatures.numbers import Count, PairCount, Probability

_GAUSSIAN = math.log(1e-8)
"""Where log h(u) is below it, u is sqrt(2 h) (1 + sqrt(2 h) / 6) to nine digits."""


@checked
def hoeffding_deviation(width: Width, n: Count, *, delta: Probability) -> float:
    """Hoeffding's inequality: b sqrt(log(1 / delta) / (2 n)).

    Parameters
    ----------
    width : float
        b >= 0, the length of the interval.
    n : int
        Number of variables, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Hoeffding, Probability inequalities for sums of bounded random variables, 1963, Theorem 2.
    """
    return width * math.sqrt(-math.log(delta) / (2 * n))


@checked
def bernstein_deviation(variance: Variance, width: Width, n: Count, *, delta: Probability) -> float:
    """Bernstein's inequality, solved for the deviation: c + sqrt(c^2 + 2 v l / n), c = b l / (3 n), l = log(1 / delta).

    This is exactly where exp(-n t^2 / (2 (v + b t / 3))) is delta.

    Parameters
    ----------
    variance : float
        v >= 0, the mean of the variances of the variables.
    width : float
        b >= 0, the length of the interval; X - E X <= b is enough.
    n : int
        Number of variables, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Boucheron, Lugosi, Massart, Concentration inequalities, 2013, Corollary 2.11 and inequality (2.10).
    """
    level = -math.log(delta)
    linear = width * level / (3 * n)
    return linear + math.hypot(linear, math.sqrt(2 * variance * level / n))


@checked
def bennett_deviation(variance: Variance, width: Width, n: Count, *, delta: Probability) -> float:
    """Bennett's inequality, solved for the deviation: where exp(-(n v / b^2) h(b t / v)) is delta.

    h(u) = (1 + u) log(1 + u) - u. It is never above Bernstein's, and 0 where v = 0. Computed to eight digits.

    Parameters
    ----------
    variance : float
        v >= 0, the mean of the variances of the variables.
    width : float
        b >= 0, the length of the interval; X - E X <= b is enough.
    n : int
        Number of variables, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Boucheron, Lugosi, Massart, Concentration inequalities, 2013, Theorem 2.9.
    """
    if variance == 0.0:
        return 0.0
    level = -math.log(delta)
    log_target = math.log(level / n) + 2 * math.log(width) - math.log(variance) if width else -math.inf
    if log_target < _GAUSSIAN:
        root = math.exp((math.log(2) + log_target) / 2)
        return math.sqrt(2 * variance * level / n) * (1 + root / 6)
    return width * level / n * _bennett_ratio(log_target)


def _bennett_ratio(log_target: float) -> float:
    """u / c where h(u) = c, from log c: (1 + u) (log(1 + u) - 1) = c - 1 is solved by Lambert's function W.

    W(e^z) is Wright's omega function of z, which does not overflow.
    """
    if log_target > 0:
        excess = log_target + math.log(-math.expm1(-log_target))
        return math.exp(1 + float(wrightomega(excess - 1)) - log_target) - math.exp(-log_target)
    target = math.exp(log_target)
    return math.expm1(1 + float(lambertw((target - 1) / math.e).real)) / target


@checked
def empirical_bernstein_deviation(
    sample_variance: Variance, width: Width, n: PairCount, *, delta: Probability
) -> float:
    """Maurer and Pontil's empirical Bernstein bound: sqrt(2 V l / n) + 7 b l / (3 (n - 1)), l = log(2 / delta).

    Parameters
    ----------
    sample_variance : float
        V >= 0, the sum of (X_i - mean)^2 over n - 1.
    width : float
        b >= 0, the length of the interval.
    n : int
        Number of variables, >= 2.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Maurer, Pontil, Empirical Bernstein bounds and sample variance penalization, 2009, Theorem 4.
    """
    level = math.log(2) - math.log(delta)
    return math.sqrt(2 * sample_variance * level / n) + 7 * width * level / (3 * (n - 1))


@checked
def cantelli_deviation(variance: Variance, n: Count, *, delta: Probability) -> float:
    """Cantelli's inequality: sqrt((v / n) (1 - delta) / delta); the variables may be unbounded.

    Parameters
    ----------
    variance : float
        v >= 0, the mean of the variances of the variables.
    n : int
        Number of variables, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    Boucheron, Lugosi, Massart, Concentration inequalities, 2013, Exercise 2.3.
    """
    return math.sqrt(variance / n) * math.sqrt((1 - delta) / delta)
