"""Orderings between the bounds of `bounds.margin_game.value`."""

from bounds.margin_game.value import (
    margin_ratio_loss,
    printed_margin_ratio_loss,
    printed_weak_learner_value,
    value_lower_bound,
    weak_learner_value,
)
from tests.bounds.orderings import COUNT, POSITIVE, SIZE, Span, equal, ordered

GAP = Span(0.0, 2.0)
BOX = Span(1e-3, 10.0, "log")


@equal(atol=1e-12, total=Span(0.0, 1.0))
def value_is_at_least_one_half_once_the_weights_may_sum_to_one(total):
    """No measure is worth less than one half once the weights may sum to one."""
    return value_lower_bound(1.0) - value_lower_bound(total), (1 - total) ** 2 / 2


@equal(box=BOX, n=SIZE, rounds=COUNT, gap=GAP)
def printed_margin_loss_carries_the_whole_peak_gap(box, n, rounds, gap):
    """The printed loss of margin carries the whole peak gap, the value half of it."""
    return printed_margin_ratio_loss(box, n, rounds, peak_gap=gap), printed_weak_learner_value(gap, box, n, rounds)


@equal(gap=GAP, value=POSITIVE)
def reciprocal_margin_loses_twice_as_much_as_the_geometric_one(gap, value):
    return margin_ratio_loss(gap, value, margin="reciprocal"), 2 * margin_ratio_loss(gap, value, margin="geometric")


@ordered(atol=1e-12, gap=GAP, value=POSITIVE)
def geometric_margin_is_at_least_one_minus_the_bound(gap, value):
    """The geometric margin (1 + gap / F*)^(-1/2) is at least one minus the bound."""
    return 1 - (1 + gap / value) ** -0.5, margin_ratio_loss(gap, value, margin="geometric")


@equal(weight_sum=POSITIVE, peak=GAP, regret=GAP)
def peak_found_earns_half_of_its_height(weight_sum, peak, regret):
    return weak_learner_value(weight_sum + peak / 2, peak, regret), weight_sum + regret
