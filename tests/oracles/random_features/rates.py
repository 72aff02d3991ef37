"""Exponents in rational numbers, by hand; the spline dimension from the residues of pi cot(pi z) f(z)."""

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
        value = exponent(*map(Fraction, (a, order, smoothness)))
        yield "spline_ridge_exponent", (a, order, smoothness), {}, value
    for ridge, order in itertools.product((0.1, 2.0, 1e3, 1e-4), (1, 2, 3)):  # the cheap ones first
        yield "spline_effective_dimension", (float(order), ridge), {}, dimension(order, mpf(ridge))
    yield "spline_effective_dimension", (2.0, 1e-6), {}, dimension(2, mpf(1e-6))
    for order in (60.0, 1e308):  # where powers of two are beyond float64
        value = 1 / (1 + mpf(1e-8)) + 2 * sum(1 / (1 + mpf(1e-8) * mpf(m) ** (2 * mpf(order))) for m in range(1, 10))
        yield "spline_effective_dimension", (order, 1e-8), {}, value
    for name, arguments, options, value in BY_HAND:
        for factor, exponent_of in zip(("n", "log n", "log log n"), value, strict=True):
            yield name, arguments, {**options, "of": factor}, exponent_of
        yield name, arguments, options, value[0]  # the power of n unless told otherwise


def growths():
    """What n^p (log n)^q (log log n)^r the dimension, the counts and the risk are; lambda = n^-a (log n)^b."""
    half, third, two = Fraction(1, 2), Fraction(1, 3), Fraction(2)
    squared_log = {"regularisation_log_power": 2}
    one_log = {"regularisation_log_power": 1}
    dimension, count = "effective_dimension_exponent", "feature_count_exponent"
    plain, cube = {"sampling": "plain"}, {"decay": 3.0}
    yield dimension, ("finite rank", 0.5), {}, (0, 0, 0)
    yield dimension, ("geometric", 0.5), {}, (0, 1, 0)
    yield dimension, ("geometric", 2.0), squared_log, (0, 1, 0)
    yield dimension, ("polynomial", 0.5), {}, (Fraction(1, 4), 0, 0)
    yield dimension, ("polynomial", 1.0), {**cube, **one_log}, (third, -third, 0)
    yield dimension, ("harmonic", 0.5), {}, (half, 0, 0)  # sqrt n / log n times log(sqrt n log n)
    yield dimension, ("harmonic", 1.0), {}, (1, -1, 1)  # n / log n times log(log n)
    yield dimension, ("harmonic", 1.0), one_log, (1, -2, 1)  # n / log^2 n times log(log^2 n)
    yield dimension, ("harmonic", 2.0), {}, (1, 0, 0)  # every eigenvalue is above lambda
    yield count, ("finite rank", 0.5), {}, (0, 0, 0)
    yield count, ("geometric", 0.5), {}, (0, 1, 1)
    yield count, ("polynomial", 1.0), cube, (third, 1, 0)
    yield count, ("polynomial", 0.5), {}, (Fraction(1, 4), 1, 0)
    yield count, ("polynomial", 1.0), squared_log, (half, 0, 0)
    yield count, ("harmonic", 1.0), {}, (1, 0, 1)
    yield count, ("finite rank", 0.5), plain, (half, 0, 0)
    yield count, ("geometric", 2.0), {**plain, **squared_log}, (two, -2, 1)
    yield count, ("polynomial", 0.5), {**plain, **cube}, (half, 1, 0)
    yield count, ("harmonic", 1.0), plain, (1, 1, 0)
    fixed, risk = "fixed_point_exponent", "risk_exponent"
    yield fixed, ("finite rank",), {}, (-1, 0, 0)
    yield fixed, ("geometric",), {}, (-1, 1, 0)
    yield fixed, ("polynomial",), {}, (Fraction(-2, 3), 0, 0)
    yield fixed, ("polynomial",), cube, (Fraction(-3, 4), 0, 0)
    yield fixed, ("harmonic",), {}, (-half, 0, 0)
    lipschitz, refined = {"loss": "lipschitz"}, {"analysis": "refined"}
    yield risk, ("geometric", 0.5), {}, (-half, 0, 0)
    yield risk, ("geometric", 0.25), one_log, (-Fraction(1, 4), 1, 0)
    yield risk, ("finite rank", 2.0), {}, (-half, 0, 0)
    yield risk, ("geometric", 0.5), lipschitz, (-Fraction(1, 4), 0, 0)
    yield risk, ("geometric", 1.0), {**lipschitz, **one_log}, (-half, half, 0)
    yield risk, ("finite rank", 1.0), refined, (-1, 0, 0)
    yield risk, ("geometric", 1.0), {**refined, **one_log}, (-1, 1, 0)
    yield risk, ("geometric", 2.0), refined, (-1, 1, 0)
    yield risk, ("polynomial", 0.5), refined, (-half, 0, 0)
    yield risk, ("polynomial", 1.0), {**refined, **cube}, (Fraction(-3, 4), 0, 0)
    yield risk, ("polynomial", 2.0), {**refined, **lipschitz}, (Fraction(-2, 3), 0, 0)
    yield risk, ("finite rank", 2.0), {**refined, **lipschitz, **squared_log}, (-1, 1, 0)


BY_HAND = list(growths())


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
