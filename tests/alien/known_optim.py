"""Alien claims, known: optimisation, experts and bandits, privacy, stability, conformal prediction; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability, identity, rate, tail, up_to_constant


def huber(x, delta):
    return torch.where(x.abs() <= delta, x**2 / 2, delta * x.abs() - delta**2 / 2)


def huber_slope(x, delta):
    return torch.where(x.abs() <= delta, x, delta * x.sign())


@claim("optim/true-gradient-norm", always(), over=grid(n=[1, 5, 20]), cite="Teboulle and Vaisbourd 2023")
def true_gradient_norm(forall, *, n):
    """|f'(x_n)| <= |x_0 - x*| / (n + 1) after n gradient steps of size one on Huber's functions."""
    x0, delta = forall.interval("x0", -1.0, 1.0), forall.interval("delta", 0.0, 1.0)
    x = x0
    for _ in range(n):
        x = x - huber_slope(x, delta)
    return huber_slope(x, delta).abs(), x0.abs() / (n + 1)


@claim("optim/true-proximal-point", always(), cite="Taylor, Hendrickx, Glineur 2017, proximal point, R^2 / (4 sum c)")
def true_proximal_point(forall):
    """f(x_n) - f* <= x_0^2 / (4 sum c_k) after proximal steps c_1, c_2, c_3 on f = s |x|."""
    x0, s = forall.interval("x0", -1.0, 1.0), forall.interval("s", 0.0, 2.0)
    c = forall.interval("c", 0.1, 1.0, 3)
    x = x0
    for k in range(3):
        x = x.sign() * (x.abs() - c[:, k] * s).clamp_min(0.0)
    return s * x.abs(), x0**2 / (4 * c.sum(-1))


@claim("optim/true-frank-wolfe", always(), over=grid(n=[1, 4, 16]), cite="Jaggi 2013, Theorem 1")
def true_frank_wolfe(forall, *, n):
    """f(x_n) - f* <= 2 L D^2 / (n + 2) for Frank-Wolfe with steps 2 / (t + 2), f = |x - b|^2 / 2, b in the simplex."""
    b = forall.simplex("b", 3)
    x = torch.zeros_like(b)
    x[:, 0] = 1.0
    for t in range(n):
        vertex = torch.nn.functional.one_hot((x - b).argmin(-1), 3).double()
        gamma = 2 / (t + 2)
        x = (1 - gamma) * x + gamma * vertex
    return (x - b).square().sum(-1) / 2, 2 * 1.0 * 2.0 / (n + 2)


@claim("optim/true-mirror-descent-identity", identity(), cite="Cesa-Bianchi and Lugosi 2006, chapter 11 (telescoping)")
def true_mirror_descent_identity(forall):
    """-sum log sum_i w_ti exp(-eta g_ti) = eta sum <g_t, u> + KL(u, w_1) - KL(u, w_(n+1)) for exponential weights."""
    g, u = forall.interval("g", -1.0, 1.0, 4, 3), forall.simplex("u", 3)
    eta = forall.interval("eta", 0.01, 2.0)[:, None]
    w = torch.full_like(u, 1 / 3)
    first = torch.xlogy(u, u / w).sum(-1)
    potential = 0.0
    for t in range(4):
        v = w * torch.exp(-eta * g[:, t])
        z = v.sum(-1)
        potential = potential - z.log()
        w = v / z[:, None]
    last = torch.xlogy(u, u / w).sum(-1)
    return potential, eta[:, 0] * (g.sum(1) * u).sum(-1) + first - last


@claim("optim/true-be-the-leader", always(), cite="Cesa-Bianchi and Lugosi 2006, Lemma 3.1")
def true_be_the_leader(forall):
    """sum_t loss_t(leader after round t) <= loss of the best expert, for three experts and six rounds."""
    loss = forall.interval("loss", -1.0, 1.0, 6, 3)
    total = loss.cumsum(1)
    leader = total.argmin(-1)
    return loss.gather(-1, leader[:, :, None]).sum((-1, -2)), total[:, -1].amin(-1)


@claim("optim/true-laplace-mechanism", always(), cite="Dwork, McSherry, Nissim, Smith 2006, Proposition 1")
def true_laplace_mechanism(forall):
    """P(q + noise > s) <= e^eps P(q' + noise > s) for Laplace noise of scale 1/eps and answers q, q' in [0, 1]."""
    q = forall.interval("q", 0.0, 1.0, 2)
    eps, s = forall.interval("eps", 0.1, 2.0), forall.interval("s", -10.0, 10.0)
    z = eps[:, None] * (s[:, None] - q)
    cdf = torch.where(z < 0, torch.exp(z) / 2, 1 - torch.exp(-z) / 2)
    return 1 - cdf[:, 0], torch.exp(eps) * (1 - cdf[:, 1])


@claim(
    "optim/true-conformal",
    high_probability("delta"),
    over=grid(n=[4, 9], delta=[0.2]),
    cite="Vovk, Gammerman, Shafer 2005; Lei et al. 2018, Theorem 2.1",
)
def true_conformal(forall, draw, *, n, delta):
    """y_(n+1) <= the ceil((1 - delta)(n + 1))-th smallest of y_1 ... y_n with probability at least 1 - delta."""
    y = draw.law("y", forall.law("P", atoms=3), n + 1)
    k = math.ceil((1 - delta) * (n + 1))
    return y[:, n], y[:, :n].sort(-1).values[:, k - 1]


@claim("optim/true-permutation-test", tail(), cite="Lehmann and Romano 2005, Theorem 15.2.1")
def true_permutation_test(forall, draw):
    """P(p-value <= alpha) <= alpha for the permutation test of the mean of three against that of two."""
    law, alpha = forall.law("P", atoms=3), forall.interval("alpha", 0.01, 1.0)
    x = draw.law("x", law, 5)
    orders = every.permutations(5, like=x).long()

    def statistic(y):
        return y[..., :3].sum(-1) / 3 - y[..., 3:].sum(-1) / 2

    p = (statistic(x[:, orders]) >= statistic(x)[:, None]).double().mean(-1)
    return p <= alpha, alpha


@claim(
    "optim/true-polyak-averaging",
    rate("n", -1.0),
    over=grid(n=[16, 32, 64, 128, 256, 512, 1024]),
    cite="Polyak and Juditsky 1992",
)
def true_polyak_averaging(draw, *, n):
    """E (mean iterate)^2 is of order 1/n for x <- x - (x - z_t) / (2 sqrt(t)) from x = 1, z_t standard normal."""
    z = draw.normal("z", n)
    x, total = torch.ones_like(z[:, 0]), 0.0
    for t in range(1, n + 1):
        x = x - (x - z[:, t - 1]) / (2 * math.sqrt(t))
        total = total + x
    return (total / n) ** 2


@claim(
    "optim/true-adagrad-lemma",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
    cite="Auer, Cesa-Bianchi, Gentile 2002, Lemma 3.5",
)
def true_adagrad_lemma(forall, *, n):
    """sum_t a_t / sqrt(a_1 + ... + a_t) <= C sqrt(a_1 + ... + a_n)."""
    a = forall.interval("a", 0.01, 1.0, n)
    return (a / a.cumsum(-1).sqrt()).sum(-1), a.sum(-1).sqrt()


@claim(
    "optim/true-confidence-at-all-times",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.1]),
    cite="Even-Dar, Mannor, Mansour 2006 (successive elimination)",
)
def true_confidence_at_all_times(forall, draw, within, *, n, delta):
    """|mean of t - p| <= sqrt(log(2 n / delta) / (2 t)) for all t <= n at once, with probability 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    t = within.integers("t", 1, n)
    means = x.cumsum(-1) / torch.arange(1, n + 1)
    mean = torch.take_along_dim(means, t.long()[:, None] - 1, -1)[:, 0]
    return (mean - p).abs(), (math.log(2 * n / delta) / (2 * t)).sqrt()


@claim("optim/true-subsampling", always(), cite="Li, Qardaji, Su 2012, Theorem 1; Balle, Barthe, Gaboardi 2018")
def true_subsampling(forall):
    """log max (q P + (1 - q) R) / (q P' + (1 - q) R) <= log(1 + q (e^eps - 1)), eps-close P, P', R on four outcomes."""
    laws = forall.interval("logits", -3.0, 3.0, 3, 4).softmax(-1)
    q = forall.interval("q", 0.0, 1.0)
    first, second, rest = laws[:, 0], laws[:, 1], laws[:, 2]
    ratio = torch.maximum((first / second).amax(-1), (first / rest).amax(-1))
    w = q[:, None]
    mixed = (w * first + (1 - w) * rest) / (w * second + (1 - w) * rest)
    return mixed.amax(-1).log(), torch.log(1 + q * (ratio - 1))


@claim(
    "optim/subtle-gradient-descent-constant",
    always(),
    over=grid(n=[10]),
    expected="refuted",
    cite="Drori and Teboulle 2014, Theorem 1, with 4 n + 4 for 4 n + 2",
)
def subtle_gradient_descent_constant(forall, *, n):
    """f(x_n) - f* <= x_0^2 / (4 n + 4) after n gradient steps of size one on Huber's functions."""
    x0, delta = forall.interval("x0", -1.0, 1.0), forall.interval("delta", 0.0, 1.0)
    x = x0
    for _ in range(n):
        x = x - huber_slope(x, delta)
    return huber(x, delta), x0**2 / (4 * n + 4)


@claim(
    "optim/subtle-response-renyi",
    always(),
    expected="refuted",
    cite="Bun and Steinke 2016, Proposition 3.3, with 0.49 for 1/2",
)
def subtle_response_renyi(forall):
    """D_a(P, P') <= 0.49 a eps^2 for randomised response, P = Bernoulli(e^eps / (1 + e^eps)), P' its mirror."""
    a, eps = forall.interval("a", 1.01, 30.0), forall.interval("eps", 0.0, 4.0)
    p = torch.exp(eps) / (1 + torch.exp(eps))
    moment = p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)
    return torch.log(moment) / (a - 1), 0.49 * a * eps**2


@claim(
    "optim/subtle-heavy-ball",
    always(),
    expected="refuted",
    cite="Polyak 1964, tuned for quadratics (m = 1, L = 25), applied to convex functions; Lessard, Recht, Packard 2016",
)
def subtle_heavy_ball(forall):
    """|x_60| <= |x_0| / 5 for the heavy ball, steps 1/9 and momentum 4/9, f'(x) = 25 x, x + 24, 25 x - 24."""
    x0 = forall.interval("x0", -50.0, 50.0)
    x, before = x0, x0
    for _ in range(60):
        slope = torch.where(x < 1, 25 * x, torch.where(x < 2, x + 24, 25 * x - 24))
        x, before = x - slope / 9 + 4 / 9 * (x - before), x
    return x.abs(), x0.abs() / 5


@claim(
    "optim/plain-frank-wolfe-square",
    always(),
    over=grid(n=[4]),
    expected="refuted",
    cite="Jaggi 2013, Theorem 1, with the rate of accelerated methods",
)
def plain_frank_wolfe_square(forall, *, n):
    """f(x_n) - f* <= D^2 / (n + 2)^2 for Frank-Wolfe with steps 2 / (t + 2), f = |x - b|^2 / 2, b in the simplex."""
    b = forall.simplex("b", 30)
    x = torch.zeros_like(b)
    x[:, 0] = 1.0
    for t in range(n):
        vertex = torch.nn.functional.one_hot((x - b).argmin(-1), 30).double()
        gamma = 2 / (t + 2)
        x = (1 - gamma) * x + gamma * vertex
    return (x - b).square().sum(-1) / 2, 2.0 / (n + 2) ** 2


@claim(
    "optim/plain-explore-then-commit",
    tail(),
    over=grid(m=[4]),
    expected="refuted",
    cite="Lattimore and Szepesvari 2020, Theorem 6.1, the noise of the second arm forgotten",
)
def plain_explore_then_commit(forall, draw, *, m):
    """P(the worse arm looks better after m pulls of each) <= exp(-m gap^2 / 2), standard normal noise."""
    gap = forall.interval("gap", 0.0, 3.0)
    better, worse = gap + draw.normal("x", m).mean(-1), draw.normal("y", m).mean(-1)
    return worse >= better, (-m * gap**2 / 2).exp()


@claim(
    "optim/plain-hedge-half",
    always(),
    over=grid(n=[8]),
    expected="refuted",
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2, with n log(2) / 8 under the root",
)
def plain_hedge_half(forall, *, n):
    """Regret of exponential weights at rate sqrt(8 log(2) / n) with two experts <= sqrt(n log(2) / 8)."""
    loss = forall.interval("loss", 0.0, 1.0, n, 2)
    eta = math.sqrt(8 * math.log(2) / n)
    total, own = torch.zeros_like(loss[:, 0]), 0.0
    for t in range(n):
        own = own + (torch.softmax(-eta * total, -1) * loss[:, t]).sum(-1)
        total = total + loss[:, t]
    return own - total.amin(-1), math.sqrt(n * math.log(2) / 8)


@claim(
    "optim/plain-conformal-quantile",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.1]),
    expected="refuted",
    cite="Lei et al. 2018, Theorem 2.1, with the plain empirical quantile",
)
def plain_conformal_quantile(forall, draw, *, n, delta):
    """y_(n+1) <= the ceil((1 - delta) n)-th smallest of y_1 ... y_n with probability at least 1 - delta."""
    power = forall.interval("power", 0.5, 3.0)
    y = draw.uniform("y", n + 1) ** power[:, None]
    k = math.ceil((1 - delta) * n)
    return y[:, n], y[:, :n].sort(-1).values[:, k - 1]


@claim(
    "optim/plain-kaczmarz-uniform",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    cite="Strohmer and Vershynin 2009, Theorem 2, with rows drawn uniformly",
)
def plain_kaczmarz_uniform(forall, draw):
    """E |e_1|^2 <= (1 - s_min(A)^2 / |A|_F^2) |e_0|^2 when a row of three is drawn uniformly and projected on."""
    a = forall.sphere("A", 6).reshape(-1, 3, 2)
    e = forall.ball("e", 2)
    i = draw.categorical("i", torch.full((1, 3), 1 / 3, dtype=torch.float64)).long()
    row = a[0, i]
    after = e - (row * e).sum(-1, keepdim=True) / row.square().sum(-1, keepdim=True) * row
    smallest = torch.linalg.svdvals(a)[:, -1]
    return after.square().sum(-1), (1 - smallest**2) * e.square().sum(-1)


PROOFS = {
    "optim/true-gradient-norm": (
        "Huber: if |x_n| >= delta then |f'(x_n)| = delta and |x_0| = |x_n| + n delta >= (n + 1) delta; if 0 < |x_n| <"
        " delta then no earlier iterate was in [-delta, delta] (it would have gone to 0), so |x_0| = |x_n| + n delta "
        "> (n + 1) |x_n|; x_n = 0 or delta = 0 give 0 on the left."
    ),
    "optim/true-proximal-point": (
        "x_n = sign(x_0) max(|x_0| - s C, 0), C = sum c; s (|x_0| - s C) <= x_0^2 / (4 C) as (|x_0| - 2 s C)^2 >= 0."
    ),
    "optim/true-frank-wolfe": (
        "Jaggi 2013: h_1 <= C/2 and h_(k+1) <= (1 - g) h_k + g^2 C / 2, C = L D^2 = 2, give h_k <= 2 C / (k + 2), k "
        ">= 1; f* = 0 since b is in the simplex; any tie-breaking of the linear oracle is allowed."
    ),
    "optim/true-mirror-descent-identity": (
        "KL(u, w_t) - KL(u, w_(t+1)) = sum u_i log(w_(t+1)i / w_ti) = -eta <g_t, u> - log Z_t; sum over t."
    ),
    "optim/true-be-the-leader": (
        "Induction: sum_(t<n) loss_t(leader_t) <= L_(n-1)(leader_(n-1)) <= L_(n-1)(leader_n); add loss_n(leader_n)."
    ),
    "optim/true-laplace-mechanism": (
        "The density ratio is at most exp(eps |q - q'|) <= e^eps pointwise; integrate over (s, inf)."
    ),
    "optim/true-conformal": (
        "Exchangeability: y_(n+1) exceeds the k-th smallest of the others iff it exceeds the k-th smallest of all n +"
        " 1, which at most n + 1 - k of n + 1 do; (n + 1 - k)/(n + 1) <= delta."
    ),
    "optim/true-permutation-test": (
        "x is exchangeable; the share of orders whose statistic is at least that of x is a valid p-value: at most a "
        "share alpha of the orders of a multiset has a rank share <= alpha."
    ),
    "optim/true-polyak-averaging": (
        "Polyak-Juditsky: n E(mean)^2 -> 1; the exact covariance recursion (evidence/optim.py) has local exponents "
        "-1.02 .. -1.06."
    ),
    "optim/true-adagrad-lemma": "a_t / sqrt(S_t) <= 2 (sqrt(S_t) - sqrt(S_(t-1))), so C = 2.",
    "optim/true-confidence-at-all-times": (
        "Hoeffding at each t with failure probability delta / n, and the union bound."
    ),
    "optim/true-subsampling": (
        "With D = q P' + (1 - q) R, numerator - D = q (P - P'); if P' <= R then D >= P' and P - P' <= (e^eps - 1) P' "
        "<= (e^eps - 1) D; else D >= R and P - P' <= e^eps R - R <= (e^eps - 1) D."
    ),
}

WITNESSES = {
    "optim/subtle-gradient-descent-constant": {
        "params": {"n": 10},
        "values": {"x0": 1.0, "delta": 1 / 21},
        "why": "x0 = 1, delta = 1/21, n = 10: f(x_10) = 1/42 > 1/44 (fractions).",
    },
    "optim/subtle-response-renyi": {
        "params": {},
        "values": {"a": 2.0, "eps": 0.1},
        "why": "a = 2, eps = 1/10: D_2 = 0.0099586.. > 0.0098.",
    },
    "optim/subtle-heavy-ball": {
        "params": {},
        "values": {"x0": -3.0},
        "why": "x0 = -3: |x_60| = 2.1159 > 0.6 (fractions); the cycle of Lessard, Recht and Packard.",
    },
    "optim/plain-frank-wolfe-square": {
        "params": {"n": 4},
        "values": {"b": [1 / 30] * 30},
        "why": "b = (1/30, ..., 1/30), n = 4: f(x_4) = 2/15 > 2/36.",
    },
    "optim/plain-explore-then-commit": {
        "params": {"m": 4},
        "values": {"gap": 1.5},
        "probability": 0.0169474267,
        "why": "m = 4, gap = 3/2: P = Phi(-3/sqrt 2) = 0.01695 > exp(-9/2) = 0.01111.",
    },
    "optim/plain-hedge-half": {
        "params": {"n": 8},
        "values": {"loss": [[1.0, 0.0], [0.0, 1.0]] * 2 + [[1.0, 0.0]] * 4},
        "why": "expert losses (1,0),(0,1),(1,0),(0,1),(1,0) x 4: regret 1.4320 > 0.8326.",
    },
    "optim/plain-conformal-quantile": {
        "params": {"n": 10, "delta": 0.1},
        "values": {"power": 1.0},
        "probability": 0.1818181818,
        "why": "power = 1: P(y_11 > 9th smallest of 10) = 2/11 > 0.1.",
    },
    "optim/plain-kaczmarz-uniform": {
        "params": {},
        "values": {"A": [0.5**0.5, 0.0, 0.0, 0.5, 0.0, 0.5], "e": [1.0, 0.0]},
        "mean": 0.1666666667,
        "why": "rows (sqrt(1/2), 0), (0, 1/2), (0, 1/2), e = (1, 0): E |e_1|^2 = 2/3 > 1 - 1/2.",
    },
}
