"""Slopes from sums over pairs at the worst configuration, the bias from enumeration of samples."""

from fractions import Fraction
from math import comb


def cases():
    for n, radius in [(2, 1.5), (4, 1.0), (10, 0.25), (100, 3.0)]:
        yield "lipschitz_constant", (n, radius), {}, pair_sum(n, Fraction(radius))
        yield "printed_lipschitz_constant", (n, radius), {}, sum(2 * Fraction(radius) for _ in range(n * n))
    for bias, n in [(0.5, 1), (0.5, 2), (0.75, 3), (0.875, 6), (1.0, 4), (0.625, 9)]:
        ideal = (2 * Fraction(bias) - 1) ** 2
        yield "expected_potential", (float(ideal), n), {}, enumerated(Fraction(bias), n)


def pair_sum(n, radius):
    """sum_ij |u_i - u_j| for half of the points at each of +-R."""
    points = [radius] * (n // 2) + [-radius] * (n // 2)
    return sum(abs(a - b) for a in points for b in points)


def enumerated(p, n):
    """E |mean of n signs|^2, P(+1) = p, over the binomial law; the potential at frequency zero."""
    terms = (comb(n, k) * p**k * (1 - p) ** (n - k) * Fraction(2 * k - n, n) ** 2 for k in range(n + 1))
    return sum(terms, Fraction(0))
