"""The counting argument with the number of patterns itself, not its logarithm, in place of the formula."""

from mpmath import e, log, mpf, sqrt

GAMES = [(10_000, 9, 20.0), (1000, 3, 4.0), (13, 3, 1.0), (5, 1, 2.0), (10**6, 50, 100.0), (400, 25, 7.5)]


def cases():
    for points, rounds, capacity in GAMES:
        count = patterns(points, rounds)
        # The smallest s for which `count` tails exp(-2 s^2 / P) sum to 1.
        deficit = sqrt(points * log(count) / 2)
        yield "log_sign_patterns", (points, rounds), {}, log(count)
        yield "error_deficit", (points, rounds), {}, deficit
        c = mpf(capacity)
        least, most = c * (mpf(points) / 2 - deficit), mpf(points) / 2
        yield "sign_pattern_gap", (points, rounds, capacity), {}, (least - most) / (c * points), {"atol": 1e-14}
    for box, rounds in [(0.001, 9), (1.0, 1), (0.25, 16), (2.0, 7)]:
        n = 12
        printed = 3 * (mpf(box) + 2 * mpf(box) ** 2) * n / (4 * sqrt(mpf(rounds)))
        yield "printed_share", (box, rounds), {}, printed / (mpf(box) * n)


def patterns(points, rounds):
    """(8 e d m / N)^N for m polynomials of degree d, in b and four numbers a round."""
    variables = 1 + sum(4 for _ in range(rounds))
    return (8 * e * mpf(points) * mpf(points) / variables) ** variables
