"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, quadrature, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are. Where a probability is far from its bound, float64 decides.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number, simplex
from shapes import exact, off

HALF = Fraction(1, 2)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def mean(x):
    return Fraction(sum(x)) / len(x)


def variance(x, lost=0):
    """Of equally likely numbers; with 1 lost, the unbiased one."""
    return sum((v - mean(x)) ** 2 for v in x) / (len(x) - lost)


def share(steps=20):
    """A fraction of [0, 1]; its ends are likely."""
    return Fraction(RNG.choice([0, steps, RNG.randint(0, steps)]), steps)


def shares(n):
    """Random weights in fractions, some of them 0."""
    w = [share() for _ in range(n)]
    w[RNG.randrange(n)] += not any(w)
    return [x / sum(w) for x in w]


def signed(n):
    return [2 * share() - 1 for _ in range(n)]


def samples(law, n):
    """All samples of (value, chance) pairs, with their chances."""
    for drawn in itertools.product(law, repeat=n):
        yield [v for v, _ in drawn], math.prod(c for _, c in drawn)


def moments(law, n, statistic):
    """The mean and the variance of a statistic of n draws."""
    found = [(statistic(x), chance) for x, chance in samples(law, n)]
    first = sum(v * c for v, c in found)
    return first, sum(c * (v - first) ** 2 for v, c in found)


def mean_variance(phi, n):
    return sum(phi ** abs(i - j) for i in range(n) for j in range(n)) / n


def of_pairs(h):
    return lambda x: Fraction(h(x[0], x[1]) + h(x[0], x[2]) + h(x[1], x[2])) / 3


def product_statistic():
    law = [(1, Fraction(9, 10)), (0, Fraction(1, 10))]
    return moments(law, 3, of_pairs(lambda a, b: a * b))[1], moments(law, 2, lambda x: x[0] * x[1])[1] / 3


def plugin():
    law = [(1, HALF), (0, HALF)]
    return moments(law, 3, variance)[0], moments(law, 1, lambda x: x[0])[1]


def discrepancy(x):
    n = len(x)
    return max(max(Fraction(i + 1, n) - v, v - Fraction(i, n)) for i, v in enumerate(sorted(x)))


def shifted():
    x = [min((i + HALF) / 32 + Fraction(172, 1000), Fraction(1)) for i in range(32)]
    return abs(mean(x) - HALF), Fraction(8, 10) * discrepancy(x)


def poisson(lam, k):
    """P(N >= k)."""
    return 1 - mp.exp(-lam) * sum(lam**j / mp.factorial(j) for j in range(k))


def hill(n):
    """Half the mean deviation of the mean of n exponential numbers."""
    return mp.exp(n * mp.log(n) - n - mp.loggamma(n + 1))


def largest_spacing(n):
    """The largest of n - 1 among n + 1 exchangeable spacings."""
    return mp.harmonic(n - 1) / (n + 1)


def largest(n, cut=None):
    """E max of n normal numbers, cut at both ends."""
    cut = cut or mp.mpf(12)
    with mp.workdps(25):
        below = mp.quad(lambda t: mp.ncdf(t) ** n, mp.linspace(-cut, 0, 5))
        return mp.quad(lambda t: 1 - mp.ncdf(t) ** n, mp.linspace(0, cut, 7)) - below


def mixing(joint):
    """Over all pairs of sets."""
    k = len(joint)
    sets = list(itertools.product((0, 1), repeat=k))
    rows, columns = [sum(row) for row in joint], [sum(column) for column in zip(*joint, strict=True)]
    inside = ((a, b, sum(dot(row, b) for row, here in zip(joint, a, strict=True) if here)) for a in sets for b in sets)
    return max(abs(both - dot(rows, a) * dot(columns, b)) for a, b, both in inside)


def covariance(joint, f, g):
    rows, columns = [sum(row) for row in joint], [sum(column) for column in zip(*joint, strict=True)]
    return abs(dot(f, [dot(row, g) for row in joint]) - dot(rows, f) * dot(columns, g))


def two_places():
    joint, f = [[HALF, 0, 0], [0, HALF, 0], [0, 0, 0]], [1, -1, 0]
    return covariance(joint, f, f), Fraction(396, 100) * mixing(joint)


def derangements(n):
    return sum(Fraction((-1) ** k, math.factorial(k)) for k in range(n + 1))


def secretary(n):
    """Passing over the share 1 / e of 97 candidates, and one fewer, in fractions; at no other n is the rule wrong."""
    values = {}
    for m in range(3, 201):
        tail, chances = Fraction(0), {}
        for r in range(m - 1, 0, -1):
            tail += Fraction(1, r)
            chances[r] = r * tail / m
        best = math.floor((m - 0.5) / math.e + 0.5)
        assert (chances[best] < max(chances.values())) == (m == n)
        values[m] = max(chances.values()), chances[best]
    return values[n]


def partial_sums():
    start = mp.mpf("1.55") / mp.sqrt(mp.mpf("0.7525")) / mp.log(4)
    return [start, *(mp.sqrt(n) / mp.log(n) for n in (8, 16, 32, 64))]


EXACT = {
    "plain-long-run-variance": (mean_variance(-HALF, 10), Fraction(1, 3)),
    "subtle-ar2-sum": ((1 + mp.sqrt(1 + 4 * mp.mpf("0.02"))) / 2, mp.mpf(1)),
    "plain-uniform-maximum": (Fraction(5, 6), Fraction(4, 5)),
    "plain-ustatistic-variance": product_statistic(),
    "plain-plugin-unbiased": plugin(),
    "subtle-monte-carlo-p-value": (Fraction(6, 101), Fraction(1, 20)),
    "plain-antithetic": (variance([0, 1, 0, 0, 1, 0]), variance([0, 1, 0, 0, 1, 0]) / 2),
    "subtle-koksma-high-dimension": shifted(),
    "plain-poisson-gaussian": (poisson(mp.mpf("0.6"), 3), mp.exp(-mp.mpf("4.8"))),
    "subtle-poisson-median": (mp.mpf(1) / 2, 1 - poisson(61 - mp.mpf("0.3318"), 61)),
    "plain-hill-rate": hill,
    "subtle-largest-spacing": largest_spacing,
    "plain-partial-sums": partial_sums(),
    "subtle-normal-maximum": (largest(40, mp.mpf(6)), mp.mpf("0.77") * mp.sqrt(2 * mp.log(40))),
    "subtle-mixing-covariance": two_places(),
    "subtle-derangements-four": {"none": float(derangements(4))},
    "subtle-secretary-at-97": secretary(97),
}


def ar1():
    n, phi = RNG.choice([2, 6]), (2 * share() - 1) * Fraction(9, 10)
    return exact(abs(mean_variance(phi, n) - (1 + phi) / (1 - phi) + 2 * phi * (1 - phi**n) / (n * (1 - phi) ** 2)))


def long_run():
    phi = share() * Fraction(9, 10)
    return exact(mean_variance(phi, 10) - (1 + phi) / (1 - phi))


def triangle():
    """In 64ths, which 50 digits hold exactly; half of the time on an edge."""
    b = RNG.randint(-64, 64)
    a = RNG.choice([64 - b, b - 64, RNG.randint(b - 64, 64 - b)])
    root = mp.sqrt(mp.mpc(a * a + 256 * b)) / 64
    return max(abs(mp.mpf(a) / 64 + root), abs(mp.mpf(a) / 64 - root)) / 2 - 1


def massart():
    """All counts; near ties are counted."""
    n, p = 15, [float(w) for w in simplex(3)]
    apart, found = math.sqrt(math.log(20) / (2 * n)) - 1e-9, 0.0
    for i in range(n + 1):
        for j in range(n + 1 - i):
            if max(abs(i / n - p[0]), abs((i + j) / n - p[0] - p[1])) > apart:
                k = n - i - j
                found += math.comb(n, i) * math.comb(n - i, j) * p[0] ** i * p[1] ** j * p[2] ** k
    return found - 0.1


def gumbel():
    """With the constant 0.55, above the largest a^2 e^-a."""
    n, a = RNG.choice([16, 32, 64, 128, 256, 512]), mp.exp(-number(-1, 5))
    return n * abs((1 - a / n) ** n - mp.exp(-a)) - mp.mpf("0.55")


def worst_coin():
    """De Moivre's formula for the mean deviation."""
    n, p = RNG.choice([8, 16, 32, 64, 128, 256]), number(0, 1)
    k = int(mp.floor(n * p)) + 1
    return 2 * k * math.comb(n, k) * p**k * (1 - p) ** (n - k + 1) / n - 1 / (2 * mp.sqrt(n))


def ustatistic():
    law = list(zip([share() for _ in range(3)], shares(3), strict=True))
    two = moments(law, 2, lambda x: abs(x[0] - x[1]))[1]
    return exact(moments(law, 3, of_pairs(lambda a, b: abs(a - b)))[1] - Fraction(2, 3) * two)


def jackknife():
    n = RNG.choice([3, 6])
    x = signed(n)
    without = mean([variance(x[:i] + x[i + 1 :]) for i in range(n)])
    return exact(abs(n * variance(x) - (n - 1) * without - variance(x, 1)))


def bootstrap():
    x = signed(4)
    return exact(abs(variance([mean(again) for again in itertools.product(x, repeat=4)]) - variance(x) / 4))


def permutation():
    """All samples, and all pairs that may come first."""
    law, level = list(zip((0, 1, 3), shares(3), strict=True)), Fraction(RNG.choice([2, 5]), 20)
    found = Fraction(0)
    for x, chance in samples(law, 5):
        reached = sum(a + b >= x[0] + x[1] for a, b in itertools.combinations(x, 2))
        found += chance * (Fraction(reached, 10) <= level)
    return exact(found - level)


def importance():
    """The mean of two draws, over all sixteen."""
    p, f = shares(4), signed(4)
    w = [4 * a * b for a, b in zip(p, f, strict=True)]
    return exact(abs(mean([(w[i] + w[j]) / 2 for i in range(4) for j in range(4)]) - dot(p, f)))


def antithetic():
    f = list(itertools.accumulate(shares(6)))
    return exact(variance([(a + b) / 2 for a, b in zip(f, f[::-1], strict=True)]) - variance(f) / 2)


def koksma():
    """Often all numbers are the same."""
    x = [share(60) for _ in range(RNG.choice([1, 3, 8]))]
    x = x[:1] * len(x) if RNG.random() < 0.3 else x
    return exact(abs(mean([v * v for v in x]) - Fraction(1, 3)) - discrepancy(x))


def bernstein():
    """Half of the time the threshold is a whole number."""
    lam, t = number("0.5", 5), number("0.5", 4)
    if RNG.random() < 0.5:
        t = mp.ceil(lam + mp.mpf("0.5") + RNG.randint(0, 2)) - lam
    return poisson(lam, int(mp.ceil(lam + t - mp.mpf(10) ** -30))) - mp.exp(-(t**2) / (2 * (lam + t / 3)))


def density(m, s):
    """Of the sum of m uniform numbers, up to 2."""
    return (s ** (m - 1) - m * max(s - 1, 0) ** (m - 1)) / mp.factorial(m - 1)


def wald():
    """The mean of the sum by where the walk was before it stopped, and E N by the chances to go on."""
    going = [mp.mpf(1), *((mp.mpf(2) ** k - k) / mp.factorial(k) for k in range(1, 20))]
    total = going[19] / 2 + mp.quad(lambda s: s * density(19, s), [0, 1, 2])
    for m in range(2, 19):
        total += mp.quad(lambda s, m=m: density(m, s) * (s * (s - 1) + (1 - (2 - s) ** 2) / 2), [1, 2])
    return abs(total - sum(going) / 2)


def progeny():
    m = share() / 2
    return exact(1 + m + m**2 + m**3 - 1 / (1 - m))


def hill_rate():
    return off([8, 16, 32, 64, 128, 256], hill, mp.mpf("-0.5"))


def normal_maximum():
    """With the constant sqrt 2."""
    return max(largest(n) - mp.sqrt(2 * mp.log(n)) for n in (4, 8, 16, 32, 64, 128, 256))


def mixing_covariance():
    """Half of the time f and g are signs."""
    w = shares(9)
    joint = [w[:3], w[3:6], w[6:]]
    f, g = signed(3), signed(3)
    if RNG.random() < 0.5:
        f, g = ([RNG.choice([-1, 1]) for _ in range(3)] for _ in range(2))
    return exact(covariance(joint, f, g) - 4 * mixing(joint))


def power(x):
    """The periodogram."""
    n = len(x)
    turn = [mp.expjpi(mp.mpf(-2 * k) / n) for k in range(n)]
    return [abs(dot(x, [turn[j * k % n] for j in range(n)])) ** 2 for k in range(n)]


def wiener_khinchin():
    x = [number(-1, 1) for _ in range(8)]
    auto = [dot(x, x[k:] + x[:k]) for k in range(8)]
    return abs(sum(p * p for p in power(x)) - 8 * dot(auto, auto))


def parseval():
    return max(abs(sum(power(x)) - 64) for x in itertools.product((-1, 1), repeat=8))


def azuma():
    """A random tree of bets, many of them 0 or 1; all places where the tail jumps, ties and near ties counted."""
    totals = [0.0]
    for _ in range(5):
        bets = [float(share()) if RNG.random() < 0.5 else 1.0 for _ in totals]
        totals = [s + sign * bet for s, bet in zip(totals, bets, strict=True) for sign in (-1, 1)]
    ends = np.array([t for t in totals if 0.5 <= t <= 4] + [0.5, 4.0])
    return float(((np.array(totals) >= ends[:, None] - 1e-9).mean(1) - np.exp(-(ends**2) / 10)).max())


def moving_average():
    theta = Fraction(RNG.randint(-30, 30), RNG.randint(1, 30))
    return exact(abs(theta) / (1 + theta**2) - HALF)


def gini():
    x = signed(5)
    pairs = sum(abs(a - b) for a, b in itertools.combinations(x, 2))
    return exact(abs(pairs - sum((2 * i - 6) * v for i, v in enumerate(sorted(x), 1))))


def kaplan_meier():
    x, t = [RNG.randint(1, 5) for _ in range(6)], RNG.randint(1, 5)
    product = Fraction(1)
    for time in range(1, t + 1):
        risk = sum(v >= time for v in x)
        product *= 1 - Fraction(x.count(time), risk) if risk else 1
    return exact(abs(product - Fraction(sum(v > t for v in x), 6)))


def footrule():
    """All 120 orders."""
    excess = []
    for order in itertools.permutations(range(5)):
        inversions = sum(a > b for a, b in itertools.combinations(order, 2))
        excess.append(sum(abs(v - i) for i, v in enumerate(order)) - 2 * inversions)
    return max(excess)


def kantorovich():
    """Half of the time the slopes are all -1 or 1."""
    x, p, q, steep = sorted(share() for _ in range(4)), shares(4), shares(4), RNG.random() < 0.5
    f = [Fraction(0)]
    for a, b in itertools.pairwise(x):
        f.append(f[-1] + (b - a) * (RNG.choice([-1, 1]) if steep else 2 * share() - 1))
    gap = [a - b for a, b in zip(p, q, strict=True)]
    return exact(abs(dot(gap, f)) - sum(abs(sum(gap[: i + 1])) * (x[i + 1] - x[i]) for i in range(3)))


def pareto():
    """Both tails in closed form."""
    index, t, w = number("1.5", 4), number(1, 5), simplex(2)
    means, scales = [number(-3, 3) for _ in range(2)], [number("0.1", 1) for _ in range(2)]
    centre = dot(w, means)
    spread = mp.sqrt(dot(w, [m * m + s * s for m, s in zip(means, scales, strict=True)]) - centre**2)
    above = [mp.erfc((centre + t * spread - m) / s / mp.sqrt(2)) / 2 for m, s in zip(means, scales, strict=True)]
    return (((index - 1) / (index * t)) ** index + dot(w, above) - 1 / t - 1 / (1 + t**2)) / 2


def pearson():
    """All counts of five, in fractions."""
    p, found = [Fraction(1, 10) + Fraction(7, 10) * w for w in shares(3)], Fraction(0)
    for i in range(6):
        for j in range(6 - i):
            c = (i, j, 5 - i - j)
            ways = math.comb(5, i) * math.comb(5 - i, j)
            chance = ways * math.prod(q**k for q, k in zip(p, c, strict=True))
            found += chance * sum((k - 5 * q) ** 2 / (5 * q) for q, k in zip(p, c, strict=True))
    return exact(abs(found - 2))


def no_fixed_point():
    """The printed digits, rounded."""
    return exact(abs(derangements(10) - Fraction(368, 1000)) - Fraction(1, 2000))


def degrees():
    """All 1024 graphs in float64, where a regular one has equality."""
    excess, pairs = [], list(itertools.combinations(range(5), 2))
    for chosen in itertools.product((0, 1), repeat=10):
        g = np.zeros((5, 5))
        for (i, j), edge in zip(pairs, chosen, strict=True):
            g[i, j] = g[j, i] = edge
        excess.append(g.sum() / 5 - np.linalg.eigvalsh(g)[-1])
    return max(excess) - 1e-12


def sphere_and_ball():
    """A coordinate of the sphere is uniform (Archimedes); the radius of the ball has the density 3 r^2."""
    coordinate = mp.quad(lambda s: s * s / 2, [-1, 1])
    return abs(coordinate + mp.quad(lambda r: 3 * r**4, [0, 1]) - mp.mpf(14) / 15)


def peak():
    """All 256 signs."""
    tops = [max(abs(s) for s in itertools.accumulate(e)) for e in itertools.product((-1, 1), repeat=8)]
    return sum(Fraction(t, 2) - mean(tops) / 2 >= 2 for t in tops) / 256 - math.exp(-1)


def abel():
    """All there are."""
    weights = ((1, HALF, HALF**2, HALF**3), (0, 1, 0, 1), (1, 1, 1, 1))
    variations = [sum(abs(b - a) for a, b in itertools.pairwise(w)) + abs(w[-1]) for w in weights]
    return exact(max(abs(w[0] - w[1] + w[2] - w[3]) - v for w, v in zip(weights, variations, strict=True)))


TRUTHS = {
    "true-ar1-mean-variance": (ar1, 400),
    "true-long-run-variance": (long_run, 400),
    "true-ar2-triangle": (triangle, 1000),
    "true-dkw-two-laws": (massart, 400),
    "true-gumbel-rate": (gumbel, 1000),
    "true-worst-coin-rate": (worst_coin, 1000),
    "true-ustatistic-variance": (ustatistic, 200),
    "true-jackknife": (jackknife, 200),
    "true-bootstrap-variance": (bootstrap, 20),
    "true-permutation-level": (permutation, 40),
    "true-importance-weights": (importance, 200),
    "true-antithetic": (antithetic, 400),
    "true-koksma": (koksma, 1000),
    "true-poisson-bernstein": (bernstein, 1000),
    "true-wald": (wald, 1),
    "true-branching-progeny": (progeny, 100),
    "true-hill-rate": (hill_rate, 1),
    "true-normal-maximum": (normal_maximum, 1),
    "true-mixing-covariance": (mixing_covariance, 100),
    "true-wiener-khinchin": (wiener_khinchin, 100),
    "true-parseval-signs": (parseval, 1),
    "true-azuma-adaptive": (azuma, 1000),
    "true-ma1": (moving_average, 1000),
    "true-gini-order": (gini, 400),
    "true-kaplan-meier": (kaplan_meier, 1000),
    "true-diaconis-graham": (footrule, 1),
    "true-kantorovich": (kantorovich, 1000),
    "true-pareto-markov": (pareto, 400),
    "true-pearson-mean": (pearson, 100),
    "true-derangements": (no_fixed_point, 1),
    "true-graph-degree": (degrees, 1),
    "true-sphere-ball-moments": (sphere_and_ball, 1),
    "true-rademacher-deviation": (peak, 1),
    "true-abel-summation": (abel, 1),
}

if __name__ == "__main__":
    main("series", EXACT, TRUTHS, (51, 34))
