"""Alien claims, aside: programs as practitioners write them (1); see README.md."""

import heapq
import itertools

import numpy as np
import torch

from harness import always, claim, grid, identity


def common_subsequence(a, b):
    """The length of the longest common subsequence."""
    memo = {}

    def best(i, j):
        if i == len(a) or j == len(b):
            return 0
        if (i, j) not in memo:
            if a[i] == b[j]:
                memo[i, j] = 1 + best(i + 1, j + 1)
            else:
                memo[i, j] = max(best(i + 1, j), best(i, j + 1))
        return memo[i, j]

    return best(0, 0)


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


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


def mixture_log_likelihood(x, weight, means):
    first = torch.exp(-0.5 * (x - means[:, :1]) ** 2)
    second = torch.exp(-0.5 * (x - means[:, 1:]) ** 2)
    return (weight[:, None] * first + (1.0 - weight[:, None]) * second).log().sum(-1)


def em_step(x, weight, means, *, hard=False):
    """One step for a mixture of two normal laws of variance one."""
    first = weight[:, None] * torch.exp(-0.5 * (x - means[:, :1]) ** 2)
    second = (1.0 - weight[:, None]) * torch.exp(-0.5 * (x - means[:, 1:]) ** 2)
    share = first / (first + second)
    if hard:
        share = (share > 0.5).double()
    total = share.sum(-1)
    left = (share * x).sum(-1) / total
    right = ((1.0 - share) * x).sum(-1) / (x.shape[-1] - total)
    return total / x.shape[-1], torch.stack([left, right], -1)


def leave_one_out(x, y, lam):
    total = 0.0
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        a, b = x[keep], y[keep]
        w = np.linalg.solve(a.T @ a + lam * np.eye(x.shape[1]), a.T @ b)
        total += (y[i] - x[i] @ w) ** 2
    return total


def shortcut(x, y, lam, power):
    hat = x @ np.linalg.solve(x.T @ x + lam * np.eye(x.shape[1]), x.T)
    return np.sum((y - hat @ y) ** 2 / (1.0 - np.diag(hat)) ** power)


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


def rank_sum(match, men):
    return sum(list(men[m]).index(w) for m, w in match.items())


@claim("programs/true-em-monotone", always(), cite="Dempster, Laird and Rubin 1977, Theorem 1", over=grid(steps=[1, 4]))
def em_monotone(forall, *, steps):
    """No step of EM lowers the likelihood of a mixture of two normal laws."""
    x, means = forall.interval("x", -2.0, 2.0, 5), forall.interval("means", -2.0, 2.0, 2)
    weight = forall.interval("weight", 0.1, 0.9)
    for _ in range(steps - 1):
        weight, means = em_step(x, weight, means)
    before = mixture_log_likelihood(x, weight, means)
    return before, mixture_log_likelihood(x, *em_step(x, weight, means))


@claim("programs/subtle-em-hard", always(), expected="refuted", cite="Dempster, Laird and Rubin 1977, Theorem 1")
def em_hard(forall):
    """No step of EM with hard assignments lowers the likelihood, where both parts have points."""
    x, means = forall.interval("x", -2.0, 2.0, 5), forall.interval("means", -2.0, 2.0, 2)
    weight = forall.interval("weight", 0.1, 0.9)
    new_weight, new_means = em_step(x, weight, means, hard=True)
    forall.assume((new_weight > 0) & (new_weight < 1))
    return mixture_log_likelihood(x, weight, means), mixture_log_likelihood(x, new_weight, new_means)


@claim("programs/true-kalman-bayes", identity(), cite="Kalman 1960; Anderson and Moore 1979")
def kalman_bayes(forall):
    """The filter's mean is the conditional mean of the last state in the joint normal law."""
    y, a = forall.interval("y", -1.0, 1.0, 4), forall.interval("a", -1.0, 1.0)
    q, r = forall.interval("q", 0.0, 1.0), forall.interval("r", 0.1, 1.0)
    variance = [torch.ones_like(a)]
    for _ in range(3):
        variance.append(a**2 * variance[-1] + q)
    cov = torch.stack([torch.stack([a ** abs(i - j) * variance[min(i, j)] for j in range(4)], -1) for i in range(4)], 1)
    joint = torch.linalg.solve(cov + r[:, None, None] * torch.eye(4, dtype=torch.float64), y[:, :, None])[:, :, 0]
    mean, var = torch.zeros_like(a), torch.ones_like(a)
    for step in range(4):
        if step:
            mean, var = a * mean, a**2 * var + q
        gain = var / (var + r)
        mean, var = mean + gain * (y[:, step] - mean), (1.0 - gain) * var
    return mean + 10.0, (cov[:, 3] * joint).sum(-1) + 10.0


@claim("programs/true-leave-one-out", identity(), cite="Allen 1974; Golub, Heath and Wahba 1979")
def ridge_leave_one_out(forall):
    """The squared leave-one-out errors of ridge regression are those of the fit, over (1 - h_ii)^2."""
    x, y = forall.ball("x", 6, 2), forall.interval("y", -1.0, 1.0, 6)
    lam = forall.interval("lambda", 0.1, 1.0)
    return rows(leave_one_out, x, y, lam), rows(lambda x, y, lam: shortcut(x, y, lam, 2), x, y, lam)


@claim("programs/plain-leave-one-out", identity(), expected="refuted", cite="Allen 1974; Golub, Heath and Wahba 1979")
def ridge_leave_one_out_once(forall):
    """The squared leave-one-out errors of ridge regression are those of the fit, over 1 - h_ii."""
    x, y = forall.ball("x", 6, 2), forall.interval("y", -1.0, 1.0, 6)
    lam = forall.interval("lambda", 0.1, 1.0)
    return rows(leave_one_out, x, y, lam), rows(lambda x, y, lam: shortcut(x, y, lam, 1), x, y, lam)


@claim("programs/true-subsequence-metric", always(), cite="Bergroth, Hakonen and Raita 2000")
def subsequence_metric(forall):
    """LCS(a, b) + LCS(b, c) <= n + LCS(a, c) for words of the length n."""
    a, b, c = (forall.integers(name, 0, 2, 6) for name in "abc")
    left = rows(common_subsequence, a, b) + rows(common_subsequence, b, c)
    return left, 6.0 + rows(common_subsequence, a, c)


@claim("programs/plain-subsequence-ultra", always(), expected="refuted", cite="Bergroth, Hakonen and Raita 2000")
def subsequence_ultra(forall):
    """LCS(a, c) >= min(LCS(a, b), LCS(b, c))."""
    a, b, c = (forall.integers(name, 0, 2, 6) for name in "abc")
    left = torch.minimum(rows(common_subsequence, a, b), rows(common_subsequence, b, c))
    return left, rows(common_subsequence, a, c)


@claim("programs/true-list-scheduling", always(), cite="Graham 1966", over=grid(machines=[2, 3]))
def list_scheduling(forall, *, machines):
    """List scheduling ends at most 2 - 1/m times after the best schedule."""
    jobs = forall.interval("jobs", 0.0, 1.0, 5)
    ours = rows(lambda j: makespan(list(j), machines), jobs)
    return ours, (2.0 - 1.0 / machines) * rows(lambda j: best_makespan(j, machines), jobs)


@claim(
    "programs/subtle-longest-first",
    always(),
    over=grid(machines=[2]),
    expected="refuted",
    cite="Graham 1969, Theorem 2",
)
def longest_first_less(forall, *, machines):
    """The longest of five jobs first, it ends at most 1.16 times after, for two machines."""
    jobs = forall.integers("jobs", 1, 6, 5)
    ours = rows(lambda j: makespan(list(j), machines, longest_first=True), jobs)
    return ours, 1.16 * rows(lambda j: best_makespan(j, machines), jobs)


@claim("programs/true-huffman", always(), cite="Huffman 1952; Shannon 1948")
def huffman(forall):
    """H <= L <= H + 1 for Huffman's code."""
    p = forall.simplex("p", 5)
    entropy = -torch.special.xlogy(p, p).sum(-1) / np.log(2.0)
    length = rows(huffman_length, p)
    return (length - entropy - 0.5).abs(), 0.5


@claim("programs/plain-posterior-path", always(), expected="refuted", cite="Viterbi 1967")
def posterior_path(forall):
    """The path of the most likely single states is as likely as Viterbi's, up to a half."""
    start, move, emit = chain(forall)

    def pointwise(start, move, emit):
        posterior = np.zeros((4, 3))
        for path in itertools.product(range(3), repeat=4):
            p = path_probability(path, start, move, emit)
            for t, s in enumerate(path):
                posterior[t, s] += p
        return path_probability(list(posterior.argmax(1)), start, move, emit)

    return rows(lambda *m: viterbi_program(*m, SEEN)[0], start, move, emit), 2.0 * rows(pointwise, start, move, emit)


@claim("programs/true-proposers", identity(), cite="Gale and Shapley 1962, Theorem 2")
def proposers(forall):
    """Proposing gives the proposers the least sum of ranks over all stable matchings."""
    men = torch.stack([forall.permutation(f"m{i}", 3) for i in range(3)], 1)
    women = torch.stack([forall.permutation(f"w{i}", 3) for i in range(3)], 1)

    def best(men, women):
        matchings = (dict(enumerate(p)) for p in itertools.permutations(range(3)))
        return min(rank_sum(m, men) for m in matchings if stable(m, men, women))

    ours = rows(lambda m, w: rank_sum(gale_shapley(m, w), m), men, women)
    return ours, rows(best, men, women)


PROOFS = {
    "programs/true-em-monotone": "The expected complete likelihood is maximised, and the rest is a KL divergence.",
    "programs/true-kalman-bayes": (
        "Conditioning a normal law on one observation after the other is conditioning on all."
    ),
    "programs/true-leave-one-out": "Sherman and Morrison's formula for the Gram matrix without a row.",
    "programs/true-subsequence-metric": "Two common subsequences share LCS(a, b) + LCS(b, c) - n places of b.",
    "programs/true-list-scheduling": (
        "The last job starts when all machines are busy: (sum - p) / m + p, and p <= OPT."
    ),
    "programs/true-huffman": (
        "Huffman's code is best, Shannon's has lengths below 1 - log p, and no code beats the entropy."
    ),
    "programs/true-proposers": "Every proposer gets the best partner of all stable matchings.",
}


WITNESSES = {
    "programs/subtle-em-hard": {
        "params": {},
        "values": {"x": [-0.004, 0.004, -0.004, 0.004, -0.004], "means": [-0.0002, 0.002], "weight": 0.5},
        "why": "-4.86499e-05 against -7.67994e-05",
    },
    "programs/plain-leave-one-out": {
        "params": {},
        "values": {
            "x": [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, -1.0], [0.0, 0.0], [0.0, 0.0]],
            "y": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            "lambda": 1.0,
        },
        "why": "1 against 0.5",
    },
    "programs/plain-subsequence-ultra": {
        "params": {},
        "values": {
            "a": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            "b": [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            "c": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
        "why": "1 against 0",
    },
    "programs/subtle-longest-first": {
        "params": {"machines": 2},
        "values": {"jobs": [2.0, 2.0, 2.0, 3.0, 3.0]},
        "why": "7 against 6.96",
    },
    "programs/plain-posterior-path": {
        "params": {},
        "values": {
            "start": [0.4, 0.3, 0.3],
            "move": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.5, 0.5]],
            "emit": [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]],
        },
        "why": "0.025 against 0",
    },
}
