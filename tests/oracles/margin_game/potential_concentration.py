"""Tails from McDiarmid's inequality and its bounded differences, sample sizes from the net that they pay for."""

from mpmath import exp, findroot, log, mpf


def cases():
    for t, r, n in [(0.5, 1.0, 10), (0.125, 0.25, 100), (0.01, 0.01, 100), (0.75, 3.0, 7), (3e-162, 2e-162, 1)]:
        printed = mcdiarmid(t, 4 * mpf(r) / n, n)
        yield "printed_potential_tail", (t, r, n), {}, printed
        yield "labelled_potential_tail", (t, r, n), {}, 2 * printed
        yield "potential_tail", (t, n), {}, 2 * mcdiarmid(t, mpf(4) / n, n)
    yield "potential_tail", (1e200, 10), {}, mpf(0)
    yield "printed_potential_tail", (1e200, 1e-200, 10), {}, mpf(0)
    for d, radius, bandwidth, epsilon, delta in [
        (1, 1.0, 0.3, 0.1, 0.01),
        (3, 2.0, 10.0, 0.5, 0.1),
        (2, 0.25, 4.0, 0.05, 0.5),
        (10, 52.0, 0.03, 0.05, 0.05),
        (1, 1.0, 0.5, 1.0, 1 - 2**-53),
        (1, 1.0, 0.3, 0.1, 5e-324),
        (1, 1e150, 1e-150, 1e-150, 0.5),
        (1, 1e35, 1e-90, 1e-150, 0.5),
    ]:
        options = {"epsilon": epsilon, "delta": delta}
        rx, rw, eps, fail = mpf(radius), mpf(bandwidth), mpf(epsilon), mpf(delta)
        # The printed tail at epsilon / R_w, on a net of (2 R_w / epsilon)^d points.
        printed = (d * log(2 * rw / eps) - log(fail)) / (-log(mcdiarmid(eps / rw, 4 * rx * rw / 7, 7)) / 7)
        yield "printed_potential_sample_size", (d, radius, bandwidth), options, printed
    for d, r, epsilon, delta in [
        (1, 10.0, 0.3, 0.1),
        (1, 3.0, 0.5, 0.1),
        (5, 0.0, 0.25, 0.05),
        (12, 100.0, 0.01, 0.5),
        (1, 3.0, 0.5, 5e-324),
    ]:
        options = {"epsilon": epsilon, "delta": delta}
        yield "potential_sample_size", (d, r), options, smallest(d, mpf(r), mpf(epsilon), mpf(delta))


def mcdiarmid(t, change, n):
    """One side, each of n samples with the same bounded difference."""
    return exp(-2 * mpf(t) ** 2 / (n * mpf(change) ** 2))


def smallest(d, r, eps, delta):
    """n at which a net of radius eps / (4 R_x) costs delta, with exponent n (eps/2 - 1/n)^2 / 8 less 1 / (8 n)."""
    nodes = (1 + 2 * r / (eps / 4)) ** d

    def excess(n):
        return log(2 * nodes) - (n * (eps / 2 - 1 / n) ** 2 / 8 - 1 / (8 * n)) - log(delta)

    return findroot(excess, 32 * log(2 * nodes / delta) / eps**2 + 4 / eps)
