"""The first-order bound around many landmarks at once: what the union over landmarks and settings costs."""

from typing import Literal

from bounds.pac_bayes.kullback_leibler import first_order_kl_bound
from signatures.checked import checked
from signatures.numbers import Count, Divergence, PairCount, PositiveFloat, Probability, Real, Share


@checked
def landmark_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
    landmarks: Count,
    position: Literal["inside", "outside"] = "inside",
) -> Real:
    """Bound the alignment loss around each of finitely many landmarks, for all of them and all posteriors at once.

    ``loss_l + (KL_l + t^2 / (8 m) + log(n_L / delta)) / t`` where m is the number of losses averaged in loss_l: n - 1
    for a landmark inside the sample (its own pair is left out), n for one outside. The paper prints ``t^2 / (2 m)``,
    with n - 1 for both, and the generalisation loss on the right where the empirical loss of landmark l is meant.

    The landmarks, or their positions in the sample, are chosen without looking at the sample; equally many per class
    is looking. `selected_landmark_kl_bound` allows any choice.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1]. Mean pair loss of landmark l with the sample.
    divergence : float or array
        KL(q_l || p_l) >= 0, where p_l is fixed before the sample.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.
    landmarks : int
        n_L >= 1.
    position : {"inside", "outside"}
        "inside" or "outside" the sample.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta, t or n_L is out of range.

    References
    ----------
    pbrff Section 4.2, the display after eq. 12, with its right side as meant.
    """
    averaged = {"inside": sample_size - 1, "outside": sample_size}[position]
    return first_order_kl_bound(
        empirical_loss,
        divergence,
        sample_size=averaged + 1,
        delta=delta / landmarks,
        inverse_temperature=inverse_temperature,
    )


@checked
def selected_landmark_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    sample_size: PairCount,
    delta: Probability,
    inverse_temperature: PositiveFloat,
    settings: Count = 1,
) -> Real:
    """Bound the alignment loss around landmarks that were selected from the sample, in whatever way.

    ``loss_l + (KL_l + t^2 / (8 (n - 1)) + log(s n / delta)) / t``: a union over all n points as candidates, and over s
    settings of hyper-parameters that change the prior or t (kernel widths, numbers of features). Covers equally many
    landmarks per class, greedy selection, and settings chosen by validation. Centroids are no points of the sample:
    they are not covered.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1]. Mean pair loss of landmark l with the sample.
    divergence : float or array
        KL(q_l || p_l) >= 0, where p_l is fixed before the sample.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    inverse_temperature : float
        t > 0.
    settings : int
        s >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta, t or n_L is out of range.

    References
    ----------
    pbrff Section 4.2, repaired for landmarks that depend on the sample.
    """
    return landmark_kl_bound(
        empirical_loss,
        divergence,
        sample_size=sample_size,
        delta=delta,
        inverse_temperature=inverse_temperature,
        landmarks=settings * sample_size,
    )
