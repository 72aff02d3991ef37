"""Sums of deviations, each solved from its own tail, and gaps scaled from the law that attains them."""

from mpmath import log, mpf, sqrt

SAMPLES = [(3.0, 2, 5, 0.05), (200.0, 10000, 20000, 0.05), (0.1, 7, 1000, 0.3), (3.0, 2, 5, 5e-324)]
FEATURES = [(3.0, 1, 0.05), (200.0, 20000, 0.05), (0.1, 1000, 0.3), (2.5, 12, 0.001), (3.0, 1, 5e-324)]


def cases():
    for rho, count, delta in FEATURES:
        printed = printed_sampling(mpf(rho), count, mpf(delta))
        yield "printed_sampling_deviation", (rho, count), {"delta": delta}, printed
        for half_range in [1.0, 0.5]:
            arguments = (half_range, rho, count)
            sharp = sharp_sampling(mpf(half_range), mpf(rho), count, mpf(delta))
            yield "sampling_deviation", arguments, {"delta": delta}, sharp
            sharp = sharp_sampling(mpf(half_range), reduced(rho, 3.5), count, mpf(delta))
            yield "sampling_deviation", arguments, {"delta": delta, "order": 3.5}, sharp
    for rho, n, count, delta in SAMPLES:
        bound = printed_sampling(mpf(rho), count, mpf(delta))
        # Lemma 1 at level delta, with log sqrt 2 < log 2, twice.
        bound += 2 * sqrt(16 * (1 + mpf(rho)) * log(2 / mpf(delta)) / n)
        yield "printed_consistency_deviation", (rho, n, count), {"delta": delta}, bound
        options = {"delta": delta, "maximiser": "v-statistic"}
        yield "printed_consistency_deviation", (rho, n, count), options, bound + diagonal(n)
    for rho, n, count, delta in SAMPLES:
        for half_range in [1.0, 0.5]:
            arguments = (half_range, rho, n, count)
            bound = sharp_consistency(mpf(half_range), mpf(rho), n, count, mpf(delta))
            yield "consistency_deviation", arguments, {"delta": delta}, bound
            options = {"delta": delta, "maximiser": "v-statistic"}
            yield "consistency_deviation", arguments, options, bound + diagonal(n)
            bound = sharp_consistency(mpf(half_range), reduced(rho, 4.0), n, count, mpf(delta))
            yield "consistency_deviation", arguments, {"delta": delta, "order": 4.0}, bound


def printed_sampling(rho, count, delta):
    """Lemma 5 and a two-sided tail 2 exp(-N t^2 / (8 (1 + rho)))."""
    growth = sqrt(1 + rho) - 1
    gap = 4 * (2 * (growth + 1) ** 2 / growth) * sqrt(log(2 * mpf(count)) / count)
    return gap + sqrt(8 * (1 + rho) * log(2 / delta) / count)


def reduced(rho, order):
    """Radius of the chi-square ball around a ball of higher order."""
    return (1 + mpf(rho)) ** (1 / (mpf(order) - 1)) - 1


def sharp_sampling(half_range, rho, count, delta):
    """Gap by the law that attains it, tail 2 exp(-t^2 / (2 L^2 (2 M)^2)) with L^2 = (1 + rho) / N."""
    gap = 2 * half_range * (1 - mpf(1) / (2 * count)) ** count * sqrt(rho / (2 * count - 1))
    return gap + 2 * half_range * sqrt(2 * (1 + rho) / count * log(2 / delta))


def sharp_consistency(half_range, rho, n, count, delta):
    """Tails exp(-t^2 / (2 * 4/n)) around a mean of sqrt(rho) sd, and exp(-t^2 / (2 * 1/floor(n/2)))."""
    uniform = sqrt(rho) * sqrt(mpf(2) / n) + sqrt(2 * mpf(4) / n * -log(delta))
    single = sqrt(2 * mpf(1) / (n // 2) * -log(delta))
    return sharp_sampling(half_range, rho, count, delta) + uniform + single


def diagonal(n):
    """Largest centred sum of squares of n signs, over n (n - 1)."""
    plus = n // 2
    return (mpf(n) - mpf(2 * plus - n) ** 2 / n) / (n * (n - 1))
