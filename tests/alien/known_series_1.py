"""Alien claims, known: time series, order statistics, U-statistics, resampling, renewal and survival; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability, identity, tail, up_to_constant


def star_discrepancy(x):
    n = x.shape[-1]
    y = x.sort(-1).values
    i = torch.arange(n, dtype=x.dtype)
    return torch.maximum(((i + 1) / n - y).amax(-1), (y - i / n).amax(-1))


@claim("series/true-ar1-mean-variance", identity(), over=grid(n=[2, 6]), cite="Brockwell and Davis 1991, Section 7.1")
def s1(forall, *, n):
    """n Var(mean) of a unit-variance AR(1)."""
    phi = forall.interval("phi", -0.9, 0.9)
    lag = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs().to(phi.dtype)
    lhs = (phi[:, None, None] ** lag).sum((-1, -2)) / n
    return lhs, (1 + phi) / (1 - phi) - 2 * phi * (1 - phi**n) / (n * (1 - phi) ** 2)


@claim("series/true-long-run-variance", always(), over=grid(n=[10]), cite="Brockwell and Davis 1991, Section 7.1")
def s2(forall, *, n):
    """n Var(mean) <= (1 + phi)/(1 - phi) for phi >= 0."""
    phi = forall.interval("phi", 0.0, 0.9)
    k = torch.arange(1, n, dtype=phi.dtype)
    return 1 + 2 * ((1 - k / n) * phi[:, None] ** k).sum(-1), (1 + phi) / (1 - phi)


@claim(
    "series/plain-long-run-variance",
    always(),
    over=grid(n=[10]),
    expected="refuted",
    cite="Brockwell and Davis 1991, without phi >= 0",
)
def s2f(forall, *, n):
    """n Var(mean) <= (1 + phi)/(1 - phi), with phi >= 0 forgotten."""
    phi = forall.interval("phi", -0.9, 0.9)
    k = torch.arange(1, n, dtype=phi.dtype)
    return 1 + 2 * ((1 - k / n) * phi[:, None] ** k).sum(-1), (1 + phi) / (1 - phi)


@claim("series/subtle-ar2-sum", always(), expected="refuted", cite="Gershgorin 1931, with 1.02 for 1")
def s3f(forall):
    """AR(3) with |a|+|b|+|c| <= 1.02 has a spectral radius of at most 1."""
    a, b, c = forall.interval("a", -1.0, 1.0), forall.interval("b", -1.0, 1.0), forall.interval("c", -1.0, 1.0)
    forall.assume(a.abs() + b.abs() + c.abs() <= 1.02)
    o, z = torch.ones_like(a), torch.zeros_like(a)
    m = torch.stack([torch.stack([a, b, c], -1), torch.stack([o, z, z], -1), torch.stack([z, o, z], -1)], -2)
    return torch.linalg.eigvals(m).abs().amax(-1), 1.0


@claim("series/true-dkw-two-laws", high_probability("delta"), over=grid(n=[15], delta=[0.1]), cite="Massart 1990")
def s5(forall, draw, within, *, n, delta):
    """sup_t |F_n - F| <= sqrt(log(2/delta)/(2n)) for a law on three places."""
    law = forall.law("P", atoms=[0.0, 1.0, 2.0])
    x = draw.law("x", law, n)
    t = within.choice("t", [0.0, 1.0])
    emp = (x <= t[:, None]).double().mean(-1)
    return (emp - law.probability(lambda y: y <= t[:, None])).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim(
    "series/true-gumbel-rate",
    up_to_constant("n"),
    over=grid(n=[16, 32, 64, 128, 256, 512]),
    cite="Hall and Wellner 1979",
)
def s6(forall, *, n):
    """|P(max of n exponentials - log n <= x) - exp(-exp(-x))| is of order 1/n."""
    x = forall.interval("x", -1.0, 5.0)
    return ((1 - (-x).exp() / n) ** n - (-(-x).exp()).exp()).abs(), 1 / n


@claim("series/true-ustatistic-variance", always(), cite="Hoeffding 1948, Theorem 5.2")
def s7(forall):
    """Var U <= (2/3) Var h for h = |x - y| and n = 3."""
    law = forall.law("P", atoms=3)
    v, c = every.samples(law, 3)
    u = ((v[..., 0] - v[..., 1]).abs() + (v[..., 0] - v[..., 2]).abs() + (v[..., 1] - v[..., 2]).abs()) / 3
    h = (v[..., 0] - v[..., 1]).abs()
    mean = (c * h).sum(-1)
    return (c * (u - mean[:, None]) ** 2).sum(-1), 2 / 3 * (c * (h - mean[:, None]) ** 2).sum(-1)


@claim("series/plain-ustatistic-variance", always(), expected="refuted", cite="Hoeffding 1948, with 1/3 for 2/3")
def s7f(forall):
    """Var U <= (1/3) Var h for h = x y and n = 3."""
    law = forall.law("P", atoms=3)
    v, c = every.samples(law, 3)
    u = (v[..., 0] * v[..., 1] + v[..., 0] * v[..., 2] + v[..., 1] * v[..., 2]) / 3
    h = v[..., 0] * v[..., 1]
    mean = (c * h).sum(-1)
    return (c * (u - mean[:, None]) ** 2).sum(-1), 1 / 3 * (c * (h - mean[:, None]) ** 2).sum(-1)


@claim("series/true-jackknife", identity(), over=grid(n=[3, 6]), cite="Quenouille 1956")
def s8(forall, *, n):
    """The jackknife of the plug-in variance is the unbiased variance."""
    x = forall.interval("x", -1.0, 1.0, n)
    plug = x.var(-1, unbiased=False)
    loo = torch.stack([torch.cat([x[:, :i], x[:, i + 1 :]], -1).var(-1, unbiased=False) for i in range(n)], -1)
    return n * plug - (n - 1) * loo.mean(-1), x.var(-1)


@claim("series/plain-plugin-unbiased", identity(), expected="refuted", cite="Bessel, without his correction")
def s8f(forall):
    """E of the plug-in variance of three draws is the variance."""
    law = forall.law("P", atoms=3)
    v, c = every.samples(law, 3)
    return (c * v.var(-1, unbiased=False)).sum(-1), law.variance


@claim(
    "series/true-permutation-level",
    tail(),
    over=grid(alpha=[0.1, 0.25]),
    cite="Lehmann and Romano 2005, Theorem 15.2.1",
)
def s10(forall, draw, *, alpha):
    """P(p-value <= alpha) <= alpha for all orders of five exchangeable numbers with ties."""
    law = forall.law("P", atoms=[0.0, 1.0, 3.0])
    x = draw.law("x", law, 5)
    orders = every.permutations(5, like=x).long()
    stats = x[:, orders][..., :2].sum(-1)
    p = (stats >= x[:, :2].sum(-1, keepdim=True)).double().mean(-1)
    return p <= alpha, alpha


@claim("series/true-importance-weights", expectation(range=(-20.0, 20.0), margin=0.01), cite="change of measure")
def s11(forall, draw):
    """E_q f p/q <= E_p f."""
    p, f = forall.simplex("p", 4), forall.interval("f", -1.0, 1.0, 4)
    i = draw.categorical("i", [0.25, 0.25, 0.25, 0.25], 2).long()
    w = (4 * p * f).expand(len(i), 4).gather(-1, i)
    return w.mean(-1), (p * f).sum(-1)


@claim(
    "series/plain-antithetic",
    always(),
    over=grid(k=[6]),
    expected="refuted",
    cite="Hammersley and Morton 1956, without monotonicity",
)
def s12f(forall, *, k):
    """Var of the antithetic mean <= Var f / 2 for any f."""
    f = forall.interval("f", 0.0, 1.0, k)
    pair = (f + f.flip(-1)) / 2
    return pair.var(-1, unbiased=False), f.var(-1, unbiased=False) / 2


@claim("series/true-koksma", always(), over=grid(n=[1, 3, 8]), cite="Koksma 1942")
def s13(forall, *, n):
    """|mean x_i^2 - 1/3| <= D*."""
    x = forall.interval("x", 0.0, 1.0, n)
    return ((x**2).mean(-1) - 1 / 3).abs(), star_discrepancy(x)


@claim(
    "series/subtle-koksma-high-dimension",
    always(),
    over=grid(n=[2, 8, 32]),
    expected="refuted",
    cite="Koksma 1942, with .8",
)
def s13f(forall, *, n):
    """|mean x_i - 1/2| <= 0.8 D*."""
    x = forall.interval("x", 0.0, 1.0, n)
    return (x.mean(-1) - 0.5).abs(), 0.8 * star_discrepancy(x)


@claim("series/true-poisson-bernstein", tail(), cite="Boucheron, Lugosi, Massart 2013, Section 2.2")
def s14(forall, draw):
    """P(N >= l + t) <= exp(-t^2 / (2 (l + t/3)))."""
    lam, t = forall.interval("l", 0.5, 5.0), forall.interval("t", 0.5, 4.0)
    return draw.sample("N", torch.distributions.Poisson(lam)) >= lam + t, (-(t**2) / (2 * (lam + t / 3))).exp()


@claim("series/subtle-poisson-median", always(), expected="refuted", cite="Choi 1994, with .3318 for 1/3")
def s14g(forall):
    """P(N <= n) >= 1/2 for a Poisson number of mean n + 1 - 0.3318."""
    n = forall.integers("n", 0, 60)
    return 0.5, torch.special.gammaincc(n + 1, n + 1 - 0.3318)


PROOFS = {
    "series/true-ar1-mean-variance": "Geometric sums.",
    "series/true-long-run-variance": "What is dropped, 2 phi (1 - phi^n)/(n (1 - phi)^2), is not negative.",
    "series/true-dkw-two-laws": "Massart 1990, for any law.",
    "series/true-gumbel-rate": "(1 - a/n)^n - e^-a is about -a^2 e^-a/(2n), a = e^-x <= e.",
    "series/true-ustatistic-variance": "Hoeffding 1948: Var U <= (m/n) Var h.",
    "series/true-jackknife": "Quenouille 1956: the bias is exactly -variance/n.",
    "series/true-permutation-level": "Exchangeability (Lehmann and Romano 2005, Theorem 15.2.1).",
    "series/true-importance-weights": "Change of measure: both sides have the same mean.",
    "series/true-koksma": "Koksma 1942: the variation of x^2 is 1.",
    "series/true-poisson-bernstein": "Chernoff's bound exp(-l h(t/l)) and h(u) >= u^2/(2(1+u/3)).",
}

WITNESSES = {
    "series/plain-long-run-variance": {"params": {"n": 10}, "values": {"phi": -0.5}, "why": ".3777 > 1/3"},
    "series/subtle-ar2-sum": {
        "params": {},
        "values": {"a": 1.0, "b": 0.02, "c": 0.0},
        "why": "the largest root of z^2 = z + .02 is 1.0196",
    },
    "series/plain-ustatistic-variance": {
        "params": {},
        "values": {"P atoms": [1.0, 0.0, 0.0], "P weights": [0.9, 0.1, 0.0]},
        "why": ".0999 > .0513",
    },
    "series/plain-plugin-unbiased": {
        "params": {},
        "values": {"P atoms": [1.0, 0.0, 0.0], "P weights": [0.5, 0.5, 0.0]},
        "why": "a fair coin: 1/6 and 1/4",
    },
    "series/plain-antithetic": {
        "params": {"k": 6},
        "values": {"f": [0.0, 1.0, 0.0, 0.0, 1.0, 0.0]},
        "why": "2/9 > 1/9",
    },
    "series/subtle-koksma-high-dimension": {
        "params": {"n": 32},
        "values": {"x": [min((i + 0.5) / 32.0 + 0.172, 1.0) for i in range(32)]},
        "why": "shifted by .172 and cut at 1: a ratio of .8385",
    },
    "series/subtle-poisson-median": {"params": {}, "values": {"n": 60}, "why": ".49994"},
}
