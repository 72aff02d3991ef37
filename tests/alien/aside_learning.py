"""Alien claims, aside: learning theory, online learning and convex optimisation; see README.md.

Hold-out: whoever tunes the judge does not read on.
"""

import itertools
import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


def sign_cube(n):
    return torch.tensor(list(itertools.product([-1.0, 1.0], repeat=n)), dtype=torch.float64)


def binary_kl(a, b):
    return torch.xlogy(a, a / b) + torch.xlogy(1 - a, (1 - a) / (1 - b))


def soft(x, tau):
    return x.sign() * torch.relu(x.abs() - tau[:, None])


@claim(
    "learning/true-mix-loss-telescopes",
    identity(),
    cite="Cesa-Bianchi and Lugosi 2006, section 3.3 (mix loss); de Rooij et al. 2014, Lemma 1",
    over=grid(n=[1, 50], k=[1, 4]),
)
def true_mix_loss(forall, *, n, k):
    """The mix losses of Hedge add up to -ln(mean of exp(-eta L_n)) / eta."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    eta = forall.interval("eta", 0.1, 4.0)[:, None]
    total = losses.cumsum(1)
    weights = torch.exp(-eta[:, None] * (total - losses))
    weights = weights / weights.sum(-1, keepdim=True)
    mix = -torch.log((weights * torch.exp(-eta[:, None] * losses)).sum(-1)) / eta
    return mix.sum(1), -torch.log(torch.exp(-eta * total[:, -1]).mean(-1)) / eta[:, 0]


@claim(
    "learning/true-be-the-leader",
    always(),
    cite="Kalai and Vempala 2005, proof of Theorem 1.1; Hazan 2016, Lemma 5.4",
    over=grid(n=[1, 30], k=[2, 20]),
)
def true_be_the_leader(forall, *, n, k):
    """Playing the leader of L_t in round t costs at most min_k L_n(k)."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    total = losses.cumsum(1)
    leader = total.argmin(-1, keepdim=True)
    return losses.gather(-1, leader).sum((1, 2)), total[:, -1].amin(-1)


@claim(
    "learning/true-lazy-gradient-identity",
    identity(),
    cite="Shalev-Shwartz 2012, section 2.3 (unconstrained linear losses)",
    over=grid(n=[1, 2, 40], d=[1, 5]),
)
def true_lazy_gradient(forall, *, n, d):
    """sum <g_t, w_t> = (eta / 2)(sum |g_t|^2 - |sum g_t|^2) for w_t = -eta (g_1 + ... + g_{t-1})."""
    g = forall.ball("g", n, d, radius=100.0)
    eta = forall.interval("eta", 0.001, 10.0)
    w = -eta[:, None, None] * (g.cumsum(1) - g)
    return (g * w).sum((1, 2)), eta / 2 * ((g**2).sum((1, 2)) - (g.sum(1) ** 2).sum(-1))


@claim(
    "learning/true-cg-chebyshev",
    always(),
    cite="Saad 2003, Theorem 6.29 (equation 6.126, squared, with both terms)",
    over=grid(k=[1, 2, 4], d=[6]),
)
def true_cg_chebyshev(forall, *, k, d):
    """Energy of CG's error after k steps is at most (2 rho^k / (1 + rho^(2k)))^2 times the first one."""
    kappa = 25.0
    lam = forall.interval("lam", 1.0, kappa, d)
    start = forall.sphere("start", d)
    x, r = start, -lam * start
    p, rr = r, (r * r).sum(-1, keepdim=True)
    for _ in range(k):
        step = rr / (p * lam * p).sum(-1, keepdim=True)
        x, r = x + step * p, r - step * lam * p
        rr, old = (r * r).sum(-1, keepdim=True), rr
        p = r + rr / old * p
    rho = (math.sqrt(kappa) - 1) / (math.sqrt(kappa) + 1)
    bound = (2 * rho**k / (1 + rho ** (2 * k))) ** 2
    return (lam * x**2).sum(-1), bound * (lam * start**2).sum(-1)


@claim(
    "learning/true-soft-threshold-firmly-nonexpansive",
    always(),
    cite="Moreau 1965; Bauschke and Combettes 2011, Proposition 12.27",
    over=grid(d=[1, 10, 200]),
)
def true_soft_threshold(forall, *, d):
    """|prox x - prox y|^2 <= <x - y, prox x - prox y> for the proximal map of tau |.|_1."""
    x = forall.interval("x", -2.0, 2.0, d)
    y = forall.interval("y", -2.0, 2.0, d)
    tau = forall.interval("tau", 0.0, 1.0)
    moved = soft(x, tau) - soft(y, tau)
    return (moved**2).sum(-1), ((x - y) * moved).sum(-1)


@claim(
    "learning/true-kl-below-chi-square",
    always(),
    cite="Gibbs and Su 2002, Theorem 5; Tsybakov 2009, Lemma 2.7",
)
def true_kl_chi_square(forall):
    """kl(p, q) <= (p - q)^2 / (q (1 - q))."""
    p = forall.interval("p", 0.0, 1.0)
    q = forall.interval("q", 0.0, 1.0)
    return binary_kl(p, q), (p - q) ** 2 / (q * (1 - q))


@claim(
    "learning/true-contraction-one-sided",
    always(),
    cite="Ledoux and Talagrand 1991, Theorem 4.12; Mohri et al. 2018, Lemma 5.7",
    over=grid(n=[1, 6], k=[1, 4]),
)
def true_contraction(forall, *, n, k):
    """E max_a sum eps_i |a_i| <= E max_a sum eps_i a_i."""
    a = forall.interval("a", -1.0, 1.0, k, n)
    cube = sign_cube(n).T
    return (a.abs() @ cube).amax(1).mean(-1), (a @ cube).amax(1).mean(-1)


@claim(
    "learning/true-halving",
    always(),
    cite="Shalev-Shwartz and Ben-David 2014, Theorem 21.4; Littlestone 1988",
    over=grid(n=[3, 10], k=[2, 8]),
)
def true_halving(forall, *, n, k):
    """The halving algorithm errs at most log2 K times when the first expert is perfect."""
    advice = forall.signs("advice", n, k)
    alive = torch.ones_like(advice[:, 0])
    mistakes = torch.zeros_like(advice[:, 0, 0])
    for t in range(n):
        truth = advice[:, t, 0]
        vote = torch.where((alive * advice[:, t]).sum(-1) >= 0, 1.0, -1.0)
        mistakes = mistakes + (vote != truth).double()
        alive = alive * (advice[:, t] == truth[:, None]).double()
    return mistakes, math.log2(k)


@claim(
    "learning/true-adaboost-training-error",
    always(),
    cite="Freund and Schapire 1997, Theorem 6; Mohri et al. 2018, Theorem 7.2",
    over=grid(n=[2, 6], rounds=[1, 3]),
)
def true_adaboost(forall, *, n, rounds):
    """The training error of AdaBoost is at most prod 2 sqrt(eps_t (1 - eps_t))."""
    margins = forall.signs("margins", rounds, n)
    w = torch.full_like(margins[:, 0], 1 / n)
    score = torch.zeros_like(w)
    bound = torch.ones_like(w[:, 0])
    for t in range(rounds):
        eps = (w * (margins[:, t] < 0)).sum(-1)
        alpha = 0.5 * torch.log((1 - eps) / eps)
        score = score + alpha[:, None] * margins[:, t]
        w = w * torch.exp(-alpha[:, None] * margins[:, t])
        w = w / w.sum(-1, keepdim=True)
        bound = bound * 2 * torch.sqrt(eps * (1 - eps))
    return (score <= 0).double().mean(-1), bound


@claim(
    "learning/true-kde-optimal-bandwidth",
    rate("n", -0.8),
    cite="Wand and Jones 1995, sections 2.5 and 2.6 (exact MISE)",
    over=grid(n=[1000, 10000, 100000, 1000000, 10000000]),
)
def true_kde(draw, *, n):
    """MISE of the Gaussian kernel estimate of N(0, 1) with h = n^(-1/5) is O(n^(-4/5))."""
    h = n**-0.2
    bias = (1 - 1 / n) * (1 + h * h) ** -0.5 - 2**1.5 * (2 + h * h) ** -0.5 + 1
    return (1 / (n * h) + bias) / (2 * math.sqrt(math.pi)) + 0.0 * draw.uniform("u")


@claim(
    "learning/true-fourier-feature-error",
    expectation(range=(-0.125, 4.0)),
    cite="Sutherland and Schneider 2015, section 3.1 (variance of paired features; equality)",
    over=grid(d=[1, 5]),
)
def true_fourier_error(forall, draw, *, d):
    """Four random frequencies estimate k = exp(-|z|^2 / 2) with mean squared error at most (1 - k^2)^2 / 8."""
    z = forall.ball("z", d, radius=3.0)
    w = draw.normal("w", 4, d)
    k = torch.exp(-(z**2).sum(-1) / 2)
    estimate = torch.cos((w * z[:, None]).sum(-1)).mean(-1)
    return (estimate - k) ** 2, (1 - k**2) ** 2 / 8


@claim(
    "learning/true-uniform-deviation-finite-class",
    high_probability("delta"),
    cite="Mohri et al. 2018, Theorem 2.13",
    over=grid(n=[1, 40], k=[1, 20], delta=[0.05, 0.2]),
)
def true_uniform_deviation(forall, draw, *, n, k, delta):
    """max_k (p_k - mean_k) <= sqrt(ln(K / delta) / (2 n)) with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0, k)
    x = draw.bernoulli("x", p, k, n)
    return (p - x.mean(-1)).amax(-1), math.sqrt(math.log(k / delta) / (2 * n))


@claim(
    "learning/subtle-hedge-fifth-off",
    always(),
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2, times 0.8",
    over=grid(n=[12], k=[2]),
    expected="refuted",
)
def subtle_hedge(forall, *, n, k):
    """The regret of Hedge with eta = sqrt(8 ln K / n) is at most 0.8 sqrt(n ln K / 2).

    Neither constant nor alternating losses violate it; eight alternating rounds and then four constant ones do (0.888):
    changing single losses to 0 or 1 climbs there from the alternating sequence.
    """
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    eta = math.sqrt(8 * math.log(k) / n)
    total = losses.cumsum(1)
    weights = (-eta * (total - losses)).softmax(-1)
    regret = (weights * losses).sum((1, 2)) - total[:, -1].amin(-1)
    return regret, 0.8 * math.sqrt(n * math.log(k) / 2)


@claim(
    "learning/plain-gd-rate-doubled",
    always(),
    cite="Nesterov 2004, Theorem 2.1.15, the rate of f for the norm",
    over=grid(d=[4], k=[5]),
    expected="refuted",
)
def plain_gd_doubled(forall, *, d, k):
    """Gradient descent with step 2 / (m + L): |x_k| <= ((L - m) / (L + m))^(2k) |x_0|."""
    m, big = 0.1, 1.0
    lam = forall.interval("lam", m, big, d)
    x0 = forall.interval("x0", -1.0, 1.0, d)
    xk = (1 - 2 * lam / (m + big)) ** k * x0
    return xk.norm(dim=-1), ((big - m) / (big + m)) ** (2 * k) * x0.norm(dim=-1)


@claim(
    "learning/plain-heavy-ball-no-transient",
    always(),
    cite="Polyak 1964, Theorem 9 (a rate of the limit), read as a bound at k = 10",
    over=grid(d=[3], k=[10]),
    expected="refuted",
)
def plain_heavy_ball(forall, *, d, k):
    """Heavy ball with the optimal parameters: |x_k| <= 2 ((sqrt kappa - 1) / (sqrt kappa + 1))^k |x_0|."""
    m = 0.04
    lam = forall.interval("lam", m, 1.0, d)
    x0 = forall.ball("x0", d)
    rho = (1 - math.sqrt(m)) / (1 + math.sqrt(m))
    x, old = x0, x0
    for _ in range(k):
        x, old = x - 4 / (1 + math.sqrt(m)) ** 2 * lam * x + rho**2 * (x - old), x
    return x.norm(dim=-1), 2 * rho**k * x0.norm(dim=-1)


@claim(
    "learning/subtle-chernoff-two-sides",
    high_probability("delta"),
    cite="Langford 2005, Corollary 3.7, both sides at the price of one",
    over=grid(n=[4], delta=[0.08]),
    expected="refuted",
)
def subtle_chernoff(forall, draw, *, n, delta):
    """kl(p_hat, p) <= ln(1 / delta) / n with probability at least 1 - delta.

    Violated only for p within 0.032 of one half, where 0 and 4 successes both count: probability 1/8 and more.
    """
    p = forall.interval("p", 0.0, 1.0)
    return binary_kl(draw.bernoulli("x", p, n).mean(-1), p), math.log(1 / delta) / n


@claim(
    "learning/plain-massart-without-two",
    always(),
    cite="Massart 2000, Lemma 5.2; Mohri et al. 2018, Theorem 3.7, the factor 2 forgotten",
    over=grid(n=[4], k=[2]),
    expected="refuted",
)
def plain_massart(forall, *, n, k):
    """E max_a sum eps_i a_i <= max |a| sqrt(ln K) for K vectors a."""
    a = forall.ball("a", k, n)
    return (a @ sign_cube(n).T).amax(1).mean(-1), a.norm(dim=-1).amax(-1) * math.sqrt(math.log(k))


@claim(
    "learning/plain-epanechnikov-psd",
    always(),
    cite="Hofmann, Schoelkopf and Smola 2008, section 2 (compactly supported kernels), misapplied",
    over=grid(n=[4]),
    expected="refuted",
)
def plain_epanechnikov(forall, *, n):
    """sum_ij c_i c_j max(0, 1 - (x_i - x_j)^2) >= 0."""
    x = forall.interval("x", 0.0, 2.0, n)
    c = forall.interval("c", -1.0, 1.0, n)
    gram = torch.relu(1 - (x[:, :, None] - x[:, None, :]) ** 2)
    return -(c[:, :, None] * c[:, None, :] * gram).sum((1, 2)), 0.0


@claim(
    "learning/subtle-sauer-two-for-e",
    always(),
    cite="Shalev-Shwartz and Ben-David 2014, Lemma 6.10 (Sauer), with 2 in the place of e",
    expected="refuted",
)
def subtle_sauer(forall):
    """sum_{i <= d} C(n, i) <= (2 n / d)^d for n >= d >= 1.

    True for d <= 6 here; false for d = 7 from n = 56 and for d = 8 from n = 40, growing with n and d.
    """
    d = forall.integers("d", 1, 8)
    n = d + forall.integers("extra", 0, 90)
    i = torch.arange(9, dtype=torch.float64)
    logs = torch.lgamma(n + 1)[:, None] - torch.lgamma(i + 1) - torch.lgamma(n[:, None] - i + 1)
    return (torch.exp(logs) * (i <= d[:, None])).sum(-1), (2 * n / d) ** d


@claim(
    "learning/plain-nearest-neighbour-space",
    rate("n", -0.5),
    cite="Gyorfi et al. 2002, Lemma 6.4 (d = 3), with the exponent of the plane",
    over=grid(n=[8, 32, 128, 512, 2048]),
    expected="refuted",
)
def plain_nearest_space(draw, *, n):
    """The distance of the cube's centre to its nearest neighbour among n uniform points is O(n^(-1/2))."""
    x = draw.uniform("x", n, 3)
    return (x - 0.5).norm(dim=-1).amin(-1)


@claim(
    "learning/plain-exp3-full-information-rate",
    expectation(range=(-54.2, 45.9)),
    cite="Bubeck and Cesa-Bianchi 2012, Theorem 3.1, with the bound of Hedge",
    expected="refuted",
)
def plain_exp3(forall, draw):
    """Pseudo-regret of Exp3 with eta = sqrt(2 ln K / (n K)) is at most sqrt(n ln K / 2); n = 50, K = 2."""
    n, k = 50, 2
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    u = draw.uniform("u", n)
    eta = math.sqrt(2 * math.log(k) / (n * k))
    estimate = torch.zeros(u.shape[0], k, dtype=u.dtype, device=u.device)
    mine = torch.zeros_like(u[:, 0])
    for t in range(n):
        p = (-eta * estimate).softmax(-1)
        arm = (u[:, t, None] > p.cumsum(-1)).sum(-1, keepdim=True).clamp_max(k - 1)
        loss = losses[:, t].expand(u.shape[0], k).gather(-1, arm)
        mine = mine + loss[:, 0]
        estimate = estimate.scatter_add(-1, arm, loss / p.gather(-1, arm))
    return mine - losses.sum(1).amin(-1), math.sqrt(n * math.log(k) / 2)


@claim(
    "learning/plain-max-of-signed-sums",
    expectation(range=(-6.3, 2.8)),
    cite="Massart 2000, Lemma 5.2, the factor 2 forgotten",
    over=grid(n=[20], k=[20]),
    expected="refuted",
)
def plain_max_sums(forall, draw, *, n, k):
    """The expected maximum of K independent sums of signs with weights on the unit sphere is at most sqrt(ln K)."""
    a = forall.sphere("a", n)
    signs = draw.signs("signs", k, n)
    return (signs * a[:, None]).sum(-1).amax(-1), math.sqrt(math.log(k))


PROOFS = {
    "learning/true-mix-loss-telescopes": (
        "The sum of w_t exp(-eta l_t) is W_{t+1} / W_t with W_t = sum_k exp(-eta L_{t-1}(k))."
    ),
    "learning/true-be-the-leader": (
        "Induction: sum_{s<=t} l_s(i_s) <= L_{t-1}(i_{t-1}) + l_t(i_t) <= L_{t-1}(i_t) + l_t(i_t) = L_t(i_t)."
    ),
    "learning/true-lazy-gradient-identity": "|sum g|^2 = sum |g_t|^2 + 2 sum_{s<t} <g_s, g_t>.",
    "learning/true-cg-chebyshev": (
        "CG minimises the energy over polynomials with q(0) = 1; Chebyshev's polynomial on [1, kappa] has maximum "
        "2 / (rho^k + rho^-k)."
    ),
    "learning/true-soft-threshold-firmly-nonexpansive": (
        "Proximal maps are firmly nonexpansive; coordinatewise 0 <= slope <= 1."
    ),
    "learning/true-kl-below-chi-square": (
        "kl <= ln(1 + chi^2) <= chi^2 by Jensen; infinite or undefined at q in {0, 1}."
    ),
    "learning/true-contraction-one-sided": (
        "Ledoux and Talagrand, Theorem 4.12, with the contraction |.|, without absolute value outside."
    ),
    "learning/true-halving": (
        "Every mistake removes at least half of the living experts (ties too) and the first one stays."
    ),
    "learning/true-adaboost-training-error": (
        "1{s <= 0} <= exp(-s) and the normalisers are 2 sqrt(eps (1 - eps)); eps in {0, 1}: score +inf and error "
        "0, or undefined."
    ),
    "learning/true-kde-optimal-bandwidth": (
        "MISE = (1 / (n h) + (3 / 16) h^4 + O(h^6 + 1 / n)) / (2 sqrt pi) and h = n^(-1/5): n^(-4/5) (c + O(n^(-1/5)))."
    ),
    "learning/true-fourier-feature-error": (
        "E cos(w z) = k and E cos^2 = (1 + k^4) / 2, so the variance of a mean of four is (1 - k^2)^2 / 8: equality."
    ),
    "learning/true-uniform-deviation-finite-class": "Hoeffding for one side and the union bound over K.",
}

WITNESSES = {
    "learning/subtle-hedge-fifth-off": {
        "params": {"n": 12, "k": 2},
        "values": {"losses": [[1.0, 0.0], [0.0, 1.0]] * 4 + [[0.0, 1.0]] * 4},
        "why": "regret 0.8878 sqrt(6 ln 2), by the scalar recursion in the difference of losses",
    },
    "learning/plain-gd-rate-doubled": {
        "params": {"d": 4, "k": 5},
        "values": {"lam": [1.0] * 4, "x0": [1.0, 0.0, 0.0, 0.0]},
        "why": "(9/11)^5 = 0.3667 against (9/11)^10 = 0.1344",
    },
    "learning/plain-heavy-ball-no-transient": {
        "params": {"d": 3, "k": 10},
        "values": {"lam": [1.0] * 3, "x0": [1.0, 0.0, 0.0]},
        "why": "the double root at lam = L: |x_10| = (53/3) rho^10 against 2 rho^10, rho = 2/3",
    },
    "learning/subtle-chernoff-two-sides": {
        "params": {"n": 4, "delta": 0.08},
        "values": {"p": 0.5},
        "probability": 0.125,
        "why": "0 and 4 successes have kl = ln 2 = 0.6931 > ln(12.5) / 4 = 0.6314; their probability is 1/8",
    },
    "learning/plain-massart-without-two": {
        "params": {"n": 4, "k": 2},
        "values": {"a": [[1.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]]},
        "why": "E |eps| = 1 against sqrt(ln 2) = 0.83255",
    },
    "learning/plain-epanechnikov-psd": {
        "params": {"n": 4},
        "values": {"x": [0.0, 0.5, 1.0, 2.0], "c": [0.75, -1.0, 0.75, 0.0]},
        "why": "2 * 9/16 + 1 - 4 * (3/4)^2 = -1/8 for the entries 1, 3/4, 0",
    },
    "learning/subtle-sauer-two-for-e": {
        "params": {},
        "values": {"d": 8, "extra": 90},
        "why": "sum of C(98, i) to i = 8 against (98/4)^8: ratio 1.3274",
    },
    "learning/plain-nearest-neighbour-space": {
        "params": {"n": 2048},
        "values": {},
        "exponent": -1 / 3,
        "why": "E R = integral of (1 - 4 pi r^3 / 3)^n ~ Gamma(4/3) (4 pi n / 3)^(-1/3)",
    },
    "learning/plain-exp3-full-information-rate": {
        "params": {},
        "values": {"losses": [[1.0, 0.0]] * 50},
        "mean": 2.972439,
        "why": "exact Markov chain in the number of pulls of the bad arm: regret 7.1352 against 4.1628",
    },
    "learning/plain-max-of-signed-sums": {
        "params": {"n": 20, "k": 20},
        "values": {"a": [20**-0.5] * 20},
        "mean": 0.109915,
        "why": "exact law of the maximum of 20 binomial sums",
    },
}
