"""Orderings between the bounds of `bounds.divergence_ball.moments`."""

import math

from bounds.divergence_ball import moments
from tests.bounds.orderings import COUNT, POSITIVE, Span, equal, ordered

POWER = Span(1.0, 12.0)
HIGH = Span(2.0, 12.0)


@ordered(norm=POSITIVE, relative=POSITIVE, n=COUNT, power=HIGH)
def one_line_form_is_at_most_the_printed_bound(norm, relative, n, power):
    """The one-line form, or the trivial A, is at most the printed bound for p >= 2."""
    yield min(norm, moments.power_mean_deficit(norm, relative * norm ** (2 * power), n, power=power))
    yield moments.high_power_deficit(norm, relative * norm ** (2 * power), n, power=power)


@equal(norm=POSITIVE, relative=POSITIVE, power=HIGH)
def printed_bound_on_many_points_is_a_multiple_of_the_one_line_form(norm, relative, power):
    """With many points the printed 1/n branch is 2 f times the one-line form."""
    yield moments.high_power_deficit(norm, relative * norm ** (2 * power), 10**6, power=power)
    yield 2 * (power - 1) / power * moments.power_mean_deficit(norm, relative * norm ** (2 * power), 10**6, power=power)


@equal(norm=POSITIVE, n=COUNT, factor=Span(4.0, 100.0))
def printed_bounds_differ_by_root_two_for_power_two(norm, n, factor):
    """For p = 2, ||Z||_2 = A and a variance beyond n A^4, the printed bounds differ by sqrt 2."""
    yield math.sqrt(2) * moments.low_power_deficit(norm, factor * n * norm**4, norm, n, power=2)
    yield moments.high_power_deficit(norm, factor * n * norm**4, n, power=2)


@ordered(bound=POSITIVE, n=COUNT, power=HIGH)
def bounded_one_line_form_is_at_most_the_printed_bound(bound, n, power):
    """Bounded variables: the one-line consequence is at most the printed bound for p >= 2."""
    yield moments.bounded_power_mean_deficit(bound, n, power=power)
    yield moments.bounded_high_power_deficit(bound, n, power=power)


@equal(bound=POSITIVE, n=COUNT)
def bounded_one_line_form_is_the_printed_one_for_power_two(bound, n):
    """Bounded variables, p = 2: the one-line consequence is the printed C / sqrt(2 n)."""
    return moments.bounded_power_mean_deficit(bound, n, power=2), moments.bounded_low_power_deficit(bound, n, power=2)


@ordered(share=Span(1e-3, 1.0, "log"), n=COUNT, power=POWER)
def bounded_one_line_form_covers_every_norm(share, n, power):
    """Bounded variables: the consequence covers the one-line form and the trivial A at every norm."""
    yield min(share, moments.power_mean_deficit(share, share**power, n, power=power))
    yield moments.bounded_power_mean_deficit(1.0, n, power=power)


@equal(moment=POSITIVE, double=POSITIVE)
def intermediate_moments_interpolate_geometrically(moment, double):
    """The moment at both ends is the given one, and half-way their geometric mean."""
    at = {ratio: moments.intermediate_moment_bound(moment, double, ratio=ratio) for ratio in (1, 1.5, 2)}
    return at[1] * at[2] * at[1.5] ** 2, (moment * double) ** 2
