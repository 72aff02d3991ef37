"""Orderings between the bounds of `bounds.margin_game.fourier_potential`."""

from bounds.margin_game import fourier_potential
from tests.bounds.orderings import POSITIVE, SIZE, Span, equal, ordered

IDEAL = Span(0.0, 1.0)


@equal(n=SIZE, radius=POSITIVE)
def printed_lipschitz_constant_is_twice_the_best_one(n, radius):
    return fourier_potential.printed_lipschitz_constant(n, radius), 2 * fourier_potential.lipschitz_constant(n, radius)


@equal(radius=POSITIVE)
def slope_of_two_points_is_exact(radius):
    """Two points at distance 2 R: v = 2 + 2 cos(2 R w) has slope at most 4 R."""
    return fourier_potential.lipschitz_constant(2, radius), 4 * radius


@ordered(ideal=IDEAL, n=SIZE)
def diagonal_biases_upwards(ideal, n):
    return ideal, fourier_potential.expected_potential(ideal, n)


@equal(ideal=IDEAL)
def one_sample_has_potential_1(ideal):
    return fourier_potential.expected_potential(ideal, 1), 1.0


@equal(rtol=1e-12, ideal=Span(0.01, 1.0))
def bias_vanishes_as_n_grows(ideal):
    return fourier_potential.expected_potential(ideal, 1e15), ideal


@equal(n=SIZE, radius=POSITIVE)
def first_derivative_bound_is_the_lipschitz_constant(n, radius):
    return fourier_potential.derivative_bound(n, radius, 1), fourier_potential.lipschitz_constant(n, radius)


@equal(n=SIZE, radius=Span(1e-2, 1e2, "log"), order=Span(1, 8, whole=True))
def each_derivative_costs_a_diameter(n, radius, order):
    yield fourier_potential.derivative_bound(n, radius, order + 1)
    yield 2 * radius * fourier_potential.derivative_bound(n, radius, order)


@equal(n=SIZE, bandwidth=POSITIVE)
def printed_slope_in_one_point_counts_the_point_itself_too(n, bandwidth):
    yield fourier_potential.printed_point_lipschitz_constant(n, bandwidth) * (n - 1)
    yield fourier_potential.point_lipschitz_constant(n, bandwidth) * n


@equal(n=SIZE, radius=POSITIVE, bandwidth=POSITIVE)
def printed_change_crosses_the_ball_at_the_printed_slope(n, radius, bandwidth):
    """The printed change is that of a point which crosses the ball at the printed slope."""
    yield fourier_potential.printed_replacement_change(radius * bandwidth, n)
    yield 2 * radius * fourier_potential.printed_point_lipschitz_constant(n, bandwidth) / n**2


@ordered(n=SIZE)
def one_sample_changes_little(n):
    return fourier_potential.replacement_change(n), min(1.0, 4 / n)
