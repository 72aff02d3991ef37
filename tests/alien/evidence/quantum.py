"""Recompute the evidence without the bodies: eigenvalues in 50 digits, fractions, enumeration, quadrature.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated in 50 digits at random and
degenerate inputs, at all there are, or its mean is computed exactly.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, entropy_term, main, number, simplex
from shapes import exact, off

HALF = mp.mpf(1) / 2
X, Y, Z = mp.matrix([[0, 1], [1, 0]]), mp.matrix([[0, -1j], [1j, 0]]), mp.matrix([[1, 0], [0, -1]])


def entry():
    return mp.mpc(number(-1, 1), number(-1, 1)) * RNG.choice([0, 1, 1])


def square_root(d):
    """A matrix of norm one, at times of rank one or diagonal."""
    a, kind = mp.matrix(d, d), RNG.random()
    for i in range(d):
        for j in range(d):
            if (kind < 0.8 or j == 0) if kind < 0.9 else i == j:
                a[i, j] = entry()
    a[0, 0] += mp.mpf(1) / 8
    return a / mp.sqrt(sum(abs(v) ** 2 for v in a))


def state(d):
    a = square_root(d)
    return a * a.H


def symmetric(d):
    a = mp.matrix(d, d)
    for i in range(d):
        for j in range(i + 1):
            a[i, j] = a[j, i] = number(-1, 1) * RNG.choice([0, 1, 1])
    return a


def eigenvalues(a):
    return list(mp.eighe(a.copy(), eigvals_only=True))


def trace(a):
    return mp.re(sum(a[i, i] for i in range(a.rows)))


def distance(a, b):
    return sum(map(abs, eigenvalues(a - b))) / 2


def fidelity(a, b):
    return sum(mp.svd_c(a.H * b, compute_uv=False))


def largest(a):
    return max(mp.svd_c(mp.matrix(a) * mp.mpc(1), compute_uv=False))


def entropy_of(p):
    return -sum(entropy_term(v, 1) for v in p if v > 0)


def entropy(rho):
    return entropy_of(eigenvalues(rho))


def coin(t):
    return entropy_of([t, 1 - t])


def parts(rho):
    """Both partial traces of two qubits."""
    first, second = mp.matrix(2, 2), mp.matrix(2, 2)
    for i, j, k in itertools.product(range(2), repeat=3):
        first[i, j] += rho[2 * i + k, 2 * j + k]
        second[i, j] += rho[2 * k + i, 2 * k + j]
    return first, second


def bloch(r):
    return (mp.eye(2) + r[0] * X + r[1] * Y + r[2] * Z) / 2


def ball():
    r = [number(-1, 1) for _ in range(3)]
    return [v / max(mp.mpf(1), mp.sqrt(sum(w * w for w in r))) for v in r]


def damped(rho, g):
    stay, decay = mp.matrix([[1, 0], [0, mp.sqrt(1 - g)]]), mp.matrix([[0, mp.sqrt(g)], [0, 0]])
    return stay * rho * stay.H + decay * rho * decay.H


def diagonal(*values):
    return mp.diag([mp.mpf(v) for v in values])


def kron(a, b):
    out = mp.matrix(4, 4)
    for i, j, k, m in itertools.product(range(2), repeat=4):
        out[2 * i + k, 2 * j + m] = a[i, j] * b[k, m]
    return out


def chsh(a, b, c, d):
    a, b, c, d = (mp.cos(t) * Z + mp.sin(t) * X for t in (a, b, c, d))
    return max(map(abs, eigenvalues(kron(a, b + d) + kron(c, b - d))))


def trotter(a, b, n):
    step = mp.expm(1j * a / n) * mp.expm(1j * b / n)
    return largest(step**n - mp.expm(1j * (a + b)))


def packed(a, b, c):
    """A symmetric matrix of three decimals."""
    return mp.matrix([[mp.mpf(a), mp.mpf(b)], [mp.mpf(b), mp.mpf(c)]])


def golden_thompson_three():
    a, b, c = packed("-0.76", "-0.95", "-0.93"), packed("0.93", "0.52", "-0.73"), packed("-0.85", "0.53", "0.99")
    return trace(mp.expm(a + b + c)), abs(trace(mp.expm(a) * mp.expm(b) * mp.expm(c)))


def pinsker_witness():
    """rho = diag(p, 1 - p) and sigma = 1/2."""
    p = mp.mpf("0.99") * mp.mpf("0.55") + mp.mpf("0.005")
    return mp.mpf("2.02") * (p - HALF) ** 2, mp.log(2) - coin(p)


def robertson_witness():
    """Both variances are 1 in an eigenvector of Y, and [X, Z] = -2 i Y."""
    x = mp.matrix([mp.sqrt(HALF), 1j * mp.sqrt(HALF)])
    return abs((x.H * (X * Z - Z * X) * x)[0]) ** 2, mp.mpf(1)


def dcg(rel):
    return sum(r / mp.log(k, 2) for k, r in enumerate(rel, 2))


def footrule_of(order):
    return sum(abs(i - k) for k, i in enumerate(order))


def inversions(order):
    return sum(a > b for a, b in itertools.combinations(order, 2))


def auc(positive, negative):
    return sum(Fraction((p > n) * 2 + (p == n), 2) for p in positive for n in negative) / (
        len(positive) * len(negative)
    )


def daniels_witness():
    """tau = rho = 1."""
    return 21 - 12, 3


FAIR = diagonal(HALF, HALF, 0), diagonal(HALF, 0, HALF)
EXACT = {
    "plain-fuchs-mixed": (1 - HALF**2, distance(*FAIR)),
    "plain-damping-rate": (distance(damped(bloch([1, 0, 0]), HALF), damped(bloch([-1, 0, 0]), HALF)), HALF),
    "plain-monotone-entropy": (mp.log(2), mp.mpf(0)),
    "subtle-holevo": (mp.log(2), mp.mpf("0.99") * mp.log(2)),
    "subtle-pinsker": pinsker_witness(),
    "subtle-audenaert": (mp.log(2) * 3 / 2, mp.log(2) / 2 + mp.mpf("0.98") * coin(HALF)),
    "plain-golden-thompson-three": golden_thompson_three(),
    "plain-robertson": robertson_witness(),
    "subtle-tsirelson": (chsh(0, mp.pi / 4, mp.pi / 2, 7 * mp.pi / 4), mp.mpf("2.8")),
    "plain-trotter-steps": [trotter(X, Z, n) * n**2 for n in (2, 4, 8, 16, 32)],
    "plain-shots": (Fraction(2 * sum(math.comb(20, k) for k in range(14, 21)), 2**20), Fraction(1, 20)),
    "subtle-random-overlap": (Fraction(1, 2), Fraction(49, 100)),
    "plain-auc-accuracy": ((Fraction(1, 3) + 1) / 2, auc([5, 1, 1], [2, 2, 2, 2])),
    "plain-f1-accuracy": (Fraction(2, 3), Fraction(101, 201)),
    "plain-dice-triangle": (Fraction(1), 2 * (1 - Fraction(2, 3))),
    "subtle-calibration": (Fraction(1, 4), Fraction(99, 400)),
    "plain-daniels": daniels_witness(),
    "subtle-ndcg": (mp.mpf("0.51"), dcg([0, 0, 1])),
}


# Truths


def pair(d):
    """At times two commuting ones."""
    if RNG.random() < 0.3:
        return tuple(mp.diag([mp.sqrt(p) for p in simplex(d)]) for _ in range(2))
    return square_root(d), square_root(d)


def fuchs_lower():
    a, b = pair(3)
    return 1 - fidelity(a, b) - distance(a * a.H, b * b.H)


def fuchs_upper():
    a, b = pair(2)
    return distance(a * a.H, b * b.H) ** 2 + fidelity(a, b) ** 2 - 1


def pure_distance():
    x, y = (mp.matrix([entry() + mp.mpf(1) / 8 for _ in range(3)]) for _ in range(2))
    x, y = x / mp.norm(x), y / mp.norm(y)
    return abs(distance(x * x.H, y * y.H) ** 2 - 1 + abs((x.H * y)[0]) ** 2)


def bloch_distance():
    r, s = ball(), ball()
    length = mp.sqrt(sum((a - b) ** 2 for a, b in zip(r, s, strict=True)))
    return abs(distance(bloch(r), bloch(s)) - length / 2)


def damping():
    rho, sigma, g = state(2), state(2), number(0, 1)
    return distance(damped(rho, g), damped(sigma, g)) - distance(rho, sigma)


def partial_trace():
    rho, sigma = state(4), state(4)
    return distance(parts(rho)[0], parts(sigma)[0]) - distance(rho, sigma)


def subadditivity():
    rho = state(4)
    return entropy(rho) - sum(map(entropy, parts(rho)))


def araki_lieb():
    rho = state(4)
    first, second = map(entropy, parts(rho))
    return abs(first - second) - entropy(rho)


def holevo():
    p, states = simplex(3), [state(2) for _ in range(3)]
    mean = sum((w * rho for w, rho in zip(p, states, strict=True)), mp.matrix(2, 2))
    within = sum(w * entropy(rho) for w, rho in zip(p, states, strict=True))
    return entropy(mean) - within - entropy_of(p)


def logarithm(rho):
    values, vectors = mp.eighe(rho.copy())
    return vectors * mp.diag([mp.log(v) for v in values]) * vectors.H


def pinsker():
    rho = mp.mpf("0.99") * state(2) + mp.mpf("0.005") * mp.eye(2)
    sigma = mp.mpf("0.9") * state(2) + mp.mpf("0.05") * mp.eye(2)
    return 2 * distance(rho, sigma) ** 2 - trace(rho * (logarithm(rho) - logarithm(sigma)))


def audenaert():
    rho, sigma = state(3), state(3)
    if RNG.random() < 0.3:
        t = number(0, 1)
        rho, sigma = diagonal(1, 0, 0), diagonal(1 - t, t / 2, t / 2)
    t = distance(rho, sigma)
    return abs(entropy(rho) - entropy(sigma)) - t * mp.log(2) - coin(min(t, mp.mpf(1)))


def golden_thompson():
    a, b = symmetric(3), symmetric(3)
    return trace(mp.expm(a + b)) - trace(mp.expm(a) * mp.expm(b))


def robertson():
    x, a, b = mp.matrix([entry() + mp.mpf(1) / 8 for _ in range(3)]), symmetric(3), symmetric(3)
    x = x / mp.norm(x)

    def mean(m):
        return (x.H * m * x)[0]

    spread = [mp.re(mean(m * m)) - mp.re(mean(m)) ** 2 for m in (a, b)]
    return abs(mean(a * b - b * a)) ** 2 / 4 - spread[0] * spread[1]


def tsirelson():
    angles = [number(0, 2 * mp.pi) for _ in range(4)]
    if RNG.random() < 0.2:
        angles = [angles[0] + t * mp.pi / 4 for t in (0, 1, 2, -1)]
    return chsh(*angles) - 2 * mp.sqrt(2)


def dilation():
    """The root of 1 - K^2 by its eigenvectors; norms are kept as K^2 and its square add up to 1."""
    k = symmetric(2) * mp.mpf("0.4")
    values, vectors = mp.eigsy(mp.eye(2) - k * k)
    root = vectors * mp.diag([mp.sqrt(v) for v in values]) * vectors.T
    return max(map(abs, [*(k * k + root * root - mp.eye(2)), *(k * root - root * k)]))


def lie_trotter():
    a, b = symmetric(3), symmetric(3)
    return largest(mp.expm(1j * (a + b)) - mp.expm(1j * a) * mp.expm(1j * b)) - largest(a * b - b * a) / 2


def trotter_steps():
    """With C = 4."""
    n = RNG.choice([2, 4, 8, 16, 32])
    return trotter(symmetric(2), symmetric(2), n) - mp.mpf(4) / n


def random_purity():
    """E z z z* z* is (two pairings) / 20 for a unit vector of C^4."""
    index = itertools.product(range(2), repeat=4)
    return abs(exact(sum(Fraction((a == b) + (i == j), 20) for a, b, i, j in index) - Fraction(4, 5)))


def tomography():
    """E sqrt(Q) is the integral of (1 - E exp(-t Q)) t^(-3/2) over 2 sqrt(pi), Q a sum of three squares."""
    nodes, weights = np.polynomial.legendre.leggauss(400)

    def mean(n):
        low, high = math.log(1e-6 * n), math.log(1e16 * n)
        s, ds = (nodes + 1) * (high - low) / 2 + low, weights * (high - low) / 2
        t, product = np.exp(s), np.ones(len(nodes))
        for r in (0.3, 0.2, 0.1):
            p = (1 + r) / 2
            k = np.arange(n + 1)
            logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in k]
            mass = np.exp(np.array(logs) + k * math.log(p) + (n - k) * math.log(1 - p))
            product *= np.exp(-t[:, None] * (2 * k / n - 1 - r) ** 2) @ mass
        return mp.mpf(float((1 - product) / np.sqrt(t) @ ds) / (4 * math.sqrt(math.pi)))

    return off([50, 200, 800, 3200], mean, mp.mpf("-0.5"))


def auc_ranks():
    """The AUC as the area under the curve, by trapezoids."""
    pos, neg = ([RNG.randint(1, 5) for _ in range(m)] for m in (3, 4))
    ranks = [sum(s < p for s in pos + neg) + Fraction(1 + sum(s == p for s in pos + neg), 2) for p in pos]
    curve = [(sum(n >= t for n in neg), sum(p >= t for p in pos)) for t in range(6, 0, -1)]
    area = sum(Fraction((b[0] - a[0]) * (a[1] + b[1]), 2) for a, b in itertools.pairwise(curve))
    return abs(exact(area / 12 - (sum(ranks) - 6) / 12))


def auc_gaussian():
    """Up to the error of the quadrature."""
    m = number(-2, 2)
    mean = mp.quad(lambda z: mp.npdf(z) * mp.ncdf(z + m), mp.linspace(-12, 12, 13))
    return abs(mean - mp.ncdf(m / mp.sqrt(2))) - mp.mpf(10) ** -9


def jaccard_triangle():
    """All there are, as sets of the bits of three numbers."""

    def size(x):
        return x.bit_count()

    def far(x, y):
        return 1 - Fraction(size(x & y), size(x | y))

    table = {(x, y): far(x, y) for x in range(1, 64) for y in range(1, 64)}
    triples = itertools.product(range(1, 64), repeat=3)
    return exact(max(table[a, c] - table[a, b] - table[b, c] for a, b, c in triples))


def brier():
    w, f, o = simplex(4), [number(0, 1) for _ in range(4)], [number(0, 1) for _ in range(4)]
    bins = list(zip(w, f, o, strict=True))
    score = sum(a * (c * (1 - b) ** 2 + (1 - c) * b**2) for a, b, c in bins)
    return abs(score - sum(a * ((b - c) ** 2 + c * (1 - c)) for a, b, c in bins))


def parity_error():
    g, h = simplex(4), simplex(4)
    base, positive = abs(g[0] + g[1] - h[0] - h[1]), abs(g[0] + g[2] - h[0] - h[2])
    return base - positive - g[1] - g[2] - h[1] - h[2]


def information_triangle():
    p = dict(zip(itertools.product(range(2), repeat=3), simplex(8), strict=True))

    def h(*keep):
        table = {}
        for key, mass in p.items():
            short = tuple(key[i] for i in keep)
            table[short] = table.get(short, 0) + mass
        return entropy_of(table.values())

    def far(i, j):
        return 2 * h(i, j) - h(i) - h(j)

    return far(0, 2) - far(0, 1) - far(1, 2)


def footrule():
    """All there are."""
    return mp.mpf(max(footrule_of(p) - 2 * inversions(p) for p in itertools.permutations(range(6))))


def ndcg():
    gain = [mp.mpf(2) ** number(0, 3) - 1 for _ in range(6)]
    return dcg(RNG.sample(gain, 6)) - dcg(sorted(gain, reverse=True))


TRUTHS = {
    "true-fuchs-lower": (fuchs_lower, 60),
    "true-fuchs-upper": (fuchs_upper, 60),
    "true-pure-distance": (pure_distance, 60),
    "true-bloch-distance": (bloch_distance, 100),
    "true-damping-contracts": (damping, 60),
    "true-partial-trace-contracts": (partial_trace, 60),
    "true-subadditivity": (subadditivity, 60),
    "true-araki-lieb": (araki_lieb, 60),
    "true-holevo": (holevo, 60),
    "true-pinsker": (pinsker, 60),
    "true-audenaert": (audenaert, 100),
    "true-golden-thompson": (golden_thompson, 30),
    "true-robertson": (robertson, 100),
    "true-tsirelson": (tsirelson, 60),
    "true-dilation": (dilation, 100),
    "true-lie-trotter": (lie_trotter, 30),
    "true-trotter-steps": (trotter_steps, 40),
    "true-random-purity": (random_purity, 1),
    "true-tomography": (tomography, 1),
    "true-auc-ranks": (auc_ranks, 1000),
    "true-auc-gaussian": (auc_gaussian, 20),
    "true-jaccard-triangle": (jaccard_triangle, 1),
    "true-brier": (brier, 400),
    "true-parity-error": (parity_error, 1000),
    "true-information-triangle": (information_triangle, 400),
    "true-footrule": (footrule, 1),
    "true-ndcg": (ndcg, 400),
}

if __name__ == "__main__":
    main("quantum", EXACT, TRUTHS, (45, 27))
