"""Minima over all temperatures of a grid, one by one; infima by the root of the derivative; orders by quadrature."""

import itertools
from fractions import Fraction

from mpmath import exp, findroot, inf, log, mpf, quad, sqrt

BOUNDS = ("second_order", "first_order", "averaged_first_order")
SETTINGS = list(itertools.product(BOUNDS, [(2, 0.75), (5, 0.05), (341, 0.05), (2, 5e-324)]))
GRIDS = [{"ratio": 1.25}, {"largest_divergence": 9.5}, {"largest_divergence": 1000.0, "ratio": 8.0}]
DIVERGENCES = (0.0, 3.0, 40.0)


def cases():
    for bound, (n, delta) in SETTINGS:
        options = {"bound": bound, "sample_size": n, "delta": delta}
        line = Line(bound, n, mpf(delta))
        for loss, kl in ((0.0, 0.0), (0.3, 2.5)):
            yield "kl_bound_infimum", (loss, kl), options, loss + line.at(kl, line.best(kl))
        for grid in GRIDS:
            yield from grid_cases(options, grid, line)
    line = Line("second_order", 8, mpf(1 - 2**-53))
    options = {"bound": "second_order", "sample_size": 8, "delta": 1 - 2**-53}
    yield "kl_bound_infimum", (0.0, 0.0), options, line.at(0, line.best(0))
    plain = {"bound": "second_order", "sample_size": 10**5, "delta": 0.05}
    line = Line("second_order", 10**5, mpf(0.05))
    yield "kl_bound_infimum", (0.3, 2.5), plain, mpf(0.3) + line.at(2.5, line.best(2.5))
    for grid in ({}, {"largest_divergence": 0.0}, {"largest_divergence": 1e4}):
        yield from grid_cases(plain, grid, line)
    yield from order_cases()


class Line:
    """times (KL + log M(t) + log(events / delta)) / t with log M(t) <= t^2 proxy / 2."""

    def __init__(self, bound, n, delta):
        blocks = {"second_order": n // 2}.get(bound, n - 1)  # independent losses of range one that are averaged
        self.proxy, self.delta = mpf(1) / (4 * blocks), delta
        self.times, self.events = (2, n + 1) if bound == "averaged_first_order" else (1, 1)

    def at(self, kl, t, choices=1):
        return self.times * (mpf(kl) + t**2 * self.proxy / 2 + log(self.events * choices / self.delta)) / t

    def best(self, kl, choices=1):
        """Where the derivative in t vanishes: half of t^2 times the proxy is what stands beside it."""
        return sqrt(2 * (mpf(kl) + log(self.events * choices / self.delta)) / self.proxy)


def grid_cases(options, grid, line):
    span = mpf(grid["largest_divergence"]) if "largest_divergence" in grid else default_range(line)
    grid_of_t = temperatures(line, span, mpf(grid.get("ratio", 2.5)))
    yield "temperature_grid_size", (), options | grid, mpf(len(grid_of_t))
    for kl in DIVERGENCES:
        value, t = min((line.at(kl, t, len(grid_of_t)), t) for t in grid_of_t)
        yield "tuned_kl_bound", (0.125, kl), options | grid, mpf(0.125) + value
        yield "tuned_inverse_temperature", (kl,), options | grid, t
    largest = max(grid_of_t)
    yield "tuned_inverse_temperature", (float("inf"),), options | grid, largest


def default_range(line):
    """The divergence at which the best gap is one, from the gap itself."""
    if line.at(0, line.best(0)) >= 1:
        return mpf(0)
    nats = findroot(lambda x: line.at(x, line.best(x)) - 1, [0, 1 / line.proxy], solver="anderson")
    return mpf(nats)


def temperatures(line, span, ratio):
    """Centres of the fewest cells, equal on the logarithmic scale, that cover the best t of all divergences."""
    count = 1
    while line.best(span, count) > line.best(0, count) * ratio**count:
        count += 1
    low, high = line.best(0, count), line.best(span, count)
    return [low * (high / low) ** ((2 * k + mpf(1)) / (2 * count)) for k in range(count)]


def order_cases():
    lists = [
        ((2.0,), (0.7,)),
        ((1.5, 2.0), (0.3, 0.7)),
        ((1.25, 2.0, 8.0), (0.2, 9.0, 4000.0)),
        ((8.0, 1.5), (0.1, 5.0)),
    ]
    for (orders, divergences), n, delta, labels in itertools.product(
        lists, (2, 340), (0.05, 0.9), ("binary", "general")
    ):
        options = {"orders": list(orders), "sample_size": n, "delta": delta, "labels": labels}
        value = min(
            power_gap(mpf(mu), mpf(d), n, mpf(delta) / len(orders), labels)
            for mu, d in zip(orders, divergences, strict=True)
        )
        yield "tuned_power_divergence_bound", (0.25, list(divergences)), options, mpf(0.25) + value


def power_gap(order, divergence, n, delta, labels):
    """Hoelder and Markov: (E D_+^m / delta)^(1/m) (D_mu + 1)^(1/mu), m the conjugate of mu."""
    m = order / (order - 1)
    second = Fraction(1, 4 * n) if labels == "binary" else (Fraction(27 * (n - 2), 64) + Fraction(1, 2)) / (n * (n - 1))
    second = mpf(second.numerator) / second.denominator
    by_second = second if m >= 2 else second ** (m / 2)
    tail = quad(lambda x: m * x ** (m - 1) * exp(-2 * (n // 2) * x * x), [0, 1 / sqrt(n), 1, 10, inf])
    return (min(by_second, tail) / delta) ** (1 / m) * (1 + divergence) ** (1 / order)
