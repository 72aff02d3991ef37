"""Numbers and sizes of spherical harmonics against ranks of polynomials and scipy's harmonics."""

import itertools
import math

import numpy as np
import pytest
from scipy import special

from bounds.margin_game import sphere


@pytest.mark.parametrize(("dimension", "degree"), [(2, 3), (3, 0), (3, 3), (3, 5), (4, 3), (5, 2)])
def test_number_of_harmonics_is_a_rank(dimension: int, degree: int) -> None:
    """Polynomials of degree l on the sphere, modulo those of degree l - 2: the rank that the degree adds."""
    generator = np.random.default_rng(6)
    points = generator.normal(size=(400, dimension))
    points /= np.linalg.norm(points, axis=1, keepdims=True)

    def rank(order: int) -> int:
        if order < 0:
            return 0
        powers = [p for p in itertools.product(range(order + 1), repeat=dimension) if sum(p) == order]
        return int(np.linalg.matrix_rank(np.column_stack([np.prod(points**p, axis=1) for p in powers])))

    assert sphere.harmonic_dimension(dimension, degree) == rank(degree) - rank(degree - 2)


def test_no_point_exceeds_the_bound_and_a_pole_attains_it() -> None:
    """One sample: |Y|^2 at random points and at the pole, against N / |S^2|; above the printed 1 from degree 6 on."""
    generator = np.random.default_rng(7)
    polar, azimuth = generator.uniform(0, math.pi, 50), generator.uniform(0, 2 * math.pi, 50)
    for degree in (0, 1, 5, 6, 11):
        bound = sphere.harmonic_potential_bound(1.0, 3, degree)
        for order in range(-degree, degree + 1):
            assert np.all(np.abs(special.sph_harm_y(degree, order, polar, azimuth)) ** 2 <= bound * (1 + 1e-12))
        assert abs(special.sph_harm_y(degree, 0, 0.0, 0.0)) ** 2 == pytest.approx(bound)
        assert (bound > sphere.printed_harmonic_potential_bound(1.0)) == (degree >= 6)
