"""Alien claims, aside: samples, intervals, resampling, balls in bins; see README.md."""

import math

import torch
from scipy.stats import beta, chi2

from harness import claim, expectation, grid, high_probability


@claim(
    "sampling/true-coupons-of-any-law",
    high_probability("delta"),
    over=grid(d=[2, 10], delta=[0.05, 0.3]),
    cite="Motwani-Raghavan 1995, section 3.6 (coupon collector, union bound)",
)
def true_coupons_of_any_law(forall, draw, *, d, delta):
    """2 d log(d/delta) coupons leave no kind out with probability at least 1 - delta, if all w_i >= 1/(2 d)."""
    w = 1 / (2 * d) + forall.simplex("v", d) / 2
    counts = draw.multinomial("x", math.ceil(2 * d * math.log(d / delta)), w)
    return (counts == 0).sum(-1), 0.0


@claim(
    "sampling/plain-importance-hoeffding",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.05]),
    cite="Owen 2013, chapter 9 (importance sampling), the size of the weights forgotten",
)
def plain_importance_hoeffding(forall, draw, *, n, delta):
    """|mean of f p/q at n draws from q - sum p f| <= sqrt(log(2/delta) / (2 n)), 0 <= f <= 1, q_i >= 1/40."""
    p = forall.simplex("p", 4)
    q = 0.025 + 0.9 * forall.simplex("r", 4)
    f = forall.interval("f", 0.0, 1.0, 4)
    counts = draw.multinomial("x", n, q)
    return ((counts / n - q) * f * p / q).sum(-1).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim(
    "sampling/true-importance-chebyshev",
    high_probability("delta"),
    over=grid(n=[1, 20], delta=[0.05, 0.4]),
    cite="Owen 2013, chapter 9 (variance of importance sampling); Chebyshev",
)
def true_importance_chebyshev(forall, draw, *, n, delta):
    """|mean of f p/q at n draws from q - sum p f| <= sqrt(sum p^2/q / (n delta)), 0 <= f <= 1, q_i >= 1/40."""
    p = forall.simplex("p", 4)
    q = 0.025 + 0.9 * forall.simplex("r", 4)
    f = forall.interval("f", 0.0, 1.0, 4)
    index = draw.categorical("x", q, n).long()
    terms = torch.take_along_dim(f * p / q, index, -1)
    return (terms.mean(-1) - (p * f).sum(-1)).abs(), ((p.square() / q).sum(-1) / (n * delta)).sqrt()


@claim(
    "sampling/plain-self-normalised-weights",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(n=[2]),
    cite="Owen 2013, section 9.2 (self-normalised importance sampling is biased)",
)
def plain_self_normalised_weights(forall, draw, *, n):
    """E (sum f w / sum w) <= sum p f for n draws from q and weights w = p/q, p_i and q_i >= 1/20."""
    p = 0.05 + 0.9 * forall.simplex("p", 2)
    q = 0.05 + 0.9 * forall.simplex("q", 2)
    f = forall.interval("f", 0.0, 1.0, 2)
    weights = draw.multinomial("x", n, q) * p / q
    return (weights * f).sum(-1) / weights.sum(-1), (p * f).sum(-1)


@claim(
    "sampling/true-random-features",
    high_probability("delta"),
    over=grid(D=[1, 50], d=[1, 4], delta=[0.05]),
    cite="Rahimi-Recht 2007, section 3; Hoeffding 1963",
)
def true_random_features(forall, draw, *, D, d, delta):
    """|mean of cos(<w_j, x>) - exp(-|x|^2 / 2)| <= sqrt(2 log(2/delta) / D) for D normal frequencies."""
    x = forall.ball("x", d, radius=3.0)
    w = draw.normal("w", D, d)
    features = torch.cos((w * x.unsqueeze(-2)).sum(-1))
    return (features.mean(-1) - torch.exp(-x.square().sum(-1) / 2)).abs(), math.sqrt(2 * math.log(2 / delta) / D)


@claim(
    "sampling/plain-random-features-range",
    high_probability("delta"),
    expected="refuted",
    over=grid(D=[50], delta=[0.01]),
    cite="Rahimi-Recht 2007, section 3, the range 2 of the cosine taken as 1",
)
def plain_random_features_range(forall, draw, *, D, delta):
    """|mean of cos(w_j x) - exp(-x^2 / 2)| <= sqrt(log(2/delta) / (2 D)) for D normal frequencies, x in [0, 10]."""
    x = forall.interval("x", 0.0, 10.0)
    features = torch.cos(draw.normal("w", D) * x.unsqueeze(-1))
    return (features.mean(-1) - torch.exp(-x.square() / 2)).abs(), math.sqrt(math.log(2 / delta) / (2 * D))


@claim(
    "sampling/true-covariance-mean-square",
    expectation(range=(-1.0, math.inf)),
    over=grid(d=[1, 3], n=[2, 10]),
    cite="Anderson 2003, section 3.4 (moments of the Wishart law)",
)
def true_covariance_mean_square(forall, draw, *, d, n):
    """E |S - diag(v)|_F^2 <= (|v|^2 + (sum v)^2) / n, S the covariance of n normal vectors (with equality)."""
    v = forall.simplex("v", d)
    x = draw.normal("g", n, d) * v.sqrt().unsqueeze(-2)
    error = x.transpose(-1, -2) @ x / n - torch.diag_embed(v)
    return error.square().sum((-1, -2)), (v.square().sum(-1) + v.sum(-1).square()) / n


@claim(
    "sampling/plain-variance-interval-exponential",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.05]),
    cite="Casella-Berger 2002, Example 9.2.4, normality forgotten",
)
def plain_variance_interval_exponential(draw, *, n, delta):
    """1 <= sum (x_i - mean)^2 / q with probability 1 - delta, n exponential numbers, q the chi-square quantile."""
    x = draw.sample("x", torch.distributions.Exponential(torch.tensor(1.0, dtype=torch.float64)), n)
    return 1.0, (n - 1) * x.var(-1) / chi2.ppf(delta, n - 1)


@claim(
    "sampling/true-conformal",
    high_probability("delta"),
    over=grid(n=[9, 19], delta=[0.1]),
    cite="Vovk-Gammerman-Shafer 2005, Proposition 2.3",
)
def true_conformal(forall, draw, *, n, delta):
    """The next number is <= the ceil((n + 1)(1 - delta))-th of n with probability at least 1 - delta, any law."""
    w = forall.simplex("w", 3)
    x = draw.categorical("x", w, n + 1)
    k = math.ceil((n + 1) * (1 - delta))
    return x[..., n], x[..., :n].sort(-1).values[..., k - 1]


@claim(
    "sampling/plain-conformal-without-one",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.1]),
    cite="Vovk-Gammerman-Shafer 2005, Proposition 2.3, n for n + 1",
)
def plain_conformal_without_one(draw, *, n, delta):
    """The next uniform number is <= the (n (1 - delta))-th of n with probability at least 1 - delta."""
    x = draw.uniform("x", n + 1)
    k = math.ceil(n * (1 - delta))
    return x[..., n], x[..., :n].sort(-1).values[..., k - 1]


@claim(
    "sampling/true-missing-mass-deviation",
    high_probability("delta"),
    over=grid(n=[1, 5, 30], d=[2, 20], delta=[0.05, 0.3]),
    cite="McAllester-Ortiz 2003, Theorem 16",
)
def true_missing_mass_deviation(forall, draw, *, n, d, delta):
    """M - E M <= sqrt(log(1/delta) / n) with probability at least 1 - delta, M the mass not seen in n draws."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    missing = (w * (counts == 0)).sum(-1)
    return missing - (w * (1 - w).pow(n)).sum(-1), math.sqrt(math.log(1 / delta) / n)


@claim(
    "sampling/plain-good-turing-as-limit",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.1]),
    cite="Good 1953: an estimate without bias (nearly) read as an upper limit",
)
def plain_good_turing_as_limit(forall, draw, *, n, delta):
    """The mass not seen in n draws is at most the share of the values seen once, with probability at least 0.9."""
    w = forall.simplex("w", 3)
    counts = draw.multinomial("x", n, w)
    return (w * (counts == 0)).sum(-1), (counts == 1).sum(-1) / n


@claim(
    "sampling/true-smallest-spacing",
    high_probability("delta"),
    over=grid(n=[1, 10], delta=[0.05, 0.5]),
    cite="Feller II, I.7 and III.3 (spacings)",
)
def true_smallest_spacing(draw, *, n, delta):
    """The smallest of the n + 1 gaps of n uniform numbers is <= (1 - delta^(1/n)) / (n + 1), probability 1 - delta."""
    u = draw.uniform("u", n).sort(-1).values
    ends = torch.zeros_like(u[..., :1])
    gaps = torch.cat([ends, u, ends + 1], -1).diff(dim=-1)
    return gaps.amin(-1), (1 - delta ** (1 / n)) / (n + 1)


@claim(
    "sampling/plain-birthdays-of-any-law",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[5], delta=[0.1]),
    cite="Feller I, II.3 (birthdays), uniformity forgotten",
)
def plain_birthdays_of_any_law(forall, draw, *, n, delta):
    """n draws of any law on d >= n (n - 1) / (2 delta) days are all different with probability at least 1 - delta."""
    w = forall.simplex("w", math.ceil(n * (n - 1) / (2 * delta)))
    return draw.multinomial("x", n, w).amax(-1), 1.0


@claim(
    "sampling/true-seven-of-thirty-two",
    high_probability("delta"),
    over=grid(n=[1, 4, 7], delta=[25 / 32]),
    cite="Dvorak-Tiep 2022, Theorem 1 (conjecture of Hitczenko and Kwapien)",
)
def true_seven_of_thirty_two(forall, draw, *, n, delta):
    """|sum_i a_i eps_i| >= 1 with probability at least 7/32, for every unit vector a."""
    a = forall.sphere("a", n)
    return 1.0, (a * draw.signs("eps", n)).sum(-1).abs()


@claim(
    "sampling/subtle-jeffreys-91-percent",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.085]),
    cite="Brown-Cai-DasGupta 2001 (Jeffreys' interval and its lowest coverage)",
)
def subtle_jeffreys_91_percent(forall, draw, *, n, delta):
    """Jeffreys' interval of nominal level 95 % covers p with probability at least 91.5 %, for every p.

    Findable: p near 0.08, near 0.003 and their mirrors, where a limit has just passed.
    """
    p = forall.interval("p", 0.0, 1.0)
    k = torch.arange(n + 1).numpy()
    lower = torch.as_tensor(beta.ppf(0.025, k + 0.5, n - k + 0.5))
    upper = torch.as_tensor(beta.ppf(0.975, k + 0.5, n - k + 0.5))
    lower[0], upper[n] = 0.0, 1.0
    seen = draw.bernoulli("x", p, n).sum(-1).long()
    return torch.maximum(lower[seen] - p, p - upper[seen]), 0.0


@claim(
    "sampling/subtle-rule-of-two-point-seven",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Hanley-Lippman-Hand 1983 (the rule of three), 2.7 for 3",
)
def subtle_rule_of_two_point_seven(forall, draw, *, n, delta):
    """p <= 2.7/n, or some of n flips of bias p succeeds, with probability at least 95 %.

    Findable: p in (0.027, 0.0295).
    """
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return p - 2.7 / n, x.sum(-1)


@claim(
    "sampling/subtle-bernstein-small-linear-term",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.10, 0.08 for 1/3 in the linear term",
)
def subtle_bernstein_small_linear_term(forall, draw, *, n, delta):
    """mean - p <= sqrt(2 p (1 - p) log(1/delta) / n) + 0.08 log(1/delta) / n for n flips of bias p.

    Findable: one success is too many for p in (0.00052, 0.00078).
    """
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    log = math.log(1 / delta)
    return x.mean(-1) - p, (2 * p * (1 - p) * log / n).sqrt() + 0.08 * log / n


PROOFS = {
    "sampling/true-coupons-of-any-law": (
        "Union bound: P(a kind is missing) <= sum (1 - w_i)^n <= d exp(-n / (2 d)) <= delta at n >= 2 d log(d/delta)."
    ),
    "sampling/true-importance-chebyshev": (
        "Chebyshev (violation is strict): the terms have mean sum p f and second moment sum p^2 f^2 / q <= sum p^2 / q."
    ),
    "sampling/true-random-features": (
        "E cos(<w, x>) = exp(-|x|^2 / 2) and the cosine lies in [-1, 1]: Hoeffding, both sides; x = 0 is 0 <= .."
    ),
    "sampling/true-covariance-mean-square": (
        "E |S - V|_F^2 = (E |x|^4 - tr V^2) / n = (tr V^2 + (tr V)^2) / n, equality; the right side is <= 2/n <= 1."
    ),
    "sampling/true-conformal": (
        "Exchangeable numbers, ties included: P(x_(n+1) > k-th of the others) <= 1 - k/(n + 1) = delta at k = 9 of 10, "
        "18 of 20."
    ),
    "sampling/true-missing-mass-deviation": (
        "McAllester and Ortiz 2003: P(M >= E M + t) <= exp(-n t^2) for every law and every n >= 1."
    ),
    "sampling/true-smallest-spacing": (
        "P(all n + 1 gaps > s) = (1 - (n + 1) s)^n, which is delta at the right side: exactly tight."
    ),
    "sampling/true-seven-of-thirty-two": (
        "Dvorak and Tiep 2022: P(|<a, eps>| >= |a|) >= 7/32; equality at six equal weights."
    ),
}

WITNESSES = {
    "sampling/plain-importance-hoeffding": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"p": [1.0, 0.0, 0.0, 0.0], "r": [0.0, 1.0, 0.0, 0.0], "f": [1.0, 1.0, 1.0, 1.0]},
        "probability": 1.0,
        "why": "the mean is 40 k / 20 = 2 k, never within 0.304 of 1",
    },
    "sampling/plain-self-normalised-weights": {
        "params": {"n": 2},
        "values": {"p": [1.0, 0.0], "q": [0.0, 1.0], "f": [0.0, 1.0]},
        "mean": 0.8527624309,
        "why": "both draws are the second value with probability 0.9025, ratio 1; sum p f = 0.05",
    },
    "sampling/plain-random-features-range": {
        "params": {"D": 50, "delta": 0.01},
        "values": {"x": 10.0},
        "probability": 0.0209667541,
        "why": "the cosine has variance 1/2 far out, not 1/4; characteristic function J_0(t)^50 inverted",
    },
    "sampling/plain-variance-interval-exponential": {
        "params": {"n": 20, "delta": 0.05},
        "values": {},
        "probability": 0.2165,
        "why": "simulation, standard error 0.0004; the sample variance has nearly four times its normal variance",
    },
    "sampling/plain-conformal-without-one": {
        "params": {"n": 10, "delta": 0.1},
        "values": {},
        "probability": 0.18181818181,
        "why": "the next number is above the 9th of 10 with probability 2/11",
    },
    "sampling/plain-good-turing-as-limit": {
        "params": {"n": 10, "delta": 0.1},
        "values": {"w": [0.9, 0.1, 0.0]},
        "probability": 0.3486784401,
        "why": "0.9^10: ten times the first value, nothing seen once, 0.1 missing",
    },
    "sampling/plain-birthdays-of-any-law": {
        "params": {"n": 5, "delta": 0.1},
        "values": {"w": [0.5, 0.5] + [0.0] * 98},
        "probability": 1.0,
        "why": "100 days are enough for the uniform law alone; five draws of two values repeat",
    },
    "sampling/subtle-jeffreys-91-percent": {
        "params": {"n": 30, "delta": 0.085},
        "values": {"p": 0.0797},
        "probability": 0.1115889488,
        "why": "exact binomial sum over the counts whose interval misses p",
    },
    "sampling/subtle-rule-of-two-point-seven": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.0271},
        "probability": 0.0640944373,
        "why": "0.9729^100, and 0.0271 > 0.027",
    },
    "sampling/subtle-bernstein-small-linear-term": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.00077},
        "probability": 0.0741376081,
        "why": "1 - (1 - 0.00077)^100: 0.01 - 0.00077 = 0.00923 against 0.00679 + 0.0024",
    },
}
