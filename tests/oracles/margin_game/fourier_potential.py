"""Slopes and changes from sums over pairs at the worst configuration, the bias from enumeration of samples."""

from fractions import Fraction
from math import comb


def cases():
    for n, radius in [(2, 1.5), (4, 1.0), (10, 0.25), (100, 3.0)]:
        yield "lipschitz_constant", (n, radius), {}, pair_sum(n, Fraction(radius))
        yield "printed_lipschitz_constant", (n, radius), {}, sum(2 * Fraction(radius) for _ in range(n * n))
    for bias, n in [(0.5, 1), (0.5, 2), (0.75, 3), (0.875, 6), (1.0, 4), (0.625, 9)]:
        ideal = (2 * Fraction(bias) - 1) ** 2
        yield "expected_potential", (float(ideal), n), {}, enumerated(Fraction(bias), n)
    for n, radius, order in [(2, 1.5, 1), (4, 1.0, 2), (10, 0.25, 3), (6, 2.0, 4), (100, 3.0, 1)]:
        yield "derivative_bound", (n, radius, order), {}, pair_sum(n, Fraction(radius), order)
    for n, bandwidth in [(1, 2.0), (2, 0.5), (6, 1.0), (50, 0.125)]:
        # d v / d x_i = 2 w Im(...), one term for each other point, at a right angle to all of them.
        others = sum((2 * Fraction(bandwidth) for _ in range(n - 1)), Fraction(0))
        yield "point_lipschitz_constant", (n, bandwidth), {}, others
        yield "printed_point_lipschitz_constant", (n, bandwidth), {}, others + 2 * Fraction(bandwidth)
        # n - 1 aligned terms and one that turns from +1 to -1; in print, a move by 2 R_x at the slope 2 n R_w.
        yield "replacement_change", (n,), {}, Fraction(n * n - (n - 2) ** 2, n * n)
        yield "printed_replacement_change", (bandwidth, n), {}, 2 * 2 * n * Fraction(bandwidth) / n**2


def pair_sum(n, radius, order=1):
    """sum_ij |u_i - u_j|^k for half of the points at each of +-R."""
    points = [radius] * (n // 2) + [-radius] * (n // 2)
    return sum(abs(a - b) ** order for a in points for b in points)


def enumerated(p, n):
    """E |mean of n signs|^2, P(+1) = p, over the binomial law; the potential at frequency zero."""
    terms = (comb(n, k) * p**k * (1 - p) ** (n - k) * Fraction(2 * k - n, n) ** 2 for k in range(n + 1))
    return sum(terms, Fraction(0))
