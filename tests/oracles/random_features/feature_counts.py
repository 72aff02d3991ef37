"""Feature counts and tails of matrix Bernstein inequalities, from their exponents, in 50 digits."""

import itertools

from mpmath import ceil, exp, findroot, log, mpf


def cases():
    yield "PRINTED_POOL_CONSTANT", (), {}, 7
    for d, delta, constant in itertools.product((0.75, 3.0, 300.0), (0.5, 1e-6), (5.0, 28 / 3)):
        yield "leverage_feature_count", (d, delta), {"constant": constant}, count(constant, d, d, delta)
    # By default the constant at which exp(-s e^2 / 2 / (d (1 + 2 e / 3))) has exponent log(16 d / delta), e = 1/2.
    corrected = 2 * (1 + mpf(1) / 3) / mpf(1) * 4
    yield "leverage_feature_count", (41.0, 0.02), {}, count(corrected, 41, 41, 0.02)
    for z, ridge in [(2.0, 0.1), (0.5, 4.0), (3.0, 0.25)]:
        yield "plain_sampling_dimension", (z,), {"regularisation": ridge}, mpf(z) * mpf(z) / mpf(ridge)
    for z, ridge, d in [(2.0, 0.125, 7.0), (1.0, 0.01, 90.0), (0.5, 0.25, 0.75)]:
        options = {"feature_bound": z, "regularisation": ridge}
        plain = mpf(z) ** 2 / mpf(ridge)
        yield "plain_feature_count", (d, 0.05), {**options, "constant": 5.0}, count(5, plain, d, 0.05)
        yield "plain_feature_count", (d, 0.05), options, count(corrected, plain, d, 0.05)
    for d, share, delta, epsilon in itertools.product((0.75, 30.0), (1.0, 0.7), (0.5, 1e-4), (1.0, 0.5, 0.1)):
        # 8 d_K exp(-s e^2 / 2 / (d + e / 3)) = delta, solved for s.
        effective, e = d * share, mpf(epsilon)
        size = (mpf(d) + e / 3) / (e * e / 2) * (log(8) + log(mpf(effective)) - log(mpf(delta)))
        yield "lower_tail_feature_count", (d, effective, delta), {"epsilon": epsilon}, max(1, ceil(size))
    yield "lower_tail_feature_count", (30.0, 20.0, 0.1), {}, ceil((8 * 30 + mpf(4) / 3) * log(mpf(160) / mpf(0.1)))
    for s, d, effective, constant in [(700, 12.5, 3.0, 5.0), (90, 4.0, 4.0, 28 / 3), (3, 2.0, 1.0, 1.5)]:
        value = 16 * mpf(effective) * exp(-mpf(s) / mpf(d) / mpf(constant))
        yield "failure_probability", (s, d, effective), {"constant": constant}, value
    yield "failure_probability", (800, 12.5, 3.0), {}, 48 * exp(-mpf(800) * 3 / 32 / mpf(12.5))
    for x, n, m, norm, d in [(0.5, 40, 0.5, 1.25, 6.0), (0.1, 900, 2.0, 3.0, 2.0), (2.0, 3, 0.25, 0.5, 9.0)]:
        options = {"variance": m, "norm": norm, "dimension": d}
        yield "matrix_bernstein_tail", (x, n), options, bernstein(x, n, m, 2 * norm, d)
        yield "matrix_bernstein_tail", (x, n), {**options, "summands": "semidefinite"}, bernstein(x, n, m, norm, d)
    for ridge, epsilon in [(0.3, 0.25), (0.01, 0.75), (2.0, 0.125)]:
        # sup of a quotient: lambda max over k of k / ((1 - e) (k + lambda)), as k grows.
        yield "unit_ball_approximation_error", (ridge,), {"epsilon": epsilon}, mpf(ridge) / (1 - mpf(epsilon))
    yield "unit_ball_approximation_error", (0.3,), {}, 2 * mpf(0.3)


def count(constant, sampling, effective, delta):
    return max(1, ceil(mpf(constant) * mpf(sampling) * (log(16) + log(mpf(effective)) - log(mpf(delta)))))


def bernstein(x, n, m, span, d):
    """Four d times the value v at which the deviation allowed at level v is x."""
    b, v = mpf(span), mpf(m)
    level = findroot(lambda t: b * t / (3 * n) + ((b * t / (3 * n)) ** 2 + 2 * v * t / n) ** mpf(0.5) - mpf(x), mpf(5))
    return 4 * mpf(d) * exp(-level)
