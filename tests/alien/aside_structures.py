"""Alien claims, aside: combinatorial structures, codes and matrices; see README.md."""

# ruff: noqa: B023, E731, PLW2901

import functools
import itertools
import math

import numpy as np
import torch

from harness import always, claim, every, grid, identity, up_to_constant


def insert(tree, key):
    if tree is None:
        return (None, key, None)
    left, root, right = tree
    return (insert(left, key), root, right) if key < root else (left, root, insert(right, key))


def path_length(tree, level=0):
    return 0 if tree is None else level + path_length(tree[0], level + 1) + path_length(tree[2], level + 1)


@claim("structures/true-bst-depth", identity(), over=grid(n=[3, 5, 6]), cite="Knuth 1973, section 6.2.2")
def bst_depth(*, n):
    """The mean internal path length of a random binary search tree is 2 (n + 1) H_n - 4 n."""
    orders = list(itertools.permutations(range(n)))
    total = sum(path_length(functools.reduce(insert, order, None)) for order in orders)
    return total / len(orders), 2 * (n + 1) * sum(1 / k for k in range(1, n + 1)) - 4 * n


f64 = functools.partial(torch.tensor, dtype=torch.float64)


def lru(requests, k):
    cache, faults = [], 0
    for r in requests:
        if r in cache:
            cache.remove(r)
        else:
            faults += 1
            if len(cache) == k:
                cache.pop(0)
        cache.append(r)
    return faults


def belady(requests, k):
    cache, faults = set(), 0
    for i, r in enumerate(requests):
        if r in cache:
            continue
        faults += 1
        if len(cache) == k:
            following = lambda c: next((j for j in range(i + 1, len(requests)) if requests[j] == c), 10**6)
            cache.remove(max(sorted(cache), key=following))
        cache.add(r)
    return faults


@claim("structures/plain-lru-competitive-low", always(), expected="refuted", cite="Sleator and Tarjan 1985")
def lru_low(forall):
    """LRU with three pages faults at most 1.4 times as often as the best policy."""
    requests = forall.integers("r", 0, 4, 12)
    rows = requests.long().tolist()
    return f64([lru(row, 3) for row in rows]), 1.4 * f64([belady(row, 3) for row in rows])


def edit(a, b):
    @functools.lru_cache(None)
    def go(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(go(i - 1, j) + 1, go(i, j - 1) + 1, go(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return go(len(a), len(b))


@claim("structures/true-edit-triangle", always(), cite="Levenshtein 1966")
def edit_triangle(forall):
    """The edit distance of strings obeys the triangle inequality."""
    words = forall.integers("words", 0, 2, 3, 5)
    a, b = [], []
    for u, v, w in words.long().tolist():
        u, v, w = ("".join("abc"[c] for c in s) for s in (u, v, w))
        a.append(edit(u, w))
        b.append(edit(u, v) + edit(v, w))
    return f64(a), f64(b)


@claim("structures/true-greedy-matching", always(), cite="Korte and Hausmann 1978")
def greedy_matching(forall):
    """Greedy assignment by largest entry attains half of the best assignment."""
    from scipy.optimize import linear_sum_assignment

    value = forall.interval("V", 0.0, 1.0, 4, 4)
    best, greedy = [], []
    for m in value.numpy():
        rows, cols = linear_sum_assignment(-m)
        best.append(m[rows, cols].sum())
        rest, total = m.copy(), 0.0
        for _ in range(4):
            i, j = np.unravel_index(rest.argmax(), rest.shape)
            total += rest[i, j]
            rest[i, :], rest[:, j] = -1.0, -1.0
        greedy.append(total)
    return 0.5 * f64(np.array(best)), f64(np.array(greedy))


@claim("structures/subtle-max-cut-two-thirds", always(), expected="refuted", cite="Edwards 1973")
def max_cut_two_thirds(forall):
    """Every graph on five vertices has a cut of at least two thirds of its edges."""
    graph = forall.graph("G", 5)
    sides = every.signs(5, like=graph)
    cuts = torch.einsum("si,bij,sj->bs", sides, graph, sides)
    edges = graph.sum((-1, -2)) / 2.0
    return 2.0 * edges / 3.0, ((2.0 * edges[:, None] - cuts) / 4.0).amax(-1)


@claim("structures/true-caro-wei", always(), cite="Caro 1979, Wei 1981")
def caro_wei(forall):
    """The independence number is at least sum 1/(d + 1)."""
    graph = forall.graph("G", 6)
    subsets = every.vectors(2, 6, like=graph)
    inside = torch.einsum("si,bij,sj->bs", subsets, graph, subsets)
    alpha = torch.where(inside == 0, subsets.sum(-1), 0.0).amax(-1)
    return (1.0 / (graph.sum(-1) + 1.0)).sum(-1), alpha


@claim("structures/plain-info-conditioning", always(), expected="refuted", cite="Cover and Thomas 2006, section 2.5")
def conditioning(forall):
    """Conditioning does not increase mutual information: I(X;Y|Z) <= I(X;Y)."""
    p = forall.simplex("p", 8).reshape(-1, 2, 2, 2)
    h = lambda q: -torch.xlogy(q, q).flatten(1).sum(-1)
    xz, yz, z, xy, x, y = p.sum(2), p.sum(1), p.sum((1, 2)), p.sum(3), p.sum((2, 3)), p.sum((1, 3))
    return h(xz) + h(yz) - h(p) - h(z), h(x) + h(y) - h(xy)


@claim("structures/true-info-submodular", always(), cite="Fujishige 1978")
def submodular(forall):
    """H(X, Y, Z) + H(Z) <= H(X, Z) + H(Y, Z)."""
    p = forall.simplex("p", 8).reshape(-1, 2, 2, 2)
    h = lambda q: -torch.xlogy(q, q).flatten(1).sum(-1)
    return h(p) + h(p.sum((1, 2))), h(p.sum(2)) + h(p.sum(1))


@claim(
    "structures/true-rate-max-gaussian",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
    cite="Boucheron, Lugosi and Massart 2013, Theorem 2.5",
)
def max_gaussian(draw, *, n):
    """E max of n normal numbers is of order at most sqrt(log n)."""
    return draw.normal("z", n).amax(-1), math.sqrt(math.log(n))


PROOFS = {
    "structures/true-bst-depth": (
        "The quicksort recurrence C_n = n - 1 + (2/n) sum of C_k for k < n has the solution 2 (n + 1) H_n - 4 n."
    ),
    "structures/true-edit-triangle": "Edits from u to v and then from v to w are edits from u to w.",
    "structures/true-greedy-matching": (
        "Each chosen entry blocks at most two entries of the best assignment, neither larger than itself."
    ),
    "structures/true-caro-wei": (
        "In a random order the vertices before all their neighbours are independent; their mean number is sum "
        "1/(d + 1)."
    ),
    "structures/true-info-submodular": "The difference is the conditional mutual information I(X; Y | Z) >= 0.",
    "structures/true-rate-max-gaussian": "E max <= sqrt(2 log n), by Jensen for exp(t max).",
}

WITNESSES = {
    "structures/plain-lru-competitive-low": {
        "params": {},
        "values": {"r": [0.0, 1.0, 2.0, 3.0] * 3},
        "why": "A cycle of four pages: 12 faults against 1.4 times 6.",
    },
    "structures/subtle-max-cut-two-thirds": {
        "params": {},
        "values": {"G": [1.0] * 10},
        "why": "The complete graph, alone: 20/3 against 6.",
    },
    "structures/plain-info-conditioning": {
        "params": {},
        "values": {"p": [0.25, 0.0, 0.0, 0.25, 0.0, 0.25, 0.25, 0.0]},
        "why": "Z is the parity of two fair bits: log 2 against 0.",
    },
}
