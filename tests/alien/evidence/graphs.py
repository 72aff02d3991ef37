"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number, simplex
from shapes import exact, off

PAIR = (0, 1)


def values(m):
    """The eigenvalues of a symmetric matrix, ascending."""
    return sorted(mp.eigsy(m, eigvals_only=True))


def singular(m):
    return sorted(mp.svd_r(m, compute_uv=False), reverse=True)


def norm(m):
    return singular(m)[0]


def trace(m):
    return sum(m[i, i] for i in range(m.rows))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def symmetric(n, radius=1):
    """There may be zeros in it; one in five is diagonal."""
    a, dense = mp.matrix(n), 0.7 * (RNG.random() < 0.8)
    for i, j in itertools.combinations_with_replacement(range(n), 2):
        a[i, j] = a[j, i] = number(-radius, radius) * (i == j or RNG.random() < dense)
    return a


def square(n, m=None, low=-1):
    return mp.matrix([[number(low, 1) for _ in range(m or n)] for _ in range(n)])


def graph(n):
    """The pairs that are joined: few, half or nearly all of them."""
    p = RNG.choice([0.2, 0.5, 0.9])
    return {pair for pair in itertools.combinations(range(n), 2) if RNG.random() < p}


def adjacency(n, edges):
    a = mp.matrix(n)
    for i, j in edges:
        a[i, j] = a[j, i] = 1
    return a


def laplacian(w):
    return mp.diag([sum(w[i, j] for j in range(w.rows)) for i in range(w.rows)]) - w


def weights(n, low):
    w = mp.matrix(n)
    for i, j in itertools.combinations(range(n), 2):
        w[i, j] = w[j, i] = number(low, 1)
    return w


def cut(edges, inside):
    return sum((i in inside) != (j in inside) for i, j in edges)


def determinant(a):
    """Of whole numbers or fractions, by expansion."""
    if len(a) == 1:
        return a[0][0]
    rest = ([row[:j] + row[j + 1 :] for row in a[1:]] for j in range(len(a)))
    return sum((-1) ** j * a[0][j] * determinant(r) for j, r in enumerate(rest) if a[0][j])


def resistance(w, i, j):
    """Of the network, with the vertex j on the ground and a unit current into i."""
    others = [k for k in range(w.rows) if k != j]
    lap = laplacian(w)
    ground = mp.matrix([[lap[a, b] for b in others] for a in others])
    return mp.lu_solve(ground, mp.matrix([int(k == i) for k in others]))[others.index(i)]


def patterns(p, n):
    """All patterns of n edges with their chances; p is one number or one for each."""
    p = p if isinstance(p, list) else [p] * n
    for e in itertools.product(PAIR, repeat=n):
        yield e, math.prod(q if x else 1 - q for q, x in zip(p, e, strict=True))


def joined(p):
    return sum(mass for e, mass in patterns(p, 4) if (e[0] and e[1]) or (e[2] and e[3]))


def isolated(p):
    edges = list(itertools.combinations(range(4), 2))
    lonely = (
        mass for e, mass in patterns(p, 6) if len({v for pair, x in zip(edges, e, strict=True) if x for v in pair}) < 4
    )
    return sum(lonely)


def half_of_the_cut():
    edges = set(itertools.combinations(range(6), 2))
    second = values(laplacian(adjacency(6, edges)))[1]
    return second * 5, 3 * cut(edges, {0})


def trees():
    lap = [[3 if i == j else -1 for j in range(4)] for i in range(4)]
    minor = [row[1:] for row in lap[1:]]
    return determinant([[x + 1 for x in row] for row in lap]), 4 * determinant(minor)


def hong():
    return values(adjacency(7, {(0, 1), (0, 2), (1, 2)}))[-1], 0


def exponentials():
    entries = (("-0.853", "-0.13", "1.075"), ("1.437", "-0.971", "-0.562"), ("1.276", "1.138", "0.211"))
    a, b, c = (mp.matrix([[mp.mpf(x), mp.mpf(y)], [mp.mpf(y), mp.mpf(z)]]) for x, y, z in entries)
    return trace(mp.expm(a + b + c)), abs(trace(mp.expm(a) * mp.expm(b) * mp.expm(c)))


def signs_of_six():
    rows = ("----+-", "+-++++", "-++-++", "++--++", "-+-+++", "+++++-")
    return abs(determinant([[1 if s == "+" else -1 for s in row] for row in rows])), 150


def wagner():
    """Neither a triangle nor four vertices without an edge."""
    edges = {(j, i) for i in range(8) for j in range(i) if (i - j) % 8 in (1, 4, 7)}
    triangles = sum(set(itertools.combinations(v, 2)) <= edges for v in itertools.combinations(range(8), 3))
    fours = sum(not set(itertools.combinations(v, 2)) & edges for v in itertools.combinations(range(8), 4))
    return 1, triangles + fours


PETERSEN = {tuple(sorted(pair)) for i in range(5) for pair in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))}


def independent():
    inside = {0, 2, 8, 9}
    assert not any(i in inside and j in inside for i, j in PETERSEN)
    return Fraction(3 * 16, 10), Fraction(195, 100) * 4 * Fraction(6, 10)


EXACT = {
    "plain-weyl-reversed": (2, 1),
    "plain-cut-half": half_of_the_cut(),
    "plain-matrix-tree-n": trees(),
    "plain-percolation-path": (joined(Fraction(1, 2)), Fraction(1, 4)),
    "plain-density-rate": lambda n: mp.mpf("0.21") * 2 / (n * (n - 1)),
    "plain-hong-disconnected": hong(),
    "plain-dobrushin-half": (2, 1),
    "plain-frobenius-bounded": [mp.root(n, 4) for n in (4, 8, 16, 32, 64)],
    "plain-three-exponentials": exponentials(),
    "subtle-determinant-six": signs_of_six(),
    "subtle-ramsey-three-four": wagner(),
    "subtle-davis-kahan-198": (1, mp.mpf("1.98") * mp.mpf("0.501")),
    "subtle-mixing-petersen-195": independent(),
    "subtle-isolated": (isolated(Fraction(0)), Fraction(99, 100)),
}


def laplacian_form():
    """x' L x in fractions, by the entries of L."""
    edges, x = graph(6), [Fraction(RNG.randint(-9, 9), 9) for _ in range(6)]
    lap = [[-int((min(i, j), max(i, j)) in edges) for j in range(6)] for i in range(6)]
    for i in range(6):
        lap[i][i] = -sum(lap[i])
    form = sum(x[i] * lap[i][j] * x[j] for i in range(6) for j in range(6))
    return exact(abs(form - sum((x[i] - x[j]) ** 2 for i, j in edges)))


def cut_lambda():
    """All sets."""
    n = RNG.choice([5, 8])
    edges = graph(n)
    second = values(laplacian(adjacency(n, edges)))[1]
    sets = (set(inside) for k in range(n + 1) for inside in itertools.combinations(range(n), k))
    return max(second * len(inside) * (n - len(inside)) - n * cut(edges, inside) for inside in sets)


def ordered_graphs(n):
    """One of the graphs on n vertices for each set of edges whose degrees do not fall."""
    pairs = list(itertools.combinations(range(n), 2))
    for e in itertools.product(PAIR, repeat=len(pairs)):
        edges = {pair for pair, x in zip(pairs, e, strict=True) if x}
        degrees = [sum(v in pair for pair in edges) for v in range(n)]
        if degrees == sorted(degrees):
            yield edges, degrees[-1]


def mohar():
    """All graphs of four and of five vertices."""
    worst = mp.mpf(-1)
    for n in (4, 5):
        sets = [set(inside) for k in range(1, n // 2 + 1) for inside in itertools.combinations(range(n), k)]
        for edges, largest in ordered_graphs(n):
            second = max(values(laplacian(adjacency(n, edges)))[1], mp.mpf(0))
            least = exact(min(Fraction(cut(edges, inside), len(inside)) for inside in sets))
            worst = max(worst, least - mp.sqrt(max(second * (2 * largest - second), 0)))
    return worst


def spanning(n):
    for tree in itertools.combinations(itertools.combinations(range(n), 2), n - 1):
        reached = {0}
        for _ in range(n):
            reached |= {v for pair in tree if reached & set(pair) for v in pair}
        if len(reached) == n:
            yield tree


TREES = list(spanning(5))


def matrix_tree():
    """Both determinants against the sum over the 125 trees; some weights are 0."""
    assert len(TREES) == 125
    w = [[Fraction(0)] * 5 for _ in range(5)]
    for i, j in itertools.combinations(range(5), 2):
        w[i][j] = w[j][i] = RNG.choice([Fraction(0), Fraction(1), Fraction(RNG.randint(0, 9), 9)])
    found = sum(math.prod(w[i][j] for i, j in tree) for tree in TREES)
    lap = [[sum(w[i]) if i == j else -w[i][j] for j in range(5)] for i in range(5)]
    minor = [row[1:] for row in lap[1:]]
    whole = determinant([[x + 1 for x in row] for row in lap])
    return exact(max(abs(whole - 25 * found), abs(determinant(minor) - found)))


def foster():
    w = weights(4, "0.1")
    return abs(sum(w[i, j] * resistance(w, i, j) for i, j in itertools.combinations(range(4), 2)) - 3)


def resistance_triangle():
    w = weights(4, "0.01")
    return resistance(w, 0, 2) - resistance(w, 0, 1) - resistance(w, 1, 2)


def weyl():
    a, b = symmetric(4), symmetric(4)
    b = a * number(0, 1) if RNG.random() < 0.2 else b
    top, before, after = values(b)[-1], values(a), values(a + b)
    return max(after[k] - before[k] - top for k in (0, 1, 3))


def interlacing():
    n = RNG.choice([3, 5])
    edges = graph(n)
    less = {(i - 1, j - 1) for i, j in edges if i > 0}
    whole, part = values(adjacency(n, edges)), values(adjacency(n - 1, less))
    return max(whole[k] - part[k] for k in PAIR)


def golden_thompson():
    """Sometimes they commute, and both sides are equal."""
    a, b = symmetric(3, 3), symmetric(3, 3)
    b = a * number(-1, 1) if RNG.random() < 0.2 else b
    with mp.workdps(70):
        return trace(mp.expm(a + b)) - trace(mp.expm(a) * mp.expm(b))


def whole_gram():
    rank = RNG.randint(1, 3)
    root = [[RNG.randint(-2, 2) for _ in range(rank)] for _ in range(3)]
    return [[dot(x, y) for y in root] for x in root]


def oppenheim():
    """In whole numbers, of any rank."""
    a, b = whole_gram(), whole_gram()
    product = [[x * y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]
    return mp.mpf(determinant(a) * b[0][0] * b[1][1] * b[2][2] - determinant(product))


def davis_kahan():
    """The sine by the other eigenvectors; sometimes E is small."""
    a, e = symmetric(3), symmetric(3) * mp.mpf(10) ** -RNG.choice([0, 0, 1, 3, 9])
    before, vectors = mp.eigsy(a)
    after, others = mp.eigsy(a + e)
    order = sorted(range(3), key=lambda k: before[k])
    last = max(range(3), key=lambda k: after[k])
    parts = [sum(vectors[i, k] * others[i, last] for i in range(3)) for k in order[:2]]
    return (before[order[2]] - before[order[1]]) * mp.sqrt(dot(parts, parts)) - 2 * norm(e)


def bauer_fike():
    """Sometimes E is a multiple of the identity."""
    a, e = symmetric(3), square(3)
    e = number(-1, 1) * mp.eye(3) if RNG.random() < 0.3 else e
    before, after = values(a), mp.eig(a + e, left=False, right=False)
    return max(min(abs(mu - v) for v in before) for mu in after) - norm(e)


def perron():
    """Sometimes all row sums are the same, and both sides equal."""
    a = square(4, low=0)
    if RNG.random() < 0.3:
        a = mp.matrix([[x / 2 for x in simplex(4)] for _ in range(4)])
    return max(map(abs, mp.eig(a, left=False, right=False))) - max(sum(a[i, j] for j in range(4)) for i in range(4))


def dobrushin():
    kernel, p, q = [simplex(3) for _ in range(3)], simplex(3), simplex(3)
    d = [a - b for a, b in zip(p, q, strict=True)]
    moved = sum(abs(dot(d, column)) for column in zip(*kernel, strict=True))
    apart = max(sum(abs(a - b) for a, b in zip(r, s, strict=True)) for r in kernel for s in kernel)
    return moved - apart / 2 * sum(map(abs, d))


def hadamard():
    """Squared, in fractions; sometimes all entries are signs."""
    n, scale = RNG.choice([2, 4]), RNG.choice([1, 1, 9])
    a = [
        [Fraction(RNG.randint(-scale, scale), scale) or Fraction(RNG.choice([0, 1])) for _ in range(n)]
        for _ in range(n)
    ]
    return exact(determinant(a) ** 2 - math.prod(dot(row, row) for row in a))


def mixing():
    """All pairs of sets, squared and in whole numbers."""
    a = np.zeros((10, 10), dtype=int)
    for i, j in PETERSEN:
        a[i, j] = a[j, i] = 1
    sets = np.array(list(itertools.product(PAIR, repeat=10)))
    size = sets.sum(1)
    left = 10 * (sets @ a @ sets.T) - 3 * np.outer(size, size)
    spread = size * (10 - size)
    return int((left**2 - 4 * np.outer(spread, spread)).max())


def share():
    return Fraction(RNG.choice([0, 20, RNG.randint(0, 20)]), 20)


def percolation():
    p = share()
    return exact(abs(joined(p) - 1 + (1 - p * p) ** 2))


def triangles():
    p, pairs = share(), list(itertools.combinations(range(4), 2))
    places = [[pairs.index(pair) for pair in itertools.combinations(v, 2)] for v in itertools.combinations(range(4), 3)]
    return exact(sum(mass * sum(all(e[k] for k in three) for three in places) for e, mass in patterns(p, 6)) - 4 * p**3)


def density():
    """The variance of a binomial count by its law."""

    def mean(n):
        m = n * (n - 1) // 2
        return exact(Fraction(21, 100) / m)

    for m in (1, 28):
        law = [math.comb(m, k) * Fraction(3, 10) ** k * Fraction(7, 10) ** (m - k) for k in range(m + 1)]
        assert sum(w * (Fraction(k, m) - Fraction(3, 10)) ** 2 for k, w in enumerate(law)) == Fraction(21, 100) / m
    return off([8, 16, 32, 64, 128], mean, -2)


def frobenius():
    """With the constant 1; sometimes all eigenvalues are signs."""
    a = symmetric(RNG.choice([4, 8]))
    a = mp.diag([RNG.choice([-1, 1]) for _ in range(a.rows)]) if RNG.random() < 0.2 else a
    return mp.sqrt(sum(x * x for x in a)) - mp.sqrt(a.rows) * max(map(abs, values(a)))


def degrees():
    """By the union of the exact tails of the degrees."""
    excess = []
    for n in (6, 20):
        far = mp.sqrt((n - 1) * mp.log(40 * n) / 2)
        beyond = sum(math.comb(n - 1, k) for k in range(n) if abs(k - mp.mpf(n - 1) / 2) > far)
        excess.append(n * mp.mpf(beyond) / 2 ** (n - 1) - mp.mpf(1) / 20)
    return max(excess)


def mirsky():
    """Sometimes E is a multiple of A."""
    a, e = square(3, 4), square(3, 4)
    e = a * number(0, 1) if RNG.random() < 0.3 else e
    before, after = singular(a), singular(a + e)
    return max(abs(after[k] - before[k]) for k in (0, 2)) - norm(e)


def harris():
    one = two = both = Fraction(0)
    for e, mass in patterns([share() for _ in range(4)], 4):
        first, second = e[0] or (e[1] and e[2] and e[3]), e[2] or (e[0] and e[1] and e[3])
        one, two, both = one + mass * first, two + mass * second, both + mass * (first and second)
    return exact(one * two - both)


TRUTHS = {
    "true-laplacian-form": (laplacian_form, 400),
    "true-cut-lambda-two": (cut_lambda, 40),
    "true-cheeger-mohar": (mohar, 1),
    "true-matrix-tree": (matrix_tree, 60),
    "true-foster": (foster, 60),
    "true-resistance-triangle": (resistance_triangle, 100),
    "true-weyl": (weyl, 60),
    "true-interlacing": (interlacing, 100),
    "true-golden-thompson": (golden_thompson, 60),
    "true-oppenheim": (oppenheim, 1000),
    "true-davis-kahan": (davis_kahan, 100),
    "true-bauer-fike": (bauer_fike, 60),
    "true-perron-row-sums": (perron, 60),
    "true-dobrushin": (dobrushin, 400),
    "true-hadamard": (hadamard, 400),
    "true-expander-mixing-petersen": (mixing, 1),
    "true-percolation-square": (percolation, 40),
    "true-triangles-mean": (triangles, 40),
    "true-density-rate": (density, 1),
    "true-frobenius": (frobenius, 60),
    "true-degrees": (degrees, 1),
    "true-mirsky": (mirsky, 60),
    "true-harris": (harris, 200),
}

if __name__ == "__main__":
    main("graphs", EXACT, TRUTHS, (37, 23))
