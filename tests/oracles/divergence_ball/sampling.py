"""Constants from the stationarity of the dual, binomial deviations from sums, gaps from laws that attain them."""

import itertools

from mpmath import binomial, exp, findroot, log, mpf, sqrt


def cases():
    yield "c_rho", (1e308,), {}, upper_constant(mpf(1e308), mpf(2))
    yield "c_rho_order", (1e308,), {"order": 3.0}, upper_constant(mpf(1e308), mpf(3))
    for rho in [1e-9, 0.1, 3.0, 200.0, 1e6]:
        yield "c_rho", (rho,), {}, upper_constant(mpf(rho), mpf(2))
        yield "d_rho", (rho,), {}, 2 * sqrt(mpf(2)) * sqrt(1 + mpf(rho))
        for order in [2.0, 3.0, 7.5]:
            yield "c_rho_order", (rho,), {"order": order}, upper_constant(mpf(rho), mpf(order))
            yield "dual_threshold_bound", (rho,), {"order": order}, stationary_point(mpf(rho), mpf(order))
    for half_range, rho, count in [(1.0, 3.0, 1), (0.5, 200.0, 20000), (2.0, 0.25, 7)]:
        printed = 4 * half_range * upper_constant(mpf(rho), mpf(2)) * sqrt(log(2 * mpf(count)) / count)
        yield "printed_expected_supremum_gap", (half_range, rho, count), {}, printed
    for count in [1, 2, 3, 4, 5, 10, 33]:
        # The mean absolute deviation is a polynomial between shares, each piece largest at its middle.
        shares = [(mpf(m) - mpf(1) / 2) / count for m in range(1, count + 1)]
        yield "binomial_deviation_constant", (count,), {}, max(by_summation(count, a) for a in shares)
    for count in [10**3, 10**6, 10**9]:
        # Below 1/N only B = 0 lies under the mean: E |B/N - a| = 2 a (1 - a)^N.
        a = mpf(1) / (2 * count)
        yield "binomial_deviation_constant", (count,), {}, sqrt(count / (a * (1 - a))) * 2 * a * (1 - a) ** count
    for half_range, count in itertools.product([0.5, 1.0, 3.0], [1, 2, 10, 1000]):
        # Z = M with probability 1/(2N), else -M: at rho = 2N - 1 the supremum is M unless every sample is -M.
        missed = (1 - mpf(1) / (2 * count)) ** count
        yield "expected_supremum_gap", (half_range, 2.0 * count - 1, count), {}, 2 * half_range * missed
    for half_range, rho, count, order in [(1.0, 0.3, 3, 3.0), (0.5, 8.0, 5, 2.5), (2.0, 1e-6, 8, 6.0)]:
        # c_N sqrt(rho'/N) is homogeneous in sqrt rho': scale the gap of the attaining law.
        radius = (1 + mpf(rho)) ** (1 / (mpf(order) - 1)) - 1
        gap = 2 * half_range * (1 - mpf(1) / (2 * count)) ** count * sqrt(radius / (2 * count - 1))
        yield "expected_supremum_gap", (half_range, rho, count), {"order": order}, gap
    for half_range, rho, count, delta in [(1.0, 3.0, 10, 0.05), (0.5, 200.0, 20000, 0.01), (2.0, 0.0, 1, 0.5)]:
        lipschitz = sqrt((1 + mpf(rho)) / count)
        deviation = solved_tail(half_range, lipschitz, delta)
        yield "supremum_deviation", (half_range, rho, count), {"delta": delta}, deviation
    for half_range, lipschitz, delta in [(1.0, 1.0, 0.05), (0.5, 3.0, 0.001), (2.0, 0.25, 0.9), (1.0, 1.0, 5e-324)]:
        deviation = solved_tail(half_range, lipschitz, delta)
        yield "convex_deviation", (half_range,), {"lipschitz": lipschitz, "delta": delta}, deviation


def stationary_point(rho, order):
    """c with 1 = (1 + rho)^(1/k) ((c - 1)/(c + 1))^(k* - 1), the printed bound on the dual's derivative."""
    conjugate = order / (order - 1)
    share = (1 + rho) ** (-1 / (order * (conjugate - 1)))
    return (1 + share) / (1 - share)


def upper_constant(rho, order):
    """(1 + rho)^(1/k) (1 + c)."""
    return (1 + rho) ** (1 / order) * (1 + stationary_point(rho, order))


def by_summation(count, a):
    """sqrt N E|B/N - a| / sqrt(a (1 - a)), term by term."""
    terms = (binomial(count, b) * a**b * (1 - a) ** (count - b) * abs(mpf(b) / count - a) for b in range(count + 1))
    return sqrt(count / (a * (1 - a))) * sum(terms)


def solved_tail(half_range, lipschitz, delta):
    """t with 2 exp(-t^2 / (2 L^2 w^2)) = delta, where w = 2 M is the range of each value."""
    scale = mpf(lipschitz) * 2 * half_range
    return scale * findroot(lambda t: log(2 * exp(-t * t / 2) / mpf(delta)), 1)
