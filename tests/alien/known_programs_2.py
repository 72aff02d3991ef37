"""Alien claims, known: programs as practitioners write them (2); see README.md."""

import heapq
import itertools

import numpy as np
import torch

from harness import always, claim, grid, identity


def edit_distance_program(a, b, *, swaps=False):
    """Levenshtein's distance; with swaps of neighbours that of optimal string alignment."""
    d = np.zeros((len(a) + 1, len(b) + 1))
    d[:, 0] = range(len(a) + 1)
    d[0, :] = range(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if swaps and i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
    return d[-1, -1]


def word(row):
    """Blanks, written 0, are left out."""
    return [int(c) for c in row if c != 0]


def dijkstra_program(weights, source=0):
    n = len(weights)
    distance = {source: 0.0}
    done, heap = set(), [(0.0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v in range(n):
            if v not in done and d + weights[u, v] < distance.get(v, np.inf):
                distance[v] = d + weights[u, v]
                heapq.heappush(heap, (distance[v], v))
    return np.array([distance[v] for v in range(n)])


def floyd_warshall(weights):
    d = weights.copy()
    np.fill_diagonal(d, 0.0)
    for k in range(len(d)):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
    return d


def makespan(jobs, machines, *, longest_first=False):
    """Graham's list scheduling."""
    loads = [0.0] * machines
    for job in sorted(jobs, reverse=True) if longest_first else jobs:
        loads[loads.index(min(loads))] += job
    return max(loads)


def best_makespan(jobs, machines):
    best = sum(jobs)
    for where in itertools.product(range(machines), repeat=len(jobs)):
        loads = [0.0] * machines
        for job, m in zip(jobs, where, strict=True):
            loads[m] += job
        best = min(best, max(loads))
    return best


def knapsack(values, weights, capacity):
    best = np.zeros(capacity + 1)
    for v, w in zip(values, weights, strict=True):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[capacity]


def greedy_knapsack_program(values, weights, capacity):
    """By value for weight, taking what still fits."""
    total, left = 0.0, capacity
    for i in sorted(range(len(values)), key=lambda i: -values[i] / weights[i]):
        if weights[i] <= left:
            total, left = total + values[i], left - weights[i]
    return total


def huffman_length(p):
    """The mean length of a Huffman code."""
    heap = [(float(q), i) for i, q in enumerate(p)]
    heapq.heapify(heap)
    total, fresh = 0.0, len(heap)
    while len(heap) > 1:
        a, _ = heapq.heappop(heap)
        b, _ = heapq.heappop(heap)
        total += a + b
        heapq.heappush(heap, (a + b, fresh))
        fresh += 1
    return total


def viterbi_program(start, move, emit, seen):
    """The probability of the most likely path, and the path."""
    best, back = start * emit[:, seen[0]], []
    for symbol in seen[1:]:
        scores = best[:, None] * move
        back.append(scores.argmax(0))
        best = scores.max(0) * emit[:, symbol]
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return best.max(), path[::-1]


def fewest_coins(amount, coins):
    best = [0] + [amount + 1] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total:
                best[total] = min(best[total], best[total - coin] + 1)
    return best[amount]


def greedy_coins(amount, coins):
    count = 0
    for coin in sorted(coins, reverse=True):
        count += amount // coin
        amount %= coin
    return count


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


def lasso_sweeps(x, y, lam, sweeps, *, together=False):
    """Coordinate descent for |y - x w|^2 / 2 + lam |w|_1; the objectives. Together: all from the old ones."""
    w = np.zeros(x.shape[1])
    objective = [0.5 * y @ y]
    for _ in range(sweeps):
        new = w.copy()
        for j in range(len(w)):
            base = w if together else new
            rest = y - x @ base + x[:, j] * base[j]
            norm = x[:, j] @ x[:, j]
            z = x[:, j] @ rest
            new[j] = np.sign(z) * max(abs(z) - lam, 0.0) / norm if norm > 0 else 0.0
        w = new
        objective.append(0.5 * np.sum((y - x @ w) ** 2) + lam * np.abs(w).sum())
    return np.array(objective)


def distances(forall, *, swaps):
    a, b, c = (forall.integers(name, 0, 3, 4) for name in "abc")

    def distance(u, v):
        return edit_distance_program(word(u), word(v), swaps=swaps)

    return rows(distance, a, c), rows(distance, a, b) + rows(distance, b, c)


def chain(forall):
    start, move = forall.simplex("start", 3), forall.simplex("move", 3, 3)
    return start, move, forall.simplex("emit", 3, 2)


SEEN = [0, 1, 1, 0]


def path_probability(path, start, move, emit):
    p = start[path[0]] * emit[path[0], SEEN[0]]
    for (i, j), symbol in zip(itertools.pairwise(path), SEEN[1:], strict=True):
        p = p * move[i, j] * emit[j, symbol]
    return p


def gale_shapley(men, women):
    """Preference lists of the proposers, ranks that the others give; the partner of each proposer."""
    n = len(men)
    partner, chosen, free = {}, [0] * n, list(range(n))
    while free:
        m = free.pop()
        w = int(men[m][chosen[m]])
        chosen[m] += 1
        if w not in partner:
            partner[w] = m
        elif women[w][m] < women[w][partner[w]]:
            free.append(partner[w])
            partner[w] = m
        else:
            free.append(m)
    return {m: w for w, m in partner.items()}


def stable(match, men, women):
    inverse = {w: m for m, w in match.items()}
    for m, w in match.items():
        for better in men[m][: list(men[m]).index(w)]:
            if women[int(better)][m] < women[int(better)][inverse[int(better)]]:
                return False
    return True


@claim("programs/plain-coordinates-together", always(), expected="refuted", cite="Tseng 2001")
def coordinates_together(forall):
    """Nor does a sweep that moves all coordinates at once."""
    x, y = forall.ball("x", 4, 3), forall.interval("y", -1.0, 1.0, 4)
    lam = forall.interval("lambda", 0.0, 0.5)
    return (
        rows(lambda x, y, lam: lasso_sweeps(x, y, lam, 3, together=True)[-1], x, y, lam),
        rows(lambda x, y, lam: lasso_sweeps(x, y, lam, 3, together=True)[-2], x, y, lam),
    )


@claim("programs/true-edit-distance", always(), cite="Wagner and Fischer 1974")
def edit_distance(forall):
    """The edit distance obeys the triangle inequality."""
    return distances(forall, swaps=False)


@claim("programs/subtle-alignment-distance", always(), expected="refuted", cite="Wagner and Fischer 1974")
def alignment_distance(forall):
    """So does the distance of optimal string alignment."""
    return distances(forall, swaps=True)


@claim("programs/true-dijkstra", identity(), cite="Dijkstra 1959; Floyd 1962")
def dijkstra(forall):
    """Both shortest-path programs give the same sum of distances."""
    w = forall.interval("w", 0.0, 1.0, 5, 5)
    return rows(lambda w: dijkstra_program(w).sum(), w), rows(lambda w: floyd_warshall(w)[0].sum(), w)


@claim("programs/subtle-dijkstra-negative", identity(), expected="refuted", cite="Dijkstra 1959; Floyd 1962")
def dijkstra_negative(forall):
    """They do so with lengths from -0.02 on, where no cycle is negative."""
    w = forall.interval("w", -0.02, 1.0, 4, 4)
    closed = torch.stack([torch.from_numpy(floyd_warshall(x)) for x in w.detach().numpy()])
    forall.assume(closed.diagonal(dim1=-2, dim2=-1).amin(-1) >= 0.0)
    return rows(lambda w: dijkstra_program(w).sum(), w), rows(lambda w: floyd_warshall(w)[0].sum(), w)


@claim("programs/true-longest-first", always(), cite="Graham 1969, Theorem 2", over=grid(machines=[2]))
def longest_first(forall, *, machines):
    """The longest first, it ends at most 4/3 - 1/(3m) times after."""
    jobs = forall.integers("jobs", 1, 6, 6)
    ours = rows(lambda j: makespan(list(j), machines, longest_first=True), jobs)
    return ours, (4.0 / 3.0 - 1.0 / (3.0 * machines)) * rows(lambda j: best_makespan(j, machines), jobs)


@claim("programs/true-greedy-knapsack", always(), cite="Martello and Toth 1990, 2.4")
def greedy_knapsack(forall):
    """The greedy filling or the best single item has half of the best value."""
    v, w = forall.interval("v", 0.0, 1.0, 5), forall.integers("w", 1, 10, 5)
    best = rows(lambda v, w: knapsack(v, w.astype(int), 10), v, w)
    greedy = rows(lambda v, w: greedy_knapsack_program(v, w.astype(int), 10), v, w)
    return 0.5 * best, torch.maximum(greedy, v.amax(-1))


@claim("programs/plain-greedy-knapsack", always(), expected="refuted", cite="Martello and Toth 1990, 2.4")
def greedy_alone(forall):
    """The greedy filling alone has half of the best value."""
    v, w = forall.interval("v", 0.0, 1.0, 5), forall.integers("w", 1, 10, 5)
    best = rows(lambda v, w: knapsack(v, w.astype(int), 10), v, w)
    return 0.5 * best, rows(lambda v, w: greedy_knapsack_program(v, w.astype(int), 10), v, w)


@claim("programs/subtle-huffman", always(), expected="refuted", cite="Huffman 1952; Shannon 1948")
def huffman_less(forall):
    """L <= H + 0.99."""
    p = forall.simplex("p", 4)
    entropy = -torch.special.xlogy(p, p).sum(-1) / np.log(2.0)
    return rows(huffman_length, p), entropy + 0.99


@claim("programs/true-viterbi", identity(), cite="Viterbi 1967")
def viterbi(forall):
    """Viterbi's program finds the probability of the most likely path."""
    start, move, emit = chain(forall)

    def enumerated(start, move, emit):
        return max(path_probability(p, start, move, emit) for p in itertools.product(range(3), repeat=4))

    return rows(lambda *m: viterbi_program(*m, SEEN)[0], start, move, emit), rows(enumerated, start, move, emit)


@claim("programs/true-coins", identity(), cite="a finite check")
def coins(forall):
    """Greedy change in coins of 1, 5, 10, 25 and 30 is best for amounts up to 49."""
    amount = forall.integers("amount", 1, 49)
    coins = (1, 5, 10, 25, 30)
    return rows(lambda a: greedy_coins(int(a), coins), amount), rows(lambda a: fewest_coins(int(a), coins), amount)


@claim("programs/subtle-coins", identity(), expected="refuted", cite="Chang and Gill 1970")
def coins_beyond(forall):
    """Greedy change in coins of 1, 5, 10, 25 and 30 is best for amounts up to 50."""
    amount = forall.integers("amount", 1, 50)
    coins = (1, 5, 10, 25, 30)
    return rows(lambda a: greedy_coins(int(a), coins), amount), rows(lambda a: fewest_coins(int(a), coins), amount)


@claim("programs/plain-proposers", always(), expected="refuted", cite="Gale and Shapley 1962, Theorem 2")
def others(forall):
    """Proposing gives the others no larger sum of ranks than any stable matching."""
    men = torch.stack([forall.permutation(f"m{i}", 3) for i in range(3)], 1)
    women = torch.stack([forall.permutation(f"w{i}", 3) for i in range(3)], 1)

    def theirs(match, women):
        return sum(women[w][m] for m, w in match.items())

    def best(men, women):
        matchings = (dict(enumerate(p)) for p in itertools.permutations(range(3)))
        return min(theirs(m, women) for m in matchings if stable(m, men, women))

    return rows(lambda m, w: theirs(gale_shapley(m, w), w), men, women), rows(best, men, women)


PROOFS = {
    "programs/true-edit-distance": "Scripts of edits can be joined.",
    "programs/true-dijkstra": "Both find the shortest paths where lengths are not negative.",
    "programs/true-longest-first": "Graham's theorem for two machines: 7/6.",
    "programs/true-greedy-knapsack": (
        "Greedy and the first item that does not fit exceed the best fractional filling."
    ),
    "programs/true-viterbi": "The maximum over paths splits along the last step.",
    "programs/true-coins": "All amounts from 1 to 49 are checked.",
}


WITNESSES = {
    "programs/plain-coordinates-together": {
        "params": {},
        "values": {
            "x": [[0.577, 0.577, 0.577], [0.577, 0.577, 0.577], [0.577, 0.577, 0.577], [0.577, 0.577, 0.577]],
            "y": [-1.0, -1.0, -1.0, -1.0],
            "lambda": 0.0,
        },
        "why": "128 against 32",
    },
    "programs/subtle-alignment-distance": {
        "params": {},
        "values": {"a": [0.0, 1.0, 1.0, 2.0], "b": [1.0, 2.0, 1.0, 0.0], "c": [1.0, 2.0, 3.0, 1.0]},
        "why": "3 against 2",
    },
    "programs/subtle-dijkstra-negative": {
        "params": {},
        "values": {
            "w": [
                [-0.00015, 0.00303, 0.00407, 0.00292],
                [-0.00015, 0.00273, 0.0106, -0.00015],
                [0.01116, -4e-05, 0.00998, 0.00549],
                [0.00579, 0.003, 0.00819, 0.00307],
            ]
        },
        "why": "0.01002 against 0.00998",
    },
    "programs/plain-greedy-knapsack": {
        "params": {},
        "values": {"v": [0.09, 0.12, 0.09, 0.12, 0.03], "w": [10.0, 10.0, 10.0, 10.0, 1.0]},
        "why": "0.06 against 0.03",
    },
    "programs/subtle-huffman": {"params": {}, "values": {"p": [1.0, 0.0, 0.0, 0.0]}, "why": "1 against 0.99"},
    "programs/subtle-coins": {"params": {}, "values": {"amount": 50.0}, "why": "3 against 2"},
    "programs/plain-proposers": {
        "params": {},
        "values": {
            "m0": [1.0, 0.5, 1.0],
            "m1": [0.0, 1.0, 1.0],
            "m2": [0.00022498303913619117, 0.0, 0.0],
            "w0": [0.5002916284345044, 0.4984896311828338, 0.4988564724639533],
            "w1": [0.5, 0.0, 1.0],
            "w2": [0.0, 0.5, 1.0],
        },
        "why": "5 against 0",
    },
}
