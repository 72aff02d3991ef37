"""Alien claims, known: Gaussian calculus and its uses (1); see README.md."""

import math

import numpy as np
import torch

from harness import always, claim, expectation, grid, identity


def phi(x):
    return (-(x**2) / 2).exp() / math.sqrt(2 * math.pi)


def upper(x):
    return torch.special.erfc(x / math.sqrt(2)) / 2


def he(n, x):
    before, now = torch.ones_like(x), x
    if n == 0:
        return before
    for k in range(1, n):
        before, now = now, x * now - k * before
    return now


def kl(m, s):
    return (m**2 + s**2 - 1) / 2 - s.log()


def standard_pair(forall):
    return forall.interval("m", -3.0, 3.0), forall.interval("s", 0.1, 3.0)


def hellinger(m, s):
    return 1 - (2 * s / (1 + s**2)).sqrt() * (-(m**2) / (4 * (1 + s**2))).exp()


@claim("gaussian/true-mills-upper", always(), cite="Gordon 1941")
def mills_upper(forall):
    """Q(x) <= phi(x) / x."""
    x = forall.interval("x", 0.01, 8.0)
    return upper(x), phi(x) / x


@claim("gaussian/true-mills-lower", always(), cite="Gordon 1941")
def mills_lower(forall):
    """Q(x) >= x phi(x) / (1 + x^2)."""
    x = forall.interval("x", 0.0, 30.0)
    return x * phi(x) / (1 + x**2), upper(x)


@claim("gaussian/plain-mills-wrong-way", always(), expected="refuted", cite="Gordon 1941")
def mills_wrong_way(forall):
    """Q(x) <= x phi(x) / (1 + x^2)."""
    x = forall.interval("x", 0.0, 10.0)
    return upper(x), x * phi(x) / (1 + x**2)


@claim("gaussian/subtle-birnbaum", always(), expected="refuted", cite="Birnbaum 1942")
def birnbaum_wrong(forall):
    """Q(x) >= 2 phi(x) / (x + sqrt(x^2 + 3.9))."""
    x = forall.interval("x", 0.0, 20.0)
    return 2 * phi(x) / (x + (x**2 + 3.9).sqrt()), upper(x)


@claim("gaussian/true-sampford", always(), cite="Sampford 1953")
def sampford(forall):
    """Q(x) <= 4 phi(x) / (3 x + sqrt(x^2 + 8))."""
    x = forall.interval("x", 0.0, 20.0)
    return upper(x), 4 * phi(x) / (3 * x + (x**2 + 8).sqrt())


@claim("gaussian/true-polya", always(), cite="Polya 1945")
def polya(forall):
    """erf(x)^2 <= 1 - exp(-4 x^2 / pi)."""
    x = forall.real("x")
    return torch.erf(x) ** 2, 1 - (-4 * x**2 / math.pi).exp()


@claim("gaussian/subtle-polya", always(), expected="refuted", cite="Polya 1945")
def polya_wrong(forall):
    """erf(x)^2 <= 1 - exp(-1.265 x^2)."""
    x = forall.real("x")
    return torch.erf(x) ** 2, 1 - (-1.265 * x**2).exp()


@claim("gaussian/true-stein-cubic", identity(), cite="Stein 1972")
def stein_cubic(forall):
    """E X f(X) = E f'(X) for cubic f, by Gauss-Hermite quadrature."""
    c = forall.interval("c", -1.0, 1.0, 4)
    nodes, weights = np.polynomial.hermite_e.hermegauss(6)
    x, w = torch.tensor(nodes), torch.tensor(weights / weights.sum())
    f = sum(c[:, k, None] * x**k for k in range(4))
    derivative = sum(k * c[:, k, None] * x ** (k - 1) for k in range(1, 4))
    return (w * x * f).sum(-1), (w * derivative).sum(-1)


@claim("gaussian/plain-stein-jump", expectation(range=(-1.0, math.inf)), expected="refuted", cite="Stein 1972")
def stein_jump(draw):
    """E X sign(X) <= E sign'(X) = 0."""
    x = draw.normal("x")
    return x * x.sign(), 0.0


@claim("gaussian/true-hermite-recurrence", identity(), over=grid(n=[2, 5, 10]), cite="Szego 1939, (5.5.8)")
def hermite_recurrence(forall, *, n):
    """He_(n+1) = x He_n - n He_(n-1), for torch's polynomials."""
    x = forall.interval("x", -5.0, 5.0)
    h = torch.special.hermite_polynomial_he
    return h(x, n + 1), x * h(x, n) - n * h(x, n - 1)


@claim("gaussian/true-turan", always(), over=grid(n=[1, 3, 6]), cite="Turan 1950")
def turan(forall, *, n):
    """He_(n-1) He_(n+1) <= He_n^2."""
    x = forall.interval("x", -6.0, 6.0)
    return he(n - 1, x) * he(n + 1, x), he(n, x) ** 2


@claim("gaussian/true-ornstein-uhlenbeck-eigen", identity(), over=grid(n=[2, 3, 5]), cite="Mehler 1866")
def ornstein_uhlenbeck(forall, *, n):
    """E He_n(r x + sqrt(1 - r^2) Z) = r^n He_n(x), by quadrature."""
    x, r = forall.interval("x", -3.0, 3.0), forall.interval("r", 0.0, 1.0)
    nodes, weights = np.polynomial.hermite_e.hermegauss(8)
    z, w = torch.tensor(nodes), torch.tensor(weights / weights.sum())
    inside = r[:, None] * x[:, None] + (1 - r**2).sqrt()[:, None] * z
    return (w * he(n, inside)).sum(-1), r**n * he(n, x)


@claim("gaussian/true-total-variation-shift", always(), cite="Reiss 1989")
def total_variation_shift(forall):
    """TV(N(0,1), N(m,1)) <= |m| / sqrt(2 pi)."""
    m = forall.real("m")
    return torch.erf(m.abs() / (2 * math.sqrt(2))), m.abs() / math.sqrt(2 * math.pi)


@claim("gaussian/subtle-total-variation-shift", always(), expected="refuted", cite="Reiss 1989")
def total_variation_shift_wrong(forall):
    """TV(N(0,1), N(m,1)) <= 0.395 |m|."""
    m = forall.real("m")
    return torch.erf(m.abs() / (2 * math.sqrt(2))), 0.395 * m.abs()


@claim("gaussian/true-hellinger-kl", always(), cite="Tsybakov 2009, Lemma 2.4")
def hellinger_kl(forall):
    """H^2 <= KL / 2, H^2 = 1 - affinity."""
    m, s = standard_pair(forall)
    return hellinger(m, s), kl(m, s) / 2


@claim("gaussian/plain-hellinger-kl-quarter", always(), expected="refuted", cite="Tsybakov 2009, Lemma 2.4")
def hellinger_kl_quarter(forall):
    """H^2 <= KL / 4."""
    m, s = standard_pair(forall)
    return hellinger(m, s), kl(m, s) / 4


@claim("gaussian/true-log-sobolev", always(), cite="Gross 1975")
def log_sobolev(forall):
    """KL <= relative Fisher information / 2."""
    m, s = standard_pair(forall)
    return kl(m, s), (m**2 + (s - 1 / s) ** 2) / 2


PROOFS = {
    "gaussian/true-mills-upper": ("Integrate (t/x) phi(t) from x on."),
    "gaussian/true-mills-lower": (
        "The derivative of the difference is -2 phi / (1 + x^2)^2, and it vanishes at infinity."
    ),
    "gaussian/true-sampford": ("Sampford's inequality, for x > -1."),
    "gaussian/true-polya": ("Of all sets of the area of the square, the disc has the largest mass."),
    "gaussian/true-stein-cubic": ("Partial integration; six nodes are exact up to degree eleven."),
    "gaussian/true-hermite-recurrence": ("Differentiate the generating function."),
    "gaussian/true-turan": ("The difference is (n - 1)! times a sum of squares He_k^2 / k!."),
    "gaussian/true-ornstein-uhlenbeck-eigen": ("The generating function is an eigenfunction with r t in place of t."),
    "gaussian/true-total-variation-shift": ("erf(z) <= 2 z / sqrt(pi)."),
    "gaussian/true-hellinger-kl": ("KL >= -2 log(1 - H^2) >= 2 H^2 by Jensen."),
    "gaussian/true-log-sobolev": ("1 - 1/u <= log u for u = s^2."),
}

WITNESSES = {
    "gaussian/plain-mills-wrong-way": {"params": {}, "values": {"x": 1.0}, "why": ".159 against .121"},
    "gaussian/subtle-birnbaum": {"params": {}, "values": {"x": 10.0}, "why": "4 is needed for large x"},
    "gaussian/subtle-polya": {"params": {}, "values": {"x": 0.1}, "why": "4 / pi = 1.273 is needed for small x"},
    "gaussian/plain-stein-jump": {
        "params": {},
        "values": {},
        "mean": math.sqrt(2.0 / math.pi),
        "why": "the jump at zero counts",
    },
    "gaussian/subtle-total-variation-shift": {"params": {}, "values": {"m": 0.1}, "why": "1 / sqrt(2 pi) = .39894"},
    "gaussian/plain-hellinger-kl-quarter": {"params": {}, "values": {"m": 0.0, "s": 0.5}, "why": ".1056 against .0795"},
}
