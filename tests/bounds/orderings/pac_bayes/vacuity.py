"""Orderings between the bounds of `bounds.pac_bayes.vacuity`."""

import math

from bounds.pac_bayes import vacuity
from bounds.pac_bayes.tuning import kl_bound_infimum
from tests.bounds.orderings import Span, equal, ordered

KL = Span(1e-3, 1e3, "log")
FORM = {"bound": ("second_order", "first_order", "averaged_first_order"), "delta": Span(1e-9, 0.9, "log")}


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


@ordered(kl=KL, **FORM, level=Span(0.1, 1.0))
def at_the_smallest_informative_sample_the_gap_is_below_the_level(kl, level, **form):
    enough = vacuity.smallest_informative_sample(divergence=kl, level=level, **form)
    return kl_bound_infimum(0.0, kl, sample_size=enough, **form), level


@ordered(kl=KL, **FORM, level=Span(0.1, 1.0))
def one_point_less_is_not_enough(kl, level, **form):
    fewer = vacuity.smallest_informative_sample(divergence=kl, level=level, **form) - 1
    return level, math.inf if fewer == 1 else kl_bound_infimum(0.0, kl, sample_size=fewer, **form)
