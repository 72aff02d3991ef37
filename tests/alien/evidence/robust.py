"""Recompute the evidence without the bodies: fractions, enumeration, 50 digits, exact laws of order statistics.

The checks are those of `optim.py`. Rates are checked by exact means, the bound up to a constant by harmonic numbers.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from optim import RNG, main, number, simplex

HALF = mp.mpf(1) / 2
PEAK = 1 / mp.sqrt(2 * mp.pi)
K = mp.mpf("1.345")


def numbers(n, low=-10, high=10):
    """Random numbers, some of them equal."""
    x = [number(low, high) for _ in range(n)]
    return [RNG.choice(x) if RNG.random() < 0.3 else v for v in x]


def law(n=3):
    return numbers(n, 0, 1), simplex(n)


def expect(f, p):
    return mp.fsum(w * f(x) for x, w in zip(*p, strict=True))


def mean(x):
    return mp.fsum(x) / len(x)


def variance(x):
    return mean([(v - mean(x)) ** 2 for v in x])


def moments(p):
    m = expect(lambda x: x, p)
    return m, expect(lambda x: (x - m) ** 2, p)


def quantile(p, level):
    """The least place up to which there is so much weight; a weight that misses by the last digits is there."""
    below = mp.mpf(0)
    for x, w in sorted(zip(*p, strict=True)):
        below += w
        if below >= level - mp.mpf(10) ** -45:
            return x
    raise AssertionError


def median(x):
    return sorted(x)[(len(x) - 1) // 2]


def mad(x):
    return median([abs(v - median(x)) for v in x])


def walsh(x):
    return median([(x[i] + x[j]) / 2 for i in range(len(x)) for j in range(i, len(x))])


def trimmed(x, k):
    return mean(sorted(x)[k:-k])


def isotonic(y):
    """By pooling adjacent violators."""
    blocks = []
    for v in y:
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (a, m), (b, n) = blocks[-2], blocks.pop()
            blocks[-1] = [(a * m + b * n) / (m + n), m + n]
    return [a for a, m in blocks for _ in range(m)]


def norm(x):
    return mp.sqrt(mp.fsum(v * v for v in x))


def rho(x, k=K):
    return x * x / 2 if abs(x) <= k else k * abs(x) - k * k / 2


def huber_location(x, k=K):
    low, high = min(x), max(x)
    for _ in range(180):
        middle = (low + high) / 2
        positive = mp.fsum(max(-k, min(k, v - middle)) for v in x) > 0
        low, high = (middle, high) if positive else (low, middle)
    return (low + high) / 2


def catoni(x, a):
    return -mp.log(1 - x + x * x / a), mp.log(1 + x + x * x / a)


def signed_rank(n, critical):
    """P(the sum of the ranks with a positive sign is at most critical)."""
    few = sum(sum(i for i, e in enumerate(s, 1) if e) <= critical for s in itertools.product((0, 1), repeat=n))
    return Fraction(few, 2**n)


def kernel_mean(h):
    return 1 / mp.sqrt(2 * mp.pi * (1 + h * h))


def kernel_error(n):
    """E (f_h(0) - f(0))^2 for h = n^(-1/5): bias and variance in closed form."""
    h = mp.mpf(n) ** (-mp.mpf(1) / 5)
    second = 1 / (2 * mp.pi * h * mp.sqrt(h * h + 2))
    return (kernel_mean(h) - PEAK) ** 2 + (second - kernel_mean(h) ** 2) / n


def harmonic(n):
    return mp.harmonic(n)


def three(p):
    return p * (1 - p) + 4 * (p * (1 - p)) ** 2


def hill(x, k):
    top = sorted((mp.log(v) for v in x), reverse=True)
    return mean(top[:k]) - top[k]


def biweight(x, c):
    return abs(x) * (1 - (x / c) ** 2) ** 2 if abs(x) <= c else mp.mpf(0)


def orders(n):
    """Inversions, footrule, tau and rho of all orders, exact."""
    for p in itertools.permutations(range(n)):
        i = sum(p[a] > p[b] for a in range(n) for b in range(a + 1, n))
        squares = sum((a - b) ** 2 for a, b in enumerate(p))
        tau, spearman = 1 - Fraction(4 * i, n * (n - 1)), 1 - Fraction(6 * squares, n * (n * n - 1))
        yield i, sum(abs(a - b) for a, b in enumerate(p)), tau, spearman


def covariance(x, y):
    plus, minus = mad([a + b for a, b in zip(x, y, strict=True)]), mad([a - b for a, b in zip(x, y, strict=True)])
    return abs(plus**2 - minus**2) / 4, mad(x) * mad(y)


def digits(*names):
    return [mp.mpf(x) for x in names]


EXACT = {
    "plain-huber-homogeneous": (rho(mp.mpf(10)), 100 * rho(mp.mpf(1))),
    "subtle-huber-estimate-near-median": (2 * K / 3, mp.mpf("0.66") * K),
    "subtle-catoni-influence": catoni(mp.mpf("0.3"), mp.mpf("2.1")),
    "plain-trimmed-mean-as-lipschitz-as-mean": (mp.mpf(1), 2 / mp.sqrt(8)),
    "plain-hodges-lehmann-breakdown": (walsh([mp.mpf(0)] * 4 + [mp.mpf(1)] * 3), mp.mpf(0)),
    "subtle-wilcoxon-table": (signed_rank(9, 9), Fraction(1, 20)),
    "plain-sign-test-zeros-count": (1, Fraction(9, 256)),
    "plain-kde-bias-quarter": (PEAK - kernel_mean(mp.mpf(1)), PEAK / 4),
    "plain-kde-rate-parametric": kernel_error,
    "plain-isotonic-linear": (
        isotonic([Fraction(0), 0, 1, -1])[0],
        isotonic([Fraction(0), 0, 0, -1])[0] + isotonic([Fraction(0), 0, 1, 0])[0],
    ),
    "plain-cover-hart-three-halves": (Fraction(9, 50), Fraction(3, 20)),
    "subtle-three-neighbours-constant": (three(mp.mpf("0.2")), mp.mpf("0.262")),
    "plain-hill-shift-invariant": (
        hill([mp.mpf(v) for v in range(11, 17)], 3),
        hill([mp.mpf(v) for v in range(1, 7)], 3),
    ),
    "subtle-truncation-bias": (mp.mpf("0.05"), mp.mpf("0.01") / (mp.mpf("4.02") * mp.mpf("0.05"))),
    "plain-mad-below-sd": (mad(digits(-1, -1, 0, 1, 1)), mp.sqrt(variance(digits(-1, -1, 0, 1, 1)))),
    "subtle-quantile-mean": (HALF, mp.mpf("0.495")),
    "plain-median-beats-mean": (Fraction(1, 7), Fraction(1, 15)),
    "subtle-biweight-bounded": (biweight(mp.mpf("2.236"), mp.mpf(5)), mp.mpf("1.43")),
    "plain-footrule-three-halves": (2, Fraction(3, 2)),
    "plain-spearman-below-kendall": (Fraction(9, 10), Fraction(4, 5)),
    "plain-mean-subgaussian": (1 - mp.mpf("0.999") ** 20, mp.mpf("0.01")),
    "plain-median-of-means-half-the-points": (Fraction(1000, 3), 1),
    "subtle-coordinatewise-median": (norm(digits("0.7", "0.7", "0.7")), mp.mpf(1)),
    "subtle-grubbs": (mp.mpf(29) / 30, mp.mpf("0.99") * 29 / 30),
    "plain-robust-covariance-cauchy-schwarz": covariance(digits(2, -2, -1, -2, 2), digits(2, 2, -2, 2, -2)),
    "plain-lower-quantile-reflected": (-4, -3),
    "subtle-weak-norm": [harmonic(n) for n in (4, 16, 64, 256, 1024)],
    "subtle-largest-spacing": lambda n: harmonic(n - 1) / (n + 1),
}


# Truths


def median_least_absolute():
    x, t = numbers(5), number(-10, 10)
    return mp.fsum(abs(v - median(x)) for v in x) - mp.fsum(abs(v - t) for v in x)


def median_breakdown():
    x = numbers(4, -1, 1)
    return abs(median(x + numbers(3, -1e6, 1e6))) - max(map(abs, x))


def median_equivariant():
    x, a, b = numbers(7), number(-3, 3), number(-3, 3)
    return abs(median([a * v + b for v in x]) - a * median(x) - b)


def median_local_sensitivity():
    x = numbers(7, 0, 1)
    s = sorted(x)
    return abs(median([*x[1:], number(0, 1)]) - s[3]) - max(s[4] - s[3], s[3] - s[2])


def median_of_means():
    """A block is off by more than 2 sigma / sqrt(m) with probability at most 1/4, by Chebyshev; half of 24 are."""
    p = number(0, "0.25")
    return mp.fsum(mp.binomial(24, j) * p**j * (1 - p) ** (24 - j) for j in range(12, 25)) - mp.mpf("0.05")


def dkw_one_sided():
    """Smirnov's exact law of the one-sided statistic."""
    n, t = 15, mp.sqrt(mp.log(10) / 30)
    places = range(int(n * (1 - t)) + 1)
    terms = [math.comb(n, j) * (t + mp.mpf(j) / n) ** (j - 1) * (1 - t - mp.mpf(j) / n) ** (n - j) for j in places]
    return t * mp.fsum(terms) - mp.mpf("0.1")


def order_statistic_interval():
    return float(abs(2 * Fraction(1 + 10, 2**10) - Fraction(22, 1024)))


def huber_below_square():
    x = number(-500000, 500000) if RNG.random() < 0.5 else number(-3, 3)
    return rho(x) - x * x / 2


def huber_by_excess():
    x, k = number(-20, 20), number(0, 5)
    return abs(rho(x, k) - x * x / 2 + max(abs(x) - k, 0) ** 2 / 2)


def huber_near_median():
    x = [RNG.choice([mp.mpf(-10), mp.mpf(0), mp.mpf(10), number(-10, 10)]) for _ in range(5)]
    return abs(huber_location(x) - median(x)) - 2 * K / 3


def catoni_influence():
    low, high = catoni(number(-500000, 500000) if RNG.random() < 0.5 else number(-2, 2), 2)
    return low - high


def catoni_deviation():
    """psi(x) <= log(1 + x + x^2/2), so that E exp(sum psi) is at most exp(n (a m + a^2 s / 2)); then Markov."""
    x = number(-10, 10)
    return mp.sign(x) * mp.log(1 + abs(x) + x * x / 2) - mp.log(1 + x + x * x / 2)


def winsorised_variance():
    x, a, b = numbers(6), number(-10, 0), number(0, 10)
    return variance([min(max(v, a), b) for v in x]) - variance(x)


def trimmed_sup_norm():
    x, y = numbers(8, -5, 5), numbers(8, -5, 5)
    return abs(trimmed(x, 2) - trimmed(y, 2)) - max(abs(a - b) for a, b in zip(x, y, strict=True))


def hodges_lehmann():
    x = numbers(5, -1, 1)
    return abs(walsh(x + numbers(2, -100, 100))) - max(map(abs, x))


def wilcoxon():
    table = {5: 0, 6: 2, 7: 3, 8: 5, 9: 8}
    return float(max(signed_rank(n, c) for n, c in table.items()) - Fraction(1, 20))


def fourth_moment():
    x = numbers(5, -2, 2)
    sums = [mp.fsum(a * b for a, b in zip(e, x, strict=True)) ** 4 for e in itertools.product((-1, 1), repeat=5)]
    return abs(mean(sums) - 3 * norm(x) ** 4 + 2 * mp.fsum(v**4 for v in x))


def midranks():
    x, y = ([RNG.randrange(5) for _ in range(n)] for n in (4, 3))
    pooled = sorted(x + y)
    ranks = sum(Fraction(2 * pooled.index(v) + pooled.count(v) + 1, 2) for v in x)
    return float(abs(ranks - sum(Fraction((a > b) + (a >= b), 2) for a in x for b in y) - 10))


def sign_test():
    p = number(0, HALF)
    return 8 * p**7 * (1 - p) + p**8 - mp.mpf(9) / 256


def kde_bias():
    x, h = number(-5, 5), number(0, 3)

    def density(v):
        return mp.exp(-x * x / (2 * v)) / mp.sqrt(2 * mp.pi * v)

    return abs(density(1 + h * h) - density(mp.mpf(1))) - h * h / 2 * PEAK


def kde_rate():
    """n^(4/5) times the exact mean stays below what bias and variance give without their lower-order terms."""
    n = 2 ** RNG.randrange(3, 60)
    return mp.mpf(n) ** (mp.mpf(4) / 5) * kernel_error(n) - PEAK**2 / 4 - 1 / (2 * mp.pi * mp.sqrt(2))


def histogram():
    p, total = simplex(4), mp.mpf(0)
    for c in itertools.product(range(7), repeat=4):
        if sum(c) == 6:
            ways = mp.factorial(6) / mp.fprod(mp.factorial(k) for k in c)
            chance = ways * mp.fprod(q**k for q, k in zip(p, c, strict=True))
            total += chance * mp.fsum(abs(mp.mpf(k) / 6 - q) for q, k in zip(p, c, strict=True))
    return total - mp.sqrt(HALF)


def isotonic_contraction():
    y, z = numbers(5, -2, 2), numbers(5, -2, 2)
    after = [a - b for a, b in zip(isotonic(y), isotonic(z), strict=True)]
    return norm(after) - norm([a - b for a, b in zip(y, z, strict=True)])


def isotonic_min_max():
    y = numbers(5, -2, 2)
    one = [max(min(mean(y[s : t + 1]) for t in range(i, 5)) for s in range(i + 1)) for i in range(5)]
    two = [min(max(mean(y[s : t + 1]) for s in range(i + 1)) for t in range(i, 5)) for i in range(5)]
    return max(abs(a - b) for a, b in zip(one, two, strict=True))


def cover_hart():
    eta, w = numbers(4, 0, 1), simplex(4)
    bayes = expect(lambda e: min(e, 1 - e), (eta, w))
    return expect(lambda e: 2 * e * (1 - e), (eta, w)) - 2 * bayes * (1 - bayes)


def three_neighbours():
    p = number(0, 1)
    few = (1 - p) ** 3 + 3 * p * (1 - p) ** 2
    return max(p * few + (1 - p) * (1 - few) - 2 * p * (1 - p), abs(p * few + (1 - p) * (1 - few) - three(p)))


def hill_scale():
    x, c = numbers(6, "0.1", 10), number("0.1", 10)
    return abs(hill([c * v for v in x], 3) - hill(x, 3))


def hill_unbiased():
    """Logarithms are exponential numbers over alpha: the i-th largest of twelve has the mean sum_(l >= i) 1/l."""
    top = [sum(Fraction(1, j) for j in range(i, 13)) for i in range(1, 7)]
    return float(abs(sum(top[:5]) / 5 - top[5] - 1))


def truncation():
    p, b = law(), number("0.05", 1)
    return expect(lambda x: max(x - b, 0), p) - expect(lambda x: x * x, p) / (4 * b)


def mad_two():
    x = numbers(5)
    return mad(x) - 2 * mp.sqrt(variance(x))


def quantile_mean():
    p, level = law(), RNG.choice(digits("0.1", "0.3", "0.5"))
    m, v = moments(p)
    return abs(quantile(p, level) - m) - mp.sqrt(v * (1 - level) / level)


def contaminated():
    """(1 - e) Phi(b) is 1/2 by the choice of b; what is added is not negative."""
    e, m, s = number(0, "0.4"), number(0, 50), number("0.1", 5)
    b = mp.sqrt(2) * mp.erfinv(1 / (1 - e) - 1)
    return HALF - (1 - e) * mp.ncdf(b) - e * mp.ncdf((b - m) / s)


def weiszfeld():
    x, y = [[number("-0.7", "0.7") for _ in range(2)] for _ in range(4)], [number("-0.7", "0.7") for _ in range(2)]
    distance = [mp.hypot(a - y[0], b - y[1]) for a, b in x]
    if min(distance) == 0:
        return mp.mpf(-1)
    total = mp.fsum(1 / d for d in distance)
    z = [mp.fsum(v[i] / d for v, d in zip(x, distance, strict=True)) / total for i in range(2)]
    return mp.fsum(mp.hypot(a - z[0], b - z[1]) for a, b in x) - mp.fsum(distance)


def middle_of_five():
    """Beta(3, 3)."""
    return float(abs(Fraction(3 * 3, 6 * 6 * 7) - Fraction(1, 28)))


def midrange():
    """2 / ((n + 1) (n + 2)) against 1 / (3 n)."""
    return float(Fraction(2, 6 * 7) - Fraction(1, 15))


def biweight_bounded():
    c = number("0.5", 5)
    x = number(-10, 10) if RNG.random() < 0.5 else c / mp.sqrt(5)
    return biweight(x, c) - 16 * c / (25 * mp.sqrt(5))


def theil_sen():
    y, b, x = numbers(5, -3, 3), number(-3, 3), digits(0, 1, "2.5", 3, 7)

    def slope(z):
        return median([(z[j] - z[i]) / (x[j] - x[i]) for i in range(5) for j in range(i + 1, 5)])

    return abs(slope([v + b * u + 1 for u, v in zip(x, y, strict=True)]) - slope(y) - b)


def daniels():
    return float(max(abs(3 * n * t - 2 * (n + 1) * r) - (n - 2) for n in (4, 5, 6) for _, _, t, r in orders(n)))


def footrule():
    return max(max(i - d, d - 2 * i) for i, d, _, _ in orders(6))


def pinball():
    p, t, level = law(4), number(0, 1), RNG.choice(digits("0.3", "0.5", "0.9"))

    def loss(c):
        return expect(lambda x: max(level * (x - c), (level - 1) * (x - c)), p)

    return loss(quantile(p, level)) - loss(t)


def expected_maximum():
    x, w = law()
    total = mp.fsum(mp.fprod(w[i] for i in s) * max(x[i] for i in s) for s in itertools.product(range(3), repeat=3))
    return total - mp.sqrt(3 * expect(lambda v: v * v, (x, w)))


def von_bahr_esseen():
    (x, w), p = law(2), RNG.choice(digits("1.2", "1.5"))
    m, _ = moments((x, w))
    sums = [(mp.fprod(w[i] for i in s), mp.fsum(x[i] - m for i in s)) for s in itertools.product(range(2), repeat=4)]
    return mp.fsum(c * abs(s) ** p for c, s in sums) - 8 * expect(lambda v: abs(v - m) ** p, (x, w))


def grubbs():
    x = numbers(6)
    return max(x) - mean(x) - mp.sqrt(variance(x) * 6 / 5) * 5 / mp.sqrt(6)


def lad():
    y, a, b = numbers(5, -3, 3), number(-5, 5), number(-5, 5)
    lines = [(y[i], (y[j] - y[i]) / (j - i), i) for i in range(5) for j in range(i + 1, 5)]
    best = min(mp.fsum(abs(y[k] - u - s * (k - i)) for k in range(5)) for u, s, i in lines)
    return best - mp.fsum(abs(y[k] - a - b * k) for k in range(5))


def reflected():
    def interpolated(x, level):
        place = level * 5
        low = int(mp.floor(place))
        s = sorted(x)
        return s[low] + (place - low) * (s[low + 1] - s[low])

    x = numbers(6, -5, 5)
    return abs(interpolated([-v for v in x], mp.mpf("0.3")) + interpolated(x, mp.mpf("0.7")))


def weak_norm():
    """|x|_1 <= H_n w for w = max_k k x_(k), and H_n <= (1 + 1 / log 4) log n from n = 4 on."""
    n = RNG.choice([4, 8, 16, 32, 64])
    x = sorted((abs(v) for v in numbers(n)), reverse=True)
    weak = max(k * v for k, v in enumerate(x, 1))
    return max(mp.fsum(x) - harmonic(n) * weak, harmonic(n) - (1 + 1 / mp.log(4)) * mp.log(n))


TRUTHS = {
    "true-median-least-absolute": (median_least_absolute, 400),
    "true-median-breakdown": (median_breakdown, 400),
    "true-median-equivariant": (median_equivariant, 400),
    "true-median-local-sensitivity": (median_local_sensitivity, 400),
    "true-median-of-means": (median_of_means, 100),
    "true-dkw-one-sided": (dkw_one_sided, 1),
    "true-order-statistic-interval": (order_statistic_interval, 1),
    "true-huber-below-square": (huber_below_square, 400),
    "true-huber-by-excess": (huber_by_excess, 400),
    "true-huber-estimate-near-median": (huber_near_median, 40),
    "true-catoni-influence": (catoni_influence, 400),
    "true-catoni-deviation": (catoni_deviation, 400),
    "true-winsorised-variance": (winsorised_variance, 400),
    "true-trimmed-mean-sup-norm": (trimmed_sup_norm, 400),
    "true-hodges-lehmann-breakdown": (hodges_lehmann, 400),
    "true-wilcoxon-table": (wilcoxon, 1),
    "true-fourth-moment-of-signs": (fourth_moment, 100),
    "true-mann-whitney-midranks": (midranks, 400),
    "true-sign-test-size": (sign_test, 400),
    "true-kde-bias": (kde_bias, 400),
    "true-kde-rate": (kde_rate, 100),
    "true-histogram-l1": (histogram, 20),
    "true-isotonic-contraction": (isotonic_contraction, 400),
    "true-isotonic-min-max": (isotonic_min_max, 100),
    "true-cover-hart": (cover_hart, 400),
    "true-three-neighbours": (three_neighbours, 400),
    "true-hill-scale-invariant": (hill_scale, 100),
    "true-hill-unbiased": (hill_unbiased, 1),
    "true-truncation-bias": (truncation, 400),
    "true-mad-below-two-sd": (mad_two, 400),
    "true-quantile-mean": (quantile_mean, 400),
    "true-contaminated-median": (contaminated, 100),
    "true-weiszfeld-descends": (weiszfeld, 400),
    "true-middle-of-five-uniform": (middle_of_five, 1),
    "true-midrange-beats-mean": (midrange, 1),
    "true-biweight-bounded": (biweight_bounded, 400),
    "true-theil-sen-equivariant": (theil_sen, 400),
    "true-daniels": (daniels, 1),
    "true-footrule": (footrule, 1),
    "true-pinball": (pinball, 400),
    "true-expected-maximum": (expected_maximum, 100),
    "true-von-bahr-esseen": (von_bahr_esseen, 200),
    "true-grubbs": (grubbs, 400),
    "true-lad-through-two-points": (lad, 200),
    "true-lower-upper-quantile": (reflected, 400),
    "true-weak-norm": (weak_norm, 200),
}

if __name__ == "__main__":
    main("robust", EXACT, TRUTHS, (len(EXACT) + len(TRUTHS), len(TRUTHS)))
