"""Alien claims, known: time series, order statistics, U-statistics, resampling, renewal and survival; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    grid,
    identity,
    rate,
    reproduction,
    tail,
    up_to_constant,
)


def alpha_mixing(j):
    """Largest |P(A and B) - P(A) P(B)| of a joint law (batch, k, k)."""
    k = j.shape[-1]
    sets = every.vectors(2, k, like=j)
    both = torch.einsum("ai,bij,cj->bac", sets, j, sets)
    return (both - (j.sum(-1) @ sets.mT)[:, :, None] * (j.sum(-2) @ sets.mT)[:, None, :]).abs().amax((-1, -2))


@claim("series/true-branching-progeny", expectation(range=(-2.0, math.inf)), cite="Hawkes and Oakes 1974")
def s16(forall, draw):
    """The expected size of three generations of a Hawkes cluster is at most 1/(1 - m)."""
    m = forall.interval("m", 0.0, 0.5)
    first = draw.sample("one", torch.distributions.Poisson(m))
    second = draw.sample("two", torch.distributions.Poisson(m * first))
    third = draw.sample("three", torch.distributions.Poisson(m * second))
    return 1 + first + second + third, 1 / (1 - m)


@claim("series/true-hill-rate", rate("n", -0.5, at="exactly"), over=grid(n=[8, 16, 32, 64, 128, 256]), cite="Hill 1975")
def s17(draw, *, n):
    """The Hill estimator of Pareto numbers errs by n^(-1/2)."""
    x = draw.uniform("u", n) ** (-1 / 2)
    return (x.log().mean(-1) - 0.5).abs()


@claim(
    "series/plain-hill-rate",
    rate("n", -1.0),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    expected="refuted",
    cite="Hill 1975, with the rate 1/n",
)
def s17f(draw, *, n):
    """The Hill estimator of Pareto numbers errs by 1/n."""
    x = draw.uniform("u", n) ** (-1 / 2)
    return (x.log().mean(-1) - 0.5).abs()


@claim(
    "series/plain-partial-sums",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64]),
    expected="refuted",
    cite="Menshov 1923; Rademacher 1922, without orthogonality",
)
def s19f(forall, *, n):
    """The largest partial sum of x is at most C log n |x|."""
    x = forall.ball("x", n)
    return x.cumsum(-1).abs().amax(-1), math.log(n) * x.norm(dim=-1)


@claim(
    "series/subtle-normal-maximum",
    expectation(range=(-9.0, 20.0)),
    over=grid(n=[5, 10, 15, 40]),
    expected="refuted",
    cite="Boucheron, Lugosi, Massart 2013, Theorem 2.5, with .77",
)
def s19g(draw, *, n):
    """E max of n normals <= 0.77 sqrt(2 log n)."""
    return draw.normal("z", n).amax(-1).clamp(-6.0, 6.0), 0.77 * math.sqrt(2 * math.log(n))


@claim("series/true-mixing-covariance", always(), cite="Ibragimov 1962; Davydov 1968")
def s20(forall):
    """|Cov(f(X), g(Y))| <= 4 alpha for |f|, |g| <= 1."""
    j = forall.simplex("J", 9).reshape(-1, 3, 3)
    f, g = forall.interval("f", -1.0, 1.0, 3), forall.interval("g", -1.0, 1.0, 3)
    cov = torch.einsum("bi,bij,bj->b", f, j, g) - (j.sum(-1) * f).sum(-1) * (j.sum(-2) * g).sum(-1)
    return cov.abs(), 4 * alpha_mixing(j)


@claim("series/true-wiener-khinchin", identity(), over=grid(n=[8]), cite="Wiener 1930; Khinchin 1934")
def s21(forall, *, n):
    """Sum of squares of the periodogram = n times that of the circular autocovariances."""
    x = forall.interval("x", -1.0, 1.0, n)
    power = torch.fft.fft(x).abs() ** 2
    auto = torch.stack([(x * x.roll(k, -1)).sum(-1) for k in range(n)], -1)
    return (power**2).sum(-1), n * (auto**2).sum(-1)


@claim("series/true-azuma-adaptive", tail(), cite="Azuma 1967")
def s22(forall, draw):
    """P(sum of bets >= t) <= exp(-t^2/(2 n)) for predictable bets in [0, 1], n = 5."""
    gambler, t = forall.strategy("bets", 5, 2), forall.interval("t", 0.5, 4.0)
    e = draw.signs("e", 5)
    total = 0.0
    for i in range(5):
        total = total + gambler.move() * e[:, i]
        gambler.answer(e[:, i] > 0)
    return total >= t, (-(t**2) / 10).exp()


@claim("series/true-ma1", always(), cite="Box and Jenkins 1970")
def s23(forall):
    """|theta| / (1 + theta^2) <= 1/2."""
    theta = forall.real("theta")
    return theta.abs() / (1 + theta**2), 0.5


@claim("series/true-kaplan-meier", identity(), over=grid(n=[6]), cite="Kaplan and Meier 1958")
def s25(forall, *, n):
    """Without censoring the product-limit estimator is the empirical survival function."""
    x, t = forall.integers("x", 1, 5, n), forall.integers("t", 1, 5)
    times = torch.arange(1, 6, dtype=x.dtype)
    deaths = (x[:, None, :] == times[:, None]).sum(-1)
    risk = (x[:, None, :] >= times[:, None]).sum(-1)
    factor = torch.where(risk > 0, 1 - deaths / risk.clamp_min(1), 1.0)
    factor = torch.where(times <= t[:, None], factor, 1.0)
    return factor.prod(-1), (x > t[:, None]).double().mean(-1)


@claim("series/true-diaconis-graham", always(), over=grid(n=[5]), cite="Diaconis and Graham 1977")
def s26(forall, *, n):
    """The footrule is at most twice the number of inversions."""
    p = forall.permutation("p", n).double()
    i = torch.arange(n, dtype=torch.float64)
    inversions = ((p[:, :, None] > p[:, None, :]) & (i[:, None] < i[None, :])).sum((-1, -2))
    return (p - i).abs().sum(-1), 2 * inversions


@claim("series/true-pareto-markov", tail(), cite="Markov; Cantelli 1928")
def s28(forall, draw):
    """P(X >= t) <= E X / t for Pareto and P(Y >= mean + t sd) <= 1/(1 + t^2) for mixtures, by a fair coin."""
    p, q, t = (
        forall.pareto("P", index=(1.5, 4.0)),
        forall.gaussian_mixture("Q", 2, scale=(0.1, 1.0)),
        forall.interval("t", 1.0, 5.0),
    )
    coin = draw.bernoulli("coin", 0.5) > 0
    event = torch.where(coin, draw.law("x", p) >= t * p.mean, draw.law("y", q) >= q.mean + t * q.variance.sqrt())
    return event, (1 / t + 1 / (1 + t**2)) / 2


@claim(
    "series/true-pearson-mean", expectation(range=(-2.0, math.inf), margin=1e-6), over=grid(n=[5]), cite="Pearson 1900"
)
def s29(forall, draw, *, n):
    """E of Pearson's statistic is k - 1."""
    p = 0.1 + 0.7 * forall.simplex("p", 3)
    c = draw.multinomial("c", n, p)
    return ((c - n * p) ** 2 / (n * p)).sum(-1), 2.0


@claim("series/subtle-derangements-four", reproduction(tolerance=0.002), cite="a misprint", expected="refuted")
def s30f(draw):
    """The probability of no fixed point of four is 0.368."""
    order = draw.uniform("u", 20000, 4).argsort(-1)
    none = (order != torch.arange(4)).all(-1)
    return [Row("none", Estimate.share(int(none.sum()), none.numel()), printed=0.368)]


@claim("series/true-graph-degree", always(), cite="Collatz and Sinogowitz 1957")
def s31(forall):
    """The mean degree of a graph is at most its largest eigenvalue."""
    g = forall.graph("G", 5)
    return g.sum((-1, -2)) / 5, torch.linalg.eigvalsh(g)[:, -1]


@claim(
    "series/subtle-secretary-at-97",
    always(),
    expected="refuted",
    cite="Gilbert and Mosteller 1966, the approximation taken for exact",
)
def s32(forall):
    """Passing over floor((n - 1/2)/e + 1/2) candidates is optimal."""
    n = forall.integers("n", 3, 200)
    r = torch.arange(1, 200, dtype=n.dtype)
    h = torch.where(r < n[:, None], 1 / r, 0.0)
    tails = h.flip(-1).cumsum(-1).flip(-1)
    value = torch.where(r < n[:, None], r / n[:, None] * tails, 0.0)
    best = torch.floor((n - 0.5) / math.e + 0.5).long()
    return value.amax(-1), value.gather(-1, best[:, None] - 1)[:, 0]


@claim("series/true-sphere-ball-moments", expectation(range=(-2.0, 2.0), margin=0.02), cite="symmetry")
def s33(draw):
    """E s_1^2 + E |b|^2 = 1/3 + 3/5 in three dimensions."""
    return draw.sphere("s", 3)[:, 0] ** 2 + (draw.ball("b", 3) ** 2).sum(-1), 1 / 3 + 3 / 5


@claim("series/true-abel-summation", always(), cite="Abel 1826")
def s35(forall):
    """Weighted sums of the alternating sign pattern are at most the weights' variation plus the last weight."""
    a = forall.choice("a", [[1.0, 0.5, 0.25, 0.125], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    e = forall.signs("e")
    s = (a * torch.tensor([1.0, -1.0, 1.0, -1.0])).sum(-1) * e
    return s, a.diff(dim=-1).abs().sum(-1) + a[:, -1].abs()


PROOFS = {
    "series/true-branching-progeny": "1 + m + m^2 + m^3 <= 1/(1-m).",
    "series/true-hill-rate": "The logarithms are exponential with mean 1/2; central limit theorem.",
    "series/true-mixing-covariance": (
        "The extreme points f, g are signs, and a covariance of two indicators is at most alpha."
    ),
    "series/true-wiener-khinchin": "Parseval's identity twice.",
    "series/true-azuma-adaptive": "Azuma 1967.",
    "series/true-ma1": "AM-GM: 2 |theta| <= 1 + theta^2.",
    "series/true-kaplan-meier": "The product telescopes: a factor is the ratio of numbers at risk.",
    "series/true-diaconis-graham": "Diaconis and Graham 1977 (all 120 orders checked).",
    "series/true-pareto-markov": "Markov's and Cantelli's inequalities, each with probability 1/2.",
    "series/true-pearson-mean": "The mean is sum (1 - p_i) = 2.",
    "series/true-graph-degree": "The Rayleigh quotient of the constant vector.",
    "series/true-sphere-ball-moments": "The moments are 1/d and d/(d+2).",
    "series/true-abel-summation": "Abel's summation: partial sums of the signs are 0 or 1 in size.",
}

WITNESSES = {
    "series/plain-hill-rate": {"params": {}, "values": {}, "exponent": -0.5, "why": "the rate is n^-1/2"},
    "series/plain-partial-sums": {
        "params": [{"n": 4}, {"n": 8}, {"n": 16}, {"n": 32}, {"n": 64}],
        "values": [
            {"x": [0.5, 0.5, 0.5, 0.05]},
            {"x": [8**-0.5] * 8},
            {"x": [16**-0.5] * 16},
            {"x": [32**-0.5] * 32},
            {"x": [64**-0.5] * 64},
        ],
        "why": "constant x: sqrt n / log n (with a smaller last number at n = 4, where that is not yet growing)",
    },
    "series/subtle-normal-maximum": {
        "params": {"n": 40},
        "values": {},
        "mean": 0.0693008376801868,
        "why": "2.1608 > 2.0914",
    },
    "series/subtle-derangements-four": {"params": {}, "values": {}, "row": "none", "ours": 0.375, "why": "9/24 = .375"},
    "series/subtle-secretary-at-97": {"params": {}, "values": {"n": 97}, "why": "35 beats 36 by 5e-7 (fractions)"},
}
