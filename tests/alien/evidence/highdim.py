"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, quadrature, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are. Where a probability is far from its bound, float64 decides.
"""

import itertools
import math
from fractions import Fraction
from functools import cache

import mpmath as mp
import numpy as np
from optim import RNG, main, number, simplex
from shapes import exact, off

PAIR = (0, 1)


@cache
def signs(n):
    return np.array(list(itertools.product((-1, 1), repeat=n)))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def share():
    """A fraction of [0, 1]; its ends are likely."""
    return Fraction(RNG.choice([0, 20, RNG.randint(0, 20)]), 20)


def direction(n):
    """A point of the sphere, some of its coordinates 0, often all others the same."""
    x = [mp.mpf(RNG.gauss(0, 1)) * (RNG.random() < 0.7) for _ in range(n)]
    x = [mp.sign(v) for v in x] if RNG.random() < 0.4 else x
    x[0] += not any(x)
    size = mp.sqrt(dot(x, x))
    return [v / size for v in x]


def points(k, n):
    """Of the unit ball, most of them on its sphere."""
    radii = [RNG.choice([1.0, 1.0, RNG.random(), 0.0]) for _ in range(k)]
    return np.array([[r * float(v) for v in direction(n)] for r in radii])


def beyond(t):
    """P(|g| > t)."""
    return mp.erfc(t / mp.sqrt(2))


def smallest_singular():
    """Edelman's density of the smallest singular value."""
    n = 10

    def density(s):
        scale = 2 * n / mp.sqrt(2 * mp.pi) * mp.gamma(mp.mpf(n + 1) / 2)
        return scale * mp.exp(-s * s * n / 2) * mp.hyperu(mp.mpf(n - 1) / 2, -mp.mpf(1) / 2, s * s / 2)

    with mp.workdps(25):
        assert abs(mp.quad(density, [0, 0.1, 0.5, 1, 2, 4]) - 1) < mp.mpf(10) ** -15
        return mp.quad(density, [0, 1 / (2 * mp.sqrt(n))]), mp.mpf(1) / 20


def at_least(k, n):
    """The probability of k or more heads among n fair coins."""
    ways, total = 1, 0
    for j in range(n + 1):
        total += ways if j >= k else 0
        ways = ways * (n - j) // (j + 1)
    return Fraction(total, 2**n)


def median_error(n):
    """E |x - 1/2| of the k-th of n uniform numbers, k = (n + 1) / 2 rounded down: twice the mean of (1/2 - x)_+."""
    k = (n + 1) // 2
    mean = Fraction(k, n + 1)
    return exact(at_least(k, n) - 2 * mean * at_least(k + 1, n + 1) + mean - Fraction(1, 2))


def two_bits(rho):
    """The means of (T f)^4, and the square of that of f^2, for a constant and one bit."""
    a, b = mp.mpf("0.99"), mp.mpf("0.1386")
    return ((a + rho * b) ** 4 + (a - rho * b) ** 4) / 2, (a * a + b * b) ** 2


def inside():
    """Six of eight coordinates are the same: the sum of six signs is 0 or 2 in size."""
    near = sum(abs(sum(e)) <= 2 for e in itertools.product((-1, 1), repeat=6))
    return Fraction(near, 64), Fraction(3, 4)


EXACT = {
    "plain-max-signs": (mp.sqrt(2), mp.sqrt(mp.log(4))),
    "plain-gaussian-norm": (beyond(1 + mp.sqrt(mp.log(1000) / 2)), mp.mpf("0.001")),
    "plain-jl-gaussian": (mp.gammainc(5, 10, regularized=True), 2 * mp.exp(-5)),
    "plain-smallest-singular": smallest_singular(),
    "plain-median-rate": median_error,
    "subtle-sum-large": inside(),
    "subtle-hypercontractive": two_bits(mp.mpf("0.6")),
    "subtle-chi-square": (beyond(mp.sqrt(1 + 2 * mp.sqrt(mp.log(50)))), mp.mpf("0.02")),
}


def max_signs():
    """All 64 signs."""
    return float((signs(6) @ points(4, 6).T).max(1).mean()) - math.sqrt(2 * math.log(4))


def hoeffding():
    """At all places of [0, 3] where the tail jumps, ties and near ties counted."""
    sums = signs(8) @ np.array([float(v) for v in direction(8)])
    return max(float((sums >= t - 1e-9).mean()) - math.exp(-t * t / 2) for t in sums if 0 <= t <= 3)


@cache
def counts(n):
    """Of three atoms among n draws, and the logarithms of the numbers of ways."""
    table = np.array([(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)])
    factorials = np.array([math.lgamma(k + 1) for k in range(n + 1)])
    return table, factorials[n] - factorials[table].sum(1)


def massart():
    """All counts; the supremum is reached at the atoms, near ties counted."""
    n, p = RNG.choice([5, 50]), np.array([float(w) for w in simplex(3)])
    table, ways = counts(n)
    mass = np.exp(ways) * np.prod(p**table, 1)
    apart = np.abs(np.cumsum(table, 1) / n - np.cumsum(p)).max(1)
    return float(mass[apart > math.sqrt(math.log(20) / (2 * n)) - 1e-9].sum()) - 0.1


def sauer():
    cells = [(n, d) for n in (1, 2, 5, 12) for d in range(1, n + 1)]
    return max(sum(math.comb(n, i) for i in range(d + 1)) - (mp.e * n / d) ** d for n, d in cells)


@cache
def largest(n):
    """E max |g_i| of n normal numbers."""
    with mp.workdps(15):
        return mp.quad(lambda t: 1 - (1 - beyond(t)) ** n, [0, 1, 2, 3, 4, 6, 12])


def width():
    return max(largest(n) - mp.sqrt(2 * mp.log(2 * n)) for n in (1, 3, 30, 300))


def max_constant():
    """With the constant 2."""
    return max(largest(n) - 2 * mp.sqrt(mp.log(n)) for n in (4, 16, 64, 256, 1024))


def khintchine():
    """All signs but the first; often two coordinates are the same, where both sides are equal."""
    x = direction(8)
    if RNG.random() < 0.4:
        x = [mp.sqrt(mp.mpf(1) / 2) * (i in (1, 4)) for i in range(8)]
    mean = sum(abs(x[0] + dot(e, x[1:])) for e in itertools.product((-1, 1), repeat=7)) / 128
    return mp.sqrt(dot(x, x) / 2) - mean


@cache
def one_above(k, t):
    """P(the largest of five normal numbers with the correlation k / 20 is above t)."""
    r = k / 20
    if r == 1:
        return 0.5 * math.erfc(t / math.sqrt(2))
    z = np.arange(-9.0, 9.0, 0.002)
    mass = np.exp(-z * z / 2) * 0.002 / math.sqrt(2 * math.pi)
    below = [0.5 * math.erfc((math.sqrt(r) * v - t) / math.sqrt(2 * (1 - r))) for v in z]
    return 1 - float(mass @ np.array(below) ** 5)


def slepian():
    r, s = sorted(RNG.randint(0, 20) for _ in range(2))
    t = RNG.choice([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0])
    return one_above(s, t) - one_above(r, t)


def poincare():
    """Both means in closed form."""
    a, b = number(0, 3), number(0, mp.pi)
    fast, slow, turn = mp.exp(-2 * a * a), mp.exp(-a * a), mp.cos(2 * b)
    return (1 - turn * fast) / 2 - mp.sin(b) ** 2 * slow - a * a * (1 + turn * fast) / 2


GRID = np.arange(-7.95, 8, 0.1)
NORMAL = np.exp(-(GRID**2) / 2) * 0.1 / math.sqrt(2 * math.pi)


def lipschitz():
    """|A g|^2 by the eigenvalues; given two of the normal numbers, the third has to be large."""
    values = [float(number(-1, 1)) for _ in range(3)]
    first, second, third = sorted(map(abs, values), reverse=True)
    if first == 0:
        return -0.01
    excess = []
    for delta in (0.05, 0.01):
        bound = math.sqrt(first**2 + second**2 + third**2) + first * math.sqrt(2 * math.log(1 / delta))
        rest = bound**2 - (second * GRID[:, None]) ** 2 - (third * GRID) ** 2
        tails = [[math.erfc(math.sqrt(max(v, 0.0) / 2) / first) for v in row] for row in rest]
        excess.append(float(NORMAL @ np.array(tails) @ NORMAL) - delta)
    return max(excess)


def largest_singular():
    """By 20000 matrices: the probability is far from its bound."""
    draw, excess = np.random.default_rng(5), []
    for m in (4, 20):
        bound = math.sqrt(m) + 2 + math.sqrt(2 * math.log(10))
        excess.append(float((np.linalg.norm(draw.normal(size=(20000, m, 4)), 2, (1, 2)) > bound).mean()) - 0.1)
    return max(excess)


def projection():
    """The law of the mean of k squares on a grid of 1/400; every probability is counted half a step wider."""
    k, x = RNG.choice([4, 12]), np.array([float(v) for v in direction(5)])
    squares = (signs(5) @ x) ** 2
    law = np.bincount(np.rint(400 * squares).astype(int)) / 32
    whole = np.ones(1)
    for _ in range(k):
        whole = np.convolve(whole, law)
    mean = np.arange(len(whole)) / 400 / k
    ends = np.linspace(0.1, 1, 46)
    mass = [float(whole[np.abs(mean - 1) >= e - 1 / 800].sum()) for e in ends]
    return max(p - 2 * math.exp(-(e * e / 2 - e**3 / 3) * k / 2) for p, e in zip(mass, ends, strict=True))


BITS = list(itertools.product(PAIR, repeat=3))


def bonami():
    """At 1 / sqrt 3 half of the time; the constant is often nearly all."""
    c, rho = direction(8), number(0, 1) / mp.sqrt(3)
    rho = 1 / mp.sqrt(3) if RNG.random() < 0.5 else rho
    if RNG.random() < 0.5:
        c = [v * mp.mpf(10) ** -RNG.randrange(1, 9) for v in c]
        c[0] = mp.sqrt(1 - dot(c[1:], c[1:]))
    noisy = []
    for x in BITS:
        characters = [(-1) ** dot(s, x) * rho ** sum(s) for s in BITS]
        noisy.append(dot(characters, c))
    return sum(v**4 for v in noisy) / 8 - dot(c, c) ** 2


def efron_stein():
    """In fractions."""
    f, p = {x: 2 * share() - 1 for x in BITS}, [share() for _ in range(3)]
    mass = {x: math.prod(q if b else 1 - q for q, b in zip(p, x, strict=True)) for x in BITS}
    mean = sum(mass[x] * f[x] for x in BITS)
    parts = Fraction(0)
    for i in range(3):
        for x in BITS:
            other = (*x[:i], 1 - x[i], *x[i + 1 :])
            parts += mass[x] * (1 - p[i] if x[i] else p[i]) * (f[x] - f[other]) ** 2 / 2
    return exact(sum(mass[x] * (f[x] - mean) ** 2 for x in BITS) - parts)


def harper():
    """All 256 sets; the size to its power is compared in whole numbers: 8^k <= 2^edges k^k."""
    for k in range(9):
        for inside in itertools.combinations(range(8), k):
            edges = sum((v in inside) != (v ^ 1 << i in inside) for v in range(8) for i in range(3)) // 2
            assert 8**k <= 2**edges * k**k
    return 0


def symmetrisation():
    """All samples of four and all their signs, in fractions."""
    w = [share() for _ in range(3)]
    w[RNG.randrange(3)] += not any(w)
    w = [x / sum(w) for x in w]
    left = right = Fraction(0)
    for x in itertools.product(range(3), repeat=4):
        chance = math.prod(w[i] for i in x)
        below = [[i <= t for i in x] for t in range(3)]
        left += chance * max(abs(Fraction(sum(below[t]), 4) - sum(w[: t + 1])) for t in range(3))
        sums = sum(max(abs(dot(e, row)) for row in below) for e in itertools.product((-1, 1), repeat=4))
        right += chance * Fraction(sums, 16 * 4)
    return exact(left - 2 * right)


def littlewood_offord():
    """In whole multiples of 1/60; half of the time many of the eight are 1."""
    a = np.array([RNG.choice([60, 60, 120, RNG.randint(60, 120)]) for _ in range(8)])
    a = np.full(8, 60) if RNG.random() < 0.2 else a
    sums, v = signs(8) @ a, RNG.choice([0, 60, RNG.randint(-240, 240)])
    return int((np.abs(sums - v) < 60).sum()) - 70


def chi_squares():
    """Every summand is rounded up on a grid of a hundredth of the largest weight: the tail is an upper bound."""
    w = [float(number(0, 1)) for _ in range(5)]
    top = max(w)
    if top == 0:
        return -0.02
    whole, ends = np.ones(1), np.arange(6001) / 100
    for v in w:
        if v:
            below = np.array([math.erf(math.sqrt(e * top / v / 2)) for e in ends])
            whole = np.convolve(whole, np.append(np.diff(below, prepend=0.0), 1 - below[-1]))[:60001]
    places, excess = np.arange(len(whole)) * top / 100, []
    for delta in (0.2, 0.02):
        t = math.log(1 / delta)
        bound = sum(w) + 2 * math.sqrt(t * sum(v * v for v in w)) + 2 * top * t
        excess.append(1 - float(whole[places <= bound].sum()) - delta)
    return max(excess)


def majority():
    """In fractions."""
    rho, cube = 2 * share() - 1, list(itertools.product((-1, 1), repeat=3))
    found = Fraction(0)
    for x in cube:
        for y in cube:
            mass = math.prod((1 + rho * a * b) / 2 for a, b in zip(x, y, strict=True)) / 8
            found += mass * (1 if sum(x) > 0 else -1) * (1 if sum(y) > 0 else -1)
    return exact(abs(found - Fraction(3, 4) * rho - Fraction(1, 4) * rho**3))


def max_uniform():
    """The printed digits, rounded."""
    return exact(abs(Fraction(10, 11) - Fraction(909, 1000)) - Fraction(1, 2000))


def gini_variance(n):
    """Hoeffding's formula; the mean of |x - U| is x^2 - x + 1/2, that of |U - V| is 1/3, of its square 1/6."""
    one = Fraction(1, 5) - Fraction(2, 4) + Fraction(2, 3) - Fraction(1, 2) + Fraction(1, 4) - Fraction(1, 9)
    two = Fraction(1, 6) - Fraction(1, 9)
    return exact(Fraction(2, n * (n - 1)) * (2 * (n - 2) * one + two))


def gini():
    """At large n: over the grid of the claim the summand of order 1 / n^2 is seen."""
    return off([2048, 4096, 8192], gini_variance, -1)


def mcdiarmid():
    """All 64 signs, at all places of [0.2, 3] where the tail jumps, ties and near ties counted."""
    x = points(6, 2)
    length = np.linalg.norm(signs(6) @ x, axis=1)
    apart, square = length - length.mean(), float((x**2).sum())
    places = [float(t) for t in apart if 0.2 <= t <= 3]
    return max((float((apart >= t - 1e-9).mean()) - math.exp(-t * t / 2 / square) for t in places), default=-1.0)


TRUTHS = {
    "true-max-signs": (max_signs, 1000),
    "true-hoeffding-sphere": (hoeffding, 400),
    "true-massart-law": (massart, 400),
    "true-sauer-sum": (sauer, 1),
    "true-width-l1": (width, 1),
    "true-khintchine": (khintchine, 40),
    "true-slepian": (slepian, 60),
    "true-poincare": (poincare, 1000),
    "true-lipschitz-norm": (lipschitz, 20),
    "true-largest-singular": (largest_singular, 1),
    "true-jl-signs": (projection, 60),
    "true-hypercontractive": (bonami, 400),
    "true-efron-stein": (efron_stein, 400),
    "true-edge-isoperimetry": (harper, 1),
    "true-symmetrisation": (symmetrisation, 10),
    "true-littlewood-offord": (littlewood_offord, 1000),
    "true-laurent-massart": (chi_squares, 20),
    "true-stability-majority": (majority, 100),
    "true-max-uniform": (max_uniform, 1),
    "true-gini-rate": (gini, 1),
    "true-max-constant": (max_constant, 1),
    "true-mcdiarmid-sup": (mcdiarmid, 400),
}

if __name__ == "__main__":
    main("highdim", EXACT, TRUTHS, (30, 22))
