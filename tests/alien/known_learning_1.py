"""Alien claims, known, part 1 of 2: learning theory, online learning and convex optimisation; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, identity


def loss_patterns(n):
    """Constant, alternating, and first one half then the other: three sequences of losses of two experts."""
    t = torch.arange(n)
    first = [torch.ones(n), t % 2 == 0, t < n // 2]
    return [torch.stack([f.double(), 1 - f.double()], -1) for f in first]


# ---------------------------------------------------------------------------------------------------- online learning


@claim(
    "learning/true-hedge-tuned",
    always(),
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2",
    over=grid(n=[5, 100], k=[2, 10, 200]),
)
def true_hedge_tuned(forall, *, n, k):
    """The regret of Hedge with eta = sqrt(8 ln K / n) is at most sqrt(n ln K / 2) for losses in [0, 1]."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    eta = math.sqrt(8 * math.log(k) / n)
    total = losses.cumsum(1)
    weights = (-eta * (total - losses)).softmax(-1)
    regret = (weights * losses).sum((1, 2)) - total[:, -1].amin(-1)
    return regret, math.sqrt(n * math.log(k) / 2)


@claim(
    "learning/true-hedge-first-order",
    always(),
    cite="Freund and Schapire 1997, Theorem 2; Cesa-Bianchi and Lugosi 2006, Theorem 2.4",
    over=grid(n=[1, 30], k=[1, 5]),
)
def true_hedge_first_order(forall, *, n, k):
    """(1 - exp(-eta)) L_Hedge <= eta L* + ln K for losses in [0, 1] and every eta > 0."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    eta = forall.interval("eta", 0.01, 10.0)
    total = losses.cumsum(1)
    weights = (-eta[:, None, None] * (total - losses)).softmax(-1)
    mine = (weights * losses).sum((1, 2))
    return (1 - torch.exp(-eta)) * mine, eta * total[:, -1].amin(-1) + math.log(k)


@claim(
    "learning/true-hedge-anytime",
    always(),
    cite="Bubeck 2011, Introduction to Online Optimization, Theorem 2.4",
    over=grid(n=[1, 10, 60], k=[1, 2, 8]),
)
def true_hedge_anytime(forall, *, n, k):
    """Hedge with eta_t = 2 sqrt(ln K / t) has regret at most sqrt(n ln K)."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    eta = 2 * torch.sqrt(math.log(k) / torch.arange(1, n + 1, dtype=torch.float64))
    total = losses.cumsum(1)
    weights = (-eta[:, None] * (total - losses)).softmax(-1)
    mine = (weights * losses).sum((1, 2))
    return mine - total[:, -1].amin(-1), math.sqrt(n * math.log(k))


@claim(
    "learning/true-ftl-binary-losses",
    always(),
    cite="Kalai and Vempala 2005, section 1; Cesa-Bianchi and Lugosi 2006, chapter 4",
    over=grid(n=[4, 12], k=[2, 3]),
)
def true_ftl_binary(forall, *, n, k):
    """Follow the leader on losses in {0, 1}: L_FTL <= K L* + K - 1."""
    losses = forall.integers("losses", 0, 1, n, k)
    total = losses.cumsum(1)
    order = torch.arange(k, dtype=torch.float64) / 1000  # ties go to the smallest index
    leader = (total - losses + order).argmin(-1, keepdim=True)
    mine = losses.gather(-1, leader).sum((1, 2))
    return mine, k * total[:, -1].amin(-1) + k - 1


@claim(
    "learning/true-ftl-quadratic-regret",
    identity(),
    cite="Shalev-Shwartz 2012, Online Learning and Online Convex Optimization, section 2.2 (made exact)",
    over=grid(n=[1, 2, 30], d=[1, 3]),
)
def true_ftl_quadratic(forall, *, n, d):
    """Regret of the running mean on |w - z_t|^2 / 2 equals (1/2) sum_t |w_t - z_t|^2 / t."""
    z = forall.ball("z", n, d, radius=5.0)
    t = torch.arange(1, n + 1, dtype=torch.float64)
    w = (z.cumsum(1) - z) / (t - 1).clamp_min(1)[:, None]
    gaps = ((w - z) ** 2).sum(-1)
    best = ((z - z.mean(1, keepdim=True)) ** 2).sum((1, 2))
    return 0.5 * gaps.sum(1) - 0.5 * best, 0.5 * (gaps / t).sum(1)


@claim(
    "learning/true-ogd-ball",
    always(),
    cite="Zinkevich 2003, Theorem 1; Hazan 2016, Theorem 3.1 (fixed step, linear losses)",
    over=grid(n=[1, 40], d=[1, 3]),
)
def true_ogd_ball(forall, *, n, d):
    """Projected online gradient descent on the unit ball: regret <= 1 / (2 eta) + (eta / 2) sum |g_t|^2."""
    g = forall.ball("g", n, d)
    eta = forall.interval("eta", 0.01, 2.0)
    w = torch.zeros_like(g[:, 0])
    lost = torch.zeros_like(eta)
    for t in range(n):
        lost = lost + (g[:, t] * w).sum(-1)
        w = w - eta[:, None] * g[:, t]
        w = w / w.norm(dim=-1, keepdim=True).clamp_min(1.0)
    regret = lost + g.sum(1).norm(dim=-1)
    return regret, 1 / (2 * eta) + eta / 2 * (g**2).sum((1, 2))


@claim(
    "learning/true-perceptron-novikoff",
    always(),
    cite="Novikoff 1962; Mohri, Rostamizadeh and Talwalkar 2018, Theorem 8.8",
    over=grid(n=[1, 8], d=[1, 3], passes=[1, 3]),
)
def true_perceptron(forall, *, n, d, passes):
    """Mistakes times squared margin never exceed the squared radius."""
    x = forall.ball("x", n, d)
    u = forall.sphere("u", d)
    score = (x * u[:, None]).sum(-1)
    y = score.sign()
    w = torch.zeros_like(u)
    mistakes = torch.zeros_like(score[:, 0])
    for i in list(range(n)) * passes:
        wrong = (y[:, i] * (w * x[:, i]).sum(-1) <= 0).double()
        w = w + (wrong * y[:, i])[:, None] * x[:, i]
        mistakes = mistakes + wrong
    return mistakes * score.abs().amin(-1) ** 2, (x**2).sum(-1).amax(-1)


@claim(
    "learning/true-hedge-on-patterns",
    always(),
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2 (every eta)",
    over=grid(n=[2, 100]),
)
def true_hedge_patterns(forall, *, n):
    """On constant, alternating and switching losses Hedge has regret at most ln 2 / eta + eta n / 8."""
    losses = forall.choice("losses", loss_patterns(n))
    eta = forall.interval("eta", 0.001, 20.0)
    total = losses.cumsum(1)
    weights = (-eta[:, None, None] * (total - losses)).softmax(-1)
    regret = (weights * losses).sum((1, 2)) - total[:, -1].amin(-1)
    return regret, math.log(2) / eta + eta * n / 8


@claim(
    "learning/true-exp3",
    expectation(range=(-31.5, 8.6)),
    cite="Bubeck and Cesa-Bianchi 2012, Theorem 3.1",
)
def true_exp3(forall, draw):
    """Pseudo-regret of Exp3 with eta = sqrt(2 ln K / (n K)) is at most sqrt(2 n K ln K); n = 20, K = 3."""
    n, k = 20, 3
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
    return mine - losses.sum(1).amin(-1), math.sqrt(2 * n * k * math.log(k))


@claim(
    "learning/true-elliptical-potential",
    always(),
    cite="Lattimore and Szepesvari 2020, Lemma 19.4 (with min(1, u) <= log2(1 + u))",
    over=grid(n=[1, 10], d=[1, 3]),
)
def true_elliptical(forall, *, n, d):
    """sum_t min(1, |x_t|^2 in the norm of V_{t-1}^{-1}) <= log2 det V_n, with V_0 = I."""
    x = forall.ball("x", n, d, radius=3.0)
    v = torch.eye(d, dtype=x.dtype, device=x.device).expand(x.shape[0], d, d)
    lhs = torch.zeros_like(x[:, 0, 0])
    for t in range(n):
        xt = x[:, t]
        lhs = lhs + (xt * torch.linalg.solve(v, xt)).sum(-1).clamp_max(1.0)
        v = v + xt[:, :, None] * xt[:, None, :]
    return lhs, torch.logdet(v) / math.log(2)


@claim(
    "learning/plain-hedge-sixteen",
    always(),
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2, misremembered with eta n / 16",
    over=grid(n=[100], k=[2]),
    expected="refuted",
)
def plain_hedge_sixteen(forall, *, n, k):
    """Regret of Hedge at most ln K / eta + eta n / 16."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    eta = forall.interval("eta", 0.01, 2.0)
    total = losses.cumsum(1)
    weights = (-eta[:, None, None] * (total - losses)).softmax(-1)
    regret = (weights * losses).sum((1, 2)) - total[:, -1].amin(-1)
    return regret, math.log(k) / eta + eta * n / 16


@claim(
    "learning/plain-ftl-square-root",
    always(),
    cite="Shalev-Shwartz 2012, Example 2.2 (follow the leader fails on linear losses), ignored",
    over=grid(n=[40], k=[2]),
    expected="refuted",
)
def plain_ftl_square_root(forall, *, n, k):
    """Follow the leader has regret at most 2 sqrt(n ln K) for losses in [0, 1]."""
    losses = forall.interval("losses", 0.0, 1.0, n, k)
    total = losses.cumsum(1)
    leader = (total - losses).argmin(-1, keepdim=True)
    mine = losses.gather(-1, leader).sum((1, 2))
    return mine - total[:, -1].amin(-1), 2 * math.sqrt(n * math.log(k))


@claim(
    "learning/plain-ftl-binary-plus-one",
    always(),
    cite="Kalai and Vempala 2005, section 1, with K - 1 replaced by 1",
    over=grid(n=[6], k=[4]),
    expected="refuted",
)
def plain_ftl_binary(forall, *, n, k):
    """Follow the leader on losses in {0, 1}: L_FTL <= K L* + 1."""
    losses = forall.integers("losses", 0, 1, n, k)
    total = losses.cumsum(1)
    order = torch.arange(k, dtype=torch.float64) / 1000
    leader = (total - losses + order).argmin(-1, keepdim=True)
    mine = losses.gather(-1, leader).sum((1, 2))
    return mine, k * total[:, -1].amin(-1) + 1


@claim(
    "learning/plain-perceptron-linear-in-margin",
    always(),
    cite="Novikoff 1962 without the squares",
    over=grid(n=[8], d=[3]),
    expected="refuted",
)
def plain_perceptron(forall, *, n, d):
    """Mistakes of the perceptron are at most radius / margin (two passes)."""
    x = forall.ball("x", n, d)
    u = forall.sphere("u", d)
    score = (x * u[:, None]).sum(-1)
    y = score.sign()
    w = torch.zeros_like(u)
    mistakes = torch.zeros_like(score[:, 0])
    for i in list(range(n)) * 2:
        wrong = (y[:, i] * (w * x[:, i]).sum(-1) <= 0).double()
        w = w + (wrong * y[:, i])[:, None] * x[:, i]
        mistakes = mistakes + wrong
    return mistakes * score.abs().amin(-1), x.norm(dim=-1).amax(-1)


@claim(
    "learning/plain-ogd-forgets-diameter",
    always(),
    cite="Zinkevich 2003, Theorem 1, without the term 1 / (2 eta)",
    over=grid(n=[20]),
    expected="refuted",
)
def plain_ogd(forall, *, n):
    """Online gradient descent on [-1, 1] has regret at most eta n / 2 on these gradient sequences."""
    t = torch.arange(n)
    half = torch.where(t < n // 2, 1.0, -1.0).double()
    g = forall.choice("g", [1 - 2 * (t % 2).double(), half, torch.ones(n, dtype=torch.float64)])
    eta = forall.interval("eta", 0.05, 2.0)
    w = torch.zeros_like(eta)
    lost = torch.zeros_like(eta)
    for i in range(n):
        lost = lost + g[:, i] * w
        w = (w - eta * g[:, i]).clamp(-1, 1)
    return lost + g.sum(1).abs(), eta * n / 2


@claim(
    "learning/plain-elliptical-factor-one",
    always(),
    cite="Lattimore and Szepesvari 2020, Lemma 19.4, with 2 log det replaced by log det",
    over=grid(n=[10], d=[2]),
    expected="refuted",
)
def plain_elliptical(forall, *, n, d):
    """sum_t min(1, |x_t|^2 in the norm of V_{t-1}^{-1}) <= ln det V_n, with V_0 = I."""
    x = forall.ball("x", n, d)
    v = torch.eye(d, dtype=x.dtype, device=x.device).expand(x.shape[0], d, d)
    lhs = torch.zeros_like(x[:, 0, 0])
    for t in range(n):
        xt = x[:, t]
        lhs = lhs + (xt * torch.linalg.solve(v, xt)).sum(-1).clamp_max(1.0)
        v = v + xt[:, :, None] * xt[:, None, :]
    return lhs, torch.logdet(v)


# ---------------------------------------------------------------------------------------------------- optimisation


@claim(
    "learning/true-gd-linear-rate",
    always(),
    cite="Nesterov 2004, Theorem 2.1.15, on quadratics",
    over=grid(d=[1, 30, 200], k=[1, 20, 100]),
)
def true_gd_linear(forall, *, d, k):
    """Gradient descent with step 2 / (m + L) contracts distances by ((L - m) / (L + m))^k."""
    m, big = 0.02, 1.0
    lam = forall.interval("lam", m, big, d)
    x0 = forall.interval("x0", -1.0, 1.0, d)
    xk = (1 - 2 * lam / (m + big)) ** k * x0
    return xk.norm(dim=-1), ((big - m) / (big + m)) ** k * x0.norm(dim=-1)


@claim(
    "learning/true-gd-sublinear-sharp",
    always(),
    cite="Nesterov 2004, section 2.1.5; maximise lam (1 - lam)^(2k) at lam = 1 / (2k + 1)",
    over=grid(d=[1, 10], k=[1, 10, 100]),
)
def true_gd_sublinear(forall, *, d, k):
    """With step 1, f(x_k) <= |x_0|^2 / (4k + 2) * (2k / (2k + 1))^(2k) for spectra in [0, 1]."""
    lam = forall.interval("lam", 0.0, 1.0, d)
    x0 = forall.ball("x0", d, radius=10.0)
    value = 0.5 * (lam * (1 - lam) ** (2 * k) * x0**2).sum(-1)
    return value, (x0**2).sum(-1) / (4 * k + 2) * (2 * k / (2 * k + 1)) ** (2 * k)


@claim(
    "learning/true-kantorovich",
    always(),
    cite="Kantorovich 1948; Luenberger and Ye, section 8.2 (exact line search)",
    over=grid(d=[1, 2, 20]),
)
def true_kantorovich(forall, *, d):
    """(sum p lam)(sum p / lam) <= (m + L)^2 / (4 m L) for lam in [m, L]."""
    p = forall.simplex("p", d)
    lam = forall.interval("lam", 0.1, 10.0, d)
    return (p * lam).sum(-1) * (p / lam).sum(-1), (0.1 + 10.0) ** 2 / (4 * 0.1 * 10.0)


@claim(
    "learning/true-ridge-stability",
    always(),
    cite="Bousquet and Elisseeff 2002, Theorem 22; Shalev-Shwartz and Ben-David 2014, section 13.3",
    over=grid(n=[1, 6], d=[1, 3]),
)
def true_ridge_stability(forall, *, n, d):
    """Replacing one example moves ridge regression by at most |difference of its gradients| / (lam n)."""
    x = forall.ball("x", n, d)
    y = forall.interval("y", -1.0, 1.0, n)
    x_new = forall.ball("x_new", d)
    y_new = forall.interval("y_new", -1.0, 1.0)
    lam = forall.interval("lam", 0.01, 1.0)
    x2, y2 = torch.cat([x_new[:, None], x[:, 1:]], 1), torch.cat([y_new[:, None], y[:, 1:]], 1)
    eye = torch.eye(d, dtype=x.dtype, device=x.device)
    w1, w2 = (
        torch.linalg.solve(a.mT @ a / n + lam[:, None, None] * eye, (a * b[:, :, None]).sum(1) / n)
        for a, b in ((x, y), (x2, y2))
    )
    old = ((x[:, 0] * w2).sum(-1) - y[:, 0])[:, None] * x[:, 0]
    new = ((x_new * w2).sum(-1) - y_new)[:, None] * x_new
    return lam * n * (w1 - w2).norm(dim=-1), (old - new).norm(dim=-1)


@claim(
    "learning/plain-gd-e-constant",
    always(),
    cite="Nesterov 2004, section 2.1.5, with (2k / (2k + 1))^(2k) replaced by its limit 1 / e",
    over=grid(d=[2], k=[3]),
    expected="refuted",
)
def plain_gd_e(forall, *, d, k):
    """f(x_k) <= |x_0|^2 / (2 e (2k + 1)) for gradient descent with step 1 and spectra in [0, 1]."""
    lam = forall.interval("lam", 0.0, 1.0, d)
    x0 = forall.ball("x0", d)
    value = 0.5 * (lam * (1 - lam) ** (2 * k) * x0**2).sum(-1)
    return value, (x0**2).sum(-1) / (2 * math.e * (2 * k + 1))


@claim(
    "learning/subtle-cg-ten-percent",
    always(),
    cite="Saad 2003, section 6.11.3, squared and with a factor 0.9",
    over=grid(k=[3]),
    expected="refuted",
)
def subtle_cg(forall, *, k):
    """Energy of CG's error after 3 steps at most 0.9 (2 rho^k / (1 + rho^(2k)))^2 times the first one.

    The bound without 0.9 is attained at one spectrum (Chebyshev's extremal points) with one set of weights: a smooth
    climb in eight variables ends there.
    """
    kappa = 25.0
    lam = forall.interval("lam", 1.0, kappa, k + 1)
    start = forall.sphere("start", k + 1)
    x, r = start, -lam * start
    p, rr = r, (r * r).sum(-1, keepdim=True)
    for _ in range(k):
        step = rr / (p * lam * p).sum(-1, keepdim=True)
        x, r = x + step * p, r - step * lam * p
        rr, old = (r * r).sum(-1, keepdim=True), rr
        p = r + rr / old * p
    rho = (math.sqrt(kappa) - 1) / (math.sqrt(kappa) + 1)
    bound = (2 * rho**k / (1 + rho ** (2 * k))) ** 2
    return (lam * x**2).sum(-1), 0.9 * bound * (lam * start**2).sum(-1)


@claim(
    "learning/subtle-nesterov-quarter",
    always(),
    cite="Beck and Teboulle 2009, Theorem 4.4, with 2 replaced by 1/2",
    over=grid(k=[30]),
    expected="refuted",
)
def subtle_nesterov(forall, *, k):
    """Accelerated gradient descent: f(x_k) <= |x_0|^2 / (2 (k + 1)^2) for spectra in [0, 1].

    Violated (by up to a fifth) only for eigenvalues in about [0.0016, 0.0054]: a hill with slopes on both sides.
    """
    lam = forall.interval("lam", 0.0, 1.0, 3)
    x0 = forall.ball("x0", 3)
    x, y, t = x0, x0, 1.0
    for _ in range(k):
        x_next = y - lam * y
        t_next = (1 + math.sqrt(1 + 4 * t * t)) / 2
        y = x_next + (t - 1) / t_next * (x_next - x)
        x, t = x_next, t_next
    return 0.5 * (lam * x**2).sum(-1), (x0**2).sum(-1) / (2 * (k + 1) ** 2)


PROOFS = {
    "learning/true-hedge-tuned": (
        "Cesa-Bianchi and Lugosi, Theorem 2.2: ln K / eta + eta n / 8 (Hoeffding's lemma) at the optimal eta."
    ),
    "learning/true-hedge-first-order": (
        "exp(-eta l) <= 1 - (1 - e^-eta) l on [0, 1] and ln(1 - x) <= -x; telescope ln sum_k exp(-eta L_k)."
    ),
    "learning/true-hedge-anytime": (
        "Regret <= ln K / eta_n + sum eta_t / 8 since (1/eta) ln mean exp(-eta L) decreases in eta; sum t^(-1/2) "
        "<= 2 sqrt n; "
        "K = 1 is 0 <= 0."
    ),
    "learning/true-ftl-binary-losses": (
        "While the least cumulative loss is m each expert can be an erring leader once, as it leaves level m for "
        "good; for "
        "m = L* the best expert never leaves, so at most K - 1 errors there."
    ),
    "learning/true-ftl-quadratic-regret": (
        "Welford: sum |z_t - mean_n|^2 = sum (1 - 1/t) |z_t - mean_{t-1}|^2; subtract from sum |z_t - w_t|^2."
    ),
    "learning/true-ogd-ball": (
        "|w_{t+1} - u|^2 <= |w_t - u|^2 - 2 eta <g_t, w_t - u> + eta^2 |g_t|^2; sum, with |u| <= 1 and w_1 = 0."
    ),
    "learning/true-perceptron-novikoff": (
        "<w, u> grows by at least the margin and |w|^2 by at most R^2 per mistake; a zero score makes the margin 0."
    ),
    "learning/true-hedge-on-patterns": "Cesa-Bianchi and Lugosi, Theorem 2.2, holds for every eta > 0.",
    "learning/true-exp3": (
        "Bubeck and Cesa-Bianchi, Theorem 3.1 (fixed losses); the left side lies in [-20, 20] and the right side "
        "is 11.4819."
    ),
    "learning/true-elliptical-potential": (
        "det V_n = prod (1 + u_t) and min(1, u) <= log2(1 + u) by concavity (equality at u = 0 and u = 1)."
    ),
    "learning/true-gd-linear-rate": "|1 - 2 lam / (m + L)| <= (L - m) / (L + m) on [m, L], equality at both ends.",
    "learning/true-gd-sublinear-sharp": (
        "lam (1 - lam)^(2k) is at most 1/(2k+1) (2k/(2k+1))^(2k) on [0, 1], at lam = 1/(2k+1)."
    ),
    "learning/true-kantorovich": (
        "(lam - m)(L - lam) >= 0 gives 1/lam <= (m + L - lam) / (m L); then AM-GM in the mean of lam."
    ),
    "learning/true-ridge-stability": (
        "Strong convexity: lam |w1 - w2| <= |grad F_1(w2)|, and grad F_1(w2) = (old - new) / n as grad F_2(w2) = 0."
    ),
}


WITNESSES = {
    "learning/plain-hedge-sixteen": {
        "params": {"n": 100, "k": 2},
        "values": {"losses": [[1.0, 0.0], [0.0, 1.0]] * 50, "eta": 0.5},
        "why": "alternating losses: regret 50 (sigma(1/2) - 1/2) = 6.1230 against 2 ln 2 + 3.125 = 4.5113",
    },
    "learning/plain-ftl-square-root": {
        "params": {"n": 40, "k": 2},
        "values": {"losses": [[0.5, 0.0]] + [[0.0, 1.0], [1.0, 0.0]] * 19 + [[0.0, 1.0]]},
        "why": (
            "the leader errs in each of rounds 2 to 40: loss at least 39, best 19.5, regret >= 19.5 > 2 "
            "sqrt(40 ln 2) = 10.53"
        ),
    },
    "learning/plain-ftl-binary-plus-one": {
        "params": {"n": 6, "k": 4},
        "values": {"losses": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]] + [[0, 0, 0, 0]] * 3},
        "why": "each of three leaders errs once, the fourth expert never: 3 > 4 * 0 + 1",
    },
    "learning/plain-perceptron-linear-in-margin": {
        "params": {"n": 8, "d": 3},
        "values": {
            "x": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] + [[1.0, 0.0, 0.0]] * 5,
            "u": [3**-0.5, 3**-0.5, 3**-0.5],
        },
        "why": "three mistakes, margin 1 / sqrt 3, radius 1: sqrt 3 > 1",
    },
    "learning/plain-ogd-forgets-diameter": {
        "params": {"n": 20},
        "values": {"g": [1.0] * 20, "eta": 0.05},
        "why": "constant gradient: w_t = -0.05 (t - 1), regret 20 - 9.5 = 10.5 against 0.5",
    },
    "learning/plain-elliptical-factor-one": {
        "params": {"n": 10, "d": 2},
        "values": {"x": [[1.0, 0.0]] * 10},
        "why": "sum 1 / t to 10 = 2.9290 against ln 11 = 2.3979",
    },
    "learning/plain-gd-e-constant": {
        "params": {"d": 2, "k": 3},
        "values": {"lam": [1 / 7, 1 / 7], "x0": [1.0, 0.0]},
        "why": "(1/14) (6/7)^6 = 0.028326 against 1 / (14 e) = 0.026277",
    },
    "learning/subtle-cg-ten-percent": {
        "params": {"k": 3},
        "values": {
            "lam": [25.0, 19.0, 7.0, 1.0],
            "start": [0.03907404433762815, 0.07270926768294916, 0.19735372656800487, 0.9768511084407037],
        },
        "why": "eigenvalues 13 + 12 cos(j pi / 3) with the dual weights attain the bound: ratio 1 / 0.9",
    },
    "learning/subtle-nesterov-quarter": {
        "params": {"k": 30},
        "values": {"lam": [0.003185, 1.0, 1.0], "x0": [1.0, 0.0, 0.0]},
        "why": "(k + 1)^2 f(x_k) = 0.60360 > 0.5 by the scalar recursion in 50 digits",
    },
}
