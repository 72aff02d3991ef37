"""Alien claims, aside: testing, survival, information, classics; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, identity, rate, tail, up_to_constant


@claim("inference/true-betting", identity(), cite="Waudby-Smith and Ramdas 2024")
def betting(forall):
    """A predictable bet has mean wealth one."""
    law = forall.law("P", atoms=2)
    x, chance = every.samples(law, 4)
    m = law.mean[:, None]
    wealth = torch.ones_like(chance)
    for i in range(4):
        bet = 0.5 if i == 0 else (x[:, :, :i].mean(-1) - m).clamp(-0.5, 0.5)
        wealth = wealth * (1 + bet * (x[:, :, i] - m))
    return (chance * wealth).sum(-1), 1.0


@claim(
    "inference/true-knockoff-plus",
    expectation(range=(-1.0, 1.0)),
    over=grid(m=[8], q=[0.3, 0.5]),
    cite="Barber and Candes 2015, Theorem 2",
)
def knockoff_plus(forall, draw, *, m, q):
    """FDR of the knockoff+ filter <= q: signs of nulls are fair coins, those of the others are +."""
    nonnull = forall.signs("nonnull", m)
    e = torch.where(nonnull > 0, torch.ones_like(nonnull), draw.signs("e", m))
    plus, minus = (e > 0).double().cumsum(-1), (e < 0).double().cumsum(-1)
    false = ((e > 0) & (nonnull < 0)).double().cumsum(-1)
    k = (((1 + minus) / plus.clamp_min(1.0) <= q) * torch.arange(1, m + 1)).amax(-1).long()
    fdp = torch.cat([torch.zeros_like(false[:, :1]), false / plus.clamp_min(1.0)], -1)
    return fdp.gather(-1, k[:, None])[:, 0], q


@claim("inference/true-beta-binomial", identity(), over=grid(n=[6]), cite="any textbook")
def beta_binomial(forall, *, n):
    """The product of the predictive probabilities is the evidence B(a + s, b + n - s) / B(a, b)."""
    x, a, b = forall.integers("x", 0, 1, n), forall.interval("a", 0.1, 5.0), forall.interval("b", 0.1, 5.0)
    s, prod = 0.0 * a, torch.ones_like(a)
    for i in range(n):
        prod = prod * torch.where(x[:, i] > 0, a + s, b + i - s) / (a + b + i)
        s = s + x[:, i]
    log = torch.lgamma(a + s) + torch.lgamma(b + n - s) - torch.lgamma(a + b + n)
    return prod, torch.exp(log - torch.lgamma(a) - torch.lgamma(b) + torch.lgamma(a + b))


@claim("inference/true-kaplan-meier", identity(), over=grid(n=[6]), cite="Kaplan and Meier 1958")
def kaplan_meier(forall, *, n):
    """Without censoring the Kaplan-Meier curve is the empirical survival function."""
    t, s = forall.interval("t", 0.0, 1.0, n), forall.interval("s", 0.0, 1.0)
    at_risk = torch.arange(n, 0, -1, dtype=torch.float64)
    died = (t.sort(-1).values <= s[:, None]).double()
    return (1 - died / at_risk).prod(-1), (t > s[:, None]).double().mean(-1)


@claim("inference/true-front-door", identity(), cite="Pearl 1995")
def front_door(forall):
    """P(y | do(x = 1)) by the front-door formula."""
    u1 = forall.interval("u", 0.0, 1.0)
    u = torch.stack([1 - u1, u1], -1)
    x1 = forall.interval("x", 0.05, 0.95, 2)
    px = torch.stack([1 - x1, x1], -1)  # u, x
    m1 = forall.interval("m", 0.05, 0.95, 2)
    pm = torch.stack([1 - m1, m1], -1)  # x, m
    y = forall.interval("y", 0.0, 1.0, 2, 2)  # m, u
    ux = u[:, :, None] * px
    x = ux.sum(1)
    y_mx = torch.einsum("bux,bmu->bmx", ux, y) / x[:, None, :]
    front = torch.einsum("bm,bmx,bx->b", pm[:, 1], y_mx, x)
    return front, torch.einsum("bu,bm,bmu->b", u, pm[:, 1], y)


@claim(
    "inference/plain-over-shrinking",
    expectation(range=(-5.0, math.inf)),
    expected="refuted",
    over=grid(d=[5]),
    cite="James and Stein 1961, three times the shrinkage",
)
def over_shrinking(forall, draw, *, d):
    """E |(1 - 3 (d - 2)/|x|^2) x - theta|^2 <= d."""
    theta = forall.ball("theta", d, radius=6.0)
    x = theta + draw.normal("z", d)
    js = (1 - 3 * (d - 2) / x.square().sum(-1, keepdim=True)) * x
    return (js - theta).square().sum(-1), float(d)


@claim(
    "inference/plain-knockoff",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(m=[8], q=[0.3]),
    cite="Barber and Candes 2015, without the +",
)
def knockoff(forall, draw, *, m, q):
    """FDR of the knockoff filter without the + is at most q."""
    nonnull = forall.signs("nonnull", m)
    e = torch.where(nonnull > 0, torch.ones_like(nonnull), draw.signs("e", m))
    plus, minus = (e > 0).double().cumsum(-1), (e < 0).double().cumsum(-1)
    false = ((e > 0) & (nonnull < 0)).double().cumsum(-1)
    k = ((minus / plus.clamp_min(1.0) <= q) * (plus > 0) * torch.arange(1, m + 1)).amax(-1).long()
    fdp = torch.cat([torch.zeros_like(false[:, :1]), false / plus.clamp_min(1.0)], -1)
    return fdp.gather(-1, k[:, None])[:, 0], q


@claim("inference/plain-confounded", identity(), expected="refuted", cite="Pearl 1995")
def confounded(forall):
    """P(y | x = 1) = P(y | do(x = 1))."""
    u1 = forall.interval("u", 0.0, 1.0)
    u = torch.stack([1 - u1, u1], -1)
    x1, y = forall.interval("x", 0.05, 0.95, 2), forall.interval("y", 0.0, 1.0, 2)
    return (u * x1 * y).sum(-1) / (u * x1).sum(-1), (u * y).sum(-1)


@claim(
    "inference/true-min-spacing",
    rate("n", -2.0, at="exactly"),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    cite="Pyke 1965",
)
def min_spacing(draw, *, n):
    """The least gap between n uniform points has mean 1 / (n^2 - 1)."""
    return draw.uniform("x", n).sort(-1).values.diff(dim=-1).amin(-1)


@claim("inference/true-dp-kl", always(), cite="Bun and Steinke 2016")
def dp_kl(forall):
    """KL(p, q) <= e tanh(e / 2) for e = max |log p/q|."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    ratio = (p / q).log()
    eps = ratio.abs().amax(-1)
    return (p * ratio).sum(-1), eps * torch.tanh(eps / 2)


def kl(p, q):
    return p * torch.log(p / q) + (1 - p) * torch.log((1 - p) / (1 - q))


@claim("inference/true-sdpi", always(), cite="Ahlswede and Gacs 1976")
def sdpi(forall):
    """KL through a binary symmetric channel contracts by (1 - 2 a)^2."""
    p, q, a = forall.interval("p", 0.01, 0.99), forall.interval("q", 0.01, 0.99), forall.interval("a", 0.0, 0.5)
    out = lambda r: a + (1 - 2 * a) * r  # noqa: E731
    return kl(out(p), out(q)), (1 - 2 * a) ** 2 * kl(p, q)


@claim("inference/true-log-sobolev", always(), cite="Gross 1975")
def log_sobolev(forall):
    """Ent(f^2) <= 1/2 sum_i E (f(x) - f(x with bit i flipped))^2 on {0, 1}^2."""
    f = forall.interval("f", -1.0, 1.0, 2, 2)
    s = f**2
    m = s.mean((-1, -2))
    ent = torch.xlogy(s, s).mean((-1, -2)) - torch.xlogy(m, m)
    return ent, (f.diff(dim=1).square().sum((-1, -2)) + f.diff(dim=2).square().sum((-1, -2))) / 4


@claim("inference/true-local-lemma", tail(), over=grid(n=[8]), cite="Erdos and Lovasz 1975")
def local_lemma(forall, draw, *, n):
    """P(two neighbours on a cycle are both on) <= 1 - (2/3)^n for p^2 <= 4/27."""
    x = draw.bernoulli("x", forall.interval("p", 0.0, math.sqrt(4 / 27)), n)
    return (x * x.roll(1, -1)).amax(-1) > 0, 1 - (2 / 3) ** n


@claim("inference/plain-renyi", always(), expected="refuted", cite="van Erven and Harremoes 2014, the other way round")
def plain_renyi(forall):
    """D_b(p, q) <= D_a(p, q) for 1 < a <= b."""
    p, q = forall.simplex("p", 4), forall.simplex("q", 4)
    a, more = forall.interval("a", 1.01, 3.0), forall.interval("more", 0.0, 3.0)

    def d(order):
        return (p ** order[:, None] * q ** (1 - order[:, None])).sum(-1).log() / (order - 1)

    return d(a + more), d(a)


@claim(
    "inference/subtle-log-kernel",
    up_to_constant("n"),
    expected="refuted",
    over=grid(n=[4, 16, 64, 256, 1024]),
    cite="Hilbert's inequality, for another kernel",
)
def log_kernel(forall, *, n):
    """sum a_i b_j / sqrt(i j) <= C |a| |b|."""
    a, b = forall.sphere("a", n), forall.sphere("b", n)
    root = torch.arange(1, n + 1, dtype=torch.float64).sqrt()
    return (a / root).sum(-1) * (b / root).sum(-1), a.norm(dim=-1) * b.norm(dim=-1)


PROOFS = {
    "inference/true-betting": "E(1 + l_i (X_i - m) | past) = 1; tower rule.",
    "inference/true-knockoff-plus": ("Barber and Candes 2015, Theorem 2 (supermartingale V+/(1+V-))."),
    "inference/true-beta-binomial": "Chain rule of probability and Gamma(z + 1) = z Gamma(z).",
    "inference/true-kaplan-meier": "prod_{i<k} (n-i-1)/(n-i) telescopes to (n-k)/n.",
    "inference/true-front-door": "Pearl 1995.",
    "inference/true-min-spacing": ("P(all n-1 inner gaps > t) = (1 - (n-1) t)^n, so the mean is 1/((n-1)(n+1))."),
    "inference/true-dp-kl": (
        "Bun and Steinke/Dong, Durfee, Rogers: the worst eps-DP pair is randomised response (log p/q is a "
        "mean-one likelihood ratio in [e^-eps, e^eps], u log u convex), with KL = eps tanh(eps/2)."
    ),
    "inference/true-sdpi": "Ahlswede and Gacs 1976: eta_KL(BSC(a)) = (1 - 2a)^2.",
    "inference/true-log-sobolev": "Gross 1975.",
    "inference/true-local-lemma": "Lovasz local lemma with x_i = 1/3 and two neighbours.",
}

WITNESSES = {
    "inference/plain-over-shrinking": {
        "params": {"d": 5},
        "values": {"theta": [0.0] * 5},
        "mean": 9.0,
        "why": "the risk is d + 3 (d - 2)^2 E 1 / chi2_5 = 5 + 27/3 = 14.",
    },
    "inference/plain-knockoff": {
        "params": {"m": 8, "q": 0.3},
        "values": {"nonnull": [-1.0] * 8},
        "mean": 0.23125,
        "why": "all null: e_1 = + gives FDP 1, so FDR >= 1/2.",
    },
    "inference/plain-confounded": {
        "params": {},
        "values": {"u": 0.5, "x": [0.25, 0.75], "y": [0.0, 1.0]},
        "why": "3/4 against 1/2.",
    },
    "inference/plain-renyi": {
        "params": {},
        "values": {"p": [0.4, 0.3, 0.2, 0.1], "q": [0.25] * 4, "a": 2.0, "more": 1.0},
        "why": "the divergence of order 3 exceeds that of order 2.",
    },
    "inference/subtle-log-kernel": {
        "params": [{"n": 4**k} for k in range(1, 6)],
        "values": [
            {"a": a, "b": a}
            for a in (
                [(i * sum(1 / j for j in range(1, 4**k + 1))) ** -0.5 for i in range(1, 4**k + 1)] for k in range(1, 6)
            )
        ],
        "why": "a = b = i^(-1/2) normed: the ratio is H_n.",
    },
}
