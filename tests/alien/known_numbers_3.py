"""Alien claims, known: combinatorics and sorting; see README.md."""

# ruff: noqa: B905, E731, PLW2901, RUF005

import bisect
import itertools
import math
from collections import Counter

import torch

from harness import always, claim, grid, identity


def each(f, x):
    """f of the list of each instance."""
    rows = x.reshape(len(x), -1).long().tolist()
    return torch.tensor([float(f(row)) for row in rows], dtype=torch.float64)


def cycles(p):
    seen, count = set(), 0
    for start in range(len(p)):
        if start not in seen:
            count += 1
            while start not in seen:
                seen.add(start)
                start = p[start]
    return count


def inversions(p):
    return sum(a > b for a, b in itertools.combinations(p, 2))


def longest_increasing(p):
    tails = []
    for v in p:
        i = bisect.bisect_left(tails, v)
        tails[i : i + 1] = [v]
    return len(tails)


@claim("numbers/true-inverse-inversions", identity(), over=grid(n=[5, 8]), cite="Knuth, Volume 3, 5.1.1")
def inverse_inversions(forall, *, n):
    """A permutation and its inverse have as many inversions."""
    p = forall.permutation("p", n)
    q = p.argsort(-1)
    upper = torch.ones(n, n).triu(1).bool()
    count = lambda r: ((r[:, :, None] > r[:, None, :]) & upper).sum((1, 2))
    return count(p), count(q)


@claim("numbers/true-diaconis-graham", always(), over=grid(n=[4, 7]), cite="Diaconis and Graham 1977")
def diaconis_graham(forall, *, n):
    """Inversions plus transpositions are at most Spearman's footrule."""
    p = forall.permutation("p", n)
    footrule = (p - torch.arange(n)).abs().sum(-1)
    return each(lambda r: inversions(r) + n - cycles(r), p), footrule


@claim("numbers/plain-inversions-cycles", always(), over=grid(n=[6]), expected="refuted", cite="Knuth, Volume 3, 5.1.1")
def inversions_cycles(forall, *, n):
    """Inversions are at most twice n minus the number of cycles."""
    p = forall.permutation("p", n)
    return each(inversions, p), each(lambda r: 2 * (n - cycles(r)), p)


@claim("numbers/true-erdos-szekeres", always(), over=grid(n=[5, 9]), cite="Erdos and Szekeres 1935")
def erdos_szekeres(forall, *, n):
    """n <= (longest increasing) (longest decreasing)."""
    p = forall.permutation("p", n)
    return n, each(longest_increasing, p) * each(lambda r: longest_increasing(r[::-1]), p)


@claim("numbers/subtle-erdos-szekeres", always(), over=grid(n=[9]), expected="refuted", cite="Erdos and Szekeres 1935")
def erdos_szekeres_wrong(forall, *, n):
    """Nine numbers have a monotone subsequence of length four."""
    p = forall.permutation("p", n)
    return 4, torch.maximum(each(longest_increasing, p), each(lambda r: longest_increasing(r[::-1]), p))


@claim("numbers/true-catalan", identity(), over=grid(n=[1, 4, 6]), cite="Andre 1887")
def catalan(*, n):
    """Catalan numbers count ballot sequences."""
    good = 0
    for signs in itertools.product((1, -1), repeat=2 * n):
        sums = list(itertools.accumulate(signs))
        good += sums[-1] == 0 and min(sums) >= 0
    return good, math.comb(2 * n, n) // (n + 1)


def hook_product(shape):
    columns = [sum(r > j for r in shape) for j in range(shape[0])] if shape else []
    return math.prod(r - j + columns[j] - i - 1 for i, r in enumerate(shape) for j in range(r))


def tableaux(shape):
    if not sum(shape):
        return 1
    total = 0
    for i, r in enumerate(shape):
        if r and (i + 1 == len(shape) or shape[i + 1] < r):
            total += tableaux(shape[:i] + (r - 1,) + shape[i + 1 :])
    return total


@claim(
    "numbers/true-hook-length", identity(), over=grid(shape=[[3, 2], [4, 2, 1], [3, 3, 3]]), cite="Frame et al. 1954"
)
def hook_length(*, shape):
    """Standard tableaux are counted by hooks."""
    shape = tuple(shape)
    return tableaux(shape), math.factorial(sum(shape)) // hook_product(shape)


@claim("numbers/true-goodman", always(), cite="Goodman 1959")
def goodman(forall):
    """Of six people, two triples at least know each other, or do not."""
    g = forall.graph("G", 6)
    h = 1 - g - torch.eye(6, dtype=g.dtype)
    triangles = lambda a: torch.diagonal(a @ a @ a, dim1=-2, dim2=-1).sum(-1) / 6
    return 2, triangles(g) + triangles(h)


@claim("numbers/subtle-ramsey", always(), expected="refuted", cite="Greenwood and Gleason 1955")
def ramsey_five(forall):
    """Of five people, three know each other, or three do not."""
    g = forall.graph("G", 5).bool()
    g = g.long()
    mono = [g[:, a, b] + g[:, a, c] + g[:, b, c] for a, b, c in itertools.combinations(range(5), 3)]
    return 1, sum(((m == 0) | (m == 3)).long() for m in mono)


@claim("numbers/subtle-goodman-seven", always(), expected="refuted", cite="Goodman 1959")
def goodman_seven(forall):
    """Of seven people, five triples at least know each other, or do not."""
    g = forall.graph("G", 7)
    h = 1 - g - torch.eye(7, dtype=g.dtype)
    triangles = lambda a: torch.diagonal(a @ a @ a, dim1=-2, dim2=-1).sum(-1) / 6
    return 5, triangles(g) + triangles(h)


@claim("numbers/true-erdos-ko-rado", always(), cite="Erdos, Ko and Rado 1961")
def erdos_ko_rado(forall):
    """A family of pairs of five points has at most four more members than disjoint pairs of members."""
    pairs = list(itertools.combinations(range(5), 2))

    def excess(bits):
        family = [set(p) for p, bit in zip(pairs, bits) if bit]
        return len(family) - sum(a.isdisjoint(b) for a, b in itertools.combinations(family, 2))

    return each(excess, forall.integers("F", 0, 1, 10)), 4


def merge_sort(items):
    if len(items) < 2:
        return items, 0
    half = len(items) // 2
    (a, n), (b, m) = merge_sort(items[:half]), merge_sort(items[half:])
    out, count = [], n + m
    while a and b:
        count += 1
        out.append(a.pop(0) if a[0] <= b[0] else b.pop(0))
    return out + a + b, count


@claim("numbers/true-merge-sort", always(), over=grid(n=[5, 8]), cite="Knuth, Volume 3")
def merge_sort_comparisons(forall, *, n):
    """Merge sort takes at most n ceil(log2 n) - 2^ceil(log2 n) + 1 comparisons."""
    logarithm = math.ceil(math.log2(n))
    items = forall.integers("x", 0, 9, n)
    return each(lambda x: merge_sort(x)[1], items), n * logarithm - 2**logarithm + 1


@claim("numbers/plain-merge-sort", always(), over=grid(n=[8]), expected="refuted", cite="Knuth, Volume 3, 5.2.4")
def merge_sort_fast(forall, *, n):
    """Merge sort takes at most 2 n - 2 comparisons."""
    items = forall.integers("x", 0, 9, n)
    return each(lambda x: merge_sort(x)[1], items), 2 * n - 2


@claim("numbers/true-quicksort-mean", identity(), over=grid(n=[2, 4, 6]), cite="Knuth, Volume 3")
def quicksort_mean(*, n):
    """Quicksort takes 2 (n + 1) H_n - 4 n comparisons on average."""

    def quicksort(items):
        if len(items) < 2:
            return 0
        pivot, *rest = items
        return len(rest) + quicksort([v for v in rest if v < pivot]) + quicksort([v for v in rest if v > pivot])

    total = sum(map(quicksort, itertools.permutations(range(n))))
    return total / math.factorial(n), 2 * (n + 1) * sum(1 / k for k in range(1, n + 1)) - 4 * n


@claim("numbers/true-mode-majority", identity(), cite="Boyer and Moore 1981")
def majority_vote(forall):
    """Boyer and Moore's vote finds the majority where there is one."""

    def wrong(votes):
        leader, lead = None, 0
        for v in votes:
            if lead == 0:
                leader, lead = v, 1
            else:
                lead += 1 if v == leader else -1
        top, count = Counter(votes).most_common(1)[0]
        return count > len(votes) / 2 and top != leader

    return each(wrong, forall.integers("v", 0, 2, 7)), 0


PROOFS = {
    "numbers/true-inverse-inversions": "(i, j) is an inversion of p iff (p_j, p_i) is one of its inverse.",
    "numbers/true-diaconis-graham": "Diaconis and Graham 1977: I + T <= D.",
    "numbers/true-erdos-szekeres": (
        "Label each entry by the lengths of the longest monotone runs that end there: labels differ."
    ),
    "numbers/true-catalan": "The reflection principle, twice.",
    "numbers/true-hook-length": "Frame, Robinson and Thrall 1954.",
    "numbers/true-goodman": "Goodman 1959: 2 for n = 6.",
    "numbers/true-erdos-ko-rado": (
        "|F| - edges(F) is at most the independence number of the Kneser (Petersen) graph, 4: delete a "
        "member of each disjoint pair."
    ),
    "numbers/true-merge-sort": "n ceil(lg n) - 2^ceil(lg n) + 1 solves the recursion of the worst case.",
    "numbers/true-quicksort-mean": "Knuth: 2 (n+1) H_n - 4 n.",
    "numbers/true-mode-majority": "Boyer and Moore: pairs of different votes cancel.",
}

WITNESSES = {
    "numbers/plain-inversions-cycles": {
        "params": {"n": 6},
        "values": {"p": [0.8333333333333334, 0.6666666666666666, 0.5, 0.3333333333333333, 0.16666666666666666, 0.0]},
        "why": "Reversal of six: 15 > 6.",
    },
    "numbers/subtle-erdos-szekeres": {
        "params": {"n": 9},
        "values": {
            "p": [
                0.2222222222222222,
                0.1111111111111111,
                0.0,
                0.5555555555555556,
                0.4444444444444444,
                0.3333333333333333,
                0.8888888888888888,
                0.7777777777777778,
                0.6666666666666666,
            ]
        },
        "why": "2 1 0 5 4 3 8 7 6.",
    },
    "numbers/subtle-ramsey": {
        "params": {},
        "values": {"G": [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]},
        "why": "The cycle of length five.",
    },
    "numbers/subtle-goodman-seven": {
        "params": {},
        "values": {
            "G": [
                0.0,
                0.0,
                1.0,
                0.0,
                0.0,
                1.0,
                1.0,
                1.0,
                1.0,
                0.0,
                1.0,
                0.0,
                0.0,
                1.0,
                0.0,
                1.0,
                0.0,
                0.0,
                1.0,
                0.0,
                1.0,
            ]
        },
        "why": "Goodman's minimum for n = 7 is 4.",
    },
    "numbers/plain-merge-sort": {
        "params": {"n": 8},
        "values": {"x": [0.0, 4.0, 2.0, 6.0, 1.0, 5.0, 3.0, 7.0]},
        "why": "0 4 2 6 1 5 3 7: 17 > 14.",
    },
}
