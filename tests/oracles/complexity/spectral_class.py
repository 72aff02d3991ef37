"""Sums of signs from binomial laws, complexities as the least of three sums, margin bounds term by term."""

from math import comb

from mpmath import log, mpf, pi, sqrt

PHASES = [
    (0.0, 1.0, 1),
    (0.125, 2.0, 12),
    (0.75, 1.0, 12),
    (3.0, 4.0, 12),
    (40.0, 1.0, 100),
    (1.0, 0.5, 7),
    (0.5, 1.0, 400),
]
MARGINS = [
    (0.1, 1.0, 0.99, 400, 0.05),
    (2.0, 4.0, 0.5, 50, 0.1),
    (0.75, 1.0, 1.0, 9, 0.5),
    (5.0, 2.0, 0.03125, 1000, 0.01),
    (2.0, 4.0, 0.5, 50, 1e-323),
]


def cases():
    for n in (1, 2, 3, 4, 12, 101, 400, 5000):
        yield "expected_sign_sum", (n,), {}, sign_sum(n)
    for r, mass, n in PHASES:
        yield "printed_spectral_complexity", (r, mass, n), {}, 3 * mpf(r) * sqrt(mpf(mass)) / sqrt(mpf(n))
        yield "spectral_complexity", (r, mass, n), {}, complexity(r, mass, n)
    for r, mass, theta, n, delta in MARGINS:
        printed = 6 * mpf(r) * sqrt(mpf(mass) / n) / theta + 3 * sqrt(log(2 / mpf(delta)) / n)
        yield "printed_spectral_margin_excess", (r, mass, theta, n), {"delta": delta}, printed
        fixed = 2 * complexity(r, mass, n) / theta + 3 * sqrt(log(2 / mpf(delta)) / (2 * n))
        yield "spectral_margin_excess", (r, mass, theta, n), {"delta": delta}, fixed
        # The margins sqrt(R) / 2^k: half of theta at worst, the k-th for log_2(2 sqrt(R) / theta), half of delta.
        level = 1 + log(sqrt(mpf(mass)) / theta) / log(2)
        uniform = 4 * complexity(r, mass, n) / theta + sqrt(log(level) / n) + 3 * sqrt(log(4 / mpf(delta)) / (2 * n))
        yield "uniform_spectral_margin_excess", (r, mass, theta, n), {"delta": delta}, uniform
    for r in (0.5, 1.0, 10.0, 40.0):
        yield "printed_margin_vacuous_sample", (r,), {}, (6 * mpf(r)) ** 2  # 6 r / sqrt n = 1


def sign_sum(n):
    """E |n - 2 B|, B binomial."""
    return sum(comb(n, k) * abs(n - 2 * k) for k in range(n + 1)) / mpf(2) ** n


def complexity(r, mass, n):
    """Three bounds on E sup_w |sum sigma exp(i w.x)|, of which any holds."""
    constant, walk = sign_sum(n), mpf(r) * sqrt(mpf(n))
    return sqrt(mpf(mass)) * min(constant + 3 * walk, pi * constant + walk, mpf(n)) / n
