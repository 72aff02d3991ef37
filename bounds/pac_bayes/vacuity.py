"""When a bound on the kernel-alignment loss says something.

Pair losses lie in [0, 1], but no law has an alignment loss of one. With class probabilities pi_c and characteristic
functions phi_c the loss of a frequency is ``(1 - 2 sum_c |v_c|^2 + |sum_c v_c|^2) / 2``, ``v_c = pi_c phi_c``. As
``|sum_c v_c|^2 <= min(1, L sum_c |v_c|^2)`` it is at most 1/2 for one or two classes and 1 - 1/L for L >= 2.
"""

import bisect
import itertools
from collections.abc import Callable

from bounds._ranges import AnyBound, LossLevel, Probabilities, ReachableDivergence
from bounds.pac_bayes.tuning import KLBound, kl_bound_infimum
from signatures.checked import checked
from signatures.numbers import Count, Probability, Real


@checked
def largest_alignment_loss(classes: Count) -> float:
    """Largest alignment loss of any posterior under any law with so many classes.

    ``max(1/2, 1 - 1/L)``: attained by constant inputs and equally probable classes (L >= 2), by the zero kernel
    (L = 1).

    Parameters
    ----------
    classes : int
        L >= 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If L < 1.

    References
    ----------
    The losses of pbrff Section 3; our derivation.
    """
    return max(0.5, 1 - 1 / classes)


@checked
def uninformed_alignment_loss(probabilities: Probabilities) -> float:
    """Smallest alignment loss of a kernel that ignores the inputs: what a learned kernel has to beat.

    ``min(1/2, 1 - sum_c pi_c^2)``: the zero kernel has loss 1/2 whatever the classes, the constant kernel (frequency
    zero) the probability that two labels differ, which for two classes is never above 1/2.

    Parameters
    ----------
    probabilities : sequence of float
        pi_c >= 0 with sum one.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If they are negative or do not sum to one.

    References
    ----------
    The losses of pbrff Section 3; our derivation.
    """
    if abs(sum(probabilities) - 1) > 1e-9:
        raise ValueError(f"probabilities sum to {sum(probabilities)}, but must sum to 1: normalise them.")
    return min(0.5, 1 - sum(share**2 for share in probabilities))


@checked
def informative_margin(value: AnyBound, *, classes: Count) -> Real:
    """How far an upper bound lies below the largest alignment loss; it is vacuous where this is zero or negative.

    ``max(1/2, 1 - 1/L) - value``: at or above that level a bound is true of every posterior under every law. A bound
    below it may still not beat `uninformed_alignment_loss`.

    Parameters
    ----------
    value : float or array
        The bound.
    classes : int
        L >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If L < 1.

    References
    ----------
    The losses of pbrff Section 3; our derivation.
    """
    return largest_alignment_loss(classes) - value


@checked
def smallest_informative_sample(
    *,
    bound: KLBound,
    delta: Probability,
    divergence: ReachableDivergence = 0.0,
    level: LossLevel = 0.5,
) -> int:
    """Smallest sample for which a Kullback-Leibler bound can fall below a level at all.

    The smallest n whose gap at the best t, `kl_bound_infimum` at empirical loss zero, is below the level; found by
    doubling and bisection, since the gap never grows with n.

    Parameters
    ----------
    bound : {"second_order", "first_order", "averaged_first_order"}
        Which of the bounds, as for `kl_bound_infimum`.
    delta : float
        In (0, 1).
    divergence : float
        KL in [0, 1e6).
    level : float
        In [1e-6, 1].

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If delta, the divergence or the level is out of range.

    References
    ----------
    pbrff Theorem 3, Theorem 1 and Corollary 2, at the best t.
    """

    def informative(sample_size: int) -> bool:
        return bool(kl_bound_infimum(0.0, divergence, bound=bound, sample_size=sample_size, delta=delta) < level)

    return _first(informative)


def _first(holds: Callable[[int], bool]) -> int:
    """The first n >= 2 of a monotone property."""
    enough = next(2**k for k in itertools.count(1) if holds(2**k))
    return 2 + bisect.bisect_right(range(2, enough), 0, key=lambda n: int(holds(n)))
