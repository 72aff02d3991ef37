"""Orderings between the bounds of `bounds.pac_bayes.guarantees`."""

import math
from typing import Any

from bounds.pac_bayes.guarantees import (
    alignment_variance_bound,
    averaged_first_order_kl_bound,
    chi_square_bound,
    corrected_power_divergence_bound,
    first_order_kl_bound,
    logarithmic_chi_square_bound,
    one_sided_second_moment,
    power_divergence_bound,
    second_order_kl_bound,
)
from tests.bounds.orderings import DELTA, SIZE, STEP, Span, equal, ordered

KL_BOUNDS = (first_order_kl_bound, averaged_first_order_kl_bound, second_order_kl_bound)
DIVERGENCE = Span(1e-3, 1e3, "log")
TEMPERATURE = Span(1e-3, 1e4, "log")
POWER: dict[str, Any] = {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA, "order": Span(1.02, 50.0, "log")}
LOSS = Span(0.0, 1.0)
CHI: dict[str, Any] = {"loss": LOSS, "chi": DIVERGENCE, "n": SIZE, "delta": DELTA}
KL: dict[str, Any] = {"kl": DIVERGENCE, "n": SIZE, "delta": DELTA, "t": TEMPERATURE}


def _averaged(kl: float, n: int, delta: float, t: float) -> float:
    return float(averaged_first_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=t))


def _logarithmic(chi: float, n: int, delta: float) -> float:
    return float(logarithmic_chi_square_bound(0.0, chi, sample_size=n, delta=delta))


def _printed_power(chi: float, n: int, delta: float, order: float) -> float:
    return float(power_divergence_bound(0.0, chi, sample_size=n, delta=delta, order=order))


def _second(kl: float, n: int, delta: float, t: float, **constant: Any) -> float:
    return float(second_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=t, **constant))


def _first(kl: float, n: int, delta: float, t: float, **constant: Any) -> float:
    return float(first_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=t, **constant))


def _power(chi: float, n: int, delta: float, order: float, labels: Any = "general") -> float:
    bound = corrected_power_divergence_bound
    return float(bound(0.0, chi, sample_size=n, delta=delta, order=order, labels=labels))


def _by_tail(chi: float, n: int, delta: float, conjugate: float) -> float:
    """(E D_+^m)^(1/m) from P(D > x) <= exp(-2 floor(n/2) x^2), by Markov and Hoelder's inequality."""
    moment = math.exp(math.lgamma(1 + conjugate / 2) / conjugate) / math.sqrt(2 * (n // 2))
    return float(moment * (chi + 1) ** (1 - 1 / conjugate) * delta ** (-1 / conjugate))


def _chi(chi: float, n: int, delta: float, **constant: Any) -> float:
    return float(chi_square_bound(0.0, chi, sample_size=n, delta=delta, **constant))


@ordered(**KL)
def improved_first_order_bound_is_at_most_the_printed_one(kl, n, delta, t):
    """Theorem 1: the improved constant is at most the printed one."""
    return _first(kl, n, delta, t, constant="improved"), _first(kl, n, delta, t)


@ordered(**KL)
def improved_second_order_bound_is_at_most_the_printed_one(kl, n, delta, t):
    """Theorem 3: the improved constant is at most the printed one."""
    return _second(kl, n, delta, t, constant="improved"), _second(kl, n, delta, t)


@equal(**KL)
def second_order_bound_is_the_first_order_one_with_one_more_point(kl, n, delta, t):
    """Theorem 3 on n points is Theorem 1 on n + 1."""
    return _second(kl, n, delta, t), _first(kl, n + 1, delta, t)


@equal(**KL | {"n": (2,)})
def improved_constants_agree_on_two_points(kl, n, delta, t):
    """Two points are one pair: the improved constants agree."""
    return _second(kl, n, delta, t, constant="improved"), _first(kl, n, delta, t, constant="improved")


@equal(**KL)
def averaged_bound_is_twice_the_first_order_one_by_a_union(kl, n, delta, t):
    """Corollary 2 is twice Theorem 1 at delta / (n + 1)."""
    return _averaged(kl, n, delta, t), 2 * _first(kl, n, delta / (n + 1), t)


@ordered(**KL)
def corollary_2_is_worse_than_theorem_3(kl, n, delta, t):
    return _second(kl, n, delta, t), _averaged(kl, n, delta, t)


@ordered(**KL)
def no_temperature_beats_the_infimum(kl, n, delta, t):
    """No temperature does better than sqrt(2 (KL + log 1/delta) / n) in Theorem 3."""
    return math.sqrt(2 * (kl + math.log(1 / delta)) / n), _second(kl, n, delta, t)


@equal(kl=DIVERGENCE, n=SIZE, delta=DELTA)
def best_temperature_attains_the_infimum(kl, n, delta):
    """The best temperature attains sqrt(2 (KL + log 1/delta) / n) in Theorem 3."""
    yield _second(kl, n, delta, math.sqrt(2 * n * (kl + math.log(1 / delta))))
    yield math.sqrt(2 * (kl + math.log(1 / delta)) / n)


@equal(**CHI)
def every_bound_is_the_empirical_loss_plus_a_gap(loss, chi, n, delta):
    yield (
        sum(bound(loss, chi, sample_size=n, delta=delta) for bound in (chi_square_bound, logarithmic_chi_square_bound))
    )
    yield 2 * loss + _chi(chi, n, delta) + _logarithmic(chi, n, delta)


@equal(loss=LOSS, kl=DIVERGENCE, n=SIZE, t=Span(1.0, 1e3, "log"))
def kl_bounds_are_the_empirical_loss_plus_a_gap(loss, kl, n, t):
    """Every bound by the Kullback-Leibler divergence is the empirical loss plus a gap."""
    yield sum(bound(loss, kl, sample_size=n, delta=0.1, inverse_temperature=t) for bound in KL_BOUNDS)
    yield 3 * loss + sum(bound(0.0, kl, sample_size=n, delta=0.1, inverse_temperature=t) for bound in KL_BOUNDS)


@equal(loss=LOSS, chi=DIVERGENCE, n=SIZE, order=Span(1.02, 50.0, "log"))
def power_bounds_are_the_empirical_loss_plus_a_gap(loss, chi, n, order):
    """Every bound by a power divergence is the empirical loss plus a gap."""
    yield (
        power_divergence_bound(loss, chi, sample_size=n, delta=0.1, order=order)
        + corrected_power_divergence_bound(loss, chi, sample_size=n, delta=0.1, order=order, labels="general")
    )
    yield 2 * loss + _printed_power(chi, n, 0.1, order) + _power(chi, n, 0.1, order)


@ordered(**POWER | {"order": Span(1.001, 2.0)})
def corrected_power_bound_is_at_most_the_printed_one_up_to_order_two(chi, n, delta, order):
    """Up to mu = 2 the corrected Theorem 4 for two classes is at most the printed one."""
    return _power(chi, n, delta, order, "binary"), _printed_power(chi, n, delta, order)


@ordered(**POWER)
def corrected_power_bound_is_at_most_its_form_by_the_second_moment(chi, n, delta, order):
    """The corrected Theorem 4 is at most its form by the second moment, beyond mu = 2 by its root."""
    yield _power(chi, n, delta, order)
    yield (
        one_sided_second_moment(n, labels="general") ** min(0.5, 1 - 1 / order)
        * (chi + 1) ** (1 / order)
        / delta ** (1 - 1 / order)
    )


@equal(chi=DIVERGENCE, n=SIZE, delta=DELTA)
def power_bound_at_order_two_is_the_chi_square_bound(chi, n, delta):
    """Theorem 4 at mu = 2 is Corollary 5."""
    return _printed_power(chi, n, delta, 2), _chi(chi, n, delta)


@equal(rtol=1e-10, chi=DIVERGENCE, n=SIZE, delta=DELTA)
def two_cases_of_the_power_bound_meet_at_order_two(chi, n, delta):
    """The two cases of Theorem 4 meet at mu = 2."""
    return _printed_power(chi, n, delta, 2 - 1e-13), _printed_power(chi, n, delta, 2 + 1e-13)


@equal(chi=DIVERGENCE, n=SIZE, delta=DELTA)
def corrected_power_bound_for_two_classes_is_the_chi_square_bound(chi, n, delta):
    """The corrected Theorem 4 for two classes is Corollary 5 at mu = 2."""
    return _power(chi, n, delta, 2, "binary"), _chi(chi, n, delta)


@ordered(chi=DIVERGENCE, n=SIZE, delta=DELTA)
def corrected_power_bound_is_at_most_the_safe_chi_square_bound(chi, n, delta):
    """The corrected Theorem 4 at mu = 2 is at most the safe Corollary 5."""
    return _power(chi, n, delta, 2), _chi(chi, n, delta, constant="safe")


@ordered(**POWER)
def two_classes_need_no_more_than_many(chi, n, delta, order):
    return _power(chi, n, delta, order, "binary"), _power(chi, n, delta, order)


@ordered(**POWER | {"order": Span(2.0, 50.0, "log")})
def printed_power_bound_claims_at_most_what_is_true_beyond_order_two(chi, n, delta, order):
    """Beyond mu = 2 the printed Theorem 4 claims at most what is true."""
    return _printed_power(chi, n, delta, order), _power(chi, n, delta, order, "binary")


@ordered(rtol=1e-10, chi=DIVERGENCE, n=SIZE, delta=DELTA, conjugate=Span(1.05, 1e4, "log"))
def corrected_power_bound_is_at_most_its_form_by_the_tail(chi, n, delta, conjugate):
    """The corrected Theorem 4 is at most its form by the sub-Gaussian tail, for orders down to 1."""
    return _power(chi, n, delta, conjugate / (conjugate - 1)), _by_tail(chi, n, delta, conjugate)


@equal(chi=DIVERGENCE, n=SIZE, delta=DELTA)
def safe_constant_doubles_the_square_of_the_gap_of_corollary_5(chi, n, delta):
    return _chi(chi, n, delta, constant="safe"), math.sqrt(2) * _chi(chi, n, delta)


@ordered(chi=DIVERGENCE, half=SIZE, delta=Span(1e-12, 0.1, "log"))
def logarithmic_bound_is_at_most_the_safe_one(chi, half, delta):
    """The logarithmic bound is at most the safe one for delta <= 0.1 and even n."""
    return _logarithmic(chi, 2 * half, delta), _chi(chi, 2 * half, delta, constant="safe")


@ordered(chi=DIVERGENCE, half=SIZE, delta=Span(1e-12, 0.04, "log"))
def logarithmic_bound_is_at_most_the_printed_one(chi, half, delta):
    """The logarithmic bound is at most the printed one for delta <= 0.04 and even n."""
    return _logarithmic(chi, 2 * half, delta), _chi(chi, 2 * half, delta)


@equal(rtol=1e-7, chi=DIVERGENCE, n=SIZE)
def logarithmic_bound_tends_to_the_second_moment(chi, n):
    """As delta tends to 1 the logarithmic bound tends to sqrt((chi^2 + 1) / (2 floor(n/2)))."""
    return _logarithmic(chi, n, 1 - 2**-53), math.sqrt((chi + 1) / (2 * (n // 2)))


@ordered(**POWER, step=STEP)
def smaller_probability_of_failure_costs_a_larger_bound(chi, n, delta, order, step):
    yield sum(bound(chi, n, delta) for bound in (_chi, _logarithmic)) + _power(chi, n, delta, order)
    yield sum(bound(chi, n, delta / step) for bound in (_chi, _logarithmic)) + _power(chi, n, delta / step, order)


@ordered(n=SIZE)
def printed_variance_is_below_the_one_attained_by_coins(n):
    return alignment_variance_bound(n, labels="printed"), alignment_variance_bound(n, labels="binary")


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
    return one_sided_second_moment(n, labels="binary"), alignment_variance_bound(n, labels="printed")
