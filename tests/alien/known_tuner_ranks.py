"""Alien claims, known: intervals, order statistics, tests, conformal prediction, resampling; see README.md."""

import math

import torch
from scipy.stats import beta, norm, t

from harness import claim, expectation, grid, high_probability

Z95 = norm.ppf(0.975)


def outside(draw, p, n, low, high):
    """By how much p lies outside the interval that the count of n flips picks; negative inside."""
    k = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0].long()
    return torch.maximum(torch.as_tensor(low)[k] - p, p - torch.as_tensor(high)[k])


@claim(
    "tuner/plain-agresti-coull",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.05]),
    cite="Brown-Cai-DasGupta 2001 (the Agresti-Coull interval is not conservative everywhere)",
)
def plain_agresti_coull(forall, draw, *, n, delta):
    """(X + 2)/(n + 4) +- z sqrt(that (1 - that) / (n + 4)) covers p with probability 0.95."""
    p = forall.interval("p", 0.0, 1.0)
    k = torch.arange(n + 1)
    m = (k + 2) / (n + 4)
    half = Z95 * (m * (1 - m) / (n + 4)).sqrt()
    return outside(draw, p, n, m - half, m + half), 0.0


@claim(
    "tuner/plain-jeffreys-interval",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.05]),
    cite="Brown-Cai-DasGupta 2001, Figure 5 (Jeffreys' interval undercovers at isolated p)",
)
def plain_jeffreys_interval(forall, draw, *, n, delta):
    """Jeffreys' interval of level 95 % covers p with probability 0.95 for every p."""
    p = forall.interval("p", 0.0, 1.0)
    k = torch.arange(n + 1).numpy()
    low, high = beta.ppf(0.025, k + 0.5, n - k + 0.5), beta.ppf(0.975, k + 0.5, n - k + 0.5)
    low[0], high[-1] = 0.0, 1.0
    return outside(draw, p, n, low, high), 0.0


@claim(
    "tuner/plain-arcsine-interval",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Anscombe 1948 (variance stabilisation)",
)
def plain_arcsine_interval(forall, draw, *, n, delta):
    """|asin sqrt(X/n) - asin sqrt(p)| <= z / (2 sqrt n) with probability 0.95."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0] / n
    return (x.sqrt().asin() - p.sqrt().asin()).abs(), Z95 / (2 * math.sqrt(n))


@claim(
    "tuner/true-clopper-pearson-upper",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.05]),
    cite="Clopper-Pearson 1934",
)
def true_clopper_pearson_upper(forall, draw, *, n, delta):
    """p <= the 0.95 quantile of Beta(X + 1, n - X) with probability 0.95."""
    p = forall.interval("p", 0.0, 1.0)
    k = torch.arange(n + 1).numpy()
    high = beta.ppf(0.95, k + 1, n - k)
    high[-1] = 1.0
    return outside(draw, p, n, 0.0 * high, high), 0.0


@claim(
    "tuner/plain-clopper-pearson-one-less",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[40], delta=[0.05]),
    cite="Clopper-Pearson 1934, Beta(X, n - X + 1) for Beta(X + 1, n - X)",
)
def plain_clopper_pearson_one_less(forall, draw, *, n, delta):
    """p <= the 0.95 quantile of Beta(X + 1/4, n - X + 3/4) with probability 0.95."""
    p = forall.interval("p", 0.0, 1.0)
    k = torch.arange(n + 1).numpy()
    high = beta.ppf(0.95, k + 0.25, n - k + 0.75)
    high[-1] = 1.0
    return outside(draw, p, n, 0.0 * high, high), 0.0


@claim(
    "tuner/plain-difference-of-shares",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[15], delta=[0.05]),
    cite="Newcombe 1998 (Wald's interval for a difference)",
)
def plain_difference_of_shares(forall, draw, *, n, delta):
    """|(X - Y)/n - (p - q)| <= z sqrt(sum of the estimated variances / n) with probability 0.95."""
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    x, y = draw.bernoulli("x", p, n).mean(-1), draw.bernoulli("y", q, n).mean(-1)
    return (x - y - p + q).abs(), Z95 * ((x * (1 - x) + y * (1 - y)) / n).sqrt()


@claim(
    "tuner/plain-sample-size-for-wald",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.05]),
    cite="the rule n p (1 - p) >= 5 for Wald's interval",
)
def plain_sample_size_for_wald(forall, draw, *, delta):
    """Wald's interval covers with probability 0.95 whenever n p (1 - p) >= 5, 20 <= n <= 120."""
    n = forall.integers("n", 20, 120)
    p = forall.interval("p", 0.0, 1.0)
    x = (draw.bernoulli("x", p, 120) * (torch.arange(120) < n.unsqueeze(-1))).sum(-1) / n
    outside = (x - p).abs() - Z95 * (x * (1 - x) / n).sqrt()
    return torch.where(n * p * (1 - p) >= 5, outside, -1.0), 0.0


@claim(
    "tuner/plain-t-interval-lognormal",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.05]),
    cite="Student's interval for a skewed law",
)
def plain_t_interval_lognormal(forall, draw, *, n, delta):
    """mu <= mean + t s / sqrt(n) with probability 0.95, numbers exp(sigma g)."""
    sigma = forall.interval("sigma", 0.0, 2.0)
    x = (sigma.unsqueeze(-1) * draw.normal("g", n)).exp()
    return (sigma.square() / 2).exp() - x.mean(-1), t.ppf(0.95, n - 1) * x.std(-1) / math.sqrt(n)


@claim(
    "tuner/true-t-interval",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.05]),
    cite="Student 1908",
)
def true_t_interval(forall, draw, *, n, delta):
    """mu <= mean + t s / sqrt(n) with probability 0.95, normal numbers."""
    mu, sigma = forall.interval("mu", -1.0, 1.0), forall.interval("sigma", 0.0, 2.0)
    x = mu.unsqueeze(-1) + sigma.unsqueeze(-1) * draw.normal("g", n)
    return mu - x.mean(-1), t.ppf(0.95, n - 1) * x.std(-1) / math.sqrt(n)


@claim(
    "tuner/plain-welch-ignored",
    high_probability("delta"),
    expected="refuted",
    over=grid(m=[4], n=[16], delta=[0.05]),
    cite="Student's two-sample interval with unequal variances (Behrens-Fisher)",
)
def plain_welch_ignored(forall, draw, *, m, n, delta):
    """|mean difference| <= t s_pooled sqrt(1/m + 1/n) with probability 0.95, standard deviations s and 1 - s."""
    s = forall.interval("s", 0.01, 0.99)
    x = s.unsqueeze(-1) * draw.normal("x", m)
    y = (1 - s).unsqueeze(-1) * draw.normal("y", n)
    pooled = ((m - 1) * x.var(-1) + (n - 1) * y.var(-1)) / (m + n - 2)
    return (x.mean(-1) - y.mean(-1)).abs(), t.ppf(0.975, m + n - 2) * (pooled * (1 / m + 1 / n)).sqrt()


@claim(
    "tuner/plain-conformal-without-one",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.1]),
    cite="Vovk-Gammerman-Shafer 2005, Proposition 2.3, ceil(n (1 - delta)) for ceil((n + 1)(1 - delta))",
)
def plain_conformal_without_one(forall, draw, *, n, delta):
    """y <= X_(k) with probability 1 - delta, k = ceil(n (1 - delta)), exchangeable numbers s g + c h."""
    s, c = forall.interval("s", 0.0, 1.0), forall.interval("c", 0.0, 1.0)
    x = s.unsqueeze(-1) * draw.normal("g", n + 1) + (c * draw.normal("h")).unsqueeze(-1)
    return x[..., -1], x[..., :-1].sort(-1).values[..., math.ceil(n * (1 - delta)) - 1]


@claim(
    "tuner/true-conformal",
    high_probability("delta"),
    over=grid(n=[19], delta=[0.1]),
    cite="Vovk-Gammerman-Shafer 2005, Proposition 2.3",
)
def true_conformal(forall, draw, *, n, delta):
    """y <= X_(k) with probability 1 - delta, k = ceil((n + 1)(1 - delta)), exchangeable numbers s g + c h."""
    s, c = forall.interval("s", 0.0, 1.0), forall.interval("c", 0.0, 1.0)
    x = s.unsqueeze(-1) * draw.normal("g", n + 1) + (c * draw.normal("h")).unsqueeze(-1)
    return x[..., -1], x[..., :-1].sort(-1).values[..., math.ceil((n + 1) * (1 - delta)) - 1]


@claim(
    "tuner/plain-conformal-conditional",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[19], delta=[0.1]),
    cite="Foygel Barber et al. 2021 (coverage is marginal, not conditional)",
)
def plain_conformal_conditional(forall, draw, *, n, delta):
    """|y| <= X_(18) of |(1 + a z_i) g_i| at a new point z with probability 0.9, z_i uniform on [0, 1], any z."""
    a, z = forall.interval("a", 0.0, 3.0), forall.interval("z", 0.0, 1.0)
    x = ((1 + a.unsqueeze(-1) * draw.uniform("z", n)) * draw.normal("g", n)).abs()
    return ((1 + a * z) * draw.normal("h")).abs(), x.sort(-1).values[..., 17]


@claim(
    "tuner/plain-permutation-without-one",
    high_probability("delta"),
    expected="refuted",
    over=grid(m=[34], delta=[0.03]),
    cite="Phipson-Smyth 2010 (permutation p-values should never be zero)",
)
def plain_permutation_without_one(forall, draw, *, m, delta):
    """The share of m random permutations with a larger sum of the first five is at least delta, w. p. 1 - delta."""
    s = forall.interval("s", 0.1, 1.0, 10)
    x = s * draw.normal("g", 1, 10)
    x = x.expand(-1, m + 1, 10)
    order = draw.uniform("u", m + 1, 10).argsort(-1)
    sums = torch.take_along_dim(x, order, -1)[..., :5].sum(-1)
    return delta, (sums[..., 1:] >= sums[..., :1]).to(x).mean(-1)


@claim(
    "tuner/plain-order-statistic-mean",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(n=[30]),
    cite="David-Nagaraja 2003, (2.2.15), n for n + 1",
)
def plain_order_statistic_mean(forall, draw, *, n):
    """k/n <= E U_(k) for the k-th of n uniform numbers."""
    k = forall.integers("k", 1, n)
    u = draw.uniform("u", n).sort(-1).values
    return k / n, torch.take_along_dim(u, k.long().unsqueeze(-1) - 1, -1).squeeze(-1)


@claim(
    "tuner/true-order-statistic-mean",
    expectation(range=(-1.0, 1.0), margin=0.01),
    over=grid(n=[30]),
    cite="David-Nagaraja 2003, (2.2.15)",
)
def true_order_statistic_mean(forall, draw, *, n):
    """k/(n + 1) <= E U_(k) for the k-th of n uniform numbers."""
    k = forall.integers("k", 1, n)
    u = draw.uniform("u", n).sort(-1).values
    return k / (n + 1), torch.take_along_dim(u, k.long().unsqueeze(-1) - 1, -1).squeeze(-1)


@claim(
    "tuner/plain-quantile-is-order-statistic",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.05]),
    cite="Serfling 1980, section 2.6 (1.64 binomial standard deviations, for any level)",
)
def plain_quantile_is_order_statistic(forall, draw, *, n, delta):
    """q <= U_(k) with probability 0.95, k = ceil(n q + 1.645 sqrt(n q (1 - q))) up to n, any level q <= 0.84."""
    q = forall.interval("q", 0.0, 0.84)
    u = draw.uniform("u", n).sort(-1).values
    k = (n * q + 1.645 * (n * q * (1 - q)).sqrt()).ceil().clamp(1, n)
    return q, torch.take_along_dim(u, k.long().unsqueeze(-1) - 1, -1).squeeze(-1)


@claim(
    "tuner/plain-median-unbiased-for-mean",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(n=[3], d=[3]),
    cite="the sample median taken as unbiased for the mean",
)
def plain_median_unbiased_for_mean(forall, draw, *, n, d):
    """E median <= mu for any law on d atoms of [0, 1]."""
    w, v = forall.simplex("w", d), forall.interval("v", 0.0, 1.0, d)
    x = torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)
    return x.median(-1).values, (w * v).sum(-1)


@claim(
    "tuner/plain-jackknife-below-variance",
    expectation(range=(-0.5, 2.0)),
    expected="refuted",
    over=grid(n=[3]),
    cite="Efron-Stein 1981 in the wrong direction",
)
def plain_jackknife_below_variance(forall, draw, *, n):
    """E of the jackknife variance of T = mean^2 of n flips <= Var T, from a second sample."""
    p = forall.interval("p", 0.0, 1.0)
    x, y = draw.bernoulli("x", p, n), draw.bernoulli("y", p, n)
    left = ((x.sum(-1, keepdim=True) - x) / (n - 1)).square()
    jackknife = (n - 1) / n * (left - left.mean(-1, keepdim=True)).square().sum(-1)
    return jackknife, (x.mean(-1).square() - y.mean(-1).square()).square() / 2


@claim(
    "tuner/true-jackknife",
    expectation(range=(-2.0, 0.5)),
    over=grid(n=[3]),
    cite="Efron-Stein 1981",
)
def true_jackknife(forall, draw, *, n):
    """Var T of n - 1 flips <= (n - 1)/n of n/(n - 1) times the jackknife sum of squares, T = mean^2."""
    p = forall.interval("p", 0.0, 1.0)
    x, y = draw.bernoulli("x", p, n), draw.bernoulli("y", p, n)
    left = ((x.sum(-1, keepdim=True) - x) / (n - 1)).square()
    squares = (left - left.mean(-1, keepdim=True)).square().sum(-1)
    return (left[..., 0] - ((y.sum(-1) - y[..., 0]) / (n - 1)).square()).square() / 2, squares


@claim(
    "tuner/plain-correlation-unbiased",
    expectation(range=(-2.0, 2.0)),
    expected="refuted",
    over=grid(n=[5]),
    cite="Hotelling 1953 (the sample correlation is biased towards zero)",
)
def plain_correlation_unbiased(forall, draw, *, n):
    """rho <= E r for the correlation of n normal pairs."""
    rho = forall.interval("rho", -0.99, 0.99)
    g, h = draw.normal("g", n), draw.normal("h", n)
    y = rho.unsqueeze(-1) * g + (1 - rho.square()).sqrt().unsqueeze(-1) * h
    g, y = g - g.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    return rho, (g * y).sum(-1) / (g.norm(dim=-1) * y.norm(dim=-1))


PROOFS = {
    "tuner/true-clopper-pearson-upper": "Clopper and Pearson 1934: it errs with probability at most 0.05.",
    "tuner/true-t-interval": "Student: the error has probability exactly 0.05; sigma = 0 is 0 <= 0.",
    "tuner/true-conformal": "Exchangeability: the rank of y exceeds 18 of 20 with probability at most 0.1.",
    "tuner/true-order-statistic-mean": "U_(k) is Beta(k, n - k + 1): equality.",
    "tuner/true-jackknife": "Efron and Stein 1981: E sum (T_(i) - T_(.))^2 >= Var T of n - 1 numbers.",
}

WITNESSES = {
    "tuner/plain-agresti-coull": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"p": 0.478},
        "probability": 0.0708,
        "why": "binomial sum",
    },
    "tuner/plain-jeffreys-interval": {
        "params": {"n": 30, "delta": 0.05},
        "values": {"p": 0.0799},
        "probability": 0.1114,
        "why": "binomial sum",
    },
    "tuner/plain-arcsine-interval": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.0097},
        "probability": 0.3773,
        "why": "no success: asin sqrt p > 0.098, probability (1 - p)^100",
    },
    "tuner/plain-clopper-pearson-one-less": {
        "params": {"n": 40, "delta": 0.05},
        "values": {"p": 0.05},
        "probability": 0.1285,
        "why": "no success: 0.95^40",
    },
    "tuner/plain-difference-of-shares": {
        "params": {"n": 15, "delta": 0.05},
        "values": {"p": 0.05, "q": 0.01},
        "probability": 0.4,
        "why": "both shares 0: the interval is a point",
    },
    "tuner/plain-sample-size-for-wald": {
        "params": {"delta": 0.05},
        "values": {"n": 108.0, "p": 0.0588},
        "probability": 0.1259,
        "why": "binomial sum",
    },
    "tuner/plain-t-interval-lognormal": {
        "params": {"n": 10, "delta": 0.05},
        "values": {"sigma": 2.0},
        "probability": 0.472,
        "why": "simulation",
    },
    "tuner/plain-welch-ignored": {
        "params": {"m": 4, "n": 16, "delta": 0.05},
        "values": {"s": 0.99},
        "probability": 0.4066,
        "why": "simulation: the small sample varies most",
    },
    "tuner/plain-conformal-without-one": {
        "params": {"n": 10, "delta": 0.1},
        "values": {"s": 1.0, "c": 0.0},
        "probability": 2 / 11,
        "why": "rank beyond 9 of 11",
    },
    "tuner/plain-conformal-conditional": {
        "params": {"n": 19, "delta": 0.1},
        "values": {"a": 3.0, "z": 1.0},
        "probability": 0.258,
        "why": "simulation",
    },
    "tuner/plain-permutation-without-one": {
        "params": {"m": 34, "delta": 0.03},
        "values": {"s": [1.0] * 10},
        "probability": 0.0525,
        "why": "simulation",
    },
    "tuner/plain-order-statistic-mean": {
        "params": {"n": 30},
        "values": {"k": 30.0},
        "mean": 1 / 31,
        "why": "1 - 30/31",
    },
    "tuner/plain-quantile-is-order-statistic": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"q": 0.0112},
        "probability": 0.2017,
        "why": "binomial sum",
    },
    "tuner/plain-median-unbiased-for-mean": {
        "params": {"n": 3, "d": 3},
        "values": {"w": [0.75, 0.25, 0.0], "v": [1.0, 0.0, 0.0]},
        "mean": 0.09375,
        "why": "3 p^2 - 2 p^3 - p at p = 3/4",
    },
    "tuner/plain-jackknife-below-variance": {
        "params": {"n": 3},
        "values": {"p": 0.5},
        "mean": 0.01235,
        "why": "enumeration",
    },
    "tuner/plain-correlation-unbiased": {
        "params": {"n": 5},
        "values": {"rho": 0.6},
        "mean": 0.05,
        "why": "nearly rho (1 - rho^2) / (2 n); simulation",
    },
}
