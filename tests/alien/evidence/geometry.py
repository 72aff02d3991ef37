"""Recompute the evidence without the bodies: 50 digits, fractions, enumeration, exact laws.

The checks are those of `optim.py`. Extremal statements about families of subsets are checked at random families and at
extreme ones, those about transport against all matchings.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from optim import RNG, main, number, simplex
from shapes import off

HALF = mp.mpf(1) / 2


def points(n, d=1, radius=1):
    """In the ball; at times repeated."""
    found = []
    for _ in range(n):
        x = [number(-radius, radius) for _ in range(d)]
        size = mp.sqrt(sum(a * a for a in x))
        found.append(x if size <= radius else [a * radius / size for a in x])
    return [RNG.choice(found) for _ in found] if RNG.random() < 0.2 else found


def line(n, low=-1, high=1):
    x = [number(low, high) for _ in range(n)]
    return [RNG.choice(x) for _ in x] if RNG.random() < 0.2 else x


def far(a, b):
    return mp.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def matching(x, y, cost):
    """The mean cost of the cheapest matching, over all of them."""
    return min(sum(cost(a, b) for a, b in zip(x, order, strict=True)) for order in itertools.permutations(y)) / len(x)


def by_order(x, y, power=1):
    return sum(abs(a - b) ** power for a, b in zip(sorted(x), sorted(y), strict=True)) / len(x)


def around(corners):
    return list(zip(corners, [*corners[1:], corners[0]], strict=True))


def perimeter(corners):
    return sum(far(a, b) for a, b in around(corners))


def area(corners):
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in around(corners))) / 2


def entropy(p):
    return -sum(x * mp.log(x, 2) for x in p)


def huffman(p):
    if len(p) == 1:
        return mp.mpf(0)
    a, b, *rest = sorted(p)
    return a + b + huffman([a + b, *rest])


def floor_of(p, share, low):
    return [mp.mpf(share) * x + mp.mpf(low) for x in p]


def gap_mean(n):
    """E W_1 = sum of E |S_k| / (n (2n + 1)) for the bridge S of the pooled order; the sum is n 4^n / (2 C(2n, n))."""
    return mp.mpf(4) ** n / (2 * (2 * n + 1) * mp.binomial(2 * n, n))


def sinkhorn_row():
    """The first row after three rounds, by scaling."""
    kernel = [[mp.exp(-mp.mpf(int(i != j)) * 5) for j in range(3)] for i in range(3)]
    p, q = ([mp.mpf("0.9") * (i == k) + mp.mpf("0.1") / 3 for i in range(3)] for k in (0, 2))
    v = q
    for _ in range(3):
        u = [p[i] / sum(kernel[i][j] * v[j] for j in range(3)) for i in range(3)]
        v = [q[j] / sum(kernel[i][j] * u[i] for i in range(3)) for j in range(3)]
    return u[0] * sum(kernel[0][j] * v[j] for j in range(3)), p[0]


def pentagon():
    corners = [(mp.mpf("0.9") * mp.cos(2 * mp.pi * k / 5), mp.mpf("0.9") * mp.sin(2 * mp.pi * k / 5)) for k in range(5)]
    return mp.mpf("14.7") * area(corners), perimeter(corners) ** 2


P = floor_of([mp.mpf(x) for x in ("0.3238", "0", "0.3388", "0.3374", "0")], "0.95", "0.01")
TENTHS = [[mp.mpf(x) / 10 for x in w] for w in ((0, 1, 5), (1, 5, 6))]
EXACT = {
    "subtle-sorting-concave": (
        matching(*TENTHS, lambda a, b: abs(a - b) ** mp.mpf("0.9")),
        by_order(*TENTHS, mp.mpf("0.9")),
    ),
    "plain-w2-w1": (mp.sqrt(mp.mpf(1) / 5), mp.mpf(1) / 5),
    "plain-sinkhorn-rows": sinkhorn_row(),
    "plain-empirical-w1-rate": gap_mean,
    "subtle-brunn-minkowski": (mp.mpf(2), mp.mpf(8) ** mp.mpf("0.33")),
    "plain-loomis-whitney": (Fraction(81), Fraction(27)),
    "subtle-isoperimetric-pentagon": pentagon(),
    "subtle-grothendieck": (2 * mp.sqrt(2), 2 * mp.mpf("1.39")),
    "plain-mean-distance": (128 / (45 * mp.pi), mp.mpf("0.8")),
    "plain-plotkin-half": (Fraction(4), Fraction(3)),
    "subtle-huffman": (huffman(P), entropy(P) + mp.mpf("0.9") * max(P)),
    "subtle-random-code": (Fraction(6, 32), Fraction(5, 32)),
    "plain-sperner": (Fraction(6), Fraction(5)),
    "subtle-goodman": (Fraction(3), Fraction(2)),
    "plain-first-price": (HALF, mp.mpf(0)),
    "plain-mean-voter": (HALF - mp.mpf("0.1"), HALF - mp.mpf("0.2")),
    "plain-condorcet-borda": (Fraction(7), Fraction(6)),
    "plain-edges-linear": [mp.mpf(n) / 4 for n in (4, 6, 8, 12, 16)],
}


# Truths


def sorting_optimal():
    x, y, p = line(4), line(4), RNG.choice([1, 2, 3])
    return abs(matching(x, y, lambda a, b: abs(a - b) ** p) - by_order(x, y, p))


def cdf_formula():
    """Against the dual: the best 1-Lipschitz function on a grid takes steps of +-1."""
    p, q = simplex(5), simplex(5)
    best = max(
        sum((a - b) * f for a, b, f in zip(p, q, itertools.accumulate([0, *s]), strict=True))
        for s in itertools.product([-1, 1], repeat=4)
    )
    ours = sum(abs(sum(p[:k]) - sum(q[:k])) for k in range(1, 5))
    return abs(best - ours)


def kantorovich():
    """For distances to a set of points, below a level."""
    x, y, centres, level = line(3, 0, 1), line(3, 0, 1), line(2, 0, 1), number(0, 1)
    f = next(RNG.choice([-1, 1]) * 1 for _ in range(1))

    def value(t):
        return f * min(level, *(abs(t - c) for c in centres))

    return sum(map(value, x)) / 3 - sum(map(value, y)) / 3 - by_order(x, y)


def hungarian():
    """The least over all orders is at most that of a random one."""
    cost = [[number(0, 1) for _ in range(5)] for _ in range(5)]

    def total(order):
        return sum(cost[i][j] for i, j in enumerate(order))

    return min(map(total, itertools.permutations(range(5)))) - total(RNG.sample(range(5), 5))


def wasserstein_triangle():
    x, y, z, p = points(4, 2), points(4, 2), points(4, 2), RNG.choice([1, 2])

    def w(a, b):
        return matching(a, b, lambda s, t: far(s, t) ** p) ** (mp.mpf(1) / p)

    return w(x, z) - w(x, y) - w(y, z)


def w1_w2():
    x, y = line(5, 0, 1), line(5, 0, 1)
    return by_order(x, y, 2) - by_order(x, y)


def moments(x):
    mean = sum(x) / len(x)
    return mean, mp.sqrt(sum((a - mean) ** 2 for a in x) / len(x))


def gelbrich():
    x, y = line(4), line(4)
    (m, s), (n, t) = moments(x), moments(y)
    return (m - n) ** 2 + (s - t) ** 2 - by_order(x, y, 2)


def sinkhorn_marginal():
    """By scaling, whatever the rounds before."""
    kernel = [[mp.exp(-5 * number(0, 1)) for _ in range(3)] for _ in range(3)]
    q, u = floor_of(simplex(3), "0.9", mp.mpf("0.1") / 3), [number("0.1", 2) for _ in range(3)]
    v = [q[j] / sum(kernel[i][j] * u[i] for i in range(3)) for j in range(3)]
    return abs(sum(u[i] * kernel[i][0] * v[0] for i in range(3)) - q[0])


def empirical_w1_rate():
    return off([8, 16, 32, 64, 128], gap_mean, mp.mpf("-0.5"))


def brunn_minkowski_boxes():
    d = RNG.choice([2, 4])
    a, b = line(d, 0, 1), line(d, 0, 1)

    def root(w):
        return math.prod(w) ** (mp.mpf(1) / d)

    return root(a) + root(b) - root([s + t for s, t in zip(a, b, strict=True)])


def minkowski_determinant():
    """For sums of rank one matrices."""

    def psd():
        rows = [[number(-1, 1) for _ in range(3)] for _ in range(RNG.choice([2, 3, 4]))]
        return mp.matrix(3, 3) + sum((mp.matrix(r) * mp.matrix(r).T for r in rows), mp.matrix(3, 3))

    def root(m):
        return max(mp.det(m), mp.mpf(0)) ** (mp.mpf(1) / 3)

    a, b = psd(), psd()
    return root(a) + root(b) - root(a + b) - mp.mpf(10) ** -15


def loomis_whitney():
    share = RNG.choice([0.1, 0.3, 0.6, 0.9, 1.0])
    cells = [c for c in itertools.product(range(3), repeat=3) if RNG.random() < share]
    return len(cells) ** 2 - math.prod(len({c[:k] + c[k + 1 :] for c in cells}) for k in range(3))


def isoperimetric_polygon():
    n = RNG.choice([3, 4, 6])
    corners = points(n, 2)
    if RNG.random() < 0.3:
        turn = RNG.choice([1, 1, 2])
        corners = [(mp.cos(2 * mp.pi * turn * k / n), mp.sin(2 * mp.pi * turn * k / n)) for k in range(n)]
    return 4 * n * mp.tan(mp.pi / n) * area(corners) - perimeter(corners) ** 2 - mp.mpf(10) ** -40


def hull_perimeter():
    """The longest closed tour through points on a circle in their order is at least that of the hull."""
    angles = sorted(number(0, 6) for _ in range(6))
    corners = [(mp.cos(t), mp.sin(t)) for t in angles]
    return perimeter(corners) - 12 * mp.sin(mp.pi / 6)


def pick():
    a, b = ([RNG.randint(-4, 4) for _ in range(2)] for _ in range(2))
    twice = abs(a[0] * b[1] - a[1] * b[0])
    if not twice:
        return -1
    edges = [((0, 0), a), (a, b), (b, (0, 0))]

    def side(u, v, p):
        return (v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0])

    inside = sum(
        len({(s > 0) - (s < 0) for s in (side(u, v, p) for u, v in edges)} | {1}) == 1
        or all(side(u, v, p) < 0 for u, v in edges)
        for p in itertools.product(range(-4, 5), repeat=2)
    )
    edge = sum(math.gcd(v[0] - u[0], v[1] - u[1]) for u, v in edges)
    return abs(twice - 2 * inside - edge + 2)


def unit(d):
    x = [number(-1, 1) for _ in range(d)]
    size = mp.sqrt(sum(a * a for a in x))
    return [a / size for a in x] if size else [mp.mpf(i == 0) for i in range(d)]


def grothendieck():
    a, x = [[number(-1, 1) for _ in range(3)] for _ in range(3)], [unit(3) for _ in range(3)]
    sums = [[sum(a[i][j] * x[i][k] for i in range(3)) for k in range(3)] for j in range(3)]
    best = max(
        sum(abs(sum(s[i] * a[i][j] for i in range(3))) for j in range(3)) for s in itertools.product([-1, 1], repeat=3)
    )
    return sum(mp.sqrt(sum(t * t for t in row)) for row in sums) - mp.sqrt(2) * best


def sphere_cap():
    d, t = RNG.choice([3, 8]), number(0, "0.9")
    cap = mp.betainc((d - 1) * HALF, HALF, 0, 1 - t**2, regularized=True) / 2
    return cap - mp.exp(-d * t**2 / 2)


def crofton():
    """Each edge is seen twice, with the mean of |cos|."""
    corners = points(3, 2, HALF)
    mean = mp.quad(lambda a: abs(mp.cos(a)), [0, mp.pi / 2, mp.pi]) / mp.pi
    return abs(mean * perimeter(corners) / 2 - perimeter(corners) / mp.pi)


def plotkin():
    m = RNG.choice([3, 4, 5])
    words = [[RNG.randint(0, 1) for _ in range(6)] for _ in range(m)]
    d = min(sum(a != b for a, b in zip(u, v, strict=True)) for u, v in itertools.combinations(words, 2))
    return d * math.comb(m, 2) - 6 * (m // 2) * ((m + 1) // 2)


def hamming_code():
    """The minimum distance of the code is three."""
    code = [w for w in range(128) if not sum_of_places(w)]
    return int(len(code) != 16 or min((a ^ b).bit_count() for a, b in itertools.combinations(code, 2)) < 3)


def sum_of_places(word):
    total = 0
    for k in range(7):
        total ^= (k + 1) * (word >> k & 1)
    return total


def kraft():
    p = floor_of(simplex(5), "0.96", "0.008")
    return sum(x * mp.ceil(-mp.log(x, 2)) for x in p) - entropy(p) - 1


def huffman_redundancy():
    p = floor_of(simplex(5), "0.95", "0.01")
    return huffman(p) - entropy(p) - max(p) - mp.mpf("0.0861")


def random_code():
    """Exact, with the first word at zero."""
    near = [w.bit_count() <= 1 for w in range(256)]
    hits = sum(near[u] or near[v] or near[u ^ v] for u, v in itertools.product(range(256), repeat=2))
    return (hits - 27 * 256) / mp.mpf(256**2)


def family():
    share = RNG.choice([0.1, 0.3, 0.6, 0.9])
    return [a for a in range(16) if RNG.random() < share]


def lym():
    chain_free = []
    for a in RNG.sample(range(16), 16):
        if all(a & b not in (a, b) for b in chain_free):
            chain_free.append(a)
    return sum(12 // math.comb(4, a.bit_count()) for a in chain_free) - 12


def sauer():
    sets = family()
    return len(sets) - sum(len({a & s for a in sets}) == 2 ** s.bit_count() for s in range(16))


def mantel():
    n, share = RNG.choice([5, 6]), RNG.choice([0.3, 0.6, 0.9, 1.0])
    edges = {e for e in itertools.combinations(range(n), 2) if RNG.random() < share}
    triangles = sum({(a, b), (a, c), (b, c)} <= edges for a, b, c in itertools.combinations(range(n), 3))
    return len(edges) - n * n // 4 - n * triangles


def ekr():
    share = RNG.choice([0.3, 0.5, 0.9])
    sets = [set(t) for t in itertools.combinations(range(6), 3) if RNG.random() < share]
    return len(sets) - 10 - 10 * sum(not a & b for a, b in itertools.combinations(sets, 2))


def vcg():
    value, report, others = line(3, 0, 1), line(3, 0, 1), line(3, 0, 2)

    def utility(said):
        total = [a + b for a, b in zip(said, others, strict=True)]
        chosen = total.index(max(total))
        return value[chosen] + others[chosen] - max(others)

    return utility(report) - utility(value)


def median_voter():
    peaks, lie = line(5, 0, 1), number(0, 1)
    return abs(sorted(peaks)[2] - peaks[0]) - abs(sorted([lie, *peaks[1:]])[2] - peaks[0])


def borda_not_last():
    votes = {r: RNG.randint(0, 5) for r in itertools.permutations("abc")}
    beats = {
        (x, y): sum(v for r, v in votes.items() if r.index(x) < r.index(y)) for x, y in itertools.permutations("abc", 2)
    }
    if beats["a", "b"] <= beats["b", "a"] or beats["a", "c"] <= beats["c", "a"]:
        return -1
    score = {x: sum(beats[x, y] for y in "abc" if y != x) for x in "abc"}
    return min(score["b"], score["c"]) + 1 - score["a"]


def jury_error(n, p):
    return sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n // 2 + 1))


def jury():
    n, p = RNG.choice([5, 11]), number(HALF, 1)
    return jury_error(n, p) - (4 * p * (1 - p)) ** (mp.mpf(n) / 2)


def jury_rate():
    """n^2 times the error falls from n = 9 on: the error is at most 0.8^n."""
    return max(jury_error(n, mp.mpf("0.8")) - mp.mpf("0.8") ** n for n in (1, 3, 5, 9, 17, 33, 65, 129))


def two_samples():
    """P(sup |F_n - G_n| > k / n) for equal sizes, by reflection (Gnedenko and Korolyuk 1951)."""
    worst = -mp.inf
    for n in (10, 40):
        k = int(mp.floor(n * mp.sqrt(2 * mp.log(40) / n))) + 1
        chance = 2 * sum((-1) ** (i + 1) * math.comb(2 * n, n - i * k) for i in range(1, n // k + 1))
        worst = max(worst, mp.mpf(chance) / math.comb(2 * n, n) - mp.mpf("0.1"))
    return worst


def spread():
    n = RNG.choice([4, 8, 16, 32])
    x = line(n, 0, 1)
    return sum(abs(a - b) for a, b in itertools.combinations(x, 2)) - mp.mpf(n * n) / 4


TRUTHS = {
    "true-sorting-optimal": (sorting_optimal, 200),
    "true-cdf-formula": (cdf_formula, 400),
    "true-kantorovich": (kantorovich, 1000),
    "true-hungarian": (hungarian, 40),
    "true-wasserstein-triangle": (wasserstein_triangle, 100),
    "true-w1-w2": (w1_w2, 1000),
    "true-gelbrich": (gelbrich, 1000),
    "true-sinkhorn-marginal": (sinkhorn_marginal, 400),
    "true-empirical-w1-rate": (empirical_w1_rate, 1),
    "true-brunn-minkowski-boxes": (brunn_minkowski_boxes, 1000),
    "true-minkowski-determinant": (minkowski_determinant, 400),
    "true-loomis-whitney": (loomis_whitney, 1000),
    "true-isoperimetric-polygon": (isoperimetric_polygon, 1000),
    "true-hull-perimeter": (hull_perimeter, 1000),
    "true-pick": (pick, 400),
    "true-grothendieck": (grothendieck, 1000),
    "true-sphere-cap": (sphere_cap, 400),
    "true-crofton": (crofton, 20),
    "true-plotkin": (plotkin, 1000),
    "true-hamming-code": (hamming_code, 1),
    "true-kraft": (kraft, 1000),
    "true-huffman": (huffman_redundancy, 1000),
    "true-random-code": (random_code, 1),
    "true-lym": (lym, 1000),
    "true-sauer": (sauer, 1000),
    "true-mantel": (mantel, 1000),
    "true-ekr": (ekr, 1000),
    "true-vcg": (vcg, 1000),
    "true-median-voter": (median_voter, 1000),
    "true-borda-not-last": (borda_not_last, 1000),
    "true-jury": (jury, 400),
    "true-jury-rate": (jury_rate, 1),
    "true-two-samples": (two_samples, 1),
    "true-spread": (spread, 200),
}

if __name__ == "__main__":
    main("geometry", EXACT, TRUTHS, (52, 34))
