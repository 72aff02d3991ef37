"""Alien claims, known: risk measures, insurance, queues, auctions, options, inequality; see README.md."""

import math

import torch

from harness import always, claim, grid, high_probability, rate, up_to_constant


def call(s, k, r, sigma, t):
    """The price of a European call after Black and Scholes."""
    spread = sigma * t.sqrt()
    d1 = ((s / k).log() + (r + sigma**2 / 2) * t) / spread
    return s * torch.special.ndtr(d1) - k * (-r * t).exp() * torch.special.ndtr(d1 - spread)


def differences(x):
    """The sum of |x_i - x_j| over all pairs."""
    return (x[:, :, None] - x[:, None, :]).abs().sum((-1, -2))


@claim("risk/true-kelly", always(), cite="Kelly 1956")
def kelly(forall):
    """p log(1 + f) + q log(1 - f) <= log 2 - H(p): Kelly's fraction grows fastest."""
    p, f = forall.interval("p", 0.01, 0.99), forall.interval("f", -0.9, 0.9)
    best = math.log(2.0) + p * p.log() + (1.0 - p) * (1.0 - p).log()
    return p * (1.0 + f).log() + (1.0 - p) * (1.0 - f).log(), best


@claim("risk/plain-double-kelly", always(), cite="Kelly 1956; Thorp 2006, with the wrong sign", expected="refuted")
def double_kelly(forall):
    """Twice Kelly's fraction never shrinks the wealth: q log(1 / (1 - 2 f)) <= p log(1 + 2 f), f = p - q."""
    p = forall.interval("p", 0.5, 0.7)
    f = 2.0 * p - 1.0
    return -(1.0 - p) * (1.0 - 2.0 * f).log(), p * (1.0 + 2.0 * f).log()


@claim("risk/true-sharpe", always(), cite="Markowitz 1952; Sharpe 1966")
def sharpe(forall):
    """w'm <= sqrt(m' C^-1 m) sqrt(w' C w): the tangency portfolio has the best Sharpe ratio."""
    c = forall.psd("C", 3, trace=1.0) + 0.05 * torch.eye(3, dtype=torch.float64)
    m, w = forall.ball("m", 3), forall.ball("w", 3)
    best = (m * torch.linalg.solve(c, m[..., None])[..., 0]).sum(-1).sqrt()
    return (w * m).sum(-1), best * (w[:, None, :] @ c @ w[:, :, None])[:, 0, 0].sqrt()


@claim("risk/subtle-equal-weights", always(), cite="Markowitz 1952, with the factor 0.95", expected="refuted")
def equal_weights(forall):
    """The variance of the equally weighted portfolio of 20 assets is at most 0.95 of their mean variance."""
    c = forall.psd("C", 20, trace=1.0)
    return c.sum((-1, -2)) / 400.0, 0.95 * c.diagonal(dim1=-2, dim2=-1).sum(-1) / 20.0


@claim("risk/true-call-floor", always(), cite="Merton 1973")
def call_floor(forall):
    """(S - K exp(-r T))_+ <= C."""
    s, k = forall.interval("S", 0.5, 2.0), forall.interval("K", 0.5, 2.0)
    r, sigma, t = forall.interval("r", -0.05, 0.1), forall.interval("sigma", 0.05, 1.0), forall.interval("T", 0.1, 2.0)
    return (s - k * (-r * t).exp()).clamp_min(0.0), call(s, k, r, sigma, t)


@claim("risk/true-call-convex", always(), cite="Merton 1973")
def call_convex(forall):
    """C((K + L) / 2) <= (C(K) + C(L)) / 2."""
    k, other = forall.interval("K", 0.5, 2.0), forall.interval("L", 0.5, 2.0)
    sigma, t = forall.interval("sigma", 0.05, 1.0), forall.interval("T", 0.1, 2.0)
    s, r = torch.ones_like(k), 0.02 * torch.ones_like(k)
    middle = call(s, (k + other) / 2.0, r, sigma, t)
    return middle, (call(s, k, r, sigma, t) + call(s, other, r, sigma, t)) / 2.0


@claim("risk/plain-gini-bound", always(), cite="Gini 1912, with half of the constant", expected="refuted")
def gini_bound_half(forall):
    """sum_ij |x_i - x_j| <= n sum x for incomes x >= 0."""
    x = forall.interval("x", 0.0, 1.0, 6)
    return differences(x), 6.0 * x.sum(-1)


@claim("risk/true-transfer", always(), cite="Dalton 1920")
def transfer(forall):
    """A transfer between two incomes that keeps their sum and their range never raises the mean difference."""
    x, t = forall.interval("x", 0.0, 1.0, 5), forall.interval("t", 0.0, 1.0)
    first, second = (1.0 - t) * x[:, 0] + t * x[:, 1], t * x[:, 0] + (1.0 - t) * x[:, 1]
    return differences(torch.cat([first[:, None], second[:, None], x[:, 2:]], dim=-1)), differences(x)


@claim("risk/true-frechet", always(), cite="Frechet 1951; Hoeffding 1940")
def frechet(forall):
    """max(F + G - 1, 0) <= H(x, y) for the joint law H of two losses on three points each."""
    p = forall.simplex("P", 9).reshape(-1, 3, 3)
    joint = p.cumsum(-1).cumsum(-2)
    f, g = p.sum(-1).cumsum(-1)[:, 1], p.sum(-2).cumsum(-1)[:, 1]
    return (f + g - 1.0).clamp_min(0.0), joint[:, 1, 1]


@claim(
    "risk/plain-comonotone-worst", always(), cite="Makarov 1981, as if comonotone losses were worst", expected="refuted"
)
def comonotone_worst(forall):
    """The second largest of i + pi(i) over five ranks is at most 8, as for comonotone losses."""
    order = forall.permutation("pi", 5)
    total = torch.arange(1, 6, dtype=torch.float64) + order.double() + 1.0
    return total.sort(-1).values[:, -2], 8.0


@claim(
    "risk/true-empirical-cvar",
    high_probability("delta"),
    over=grid(n=[20, 100], delta=[0.05]),
    cite="Brown 2007; Hoeffding 1963",
)
def empirical_cvar(forall, draw, *, n, delta):
    """The empirical CVaR at 1/2 exceeds the true one by at most 2 sqrt(log(1/delta) / (2 n))."""
    law = forall.law("P", atoms=3)
    q = law.quantile(0.5)
    true = q + 2.0 * law.expect(lambda x: (x - q[:, None]).clamp_min(0.0))
    x = draw.law("x", law, n).sort(-1).values
    return x[:, n // 2 :].mean(-1) - true, 2.0 * math.sqrt(math.log(1.0 / delta) / (2.0 * n))


@claim("risk/true-largest-claim", high_probability("delta"), over=grid(n=[10, 200], delta=[0.05]), cite="folklore")
def largest_claim(draw, *, n, delta):
    """The largest of n unit exponential claims is at most log(n / delta)."""
    x = -draw.uniform("u", n).log()
    return x.amax(-1), math.log(n / delta)


@claim(
    "risk/true-gumbel-error", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64, 128]), cite="Hall and Wellner 1979"
)
def gumbel_error(forall, *, n):
    """exp(-e^-x) - (1 - e^-x / n)^n <= C / n for x >= 0: maxima of exponential variables are near Gumbel."""
    x = forall.interval("x", 0.0, 5.0)
    return (-(-x).exp()).exp() - (1.0 - (-x).exp() / n) ** n, 1.0 / n


@claim(
    "risk/true-median-rate",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[11, 31, 101, 301, 1001]),
    cite="David and Nagaraja 2003",
)
def median_rate(draw, *, n):
    """The sample median of n uniform numbers errs by n^-1/2."""
    return (draw.uniform("x", n).median(-1).values - 0.5).abs()


@claim(
    "risk/plain-median-rate",
    rate("n", -1.0),
    over=grid(n=[11, 31, 101, 301, 1001]),
    cite="David and Nagaraja 2003, with the rate of an extreme",
    expected="refuted",
)
def median_rate_fast(draw, *, n):
    """The sample median of n uniform numbers errs by 1/n."""
    return (draw.uniform("x", n).median(-1).values - 0.5).abs()


PROOFS = {
    "risk/true-kelly": ("The relative entropy between (p, q) and ((1 + f) / 2, (1 - f) / 2) is not negative."),
    "risk/true-sharpe": ("Cauchy-Schwarz for C^(1/2) w and C^(-1/2) m."),
    "risk/true-call-floor": ("Jensen's inequality: the discounted price is a martingale."),
    "risk/true-call-convex": ("The price is a mean of the convex functions (S_T - K)_+ of K."),
    "risk/true-transfer": (
        "The new incomes are a doubly stochastic image of the old ones, and the sum is convex and symmetric."
    ),
    "risk/true-frechet": ("P(A and B) = P(A) + P(B) - P(A or B) >= P(A) + P(B) - 1."),
    "risk/true-empirical-cvar": (
        "It is at most q + 2 E_n (X - q)_+ for the true quantile q, a mean of numbers in [0, 1]; Hoeffding."
    ),
    "risk/true-largest-claim": ("P(X > log(n / delta)) = delta / n; the union bound."),
    "risk/true-gumbel-error": ("For 0 <= y <= 1, e^-y - (1 - y / n)^n <= e^-y y^2 / (n - y) <= C / n."),
    "risk/true-median-rate": (
        "The median is Beta((n + 1) / 2, (n + 1) / 2), its mean deviation is about (2 pi n)^(-1/2)."
    ),
}

WITNESSES = {
    "risk/plain-double-kelly": {"params": {}, "values": {"p": 0.7}, "why": "0.4828 > 0.4115"},
    "risk/subtle-equal-weights": {
        "params": {},
        "values": {"C": [[0.05] * 20] * 20},
        "why": "all assets are the same: 0.05 > 0.0475",
    },
    "risk/plain-gini-bound": {"params": {}, "values": {"x": [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]}, "why": "10 > 6"},
    "risk/plain-comonotone-worst": {
        "params": {},
        "values": {"pi": [0.0, 0.0, 0.0, 1.0, 0.0]},
        "why": "4 + 5 = 5 + 4 = 9",
    },
    "risk/plain-median-rate": {
        "params": {"n": 11},
        "values": {},
        "exponent": -0.5,
        "why": "by the central limit theorem for medians",
    },
}
