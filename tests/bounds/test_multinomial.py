"""Box probabilities against exact enumeration in rational arithmetic and against binomial tails."""

import itertools
import math
from fractions import Fraction

import pytest
from scipy.stats import binom

from bounds.random_features.multinomial import multinomial_box_probability, uniform_deviation_probability


def enumerated(count: int, weights: list[Fraction], lower: list[int], upper: list[int]) -> float:
    total = Fraction(0)
    for box in itertools.product(*(range(a, b + 1) for a, b in zip(lower, upper, strict=True))):
        if sum(box) == count:
            term = Fraction(math.factorial(count))
            for k, p in zip(box, weights, strict=True):
                term *= p**k / math.factorial(k)
            total += term
    return float(total)


@pytest.mark.parametrize(
    ("count", "weights", "lower", "upper"),
    [
        (6, [1, 1, 1], [0, 1, 2], [3, 4, 6]),
        (7, [1, 2, 3, 4], [0, 0, 1, 2], [2, 7, 3, 5]),
        (5, [1, 0, 1], [0, 0, 0], [5, 5, 2]),
        (5, [1, 0, 1], [0, 1, 0], [5, 5, 5]),
        (0, [1, 1], [0, 0], [0, 3]),
        (4, [1], [0], [4]),
        (4, [1, 1], [0, 0], [1, 2]),
        (4, [1, 1], [3, 2], [4, 4]),
    ],
)
def test_is_the_enumerated_probability(count: int, weights: list[int], lower: list[int], upper: list[int]) -> None:
    """Unequal cells, an impossible cell, an empty sample, one cell, sums that cannot be reached."""
    shares = [Fraction(w, sum(weights)) for w in weights]
    ours = multinomial_box_probability(count, [float(p) for p in shares], lower, upper)
    assert ours == pytest.approx(enumerated(count, shares, lower, upper), rel=1e-12, abs=1e-14)


def test_two_cells_are_a_binomial() -> None:
    ours = multinomial_box_probability(10_000, [0.3, 0.7], [2900, 0], [3100, 10_000])
    exact = binom.cdf(3100, 10_000, 0.3) - binom.cdf(2899, 10_000, 0.3)
    assert ours == pytest.approx(exact, abs=1e-11)


def test_uniform_deviation_counts_the_boundary_as_inside() -> None:
    """N = 2, s = 10, deviation 0.2: counts 4, 5 and 6 are allowed although 0.6 * 10 is not exact in binary."""
    allowed = sum(math.comb(10, k) for k in (4, 5, 6)) / 2**10
    assert uniform_deviation_probability(10, 2, 0.2) == pytest.approx(1 - allowed, abs=1e-13)
    assert uniform_deviation_probability(10, 1, 0.0) == pytest.approx(0.0, abs=1e-13)
    assert uniform_deviation_probability(3, 2, 0.1) == 1.0
