"""Orderings between the bounds of `bounds.pac_bayes.kullback_leibler`."""

import math

from bounds.pac_bayes.kullback_leibler import (
    averaged_first_order_kl_bound,
    first_order_kl_bound,
    printed_averaged_first_order_kl_bound,
    printed_first_order_kl_bound,
    printed_second_order_kl_bound,
    second_order_kl_bound,
)
from tests.bounds.orderings import DELTA, SIZE, Span, equal, ordered

KL_BOUNDS = (first_order_kl_bound, averaged_first_order_kl_bound, second_order_kl_bound)
PRINTED = (printed_first_order_kl_bound, printed_averaged_first_order_kl_bound, printed_second_order_kl_bound)
DIVERGENCE = Span(1e-3, 1e3, "log")
KL = {"kl": DIVERGENCE, "sample_size": SIZE, "delta": DELTA, "inverse_temperature": Span(1e-3, 1e4, "log")}


@ordered(**KL, pair=tuple(zip(KL_BOUNDS, PRINTED, strict=True)))
def kl_bounds_are_at_most_the_printed_ones(kl, pair, **o):
    return tuple(bound(0.0, kl, **o) for bound in pair)


@equal(**KL)
def second_order_bound_is_the_first_order_one_with_one_more_point(kl, sample_size, **o):
    """Theorem 3 on n points is Theorem 1 on n + 1, as printed."""
    yield printed_second_order_kl_bound(0.0, kl, sample_size=sample_size, **o)
    yield printed_first_order_kl_bound(0.0, kl, sample_size=sample_size + 1, **o)


@equal(**KL | {"sample_size": (2,)})
def first_and_second_order_agree_on_two_points(kl, **o):
    """Two points are one pair."""
    return first_order_kl_bound(0.0, kl, **o), second_order_kl_bound(0.0, kl, **o)


@equal(**KL, family=(KL_BOUNDS, PRINTED))
def averaged_bound_is_twice_the_first_order_one_by_a_union(kl, family, sample_size, delta, **o):
    """Corollary 2 is twice Theorem 1 at delta / (n + 1)."""
    yield family[1](0.0, kl, sample_size=sample_size, delta=delta, **o)
    yield 2 * family[0](0.0, kl, sample_size=sample_size, delta=delta / (sample_size + 1), **o)


@ordered(**KL, family=(KL_BOUNDS, PRINTED))
def corollary_2_is_worse_than_theorem_3(kl, family, **o):
    return family[2](0.0, kl, **o), family[1](0.0, kl, **o)


@ordered(**KL)
def no_temperature_beats_the_infimum(kl, **o):
    """No temperature does better than sqrt(2 (KL + log 1/delta) / n) in Theorem 3."""
    yield math.sqrt(2 * (kl + math.log(1 / o["delta"])) / o["sample_size"])
    yield printed_second_order_kl_bound(0.0, kl, **o)


@equal(kl=DIVERGENCE, n=SIZE, delta=DELTA)
def best_temperature_attains_the_infimum(kl, n, delta):
    """The best temperature attains sqrt(2 (KL + log 1/delta) / n) in Theorem 3."""
    best = math.sqrt(2 * n * (kl + math.log(1 / delta)))
    return printed_second_order_kl_bound(0.0, kl, sample_size=n, delta=delta, inverse_temperature=best), best / n


@equal(
    loss=Span(0.0, 1.0),
    **KL | {"delta": (0.1,), "inverse_temperature": Span(1.0, 1e3, "log")},
    bound=KL_BOUNDS + PRINTED,
)
def kl_bounds_are_the_empirical_loss_plus_a_gap(loss, kl, bound, **o):
    return bound(loss, kl, **o), loss + bound(0.0, kl, **o)
