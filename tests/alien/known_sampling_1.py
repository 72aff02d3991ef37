"""Alien claims, known: samples, intervals, balls in bins, walks; see README.md."""

import math
from statistics import NormalDist

import torch
from scipy.stats import beta

from harness import claim, grid, high_probability


def clopper_pearson(n, tail):
    """Both limits by count, each tail of the given probability."""
    k = torch.arange(n + 1).numpy()
    lower = torch.as_tensor(beta.ppf(tail, k, n - k + 1))
    upper = torch.as_tensor(beta.ppf(1 - tail, k + 1, n - k))
    lower[0], upper[n] = 0.0, 1.0
    return lower, upper


@claim(
    "sampling/true-empty-bins",
    high_probability("delta"),
    over=grid(n=[3, 20], d=[2, 10], delta=[0.05]),
    cite="McDiarmid 1989; Boucheron-Lugosi-Massart, Theorem 6.2",
)
def true_empty_bins(forall, draw, *, n, d, delta):
    """|Z - E Z| <= sqrt(n log(2/delta) / 2) for the number Z of bins left empty by n balls of any law on d bins."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    mean = (1 - w).pow(n).sum(-1)
    return ((counts == 0).sum(-1) - mean).abs(), math.sqrt(n * math.log(2 / delta) / 2)


@claim(
    "sampling/plain-wald-interval",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.05]),
    cite="Brown-Cai-DasGupta 2001 (the Wald interval does not cover)",
)
def plain_wald_interval(forall, draw, *, n, delta):
    """|mean - p| <= z sqrt(mean (1 - mean) / n) with probability at least 1 - delta, z the normal quantile."""
    p = forall.interval("p", 0.0, 1.0)
    m = draw.bernoulli("x", p, n).mean(-1)
    return (m - p).abs(), NormalDist().inv_cdf(1 - delta / 2) * (m * (1 - m) / n).sqrt()


@claim(
    "sampling/true-dkw-any-law",
    high_probability("delta"),
    over=grid(n=[1, 10, 100], d=[6], delta=[0.05, 0.5]),
    cite="Massart 1990, Corollary 1",
)
def true_dkw_any_law(forall, draw, *, n, d, delta):
    """sup_t |F_n(t) - F(t)| <= sqrt(log(2/delta) / (2 n)) with probability at least 1 - delta, F on d atoms."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    return ((counts / n).cumsum(-1) - w.cumsum(-1)).abs().amax(-1), math.sqrt(math.log(2 / delta) / (2 * n))


@claim(
    "sampling/plain-dkw-union-forgotten",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], delta=[0.1]),
    cite="Massart 1990, Theorem 1, the one-sided constant used for both sides",
)
def plain_dkw_union_forgotten(draw, *, n, delta):
    """sup_t |F_n(t) - t| <= sqrt(log(1/delta) / (2 n)) with probability at least 1 - delta, uniform numbers."""
    u = draw.uniform("u", n).sort(-1).values
    i = torch.arange(1, n + 1, dtype=torch.float64)
    distance = torch.maximum(i / n - u, u - (i - 1) / n).amax(-1)
    return distance, math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "sampling/true-interval-for-median",
    high_probability("delta"),
    over=grid(d=[2, 5], delta=[0.022]),
    cite="David-Nagaraja 2003, section 7.1 (intervals for quantiles)",
)
def true_interval_for_median(forall, draw, *, d, delta):
    """X_(2) <= median <= X_(9) with probability at least 0.978, 10 numbers of any law on d atoms."""
    w = forall.simplex("w", d)
    median = (w.cumsum(-1) < 0.5).sum(-1)
    x = draw.categorical("x", w, 10).sort(-1).values
    return torch.maximum(x[..., 1] - median, median - x[..., 8]), 0.0


@claim(
    "sampling/plain-maximum-without-delta",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], delta=[0.05]),
    cite="bound on the mean of a Gaussian maximum read as a bound in probability",
)
def plain_maximum_without_delta(draw, *, n, delta):
    """max of n normal numbers <= sqrt(2 log n) with probability at least 1 - delta."""
    return draw.normal("g", n).amax(-1), math.sqrt(2 * math.log(n))


@claim(
    "sampling/true-clopper-pearson",
    high_probability("delta"),
    over=grid(n=[5, 40], delta=[0.05]),
    cite="Clopper-Pearson 1934",
)
def true_clopper_pearson(forall, draw, *, n, delta):
    """The Clopper-Pearson interval with tails delta/2 covers p with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    lower, upper = clopper_pearson(n, delta / 2)
    k = draw.bernoulli("x", p, n).sum(-1).long()
    return torch.maximum(lower[k] - p, p - upper[k]), 0.0


@claim(
    "sampling/plain-clopper-pearson-full-tails",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], delta=[0.05]),
    cite="Clopper-Pearson 1934, delta instead of delta/2 on each side",
)
def plain_clopper_pearson_full_tails(forall, draw, *, n, delta):
    """The Clopper-Pearson interval with tails delta covers p with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    lower, upper = clopper_pearson(n, delta)
    k = draw.bernoulli("x", p, n).sum(-1).long()
    return torch.maximum(lower[k] - p, p - upper[k]), 0.0


@claim(
    "sampling/true-serfling",
    high_probability("delta"),
    over=grid(n=[1, 4, 7], delta=[0.05, 0.3]),
    cite="Serfling 1974, Corollary 1.1",
)
def true_serfling(forall, draw, *, n, delta):
    """n of 8 without replacement: sample mean - mean <= sqrt((1 - (n - 1)/8) log(1/delta) / (2 n))."""
    x = forall.interval("x", 0.0, 1.0, 8)
    order = draw.uniform("u", 8).argsort(-1)
    sample = torch.take_along_dim(x, order, -1)[..., :n]
    return sample.mean(-1) - x.mean(-1), math.sqrt((1 - (n - 1) / 8) * math.log(1 / delta) / (2 * n))


@claim(
    "sampling/plain-finite-population-squared",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[6], delta=[0.1]),
    cite="Hoeffding with the finite population factor outside of the root",
)
def plain_finite_population_squared(forall, draw, *, n, delta):
    """n of 8 without replacement: sample mean - mean <= (1 - n/8) sqrt(log(1/delta) / (2 n))."""
    x = forall.interval("x", 0.0, 1.0, 8)
    order = draw.uniform("u", 8).argsort(-1)
    sample = torch.take_along_dim(x, order, -1)[..., :n]
    return sample.mean(-1) - x.mean(-1), (1 - n / 8) * math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "sampling/subtle-serfling-without-one",
    high_probability("delta"),
    expected="refuted",
    over=grid(N=[2], delta=[0.38]),
    cite="Serfling 1974, 1 - n/N for 1 - (n - 1)/N",
)
def subtle_serfling_without_one(forall, draw, *, N, delta):
    """1 of N without replacement: sample - mean <= sqrt((1 - 1/N) log(1/delta) / 2).

    Findable: both values within 1.7 % of opposite ends, then with probability 1/2.
    """
    x = forall.interval("x", 0.0, 1.0, N)
    order = draw.uniform("u", N).argsort(-1)
    sample = torch.take_along_dim(x, order, -1)[..., 0]
    return sample - x.mean(-1), math.sqrt((1 - 1 / N) * math.log(1 / delta) / 2)


@claim(
    "sampling/true-gaussian-norm",
    high_probability("delta"),
    over=grid(d=[1, 4, 30], delta=[0.01, 0.3]),
    cite="Boucheron-Lugosi-Massart, Theorem 5.6 (Lipschitz functions of normal numbers)",
)
def true_gaussian_norm(forall, draw, *, d, delta):
    """|(s_i g_i)| <= |s| + max_i s_i sqrt(2 log(1/delta)) with probability at least 1 - delta, s_i >= 0."""
    s = forall.interval("s", 0.0, 1.0, d)
    g = draw.normal("g", d)
    return (s * g).norm(dim=-1), s.norm(dim=-1) + s.amax(-1) * math.sqrt(2 * math.log(1 / delta))


@claim(
    "sampling/plain-coupons-d-log-d",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[20], delta=[0.1]),
    cite="Feller I, IV.2 (coupon collector), d log d without the delta",
)
def plain_coupons_d_log_d(draw, *, d, delta):
    """d log d coupons of d kinds leave none out, with probability at least 1 - delta."""
    n = math.ceil(d * math.log(d))
    counts = draw.multinomial("x", n, [1 / d] * d)
    return (counts == 0).sum(-1), 0.0


@claim(
    "sampling/true-maximal-load",
    high_probability("delta"),
    over=grid(n=[1, 5, 50], delta=[0.1]),
    cite="Mitzenmacher-Upfal 2005, Lemma 5.1 (union bound)",
)
def true_maximal_load(draw, *, n, delta):
    """n balls in n bins: every bin has fewer than k balls, k the first with n C(n, k) n^-k <= delta."""
    k = next(k for k in range(1, n + 2) if n * math.comb(n, k) <= delta * n**k)
    counts = draw.multinomial("x", n, [1 / n] * n)
    return counts.amax(-1), k - 1


@claim(
    "sampling/plain-maximal-load-asymptotic",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.1]),
    cite="Mitzenmacher-Upfal 2005, section 5.2, the asymptotic load with constant 1 as a bound",
)
def plain_maximal_load_asymptotic(draw, *, n, delta):
    """n balls in n bins: the fullest has at most log n / log log n balls, with probability at least 1 - delta."""
    counts = draw.multinomial("x", n, [1 / n] * n)
    return counts.amax(-1), math.log(n) / math.log(math.log(n))


@claim(
    "sampling/true-azuma-at-all-times",
    high_probability("delta"),
    over=grid(n=[1, 10], delta=[0.05, 0.5]),
    cite="Hoeffding 1963, remark (2.17); Azuma 1967 with Doob's inequality",
)
def true_azuma_at_all_times(forall, draw, *, n, delta):
    """max_k |sum_{i <= k} a_i eps_i| <= |a| sqrt(2 log(2/delta)) with probability at least 1 - delta."""
    a = forall.ball("a", n)
    walk = (a * draw.signs("eps", n)).cumsum(-1)
    return walk.abs().amax(-1), a.norm(dim=-1) * math.sqrt(2 * math.log(2 / delta))


@claim(
    "sampling/plain-reflection-forgotten",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Feller I, III.7: the maximum of a walk with the quantile of its end",
)
def plain_reflection_forgotten(draw, *, n, delta):
    """max_k S_k <= z sqrt(n) with probability at least 1 - delta, S a simple walk, z the normal quantile."""
    walk = draw.signs("eps", n).cumsum(-1)
    return walk.amax(-1), math.sqrt(n) * NormalDist().inv_cdf(1 - delta)


@claim(
    "sampling/subtle-wilson-88-percent",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.12]),
    cite="Wilson 1927; Brown-Cai-DasGupta 2001 on its lowest coverage",
)
def subtle_wilson_88_percent(forall, draw, *, n, delta):
    """The Wilson interval of nominal level 95 % covers p with probability at least 88 %, for every p.

    Findable: p in (0.0043, 0.0059) and its mirror, just below the lower limit of one success.
    """
    p = forall.interval("p", 0.0, 1.0)
    m = draw.bernoulli("x", p, n).mean(-1)
    z = 1.96
    centre = (m + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (m * (1 - m) / n + z * z / (4 * n * n)).sqrt()
    return (p - centre).abs(), half


PROOFS = {
    "sampling/true-empty-bins": (
        "McDiarmid: moving one of n independent balls changes Z by at most 1, so P(|Z - EZ| > t) <= 2 exp(-2 t^2 / n); "
        "E Z = sum (1 - w_i)^n; a vertex gives 0 <= .."
    ),
    "sampling/true-dkw-any-law": (
        "Massart 1990: P(sqrt(n) sup |F_n - F| > s) <= 2 exp(-2 s^2) for every s > 0, every n and every F."
    ),
    "sampling/true-interval-for-median": (
        "m has P(X <= m) >= 1/2 and P(X >= m) >= 1/2: X_(2) > m needs at most one X <= m of ten, at most 11/1024; "
        "so does X_(9) < m; 22/1024 = 0.0215 <= 0.022."
    ),
    "sampling/true-clopper-pearson": "Clopper and Pearson 1934: each tail errs with probability at most delta/2.",
    "sampling/true-serfling": "Serfling 1974, Cor. 1.1, exp(-2 n t^2 / (1 - (n - 1)/N)) for values in [0, 1].",
    "sampling/true-gaussian-norm": (
        "The norm is a Lipschitz function of g with constant max s_i and has mean <= |s|; BLM Theorem 5.6."
    ),
    "sampling/true-maximal-load": (
        "Union over bins and sets of k balls: P(a bin has >= k) <= n C(n, k) n^-k <= delta; n = 1 gives k = 2, 1 <= 1."
    ),
    "sampling/true-azuma-at-all-times": (
        "Doob's inequality for exp(s S_k) and for exp(-s S_k), E exp(s S_n) <= exp(s^2 |a|^2 / 2); a = 0 is 0 <= 0."
    ),
}

WITNESSES = {
    "sampling/plain-wald-interval": {
        "params": {"n": 30, "delta": 0.05},
        "values": {"p": 0.02},
        "probability": 0.54578465,
        "why": "no success among 30 (probability 0.98^30 = 0.545) gives an interval of length 0",
    },
    "sampling/plain-dkw-union-forgotten": {
        "params": {"n": 50, "delta": 0.1},
        "values": {},
        "probability": 0.1802701835,
        "why": "exact law of Kolmogorov's statistic: nearly 2 exp(-2 n t^2) = 0.2",
    },
    "sampling/plain-maximum-without-delta": {
        "params": {"n": 50, "delta": 0.05},
        "values": {},
        "probability": 0.1210748514,
        "why": "1 - Phi(sqrt(2 log 50))^50",
    },
    "sampling/plain-clopper-pearson-full-tails": {
        "params": {"n": 50, "delta": 0.05},
        "values": {"p": 0.7528},
        "probability": 0.0995636455,
        "why": "both tails err, each with nearly 0.05; exact binomial sum",
    },
    "sampling/plain-finite-population-squared": {
        "params": {"n": 6, "delta": 0.1},
        "values": {"x": [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]},
        "probability": 0.2142857142,
        "why": "both excluded values are zeros (6 of 28 pairs): 2/3 - 1/2 = 0.167 against 0.110",
    },
    "sampling/subtle-serfling-without-one": {
        "params": {"N": 2, "delta": 0.38},
        "values": {"x": [1.0, 0.0]},
        "probability": 0.5,
        "why": "0.5 > sqrt(log(1/0.38) / 4) = 0.4918 with probability 1/2; true for delta < exp(-1)",
    },
    "sampling/plain-coupons-d-log-d": {
        "params": {"d": 20, "delta": 0.1},
        "values": {},
        "probability": 0.6393947748,
        "why": "60 draws; inclusion and exclusion over the missing kinds, about 1 - 1/e",
    },
    "sampling/plain-maximal-load-asymptotic": {
        "params": {"n": 100, "delta": 0.1},
        "values": {},
        "probability": 0.873843676,
        "why": "a bin with 4 balls exceeds 3.016; 100! [z^100] (1 + z + z^2/2 + z^3/6)^100 / 100^100 is the rest",
    },
    "sampling/plain-reflection-forgotten": {
        "params": {"n": 100, "delta": 0.05},
        "values": {},
        "probability": 0.0886260801,
        "why": "reflection: P(max >= 17) = P(S >= 17) + P(S > 17), against sqrt(100) 1.645 = 16.4",
    },
    "sampling/subtle-wilson-88-percent": {
        "params": {"n": 30, "delta": 0.12},
        "values": {"p": 0.0058},
        "probability": 0.160128655,
        "why": "one success or more puts the interval above p: 1 - 0.9942^30; elsewhere at most 0.104",
    },
}
