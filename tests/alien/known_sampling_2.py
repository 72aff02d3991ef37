"""Alien claims, known: heavy tails, projections, U-statistics, resampling; see README.md."""

import math

import torch
from scipy.stats import chi2

from harness import claim, expectation, grid, high_probability


@claim(
    "sampling/true-median-of-means",
    high_probability("delta"),
    over=grid(m=[1, 10], delta=[0.05]),
    cite="Lugosi-Mendelson 2019, Theorem 2",
)
def true_median_of_means(forall, draw, *, m, delta):
    """24 blocks of m flips: |median of block means - p| <= 2 sqrt(p (1 - p) / m), as 24 >= 8 log(1/delta)."""
    p = forall.interval("p", 0.0, 1.0)
    blocks = draw.bernoulli("x", p, 24, m).mean(-1)
    return (blocks.median(-1).values - p).abs(), 2 * (p * (1 - p) / m).sqrt()


@claim(
    "sampling/plain-sub-gaussian-pareto",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[5], delta=[0.005]),
    cite="Lugosi-Mendelson 2019, section 2: the mean is not sub-Gaussian under a finite variance alone",
)
def plain_sub_gaussian_pareto(forall, draw, *, n, delta):
    """mean - mu <= sigma sqrt(2 log(1/delta) / n) with probability at least 1 - delta, n Pareto numbers."""
    alpha = forall.interval("alpha", 2.1, 8.0)
    x = draw.uniform("u", n).pow(-1 / alpha.unsqueeze(-1))
    mu = alpha / (alpha - 1)
    sigma = (alpha / (alpha - 2)).sqrt() / (alpha - 1)
    return x.mean(-1) - mu, sigma * math.sqrt(2 * math.log(1 / delta) / n)


@claim(
    "sampling/true-johnson-lindenstrauss",
    high_probability("delta"),
    over=grid(m=[2, 3], d=[1, 4], delta=[0.05]),
    cite="Dasgupta-Gupta 2003, Theorem 2.1 with the normal projection",
)
def true_johnson_lindenstrauss(forall, draw, *, m, d, delta):
    """All squared distances of m points are kept to 90 % by k >= log(2 pairs/delta) / (e^2/4 - e^3/6), e = 0.9."""
    x = forall.ball("x", m, d)
    eps = 0.9
    pairs = torch.combinations(torch.arange(m), 2)
    k = math.ceil(math.log(2 * len(pairs) / delta) / (eps**2 / 4 - eps**3 / 6))
    g = draw.normal("g", k, d)
    y = x @ g.transpose(-1, -2) / math.sqrt(k)
    before = (x[..., pairs[:, 0], :] - x[..., pairs[:, 1], :]).square().sum(-1)
    after = (y[..., pairs[:, 0], :] - y[..., pairs[:, 1], :]).square().sum(-1)
    return ((after - before).abs() - eps * before).amax(-1), 0.0


@claim(
    "sampling/plain-projection-factor-four",
    high_probability("delta"),
    expected="refuted",
    over=grid(m=[4], d=[4], delta=[0.1]),
    cite="Dasgupta-Gupta 2003, Theorem 2.1, log(..)/e^2 for 4 log(..)/e^2",
)
def plain_projection_factor_four(forall, draw, *, m, d, delta):
    """All squared distances of m points are kept to 50 % by k >= log(2 pairs/delta) / e^2, e = 1/2."""
    x = forall.ball("x", m, d)
    eps = 0.5
    pairs = torch.combinations(torch.arange(m), 2)
    k = math.ceil(math.log(2 * len(pairs) / delta) / eps**2)
    g = draw.normal("g", k, d)
    y = x @ g.transpose(-1, -2) / math.sqrt(k)
    before = (x[..., pairs[:, 0], :] - x[..., pairs[:, 1], :]).square().sum(-1)
    after = (y[..., pairs[:, 0], :] - y[..., pairs[:, 1], :]).square().sum(-1)
    return ((after - before).abs() - eps * before).amax(-1), 0.0


@claim(
    "sampling/true-empirical-bernstein",
    high_probability("delta"),
    over=grid(n=[2, 20, 200], d=[3], delta=[0.05]),
    cite="Maurer-Pontil 2009, Theorem 4",
)
def true_empirical_bernstein(forall, draw, *, n, d, delta):
    """mu - mean <= sqrt(2 V log(2/delta) / n) + 7 log(2/delta) / (3 (n - 1)), V the sample variance."""
    w = forall.simplex("w", d)
    v = forall.interval("v", 0.0, 1.0, d)
    x = torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)
    log = math.log(2 / delta)
    return (w * v).sum(-1) - x.mean(-1), (2 * x.var(-1) * log / n).sqrt() + 7 * log / (3 * (n - 1))


@claim(
    "sampling/subtle-empirical-bernstein-constant",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Maurer-Pontil 2009, Theorem 4, 0.65 for 7/3",
)
def subtle_empirical_bernstein_constant(forall, draw, *, n, delta):
    """p - mean <= sqrt(2 V log(2/delta) / n) + 0.65 log(2/delta) / (n - 1) for n flips of bias p.

    Findable: p in (0.0243, 0.0273), where no success at all is seen with probability above delta.
    """
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    log = math.log(2 / delta)
    return p - x.mean(-1), (2 * x.var(-1) * log / n).sqrt() + 0.65 * log / (n - 1)


@claim(
    "sampling/true-number-of-kinds",
    high_probability("delta"),
    over=grid(n=[2, 15], d=[2, 12], delta=[0.05, 0.4]),
    cite="Boucheron-Lugosi-Massart, Theorem 6.12 (self-bounding functions)",
)
def true_number_of_kinds(forall, draw, *, n, d, delta):
    """E Z - Z <= sqrt(2 E Z log(1/delta)) for the number Z of distinct values among n of any law on d."""
    w = forall.simplex("w", d)
    seen = (draw.multinomial("x", n, w) > 0).sum(-1)
    mean = (1 - (1 - w).pow(n)).sum(-1)
    return mean - seen, (2 * mean * math.log(1 / delta)).sqrt()


@claim(
    "sampling/plain-percentile-bootstrap",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[4], delta=[0.1]),
    cite="Efron-Tibshirani 1993, chapter 13 (percentile intervals are too short in small samples)",
)
def plain_percentile_bootstrap(draw, *, n, delta):
    """The percentile bootstrap interval of level 1 - delta (99 resamples) covers the mean 0 of n normal numbers."""
    x = draw.normal("g", n)
    index = (draw.uniform("u", 99, n) * n).long()
    means = torch.take_along_dim(x.unsqueeze(-2), index, -1).mean(-1).sort(-1).values
    low, high = means[..., round(100 * delta / 2) - 1], means[..., round(100 * (1 - delta / 2)) - 1]
    return torch.maximum(low, -high), 0.0


@claim(
    "sampling/true-variance-upper-limit",
    high_probability("delta"),
    over=grid(n=[2, 10], delta=[0.05, 0.5]),
    cite="Casella-Berger 2002, Example 9.2.4 (interval for a normal variance)",
)
def true_variance_upper_limit(forall, draw, *, n, delta):
    """sigma^2 <= sum (x_i - mean)^2 / q with probability 1 - delta, q the delta quantile of chi-square n - 1."""
    mu = forall.interval("mu", -1.0, 1.0)
    sigma = forall.interval("sigma", 0.0, 1.0)
    x = mu.unsqueeze(-1) + sigma.unsqueeze(-1) * draw.normal("g", n)
    return sigma.square(), (n - 1) * x.var(-1) / chi2.ppf(delta, n - 1)


@claim(
    "sampling/plain-pairs-as-independent",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.05]),
    cite="Hoeffding 1963, (5.7), with the number of pairs for floor(n/2)",
)
def plain_pairs_as_independent(forall, draw, *, n, delta):
    """U - E U <= sqrt(log(1/delta) / (2 pairs)) for the share U of unequal pairs among n flips of bias p."""
    p = forall.interval("p", 0.0, 1.0)
    k = draw.bernoulli("x", p, n).sum(-1)
    pairs = n * (n - 1) / 2
    return k * (n - k) / pairs - 2 * p * (1 - p), math.sqrt(math.log(1 / delta) / (2 * pairs))


@claim(
    "sampling/true-u-statistic",
    high_probability("delta"),
    over=grid(n=[2, 11], d=[2, 4], delta=[0.05, 0.5]),
    cite="Hoeffding 1963, (5.7)",
)
def true_u_statistic(forall, draw, *, n, d, delta):
    """Gini's mean difference U of n numbers: U - E U <= sqrt(log(1/delta) / (2 floor(n/2)))."""
    w = forall.simplex("w", d)
    v = forall.interval("v", 0.0, 1.0, d)
    x = torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)
    u = (x.unsqueeze(-1) - x.unsqueeze(-2)).abs().sum((-1, -2)) / (n * (n - 1))
    gaps = (v.unsqueeze(-1) - v.unsqueeze(-2)).abs()
    mean = (w.unsqueeze(-1) * w.unsqueeze(-2) * gaps).sum((-1, -2))
    return u - mean, math.sqrt(math.log(1 / delta) / (2 * (n // 2)))


@claim(
    "sampling/plain-median-interval-one-inside",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.05]),
    cite="David-Nagaraja 2003, section 7.1, off by one place",
)
def plain_median_interval_one_inside(forall, draw, *, delta):
    """X_(3) <= mu <= X_(8) with probability at least 95 %, 10 normal numbers of mean mu."""
    mu = forall.interval("mu", -1.0, 1.0)
    s = forall.interval("s", 0.0, 1.0)
    x = (mu.unsqueeze(-1) + s.unsqueeze(-1) * draw.normal("g", 10)).sort(-1).values
    return torch.maximum(x[..., 2] - mu, mu - x[..., 7]), 0.0


@claim(
    "sampling/true-records",
    expectation(range=(-4.5, 100.0)),
    over=grid(n=[1, 10, 50]),
    cite="Feller II, I.5 (records)",
)
def true_records(draw, *, n):
    """The expected number of records among n uniform numbers is at most 1 + 1/2 + .. + 1/n (with equality)."""
    u = draw.uniform("u", n)
    records = (u == u.cummax(-1).values).sum(-1)
    return records, sum(1 / i for i in range(1, n + 1))


@claim(
    "sampling/plain-median-of-exponentials",
    expectation(range=(-0.7, math.inf)),
    expected="refuted",
    over=grid(n=[5]),
    cite="the sample median taken as unbiased for the median",
)
def plain_median_of_exponentials(draw, *, n):
    """The median of n standard exponential numbers has mean at most log 2."""
    x = -torch.log(1 - draw.uniform("u", n))
    return x.median(-1).values, math.log(2)


@claim(
    "sampling/true-rule-of-three",
    high_probability("delta"),
    over=grid(n=[3, 30, 300], delta=[0.05]),
    cite="Hanley-Lippman-Hand 1983 (the rule of three)",
)
def true_rule_of_three(forall, draw, *, n, delta):
    """p <= 3/n, or some of n flips of bias p succeeds, with probability at least 95 %."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return p - 3 / n, x.sum(-1)


@claim(
    "sampling/plain-covariance-edge",
    expectation(range=(-1.75, math.inf)),
    expected="refuted",
    over=grid(d=[5], n=[10]),
    cite="Bai-Yin 1993 (edge of the spectrum), 1 + sqrt(d/n) without the square",
)
def plain_covariance_edge(draw, *, d, n):
    """The largest eigenvalue of the sample covariance of n standard normal vectors has mean <= 1 + sqrt(d/n)."""
    x = draw.normal("g", n, d)
    return torch.linalg.eigvalsh(x.transpose(-1, -2) @ x / n)[..., -1], 1 + math.sqrt(d / n)


@claim(
    "sampling/subtle-conformal-rounded",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.05]),
    cite="Vovk-Gammerman-Shafer 2005, Proposition 2.3, rounded instead of rounded up",
)
def subtle_conformal_rounded(forall, draw, *, delta):
    """y <= X_(k) with probability at least 1 - delta, k the integer nearest to (m + 1)(1 - delta), 20 <= m <= 120.

    Findable: an error has probability 2/31 at m = 30; m = 29 to 38, 50 to 58, .. are false too, ever more slightly.
    """
    m = forall.integers("m", 20, 120)
    x, y = draw.uniform("x", 120), draw.uniform("y")
    x = torch.where(torch.arange(120) < m.unsqueeze(-1), x, torch.inf).sort(-1).values
    k = torch.round((m + 1) * (1 - delta)).long()
    return y, torch.take_along_dim(x, k.unsqueeze(-1) - 1, -1).squeeze(-1)


@claim(
    "sampling/subtle-signs-as-gaussian",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[18], delta=[0.0128]),
    cite="Pinelis 1994 (Gaussian tails for sums of signs, up to a factor), read with factor 1",
)
def subtle_signs_as_gaussian(forall, draw, *, n, delta):
    """|sum_i a_i eps_i| <= 2.49 |a| with the probability 0.9872 that a normal number has.

    Findable: ten, thirteen or sixteen equal weights and zeros besides; eighteen equal ones stay below delta.
    """
    a = forall.ball("a", n)
    return (a * draw.signs("eps", n)).sum(-1).abs(), 2.49 * a.norm(dim=-1)


PROOFS = {
    "sampling/true-median-of-means": (
        "Chebyshev: a block errs with probability <= 1/4; the (lower) median errs only if 12 of 24 do, "
        "<= exp(-24/8) = 0.0498 by Hoeffding; p = 0 and 1 are 0 <= 0."
    ),
    "sampling/true-johnson-lindenstrauss": (
        "Each pair errs with probability <= 2 exp(-k (e^2/4 - e^3/6)); union bound; equal points 0 <= 0."
    ),
    "sampling/true-empirical-bernstein": "Maurer and Pontil 2009, Theorem 4, for values in [0, 1] and n >= 2.",
    "sampling/true-number-of-kinds": (
        "Z is self-bounding (a configuration function): P(Z <= EZ - t) <= exp(-t^2 / (2 EZ)), BLM Theorem 6.12."
    ),
    "sampling/true-variance-upper-limit": (
        "sum (x_i - mean)^2 / sigma^2 is chi-square n - 1, below its delta quantile with probability exactly delta; "
        "sigma = 0 is 0 <= 0."
    ),
    "sampling/true-u-statistic": "Hoeffding 1963, (5.7), kernel |x - y| in [0, 1].",
    "sampling/true-records": "The i-th number is a record with probability 1/i (no ties): equality in the mean.",
    "sampling/true-rule-of-three": (
        "A violation needs p > 3/n and no success: (1 - p)^n < (1 - 3/n)^n <= exp(-3) = 0.0498; one success gives >= 1."
    ),
}

WITNESSES = {
    "sampling/plain-sub-gaussian-pareto": {
        "params": {"n": 5, "delta": 0.005},
        "values": {"alpha": 3.5},
        "probability": 0.0124,
        "why": "one large term suffices; simulation, standard error 0.0001",
    },
    "sampling/plain-projection-factor-four": {
        "params": {"m": 4, "d": 4, "delta": 0.1},
        "values": {"x": [[float(i == j) for j in range(4)] for i in range(4)]},
        "probability": 0.439,
        "why": "20 features for the 6 pairs of an orthonormal basis; simulation, standard error 0.0015",
    },
    "sampling/subtle-empirical-bernstein-constant": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.0245},
        "probability": 0.0837003691,
        "why": "no success, variance 0: 0.0245 > 0.65 log(40) / 99 = 0.02422, probability 0.9755^100",
    },
    "sampling/plain-percentile-bootstrap": {
        "params": {"n": 4, "delta": 0.1},
        "values": {},
        "probability": 0.2518,
        "why": "simulation, standard error 0.001",
    },
    "sampling/plain-pairs-as-independent": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"p": 0.2},
        "probability": 0.1957920343,
        "why": "exact binomial sum; the projection of U on one number has standard deviation 0.24, not 0",
    },
    "sampling/plain-median-interval-one-inside": {
        "params": {"delta": 0.05},
        "values": {"mu": 0.0, "s": 1.0},
        "probability": 0.109375,
        "why": "2 P(Bin(10, 1/2) <= 2) = 112/1024",
    },
    "sampling/plain-median-of-exponentials": {
        "params": {"n": 5},
        "values": {},
        "mean": 0.0901861527,
        "why": "Renyi: the median of five has mean 1/5 + 1/4 + 1/3 = 0.7833 against log 2 = 0.6931",
    },
    "sampling/plain-covariance-edge": {
        "params": {"d": 5, "n": 10},
        "values": {},
        "mean": 0.478,
        "why": "simulation, standard error 0.002; the edge of the spectrum is (1 + sqrt(d/n))^2",
    },
    "sampling/subtle-conformal-rounded": {
        "params": {"delta": 0.05},
        "values": {"m": 30},
        "probability": 0.0645161290,
        "why": "29.45 is rounded to 29: y is above X_(29) of 30 with probability 2/31",
    },
    "sampling/subtle-signs-as-gaussian": {
        "params": {"n": 18, "delta": 0.0128},
        "values": {"a": [0.25] * 16 + [0.0, 0.0]},
        "probability": 0.021270751953125,
        "why": "|sum| >= 10 of 16 signs: 2 (1 + 16 + 120 + 560) / 2^16, as 2.5 > 2.49",
    },
}
