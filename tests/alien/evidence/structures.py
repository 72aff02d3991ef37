"""Evidence for `structures`: `python tests/alien/evidence/structures.py`, by the checks of `estimators.py`.

What falsehoods are at their witnesses is counted or computed without their bodies. Truths are run at random and
degenerate inputs of our own, but for those that draw: all flips are listed, the mean of a maximum is an integral, and
the supremum over intervals, exact by sorting, is over its bound for a share of samples.
"""

import heapq
import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import torch
from estimators import check, real
from optim import agree, run
from scipy import integrate, stats


def huffman(p):
    """The mean length is the sum of the weights of all merges."""
    heap, total = list(p), Fraction(0)
    heapq.heapify(heap)
    while len(heap) > 1:
        both = heapq.heappop(heap) + heapq.heappop(heap)
        total += both
        heapq.heappush(heap, both)
    return total


def entropy(p):
    return -sum(real(q) * mp.log(real(q), 2) for q in p)


def least_recent(requests, pages=3):
    """An item faults when as many others as there are pages were asked for since it was."""
    faults = 0
    for i, item in enumerate(requests):
        before = [j for j in range(i) if requests[j] == item]
        faults += not before or len(set(requests[before[-1] + 1 : i])) >= pages
    return faults


def fewest_faults(requests, pages=3):
    """Over all policies, by all caches that can be reached."""
    costs = {frozenset(): 0}
    for item in requests:
        new = {}
        for cache, cost in costs.items():
            after = [cache] if item in cache else [cache - {out} | {item} for out in cache]
            after += [cache | {item}] if item not in cache and len(cache) < pages else []
            for reached in after:
                new[reached] = min(new.get(reached, math.inf), cost + (item not in cache))
        costs = new
    return min(costs.values())


def compatible(jobs):
    return all(a[1] <= b[0] or b[1] <= a[0] for a, b in itertools.combinations(jobs, 2))


def most(jobs):
    return max(k for k in range(len(jobs) + 1) for some in itertools.combinations(jobs, k) if compatible(some))


def shortest_first(jobs):
    taken = []
    for job in sorted(jobs, key=lambda job: job[1] - job[0]):
        if compatible([*taken, job]):
            taken.append(job)
    return len(taken)


def coverage(sets):
    """9/10 of the best two, and what greedy covers."""
    first = max(sets, key=len)
    best = max(len(a | b) for a, b in itertools.combinations(sets, 2))
    return Fraction(9, 10) * best, max(len(first | s) for s in sets)


def flips(k):
    """The share of all ten flips with a run of at least k heads."""
    return Fraction(sum("1" * k in f"{code:010b}" for code in range(1024)), 1024)


LAW = [Fraction(96, 100), *[Fraction(1, 100)] * 4]
CYCLE = [0, 1, 2, 3] * 3
JOBS = [(0, 4), (3, 5), (4, 8), (0, 4), (4, 8)]
SIDES = {
    "plain-huffman-half": (real(huffman(LAW)), entropy(LAW) + 0.5),
    # three kinds, two counters: each third item removes one of each kind
    "plain-misra-gries-quarter": (12 // 3, 3),
    "plain-lru-competitive-low": (least_recent(CYCLE), Fraction(14, 10) * fewest_faults(CYCLE)),
    "plain-shortest-first": (shortest_first(JOBS), most(JOBS)),
    "plain-greedy-coverage-high": coverage([{1, 2, 3, 4}, {0, 1, 2}, {3, 4, 5}, set()]),
    "subtle-max-cut-two-thirds": (Fraction(2 * math.comb(5, 2), 3), max(k * (5 - k) for k in range(6))),
    "plain-fiedler": (5, 4),  # n I - J has the eigenvalues 0 and n
    "plain-mat-anticommutator": ((mp.sqrt(2) - 1) / 2, 0),  # of [[1, 1/2], [1/2, 0]]
    "plain-info-conditioning": (mp.log(2), 0),
    "plain-tail-longest-run-low": (flips(6), Fraction(5, 128)),
    "plain-rate-l1-l2": [mp.mpf(n) ** mp.mpf("0.2") for n in (4, 8, 16, 32, 64, 128, 256)],
}


def check_runs(claim, _):
    for k in (3, 6):
        assert flips(k) <= Fraction(12 - k, 2 ** (k + 1)), claim.id
        found = torch.as_tensor(run(claim, {"params": {"k": k}, "values": {}})[0]).double()
        agree(float(found.mean()), flips(k), claim.id, 5 * float(found.std()) / math.sqrt(len(found)))
        print(f"{claim.id:45} {flips(k)} for k = {k}")


def check_maximum(claim, _):
    """The mean of the maximum is the integral of its tails."""
    for cell in claim.cells:
        n = cell["n"]
        above = integrate.quad(lambda t, n=n: -math.expm1(n * stats.norm.logcdf(t)), 0, 12, epsabs=1e-12)[0]
        mean = above - integrate.quad(lambda t, n=n: stats.norm.cdf(t) ** n, -12, 0, epsabs=1e-12)[0]
        found = torch.as_tensor(run(claim, {"params": cell, "values": {}})[0])
        agree(float(found.mean()), mean, claim.id, 5 * float(found.std()) / math.sqrt(len(found)))
        assert mean <= math.sqrt(2 * math.log(n)), claim.id
    print(f"{claim.id:45} {mean:.10g} for n = {n}")


def check_intervals(claim, _):
    """The supremum over closed intervals of |P_n - P| is at most D+ + D- of the sorted numbers."""
    n, delta, count = 20, 0.1, 100_000
    x = np.sort(np.random.default_rng(5).random((count, n)), -1)
    steps = np.arange(n + 1) / n
    supremum = (steps[1:] - x).max(-1).clip(0) + (x - steps[:-1]).max(-1).clip(0)
    share = (supremum > 2 * math.sqrt(math.log(2 / delta) / (2 * n))).mean()
    assert share <= delta, claim.id
    print(f"{claim.id:45} {share:.10g}")


OWN = {
    "true-tail-longest-run": check_runs,
    "true-rate-max-gaussian": check_maximum,
    "true-within-intervals": check_intervals,
}

if __name__ == "__main__":
    assert check("structures", SIDES, OWN) == 29
