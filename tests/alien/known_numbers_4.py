"""Alien claims, known: discrete probability and data structures; see README.md."""

# ruff: noqa: B905, E731, PLW2901

import itertools
import math
from fractions import Fraction

import torch

from harness import always, claim, every, expectation, grid, identity, tail


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


@claim("numbers/subtle-union-find", always(), expected="refuted", cite="Tarjan 1975")
def union_find_two(forall):
    """Trees of a union by size of eight points are at most 2 high."""
    return each(height_after, forall.integers("edges", 0, 7, 7, 2)), 2


def probes(n, target):
    low, high, count = 0, n, 0
    while low < high:
        middle, count = (low + high) // 2, count + 1
        if middle == target:
            break
        low, high = (middle + 1, high) if middle < target else (low, middle)
    return count


@claim("numbers/true-binary-search", always(), over=grid(n=[7, 8, 100]), cite="Knuth, Volume 3, 6.2.1")
def binary_search(forall, *, n):
    """Binary search among n looks at most at floor(log2 n) + 1 entries."""
    target = forall.integers("target", 0, n - 1)
    return each(lambda t: probes(n, t[0]), target), math.floor(math.log2(n)) + 1


@claim("numbers/true-universal-hashing", always(), over=grid(m=[3, 4]), cite="Carter and Wegman 1979")
def universal_hashing(forall, *, m):
    """x != y collide under ((a x + b) mod 17) mod m for at most a share 1/m of all a != 0 and b."""
    x, y = forall.integers("x", 0, 16), forall.integers("y", 0, 16)
    forall.assume(x != y)
    a = torch.arange(1, 17).repeat_interleave(17)
    b = torch.arange(17).repeat(16)
    h = lambda v: (a * v.long()[:, None] + b) % 17 % m
    return (h(x) == h(y)).double().mean(-1), 1 / m


@claim(
    "numbers/subtle-hashing-without-shift",
    always(),
    over=grid(m=[4]),
    expected="refuted",
    cite="Carter and Wegman 1979",
)
def hashing_without_shift(forall, *, m):
    """x != y collide under (a x mod 17) mod m for at most a share 1/m of all a != 0."""
    x, y = forall.integers("x", 0, 16), forall.integers("y", 0, 16)
    forall.assume(x != y)
    a = torch.arange(1, 17)
    h = lambda v: a * v.long()[:, None] % 17 % m
    return (h(x) == h(y)).double().mean(-1), 1 / m


@claim(
    "numbers/plain-coupon-collector", tail(), over=grid(n=[6], c=[0.5]), expected="refuted", cite="Erdos and Renyi 1961"
)
def coupon_collector_fast(draw, *, n, c):
    """P(n log n + c n draws miss one of n coupons) <= exp(-3 c)."""
    coupons = draw.categorical("x", [1 / n] * n, math.ceil(n * math.log(n) + c * n))
    return torch.tensor([len(set(row)) < n for row in coupons.tolist()]), math.exp(-3 * c)


@claim("numbers/true-birthday", tail(), over=grid(n=[365], k=[23]), cite="von Mises 1939")
def birthday(draw, *, n, k):
    """P(no common birthday of k) <= exp(-k (k - 1) / (2 n))."""
    days = draw.categorical("days", torch.full((n,), 1.0 / n, dtype=torch.float64), k)
    return torch.tensor([len(set(row)) == k for row in days.tolist()]), math.exp(-k * (k - 1) / (2 * n))


@claim("numbers/true-birthday-uniform", always(), cite="Munford 1977")
def birthday_uniform(forall):
    """Three people of a year of five days share no day with probability at most 60/125, whatever the law of days."""
    p = forall.simplex("p", 5)
    return sum(6 * p[:, i] * p[:, j] * p[:, k] for i, j, k in itertools.combinations(range(5), 3)), 60 / 125


@claim("numbers/plain-ballot", tail(), over=grid(a=[6], b=[3]), expected="refuted", cite="Bertrand 1887")
def ballot_weak(draw, *, a, b):
    """P(A is never behind) <= (a - b)/(a + b)."""
    order = draw.uniform("u", a + b).argsort(-1)
    lead = torch.where(order < a, 1, -1).cumsum(-1)
    return lead.amin(-1) >= 0, (a - b) / (a + b)


@claim("numbers/true-reflection", identity(), over=grid(n=[7, 8], a=[1, 2, 3]), cite="Andre 1887")
def reflection(*, n, a):
    """P(max_k S_k >= a) = P(S_n >= a) + P(S_n > a)."""
    walk = every.signs(n, like=torch.zeros(1, dtype=torch.float64)).cumsum(-1)
    last = walk[:, -1]
    return (walk.amax(-1) >= a).double().mean(), (last >= a).double().mean() + (last > a).double().mean()


@claim("numbers/plain-reflection", identity(), over=grid(n=[8], a=[1, 2, 3]), expected="refuted", cite="Andre 1887")
def reflection_twice(*, n, a):
    """P(max_k S_k >= a) = 2 P(S_n >= a)."""
    walk = every.signs(n, like=torch.zeros(1, dtype=torch.float64)).cumsum(-1)
    return (walk.amax(-1) >= a).double().mean(), 2 * (walk[:, -1] >= a).double().mean()


@claim(
    "numbers/true-polya-urn",
    expectation(range=(-1.0, 1.0), margin=0.03),
    over=grid(red=[1, 3], blue=[2]),
    cite="Eggenberger and Polya 1923",
)
def polya_urn(draw, *, red, blue):
    """The share of red balls in Polya's urn stays the same on average (one direction)."""
    u = draw.uniform("u", 12)
    r = torch.full((len(u),), float(red), dtype=torch.float64)
    for step in range(12):
        r = r + (u[:, step] < r / (red + blue + step)).double()
    return r / (red + blue + 12), red / (red + blue)


@claim("numbers/true-prisoners", always(), over=grid(n=[4, 6]), cite="Gal and Miltersen 2003")
def prisoners(*, n):
    """Of all permutations of n, n even, a share of at least 1 - log 2 has no cycle longer than n/2."""
    good = 0
    for p in itertools.permutations(range(n)):
        longest, seen = 0, set()
        for i in range(n):
            length = 0
            while i not in seen:
                seen.add(i)
                i, length = p[i], length + 1
            longest = max(longest, length)
        good += longest <= n // 2
    return 1 - math.log(2), good / math.factorial(n)


def secretary_success(n, r):
    wins = 0
    for ranks in itertools.permutations(range(n)):
        best = max(ranks[:r], default=-1)
        chosen = next((v for v in ranks[r:] if v > best), None)
        wins += chosen == n - 1
    return Fraction(wins, math.factorial(n))


@claim("numbers/true-secretary", identity(), over=grid(n=[4, 6], r=[1, 2]), cite="Lindley 1961")
def secretary(*, n, r):
    """Rejecting r of n candidates wins with probability (r/n) sum_{k=r}^{n-1} 1/k."""
    return float(secretary_success(n, r)), r / n * sum(1 / k for k in range(r, n))


def permanent_of_mixture(weights):
    orders = list(itertools.permutations(range(3)))
    m = sum(weights[:, i, None, None] * torch.eye(3, dtype=torch.float64)[list(p)] for i, p in enumerate(orders))
    return sum(m[:, 0, p[0]] * m[:, 1, p[1]] * m[:, 2, p[2]] for p in orders)


@claim("numbers/true-van-der-waerden", always(), cite="Marcus and Newman 1959")
def van_der_waerden(forall):
    """The permanent of a doubly stochastic matrix of order three is at least 2/9."""
    return 2 / 9, permanent_of_mixture(forall.simplex("w", 6))


@claim("numbers/subtle-van-der-waerden", always(), expected="refuted", cite="Marcus and Newman 1959")
def van_der_waerden_wrong(forall):
    """The permanent of a doubly stochastic matrix of order three is at least 0.224."""
    return 0.224, permanent_of_mixture(forall.simplex("w", 6))


@claim("numbers/true-ky-fan", always(), cite="Marshall, Olkin and Arnold, 6.A.1")
def ky_fan(forall):
    """x + y is majorised by the sum of the sorted vectors: the two largest entries."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    top = lambda v: v.sort(-1, descending=True).values[:, :2].sum(-1)
    return top(x + y), top(x) + top(y)


@claim("numbers/plain-ky-fan", always(), expected="refuted", cite="Marshall, Olkin and Arnold, 6.A.1")
def ky_fan_wrong(forall):
    """The two largest entries of x + y have at least the sum of those of x and y."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    top = lambda v: v.sort(-1, descending=True).values[:, :2].sum(-1)
    return top(x) + top(y), top(x + y)


PROOFS = {
    "numbers/true-binary-search": "The interval at least halves: at most floor(n/2) after a probe.",
    "numbers/true-universal-hashing": (
        "(ax+b, ay+b) takes each pair of different residues once; at most ceil(17/m) - 1 <= 16/m others collide."
    ),
    "numbers/true-birthday": "prod (1 - i/n) <= exp(-sum i/n).",
    "numbers/true-birthday-uniform": "6 e_3(p) is Schur concave: largest at the uniform law, 6 * 10/125.",
    "numbers/true-reflection": "Reflect the walk after it first reaches a.",
    "numbers/true-polya-urn": "The share is a martingale.",
    "numbers/true-prisoners": "1 - sum_{n/2 < k <= n} 1/k >= 1 - log 2.",
    "numbers/true-secretary": (
        "The best is at k with probability 1/n and is taken iff the best of those before is among the first r."
    ),
    "numbers/true-van-der-waerden": (
        "Marcus and Newman 1959 for order three; the weights make a doubly stochastic matrix."
    ),
    "numbers/true-ky-fan": "The maximum of a sum over pairs of indices is at most the sum of maxima.",
}

WITNESSES = {
    "numbers/subtle-union-find": {
        "params": {},
        "values": {"edges": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [0.0, 2.0], [4.0, 6.0], [0.0, 4.0]]},
        "why": "A binomial tree: (0,1) (2,3) (4,5) (6,7) (0,2) (4,6) (0,4) has height 3.",
    },
    "numbers/subtle-hashing-without-shift": {
        "params": {"m": 4},
        "values": {"x": 4.0, "y": 3.0},
        "why": "x = 4, y = 3: 6 of 16 multipliers collide.",
    },
    "numbers/plain-coupon-collector": {
        "params": {"n": 6, "c": 0.5},
        "values": {},
        "probability": 0.4171546511483639,
        "why": "No input: 0.418 (simulated) > 0.223.",
    },
    "numbers/plain-ballot": {
        "params": {"a": 6, "b": 3},
        "values": {},
        "probability": 0.5714285714285714,
        "why": "No input: (a - b + 1)/(a + 1) = 4/7 > 1/3.",
    },
    "numbers/plain-reflection": {
        "params": {"n": 8, "a": 2},
        "values": {},
        "why": "n = 8, a = 2: P(S_8 = 2) > 0 is counted twice.",
    },
    "numbers/subtle-van-der-waerden": {
        "params": {},
        "values": {
            "w": [
                0.16666666666666666,
                0.16666666666666666,
                0.16666666666666666,
                0.16666666666666666,
                0.16666666666666666,
                0.16666666666666666,
            ]
        },
        "why": "J/3: 2/9 = 0.2222 < 0.224.",
    },
    "numbers/plain-ky-fan": {
        "params": {},
        "values": {"x": [1.0, 1.0, 0.0, 0.0], "y": [0.0, 0.0, 1.0, 1.0]},
        "why": "x = (1, 1, 0, 0), y = (0, 0, 1, 1): 4 > 2.",
    },
}
