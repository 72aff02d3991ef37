"""Harmonics counted by degrees of freedom and by the heat of generating functions; areas by slicing."""

from fractions import Fraction
from math import factorial

from mpmath import gamma, legendre, mpf, pi, quad, sqrt

SPHERES = [(2, 0), (2, 1), (2, 5), (3, 0), (3, 2), (3, 3), (3, 31), (4, 1), (4, 6), (7, 4), (10, 12)]


def cases():
    for d, degree in SPHERES:
        yield "harmonic_dimension", (d, degree), {}, Fraction(monomials(d, degree) - monomials(d, degree - 2))
        printed = Fraction(binomial(d, degree, degree) - binomial(d, degree, degree - 2))
        yield "printed_harmonic_dimension", (d, degree), {}, printed
    for d in (2, 3, 4, 5, 8, 21):
        yield "surface_area", (d,), {}, area(d)
    for mass, d, degree in [(1.0, 3, 6), (2.5, 3, 11), (0.5, 2, 4), (3.0, 4, 5), (1.0, 3, 0)]:
        yield "harmonic_potential_bound", (mass, d, degree), {}, mpf(mass) ** 2 * peak(d, degree)
        yield "printed_harmonic_potential_bound", (mass,), {}, mpf(mass) * mpf(mass)


def monomials(d, degree):
    """Number of monomials of one degree in d variables, from the coefficients of (1 - z)^(-d)."""
    if degree < 0:
        return 0
    row = [1] + [0] * degree
    for _ in range(d):
        for k in range(1, degree + 1):
            row[k] += row[k - 1]
    return row[degree]


def binomial(d, degree, lower):
    """binom(d - 1 + l, lower) by factorials, zero for a negative lower index."""
    top = d - 1 + degree
    return factorial(top) // (factorial(lower) * factorial(top - lower)) if lower >= 0 else 0


def area(d):
    """From the integral of exp(-|x|^2) over R^d, by radius."""
    return sqrt(pi) ** d / (gamma(mpf(d) / 2) / 2)


def peak(d, degree):
    """Value at the pole of the squared harmonic of the height alone, normalised by an integral over heights."""
    if d == 2:
        return (1 if degree else mpf(1) / 2) / pi  # cos(l phi)^2 / pi
    if d == 3:
        return 1 / (2 * pi * quad(lambda t: legendre(degree, t) ** 2, [-1, 0, 1]))
    # d = 4: sin((l + 1) phi) / sin(phi), whose square weighs sin(phi)^2 over the angle; its value at the pole is l + 1.
    return mpf(degree + 1) ** 2 / (4 * pi * pi / 2)
