"""Alien claims, known: e-values, multiple testing, Bayes, survival, causes; see README.md."""

import itertools
import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, tail


@claim("inference/true-ville-lr", high_probability("delta"), over=grid(n=[100], delta=[0.05, 0.2]), cite="Ville 1939")
def ville_lr(forall, draw, *, n, delta):
    """max_k prod q(x_i)/p(x_i) <= 1/delta with probability 1 - delta under p."""
    p, q = forall.interval("p", 0.05, 0.95), forall.interval("q", 0.05, 0.95)
    x = draw.bernoulli("x", p, n)
    llr = x * torch.log(q / p) + (1 - x) * torch.log((1 - q) / (1 - p))
    return llr.cumsum(-1).amax(-1).exp(), 1 / delta


@claim("inference/true-mixture-cs", high_probability("delta"), over=grid(n=[200], delta=[0.05]), cite="Robbins 1970")
def mixture_cs(forall, draw, *, n, delta):
    """|S_k - k p| <= sqrt((k/4 + r) log((k/4 + r) / (r delta^2))) for all k <= n."""
    p, r = forall.interval("p", 0.0, 1.0), forall.interval("r", 0.5, 50.0)
    x = draw.bernoulli("x", p, n)
    k = torch.arange(1, n + 1, dtype=torch.float64)
    s = (x - p[:, None]).cumsum(-1).abs()
    v = k / 4 + r[:, None]
    return (s / torch.sqrt(v * torch.log(v / (r[:, None] * delta**2)))).amax(-1), 1.0


def bh(p, alpha):
    m = p.shape[-1]
    i = torch.arange(1, m + 1, dtype=torch.float64)
    k = ((p.sort(-1).values <= alpha * i / m) * i).amax(-1, keepdim=True)
    return p <= alpha * k / m


@claim(
    "inference/true-bh",
    expectation(range=(-1.0, 1.0), margin=0.01),
    over=grid(m=[8], m0=[5], alpha=[0.2]),
    cite="Benjamini and Hochberg 1995",
)
def bh_fdr(forall, draw, *, m, m0, alpha):
    """E FDP <= alpha m0 / m for independent p-values, the alternatives shifted by mu."""
    mu = forall.interval("mu", 0.0, 5.0)
    null, alt = draw.uniform("u", m0), torch.special.ndtr(-(draw.normal("z", m - m0) + mu[:, None]))
    reject = bh(torch.cat([null, alt], -1), alpha).double()
    return reject[:, :m0].sum(-1) / reject.sum(-1).clamp_min(1.0), alpha * m0 / m


@claim("inference/true-simes-prds", tail(), over=grid(m=[6], alpha=[0.1]), cite="Sarkar 1998")
def simes_prds(forall, draw, *, m, alpha):
    """P(min m p_(i) / i <= alpha) <= alpha for equicorrelated one-sided normal p-values."""
    rho = forall.interval("rho", 0.0, 1.0)
    z = rho.sqrt()[:, None] * draw.normal("z0")[:, None] + (1 - rho).sqrt()[:, None] * draw.normal("z", m)
    p = torch.special.ndtr(-z).sort(-1).values
    return (m * p / torch.arange(1, m + 1)).amin(-1) <= alpha, alpha


@claim("inference/true-post-hoc", high_probability("delta"), over=grid(m=[20], delta=[0.1]), cite="Massart 1990")
def post_hoc(draw, within, *, m, delta):
    """#{null p-values <= t} <= m t + sqrt(m log(1/delta) / 2) at all t."""
    p, t = draw.uniform("p", m), within.interval("t", 0.0, 1.0)
    return (p <= t[:, None]).double().sum(-1) - m * t, math.sqrt(m * math.log(1 / delta) / 2)


@claim("inference/true-permutation-test", tail(), over=grid(alpha=[0.1, 0.25]), cite="Lehmann and Romano 2005, 15.2")
def permutation_test(forall, draw, *, alpha):
    """P(permutation p-value <= alpha) <= alpha for two groups of three from one law."""
    law = forall.law("P", atoms=3)
    x = draw.law("x", law, 6)
    splits = torch.tensor(list(itertools.combinations(range(6), 3)))
    t = x[:, splits].sum(-1)
    return (t >= t[:, :1]).double().mean(-1) <= alpha, alpha


@claim("inference/true-james-stein", expectation(range=(-5.0, math.inf)), over=grid(d=[5]), cite="James and Stein 1961")
def james_stein(forall, draw, *, d):
    """E |(1 - (d - 2)/|x|^2) x - theta|^2 <= d."""
    theta = forall.ball("theta", d, radius=6.0)
    x = theta + draw.normal("z", d)
    js = (1 - (d - 2) / x.square().sum(-1, keepdim=True)) * x
    return (js - theta).square().sum(-1), float(d)


@claim("inference/true-em", always(), cite="Dempster, Laird and Rubin 1977")
def em(forall):
    """A step of EM for two unit normal components does not lower the likelihood."""
    x, mu, w = forall.interval("x", -3.0, 3.0, 4), forall.interval("mu", -3.0, 3.0, 2), forall.interval("w", 0.05, 0.95)

    def joint(w, mu):
        weights = torch.stack([w, 1 - w], -1)
        return weights.log()[:, None, :] - (x[:, :, None] - mu[:, None, :]).square() / 2

    before = joint(w, mu)
    r = before.softmax(-1)
    new = (r * x[:, :, None]).sum(1) / r.sum(1)
    after = joint(r[:, :, 0].mean(-1), new)
    return before.logsumexp(-1).sum(-1), after.logsumexp(-1).sum(-1)


@claim("inference/true-fleming-harrington", always(), over=grid(n=[8]), cite="Fleming and Harrington 1984")
def fleming_harrington(forall, *, n):
    """Kaplan-Meier <= exp(-Nelson-Aalen) with censoring."""
    d, k = forall.integers("d", 0, 1, n), forall.integers("k", 0, n)
    at_risk = torch.arange(n, 0, -1, dtype=torch.float64)
    hazard = torch.where(torch.arange(n) < k[:, None], d / at_risk, 0.0)
    return (1 - hazard).prod(-1), (-hazard.sum(-1)).exp()


@claim("inference/true-doubly-robust", identity(), cite="Robins, Rotnitzky and Zhao 1994")
def doubly_robust(forall):
    """E [T (Y - g(X)) / e(X) + g(X)] = E Y(1) whatever g."""
    p, e = forall.simplex("p", 3), forall.interval("e", 0.05, 0.95, 3)
    m, g = forall.interval("m", 0.0, 1.0, 3), forall.interval("g", -2.0, 2.0, 3)
    total = 0.0
    for t, y in itertools.product([0, 1], repeat=2):
        chance = (e if t else 1 - e) * (m if y else 1 - m)
        total = total + (p * chance * (t * (y - g) / e + g)).sum(-1)
    return total, (p * m).sum(-1)


@claim(
    "inference/plain-uncorrected",
    tail(),
    expected="refuted",
    over=grid(m=[5], alpha=[0.05]),
    cite="Bonferroni, forgotten",
)
def uncorrected(draw, *, m, alpha):
    """P(min p <= alpha) <= alpha for five independent uniform p-values."""
    return draw.uniform("p", m).amin(-1) <= alpha, alpha


@claim(
    "inference/subtle-simes-negative",
    tail(),
    expected="refuted",
    over=grid(alpha=[0.1]),
    cite="Simes 1986, for dependent p-values",
)
def simes_negative(forall, draw, *, alpha):
    """Simes at level alpha for the two uniform p-values u and s - u mod 1."""
    s = forall.interval("s", 0.0, 1.0)
    u = draw.uniform("u")
    p = torch.stack([u, (s - u) % 1.0], -1).sort(-1).values
    return (p[:, 0] <= alpha / 2) | (p[:, 1] <= alpha), alpha


@claim(
    "inference/plain-peeking",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="the normal quantile, at all times",
)
def peeking(draw, *, n, delta):
    """|S_k| <= 1.96 sqrt(k) for all k <= n with probability .95."""
    s = draw.normal("z", n).cumsum(-1).abs()
    return (s / torch.arange(1, n + 1).sqrt()).amax(-1), 1.96


@claim(
    "inference/subtle-ville",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.2]),
    cite="Ville 1939, with 0.93 for 1",
)
def subtle_ville(forall, draw, *, n, delta):
    """max_k prod q(x_i)/p(x_i) <= .93/delta with probability 1 - delta under p."""
    p, q = forall.interval("p", 0.01, 0.99), forall.interval("q", 0.01, 0.99)
    x = draw.bernoulli("x", p, n)
    llr = x * torch.log(q / p) + (1 - x) * torch.log((1 - q) / (1 - p))
    return llr.cumsum(-1).amax(-1).exp(), 0.93 / delta


@claim(
    "inference/plain-permutation-strict",
    tail(),
    expected="refuted",
    over=grid(alpha=[0.05]),
    cite="Lehmann and Romano 2005, 15.2, with > for >=",
)
def permutation_strict(forall, draw, *, alpha):
    """P(share of splits above the observed one <= alpha) <= alpha."""
    law = forall.law("P", atoms=3)
    x = draw.law("x", law, 6)
    splits = torch.tensor(list(itertools.combinations(range(6), 3)))
    t = x[:, splits].sum(-1)
    return (t > t[:, :1]).double().mean(-1) <= alpha, alpha


@claim(
    "inference/subtle-km-gap",
    always(),
    expected="refuted",
    over=grid(n=[6]),
    cite="Fleming and Harrington 1984, with 1 / (2 n)",
)
def km_gap(forall, *, n):
    """exp(-Nelson-Aalen) - Kaplan-Meier <= 1 / (2 n)."""
    d, k = forall.integers("d", 0, 1, n), forall.integers("k", 0, n)
    at_risk = torch.arange(n, 0, -1, dtype=torch.float64)
    hazard = torch.where(torch.arange(n) < k[:, None], d / at_risk, 0.0)
    return (-hazard.sum(-1)).exp() - (1 - hazard).prod(-1), 1 / (2 * n)


PROOFS = {
    "inference/true-ville-lr": (
        "The likelihood ratio is a nonnegative martingale of mean one under p; Ville's inequality."
    ),
    "inference/true-mixture-cs": (
        "Robbins: the normal mixture N(0, 1/r) of exp(l S - l^2 k/8) is sqrt(r/(k/4+r)) exp(S^2/(2(k/4+r))), a "
        "supermartingale by Hoeffding's lemma."
    ),
    "inference/true-bh": (
        "Benjamini-Hochberg 1995 / Benjamini-Yekutieli 2001: equality alpha m0/m for independent uniform nulls."
    ),
    "inference/true-simes-prds": ("Sarkar 1998: Simes holds under MTP2 (equicorrelated normal, rho >= 0)."),
    "inference/true-post-hoc": "One-sided DKW with Massart's constant, delta <= 1/2.",
    "inference/true-permutation-test": (
        "Exchangeability: the rank (ties counted against) of the observed split is stochastically uniform."
    ),
    "inference/true-james-stein": "James and Stein 1961: risk = d - (d-2)^2 E 1/|x|^2.",
    "inference/true-em": "Dempster, Laird, Rubin 1977.",
    "inference/true-fleming-harrington": "1 - h <= exp(-h).",
    "inference/true-doubly-robust": ("E[T (Y - g)/e | X] = m - g (for T=0 the outcome law is irrelevant)."),
}

WITNESSES = {
    "inference/plain-uncorrected": {
        "params": {"m": 5, "alpha": 0.05},
        "values": {},
        "probability": 0.2262190625,
        "why": "P = 1 - 0.95^5 = 0.226.",
    },
    "inference/subtle-simes-negative": {
        "params": {"alpha": 0.1},
        "values": {"s": 0.15},
        "probability": 0.15,
        "why": "P = 0.15: u <= 0.05, u in [0.1, 0.15], u in (0.05, 0.1).",
    },
    "inference/plain-peeking": {
        "params": {"n": 100, "delta": 0.05},
        "values": {},
        "probability": 0.3735963636289,
        "why": "k = 1 and k = 2 alone give 0.083; n = 100 gives 0.3736.",
    },
    "inference/subtle-ville": {
        "params": {"n": 10, "delta": 0.2},
        "values": {"p": 0.2125, "q": 0.99},
        "probability": 0.21415431802609972,
        "why": "LR_1 = 4.6588 > 4.65 when x_1 = 1, P = 0.2125 > 0.2.",
    },
    "inference/plain-permutation-strict": {
        "params": {"alpha": 0.05},
        "values": {"P atoms": [0.0, 1.0, 0.0], "P weights": [0.5, 0.5, 0.0]},
        "probability": 0.375,
        "why": "(1/2, 1/2) on {0, 1}: the first three all ones has the chance 1/8 > 0.05.",
    },
    "inference/subtle-km-gap": {
        "params": {"n": 6},
        "values": {"d": [1] * 6, "k": 6},
        "why": "exp(-H_6) = exp(-2.45) = 0.08629 > 1/12.",
    },
}
