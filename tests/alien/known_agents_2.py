"""Alien claims, known: experiments, sampling, bandits, games, auctions; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability, rate, up_to_constant


@claim("agents/true-ipw-hoeffding", high_probability("delta"), over=grid(n=[12], delta=[0.05]), cite="Hoeffding 1963")
def true_ipw_hoeffding(forall, draw, *, n, delta):
    """|inverse propensity estimate - mean outcome| <= sqrt(log(2/delta) / (2 n)) / e."""
    e, y = forall.interval("e", 0.1, 1.0), forall.interval("y", 0.0, 1.0, n)
    z = draw.bernoulli("z", e, n)
    return ((z * y).mean(-1) / e - y.mean(-1)).abs(), math.sqrt(math.log(2.0 / delta) / (2.0 * n)) / e


@claim("agents/plain-jackknife-max", always(), expected="refuted", cite="Efron and Stein 1981, with a factor 3/4")
def plain_jackknife_max(forall):
    """Var max of 3 draws <= 3/4 E sum_i (max without i - their mean)^2 of 4 draws."""
    law = forall.law("P")
    three, chances3 = every.samples(law, 3)
    four, chances4 = every.samples(law, 4)
    top = three.amax(-1)
    mean = (chances3 * top).sum(-1)
    variance = (chances3 * top**2).sum(-1) - mean**2
    without = torch.stack([four[..., [j for j in range(4) if j != i]].amax(-1) for i in range(4)], -1)
    spread = (without - without.mean(-1, keepdim=True)).square().sum(-1)
    return variance, 0.75 * (chances4 * spread).sum(-1)


@claim(
    "agents/true-median-of-means", high_probability("delta"), over=grid(delta=[0.05]), cite="Lugosi and Mendelson 2019"
)
def true_median_of_means(forall, draw, *, delta):
    """The median of 9 means of 4 Pareto variables is within one standard deviation of the mean."""
    law = forall.pareto("P", index=(2.1, 4.0))
    means = draw.law("x", law, 9, 4).mean(-1)
    return (means.median(-1).values - law.mean).abs(), law.variance.sqrt()


@claim(
    "agents/plain-mean-subgaussian",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.0005]),
    expected="refuted",
    cite="Catoni 2012 (the mean of heavy tails)",
)
def plain_mean_subgaussian(forall, draw, *, n, delta):
    """|mean of n Pareto variables - mean| <= sigma sqrt(2 log(2/delta) / n)."""
    law = forall.pareto("P", index=(2.5, 4.0))
    x = draw.law("x", law, n)
    return (x.mean(-1) - law.mean).abs(), (2.0 * law.variance * math.log(2.0 / delta) / n).sqrt()


@claim("agents/true-explore-then-commit", expectation(range=(-400.0, 400.0)), cite="Lattimore and Szepesvari 2020, 6.1")
def true_explore_then_commit(forall, draw):
    """The regret is at most m d + (n - 2 m) d exp(-m d^2 / 4) for two normal arms, n = 200 and m = 10."""
    n, m = 200, 10
    d = forall.interval("d", 0.0, 2.0)
    noise = draw.normal("noise", 2, m).mean(-1)
    wrong = noise[:, 0] + d < noise[:, 1]
    return m * d + (n - 2 * m) * d * wrong, m * d + (n - 2 * m) * d * (-m * d**2 / 4.0).exp()


@claim("agents/true-prophet", always(), cite="Kleinberg and Weinberg 2012")
def true_prophet(forall):
    """Taking the first of two variables that reaches half the expected maximum gains half of it."""
    x, w = forall.interval("x", 0.0, 1.0, 3), forall.simplex("w", 3)
    y, v = forall.interval("y", 0.0, 1.0, 3), forall.simplex("v", 3)
    best = (w[:, :, None] * v[:, None, :] * torch.maximum(x[:, :, None], y[:, None, :])).sum((-1, -2))
    threshold = best[:, None] / 2.0
    second = (v * torch.where(y >= threshold, y, 0.0)).sum(-1, keepdim=True)
    return best / 2.0, (w * torch.where(x >= threshold, x, second)).sum(-1)


@claim("agents/subtle-prophet", always(), expected="refuted", cite="Krengel and Sucheston 1978, with .505 for 1/2")
def subtle_prophet(forall):
    """Optimal stopping of two variables gains at least 50.5 % of the expected maximum."""
    x, w = forall.interval("x", 0.0, 1.0, 2), forall.simplex("w", 2)
    y, v = forall.interval("y", 0.0, 1.0, 2), forall.simplex("v", 2)
    best = (w[:, :, None] * v[:, None, :] * torch.maximum(x[:, :, None], y[:, None, :])).sum((-1, -2))
    stop = (w * torch.maximum(x, (v * y).sum(-1, keepdim=True))).sum(-1)
    return 0.505 * best, stop


@claim("agents/subtle-quadratic-anarchy", always(), expected="refuted", cite="Roughgarden 2003 (1.626 for degree two)")
def subtle_quadratic_anarchy(forall):
    """The price of anarchy of a link of latency b x^2 beside one of latency c is at most 1.62."""
    b, c = forall.interval("b", 0.0, 1.0), forall.interval("c", 0.0, 1.0)

    def cost(x):
        return b * x**3 + c * (1.0 - x)

    selfish, best = (c / b).sqrt().clamp(0.0, 1.0), (c / (3.0 * b)).sqrt().clamp(0.0, 1.0)
    return cost(selfish), 1.62 * cost(best)


@claim(
    "agents/true-elliptical-potential",
    up_to_constant("n"),
    over=grid(n=[2, 4, 8, 16, 32]),
    cite="Abbasi-Yadkori et al. 2011",
)
def true_elliptical_potential(forall, *, n):
    """sum_t |x_t|^2 in the inverse of I + sum_{s<t} x_s x_s' is at most C log(1 + n/2) in the plane."""
    x = forall.ball("x", n, 2)
    gram = torch.eye(2, dtype=torch.float64).expand(len(x), 2, 2)
    total = torch.zeros(len(x), dtype=torch.float64)
    for t in range(n):
        row = x[:, t, :, None]
        total = total + (row * torch.linalg.solve(gram, row)).sum((-1, -2))
        gram = gram + row @ row.mT
    return total, math.log(1.0 + n / 2.0)


@claim(
    "agents/plain-max-bias",
    rate("n", -1.0),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    expected="refuted",
    cite="van Hasselt 2010",
)
def plain_max_bias(draw, *, n):
    """The bias of the maximum of four means of n rewards is of order 1/n."""
    return draw.uniform("r", 4, n, low=-1.0).mean(-1).amax(-1)


@claim(
    "agents/true-policies-within",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.05]),
    cite="Boole and Hoeffding 1963",
)
def true_policies_within(forall, draw, within, *, n, delta):
    """|sum_k w_k (mean_k - p_k)| <= sqrt(log(6/delta) / (2 n)) for all mixtures w of three policies at once."""
    p = forall.interval("p", 0.0, 1.0, 3)
    x = draw.bernoulli("x", p, 3, n)
    w = within.simplex("w", 3)
    return (w * (x.mean(-1) - p)).sum(-1).abs(), math.sqrt(math.log(6.0 / delta) / (2.0 * n))


@claim(
    "agents/subtle-berry-esseen",
    always(),
    over=grid(n=[200]),
    expected="refuted",
    cite="Schulz 2016 (0.40973), with 0.405",
)
def subtle_berry_esseen(forall, *, n):
    """|P(B <= k) - Phi| <= 0.405 (p^2 + q^2) / sqrt(n p q) for binomial B."""
    p, k = forall.interval("p", 0.01, 0.99), forall.integers("k", 0, n)
    q = 1.0 - p
    j = torch.arange(n + 1, dtype=torch.float64)
    ways = math.lgamma(n + 1) - torch.lgamma(j + 1.0) - torch.lgamma(n - j + 1.0)
    mass = (ways + j * p.log()[:, None] + (n - j) * q.log()[:, None]).exp()
    below = torch.where(j <= k[:, None], mass, 0.0).sum(-1)
    normal = 0.5 * torch.erfc(-(k - n * p) / (2.0 * n * p * q).sqrt())
    return (below - normal).abs(), 0.405 * (p**2 + q**2) / (n * p * q).sqrt()


PROOFS = {
    "agents/true-ipw-hoeffding": "The n terms z y / e have mean y and lie in [0, 1/e]: Hoeffding's inequality.",
    "agents/true-median-of-means": (
        "A mean of 4 is off by more than sigma = 2 sigma / sqrt(4) with probability <= 1/4 (Chebyshev); the"
        " median is off only if 5 of 9 are, and P(Bin(9, 1/4) >= 5) = 0.0489 < 0.05."
    ),
    "agents/true-explore-then-commit": (
        "P(wrong) = P(N(0, 2/m) > d) <= exp(-m d^2 / 4), and rounds 2m + 1 ... n cost d each if wrong."
    ),
    "agents/true-prophet": (
        "With t = E max / 2 and s = P(max >= t): the gain is >= t s + (1 - s) E (max - t)^+ >= t s + (1 - s) t = t."
    ),
    "agents/true-elliptical-potential": (
        "Each term is u <= 1 and u <= 2 log(1 + u), and sum log(1 + u_t) = log det(I + sum x x') <= 2 log(1 +"
        " n/2): C = 4."
    ),
    "agents/true-policies-within": (
        "A linear form on the simplex is largest at a vertex; Hoeffding for three means, both sides."
    ),
}

WITNESSES = {
    "agents/plain-jackknife-max": {
        "params": {},
        "values": {"P atoms": [0.0, 1.0], "P weights": [0.9, 0.1]},
        "why": "variance .729 x .271 = 0.197559, right side .75 x .75 x 4 x .1 x .729 = 0.164025.",
    },
    "agents/plain-mean-subgaussian": {
        "params": {"n": 20, "delta": 0.0005},
        "values": {"P index": 3.0},
        "probability": 0.0050066938749,
        "why": "one of 20 exceeds 27 with probability 0.00102, and then the mean is off by more than the bound.",
    },
    "agents/subtle-prophet": {
        "params": {},
        "values": {"x": [0.01, 0.01], "w": [0.5, 0.5], "y": [0.0, 1.0], "v": [0.99, 0.01]},
        "why": "E max = 0.0199, and stopping gains 0.01 < 0.505 x 0.0199 = 0.0100495.",
    },
    "agents/subtle-quadratic-anarchy": {
        "params": {},
        "values": {"b": 1.0, "c": 1.0},
        "why": "selfish cost 1, best 1 - 2 / (3 sqrt 3) = 0.6151: ratio 1.6258.",
    },
    "agents/plain-max-bias": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "E max of four nearly normal means is 1.0294 sqrt(1 / (3 n)).",
    },
    "agents/subtle-berry-esseen": {
        "params": {"n": 200},
        "values": {"p": 0.417, "k": 83},
        "why": "the ratio to (p^2 + q^2) / sqrt(n p q) is 0.409562 > 0.405.",
    },
}
