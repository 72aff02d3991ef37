"""Orderings between the bounds of `bounds.margin_game.sphere`."""

import math

from bounds.margin_game import sphere
from tests.bounds.orderings import POSITIVE, Span, equal

DIMENSION = Span(2, 40, whole=True)
DEGREE = Span(0, 60, whole=True)


@equal(degree=DEGREE)
def harmonics_on_the_sphere_of_space(degree):
    """On the sphere of R^3 there are 2 l + 1 harmonics of degree l."""
    return sphere.harmonic_dimension(3, degree), 2 * degree + 1


@equal(dimension=DIMENSION, degree=DEGREE)
def one_degree_more_adds_the_harmonics_of_one_variable_less(dimension, degree):
    """Harmonics of degree l in d + 1 variables: one degree more, by those of degree l in d."""
    yield sphere.harmonic_dimension(dimension + 1, degree + 1) - sphere.harmonic_dimension(dimension + 1, degree)
    yield sphere.harmonic_dimension(dimension, degree + 1)


@equal(dimension=DIMENSION, degree=(0, 1, 2))
def print_agrees_up_to_degree_two(dimension, degree):
    return sphere.printed_harmonic_dimension(dimension, degree), sphere.harmonic_dimension(dimension, degree)


@equal(dimension=DIMENSION)
def areas_two_dimensions_apart_have_a_simple_ratio(dimension):
    """Areas two dimensions apart differ by the factor 2 pi / d."""
    return sphere.surface_area(dimension + 2), sphere.surface_area(dimension) * 2 * math.pi / dimension


@equal(mass=POSITIVE, dimension=DIMENSION)
def constant_harmonic_has_the_printed_bound_over_the_area(mass, dimension):
    yield sphere.harmonic_potential_bound(mass, dimension, 0) * sphere.surface_area(dimension)
    yield sphere.printed_harmonic_potential_bound(mass)
