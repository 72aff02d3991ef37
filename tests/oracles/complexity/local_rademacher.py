"""Local complexities by sorting, and fixed points by bisection, in 50 digits."""

from fractions import Fraction

from mpmath import mpf, sqrt

SPECTRA = [[0.5, 0.25, 0.125, 0.0625], [1e-6] * 7, [2.0], [0.75, 0.75, 0.01, 0.0]]


def cases():
    for spectrum, radius in [(SPECTRA[0], 0.2), (SPECTRA[2], 3.0), (SPECTRA[3], 0.0), (SPECTRA[3], 0.5)]:
        value = sum(Fraction(v) if v < radius else Fraction(radius) for v in spectrum)
        yield "truncated_trace", (spectrum, radius), {}, value
    for trace, n in [(0.5, 10), (3.0, 1), (1e-4, 1000)]:
        value = sqrt(2 * mpf(trace) / n)
        yield "printed_local_complexity", (trace, n), {}, value
        yield "local_complexity", (trace, n), {}, 2 * value
    for spectrum in SPECTRA:
        for n, a, e, b in [(7, 1.0, 1.0, 0.0), (1000, 4.0, 0.5, 3.0), (50, 0.25, 2.0, 0.125)]:
            options = {"scale": a, "truncation": e, "offset": b}
            yield "fixed_point", (spectrum, n), options, fixed_point(spectrum, n, a, e, b)
            yield "fixed_point_bound", (spectrum, n), options, bound(spectrum, n, a, e, b)
            value = min(mpf(e) * h / n + sqrt(tail(spectrum, h) / n) for h in range(len(spectrum) + 1))
            yield "printed_fixed_point_bound", (spectrum, n), {"constant": e}, value
    # Where squares are below float64: the root of the tail for h = 0, then the roots of r^2 - 2 (p + q) r = -q^2.
    for name in ("fixed_point", "fixed_point_bound"):
        yield name, ([1.0], 1), {"scale": 1e-170, "truncation": 1e300}, sqrt(mpf(2)) * mpf(1e-170)
    for b in (0.0, 1e-170):
        p, q = mpf(1e-85) ** 2, mpf(b)
        yield "fixed_point", ([1.0], 1), {"scale": 1e-85, "offset": b}, p + q + sqrt(p * p + 2 * p * q)
    yield "fixed_point", (SPECTRA[0], 9), {}, fixed_point(SPECTRA[0], 9, 1, 1, 0)
    for n in (9, 1000):
        yield "fixed_point_bound", (SPECTRA[0], n), {}, bound(SPECTRA[0], n, 1, 1, 0)
        value = min(mpf(h) / n + sqrt(tail(SPECTRA[0], h) / n) for h in range(5))
        yield "printed_fixed_point_bound", (SPECTRA[0], n), {}, value
    for r, a, big, b in [(0.03, 0.5, 2.0, 1.5), (1.0, 0.0, 3.0, 1.0), (0.0, 0.25, 1.25, 7.0)]:
        options = {"enlargement": big, "variance_factor": b}
        # Twice the 6 D / B of the localised inequality, and 1 / (1 - 1/D) for the empirical term.
        yield "refined_excess_risk", (r, a), options, 2 * 6 * mpf(big) / mpf(b) * mpf(r) + mpf(a) / (1 - 1 / mpf(big))


def tail(spectrum, h):
    return sum((mpf(v) for v in spectrum[h:]), mpf(0))


def bound(spectrum, n, a, e, b):
    """r^2 <= P r + C^2 gives r <= P + C."""
    a, e, b = mpf(a), mpf(e), mpf(b)
    roots = [
        sqrt(2 * a * a * tail(spectrum, h) / n) + (2 * a * a * e * h + 2 * b) / n for h in range(len(spectrum) + 1)
    ]
    return min(roots)


def fixed_point(spectrum, n, a, e, b):
    """Where psi(r) - r changes its sign."""
    a, e, b = mpf(a), mpf(e), mpf(b)

    def psi(r):
        return a * sqrt(2 * sum(min(e * r, mpf(v)) for v in spectrum) / n) + b / n

    low, high = mpf(10) ** -40, 1 + b + 2 * a * a * e * len(spectrum) + a * sqrt(2 * tail(spectrum, 0))
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if psi(middle) > middle else (low, middle)
    return high
