"""Recompute the evidence without the bodies: fractions, enumeration, quadrature, linear algebra in 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated in 50 digits at random and
degenerate inputs.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from optim import RNG, entropy_term, main, number, simplex


def gauss(a, b):
    return mp.exp(-mp.mpf((a - b) ** 2) / 2)


def gram(x):
    return mp.matrix([[gauss(a, b) for b in x] for a in x])


def points(n, low=-1, high=1):
    """Random points of the line, the first two equal at times."""
    x = [number(low, high) for _ in range(n)]
    if RNG.random() < 0.3:
        x[1] = x[0]
    return x


def psd(n):
    """B B' of rank 1, 2 or n, with zeros."""
    rank = RNG.choice([1, 2, n])
    b = mp.matrix(
        [[mp.mpf(RNG.uniform(-1, 1)) if RNG.random() < 0.8 else mp.mpf(0) for _ in range(rank)] for _ in range(n)]
    )
    return b * b.T


def gini():
    """Eight equal atoms i / 7: E |X - X'| and the standard deviation, (64 - 1) / 12 in steps of 1/7."""
    mean = Fraction(sum(abs(i - j) for i in range(8) for j in range(8)), 64)
    return mp.mpf(mean.numerator) / mean.denominator / 7, 2 / mp.sqrt(mp.pi) * mp.sqrt(mp.mpf(63) / 12) / 7


def median_interval():
    """The coverage is below 0.95 at n = 32, 76 and 85 only."""

    def coverage(n):
        k = int(mp.floor((mp.mpf(n) + 1) / 2 - mp.mpf("0.97") * mp.sqrt(n)))
        return 1 - 2 * Fraction(sum(math.comb(n, i) for i in range(k)), 2**n)

    assert [n for n in range(10, 101) if coverage(n) < Fraction(95, 100)] == [32, 76, 85]
    return Fraction(95, 100), coverage(76)


def local_divergence():
    p, q = mp.mpf("0.44"), mp.mpf("0.55")
    return (p - q) ** 2 / (2 * q * (1 - q)), p * mp.log(p / q) + (1 - p) * mp.log((1 - p) / (1 - q))


def hsic(x, y):
    """The V-statistic as a squared MMD to the product, expanded."""
    n, k, other = len(x), gram(x), gram(y)
    rows = [sum(k[i, j] for j in range(n)) for i in range(n)]
    others = [sum(other[i, j] for j in range(n)) for i in range(n)]
    joint = sum(k[i, j] * other[i, j] for i in range(n) for j in range(n)) / n**2
    crossed = sum(a * b for a, b in zip(rows, others, strict=True)) / mp.mpf(n) ** 3
    return joint + sum(rows) * sum(others) / mp.mpf(n) ** 4 - 2 * crossed


def hsic_bias():
    """All 256 outcomes of eight fair coins; 1 - E k = (1 - exp(-1/2)) / 2. Both sides are means."""
    coins = list(itertools.product((0, 1), repeat=4))
    mean = sum(hsic(x, y) for x in coins for y in coins) / 256
    return mean, ((1 - mp.exp(-mp.mpf(1) / 2)) / 2) ** 2 / 16


def beyond(t):
    """P(chi-square of 6 degrees > t)."""
    return mp.gammainc(3, t / 2, mp.inf) / 2


def largest_normal(n):
    """Mean of the largest of n normal numbers."""
    return mp.quad(lambda t: t * n * mp.ncdf(t) ** (n - 1) * mp.npdf(t), [-12, -4, 0, 2, 4, 12])


EXACT = {
    "subtle-normal-mean-difference": gini(),
    "subtle-wilks-thirteen": (Fraction(95, 100) ** 13, Fraction(1, 2)),
    "subtle-median-interval": median_interval(),
    "subtle-local-divergence": local_divergence(),
    "plain-variance-sum-constant": (1 + mp.mpf(1) / 2 + mp.mpf(1) / 3 + mp.mpf(1) / 4, mp.log(5)),
    "plain-nystrom-optimal": (Fraction(4, 5), Fraction(1, 5)),
    "plain-hsic-bias": hsic_bias(),
    "plain-squared-triangle": (2 - 2 * mp.exp(-2), 4 - 4 * mp.exp(-mp.mpf(1) / 2)),
    "plain-projection-upper": (beyond(mp.mpf(18)), mp.exp(-6)),
    "plain-transport-deviation": (mp.sqrt(mp.mpf("0.0099")), mp.mpf("0.01")),
    "plain-vanishing-end": lambda n: mp.gamma(1.5) * mp.gammaprod([n + 1], [n + mp.mpf(3) / 2]),
    "plain-maximum-table": {f"n = {n}": largest_normal(n) for n in (5, 10, 20)},
}


def bordered(x, s2, t):
    """Posterior variance of x_t given the t points before it, by solving."""
    if t == 0:
        return mp.mpf(1)
    k = gram(x[:t]) + s2 * mp.eye(t)
    cross = mp.matrix([gauss(a, x[t]) for a in x[:t]])
    return 1 - (cross.T * mp.lu_solve(k, cross))[0]


def determinant(x, s2):
    return mp.det(gram(x) + s2 * mp.eye(len(x)))


def variance_determinant():
    x, s2 = points(4), number("0.01", 1)
    return abs(bordered(x, s2, 3) + s2 - determinant(x, s2) / determinant(x[:3], s2))


def gain_chain():
    x, s2 = points(4), number("0.01", 1)
    return abs(mp.log(determinant(x, s2) / s2**4) - sum(mp.log(1 + bordered(x, s2, t) / s2) for t in range(4)))


def variance_sum():
    x, s2 = points(4), number("0.01", 2)
    return sum(bordered(x, s2, t) for t in range(4)) - mp.log(determinant(x, s2) / s2**4) / mp.log(1 + 1 / s2)


def more_data():
    k, s2 = psd(4), number("0.01", 1)

    def variance(m):
        cross = k[:m, 3]
        return k[3, 3] - (cross.T * mp.lu_solve(k[:m, :m] + s2 * mp.eye(m), cross))[0]

    return variance(3) - variance(2)


def hsic_is_mmd():
    x, y, centre = points(4, -2, 2), points(4, -2, 2), mp.eye(4) - mp.ones(4) / 4
    product = gram(x) * centre * gram(y) * centre
    return abs(sum(product[i, i] for i in range(4)) / 16 - hsic(x, y))


def below_transport():
    z, p = points(4, -2, 2), simplex(4)
    q = simplex(4) if RNG.random() < 0.8 else p
    d = [a - b for a, b in zip(p, q, strict=True)]
    mmd2 = sum(d[i] * d[j] * gauss(z[i], z[j]) for i in range(4) for j in range(4))
    order = sorted(range(4), key=lambda i: z[i])
    below = list(itertools.accumulate(d[i] for i in order))
    gaps = [z[b] - z[a] for a, b in itertools.pairwise(order)]
    return mmd2 - sum(abs(c) * gap for c, gap in zip(below, gaps, strict=False)) ** 2


def mmd_null_mean():
    """All 64 outcomes of two samples of three from a law on two atoms."""
    a, b, p, mean = number(0, 2), number(0, 2), number(0, 1), mp.mpf(0)

    def average(u, v):
        return sum(gauss(c, d) for c in u for d in v) / 9

    for heads in itertools.product((0, 1), repeat=6):
        x = [a if h else b for h in heads]
        chance = mp.fprod(p if h else 1 - p for h in heads)
        mean += chance * (average(x[:3], x[:3]) + average(x[3:], x[3:]) - 2 * average(x[:3], x[3:]))
    return abs(mean - mp.mpf(2) / 3 * (1 - (p * p + (1 - p) ** 2 + 2 * p * (1 - p) * gauss(a, b))))


def leverage():
    k, c = psd(4), number("0.001", 1)
    return mp.lu_solve(k + c * mp.eye(4), k[:, 0])[0] - k[0, 0] / (k[0, 0] + c)


def nystrom_below():
    k, c = psd(4), number("0.01", 1)
    low = k[:, :2] * mp.inverse(k[:2, :2] + c * mp.eye(2)) * k[:2, :]
    return -min(mp.eigsy(k - low, eigvals_only=True))


def count_sketch():
    """All buckets and signs."""
    x, mean = [number(-1, 1) / 2 for _ in range(3)], mp.mpf(0)
    square = sum(a * a for a in x)
    for bucket in itertools.product((0, 1), repeat=3):
        for sign in itertools.product((-1, 1), repeat=3):
            sums = [sum(sign[i] * x[i] for i in range(3) if bucket[i] == b) for b in (0, 1)]
            mean += (sums[0] ** 2 + sums[1] ** 2 - square) ** 2 / 64
    return abs(mean - (square**2 - sum(a**4 for a in x)))


def gibbs():
    e, f, q = [mp.exp(number(-2, 2)) for _ in range(4)], [number(-3, 3) for _ in range(4)], simplex(4)
    p = [a / sum(e) for a in e]
    tilted = [a * mp.exp(b) for a, b in zip(p, f, strict=True)]
    left = sum(map(entropy_term, q, p)) - sum(a * b for a, b in zip(q, f, strict=True)) + mp.log(sum(tilted))
    return abs(left - sum(map(entropy_term, q, [a / sum(tilted) for a in tilted])))


def talagrand():
    s = number("0.01", 5) if RNG.random() < 0.6 else 1 + number("-1e-6", "1e-6")
    return (s - 1) ** 2 - (s * s - 1 - 2 * mp.log(s))


def largest_of_three():
    atoms, w = sorted(number(0, 1) for _ in range(4)), simplex(4)
    mean = sum(x * y for x, y in zip(atoms, w, strict=True))
    variance = sum((x - mean) ** 2 * y for x, y in zip(atoms, w, strict=True))
    below = [mp.mpf(0), *itertools.accumulate(w)]
    largest = sum(x * (b**3 - a**3) for x, a, b in zip(atoms, below, below[1:], strict=False))
    return largest - mean - mp.sqrt(variance) * 2 / mp.sqrt(5)


def smallest_spacing():
    """P(all n + 1 spacings > t) = (1 - (n + 1) t)^n, whose integral is (n + 1)^-2."""
    n = RNG.choice([8, 16, 32])
    return abs(mp.quad(lambda t: (1 - (n + 1) * t) ** n, [0, mp.mpf(1) / (n + 1)]) - mp.mpf(n + 1) ** -2)


def wilks():
    return float(Fraction(95, 100) ** 14 - Fraction(1, 2))


def range_table():
    """The printed digits, rounded; the range has twice the mean of the largest."""
    printed = {2: "1.128", 5: "2.326", 10: "3.078"}
    return max(abs(2 * largest_normal(n) - mp.mpf(d)) for n, d in printed.items()) - mp.mpf("0.0005")


def leave_one_out():
    x, y, c = points(4), [number(-1, 1) for _ in range(4)], number("0.01", 1)
    k = gram(x)
    noisy = k + c * mp.eye(4)
    without = mp.lu_solve(noisy[1:4, 1:4], mp.matrix(y[1:]))
    hat = k * mp.inverse(noisy)
    residual = y[0] - sum(hat[0, i] * y[i] for i in range(4))
    return abs(y[0] - sum(k[0, i + 1] * without[i] for i in range(3)) - residual / (1 - hat[0, 0]))


def projection_lower():
    c = number("0.1", "0.9")
    return 1 - beyond(6 * (1 - c)) - mp.exp(-6 * c * c / 4)


TRUTHS = {
    "true-variance-determinant": (variance_determinant, 60),
    "true-information-gain-chain": (gain_chain, 60),
    "true-variance-sum": (variance_sum, 60),
    "true-more-data-less-variance": (more_data, 100),
    "true-hsic-is-mmd": (hsic_is_mmd, 40),
    "true-mmd-below-transport": (below_transport, 400),
    "true-mmd-null-mean": (mmd_null_mean, 40),
    "true-leverage-jensen": (leverage, 100),
    "true-nystrom-below": (nystrom_below, 60),
    "true-count-sketch": (count_sketch, 40),
    "true-gibbs-variational": (gibbs, 100),
    "true-talagrand-transport": (talagrand, 400),
    "true-largest-of-three": (largest_of_three, 400),
    "true-smallest-spacing": (smallest_spacing, 6),
    "true-wilks": (wilks, 1),
    "true-range-table": (range_table, 1),
    "true-leave-one-out": (leave_one_out, 60),
    "true-projection-lower": (projection_lower, 100),
}

if __name__ == "__main__":
    main("kernels", EXACT, TRUTHS)
