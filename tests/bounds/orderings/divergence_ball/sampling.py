"""Orderings between the bounds of `bounds.divergence_ball.sampling`."""

import math

from bounds.divergence_ball import sampling
from tests.bounds.orderings import COUNT, DELTA, ORDER, RHO, Span, equal, ordered

HALF = Span(0.1, 3.0)


def _slope_root(rho: float, order: float) -> float:
    """c with (1 + rho)^(1/k) ((c - 1) / (c + 1))^(1/(k-1)) = 1."""
    share = (1 + rho) ** (-(order - 1) / order)
    return float((1 + share) / (1 - share))


@ordered(rho=RHO, order=ORDER)
def constant_of_any_order_is_at_most_that_of_order_two(rho, order):
    """C_{rho,k} is at most C_rho."""
    return sampling.c_rho_order(rho, order=order), sampling.c_rho(rho)


@equal(rho=RHO)
def constant_of_order_two_is_the_one_without_an_order(rho):
    """C_{rho,2} is C_rho."""
    return sampling.c_rho_order(rho, order=2), sampling.c_rho(rho)


@ordered(rho=RHO)
def c_rho_is_at_least_eight_and_at_least_d_rho(rho):
    """C_rho is at least 8, at rho = 3 exactly, and at least D_rho / sqrt 2."""
    return max(sampling.c_rho(3.0), sampling.d_rho(rho) / math.sqrt(2)), sampling.c_rho(rho)


@equal(rho=RHO, order=ORDER)
def constant_of_an_order_follows_from_the_dual_threshold(rho, order):
    """C_{rho,k} is (1 + rho)^(1/k) (1 + c)."""
    yield sampling.c_rho_order(rho, order=order)
    yield (1 + rho) ** (1 / order) * (1 + sampling.dual_threshold_bound(rho, order=order))


@equal(rtol=1e-10, rho=Span(1e-3, 1e3, "log"), order=Span(2.0, 10.0))
def at_the_end_of_its_interval_the_dual_printed_slope_vanishes(rho, order):
    return _slope_root(rho, order), sampling.dual_threshold_bound(rho, order=order)


@ordered(half=HALF, rho=RHO, count=COUNT, order=ORDER)
def sharp_gap_is_at_most_the_printed_one(half, rho, count, order):
    """The sharp gap is at most M sqrt(rho' / N), and that at most the printed one."""
    yield sampling.expected_supremum_gap(half, rho, count, order=order)
    yield min(half * math.sqrt(rho / count), sampling.printed_expected_supremum_gap(half, rho, count))


@equal(half=HALF, count=Span(1, 1000, "log", whole=True))
def sharp_gap_is_attained_by_rare_largest_values(half, count):
    """The sharp gap is attained by rare largest values: 2 M (1 - 1/(2N))^N at rho = 2N - 1."""
    return sampling.expected_supremum_gap(half, 2 * count - 1, count), 2 * half * (1 - 0.5 / count) ** count


@ordered(count=COUNT)
def binomial_deviations_shrink_to_their_limit(count):
    """Binomial deviations shrink, in standard deviations, as the sample grows, to sqrt(2 / e)."""
    yield max(sampling.binomial_deviation_constant(count + 1), math.sqrt(2 / math.e))
    yield sampling.binomial_deviation_constant(count)


@equal(rtol=1e-10, half=HALF, lipschitz=Span(0.01, 10.0, "log"), delta=DELTA)
def convex_deviation_inverts_its_tail(half, lipschitz, delta):
    """A deviation inverts the tail 2 exp(-t^2 / (8 L^2 M^2))."""
    relative = sampling.convex_deviation(half, lipschitz=lipschitz, delta=delta) / (half * lipschitz)
    return 2 * math.exp(-(relative**2) / 8), delta


@equal(half=HALF, rho=RHO, count=COUNT, delta=DELTA)
def deviation_of_a_supremum_in_full(half, rho, count, delta):
    """The deviation of a supremum is D_rho M sqrt(log(2 / delta) / N)."""
    yield sampling.supremum_deviation(half, rho, count, delta=delta)
    yield sampling.d_rho(rho) * half * math.sqrt(math.log(2 / delta) / count)
