"""Alien claims, known: programs of numpy and scipy that state a textbook guarantee; see README.md."""

# ruff: noqa: E731, UP033

import itertools
import math
from functools import lru_cache, wraps

import numpy as np
from scipy import optimize, signal, stats

from harness import always, claim, grid, identity


def per_row(fn):
    @wraps(fn)
    def lifted(*tensors):
        arrays = [np.asarray(t) for t in tensors]
        pairs = [fn(*(a[i] for a in arrays)) for i in range(len(arrays[0]))]
        return np.array([float(p[0]) for p in pairs]), np.array([float(p[1]) for p in pairs])

    return lifted


def edit_distance(a, b):
    a, b = tuple(int(v) for v in a), tuple(int(v) for v in b)

    @lru_cache(maxsize=None)
    def d(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return d(len(a), len(b))


def lcs(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i, u in enumerate(a, 1):
        for j, v in enumerate(b, 1):
            table[i, j] = table[i - 1, j - 1] + 1 if u == v else max(table[i - 1, j], table[i, j - 1])
    return int(table[-1, -1])


def greedy_cover(sets, k):
    covered = np.zeros(sets.shape[1], dtype=bool)
    for _ in range(k):
        gains = (sets & ~covered).sum(1)
        covered |= sets[int(np.argmax(gains))]
    return int(covered.sum())


def best_cover(sets, k):
    return max(int(np.any(sets[list(c)], axis=0).sum()) for c in itertools.combinations(range(len(sets)), k))


class Bisection:
    """Halves [low, high] until it has done `steps` of it."""

    def __init__(self, f, low, high):
        self.f, self.low, self.high, self.steps = f, low, high, 0

    @property
    def mid(self):
        return (self.low + self.high) / 2

    def run(self, steps):
        while self.steps < steps:
            if self.f(self.mid) > 0:
                self.high = self.mid
            else:
                self.low = self.mid
            self.steps += 1
        return self.mid


@claim("pipelines/true-bisection", always(), over=grid(k=[4, 10]), cite="Burden and Faires 2011, Theorem 2.1")
def bisection(forall, *, k):
    """After k halvings of [0, 2] the midpoint is within 2^-k of the root (Burden and Faires, Thm 2.1:
    (b-a)/2^(k+1)).
    """
    a, b = forall.interval("a", 0.1, 1.0), forall.interval("b", 0.0, 3.0)

    @per_row
    def both(a, b):
        f = lambda x: x**3 + a * x - b
        root = optimize.brentq(f, -0.5, 2.5, xtol=1e-13)
        return abs(Bisection(f, 0.0, 2.0).run(k) - root), 2.0**-k

    return both(a, b)


@claim("pipelines/true-assignment-average", always(), cite="Folklore; the average of all permutations")
def assignment_average(forall):
    """The best assignment is worth at least the average assignment, sum(W)/n."""
    w = forall.interval("W", -1.0, 1.0, 4, 4)

    def one(w):
        i, j = optimize.linear_sum_assignment(w, maximize=True)
        return w.sum() / 4, w[i, j].sum()

    return per_row(one)(w)


@claim("pipelines/true-parseval", identity(), over=grid(n=[7, 8]), cite="Parseval 1799")
def parseval(forall, *, n):
    """Parseval for the half spectrum of a real signal: the Nyquist line counts once."""
    x = forall.interval("x", -1.0, 1.0, n)
    X = np.abs(np.fft.rfft(x.numpy(), axis=-1)) ** 2
    weights = np.full(n // 2 + 1, 2.0)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    return (x.numpy() ** 2).sum(-1), X @ weights / n


@claim("pipelines/true-spearman", identity(), cite="Spearman 1904; Kendall 1948")
def spearman(forall):
    """Spearman's rho is Pearson's correlation of mid-ranks (definition with ties)."""
    x, y = forall.integers("x", 0, 5, 5), forall.integers("y", 0, 5, 5)

    def one(x, y):
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            return 0.0, 0.0
        return 2 + stats.spearmanr(x, y).statistic, 2 + np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]

    return per_row(one)(x, y)


@claim("pipelines/true-bh-below-bonferroni", always(), cite="Benjamini and Hochberg 1995")
def bh(forall):
    """Adjusted p-values of Benjamini-Hochberg are at most Bonferroni's min(1, m p)."""
    p = forall.interval("p", 0.0, 1.0, 6)

    def one(p):
        excess = stats.false_discovery_control(p) - np.minimum(1.0, 6 * p)
        return 1.0 + excess.max(), 1.0

    return per_row(one)(p)


@claim("pipelines/true-clopper-pearson", always(), over=grid(n=[5, 12]), cite="Clopper and Pearson 1934")
def clopper_pearson(forall, *, n):
    """The Clopper-Pearson interval covers every p with probability at least 95 %."""
    p = forall.interval("p", 0.01, 0.99).numpy()
    k = np.arange(n + 1)
    low = np.where(k == 0, 0.0, stats.beta.ppf(0.025, np.maximum(k, 1e-300), n - k + 1))
    high = np.where(k == n, 1.0, stats.beta.ppf(0.975, k + 1, np.maximum(n - k, 1e-300)))
    inside = (low <= p[:, None]) & (p[:, None] <= high)
    return np.full(len(p), 0.95), (stats.binom.pmf(k, n, p[:, None]) * inside).sum(-1)


@claim("pipelines/plain-edit-lcs", identity(), expected="refuted", cite="Levenshtein 1966, without substitutions")
def edit_lcs(forall):
    """Levenshtein's distance is |a| + |b| - 2 LCS(a, b)."""
    a, b = forall.integers("a", 0, 2, 4), forall.integers("b", 0, 2, 4)
    return per_row(lambda a, b: (edit_distance(a, b), 8 - 2 * lcs(a, b)))(a, b)


@claim(
    "pipelines/plain-diagonal-radius", always(), expected="refuted", cite="Horn and Johnson 2013, for normal matrices"
)
def diagonal_radius(forall):
    """The largest absolute diagonal entry is at most the spectral radius."""
    a = forall.interval("A", -1.0, 1.0, 3, 3)
    return per_row(lambda m: (np.abs(np.diag(m)).max(), np.abs(np.linalg.eigvals(m)).max()))(a)


@claim("pipelines/plain-median-step", always(), expected="refuted", cite="Folklore; the mean does it")
def median_step(forall):
    """Moving a centre to the median never increases the sum of squares."""
    x, c = forall.interval("x", -1.0, 1.0, 5).numpy(), forall.interval("c", -1.0, 1.0).numpy()
    return ((x - np.median(x, axis=1, keepdims=True)) ** 2).sum(-1), ((x - c[:, None]) ** 2).sum(-1)


@claim("pipelines/plain-holm-below-bh", always(), expected="refuted", cite="Holm 1979, reversed")
def holm_below_bh(forall):
    """Holm's adjusted p-values are at most those of Benjamini-Hochberg."""
    p = forall.interval("p", 0.0, 1.0, 4)

    def one(p):
        order = np.argsort(p)
        holm = np.empty(4)
        holm[order] = np.minimum(1.0, np.maximum.accumulate((4 - np.arange(4)) * p[order]))
        return 1 + (holm - stats.false_discovery_control(p)).max(), 1.0

    return per_row(one)(p)


@claim("pipelines/plain-medfilt", always(), expected="refuted", cite="Gallagher and Wise 1981, of root signals")
def medfilt(forall):
    """The running median of three is idempotent."""
    x = forall.interval("x", 0.0, 1.0, 7)

    def one(x):
        y = signal.medfilt(x, 3)
        return np.abs(signal.medfilt(y, 3) - y).max(), 1e-3

    return per_row(one)(x)


@claim(
    "pipelines/plain-quantile-subadditive", always(), expected="refuted", cite="Artzner, Delbaen, Eber and Heath 1999"
)
def quantile_subadditive(forall):
    """The upper quartile is subadditive."""
    x, y = forall.interval("x", 0.0, 1.0, 4).numpy(), forall.interval("y", 0.0, 1.0, 4).numpy()
    q = lambda z: np.percentile(z, 75, axis=1)
    return q(x + y), q(x) + q(y)


@claim("pipelines/subtle-coverage-08", always(), expected="refuted", cite="Nemhauser, Wolsey and Fisher 1978, with 3/4")
def coverage_08(forall):
    """Greedy coverage by two sets is at least 0.8 of the best."""
    s = forall.integers("S", 0, 1, 4, 8)
    return per_row(lambda s: (0.8 * best_cover(s > 0.5, 2), greedy_cover(s > 0.5, 2)))(s)


@claim("pipelines/subtle-spearman-ties", identity(), expected="refuted", cite="Spearman 1904, without ties")
def spearman_ties(forall):
    """Spearman's rho is 1 - 6 sum d^2 / (n (n^2 - 1))."""
    x, y = forall.integers("x", 0, 99, 4), forall.integers("y", 0, 99, 4)

    def one(x, y):
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            return 0.0, 0.0
        d = stats.rankdata(x) - stats.rankdata(y)
        return 2 + stats.spearmanr(x, y).statistic, 3 - 6 * (d**2).sum() / (4 * 15)

    return per_row(one)(x, y)


@claim("pipelines/subtle-euler-stability", always(), expected="refuted", cite="Hairer and Wanner 1996, up to 20")
def euler_stability(forall):
    """Explicit Euler with step 0.1 does not grow for y' = -lam y, lam <= 21."""
    lam = forall.interval("lam", 0.0, 21.0)

    def one(lam):
        y = 1.0
        for _ in range(20):
            y += 0.1 * (-lam * y)
        return abs(y), 1.0

    return per_row(one)(lam)


@claim("pipelines/subtle-fermat", identity(), expected="refuted", cite="Sarrus 1819")
def fermat(forall):
    """2^(n-1) = 1 mod n exactly for the odd primes, 3 <= n <= 1000."""

    def one(n):
        n = int(n)
        return pow(2, n - 1, n) == 1, all(n % d for d in range(2, math.isqrt(n) + 1))

    return per_row(one)(forall.integers("n", 3, 1000))


PROOFS = {
    "pipelines/true-bisection": (
        "Burden and Faires: the root stays in the interval, which has the length 2^(1-k) after k halvings; its "
        "midpoint is within half of it."
    ),
    "pipelines/true-assignment-average": (
        "The mean of all permutations is sum(W)/n, and the largest is at least the mean."
    ),
    "pipelines/true-parseval": (
        "Parseval, and X_(n-k) is the conjugate of X_k: every line but the zeroth and the Nyquist line stands for two."
    ),
    "pipelines/true-spearman": "This is the definition of rho where there are ties.",
    "pipelines/true-bh-below-bonferroni": (
        "Benjamini and Hochberg's value is the least of m p_(j)/j over j >= i, at most m p_(i)/i, and at most 1."
    ),
    "pipelines/true-clopper-pearson": (
        "Clopper and Pearson: p is below the lower limit with probability at most 2.5 %, and so above the upper one."
    ),
}

WITNESSES = {
    "pipelines/plain-edit-lcs": {
        "params": {},
        "values": {"a": [0, 0, 0, 0], "b": [1, 1, 1, 1]},
        "why": "Four substitutions: 4 against 8.",
    },
    "pipelines/plain-diagonal-radius": {
        "params": {},
        "values": {"A": [[1.0, 0.8, 0.0], [-0.8, -1.0, 0.0], [0.0, 0.0, 0.0]]},
        "why": "The eigenvalues are 0, 0.6 and -0.6: 1 against 0.6.",
    },
    "pipelines/plain-median-step": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 0.0, 1.0], "c": 0.2},
        "why": "From the mean to the median: 1 against 0.8.",
    },
    "pipelines/plain-holm-below-bh": {
        "params": {},
        "values": {"p": [0.01, 0.02, 0.03, 0.04]},
        "why": "0.04, 0.06, 0.06, 0.06 against 0.04 four times.",
    },
    "pipelines/plain-medfilt": {
        "params": {},
        "values": {"x": [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]},
        "why": "Once there is a single 1, twice there is none: 1 against 0.001.",
    },
    "pipelines/plain-quantile-subadditive": {
        "params": {},
        "values": {"x": [0.0, 1.0, 0.0, 0.0], "y": [0.0, 0.0, 1.0, 0.0]},
        "why": "1 against 1/4 + 1/4.",
    },
    "pipelines/subtle-coverage-08": {
        "params": {},
        "values": {"S": [[1, 1, 0, 0, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1], [0] * 8]},
        "why": "Greedy takes the first set and covers 6 of 8: 6.4 against 6.",
    },
    "pipelines/subtle-spearman-ties": {
        "params": {},
        "values": {"x": [0, 0, 1, 2], "y": [0, 1, 2, 3]},
        "why": "2 + sqrt(0.9) against 2.95: a tie.",
    },
    "pipelines/subtle-euler-stability": {"params": {}, "values": {"lam": 21.0}, "why": "1.1^20 = 6.73 against 1."},
    "pipelines/subtle-fermat": {"params": {}, "values": {"n": 341}, "why": "341 = 11 * 31 divides 2^340 - 1."},
}
