"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, quadrature, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are. Where a probability is far from its bound, float64 decides.
"""

import itertools
import math
from fractions import Fraction
from statistics import NormalDist

import mpmath as mp
import numpy as np
from optim import RNG, entropy_term, main, number, simplex
from shapes import exact, largest_gap, off

PAIR = (0, 1)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def share(low=0):
    """A fraction of [0, 1], or of its inside."""
    return Fraction(RNG.randrange(low, 21 - low), 20)


def either(p, i):
    return p if i else 1 - p


def weights(n):
    """Positive ones that add up to 1, of very different sizes."""
    w = [x + mp.mpf(10) ** -RNG.randrange(1, 9) for x in simplex(n)]
    return [x / sum(w) for x in w]


def crossing(n, p, beyond):
    """The probability that the number s of ones among the first k coins is `beyond(k, s)` for some k <= n."""
    inside, hit = {0: p * 0 + 1}, p * 0
    for k in range(1, n + 1):
        stepped = {}
        for s, mass in inside.items():
            for x in PAIR:
                if beyond(k, s + x):
                    hit += mass * either(p, x)
                else:
                    stepped[s + x] = stepped.get(s + x, 0) + mass * either(p, x)
        inside = stepped
    return hit


def likelihood_crossing(n, p, q, bound, log=math.log):
    up, down, bound = log(q / p), log((1 - q) / (1 - p)), log(bound)
    return crossing(n, p, lambda k, s: s * up + (k - s) * down > bound)


def simes_negative():
    """The event is the same within each twentieth."""
    places = [Fraction(2 * i + 1, 40) for i in range(20)]
    pairs = [sorted((u, (Fraction(3, 20) - u) % 1)) for u in places]
    return Fraction(sum(a <= Fraction(1, 20) or b <= Fraction(1, 10) for a, b in pairs), 20), Fraction(1, 10)


def peeking():
    """The density of the walk that has stayed inside, step by step, by Gauss and Legendre."""
    nodes, masses = np.polynomial.legendre.leggauss(250)
    density, before, rule = np.ones(1), np.zeros(1), np.ones(1)
    for k in range(1, 101):
        end = 1.96 * math.sqrt(k)
        here = end * nodes
        kernel = np.exp(-((here[:, None] - before) ** 2) / 2) / math.sqrt(2 * math.pi)
        density, before, rule = kernel @ (rule * density), here, end * masses
    return 1 - float(rule @ density), 0.05


def knockoffs(nonnull, q, offset):
    """The false discovery rate over all signs of the nulls."""
    m, total = len(nonnull), Fraction(0)
    nulls = [i for i in range(m) if not nonnull[i]]
    for signs in itertools.product((True, False), repeat=len(nulls)):
        plus = [True] * m
        for i, sign in zip(nulls, signs, strict=True):
            plus[i] = sign
        found = Fraction(0)
        for k in range(1, m + 1):
            positive = sum(plus[:k])
            if positive and Fraction(offset + k - positive, positive) <= q:
                found = Fraction(sum(plus[i] for i in nulls if i < k), positive)
        total += found / 2 ** len(nulls)
    return total


SPLITS = list(itertools.combinations(range(6), 3))


def permutation_law(atoms, w, above):
    """The law of the share of the splits whose sum is `above` that of the first."""
    law = {}
    for places in itertools.product(range(len(atoms)), repeat=6):
        sums = [sum(atoms[places[i]] for i in split) for split in SPLITS]
        p = Fraction(sum(above(s, sums[0]) for s in sums), 20)
        law[p] = law.get(p, 0) + math.prod(w[i] for i in places)
    return law


def permutation_strict():
    law = permutation_law((0, 1), [Fraction(1, 2)] * 2, lambda a, b: a > b)
    return sum(mass for p, mass in law.items() if p <= Fraction(1, 20)), Fraction(1, 20)


def kl(q, p):
    """Between two coins."""
    return entropy_term(q, p) + entropy_term(1 - q, 1 - p)


def channel():
    p, q, a = mp.mpf("0.5"), mp.mpf("0.51"), mp.mpf("0.25")
    return kl(a + p / 2, a + q / 2), mp.mpf("0.99") / 4 * kl(p, q)


def entropy_and_energy(f):
    """Of f^2, and of f, on the square of two bits (a row for each value of the first)."""
    (a, b), (c, d) = f
    squares = [x * x for x in (a, b, c, d)]
    entropy = sum(entropy_term(s, 1) for s in squares) / 4 - entropy_term(sum(squares) / 4, 1)
    return entropy, sum((x - y) ** 2 for x, y in ((a, c), (b, d), (a, b), (c, d))) / 4


def log_sobolev_constant():
    tenths = mp.mpf(9) / 10
    entropy, energy = entropy_and_energy([[mp.mpf(1), mp.mpf(1)], [tenths, tenths]])
    return entropy, mp.mpf("0.99") * energy


def renyi(p, q, order):
    return mp.log(sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))) / (order - 1)


def renyi_orders():
    p, q = [mp.mpf(k) / 10 for k in (4, 3, 2, 1)], [mp.mpf(1) / 4] * 4
    return renyi(p, q, 3), renyi(p, q, 2)


def hardy():
    """The running means of forty whole numbers."""
    a = [100, 59, 43, 33, 27, 23, 20, 17, 15, 13, 12, 11, 10, 9, 8, 7, 7, 6, 5, 5, 4, 4, 4]
    a += [3] * 3 + [2] * 5 + [1] * 6 + [0] * 3
    means = [Fraction(s, k) for k, s in enumerate(itertools.accumulate(a), 1)]
    return sum(m * m for m in means) / dot(a, a), Fraction(241, 100)


def birthday(n):
    return 1 - Fraction(math.perm(365, n), 365**n)


EXACT = {
    "plain-uncorrected": (1 - Fraction(19, 20) ** 5, Fraction(1, 20)),
    "subtle-simes-negative": simes_negative(),
    "plain-over-shrinking": (5 - 2 * 9 + Fraction(81, 3), 5),
    "plain-peeking": peeking(),
    "subtle-ville": (likelihood_crossing(10, mp.mpf("0.2125"), mp.mpf("0.99"), mp.mpf("4.65"), mp.log), mp.mpf(1) / 5),
    "plain-knockoff": (knockoffs((0,) * 8, Fraction(3, 10), 0), Fraction(3, 10)),
    "plain-permutation-strict": permutation_strict(),
    "subtle-km-gap": (mp.exp(-exact(sum(Fraction(1, k) for k in range(1, 7)))), mp.mpf(1) / 12),
    "plain-confounded": (Fraction(3, 8) / (Fraction(1, 8) + Fraction(3, 8)), Fraction(1, 2)),
    "subtle-sdpi": channel(),
    "subtle-log-sobolev": log_sobolev_constant(),
    "plain-renyi": renyi_orders(),
    "subtle-hardy": hardy(),
    "subtle-max-spacing": largest_gap,
    "subtle-log-kernel": [sum(Fraction(1, k) for k in range(1, n + 1)) for n in (4, 16, 64, 256, 1024)],
    "plain-birthday": {"22 people": float(birthday(22))},
}


def ville():
    p, q = float(number("0.05", "0.95")), float(number("0.05", "0.95"))
    return max(likelihood_crossing(100, p, q, 1 / delta) - delta for delta in (0.05, 0.2))


def mixture():
    p, r, delta = float(number(0, 1)), float(number("0.5", 50)), 0.05

    def beyond(k, s):
        v = k / 4 + r
        return abs(s - k * p) > math.sqrt(v * math.log(v / (r * delta**2)))

    return crossing(200, p, beyond) - delta


def betting():
    a, b, w = share(), share(), share()
    mean, total = w * a + (1 - w) * b, Fraction(0)
    for heads in itertools.product(PAIR, repeat=4):
        x, wealth = [a if h else b for h in heads], Fraction(1)
        for i in range(4):
            bet = Fraction(1, 2) if i == 0 else min(max(sum(x[:i]) / i - mean, Fraction(-1, 2)), Fraction(1, 2))
            wealth *= 1 + bet * (x[i] - mean)
        total += math.prod(either(w, h) for h in heads) * wealth
    return exact(abs(total - 1))


def benjamini_hochberg():
    """Whatever the bins of the three alternatives among the multiples of alpha / m; all bins of the nulls."""
    others, total = [RNG.randrange(9) for _ in range(3)], Fraction(0)
    chance = [Fraction(1, 40)] * 8 + [Fraction(4, 5)]
    for nulls in itertools.combinations_with_replacement(range(9), 5):
        ways = math.factorial(5) // math.prod(math.factorial(nulls.count(b)) for b in set(nulls))
        below = [sum(b < i for b in (*nulls, *others)) for i in range(9)]
        k = max(i for i in range(9) if below[i] >= i)
        if below[k]:
            total += ways * math.prod(chance[b] for b in nulls) * Fraction(sum(b < k for b in nulls), below[k])
    return exact(abs(total - Fraction(1, 8)))


def simes_level(law):
    """P(some i of the p-values are in the first i of six bins) where `law` has the masses of the bins."""
    none, left = {0: law[0] * 0 + 1}, law[0] * 0 + 1
    for i, mass in enumerate(law):
        stepped = {}
        for c, chance in none.items():
            for more in range(i + 1 - c):
                part = math.comb(6 - c, more) * (mass / left) ** more * (1 - mass / left) ** (6 - c - more)
                stepped[c + more] = stepped.get(c + more, 0) + chance * part
        none, left = stepped, left - mass
    return 1 - sum(none.values())


def simes():
    """In fractions for independent p-values; else given the common part of the scores, by Gauss and Legendre."""
    assert simes_level([Fraction(1, 60)] * 6) == Fraction(1, 10)
    rho, normal = RNG.choice([0.05, 0.2, 0.4, 0.6, 0.8, 0.95]), NormalDist()
    cuts = [normal.inv_cdf(1 - 0.1 * i / 6) for i in range(1, 7)]
    found = 0.0
    nodes, masses = np.polynomial.legendre.leggauss(300)
    for z, mass in zip(9 * nodes, 9 * masses, strict=True):
        below = [0.5 * math.erfc((c - math.sqrt(rho) * z) / math.sqrt(2 * (1 - rho))) for c in cuts]
        law = [max(b - a, 0.0) for a, b in itertools.pairwise([0.0, *below])]
        if below[-1] < 1 - 1e-9:
            found += mass * normal.pdf(z) * simes_level(law)
        else:
            found += mass * normal.pdf(z)
    return found - 0.1


def knockoff_plus():
    """Which of the eight are no nulls: all there are."""
    masks = list(itertools.product(PAIR, repeat=8))
    return max(exact(knockoffs(mask, q, 1) - q) for q in (Fraction(3, 10), Fraction(1, 2)) for mask in masks)


def post_hoc():
    """Birnbaum and Tingey's law of the one-sided statistic."""
    m, delta = 20, mp.mpf(1) / 10
    e = mp.sqrt(mp.log(1 / delta) / (2 * m))
    terms = (
        math.comb(m, j) * (e + mp.mpf(j) / m) ** (j - 1) * (1 - e - mp.mpf(j) / m) ** (m - j)
        for j in range(int(m * (1 - e)) + 1)
    )
    return e * sum(terms) - delta


def permutation():
    atoms, w = [RNG.randrange(5) for _ in range(3)], [Fraction(RNG.randrange(6)) for _ in range(3)]
    w[0] += not any(w)
    law = permutation_law(atoms, [x / sum(w) for x in w], lambda a, b: a >= b)
    return max(exact(sum(mass for p, mass in law.items() if p <= level) - level) for level in law)


def beta_binomial():
    x, a, b = [RNG.randrange(2) for _ in range(6)], number("0.1", 5), number("0.1", 5)
    s, found = 0, mp.mpf(1)
    for i, v in enumerate(x):
        found *= (a + s if v else b + i - s) / (a + b + i)
        s += v
    return abs(found - mp.beta(a + s, b + 6 - s) / mp.beta(a, b))


def james_stein():
    """The mean of theta x / |x|^2 is |theta|^2 E 1 / (d + 2 J), that of 1 / |x|^2 is E 1 / (d - 2 + 2 J), J Poisson."""
    d, half = 5, number(0, 6) ** 2 / 2
    poisson = [mp.exp(-half) * half**j / mp.factorial(j) for j in range(160)]
    along = 2 * half * sum(w / (d + 2 * j) for j, w in enumerate(poisson))
    return -2 * (d - 2) * (1 - along) + (d - 2) ** 2 * sum(w / (d - 2 + 2 * j) for j, w in enumerate(poisson))


def em():
    x, mu, w = [number(-3, 3) for _ in range(4)], [number(-3, 3) for _ in range(2)], number("0.05", "0.95")

    def parts(w, mu):
        return [(w * mp.exp(-((v - mu[0]) ** 2) / 2), (1 - w) * mp.exp(-((v - mu[1]) ** 2) / 2)) for v in x]

    before = parts(w, mu)
    first = [a / (a + b) for a, b in before]
    second = [1 - r for r in first]
    after = parts(sum(first) / 4, [dot(first, x) / sum(first), dot(second, x) / sum(second)])
    return sum(mp.log(sum(a)) - mp.log(sum(b)) for a, b in zip(before, after, strict=True))


def kaplan_meier():
    """After k of six deaths."""
    curve = [math.prod((1 - Fraction(1, 6 - i) for i in range(k)), start=Fraction(1)) for k in range(7)]
    return max(exact(abs(value - Fraction(6 - k, 6))) for k, value in enumerate(curve))


def fleming_harrington():
    """All patterns of deaths; the curves are stopped after each time."""
    worst = mp.mpf(-1)
    for died in itertools.product(PAIR, repeat=8):
        survival, hazard = Fraction(1), Fraction(0)
        for i, d in enumerate(died):
            survival, hazard = survival * (1 - Fraction(d, 8 - i)), hazard + Fraction(d, 8 - i)
            worst = max(worst, exact(survival) - mp.exp(-exact(hazard)))
    return worst


def doubly_robust():
    p, e = [Fraction(RNG.randrange(1, 9)) for _ in range(3)], [share(1) for _ in range(3)]
    m, g = [share() for _ in range(3)], [4 * share() - 2 for _ in range(3)]
    total = Fraction(0)
    for x, t, y in itertools.product(range(3), PAIR, PAIR):
        total += p[x] * either(e[x], t) * either(m[x], y) * (t * (y - g[x]) / e[x] + g[x])
    return exact(abs(total - dot(p, m)))


def front_door():
    u, px, pm = share(), [share(1), share(1)], [share(1), share(1)]
    y = [[share(), share()], [share(), share()]]
    px_all = [sum(either(u, i) * either(px[i], j) for i in PAIR) for j in PAIR]
    found, true = Fraction(0), Fraction(0)
    for m in PAIR:
        for j in PAIR:
            given = sum(either(u, i) * either(px[i], j) * y[m][i] for i in PAIR) / px_all[j]
            found += either(pm[1], m) * given * px_all[j]
        true += either(pm[1], m) * sum(either(u, i) * y[m][i] for i in PAIR)
    return exact(abs(found - true))


def sampled(atoms, w, n):
    """All samples of n with their chances."""
    for places in itertools.product(range(len(atoms)), repeat=n):
        yield [atoms[i] for i in places], mp.fprod(w[i] for i in places)


def variance(atoms, w, n, statistic):
    values = [(statistic(x), mass) for x, mass in sampled(atoms, w, n)]
    mean = sum(v * mass for v, mass in values)
    return sum((v - mean) ** 2 * mass for v, mass in values)


def efron_stein():
    atoms, w = [number(0, 1) for _ in range(3)], simplex(3)
    jumps = sum(mass * (max(x[:3]) - max(x[1:])) ** 2 for x, mass in sampled(atoms, w, 4))
    return variance(atoms, w, 3, max) - jumps * 3 / 2


def gini(x):
    return sum(abs(a - b) for a, b in itertools.combinations(x, 2)) / math.comb(len(x), 2)


def u_statistic():
    atoms, w = [number(0, 1) for _ in range(3)], simplex(3)
    return variance(atoms, w, 4, gini) - variance(atoms, w, 2, gini) / 2


def least_gap(n):
    """The integral of P(all n - 1 inner gaps > t)."""
    return mp.quad(lambda t: (1 - (n - 1) * t) ** n, [0, mp.mpf(1) / (n - 1)])


def min_spacing():
    return off([8, 16, 32, 64, 128, 256], least_gap, -2)


def hilbert():
    """Schur's test with the weights i^(-1/2): no row sum reaches pi."""
    rows = (sum(math.sqrt(i / j) / (i + j) for j in range(1, 65)) for i in range(1, 65))
    return max(rows) - math.pi


def birthday_table():
    """The printed digits, rounded."""
    return exact(abs(birthday(23) - Fraction(507, 1000)) - Fraction(1, 2000))


def privacy():
    """Sometimes randomised response, where both sides are equal."""
    p, q = weights(3), weights(3)
    if RNG.random() < 0.3:
        e = mp.exp(number("0.001", 5))
        rest = number("0.1", "0.9") / (1 + e)
        p = [e / (1 + e), rest, 1 / (1 + e) - rest]
        q = [p[0] / e, p[1] * e, p[2] * e]
    logs = [mp.log(a / b) for a, b in zip(p, q, strict=True)]
    worst = max(map(abs, logs))
    return dot(p, logs) - worst * mp.tanh(worst / 2)


def renyi_truth():
    p, q, a = weights(4), weights(4), number("1.01", 3)
    return renyi(p, q, a) - renyi(p, q, a + number(0, 3))


def fano():
    p = simplex(9)
    columns = [p[j::3] for j in range(3)]
    error = 1 - sum(max(column) for column in columns)

    def h(v):
        return -sum(entropy_term(x, 1) for x in v)

    error = max(error, mp.mpf(0))
    return h(p) - h([sum(c) for c in columns]) - h([error, 1 - error]) - error * mp.log(2)


def contraction():
    p, q, a = number("0.01", "0.99"), number("0.01", "0.99"), number(0, "0.5")
    q = p + mp.mpf(10) ** -RNG.randrange(3, 9) * (1 if p < mp.mpf("0.5") else -1) if RNG.random() < 0.3 else q
    return kl(a + (1 - 2 * a) * p, a + (1 - 2 * a) * q) - (1 - 2 * a) ** 2 * kl(p, q)


def kraft():
    """p is a mantissa from [1/2, 1) times 2^e: the length is 1 - e."""
    p = simplex(5)
    if RNG.random() < 0.3:
        p = [mp.mpf(1) / 2, mp.mpf(1) / 4, mp.mpf(1) / 8, mp.mpf(1) / 8, mp.mpf(0)]
    return sum(mp.ldexp(1, int(mp.frexp(x)[1]) - 1) for x in p if x) - 1


def mean_maximum(t):
    """E max <g, t_i> is the sum of the edges, by their outer angles, of the tetrahedron, over sqrt(2 pi)."""
    total = mp.mpf(0)
    for i, j in itertools.combinations(range(4), 2):
        edge = [b - a for a, b in zip(t[i], t[j], strict=True)]
        length = mp.sqrt(dot(edge, edge))
        sides = []
        for k in set(range(4)) - {i, j}:
            side = [b - a for a, b in zip(t[i], t[k], strict=True)]
            along = dot(side, edge) / length**2
            side = [a - along * b for a, b in zip(side, edge, strict=True)]
            sides.append([a / mp.sqrt(dot(side, side)) for a in side])
        angle = mp.acos(max(min(dot(*sides), mp.mpf(1)), mp.mpf(-1)))
        total += length * (mp.pi - angle) / (2 * mp.pi)
    return total / mp.sqrt(2 * mp.pi)


def sudakov_fernique():
    scale = RNG.choice([mp.mpf(2), mp.mpf(1), mp.mpf(1) / 100])
    t = [[scale * mp.mpf(RNG.uniform(-1, 1)) for _ in range(3)] for _ in range(4)]
    return mean_maximum([[mp.sin(x) for x in row] for row in t]) - mean_maximum(t)


def log_sobolev():
    entropy, energy = entropy_and_energy([[number(-1, 1), number(-1, 1)], [number(-1, 1), number(-1, 1)]])
    return entropy - energy


def cheeger():
    w = weights(4)
    flow = [[min(a, b) / 3 * (i != j) for j, b in enumerate(w)] for i, a in enumerate(w)]
    chain = mp.matrix([[flow[i][j] / mp.sqrt(w[i] * w[j]) for j in range(4)] for i in range(4)])
    for i in range(4):
        chain[i, i] += 1 - sum(flow[i]) / w[i]
    ratios = []
    for size in (1, 2):
        for inside in itertools.combinations(range(4), size):
            mass = sum(w[i] for i in inside)
            cut = sum(flow[i][j] for i in inside for j in range(4) if j not in inside)
            ratios.append(cut / min(mass, 1 - mass))
    return min(ratios) ** 2 / 2 - 1 + sorted(mp.eigsy(chain, eigvals_only=True))[-2]


def particle_filter():
    """All states, parents and moves of three particles."""
    start, move = share(), [share(), share()]
    g, h = [share(1), share(1)], [share(1), share(1)]
    total = Fraction(0)
    for x in itertools.product(PAIR, repeat=3):
        w = [g[i] for i in x]
        for parents in itertools.product(range(3), repeat=3):
            chance = math.prod(either(start, i) for i in x) * math.prod(w[k] / sum(w) for k in parents)
            for y in itertools.product(PAIR, repeat=3):
                moved = math.prod(either(move[x[k]], j) for k, j in zip(parents, y, strict=True))
                total += chance * moved * (sum(w) / 3) * (sum(h[j] for j in y) / 3)
    truth = sum(either(start, i) * g[i] * either(move[i], j) * h[j] for i in PAIR for j in PAIR)
    return exact(abs(total - truth))


NEIGHBOURS = [sum(x) for x in itertools.product(PAIR, repeat=8) if any(x[i] and x[i - 1] for i in range(8))]


def local_lemma():
    """All patterns of eight."""
    p = number(0, mp.sqrt(mp.mpf(4) / 27))
    return sum(NEIGHBOURS.count(k) * p**k * (1 - p) ** (8 - k) for k in range(9)) - 1 + (mp.mpf(2) / 3) ** 8


def carleman():
    a = [number(0, 1) for _ in range(12)]
    if RNG.random() < 0.5:
        a = [mp.mpf(k) ** k / mp.mpf(k + 1) ** (k + 1) for k in range(1, 13)]
    products = itertools.accumulate(a, lambda x, y: x * y)
    return sum(mp.root(x, k) for k, x in enumerate(products, 1)) - mp.e * sum(a)


def wirtinger():
    """Half of the time at the slowest wave, where both sides are equal."""
    x = [number(-1, 1) for _ in range(7)]
    if RNG.random() < 0.5:
        x = [mp.cos(2 * mp.pi * k / 7 + x[0]) for k in range(7)]
    x = [a - sum(x) / 7 for a in x]
    steps = sum((x[k] - x[k - 1]) ** 2 for k in range(7))
    return 4 * mp.sin(mp.pi / 7) ** 2 * dot(x, x) - steps


TRUTHS = {
    "true-ville-lr": (ville, 30),
    "true-mixture-cs": (mixture, 12),
    "true-betting": (betting, 40),
    "true-bh": (benjamini_hochberg, 12),
    "true-simes-prds": (simes, 8),
    "true-knockoff-plus": (knockoff_plus, 1),
    "true-post-hoc": (post_hoc, 1),
    "true-permutation-test": (permutation, 6),
    "true-beta-binomial": (beta_binomial, 200),
    "true-james-stein": (james_stein, 40),
    "true-em": (em, 200),
    "true-kaplan-meier": (kaplan_meier, 1),
    "true-fleming-harrington": (fleming_harrington, 1),
    "true-doubly-robust": (doubly_robust, 100),
    "true-front-door": (front_door, 100),
    "true-efron-stein": (efron_stein, 60),
    "true-u-statistic": (u_statistic, 60),
    "true-min-spacing": (min_spacing, 1),
    "true-hilbert": (hilbert, 1),
    "true-birthday": (birthday_table, 1),
    "true-dp-kl": (privacy, 400),
    "true-renyi": (renyi_truth, 400),
    "true-fano": (fano, 400),
    "true-sdpi": (contraction, 400),
    "true-kraft": (kraft, 400),
    "true-sudakov-fernique": (sudakov_fernique, 100),
    "true-log-sobolev": (log_sobolev, 400),
    "true-cheeger": (cheeger, 100),
    "true-particle-filter": (particle_filter, 4),
    "true-local-lemma": (local_lemma, 100),
    "true-carleman": (carleman, 200),
    "true-wirtinger": (wirtinger, 200),
}

if __name__ == "__main__":
    main("inference", EXACT, TRUTHS, (48, 32))
