"""Alien claims, known: combinatorial structures, codes and matrices (1); see README.md."""

# ruff: noqa: B023, B905, E731, PLW2901, RUF007

import functools
import heapq
import itertools
import math

import torch

from harness import always, claim, identity


def scalar(body):
    """The largest difference of two vectors, against 0."""

    @functools.wraps(body)
    def scalar_sides(**given):
        left, right = body(**given)
        return (left - right).amax(-1), 0.0

    return scalar_sides


f64 = functools.partial(torch.tensor, dtype=torch.float64)


def huffman(weights):
    """A Huffman tree as nested tuples."""
    heap = [(w, i, i) for i, w in enumerate(weights)]
    heapq.heapify(heap)
    tick = len(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], tick, (a[2], b[2])))
        tick += 1
    return heap[0][2]


def depths(tree, level=0):
    if isinstance(tree, tuple):
        for child in tree:
            yield from depths(child, level + 1)
    else:
        yield tree, level


@claim("structures/true-huffman", always(), cite="Huffman 1952")
def huffman_bound(forall):
    """The expected length of Huffman's code is at most the entropy plus one bit."""
    p = forall.simplex("p", 5)
    lengths = f64([[level for _, level in sorted(depths(huffman(row)))] for row in p.tolist()])
    return (p * lengths).sum(-1), -torch.xlogy(p, p).sum(-1) / math.log(2.0) + 1.0


@claim("structures/plain-huffman-half", always(), expected="refuted", cite="Huffman 1952")
def huffman_half(forall):
    """The expected length of Huffman's code is at most the entropy plus half a bit."""
    p = forall.simplex("p", 5)
    lengths = f64([[level for _, level in sorted(depths(huffman(row)))] for row in p.tolist()])
    return (p * lengths).sum(-1), -torch.xlogy(p, p).sum(-1) / math.log(2.0) + 0.5


@claim("structures/true-kraft", identity(), cite="Kraft 1949")
def kraft(forall):
    """The code words of Huffman's code fill Kraft's inequality."""
    p = forall.simplex("p", 6)
    return f64([sum(2.0**-level for _, level in depths(huffman(row))) for row in p.tolist()]), 1.0


@claim("structures/true-misra-gries", always(), cite="Misra and Gries 1982")
def misra_gries(forall):
    """Misra-Gries with two counters undercounts by at most n/3."""
    stream = forall.integers("stream", 0, 4, 12)
    worst = []
    for row in stream.long().tolist():
        counters = {}
        for item in row:
            if item in counters:
                counters[item] += 1
            elif len(counters) < 2:
                counters[item] = 1
            else:
                counters = {k: v - 1 for k, v in counters.items() if v > 1}
        worst.append(max(row.count(k) - counters.get(k, 0) for k in set(row)))
    return f64(worst), 4.0


@claim("structures/plain-misra-gries-quarter", always(), expected="refuted", cite="Misra and Gries 1982")
def misra_gries_quarter(forall):
    """Misra-Gries with two counters undercounts by at most n/4."""
    stream = forall.integers("stream", 0, 4, 12)
    worst = []
    for row in stream.long().tolist():
        counters = {}
        for item in row:
            if item in counters:
                counters[item] += 1
            elif len(counters) < 2:
                counters[item] = 1
            else:
                counters = {k: v - 1 for k, v in counters.items() if v > 1}
        worst.append(max(row.count(k) - counters.get(k, 0) for k in set(row)))
    return f64(worst), 3.0


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


@claim("structures/true-lru-competitive", always(), cite="Sleator and Tarjan 1985")
def lru_competitive(forall):
    """LRU with three pages faults at most three times as often as the best policy."""
    requests = forall.integers("r", 0, 4, 12)
    rows = requests.long().tolist()
    return f64([lru(row, 3) for row in rows]), 3.0 * f64([belady(row, 3) for row in rows])


def schedule(intervals, key):
    chosen = []
    for s, e in sorted(intervals, key=key):
        if all(e <= a or s >= b for a, b in chosen):
            chosen.append((s, e))
    return len(chosen)


def most(intervals):
    best = 0
    for mask in range(1 << len(intervals)):
        part = sorted(iv for i, iv in enumerate(intervals) if mask >> i & 1)
        if all(x[1] <= y[0] for x, y in zip(part, part[1:])):
            best = max(best, len(part))
    return best


@claim("structures/true-earliest-finish", identity(), cite="Kleinberg and Tardos 2006, section 4.1")
def earliest_finish(forall):
    """Earliest finish first schedules as many intervals as any choice."""
    start, length = forall.integers("s", 0, 9, 5), forall.integers("l", 1, 5, 5)
    jobs = [[(s, s + d) for s, d in zip(a, b)] for a, b in zip(start.long().tolist(), length.long().tolist())]
    return f64([schedule(j, lambda iv: iv[1]) for j in jobs]), f64([most(j) for j in jobs])


@claim("structures/plain-shortest-first", identity(), expected="refuted", cite="Kleinberg and Tardos 2006, section 4.1")
def shortest_first(forall):
    """Shortest first schedules as many intervals as any choice."""
    start, length = forall.integers("s", 0, 9, 5), forall.integers("l", 1, 5, 5)
    jobs = [[(s, s + d) for s, d in zip(a, b)] for a, b in zip(start.long().tolist(), length.long().tolist())]
    return f64([schedule(j, lambda iv: iv[1] - iv[0]) for j in jobs]), f64([most(j) for j in jobs])


@claim("structures/true-greedy-coverage", always(), cite="Nemhauser, Wolsey and Fisher 1978")
def greedy_coverage(forall):
    """Greedy maximum coverage with two of four sets attains 3/4 of the best weight."""
    weights, sets = forall.interval("w", 0.0, 1.0, 6), forall.integers("sets", 0, 1, 4, 6)
    cover = lambda chosen: (torch.stack(chosen).amax(0) * weights).sum(-1)
    single = torch.stack([cover([sets[:, i]]) for i in range(4)], -1)
    first = sets.gather(1, single.argmax(-1)[:, None, None].expand(-1, 1, 6))[:, 0]
    greedy = torch.stack([cover([first, sets[:, i]]) for i in range(4)]).amax(0)
    best = torch.stack([cover([sets[:, i], sets[:, j]]) for i, j in itertools.combinations(range(4), 2)]).amax(0)
    return 0.75 * best, greedy


@claim("structures/plain-greedy-coverage-high", always(), expected="refuted", cite="Nemhauser, Wolsey and Fisher 1978")
def greedy_coverage_high(forall):
    """Greedy maximum coverage with two of four sets attains 9/10 of the best weight."""
    weights, sets = forall.interval("w", 0.0, 1.0, 6), forall.integers("sets", 0, 1, 4, 6)
    cover = lambda chosen: (torch.stack(chosen).amax(0) * weights).sum(-1)
    single = torch.stack([cover([sets[:, i]]) for i in range(4)], -1)
    first = sets.gather(1, single.argmax(-1)[:, None, None].expand(-1, 1, 6))[:, 0]
    greedy = torch.stack([cover([first, sets[:, i]]) for i in range(4)]).amax(0)
    best = torch.stack([cover([sets[:, i], sets[:, j]]) for i, j in itertools.combinations(range(4), 2)]).amax(0)
    return 0.9 * best, greedy


@claim("structures/true-diaconis-graham", always(), cite="Diaconis and Graham 1977")
@scalar
def diaconis_graham(forall):
    """Inversions plus transpositions are at most Spearman's footrule, which is at most twice the inversions."""
    pi = forall.permutation("pi", 6).long()
    inversions = sum((pi[:, i] > pi[:, j]).double() for i, j in itertools.combinations(range(6), 2))
    footrule = (pi - torch.arange(6)).abs().sum(-1).double()
    cycles = []
    for row in pi.tolist():
        seen, count = set(), 0
        for i in range(6):
            if i not in seen:
                count += 1
                while i not in seen:
                    seen.add(i)
                    i = row[i]
        cycles.append(6 - count)
    return torch.stack([inversions + f64(cycles), footrule], -1), torch.stack([footrule, 2.0 * inversions], -1)


PROOFS = {
    "structures/true-huffman": (
        "Huffman's code is optimal, and Shannon's lengths ceil(-log2 p) are within one bit of the entropy."
    ),
    "structures/true-kraft": (
        "The tree is binary and full: the weight 2^-level of an inner node is that of its two children."
    ),
    "structures/true-misra-gries": (
        "Each decrement removes three items of the stream, the new one and one of each counter: at most n/3 of them."
    ),
    "structures/true-lru-competitive": (
        "Sleator and Tarjan: in each phase of k faults of LRU the best policy faults at least once, from an "
        "empty cache."
    ),
    "structures/true-earliest-finish": "Exchange the first interval of an optimal choice for the one that ends first.",
    "structures/true-greedy-coverage": (
        "Nemhauser, Wolsey and Fisher: greedy attains 1 - (1 - 1/k)^k, which is 3/4 for k = 2."
    ),
    "structures/true-diaconis-graham": "Diaconis and Graham 1977, Theorem 2.",
}

WITNESSES = {
    "structures/plain-huffman-half": {
        "params": {},
        "values": {"p": [0.96, 0.01, 0.01, 0.01, 0.01]},
        "why": "1.08 against 0.8223.",
    },
    "structures/plain-misra-gries-quarter": {
        "params": {},
        "values": {"stream": [0.0, 1.0, 2.0] * 4},
        "why": "Each third item empties the counters: 4 against 3.",
    },
    "structures/plain-shortest-first": {
        "params": {},
        "values": {"s": [0.0, 3.0, 4.0, 0.0, 4.0], "l": [4.0, 2.0, 4.0, 4.0, 4.0]},
        "why": "(3, 5) blocks (0, 4) and (4, 8): 1 against 2.",
    },
    "structures/plain-greedy-coverage-high": {
        "params": {},
        "values": {
            "w": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            "sets": [
                [0.0, 1.0, 1.0, 1.0, 1.0, 0.0],
                [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
                [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            ],
        },
        "why": "Greedy takes the four in the middle first: 5.4 against 5.",
    },
}
