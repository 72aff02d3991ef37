"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs. Where a probability is far from its bound, float64 decides.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, entropy_term, main, number, simplex
from shapes import exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def kl(p, q):
    """Infinite where q lacks what p has."""
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return mp.inf
    return sum(entropy_term(a, b) for a, b in zip(p, q, strict=True))


def entropy(p):
    return -sum(entropy_term(x, 1) for x in p)


def softmax(x):
    e = [mp.exp(v) for v in x]
    return [v / sum(e) for v in e]


def ratio(low, high):
    """A fraction between two whole numbers, often a whole one."""
    return Fraction(RNG.randint(7 * low, 7 * high), 7) if RNG.random() < 0.7 else Fraction(RNG.randint(low, high))


def shrunk(x, t):
    """The soft threshold of a fraction."""
    return (x > 0) * max(x - t, 0) - (x < 0) * max(-x - t, 0)


def hedge(loss, eta):
    """The regret of exponential weights."""
    total, own = [mp.mpf(0)] * 3, mp.mpf(0)
    for row in loss:
        own += dot(softmax([-eta * c for c in total]), row)
        total = [c + d for c, d in zip(total, row, strict=True)]
    return own - min(total)


def plain_pinsker():
    p, q = [mp.mpf(1) / 2] * 2, [mp.mpf(1) / 4, mp.mpf(3) / 4]
    return mp.mpf(1) / 4, kl(p, q)


def slope_of_softmax(x, y, constant):
    d, e = minus(softmax(x), softmax(y)), minus(x, y)
    return mp.sqrt(dot(d, d)), mp.mpf(constant) * mp.sqrt(dot(e, e))


def symmetry():
    p, q = [mp.mpf(k) / 20 for k in (10, 5, 5)], [mp.mpf(k) / 20 for k in (16, 2, 2)]
    return kl(p, q), kl(q, p)


def pure_strategies():
    a = ((1, -1, 0), (-1, 1, 0), (-1, -1, -1))
    return Fraction(min(map(max, zip(*a, strict=True)))), Fraction(max(map(min, a)))


def self_concordant_constant():
    r = mp.mpf("0.05")
    return r**2 / (2 * (1 + mp.mpf("0.66") * r)), r - mp.log(1 + r)


def cumulant_constant():
    """A fair coin: log cosh(s / 2)."""
    return mp.log(mp.cosh(mp.mpf("0.1"))), mp.mpf("0.99") * mp.mpf("0.04") / 8


def approximation():
    """Only 113 of all numbers up to 5000."""
    far = {k: abs(k * mp.pi - mp.nint(k * mp.pi)) for k in range(1, 5001)}
    assert [k for k in far if far[k] * k < mp.mpf("0.005")] == [113]
    return mp.mpf("0.005") / 113, far[113]


def ramp():
    assert max(abs(Fraction(3 * i - 30, 10) ** 3 / 9) for i in range(21)) <= 5
    return mp.log(21), mp.mpf("3.04")


def shapiro():
    x = [max(Fraction(v), Fraction(1, 20)) / 42 for v in (0, 42, 2, 42, 4, 41, 5, 39, 4, 38, 2, 38, 0, 40)]
    assert Fraction(1, 1000) <= min(x)
    assert max(x) <= 1
    return Fraction(7), sum(x[i] / (x[(i + 1) % 14] + x[(i + 2) % 14]) for i in range(14))


LOW = [mp.mpf(-3)] * 4
EXACT = {
    "plain-pinsker-one": plain_pinsker(),
    "plain-softmax-quarter": slope_of_softmax([mp.mpf(1), 0, -3], [0, mp.mpf(1), -3], "0.25"),
    "plain-hedge-no-variance": (hedge([(1, 0, 0)] + [(0, 0, 0)] * 3, 4), mp.log(3) / 4),
    "plain-kl-symmetric": symmetry(),
    "plain-strong-minimax-pure": pure_strategies(),
    "subtle-softmax-495": slope_of_softmax(
        [mp.mpf(3), mp.mpf("2.99"), *LOW], [mp.mpf("2.99"), mp.mpf(3), *LOW], "0.495"
    ),
    "subtle-self-concordant-066": self_concordant_constant(),
    "subtle-cumulant-99": cumulant_constant(),
    "subtle-lattice-prox": approximation(),
    "subtle-entropy-ramp": ramp(),
    "subtle-shapiro-14": shapiro(),
}


def fenchel_young():
    """Half of the time at y = exp(x), where both sides are equal."""
    x, y = number(-5, 5), number(0, 5)
    if RNG.random() < 0.5:
        x = number(-5, mp.log(5))
        y = mp.exp(x)
    return x * y - mp.exp(x) - entropy_term(y, 1) + y


def three_points():
    x = [number(0, 2) for _ in range(3)]
    y, z = ([number("0.05", 2) for _ in range(3)] for _ in range(2))

    def d(a, b):
        return sum(entropy_term(s, t) - s + t for s, t in zip(a, b, strict=True))

    logs = [mp.log(s / t) for s, t in zip(y, z, strict=True)]
    return abs(d(x, z) - d(x, y) - d(y, z) - dot(minus(x, y), logs))


def pinsker():
    """Sometimes q is near p."""
    p, q = simplex(3), simplex(3)
    if RNG.random() < 0.4:
        near = mp.mpf(10) ** -RNG.randrange(1, 9)
        q = [(1 - near) * a + near * b for a, b in zip(p, q, strict=True)]
    far, found = sum(map(abs, minus(p, q))), kl(p, q)
    return far**2 / 2 - found if mp.isfinite(found) else mp.mpf(-1)


def prox_firm():
    t, x, y = ratio(0, 3), [ratio(-6, 6) for _ in range(3)], [ratio(-6, 6) for _ in range(3)]
    d = [shrunk(a, t) - shrunk(b, t) for a, b in zip(x, y, strict=True)]
    return exact(dot(d, d) - dot(d, minus(x, y)))


def moreau():
    t, x = ratio(0, 3), [ratio(-4, 4) for _ in range(4)]
    p = [shrunk(a, t) for a in x]
    rest = minus(x, p)
    return exact(abs(dot(x, x) - dot(p, p) - dot(rest, rest) - 2 * t * sum(map(abs, p))))


def envelope():
    """The infimum of |p| + (x - p)^2 / (2 m) over p, among all kinks and stationary points."""
    x, m = ratio(-4, 4), max(ratio(0, 2), Fraction(1, 10))
    found = min(abs(p) + (x - p) ** 2 / (2 * m) for p in (Fraction(0), x - m, x + m))
    return exact(abs(found - (x**2 / (2 * m) if abs(x) <= m else abs(x) - m / 2)))


def hedge_regret():
    rounds, eta = RNG.choice([1, 4]), number("0.1", 4)
    loss = [[number(0, 1) for _ in range(3)] for _ in range(rounds)]
    return hedge(loss, eta) - mp.log(3) / eta - eta * rounds / 8


def online_gradient():
    """Whatever an adversary answers is some sequence."""
    eta, u = Fraction(RNG.randint(1, 40), 20), Fraction(RNG.randint(-10, 10), 10)
    x, regret, squares = Fraction(0), Fraction(0), Fraction(0)
    for _ in range(4):
        g = RNG.choice([Fraction(-1), Fraction(1), Fraction(RNG.randint(-10, 10), 10)])
        regret, squares = regret + g * (x - u), squares + g * g
        x = max(Fraction(-1), min(Fraction(1), x - eta * g))
    return exact(regret - u * u / (2 * eta) - eta / 2 * squares)


def frank_wolfe_gap():
    x, s = simplex(3), simplex(3)
    a, b = [[number(-1, 1) for _ in range(3)] for _ in range(2)], [number(-1, 1) for _ in range(2)]
    here, there = (minus([dot(row, v) for row in a], b) for v in (x, s))
    slope = [dot(column, here) for column in zip(*a, strict=True)]
    return (dot(here, here) - dot(there, there)) / 2 - dot(slope, x) + min(slope)


def cocoercive():
    """Sometimes the points are near each other, or the same up to a constant."""
    x, y = [number(-6, 6) for _ in range(3)], [number(-6, 6) for _ in range(3)]
    if RNG.random() < 0.4:
        size = mp.mpf(10) ** -RNG.randrange(1, 9)
        y = [v + size * mp.mpf(RNG.gauss(0, 1)) for v in x] if RNG.random() < 0.7 else [v + 1 for v in x]
    d = minus(softmax(x), softmax(y))
    return dot(d, d) - dot(d, minus(x, y)) / 2


def gibbs():
    """Half of the time p is the softmax of x, where both sides are equal."""
    p, x = simplex(4), [number(-1, 1) * RNG.choice([1, 100]) for _ in range(4)]
    p = softmax(x) if RNG.random() < 0.5 else p
    return dot(p, x) + entropy(p) - mp.log(sum(map(mp.exp, x)))


def weak_minimax():
    n = RNG.choice([2, 4])
    p, q = simplex(n), simplex(n)
    a = [[RNG.choice([mp.mpf(-1), mp.mpf(0), mp.mpf(1), number(-1, 1)]) for _ in range(n)] for _ in range(n)]
    return min(dot(p, column) for column in zip(*a, strict=True)) - max(dot(row, q) for row in a)


def self_concordant():
    x, y = [number("0.01", 5) for _ in range(3)], [number("0.01", 5) for _ in range(3)]
    if RNG.random() < 0.4:
        y = [v * (1 + mp.mpf(RNG.uniform(-1, 1)) / 10 ** RNG.randrange(1, 9)) for v in x]
    steps = [b / a - 1 for a, b in zip(x, y, strict=True)]
    r = mp.sqrt(dot(steps, steps))
    return sum(map(mp.log, y)) - sum(map(mp.log, x)) - sum(steps) + r - mp.log(1 + r)


def schur_horn():
    a = mp.matrix(4)
    for i, j in itertools.combinations_with_replacement(range(4), 2):
        a[i, j] = a[j, i] = number(-1, 1) * (RNG.random() < 0.7 or i == j)
    values, diagonal = sorted(mp.eigsy(a, eigvals_only=True)), sorted(a[i, i] for i in range(4))
    return max(sum(diagonal[4 - k :]) - sum(values[4 - k :]) for k in range(1, 5))


def lovasz():
    """The integral over the levels of the cut of what lies above them."""
    edges = [pair for pair in itertools.combinations(range(5), 2) if RNG.random() < 0.5]
    x = [Fraction(RNG.randint(-4, 4), 4) for _ in range(5)]
    levels = sorted(set(x))
    pieces = ((b - a) * sum((x[i] > a) != (x[j] > a) for i, j in edges) for a, b in itertools.pairwise(levels))
    return exact(abs(sum(pieces, Fraction(0)) - sum(abs(x[i] - x[j]) for i, j in edges)))


def newton():
    """Half of the time four numbers that are nearly the same."""
    x = [Fraction(RNG.randint(-9, 9), 6) for _ in range(4)]
    if RNG.random() < 0.5:
        x = [1 + Fraction(RNG.randint(-1, 1), 10**6) for _ in range(4)]
    e = [sum(math.prod(some) for some in itertools.combinations(x, k)) for k in range(4)]
    return exact(e[1] * e[3] / 16 - (e[2] / 6) ** 2)


def kl_chernoff():
    n, p = RNG.choice([10, 60]), number(0, 1)
    coin = [[mp.mpf(k) / n, 1 - mp.mpf(k) / n] for k in range(n + 1)]
    beyond = [k for k in range(n + 1) if kl(coin[k], [p, 1 - p]) > mp.log(40) / n]
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in beyond) - mp.mpf(1) / 20


def signs():
    """All eight."""
    x = [number(-1, 1) * RNG.choice([1, 2]) for _ in range(3)]
    size = mp.sqrt(dot(x, x))
    x = [2 * v / size for v in x] if size > 2 else x
    mean = sum(mp.exp(dot(e, x)) for e in itertools.product((-1, 1), repeat=3)) / 8
    return mean - mp.exp(dot(x, x) / 2)


def entropy_radius():
    n = RNG.choice([4, 8, 16, 32, 64])
    return mp.log(n) - entropy(simplex(n)) - mp.log(n)


def last_risk(n):
    """By the recursion of the variance of the iterate."""
    variance = Fraction(0)
    for t in range(1, n + 1):
        variance = (1 - Fraction(1, t)) ** 2 * variance + Fraction(1, 12 * t * t)
    return exact(variance / 2)


def descent_rate():
    return off([16, 32, 64, 128, 256], last_risk, -1)


def bessel(order, t):
    """By the rule of the trapezia for its integral, exact for arguments below 300."""
    turn = np.arange(400) * math.pi / 200
    return np.cos(order * turn - np.outer(t, np.sin(turn))).mean(1)


def support_function():
    """The supremum is the length of the mean; Kluyver's integral of the law of the length of a sum of n steps."""
    t = (np.arange(3000) + 0.5) / 200
    excess = []
    for n in (10, 40):
        r = math.sqrt(n) * (1 + math.sqrt(2 * math.log(10)))
        assert r < n
        excess.append(0.9 - float(r * (bessel(0, t) ** n * bessel(1, r * t)).sum() / 200))
    return max(excess)


def brunn_minkowski():
    """Sometimes proportional boxes, where both sides are equal."""
    a, b = [number(0, 4) for _ in range(3)], [number(0, 4) for _ in range(3)]
    if RNG.random() < 0.3:
        scale = number(0, 1)
        b = [scale * v for v in a]
    roots = [mp.cbrt(mp.fprod(v)) for v in (a, b, [s + t for s, t in zip(a, b, strict=True)])]
    return roots[0] + roots[1] - roots[2]


def strong_convexity():
    """Of any rank."""
    rank = RNG.randrange(1, 4)
    root = mp.matrix([[number(-1, 1) for _ in range(rank)] for _ in range(3)])
    a, x = root * root.T, mp.matrix([number(-1, 1) for _ in range(3)])
    slope = a * x
    return min(mp.eigsy(a, eigvals_only=True)) * (slope.T * x)[0] - (slope.T * slope)[0]


TRUTHS = {
    "true-fenchel-young-exp": (fenchel_young, 1000),
    "true-bregman-three-points": (three_points, 400),
    "true-pinsker": (pinsker, 1000),
    "true-prox-firm": (prox_firm, 1000),
    "true-moreau-decomposition": (moreau, 1000),
    "true-envelope-is-huber": (envelope, 1000),
    "true-hedge-regret": (hedge_regret, 400),
    "true-online-gradient": (online_gradient, 2000),
    "true-frank-wolfe-gap": (frank_wolfe_gap, 400),
    "true-softmax-cocoercive": (cocoercive, 1000),
    "true-gibbs": (gibbs, 400),
    "true-weak-minimax": (weak_minimax, 400),
    "true-self-concordant-lower": (self_concordant, 1000),
    "true-schur-horn": (schur_horn, 100),
    "true-lovasz-cut": (lovasz, 400),
    "true-newton-inequality": (newton, 1000),
    "true-kl-chernoff": (kl_chernoff, 200),
    "true-signs-subgaussian": (signs, 400),
    "true-entropy-radius": (entropy_radius, 200),
    "true-sgd-rate": (descent_rate, 1),
    "true-support-function": (support_function, 1),
    "true-brunn-minkowski-boxes": (brunn_minkowski, 400),
    "true-strong-convexity-quadratic": (strong_convexity, 200),
}

if __name__ == "__main__":
    main("convex", EXACT, TRUTHS, (34, 23))
