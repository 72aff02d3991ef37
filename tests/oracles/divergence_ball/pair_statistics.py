"""Gaussian integrals, tails solved for deviations, and enumeration of signs, at which affine statistics are extreme."""

import itertools
from fractions import Fraction

from mpmath import exp, findroot, inf, log, mpf, pi, quad, sqrt


def cases():
    for scale, proxy in [(0.0, 1.0), (0.25, 1.0), (0.1, 3.0), (0.4, 0.5)]:
        yield "square_moment_bound", (scale,), {"proxy": proxy}, gaussian_moment(mpf(scale), mpf(proxy))
    yield "square_moment_bound", (0.5,), {"proxy": 1.0}, inf
    yield "square_moment_bound", (3.0,), {"proxy": 1.0}, inf
    yield "square_moment_bound", (1,), {"proxy": 1}, inf
    yield "square_moment_bound", (1e200,), {"proxy": 1e200}, inf
    for n in [2, 3, 4, 7, 100]:
        yield "printed_alignment_variance_proxy", (n,), {}, mpf(n) * (mpf(4) / n) ** 2 / 4
        # Hoeffding's lemma for one pair of range 2, averaged over disjoint pairs.
        yield "alignment_variance_proxy", (n,), {}, mpf(2) ** 2 / 4 / (n // 2)
    for t, rho, n in [(0.5, 0.0, 10), (1.5, 3.0, 101), (0.0, 1.0, 2), (0.25, 0.5, 1000)]:
        yield "block_alignment_deviation_tail", (t, rho, n), {}, tail(mpf(t), mpf(rho), n)
        reduced = (1 + mpf(rho)) ** (mpf(2) / 5) - 1
        yield "block_alignment_deviation_tail", (t, rho, n), {"order": 3.5}, tail(mpf(t), reduced, n)
    for rho, n, delta in [(0.0, 2, 0.05), (3.0, 7, 0.5), (200.0, 10000, 0.01), (0.0, 8, 1 - 2**-53), (0.0, 8, 5e-324)]:
        for options, radius in [({}, mpf(rho)), ({"order": 5.0}, sqrt(sqrt(1 + mpf(rho))) - 1)]:
            solved = findroot(lambda t, r=radius, n=n, d=delta: log(tail(t, r, n) / mpf(d)), 1)
            yield "block_alignment_deviation", (rho, n), {"delta": delta, **options}, solved
            mean, differences = sqrt(radius) * sqrt(mpf(2) / n), n * (mpf(4) / n) ** 2
            solved = mean + sqrt(differences * -log(mpf(delta)) / 2)
            yield "centred_alignment_deviation", (rho, n), {"delta": delta, **options}, solved
    for spread, n in [(1.0, 2), (3.0, 7), (0.25, 100)]:
        yield "diagonal_loss_by_spread", (spread, n), {}, Fraction(spread) / (n * n - n)
    for n in [2, 3, 4, 5, 8, 9]:
        sums = [sum(signs) for signs in itertools.product((-1, 1), repeat=n)]
        centred = max(n - Fraction(s * s, n) for s in sums)
        yield "diagonal_loss", (n,), {}, centred / (n * (n - 1))
        statistics = [Fraction(s * s - n, n * (n - 1)) for s in sums]
        yield "binary_alignment_half_range", (n,), {}, (max(statistics) - min(statistics)) / 2


def gaussian_moment(scale, proxy):
    """E exp(lambda X^2) for X normal with variance sigma^2."""
    density = lambda x: exp(scale * proxy * x * x - x * x / 2) / sqrt(2 * pi)  # noqa: E731
    return quad(density, [-60, -20, -5, 0, 5, 20, 60])


def tail(t, rho, n):
    """exp(-lambda t^2 / (1 + rho)) times (1 - 2 lambda sigma^2)^(-1/2) = sqrt 2, at lambda = 1/(4 sigma^2)."""
    proxy = mpf(1) / (n // 2)
    return sqrt(mpf(2)) * exp(-(t * t) / (1 + rho) / (4 * proxy))
