"""PAC-Bayes bounds on the kernel-alignment loss by the Kullback-Leibler divergence of a posterior (pbrff).

Every bound is one-sided and holds for all posteriors q simultaneously, with probability at least ``1 - delta`` over n
i.i.d. points; prior, inverse temperature and order are fixed before the sample is seen. Pair losses lie in [0, 1].
"""

import math

from signatures.checked import checked
from signatures.numbers import Divergence, PairCount, PositiveFloat, Probability, Real, Share


@checked
def first_order_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
) -> Real:
    """Bound the alignment loss around one point by its empirical value over the other n - 1 points.

    ``loss + (KL + t^2 / (8 (n - 1)) + log(1 / delta)) / t``, by Hoeffding's lemma for losses of range one; the constant
    is sharp as t -> 0. The paper's, of `printed_first_order_kl_bound`, fits losses of range two.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or t is out of range.

    References
    ----------
    pbrff Theorem 1, with the constant of Hoeffding's lemma.
    """
    deviation = inverse_temperature**2 / (8 * (sample_size - 1))
    return empirical_loss + (divergence + deviation - math.log(delta)) / inverse_temperature


@checked
def printed_first_order_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
) -> Real:
    """The paper's bound on the alignment loss around one point: true, and larger than `first_order_kl_bound`.

    ``loss + (KL + t^2 / (2 (n - 1)) + log(1 / delta)) / t``.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or t is out of range.

    References
    ----------
    pbrff Theorem 1.
    """
    deviation = inverse_temperature**2 / (2 * (sample_size - 1))
    return empirical_loss + (divergence + deviation - math.log(delta)) / inverse_temperature


@checked
def averaged_first_order_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
) -> Real:
    """Bound the alignment loss by a union of the first-order bounds over the points.

    ``loss + 2 (KL + t^2 / (8 (n - 1)) + log((n + 1) / delta)) / t``: true, and larger than `second_order_kl_bound`
    for every t.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or t is out of range.

    References
    ----------
    pbrff Corollary 2, with the constant of Hoeffding's lemma.
    """
    deviation = inverse_temperature**2 / (8 * (sample_size - 1))
    union = math.log(sample_size + 1) - math.log(delta)
    return empirical_loss + 2 * (divergence + deviation + union) / inverse_temperature


@checked
def printed_averaged_first_order_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
) -> Real:
    """The paper's bound by a union over the points: true, and larger than `averaged_first_order_kl_bound`.

    ``loss + 2 (KL + t^2 / (2 (n - 1)) + log((n + 1) / delta)) / t``.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or t is out of range.

    References
    ----------
    pbrff Corollary 2.
    """
    deviation = inverse_temperature**2 / (2 * (sample_size - 1))
    union = math.log(sample_size + 1) - math.log(delta)
    return empirical_loss + 2 * (divergence + deviation + union) / inverse_temperature


@checked
def second_order_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
) -> Real:
    """Bound the alignment loss by its U-statistic and the Kullback-Leibler divergence.

    ``loss + (KL + t^2 / (8 floor(n / 2)) + log(1 / delta)) / t``, from Hoeffding's blocks: exact at n = 2, and for
    large n the best constant is between .224 / n and .25 / n.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or t is out of range.

    References
    ----------
    pbrff Theorem 3, with the constant of Hoeffding's blocks.
    """
    deviation = inverse_temperature**2 / (8 * (sample_size // 2))
    return empirical_loss + (divergence + deviation - math.log(delta)) / inverse_temperature


@checked
def printed_second_order_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
) -> Real:
    """The paper's bound by the U-statistic: true, and larger than `second_order_kl_bound`.

    ``loss + (KL + t^2 / (2 n) + log(1 / delta)) / t``, what bounded differences of 2 / n give.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or t is out of range.

    References
    ----------
    pbrff Theorem 3.
    """
    deviation = inverse_temperature**2 / (2 * sample_size)
    return empirical_loss + (divergence + deviation - math.log(delta)) / inverse_temperature
