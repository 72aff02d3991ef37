"""Orderings between the bounds of `bounds.pac_bayes.vacuity`."""

import itertools
import math
from typing import Any

from bounds.pac_bayes import vacuity
from bounds.pac_bayes.tuning import kl_bound_infimum
from tests.bounds.orderings import Span, equal, ordered

KL = Span(1e-3, 1e3, "log")
DELTA = Span(1e-9, 0.9, "log")
FORMS = tuple(itertools.product(("second_order", "first_order", "averaged_first_order"), ("printed", "improved")))


def _smallest(kl: float, form: tuple[Any, Any], delta: float, level: float) -> int:
    return vacuity.smallest_informative_sample(bound=form[0], constant=form[1], delta=delta, divergence=kl, level=level)


def _infimum(loss: float, kl: float, form: tuple[Any, Any], n: int, delta: float) -> float:
    return float(kl_bound_infimum(loss, kl, bound=form[0], constant=form[1], sample_size=n, delta=delta))


@equal(atol=1e-15, share=Span(0.0, 1.0))
def constant_kernel_has_the_chance_that_two_labels_differ(share):
    """For two classes the constant kernel has the chance that two labels differ."""
    return vacuity.uninformed_alignment_loss([share, 1 - share]), 2 * share * (1 - share)


@equal(classes=Span(2, 1000, "log", whole=True))
def largest_loss_is_that_of_constant_inputs(classes):
    """The largest loss of many classes is the loss of constant inputs, one minus the chance that labels agree."""
    return vacuity.largest_alignment_loss(classes), 1 - sum([classes**-2.0] * classes)


@equal(classes=Span(1, 1000, "log", whole=True), value=Span(0.0, 2.0))
def margin_and_the_bound_add_to_the_largest_loss(classes, value):
    return vacuity.informative_margin(value, classes=classes) + value, vacuity.largest_alignment_loss(classes)


@ordered(kl=KL, form=FORMS, delta=DELTA, level=Span(0.1, 1.0))
def at_the_smallest_informative_sample_the_gap_is_below_the_level(kl, form, delta, level):
    return _infimum(0.0, kl, form, _smallest(kl, form, delta, level), delta), level


@ordered(kl=KL, form=FORMS, delta=DELTA, level=Span(0.1, 1.0))
def one_point_less_is_not_enough(kl, form, delta, level):
    yield level
    yield (
        _infimum(0.0, kl, form, max(2, _smallest(kl, form, delta, level) - 1), delta)
        + (math.inf if _smallest(kl, form, delta, level) == 2 else 0)
    )
