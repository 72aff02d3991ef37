"""Alien claims, known: Gaussian calculus and its uses (2); see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, tail


def phi(x):
    return (-(x**2) / 2).exp() / math.sqrt(2 * math.pi)


def kl(m, s):
    return (m**2 + s**2 - 1) / 2 - s.log()


def standard_pair(forall):
    return forall.interval("m", -3.0, 3.0), forall.interval("s", 0.1, 3.0)


def expected_max(m1, m2, s1, s2, r):
    a = (s1**2 + s2**2 - 2 * r * s1 * s2).sqrt()
    z = (m1 - m2) / a
    return m1 * torch.special.ndtr(z) + m2 * torch.special.ndtr(-z) + a * phi(z)


def gram(x):
    return x @ x.mT


def two_point_norm(a, b, p):
    return (((a + b).abs() ** p + (a - b).abs() ** p) / 2) ** (1 / p)


def correlated(draw, r, n=1):
    z = draw.normal("z", 2)
    return z[:, 0], r * z[:, 0] + (1 - r**2).sqrt() * z[:, 1]


@claim("gaussian/plain-log-sobolev-quarter", always(), expected="refuted", cite="Gross 1975")
def log_sobolev_quarter(forall):
    """KL <= relative Fisher information / 4."""
    m, s = standard_pair(forall)
    return kl(m, s), (m**2 + (s - 1 / s) ** 2) / 4


@claim("gaussian/true-hwi", always(), cite="Otto and Villani 2000")
def hwi(forall):
    """KL <= W_2 sqrt(I) - W_2^2 / 2."""
    m, s = standard_pair(forall)
    w2, fisher = m**2 + (s - 1) ** 2, m**2 + (s - 1 / s) ** 2
    return kl(m, s), w2.sqrt() * fisher.sqrt() - w2 / 2


@claim("gaussian/subtle-hwi", always(), expected="refuted", cite="Otto and Villani 2000")
def hwi_wrong(forall):
    """KL <= W_2 sqrt(I) - 0.51 W_2^2."""
    m, s = standard_pair(forall)
    w2, fisher = m**2 + (s - 1) ** 2, m**2 + (s - 1 / s) ** 2
    return kl(m, s), w2.sqrt() * fisher.sqrt() - 0.51 * w2


@claim("gaussian/true-bonami", always(), over=grid(p=[1.5, 2.0], q=[3.0, 4.0]), cite="Bonami 1970")
def bonami(forall, *, p, q):
    """|a + r b e|_q <= |a + b e|_p for a sign e and r^2 = (p - 1) / (q - 1)."""
    a, b = forall.interval("a", -1.0, 1.0), forall.interval("b", -1.0, 1.0)
    r = math.sqrt((p - 1) / (q - 1))
    return two_point_norm(a, r * b, q), two_point_norm(a, b, p)


@claim("gaussian/subtle-bonami", always(), expected="refuted", cite="Bonami 1970")
def bonami_wrong(forall):
    """|a + 0.5831 b e|_4 <= |a + b e|_2 for a sign e."""
    a, b = forall.interval("a", -1.0, 1.0), forall.interval("b", -1.0, 1.0)
    return two_point_norm(a, 0.5831 * b, 4.0), two_point_norm(a, b, 2.0)


@claim("gaussian/plain-bonami", always(), expected="refuted", cite="Bonami 1970")
def bonami_far(forall):
    """|a + 0.7 b e|_4 <= |a + b e|_2 for a sign e."""
    a, b = forall.interval("a", -1.0, 1.0), forall.interval("b", -1.0, 1.0)
    return two_point_norm(a, 0.7 * b, 4.0), two_point_norm(a, b, 2.0)


@claim("gaussian/true-sudakov-fernique-two", always(), cite="Fernique 1975")
def sudakov_fernique_two(forall):
    """E max(X, Y) decreases with the correlation."""
    m1, m2 = forall.interval("m1", -2.0, 2.0), forall.interval("m2", -2.0, 2.0)
    s1, s2 = forall.interval("s1", 0.1, 2.0), forall.interval("s2", 0.1, 2.0)
    r1, r2 = forall.interval("r1", -1.0, 1.0), forall.interval("r2", -1.0, 1.0)
    forall.assume(r1 <= r2)
    return expected_max(m1, m2, s1, s2, r2), expected_max(m1, m2, s1, s2, r1)


@claim("gaussian/plain-sheppard", tail(), expected="refuted", cite="Sheppard 1899")
def sheppard_wrong(forall, draw):
    """P(X > 0, Y > 0) <= 1/4 + arcsin(r) / pi."""
    r = forall.interval("r", -0.7, 0.9)
    x, y = correlated(draw, r)
    return (x > 0) & (y > 0), 0.25 + r.asin() / math.pi


@claim("gaussian/true-sidak", expectation(range=(-1.0, 1.0), margin=0.01), cite="Sidak 1967")
def sidak(forall, draw):
    """P(|X| <= a) P(|Y| <= b) <= P(|X| <= a, |Y| <= b)."""
    r, a, b = forall.interval("r", -0.99, 0.99), forall.interval("a", 0.1, 3.0), forall.interval("b", 0.1, 3.0)
    x, y = correlated(draw, r)
    product = torch.erf(a / math.sqrt(2)) * torch.erf(b / math.sqrt(2))
    return product, ((x.abs() <= a) & (y.abs() <= b)).double()


@claim(
    "gaussian/plain-slepian-any-correlation",
    expectation(range=(-1.0, 1.0), margin=0.01),
    expected="refuted",
    cite="Slepian 1962",
)
def slepian_any(forall, draw):
    """P(X <= a) P(Y <= b) <= P(X <= a, Y <= b), whatever the correlation."""
    r, a, b = forall.interval("r", -0.99, 0.99), forall.interval("a", -2.0, 2.0), forall.interval("b", -2.0, 2.0)
    x, y = correlated(draw, r)
    return torch.special.ndtr(a) * torch.special.ndtr(b), ((x <= a) & (y <= b)).double()


@claim("gaussian/true-arc-cosine-one-psd", always(), cite="Cho and Saul 2009")
def arc_cosine_one(forall):
    """The arc-cosine kernel of order one is positive semi-definite."""
    t = gram(forall.sphere("x", 4, 3)).clamp(-1, 1).acos()
    k = (t.sin() + (math.pi - t) * t.cos()) / math.pi
    return -torch.linalg.eigvalsh(k)[:, 0], 0.0


@claim("gaussian/true-radial-kernel-psd", always(), cite="Bochner 1933")
def radial_kernel(forall):
    """The Gaussian kernel is positive semi-definite."""
    x = forall.ball("x", 5, 2, radius=2.0)
    k = (-(x[:, :, None] - x[:, None]).square().sum(-1) / 2).exp()
    return -torch.linalg.eigvalsh(k)[:, 0], 0.0


@claim("gaussian/true-random-features-mean", expectation(range=(-2.0, 2.0), margin=0.02), cite="Rahimi and Recht 2007")
def random_features(forall, draw):
    """E cos(<w, d>) = exp(-|d|^2/2)."""
    d = forall.ball("d", 3, radius=3.0)
    return (draw.normal("w", 3) * d).sum(-1).cos(), (-d.square().sum(-1) / 2).exp()


@claim("gaussian/true-norm-concentration", tail(), over=grid(n=[2, 10]), cite="Borell 1975")
def norm_concentration(forall, draw, *, n):
    """P(|X| >= sqrt(n) + t) <= exp(-t^2/2)."""
    t = forall.interval("t", 0.0, 3.0)
    return draw.normal("x", n).norm(dim=-1) >= math.sqrt(n) + t, (-(t**2) / 2).exp()


@claim("gaussian/true-johnson-lindenstrauss", tail(), over=grid(m=[20]), cite="Dasgupta and Gupta 2003")
def johnson_lindenstrauss(forall, draw, *, m):
    """P(||A x|^2/m - |x|^2| >= e |x|^2) <= 2 exp(-m (e^2 - e^3) / 4)."""
    x, e = forall.sphere("x", 4), forall.interval("e", 0.1, 0.9)
    y = (draw.normal("A", m, 4) * x[:, None]).sum(-1)
    return ((y**2).sum(-1) / m - 1).abs() >= e, (2 * (-m * (e**2 - e**3) / 4).exp()).clamp_max(1)


@claim(
    "gaussian/plain-johnson-lindenstrauss",
    tail(),
    over=grid(m=[20]),
    expected="refuted",
    cite="Dasgupta and Gupta 2003",
)
def johnson_lindenstrauss_wrong(forall, draw, *, m):
    """P(||A x|^2/m - |x|^2| >= e |x|^2) <= 2 exp(-m e^2 / 2)."""
    x, e = forall.sphere("x", 4), forall.interval("e", 0.1, 0.9)
    y = (draw.normal("A", m, 4) * x[:, None]).sum(-1)
    return ((y**2).sum(-1) / m - 1).abs() >= e, (2 * (-m * e**2 / 2).exp()).clamp_max(1)


@claim("gaussian/plain-laurent-massart-one-term", tail(), expected="refuted", cite="Laurent and Massart 2000, Lemma 1")
def laurent_massart_one_term(forall, draw):
    """P(Z^2 - 1 >= 2 sqrt(x)) <= exp(-x)."""
    x = forall.interval("x", 0.1, 6.0)
    return draw.normal("z") ** 2 - 1 >= 2 * x.sqrt(), (-x).exp()


PROOFS = {
    "gaussian/true-hwi": ("The HWI inequality for the standard normal law."),
    "gaussian/true-bonami": ("The two-point inequality."),
    "gaussian/true-sudakov-fernique-two": ("E max depends on Var(X - Y) alone and grows with it."),
    "gaussian/true-sidak": ("Sidak's inequality for two variables."),
    "gaussian/true-arc-cosine-one-psd": ("A mean of products relu(u x) relu(u y)."),
    "gaussian/true-radial-kernel-psd": ("It is the mean of cos(w (x - y))."),
    "gaussian/true-random-features-mean": ("The characteristic function of the normal law."),
    "gaussian/true-norm-concentration": ("The norm is 1-Lipschitz, and its mean is at most sqrt(n)."),
    "gaussian/true-johnson-lindenstrauss": ("Chernoff's bound for chi-square on either side."),
}

WITNESSES = {
    "gaussian/plain-log-sobolev-quarter": {"params": {}, "values": {"m": 1.0, "s": 1.0}, "why": "1/2 against 1/4"},
    "gaussian/subtle-hwi": {"params": {}, "values": {"m": 1.0, "s": 1.0}, "why": ".5 against .49"},
    "gaussian/subtle-bonami": {"params": {}, "values": {"a": 1.0, "b": 0.15}, "why": "1 / sqrt 3 = .57735; b^2 < .045"},
    "gaussian/plain-bonami": {
        "params": {},
        "values": {"a": 1.0, "b": 0.5},
        "why": "1.75 against 1.5625 in fourth powers",
    },
    "gaussian/plain-sheppard": {"params": {}, "values": {"r": -0.5}, "probability": 1 / 6, "why": "1/6 against 1/12"},
    "gaussian/plain-slepian-any-correlation": {
        "params": {},
        "values": {"r": -0.9, "a": 0.0, "b": 0.0},
        "mean": math.asin(0.9) / (2.0 * math.pi),
        "why": "negative correlation",
    },
    "gaussian/plain-johnson-lindenstrauss": {
        "params": {"m": 20},
        "values": {"x": [1.0, 0.0, 0.0, 0.0], "e": 0.8},
        "probability": 0.0154275953356065,
        "why": "chi-square of twenty degrees beyond 36 or below 4",
    },
    "gaussian/plain-laurent-massart-one-term": {
        "params": {},
        "values": {"x": 6.0},
        "probability": math.erfc(math.sqrt((1.0 + 2.0 * math.sqrt(6.0)) / 2.0)),
        "why": ".015 against .0025",
    },
}
