"""Alien claims, known: urns, coupons, populations, estimators, resampling of many numbers; see README.md."""

import math

import torch
from scipy.stats import norm

from harness import claim, expectation, grid, high_probability


@claim(
    "tuner/plain-union-bound-doubled",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[40], delta=[0.002]),
    cite="Boole's inequality, twice the share for each event",
)
def plain_union_bound_doubled(forall, draw, *, n, delta):
    """None of n independent events of probabilities 2 s_i delta / n happens, with probability at least 1 - delta."""
    s = forall.interval("s", 0.0, 1.0, n)
    return draw.bernoulli("x", 2 * s * delta / n, n).amax(-1), 0.0


@claim(
    "tuner/true-union-bound",
    high_probability("delta"),
    over=grid(n=[40], delta=[0.002]),
    cite="Boole's inequality",
)
def true_union_bound(forall, draw, *, n, delta):
    """None of n independent events of probabilities s_i delta / n happens, with probability at least 1 - delta."""
    s = forall.interval("s", 0.0, 1.0, n)
    return draw.bernoulli("x", s * delta / n, n).amax(-1), 0.0


@claim(
    "tuner/plain-rare-collision",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], d=[3000], delta=[0.01]),
    cite="the birthday problem, n^2/(2 d) with 3/2 n for the pairs",
)
def plain_rare_collision(forall, draw, *, n, d, delta):
    """m <= n people share no birthday of d with probability 1 - delta."""
    m = forall.integers("m", 1, n)
    days = (draw.uniform("u", n) * d).floor()
    days = torch.where(torch.arange(n) < m.unsqueeze(-1), days, -1.0 - torch.arange(n))
    ordered = days.sort(-1).values
    return (ordered[..., 1:] == ordered[..., :-1]).to(days).sum(-1), 0.0


@claim(
    "tuner/plain-four-sigma-rare",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], delta=[0.001]),
    cite="the four-sigma rule for binomials of standard deviation at least one",
)
def plain_four_sigma_rare(forall, draw, *, n, delta):
    """X - n p <= 3.6 sqrt(n p (1 - p)) with probability 0.999 for n p = 1 + r, 0 <= r <= 10."""
    p = (1 + forall.interval("r", 0.0, 10.0)) / n
    x = draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]
    return x - n * p, 3.6 * (n * p * (1 - p)).sqrt()


@claim(
    "tuner/plain-gaussian-tail-small-delta",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[8], delta=[0.001]),
    cite="a normal quantile off by three per cent: 3.0 for 3.09",
)
def plain_gaussian_tail_small_delta(forall, draw, *, n, delta):
    """<a, g> <= 3 |a| with probability 0.999."""
    a = forall.ball("a", n)
    return (a * draw.normal("g", n)).sum(-1), 3.0 * a.norm(dim=-1)


@claim(
    "tuner/true-gaussian-tail-small-delta",
    high_probability("delta"),
    over=grid(n=[8], delta=[0.001]),
    cite="the normal quantile",
)
def true_gaussian_tail_small_delta(forall, draw, *, n, delta):
    """<a, g> <= z |a| with probability 0.999, z its normal quantile."""
    a = forall.ball("a", n)
    return (a * draw.normal("g", n)).sum(-1), norm.ppf(0.999) * a.norm(dim=-1)


@claim(
    "tuner/plain-majority-ties",
    expectation(range=(-0.5, 0.5)),
    expected="refuted",
    over=grid(n=[15000]),
    cite="Condorcet's jury of an even number of fair coins, ties for the first",
)
def plain_majority_ties(draw, *, n):
    """At least half of n fair coins show heads with probability at most 1/2."""
    heads = draw.multinomial("x", n, torch.tensor([0.5, 0.5]))[..., 0]
    return (2 * heads >= n).to(heads), 0.5


@claim(
    "tuner/plain-second-moment-two-per-cent",
    expectation(range=(-0.98, 20.0)),
    expected="refuted",
    over=grid(n=[7]),
    cite="orthogonality of signs with 0.98 for 1",
)
def plain_second_moment_two_per_cent(forall, draw, *, n):
    """E (sum a_i eps_i)^2 <= 0.98 |a|^2."""
    a = forall.ball("a", n)
    return (a * draw.signs("eps", n)).sum(-1).square(), 0.98 * a.square().sum(-1)


@claim(
    "tuner/plain-mean-square-normal-divisor",
    expectation(range=(-1.0, math.inf)),
    expected="refuted",
    over=grid(n=[40]),
    cite="the sample variance about a known mean with divisor n - 1",
)
def plain_mean_square_normal_divisor(forall, draw, *, n):
    """E sum (s g_i)^2 / (n - 1) <= s^2."""
    s = forall.interval("s", 0.0, 1.0)
    return (s.unsqueeze(-1) * draw.normal("g", n)).square().sum(-1) / (n - 1), s.square()


@claim(
    "tuner/true-mean-square-normal",
    expectation(range=(-1.0, math.inf)),
    over=grid(n=[40]),
    cite="the variance",
)
def true_mean_square_normal(forall, draw, *, n):
    """E sum (s g_i)^2 / n <= s^2."""
    s = forall.interval("s", 0.0, 1.0)
    return (s.unsqueeze(-1) * draw.normal("g", n)).square().sum(-1) / n, s.square()


@claim(
    "tuner/plain-horvitz-thompson-variance",
    expectation(range=(-10.0, math.inf)),
    expected="refuted",
    over=grid(n=[6]),
    cite="Horvitz-Thompson 1952, (1 - p)^2 for (1 - p)",
)
def plain_horvitz_thompson_variance(forall, draw, *, n):
    """E (sum x_i y_i / p_i - sum y_i)^2 <= sum y_i^2 (1 - p_i)^2 / p_i for independent inclusions x_i."""
    p = forall.interval("p", 0.1, 1.0, n)
    y = forall.interval("y", 0.0, 1.0, n)
    x = draw.bernoulli("x", p, n)
    return (x * y / p - y).sum(-1).square(), (y.square() * (1 - p).square() / p).sum(-1).clamp_max(10.0)


@claim(
    "tuner/plain-good-turing-constant",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], d=[30], delta=[0.05]),
    cite="McAllester-Schapire 2000 with a smaller constant",
)
def plain_good_turing_constant(forall, draw, *, n, d, delta):
    """missing mass <= N_1/n + sqrt(log(1/delta) / (4 n)) for any law on d kinds."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    missing = (w * (counts == 0)).sum(-1)
    return missing - (counts == 1).sum(-1) / n, math.sqrt(math.log(1 / delta) / (4 * n))


@claim(
    "tuner/plain-missing-mass-rate",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], d=[200], delta=[0.2]),
    cite="the missing mass taken for at most d/n^2",
)
def plain_missing_mass_rate(forall, draw, *, n, d, delta):
    """missing mass <= 0.78 with probability 0.8 for any law on d kinds."""
    w = forall.simplex("w", d)
    return (w * (draw.multinomial("x", n, w) == 0)).sum(-1), 0.78


@claim(
    "tuner/plain-coupons-with-floor",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[5], delta=[0.1]),
    cite="Mitzenmacher-Upfal, section 5.4 (coupons of equal probabilities)",
)
def plain_coupons_with_floor(forall, draw, *, d, delta):
    """d log(d/delta) coupons leave none of d kinds out, each kind of probability at least 1/(2 d)."""
    w = (forall.simplex("w", d) + 1 / d) / 2
    n = math.ceil(d * math.log(d / delta))
    return (draw.multinomial("x", n, w) == 0).sum(-1), 0.0


@claim(
    "tuner/true-coupons-with-floor",
    high_probability("delta"),
    over=grid(d=[5], delta=[0.1]),
    cite="the union bound",
)
def true_coupons_with_floor(forall, draw, *, d, delta):
    """2 d log(d/delta) coupons leave none of d kinds out, each kind of probability at least 1/(2 d)."""
    w = (forall.simplex("w", d) + 1 / d) / 2
    n = math.ceil(2 * d * math.log(d / delta))
    return (draw.multinomial("x", n, w) == 0).sum(-1), 0.0


@claim(
    "tuner/plain-gini-many-numbers",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[120], d=[3], delta=[0.05]),
    cite="Hoeffding 1963, (5.7), 3 n for floor(n/2)",
)
def plain_gini_many_numbers(forall, draw, *, n, d, delta):
    """Gini's mean difference of n numbers: E U - U <= sqrt(log(1/delta) / (6 n))."""
    w, v = forall.simplex("w", d), forall.interval("v", 0.0, 1.0, d)
    x = torch.take_along_dim(v, draw.categorical("x", w, n).long(), -1)
    u = (x.unsqueeze(-1) - x.unsqueeze(-2)).abs().sum((-1, -2)) / (n * (n - 1))
    gaps = (v.unsqueeze(-1) - v.unsqueeze(-2)).abs()
    mean = (w.unsqueeze(-1) * w.unsqueeze(-2) * gaps).sum((-1, -2))
    return mean - u, math.sqrt(math.log(1 / delta) / (6 * n))


@claim(
    "tuner/plain-bootstrap-of-flips",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[60], delta=[0.1]),
    cite="Efron-Tibshirani 1993, chapter 13, percentile interval of a share",
)
def plain_bootstrap_of_flips(forall, draw, *, n, delta):
    """The percentile bootstrap interval of level 0.9 (199 resamples) covers p with probability 0.9."""
    p = forall.interval("p", 0.2, 1.0)
    x = draw.bernoulli("x", p, n)
    index = (draw.uniform("u", 199, n) * n).long()
    means = torch.take_along_dim(x.unsqueeze(-2), index, -1).mean(-1).sort(-1).values
    return torch.maximum(means[..., 9] - p, p - means[..., 189]), 0.0


@claim(
    "tuner/plain-kernel-two-sample",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], d=[4], delta=[0.05]),
    cite="Gretton et al. 2012, Theorem 7, constants dropped",
)
def plain_kernel_two_sample(forall, draw, *, n, d, delta):
    """The biased squared MMD of two samples of one law is at most (1 + log(1/delta) / 2) / n, kernel 1 at equality."""
    w = forall.simplex("w", d)
    x, y = draw.categorical("x", w, n), draw.categorical("y", w, n)
    kinds = torch.arange(d)
    p = (x.unsqueeze(-1) == kinds).to(w).mean(-2)
    q = (y.unsqueeze(-1) == kinds).to(w).mean(-2)
    return (p - q).square().sum(-1), (1 + 0.5 * math.log(1 / delta)) / n


@claim(
    "tuner/plain-integers-small-sample",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.05]),
    cite="the normal quantile for Student's, any sample size",
)
def plain_integers_small_sample(forall, draw, *, delta):
    """mean <= 1.83 s / sqrt(m) with probability 0.95 for m normal numbers, 2 <= m <= 400."""
    m = forall.integers("m", 2, 400)
    g = draw.normal("g")
    chi = draw.sample("c", torch.distributions.Chi2(m - 1))
    return g, 1.83 * (chi / (m - 1)).sqrt()


@claim(
    "tuner/true-integers-small-sample",
    high_probability("delta"),
    over=grid(delta=[0.05]),
    cite="Student 1908, the quantile of two numbers for all",
)
def true_integers_small_sample(forall, draw, *, delta):
    """mean <= 6.314 s / sqrt(m) with probability 0.95 for m normal numbers, 2 <= m <= 400."""
    m = forall.integers("m", 2, 400)
    g = draw.normal("g")
    chi = draw.sample("c", torch.distributions.Chi2(m - 1))
    return g, 6.314 * (chi / (m - 1)).sqrt()


@claim(
    "tuner/plain-named-laws",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[25], delta=[0.05]),
    cite="the normal interval at n = 25 for any law of a list",
)
def plain_named_laws(forall, draw, *, n, delta):
    """|mean - mu| <= 1.96 s / sqrt(n) with probability 0.95, values 0, v, 1 with weights of a list."""
    laws = [(0.3, 0.4, 0.3), (0.5, 0.0, 0.5), (0.2, 0.6, 0.2), (0.4, 0.3, 0.3), (0.45, 0.1, 0.45), (0.49, 0.49, 0.02)]
    w = forall.choice("law", [list(law) for law in laws])
    v = forall.interval("v", 0.0, 0.5)
    values = torch.stack([0 * v, v, 0 * v + 1], -1)
    x = torch.take_along_dim(values, draw.categorical("x", w, n).long(), -1)
    return (x.mean(-1) - (w * values).sum(-1)).abs(), 1.96 * x.std(-1) / math.sqrt(n)


@claim(
    "tuner/plain-importance-weights",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], d=[4], delta=[0.05]),
    cite="Hoeffding's inequality for importance weights as if they were below one",
)
def plain_importance_weights(forall, draw, *, n, d, delta):
    """Importance estimate of a mean of v in [0, 1] <= mean + sqrt(log(1/delta) / (2 n)), proposal (q + w)/2."""
    q, w = forall.simplex("q", d), forall.simplex("w", d)
    v = forall.interval("v", 0.0, 1.0, d)
    proposal = (q + w) / 2
    x = draw.categorical("x", proposal, n).long()
    ratio = q / proposal.clamp_min(1e-300)
    return torch.take_along_dim(ratio * v, x, -1).mean(-1) - (q * v).sum(-1), math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "tuner/true-importance-weights",
    high_probability("delta"),
    over=grid(n=[30], d=[4], delta=[0.05]),
    cite="Hoeffding 1963, Theorem 2, weights at most 2",
)
def true_importance_weights(forall, draw, *, n, d, delta):
    """Importance estimate of a mean of v in [0, 1] <= mean + 2 sqrt(log(1/delta) / (2 n)), proposal (q + w)/2."""
    q, w = forall.simplex("q", d), forall.simplex("w", d)
    v = forall.interval("v", 0.0, 1.0, d)
    proposal = (q + w) / 2
    x = draw.categorical("x", proposal, n).long()
    ratio = q / proposal.clamp_min(1e-300)
    bound = 2 * math.sqrt(math.log(1 / delta) / (2 * n))
    return torch.take_along_dim(ratio * v, x, -1).mean(-1) - (q * v).sum(-1), bound


@claim(
    "tuner/plain-population-largest",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], N=[40], delta=[0.05]),
    cite="the normal interval without replacement",
)
def plain_population_largest(forall, draw, *, n, N, delta):
    """mean <= sample mean + 1.645 s sqrt((1 - n/N)/n), n of a population of N numbers in [0, 1]."""
    x = forall.interval("x", 0.0, 1.0, N)
    order = draw.uniform("u", N).argsort(-1)
    y = torch.take_along_dim(x, order, -1)[..., :n]
    return x.mean(-1) - y.mean(-1), 1.645 * y.std(-1) * math.sqrt((1 - n / N) / n)


@claim(
    "tuner/true-population",
    high_probability("delta"),
    over=grid(n=[10], N=[40], delta=[0.05]),
    cite="Hoeffding 1963, section 6",
)
def true_population(forall, draw, *, n, N, delta):
    """mean <= sample mean + sqrt(log(1/delta)/(2 n)), n of a population of N numbers in [0, 1]."""
    x = forall.interval("x", 0.0, 1.0, N)
    order = draw.uniform("u", N).argsort(-1)
    return x.mean(-1) - torch.take_along_dim(x, order, -1)[..., :n].mean(-1), math.sqrt(math.log(1 / delta) / (2 * n))


PROOFS = {
    "tuner/true-union-bound": "The probabilities add up to at most delta.",
    "tuner/true-gaussian-tail-small-delta": "<a, g> is |a| times a normal number; a = 0 is 0 <= 0.",
    "tuner/true-mean-square-normal": "Equality holds.",
    "tuner/true-coupons-with-floor": "d (1 - 1/(2d))^n <= d exp(-n/(2d)) <= delta.",
    "tuner/true-integers-small-sample": "The quantiles of Student's t fall with m; m = 2 is 6.3138.",
    "tuner/true-importance-weights": "The ratio is at most 2 and its mean under the proposal is the mean under q.",
    "tuner/true-population": "Hoeffding 1963, Theorem 4: without replacement no worse than with it.",
}

WITNESSES = {
    "tuner/plain-union-bound-doubled": {
        "params": {"n": 40, "delta": 0.002},
        "values": {"s": [1.0] * 40},
        "probability": 0.003992,
        "why": "1 - (1 - 0.0001)^40",
    },
    "tuner/plain-rare-collision": {
        "params": {"n": 10, "d": 3000, "delta": 0.01},
        "values": {"m": 10.0},
        "probability": 0.01490,
        "why": "1 - (1 - 1/3000) .. (1 - 9/3000)",
    },
    "tuner/plain-four-sigma-rare": {
        "params": {"n": 50, "delta": 0.001},
        "values": {"r": 0.05},
        "probability": 0.004,
        "why": "binomial tail from 5 successes of mean 1.05",
    },
    "tuner/plain-gaussian-tail-small-delta": {
        "params": {"n": 8, "delta": 0.001},
        "values": {"a": [1.0] + [0.0] * 7},
        "probability": 0.0013498980,
        "why": "normal tail at 3",
    },
    "tuner/plain-majority-ties": {
        "params": {"n": 15000},
        "values": {},
        "mean": 0.003257,
        "why": "half the probability of a tie, 1/sqrt(pi n / 2)",
    },
    "tuner/plain-second-moment-two-per-cent": {
        "params": {"n": 7},
        "values": {"a": [1.0] + [0.0] * 6},
        "mean": 0.02,
        "why": "1 - 0.98",
    },
    "tuner/plain-mean-square-normal-divisor": {
        "params": {"n": 40},
        "values": {"s": 1.0},
        "mean": 1 / 39,
        "why": "40/39 - 1",
    },
    "tuner/plain-horvitz-thompson-variance": {
        "params": {"n": 6},
        "values": {"p": [0.5] * 6, "y": [1.0] * 6},
        "mean": 3.0,
        "why": "sum y^2 (1 - p)/p = 6 against 3",
    },
    "tuner/plain-good-turing-constant": {
        "params": {"n": 20, "d": 30, "delta": 0.05},
        "values": {"w": [1 / 20] * 20 + [0.0] * 10},
        "probability": 0.135,
        "why": "simulation",
    },
    "tuner/plain-missing-mass-rate": {
        "params": {"n": 50, "d": 200, "delta": 0.2},
        "values": {"w": [1 / 200] * 200},
        "probability": 0.325,
        "why": "the mean is 0.778",
    },
    "tuner/plain-coupons-with-floor": {
        "params": {"d": 5, "delta": 0.1},
        "values": {"w": [1.0, 0.0, 0.0, 0.0, 0.0]},
        "probability": 0.4218,
        "why": "four kinds of probability 1/10 in 20 coupons: nearly 4 * 0.9^20",
    },
    "tuner/plain-gini-many-numbers": {
        "params": {"n": 120, "d": 3, "delta": 0.05},
        "values": {"w": [0.85, 0.15, 0.0], "v": [0.0, 1.0, 0.0]},
        "probability": 0.085,
        "why": "simulation; the projection has standard deviation 2 |1 - 2 p| sqrt(p q)",
    },
    "tuner/plain-bootstrap-of-flips": {
        "params": {"n": 60, "delta": 0.1},
        "values": {"p": 0.97},
        "probability": 0.19,
        "why": "no failure at all: the interval is a point",
    },
    "tuner/plain-kernel-two-sample": {
        "params": {"n": 50, "d": 4, "delta": 0.05},
        "values": {"w": [0.5, 0.5, 0.0, 0.0]},
        "probability": 0.127,
        "why": "simulation",
    },
    "tuner/plain-integers-small-sample": {
        "params": {"delta": 0.05},
        "values": {"m": 3.0},
        "probability": 0.1045,
        "why": "Student's tail at 1.83 with two degrees of freedom",
    },
    "tuner/plain-named-laws": {
        "params": {"n": 25, "delta": 0.05},
        "values": {"law": [0.49, 0.49, 0.02], "v": 0.0},
        "probability": 0.6,
        "why": "no 1 at all: nothing varies",
    },
    "tuner/plain-importance-weights": {
        "params": {"n": 30, "d": 4, "delta": 0.05},
        "values": {"q": [1.0, 0.0, 0.0, 0.0], "w": [0.0, 1.0, 0.0, 0.0], "v": [1.0, 0.0, 0.0, 0.0]},
        "probability": 0.1,
        "why": "the weight is 0 or 2, each with probability 1/2",
    },
    "tuner/plain-population-largest": {
        "params": {"n": 10, "N": 40, "delta": 0.05},
        "values": {"x": [1.0] + [0.0] * 39},
        "probability": 0.75,
        "why": "the one is left out: nothing varies",
    },
}
