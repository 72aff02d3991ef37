"""Orderings between the bounds of `bounds.pac_bayes.landmark_union`."""

import math

from bounds.pac_bayes.kullback_leibler import first_order_kl_bound
from bounds.pac_bayes.landmark_union import landmark_kl_bound, selected_landmark_kl_bound
from tests.bounds.orderings import SIZE, Span, equal

DELTA = Span(1e-9, 0.9, "log")
KL = Span(1e-3, 1e3, "log")
COUNT = Span(1, 10**4, "log", whole=True)
UNION = {"sample_size": SIZE, "delta": DELTA, "inverse_temperature": Span(1e-2, 1e4, "log")}


@equal(kl=KL, **UNION)
def one_landmark_costs_nothing(kl, **o):
    return landmark_kl_bound(0.3, kl, landmarks=1, **o), first_order_kl_bound(0.3, kl, **o)


@equal(kl=KL, **UNION)
def one_landmark_outside_the_sample_is_one_inside_a_larger_one(kl, sample_size, **o):
    yield landmark_kl_bound(0.3, kl, landmarks=1, position="outside", sample_size=sample_size, **o)
    yield first_order_kl_bound(0.3, kl, sample_size=sample_size + 1, **o)


@equal(rtol=1e-11, kl=KL, count=COUNT, **UNION)
def selecting_landmarks_costs_log_n_more_than_fixing_them(kl, count, **o):
    yield selected_landmark_kl_bound(0.3, kl, settings=count, **o)
    yield landmark_kl_bound(0.3, kl, landmarks=count, **o) + math.log(o["sample_size"]) / o["inverse_temperature"]
