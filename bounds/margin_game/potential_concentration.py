"""Concentration of the empirical Fourier potential around that of the law: at one frequency, and on a ball of them.

v(w) = |sum_i y_i exp(i w.x_i)|^2 of n independent samples, v_ideal(w) = |E y exp(i w.x)|^2, |x| <= R_x and |w| <= R_w.
"""

import math

from bounds._ranges import EpsilonMagnitude
from signatures.checked import checked
from signatures.numbers import (
    AtLeastOne,
    Magnitude,
    NonNegative,
    NonNegativeFloat,
    Positive,
    PositiveFloat,
    Probability,
    Real,
)


@checked
def printed_potential_tail(deviation: NonNegative, largest_phase: Positive, n: AtLeastOne) -> Real:
    """Printed bound on P(|v / n^2 - v_ideal| >= t) at one frequency: exp(-n t^2 / (8 R_x^2 R_w^2)).

    False: labels are random too, v / n^2 is biased, and the event has two sides.

    Parameters
    ----------
    deviation : float or array
        t >= 0.
    largest_phase : float or array
        R_x R_w > 0.
    n : float or array
        Number of samples, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.3.
    """
    ratio = deviation / largest_phase
    return math.e ** (-n * ratio * ratio / 8)


@checked
def potential_tail(deviation: NonNegative, n: AtLeastOne) -> Real:
    """Bound on P(|v / n^2 - E v / n^2| >= t) at one frequency: 2 exp(-n t^2 / 8).

    E v / n^2 = v_ideal + (1 - v_ideal) / n (`bounds.margin_game.expected_potential`). The same bound holds for
    the unbiased (v - n) / (n (n - 1)) around v_ideal, n >= 2, which changes by at most 4/n with one sample.

    Parameters
    ----------
    deviation : float or array
        t >= 0.
    n : float or array
        Number of samples, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.3, corrected.
    """
    return 2 * math.e ** (-n * deviation * deviation / 8)


@checked
def labelled_potential_tail(deviation: NonNegative, largest_phase: Positive, n: AtLeastOne) -> Real:
    """Bound on P(|v / n^2 - E[v / n^2 | y]| >= t | y) at one frequency: 2 exp(-n t^2 / (8 R_x^2 R_w^2)).

    Given the labels, one point changes v / n^2 by at most 4 R_x R_w / n; the centre is the conditional mean.

    Parameters
    ----------
    deviation : float or array
        t >= 0.
    largest_phase : float or array
        R_x R_w > 0.
    n : float or array
        Number of samples, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.3, given the labels.
    """
    return 2 * printed_potential_tail(deviation, largest_phase, n)


@checked
def printed_potential_sample_size(
    dimension: AtLeastOne,
    radius: Magnitude,
    bandwidth: EpsilonMagnitude,
    *,
    epsilon: EpsilonMagnitude,
    delta: Probability,
) -> Real:
    """Printed sample size for |v / n^2 - v_ideal| <= epsilon on the whole ball |w| <= R_w.

    8 R_x^2 R_w^4 (d log(2 R_w / epsilon) + log(1 / delta)) / epsilon^2. False: it changes when points are stretched and
    frequencies are shrunk by the same factor, which leaves the statement the same.

    Parameters
    ----------
    dimension : float or array
        d >= 1.
    radius : float or array
        R_x >= 0.
    bandwidth : float
        R_w > 0.
    epsilon : float
        > 0.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If epsilon or R_w is not positive, or delta is outside (0, 1).

    References
    ----------
    nsrf Theorem 4.4, full version in Appendix E.
    """
    nats = dimension * math.log(2 * bandwidth / epsilon) - math.log(delta)
    return 8 * (radius * bandwidth * (bandwidth / epsilon)) ** 2 * nats


@checked
def potential_sample_size(
    dimension: AtLeastOne, largest_phase: NonNegativeFloat, *, epsilon: PositiveFloat, delta: Probability
) -> Real:
    """Sample size for |v / n^2 - v_ideal| <= epsilon on the whole ball |w| <= R_w, with probability at least 1 - delta.

    (32 / epsilon^2) [d log(1 + 8 R_x R_w / epsilon) + log(2 / delta)] + 4 / epsilon. By `potential_tail` at epsilon / 2
    minus the bias 1 / n, on a net of radius epsilon / (4 R_x): both potentials are R_x-Lipschitz.

    Parameters
    ----------
    dimension : float or array
        d >= 1.
    largest_phase : float
        R_x R_w >= 0.
    epsilon : float
        > 0.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If epsilon is not positive, or delta is outside (0, 1).

    References
    ----------
    nsrf Theorem 4.4, corrected.
    """
    nats = dimension * math.log1p(8 * largest_phase / epsilon) + math.log(2) - math.log(delta)
    return 32 * nats / epsilon**2 + 4 / epsilon
