"""The PAC-Bayes theorems. "For all posteriors" is evaluated in closed form, so that one sample gives one number.

With gaps D_w under the prior p: ``sup_q (E_q D - KL(q || p) / t) = log E_p exp(t D) / t`` and ``sup_q E_q D / (D_mu(q
|| p) + 1)^(1 / mu) = (E_p D_+^mu')^(1 / mu')``. The right sides are the bounds at empirical loss and divergence zero.
"""

import math
from typing import Literal

from algos.pseudo_posterior import conjugate_norm, log_moment
from bounds.pac_bayes import (
    chi_square_bound,
    corrected_power_divergence_bound,
    logarithmic_chi_square_bound,
    power_divergence_bound,
    second_order_kl_bound,
)
from harness import Draw, Forall, claim, grid, high_probability
from harness.claims.pbrff.beds import TWO_CLASSES, coin_gaps, gaps, label_gaps


@claim(
    "pbrff/thm-3",
    high_probability("delta"),
    cite="pbrff, Theorem 3",
    over=grid(bed=["labels", "independent", "gaussian"], n=[2, 50], delta=[0.05]),
)
def second_order_kl(forall: Forall, draw: Draw, *, bed: str, n: int, delta: float):
    """For all q: loss <= empirical loss + (KL(q || p) + t^2 / (2 n) + log(1 / delta)) / t, here with t = sqrt(n)."""
    t = math.sqrt(n)
    supremum = log_moment(t * gaps(bed, forall, draw, n=n)) / t
    return supremum, second_order_kl_bound(0.0, 0.0, sample_size=n, delta=delta, inverse_temperature=t)


@claim(
    "pbrff/thm-4-case-2",
    high_probability("delta"),
    reading="printed",
    expected="refuted",
    cite="pbrff, Theorem 4, mu > 2",
    over=[{"n": 2, "order": 3.0, "delta": 0.4}, {"n": 1000, "order": 10.0, "delta": 0.05}],
)
def power_divergence_as_printed(forall: Forall, draw: Draw, *, n: int, order: float, delta: float):
    """For all q and mu > 2: loss <= empirical loss + (1 / (4 n delta))^(1 - 1/mu) (D_mu(q || p) + 1)^(1/mu).

    The rate n^-(1 - 1/mu) would beat the central limit theorem; constant inputs with coin labels show it.
    """
    supremum = conjugate_norm(coin_gaps(forall, draw, n=n), order)
    return supremum, power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order)


@claim(
    "pbrff/thm-4-case-2",
    high_probability("delta"),
    reading="corrected",
    cite="pbrff, Theorem 4, repaired",
    over=[
        {"bed": "coin", "n": 2, "order": 3.0, "delta": 0.4},
        {"bed": "coin", "n": 1000, "order": 10.0, "delta": 0.05},
        {"bed": "labels", "n": 3, "order": 3.0, "delta": 0.3},
        {"bed": "independent", "n": 30, "order": 4.0, "delta": 0.2},
        {"bed": "gaussian", "n": 30, "order": 4.0, "delta": 0.2},
    ],
)
def power_divergence(forall: Forall, draw: Draw, *, bed: str, n: int, order: float, delta: float):
    """For all q and mu > 2: loss <= empirical loss + v^(1/2) delta^-(1 - 1/mu) (D_mu(q || p) + 1)^(1/mu).

    v = 1 / (4 n) for two classes and (27 (n - 2) / 64 + 1/2) / (n (n - 1)) in general.
    """
    labels: Literal["binary", "general"] = "binary" if bed in TWO_CLASSES else "general"
    supremum = conjugate_norm(gaps(bed, forall, draw, n=n), order)
    return supremum, corrected_power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order, labels=labels)


@claim(
    "pbrff/cor-5",
    high_probability("delta"),
    reading="printed",
    expected="refuted",
    cite="pbrff, Corollary 5, more than two classes",
    over=[{"n": 2, "classes": 3, "delta": 0.3}],
)
def chi_square_as_printed(forall: Forall, draw: Draw, *, n: int, classes: int, delta: float):
    """For all q and any number of classes: loss <= empirical loss + sqrt((chi^2(q || p) + 1) / (4 n delta)).

    Fails for n = 2 and three classes, n = 3 and six; no failure is known for n >= 4.
    """
    supremum = conjugate_norm(label_gaps(forall, draw, n=n, classes=classes), 2.0)
    return supremum, chi_square_bound(0.0, 0.0, sample_size=n, delta=delta)


@claim(
    "pbrff/cor-5",
    high_probability("delta"),
    reading="corrected",
    cite="pbrff, Corollary 5, repaired",
    over=grid(n=[2, 3, 10], classes=[3, 6], delta=[0.3]),
)
def chi_square(forall: Forall, draw: Draw, *, n: int, classes: int, delta: float):
    """For all q and any number of classes: loss <= empirical loss + sqrt((chi^2(q || p) + 1) / (2 n delta))."""
    supremum = conjugate_norm(label_gaps(forall, draw, n=n, classes=classes), 2.0)
    return supremum, chi_square_bound(0.0, 0.0, sample_size=n, delta=delta, constant="safe")


@claim(
    "pbrff/cor-5-binary",
    high_probability("delta"),
    cite="pbrff, Corollary 5, two classes",
    over=grid(bed=TWO_CLASSES, n=[2, 30], delta=[0.2]),
)
def chi_square_binary(forall: Forall, draw: Draw, *, bed: str, n: int, delta: float):
    """For all q and two classes: loss <= empirical loss + sqrt((chi^2(q || p) + 1) / (4 n delta)).

    True although its proof is not: the second moment of the positive part of the gap is at most 1 / (4 n).
    """
    supremum = conjugate_norm(gaps(bed, forall, draw, n=n), 2.0)
    return supremum, chi_square_bound(0.0, 0.0, sample_size=n, delta=delta)


@claim(
    "pbrff/cor-5-logarithmic",
    high_probability("delta"),
    cite="pbrff, Corollary 5, strengthened",
    over=grid(bed=["labels", "independent"], n=[2, 50], delta=[0.05]),
)
def chi_square_logarithmic(forall: Forall, draw: Draw, *, bed: str, n: int, delta: float):
    """For all q: loss <= empirical loss + sqrt((chi^2(q || p) + 1) s / (2 floor(n/2))), s - log s = 1 - log delta."""
    supremum = conjugate_norm(gaps(bed, forall, draw, n=n), 2.0)
    return supremum, logarithmic_chi_square_bound(0.0, 0.0, sample_size=n, delta=delta)
