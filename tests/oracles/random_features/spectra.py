"""Effective dimensions by Euler and Maclaurin's formula to many terms, in 50 digits."""

from fractions import Fraction

from mpmath import cos, coth, csc, exp, harmonic, inf, log, mpf, nsum, pi, sin, sqrt, zeta


def cases():
    yield from geometric_cases()
    yield from polynomial_cases()
    yield from harmonic_cases()
    yield from spectral_cases()
    yield from fixed_point_cases()


def geometric_cases():
    for ridge, ratio, scale in [
        (0.01, 0.9, 1.0),
        (1e-9, 0.5, 3.0),
        (2.0, 0.25, 0.5),
        (1e-3, 0.99, 1.0),
        (50.0, 0.5, 1.0),
    ]:
        options = {"common_ratio": ratio, "scale": scale}
        yield "geometric_effective_dimension", (ridge,), options, geometric(ridge, ratio, scale)
        value = log((mpf(ridge) + mpf(scale)) / mpf(ridge)) / -log(mpf(ratio))
        yield "geometric_dimension_bound", (ridge,), options, value
    for ridge in (0.1, 1e-30, 1e30):
        yield "geometric_effective_dimension", (ridge,), {"common_ratio": 0.5}, geometric(ridge, 0.5, 1)
    for ratio in (1e-22, 1e-100):  # one eigenvalue is all of the sum
        yield "geometric_effective_dimension", (1.0,), {"common_ratio": ratio}, geometric(1, ratio, 1)
    yield "geometric_dimension_bound", (0.1,), {"common_ratio": 0.5}, log(1 + 1 / mpf(0.1)) / log(2)


def polynomial_cases():
    for ridge, decay, scale in [
        (0.1, 2.0, 1.0),
        (1e-3, 3.0, 0.5),
        (20.0, 4.0, 1.5),
        (1e-6, 4.0, 1.0),
        (1e-9, 8.0, 2.0),
    ]:
        value = nsum(lambda i: 1 / (1 + mpf(ridge) / mpf(scale) * i ** mpf(decay)), [1, inf], method="e")  # noqa: B023
        yield "polynomial_effective_dimension", (ridge,), {"decay": decay, "scale": scale}, value
        power = (mpf(scale) / mpf(ridge)) ** (1 / mpf(decay))
        options = {"decay": decay, "scale": scale}
        yield "printed_polynomial_dimension_bound", (ridge,), options, power
        yield "polynomial_dimension_bound", (ridge,), options, pi / decay * csc(pi / mpf(decay)) * power
    for ridge in (1e-40, 1e-12, 3e-6, 2e-4, 1e6):  # on both sides of where the sum gives way to the integral
        yield "polynomial_effective_dimension", (ridge,), {"decay": 2.0}, square(ridge)
    for ridge in (1e-40, 1e-24, 1e-12):
        yield "polynomial_effective_dimension", (ridge,), {"decay": 4.0}, fourth(ridge)
    steep = 500.5**-20  # falls steeply at i = 500
    value = sum(1 / (1 + mpf(steep) * i**20) for i in range(1, 20000))
    yield "polynomial_effective_dimension", (steep,), {"decay": 20.0}, value
    for ridge, decay in [(1e250, 20.0), (1e300, 1.5)]:  # the terms are the eigenvalues over lambda
        yield "polynomial_effective_dimension", (ridge,), {"decay": decay}, zeta(mpf(decay)) / mpf(ridge)
    for decay in (1 + 1e-8, 1 + 2**-52):
        yield "polynomial_dimension_bound", (1.0,), {"decay": decay}, pi / decay * csc(pi / mpf(decay))
    yield "printed_polynomial_dimension_bound", (0.01,), {"decay": 2.0}, 1 / sqrt(mpf(0.01))
    yield "polynomial_dimension_bound", (0.01,), {"decay": 2.0}, pi / 2 / sqrt(mpf(0.01))


def harmonic_cases():
    for n, ridge in [(1, 0.5), (10, 0.1), (100, 1e-3), (37, 2.0)]:
        total = sum(Fraction(1, i) for i in range(1, n + 1))
        value = sum(1 / (1 + Fraction(ridge) * i * total) for i in range(1, n + 1))
        yield "harmonic_effective_dimension", (n, ridge), {}, value
        level = 1 / mpf(ridge) / harmonic(n)
        yield "harmonic_dimension_bound", (n, ridge), {}, min(level * log(1 + n / level), 1 / mpf(ridge))


def spectral_cases():
    yield "spectral_effective_dimension", ("finite rank", 9, 0.25), {"rank": 3}, Fraction(12, 5)
    yield "spectral_effective_dimension", ("finite rank", 9, 0.25), {}, 4
    yield "spectral_effective_dimension", ("geometric", 9, 0.25), {"common_ratio": 0.7}, geometric(0.25, 0.7, 1)
    yield "spectral_effective_dimension", ("geometric", 9, 0.25), {}, geometric(0.25, 0.5, 1)
    yield "spectral_effective_dimension", ("polynomial", 9, 0.25), {}, square(0.25)
    value = nsum(lambda i: 1 / (1 + i**4 / mpf(4)), [1, inf], method="e")
    yield "spectral_effective_dimension", ("polynomial", 9, 0.25), {"decay": 4.0}, value
    yield "spectral_effective_dimension", ("harmonic", 2, 0.25), {}, Fraction(8, 11) + Fraction(4, 7)


def fixed_point_cases():
    for n in (1, 4, 100, 1e30):
        cuts = [0, *(2**k for k in range(200) if 2**k <= n), 3]
        three = {"rank": 3, "common_ratio": 0.25, "decay": 4.0}
        for name, tail in (
            ("finite rank", lambda h: max(mpf(3) - h, 0)),
            ("geometric", lambda h: mpf(0.25) ** h / 3),
            ("polynomial", lambda h: zeta(4, h + 1)),
            ("harmonic", lambda h: max(1 - harmonic(h) / harmonic(n), 0)),  # noqa: B023
        ):
            value = min(mpf(h) / n + sqrt(tail(mpf(h)) / n) for h in cuts)
            yield "spectral_fixed_point_bound", (name, n), three, value
    yield "spectral_fixed_point_bound", ("finite rank", 100), {}, mpf(5) / 100
    value = min(mpf(h) / 100 + sqrt(mpf(2) ** -h / 100) for h in (0, 1, 2, 4, 5, 8, 16))
    yield "spectral_fixed_point_bound", ("geometric", 100), {}, value
    value = min(mpf(h) / 100 + sqrt(zeta(2, h + 1) / 100) for h in (0, 1, 2, 4, 5, 8, 16))
    yield "spectral_fixed_point_bound", ("polynomial", 100), {}, value


def fourth(ridge):
    """a = 4 in closed form: the sum of 1 / (i^4 + 4 b^4) over all integers."""
    b = (1 / (4 * mpf(ridge))) ** mpf(0.25)
    x = 2 * pi * b
    tails = 2 * exp(-x)  # hyperbolic functions over exp(x) / 2: they overflow
    whole = pi / (4 * b**3) * (1 - exp(-2 * x) + tails * sin(x)) / (1 + exp(-2 * x) - tails * cos(x))
    return (4 * b**4 * whole - 1) / 2


def geometric(ridge, ratio, scale):
    level, total, power = mpf(ridge) / mpf(scale), mpf(0), mpf(1)
    for _ in range(20000):
        power *= mpf(ratio)
        total += power / (power + level)
        if power < level * mpf(10) ** -45:
            break
    return total


def square(ridge):
    """a = 2 in closed form."""
    x = pi / sqrt(mpf(ridge))
    return (x * coth(x) - 1) / 2
