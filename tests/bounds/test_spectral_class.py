"""Complexity of spectral classes by enumeration of signs."""

import itertools

import mpmath
import numpy as np
import pytest

from bounds.complexity.spectral_class import (
    printed_spectral_complexity,
    spectral_complexity,
)


def complexity(points: np.ndarray, bandwidth: float) -> float:
    """(1/n) E sup |sum sigma exp(i w x)| over a grid of frequencies with both ends and zero: from below."""
    n = len(points)
    signs = np.array(list(itertools.product([1], *[[-1, 1]] * (n - 1))))
    waves = np.exp(1j * np.outer(points, np.linspace(-bandwidth, bandwidth, 401)))
    return float(np.abs(signs @ waves).max(-1).mean() / n)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_both_branches_cover_the_exact_complexity(n: int) -> None:
    """Random and extreme points in [-1, 1], phases from .01 to 6; one point attains the trivial branch."""
    generator = np.random.default_rng(n)
    for r in (0.01, 0.1, 0.3, 1.0, 3.0, 6.0):
        for points in (np.resize([-1.0, 1.0], n), np.linspace(-1, 1, n), generator.uniform(-1, 1, n)):
            assert complexity(points, r) <= spectral_complexity(r, 1.0, n) * (1 + 1e-12)
    assert spectral_complexity(5.0, 4.0, 1) == 2.0


def test_the_printed_complexity_is_too_small_for_small_phases() -> None:
    """Two points at +-R: (1 + sin r) / 2 against 3 r / sqrt 2, ratios 23.8, 2.59, 1.18, 1.02; never for r >= 1/3."""
    ends = np.array([-1.0, 1.0])
    ratios = [complexity(ends, r) / printed_spectral_complexity(r, 1.0, 2) for r in (0.01, 0.1, 0.25, 0.3, 1 / 3)]
    assert ratios[:4] == pytest.approx([23.8, 2.59, 1.18, 1.02], rel=5e-3)
    assert ratios[4] < 1


@pytest.mark.parametrize("mass", [1e-300, 2.0**-1000, 1e300])
def test_a_mass_that_the_sample_makes_subnormal_keeps_its_digits(mass):
    """sqrt(R / n) for R / n = 1e-318 has five digits."""
    n = 10**18
    expected = 3 * float(mpmath.sqrt(mpmath.mpf(mass) / n))
    assert printed_spectral_complexity(1.0, mass, n) == pytest.approx(expected, rel=1e-14)
