"""Guarantees for a kernel learned by alignment over a divergence ball: from n points, with N sampled features.

Similarities and features lie in [-1, 1]. T is the alignment, That its U-statistic, sup_P the supremum over the ball
around the law of the features, sup_N the one around N samples. For k > 2, rho' = (1 + rho)^(1/(k-1)) - 1.
"""

import math
from typing import Literal

from bounds.divergence_ball.norms import weight_norm
from bounds.divergence_ball.pair_statistics import alignment_variance_proxy, centred_alignment_deviation, diagonal_loss
from bounds.divergence_ball.sampling import (
    convex_deviation,
    d_rho,
    expected_supremum_gap,
    printed_expected_supremum_gap,
)
from signatures.checked import checked
from signatures.numbers import BallOrder, Count, NonNegative, PairCount, Positive, Probability, Real

Maximiser = Literal["u-statistic", "v-statistic"]
"""Which estimate of the alignment the weights maximise: the paper's theorem says U, its algorithm computes V."""


@checked
def printed_sampling_deviation(rho: Positive, count: Count, *, delta: Probability) -> Real:
    """Printed bound on |sup_N That - sup_P That|: 4 C_rho sqrt(log(2 N) / N) + D_rho sqrt(log(2 / delta) / N).

    For alignments of features and similarities in [-1, 1], with probability at least 1 - delta over the features.

    Parameters
    ----------
    rho : float or array
        Radius, > 0.
    count : int
        Number of features N >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there is no feature, or delta is outside (0, 1).

    References
    ----------
    lkrf Lemma 2. Above 1, hence empty for S = y y', unless N >= 12656 (delta = 0.05, at the best rho = 2.64).
    """
    deviation = d_rho(rho) * math.sqrt((math.log(2) - math.log(delta)) / count)
    return printed_expected_supremum_gap(1.0, rho, count) + deviation


@checked
def sampling_deviation(
    half_range: NonNegative, rho: NonNegative, count: Count, *, delta: Probability, order: BallOrder = 2.0
) -> Real:
    """The same by the sharp gap of the means: c_N M sqrt(rho'/N) + 2 sqrt 2 M sqrt((1 + rho') log(2/delta) / N).

    rho' = (1 + rho)^(1/(k-1)) - 1.

    Parameters
    ----------
    half_range : float or array
        M >= 0, half the length of an interval that holds the features' alignments.
    rho : float or array
        Radius, >= 0.
    count : int
        Number of features N >= 1.
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
        If there is no feature, if delta is outside (0, 1), or for an order below 2.

    References
    ----------
    lkrf Lemma 2, rebuilt on the sharp Lemma 5.
    """
    gap = expected_supremum_gap(half_range, rho, count, order=order)
    return gap + convex_deviation(half_range, lipschitz=weight_norm(rho, count, order=order), delta=delta)


@checked
def printed_consistency_deviation(
    rho: Positive, n: PairCount, count: Count, *, delta: Probability, maximiser: Maximiser = "u-statistic"
) -> Real:
    """Printed bound on |T(Qhat) - sup_P T|, with probability at least 1 - 3 delta.

    4 C_rho sqrt(log(2 N) / N) + D_rho sqrt(log(2 / delta) / N) + 2 D_rho sqrt(2 log(2 / delta) / n), for Qhat that
    maximises the U-statistic over the ball around the N features. For the V-statistic `diagonal_loss` comes on top.

    Parameters
    ----------
    rho : float or array
        Radius, > 0.
    n : int
        Sample size, >= 2.
    count : int
        Number of features N >= 1.
    delta : float
        In (0, 1).
    maximiser : {"u-statistic", "v-statistic"}
        "u-statistic", as the theorem says, or "v-statistic", as the algorithm does (S = y y').

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, count or delta is out of range.

    References
    ----------
    lkrf Theorem 1.
    """
    points = 2 * d_rho(rho) * math.sqrt(2 * (math.log(2) - math.log(delta)) / n)
    diagonal = 0.0 if maximiser == "u-statistic" else diagonal_loss(n)
    return printed_sampling_deviation(rho, count, delta=delta) + points + diagonal


@checked
def consistency_deviation(
    half_range: NonNegative,
    rho: NonNegative,
    n: PairCount,
    count: Count,
    *,
    delta: Probability,
    order: BallOrder = 2.0,
    maximiser: Maximiser = "u-statistic",
) -> Real:
    """Sharper bound on |T(Qhat) - sup_P T|, with probability at least 1 - 3 delta.

    c_N M sqrt(rho'/N) + 2 M sqrt(2 (1 + rho') log(2/delta) / N)      features, applied to T itself,
    + sqrt(2 rho' / n) + sqrt(8 log(1/delta) / n)                      points, at Qhat, uniformly over the ball,
    + sqrt(2 log(1/delta) / floor(n/2))                                points, at the best Q of the sampled ball.

    That best Q depends on the features alone, so that one fixed U-statistic is enough there.

    Parameters
    ----------
    half_range : float or array
        M >= 0, half the length of an interval that holds the features' alignments: 1, or 1/2 for S = y y'.
    rho : float or array
        Radius, >= 0.
    n : int
        Sample size, >= 2.
    count : int
        Number of features N >= 1.
    delta : float
        In (0, 1).
    order : float
        k >= 2.
    maximiser : {"u-statistic", "v-statistic"}
        "u-statistic", as the theorem says, or "v-statistic", as the algorithm does (S = y y').

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, count, delta or order is out of range.

    References
    ----------
    lkrf Theorem 1, rebuilt on the sharp Lemma 5; proved in docs/kernel-learning.md.
    """
    features = sampling_deviation(half_range, rho, count, delta=delta, order=order)
    everywhere = centred_alignment_deviation(rho, n, delta=delta, order=order)
    at_the_best = math.sqrt(-2 * alignment_variance_proxy(n) * math.log(delta))
    diagonal = 0.0 if maximiser == "u-statistic" else diagonal_loss(n)
    return features + everywhere + at_the_best + diagonal
