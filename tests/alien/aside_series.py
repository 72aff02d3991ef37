"""Alien claims, aside: time series, order statistics, U-statistics, resampling, renewal and survival; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    expected_value,
    grid,
    identity,
    rate,
    reproduction,
    tail,
    up_to_constant,
)
from harness.language.spaces import Signs


def alpha_mixing(j):
    """Largest |P(A and B) - P(A) P(B)| of a joint law (batch, k, k)."""
    k = j.shape[-1]
    sets = every.vectors(2, k, like=j)
    both = torch.einsum("ai,bij,cj->bac", sets, j, sets)
    return (both - (j.sum(-1) @ sets.mT)[:, :, None] * (j.sum(-2) @ sets.mT)[:, None, :]).abs().amax((-1, -2))


@claim("series/true-ar2-triangle", always(), cite="Jury 1964; Box and Jenkins 1970")
def s3(forall):
    """In the stationarity triangle the companion matrix has a spectral radius of at most 1."""
    a, b = forall.interval("a", -2.0, 2.0), forall.interval("b", -1.0, 1.0)
    forall.assume((a + b <= 1) & (b - a <= 1))
    top = torch.stack([a, b], -1)
    bottom = torch.stack([torch.ones_like(a), torch.zeros_like(a)], -1)
    return torch.linalg.eigvals(torch.stack([top, bottom], -2)).abs().amax(-1), 1.0


@claim(
    "series/plain-uniform-maximum",
    expectation(range=(-1.0, 1.0)),
    over=grid(n=[5]),
    expected="refuted",
    cite="Renyi 1953, with n for n + 1",
)
def s4(draw, *, n):
    """E max of n uniforms <= 1 - 1/n."""
    return draw.uniform("u", n).amax(-1), 1 - 1 / n


@claim("series/true-worst-coin-rate", rate("n", -0.5), over=grid(n=[8, 16, 32, 64, 128, 256]), cite="Jensen 1906")
def s6b(forall, draw, *, n):
    """E |mean - p| is at most of order n^(-1/2) for every p."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs()


@claim("series/true-bootstrap-variance", identity(), cite="Efron 1979")
def s9(forall):
    """The exact bootstrap variance of the mean is the plug-in variance over n."""
    x = forall.interval("x", -1.0, 1.0, 4)
    means = x[:, every.vectors(4, 4, like=x).long()].mean(-1)
    return means.var(-1, unbiased=False), x.var(-1, unbiased=False) / 4


@claim(
    "series/subtle-monte-carlo-p-value",
    tail(),
    expected="refuted",
    cite="Phipson and Smyth 2010, without the observed one",
)
def s10f(draw):
    """P(share of 100 simulated values that reach the observed one <= 0.05) <= 0.05."""
    u = draw.uniform("u", 101)
    return (u[:, 1:] >= u[:, :1]).double().mean(-1) <= 0.05, 0.05


@claim("series/true-antithetic", always(), over=grid(k=[6]), cite="Chebyshev 1882; Hammersley and Morton 1956")
def s12(forall, *, k):
    """Var of the antithetic mean <= Var f / 2 for increasing f on k equal cells."""
    f = forall.simplex("steps", k).cumsum(-1)
    pair = (f + f.flip(-1)) / 2
    return pair.var(-1, unbiased=False), f.var(-1, unbiased=False) / 2


@claim("series/plain-poisson-gaussian", tail(), expected="refuted", cite="Bernstein 1924, without its linear term")
def s14f(forall, draw):
    """P(N >= l + t) <= exp(-t^2 / (2 l))."""
    lam, t = forall.interval("l", 0.5, 5.0), forall.interval("t", 0.5, 4.0)
    return draw.sample("N", torch.distributions.Poisson(lam)) >= lam + t, (-(t**2) / (2 * lam)).exp()


@claim("series/true-wald", expectation(range=(-10.0, 2.0), margin=0.02), cite="Wald 1944")
def s15(draw):
    """E S_N <= E N / 2 for the first N with S_N > 2, capped at 20."""
    s = draw.uniform("x", 20).cumsum(-1)
    n = 1 + (s <= 2).long().sum(-1).clamp_max(19)
    return s.gather(-1, n[:, None] - 1)[:, 0], n / 2


@claim(
    "series/subtle-largest-spacing",
    rate("n", -1.0),
    over=grid(n=[16, 32, 64, 128, 256, 512, 1024]),
    expected="refuted",
    cite="Levy 1939, without the logarithm",
)
def s18(draw, *, n):
    """The largest spacing of n uniform numbers is of order 1/n."""
    x = draw.uniform("u", n).sort(-1).values
    return x.diff(dim=-1).amax(-1)


@claim(
    "series/true-normal-maximum",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
    cite="Boucheron, Lugosi, Massart 2013, Theorem 2.5",
)
def s19(draw, *, n):
    """E max of n normals <= C sqrt(log n)."""
    return draw.normal("z", n).amax(-1), math.sqrt(math.log(n))


@claim("series/subtle-mixing-covariance", always(), expected="refuted", cite="Ibragimov 1962, with 3.96 for 4")
def s20f(forall):
    """|Cov(f(X), g(Y))| <= 3.96 alpha for |f|, |g| <= 1."""
    j = forall.simplex("J", 9).reshape(-1, 3, 3)
    f, g = forall.interval("f", -1.0, 1.0, 3), forall.interval("g", -1.0, 1.0, 3)
    cov = torch.einsum("bi,bij,bj->b", f, j, g) - (j.sum(-1) * f).sum(-1) * (j.sum(-2) * g).sum(-1)
    return cov.abs(), 3.96 * alpha_mixing(j)


@claim("series/true-parseval-signs", identity(), cite="Parseval 1799")
def s21b(forall):
    """The periodogram of eight signs sums to 64."""
    x = forall.member(Signs("e", (8,)))
    return (torch.fft.fft(x).abs() ** 2).sum(-1), 64.0


@claim("series/true-gini-order", identity(), over=grid(n=[5]), cite="Gini 1912")
def s24(forall, *, n):
    """sum_{i<j} |x_i - x_j| = sum_i (2 i - n - 1) x_(i)."""
    x = forall.interval("x", -1.0, 1.0, n)
    i = torch.arange(1, n + 1, dtype=x.dtype)
    return (x[:, :, None] - x[:, None, :]).abs().sum((-1, -2)) / 2, ((2 * i - n - 1) * x.sort(-1).values).sum(-1)


@claim("series/true-kantorovich", always(), cite="Kantorovich and Rubinstein 1958; Vallender 1974")
def s27(forall):
    """|E_P f - E_Q f| <= int |F - G| for 1-Lipschitz f."""
    x = forall.interval("x", 0.0, 1.0, 4)
    f = forall.lipschitz("f", x)
    p, q = forall.simplex("p", 4), forall.simplex("q", 4)
    y, order = x.sort(-1)
    gap = (p - q).gather(-1, order).cumsum(-1)[:, :-1].abs()
    return ((p - q) * f).sum(-1).abs(), (gap * y.diff(dim=-1)).sum(-1)


@claim("series/true-derangements", reproduction(tolerance=0.02), cite="Montmort 1708")
def s30(draw):
    """The probability of no fixed point of ten is 0.368."""
    order = draw.uniform("u", 2000, 10).argsort(-1)
    none = (order != torch.arange(10)).all(-1)
    return [Row("none", Estimate.mean(none.double().mean(-1), between=(0.0, 1.0)), printed=0.368)]


@claim("series/true-rademacher-deviation", tail(), cite="McDiarmid 1989")
def s34(draw):
    """P(Z - E Z >= 2) <= exp(-2 * 4 / 8) for Z = max |partial sum| / 2 of eight signs."""

    def peak(draw):
        return draw.signs("e", 8).cumsum(-1).abs().amax(-1) / 2

    mean = expected_value(draw, "E Z", peak, low=0.0, high=4.0, side="above")
    return peak(draw) - mean >= 2.0, math.exp(-1.0)


PROOFS = {
    "series/true-ar2-triangle": "Jury's conditions, and continuity on the boundary.",
    "series/true-worst-coin-rate": "Jensen: E |mean - p| <= sd <= 1/(2 sqrt n).",
    "series/true-bootstrap-variance": "The four draws are independent with the plug-in variance.",
    "series/true-antithetic": "Chebyshev's sum inequality: f and its reversal are negatively correlated.",
    "series/true-wald": "Wald's identity for a bounded stopping time.",
    "series/true-normal-maximum": "E max <= sqrt(2 log n).",
    "series/true-parseval-signs": "Parseval's identity: eight times the sum of eight squares of signs.",
    "series/true-gini-order": "x_(i) is the larger of i - 1 pairs and the smaller of n - i.",
    "series/true-kantorovich": "Summation by parts over the sorted points.",
    "series/true-derangements": "The probability is .36788.",
    "series/true-rademacher-deviation": "McDiarmid's inequality with differences of at most 1.",
}

WITNESSES = {
    "series/plain-uniform-maximum": {"params": {"n": 5}, "values": {}, "mean": 1.0 / 30.0, "why": "5/6 > 4/5"},
    "series/subtle-monte-carlo-p-value": {
        "params": {},
        "values": {},
        "probability": 6.0 / 101.0,
        "why": "at most five of 100: the rank is one of six among 101",
    },
    "series/plain-poisson-gaussian": {
        "params": {},
        "values": {"l": 0.6, "t": 2.4},
        "probability": 1.0 - 1.78 * math.exp(-0.6),
        "why": "P(N >= 3) = .0231 > .0082",
    },
    "series/subtle-largest-spacing": {
        "params": {},
        "values": {},
        "exponent": -0.89,
        "why": "it is log n / n; the local exponent at 4096 is stated",
    },
    "series/subtle-mixing-covariance": {
        "params": {},
        "values": {"J": [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0], "f": [1.0, -1.0, 0.0], "g": [1.0, -1.0, 0.0]},
        "why": "two places with chance 1/2 each: the covariance is 1, alpha 1/4",
    },
}
