"""Exponents in rational numbers; the spline dimension from the residues of pi cot(pi z) f(z)."""

import itertools
from fractions import Fraction

from mpmath import cot, exp, mpf, pi, re


def cases():
    for a in (0.125, 0.25, 0.5, 0.75, 3.0):
        yield "theorem_exponent", (a,), {}, max(-Fraction(a), Fraction(-1, 2))
    for a, order, smoothness in [
        (0.5, 1.0, 1.5),
        (0.25, 2.0, 2.75),
        (0.5, 2.0, 5.0),
        (0.5, 1.0, 3.0),
        (0.125, 0.75, 4.0),
        (1.5, 2.0, 0.625),
        (0.25, 4.0, 30.0),
        (0.5, 1.0, 2.5),
    ]:
        yield (
            "spline_ridge_exponent",
            (a, order, smoothness),
            {},
            exponent(Fraction(a), Fraction(order), Fraction(smoothness)),
        )
    for ridge, order in itertools.product((0.1, 2.0, 1e3, 1e-4), (1, 2, 3)):  # the cheap ones first
        yield "spline_effective_dimension", (float(order), ridge), {}, dimension(order, mpf(ridge))
    yield "spline_effective_dimension", (2.0, 1e-6), {}, dimension(2, mpf(1e-6))


def exponent(a, order, smoothness):
    """Squared bias: coefficients m^-2t below the cut m^2r = 1 / lambda shrink by lambda^2 m^4r, above it not at all."""
    cut = a / (2 * order)  # frequencies up to n^cut are learned
    tail = cut * (1 - 2 * smoothness)  # sum of m^-2t beyond the cut
    head = max(-2 * a, tail)  # lambda^2 sum of m^(4r - 2t) up to the cut
    variance = cut - 1  # frequencies learned, over n
    return max(tail, head, variance)


def dimension(order, ridge):
    """Sum of 1 / (1 + lambda m^2r) over all integers: minus the residues of pi cot(pi z) times it at its poles."""
    power = 2 * order
    radius = ridge ** (-mpf(1) / power)
    total = mpf(0)
    for k in range(power):
        pole = radius * exp(1j * pi * mpf(2 * k + 1) / power)
        total -= pi * cot(pi * pole) / (power * ridge * pole ** (power - 1))
    # The module counts frequency 0 with the eigenvalue 1, hence 1 / (1 + lambda) instead of 1.
    return re(total) - 1 + 1 / (1 + ridge)
