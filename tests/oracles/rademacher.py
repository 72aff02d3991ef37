"""Complexities from enumeration of signs, for diagonal kernels, where Jensen's inequality is an equality."""

import itertools

from mpmath import mpf, sqrt


def cases():
    for diagonal in [(1.0,), (4.0,), (1.0, 1.0, 1.0), (0.25, 4.0), (1.0, 2.0, 3.0, 0.5, 0.75)]:
        trace, n = sum(diagonal), len(diagonal)
        yield "unit_ball_complexity", (trace, n), {}, 2 * by_signs(diagonal)
        yield "printed_unit_ball_complexity", (trace, n), {}, by_signs(diagonal)


def by_signs(diagonal):
    """E sup_f |(1/n) sum sigma_i f(x_i)| over the unit ball = (1/n) E sqrt(sigma^T K sigma)."""
    n = len(diagonal)
    values = [
        sqrt(sum(mpf(s * k * s) for s, k in zip(signs, diagonal, strict=True)))
        for signs in itertools.product((-1, 1), repeat=n)
    ]
    return sum(values) / len(values) / n
