"""Complexities from enumeration of signs, for kernels where Jensen's inequality is an equality."""

import itertools

from mpmath import exp, mpf, pi, quad, sqrt


def cases():
    for diagonal in [(1.0,), (4.0,), (1.0, 1.0, 1.0), (0.25, 4.0), (1.0, 2.0, 3.0, 0.5, 0.75)]:
        trace, n = sum(diagonal), len(diagonal)
        yield "unit_ball_complexity", (trace, n), {}, 2 * by_signs(diagonal)
        yield "printed_unit_ball_complexity", (trace, n), {}, by_signs(diagonal)
    for radius, rho, n in [(1.0, 0.0, 1), (2.0, 1.5, 4), (0.5, 200.0, 8), (1.0, 3.0, 7)]:
        arguments, b, ball = (radius, rho, n), mpf(radius), 1 + mpf(rho)
        yield "printed_divergence_ball_complexity", arguments, {}, b * sqrt(2 * ball) / sqrt(mpf(n))
        fourth = b / n * sqrt(sqrt(ball * sign_sums(n, 4)))
        yield "fourth_moment_divergence_ball_complexity", arguments, {}, fourth
        for options, power in [({}, 1), ({"order": 3.0}, mpf(1) / 2), ({"order": 6.0}, mpf(1) / 5)]:
            sharp = b / n * sqrt(sign_sums(n, 2) + sqrt((ball**power - 1) * (sign_sums(n, 4) - sign_sums(n, 2) ** 2)))
            yield "divergence_ball_complexity", arguments, options, sharp
        for order in [2.0, 3.0, 6.0]:
            conjugate = mpf(order) / (mpf(order) - 1)
            norm = normal_moment(2 * conjugate) ** (1 / (2 * conjugate)) * ball ** (1 / (2 * mpf(order)))
            yield "khinchine_divergence_ball_complexity", arguments, {"order": order}, b * norm / sqrt(mpf(n))


def by_signs(diagonal):
    """E sup_f |(1/n) sum sigma_i f(x_i)| over the unit ball = (1/n) E sqrt(sigma^T K sigma)."""
    n = len(diagonal)
    values = [
        sqrt(sum(mpf(s * k * s) for s, k in zip(signs, diagonal, strict=True)))
        for signs in itertools.product((-1, 1), repeat=n)
    ]
    return sum(values) / len(values) / n


def sign_sums(n, power):
    """E (sigma_1 + ... + sigma_n)^p: what every feature +-1 contributes."""
    return mpf(sum(sum(signs) ** power for signs in itertools.product((-1, 1), repeat=n))) / 2**n


def normal_moment(power):
    """E |G|^p of a standard normal G."""
    return quad(lambda x: 2 * x**power * exp(-x * x / 2) / sqrt(2 * pi), [0, 1, 5, 20, 40])
