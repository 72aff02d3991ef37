"""Alien claims, aside: combinatorics and sorting; see README.md."""

# ruff: noqa: B905, PLW2901

import itertools
import math
from fractions import Fraction

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


@claim("numbers/true-mean-cycles", identity(), over=grid(n=[1, 3, 6]), cite="Feller 1968, X.6")
def mean_cycles(*, n):
    """The mean number of cycles is the harmonic number."""
    total = sum(cycles(p) for p in itertools.permutations(range(n)))
    return total / math.factorial(n), float(sum(Fraction(1, k) for k in range(1, n + 1)))


@claim("numbers/true-footrule", always(), over=grid(n=[4, 7]), cite="Diaconis and Graham 1977")
def footrule_upper(forall, *, n):
    """Spearman's footrule is at most twice the inversions."""
    p = forall.permutation("p", n)
    return each(lambda r: sum(abs(i - v) for i, v in enumerate(r)), p), each(inversions, p) * 2


@claim("numbers/true-derangements", identity(), over=grid(n=[1, 2, 4, 5, 7]), cite="Montmort 1708")
def derangements(*, n):
    """n!/e, rounded to the nearest integer, counts the derangements."""
    count = sum(all(i != v for i, v in enumerate(p)) for p in itertools.permutations(range(n)))
    return count, round(math.factorial(n) / math.e)


@claim(
    "numbers/subtle-derangements", identity(), over=grid(n=[1, 3, 5, 6, 7]), expected="refuted", cite="Montmort 1708"
)
def derangements_floor(*, n):
    """n!/e, rounded down, counts the derangements."""
    count = sum(all(i != v for i, v in enumerate(p)) for p in itertools.permutations(range(n)))
    return count, math.floor(math.factorial(n) / math.e)


SUBSETS = [frozenset(c) for r in range(5) for c in itertools.combinations(range(4), r)]


def minimal(bits):
    chosen = [s for s, bit in zip(SUBSETS, bits) if bit]
    return sum(not any(t < s for t in chosen) for s in chosen)


@claim("numbers/true-sperner", always(), cite="Sperner 1928")
def sperner(forall):
    """The minimal sets of a family of subsets of four points are at most six."""
    return each(minimal, forall.integers("S", 0, 1, 16)), 6


@claim("numbers/subtle-sperner", always(), expected="refuted", cite="Sperner 1928")
def sperner_five(forall):
    """The minimal sets of a family of subsets of four points are at most five."""
    return each(minimal, forall.integers("S", 0, 1, 16)), 5


def insertion_sort(items):
    items, count = list(items), 0
    for i in range(1, len(items)):
        while i:
            count += 1
            if items[i - 1] <= items[i]:
                break
            items[i - 1], items[i] = items[i], items[i - 1]
            i -= 1
    return count


@claim("numbers/true-insertion-sort", always(), over=grid(n=[6]), cite="Knuth, Volume 3, 5.2.1")
def insertion_sort_comparisons(forall, *, n):
    """Insertion sort takes at most n - 1 comparisons more than there are inversions."""
    items = forall.integers("x", 0, 9, n)
    return each(insertion_sort, items), each(inversions, items) + n - 1


PROOFS = {
    "numbers/true-mean-cycles": "E of the number of cycles = sum of 1/k (Feller coupling).",
    "numbers/true-footrule": "Diaconis and Graham 1977: D <= 2 I.",
    "numbers/true-derangements": "|n!/e - D_n| < 1/(n+1) <= 1/2.",
    "numbers/true-sperner": "Minimal sets are an antichain; at most binom(4, 2).",
    "numbers/true-insertion-sort": "Each comparison undoes an inversion, but for at most one an item.",
}

WITNESSES = {
    "numbers/subtle-derangements": {"params": {"n": 6}, "values": {}, "why": "n = 6: 265 against floor(264.87) = 264."},
    "numbers/subtle-sperner": {
        "params": {},
        "values": {"S": [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "All six pairs, without smaller sets.",
    },
}
