"""Evidence for `folklore`: `python tests/alien/evidence/folklore.py`, by the checks of `estimators.py`.

What falsehoods are at their witnesses is counted or computed without their bodies: fractions, closed forms, 50 digits.
Truths are run at random and degenerate inputs of our own; by checks of their own the mean of an inverse, the convex
function (any largest of affine ones), the supremum of the empirical law, exact by sorting, and the table.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from estimators import check, real
from optim import RNG, check_rate, run


def momentum(b):
    """The largest rise of |x| in eight steps."""
    x, before, rises = Fraction(1, 2), Fraction(1), []
    for _ in range(8):
        x, before = x / 2 + b * (x - before), x
        rises.append(abs(x) - abs(before))
    return max(rises)


def gelu(x):
    return mp.mpf(x) * mp.ncdf(mp.mpf(x))


def least(points):
    """The least eigenvalue of exp(-|x - y|^3)."""
    gram = mp.matrix([[mp.exp(-(abs(mp.mpf(a) - mp.mpf(b)) ** 3)) for b in points] for a in points])
    return min(mp.eigsy(gram, eigvals_only=True))


def geodesic(t):
    """A circulant matrix of four points: 1 - 2 q + q^4 belongs to alternating signs."""
    q = mp.exp(-mp.mpf(t) * mp.pi**2 / 4)
    return 1 - 2 * q + q**4


def divergence(s, t):
    """Of two centred normal laws."""
    return mp.log(mp.mpf(t) / s) + mp.mpf(s * s) / (2 * t * t) - mp.mpf(1) / 2


def streaks():
    """The mean share of heads after heads in four flips, where there is a head before the last one."""
    rows = [row for row in itertools.product("ht", repeat=4) if "h" in row[:3]]
    shares = [Fraction(sum(row[i : i + 2] == ("h", "h") for i in range(3)), row[:3].count("h")) for row in rows]
    return sum(shares) / len(shares)


def ranks(order):
    """Kendall's tau and Spearman's rho of an order of 0, ..., n - 1."""
    n = len(order)
    up = sum(order[i] < order[j] for i, j in itertools.combinations(range(n), 2))
    rho = 1 - Fraction(6 * sum((i - r) ** 2 for i, r in enumerate(order)), n * (n * n - 1))
    return Fraction(2 * up, math.comb(n, 2)) - 1, rho


TAU, RHO = ranks((0, 4, 3, 2, 1))
assert max(7 * tau - 4 * rho for tau, rho in map(ranks, itertools.permutations(range(5)))) == 3
assert streaks() == Fraction(17, 42)
SIDES = {
    "plain-positive-skew-puts-mean-right": (0.65 - 0.45 * 0.65 - 0.1, 0.001),
    "plain-median-of-sum": (1, 0),  # 0.36, 0.48, 0.16
    "plain-uniform-has-largest-variance": (Fraction(1, 4), Fraction(1, 12)),
    "subtle-correlation-transitive": (0.02, 0),
    "plain-intersection-property": (mp.log(2), 0.01),
    "plain-no-simpson-reversal": (0.8, 0.35),
    "plain-p-value-is-posterior": (Fraction(45, 125), 0.05),
    "plain-overlap-is-insignificant": (0.05, mp.erfc(mp.mpf(3) / 2)),
    "plain-hot-hand-share-is-half": (0.45, real(streaks())),
    "plain-volatility-drag": (mp.mpf(9) / 16 - mp.sqrt(mp.mpf(1) / 8), mp.mpf(49) / 288),
    "plain-inverse-regression-slope": (Fraction(6, 10) / Fraction(12, 10), Fraction(8, 10) / Fraction(6, 10)),
    "plain-kendall-below-spearman": (abs(TAU), abs(RHO) + Fraction(1, 100)),
    "plain-permutation-p-without-one": (Fraction(1, 10), 0.05),
    "plain-sample-sd-unbiased": (1, (8 + 6 * mp.sqrt(mp.mpf(4) / 3)) / 16),
    "plain-real-eigenvalues-rare": (mp.sqrt(2), 1.35),
    "plain-sphere-coordinate-fourth-moment": (2.5, Fraction(18, 8)),
    "plain-range-rate": lambda n: mp.mpf(2) / (n + 1),
    "plain-monty-hall-half": (Fraction(2, 3), Fraction(1, 2)),
    "plain-coupon-collector": (real(5 * sum(Fraction(1, k) for k in range(1, 6))), 5 * mp.log(5)),
    "subtle-gd-descends-a-bit-beyond": (Fraction(121, 200), Fraction(1, 2)),
    "plain-momentum-is-monotone": (momentum(Fraction(9, 10)), 0.1),
    "plain-subgradient-descends": (1.008, 1),
    "plain-coordinate-minimum-is-minimum": (1, 0.1),
    "plain-product-of-convex": (Fraction(1, 16), 0),
    "plain-gelu-monotone": (gelu(-2), gelu(-1)),
    "subtle-gelu-one-lipschitz": (gelu("1.5") - gelu("1.3"), 0.22),
    "plain-exp-power-three-kernel": (-least(["0", "0.6", "1.2", "1.8"]), 1e-4),
    "plain-geodesic-gaussian": (-geodesic("0.05"), 1e-3),
    "plain-sigmoid-kernel": (2 * mp.tanh(1), 1e-9),
    "plain-sorted-matching-concave": (mp.sqrt(2), 1),
    "plain-test-r2-non-negative": (4, 2),
    "plain-differential-entropy-non-negative": (-mp.log(2 * mp.pi * mp.e / 100) / 2, 0),
    "plain-kl-normals-symmetric": (divergence(1, 2), divergence(2, 1)),
    "subtle-huffman-within-half-bit": (1, 0.9),
    "plain-norms-equivalent-uniformly": [mp.sqrt(2**k) for k in range(2, 8)],
}


def check_range(claim, witness):
    print(f"{claim.id:45} {float(check_rate(claim, witness, SIDES['plain-range-rate'])):.10g}")


def check_inverse(claim, _):
    """Laws on [1/2, 4]: the mean of 1/X against 1 over the mean, in 50 digits."""
    for _ in range(300):
        places = [mp.mpf(RNG.uniform(0.5, 4)) for _ in range(3)]
        weights = [mp.mpf(RNG.random()) for _ in range(3)]
        weights = [w / sum(weights) for w in weights]
        mean = sum(w * x for w, x in zip(weights, places, strict=True))
        inverse = sum(w / x for w, x in zip(weights, places, strict=True))
        assert 1 / mean <= inverse + mp.mpf(10) ** -45, claim.id
    print(f"{claim.id:45} no violation")


def check_star(claim, _):
    """The largest of three affine functions, less its value at 0, over x: it rises with x."""
    for _ in range(300):
        lines = [(mp.mpf(RNG.uniform(-1, 1)), mp.mpf(RNG.uniform(-1, 1))) for _ in range(3)]
        x, y = sorted(mp.mpf(RNG.uniform(0.01, 1)) for _ in range(2))
        start = max(b for _, b in lines)
        low, high = ((max(a * t + b for a, b in lines) - start) / t for t in (x, y))
        assert low <= high + mp.mpf(10) ** -40, claim.id
    print(f"{claim.id:45} no violation")


def check_supremum(claim, _):
    """The supremum of |F_n(t) - t| is reached at a number or just before it."""
    generator = np.random.default_rng(5)
    for cell in claim.cells:
        n, delta = cell["n"], cell["delta"]
        x, steps = np.sort(generator.random((100_000, n)), -1), np.arange(n + 1) / n
        supremum = np.maximum(steps[1:] - x, x - steps[:-1]).max(-1)
        share = (supremum > math.sqrt(math.log(2 / delta) / (2 * n))).mean()
        assert share <= delta, claim.id
        print(f"{claim.id:45} {share:.10g}")


def check_die(claim, witness):
    """Mean and variance in fractions: the printed digits are theirs, rounded."""
    faces = range(1, 7)
    mean = Fraction(sum(faces), 6)
    exact = {"mean": mean, "variance": Fraction(sum(f * f for f in faces), 6) - mean**2}
    rows = {row.label: row for row in (row.stored() for row in run(claim, {"params": {}, "values": {}}, 64))}
    assert set(rows) == set(exact)
    for label, row in rows.items():
        assert abs(row.ours - exact[label]) < 1e-12, label
        assert abs(row.printed - exact[label]) <= claim.kind.tolerance, label
    print(f"{claim.id:45} {float(exact['variance']):.10g}")


OWN = {
    "plain-range-rate": check_range,
    "true-mean-of-inverse": check_inverse,
    "true-star-shaped": check_star,
    "true-dkw-massart": check_supremum,
    "true-die-table": check_die,
}

if __name__ == "__main__":
    assert check("folklore", SIDES, OWN) == 68
