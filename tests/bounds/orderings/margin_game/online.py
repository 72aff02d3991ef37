"""Orderings between the bounds of `bounds.margin_game.online`."""

import math

from bounds.margin_game import online
from tests.bounds.orderings import COUNT, POSITIVE, SIZE, Span, equal, ordered

BOX = Span(0.0, 10.0)


@equal(d=POSITIVE, g=POSITIVE, rounds=COUNT)
def steps_of_the_lemma_give_its_regret(d, g, rounds):
    """Steps D / (G sqrt t) give the regret of the lemma."""
    return online.decreasing_step_regret(d, g, rounds, scale=d / g), online.online_ascent_regret(d, g, rounds)


@ordered(d=POSITIVE, g=POSITIVE, rounds=COUNT, scale=POSITIVE)
def no_scale_beats_the_best_regret(d, g, rounds, scale):
    """No scale does better than sqrt 2 D G / sqrt T."""
    return math.sqrt(2) * d * g / math.sqrt(rounds), online.decreasing_step_regret(d, g, rounds, scale=scale)


@equal(d=POSITIVE, g=POSITIVE, rounds=COUNT)
def best_scale_attains_the_best_regret(d, g, rounds):
    """The scale D / (sqrt 2 G) is the best one."""
    yield online.decreasing_step_regret(d, g, rounds, scale=d / (math.sqrt(2) * g))
    yield math.sqrt(2) * d * g / math.sqrt(rounds)


@ordered(box=BOX, n=SIZE, share=Span(0.0, 0.5))
def half_a_strategy_has_at_most_the_gradient_of_a_whole_one(box, n, share):
    return online.gradient_norm(box, n, int(share * n), mass=1), online.gradient_norm(box, n, int(share * n), mass=2)


@equal(box=BOX, n=SIZE)
def printed_gradient_norm_is_that_of_a_single_point_of_mass_one(box, n):
    """The printed gradient norm is that of mass 1 with a single point in the smaller class."""
    return online.printed_gradient_norm(box, n), online.gradient_norm(box, n, 1, mass=1)


@equal(box=BOX, n=SIZE, mass=(1, 2))
def one_class_alone_leaves_no_action_but_zero(box, n, mass):
    """One class alone leaves no action but zero: gradient sqrt n, diameter zero."""
    return online.gradient_norm(box, n, 0, mass=mass) + online.diameter(box, 0), math.sqrt(n)


@ordered(box=BOX, half=Span(1, 1000, "log", whole=True), mass=(1, 2))
def aligned_phases_reach_the_largest_gradient(box, half, mass):
    """Aligned phases with a = C reach s n C - 1 in each entry."""
    return math.sqrt(2 * half) * abs(1 - 2 * mass * half * box), online.gradient_norm(box, 2 * half, half, mass=mass)


@ordered(box=BOX, n=SIZE, share=Span(0.0, 0.5))
def diameter_is_at_most_the_printed_one(box, n, share):
    return online.diameter(box, int(share * n)), online.printed_diameter(box, n)


@equal(box=BOX, half=SIZE)
def balanced_classes_attain_the_printed_diameter(box, half):
    return online.diameter(box, half), online.printed_diameter(box, 2 * half)
