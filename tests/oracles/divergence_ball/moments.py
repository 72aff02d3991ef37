"""Bounds on power means from relative variances, worst norms from solving, moments of two-valued variables."""

from mpmath import findroot, mpf, root, sqrt

LAWS = [(0.5, 0.25, 0.75, 3), (2.0, 1.5, 2.5, 100), (1.0, 4.0, 1.25, 1)]


def cases():
    for norm, variance, two_norm, n in LAWS:
        for power in [1.0, 1.25, 2.0]:
            relative = mpf(variance) / mpf(norm) ** (2 * power)
            value = (1 - 1 / mpf(power)) * sqrt(mpf(2) / n) * sqrt(relative) * mpf(two_norm)
            yield "low_power_deficit", (norm, variance, two_norm, n), {"power": power}, value
        for power in [2.0, 3.0, 8.5]:
            factor, relative = 1 - 1 / mpf(power), mpf(variance) / mpf(norm) ** (2 * power)
            slow = factor * sqrt(relative / n) * mpf(norm)
            fast = factor**2 / n * mpf(variance) / mpf(norm) ** (2 * power - 1)
            yield "high_power_deficit", (norm, variance, n), {"power": power}, 2 * min(slow, fast)
        for power in [1.0, 1.25, 2.0, 3.0, 8.5]:
            factor = 1 - 1 / mpf(power)
            value = factor * mpf(variance) / mpf(norm) ** (2 * power) * mpf(norm) / n
            yield "power_mean_deficit", (norm, variance, n), {"power": power}, value
    for bound, n in [(1.0, 1), (0.5, 7), (3.0, 1000)]:
        for power in [1.0, 1.25, 2.0]:
            factor = 1 - 1 / mpf(power)
            yield "bounded_low_power_deficit", (bound, n), {"power": power}, factor * bound * sqrt(mpf(2) / n)
        for power in [2.0, 3.0, 8.0]:
            yield "bounded_high_power_deficit", (bound, n), {"power": power}, 2 * mpf(bound) / root(n, int(power))
        for power in [1.25, 2.0, 3.0, 8.5]:
            yield "bounded_power_mean_deficit", (bound, n), {"power": power}, worst_norm(mpf(bound), n, mpf(power))
        yield "bounded_power_mean_deficit", (bound, n), {"power": 1.0}, mpf(0)
    for c, p, k in [(2.0, 0.25, 1.0), (0.5, 0.75, 2.0), (3.0, 1.0, 0.5)]:
        # X = c with probability p: E X^(ak) = p c^(ak), an equality.
        for ratio in [1.0, 1.25, 1.5, 2.0]:
            arguments = (p * c**k, p * c ** (2 * k))
            single, double = mpf(arguments[0]), mpf(arguments[1])
            value = single * (double / single) ** (mpf(ratio) - 1)
            yield "intermediate_moment_bound", arguments, {"ratio": ratio}, value


def worst_norm(bound, n, power):
    """Where A = f C^p A^p / (n A^(2p - 1)): the larger one of a growing and a shrinking bound."""
    factor = 1 - 1 / power
    return bound * findroot(lambda a: a - factor / (n * a ** (power - 1)), (factor / n) ** (1 / power))
