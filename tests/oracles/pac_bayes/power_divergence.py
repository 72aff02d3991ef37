"""Gaps from the moments and tails of the derivations; the variance from the distribution of a coin."""

import itertools
from fractions import Fraction
from functools import cache

from mpmath import exp, expm1, findroot, log, mpf, quad, sqrt

POINTS = list(itertools.product([(0.0, 0.0), (0.3, 1.75)], [2, 3, 10, 1001], [0.05, 0.9]))


def cases():
    yield from power_cases()
    yield from chi_square_cases()
    for n in (2, 3, 4, 5, 12, 101, 10**160):
        yield "printed_alignment_variance_bound", (n,), {}, printed_variance(n)
        yield "alignment_variance_bound", (n,), {"labels": "binary"}, binary_variance(n)
        yield "alignment_variance_bound", (n,), {"labels": "general"}, general_variance(n)
        yield "one_sided_second_moment", (n,), {"labels": "binary"}, Fraction(1, 4 * n)
        yield "one_sided_second_moment", (n,), {"labels": "general"}, general_variance(n)


def power_cases():
    """Hoelder: gap <= (E D_+^m)^(1/m) (D_mu + 1)^(1/mu) delta^(-1/m), with m = mu / (mu - 1)."""
    for ((loss, power), n, delta), order in itertools.product(POINTS, (1.25, 1.5, 2.0, 2.5, 9.0)):
        options = {"sample_size": n, "delta": delta, "order": order}
        exponent = (order - 1) / mpf(2) if order <= 2 else 1 - 1 / mpf(order)
        printed = (1 / mpf(4 * n)) ** exponent
        value = loss + printed * divergence_factor(power, delta, order)
        yield "printed_power_divergence_bound", (loss, power), options, value
    for ((loss, power), n, delta), order in itertools.product(POINTS, (1.0625, 1.25, 1.5, 2.0, 2.5, 9.0)):
        for labels in ("binary", "general"):
            options = {"sample_size": n, "delta": delta, "order": order, "labels": labels}
            value = loss + norm(n, labels, order) * divergence_factor(power, delta, order)
            yield "power_divergence_bound", (loss, power), options, value
    for order in (1 + 2**-7, 1 + 2**-8, 1 + 2**-10):  # conjugates 129, 257 and 1025
        options = {"sample_size": 10**6, "delta": 0.5, "order": order, "labels": "general"}
        value = norm(10**6, "general", order) * divergence_factor(0.5, 0.5, order)
        yield "power_divergence_bound", (0.0, 0.5), options, value


def norm(n, labels, order):
    """The smaller bound on (E D_+^m)^(1/m): from the second moment of D_+ in [0, 1], or from its sub-Gaussian tail."""
    conjugate = mpf(order) / (mpf(order) - 1)
    fraction = Fraction(1, 4 * n) if labels == "binary" else general_variance(n)
    second = mpf(fraction.numerator) / fraction.denominator
    # D_+ <= 1 gives E D_+^m <= E D_+^2 for m >= 2; Jensen gives (E D_+^2)^(m/2) for m <= 2.
    by_moment = second ** (1 / conjugate) if conjugate >= 2 else sqrt(second)
    return min(by_moment, tail_integral(conjugate) ** (1 / conjugate) / sqrt(mpf(n // 2)))


@cache
def tail_integral(conjugate):
    """int m x^(m-1) exp(-2 x^2) dx over x > 0, split around its peak; k pairs scale x by 1 / sqrt k."""
    peak = sqrt((conjugate - 1) / 4)
    ends = [0, peak / 2, peak, peak + 2, peak + 5, peak + 12]
    return quad(lambda x: conjugate * exp((conjugate - 1) * log(x) - 2 * x * x) if x > 0 else mpf(0), ends)


def divergence_factor(power, delta, order):
    return (1 + mpf(power)) ** (1 / mpf(order)) / mpf(delta) ** ((mpf(order) - 1) / mpf(order))


def chi_square_cases():
    """Markov on E_p D_+^2; with a logarithm: the minimum over c of log(1 / ((1 - c) delta)) / c."""
    for (loss, chi), n, delta in POINTS:
        options = {"sample_size": n, "delta": delta}
        printed, safe = (sqrt((1 + mpf(chi)) * second / mpf(delta)) for second in (1 / mpf(4 * n), 1 / mpf(2 * n)))
        yield "printed_chi_square_bound", (loss, chi), options, loss + printed
        yield "chi_square_bound", (loss, chi), options, loss + safe
        value = loss + sqrt((1 + mpf(chi)) * smallest_ratio(mpf(delta)) / (2 * (n // 2)))
        yield "logarithmic_chi_square_bound", (loss, chi), options, value
    for delta in (1 - 2**-53, 0.9999999952730398, 0.999, 1e-320, 5e-324):
        value = sqrt(smallest_ratio(mpf(delta)) / 2)
        yield "logarithmic_chi_square_bound", (0.0, 0.0), {"sample_size": 2, "delta": delta}, value


def smallest_ratio(delta):
    """The derivative in c vanishes where c / (1 - c) = log(1 / ((1 - c) delta)); in u = log(1 / (1 - c))."""
    level = -log(delta)
    ends = [log(1 + sqrt(2 * level)), log(1 + sqrt(2 * level) + level)]
    u = findroot(lambda u: expm1(u) - u - level, ends, solver="anderson", tol=1e-80, maxsteps=200)
    return (u - log(delta)) / (1 - exp(-u))


def printed_variance(n):
    """Efron and Stein with bounded differences 1 / n, as the paper takes them."""
    return n * Fraction(1, n) ** 2 / 4


def binary_variance(n):
    """The largest variance of s^2 over signs of any bias, by its exact moments at the stationary point."""
    u = Fraction(n - 2, 2 * n - 3)  # squared mean: (n - 2)(1 - 2 u) = u
    pair, conditional = (1 - u**2) / 4, u * (1 - u) / 4
    return u_statistic(n, conditional, pair)


def general_variance(n):
    """Conditional means have variance at most max x^3 (1 - x) = 27/256 at x = 3/4, pairs at most 1/4."""
    x = Fraction(3, 4)
    return u_statistic(n, x**3 * (1 - x), Fraction(1, 4))


def u_statistic(n, conditional, pair):
    """Hoeffding: Var U = (4 (n - 2) zeta_1 + 2 zeta_2) / (n (n - 1))."""
    return (4 * (n - 2) * conditional + 2 * pair) / (n * (n - 1))
