"""Alien claims, aside: what a reviewer of learning theory would check; see README.md."""

import math

import torch
from torch.special import xlogy

from harness import always, claim, expectation, grid, tail, up_to_constant


def binary_kl(q, p):
    return xlogy(q, q / p) + xlogy(1 - q, (1 - q) / (1 - p))


@claim(
    "theory/true-rff-unbiased",
    expectation(range=(-2.0, 2.0), margin=0.03),
    over=grid(m=[10]),
    cite="Rahimi and Recht 2007",
)
def rff(forall, draw, *, m):
    """The random features kernel has the mean exp(-|x-y|^2/2) (Rahimi and Recht 2007)."""
    x, y = forall.ball("x", 2), forall.ball("y", 2)
    w = draw.normal("w", m, 2)
    return (w @ (x - y)[:, :, None]).squeeze(-1).cos().mean(-1), (-(x - y).square().sum(-1) / 2).exp()


@claim("theory/true-nuclear", up_to_constant("n"), over=grid(n=[2, 4, 8, 16, 32]), cite="Horn and Johnson 2013")
def nuclear(forall, *, n):
    """|A|_nuclear <= C sqrt(n) |A|_F (Cauchy-Schwarz, C = 1)."""
    a = forall.symmetric("A", n)
    return torch.linalg.eigvalsh(a).abs().sum(-1), math.sqrt(n) * a.square().sum((-1, -2)).sqrt()


@claim("theory/plain-ece-brier", always(), expected="refuted", cite="Murphy 1973, without the root")
def ece_brier(forall):
    """|f - mean y| <= Brier score of the constant forecast f."""
    f, y = forall.interval("f", 0.0, 1.0), forall.integers("y", 0, 1, 6)
    return (f - y.mean(-1)).abs(), (f[:, None] - y).square().mean(-1)


@claim(
    "theory/plain-overshrunk",
    expectation(range=(-5.0, math.inf)),
    expected="refuted",
    cite="James and Stein 1961, up to 6",
)
def overshrunk(forall, draw):
    """The estimator (1 - 6.6/|x|^2) x in five dimensions has risk at most 5."""
    theta = forall.ball("theta", 5, radius=4.0)
    x = theta + draw.normal("z", 5)
    return ((1 - 6.6 / x.square().sum(-1, keepdim=True)) * x - theta).square().sum(-1), 5.0


@claim(
    "theory/subtle-conformal-upper",
    tail(),
    over=grid(n=[9], alpha=[0.2]),
    expected="refuted",
    cite="Lei et al. 2018, without ties",
)
def conformal_upper(forall, draw, *, n, alpha):
    """A new score is at most the ceil((n+1)(1-a))-th of n with probability at most 1 - a + 1/(n+1)."""
    law = forall.law("P", atoms=4)
    x = draw.law("x", law, n + 1)
    k = math.ceil((n + 1) * (1 - alpha))
    return x[:, n] <= x[:, :n].sort(-1).values[:, k - 1], 1 - alpha + 1 / (n + 1)


@claim("theory/subtle-chernoff-half", tail(), over=grid(n=[10]), expected="refuted", cite="Chernoff 1952, with 1")
def chernoff_half(forall, draw, *, n):
    """P(mean >= a) <= exp(-n kl(a, p))/2 for a = p + (1-p) u, u >= .5."""
    p, u = forall.interval("p", 0.01, 0.99), forall.interval("u", 0.5, 1.0)
    a = p + (1 - p) * u
    return draw.bernoulli("x", p, n).mean(-1) >= a, (-n * binary_kl(a.clamp(0, 1), p)).exp() / 2


PROOFS = {
    "theory/true-rff-unbiased": (
        "Rahimi and Recht: E cos(w (x - y)) is the characteristic function of the normal law, exp(-|x - y|^2 / 2)."
    ),
    "theory/true-nuclear": "Cauchy and Schwarz for the n eigenvalues, C = 1.",
}

WITNESSES = {
    "theory/plain-ece-brier": {"params": {}, "values": {"f": 0.9, "y": [1, 1, 1, 1, 1, 1]}, "why": "0.1 against 0.01."},
    "theory/plain-overshrunk": {
        "params": {},
        "values": {"theta": [0.0] * 5},
        "mean": 1.32,
        "why": "5 - 13.2 + 6.6^2/3 = 6.32 against 5, as E 1/|x|^2 = 1/3.",
    },
    "theory/subtle-conformal-upper": {
        "params": {"n": 9, "alpha": 0.2},
        "values": {"P atoms": [0.5] * 4, "P weights": [1.0, 0.0, 0.0, 0.0]},
        "probability": 1.0,
        "why": "A point mass is covered always: 1 against 0.9.",
    },
    "theory/subtle-chernoff-half": {
        "params": {"n": 10},
        "values": {"p": 0.75, "u": 1.0},
        "probability": 0.75**10,
        "why": "At a = 1: 0.75^10 against half of it.",
    },
}
