"""Alien claims, aside: Gaussian calculus and its uses; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, identity, tail, up_to_constant


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


def expected_max(m1, m2, s1, s2, r):
    a = (s1**2 + s2**2 - 2 * r * s1 * s2).sqrt()
    z = (m1 - m2) / a
    return m1 * torch.special.ndtr(z) + m2 * torch.special.ndtr(-z) + a * phi(z)


def gram(x):
    return x @ x.mT


def chi_mean(n):
    return math.sqrt(2) * (torch.lgamma((n + 1) / 2) - torch.lgamma(n / 2)).exp()


def sqrtm(a):
    values, vectors = torch.linalg.eigh(a)
    return vectors @ (values.clamp_min(0).sqrt()[:, :, None] * vectors.mT)


def sine_moments(t, b):
    second = (1 - (2 * b).cos() * (-2 * t**2).exp()) / 2
    variance = second - (b.sin() * (-(t**2) / 2).exp()) ** 2
    energy = t**2 * (1 + (2 * b).cos() * (-2 * t**2).exp()) / 2
    return variance, energy


def correlated(draw, r, n=1):
    z = draw.normal("z", 2)
    return z[:, 0], r * z[:, 0] + (1 - r**2).sqrt() * z[:, 1]


def mechanism_delta(eps, sigma):
    return torch.special.ndtr(0.5 / sigma - eps * sigma) - eps.exp() * torch.special.ndtr(-0.5 / sigma - eps * sigma)


@claim("gaussian/true-birnbaum", always(), cite="Birnbaum 1942")
def birnbaum(forall):
    """Q(x) >= 2 phi(x) / (x + sqrt(x^2 + 4))."""
    x = forall.interval("x", 0.0, 20.0)
    return 2 * phi(x) / (x + (x**2 + 4).sqrt()), upper(x)


@claim("gaussian/true-half-exponential-tail", always(), cite="Chernoff 1952")
def half_exponential_tail(forall):
    """Q(x) <= exp(-x^2/2) / 2 for x >= 0."""
    x = forall.interval("x", 0.0, 20.0)
    return upper(x), (-(x**2) / 2).exp() / 2


@claim("gaussian/plain-half-exponential-tail", always(), expected="refuted", cite="Chernoff 1952")
def half_exponential_tail_wrong(forall):
    """Q(x) <= exp(-x^2) / 2 for x >= 0."""
    x = forall.interval("x", 0.0, 5.0)
    return upper(x), (-(x**2)).exp() / 2


@claim(
    "gaussian/plain-hermite-recurrence", identity(), over=grid(n=[2, 5]), expected="refuted", cite="Szego 1939, (5.5.8)"
)
def hermite_recurrence_wrong(forall, *, n):
    """He_(n+1) = 2 x He_n - 2 n He_(n-1)."""
    x = forall.interval("x", -5.0, 5.0)
    return he(n + 1, x), 2 * x * he(n, x) - 2 * n * he(n - 1, x)


@claim("gaussian/true-hermite-addition", identity(), over=grid(n=[3, 4]), cite="Szego 1939")
def hermite_addition(forall, *, n):
    """He_n(a x + b y) = sum C(n,k) a^k b^(n-k) He_k(x) He_(n-k)(y) for a^2 + b^2 = 1."""
    x, y, u = forall.interval("x", -3.0, 3.0), forall.interval("y", -3.0, 3.0), forall.sphere("u", 2)
    a, b = u[:, 0], u[:, 1]
    total = sum(math.comb(n, k) * a**k * b ** (n - k) * he(k, x) * he(n - k, y) for k in range(n + 1))
    return he(n, a * x + b * y), total


@claim("gaussian/true-kl-formula", identity(), cite="Kullback 1959")
def kl_formula(forall):
    """KL of normal laws, by torch and by hand."""
    m1, m2 = forall.interval("m1", -3.0, 3.0), forall.interval("m2", -3.0, 3.0)
    s1, s2 = forall.interval("s1", 0.1, 3.0), forall.interval("s2", 0.1, 3.0)
    p, q = torch.distributions.Normal(m1, s1), torch.distributions.Normal(m2, s2)
    hand = (s2 / s1).log() + (s1**2 + (m1 - m2) ** 2) / (2 * s2**2) - 0.5
    return torch.distributions.kl_divergence(p, q), hand


@claim("gaussian/true-talagrand", always(), cite="Talagrand 1996")
def talagrand(forall):
    """W_2^2 <= 2 KL to the standard normal law."""
    m, s = standard_pair(forall)
    return m**2 + (s - 1) ** 2, 2 * kl(m, s)


@claim("gaussian/plain-talagrand-without-two", always(), expected="refuted", cite="Talagrand 1996")
def talagrand_without_two(forall):
    """W_2^2 <= KL to the standard normal law."""
    m, s = standard_pair(forall)
    return m**2 + (s - 1) ** 2, kl(m, s)


@claim("gaussian/true-poincare-sine", always(), cite="Nash 1958")
def poincare_sine(forall):
    """Var f(X) <= E f'(X)^2 for f(x) = sin(t x + b)."""
    return sine_moments(forall.interval("t", 0.0, 3.0), forall.interval("b", -math.pi, math.pi))


@claim("gaussian/subtle-poincare-sine", always(), expected="refuted", cite="Nash 1958")
def poincare_sine_wrong(forall):
    """Var f(X) <= 0.99 E f'(X)^2 for f(x) = sin(t x + b)."""
    variance, energy = sine_moments(forall.interval("t", 0.0, 3.0), forall.interval("b", -math.pi, math.pi))
    return variance, 0.99 * energy


@claim("gaussian/plain-sudakov-fernique-reversed", always(), expected="refuted", cite="Fernique 1975")
def sudakov_fernique_reversed(forall):
    """E max(X, Y) increases with the correlation."""
    s1, s2 = forall.interval("s1", 0.1, 2.0), forall.interval("s2", 0.1, 2.0)
    r1, r2 = forall.interval("r1", -1.0, 1.0), forall.interval("r2", -1.0, 1.0)
    forall.assume(r1 <= r2)
    zero = torch.zeros_like(s1)
    return expected_max(zero, zero, s1, s2, r1), expected_max(zero, zero, s1, s2, r2)


@claim("gaussian/true-sheppard", expectation(range=(-1.0, 1.0), margin=0.01), cite="Sheppard 1899")
def sheppard(forall, draw):
    """P(X > 0, Y > 0) = 1/4 + arcsin(r) / (2 pi)."""
    r = forall.interval("r", -0.99, 0.99)
    x, y = correlated(draw, r)
    return ((x > 0) & (y > 0)).double(), 0.25 + r.asin() / (2 * math.pi)


@claim("gaussian/true-arc-cosine-zero-psd", always(), cite="Cho and Saul 2009")
def arc_cosine_zero(forall):
    """The arc-cosine kernel of order zero is positive semi-definite."""
    t = gram(forall.sphere("x", 4, 3)).clamp(-1, 1).acos()
    return -torch.linalg.eigvalsh(1 - t / math.pi)[:, 0], 0.0


@claim("gaussian/subtle-radial-kernel-power", always(), expected="refuted", cite="Schoenberg 1938")
def radial_kernel_power(forall):
    """The kernel exp(-|x - y|^2.2) is positive semi-definite."""
    x = forall.interval("x", -2.0, 2.0, 4)
    k = (-((x[:, :, None] - x[:, None]).abs() ** 2.2)).exp()
    return -torch.linalg.eigvalsh(k)[:, 0], 0.0


@claim("gaussian/true-max-concentration", tail(), cite="Borell 1975")
def max_concentration(forall, draw):
    """P(max of five >= E max + t) <= exp(-t^2/2)."""
    t = forall.interval("t", 0.1, 3.0)
    return draw.normal("x", 5).amax(-1) >= 1.16297 + t, (-(t**2) / 2).exp()


@claim("gaussian/true-laurent-massart", tail(), cite="Laurent and Massart 2000, Lemma 1")
def laurent_massart(forall, draw):
    """P(sum a_i (Z_i^2 - 1) >= 2 |a|_2 sqrt(x) + 2 |a|_inf x) <= exp(-x) for a >= 0."""
    a, x = forall.interval("a", 0.0, 1.0, 4), forall.interval("x", 0.1, 5.0)
    z = draw.normal("z", 4)
    event = (a * (z**2 - 1)).sum(-1) >= 2 * a.norm(dim=-1) * x.sqrt() + 2 * a.amax(-1) * x
    return event & (a.amax(-1) > 0), (-x).exp()


@claim("gaussian/true-anderson", always(), cite="Anderson 1955")
def anderson(forall):
    """P(|X + m| <= a) <= P(|X| <= a)."""
    a, m = forall.interval("a", 0.0, 5.0), forall.interval("m", -5.0, 5.0)
    return torch.special.ndtr(a - m) - torch.special.ndtr(-a - m), torch.special.ndtr(a) - torch.special.ndtr(-a)


@claim("gaussian/plain-anderson-asymmetric", always(), expected="refuted", cite="Anderson 1955")
def anderson_asymmetric(forall):
    """P(-a <= X + m <= b) <= P(-a <= X <= b)."""
    a, b, m = forall.interval("a", 0.0, 5.0), forall.interval("b", 0.0, 5.0), forall.interval("m", -5.0, 5.0)
    shifted = torch.special.ndtr(b - m) - torch.special.ndtr(-a - m)
    return shifted, torch.special.ndtr(b) - torch.special.ndtr(-a)


@claim("gaussian/true-conditioning-reduces-variance", always(), cite="Schur 1917")
def conditioning(forall):
    """The Schur complement is at most the variance."""
    s = forall.psd("S", 3, trace=3.0) + 0.01 * torch.eye(3)
    b = s[:, 0, 1:, None]
    return s[:, 0, 0] - (b.mT @ torch.linalg.solve(s[:, 1:, 1:], b))[:, 0, 0], s[:, 0, 0]


@claim("gaussian/true-fidelity-cauchy-schwarz", always(), cite="Gelbrich 1990")
def fidelity(forall):
    """tr (A^(1/2) B A^(1/2))^(1/2) <= sqrt(tr A tr B), as W_2 of centred normal laws needs."""
    a, b = forall.psd("A", 3, trace=1.0), forall.psd("B", 3, trace=2.0)
    root = sqrtm(a)
    values = torch.linalg.eigvalsh(root @ b @ root).clamp_min(0)
    trace = a.diagonal(dim1=-2, dim2=-1).sum(-1) * b.diagonal(dim1=-2, dim2=-1).sum(-1)
    return values.sqrt().sum(-1), trace.sqrt()


@claim("gaussian/subtle-gaussian-mechanism", always(), expected="refuted", cite="Dwork and Roth 2014, A.1")
def gaussian_mechanism_wrong(forall):
    """sigma = sqrt(2 log(1.25/delta)) / eps suffices for eps <= 10."""
    eps, delta = forall.interval("eps", 0.05, 10.0), forall.interval("delta", 1e-6, 0.1)
    return mechanism_delta(eps, (2 * (1.25 / delta).log()).sqrt() / eps), delta


@claim("gaussian/true-chi-mean", always(), cite="Chu 1962")
def chi_mean_lower(forall):
    """sqrt(n - 1/2) <= E |X|."""
    n = forall.integers("n", 1, 1000)
    return (n - 0.5).sqrt(), chi_mean(n)


@claim(
    "gaussian/subtle-square-moment-generating",
    always(),
    expected="refuted",
    cite="Boucheron, Lugosi and Massart 2013, 2.4",
)
def square_moment_generating_wrong(forall):
    """-log(1 - 2 t) / 2 <= t + 0.99 t^2 / (1 - 2 t)."""
    t = forall.interval("t", 0.0, 0.499)
    return -(1 - 2 * t).log() / 2, t + 0.99 * t**2 / (1 - 2 * t)


@claim(
    "gaussian/true-max-order", up_to_constant("n"), over=grid(n=[4, 16, 64, 256, 1024]), cite="Fisher and Tippett 1928"
)
def max_order(draw, *, n):
    """E max of n normal numbers <= C sqrt(log n)."""
    return draw.normal("x", n).amax(-1), math.sqrt(math.log(n))


PROOFS = {
    "gaussian/true-birnbaum": ("Birnbaum's inequality."),
    "gaussian/true-half-exponential-tail": ("Q(x) exp(x^2/2) decreases from 1/2."),
    "gaussian/true-hermite-addition": ("The generating function factorises."),
    "gaussian/true-kl-formula": ("The mean of the logarithmic ratio."),
    "gaussian/true-talagrand": ("log s <= s - 1."),
    "gaussian/true-poincare-sine": ("The Gaussian Poincare inequality; both sides in closed form."),
    "gaussian/true-sheppard": ("The orthant is a wedge of the angle pi/2 + arcsin r."),
    "gaussian/true-arc-cosine-zero-psd": ("A mean of products of indicators of half-spaces, doubled."),
    "gaussian/true-max-concentration": ("max is 1-Lipschitz; the mean is 1.16296."),
    "gaussian/true-laurent-massart": ("The logarithmic moment generating function is sub-gamma."),
    "gaussian/true-anderson": ("The derivative in m is phi(a + m) - phi(a - m)."),
    "gaussian/true-conditioning-reduces-variance": ("b'S^(-1) b is not negative."),
    "gaussian/true-fidelity-cauchy-schwarz": (
        "The nuclear norm of a product is at most the product of Frobenius norms."
    ),
    "gaussian/true-chi-mean": ("E |X|^2 >= n - 1/2 by log-convexity of the Gamma function."),
    "gaussian/true-max-order": ("E max <= sqrt(2 log n) by Jensen."),
}

WITNESSES = {
    "gaussian/plain-half-exponential-tail": {"params": {}, "values": {"x": 2.0}, "why": ".0228 against .0092"},
    "gaussian/plain-hermite-recurrence": {"params": {"n": 2}, "values": {"x": 1.0}, "why": "-2 against -4"},
    "gaussian/plain-talagrand-without-two": {"params": {}, "values": {"m": 1.0, "s": 1.0}, "why": "1 against 1/2"},
    "gaussian/subtle-poincare-sine": {
        "params": {},
        "values": {"t": 0.05, "b": 0.0},
        "why": "equality without .99 in the limit of small t",
    },
    "gaussian/plain-sudakov-fernique-reversed": {
        "params": {},
        "values": {"s1": 1.0, "s2": 1.0, "r1": 0.0, "r2": 0.5},
        "why": "sqrt((1 - r) / pi)",
    },
    "gaussian/subtle-radial-kernel-power": {
        "params": {},
        "values": {"x": [-0.5, 0.0, 0.5, 1.0]},
        "why": "exponents beyond 2 are not definite",
    },
    "gaussian/plain-anderson-asymmetric": {
        "params": {},
        "values": {"a": 0.0, "b": 2.0, "m": 1.0},
        "why": ".683 against .477",
    },
    "gaussian/subtle-gaussian-mechanism": {
        "params": {},
        "values": {"eps": 10.0, "delta": 0.00001},
        "why": "2.27 times delta",
    },
    "gaussian/subtle-square-moment-generating": {"params": {}, "values": {"t": 0.005}, "why": "t + t^2 + 4/3 t^3"},
}
