"""Alien claims, aside: discrete probability and data structures; see README.md."""

# ruff: noqa: B905, RET503

import itertools
import math
from fractions import Fraction

import numpy as np
import torch

from harness import always, claim, expectation, grid, high_probability, identity, tail


def each(f, *columns):
    """f of the rows of whole numbers, instance by instance."""
    rows = zip(*(c.reshape(len(c), -1).tolist() for c in columns))
    return torch.tensor([float(f(*([int(v) for v in part] for part in row))) for row in rows], dtype=torch.float64)


class UnionFind:
    def __init__(self, n):
        self.parent, self.size = list(range(n)), [1] * n

    def find(self, a):
        depth = 0
        while self.parent[a] != a:
            a, depth = self.parent[a], depth + 1
        return a, depth

    def union(self, a, b):
        a, b = self.find(a)[0], self.find(b)[0]
        if a != b:
            if self.size[a] < self.size[b]:
                a, b = b, a
            self.parent[b] = a
            self.size[a] += self.size[b]

    def height(self):
        return max(self.find(a)[1] for a in range(len(self.parent)))


def height_after(edges, n=8):
    forest = UnionFind(n)
    for a, b in zip(edges[::2], edges[1::2]):
        forest.union(a, b)
    return forest.height()


@claim("numbers/true-union-find", always(), cite="Tarjan 1975")
def union_find(forall):
    """Trees of a union by size of eight points are at most log2(8) high."""
    return each(height_after, forall.integers("edges", 0, 7, 7, 2)), 3


def probes(n, target):
    low, high, count = 0, n, 0
    while low < high:
        middle, count = (low + high) // 2, count + 1
        if middle == target:
            break
        low, high = (middle + 1, high) if middle < target else (low, middle)
    return count


@claim(
    "numbers/subtle-binary-search", always(), over=grid(n=[6, 7, 8]), expected="refuted", cite="Knuth, Volume 3, 6.2.1"
)
def binary_search_ceil(forall, *, n):
    """Binary search among n looks at most at ceil(log2 n) entries."""
    target = forall.integers("target", 0, n - 1)
    return each(lambda t: probes(n, t[0]), target), math.ceil(math.log2(n))


@claim("numbers/true-coupon-collector", tail(), over=grid(n=[6], c=[0.5, 1.0]), cite="Erdos and Renyi 1961")
def coupon_collector(draw, *, n, c):
    """P(n log n + c n draws miss one of n coupons) <= exp(-c)."""
    coupons = draw.categorical("x", [1 / n] * n, math.ceil(n * math.log(n) + c * n))
    return torch.tensor([len(set(row)) < n for row in coupons.tolist()]), math.exp(-c)


@claim("numbers/subtle-birthday", tail(), over=grid(n=[365], k=[10]), expected="refuted", cite="von Mises 1939")
def birthday_square(draw, *, n, k):
    """P(no common birthday of k) <= exp(-k^2 / (2 n))."""
    days = np.sort(draw.categorical("days", torch.full((n,), 1.0 / n, dtype=torch.float64), k).numpy(), -1)
    return torch.from_numpy((np.diff(days, axis=-1) > 0).all(-1)), math.exp(-k * k / (2 * n))


@claim("numbers/true-ballot", identity(), over=grid(a=[3, 5], b=[1, 3]), cite="Bertrand 1887")
def ballot(*, a, b):
    """A is ahead throughout the count in a share (a - b)/(a + b) of all orders; a tie leaves none."""
    ahead = total = 0
    for places in itertools.combinations(range(a + b), b):
        lead = list(itertools.accumulate(-1 if i in places else 1 for i in range(a + b)))
        ahead, total = ahead + (min(lead) > 0), total + 1
    return ahead / total, (a - b) / (a + b)


@claim(
    "numbers/true-empty-bins",
    expectation(range=(-4.0, 4.0), margin=0.02),
    over=grid(n=[4], m=[5]),
    cite="Johnson and Kotz 1977",
)
def empty_bins(draw, *, n, m):
    """m balls leave n (1 - 1/n)^m of n bins empty on average (one direction)."""
    balls = draw.categorical("balls", [1 / n] * n, m)
    return torch.stack([(balls != b).all(-1) for b in range(n)]).double().sum(0), n * (1 - 1 / n) ** m


def secretary_success(n, r):
    wins = 0
    for ranks in itertools.permutations(range(n)):
        best = max(ranks[:r], default=-1)
        chosen = next((v for v in ranks[r:] if v > best), None)
        wins += chosen == n - 1
    return Fraction(wins, math.factorial(n))


@claim("numbers/plain-secretary", always(), over=grid(n=[4, 6]), expected="refuted", cite="Lindley 1961")
def secretary_limit(*, n):
    """No threshold wins with a probability above 1/e."""
    return max(float(secretary_success(n, r)) for r in range(n)), 1 / math.e


@claim("numbers/true-koenig", identity(), cite="Konig 1931")
def koenig(forall):
    """The largest matching of a bipartite graph is as large as its smallest cover."""

    def matching(flat):
        rows = [flat[i : i + 4] for i in range(0, 16, 4)]
        partner = {}

        def augment(i, seen):
            for j in range(4):
                if rows[i][j] and j not in seen:
                    seen.add(j)
                    if j not in partner or augment(partner[j], seen):
                        partner[j] = i
                        return True
            return False

        return sum(augment(i, set()) for i in range(4))

    def cover(flat):
        edges = [(i // 4, 4 + i % 4) for i, bit in enumerate(flat) if bit]
        for size in range(5):
            for chosen in itertools.combinations(range(8), size):
                if all(a in chosen or b in chosen for a, b in edges):
                    return size

    g = forall.integers("G", 0, 1, 16)
    return each(matching, g), each(cover, g)


@claim("numbers/true-max-load", high_probability("delta"), over=grid(n=[16], delta=[0.1]), cite="Gonnet 1981")
def max_load(draw, *, n, delta):
    """The fullest of n bins of n balls has at most k with n binom(n, k + 1) n^-(k + 1) <= delta."""
    k = next(k for k in range(n) if n * math.comb(n, k + 1) / n ** (k + 1) <= delta)
    balls = draw.categorical("balls", [1 / n] * n, n)
    return torch.tensor([max(row.count(b) for b in set(row)) for row in balls.tolist()]), k


@claim(
    "numbers/plain-max-load",
    high_probability("delta"),
    over=grid(n=[16], delta=[0.1]),
    expected="refuted",
    cite="Gonnet 1981",
)
def max_load_wrong(draw, *, n, delta):
    """The fullest of n bins of n balls has at most 3."""
    balls = draw.categorical("balls", [1 / n] * n, n)
    return torch.tensor([max(row.count(b) for b in set(row)) for row in balls.tolist()]), 3


PROOFS = {
    "numbers/true-union-find": "A tree of height h has at least 2^h points.",
    "numbers/true-coupon-collector": "n (1 - 1/n)^T <= n exp(-T/n) <= exp(-c).",
    "numbers/true-ballot": "Bertrand; for a = b nobody is ahead at the end.",
    "numbers/true-empty-bins": "Linearity: each bin is empty with probability (1 - 1/n)^m.",
    "numbers/true-koenig": "Konig 1931.",
    "numbers/true-max-load": "Union over bins and (k+1)-subsets of balls.",
}

WITNESSES = {
    "numbers/subtle-binary-search": {
        "params": {"n": 8},
        "values": {"target": 0.0},
        "why": "n = 8, target 0: probes 4, 2, 1, 0.",
    },
    "numbers/subtle-birthday": {
        "params": {"n": 365, "k": 10},
        "values": {},
        "probability": 0.8830518222889223,
        "why": "No input: 0.88305 > 0.87198.",
    },
    "numbers/plain-secretary": {"params": {"n": 6}, "values": {}, "why": "n = 6, r = 2: 0.4278 > 0.3679."},
    "numbers/plain-max-load": {
        "params": {"n": 16, "delta": 0.1},
        "values": {},
        "probability": 0.23115566556849032,
        "why": "No input: 0.231 (simulated) > 0.1.",
    },
}
