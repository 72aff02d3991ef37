"""Orderings between the PAC-Bayes bounds on the alignment loss, at empirical loss and divergence as given."""

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
from tests.mutation.orderings.table import DELTA, SIZE, STEP, Ordering, Span

MODULE = "bounds.pac_bayes.guarantees"
LOSS, DIVERGENCE = Span(0.0, 1.0), Span(1e-3, 1e3, "log")
TEMPERATURE = Span(1e-3, 1e4, "log")
KL: dict[str, Any] = {"kl": DIVERGENCE, "n": SIZE, "delta": DELTA, "t": TEMPERATURE}
CHI: dict[str, Any] = {"loss": LOSS, "chi": DIVERGENCE, "n": SIZE, "delta": DELTA}
KL_BOUNDS = (first_order_kl_bound, averaged_first_order_kl_bound, second_order_kl_bound)
POWER: dict[str, Any] = {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA, "order": Span(1.02, 50.0, "log")}


def _first(kl: float, n: int, delta: float, t: float, **constant: Any) -> float:
    return float(first_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=t, **constant))


def _second(kl: float, n: int, delta: float, t: float, **constant: Any) -> float:
    return float(second_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=t, **constant))


def _averaged(kl: float, n: int, delta: float, t: float) -> float:
    return float(averaged_first_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=t))


def _printed_power(chi: float, n: int, delta: float, order: float) -> float:
    return float(power_divergence_bound(0.0, chi, sample_size=n, delta=delta, order=order))


def _power(chi: float, n: int, delta: float, order: float, labels: Any = "general") -> float:
    bound = corrected_power_divergence_bound
    return float(bound(0.0, chi, sample_size=n, delta=delta, order=order, labels=labels))


def _chi(chi: float, n: int, delta: float, **constant: Any) -> float:
    return float(chi_square_bound(0.0, chi, sample_size=n, delta=delta, **constant))


def _logarithmic(chi: float, n: int, delta: float) -> float:
    return float(logarithmic_chi_square_bound(0.0, chi, sample_size=n, delta=delta))


def _by_tail(chi: float, n: int, delta: float, conjugate: float) -> float:
    """(E D_+^m)^(1/m) from P(D > x) <= exp(-2 floor(n/2) x^2), by Markov and Hoelder's inequality."""
    moment = math.exp(math.lgamma(1 + conjugate / 2) / conjugate) / math.sqrt(2 * (n // 2))
    return float(moment * (chi + 1) ** (1 - 1 / conjugate) * delta ** (-1 / conjugate))


TABLE = (
    Ordering(
        MODULE,
        "Theorem 1: the improved constant is at most the printed one",
        "<=",
        KL,
        lambda kl, n, delta, t: (_first(kl, n, delta, t, constant="improved"), _first(kl, n, delta, t)),
    ),
    Ordering(
        MODULE,
        "Theorem 3: the improved constant is at most the printed one",
        "<=",
        KL,
        lambda kl, n, delta, t: (_second(kl, n, delta, t, constant="improved"), _second(kl, n, delta, t)),
    ),
    Ordering(
        MODULE,
        "Theorem 3 on n points is Theorem 1 on n + 1",
        "=",
        KL,
        lambda kl, n, delta, t: (_second(kl, n, delta, t), _first(kl, n + 1, delta, t)),
    ),
    Ordering(
        MODULE,
        "two points are one pair: the improved constants agree",
        "=",
        KL | {"n": (2,)},
        lambda kl, n, delta, t: (
            _second(kl, n, delta, t, constant="improved"),
            _first(kl, n, delta, t, constant="improved"),
        ),
    ),
    Ordering(
        MODULE,
        "Corollary 2 is twice Theorem 1 at delta / (n + 1)",
        "=",
        KL,
        lambda kl, n, delta, t: (_averaged(kl, n, delta, t), 2 * _first(kl, n, delta / (n + 1), t)),
    ),
    Ordering(
        MODULE,
        "Corollary 2 is worse than Theorem 3",
        "<=",
        KL,
        lambda kl, n, delta, t: (_second(kl, n, delta, t), _averaged(kl, n, delta, t)),
    ),
    Ordering(
        MODULE,
        "no temperature does better than sqrt(2 (KL + log 1/delta) / n) in Theorem 3",
        "<=",
        KL,
        lambda kl, n, delta, t: (math.sqrt(2 * (kl + math.log(1 / delta)) / n), _second(kl, n, delta, t)),
    ),
    Ordering(
        MODULE,
        "the best temperature attains sqrt(2 (KL + log 1/delta) / n) in Theorem 3",
        "=",
        {"kl": DIVERGENCE, "n": SIZE, "delta": DELTA},
        lambda kl, n, delta: (
            _second(kl, n, delta, math.sqrt(2 * n * (kl + math.log(1 / delta)))),
            math.sqrt(2 * (kl + math.log(1 / delta)) / n),
        ),
    ),
    Ordering(
        MODULE,
        "every bound is the empirical loss plus a gap",
        "=",
        CHI,
        lambda loss, chi, n, delta: (
            sum(
                bound(loss, chi, sample_size=n, delta=delta)
                for bound in (chi_square_bound, logarithmic_chi_square_bound)
            ),
            2 * loss + _chi(chi, n, delta) + _logarithmic(chi, n, delta),
        ),
    ),
    Ordering(
        MODULE,
        "every bound by the Kullback-Leibler divergence is the empirical loss plus a gap",
        "=",
        {"loss": LOSS, "kl": DIVERGENCE, "n": SIZE, "t": Span(1.0, 1e3, "log")},
        lambda loss, kl, n, t: (
            sum(bound(loss, kl, sample_size=n, delta=0.1, inverse_temperature=t) for bound in KL_BOUNDS),
            3 * loss + sum(bound(0.0, kl, sample_size=n, delta=0.1, inverse_temperature=t) for bound in KL_BOUNDS),
        ),
    ),
    Ordering(
        MODULE,
        "every bound by a power divergence is the empirical loss plus a gap",
        "=",
        {"loss": LOSS, "chi": DIVERGENCE, "n": SIZE, "order": Span(1.02, 50.0, "log")},
        lambda loss, chi, n, order: (
            power_divergence_bound(loss, chi, sample_size=n, delta=0.1, order=order)
            + corrected_power_divergence_bound(loss, chi, sample_size=n, delta=0.1, order=order, labels="general"),
            2 * loss + _printed_power(chi, n, 0.1, order) + _power(chi, n, 0.1, order),
        ),
    ),
    Ordering(
        MODULE,
        "up to mu = 2 the corrected Theorem 4 for two classes is at most the printed one",
        "<=",
        POWER | {"order": Span(1.001, 2.0)},
        lambda chi, n, delta, order: (_power(chi, n, delta, order, "binary"), _printed_power(chi, n, delta, order)),
    ),
    Ordering(
        MODULE,
        "the corrected Theorem 4 is at most its form by the second moment, beyond mu = 2 by its root",
        "<=",
        POWER,
        lambda chi, n, delta, order: (
            _power(chi, n, delta, order),
            one_sided_second_moment(n, labels="general") ** min(0.5, 1 - 1 / order)
            * (chi + 1) ** (1 / order)
            / delta ** (1 - 1 / order),
        ),
    ),
    Ordering(
        MODULE,
        "Theorem 4 at mu = 2 is Corollary 5",
        "=",
        {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA},
        lambda chi, n, delta: (_printed_power(chi, n, delta, 2), _chi(chi, n, delta)),
    ),
    Ordering(
        MODULE,
        "the two cases of Theorem 4 meet at mu = 2",
        "=",
        {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA},
        lambda chi, n, delta: (_printed_power(chi, n, delta, 2 - 1e-13), _printed_power(chi, n, delta, 2 + 1e-13)),
        rtol=1e-10,
    ),
    Ordering(
        MODULE,
        "the corrected Theorem 4 for two classes is Corollary 5 at mu = 2",
        "=",
        {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA},
        lambda chi, n, delta: (_power(chi, n, delta, 2, "binary"), _chi(chi, n, delta)),
    ),
    Ordering(
        MODULE,
        "the corrected Theorem 4 at mu = 2 is at most the safe Corollary 5",
        "<=",
        {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA},
        lambda chi, n, delta: (_power(chi, n, delta, 2), _chi(chi, n, delta, constant="safe")),
    ),
    Ordering(
        MODULE,
        "two classes need no more than many",
        "<=",
        POWER,
        lambda chi, n, delta, order: (_power(chi, n, delta, order, "binary"), _power(chi, n, delta, order)),
    ),
    Ordering(
        MODULE,
        "beyond mu = 2 the printed Theorem 4 claims at most what is true",
        "<=",
        POWER | {"order": Span(2.0, 50.0, "log")},
        lambda chi, n, delta, order: (_printed_power(chi, n, delta, order), _power(chi, n, delta, order, "binary")),
    ),
    Ordering(
        MODULE,
        "the corrected Theorem 4 is at most its form by the sub-Gaussian tail, for orders down to 1",
        "<=",
        {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA, "conjugate": Span(1.05, 1e4, "log")},
        lambda chi, n, delta, conjugate: (
            _power(chi, n, delta, conjugate / (conjugate - 1)),
            _by_tail(chi, n, delta, conjugate),
        ),
        rtol=1e-10,
    ),
    Ordering(
        MODULE,
        "the safe constant doubles the square of the gap of Corollary 5",
        "=",
        {"chi": DIVERGENCE, "n": SIZE, "delta": DELTA},
        lambda chi, n, delta: (_chi(chi, n, delta, constant="safe"), math.sqrt(2) * _chi(chi, n, delta)),
    ),
    Ordering(
        MODULE,
        "the logarithmic bound is at most the safe one for delta <= 0.1 and even n",
        "<=",
        {"chi": DIVERGENCE, "half": SIZE, "delta": Span(1e-12, 0.1, "log")},
        lambda chi, half, delta: (_logarithmic(chi, 2 * half, delta), _chi(chi, 2 * half, delta, constant="safe")),
    ),
    Ordering(
        MODULE,
        "the logarithmic bound is at most the printed one for delta <= 0.04 and even n",
        "<=",
        {"chi": DIVERGENCE, "half": SIZE, "delta": Span(1e-12, 0.04, "log")},
        lambda chi, half, delta: (_logarithmic(chi, 2 * half, delta), _chi(chi, 2 * half, delta)),
    ),
    Ordering(
        MODULE,
        "as delta tends to 1 the logarithmic bound tends to sqrt((chi^2 + 1) / (2 floor(n/2)))",
        "=",
        {"chi": DIVERGENCE, "n": SIZE},
        lambda chi, n: (_logarithmic(chi, n, 1 - 2**-53), math.sqrt((chi + 1) / (2 * (n // 2)))),
        rtol=1e-7,
    ),
    Ordering(
        MODULE,
        "a smaller probability of failure costs a larger bound",
        "<=",
        POWER | {"step": STEP},
        lambda chi, n, delta, order, step: (
            sum(bound(chi, n, delta) for bound in (_chi, _logarithmic)) + _power(chi, n, delta, order),
            sum(bound(chi, n, delta / step) for bound in (_chi, _logarithmic)) + _power(chi, n, delta / step, order),
        ),
    ),
    Ordering(
        MODULE,
        "the printed variance is below the one attained by coins",
        "<=",
        {"n": SIZE},
        lambda n: (alignment_variance_bound(n, labels="printed"), alignment_variance_bound(n, labels="binary")),
    ),
    Ordering(
        MODULE,
        "two classes vary no more than many",
        "<=",
        {"n": SIZE},
        lambda n: (alignment_variance_bound(n, labels="binary"), alignment_variance_bound(n, labels="general")),
    ),
    Ordering(
        MODULE,
        "the variance is at most 1 / (2 n)",
        "<=",
        {"n": SIZE},
        lambda n: (alignment_variance_bound(n, labels="general"), 1 / (2 * n)),
    ),
    Ordering(
        MODULE,
        "a pair of labels is a coin, of variance 1/4",
        "=",
        {"labels": ("binary", "general")},
        lambda labels: (alignment_variance_bound(2, labels=labels), 0.25),
    ),
    Ordering(
        MODULE,
        "n times the variance tends to four times the largest variance of a conditional mean: 1/4 and 27/64",
        "=",
        {"limit": (("binary", 1 / 4), ("general", 27 / 64))},
        lambda limit: (10**9 * alignment_variance_bound(10**9, labels=limit[0]), limit[1]),
        rtol=1e-8,
    ),
    Ordering(
        MODULE,
        "a positive part has at most the second moment of the whole",
        "<=",
        {"n": SIZE, "labels": ("binary", "general")},
        lambda n, labels: (one_sided_second_moment(n, labels=labels), alignment_variance_bound(n, labels=labels)),
    ),
    Ordering(
        MODULE,
        "the one-sided moment of two classes is what the paper prints for the variance",
        "=",
        {"n": SIZE},
        lambda n: (one_sided_second_moment(n, labels="binary"), alignment_variance_bound(n, labels="printed")),
    ),
)
