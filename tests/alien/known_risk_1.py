"""Alien claims, known: risk measures, insurance, queues, auctions, options, inequality; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, identity, tail


def cvar(x, w, level):
    """Conditional value at risk of the losses x with the weights w: the least t + E (X - t)_+ / (1 - level)."""
    excess = (x[:, None, :] - x[:, :, None]).clamp_min(0.0)
    return (x + (w[:, None, :] * excess).sum(-1) / (1.0 - level)).amin(-1)


def var(x, w, level):
    """Value at risk: the smallest loss x_i with P(X <= x_i) >= level."""
    below = (w[:, None, :] * (x[:, None, :] <= x[:, :, None])).sum(-1)
    return torch.where(below >= level, x, math.inf).amin(-1)


@claim("risk/true-cvar-subadditive", always(), cite="Rockafellar and Uryasev 2002")
def cvar_subadditive(forall):
    """CVaR(X + Y) <= CVaR(X) + CVaR(Y) at the level 0.9 on four states."""
    w, x, y = forall.simplex("w", 4), forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    return cvar(x + y, w, 0.9), cvar(x, w, 0.9) + cvar(y, w, 0.9)


@claim(
    "risk/plain-var-subadditive",
    always(),
    cite="Artzner, Delbaen, Eber and Heath 1999, for the quantile",
    expected="refuted",
)
def var_subadditive(forall):
    """VaR(X + Y) <= VaR(X) + VaR(Y) at the level 0.9 on four states."""
    w, x, y = forall.simplex("w", 4), forall.interval("x", 0.0, 1.0, 4), forall.interval("y", 0.0, 1.0, 4)
    return var(x + y, w, 0.9), var(x, w, 0.9) + var(y, w, 0.9)


@claim("risk/true-cvar-mean-deviation", always(), cite="Chen, He and Zhang 2011")
def cvar_mean_deviation(forall):
    """CVaR <= E X + sqrt(a / (1 - a)) sd X, a = 0.9."""
    w, x = forall.simplex("w", 3), forall.interval("x", 0.0, 1.0, 3)
    mean = (w * x).sum(-1)
    return cvar(x, w, 0.9), mean + 3.0 * (w * (x - mean[:, None]) ** 2).sum(-1).sqrt()


@claim("risk/subtle-cvar-mean-deviation", always(), cite="Chen, He and Zhang 2011, with 2.95 for 3", expected="refuted")
def cvar_mean_deviation_small(forall):
    """CVaR <= E X + 2.95 sd X at the level 0.9."""
    w, x = forall.simplex("w", 3), forall.interval("x", 0.0, 1.0, 3)
    mean = (w * x).sum(-1)
    return cvar(x, w, 0.9), mean + 2.95 * (w * (x - mean[:, None]) ** 2).sum(-1).sqrt()


@claim("risk/true-entropic-independent", identity(), cite="Foellmer and Schied 2016, Section 4.9")
def entropic_independent(forall):
    """The entropic risk of a sum of two independent losses is the sum of their entropic risks."""
    v, w = forall.simplex("v", 3), forall.simplex("w", 3)
    x, y, h = forall.interval("x", -1.0, 1.0, 3), forall.interval("y", -1.0, 1.0, 3), forall.interval("h", 0.1, 3.0)
    joint = v[:, :, None] * w[:, None, :] * (h[:, None, None] * (x[:, :, None] + y[:, None, :])).exp()
    one = (v * (h[:, None] * x).exp()).sum(-1).log() / h
    return joint.sum((-1, -2)).log() / h, one + (w * (h[:, None] * y).exp()).sum(-1).log() / h


@claim(
    "risk/plain-entropic-homogeneous", identity(), cite="Foellmer and Schied 2016, as if coherent", expected="refuted"
)
def entropic_homogeneous(forall):
    """log E exp(2 X) = 2 log E exp(X)."""
    w, x = forall.simplex("w", 3), forall.interval("x", -1.0, 1.0, 3)
    return (w * (2.0 * x).exp()).sum(-1).log(), 2.0 * (w * x.exp()).sum(-1).log()


@claim("risk/true-proportional-hazard", always(), cite="Wang 1995")
def proportional_hazard(forall):
    """E X <= the integral of P(X > x)^rho for 0 < rho <= 1 and X >= 0: the premium loads the risk."""
    w, x, rho = forall.simplex("w", 4), forall.interval("x", 0.0, 1.0, 4), forall.interval("rho", 0.2, 1.0)
    order = x.argsort(-1)
    values, weights = x.gather(-1, order), w.gather(-1, order)
    survival = weights.flip(-1).cumsum(-1).flip(-1)
    gaps = torch.diff(values, dim=-1, prepend=torch.zeros_like(values[:, :1]))
    return (w * x).sum(-1), (gaps * survival ** rho[:, None]).sum(-1)


@claim("risk/true-lundberg", tail(), over=grid(u=[1, 3]), cite="Lundberg 1926; Feller 1968, XIV.2")
def lundberg(forall, draw, *, u):
    """P(ruin within 40 steps from the capital u) <= (p / q)^u for unit steps, down with p < 1/2."""
    p = forall.interval("p", 0.05, 0.45)
    losses = 2.0 * draw.bernoulli("loss", p, 40) - 1.0
    return losses.cumsum(-1).amax(-1) >= u, (p / (1.0 - p)) ** u


@claim(
    "risk/subtle-poisson-mode",
    always(),
    cite="Panjer and Willmot 1992, with a bound that is too small",
    expected="refuted",
)
def poisson_mode(forall):
    """P(N = k) <= 0.17 for the number N of claims, Poisson with mean 5.3."""
    k = forall.integers("k", 0, 60)
    return (k * math.log(5.3) - 5.3 - torch.lgamma(k + 1.0)).exp(), 0.17


@claim("risk/true-averaging-pareto", tail(), cite="Chen, Embrechts and Wang 2024")
def averaging_pareto(forall, draw):
    """P((X + Y) / 2 <= t) <= P(X <= t) for independent Pareto losses without mean."""
    a, t = forall.interval("a", 0.3, 1.0), forall.interval("t", 1.0, 20.0)
    x = draw.uniform("u", 2) ** (-1.0 / a[:, None])
    return x.mean(-1) <= t, 1.0 - t ** (-a)


@claim("risk/subtle-kingman", always(), cite="Kingman 1962, with the factor 0.99", expected="refuted")
def kingman_factor(forall):
    """The mean wait in M/M/1 is at most 0.99 lambda (var A + var S) / (2 (1 - rho))."""
    lam, mu = forall.interval("lam", 0.1, 0.995), 1.0
    bound = lam * (1.0 / lam**2 + 1.0 / mu**2) / (2.0 * (1.0 - lam / mu))
    return lam / (mu * (mu - lam)), 0.99 * bound


@claim("risk/true-little", identity(), cite="Little 1961")
def little(forall):
    """Over a period that starts and ends empty, the integral of the number in system is the sum of the sojourns."""
    arrival, service = forall.interval("a", 0.0, 1.0, 5), forall.interval("s", 0.0, 1.0, 5)
    times = torch.cat([arrival, arrival + service], dim=-1)
    steps = torch.cat([torch.ones_like(arrival), -torch.ones_like(arrival)], dim=-1)
    order = times.argsort(-1)
    number = steps.gather(-1, order).cumsum(-1)
    return (number[:, :-1] * times.gather(-1, order).diff(dim=-1)).sum(-1), service.sum(-1)


@claim("risk/true-erlang-loss", identity(), cite="Erlang 1917")
def erlang_loss(forall):
    """Erlang's recursion B <- a B / (n + a B) gives (a^n / n!) / sum_k a^k / k!, here n = 8."""
    a = forall.interval("a", 0.1, 20.0)
    b = torch.ones_like(a)
    for n in range(1, 9):
        b = a * b / (n + a * b)
    return b, (a**8 / math.factorial(8)) / sum(a**k / math.factorial(k) for k in range(9))


@claim(
    "risk/plain-waiting-mean",
    expectation(range=(-0.5, math.inf)),
    cite="Asmussen 2003, III.9, with half of the mean",
    expected="refuted",
)
def waiting_mean(draw):
    """E W_60 <= 1/2 in M/M/1 from empty, mu = 1, lambda = 1/2."""
    unit = torch.distributions.Exponential(torch.tensor(1.0, dtype=torch.float64))
    steps = draw.sample("S", unit, 60) - 2.0 * draw.sample("A", unit, 60)
    w = torch.zeros_like(steps[:, 0])
    for n in range(60):
        w = (w + steps[:, n]).clamp_min(0.0)
    return w, 0.5


@claim("risk/true-second-price", always(), cite="Vickrey 1961")
def second_price(forall):
    """In a second-price auction no bid b gains more than the true value v."""
    v, b, others = forall.interval("v", 0.0, 1.0), forall.interval("b", 0.0, 1.0), forall.interval("o", 0.0, 1.0, 4)
    price = others.amax(-1)
    return torch.where(b > price, v - price, 0.0), torch.where(v > price, v - price, 0.0)


@claim(
    "risk/true-revenue-equivalence",
    expectation(range=(-1.0, 1.0), margin=0.01),
    over=grid(n=[2, 5]),
    cite="Vickrey 1961; Myerson 1981",
)
def revenue_equivalence(draw, *, n):
    """The second highest of n uniform values has the mean of (n - 1) / n times the highest."""
    v = draw.uniform("v", n).sort(-1).values
    return v[:, -2], (n - 1) / n * v[:, -1]


PROOFS = {
    "risk/true-cvar-subadditive": (
        "t = t_X + t_Y is admissible in the minimum for X + Y, and (X + Y - t)_+ <= (X - t_X)_+ + (Y - t_Y)_+."
    ),
    "risk/true-cvar-mean-deviation": (
        "With Q the worst density, 0 <= q <= 10, E q (X - E X) <= sd X sd q, and Var q <= 10 - 1 = 9."
    ),
    "risk/true-entropic-independent": ("The joint moment generating function is the product."),
    "risk/true-proportional-hazard": ("S <= S^rho for S in [0, 1], integrated over x."),
    "risk/true-lundberg": ("The gambler is ever ruined with the probability (p / q)^u."),
    "risk/true-averaging-pareto": (
        "Chen, Embrechts and Wang 2024: the average of Pareto losses without mean is stochastically larger."
    ),
    "risk/true-little": ("Both sides are the sum of the indicators of presence, integrated over time."),
    "risk/true-erlang-loss": ("1 / B_n = 1 + (n / a) / B_(n-1), as for the quotient of the terms."),
    "risk/true-second-price": ("The gain is v - price or 0, and truth takes the larger of the two."),
    "risk/true-revenue-equivalence": ("The means are (n - 1) / (n + 1) and n / (n + 1)."),
}

WITNESSES = {
    "risk/plain-var-subadditive": {
        "params": {},
        "values": {"w": [0.8, 0.08, 0.08, 0.04], "x": [0.0, 0.0, 0.0, 1.0], "y": [0.0, 0.0, 1.0, 0.0]},
        "why": "1 against 0 + 0",
    },
    "risk/subtle-cvar-mean-deviation": {
        "params": {},
        "values": {"w": [0.8, 0.1, 0.1], "x": [0.0, 1.0, 0.0]},
        "why": "1 > 0.1 + 2.95 * 0.3",
    },
    "risk/plain-entropic-homogeneous": {
        "params": {},
        "values": {"w": [0.5, 0.5, 0.0], "x": [1.0, -1.0, 0.0]},
        "why": "log cosh 2 against 2 log cosh 1",
    },
    "risk/subtle-poisson-mode": {"params": {}, "values": {"k": 5}, "why": "0.17396 at the mode alone"},
    "risk/subtle-kingman": {
        "params": {},
        "values": {"lam": 0.995},
        "why": "199 > 198.0025: in heavy traffic the bound is attained",
    },
    "risk/plain-waiting-mean": {
        "params": {},
        "values": {},
        "mean": 0.4999650105436435,
        "why": "the mean in the limit is 1",
    },
}
