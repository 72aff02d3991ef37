"""PAC-Bayes bounds on the kernel-alignment loss by power divergences of a posterior, chi-square among them (pbrff).

Every bound is one-sided and holds for all posteriors q simultaneously, with probability at least ``1 - delta`` over n
i.i.d. points; prior, inverse temperature and order are fixed before the sample is seen. Pair losses lie in [0, 1].
"""

import math
from typing import Literal

from signatures.checked import checked
from signatures.numbers import Divergence, DivergenceOrder, PairCount, Probability, Real, Share


@checked
def printed_power_divergence_bound(
    empirical_loss: Share, divergence: Divergence, *, sample_size: PairCount, delta: Probability, order: DivergenceOrder
) -> Real:
    """Bound the alignment loss by its U-statistic and a power divergence, as printed: false for mu > 2.

    ``loss + r (D_mu + 1)^(1 / mu) delta^-(1 - 1 / mu)`` with ``r = (1 / (2 sqrt(n)))^(mu - 1)`` for mu <= 2 and ``r =
    (1 / (4 n))^(1 - 1 / mu)`` for mu > 2. The second rate would beat the central limit theorem: with constant inputs
    and fair labels, n = 2, mu = 3, delta = .4 the bound fails with probability 1/2. The first is true for two
    classes; with more it fails for n = 2 and 3 and mu near 2. `power_divergence_bound` holds.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        ``D_mu(q || p) = E_p (dq / dp)^mu - 1 >= 0``.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    order : float
        mu > 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or mu is out of range.

    References
    ----------
    pbrff Theorem 4 (its eq. 14 has the moment of order mu where Hoelder's inequality gives mu / (mu - 1)).
    """
    root = 1 / (4 * sample_size)
    rate = root ** ((order - 1) / 2) if order <= 2 else root ** (1 - 1 / order)
    return empirical_loss + rate * (divergence + 1) ** (1 / order) * delta ** -(1 - 1 / order)


@checked
def power_divergence_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    order: DivergenceOrder,
    labels: Literal["binary", "general"],
) -> Real:
    """Bound the alignment loss by its U-statistic and a power divergence, at the rate n^(-1/2).

    ``loss + r (D_mu + 1)^(1 / mu) delta^-(1 - 1 / mu)`` where r is the smaller of two bounds on the positive part of
    the gap in the norm of order mu' = mu / (mu - 1): ``v^(1/2)`` for mu >= 2 and ``v^(1 - 1 / mu)`` for mu <= 2, with
    v from `one_sided_second_moment`; and ``((mu' / 2) Gamma(mu' / 2))^(1 / mu') / sqrt(2 floor(n / 2))`` from the
    sub-Gaussian tail.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        ``D_mu(q || p) = E_p (dq / dp)^mu - 1 >= 0``.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    order : float
        mu > 1.
    labels : {"binary", "general"}
        Whether there are at most two classes.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta or mu is out of range.

    References
    ----------
    pbrff Theorem 4, corrected.
    """
    conjugate = order / (order - 1)
    second_moment = one_sided_second_moment(sample_size, labels=labels)
    by_moment = second_moment ** min(0.5, 1 / conjugate)
    factor = math.exp(math.lgamma(1 + conjugate / 2) / conjugate)
    by_tail = factor / math.sqrt(2 * (sample_size // 2))
    return empirical_loss + min(by_moment, by_tail) * (divergence + 1) ** (1 / order) * delta ** -(1 / conjugate)


@checked
def chi_square_bound(
    empirical_loss: Share, divergence: Divergence, *, sample_size: PairCount, delta: Probability
) -> Real:
    """Bound the alignment loss by its U-statistic and the chi-square divergence, for any number of classes.

    ``loss + sqrt((chi^2 + 1) / (2 n delta))``.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        chi^2(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    pbrff Corollary 5, with the second moment that holds for all labels.
    """
    return empirical_loss + ((divergence + 1) / (2 * sample_size * delta)) ** 0.5


@checked
def printed_chi_square_bound(
    empirical_loss: Share, divergence: Divergence, *, sample_size: PairCount, delta: Probability
) -> Real:
    """The paper's bound by the chi-square divergence, true for two classes.

    ``loss + sqrt((chi^2 + 1) / (4 n delta))``. For two classes through the one-sided second moment, not the printed
    proof; with three classes and more it fails for n = 2, with six and more for n = 3; no failure is known for n >= 4.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        chi^2(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    pbrff Corollary 5.
    """
    return empirical_loss + ((divergence + 1) / (4 * sample_size * delta)) ** 0.5


@checked
def logarithmic_chi_square_bound(
    empirical_loss: Share, divergence: Divergence, *, sample_size: PairCount, delta: Probability
) -> Real:
    """Bound the alignment loss by its U-statistic and the chi-square divergence, with a logarithm of 1 / delta.

    ``loss + sqrt((chi^2 + 1) s / (2 floor(n / 2)))`` where s > 1 solves ``s - log(s) = 1 + log(1 / delta)``: the
    minimum over c of ``log(1 / ((1 - c) delta)) / c``, from ``E exp(2 c k D_+^2) <= 1 / (1 - c)`` with k = floor(n /
    2) (Hoeffding's blocks), Jensen over the prior and Markov. For all labels. Smaller than `chi_square_bound` for
    delta < .103, than `printed_chi_square_bound` for delta < .042, n even.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        chi^2(q || p) >= 0.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    A strengthening of pbrff Corollary 5, not in the paper.
    """
    level = -math.log(delta)
    root, before = 1 + level + math.sqrt(2 * level), math.inf  # above s: Newton's steps decrease to it
    while root < before:
        root, before = root * (level + math.log(root)) / (root - 1), root
    return empirical_loss + ((divergence + 1) * root / (2 * (sample_size // 2))) ** 0.5


@checked
def alignment_variance_bound(sample_size: PairCount, *, labels: Literal["binary", "general"]) -> float:
    """Bound the variance of the empirical alignment loss of one frequency, over all data distributions.

    Binary: ``(n - 1) / (2 n (2 n - 3))``, attained for every n. General: ``(27 (n - 2) / 64 + 1/2) / (n (n - 1))``, at
    most ``1 / (2 n)``, attained at n = 2 and to leading order in n.

    Parameters
    ----------
    sample_size : int
        n >= 2.
    labels : {"binary", "general"}
        Whether there are at most two classes.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n < 2.

    References
    ----------
    pbrff Lemma 6, corrected.
    """
    n = sample_size
    if labels == "binary":
        return (n - 1) / (2 * n * (2 * n - 3))
    return (27 * (n - 2) + 32) / (64 * n * (n - 1))  # integers, of any size


@checked
def printed_alignment_variance_bound(sample_size: PairCount) -> float:
    """The paper's bound on the variance of the empirical alignment loss of one frequency: ``1 / (4 n)``.

    False for every n: its proof takes bounded differences of 1 / n, they are 2 / n.

    Parameters
    ----------
    sample_size : int
        n >= 2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n < 2.

    References
    ----------
    pbrff Lemma 6.
    """
    return 1 / (4 * sample_size)


@checked
def one_sided_second_moment(sample_size: PairCount, *, labels: Literal["binary", "general"]) -> float:
    """Bound the second moment of the positive part of (loss - empirical loss), over all data distributions.

    ``1 / (4 n)`` for two classes, although the variance can exceed it; the variance bound for general labels.

    Parameters
    ----------
    sample_size : int
        n >= 2.
    labels : {"binary", "general"}
        Whether there are at most two classes.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n < 2.

    References
    ----------
    What pbrff Corollary 5 needs in place of Lemma 6.
    """
    return 1 / (4 * sample_size) if labels == "binary" else alignment_variance_bound(sample_size, labels="general")
