"""Evidence for `errata`: `python tests/alien/evidence/errata.py`, by the checks of `estimators.py`.

What falsehoods are at their witnesses is counted or computed without their bodies: fractions, enumeration, closed
forms, 50 digits. Truths are run at random and degenerate inputs of our own.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from estimators import check


def root_of_gram():
    """The least eigenvalue of the shifted root of [[1, 1, 0], [1, 2, 1], [0, 1, 1]]."""
    gram = [[1, 1, 0], [1, 2, 1], [0, 1, 1]]
    root = mp.matrix([[mp.sqrt(g + mp.mpf("1e-6")) - mp.mpf("1e-3") for g in row] for row in gram])
    return -min(mp.eigsy(root, eigvals_only=True))


def heavy_ball(x):
    """The slope is 1 below 1, 1/25 between 1 and 2, and 1 above, all times 25, without a jump."""
    before = x = mp.mpf(x)
    for _ in range(60):
        slope = 25 * x - 24 * min(max(x - 1, 0), 1)
        x, before = x - slope / 9 + 4 * (x - before) / 9, x
    return abs(x)


def runge(n):
    """The largest error of the interpolant, by Newton's divided differences, at 801 points."""

    def f(x):
        return 1 / (1 + 25 * x * x)

    nodes = [mp.mpf(-1) + mp.mpf(2 * k) / (n - 1) for k in range(n)]
    table = list(map(f, nodes))
    for level in range(1, n):
        for k in range(n - 1, level - 1, -1):
            table[k] = (table[k] - table[k - 1]) / (nodes[k] - nodes[k - level])

    def error(x):
        value = table[-1]
        for k in range(n - 2, -1, -1):
            value = value * (x - nodes[k]) + table[k]
        return abs(value - f(x))

    return max(error(mp.mpf(k) / 400) for k in range(-400, 401))


def growth(rows):
    """The largest entry of any step of elimination over the first one; the pivots are on the diagonal."""
    a = [[Fraction(x) for x in row] for row in rows]
    largest = [max(abs(x) for row in a for x in row)]
    for k in range(len(a) - 1):
        assert all(abs(row[k]) <= abs(a[k][k]) for row in a[k:])
        for i in range(k + 1, len(a)):
            a[i] = [x - a[i][k] / a[k][k] * y for x, y in zip(a[i], a[k], strict=True)]
        largest.append(max(abs(x) for row in a for x in row))
    return max(largest) / largest[0]


def lifted(t):
    """t^2 + 3 sin^2 t, by the double angle."""
    return mp.mpf(t) ** 2 + (3 - 3 * mp.cos(2 * mp.mpf(t))) / 2


def cyclotomic(*primes):
    """The largest coefficient for a product of odd primes: prod (1 - x^d)^mu(n/d) as a power series."""
    n = math.prod(primes)
    series = [1] + [0] * n
    for size in range(len(primes) + 1):
        for some in itertools.combinations(primes, size):
            d = math.prod(some)
            if (len(primes) - size) % 2:
                for k in range(d, n + 1):
                    series[k] += series[k - d]
            else:
                for k in range(n, d - 1, -1):
                    series[k] -= series[k - d]
    return max(map(abs, series))


def sums_of(x, y):
    """A law's entropy, by its masses."""
    masses = {}
    for a, b in itertools.product(x, y):
        masses[a + b] = masses.get(a + b, 0) + mp.mpf(1) / 9
    return -sum(m * mp.log(m) for m in masses.values())


def supremum(points):
    signs = list(itertools.product((-1, 1), repeat=3))
    values = (max(abs(sum(e * t for e, t in zip(s, point, strict=True))) for point in points) for s in signs)
    return Fraction(sum(values), len(signs))


def divergence(a, b):
    a, b = mp.mpf(a), mp.mpf(b)
    return a * mp.log(a / b) + (1 - a) * mp.log((1 - a) / (1 - b))


def coin():
    p, s = mp.mpf(1) / 10, 2
    return mp.exp(-s * p) * (1 - p + p * mp.exp(s)), mp.exp(mp.mpf("0.18"))


POINTS = [(0, -2, 2), (2, 2, 0), (2, 0, 2)]
WILKINSON = [[1, 0, 0, 1], [-1, 1, 0, 1], [-1, -1, 1, 1], [-1, -1, -1, 1]]
MISSED = sum(math.comb(10, k) * 0.017**k * 0.983 ** (10 - k) for k in range(1, 11))
assert abs(1 - 0.17) > mp.mpf("1.96") * mp.sqrt(10 * 0.017 * 0.983) > 0.17
assert 27**5 + 84**5 + 110**5 + 133**5 == 144**5
assert pow(2, 11 * 31) % (11 * 31) == 2
assert cyclotomic(3, 5) == cyclotomic(3, 11) == 1
SIDES = {
    "plain-operator-triangle": (mp.sqrt(2) - 1, 1e-3),
    "plain-trace-of-three-psd": (mp.mpf(1) / 8, 0),
    "plain-spectral-radius-submultiplicative": (1, 0),
    "plain-schur-root": (root_of_gram(), 1e-2),
    "plain-heavy-ball-converges": (heavy_ball("3.2"), 0.1),
    "plain-adam-lemma-10-3": (0.1, 0.02),
    "subtle-gd-constant": (mp.mpf(1) / 14, mp.mpf(1) / 15),
    "subtle-simpson-constant": (Fraction(5, 24) - Fraction(1, 5), Fraction(24, 3000)),
    "plain-equispaced-interpolation": (runge(15), 1),
    "plain-pivot-growth": (growth(WILKINSON), 4),
    "plain-pl-is-convex": (lifted("1.5"), (lifted(1) + lifted(2)) / 2),
    "plain-bernoulli-proxy-is-variance": coin(),
    "plain-azuma-two-sided-without-two": (1, mp.exp(-mp.mpf(1) / 2)),
    "plain-bennett-h-quadratic": (0.5, 2 * mp.log(2) - 1),
    "plain-kl-half-chi-square": (divergence("0.1", "0.3"), 0.04 / (2 * 0.3 * 0.7)),
    "plain-tv-below-hellinger": (0.2, mp.sqrt(1 - 2 * mp.sqrt(mp.mpf("0.24")))),
    "plain-difference-entropy-below-sum": (sums_of((0, 1, 3), (0, -1, -3)), sums_of((0, 1, 3), (0, 1, 3))),
    "plain-cyclotomic-coefficients": (cyclotomic(3, 5, 7), 1),
    "subtle-chinese-hypothesis": (1, 0),
    "plain-euler-powers": (1, 0),
    "plain-brooks-without-exceptions": (4, 3),
    "plain-hoffman-irregular": (3, 2),  # the star has the eigenvalues sqrt 3, 0, 0 and -sqrt 3
    "subtle-contraction-with-modulus": (supremum([[max(x, 0) for x in p] for p in POINTS]), supremum(POINTS)),
    "plain-gaussian-maximum-lower": (mp.sqrt(mp.log(2)), 1 / mp.sqrt(mp.pi)),
    "plain-wilson-covers": (MISSED, 0.05),
    "plain-chiani-everywhere": (1, Fraction(2, 3)),
    "plain-stirling-upper": (0, mp.log(2 * mp.pi) / 2 - 1),
}

if __name__ == "__main__":
    assert check("errata", SIDES, {}) == 52
