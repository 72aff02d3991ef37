"""Alien claims, known: programs as practitioners write them (4); see README.md."""

import math

import torch

from harness import claim, expectation, grid, high_probability, rate, tail, up_to_constant


def step_down(p, alpha, offset):
    """Holm's rejections; the j-th smallest is compared with alpha / (m - j + offset)."""
    m = p.shape[-1]
    order = p.argsort(-1)
    limits = alpha / (m - torch.arange(1, m + 1, dtype=torch.float64) + offset)
    passed = (p.gather(-1, order) <= limits).long().cumprod(-1).bool()
    return torch.zeros_like(passed).scatter(-1, order, passed)


def sequential_test(x, null, other, bound):
    """True where the likelihood ratio reaches the bound at some time."""
    ratio, hit = torch.ones_like(x[:, 0]), torch.zeros(len(x), dtype=torch.bool)
    for t in range(x.shape[-1]):
        ratio = ratio * torch.where(x[:, t] > 0.5, other / null, (1.0 - other) / (1.0 - null))
        hit = hit | (ratio >= bound)
    return hit


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


def stochastic_gradient(noise, start, power):
    """w <- w - k^-power (w - y_k) for observations y of 0."""
    w = torch.full_like(noise[:, 0], start)
    for k in range(noise.shape[-1]):
        w = w - (k + 1.0) ** -power * (w - noise[:, k])
    return w


def insertion_sort(values):
    values, count = list(values), 0
    for i in range(1, len(values)):
        j = i
        while j > 0:
            count += 1
            if values[j - 1] <= values[j]:
                break
            values[j - 1], values[j] = values[j], values[j - 1]
            j -= 1
    return values, count


def comparisons(sort, order):
    return torch.tensor([float(sort(row.tolist())[1]) for row in order], dtype=torch.float64)


@claim("programs/true-step-down", tail(), cite="Holm 1979", over=grid(alpha=[0.1]))
def holm(forall, draw, *, alpha):
    """A true hypothesis is rejected with probability at most alpha, for correlated tests."""
    shift, share = forall.interval("shift", 0.0, 4.0, 2), forall.interval("share", 0.0, 1.0)
    z = share.sqrt()[:, None] * draw.normal("common", 1) + (1.0 - share).sqrt()[:, None] * draw.normal("own", 4)
    p = torch.special.ndtr(-z - torch.nn.functional.pad(shift, (2, 0)))
    return step_down(p, alpha, 1)[:, :2].any(-1), alpha


@claim("programs/subtle-step-down", tail(), over=grid(alpha=[0.1]), expected="refuted", cite="Holm 1979")
def holm_off_by_one(forall, draw, *, alpha):
    """So it is with alpha / (m - j + 0.7)."""
    shift, share = forall.interval("shift", 0.0, 4.0, 2), forall.interval("share", 0.0, 1.0)
    z = share.sqrt()[:, None] * draw.normal("common", 1) + (1.0 - share).sqrt()[:, None] * draw.normal("own", 4)
    p = torch.special.ndtr(-z - torch.nn.functional.pad(shift, (2, 0)))
    return step_down(p, alpha, 0.7)[:, :2].any(-1), alpha


@claim("programs/true-sequential-test", tail(), cite="Wald 1947; Ville 1939", over=grid(bound=[2.5, 6.0]))
def wald(forall, draw, *, bound):
    """A likelihood ratio reaches b with probability at most 1 / b under the null."""
    null, other = forall.interval("null", 0.1, 0.9), forall.interval("other", 0.1, 0.9)
    return sequential_test(draw.bernoulli("x", null, 10), null, other, bound), 1.0 / bound


@claim(
    "programs/plain-upper-confidence",
    expectation(range=(-60.0, 30.0)),
    over=grid(horizon=[30]),
    expected="refuted",
    cite="Auer, Cesa-Bianchi, Fischer 2002",
)
def upper_confidence_less(forall, draw, *, horizon):
    """UCB1 plays the worse arm at most 0.3 log T / gap^2 times in the mean, for gaps from 0.1 to 0.5."""
    gap, plays = bandit(forall, draw, horizon)
    return plays, (0.3 * math.log(horizon) / gap**2).clamp(max=60.0)


@claim("programs/true-explore-then-commit", tail(), cite="Hoeffding 1963, Theorem 2", over=grid(m=[6]))
def explore_then_commit(forall, draw, *, m):
    """After m plays of each arm the worse one leads or ties with probability at most exp(-m gap^2)."""
    p, gap = forall.interval("p", 0.5, 1.0), forall.interval("gap", 0.0, 0.5)
    wins = draw.bernoulli("x", torch.stack([p, p - gap], -1), 2, m).sum(-1)
    return wins[:, 1] >= wins[:, 0], (-m * gap**2).exp()


@claim("programs/true-robbins-monro", rate("n", -1.0), cite="Robbins and Monro 1951", over=grid(n=[8, 16, 32, 64, 128]))
def robbins_monro(draw, *, n):
    """Stochastic gradients with steps 1/k have a squared error of order 1/n."""
    return stochastic_gradient(draw.normal("y", n), 3.0, 1.0) ** 2


@claim(
    "programs/plain-robbins-monro",
    rate("n", -1.0),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    expected="refuted",
    cite="Robbins and Monro 1951",
)
def robbins_monro_slow(draw, *, n):
    """So they have with steps k^-1/2."""
    return stochastic_gradient(draw.normal("y", n), 3.0, 0.5) ** 2


@claim(
    "programs/plain-insertion-sort",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128]),
    expected="refuted",
    cite="Knuth 1998, 5.2.4",
)
def insertion_sort_order(forall, *, n):
    """Insertion sort needs at most C n log n comparisons."""
    return comparisons(insertion_sort, forall.permutation("pi", n)), n * math.log(n)


@claim(
    "programs/true-median-of-means",
    high_probability("delta"),
    cite="Devroye, Lerasle, Lugosi, Oliveira 2016",
    over=grid(delta=[0.05]),
)
def median_of_means(forall, draw, *, delta):
    """The median of 25 means of 4 is within two of their standard deviations, up to exp(-25/8) < 0.05."""
    law = forall.pareto("P", index=(2.2, 5.0))
    means = draw.law("x", law, 25, 4).mean(-1)
    return (means.median(-1).values - law.mean).abs(), 2.0 * (law.variance / 4.0).sqrt()


@claim("programs/true-dkw-program", high_probability("delta"), cite="Massart 1990", over=grid(n=[30], delta=[0.1]))
def dkw_program(draw, *, n, delta):
    """The largest step of an empirical distribution function away from the diagonal, by sorting."""
    x = draw.uniform("x", n).sort(-1).values
    upper = (torch.arange(1, n + 1, dtype=torch.float64) / n - x).amax(-1)
    lower = (x - torch.arange(n, dtype=torch.float64) / n).amax(-1)
    return torch.maximum(upper, lower), math.sqrt(math.log(2.0 / delta) / (2.0 * n))


PROOFS = {
    "programs/true-step-down": "The first true hypothesis to be rejected has a p-value of at most alpha / m0.",
    "programs/true-sequential-test": "The ratio is a non-negative martingale with mean one.",
    "programs/true-explore-then-commit": "Hoeffding's inequality for 2 m independent numbers of range one.",
    "programs/true-robbins-monro": "The iterate is the mean of the observations.",
    "programs/true-median-of-means": (
        "A block is off by two deviations with probability 1/4 at most; Hoeffding over 25 blocks."
    ),
    "programs/true-dkw-program": "The inequality of Dvoretzky, Kiefer, Wolfowitz and Massart.",
}


WITNESSES = {
    "programs/subtle-step-down": {
        "params": {"alpha": 0.1},
        "values": {"shift": [4.0, 4.0], "share": 0.0},
        "probability": 0.11307254137574146,
        "why": "two true hypotheses are left at alpha / 1.7",
    },
    "programs/plain-upper-confidence": {
        "params": {"horizon": 30},
        "values": {"best": 1.0, "gap": 0.5},
        "mean": 2.5684044505991634,
        "why": "6.65 plays against 4.08",
    },
    "programs/plain-robbins-monro": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "the iterate averages the last sqrt(n) observations",
    },
    "programs/plain-insertion-sort": {
        "params": [{"n": n} for n in (4, 8, 16, 32, 64, 128)],
        "values": [{"pi": [k / n for k in range(n - 1, -1, -1)]} for n in (4, 8, 16, 32, 64, 128)],
        "why": "n (n - 1) / 2 comparisons",
    },
}
