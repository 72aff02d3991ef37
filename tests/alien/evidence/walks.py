"""Recompute the evidence without the bodies: fractions, enumeration of paths, graphs, words and orders, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from optim import RNG, entropy_term, main, number, simplex


def paths(n):
    """All walks of n steps: (steps, positions after each)."""
    return [(e, tuple(itertools.accumulate(e))) for e in itertools.product((-1, 1), repeat=n)]


def weighed(steps, p):
    return mp.fprod(p if e > 0 else 1 - p for e in steps)


def exact(x):
    """A fraction in 50 digits."""
    x = Fraction(x)
    return mp.mpf(x.numerator) / x.denominator


def late_maximum():
    """m = 0: the maximum from k = 1 on; the other side is 2 P(S_9 > 0) + P(S_9 = 0) = 1."""
    walks = paths(9)
    late = Fraction(sum(max(s) >= 0 for _, s in walks), len(walks))
    return late, Fraction(sum(2 * (s[-1] > 0) + (s[-1] == 0) for _, s in walks), len(walks))


def duration():
    """Feller's closed form for p = 3/5, from 1 to 0 or 10."""
    p, q, size = Fraction(3, 5), Fraction(2, 5), 10
    r = q / p
    return 1 / (q - p) - size / (q - p) * (1 - r) / (1 - r**size), Fraction(size - 1)


def restarted():
    """Bets of 5^(losses - 7) until three wins in a row; an order exceeds where S > 0 and S^2 > 2 log(10/3) V."""
    count = 0
    for steps, _ in paths(7):
        total, square, losses, row = Fraction(0), Fraction(0), 0, 0
        for e in steps:
            if row == 3:
                break
            bet = Fraction(5) ** (losses - 7)
            total, square = total + bet * e, square + bet * bet
            losses, row = losses + (e < 0), row + 1 if e > 0 else 0
        count += total > 0 and exact(total**2 / square) > 2 * mp.log(mp.mpf(10) / 3)
    return Fraction(count, 128), Fraction(3, 10)


def cayley(exponent):
    """Both sides for K_6: 2 m tau = 30 * 6^4, and the powers of n / (n - 1) times 5^6."""
    return Fraction(30 * 6**4), Fraction(6, 5) ** exponent * 5**6


def kraft():
    lengths = [int(mp.nint(-mp.log(mp.mpf(p), 2))) for p in ("0.36", "0.36", "0.28")]
    return sum(Fraction(1, 2**k) for k in lengths), Fraction(1)


def least_remainder(numbers, n=4):
    return min(sum(chosen) % n for chosen in itertools.combinations(numbers, n))


def least_distance(words):
    return min((a ^ b).bit_count() for a, b in itertools.combinations(words, 2))


def footrule(order):
    return sum(abs(a - i) for i, a in enumerate(order))


def inversions(order):
    return sum(a > b for a, b in itertools.combinations(order, 2))


def variation(a, b):
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2


def stepped_laws(rows, *laws):
    """The laws a step later."""
    return [[sum(law[i] * rows[i][j] for i in range(3)) for j in range(3)] for law in laws]


E1, E2, E3 = (tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3))


def second_eigenvalue():
    """The rows e1, e1, e2 are a triangular matrix, whose eigenvalues stand on its diagonal."""
    rows = (E1, E1, E2)
    assert all(rows[i][j] == 0 for i, j in itertools.combinations(range(3), 2))
    second = sorted(rows[i][i] for i in range(3))[1]
    return variation(*stepped_laws(rows, E1, E3)), second * variation(E1, E3)


def euclidean():
    m, v = E1, (Fraction(0), Fraction(1, 2), Fraction(1, 2))
    a, b = stepped_laws((E1, E2, E2), m, v)
    return tuple(mp.sqrt(exact(sum((x - y) ** 2 for x, y in zip(*pair, strict=True)))) for pair in ((a, b), (m, v)))


PEAK = (3, 0, 1, 2, 7, 4, 5, 6)
EXACT = {
    "subtle-reflection-late": late_maximum(),
    "plain-duration": duration(),
    "subtle-self-normalised": restarted(),
    "plain-wald-argmax": (Fraction(sum(max(s) for _, s in paths(5)), 32), Fraction(0)),
    "subtle-trees-sharper": cayley(4),
    "plain-rounded-code": kraft(),
    "subtle-zero-sum": (least_remainder((0, 0, 0, 1, 1, 1)), 0),
    "subtle-plotkin-six": (least_distance((0b000000, 0b001111, 0b110011, 0b111100)), 3),
    "subtle-footrule-sum": (footrule(PEAK), inversions(PEAK) + 5),
    "plain-second-eigenvalue": second_eigenvalue(),
    "plain-euclidean-contraction": euclidean(),
    "subtle-ma-toeplitz": (mp.mpf("1.12") * mp.cos(mp.pi / 7) - 1, mp.mpf(0)),
}


def doob_cantelli():
    """All signs; sums count as reaching t if they miss it by rounding alone."""
    direction = [mp.mpf(RNG.gauss(0, 1)) if RNG.random() < 0.7 else mp.mpf(0) for _ in range(6)]
    length = mp.sqrt(sum(x * x for x in direction)) or mp.mpf(1)
    a = [x * number(0, 1) / length for x in direction] if RNG.random() < 0.5 else [x / length for x in direction]
    v, t = sum(x * x for x in a), max(number("0.05", 2) if RNG.random() < 0.5 else abs(a[0]), mp.mpf("0.05"))
    tops = [max(itertools.accumulate(x * e for x, e in zip(a, steps, strict=True))) for steps, _ in paths(6)]
    return exact(Fraction(sum(top >= t - mp.mpf(10) ** -45 for top in tops), 64)) - v / (v + t * t)


def reflection():
    """By absorption at m, for all m."""
    worst = 0
    for m in range(11):
        inside, reached = ({}, Fraction(1)) if m == 0 else ({0: Fraction(1)}, Fraction(0))
        for _ in range(7):
            stepped = {}
            for place, mass in inside.items():
                for next_place in (place - 1, place + 1):
                    if next_place == m:
                        reached += mass / 2
                    else:
                        stepped[next_place] = stepped.get(next_place, 0) + mass / 2
            inside = stepped
        ends = {2 * k - 7: Fraction(math.comb(7, k), 128) for k in range(8)}
        beyond = sum((2 if s > m else 1) * mass for s, mass in ends.items() if s >= m)
        worst = max(worst, abs(reached - beyond))
    return exact(worst)


def ruin():
    """The linear equations of h_1 ... h_5, solved from below: h_1 = 1 up to a factor that h_6 = 1 fixes."""
    p = number("0.1", "0.9")
    r = (1 - p) / p
    h = [mp.mpf(0), mp.mpf(1)]
    while len(h) < 7:
        h.append((h[-1] - (1 - p) * h[-2]) / p)
    return abs(h[2] / h[6] - (1 + r) / sum(r**k for k in range(6)))


def survival():
    p, n, dead = simplex(3), RNG.choice([1, 6]), mp.mpf(0)
    for _ in range(n):
        dead = p[0] + p[1] * dead + p[2] * dead**2
    return 1 - dead - (p[1] + 2 * p[2]) ** n


def branching():
    """The law of the number of particles, generation by generation."""
    p, law = number(0, 1), {1: mp.mpf(1)}
    for _ in range(3):
        after = {}
        for z, mass in law.items():
            for k in range(z + 1):
                after[2 * k] = after.get(2 * k, 0) + mass * math.comb(z, k) * p**k * (1 - p) ** (z - k)
        law = after
    return abs(sum(z * mass for z, mass in law.items()) - (2 * p) ** 3)


def azuma():
    """All orders, for a random strategy that often bets all."""
    delta = mp.mpf(RNG.choice([1, 3])) / 10
    bets = {past: number(-1, 1) for k in range(4) for past in itertools.product((-1, 1), repeat=k)}
    totals = [sum(bets[e[:t]] * e[t] for t in range(4)) for e, _ in paths(4)]
    return exact(Fraction(sum(x > mp.sqrt(8 * mp.log(1 / delta)) for x in totals), 16)) - delta


def wald():
    p, gap = number(0, 1), mp.mpf(0)
    for steps, s in paths(6):
        time = s.index(2) + 1 if 2 in s else 6
        gap += weighed(steps, p) * (s[time - 1] - (2 * p - 1) * time)
    return abs(gap)


def ballot():
    """Orders that keep a ahead, counted vote by vote."""
    worst = 0
    for n, a in [*itertools.product([7], range(8)), *itertools.product([8], range(9))]:
        ways = {(0, 0): 1}
        for _ in range(n):
            stepped = {}
            for (up, down), count in ways.items():
                for place in ((up + 1, down), (up, down + 1)):
                    if place[0] > place[1]:
                        stepped[place] = stepped.get(place, 0) + count
            ways = stepped
        worst = max(worst, abs(n * ways.get((a, n - a), 0) - max(2 * a - n, 0) * math.comb(n, a)))
    return worst


def graphs(n):
    """All graphs on n vertices: the neighbours of each as bits."""
    pairs = list(itertools.combinations(range(n), 2))
    for present in range(2 ** len(pairs)):
        near = [0] * n
        for k, (i, j) in enumerate(pairs):
            if present >> k & 1:
                near[i], near[j] = near[i] | 1 << j, near[j] | 1 << i
        yield near


def caro_wei():
    worst = Fraction(-5)
    for near in graphs(5):
        free = [s for s in range(32) if not any(s >> v & 1 and s & near[v] for v in range(5))]
        worst = max(worst, sum(Fraction(1, 1 + x.bit_count()) for x in near) - max(s.bit_count() for s in free))
    return exact(worst)


def mantel():
    most = 0
    for near in graphs(6):
        if not any(near[i] >> j & 1 and near[i] & near[j] for i, j in itertools.combinations(range(6), 2)):
            most = max(most, sum(x.bit_count() for x in near) // 2)
    return most - 9


def determinant(rows):
    """Of integers, by Bareiss's elimination, which divides without remainder."""
    rows, sign, before = [list(row) for row in rows], 1, 1
    for k in range(len(rows) - 1):
        swap = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if swap is None:
            return 0
        if swap != k:
            rows[k], rows[swap], sign = rows[swap], rows[k], -sign
        for i, j in itertools.product(range(k + 1, len(rows)), repeat=2):
            rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1]


def trees():
    """All graphs on six vertices (0 on both sides where one is isolated); K_6 attains the bound."""
    worst = -1
    for near in graphs(6):
        d = [x.bit_count() for x in near]
        if min(d) > 0:
            laplacian = [[d[i] if i == j else -(near[i] >> j & 1) for j in range(1, 6)] for i in range(1, 6)]
            worst = max(worst, 5**5 * sum(d) * determinant(laplacian) - 6**5 * math.prod(d))
    assert cayley(5)[0] == cayley(5)[1]
    return worst


def shannon():
    p = simplex(4) if RNG.random() < 0.5 else [mp.mpf(2) ** -k for k in RNG.choice([(1, 2, 3, 3), (2, 2, 2, 2)])]
    return sum(x * mp.ceil(-mp.log(x, 2)) for x in p if x) + sum(entropy_term(x, 1) for x in p) / mp.log(2) - 1


def egz():
    return max(least_remainder(x) for x in itertools.combinations_with_replacement(range(4), 7))


def plotkin():
    """The first word is 00000 without loss of generality."""
    return max(least_distance((0, *rest)) for rest in itertools.combinations_with_replacement(range(32), 3)) - 3


def spearman():
    return max(footrule(order) - 2 * inversions(order) for order in itertools.permutations(range(8)))


def fixed_points():
    orders = list(itertools.permutations(range(6)))
    return abs(exact(Fraction(sum(a == i for order in orders for i, a in enumerate(order)), len(orders))) - 1)


def dobrushin():
    rows, m, v = [simplex(3) for _ in range(3)], simplex(3), simplex(3)
    coefficient = max(variation(a, b) for a, b in itertools.combinations(rows, 2))
    return variation(*stepped_laws(rows, m, v)) - coefficient * variation(m, v)


def survivals():
    """All samples of seven days of death and all s: the hazards up to s, and the share that survives s."""
    for t in itertools.combinations_with_replacement(range(1, 6), 7):
        risk = [sum(x >= day for x in t) for day in range(1, 6)]
        hazards = [Fraction(t.count(day), max(n, 1)) for day, n in zip(range(1, 6), risk, strict=True)]
        yield from ((hazards[:s], Fraction(sum(x > s for x in t), 7)) for s in range(6))


def kaplan_meier():
    return exact(max(abs(math.prod(1 - h for h in hazards) - share) for hazards, share in survivals()))


def fleming_harrington():
    return max(exact(share) - mp.exp(-exact(sum(hazards))) for hazards, share in survivals())


def autoregression():
    phi = number(-1, 1) if RNG.random() < 0.8 else mp.mpf(0)
    covariance = mp.matrix([[phi ** abs(i - j) for j in range(5)] for i in range(5)])
    return -min(mp.eigsy(covariance, eigvals_only=True))


def lag_one():
    x = [number(-1, 1) / 3 for _ in range(5)]
    if RNG.random() < 0.3:
        x = [RNG.choice([-1, 1]) ** i * mp.sin(i * mp.pi / 6) for i in range(1, 6)]
    return abs(sum(a * b for a, b in itertools.pairwise(x))) - mp.cos(mp.pi / 6) * sum(a * a for a in x)


def restricted_mean():
    """The mean of min(-log u, c) by quadrature over u beyond e^-c, where it is -log u."""
    c = number(0, 4)
    low = mp.exp(-c)
    return abs(mp.quad(lambda u: -mp.log(u), [low, 1]) + c * low - (1 - low))


def graph_walk():
    worst = 0
    for near in graphs(5):
        d = [x.bit_count() for x in near]
        flow = [sum(Fraction(d[i], d[i]) for i in range(5) if near[i] >> j & 1) for j in range(5)]
        worst = max(worst, *(abs(a - b) for a, b in zip(flow, d, strict=True)))
    return exact(worst)


TRUTHS = {
    "true-doob-cantelli": (doob_cantelli, 200),
    "true-reflection": (reflection, 1),
    "true-ruin": (ruin, 100),
    "true-survival-mean": (survival, 400),
    "true-branching-mean": (branching, 100),
    "true-azuma-adaptive": (azuma, 400),
    "true-wald": (wald, 60),
    "true-ballot": (ballot, 1),
    "true-caro-wei": (caro_wei, 1),
    "true-mantel": (mantel, 1),
    "true-trees": (trees, 1),
    "true-shannon-code": (shannon, 400),
    "true-zero-sum-egz": (egz, 1),
    "true-plotkin": (plotkin, 1),
    "true-footrule": (spearman, 1),
    "true-fixed-points": (fixed_points, 1),
    "true-dobrushin": (dobrushin, 400),
    "true-kaplan-meier": (kaplan_meier, 1),
    "true-fleming-harrington": (fleming_harrington, 1),
    "true-ar-toeplitz": (autoregression, 60),
    "true-lag-one": (lag_one, 200),
    "true-restricted-mean": (restricted_mean, 20),
    "true-graph-walk": (graph_walk, 1),
}

if __name__ == "__main__":
    main("walks", EXACT, TRUTHS, (35, 23))
