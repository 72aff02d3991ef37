"""Smoothness and bias of the Fourier potential, by attained extremes and exact enumeration."""

import itertools
import math

import numpy as np
import pytest

from bounds.margin_game import fourier_potential


def potential_slope(points, labels, frequency):
    phases = np.exp(1j * points * frequency)
    total = (labels * phases).sum()
    return 2 * (np.conj(total) * 1j * (labels * points * phases).sum()).real


@pytest.mark.parametrize("n", [2, 6, 10])
def test_sharp_constant_is_attained_by_two_halves(n):
    """Half of the points at each of +-R with equal labels: max |v'| = n^2 R, so n^2 R cannot be lowered."""
    points = np.repeat([-1.5, 1.5], n // 2)
    slopes = [potential_slope(points, np.ones(n), w) for w in np.linspace(0, 4, 4001)]
    assert max(np.abs(slopes)) == pytest.approx(fourier_potential.lipschitz_constant(n, 1.5), rel=1e-5)
    assert fourier_potential.printed_lipschitz_constant(n, 1.5) == 2 * fourier_potential.lipschitz_constant(n, 1.5)


def test_random_slopes_stay_below_the_sharp_constant():
    generator = np.random.default_rng(3)
    for n in (1, 3, 7):
        for _ in range(500):
            points = generator.uniform(-1, 1, n)
            labels = generator.choice([-1, 1], n)
            slope = abs(potential_slope(points, labels, generator.normal() * 3))
            assert slope <= fourier_potential.lipschitz_constant(n, np.abs(points).max()) + 1e-12


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_bias_by_enumeration(n):
    """Three atoms of z = y exp(i w.x) with unequal masses: the exact mean over all 3^n samples."""
    atoms, masses = np.array([1.0, -np.exp(0.7j), np.exp(2.1j)]), np.array([0.5, 0.2, 0.3])
    ideal = abs(masses @ atoms) ** 2
    mean = 0.0
    for sample in itertools.product(range(3), repeat=n):
        mean += np.prod(masses[list(sample)]) * abs(atoms[list(sample)].sum()) ** 2 / n**2
    assert fourier_potential.expected_potential(ideal, n) == pytest.approx(mean, rel=1e-13)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_one_point_moves_the_potential_at_most_so_fast(n):
    """2 (n - 1) |w| is attained at a right angle to n - 1 aligned terms, and exceeded nowhere."""
    generator = np.random.default_rng(n)
    frequency, largest = 1.7, 0.0
    for _ in range(300):
        points, labels = generator.uniform(-1, 1, n), generator.choice([-1, 1], n)
        total = (labels * np.exp(1j * frequency * points)).sum()
        slope = 2 * (np.conj(total) * 1j * frequency * labels[0] * np.exp(1j * frequency * points[0])).real
        largest = max(largest, abs(slope))
    assert largest <= fourier_potential.point_lipschitz_constant(n, frequency) + 1e-12
    aligned = (n - 1) * 2 * frequency * math.sin(math.pi / 2)
    assert fourier_potential.point_lipschitz_constant(n, frequency) == pytest.approx(aligned)
    assert fourier_potential.printed_point_lipschitz_constant(n, frequency) * (n - 1) == pytest.approx(n * aligned)


def test_a_replaced_label_changes_more_than_print_allows():
    """Six aligned points, one label flipped: 36 to 16, whatever the phases. The point alone obeys 4 R_x R_w / n."""
    flipped = (36 - 16) / 36
    assert flipped == fourier_potential.replacement_change(6)
    assert flipped > fourier_potential.printed_replacement_change(0.1, 6)
    generator = np.random.default_rng(8)
    for _ in range(500):
        terms, other = generator.choice([-1, 1], 6) * np.exp(1j * generator.uniform(-0.1, 0.1, 6)), np.exp(-0.1j)
        moved = terms.copy()
        moved[0] = np.sign(terms[0].real) * other
        change = abs(abs(terms.sum()) ** 2 - abs(moved.sum()) ** 2) / 36
        assert change <= fourier_potential.printed_replacement_change(0.1, 6)
        moved[0] = -moved[0]
        assert (
            abs(abs(terms.sum()) ** 2 - abs(moved.sum()) ** 2) / 36 <= fourier_potential.replacement_change(6) + 1e-12
        )


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_derivatives_of_the_potential(order):
    """k-th derivative as a sum over pairs: two halves attain the bound, random points stay below."""
    generator = np.random.default_rng(order)
    grid = np.linspace(0, 4, 2001)

    def largest(points, labels):
        gaps = np.subtract.outer(points, points).ravel()
        waves = np.outer(labels, labels).ravel() * (1j * gaps) ** order
        return np.abs(np.exp(1j * np.outer(grid, gaps)) @ waves).max()

    assert largest(np.resize([-1.5, 1.5], 6), np.ones(6)) == pytest.approx(
        fourier_potential.derivative_bound(6, 1.5, order), rel=1e-4
    )
    for _ in range(20):
        points, labels = generator.uniform(-1.5, 1.5, 5), generator.choice([-1, 1], 5)
        assert largest(points, labels) <= fourier_potential.derivative_bound(5, 1.5, order)
