"""Alien claims, known: sums of bounded numbers, laws on a few atoms, rare events; see README.md."""

import math

import torch

from harness import claim, expectation, grid, high_probability


def law(forall, d, low=0.0, high=1.0):
    """Any law on d atoms of an interval: weights, values and the mean."""
    w = forall.simplex("w", d)
    v = forall.interval("v", low, high, d)
    return w, v, (w * v).sum(-1)


def sample(draw, w, v, n):
    """n independent numbers of that law."""
    return torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)


@claim(
    "tuner/plain-poisson-tail-without-linear-term",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[2000], delta=[0.002]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.10, linear term dropped",
)
def plain_poisson_tail_without_linear_term(forall, draw, *, n, delta):
    """X - n p <= sqrt(2 n p log(1/delta)) for X binomial (n, p)."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return x - n * p, (2 * n * p * math.log(1 / delta)).sqrt()


@claim(
    "tuner/true-poisson-tail",
    high_probability("delta"),
    over=grid(n=[2000], delta=[0.002]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.10 (Bernstein)",
)
def true_poisson_tail(forall, draw, *, n, delta):
    """X - n p <= sqrt(2 n p log(1/delta)) + log(1/delta) / 3 for X binomial (n, p)."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return x - n * p, (2 * n * p * math.log(1 / delta)).sqrt() + math.log(1 / delta) / 3


@claim(
    "tuner/plain-range-two-as-one",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], d=[5], delta=[0.05]),
    cite="Hoeffding 1963, Theorem 2, with range 1 for numbers in [-1, 1]",
)
def plain_range_two_as_one(forall, draw, *, n, d, delta):
    """mean - mu <= sqrt(log(1/delta) / (2 n)) for n numbers of any law on d atoms of [-1, 1]."""
    w, v, mu = law(forall, d, -1.0, 1.0)
    return sample(draw, w, v, n).mean(-1) - mu, math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "tuner/true-range-two",
    high_probability("delta"),
    over=grid(n=[20], d=[5], delta=[0.05]),
    cite="Hoeffding 1963, Theorem 2",
)
def true_range_two(forall, draw, *, n, d, delta):
    """mean - mu <= sqrt(2 log(1/delta) / n) for n numbers of any law on d atoms of [-1, 1]."""
    w, v, mu = law(forall, d, -1.0, 1.0)
    return sample(draw, w, v, n).mean(-1) - mu, math.sqrt(2 * math.log(1 / delta) / n)


@claim(
    "tuner/plain-bernstein-half-variance",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[500], delta=[0.001]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.10, factor 2 forgotten",
)
def plain_bernstein_half_variance(forall, draw, *, n, delta):
    """mean - p <= sqrt(p (1 - p) log(1/delta) / n) + log(1/delta) / (3 n)."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0] / n
    log = math.log(1 / delta)
    return x - p, (p * (1 - p) * log / n).sqrt() + log / (3 * n)


@claim(
    "tuner/plain-lower-tail-without-two",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[5000], delta=[0.001]),
    cite="Mitzenmacher-Upfal, Theorem 4.5, factor 2 forgotten",
)
def plain_lower_tail_without_two(forall, draw, *, n, delta):
    """n p - X <= sqrt(n p log(1/delta)) for X binomial (n, p)."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return n * p - x, (n * p * math.log(1 / delta)).sqrt()


@claim(
    "tuner/plain-markov-four-fifths",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[4], delta=[0.05]),
    cite="Markov's inequality with 0.76 for 1",
)
def plain_markov_four_fifths(forall, draw, *, d, delta):
    """X <= 0.76 E X / delta for any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    return sample(draw, w, v, 1)[..., 0], 0.76 * mu / delta


@claim(
    "tuner/true-markov",
    high_probability("delta"),
    over=grid(d=[4], delta=[0.05]),
    cite="Markov's inequality",
)
def true_markov(forall, draw, *, d, delta):
    """X <= E X / delta for any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    return sample(draw, w, v, 1)[..., 0], mu / delta


@claim(
    "tuner/plain-cantelli-smaller",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[4], delta=[0.1]),
    cite="Cantelli's inequality with 0.85 for 1",
)
def plain_cantelli_smaller(forall, draw, *, d, delta):
    """X - mu <= 0.85 sigma sqrt(1/delta - 1) for any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    sigma = (w * (v - mu.unsqueeze(-1)).square()).sum(-1).sqrt()
    return sample(draw, w, v, 1)[..., 0] - mu, 0.85 * sigma * math.sqrt(1 / delta - 1)


@claim(
    "tuner/true-cantelli-atoms",
    high_probability("delta"),
    over=grid(d=[4], delta=[0.1]),
    cite="Cantelli's inequality",
)
def true_cantelli_atoms(forall, draw, *, d, delta):
    """X - mu <= sigma sqrt(1/delta - 1) for any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    sigma = (w * (v - mu.unsqueeze(-1)).square()).sum(-1).sqrt()
    return sample(draw, w, v, 1)[..., 0] - mu, sigma * math.sqrt(1 / delta - 1)


@claim(
    "tuner/plain-chebyshev-smaller",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[5], delta=[0.1]),
    cite="Chebyshev's inequality with 0.86 for 1",
)
def plain_chebyshev_smaller(forall, draw, *, d, delta):
    """|X - mu| <= 0.86 sigma / sqrt(delta) for any law on d atoms of [-1, 1]."""
    w, v, mu = law(forall, d, -1.0, 1.0)
    sigma = (w * (v - mu.unsqueeze(-1)).square()).sum(-1).sqrt()
    return (sample(draw, w, v, 1)[..., 0] - mu).abs(), 0.86 * sigma / math.sqrt(delta)


@claim(
    "tuner/plain-vysochanskii-without-unimodality",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[6], delta=[0.1]),
    cite="Vysochanskii-Petunin 1980, unimodality forgotten",
)
def plain_vysochanskii_without_unimodality(forall, draw, *, d, delta):
    """|X - mu| <= 2/3 sigma / sqrt(delta) for any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    sigma = (w * (v - mu.unsqueeze(-1)).square()).sum(-1).sqrt()
    return (sample(draw, w, v, 1)[..., 0] - mu).abs(), 2 / 3 * sigma / math.sqrt(delta)


@claim(
    "tuner/plain-feige-one-half",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.45]),
    cite="Feige 2006 (1/13, conjectured 1/e), with 0.55",
)
def plain_feige_one_half(forall, draw, *, n, delta):
    """sum_i x_i <= n + 1 with probability at least 0.55, x_i = 1/p_i with probability p_i, else 0."""
    p = forall.interval("p", 0.01, 1.0, n)
    return (draw.bernoulli("x", p, n) / p).sum(-1), n + 1


@claim(
    "tuner/true-feige-thirteenth",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.9230769230769231]),
    cite="Feige 2006, Theorem 1",
)
def true_feige_thirteenth(forall, draw, *, n, delta):
    """sum_i x_i < n + 1 with probability at least 1/13, x_i = 1/p_i with probability p_i, else 0."""
    p = forall.interval("p", 0.01, 1.0, n)
    return (draw.bernoulli("x", p, n) / p).sum(-1), n + 1


@claim(
    "tuner/plain-unequal-biases-without-linear-term",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.02]),
    cite="Bernstein's inequality, linear term dropped",
)
def plain_unequal_biases_without_linear_term(forall, draw, *, n, delta):
    """sum_i (x_i - p_i) <= sqrt(2 sum_i p_i (1 - p_i) log(1/delta)) for independent flips of biases p_i."""
    p = forall.interval("p", 0.0, 1.0, n)
    return (draw.bernoulli("x", p, n) - p).sum(-1), (2 * (p * (1 - p)).sum(-1) * math.log(1 / delta)).sqrt()


@claim(
    "tuner/plain-empirical-variance-alone",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[60], d=[4], delta=[0.05]),
    cite="Maurer-Pontil 2009, Theorem 4, second term dropped",
)
def plain_empirical_variance_alone(forall, draw, *, n, d, delta):
    """mu - mean <= sqrt(2 V log(2/delta) / n), V the sample variance, any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    x = sample(draw, w, v, n)
    return mu - x.mean(-1), (2 * x.var(-1) * math.log(2 / delta) / n).sqrt()


@claim(
    "tuner/plain-three-sigma-rare",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.0027]),
    cite="the three-sigma rule for a binomial",
)
def plain_three_sigma_rare(forall, draw, *, n, delta):
    """|X - n p| <= 3 sqrt(n p (1 - p)) with probability at least 0.9973."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return (x - n * p).abs(), 3 * (n * p * (1 - p)).sqrt()


@claim(
    "tuner/plain-fourth-moment-as-gaussian",
    expectation(range=(-0.0019, 1.0)),
    expected="refuted",
    over=grid(n=[10]),
    cite="the normal fourth moment for a mean of flips",
)
def plain_fourth_moment_as_gaussian(forall, draw, *, n):
    """E (mean - p)^4 <= 3 (p (1 - p) / n)^2 for n flips of bias p."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).pow(4), 3 * (p * (1 - p) / n).square()


@claim(
    "tuner/true-fourth-moment",
    expectation(range=(-0.008, 1.0)),
    over=grid(n=[10]),
    cite="moments of the binomial distribution",
)
def true_fourth_moment(forall, draw, *, n):
    """E (mean - p)^4 <= 3 (p (1 - p) / n)^2 + p (1 - p) / n^3 for n flips of bias p."""
    p = forall.interval("p", 0.0, 1.0)
    v = p * (1 - p)
    return (draw.bernoulli("x", p, n).mean(-1) - p).pow(4), 3 * (v / n).square() + v / n**3


@claim(
    "tuner/plain-variance-of-variance",
    expectation(range=(-0.0313, 1.0)),
    expected="refuted",
    over=grid(n=[5], d=[3]),
    cite="the normal formula for the variance of the sample variance",
)
def plain_variance_of_variance(forall, draw, *, n, d):
    """E (V - sigma^2)^2 <= 2 sigma^4 / (n - 1), V the sample variance of any law on d atoms of [0, 1]."""
    w, v, mu = law(forall, d)
    variance = (w * (v - mu.unsqueeze(-1)).square()).sum(-1)
    return (sample(draw, w, v, n).var(-1) - variance).square(), 2 * variance.square() / (n - 1)


@claim(
    "tuner/plain-multinomial-kl-log-d",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], d=[10], delta=[0.05]),
    cite="Mardia et al. 2020 (d - 1 for log d)",
)
def plain_multinomial_kl_log_d(forall, draw, *, n, d, delta):
    """n KL(counts / n, w) <= log(d/delta) with probability at least 1 - delta."""
    w = forall.simplex("w", d)
    q = draw.multinomial("x", n, w) / n
    return n * (torch.xlogy(q, q) - torch.xlogy(q, w)).sum(-1), math.log(d / delta)


@claim(
    "tuner/plain-l1-without-dimension",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], d=[10], delta=[0.05]),
    cite="Weissman et al. 2003, 2^d - 2 forgotten",
)
def plain_l1_without_dimension(forall, draw, *, n, d, delta):
    """sum_i |N_i/n - w_i| <= sqrt(2 log(1/delta) / n) with probability at least 1 - delta."""
    w = forall.simplex("w", d)
    return (draw.multinomial("x", n, w) / n - w).abs().sum(-1), math.sqrt(2 * math.log(1 / delta) / n)


@claim(
    "tuner/true-l1-weissman",
    high_probability("delta"),
    over=grid(n=[100], d=[10], delta=[0.05]),
    cite="Weissman et al. 2003, Theorem 2.1",
)
def true_l1_weissman(forall, draw, *, n, d, delta):
    """sum_i |N_i/n - w_i| <= sqrt(2 log((2^d - 2)/delta) / n) with probability at least 1 - delta."""
    w = forall.simplex("w", d)
    return (draw.multinomial("x", n, w) / n - w).abs().sum(-1), math.sqrt(2 * math.log((2**d - 2) / delta) / n)


@claim(
    "tuner/plain-median-of-three-means",
    high_probability("delta"),
    expected="refuted",
    over=grid(m=[10], delta=[0.05]),
    cite="Lugosi-Mendelson 2019, Theorem 2, one standard deviation for two, three blocks",
)
def plain_median_of_three_means(forall, draw, *, m, delta):
    """|median of three block means - p| <= sqrt(p (1 - p) / m)."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, 3, m).mean(-1).median(-1).values - p).abs(), (p * (1 - p) / m).sqrt()


@claim(
    "tuner/plain-self-normalised-skewed",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.05]),
    cite="de la Pena-Lai-Shao 2009, Theorem 2.14, symmetry forgotten",
)
def plain_self_normalised_skewed(forall, draw, *, n, delta):
    """sum y_i <= |y| sqrt(2 log(1/delta)) for y_i = x_i - p, x_i flips of bias p."""
    p = forall.interval("p", 0.0, 1.0)
    y = draw.bernoulli("x", p, n) - p
    return y.sum(-1), y.norm(dim=-1) * math.sqrt(2 * math.log(1 / delta))


@claim(
    "tuner/true-self-normalised-signs",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.05]),
    cite="Efron 1969; de la Pena-Lai-Shao 2009",
)
def true_self_normalised_signs(forall, draw, *, n, delta):
    """sum y_i <= |y| sqrt(2 log(1/delta)) for symmetric y_i = s_i eps_i x_i, x_i flips of bias p."""
    p = forall.interval("p", 0.0, 1.0)
    s = forall.interval("s", 0.0, 1.0, n)
    y = s * draw.signs("eps", n) * draw.bernoulli("x", p, n)
    return y.sum(-1), y.norm(dim=-1) * math.sqrt(2 * math.log(1 / delta))


@claim(
    "tuner/subtle-bennett-sharp-linear",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[1000], delta=[0.01]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.10, 0.1 for 1/3",
)
def subtle_bennett_sharp_linear(forall, draw, *, n, delta):
    """X - n p <= sqrt(2 n p log(1/delta)) + 0.1 log(1/delta) for X binomial (n, p).

    Findable: n p below 0.03, where one success is too many.
    """
    p = forall.interval("p", 0.0, 1.0)
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return x - n * p, (2 * n * p * math.log(1 / delta)).sqrt() + 0.1 * math.log(1 / delta)


@claim(
    "tuner/plain-poisson-binomial-median",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[12], delta=[0.33]),
    cite="Jogdeo-Samuels 1968 (the median is next to the mean), read as P(X > mean) <= 1/3",
)
def plain_poisson_binomial_median(forall, draw, *, n, delta):
    """sum x_i <= sum p_i with probability at least 0.67, independent flips of biases p_i."""
    p = forall.interval("p", 0.0, 1.0, n)
    return draw.bernoulli("x", p, n).sum(-1), p.sum(-1)


PROOFS = {
    "tuner/true-poisson-tail": "Bernstein with variance n p (1 - p) <= n p and b = 1.",
    "tuner/true-range-two": "Hoeffding 1963, Theorem 2, (b - a)^2 = 4.",
    "tuner/true-markov": "Markov: P(X > mu/delta) <= delta; mu = 0 makes X = 0 almost surely.",
    "tuner/true-cantelli-atoms": "Cantelli with t^2 = sigma^2 (1/delta - 1); sigma = 0 is 0 <= 0.",
    "tuner/true-feige-thirteenth": "Feige 2006, Theorem 1: P(sum < n + 1) >= 1/13 for means at most 1.",
    "tuner/true-fourth-moment": "E (X - np)^4 = 3 n^2 v^2 + n v (1 - 6 v) <= 3 n^2 v^2 + n v, v = p (1 - p).",
    "tuner/true-l1-weissman": "Weissman et al. 2003: union over the 2^d - 2 events, Hoeffding each.",
    "tuner/true-self-normalised-signs": "Given s and x, Hoeffding for the signs; y = 0 is 0 <= 0.",
}

WITNESSES = {
    "tuner/plain-poisson-tail-without-linear-term": {
        "params": {"n": 2000, "delta": 0.002},
        "values": {"p": 3e-5},
        "probability": 0.058,
        "why": "one success is too many while lambda = 0.06: 1 - 0.06 > sqrt(12.43 * 0.06)",
    },
    "tuner/plain-range-two-as-one": {
        "params": {"n": 20, "d": 5, "delta": 0.05},
        "values": {"w": [0.5, 0.5, 0.0, 0.0, 0.0], "v": [-1.0, 1.0, 0.0, 0.0, 0.0]},
        "probability": 0.1315,
        "why": "P(Bin(20, 1/2) >= 13)",
    },
    "tuner/plain-bernstein-half-variance": {
        "params": {"n": 500, "delta": 0.001},
        "values": {"p": 0.5},
        "probability": 0.0028,
        "why": "binomial tail at 2.83 standard deviations",
    },
    "tuner/plain-lower-tail-without-two": {
        "params": {"n": 5000, "delta": 0.001},
        "values": {"p": 0.05},
        "probability": 0.003,
        "why": "binomial tail at 2.7 standard deviations",
    },
    "tuner/plain-markov-four-fifths": {
        "params": {"d": 4, "delta": 0.05},
        "values": {"w": [0.065, 0.935, 0.0, 0.0], "v": [1.0, 0.0, 0.0, 0.0]},
        "probability": 0.065,
        "why": "1 > 0.76 * 0.065 / 0.05 = 0.988",
    },
    "tuner/plain-cantelli-smaller": {
        "params": {"d": 4, "delta": 0.1},
        "values": {"w": [0.13, 0.87, 0.0, 0.0], "v": [1.0, 0.0, 0.0, 0.0]},
        "probability": 0.13,
        "why": "0.87 > 0.85 * 3 * sqrt(0.13 * 0.87) = 0.8576",
    },
    "tuner/plain-chebyshev-smaller": {
        "params": {"d": 5, "delta": 0.1},
        "values": {"w": [0.065, 0.87, 0.065, 0.0, 0.0], "v": [-1.0, 0.0, 1.0, 0.0, 0.0]},
        "probability": 0.13,
        "why": "1 > 0.86 sqrt(1.3) = 0.98",
    },
    "tuner/plain-vysochanskii-without-unimodality": {
        "params": {"d": 6, "delta": 0.1},
        "values": {"w": [0.1, 0.8, 0.1, 0.0, 0.0, 0.0], "v": [0.0, 0.5, 1.0, 0.0, 0.0, 0.0]},
        "probability": 0.2,
        "why": "0.5 > 2/3 sqrt(0.05 / 0.1) = 0.4714",
    },
    "tuner/plain-feige-one-half": {
        "params": {"n": 10, "delta": 0.45},
        "values": {"p": [0.0909] * 10},
        "probability": 0.614,
        "why": "one 1/p = 11.001 is beyond n + 1: 1 - 0.9091^10",
    },
    "tuner/plain-unequal-biases-without-linear-term": {
        "params": {"n": 30, "delta": 0.02},
        "values": {"p": [0.003] * 30},
        "probability": 0.0862,
        "why": "one success: 0.91 > sqrt(7.824 * 30 * 0.003 * 0.997) = 0.8378",
    },
    "tuner/plain-empirical-variance-alone": {
        "params": {"n": 60, "d": 4, "delta": 0.05},
        "values": {"w": [0.01, 0.99, 0.0, 0.0], "v": [1.0, 0.0, 0.0, 0.0]},
        "probability": 0.547,
        "why": "no success, variance 0: 0.99^60",
    },
    "tuner/plain-three-sigma-rare": {
        "params": {"n": 100, "delta": 0.0027},
        "values": {"p": 0.0009},
        "probability": 0.086,
        "why": "one success: 0.91 > 3 sqrt(0.09)",
    },
    "tuner/plain-fourth-moment-as-gaussian": {
        "params": {"n": 10},
        "values": {"p": 0.1},
        "mean": 4.14e-5,
        "why": "(v - 6 v^2) / n^3 with v = 0.09",
    },
    "tuner/plain-variance-of-variance": {
        "params": {"n": 5, "d": 3},
        "values": {"w": [0.1, 0.9, 0.0], "v": [1.0, 0.0, 0.0]},
        "mean": 0.0082,
        "why": "m_4/n - sigma^4 (n - 3) / (n (n - 1)) against 2 sigma^4 / (n - 1)",
    },
    "tuner/plain-multinomial-kl-log-d": {
        "params": {"n": 50, "d": 10, "delta": 0.05},
        "values": {"w": [0.1] * 10},
        "probability": 0.339,
        "why": "2 n KL is nearly chi-square 9, above 10.6; simulation",
    },
    "tuner/plain-l1-without-dimension": {
        "params": {"n": 100, "d": 10, "delta": 0.05},
        "values": {"w": [0.1] * 10},
        "probability": 0.397,
        "why": "simulation; the mean alone is 0.24 beside 0.245",
    },
    "tuner/plain-median-of-three-means": {
        "params": {"m": 10, "delta": 0.05},
        "values": {"p": 0.5},
        "probability": 0.157,
        "why": "each side errs with q = 176/1024, two of three with 3 q^2 - 2 q^3",
    },
    "tuner/plain-self-normalised-skewed": {
        "params": {"n": 10, "delta": 0.05},
        "values": {"p": 0.9},
        "probability": 0.3487,
        "why": "all successes: sqrt(10) > 2.4477, probability 0.9^10",
    },
    "tuner/subtle-bennett-sharp-linear": {
        "params": {"n": 1000, "delta": 0.01},
        "values": {"p": 2.3e-5},
        "probability": 0.0227,
        "why": "one success: 0.977 > sqrt(9.21 * 0.023) + 0.4605 = 0.9208",
    },
    "tuner/plain-poisson-binomial-median": {
        "params": {"n": 12, "delta": 0.33},
        "values": {"p": [0.082] * 12},
        "probability": 0.64,
        "why": "the mean is 0.984: one success suffices, 1 - 0.918^12",
    },
}
