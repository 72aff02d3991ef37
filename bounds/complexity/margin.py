"""Margin bounds for classifiers from the Rademacher complexity of their class."""

import math

from signatures.checked import checked
from signatures.numbers import Count, NonNegative, Positive, Probability, Real


@checked
def margin_excess_risk(complexity: NonNegative, margin: Positive, n: Count, *, delta: Probability) -> Real:
    """Bound on sup_h R(h) - Rhat_nu(h): (2 / nu) R_n + 3 sqrt(log(2 / delta) / (2 n)).

    R is the probability of y h(x) <= 0, Rhat_nu the mean of min(1, (1 - y h(x) / nu)_+), and R_n the empirical
    complexity (1/n) E sup_h sum sigma_i h(x_i), without a factor two. Print counts y h(x) < 0 only; ties may be
    counted too.

    Parameters
    ----------
    complexity : float or array
        R_n >= 0.
    margin : float or array
        nu > 0.
    n : int
        Sample size, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there is no point, or delta is outside (0, 1).

    References
    ----------
    lkrf Theorem 2.
    """
    return 2 * complexity / margin + 3 * math.sqrt((math.log(2) - math.log(delta)) / (2 * n))
