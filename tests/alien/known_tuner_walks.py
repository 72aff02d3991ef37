"""Alien claims, known: signs, walks, stakes, maxima, chaos; see README.md."""

import math

import torch

from harness import claim, expectation, grid, high_probability


@claim(
    "tuner/plain-azuma-largest-step",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[25], delta=[0.05]),
    cite="Azuma's inequality with max |a_i| for |a|",
)
def plain_azuma_largest_step(forall, draw, *, n, delta):
    """sum a_i eps_i <= 1.4 max |a_i| sqrt(2 log(1/delta))."""
    a = forall.interval("a", -1.0, 1.0, n)
    return (a * draw.signs("eps", n)).sum(-1), 1.4 * a.abs().amax(-1) * math.sqrt(2 * math.log(1 / delta))


@claim(
    "tuner/plain-maximum-of-walk",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[30], delta=[0.1]),
    cite="Levy's maximal inequality, factor 2 forgotten",
)
def plain_maximum_of_walk(forall, draw, *, n, delta):
    """max_k |sum_{i <= k} a_i eps_i| <= 1.645 |a| with probability at least 0.9."""
    a = forall.ball("a", n)
    return (a * draw.signs("eps", n)).cumsum(-1).abs().amax(-1), 1.645 * a.norm(dim=-1)


@claim(
    "tuner/true-maximum-of-walk",
    high_probability("delta"),
    over=grid(n=[30], delta=[0.1]),
    cite="Levy's maximal inequality with Hoeffding's",
)
def true_maximum_of_walk(forall, draw, *, n, delta):
    """max_k |sum_{i <= k} a_i eps_i| <= |a| sqrt(2 log(4/delta))."""
    a = forall.ball("a", n)
    walk = (a * draw.signs("eps", n)).cumsum(-1).abs().amax(-1)
    return walk, a.norm(dim=-1) * math.sqrt(2 * math.log(4 / delta))


@claim(
    "tuner/plain-ville-seven-tenths",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[6], delta=[0.05]),
    cite="Ville's inequality with 0.79 for 1",
)
def plain_ville_seven_tenths(forall, draw, *, n, delta):
    """max_k prod_{i <= k} (1 + stake_i eps_i) <= 0.79 / delta."""
    stake = forall.interval("stake", -1.0, 1.0, n)
    return (1 + stake * draw.signs("eps", n)).cumprod(-1).amax(-1), 0.79 / delta


@claim(
    "tuner/true-ville",
    high_probability("delta"),
    over=grid(n=[6], delta=[0.05]),
    cite="Ville's inequality",
)
def true_ville(forall, draw, *, n, delta):
    """max_k prod_{i <= k} (1 + stake_i eps_i) <= 1 / delta."""
    stake = forall.interval("stake", -1.0, 1.0, n)
    return (1 + stake * draw.signs("eps", n)).cumprod(-1).amax(-1), 1 / delta


@claim(
    "tuner/plain-ville-rare-wins",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[3], delta=[0.1]),
    cite="Ville's inequality with 0.7 for 1, stakes on flips of any bias",
)
def plain_ville_rare_wins(forall, draw, *, n, delta):
    """max_k prod_{i <= k} (1 - s_i + s_i x_i / p_i) <= 0.7 / delta, x_i flips of bias p_i."""
    p = forall.interval("p", 0.01, 1.0, n)
    s = forall.interval("s", 0.0, 1.0, n)
    return (1 - s + s * draw.bernoulli("x", p, n) / p).cumprod(-1).amax(-1), 0.7 / delta


@claim(
    "tuner/plain-chaos-as-sub-gaussian",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[12], delta=[0.01]),
    cite="Hanson-Wright inequality, second term dropped",
)
def plain_chaos_as_sub_gaussian(forall, draw, *, n, delta):
    """sum_{i < j} a_ij eps_i eps_j <= |a| sqrt(2 log(1/delta))."""
    pairs = torch.combinations(torch.arange(n), 2)
    a = forall.ball("a", len(pairs))
    eps = draw.signs("eps", n)
    return (a * eps[..., pairs[:, 0]] * eps[..., pairs[:, 1]]).sum(-1), a.norm(dim=-1) * math.sqrt(
        2 * math.log(1 / delta)
    )


@claim(
    "tuner/true-chaos",
    high_probability("delta"),
    over=grid(n=[12], delta=[0.1]),
    cite="Chebyshev's inequality",
)
def true_chaos(forall, draw, *, n, delta):
    """|sum_{i < j} a_ij eps_i eps_j| <= |a| / sqrt(delta)."""
    pairs = torch.combinations(torch.arange(n), 2)
    a = forall.ball("a", len(pairs))
    eps = draw.signs("eps", n)
    return (a * eps[..., pairs[:, 0]] * eps[..., pairs[:, 1]]).sum(-1).abs(), a.norm(dim=-1) / math.sqrt(delta)


@claim(
    "tuner/plain-matrix-without-dimension",
    high_probability("delta"),
    expected="refuted",
    over=grid(k=[8], d=[6], delta=[0.4]),
    cite="Tropp 2012, Theorem 1.3, dimension forgotten, diagonal matrices",
)
def plain_matrix_without_dimension(forall, draw, *, k, d, delta):
    """max_j sum_i eps_i x_ij <= sqrt(2 log(1/delta) max_j sum_i x_ij^2)."""
    x = forall.interval("x", -1.0, 1.0, k, d)
    eps = draw.signs("eps", k)
    return (eps.unsqueeze(-1) * x).sum(-2).amax(-1), (2 * math.log(1 / delta) * x.square().sum(-2).amax(-1)).sqrt()


@claim(
    "tuner/plain-finite-class-without-two",
    expectation(range=(-2.8, 10.0)),
    expected="refuted",
    over=grid(N=[24], d=[12]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.5, factor 2 forgotten",
)
def plain_finite_class_without_two(forall, draw, *, N, d):
    """E max(0, max_j <a_j, g>) <= max_j |a_j| sqrt(log N), N vectors of the unit ball."""
    a = forall.ball("a", N, d)
    g = draw.normal("g", d)
    return (a * g.unsqueeze(-2)).sum(-1).amax(-1).clamp_min(0), a.norm(dim=-1).amax(-1) * math.sqrt(math.log(N))


@claim(
    "tuner/plain-khinchine-fourth",
    expectation(range=(-2.5, 100.0)),
    expected="refuted",
    over=grid(n=[10]),
    cite="Khinchine's inequality, p = 4, 2.5 for 3",
)
def plain_khinchine_fourth(forall, draw, *, n):
    """E (sum a_i eps_i)^4 <= 2.5 |a|^4."""
    a = forall.ball("a", n)
    return (a * draw.signs("eps", n)).sum(-1).pow(4), 2.5 * a.norm(dim=-1).pow(4)


@claim(
    "tuner/plain-khinchine-first",
    expectation(range=(-3.5, 1.0)),
    expected="refuted",
    over=grid(n=[6]),
    cite="Szarek 1976, 0.75 for 1/sqrt 2",
)
def plain_khinchine_first(forall, draw, *, n):
    """0.75 |a| <= E |sum a_i eps_i|."""
    a = forall.ball("a", n)
    return 0.75 * a.norm(dim=-1), (a * draw.signs("eps", n)).sum(-1).abs()


@claim(
    "tuner/true-khinchine-fourth",
    expectation(range=(-3.0, 100.0)),
    over=grid(n=[10]),
    cite="Khinchine's inequality, p = 4",
)
def true_khinchine_fourth(forall, draw, *, n):
    """E (sum a_i eps_i)^4 <= 3 |a|^4."""
    a = forall.ball("a", n)
    return (a * draw.signs("eps", n)).sum(-1).pow(4), 3 * a.norm(dim=-1).pow(4)


@claim(
    "tuner/plain-anticoncentration",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.18]),
    cite="Erdos 1945 (Littlewood-Offord), 0.18 for C(10, 5) / 2^10",
)
def plain_anticoncentration(forall, draw, *, n, delta):
    """1 <= |sum a_i eps_i| with probability at least 0.82 for numbers a_i in [1, 2]."""
    a = forall.interval("a", 1.0, 2.0, n)
    return 1.0, (a * draw.signs("eps", n)).sum(-1).abs()


@claim(
    "tuner/true-anticoncentration",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.24609375]),
    cite="Erdos 1945",
)
def true_anticoncentration(forall, draw, *, n, delta):
    """1 <= |sum a_i eps_i| with probability at least 1 - C(10, 5) / 2^10 for numbers a_i in [1, 2]."""
    a = forall.interval("a", 1.0, 2.0, n)
    return 1.0, (a * draw.signs("eps", n)).sum(-1).abs()


@claim(
    "tuner/plain-markov-chain-variance",
    expectation(range=(-0.02, 1.0)),
    expected="refuted",
    over=grid(n=[20]),
    cite="the variance of a mean of independent numbers, for a chain",
)
def plain_markov_chain_variance(forall, draw, *, n):
    """E (mean - pi)^2 <= pi (1 - pi) / n for a stationary two-state chain with jump probabilities a and b."""
    a = forall.interval("a", 0.05, 1.0)
    b = forall.interval("b", 0.05, 1.0)
    pi = a / (a + b)
    u = draw.uniform("u", n)
    states = [(u[..., 0] < pi).to(u)]
    for i in range(1, n):
        up = torch.where(states[-1] > 0, 1 - b, a)
        states.append((u[..., i] < up).to(u))
    return (torch.stack(states, -1).mean(-1) - pi).square(), pi * (1 - pi) / n


@claim(
    "tuner/plain-stopped-mean",
    expectation(range=(-0.7, 1.0)),
    expected="refuted",
    over=grid(n=[8]),
    cite="optional stopping of a mean that is no martingale",
)
def plain_stopped_mean(forall, draw, *, n):
    """E of the share of successes at the first success (or at n) is at most p."""
    p = forall.interval("p", 0.0, 0.7)
    x = draw.bernoulli("x", p, n)
    first = torch.where(x.amax(-1) > 0, x.argmax(-1) + 1, n)
    return torch.where(x.amax(-1) > 0, 1 / first, torch.zeros(())), p


@claim(
    "tuner/plain-cauchy-like-maximum",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.1]),
    cite="the maximum of Pareto variables with 1/alpha forgotten in delta",
)
def plain_cauchy_like_maximum(forall, draw, *, n, delta):
    """max of n Pareto(alpha) variables <= n^(1/alpha) / delta with probability at least 1 - delta."""
    alpha = forall.interval("alpha", 0.3, 3.0)
    x = draw.uniform("u", n).pow(-1 / alpha.unsqueeze(-1))
    return x.amax(-1), n ** (1 / alpha) / delta


@claim(
    "tuner/true-pareto-sum-of-few",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.1]),
    cite="Markov's inequality for Pareto variables of finite mean",
)
def true_pareto_sum_of_few(forall, draw, *, n, delta):
    """mean of n Pareto(alpha) variables <= alpha / (alpha - 1) / delta, alpha > 1."""
    alpha = forall.interval("alpha", 1.05, 3.0)
    x = draw.uniform("u", n).pow(-1 / alpha.unsqueeze(-1))
    return x.mean(-1), alpha / (alpha - 1) / delta


@claim(
    "tuner/plain-negative-dependence-sidak",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.75]),
    cite="Sidak 1967 for one-sided tests (true for two-sided ones)",
)
def plain_negative_dependence_sidak(forall, draw, *, delta):
    """max(g_1, g_2) <= z with probability at least 1 - delta, z the sqrt(1 - delta) quantile, any correlation."""
    rho = forall.interval("rho", -1.0, 1.0)
    g = draw.normal("g", 2)
    other = rho * g[..., 0] + (1 - rho.square()).clamp_min(0).sqrt() * g[..., 1]
    z = math.sqrt(2) * torch.erfinv(torch.tensor(2 * math.sqrt(1 - delta) - 1)).item()
    return torch.maximum(g[..., 0], other), z


@claim(
    "tuner/plain-two-time-scales",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[16], delta=[0.05]),
    cite="Robbins 1970 (a confidence sequence needs more than a fixed time)",
)
def plain_two_time_scales(forall, draw, *, n, delta):
    """|sum_{i <= k} a_i g_i| <= 1.96 (sum_{i <= k} a_i^2)^(1/2) at k = m and at k = n, m any time."""
    a = forall.interval("a", 0.0, 1.0, n)
    m = forall.integers("m", 1, n)
    walk = (a * draw.normal("g", n)).cumsum(-1)
    size = a.square().cumsum(-1).sqrt()
    gap = walk.abs() - 1.96 * size
    at = torch.take_along_dim(gap, (m.long() - 1).unsqueeze(-1), -1).squeeze(-1)
    return torch.maximum(at, gap[..., -1]), 0.0


@claim(
    "tuner/subtle-littlewood-four-equal",
    expectation(range=(-2.1, 1.0)),
    expected="refuted",
    over=grid(n=[9]),
    cite="Szarek 1976 for three or more equal weights: 0.765 for 1/sqrt 2",
)
def subtle_littlewood_four_equal(forall, draw, *, n):
    """0.765 |a| <= E |sum a_i eps_i| for a = (b_1, b_2, b_3/10, .., b_9/10), b_i in [0.3, 1].

    Findable: two equal large weights and small others.
    """
    a = forall.interval("a", 0.3, 1.0, n)
    a = torch.cat([a[..., :2], 0.1 * a[..., 2:]], -1)
    a = a / a.norm(dim=-1, keepdim=True)
    return 0.765 * a.norm(dim=-1), (a * draw.signs("eps", n)).sum(-1).abs()


PROOFS = {
    "tuner/true-maximum-of-walk": "Levy: P(max > t) <= 2 P(|S_n| > t) <= 4 exp(-t^2 / (2 |a|^2)).",
    "tuner/true-ville": "A non-negative martingale of mean 1 reaches 1/delta with probability at most delta.",
    "tuner/true-chaos": "The variance is |a|^2; Chebyshev.",
    "tuner/true-khinchine-fourth": "3 |a|^4 - 2 sum a_i^4.",
    "tuner/true-anticoncentration": "Erdos 1945: an open interval of length 2 holds at most the middle binomial share.",
    "tuner/true-pareto-sum-of-few": "Markov; the mean of Pareto(alpha) is alpha / (alpha - 1).",
}

WITNESSES = {
    "tuner/plain-azuma-largest-step": {
        "params": {"n": 25, "delta": 0.05},
        "values": {"a": [1.0] * 25},
        "probability": 0.2122,
        "why": "a binomial tail beyond 3.43, thus at least 5 of 25",
    },
    "tuner/plain-maximum-of-walk": {
        "params": {"n": 30, "delta": 0.1},
        "values": {"a": [1 / math.sqrt(30.01)] * 30},
        "probability": 0.1402,
        "why": "reflection: nearly 2 P(|S| > 9)",
    },
    "tuner/plain-ville-seven-tenths": {
        "params": {"n": 6, "delta": 0.05},
        "values": {"stake": [1.0] * 6},
        "probability": 0.0625,
        "why": "four wins: 16 > 15.8, probability 1/16",
    },
    "tuner/plain-ville-rare-wins": {
        "params": {"n": 3, "delta": 0.1},
        "values": {"p": [0.14, 1.0, 1.0], "s": [1.0, 0.0, 0.0]},
        "probability": 0.14,
        "why": "1 / 0.14 = 7.14 > 7",
    },
    "tuner/plain-chaos-as-sub-gaussian": {
        "params": {"n": 12, "delta": 0.01},
        "values": {"a": [1 / math.sqrt(66.01)] * 66},
        "probability": 0.0385,
        "why": "(S^2 - 12) / 2 > 24.66 for |S| >= 8: 2 * 79 / 4096",
    },
    "tuner/plain-matrix-without-dimension": {
        "params": {"k": 8, "d": 6, "delta": 0.4},
        "values": {
            "x": [[[1.0, -1.0][bin(i & j).count("1") % 2] * s for j in (1, 2, 4) for s in (1, -1)] for i in range(8)]
        },
        "probability": 0.6,
        "why": "three orthogonal sign patterns and their opposites: |S| >= 4 for one of them; enumeration",
    },
    "tuner/plain-finite-class-without-two": {
        "params": {"N": 24, "d": 12},
        "values": {"a": [[s * float(i == j) for j in range(12)] for i in range(12) for s in (1, -1)]},
        "mean": 0.175,
        "why": "E max |g_i| of 12 beside sqrt(log 24) = 1.783; simulation",
    },
    "tuner/plain-khinchine-fourth": {
        "params": {"n": 10},
        "values": {"a": [0.31] * 10},
        "mean": 0.27,
        "why": "|a|^4 (3 - 2/10 - 2.5), |a|^2 = 0.961",
    },
    "tuner/plain-khinchine-first": {
        "params": {"n": 6},
        "values": {"a": [0.7, 0.7, 0.0, 0.0, 0.0, 0.0]},
        "mean": 0.042,
        "why": "0.75 * 0.7 sqrt 2 - 0.7",
    },
    "tuner/plain-anticoncentration": {
        "params": {"n": 10, "delta": 0.18},
        "values": {"a": [1.0] * 10},
        "probability": 0.24609375,
        "why": "the sum vanishes with probability 252/1024",
    },
    "tuner/plain-markov-chain-variance": {
        "params": {"n": 20},
        "values": {"a": 0.1, "b": 0.1},
        "mean": 0.075,
        "why": "correlation 0.8 between neighbours; simulation",
    },
    "tuner/plain-stopped-mean": {
        "params": {"n": 8},
        "values": {"p": 0.3},
        "mean": 0.19,
        "why": "sum p q^(k - 1) / k = p log(1/p) / q, nearly",
    },
    "tuner/plain-cauchy-like-maximum": {
        "params": {"n": 20, "delta": 0.1},
        "values": {"alpha": 0.4},
        "probability": 0.33,
        "why": "(x / n^(1/alpha))^alpha: 1 - (1 - 0.1^0.4 / 20)^20",
    },
    "tuner/plain-negative-dependence-sidak": {
        "params": {"delta": 0.75},
        "values": {"rho": -1.0},
        "probability": 1.0,
        "why": "z = 0: one of g and -g is positive",
    },
    "tuner/plain-two-time-scales": {
        "params": {"n": 16, "delta": 0.05},
        "values": {"a": [0.05] * 8 + [1.0] * 8, "m": 8.0},
        "probability": 0.097,
        "why": "nearly independent events: 1 - 0.95^2",
    },
    "tuner/subtle-littlewood-four-equal": {
        "params": {"n": 9},
        "values": {"a": [1.0, 1.0] + [0.3] * 7},
        "mean": 0.03,
        "why": "the small weights count for little; enumeration",
    },
}
