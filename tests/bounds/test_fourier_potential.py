"""Smoothness and bias of the Fourier potential, by attained extremes and exact enumeration."""

import itertools

import numpy as np
import pytest

from bounds.fourier_potential import expected_potential, lipschitz_constant, printed_lipschitz_constant


def potential_slope(points, labels, frequency):
    phases = np.exp(1j * points * frequency)
    total = (labels * phases).sum()
    return 2 * (np.conj(total) * 1j * (labels * points * phases).sum()).real


@pytest.mark.parametrize("n", [2, 6, 10])
def test_sharp_constant_is_attained_by_two_halves(n):
    """Half of the points at each of +-R with equal labels: max |v'| = n^2 R, so n^2 R cannot be lowered."""
    points = np.repeat([-1.5, 1.5], n // 2)
    slopes = [potential_slope(points, np.ones(n), w) for w in np.linspace(0, 4, 4001)]
    assert max(np.abs(slopes)) == pytest.approx(lipschitz_constant(n, 1.5), rel=1e-5)
    assert printed_lipschitz_constant(n, 1.5) == 2 * lipschitz_constant(n, 1.5)


def test_random_slopes_stay_below_the_sharp_constant():
    generator = np.random.default_rng(3)
    for n in (1, 3, 7):
        for _ in range(500):
            points = generator.uniform(-1, 1, n)
            labels = generator.choice([-1, 1], n)
            slope = abs(potential_slope(points, labels, generator.normal() * 3))
            assert slope <= lipschitz_constant(n, np.abs(points).max()) + 1e-12


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_bias_by_enumeration(n):
    """Three atoms of z = y exp(i w.x) with unequal masses: the exact mean over all 3^n samples."""
    atoms, masses = np.array([1.0, -np.exp(0.7j), np.exp(2.1j)]), np.array([0.5, 0.2, 0.3])
    ideal = abs(masses @ atoms) ** 2
    mean = 0.0
    for sample in itertools.product(range(3), repeat=n):
        mean += np.prod(masses[list(sample)]) * abs(atoms[list(sample)].sum()) ** 2 / n**2
    assert expected_potential(ideal, n) == pytest.approx(mean, rel=1e-13)
