"""Alien claims, known: small excesses, rare laws among many, one integer of a million; see README.md."""

import math

import torch
from scipy.stats import norm

from harness import claim, expectation, grid, high_probability

Z99 = norm.ppf(0.995)


@claim(
    "tuner/plain-rule-of-two-integers",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.05]),
    cite="Hanley-Lippman-Hand 1983 (the rule of three), 2 for 3",
)
def plain_rule_of_two_integers(forall, draw, *, n, delta):
    """1/m <= 2/n, or some of n draws with replacement from m tickets is the winning one, 1 <= m <= 10^6."""
    m = forall.integers("m", 1, 1_000_000)
    x = draw.bernoulli("x", 1 / m, n)
    return 1 / m - 2 / n, x.sum(-1)


@claim(
    "tuner/true-rule-of-three-integers",
    high_probability("delta"),
    over=grid(n=[30], delta=[0.05]),
    cite="Hanley-Lippman-Hand 1983",
)
def true_rule_of_three_integers(forall, draw, *, n, delta):
    """1/m <= 3/n, or some of n draws with replacement from m tickets is the winning one, 1 <= m <= 10^6."""
    m = forall.integers("m", 1, 1_000_000)
    x = draw.bernoulli("x", 1 / m, n)
    return 1 / m - 3 / n, x.sum(-1)


@claim(
    "tuner/plain-wilson-99",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[200], delta=[0.01]),
    cite="Brown-Cai-DasGupta 2001 (Wilson's interval undercovers near the ends)",
)
def plain_wilson_99(forall, draw, *, n, delta):
    """(X - n p)^2 <= z^2 n p (1 - p) with probability 0.99."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return (x - n * p).square() - Z99**2 * n * p * (1 - p), 0.0


@claim(
    "tuner/plain-poisson-window",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[500], delta=[0.04]),
    cite="a count below its mean by 1.7 standard deviations, as if normal",
)
def plain_poisson_window(forall, draw, *, n, delta):
    """n p - X <= 1.72 sqrt(n p) with probability 0.96."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return n * p - x - 1.72 * (n * p).sqrt(), 0.0


@claim(
    "tuner/plain-second-moment-one-per-cent",
    expectation(range=(-0.99, 200.0)),
    expected="refuted",
    over=grid(n=[5]),
    cite="orthogonality of signs with 0.99 for 1",
)
def plain_second_moment_one_per_cent(forall, draw, *, n):
    """E (sum a_i g_i)^2 <= 0.99 |a|^2."""
    a = forall.ball("a", n)
    return (a * draw.normal("g", n)).sum(-1).square().clamp_max(200.0), 0.99 * a.square().sum(-1)


@claim(
    "tuner/plain-martingale-transform-bias",
    expectation(range=(-3.0, 3.0)),
    expected="refuted",
    over=grid(n=[3]),
    cite="a stake that sees the flip it is put on, one time in twenty",
)
def plain_martingale_transform_bias(forall, draw, *, n):
    """E sum_i s_i eps_i <= 0 where the last stake is doubled on a win, one time in twenty."""
    s = forall.interval("s", -1.0, 1.0, n)
    eps = draw.signs("eps", n)
    gain = s * eps
    peeked = draw.bernoulli("b", 0.05) * (gain[..., -1] > 0)
    return (gain.sum(-1) + peeked * gain[..., -1]).clamp(-3.0, 3.0), 0.0


@claim(
    "tuner/plain-large-simplex-few-kinds",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[60], d=[80], delta=[0.1]),
    cite="many kinds are possible, so that many are seen",
)
def plain_large_simplex_few_kinds(forall, draw, *, n, d, delta):
    """At least 12 kinds are seen with probability 0.9, or some kind has probability above 1/5."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    return torch.where(w.amax(-1) <= 0.2, 12.0 - (counts > 0).sum(-1), 0.0), 0.0


@claim(
    "tuner/plain-thin-atom",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[200], d=[6], delta=[0.02]),
    cite="Maurer-Pontil 2009, Theorem 4, second term 3/4 of what one unseen atom needs",
)
def plain_thin_atom(forall, draw, *, n, d, delta):
    """mu <= mean + 2 s + 3/(n) for any law on d atoms of [0, 1], s^2 = V / n."""
    w, v = forall.simplex("w", d), forall.interval("v", 0.0, 1.0, d)
    x = torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)
    return (w * v).sum(-1) - x.mean(-1), 2 * (x.var(-1) / n).sqrt() + 3 / n


@claim(
    "tuner/true-thin-atom",
    high_probability("delta"),
    over=grid(n=[200], d=[6], delta=[0.02]),
    cite="Maurer-Pontil 2009, Theorem 4",
)
def true_thin_atom(forall, draw, *, n, d, delta):
    """mu <= mean + sqrt(2 V log(2/delta) / n) + 7 log(2/delta) / (3 (n - 1))."""
    w, v = forall.simplex("w", d), forall.interval("v", 0.0, 1.0, d)
    x = torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)
    log = math.log(2 / delta)
    return (w * v).sum(-1) - x.mean(-1), (2 * x.var(-1) * log / n).sqrt() + 7 * log / (3 * (n - 1))


@claim(
    "tuner/plain-many-tests-small-level",
    high_probability("delta"),
    expected="refuted",
    over=grid(k=[20], delta=[0.001]),
    cite="Bonferroni's correction with two-sided tests and a one-sided quantile of 2/3 the level",
)
def plain_many_tests_small_level(forall, draw, *, k, delta):
    """max_i |rho g_0 + sqrt(1 - rho^2) g_i| <= z, P(g > z) = 0.7 delta / k."""
    rho = forall.interval("rho", 0.0, 1.0)
    g = draw.normal("g", k)
    common = (rho * draw.normal("g0")).unsqueeze(-1)
    x = common + (1 - rho.square()).clamp_min(0).sqrt().unsqueeze(-1) * g
    return x.abs().amax(-1), norm.isf(0.7 * delta / k)


@claim(
    "tuner/true-many-tests-small-level",
    high_probability("delta"),
    over=grid(k=[20], delta=[0.001]),
    cite="Bonferroni's correction",
)
def true_many_tests_small_level(forall, draw, *, k, delta):
    """max_i |rho g_0 + sqrt(1 - rho^2) g_i| <= z, P(g > z) = delta / (2 k)."""
    rho = forall.interval("rho", 0.0, 1.0)
    g = draw.normal("g", k)
    common = (rho * draw.normal("g0")).unsqueeze(-1)
    x = common + (1 - rho.square()).clamp_min(0).sqrt().unsqueeze(-1) * g
    return x.abs().amax(-1), norm.isf(delta / (2 * k))


@claim(
    "tuner/plain-two-sample-kolmogorov",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[80], d=[5], delta=[0.05]),
    cite="the two-sample DKW inequality with one sample's width",
)
def plain_two_sample_kolmogorov(forall, draw, *, n, d, delta):
    """sup |F_n - G_n| <= sqrt(log(2/delta) / (2 n)), two samples of one law on d atoms."""
    w = forall.simplex("w", d)
    p, q = draw.multinomial("x", n, w) / n, draw.multinomial("y", n, w) / n
    return (p - q).cumsum(-1).abs().amax(-1), math.sqrt(math.log(2 / delta) / (2 * n))


@claim(
    "tuner/plain-distance-correlation-pairs",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Hoeffding 1963, (5.7), floor(n/2) taken for 3 n, kernel 1 where signs agree",
)
def plain_distance_correlation_pairs(forall, draw, *, n, delta):
    """Kendall-like share of agreeing pairs of flips of bias p: U - E U <= sqrt(log(1/delta) / (6 n))."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    agree = (x.unsqueeze(-1) == x.unsqueeze(-2)).to(x)
    u = (agree.sum((-1, -2)) - n) / (n * (n - 1))
    return u - p.square() - (1 - p).square(), math.sqrt(math.log(1 / delta) / (6 * n))


@claim(
    "tuner/plain-ratio-estimator",
    expectation(range=(-10.0, 10.0)),
    expected="refuted",
    over=grid(n=[3], d=[3]),
    cite="Cochran 1977, section 6.8 (the ratio estimator is biased)",
)
def plain_ratio_estimator(forall, draw, *, n, d):
    """E mean(y) / mean(x) <= E y / E x for pairs in [0, 1] x [0.1, 1] of any law on d atoms."""
    w = forall.simplex("w", d)
    y, x = forall.interval("y", 0.0, 1.0, d), forall.interval("x", 0.1, 1.0, d)
    at = draw.categorical("k", w, n).long()
    ratio = torch.take_along_dim(y, at, -1).mean(-1) / torch.take_along_dim(x, at, -1).mean(-1)
    return ratio, (w * y).sum(-1) / (w * x).sum(-1)


@claim(
    "tuner/true-ratio-markov",
    expectation(range=(-10.0, 10.0)),
    over=grid(n=[3], d=[3]),
    cite="Jensen's inequality",
)
def true_ratio_markov(forall, draw, *, n, d):
    """1 / E x <= E 1 / mean(x) for numbers in [0.1, 1] of any law on d atoms."""
    w, x = forall.simplex("w", d), forall.interval("x", 0.1, 1.0, d)
    at = draw.categorical("k", w, n).long()
    return 1 / (w * x).sum(-1), 1 / torch.take_along_dim(x, at, -1).mean(-1)


@claim(
    "tuner/subtle-bold-play",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[4], delta=[0.19]),
    cite="Dubins-Savage 1965 (bold play reaches 1 from 0.3 with probability near 0.3)",
)
def subtle_bold_play(forall, draw, *, n, delta):
    """From 0.3, fair bets s(history) of at most the fortune reach 0.999 within 4 rounds with probability <= 0.19.

    Findable: all on the first, 0.4 of 0.6 on the second, and so on: 0.3 in binary digits.
    """
    s = forall.interval("s", 0.0, 1.0, 2**n - 1)
    eps = draw.signs("eps", n)
    fortune, best = torch.full_like(eps[..., 0], 0.3), torch.full_like(eps[..., 0], 0.3)
    node = torch.zeros_like(eps[..., 0]).long()
    for i in range(n):
        stake = torch.take_along_dim(s, node.unsqueeze(-1), -1).squeeze(-1)
        fortune = fortune * (1 + stake * eps[..., i])
        best = torch.maximum(best, fortune)
        node = 2 * node + 1 + (eps[..., i] > 0).long()
    return best, 0.999


PROOFS = {
    "tuner/true-rule-of-three-integers": "A violation needs 1/m > 3/n and no win: (1 - 3/n)^n <= exp(-3) = 0.0498.",
    "tuner/true-thin-atom": "Maurer and Pontil 2009, Theorem 4.",
    "tuner/true-many-tests-small-level": "Every coordinate is standard normal; the union bound.",
    "tuner/true-ratio-markov": "Jensen for 1/x; x >= 0.1 keeps the ratio below 10.",
}

WITNESSES = {
    "tuner/plain-rule-of-two-integers": {
        "params": {"n": 30, "delta": 0.05},
        "values": {"m": 14.0},
        "probability": 0.108,
        "why": "(13/14)^30",
    },
    "tuner/plain-wilson-99": {
        "params": {"n": 200, "delta": 0.01},
        "values": {"p": 0.000575},
        "probability": 0.1086,
        "why": "one success: (1 - 0.115)^2 > 6.635 * 0.115",
    },
    "tuner/plain-poisson-window": {
        "params": {"n": 500, "delta": 0.04},
        "values": {"p": 0.00595},
        "probability": 0.05,
        "why": "no success: 2.975 > 1.72 sqrt(2.975)",
    },
    "tuner/plain-second-moment-one-per-cent": {
        "params": {"n": 5},
        "values": {"a": [1.0] + [0.0] * 4},
        "mean": 0.01,
        "why": "1 - 0.99",
    },
    "tuner/plain-martingale-transform-bias": {
        "params": {"n": 3},
        "values": {"s": [0.0, 0.0, 1.0]},
        "mean": 0.025,
        "why": "half of one in fifty",
    },
    "tuner/plain-large-simplex-few-kinds": {
        "params": {"n": 60, "d": 80, "delta": 0.1},
        "values": {"w": [0.1] * 10 + [0.0] * 70},
        "probability": 1.0,
        "why": "ten kinds in all",
    },
    "tuner/plain-thin-atom": {
        "params": {"n": 200, "d": 6, "delta": 0.02},
        "values": {"w": [0.0151, 0.9849, 0.0, 0.0, 0.0, 0.0], "v": [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]},
        "probability": 0.0475,
        "why": "never seen: 0.9849^200, and 0.0151 > 3/200",
    },
    "tuner/plain-many-tests-small-level": {
        "params": {"k": 20, "delta": 0.001},
        "values": {"rho": 0.0},
        "probability": 0.001399,
        "why": "1 - (1 - 1.4 delta / k)^k",
    },
    "tuner/plain-two-sample-kolmogorov": {
        "params": {"n": 80, "d": 5, "delta": 0.05},
        "values": {"w": [0.2] * 5},
        "probability": 0.09,
        "why": "simulation",
    },
    "tuner/plain-distance-correlation-pairs": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.85},
        "probability": 0.1,
        "why": "the projection has standard deviation 2 |2 p - 1| sqrt(p (1 - p)); simulation",
    },
    "tuner/plain-ratio-estimator": {
        "params": {"n": 3, "d": 3},
        "values": {"w": [0.5, 0.5, 0.0], "y": [1.0, 1.0, 0.0], "x": [1.0, 0.1, 0.1]},
        "mean": 1.0,
        "why": "Jensen for 1/x, y constant; enumeration",
    },
    "tuner/subtle-bold-play": {
        "params": {"n": 4, "delta": 0.19},
        "values": {"s": [1.0, 0.0, 2 / 3, 0.0, 0.0, 1.0, 0.0] + [0.0] * 4 + [0.0, 1.0, 0.0, 0.0]},
        "probability": 0.25,
        "why": "0.6, then 1 or 0.2",
    },
}
