"""Probabilities of boxes by exact convolution of rational generating functions, one cell after another."""

from fractions import Fraction
from math import ceil, factorial, floor

from mpmath import binomial, mpf

SLACK = Fraction(1, 10**9)  # relative; counts so close to the boundary are inside


def cases():
    for count, weights, lower, upper in [
        (6, [2, 2, 4], [0, 1, 2], [3, 4, 6]),
        (7, [1, 1, 2, 4], [0, 0, 1, 2], [2, 7, 3, 5]),
        (5, [1, 0, 1], [0, 0, 0], [5, 5, 2]),
        (5, [1, 0, 1], [0, 1, 0], [5, 5, 5]),
        (4, [1], [0], [4]),
        (4, [1, 1], [-3, 0], [1, 9]),
        (9, [1, 1, 1, 1], [1, 1, 1, 1], [3, 3, 3, 4]),
        (8, [1, 1, 1, 1], [2, 2, 2, 2], [2, 2, 2, 2]),
        (8, [1, 1], [5, 4], [8, 8]),
        (8, [1, 1], [0, 0], [3, 4]),
        (8, [1, 1], [0, 0], [4, 4]),
        (8, [1, 1], [5, 6], [4, 8]),
        (60, [1, 3, 4], [2, 15, 22], [12, 30, 40]),
        (0, [1, 1], [0, 0], [0, 3]),
    ]:
        shares = [Fraction(w, sum(weights)) for w in weights]
        value = box(count, shares, lower, upper)
        arguments = (count, [float(p) for p in shares], lower, upper)
        yield "multinomial_box_probability", arguments, {}, value, {"atol": 1e-14}
    for count, low, high in [(10**5, 49800, 50200), (10**6, 499000, 501000), (1000, 700, 1000)]:
        value = central(count, low, high)
        arguments = (count, [0.5, 0.5], [low, count - high], [high, count - low])
        yield "multinomial_box_probability", arguments, {}, value, {"atol": min(1e-12, float(value) * 1e-9)}
    for count, cells, deviation in [
        (10, 2, Fraction(1, 5)),  # counts 4, 5, 6 are inside, although 0.2 * 5 is not 1 in binary
        (10, 2, Fraction(3, 10)),
        (30, 5, Fraction(1, 2)),
        (16, 4, Fraction(1, 4)),
        (25, 5, Fraction(3, 5)),
        (100, 4, Fraction(3, 10)),
        (40, 8, Fraction(6, 5)),
        (10, 1, Fraction(0)),
        (3, 2, Fraction(1, 10)),
        (7, 3, Fraction(1)),
        (9, 3, Fraction(0)),
        (10, 2, Fraction(1, 5) - Fraction(7, 10**10)),  # 4 and 6 are outside by 0.7e-9, within the promised 1e-9
        (10, 2, Fraction(1, 5) - Fraction(15, 10**10)),  # by 1.5e-9, beyond it
    ]:
        reach = deviation + SLACK
        low, high = ceil(Fraction(count, cells) * (1 - reach)), floor(Fraction(count, cells) * (1 + reach))
        value = 1 - box(count, [Fraction(1, cells)] * cells, [low] * cells, [high] * cells)
        yield "uniform_deviation_probability", (count, cells, float(deviation)), {}, value, {"atol": 1e-13}


def central(count, low, high):
    """Heads of fair coins from low to high, one binomial coefficient after another."""
    total, term = mpf(0), binomial(count, low) / mpf(2) ** count
    for heads in range(low, high + 1):
        total += term
        term *= mpf(count - heads) / (heads + 1)
    return total


def box(count, shares, lower, upper):
    """count! [x^count] prod_i sum_{k = a_i..b_i} (p_i x)^k / k!."""
    series = {0: Fraction(1)}
    for p, a, b in zip(shares, lower, upper, strict=True):
        grown: dict[int, Fraction] = {}
        for done, weight in series.items():
            for k in range(max(a, 0), min(b, count - done) + 1):
                grown[done + k] = grown.get(done + k, Fraction(0)) + weight * p**k / factorial(k)
        series = grown
    return factorial(count) * series.get(count, Fraction(0))
