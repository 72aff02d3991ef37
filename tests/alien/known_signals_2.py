"""Alien claims, known: approximation, special functions, numerical analysis; see README.md."""

import math

import numpy as np
import torch

from harness import always, claim, grid, identity, rate


@claim("signals/true-duffin-schaeffer", always(), cite="Duffin and Schaeffer 1941", over=grid(n=[3, 4]))
def duffin_schaeffer(forall, *, n):
    """|p'(x)| <= n^2 max_k |p(cos(k pi/n))| on [-1, 1] for polynomials p of degree n."""
    a, x = forall.interval("a", -1.0, 1.0, n + 1), forall.interval("x", -1.0, 1.0)
    nodes = torch.cos(torch.arange(n + 1, dtype=torch.float64) * math.pi / n)
    powers = torch.arange(n + 1, dtype=torch.float64)
    largest = (a[:, None, :] * nodes[:, None] ** powers).sum(-1).abs().amax(-1)
    slope = sum(j * a[:, j] * x ** (j - 1) for j in range(1, n + 1))
    return slope.abs(), n**2 * largest


@claim("signals/true-monic", always(), cite="Chebyshev 1854", over=grid(n=[3, 5]))
def monic(forall, *, n):
    """2^(1-n) <= max_k |p(cos(k pi/n))| for monic polynomials of degree n."""
    a = forall.interval("a", -2.0, 2.0, n)
    nodes = torch.cos(torch.arange(n + 1, dtype=torch.float64) * math.pi / n)
    value = nodes**n + sum(a[:, j, None] * nodes**j for j in range(n))
    return 2.0 ** (1 - n), value.abs().amax(-1)


@claim("signals/true-bernstein-operator", always(), cite="DeVore and Lorentz 1993, chapter 10", over=grid(n=[3, 6]))
def bernstein_operator(forall, *, n):
    """|B_n f(x) - f(x)| <= sqrt(x (1 - x) / n) for 1-Lipschitz f."""
    x = forall.interval("x", 0.0, 1.0)
    nodes = torch.arange(n + 1, dtype=torch.float64) / n
    f = forall.lipschitz("f", torch.cat([nodes.expand(len(x), -1), x[:, None]], -1))
    basis = torch.stack([math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(n + 1)], -1)
    return ((basis * f[:, :-1]).sum(-1) - f[:, -1]).abs(), (x * (1 - x) / n).sqrt()


@claim(
    "signals/true-interpolation-error", always(), cite="Cauchy 1840; Atkinson 1989, Theorem 3.2", over=grid(n=[4, 6])
)
def interpolation_error(forall, *, n):
    """|sin x - p(x)| <= prod |x - x_k| / n! for the interpolant p at n equispaced points of [0, pi]."""
    x = forall.interval("x", 0.0, math.pi)
    nodes = torch.linspace(0.0, math.pi, n, dtype=torch.float64)
    value = 0.0
    for j in range(n):
        factor = 1.0
        for k in range(n):
            if k != j:
                factor = factor * (x - nodes[k]) / (nodes[j] - nodes[k])
        value = value + factor * torch.sin(nodes[j])
    return (torch.sin(x) - value).abs(), (x[:, None] - nodes).abs().prod(-1) / math.factorial(n)


@claim("signals/true-gauss-legendre", identity(), cite="Gauss 1814", over=grid(n=[3, 6]))
def gauss_legendre(forall, *, n):
    """n-point Gauss-Legendre quadrature integrates polynomials of degree 2n-1 exactly."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    a = forall.interval("a", -1.0, 1.0, 2 * n)
    powers = torch.arange(2 * n, dtype=torch.float64)
    basis = torch.as_tensor(nodes)[:, None] ** powers
    quadrature = (a @ basis.T) @ torch.as_tensor(weights)
    exact = (a[:, ::2] * 2.0 / (powers[::2] + 1.0)).sum(-1)
    return quadrature, exact


@claim("signals/true-gautschi", always(), cite="Gautschi 1959; DLMF 5.6.4")
def gautschi(forall):
    """x^(1-s) <= Gamma(x+1) / Gamma(x+s) for x > 0 and 0 < s < 1."""
    x, s = forall.interval("x", 0.01, 100.0), forall.interval("s", 0.0, 1.0)
    return x ** (1.0 - s), torch.exp(torch.lgamma(x + 1.0) - torch.lgamma(x + s))


@claim("signals/plain-gautschi", always(), cite="Gautschi 1959, the other way round", expected="refuted")
def plain_gautschi(forall):
    """Gamma(x+1) / Gamma(x+s) <= x^(1-s)."""
    x, s = forall.interval("x", 0.01, 100.0), forall.interval("s", 0.0, 1.0)
    return torch.exp(torch.lgamma(x + 1.0) - torch.lgamma(x + s)), x ** (1.0 - s)


@claim("signals/subtle-kershaw", always(), cite="after Kershaw 1983", expected="refuted")
def subtle_kershaw(forall):
    """Gamma(x+1) / Gamma(x+s) <= (x + s/2 + 0.037)^(1-s) for x >= 1/2."""
    x, s = forall.interval("x", 0.5, 100.0), forall.interval("s", 0.0, 1.0)
    return torch.exp(torch.lgamma(x + 1.0) - torch.lgamma(x + s)), (x + s / 2.0 + 0.037) ** (1.0 - s)


@claim("signals/true-wallis", always(), cite="Kazarinoff 1956; DLMF 5.6")
def wallis(forall):
    """C(2n, n) / 4^n <= 1 / sqrt(pi (n + 1/4)) for whole n >= 0."""
    n = forall.integers("n", 0, 500)
    ratio = torch.exp(torch.lgamma(2.0 * n + 1.0) - 2.0 * torch.lgamma(n + 1.0) - 2.0 * n * math.log(2.0))
    return ratio, 1.0 / torch.sqrt(math.pi * (n + 0.25))


@claim("signals/subtle-robbins", always(), cite="after Robbins 1955", expected="refuted")
def subtle_robbins(forall):
    """1/(12 n + 0.3) <= log n! - log(sqrt(2 pi n) (n/e)^n) for whole n >= 1."""
    n = forall.integers("n", 1, 200)
    stirling = 0.5 * torch.log(2.0 * math.pi * n) + n * torch.log(n) - n
    return 1.0 / (12.0 * n + 0.3), torch.lgamma(n + 1.0) - stirling


@claim("signals/true-mills", always(), cite="Abramowitz and Stegun 7.1.13")
def mills(forall):
    """e^(x^2) int_x^oo e^(-t^2) dt <= 1 / (x + sqrt(x^2 + 4/pi)) for x >= 0."""
    x = forall.interval("x", 0.0, 50.0)
    return math.sqrt(math.pi) / 2.0 * torch.special.erfcx(x), 1.0 / (x + torch.sqrt(x**2 + 4.0 / math.pi))


@claim("signals/subtle-mills", always(), cite="after Abramowitz and Stegun 7.1.13", expected="refuted")
def subtle_mills(forall):
    """e^(x^2) int_x^oo e^(-t^2) dt <= 1 / (x + sqrt(x^2 + 1.28)) for x >= 0."""
    x = forall.interval("x", 0.0, 50.0)
    return math.sqrt(math.pi) / 2.0 * torch.special.erfcx(x), 1.0 / (x + torch.sqrt(x**2 + 1.28))


@claim("signals/true-bessel-envelope", always(), cite="Szego 1939, section 7.31; Watson 1944, 13.74")
def bessel_envelope(forall):
    """x J_0(x)^2 <= 2/pi for x >= 0."""
    x = forall.interval("x", 0.0, 200.0)
    return x * torch.special.bessel_j0(x) ** 2, 2.0 / math.pi


@claim("signals/subtle-bessel-envelope", always(), cite="after Szego 1939", expected="refuted")
def subtle_bessel(forall):
    """x J_1(x)^2 <= 2/pi for x >= 10."""
    x = forall.interval("x", 10.0, 200.0)
    return x * torch.special.bessel_j1(x) ** 2, 2.0 / math.pi


@claim("signals/true-rk4-imaginary", always(), cite="Hairer and Wanner 1996, IV.2")
def rk4_imaginary(forall):
    """|1 + z + z^2/2 + z^3/6 + z^4/24| <= 1 for z = iy, |y| <= 2 sqrt 2."""
    y = forall.interval("y", -2.0 * math.sqrt(2.0), 2.0 * math.sqrt(2.0))
    z = torch.complex(torch.zeros_like(y), y)
    return (1.0 + z + z**2 / 2.0 + z**3 / 6.0 + z**4 / 24.0).abs(), 1.0


@claim(
    "signals/plain-rk2-imaginary",
    always(),
    cite="Hairer and Wanner 1996, IV.2, what holds at order four taken for order two",
    expected="refuted",
)
def rk2_imaginary(forall):
    """|1 + z + z^2/2| <= 1 for z = iy, |y| <= 1/2."""
    y = forall.interval("y", -0.5, 0.5)
    z = torch.complex(torch.zeros_like(y), y)
    return (1.0 + z + z**2 / 2.0).abs(), 1.0


@claim("signals/subtle-rk4-real", always(), cite="after Hairer and Wanner 1996, IV.2", expected="refuted")
def subtle_rk4(forall):
    """|1 + z + z^2/2 + z^3/6 + z^4/24| <= 1 for -2.79 <= z <= 0."""
    z = forall.interval("z", -2.79, 0.0)
    return (1.0 + z + z**2 / 2.0 + z**3 / 6.0 + z**4 / 24.0).abs(), 1.0


@claim("signals/true-condition", always(), cite="Higham 2002, section 7.1")
def condition(forall):
    """|y - x| |b| <= cond(A) |e| |x| where A x = b and A y = b + e."""
    a, b, e = forall.interval("A", -1.0, 1.0, 3, 3), forall.ball("b", 3), forall.ball("e", 3)
    x, y = torch.linalg.solve(a, b), torch.linalg.solve(a, b + e)
    s = torch.linalg.svdvals(a)
    return (y - x).norm(dim=-1) * b.norm(dim=-1), s[:, 0] / s[:, -1] * e.norm(dim=-1) * x.norm(dim=-1)


@claim("signals/true-stratified", rate("n", -1.5), cite="Owen 2013, section 8.4", over=grid(n=[4, 8, 16, 32, 64, 128]))
def stratified(draw, *, n):
    """The error of stratified sampling of u^2 is of order n^(-3/2)."""
    u = (torch.arange(n, dtype=torch.float64) + draw.uniform("u", n)) / n
    return ((u**2).mean(-1) - 1.0 / 3.0).abs()


@claim(
    "signals/plain-monte-carlo",
    rate("n", -1.0),
    cite="the central limit theorem, with 1/n for n^(-1/2)",
    expected="refuted",
    over=grid(n=[4, 8, 16, 32, 64, 128]),
)
def plain_monte_carlo(draw, *, n):
    """The error of the mean of n uniform numbers is of order 1/n."""
    return (draw.uniform("u", n).mean(-1) - 0.5).abs()


PROOFS = {
    "signals/true-duffin-schaeffer": "Duffin and Schaeffer 1941: the extrema of T_n suffice for Markov's inequality.",
    "signals/true-monic": (
        "Were p smaller at all n + 1 extrema, 2^(1-n) T_n - p would have n zeros and a degree below n."
    ),
    "signals/true-bernstein-operator": "|B_n f(x) - f(x)| <= E |S/n - x| <= the standard deviation of S/n, S binomial.",
    "signals/true-interpolation-error": "Cauchy's remainder, as |sin^(n)| <= 1.",
    "signals/true-gauss-legendre": (
        "Divide by the Legendre polynomial P_n, to which all polynomials of degree n - 1 are orthogonal."
    ),
    "signals/true-gautschi": (
        "Gautschi 1959 (DLMF 5.6.4), by the convexity of log Gamma; equality at s = 0 and at s = 1."
    ),
    "signals/true-wallis": "Watson 1959: Gamma(n+1)/Gamma(n+1/2) >= sqrt(n + 1/4).",
    "signals/true-mills": "Abramowitz and Stegun 7.1.13; equality at x = 0.",
    "signals/true-bessel-envelope": "x (J_0^2 + Y_0^2) increases to 2/pi (Watson 1944, 13.74).",
    "signals/true-rk4-imaginary": "|R(iy)|^2 = 1 - y^6/72 + y^8/576 <= 1 iff y^2 <= 8.",
    "signals/true-condition": "|A^-1 e| |A x| <= |A^-1| |A| |e| |x|; where A is singular, no x is defined.",
    "signals/true-stratified": "The variance is n^-2 times the sum of those in the strata, each of order n^-2.",
}

WITNESSES = {
    "signals/plain-gautschi": {
        "params": {},
        "values": {"x": 1.0, "s": 0.5},
        "why": "1/Gamma(3/2) = 2/sqrt(pi) = 1.12838 > 1",
    },
    "signals/subtle-kershaw": {
        "params": {},
        "values": {"x": 0.5, "s": 0.78},
        "why": ".0389 is needed in place of .037",
    },
    "signals/subtle-robbins": {
        "params": {},
        "values": {"n": 1},
        "why": "1/12.3 = .0813008 > 1 - log(2 pi)/2 = .0810615, at n = 1 alone",
    },
    "signals/subtle-mills": {
        "params": {},
        "values": {"x": 0.0},
        "why": "sqrt(pi)/2 = .886227 > 1/sqrt(1.28) = .883883",
    },
    "signals/subtle-bessel-envelope": {"params": {}, "values": {"x": 11.749}, "why": ".638338 > 2/pi = .636620"},
    "signals/plain-rk2-imaginary": {"params": {}, "values": {"y": 0.5}, "why": "the square is 1 + y^4/4 = 1.015625"},
    "signals/subtle-rk4-real": {"params": {}, "values": {"z": -2.79}, "why": "1.007119 > 1"},
    "signals/plain-monte-carlo": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "the mean is about (6 pi n)^-1/2",
    },
}
