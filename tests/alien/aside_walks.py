"""Alien claims, aside: walks and martingales, discrete structures, Markov chains, time series; see README.md."""

import math

import torch

from harness import always, claim, every, grid, high_probability, identity


def step_matrix(p, size):
    q = torch.zeros(p.shape[0], size - 1, size - 1, dtype=p.dtype)
    for i in range(size - 1):
        if i + 1 < size - 1:
            q[:, i, i + 1] = p
        if i > 0:
            q[:, i, i - 1] = 1 - p
    return q


@claim("walks/true-ruin", identity(), over=grid(size=[6]), cite="Feller 1968, XIV.2")
def true_ruin(forall, *, size):
    """P(hit N before 0 from 2) = (1 + r) / (1 + r + ... + r^(N-1)) with r = (1-p)/p."""
    p = forall.interval("p", 0.1, 0.9)
    q = step_matrix(p, size)
    end = torch.zeros(p.shape[0], size - 1, dtype=p.dtype)
    end[:, -1] = p
    h = torch.linalg.solve(torch.eye(size - 1, dtype=p.dtype) - q, end)
    r = (1 - p) / p
    return h[:, 1], (1 + r) / sum(r**k for k in range(size))


@claim(
    "walks/true-azuma-adaptive",
    high_probability("delta"),
    over=grid(n=[4], delta=[0.1, 0.3]),
    cite="Azuma 1967; Hoeffding 1963",
)
def true_azuma_adaptive(forall, draw, *, n, delta):
    """sum c_t e_t <= sqrt(2 n log(1/delta)) for c_t in [-1, 1] chosen from the past."""
    bets, e, total = forall.strategy("c", n, 2, low=-1.0), draw.signs("e", n), 0.0
    for t in range(n):
        total = total + bets.move() * e[:, t]
        bets.answer(e[:, t] > 0)
    return total, math.sqrt(2 * n * math.log(1 / delta))


@claim(
    "walks/subtle-self-normalised",
    high_probability("delta"),
    over=grid(n=[7], delta=[0.3]),
    expected="refuted",
    cite="Azuma 1967, with the sum of the squares played for its bound",
)
def subtle_self_normalised(forall, draw, *, n, delta):
    """sum c_t e_t <= sqrt(2 sum c_t^2 log(1/delta)) for c_t in [0, 1] chosen from the past."""
    bets, e, total, square = forall.strategy("c", n, 2), draw.signs("e", n), 0.0, 0.0
    for t in range(n):
        c = bets.move()
        total, square = total + c * e[:, t], square + c**2
        bets.answer(e[:, t] > 0)
    return total, (2 * square * math.log(1 / delta)).sqrt()


@claim("walks/true-caro-wei", always(), over=grid(n=[5]), cite="Caro 1979; Wei 1981")
def true_caro_wei(forall, *, n):
    """sum 1/(1 + d_v) <= independence number."""
    g = forall.graph("G", n)
    sets = every.vectors(2, n, like=g)
    edges = torch.einsum("si,bij,sj->bs", sets, g, sets)
    alpha = torch.where(edges == 0, sets.sum(-1)[None], 0.0).amax(-1)
    return (1 / (1 + g.sum(-1))).sum(-1), alpha


@claim("walks/true-shannon-code", always(), cite="Cover and Thomas 2006, section 5.4")
def true_shannon_code(forall):
    """sum p ceil(log2 1/p) <= H(p) + 1."""
    p = forall.simplex("p", 4)
    bits = -torch.log2(p.clamp_min(1e-300))
    return (p * bits.ceil()).sum(-1), (p * bits).sum(-1) + 1


@claim(
    "walks/plain-rounded-code",
    always(),
    expected="refuted",
    cite="Cover and Thomas 2006, section 5.4, rounded to the nearest and not up",
)
def plain_rounded_code(forall):
    """sum 2^-round(log2 1/p) <= 1."""
    p = forall.simplex("p", 3)
    bits = -torch.log2(p.clamp_min(1e-300))
    return (2.0 ** -bits.round()).sum(-1), 1.0


def inversions(p):
    return torch.triu((p[:, :, None] > p[:, None, :]).double(), 1).sum((-1, -2))


@claim("walks/true-footrule", always(), over=grid(n=[8]), cite="Diaconis and Graham 1977")
def true_footrule(forall, *, n):
    """The footrule is at most twice the number of inversions."""
    p = forall.permutation("p", n)
    return (p - torch.arange(n)).abs().sum(-1).double(), 2 * inversions(p)


@claim(
    "walks/subtle-footrule-sum",
    always(),
    over=grid(n=[8]),
    expected="refuted",
    cite="Diaconis and Graham 1977, with an additive for a multiplicative bound",
)
def subtle_footrule_sum(forall, *, n):
    """The footrule is at most the number of inversions plus n - 3."""
    p = forall.permutation("p", n)
    return (p - torch.arange(n)).abs().sum(-1).double(), inversions(p) + (n - 3)


def kaplan_meier(t, s):
    days = torch.arange(1, 6, dtype=torch.float64)
    dead = (t[:, :, None] == days).double().sum(1)
    risk = (t[:, :, None] >= days).double().sum(1)
    hazard = dead / risk.clamp_min(1.0)
    return torch.where(days <= s[:, None], hazard, 0.0)


@claim("walks/true-kaplan-meier", identity(), cite="Kaplan and Meier 1958")
def true_kaplan_meier(forall):
    """Without censoring the Kaplan-Meier curve is the empirical survival."""
    t, s = forall.integers("t", 1, 5, 7), forall.integers("s", 0, 5)
    return (1 - kaplan_meier(t, s)).prod(-1), (t > s[:, None]).double().mean(-1)


@claim(
    "walks/subtle-ma-toeplitz",
    always(),
    over=grid(n=[6]),
    expected="refuted",
    cite="Brockwell and Davis 1991, moving average of order one, with 0.56 for 1/2",
)
def subtle_ma_toeplitz(forall, *, n):
    """The matrix with 1 on the diagonal and rho beside it is PSD for |rho| <= 0.56."""
    rho = forall.interval("rho", -0.56, 0.56)
    k = torch.arange(n)
    d = (k[:, None] - k).abs()
    m = (d == 0).double() + rho[:, None, None] * (d == 1).double()
    return -torch.linalg.eigvalsh(m)[:, 0], 0.0


@claim("walks/true-lag-one", always(), over=grid(n=[5]), cite="Anderson 1971 (the largest first serial correlation)")
def true_lag_one(forall, *, n):
    """|sum x_i x_{i+1}| <= cos(pi/(n+1)) sum x_i^2."""
    x = forall.ball("x", n)
    return (x[:, 1:] * x[:, :-1]).sum(-1).abs(), math.cos(math.pi / (n + 1)) * x.square().sum(-1)


def restart():
    """Bets by history (1 for a win): raised fivefold at every loss, 0 after three wins in a row."""
    histories = [format(2**level + place, "b")[1:] for level in range(7) for place in range(2**level)]
    return [0.0 if "111" in past else 5.0 ** (past.count("0") - 7) for past in histories]


PROOFS = {
    "walks/true-ruin": (
        "The linear system is that of the hitting probability h_i = (1 - r^i) / (1 - r^N), r != 1 or its limit i / N;"
        " h_2 divided by 1 - r."
    ),
    "walks/true-azuma-adaptive": (
        "Hoeffding and Azuma: E exp(s sum c_t e_t) <= exp(n s^2 / 2) for predictable |c_t| <= 1; Markov's inequality "
        "at the best s."
    ),
    "walks/true-caro-wei": (
        "In a random order the vertices that precede all their neighbours are independent, and there are sum 1 / (1 +"
        " d_v) of them on average."
    ),
    "walks/true-shannon-code": "p ceil(b) <= p (b + 1) for every outcome; sum.",
    "walks/true-footrule": (
        "Diaconis and Graham 1977: I + T <= D <= 2 I; all orders of eight are enumerated in evidence/walks.py."
    ),
    "walks/true-kaplan-meier": (
        "Without censoring 1 - hazard of day k is the share of those at risk on day k that survive it; the product "
        "telescopes (and stays 0 once nobody is left)."
    ),
    "walks/true-lag-one": (
        "The matrix with 1/2 beside the diagonal has the eigenvalues cos(k pi / (n + 1)), k = 1 ... n."
    ),
}

WITNESSES = {
    "walks/subtle-self-normalised": {
        "params": {"n": 7, "delta": 0.3},
        "values": {"c": restart()},
        "probability": 47 / 128,
        "why": "bets raised fivefold at every loss, stopped after three wins in a row: 47 of 128 orders exceed.",
    },
    "walks/plain-rounded-code": {
        "params": {},
        "values": {"p": [0.36, 0.36, 0.28]},
        "why": "p = (.36, .36, .28): lengths 1, 1, 2, Kraft sum 5/4 > 1.",
    },
    "walks/subtle-footrule-sum": {
        "params": {"n": 8},
        "values": {"p": [0.125, 0.25, 0.375, 0.0, 0.625, 0.75, 0.875, 0.5]},
        "why": "the order 3 0 1 2 7 4 5 6: footrule 12 > 6 inversions + 5.",
    },
    "walks/subtle-ma-toeplitz": {
        "params": {"n": 6},
        "values": {"rho": 0.56},
        "why": "rho = 0.56, n = 6: the least eigenvalue is 1 - 1.12 cos(pi/7) = -0.0090851.",
    },
}
