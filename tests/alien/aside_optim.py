"""Alien claims, aside: optimisation, experts and bandits, privacy, stability, conformal prediction; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    grid,
    identity,
    rate,
    reproduction,
    tail,
    up_to_constant,
)


def secretary(x, r):
    """Whether the first after r observations that beats them all is the largest of all."""
    bar = x[..., :r].amax(-1, keepdim=True)
    later = x[..., r:]
    first = (later > bar).double().argmax(-1, keepdim=True)
    chosen = later.gather(-1, first)[..., 0]
    return (chosen > bar[..., 0]) & (chosen == x.amax(-1))


@claim("optim/true-chebyshev-steps", always(), over=grid(n=[2, 5]), cite="Young 1953; Nemirovski 1995, section 10")
def true_chebyshev_steps(forall, *, n):
    """|x_n| <= |x_0| / T_n((L + m) / (L - m)) for gradient descent with Chebyshev steps on quadratics, m = 0.1, L = 1."""  # noqa: E501
    m, big = 0.1, 1.0
    lam, x0 = forall.interval("lam", m, big, 3), forall.sphere("x0", 3)
    x = x0
    for k in range(1, n + 1):
        root = (big + m) / 2 + (big - m) / 2 * math.cos((2 * k - 1) * math.pi / (2 * n))
        x = x - lam * x / root
    return x.norm(dim=-1), x0.norm(dim=-1) / math.cosh(n * math.acosh((big + m) / (big - m)))


@claim("optim/true-kaczmarz", expectation(range=(-1.0, 1.0)), cite="Strohmer and Vershynin 2009, Theorem 2")
def true_kaczmarz(forall, draw):
    """E |e_1|^2 <= (1 - s_min(A)^2 / |A|_F^2) |e_0|^2 when row i is projected on with probability |a_i|^2 / |A|_F^2."""
    a = forall.sphere("A", 6).reshape(-1, 3, 2)
    e = forall.ball("e", 2)
    i = draw.categorical("i", a.square().sum(-1)).long()
    row = a[0, i]
    after = e - (row * e).sum(-1, keepdim=True) / row.square().sum(-1, keepdim=True) * row
    smallest = torch.linalg.svdvals(a)[:, -1]
    return after.square().sum(-1), (1 - smallest**2) * e.square().sum(-1)


@claim("optim/true-response-renyi", always(), cite="Bun and Steinke 2016, Proposition 3.3")
def true_response_renyi(forall):
    """D_a(P, P') <= a eps^2 / 2 for randomised response, P = Bernoulli(e^eps / (1 + e^eps)), P' its mirror."""
    a, eps = forall.interval("a", 1.01, 30.0), forall.interval("eps", 0.0, 4.0)
    p = torch.exp(eps) / (1 + torch.exp(eps))
    moment = p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)
    return torch.log(moment) / (a - 1), a * eps**2 / 2


@claim("optim/true-stability-identity", identity(), cite="Bousquet and Elisseeff 2002, Lemma 7; squared loss")
def true_stability_identity(forall):
    """E (risk - empirical risk) of the mean of three draws under squared loss is 2 Var / 3."""
    law = forall.law("P", atoms=2)
    z, chance = every.samples(law, 3)
    w = z.mean(-1)
    risk = (w - law.mean[:, None]) ** 2 + law.variance[:, None]
    gap = risk - (z - w[..., None]).square().mean(-1)
    return (chance * gap).sum(-1), 2 * law.variance / 3


@claim("optim/true-best-arm", tail(), over=grid(m=[8]), cite="Hoeffding 1963, Theorem 2, for 2 m independent rewards")
def true_best_arm(forall, draw, *, m):
    """P(the worse of two arms looks at least as good after m pulls of each) <= exp(-m gap^2), rewards in {0, 1}."""
    p = forall.interval("p", 0.0, 1.0)
    q = p * forall.interval("u", 0.0, 1.0)
    better, worse = draw.bernoulli("x", p, m), draw.bernoulli("y", q, m)
    return worse.mean(-1) >= better.mean(-1), (-m * (p - q) ** 2).exp()


@claim("optim/true-secretary-table", reproduction(tolerance=0.01), cite="Gilbert and Mosteller 1966, Table 2")
def true_secretary_table(draw):
    """Probability of choosing the best: 0.3987 for n = 10 (3 are let pass), 0.3710 for n = 100 (37)."""
    rows = []
    for n, r, printed in [(10, 3, 0.3987), (100, 37, 0.3710)]:
        won = secretary(draw.uniform(f"x{n}", 100, n), r)
        rows.append(Row(f"n = {n}", Estimate.mean(won.double().mean(-1)), printed=printed))
    return rows


@claim(
    "optim/subtle-secretary-rounding",
    always(),
    expected="refuted",
    cite="Gilbert and Mosteller 1966: the best r is n / e, rounded to the nearest integer",
)
def subtle_secretary_rounding(forall):
    """P(best chosen after letting r pass) is largest at r = round(n / e), 20 <= n <= 100."""
    n, r = forall.integers("n", 20, 100), forall.integers("r", 1, 99)
    forall.assume(r < n)

    def success(k):
        return k / n * (torch.digamma(n.double()) - torch.digamma(k.double()))

    return success(r), success(torch.round(n / math.e))


@claim(
    "optim/plain-last-iterate",
    rate("n", -1.0),
    over=grid(n=[16, 32, 64, 128, 256, 512, 1024]),
    expected="refuted",
    cite="Polyak and Juditsky 1992, without the averaging",
)
def plain_last_iterate(draw, *, n):
    """E x_n^2 is of order 1/n for x <- x - (x - z_t) / (2 sqrt(t)) from x = 1, z_t standard normal."""
    z = draw.normal("z", n)
    x = torch.ones_like(z[:, 0])
    for t in range(1, n + 1):
        x = x - (x - z[:, t - 1]) / (2 * math.sqrt(t))
    return x**2


@claim(
    "optim/plain-pure-composition",
    always(),
    over=grid(k=[4]),
    expected="refuted",
    cite="Dwork, Rothblum, Vadhan 2010: the root of k without the failure probability",
)
def plain_pure_composition(forall, *, k):
    """k randomised responses of parameter eps are together sqrt(k) eps-private."""
    eps, answers = forall.interval("eps", 0.0, 2.0), forall.signs("answers", k)
    truth = torch.exp(eps) / (1 + torch.exp(eps))
    first = torch.where(answers > 0, truth[:, None], 1 - truth[:, None]).prod(-1)
    second = torch.where(answers > 0, 1 - truth[:, None], truth[:, None]).prod(-1)
    return first / second, torch.exp(math.sqrt(k) * eps)


@claim(
    "optim/plain-adagrad-logarithm",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
    expected="refuted",
    cite="Hazan, Agarwal, Kale 2007, Lemma 11, the logarithm forgotten",
)
def plain_adagrad_logarithm(forall, *, n):
    """sum_t a_t / (a_1 + ... + a_t) <= C."""
    a = forall.interval("a", 0.5, 1.0, n)
    return (a / a.cumsum(-1)).sum(-1), torch.ones_like(a[:, 0])


PROOFS = {
    "optim/true-chebyshev-steps": (
        "prod_k (1 - lambda / r_k) = T_n(t) / T_n(t_0) with t = (L + m - 2 lambda) / (L - m) in [-1, 1], so each "
        "coordinate shrinks by at least 1 / T_n(t_0) = 1 / cosh(n arcosh t_0)."
    ),
    "optim/true-kaczmarz": (
        "E |e_1|^2 = |e|^2 - sum_i |a_i|^2 <a_i, e>^2 / |a_i|^2 = |e|^2 - |A e|^2 <= (1 - s_min^2) |e|^2, |A|_F = 1; "
        "rows that are 0 have probability 0."
    ),
    "optim/true-response-renyi": (
        "Bun and Steinke 2016, Prop. 3.3: eps-DP implies (eps^2/2)-zCDP; eps = 0 gives 0 <= 0."
    ),
    "optim/true-stability-identity": (
        "E risk = Var + Var/n, E empirical risk = Var (n - 1)/n; the difference is 2 Var / n."
    ),
    "optim/true-best-arm": (
        "Hoeffding: worse - better is a mean of 2 m independent variables of ranges 1/m with mean -gap: exp(-2 gap^2 "
        "/ (2 m / m^2)) = exp(-m gap^2); gap = 0 gives 1."
    ),
    "optim/true-secretary-table": "r/n sum_(i=r)^(n-1) 1/i = 0.39869 (n = 10, r = 3) and 0.37104 (n = 100, r = 37).",
}

WITNESSES = {
    "optim/subtle-secretary-rounding": {
        "params": {},
        "values": {"n": 26.0, "r": 9.0},
        "why": "n = 26, r = 9: 9/26 (H_25 - H_8) exceeds 10/26 (H_25 - H_9) by 0.13 % (round(26/e) = 10).",
    },
    "optim/plain-last-iterate": {
        "params": {"n": 1024},
        "values": {},
        "exponent": -0.5,
        "why": "exact recursion v <- (1 - a)^2 v + a^2, a = 1 / (2 sqrt t): E x_n^2 ~ 1 / (4 sqrt n).",
    },
    "optim/plain-pure-composition": {
        "params": {"k": 4},
        "values": {"eps": 1.0, "answers": [1.0, 1.0, 1.0, 1.0]},
        "why": "eps = 1, answers all +1, k = 4: e^4 > e^2.",
    },
    "optim/plain-adagrad-logarithm": {
        "params": [{"n": n} for n in (4, 8, 16, 32, 64, 128, 256)],
        "values": [{"a": [0.5] + [1.0] * (n - 1)} for n in (4, 8, 16, 32, 64, 128, 256)],
        "why": "a = (1/2, 1, 1, ...): the sum is 1 + sum 1/(j + 1/2), which grows like log n.",
    },
}
