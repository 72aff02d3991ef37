"""Alien claims, known: what a reviewer of learning theory would check; see README.md."""

# ruff: noqa: E731

import math

import torch
from torch.special import xlogy

from harness import always, claim, expectation, grid, high_probability, identity, rate, tail, up_to_constant


def binary_kl(q, p):
    return xlogy(q, q / p) + xlogy(1 - q, (1 - q) / (1 - p))


@claim("theory/true-adaboost", always(), cite="Freund and Schapire 1997")
def adaboost(forall):
    """Training error <= prod Z_t (Freund and Schapire 1997), with steps half log odds, cut off at 1e-6."""
    y, h = forall.signs("y", 6), forall.signs("h", 3, 6)
    w, f, bound = torch.full_like(y, 1 / 6), torch.zeros_like(y), torch.ones_like(y[:, 0])
    for t in range(3):
        err = (w * (h[:, t] != y)).sum(-1).clamp(1e-6, 1 - 1e-6)
        a = ((1 - err) / err).log() / 2
        w = w * (-a[:, None] * y * h[:, t]).exp()
        z = w.sum(-1)
        w, f, bound = w / z[:, None], f + a[:, None] * h[:, t], bound * z
    return (y * f <= 0).double().mean(-1), bound


@claim("theory/true-maximum-of-walks", expectation(range=(-17.0, 4.0)), over=grid(n=[10], K=[8]), cite="Massart 2000")
def maximum_of_walks(draw, *, n, K):
    """E max of K walks of n signs <= sqrt(2 n log K) (Massart's finite class lemma)."""
    return draw.signs("e", K, n).sum(-1).amax(-1), math.sqrt(2 * n * math.log(K))


@claim("theory/true-ogd", always(), over=grid(T=[4, 9]), cite="Zinkevich 2003")
def ogd(forall, *, T):
    """Projected gradient descent on the unit ball, step 1/sqrt(T), has regret <= sqrt(T) for linear losses
    (Zinkevich 2003; start 0).
    """
    g = forall.ball("g", T, 2)
    x, loss = torch.zeros_like(g[:, 0]), 0.0
    for t in range(T):
        loss = loss + (g[:, t] * x).sum(-1)
        x = x - g[:, t] / math.sqrt(T)
        x = x / x.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return loss + g.sum(1).norm(dim=-1), math.sqrt(T)


@claim(
    "theory/true-median-rate",
    rate("n", -1.0, at="exactly"),
    over=grid(n=[11, 33, 99, 297, 891]),
    cite="David and Nagaraja 2003",
)
def median_rate(draw, *, n):
    """The squared error of the median of n uniform numbers is of order 1/n (it is 1/(4(n+2)))."""
    return (draw.uniform("x", n).sort(-1).values[:, n // 2] - 0.5).square()


@claim("theory/true-chernoff", tail(), over=grid(n=[10]), cite="Chernoff 1952")
def chernoff(forall, draw, *, n):
    """P(mean >= a) <= exp(-n kl(a, p)) for a >= p (Chernoff 1952)."""
    p, u = forall.interval("p", 0.01, 0.99), forall.interval("u", 0.0, 1.0)
    a = p + (1 - p) * u
    return draw.bernoulli("x", p, n).mean(-1) >= a, (-n * binary_kl(a.clamp(0, 1), p)).exp()


@claim("theory/true-brier", identity(), cite="Murphy 1973")
def brier(forall):
    """Brier = reliability - resolution + uncertainty for forecasts of two values (Murphy 1973)."""
    f, s, y = forall.interval("f", 0.0, 1.0, 2), forall.integers("s", 0, 1, 6), forall.integers("y", 0, 1, 6)
    bar, total = y.mean(-1), 0.0
    for b in range(2):
        inside = (s == b).double()
        count = inside.sum(-1)
        mean = (inside * y).sum(-1) / count.clamp_min(1.0)
        total = total + count * ((f[:, b] - mean) ** 2 - (mean - bar) ** 2) / 6
    forecast = torch.where(s == 0, f[:, :1], f[:, 1:])
    return 1 + (forecast - y).square().mean(-1), 1 + total + bar * (1 - bar)


@claim(
    "theory/plain-bernstein-no-linear-term",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.05]),
    expected="refuted",
    cite="Maurer and Pontil 2009, without the last term",
)
def no_linear_term(forall, draw, *, n, delta):
    """mu - mean <= sqrt(2 V log(2/d)/n)."""
    law = forall.law("P", atoms=3)
    x = draw.law("x", law, n)
    return law.mean - x.mean(-1), (2 * x.var(-1) * math.log(2 / delta) / n).sqrt()


@claim("theory/plain-jensen", expectation(range=(-1.0, 1.0)), expected="refuted", cite="Jensen 1906, reversed")
def jensen(forall, draw):
    """E 1/(1+X) <= 1/(1+EX)."""
    law = forall.law("P", atoms=3)
    return 1 / (1 + draw.law("x", law)), 1 / (1 + law.mean)


@claim("theory/plain-processing-reversed", always(), expected="refuted", cite="Cover and Thomas 2006, reversed")
def processing_reversed(forall):
    """KL(P, Q) <= KL(PW, QW)."""
    p, q, w = forall.simplex("p", 3), forall.simplex("q", 3), forall.simplex("W", 3, 3)
    kl = lambda a, b: (xlogy(a, a) - xlogy(a, b)).sum(-1)
    return kl(p, q), kl((p[:, :, None] * w).sum(1), (q[:, :, None] * w).sum(1))


@claim(
    "theory/plain-uniform-in-time",
    high_probability("delta"),
    over=grid(T=[1000], delta=[0.05]),
    expected="refuted",
    cite="Hoeffding 1963, of one time",
)
def uniform_in_time(draw, *, T, delta):
    """S_t <= sqrt(2 t log(1/d)) for all t <= T."""
    s = draw.signs("e", T).cumsum(-1) / torch.arange(1, T + 1, dtype=torch.float64).sqrt()
    return s.amax(-1), math.sqrt(2 * math.log(1 / delta))


@claim(
    "theory/plain-l1-log",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024]),
    expected="refuted",
    cite="Horn and Johnson 2013, with the root of n",
)
def l1_log(forall, *, n):
    """|x|_1 <= C (1 + log n) |x|_2."""
    x = forall.ball("x", n)
    return x.abs().sum(-1), (1 + math.log(n)) * x.norm(dim=-1)


@claim("theory/subtle-pinsker-09", always(), expected="refuted", cite="Pinsker 1964, with 1")
def pinsker(forall):
    """TV <= 0.9 sqrt(KL/2)."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    kl = (xlogy(p, p) - xlogy(p, q)).sum(-1).clamp_min(0)
    return (p - q).abs().sum(-1) / 2, 0.9 * (kl / 2).sqrt()


@claim(
    "theory/subtle-maximum-of-walks",
    expectation(range=(-15.0, 6.0)),
    over=grid(n=[10], K=[8]),
    expected="refuted",
    cite="Massart 2000, with 2",
)
def maximum_of_walks_below(draw, *, n, K):
    """E max of K walks of n signs <= sqrt(0.9 n log K)."""
    return draw.signs("e", K, n).sum(-1).amax(-1), math.sqrt(0.9 * n * math.log(K))


@claim("theory/subtle-ogd-095", always(), over=grid(T=[4, 9]), expected="refuted", cite="Zinkevich 2003, with 1")
def ogd_below(forall, *, T):
    """Projected gradient descent on the unit ball, step 1/sqrt(T), has regret <= 0.95 sqrt(T) for linear losses."""
    g = forall.ball("g", T, 2)
    x, loss = torch.zeros_like(g[:, 0]), 0.0
    for t in range(T):
        loss = loss + (g[:, t] * x).sum(-1)
        x = x - g[:, t] / math.sqrt(T)
        x = x / x.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return loss + g.sum(1).norm(dim=-1), 0.95 * math.sqrt(T)


@claim(
    "theory/subtle-w1-rate",
    rate("n", -0.6),
    over=grid(n=[16, 64, 256, 1024, 4096]),
    expected="refuted",
    cite="Bobkov and Ledoux 2019, with -1/2",
)
def w1_rate(draw, *, n):
    """Wasserstein's distance of n uniform numbers from the uniform law is of order n^-0.6."""
    x = draw.uniform("x", n).sort(-1).values
    return (x - (torch.arange(n, dtype=torch.float64) + 0.5) / n).abs().mean(-1)


PROOFS = {
    "theory/true-adaboost": (
        "Freund and Schapire: 1[y f <= 0] <= exp(-y f), whose mean is prod Z_t, whatever the steps are."
    ),
    "theory/true-maximum-of-walks": (
        "Massart's lemma: the walks are sub-Gaussian with variance n, so E max <= sqrt(2 n log K)."
    ),
    "theory/true-ogd": (
        "Zinkevich: regret <= |u|^2 / (2 eta) + eta T / 2 = sqrt(T) for |u| = 1 and eta = 1/sqrt(T), started at 0."
    ),
    "theory/true-median-rate": ("The median has the law Beta((n+1)/2, (n+1)/2), whose variance is 1/(4 (n + 2))."),
    "theory/true-chernoff": "Chernoff 1952, for a >= p; at a = 1 it is an equality, p^n.",
    "theory/true-brier": (
        "Murphy: within each group (f - y)^2 has the mean (f - m)^2 + m (1 - m), and variances add up over the groups."
    ),
}

WITNESSES = {
    "theory/plain-bernstein-no-linear-term": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"P atoms": [0.0, 1.0, 0.0], "P weights": [0.9, 0.1, 0.0]},
        "probability": 0.9**20,
        "why": "All are 0 with probability 0.9^20 = 0.122; one 1 is enough.",
    },
    "theory/plain-jensen": {
        "params": {},
        "values": {"P atoms": [0.0, 1.0, 0.0], "P weights": [0.5, 0.5, 0.0]},
        "mean": 1.0 / 12.0,
        "why": "3/4 against 2/3.",
    },
    "theory/plain-processing-reversed": {
        "params": {},
        "values": {"p": [0.5, 0.5, 0.0], "q": [0.25, 0.75, 0.0], "W": [[0.5, 0.5, 0.0]] * 3},
        "why": "All is forgotten: log(4/3)/2 against 0.",
    },
    "theory/plain-uniform-in-time": {
        "params": {"T": 1000, "delta": 0.05},
        "values": {},
        "probability": 0.10628798088437,
        "why": "By recursion over the walk, absorbed where it exceeds the bound.",
    },
    "theory/plain-l1-log": {
        "params": [{"n": n} for n in (4, 16, 64, 256, 1024)],
        "values": [{"x": [n**-0.5] * n} for n in (4, 16, 64, 256, 1024)],
        "why": "Equal entries: sqrt(n) / (1 + log n).",
    },
    "theory/subtle-pinsker-09": {
        "params": {},
        "values": {"p": [0.5, 0.5, 0.0], "q": [0.6, 0.4, 0.0]},
        "why": "0.1 against 0.0909.",
    },
    "theory/subtle-maximum-of-walks": {
        "params": {"n": 10, "K": 8},
        "values": {},
        "mean": 0.09106654428049,
        "why": "The mean maximum is 4.418, by the binomial law, against 4.326.",
    },
    "theory/subtle-ogd-095": {
        "params": {"T": 4},
        "values": {"g": [[1.0, 0.0], [0.0, 1.0], [0.5**0.5, -(0.5**0.5)], [-0.16910197872576, 0.98559855965348]]},
        "why": "Each is orthogonal to the sum of the former ones, so no loss is had: 2 against 1.9.",
    },
    "theory/subtle-w1-rate": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "A Brownian bridge's mean absolute value over sqrt(n).",
    },
}
