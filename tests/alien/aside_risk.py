"""Alien claims, aside: risk measures, insurance, queues, auctions, options, inequality; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, tail


def cvar(x, w, level):
    """Conditional value at risk of the losses x with the weights w: the least t + E (X - t)_+ / (1 - level)."""
    excess = (x[:, None, :] - x[:, :, None]).clamp_min(0.0)
    return (x + (w[:, None, :] * excess).sum(-1) / (1.0 - level)).amin(-1)


def call(s, k, r, sigma, t):
    """The price of a European call after Black and Scholes."""
    spread = sigma * t.sqrt()
    d1 = ((s / k).log() + (r + sigma**2 / 2) * t) / spread
    return s * torch.special.ndtr(d1) - k * (-r * t).exp() * torch.special.ndtr(d1 - spread)


def put(s, k, r, sigma, t):
    """The price of a European put after Black and Scholes."""
    spread = sigma * t.sqrt()
    d1 = ((s / k).log() + (r + sigma**2 / 2) * t) / spread
    return k * (-r * t).exp() * torch.special.ndtr(spread - d1) - s * torch.special.ndtr(-d1)


def differences(x):
    """The sum of |x_i - x_j| over all pairs."""
    return (x[:, :, None] - x[:, None, :]).abs().sum((-1, -2))


@claim("risk/true-cvar-dual", always(), cite="Artzner, Delbaen, Eber and Heath 1999")
def cvar_dual(forall):
    """E_Q X <= CVaR(X) at the level 1/2 for every Q with dQ/dP <= 2."""
    w, q, x = forall.simplex("w", 3), forall.simplex("q", 3), forall.interval("x", -1.0, 1.0, 3)
    forall.assume((q <= 2.0 * w).all(-1))
    return (q * x).sum(-1), cvar(x, w, 0.5)


@claim("risk/subtle-entropic-hoeffding", always(), cite="Hoeffding 1963, with 8.1 for 8", expected="refuted")
def entropic_hoeffding_small(forall):
    """log E exp(h X) <= h E X + h^2 / 8.1 for X in [0, 1]."""
    law, h = forall.law("P", atoms=2), forall.interval("h", 0.01, 5.0)
    return law.expect(lambda x: (h[:, None] * x).exp()).log(), h * law.mean + h**2 / 8.1


@claim("risk/true-noise-increases-risk", always(), cite="Rothschild and Stiglitz 1970")
def noise_increases_risk(forall):
    """E (X - d)_+ <= E (X + s e - d)_+ for an independent fair sign e."""
    law, d, s = forall.law("P", atoms=3), forall.interval("d", 0.0, 1.0), forall.interval("s", 0.0, 1.0)
    up = law.expect(lambda x: (x + s[:, None] - d[:, None]).clamp_min(0.0))
    down = law.expect(lambda x: (x - s[:, None] - d[:, None]).clamp_min(0.0))
    return law.expect(lambda x: (x - d[:, None]).clamp_min(0.0)), (up + down) / 2.0


@claim(
    "risk/plain-averaging-pareto",
    tail(),
    cite="Chen, Embrechts and Wang 2024, for losses with a mean, at all levels",
    expected="refuted",
)
def averaging_pareto_finite(forall, draw):
    """P((X + Y) / 2 >= t) <= P(X >= t) for independent Pareto losses with finite variance."""
    a, t = forall.interval("a", 2.5, 5.0), forall.interval("t", 1.0, 20.0)
    x = draw.uniform("u", 2) ** (-1.0 / a[:, None])
    return x.mean(-1) >= t, t ** (-a)


@claim("risk/true-lindley", identity(), cite="Lindley 1952")
def lindley(forall):
    """Lindley's recursion is the largest of the last sums: W_n = max_k (S_n - S_k)."""
    x = forall.interval("x", -1.0, 1.0, 12)
    w = torch.zeros_like(x[:, 0])
    for step in range(12):
        w = (w + x[:, step]).clamp_min(0.0)
    return w, x.flip(-1).cumsum(-1).amax(-1).clamp_min(0.0)


@claim("risk/true-waiting-tail", tail(), cite="Kingman 1964")
def waiting_tail(forall, draw):
    """P(W_20 >= x) <= exp(-(mu - lambda) x) in M/M/1 from empty, mu = 1, lambda = 0.6."""
    x = forall.interval("x", 0.2, 4.0)
    unit = torch.distributions.Exponential(torch.tensor(1.0, dtype=torch.float64))
    steps = draw.sample("S", unit, 20) - draw.sample("A", unit, 20) / 0.6
    w = torch.zeros_like(steps[:, 0])
    for n in range(20):
        w = (w + steps[:, n]).clamp_min(0.0)
    return w >= x, (-0.4 * x).exp()


@claim("risk/true-virtual-surplus", expectation(range=(-1.0, 2.0), margin=0.02), cite="Myerson 1981")
def virtual_surplus(forall, draw):
    """The revenue of a second-price auction with reserve r has the mean of its virtual surplus, uniform values."""
    r = forall.interval("r", 0.0, 1.0)
    v = draw.uniform("v", 3).sort(-1).values
    revenue = torch.where(v[:, -1] >= r, torch.maximum(v[:, -2], r), 0.0)
    return revenue, torch.where(v[:, -1] >= r, 2.0 * v[:, -1] - 1.0, 0.0)


@claim(
    "risk/subtle-optimal-revenue",
    expectation(range=(-1.0, 1.0)),
    cite="Myerson 1981, with 0.41 for 5/12",
    expected="refuted",
)
def optimal_revenue(draw):
    """The optimal auction of two uniform values earns at most 0.41."""
    v = draw.uniform("v", 2)
    return torch.where(v.amax(-1) >= 0.5, v.amin(-1).clamp_min(0.5), 0.0), 0.41


@claim("risk/true-parity", identity(), cite="Stoll 1969")
def parity(forall):
    """C - P = S - K exp(-r T)."""
    s, k = forall.interval("S", 0.5, 2.0), forall.interval("K", 0.5, 2.0)
    r, sigma, t = forall.interval("r", -0.05, 0.1), forall.interval("sigma", 0.05, 1.0), forall.interval("T", 0.1, 2.0)
    return call(s, k, r, sigma, t) - put(s, k, r, sigma, t), s - k * (-r * t).exp()


@claim(
    "risk/subtle-at-the-money",
    always(),
    cite="Brenner and Subrahmanyam 1988, with 0.398 for 0.39894",
    expected="refuted",
)
def at_the_money_small(forall):
    """C <= 0.398 S sigma sqrt(T) at the forward."""
    s, v = forall.interval("S", 0.5, 2.0), forall.interval("v", 0.01, 2.0)
    return s * (torch.special.ndtr(v / 2.0) - torch.special.ndtr(-v / 2.0)), 0.398 * s * v


@claim("risk/true-gini-sorted", identity(), cite="Gini 1912")
def gini_sorted(forall):
    """sum_ij |x_i - x_j| = 2 sum_k (2 k - n - 1) x_(k)."""
    x = forall.interval("x", 0.0, 1.0, 7)
    weights = 2.0 * torch.arange(1, 8, dtype=torch.float64) - 8.0
    return differences(x), 2.0 * (weights * x.sort(-1).values).sum(-1)


@claim("risk/true-clayton", always(), cite="Nelsen 2006, Section 5.4")
def clayton(forall):
    """u v <= (u^-a + v^-a - 1)^(-1/a): the Clayton copula is positively dependent."""
    u, v, a = forall.interval("u", 0.05, 1.0), forall.interval("v", 0.05, 1.0), forall.interval("a", 0.1, 5.0)
    return u * v, (u ** (-a) + v ** (-a) - 1.0) ** (-1.0 / a)


@claim("risk/true-stop-loss-uniformly", high_probability("delta"), over=grid(n=[25], delta=[0.1]), cite="Massart 1990")
def stop_loss_uniformly(draw, within, *, n, delta):
    """sup_d (E_n (X - d)_+ - E (X - d)_+) <= sqrt(log(1/delta) / (2 n)) for uniform losses."""
    x, d = draw.uniform("x", n), within.interval("d", 0.0, 1.0)
    gap = (x - d[:, None]).clamp_min(0.0).mean(-1) - (1.0 - d) ** 2 / 2.0
    return gap, math.sqrt(math.log(1.0 / delta) / (2.0 * n))


@claim(
    "risk/plain-largest-claim",
    high_probability("delta"),
    over=grid(n=[10, 200], delta=[0.05]),
    cite="folklore, with a logarithm too many",
    expected="refuted",
)
def largest_claim_small(draw, *, n, delta):
    """The largest of n unit exponential claims is at most log n + log log(1 / delta)."""
    x = -draw.uniform("u", n).log()
    return x.amax(-1), math.log(n) + math.log(math.log(1.0 / delta))


PROOFS = {
    "risk/true-cvar-dual": ("E_Q X <= t + E_Q (X - t)_+ <= t + 2 E (X - t)_+ for every t."),
    "risk/true-noise-increases-risk": ("Jensen's inequality, given X."),
    "risk/true-lindley": ("Unfolding the recursion: W_n is the largest of 0 and the sums of the last k steps."),
    "risk/true-waiting-tail": (
        "W_20 is distributed as the maximum of partial sums, exp(theta S_n) is a martingale at theta = 0.4; Doob."
    ),
    "risk/true-virtual-surplus": ("Myerson's lemma: the virtual value of a uniform value v is 2 v - 1."),
    "risk/true-parity": ("Phi(d) + Phi(-d) = 1 for d_1 and d_2."),
    "risk/true-gini-sorted": ("x_(k) is the larger one of k - 1 pairs and the smaller one of n - k."),
    "risk/true-clayton": ("u^-a v^-a - u^-a - v^-a + 1 = (u^-a - 1) (v^-a - 1) >= 0."),
    "risk/true-stop-loss-uniformly": (
        "The gap is an integral of F - F_n over [d, 1], at most sup (F - F_n); Massart 1990."
    ),
}

WITNESSES = {
    "risk/subtle-entropic-hoeffding": {
        "params": {},
        "values": {"P atoms": [0.0, 1.0], "P weights": [0.5, 0.5], "h": 0.5},
        "why": "a fair coin: 0.28093 > 0.28086",
    },
    "risk/plain-averaging-pareto": {
        "params": {},
        "values": {"a": 2.5, "t": 1.1},
        "probability": 0.91892709692817588,
        "why": "close to its least value a mean is more probably larger than one loss",
    },
    "risk/subtle-optimal-revenue": {"params": {}, "values": {}, "mean": 1.0 / 150.0, "why": "5/12 > 0.41"},
    "risk/subtle-at-the-money": {
        "params": {},
        "values": {"S": 1.0, "v": 0.01},
        "why": "for small v the ratio tends to 0.39894",
    },
    "risk/plain-largest-claim": {
        "params": {"n": 10, "delta": 0.05},
        "values": {},
        "probability": 1.0 - (1.0 - 0.1 / math.log(20.0)) ** 10,
        "why": "about 0.288",
    },
}
