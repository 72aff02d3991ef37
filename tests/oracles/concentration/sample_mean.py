"""Deviations at which the exponent of the tail is log(1 / delta), found by bisection in 50 digits."""

from mpmath import exp, findroot, log, mpf, sqrt

POINTS = [
    (0.25, 1.0, 10, 0.05),
    (1e-3, 1.0, 10**4, 1e-6),
    (2.0, 3.0, 1, 0.5),
    (1e-9, 10.0, 50, 0.01),
    (40.0, 0.01, 3, 0.9),
    (0.9680185042954813, 2.6251833548202748, 5, 0.49543508709194095),  # log(1 / delta) is n v / b^2 but for rounding
]


def solved(tail, top, delta):
    """Where a decreasing tail crosses delta."""
    start = (mpf(top) * mpf("1e-40"), mpf(top))
    return findroot(lambda t: log(tail(t)) - log(mpf(delta)), start, solver="anderson", tol=1e-80, maxsteps=2000)


def cases():
    yield "bennett_deviation", (0.0, 1.0, 10), {"delta": 0.05}, mpf(0)
    yield "bennett_deviation", (2.0, 0.0, 10), {"delta": 0.05}, sqrt(4 * log(1 / mpf(0.05)) / 10)
    yield "bernstein_deviation", (0.0, 1.5, 10), {"delta": 0.05}, log(1 / mpf(0.05)) / 10
    least = log(2) - log(mpf(5e-324))
    yield "empirical_bernstein_deviation", (2.0, 0.0, 2), {"delta": 5e-324}, sqrt(2 * least)
    for variance, width, n, delta in POINTS:
        v, b, level = mpf(variance), mpf(width), log(1 / mpf(delta))
        yield "hoeffding_deviation", (width, n), {"delta": delta}, b * sqrt(level / (2 * n))
        largest = b * level / n + sqrt(2 * v * level / n)
        yield (
            "bernstein_deviation",
            (variance, width, n),
            {"delta": delta},
            solved(lambda t, v=v, b=b, n=n: exp(-n * t**2 / (2 * (v + b * t / 3))), largest, delta),
        )
        yield (
            "bennett_deviation",
            (variance, width, n),
            {"delta": delta},
            solved(
                lambda t, v=v, b=b, n=n: exp(-n * v / b**2 * ((1 + b * t / v) * log(1 + b * t / v) - b * t / v)),
                largest,
                delta,
            ),
            {"rtol": 1e-8},
        )
        yield "cantelli_deviation", (variance, n), {"delta": delta}, sqrt(v / n * (1 / mpf(delta) - 1))
        if n > 1:
            half = log(mpf(2) / mpf(delta))
            value = sqrt(half * 2 * v / n) + b * half * mpf(7) / 3 / (n - 1)
            yield "empirical_bernstein_deviation", (variance, width, n), {"delta": delta}, value
