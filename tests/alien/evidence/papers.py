"""Recompute the evidence without the bodies: fractions, enumeration, quadrature, exact laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are. Where a probability is far from its bound, float64 decides.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, entropy_term, main, number, simplex
from shapes import disc, exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def kl(q, p):
    """Between two coins."""
    if (p == 0 and q > 0) or (p == 1 and q < 1):
        return mp.inf
    return entropy_term(q, p) + entropy_term(1 - q, 1 - p)


def gram(n):
    """A positive semi-definite matrix of trace 1, of any rank; there may be zeros in its factor."""
    rank = RNG.randrange(1, n + 1)
    a = mp.matrix([[number(-1, 1) if RNG.random() < 0.8 else 0 for _ in range(rank)] for _ in range(n)])
    k = a * a.T
    total = trace(k)
    return k / total if total else gram(n)


def trace(m):
    return sum(m[i, i] for i in range(m.rows))


def top(m):
    return max(mp.eigsy(m, eigvals_only=True))


def centred(x):
    """The distances of numbers, doubly centred."""
    n = len(x)
    a = [[abs(s - t) for t in x] for s in x]
    rows = [sum(row) / n for row in a]
    return [[a[i][j] - rows[i] - rows[j] + sum(rows) / n for j in range(n)] for i in range(n)]


def mean_product(a, b):
    return sum(dot(x, y) for x, y in zip(a, b, strict=True)) / len(a) ** 2


def mmd_square(d, x):
    """Of the signed weights d on the points x, by the Gaussian kernel."""
    pairs = itertools.product(range(len(d)), repeat=2)
    return sum(d[i] * d[j] * mp.exp(-sum((a - b) ** 2 for a, b in zip(x[i], x[j], strict=True)) / 2) for i, j in pairs)


def feature_error(gap):
    """E |mean over D of cos(w g) - exp(-g^2 / 2)| by D: 2 / pi times the integral of (1 - Re c.f.) / t^2, Riemann."""
    w = np.arange(-12.0, 12.0, 0.02)
    mass = np.exp(-w * w / 2) * 0.02 / math.sqrt(2 * math.pi)
    x = np.cos(w * gap) - math.exp(-gap * gap / 2)
    spread = math.sqrt(mass @ x**2)
    nodes, weights = np.polynomial.legendre.leggauss(120)

    def mean(d):
        end = 14 / (spread * math.sqrt(d))
        t = end * (nodes + 1) / 2
        law = (np.exp(1j * np.outer(t, x)) @ mass) ** d
        return mp.mpf(2 / math.pi / d * (end / 2 * weights @ ((1 - law.real) / t**2) + 1 / end))

    return mean


def phase_variance():
    k = mp.exp(-8)
    return 1 + k**4 / 2 - k**2, (1 - k**2) ** 2 / 2


def ntk_lipschitz():
    t = mp.mpf("1e-4")
    k0, k1 = 1 - t / mp.pi, (mp.cos(t) * (mp.pi - t) + mp.sin(t)) / mp.pi
    return 4 - 2 * (mp.cos(t) * k0 + k1), 400 * (2 - 2 * mp.cos(t))


def kl_two_sided():
    n, p, delta = 15, mp.mpf("0.182"), mp.mpf(1) / 20
    far = [k for k in range(n + 1) if kl(mp.mpf(k) / n, p) > mp.log(1 / delta) / n]
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in far), delta


def pinsker_constant():
    q, p = mp.mpf("0.001"), mp.mpf("0.003")
    return p, q + mp.sqrt(2 * q * kl(q, p)) + mp.mpf("0.6") * kl(q, p)


def information_constant():
    same, other = mp.mpf("0.26"), mp.mpf("0.24")
    found = 2 * (same * mp.log(4 * same) + other * mp.log(4 * other))
    return 2 * same - mp.mpf(1) / 2, mp.sqrt(mp.mpf("0.49") * found)


def distance_correlation():
    x = [exact(Fraction(i, 2)) for i in range(-2, 3)]
    a, b = centred(x), centred([v * v for v in x])
    return mean_product(a, b) / mp.sqrt(mean_product(a, a) * mean_product(b, b)), 0


def mistakes(x, y):
    """Of the perceptron in two passes, in exact numbers."""
    w, wrong = [0, 0], 0
    for _ in range(2):
        for point, sign in zip(x, y, strict=True):
            if sign * dot(w, point) <= 0:
                w = [a + sign * b for a, b in zip(w, point, strict=True)]
                wrong += 1
    return wrong


def perceptron_exponent():
    points = [(Fraction(3, 5), Fraction(4, 5)), (Fraction(3, 5), Fraction(-4, 5))] * 3
    return mistakes(points, [1] * 6) * Fraction(3, 5), 1


def dimension_ratios():
    """sum_(i <= N) 1 / (1 + i^2 / c) by the digamma function at N + 1 + i sqrt c, c = a n."""
    found = []
    for k, a in zip(range(1, 8), [1, Fraction(99, 100), 1, 1, 1, 1, 1], strict=True):
        root = mp.sqrt(exact(a * 4**k))
        whole = (mp.pi * root * mp.coth(mp.pi * root) - 1) / 2
        found.append((whole - root * mp.digamma(100001 + 1j * root).imag) / mp.mpf(4**k) ** mp.mpf("0.4"))
    return found


EXACT = {
    "plain-phase-variance": phase_variance(),
    "subtle-ntk-lipschitz": ntk_lipschitz(),
    "plain-nystrom-error": (Fraction(1, 4), Fraction(1, 100)),
    "subtle-kl-two-sided": kl_two_sided(),
    "subtle-refined-pinsker-constant": pinsker_constant(),
    "plain-refined-pinsker-both-sides": (mp.mpf("0.81") / mp.mpf("0.2"), mp.log(10)),
    "subtle-xu-raginsky-constant": information_constant(),
    "plain-kearns-saul-variance": (mp.log((9 + mp.e) / 10) - mp.mpf(1) / 10, mp.mpf("0.045")),
    "subtle-ridge-variance": (Fraction(6, 4), Fraction(60, 41)),
    "plain-dcor-pearson": distance_correlation(),
    "plain-perceptron-exponent": perceptron_exponent(),
    "plain-rff-rate": feature_error(1.0),
    "subtle-effective-dimension": dimension_ratios(),
    "plain-kernel-pca-pessimism": (Fraction(1, 4) + Fraction(3, 4) * Fraction(2, 3), Fraction(1, 2)),
    "subtle-mmd-tv-constant": (mp.sqrt(mmd_square([1, -1], [(3, 0), (-3, 0)])), mp.mpf("1.4")),
    "plain-double-descent-print": {"n=5": Fraction(5, 10 - 5 - 1)},
}


def phase_feature_variance():
    """The mean over the phase by hand, that over w by the rule of the trapezia, exact to 60 digits here."""
    d, step = number(-4, 4), mp.mpf(1) / 5
    k = mp.exp(-d * d / 2)
    found = mp.mpf(0)
    for i in range(-80, 81):
        w = i * step
        cosine = mp.cos(w * d)
        found += mp.npdf(w) * step * (cosine**2 + mp.mpf(1) / 2 - 2 * k * cosine + k * k)
    return abs(found - (1 + mp.exp(-2 * d * d) / 2 - k * k))


def paired_features():
    d = number(0, 10)
    k, double = mp.exp(-d * d / 2), mp.exp(-2 * d * d)
    return (1 + double - 2 * k * k) - (1 + double / 2 - k * k)


def gram_rate():
    """The largest error lies between the first one and the root of the sum of the squares, c / sqrt D exactly."""
    return off([16, 32, 64, 128, 256, 512], feature_error(1.0), mp.mpf(-1) / 2)


def effective_dimension():
    n, s = RNG.choice([4, 16, 64, 256, 1024, 4096]), RNG.uniform(1.5, 4)
    found = sum(1 / (1 + i**s / n) for i in range(1, 10001))
    return found - n ** (1 / s) * (math.pi / s) / math.sin(math.pi / s)


def nystrom():
    k, g = gram(4), number("1e-6", 1)
    c = k[:, 0:2]
    return top(c * mp.inverse(k[0:2, 0:2] + g * mp.eye(2)) * c.T - k)


def leverage(k, lam):
    return mp.inverse(k + lam * mp.eye(k.rows)) * k


def leverage_monotone():
    k = gram(3)
    lam, mu = sorted([number("0.001", 1), number("0.001", 1)])
    return leverage(k, lam)[0, 0] - mu / lam * leverage(k, mu)[0, 0]


def leverage_sum():
    k, lam = gram(4), number("0.001", 1)
    return abs(trace(leverage(k, lam)) - sum(s / (s + lam) for s in mp.eigsy(k, eigvals_only=True)))


def maurer():
    """In fractions, at all three n."""
    sums = {
        n: sum(Fraction(math.comb(n, k) * k**k * (n - k) ** (n - k), n**n) for k in range(n + 1)) for n in (8, 40, 200)
    }
    return max(exact(total**2 - 4 * n) for n, total in sums.items())


def refined_pinsker():
    q, p = number(0, 1), number(0, 1)
    e = kl(q, p)
    return p - q - mp.sqrt(2 * q * e) - 2 * e if mp.isfinite(e) else mp.mpf(-1)


def catoni():
    q, p, c = number(0, 1), number(0, 1), number(0, 5)
    e = kl(q, p)
    return -mp.log(1 - p * (1 - mp.exp(-c))) - c * q - e if mp.isfinite(e) else mp.mpf(-1)


def xu_raginsky():
    p, loss = simplex(9), [number(0, 1) for _ in range(9)]
    if RNG.random() < 0.5:
        loss = [mp.mpf(RNG.randrange(2)) for _ in range(9)]
    s, w = [sum(p[3 * i : 3 * i + 3]) for i in range(3)], [sum(p[j::3]) for j in range(3)]
    product = [a * b for a in s for b in w]
    found = sum(entropy_term(a, b) for a, b in zip(p, product, strict=True) if a)
    return abs(dot(p, loss) - dot(product, loss)) - mp.sqrt(max(found, 0) / 2)


SEQUENCES = np.array(list(itertools.product((0, 1), repeat=10)))


def online_to_batch():
    """All sequences of ten coins."""
    p, ones = float(number(0, 1)), SEQUENCES.sum(1)
    guesses = 2 * (np.cumsum(SEQUENCES, 1) - SEQUENCES) > np.arange(10)
    mass = p**ones * (1 - p) ** (10 - ones)
    gap = np.where(guesses, 1 - p, p).mean(1) - (guesses != SEQUENCES).mean(1)
    return max(float(mass[gap > math.sqrt(math.log(1 / d) / 20)].sum()) - d for d in (0.05, 0.2))


def adaboost():
    """The square of exp(f) at a point is a fraction; a round without an error, or with nothing else, is no round."""
    y, w, odds, bound = [RNG.choice([-1, 1]) for _ in range(6)], [Fraction(1, 6)] * 6, [Fraction(1)] * 6, Fraction(1)
    for _ in range(3):
        h = [RNG.choice([-1, 1]) for _ in range(6)]
        e = sum(a for a, b, c in zip(w, y, h, strict=True) if b != c)
        if e in (0, 1):
            return mp.mpf(-1)
        w = [a / (2 * (1 - e) if b == c else 2 * e) for a, b, c in zip(w, y, h, strict=True)]
        odds = [o * ((1 - e) / e) ** c for o, c in zip(odds, h, strict=True)]
        bound *= 4 * e * (1 - e)
    return exact(Fraction(sum(o**b <= 1 for o, b in zip(odds, y, strict=True)), 6)) - mp.sqrt(exact(bound))


def projection(n):
    return mp.eye(n) - mp.ones(n) / n


def alignment():
    k, other, h = gram(3), gram(3), projection(3)
    return abs(trace(h * k * h * h * other * h) - trace(h * k * h * other))


def three_sums():
    n, points = 4, [[number(-1, 1) for _ in range(4)] for _ in range(2)]
    first, second = ([[mp.exp(-((a - b) ** 2)) for b in x] for a in x] for x in points)
    h, every = projection(n), range(n)
    found = sum(first[i][j] * second[i][j] for i in every for j in every) / n**2
    found += sum(map(sum, first)) * sum(map(sum, second)) / n**4
    found -= 2 * sum(first[i][j] * second[i][q] for i in every for j in every for q in every) / mp.mpf(n) ** 3
    return abs(trace(mp.matrix(first) * h * mp.matrix(second) * h) / n**2 - found)


def distance_covariance():
    x = [number(-1, 1) for _ in range(5)]
    y = [number(-1, 1) for _ in range(5)] if RNG.random() < 0.7 else [2 - 3 * v for v in x]
    a, b = centred(x), centred(y)
    return mean_product(a, b) - mp.sqrt(mean_product(a, a) * mean_product(b, b))


def mmd_null():
    """All pairs of counts, whose distances are no nearer to the bound than float64 sees."""
    m, p = RNG.choice([5, 8]), np.array([float(w) for w in simplex(3)])
    counts = [z for z in itertools.product(range(m + 1), repeat=3) if sum(z) == m]
    ways = [math.factorial(m) / math.prod(map(math.factorial, z)) for z in counts]
    mass = np.array(ways) * np.prod(p ** np.array(counts), 1)
    apart = np.sqrt(((np.array(counts)[:, None] - np.array(counts)) ** 2).sum(-1)) / m
    bounds = {d: math.sqrt(2 / m) * (1 + math.sqrt(2 * math.log(1 / d))) for d in (0.05, 0.3)}
    return max(float(mass @ (apart > bound) @ mass) - d for d, bound in bounds.items())


def kernel_pca():
    p, x = simplex(3), [disc() for _ in range(3)]
    outer = [mp.matrix([[z.real**2, z.real * z.imag], [z.real * z.imag, z.imag**2]]) for z in x]
    mean = mp.mpf(0)
    for draw in itertools.product(range(3), repeat=3):
        mean += mp.fprod(p[i] for i in draw) * top(sum((outer[i] for i in draw), mp.zeros(2)) / 3)
    return top(sum((w * o for w, o in zip(p, outer, strict=True)), mp.zeros(2))) - mean


def ridge_bias_variance():
    """All signs of the noise."""
    x, t, lam = mp.matrix([[z.real, z.imag] for z in (disc() for _ in range(4))]), disc(), number("0.01", 1)
    t, s = mp.matrix([t.real, t.imag]), x.T * x / 4
    r, found = mp.inverse(s + lam * mp.eye(2)), mp.mpf(0)
    for noise in itertools.product((-1, 1), repeat=4):
        error = x * (r * x.T * (x * t + mp.matrix(noise)) / 4 - t)
        found += (error.T * error)[0] / 4 / 16
    return abs(found - lam**2 * (t.T * r * s * r * t)[0] - trace(s * r * s * r) / 4)


def ridge_bias():
    s, lam, t = gram(3), number("0.01", 1), mp.matrix([number(-1, 1) for _ in range(3)])
    r = mp.inverse(s + lam * mp.eye(3))
    return lam**2 * (t.T * r * s * r * t)[0] - lam * (t.T * t)[0] / 4


def min_norm():
    """The squared lengths of the six axes off the row space add up to 3; their laws are the same."""
    x = mp.matrix([[mp.mpf(RNG.gauss(0, 1)) for _ in range(6)] for _ in range(3)])
    return abs(trace(mp.eye(6) - x.T * mp.inverse(x * x.T) * x) / 6 - mp.mpf(1) / 2)


def mmd_tv():
    p, q = simplex(4), simplex(4)
    x = [(3 * z.real, 3 * z.imag) for z in (disc() for _ in range(4))]
    d = [a - b for a, b in zip(p, q, strict=True)]
    return mp.sqrt(max(mmd_square(d, x), 0)) - mp.sqrt(2) * sum(map(abs, d)) / 2


def sauer():
    cells = itertools.product((10, 40), (1, 3, 10))
    return max(sum(math.comb(n, i) for i in range(d + 1)) - (mp.e * n / d) ** d for n, d in cells)


def relative_deviation():
    """The left side is at most sqrt t."""
    return 1 - 2 * mp.sqrt(mp.log(4 * 61 * 10) / 30)


def compression():
    """Given k points inside, the gaps to both ends are a share Beta(2, k - 1) of the width."""
    n, width = RNG.choice([20, 60]), number(0, 1)
    e = (mp.log(math.comb(n, 2)) + mp.log(20)) / (n - 2)
    if width <= e:
        return -mp.mpf(1) / 20
    share = e / width
    found = (1 - width) ** n
    for k in range(1, n + 1):
        beyond = (1 - share) ** k + k * share * (1 - share) ** (k - 1)
        found += math.comb(n, k) * width**k * (1 - width) ** (n - k) * beyond
    return found - mp.mpf(1) / 20


def novikoff():
    """The points that the margin forbids are mirrored or left out."""
    x, u = [disc() for _ in range(6)], mp.expjpi(2 * number(0, 1))
    x = [z for z in ((a.real, a.imag) for a in x) if abs(dot(z, (u.real, u.imag))) > mp.mpf(1) / 20]
    if not x:
        return mp.mpf(-1)
    along = [dot(z, (u.real, u.imag)) for z in x]
    wrong = mistakes(x, [mp.sign(a) for a in along])
    return wrong * min(map(abs, along)) ** 2 - max(dot(z, z) for z in x)


def nonexpansive():
    a, w, eta = gram(3), mp.matrix([number(-1, 1) for _ in range(3)]), number(0, 2)
    return mp.norm(w - eta * a * w) - mp.norm(w)


def contraction():
    """All signs."""
    f = [[number(-1, 1) for _ in range(4)] for _ in range(3)]
    lengths = [[mp.sqrt(a * a + b * b), mp.sqrt(c * c + d * d)] for a, b, c, d in f]
    left, right = (
        sum(max(dot(e, g) for g in values) for e in itertools.product((-1, 1), repeat=n)) / 2**n
        for values, n in ((lengths, 2), (f, 4))
    )
    return left - mp.sqrt(2) * right


def kl_tail():
    """Half of the time t is one of the divergences, where the tail jumps."""
    n, p, t = 10, number(0, 1), number("0.01", 1)
    divergence = [kl(mp.mpf(k) / n, p) for k in range(n + 1)]
    there = [d for k, d in enumerate(divergence) if mp.mpf(k) / n <= p and mp.mpf("0.01") <= d <= 1]
    if there and RNG.random() < 0.5:
        t = RNG.choice(there)
    beyond = [k for k in range(n + 1) if mp.mpf(k) / n <= p and divergence[k] >= t]
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in beyond) - mp.exp(-n * t)


def kearns_saul():
    """Half of the time at s = 2 log((1 - p) / p), where both sides are equal."""
    p, s = number("1e-9", 1 - mp.mpf("1e-9")), number(-10, 10)
    odds = mp.log((1 - p) / p)
    if RNG.random() < 0.5 and abs(odds) <= 5:
        s = 2 * odds
    slope = (1 - 2 * p) / (4 * odds) if odds else mp.mpf(1) / 8
    return mp.log(1 - p + p * mp.exp(s)) - s * p - s * s * slope


def inverse_wishart(n, d):
    """n times E 1 / chi-square with d - n + 1 degrees of freedom, by the density."""
    half = mp.mpf(d - n + 1) / 2
    found = mp.quad(lambda x: x ** (half - 2) * mp.exp(-x / 2), [0, 1, 10, 100, mp.inf])
    return n * found / (2**half * mp.gamma(half))


def double_descent_table():
    """The printed digits, rounded."""
    off_by = [abs(inverse_wishart(n, 20) - mp.mpf(printed)) for n, printed in ((5, "0.36"), (10, "1.11"))]
    return max(off_by) - mp.mpf("0.005")


COUNTS = np.array(list(itertools.product(range(11), repeat=3)))
WAYS = np.prod(np.vectorize(lambda k: math.comb(10, k))(COUNTS).astype(float), 1)


def pac_bayes_lambda():
    """All counts; the worst Q of each lambda by Donsker and Varadhan, the worst lambda among 150."""
    risk, n, delta = np.array([float(number(0, 1)) for _ in range(3)]), 10, 0.1
    worst = np.full(len(COUNTS), -np.inf)
    for lam in np.linspace(0.05, 1.95, 150):
        power = n * lam * ((1 - lam / 2) * risk - COUNTS / n)
        worst = np.maximum(worst, np.log(np.exp(power).mean(1)))
    mass = WAYS * np.prod(risk**COUNTS * (1 - risk) ** (n - COUNTS), 1)
    return float(mass[worst > math.log(2 * math.sqrt(n) / delta)].sum()) - delta


def arccos_psd():
    """Some vectors are the same, or opposite; an angle near 0 or pi has half of the digits."""
    with mp.workdps(120):
        x = [[mp.mpf(RNG.gauss(0, 1)) for _ in range(3)] for _ in range(4)]
        if RNG.random() < 0.4:
            x[1] = [RNG.choice([-1, 1]) * a for a in x[0]] if RNG.random() < 0.5 else [-a for a in x[0]]
            x[3] = x[2]
        x = [[a / mp.sqrt(dot(z, z)) for a in z] for z in x]
        kernel = [[1 - mp.acos(max(min(dot(a, b), mp.mpf(1)), mp.mpf(-1))) / mp.pi for b in x] for a in x]
        return -min(mp.eigsy(mp.matrix(kernel), eigvals_only=True))


TRUTHS = {
    "true-phase-feature-variance": (phase_feature_variance, 40),
    "true-paired-features-better": (paired_features, 400),
    "true-rff-gram-rate": (gram_rate, 1),
    "true-effective-dimension": (effective_dimension, 60),
    "true-nystrom-regularised": (nystrom, 100),
    "true-leverage-monotone": (leverage_monotone, 200),
    "true-leverage-sum": (leverage_sum, 100),
    "true-maurer-sum": (maurer, 1),
    "true-refined-pinsker": (refined_pinsker, 1000),
    "true-catoni-kl": (catoni, 1000),
    "true-xu-raginsky": (xu_raginsky, 400),
    "true-online-to-batch": (online_to_batch, 200),
    "true-adaboost": (adaboost, 1000),
    "true-centred-alignment": (alignment, 100),
    "true-hsic-three-sums": (three_sums, 100),
    "true-dcov-cauchy-schwarz": (distance_covariance, 200),
    "true-mmd-null": (mmd_null, 200),
    "true-kernel-pca-optimism": (kernel_pca, 40),
    "true-ridge-bias-variance": (ridge_bias_variance, 40),
    "true-ridge-bias-bound": (ridge_bias, 200),
    "true-min-norm-bias": (min_norm, 40),
    "true-mmd-tv": (mmd_tv, 200),
    "true-sauer": (sauer, 1),
    "true-relative-deviation": (relative_deviation, 1),
    "true-interval-compression": (compression, 100),
    "true-perceptron": (novikoff, 400),
    "true-sgd-nonexpansive": (nonexpansive, 400),
    "true-vector-contraction": (contraction, 200),
    "true-kl-tail": (kl_tail, 400),
    "true-kearns-saul": (kearns_saul, 1000),
    "true-double-descent-table": (double_descent_table, 1),
    "true-pac-bayes-lambda": (pac_bayes_lambda, 40),
    "true-arccos-psd": (arccos_psd, 60),
}

if __name__ == "__main__":
    main("papers", EXACT, TRUTHS, (49, 33))
