"""Alien claims, aside: programs of numpy and scipy that state a textbook guarantee; see README.md."""

import itertools
import math
from functools import wraps

import numpy as np
from scipy import optimize, stats

from harness import always, claim, grid, identity


def per_row(fn):
    @wraps(fn)
    def lifted(*tensors):
        arrays = [np.asarray(t) for t in tensors]
        pairs = [fn(*(a[i] for a in arrays)) for i in range(len(arrays[0]))]
        return np.array([float(p[0]) for p in pairs]), np.array([float(p[1]) for p in pairs])

    return lifted


def greedy_cover(sets, k):
    covered = np.zeros(sets.shape[1], dtype=bool)
    for _ in range(k):
        gains = (sets & ~covered).sum(1)
        covered |= sets[int(np.argmax(gains))]
    return int(covered.sum())


def best_cover(sets, k):
    return max(int(np.any(sets[list(c)], axis=0).sum()) for c in itertools.combinations(range(len(sets)), k))


def newton_isqrt(n):
    if n < 2:
        return n
    x = n
    y = (x + 1) // 2
    while y < x:
        x, y = y, (y + n // y) // 2
    return x


def pava(y):
    blocks = []
    for v in y:
        blocks.append([float(v), 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            m2, n2 = blocks.pop()
            m1, n1 = blocks.pop()
            blocks.append([(m1 * n1 + m2 * n2) / (n1 + n2), n1 + n2])
    return np.concatenate([np.full(n, m) for m, n in blocks])


def shortest_tour(points):
    d = np.linalg.norm(points[:, None] - points[None], axis=-1)
    n = len(points)
    return min(
        sum(d[t[i], t[(i + 1) % n]] for i in range(n)) for t in ((0, *r) for r in itertools.permutations(range(1, n)))
    )


def prim(points):
    d = np.linalg.norm(points[:, None] - points[None], axis=-1)
    inside, total = {0}, 0.0
    while len(inside) < len(points):
        w, j = min((d[i, j], j) for i in inside for j in range(len(points)) if j not in inside)
        inside.add(j)
        total += w
    return total


@claim("pipelines/true-max-coverage", always(), cite="Nemhauser, Wolsey and Fisher 1978")
def max_coverage(forall):
    """Greedy coverage by k = 2 sets is at least 3/4 of the best (Nemhauser, Wolsey and Fisher 1978: 1-(1-1/k)^k)."""
    s = forall.integers("S", 0, 1, 4, 8)
    return per_row(lambda s: (0.75 * best_cover(s > 0.5, 2), greedy_cover(s > 0.5, 2)))(s)


@claim("pipelines/true-isqrt", identity(), cite="Cohen 1993, Algorithm 1.7.1")
def isqrt(forall):
    """Newton's iteration in whole numbers stops at the floor of the root (Cohen, Algorithm 1.7.1)."""
    return per_row(lambda n: (newton_isqrt(int(n)), math.isqrt(int(n))))(forall.integers("n", 0, 1_000_000))


@claim("pipelines/true-isotonic", always(), cite="Barlow, Bartholomew, Bremner and Brunk 1972")
def isotonic(forall):
    """Pool-adjacent-violators is no worse than any increasing fit (Barlow et al. 1972)."""
    y, z = forall.interval("y", -1.0, 1.0, 5), forall.interval("z", -1.0, 1.0, 5)
    return per_row(lambda y, z: (((y - pava(y)) ** 2).sum(), ((y - np.sort(z)) ** 2).sum()))(y, z)


@claim(
    "pipelines/plain-parseval-even",
    identity(),
    over=grid(n=[7, 8]),
    expected="refuted",
    cite="Parseval 1799, the Nyquist line twice",
)
def parseval_even(forall, *, n):
    """Parseval for the half spectrum, all but the zeroth line twice."""
    x = forall.interval("x", -1.0, 1.0, n).numpy()
    X = np.abs(np.fft.rfft(x, axis=-1)) ** 2
    return (x**2).sum(-1), (2 * X.sum(-1) - X[:, 0]) / n


@claim("pipelines/plain-ks-wasserstein", always(), expected="refuted", cite="Gibbs and Su 2002")
def ks_wasserstein(forall):
    """The two-sample Kolmogorov-Smirnov statistic is at most Wasserstein's distance of samples in [0, 1]."""
    x, y = forall.interval("x", 0.0, 1.0, 4), forall.interval("y", 0.0, 1.0, 4)
    return per_row(lambda x, y: (stats.ks_2samp(x, y).statistic, stats.wasserstein_distance(x, y)))(x, y)


@claim("pipelines/subtle-greedy-matching", always(), expected="refuted", cite="Preis 1999, with one half")
def greedy_matching(forall):
    """The greedy assignment is worth at least 0.6 of the best one (nonnegative weights)."""
    w = forall.interval("W", 0.0, 1.0, 3, 3)

    def one(w):
        i, j = optimize.linear_sum_assignment(w, maximize=True)
        left, total = w.copy(), 0.0
        for _ in range(3):
            a, b = np.unravel_index(np.argmax(left), left.shape)
            total += w[a, b]
            left[a, :] = -1.0
            left[:, b] = -1.0
        return 0.6 * w[i, j].sum(), total

    return per_row(one)(w)


@claim("pipelines/subtle-tour-tree", always(), expected="refuted", cite="Rosenkrantz, Stearns and Lewis 1977, with 2")
def tour_tree(forall):
    """The shortest tour of five points is at most 1.8 times their minimum spanning tree."""
    x = forall.interval("x", 0.0, 1.0, 5, 2)
    return per_row(lambda x: (shortest_tour(x), 1.8 * prim(x)))(x)


PROOFS = {
    "pipelines/true-max-coverage": (
        "Nemhauser, Wolsey and Fisher: greedy reaches 1 - (1 - 1/k)^k of the best, 3/4 for k = 2."
    ),
    "pipelines/true-isqrt": (
        "Cohen, Algorithm 1.7.1: the iterates fall until they reach the floor of the root, whatever start is above it."
    ),
    "pipelines/true-isotonic": (
        "Barlow et al.: pooling adjacent violators computes the projection onto the increasing vectors; sorted z "
        "is one."
    ),
}

WITNESSES = {
    "pipelines/plain-parseval-even": {
        "params": {"n": 8},
        "values": {"x": [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0]},
        "why": "All is in the Nyquist line: 8 against 16.",
    },
    "pipelines/plain-ks-wasserstein": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 0.0], "y": [0.01, 0.01, 0.01, 0.01]},
        "why": "1 against 0.01.",
    },
    "pipelines/subtle-greedy-matching": {
        "params": {},
        "values": {"W": [[1.0, 0.99, 0.0], [0.99, 0.0, 0.0], [0.0, 0.0, 0.0]]},
        "why": "Greedy takes 1 and then nothing: 0.6 times 1.98 is 1.188, against 1.",
    },
    "pipelines/subtle-tour-tree": {
        "params": {},
        "values": {"x": [[0.0, 0.0], [0.25, 0.0], [0.5, 0.0], [0.75, 0.0], [1.0, 0.0]]},
        "why": "Five points on a line: 2 against 1.8.",
    },
}
