"""Orderings between the bounds of `bounds.pac_bayes.power_divergence`."""

import math

from bounds.pac_bayes.power_divergence import (
    alignment_variance_bound,
    chi_square_bound,
    logarithmic_chi_square_bound,
    one_sided_second_moment,
    power_divergence_bound,
    printed_alignment_variance_bound,
    printed_chi_square_bound,
    printed_power_divergence_bound,
)
from tests.bounds.orderings import DELTA, SIZE, Span, equal, ordered

CHI_BOUNDS = (chi_square_bound, printed_chi_square_bound, logarithmic_chi_square_bound)
DIVERGENCE = Span(1e-3, 1e3, "log")
LOSS = Span(0.0, 1.0)
CHI = {"chi": DIVERGENCE, "sample_size": SIZE, "delta": DELTA}
POWER = {**CHI, "order": Span(1.02, 50.0, "log")}


@equal(loss=LOSS, **CHI, bound=CHI_BOUNDS)
def chi_square_bounds_are_the_empirical_loss_plus_a_gap(loss, chi, bound, **o):
    return bound(loss, chi, **o), loss + bound(0.0, chi, **o)


@equal(loss=LOSS, **POWER | {"delta": (0.1,)})
def power_bounds_are_the_empirical_loss_plus_a_gap(loss, chi, **o):
    def both(x):
        return printed_power_divergence_bound(x, chi, **o) + power_divergence_bound(x, chi, labels="general", **o)

    return both(loss), 2 * loss + both(0.0)


@ordered(**POWER | {"order": Span(1.001, 2.0)})
def corrected_power_bound_is_at_most_the_printed_one_up_to_order_two(chi, **o):
    """Up to mu = 2 the corrected Theorem 4 for two classes is at most the printed one."""
    return power_divergence_bound(0.0, chi, labels="binary", **o), printed_power_divergence_bound(0.0, chi, **o)


@ordered(**POWER)
def corrected_power_bound_is_at_most_its_form_by_the_second_moment(chi, sample_size, delta, order):
    """The corrected Theorem 4 is at most its form by the second moment, beyond mu = 2 by its root."""
    o = {"sample_size": sample_size, "delta": delta, "order": order, "labels": "general"}
    yield power_divergence_bound(0.0, chi, **o)
    moment = one_sided_second_moment(sample_size, labels="general") ** min(0.5, 1 - 1 / order)
    yield moment * (chi + 1) ** (1 / order) / delta ** (1 - 1 / order)


@equal(**CHI)
def power_bound_at_order_two_is_the_chi_square_bound(chi, **o):
    """Theorem 4 at mu = 2 is Corollary 5."""
    return printed_power_divergence_bound(0.0, chi, order=2, **o), printed_chi_square_bound(0.0, chi, **o)


@equal(rtol=1e-10, **CHI)
def two_cases_of_the_power_bound_meet_at_order_two(chi, **o):
    """The two cases of Theorem 4 meet at mu = 2."""
    return tuple(printed_power_divergence_bound(0.0, chi, order=order, **o) for order in (2 - 1e-13, 2 + 1e-13))


@equal(**CHI)
def corrected_power_bound_for_two_classes_is_the_chi_square_bound(chi, **o):
    """The corrected Theorem 4 for two classes is Corollary 5 at mu = 2."""
    return power_divergence_bound(0.0, chi, order=2, labels="binary", **o), printed_chi_square_bound(0.0, chi, **o)


@ordered(**CHI)
def corrected_power_bound_is_at_most_the_safe_chi_square_bound(chi, **o):
    """The corrected Theorem 4 at mu = 2 is at most the safe Corollary 5."""
    return power_divergence_bound(0.0, chi, order=2, labels="general", **o), chi_square_bound(0.0, chi, **o)


@ordered(**POWER)
def two_classes_need_no_more_than_many(chi, **o):
    return tuple(power_divergence_bound(0.0, chi, labels=labels, **o) for labels in ("binary", "general"))


@ordered(**POWER | {"order": Span(2.0, 50.0, "log")})
def printed_power_bound_claims_at_most_what_is_true_beyond_order_two(chi, **o):
    """Beyond mu = 2 the printed Theorem 4 claims at most what is true."""
    return printed_power_divergence_bound(0.0, chi, **o), power_divergence_bound(0.0, chi, labels="binary", **o)


@ordered(rtol=1e-10, **CHI, conjugate=Span(1.05, 1e4, "log"))
def corrected_power_bound_is_at_most_its_form_by_the_tail(chi, conjugate, **o):
    """(E D_+^m)^(1/m) from P(D > x) <= exp(-2 floor(n/2) x^2), by Markov and Hoelder, for orders down to 1."""
    order = conjugate / (conjugate - 1)
    yield power_divergence_bound(0.0, chi, order=order, labels="general", **o)
    moment = math.exp(math.lgamma(1 + conjugate / 2) / conjugate) / math.sqrt(2 * (o["sample_size"] // 2))
    yield moment * (chi + 1) ** (1 - 1 / conjugate) * o["delta"] ** (-1 / conjugate)


@equal(**CHI)
def safe_constant_doubles_the_square_of_the_gap_of_corollary_5(chi, **o):
    return chi_square_bound(0.0, chi, **o), math.sqrt(2) * printed_chi_square_bound(0.0, chi, **o)


LIMITS = ((0.1, chi_square_bound), (0.04, printed_chi_square_bound))


@ordered(chi=DIVERGENCE, half=SIZE, limit=LIMITS, share=Span(1e-11, 1.0, "log"))
def logarithmic_bound_is_at_most_the_others_for_small_delta(chi, half, limit, share):
    """The logarithmic bound is at most the plain one for delta <= 0.1, the printed one for delta <= 0.04; even n."""
    o = {"sample_size": 2 * half, "delta": share * limit[0]}
    return logarithmic_chi_square_bound(0.0, chi, **o), limit[1](0.0, chi, **o)


@equal(rtol=1e-7, chi=DIVERGENCE, n=SIZE)
def logarithmic_bound_tends_to_the_second_moment(chi, n):
    """As delta tends to 1 the logarithmic bound tends to sqrt((chi^2 + 1) / (2 floor(n/2)))."""
    yield logarithmic_chi_square_bound(0.0, chi, sample_size=n, delta=1 - 2**-53)
    yield math.sqrt((chi + 1) / (2 * (n // 2)))


@ordered(n=SIZE)
def printed_variance_is_below_the_one_attained_by_coins(n):
    return printed_alignment_variance_bound(n), alignment_variance_bound(n, labels="binary")


@ordered(n=SIZE)
def two_classes_vary_no_more_than_many(n):
    return alignment_variance_bound(n, labels="binary"), alignment_variance_bound(n, labels="general")


@ordered(n=SIZE)
def variance_is_at_most_half_over_the_points(n):
    """The variance is at most 1 / (2 n)."""
    return alignment_variance_bound(n, labels="general"), 1 / (2 * n)


@equal(labels=("binary", "general"))
def pair_of_labels_is_a_coin(labels):
    """A pair of labels is a coin, of variance 1/4."""
    return alignment_variance_bound(2, labels=labels), 0.25


@equal(rtol=1e-8, limit=(("binary", 1 / 4), ("general", 27 / 64)))
def variance_tends_to_that_of_a_conditional_mean(limit):
    """N times the variance tends to four times the largest variance of a conditional mean: 1/4 and 27/64."""
    return 10**9 * alignment_variance_bound(10**9, labels=limit[0]), limit[1]


@ordered(n=SIZE, labels=("binary", "general"))
def positive_part_has_at_most_the_second_moment_of_the_whole(n, labels):
    return one_sided_second_moment(n, labels=labels), alignment_variance_bound(n, labels=labels)


@equal(n=SIZE)
def one_sided_moment_of_two_classes_is_the_printed_variance(n):
    """The one-sided moment of two classes is what the paper prints for the variance."""
    return one_sided_second_moment(n, labels="binary"), printed_alignment_variance_bound(n)
