"""Orderings between the bounds of `bounds.complexity.rademacher`."""

import itertools
import math

from bounds.complexity import rademacher
from tests.bounds.orderings import COUNT, RHO, Span, equal, ordered

HALF = Span(0.1, 3.0)
TRACE = Span(1e-6, 1e6, "log")


LADDER = (
    rademacher.divergence_ball_complexity,
    rademacher.fourth_moment_divergence_ball_complexity,
    rademacher.printed_divergence_ball_complexity,
)


@ordered(radius=HALF, rho=RHO, n=COUNT, pair=tuple(itertools.pairwise(LADDER)))
def complexities_are_ordered_from_sharp_to_printed(radius, rho, n, pair):
    """The sharp complexity is at most the fourth-moment one, and that at most the printed one."""
    return tuple(bound(radius, rho, n) for bound in pair)


@equal(radius=HALF, rho=RHO, n=COUNT)
def one_point_or_no_ball_has_the_trivial_complexity(radius, rho, n):
    """One point, or no ball: the trivial B / sqrt n."""
    yield rademacher.divergence_ball_complexity(radius, rho, 1) + rademacher.divergence_ball_complexity(radius, 0.0, n)
    yield radius + radius / math.sqrt(n)


@equal(radius=HALF, rho=RHO)
def khinchine_gives_the_fourth_moment_of_many_signs(radius, rho):
    """By Khinchine's inequality for k = 2: the fourth moment of many signs."""
    yield rademacher.khinchine_divergence_ball_complexity(radius, rho, 10**15, order=2)
    yield rademacher.fourth_moment_divergence_ball_complexity(radius, rho, 10**15)


@equal(rtol=1e-8, radius=HALF, rho=RHO, n=COUNT)
def huge_orders_leave_the_variance_alone(radius, rho, n):
    """For huge orders only the variance is left: B / sqrt n."""
    return rademacher.khinchine_divergence_ball_complexity(radius, rho, n, order=1e10), radius / math.sqrt(n)


@equal(trace=TRACE, n=COUNT)
def convention_with_factor_two_doubles_the_printed_complexity(trace, n):
    return rademacher.unit_ball_complexity(trace, n), 2 * rademacher.printed_unit_ball_complexity(trace, n)


@equal(trace=TRACE, n=COUNT)
def doubling_values_and_points_divides_by_root_two(trace, n):
    """Doubling kernel values and points alike leaves 1 / sqrt 2 of the complexity."""
    return rademacher.unit_ball_complexity(2 * trace, 2 * n), rademacher.unit_ball_complexity(trace, n) / math.sqrt(2)


@equal(trace=TRACE)
def one_point_has_the_root_of_its_kernel_value(trace):
    """One point with k(x, x) = c has complexity E |2 sigma| sqrt c."""
    return rademacher.unit_ball_complexity(trace, 1), 2 * math.sqrt(trace)
