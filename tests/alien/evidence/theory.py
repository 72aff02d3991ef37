"""Evidence for `theory`: `python tests/alien/evidence/theory.py`, by the checks of `estimators.py`.

What falsehoods are at their witnesses is computed without their bodies: fractions, closed forms, recursions. Truths are
run at random and degenerate inputs of our own; by checks of their own the mean of the largest walk, by the binomial
law, and the rate of the median, by its beta law.
"""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import torch
from estimators import check, real
from optim import agree, check_rate, run
from scipy import special


def above(steps, level):
    """P(S_t > level sqrt(t) for some t <= steps), of walks by one up or down: those that are there are counted out."""
    weights = np.zeros(2 * steps + 1)
    weights[steps] = 1.0
    places, total = np.arange(-steps, steps + 1), 0.0
    for t in range(1, steps + 1):
        weights = (np.roll(weights, 1) + np.roll(weights, -1)) / 2
        there = places > level * math.sqrt(t)
        total += weights[there].sum()
        weights[there] = 0.0
    return total


def largest_walk(n, count):
    """The mean of the largest of some binomial numbers, doubled and less n, in fractions."""
    masses = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    below = [sum(masses[: k + 1]) ** count for k in range(n + 1)]
    return sum((2 * k - n) * (b - a) for k, (a, b) in enumerate(zip([0, *below], below, strict=False)))


def regret(losses):
    """The regret of descent on the disc with steps 1/sqrt(T)."""
    step, x, y, own = 1 / mp.sqrt(len(losses)), mp.mpf(0), mp.mpf(0), mp.mpf(0)
    for a, b in losses:
        own += a * x + b * y
        x, y = x - step * a, y - step * b
        norm = max(1, mp.sqrt(x * x + y * y))
        x, y = x / norm, y / norm
    return own + mp.sqrt(sum(a for a, _ in losses) ** 2 + sum(b for _, b in losses) ** 2)


def orthogonal(count):
    """Each vector of length one, at a right angle to the sum of the former ones."""
    found, x, y = [], mp.mpf(0), mp.mpf(0)
    for _ in range(count):
        norm = mp.sqrt(x * x + y * y)
        a, b = (-y / norm, x / norm) if norm else (mp.mpf(1), mp.mpf(0))
        found.append((a, b))
        x, y = x + a, y + b
    return found


def distance(n):
    """The mean of |U_(i) - (i - 1/2)/n|, averaged over i, by the beta laws of order statistics."""
    i = np.arange(1, n + 1)
    c, mean = (i - 0.5) / n, i / (n + 1)
    partial = c * special.betainc(i, n - i + 1, c) - mean * special.betainc(i + 1, n - i + 1, c)
    return float((2 * partial + mean - c).mean())


def divergence():
    return mp.log(mp.mpf(25) / 24) / 2  # of (1/2, 1/2) from (3/5, 2/5)


SIDES = {
    "plain-bernstein-no-linear-term": (Fraction(9, 10) ** 20, 0.05),
    "plain-jensen": ((1 + Fraction(1, 2)) / 2, 1 / (1 + Fraction(1, 2))),
    "plain-ece-brier": (Fraction(1, 10), Fraction(1, 100)),
    "plain-processing-reversed": (mp.log(mp.mpf(4) / 3) / 2, 0),
    "plain-uniform-in-time": (above(1000, math.sqrt(2 * math.log(20))), 0.05),
    "plain-overshrunk": (5 - 2 * 6.6 + 6.6**2 / 3, 5),
    "plain-l1-log": [mp.sqrt(n) / (1 + mp.log(n)) for n in (4, 16, 64, 256, 1024)],
    "subtle-pinsker-09": (0.1, mp.mpf(9) / 10 * mp.sqrt(divergence() / 2)),
    "subtle-conformal-upper": (1, Fraction(9, 10)),
    "subtle-maximum-of-walks": (real(largest_walk(10, 8)), mp.sqrt(9 * mp.log(8))),
    "subtle-ogd-095": (regret(orthogonal(4)), 1.9),
    "subtle-chernoff-half": (Fraction(3, 4) ** 10, Fraction(3, 4) ** 10 / 2),
    "subtle-w1-rate": distance,
}


def check_distance(claim, witness):
    print(f"{claim.id:45} {float(check_rate(claim, witness, distance)):.10g}")


def check_maximum(claim, _):
    exact = largest_walk(10, 8)
    found = torch.as_tensor(run(claim, {"params": {"n": 10, "K": 8}, "values": {}})[0])
    agree(float(found.mean()), exact, claim.id, 5 * float(found.std()) / math.sqrt(len(found)))
    assert exact <= math.sqrt(20 * math.log(8)), claim.id
    print(f"{claim.id:45} {float(exact):.10g}")


def check_median(claim, _):
    """The variance of the law Beta(m, m), m = (n + 1)/2."""
    for cell in claim.cells:
        m = Fraction(cell["n"] + 1, 2)
        exact = m * m / ((2 * m) ** 2 * (2 * m + 1))
        assert exact == Fraction(1, 4 * (cell["n"] + 2))
        found = torch.as_tensor(run(claim, {"params": cell, "values": {}}, 4000))
        agree(float(found.mean()), exact, claim.id, 5 * float(found.std()) / math.sqrt(4000))
    print(f"{claim.id:45} {exact} at last")


OWN = {
    "subtle-w1-rate": check_distance,
    "true-maximum-of-walks": check_maximum,
    "true-median-rate": check_median,
}

if __name__ == "__main__":
    assert check("theory", SIDES, OWN) == 21
