"""Alien claims, known, part 4 of 4: named inequalities in many phrasings; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, rate


def sign_table(n):
    """All 2^n sign vectors, one a row."""
    bits = torch.arange(2**n)[:, None] >> torch.arange(n)[None, :]
    return 2.0 * (bits & 1).double() - 1.0


@claim(
    "named/plain-chebyshev-three-points",
    high_probability("delta"),
    cite="Chebyshev, 36 % off in the square",
    over=grid(delta=[0.02]),
    expected="refuted",
)
def plain_chebyshev_three_points(forall, draw, *, delta):
    """x^2 <= 0.64 Var / delta for x in {-1, 0, 1}: false for P(x != 0) between delta and delta / 0.64."""
    q = forall.interval("q", 0.0, 1.0)
    x = draw.bernoulli("b", q) * draw.signs("s")
    return x**2, 0.64 * q / delta


@claim("named/plain-chebyshev-exact-law", always(), cite="Chebyshev, 20 % off", over=grid(k=[3]), expected="refuted")
def plain_chebyshev_exact_law(forall, *, k):
    """t^2 P(|X - E X| >= t) <= 0.8 Var X: false when all mass off the mean sits at distance t."""
    w, x, t = forall.simplex("w", k), forall.interval("x", -1.0, 1.0, k), forall.interval("t", 0.0, 1.0)
    centred = x - (w * x).sum(-1, keepdim=True)
    return t**2 * (w * (centred.abs() >= t[:, None])).sum(-1), 0.8 * (w * centred**2).sum(-1)


@claim(
    "named/plain-cantelli-coin",
    high_probability("delta"),
    cite="Cantelli, 20 % off",
    over=grid(delta=[0.05, 0.2]),
    expected="refuted",
)
def plain_cantelli_coin(forall, draw, *, delta):
    """x - p <= 0.8 sqrt(p (1 - p) (1 - delta) / delta)."""
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", p) - p, 0.8 * (p * (1 - p) * (1 - delta) / delta).sqrt()


@claim(
    "named/plain-cantelli-median",
    always(),
    cite="Hotelling, Solomons 1932, with 0.8 for 1",
    over=grid(n=[11]),
    expected="refuted",
)
def plain_cantelli_median(forall, *, n):
    """|median - mean| <= 0.8 sd: false for 6 zeros and 5 ones."""
    x = forall.interval("x", -1.0, 1.0, n)
    return (x.median(-1).values - x.mean(-1)).abs(), 0.8 * x.std(-1, correction=0)


@claim(
    "named/plain-hoeffding-few",
    high_probability("delta"),
    cite="Hoeffding 1963, 20 % off",
    over=grid(n=[2, 3], delta=[0.05]),
    expected="refuted",
)
def plain_hoeffding_few(forall, draw, *, n, delta):
    """mean - E <= 0.8 (b - a) sqrt(log(1/delta) / (2n)): false at n = 2 for a coin of bias 0.29 (two heads)."""
    a, w, p = forall.interval("a", -1.0, 1.0), forall.interval("w", 0.0, 2.0), forall.interval("p", 0.0, 1.0)
    x = a[:, None] + w[:, None] * draw.bernoulli("x", p, n)
    return x.mean(-1) - (a + w * p), 0.8 * w * math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "named/plain-azuma",
    high_probability("delta"),
    cite="Azuma 1967, 20 % off",
    over=grid(n=[6], delta=[0.01]),
    expected="refuted",
)
def plain_azuma(forall, draw, *, n, delta):
    """M_n <= 0.8 sqrt(2 sum c_i^2 log(1/delta)): false for six equal steps, P(all up) = 1/64."""
    c = forall.interval("c", 0.0, 1.0, n)
    s = draw.signs("s", n + 1)
    return (c * s[:, 1:] * s[:, :-1]).sum(-1), 0.8 * (2 * (c**2).sum(-1) * math.log(1 / delta)).sqrt()


@claim(
    "named/plain-laurent-massart-no-max",
    high_probability("delta"),
    cite="Laurent, Massart 2000 without the linear term",
    over=grid(n=[1, 4], delta=[0.01]),
    expected="refuted",
)
def plain_laurent_massart_no_max(forall, draw, *, n, delta):
    """sum a_i (z_i^2 - 1) <= 2 |a|_2 sqrt(log(1/delta)): false for one weight."""
    a = forall.interval("a", 0.0, 1.0, n)
    z = draw.normal("z", n)
    return (a * (z**2 - 1)).sum(-1), 2 * a.norm(dim=-1) * math.sqrt(math.log(1 / delta))


@claim(
    "named/plain-laurent-massart-lower",
    high_probability("delta"),
    cite="Laurent, Massart 2000, with 1.2 for 2",
    over=grid(n=[100], delta=[0.01]),
    expected="refuted",
)
def plain_laurent_massart_lower(forall, draw, *, n, delta):
    """sum a_i - 1.2 |a|_2 sqrt(log(1/delta)) <= sum a_i z_i^2: false for equal weights."""
    a = forall.interval("a", 0.0, 1.0, n)
    z = draw.normal("z", n)
    return a.sum(-1) - 1.2 * a.norm(dim=-1) * math.sqrt(math.log(1 / delta)), (a * z**2).sum(-1)


@claim(
    "named/plain-bretagnolle-huber-half",
    always(),
    cite="Bretagnolle, Huber 1979, with KL / 2",
    over=grid(k=[2, 3]),
    expected="refuted",
)
def plain_bretagnolle_huber_half(forall, *, k):
    """TV <= sqrt(1 - exp(-KL / 2)): false far apart, p = (0.99, 0.01), q = (0.01, 0.99)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return (p - q).abs().sum(-1) / 2, (1 - (-kl / 2).exp()).clamp_min(0).sqrt()


@claim(
    "named/plain-bretagnolle-huber-whole",
    always(),
    cite="Bretagnolle, Huber 1979, with 0.9 for 1/2",
    over=grid(k=[2, 6]),
    expected="refuted",
)
def plain_bretagnolle_huber_whole(forall, *, k):
    """0.9 exp(-KL) <= 1 - TV: false at p = (0.65, 0.35), q its mirror image."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = torch.where(p > 0, p * (p / q).log(), torch.zeros_like(p)).sum(-1)
    return 0.9 * (-kl).exp(), torch.minimum(p, q).sum(-1)


@claim(
    "named/plain-davis-kahan-no-two",
    always(),
    cite="Yu, Wang, Samworth 2015 without the factor 2",
    over=grid(d=[2, 3]),
    expected="refuted",
)
def plain_davis_kahan_no_two(forall, *, d):
    """gap(A) sin(theta) <= |t E|_op: false when E closes the gap and swaps the two eigenvectors."""
    a, g = forall.psd("a", d, trace=1.0), forall.interval("g", -1.0, 1.0, d, d)
    t = forall.interval("t", 0.0, 1.0)
    e = t[:, None, None] * (g + g.mT) / 2
    values, vectors = torch.linalg.eigh(a)
    other = torch.linalg.eigh(a + e).eigenvectors
    sine = (1 - (vectors[..., -1] * other[..., -1]).sum(-1) ** 2).clamp_min(0).sqrt()
    return (values[..., -1] - values[..., -2]) * sine, torch.linalg.matrix_norm(e, 2)


@claim(
    "named/subtle-davis-kahan-factor",
    always(),
    cite="Yu, Wang, Samworth 2015 with 1.8 for 2",
    over=grid(d=[2]),
    expected="refuted",
)
def subtle_davis_kahan_factor(forall, *, d):
    """gap(A) sin(theta) <= 1.8 |E|_op: false only where |E| is within 10 % above gap / 2 and E opposes A."""
    g, h = forall.interval("g", -1.0, 1.0, d, d), forall.interval("h", -1.0, 1.0, d, d)
    a, e = (g + g.mT) / 2, (h + h.mT) / 2
    values, vectors = torch.linalg.eigh(a)
    other = torch.linalg.eigh(a + e).eigenvectors
    sine = (1 - (vectors[..., -1] * other[..., -1]).sum(-1) ** 2).clamp_min(0).sqrt()
    return (values[..., -1] - values[..., -2]) * sine, 1.8 * torch.linalg.eigvalsh(e).abs().amax(-1)


@claim(
    "named/plain-khinchine-constant",
    always(),
    cite="Szarek 1976, with 0.75 for 1/sqrt(2)",
    over=grid(n=[2, 3, 6]),
    expected="refuted",
)
def plain_khinchine_constant(forall, *, n):
    """0.75 |a|_2 <= E |<a, s>|: false in a cone around (1, 1, 0, ..., 0)."""
    a = forall.interval("a", -1.0, 1.0, n)
    return 0.75 * a.norm(dim=-1), (a @ sign_table(n).T).abs().mean(-1)


@claim(
    "named/subtle-khinchine-mean",
    expectation(range=(-1.3, 0.76)),
    cite="Szarek 1976, with 0.75 for 1/sqrt(2)",
    over=grid(n=[4]),
    expected="refuted",
)
def subtle_khinchine_mean(forall, draw, *, n):
    """0.75 <= E |sum a_i s_i| for unit vectors a: false near (1, 1, 0, 0) / sqrt(2), by 0.06 standard deviations."""
    a = forall.sphere("a", n)
    return 0.75 * a.norm(dim=-1), (a * draw.signs("s", n)).sum(-1).abs()


@claim("named/plain-khinchine-fourth", always(), cite="Khinchine, with 2.5 for 3", over=grid(n=[8]), expected="refuted")
def plain_khinchine_fourth(forall, *, n):
    """E <a, s>^4 <= 2.5 |a|^4: false for eight equal weights (2.75)."""
    a = forall.interval("a", -1.0, 1.0, n)
    return ((a @ sign_table(n).T) ** 4).mean(-1), 2.5 * (a**2).sum(-1) ** 2


@claim("named/plain-am-gm-reversed", always(), cite="AM-GM, reversed", over=grid(n=[2, 5]), expected="refuted")
def plain_am_gm_reversed(forall, *, n):
    """The arithmetic mean is at most the geometric mean."""
    x = forall.interval("x", 0.0, 1.0, n)
    return x.mean(-1), x.prod(-1) ** (1 / n)


@claim(
    "named/plain-tv-hellinger",
    always(),
    cite="Tsybakov 2009, Lemma 2.3 without sqrt(2)",
    over=grid(k=[2, 5]),
    expected="refuted",
)
def plain_tv_hellinger(forall, *, k):
    """TV <= 1.1 H, H^2 = 1 - sum sqrt(p q): false for neighbours of a balanced law (the true factor is sqrt(2))."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p - q).abs().sum(-1) / 2, 1.1 * (1 - (p * q).sqrt().sum(-1)).clamp_min(0).sqrt()


@claim(
    "named/plain-kl-log-chi-square",
    always(),
    cite="Tsybakov 2009, Lemma 2.7, 10 % off",
    over=grid(k=[2, 4]),
    expected="refuted",
)
def plain_kl_log_chi_square(forall, *, k):
    """KL <= 0.9 log(1 + chi^2): false for a point mass p, where KL = log(1 + chi^2)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1), 0.9 * (p**2 / q).sum(-1).log()


@claim(
    "named/plain-ucb-no-union",
    high_probability("delta"),
    cite="Hoeffding 1963 without Boole",
    over=grid(arms=[20], n=[100], delta=[0.05]),
    expected="refuted",
)
def plain_ucb_no_union(forall, draw, *, arms, n, delta):
    """max_k |mean_k - p_k| <= sqrt(log(2/delta) / (2n)) over 20 arms: false for fair coins."""
    p = forall.interval("p", 0.0, 1.0, arms)
    means = draw.bernoulli("x", p, arms, n).mean(-1)
    return (means - p).abs().amax(-1), math.sqrt(math.log(2 / delta) / (2 * n))


@claim(
    "named/plain-popoviciu", always(), cite="Popoviciu 1935, with 1/5 for 1/4", over=grid(k=[2, 7]), expected="refuted"
)
def plain_popoviciu(forall, *, k):
    """Var X <= 1/5 for X in [0, 1]."""
    w, x = forall.simplex("w", k), forall.interval("x", 0.0, 1.0, k)
    return (w * x**2).sum(-1) - (w * x).sum(-1) ** 2, 0.2


@claim("named/subtle-gruss", always(), cite="Gruss 1935, 4 % off", over=grid(k=[6]), expected="refuted")
def subtle_gruss(forall, *, k):
    """E xy - Ex Ey <= 0.24 for values in [0, 1]: half of the weight at (1, 1), half at (0, 0), 18 variables."""
    w = forall.simplex("w", k)
    x, y = forall.interval("x", 0.0, 1.0, k), forall.interval("y", 0.0, 1.0, k)
    return (w * x * y).sum(-1) - (w * x).sum(-1) * (w * y).sum(-1), 0.24


@claim("named/plain-covariance", always(), cite="Cauchy-Schwarz, 10 % off", over=grid(k=[2, 5]), expected="refuted")
def plain_covariance(forall, *, k):
    """|Cov(x, y)| <= 0.9 sd(x) sd(y)."""
    w = forall.simplex("w", k)
    x, y = forall.interval("x", -1.0, 1.0, k), forall.interval("y", -1.0, 1.0, k)
    x = x - (w * x).sum(-1, keepdim=True)
    y = y - (w * y).sum(-1, keepdim=True)
    return (w * x * y).sum(-1).abs(), 0.9 * ((w * x**2).sum(-1) * (w * y**2).sum(-1)).sqrt()


@claim(
    "named/plain-angle-triangle", always(), cite="triangle inequality, 5 % off", over=grid(d=[2, 3]), expected="refuted"
)
def plain_angle_triangle(forall, *, d):
    """angle(x, z) <= 0.95 (angle(x, y) + angle(y, z)): false when y lies between x and z."""
    x, y, z = forall.sphere("x", d), forall.sphere("y", d), forall.sphere("z", d)
    xz, xy, yz = ((u * v).sum(-1).clamp(-1, 1).arccos() for u, v in ((x, z), (x, y), (y, z)))
    return xz, 0.95 * (xy + yz)


@claim(
    "named/subtle-ogd-regret", always(), cite="Zinkevich 2003, 20 % off", over=grid(T=[10], d=[2]), expected="refuted"
)
def subtle_ogd_regret(forall, *, T, d):
    """regret <= 0.8 (|u|^2 / (2 eta) + eta / 2 sum |g|^2), eta = 0.1: false on the ridge u = -eta sum g."""
    g, u = forall.ball("g", T, d), forall.ball("u", d, radius=5.0)
    x = -0.1 * (g.cumsum(1) - g)
    regret = (g * (x - u[:, None, :])).sum((-2, -1))
    return regret, 0.8 * ((u**2).sum(-1) / 0.2 + 0.05 * (g**2).sum((-2, -1)))


@claim(
    "named/plain-markov",
    high_probability("delta"),
    cite="Markov, 30 % off",
    over=grid(delta=[0.05, 0.2]),
    expected="refuted",
)
def plain_markov(forall, draw, *, delta):
    """x <= 0.7 E x / delta for x in {0, w}."""
    w, p = forall.interval("w", 0.0, 7.0), forall.interval("p", 0.0, 1.0)
    return w * draw.bernoulli("x", p), 0.7 * w * p / delta


@claim("named/plain-union-product", always(), cite="Boole, 10 % off", over=grid(k=[1, 10]), expected="refuted")
def plain_union_product(forall, *, k):
    """1 - prod (1 - p_i) <= 0.9 sum p_i: false for small p."""
    p = forall.interval("p", 0.0, 1.0, k)
    return 1 - (1 - p).prod(-1), 0.9 * p.sum(-1)


@claim(
    "named/plain-mean-lognormal",
    expectation(range=(-1.6, math.inf)),
    cite="E exp(s z) = exp(s^2 / 2)",
    expected="refuted",
)
def plain_mean_lognormal(forall, draw):
    """E exp(s z) <= exp(0.45 s^2), s in [0, 1]."""
    s = forall.interval("s", 0.0, 1.0)
    return (s * draw.normal("z")).exp(), (0.45 * s**2).exp()


@claim(
    "named/plain-variance-of-mean",
    expectation(range=(-0.25, 1.0)),
    cite="Bienayme, 20 % off",
    over=grid(n=[4]),
    expected="refuted",
)
def plain_variance_of_mean(forall, draw, *, n):
    """E (mean - p)^2 <= 0.8 p (1 - p) / n."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p) ** 2, 0.8 * p * (1 - p) / n


@claim(
    "named/plain-rate-root", rate("n", -0.75), cite="n^-1/2", over=grid(n=[4, 16, 64, 256, 1024]), expected="refuted"
)
def plain_rate_root(draw, *, n):
    """E |mean of n signs| = O(n^-3/4): the true exponent is -1/2."""
    return draw.signs("s", n).mean(-1).abs()


@claim(
    "named/plain-rate-floor",
    rate("n", -1.0),
    cite="a floor",
    over=grid(n=[10, 30, 100, 300, 1000, 3000]),
    expected="refuted",
)
def plain_rate_floor(draw, *, n):
    """1 / n + 0.05 = O(1 / n): it tends to 0.05."""
    return 1 / n + 0.05 + 0.0 * draw.uniform("u")


@claim(
    "named/plain-rate-mixed",
    rate("n", -1.0),
    cite="n^-1/2 dominates",
    over=grid(n=[10, 100, 1000, 10000, 100000]),
    expected="refuted",
)
def plain_rate_mixed(draw, *, n):
    """1 / sqrt(n) + 1 / n = O(1 / n): the true exponent is -1/2."""
    return 1 / math.sqrt(n) + 1 / n + 0.0 * draw.uniform("u")


CLOSE = {"p": [0.6, 0.4], "q": [0.4, 0.6]}


ROOT_HALF = 0.7071067811865476


PROOFS: dict[str, object] = {}


WITNESSES = {
    "named/plain-chebyshev-three-points": {
        "params": {"delta": 0.02},
        "values": {"q": 0.03},
        "probability": 0.03,
        "why": "1 > 0.64 * 1.5 = 0.96 whenever x != 0",
    },
    "named/plain-chebyshev-exact-law": {
        "params": {"k": 3},
        "values": {"w": [0.25, 0.5, 0.25], "x": [-0.5, 0.0, 0.5], "t": 0.5},
        "why": "0.25 * 0.5 = 0.125 > 0.8 * 0.125",
    },
    "named/plain-cantelli-coin": {
        "params": {"delta": 0.05},
        "values": {"p": 0.07},
        "probability": 0.07,
        "why": "0.93 > 0.8 sqrt(0.0651 * 19) = 0.8897",
    },
    "named/plain-cantelli-median": {
        "params": {"n": 11},
        "values": {"x": [0.0] * 6 + [1.0] * 5},
        "why": "5/11 = 0.4545 > 0.8 sqrt(30)/11 = 0.3983",
    },
    "named/plain-hoeffding-few": {
        "params": {"n": 2, "delta": 0.05},
        "values": {"a": 0.0, "w": 1.0, "p": 0.29},
        "probability": 0.0841,
        "why": "two heads: 0.71 > 0.8 sqrt(log(20)/4) = 0.6923, probability 0.29^2",
    },
    "named/plain-azuma": {
        "params": {"n": 6, "delta": 0.01},
        "values": {"c": [1.0] * 6},
        "probability": 0.015625,
        "why": "6 > 0.8 sqrt(12 log 100) = 5.947",
    },
    "named/plain-laurent-massart-no-max": {
        "params": {"n": 1, "delta": 0.01},
        "values": {"a": [1.0]},
        "probability": 0.021425,
        "why": "P(z^2 > 1 + 2 sqrt(log 100))",
    },
    "named/plain-laurent-massart-lower": {
        "params": {"n": 100, "delta": 0.01},
        "values": {"a": [1.0] * 100},
        "probability": 0.025134,
        "why": "P(chi2_100 < 100 - 12 sqrt(log 100))",
    },
    "named/plain-bretagnolle-huber-half": {
        "params": {"k": 2},
        "values": {"p": [0.99, 0.01], "q": [0.01, 0.99]},
        "why": "0.98 > sqrt(1 - 99^-0.49) = 0.9459",
    },
    "named/plain-bretagnolle-huber-whole": {
        "params": {"k": 2},
        "values": {"p": [0.65, 0.35], "q": [0.35, 0.65]},
        "why": "0.9 (7/13)^0.3 = 0.7475 > 0.7",
    },
    "named/plain-davis-kahan-no-two": {
        "params": {"d": 2},
        "values": {"a": [[0.6, 0.0], [0.0, 0.4]], "g": [[-0.11, 0.0], [0.0, 0.11]], "t": 1.0},
        "why": "the eigenvectors swap (0.49 < 0.51): 0.2 * 1 > 0.11",
    },
    "named/subtle-davis-kahan-factor": {
        "params": {"d": 2},
        "values": {"g": [[0.5, 0.0], [0.0, -0.5]], "h": [[-0.52, 0.0], [0.0, 0.52]]},
        "why": "the eigenvectors swap: 1 > 1.8 * 0.52 = 0.936",
    },
    "named/plain-khinchine-constant": {
        "params": {"n": 2},
        "values": {"a": [1.0, 1.0]},
        "why": "0.75 sqrt(2) = 1.0607 > 1",
    },
    "named/subtle-khinchine-mean": {
        "params": {"n": 4},
        "values": {"a": [ROOT_HALF, ROOT_HALF, 0.0, 0.0]},
        "mean": 0.042893,
        "why": "0.75 - sqrt(1/2)",
    },
    "named/plain-khinchine-fourth": {
        "params": {"n": 8},
        "values": {"a": [1.0] * 8},
        "why": "3 * 64 - 2 * 8 = 176 > 2.5 * 64 = 160",
    },
    "named/plain-am-gm-reversed": {"params": {"n": 2}, "values": {"x": [0.0, 1.0]}, "why": "1/2 > 0"},
    "named/plain-tv-hellinger": {
        "params": {"k": 2},
        "values": CLOSE,
        "why": "0.2 > 1.1 sqrt(1 - 2 sqrt(0.24)) = 0.15636",
    },
    "named/plain-kl-log-chi-square": {
        "params": {"k": 2},
        "values": {"p": [1.0, 0.0], "q": [0.5, 0.5]},
        "why": "log 2 > 0.9 log 2",
    },
    "named/plain-ucb-no-union": {
        "params": {"arms": 20, "n": 100, "delta": 0.05},
        "values": {"p": [0.5] * 20},
        "probability": 0.124697,
        "why": "1 - (1 - P(|Bin(100, 1/2) - 50| >= 14))^20",
    },
    "named/plain-popoviciu": {"params": {"k": 2}, "values": {"w": [0.5, 0.5], "x": [0.0, 1.0]}, "why": "1/4 > 1/5"},
    "named/subtle-gruss": {
        "params": {"k": 6},
        "values": {"w": [0.5, 0.5] + [0.0] * 4, "x": [1.0] + [0.0] * 5, "y": [1.0] + [0.0] * 5},
        "why": "1/4 > 0.24",
    },
    "named/plain-covariance": {
        "params": {"k": 2},
        "values": {"w": [0.5, 0.5], "x": [1.0, -1.0], "y": [1.0, -1.0]},
        "why": "1 > 0.9",
    },
    "named/plain-angle-triangle": {
        "params": {"d": 2},
        "values": {"x": [1.0, 0.0], "y": [0.8, 0.6], "z": [0.28, 0.96]},
        "why": "the angles are 2 s, s, s with cos s = 0.8: 2 s > 1.9 s",
    },
    "named/subtle-ogd-regret": {
        "params": {"T": 10, "d": 2},
        "values": {"g": [[1.0, 0.0]] * 10, "u": [-1.0, 0.0]},
        "why": "10 - 4.5 = 5.5 > 0.8 (5 + 0.5) = 4.4",
    },
    "named/plain-markov": {
        "params": {"delta": 0.05},
        "values": {"w": 1.0, "p": 0.07},
        "probability": 0.07,
        "why": "1 > 0.7 * 1.4 = 0.98",
    },
    "named/plain-union-product": {"params": {"k": 1}, "values": {"p": [0.01]}, "why": "0.01 > 0.009"},
    "named/plain-mean-lognormal": {
        "params": {},
        "values": {"s": 1.0},
        "mean": 0.080409,
        "why": "e^0.5 - e^0.45; standard deviation 2.161",
    },
    "named/plain-variance-of-mean": {
        "params": {"n": 4},
        "values": {"p": 0.5},
        "mean": 0.0125,
        "why": "1/16 - 0.8/16; standard deviation 0.0765",
    },
    "named/plain-rate-root": {"params": {}, "values": {}, "exponent": -0.5, "why": "sqrt(n) E|mean| -> sqrt(2/pi)"},
    "named/plain-rate-floor": {"params": {}, "values": {}, "exponent": 0.0, "why": "the limit is 0.05"},
    "named/plain-rate-mixed": {"params": {}, "values": {}, "exponent": -0.5, "why": "sqrt(n) times it tends to 1"},
}
