"""Alien claims, aside: programs as practitioners write them (2); see README.md."""

import math

import numpy as np
import torch

from harness import always, claim, every, expectation, grid, identity, tail, up_to_constant


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


class Hedge:
    """Exponential weights."""

    def __init__(self, losses, rate):
        self.total = torch.zeros_like(losses[:, 0])
        self.own = torch.zeros_like(losses[:, 0, 0])
        self.rate = rate

    def step(self, loss):
        weights = torch.softmax(-self.rate * self.total, -1)
        self.own = self.own + (weights * loss).sum(-1)
        self.total = self.total + loss

    def regret(self):
        return self.own - self.total.amin(-1)


def hedge_regret(losses):
    steps, experts = losses.shape[1:]
    learner = Hedge(losses, math.sqrt(8.0 * math.log(experts) / steps))
    for t in range(steps):
        learner.step(losses[:, t])
    return learner.regret()


def decision_process(forall, states=3, actions=2):
    move = forall.simplex("P", states, actions, states)
    return move, forall.interval("r", 0.0, 1.0, states, actions)


def greedy_gap(move, reward, gamma, tolerance):
    """Value iteration until the change is small; the loss of the greedy policy, by the best of all policies."""
    states, actions = reward.shape
    value = np.zeros(states)
    while True:
        new = (reward + gamma * move @ value).max(1)
        change = np.abs(new - value).max()
        value = new
        if change < tolerance * (1.0 - gamma) / (2.0 * gamma):
            break
    policy = (reward + gamma * move @ value).argmax(1)

    def evaluate(policy):
        p, r = move[np.arange(states), policy], reward[np.arange(states), policy]
        return np.linalg.solve(np.eye(states) - gamma * p, r)

    best = np.max([evaluate(np.array(np.unravel_index(i, (actions,) * states))) for i in range(actions**states)], 0)
    return np.max(best - evaluate(policy))


def definite(forall, n, low=0.2):
    return forall.psd("A", n, trace=1.0) + low * torch.eye(n, dtype=torch.float64)


def rayleigh(a, x):
    return torch.einsum("bi,bij,bj->b", x, a, x) / x.square().sum(-1)


def metropolis(target, proposal, *, corrected=True):
    """The transition matrix; corrected by the ratio of proposals (Hastings)."""
    n = target.shape[-1]
    flow = target[:, :, None] * proposal if corrected else target[:, :, None] * torch.ones(n, n, dtype=torch.float64)
    accept = torch.clamp(flow.mT / flow, max=1.0)
    move = proposal * accept * (1.0 - torch.eye(n, dtype=torch.float64))
    return move + torch.diag_embed(1.0 - move.sum(-1))


def step_up(p, alpha):
    """Benjamini and Hochberg's rejections."""
    m = p.shape[-1]
    ordered = p.sort(-1)
    below = ordered.values <= alpha * torch.arange(1, m + 1, dtype=torch.float64) / m
    count = torch.where(below, torch.arange(1, m + 1), 0).amax(-1)
    threshold = torch.where(count > 0, alpha * count / m, -1.0)
    return p <= threshold[:, None]


def p_values(draw, shift, nulls, m):
    z = draw.normal("z", m) + torch.nn.functional.pad(shift, (nulls, 0))
    return torch.special.ndtr(-z)


class UpperConfidence:
    """UCB1, on many replicates at a time; rewards are looked up in a table of arms and plays."""

    def __init__(self, rewards):
        self.rewards = rewards
        self.sums = rewards[:, :, 0].clone()
        self.plays = torch.ones_like(self.sums)

    def play(self, t):
        index = self.sums / self.plays + (2.0 * math.log(t) / self.plays).sqrt()
        arm = index.argmax(-1, keepdim=True)
        row = self.rewards.gather(1, arm[:, :, None].expand(-1, 1, self.rewards.shape[2]))[:, 0]
        reward = row.gather(1, self.plays.gather(1, arm).long())
        self.sums = self.sums + torch.zeros_like(self.sums).scatter(1, arm, reward)
        self.plays = self.plays + torch.zeros_like(self.plays).scatter(1, arm, 1.0)


def bandit(forall, draw, horizon):
    best, gap = forall.interval("best", 0.5, 1.0), forall.interval("gap", 0.1, 0.5)
    chances = torch.stack([best, best - gap], -1)
    learner = UpperConfidence(draw.bernoulli("rewards", chances, 2, horizon))
    for t in range(2, horizon):
        learner.play(t)
    return gap, learner.plays[:, 1]


def merge_sort(values):
    """The sorted list, and the number of comparisons."""
    if len(values) < 2:
        return list(values), 0
    half = len(values) // 2
    (a, left), (b, right) = merge_sort(values[:half]), merge_sort(values[half:])
    merged, count, i, j = [], left + right, 0, 0
    while i < len(a) and j < len(b):
        count += 1
        if a[i] <= b[j]:
            merged.append(a[i])
            i += 1
        else:
            merged.append(b[j])
            j += 1
    return merged + a[i:] + b[j:], count


def comparisons(sort, order):
    return torch.tensor([float(sort(row.tolist())[1]) for row in order], dtype=torch.float64)


def cross_validated_errors(labels, folds):
    """The rule of the majority, judged by folds; ties go to one."""
    n, errors = labels.shape[-1], 0.0
    for fold in np.array_split(np.arange(n), folds):
        keep = np.setdiff1d(np.arange(n), fold)
        guess = (labels[:, keep].mean(-1) >= 0.5).double()
        errors = errors + (labels[:, fold] != guess[:, None]).double().sum(-1)
    return errors / n


@claim(
    "programs/plain-hedge",
    always(),
    over=grid(steps=[8]),
    expected="refuted",
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2",
)
def hedge_quarter(forall, *, steps):
    """Exponential weights lose at most sqrt(T log N / 16) more than the best of N experts."""
    return hedge_regret(forall.interval("loss", 0.0, 1.0, steps, 3)), math.sqrt(steps * math.log(3.0) / 16.0)


@claim("programs/true-stopped-value-iteration", always(), cite="Puterman 1994, Theorem 6.3.1")
def stopped_value_iteration(forall):
    """Stopped at a change below eps (1 - gamma) / (2 gamma), the greedy policy is eps-optimal."""
    move, reward = decision_process(forall)
    return rows(lambda p, r: greedy_gap(p, r, 0.8, 0.3), move, reward), 0.3


@claim("programs/true-power-iteration", always(), cite="Golub and Van Loan 2013, 8.2.1", over=grid(steps=[1, 3]))
def power_iteration(forall, *, steps):
    """Rayleigh's quotient rises in power iteration with a positive definite matrix."""
    a, x = definite(forall, 3, 0.05), forall.sphere("x", 3)
    for _ in range(steps - 1):
        x = torch.nn.functional.normalize((a @ x[:, :, None])[:, :, 0], dim=-1)
    return rayleigh(a, x), rayleigh(a, (a @ x[:, :, None])[:, :, 0])


@claim("programs/plain-power-iteration", always(), expected="refuted", cite="Golub and Van Loan 2013, 8.2.1")
def power_iteration_symmetric(forall):
    """Rayleigh's quotient rises in power iteration with a symmetric matrix."""
    a, x = forall.symmetric("A", 3) + 0.1 * torch.eye(3, dtype=torch.float64), forall.sphere("x", 3)
    return rayleigh(a, x), rayleigh(a, (a @ x[:, :, None])[:, :, 0])


@claim("programs/true-online-gradient", always(), cite="Zinkevich 2003, Theorem 1", over=grid(steps=[4, 9]))
def online_gradient(forall, *, steps):
    """Projected online gradient descent on the unit ball has a regret of at most 2 sqrt(T) with eta = 2 / sqrt(T)."""
    g, own = forall.ball("g", steps, 2), 0.0
    x = torch.zeros_like(g[:, 0])
    for t in range(steps):
        own = own + (g[:, t] * x).sum(-1)
        x = x - 2.0 / math.sqrt(steps) * g[:, t]
        x = x / x.norm(dim=-1, keepdim=True).clamp(min=1.0)
    return own + g.sum(1).norm(dim=-1), 2.0 * math.sqrt(steps)


@claim("programs/true-page-rank", always(), cite="Langville and Meyer 2006, 4.7", over=grid(steps=[1, 6]))
def page_rank(forall, *, steps):
    """After k steps the rank is within 0.85^k |r_0 - r|_1 of the fixed point, dangling pages included."""
    links, r = forall.graph("G", 5).tril(), forall.simplex("r", 5)
    degree = links.sum(-1, keepdim=True)
    move = torch.where(degree > 0, links / degree.clamp(min=1.0), 0.2)
    exact = torch.linalg.solve(
        torch.eye(5, dtype=torch.float64) - 0.85 * move.mT, torch.full((len(move), 5), 0.03, dtype=torch.float64)
    )
    start = (r - exact).abs().sum(-1)
    for _ in range(steps):
        r = 0.03 + 0.85 * (move.mT @ r[:, :, None])[:, :, 0]
    return (r - exact).abs().sum(-1), 0.85**steps * start


@claim("programs/plain-metropolis", identity(), expected="refuted", cite="Hastings 1970")
def metropolis_asymmetric(forall):
    """So it is without Hastings' correction."""
    p, q = forall.simplex("p", 4) + 0.05, forall.simplex("q", 4, 4) + 0.05
    p, q = p / p.sum(-1, keepdim=True), q / q.sum(-1, keepdim=True)
    f = torch.tensor([1.0, 2.0, 4.0, 8.0], dtype=torch.float64)
    return ((p[:, None] @ metropolis(p, q, corrected=False))[:, 0] * f).sum(-1), (p * f).sum(-1)


@claim("programs/true-shuffle", identity(), cite="Fisher and Yates 1938")
def shuffle(forall):
    """Over all choices Fisher and Yates' shuffle gives each place the mean of the numbers."""
    x, total = forall.interval("x", 0.0, 1.0, 4), 0.0
    for code in every.permutations(4, like=x).long().tolist():
        order = list(range(4))
        for i in range(3, 0, -1):
            j = sorted(code[: i + 1]).index(code[i])
            order[i], order[j] = order[j], order[i]
        total = total + x[:, order[0]] + 2.0 * x[:, order[3]]
    return total / 24.0, 3.0 * x.mean(-1)


@claim("programs/true-step-up", expectation(range=(-0.2, 0.8)), cite="Benjamini and Hochberg 1995, Theorem 1")
def benjamini_hochberg(forall, draw):
    """The share of false rejections is 0.2 at most in the mean, at level 0.2, of three true of five hypotheses."""
    reject = step_up(p_values(draw, forall.interval("shift", 0.0, 3.0, 2), 3, 5), 0.2)
    false = reject[:, :3].sum(-1) / reject.sum(-1).clamp(min=1)
    return false, 0.2


@claim(
    "programs/plain-step-up-nulls",
    expectation(range=(-0.1, 0.9)),
    expected="refuted",
    cite="Benjamini and Hochberg 1995, Theorem 1",
)
def benjamini_hochberg_half(forall, draw):
    """It is half of that at most."""
    reject = step_up(p_values(draw, forall.interval("shift", 0.0, 3.0, 2), 3, 5), 0.2)
    false = reject[:, :3].sum(-1) / reject.sum(-1).clamp(min=1)
    return false, 0.1


@claim(
    "programs/true-upper-confidence",
    expectation(range=(-400.0, 50.0)),
    cite="Auer, Cesa-Bianchi, Fischer 2002",
    over=grid(horizon=[30]),
)
def upper_confidence(forall, draw, *, horizon):
    """UCB1 plays the worse arm at most 8 log T / gap^2 + 1 + pi^2 / 3 times in the mean."""
    gap, plays = bandit(forall, draw, horizon)
    return plays, (8.0 * math.log(horizon) / gap**2 + 1.0 + math.pi**2 / 3.0).clamp(max=400.0)


@claim(
    "programs/plain-explore-then-commit", tail(), over=grid(m=[6]), expected="refuted", cite="Hoeffding 1963, Theorem 2"
)
def explore_then_commit_twice(forall, draw, *, m):
    """With probability at most exp(-4 m gap^2)."""
    p, gap = forall.interval("p", 0.5, 1.0), forall.interval("gap", 0.0, 0.5)
    wins = draw.bernoulli("x", torch.stack([p, p - gap], -1), 2, m).sum(-1)
    return wins[:, 1] >= wins[:, 0], (-4.0 * m * gap**2).exp()


@claim("programs/true-merge-sort", up_to_constant("n"), cite="Knuth 1998, 5.2.4", over=grid(n=[4, 8, 16, 32, 64]))
def merge_sort_order(forall, *, n):
    """Merge sort needs at most C n log n comparisons."""
    return comparisons(merge_sort, forall.permutation("pi", n)), n * math.log(n)


@claim("programs/true-doeblin", always(), cite="Levin, Peres and Wilmer 2009, Theorem 4.9")
def doeblin(forall):
    """Two starts of a chain are within (1 - e)^k after k steps, e = sum_j min_i P_ij."""
    move, p, q = forall.simplex("P", 4, 4), forall.simplex("p", 4), forall.simplex("q", 4)
    share = 1.0 - move.amin(1).sum(-1)
    start = 0.5 * (p - q).abs().sum(-1)
    for _ in range(5):
        p, q = (p[:, None] @ move)[:, 0], (q[:, None] @ move)[:, 0]
    return 0.5 * (p - q).abs().sum(-1), share**5 * start


@claim(
    "programs/plain-cross-validation",
    expectation(range=(-1.0, 1.0)),
    over=grid(n=[8]),
    expected="refuted",
    cite="Kohavi 1995",
)
def cross_validation(forall, draw, *, n):
    """The leave-one-out error of the majority rule is min(p, 1 - p) at most in the mean."""
    p = forall.interval("p", 0.0, 1.0)
    return cross_validated_errors(draw.bernoulli("y", p, n), n), torch.minimum(p, 1.0 - p)


PROOFS = {
    "programs/true-stopped-value-iteration": "Theorem 6.3.1 of Puterman.",
    "programs/true-power-iteration": "Moments of the spectral measure are log-convex: m1 m2 <= m0 m3.",
    "programs/true-online-gradient": "1 / (2 eta) + eta T / 2 with eta = 2 / sqrt(T) is 1.25 sqrt(T).",
    "programs/true-page-rank": "Stochastic matrices do not expand the 1-norm.",
    "programs/true-shuffle": "Each order comes from one sequence of choices.",
    "programs/true-step-up": "The mean is m0 / m of the level for independent tests.",
    "programs/true-upper-confidence": "Theorem 1 of Auer, Cesa-Bianchi and Fischer.",
    "programs/true-merge-sort": "At most n log2 n comparisons.",
    "programs/true-doeblin": "A share e of each row is common, so that total variation shrinks by 1 - e.",
}


WITNESSES = {
    "programs/plain-hedge": {
        "params": {"steps": 8},
        "values": {
            "loss": [
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 1.0],
                [0.0, 1.0, 0.0],
                [0.0, 1.0, 0.0],
            ]
        },
        "why": "0.964844 against 0.741152",
    },
    "programs/plain-power-iteration": {
        "params": {},
        "values": {"A": [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0], "x": [1.0, 0.0, 0.0]},
        "why": "-0.9 against -2.89288",
    },
    "programs/plain-metropolis": {
        "params": {},
        "values": {
            "p": [1.0, 0.0, 0.0, 0.0],
            "q": [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
        },
        "why": "1.21528 against 1.45833",
    },
    "programs/plain-step-up-nulls": {
        "params": {},
        "values": {"shift": [0.0, 0.0]},
        "mean": 0.02,
        "why": "0.2 times 3/5 against 0.1",
    },
    "programs/plain-explore-then-commit": {
        "params": {"m": 6},
        "values": {"p": 0.75, "gap": 0.5},
        "probability": 0.05440223217010498,
        "why": "against exp(-6)",
    },
    "programs/plain-cross-validation": {
        "params": {"n": 8},
        "values": {"p": 0.25},
        "mean": 0.0352783203125,
        "why": "the majority of seven may be wrong",
    },
}
