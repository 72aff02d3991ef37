"""The two deviations of the textbook proof, each at level delta / 2."""

from mpmath import log, mpf, sqrt


def cases():
    for complexity, margin, n, delta in [
        (0.2, 0.5, 10, 0.05),
        (1.0, 2.0, 1, 0.5),
        (0.01, 0.05, 10**5, 1e-6),
        (0.2, 0.5, 10, 5e-324),
    ]:
        # One deviation for the supremum, two for its empirical complexity, which enters twice.
        deviation = sqrt(-log(mpf(delta) / 2) / (2 * mpf(n)))
        value = 2 * mpf(complexity) / mpf(margin) + deviation + 2 * deviation
        yield "margin_excess_risk", (complexity, margin, n), {"delta": delta}, value
