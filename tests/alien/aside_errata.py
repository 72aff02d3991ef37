"""Alien claims, aside: refuted conjectures and printed slips; see README.md."""

# ruff: noqa: B905, E731

import functools
import itertools
import math
from dataclasses import dataclass

import networkx as nx
import numpy as np
import sympy
import torch

from harness import always, claim, every, expectation, grid


@claim("errata/true-trace-triangle", always(), cite="Horn and Johnson 2013, 7.4")
def tr_triangle(forall):
    """|A + B|_1 <= |A|_1 + |B|_1 (nuclear norms)."""
    a, b = forall.symmetric("A", 3), forall.symmetric("B", 3)
    nuc = lambda m: torch.linalg.eigvalsh(m).abs().sum(-1)
    return nuc(a + b), nuc(a) + nuc(b)


@claim(
    "errata/plain-spectral-radius-submultiplicative", always(), expected="refuted", cite="Horn and Johnson 2013, 5.6"
)
def rho(forall):
    """rho(AB) <= rho(A) rho(B) for non-negative matrices, through numpy."""
    a, b = forall.interval("A", 0.0, 1.0, 2, 2), forall.interval("B", 0.0, 1.0, 2, 2)
    left, right = [], []
    for x, y in zip(a.numpy(), b.numpy()):
        r = lambda m: np.abs(np.linalg.eigvals(m)).max()
        left.append(r(x @ y))
        right.append(r(x) * r(y))
    return torch.tensor(left), torch.tensor(right)


@claim("errata/true-schur-root-order-two", always(), cite="FitzGerald and Horn 1977")
def schur_root2(forall):
    """At order two the entrywise square root of a non-negative PSD matrix has determinant >= 0."""
    v = forall.interval("V", 0.1, 1.0, 2, 2)
    g = v @ v.mT
    return g[:, 0, 1], (g[:, 0, 0] * g[:, 1, 1]).sqrt()


@claim(
    "errata/plain-adam-lemma-10-3",
    always(),
    over=grid(T=[1, 5]),
    expected="refuted",
    cite="Kingma and Ba 2015, Lemma 10.3",
)
def adam(forall, *, T):
    """sum_t sqrt(g_t^2 / t) <= 2 G_inf |g_{1:T}|_2, G_inf = max |g_t|."""
    g = forall.interval("g", -1.0, 1.0, T)
    t = torch.arange(1, T + 1, dtype=g.dtype)
    return (g**2 / t).sqrt().sum(-1), 2 * g.abs().amax(-1) * g.norm(dim=-1)


@dataclass(frozen=True)
class Huber:
    tau: torch.Tensor

    def value(self, x):
        return torch.where(x.abs() <= self.tau, x**2 / 2, self.tau * x.abs() - self.tau**2 / 2)

    def slope(self, x):
        return torch.minimum(torch.maximum(x, -self.tau), self.tau)


def descend(f, x, k):
    return x if k == 0 else descend(f, x - f.slope(x), k - 1)


@claim("errata/true-gd-constant", always(), over=grid(k=[1, 3, 6]), cite="Drori and Teboulle 2014, Theorem 1")
def gd_true(forall, *, k):
    """f(x_k) - f* <= L R^2 / (4 k + 2)."""
    f, x0 = Huber(forall.interval("tau", 0.0, 1.0)), torch.tensor(1.0, dtype=torch.float64)
    return f.value(descend(f, x0, k)), 1 / (4 * k + 2)


def interpolation_error(nodes):
    f = lambda x: 1 / (1 + 25 * x**2)
    x = np.linspace(-1, 1, 801)
    w = np.array([1 / np.prod(nodes[i] - np.delete(nodes, i)) for i in range(len(nodes))])
    worst = 0.0
    for t in x:
        d = t - nodes
        if (np.abs(d) < 1e-12).any():
            continue
        worst = max(worst, abs((w * f(nodes) / d).sum() / (w / d).sum() - f(t)))
    return worst


@claim(
    "errata/plain-equispaced-interpolation", always(), over=grid(n=[5, 9, 15]), expected="refuted", cite="Runge 1901"
)
def runge(*, n):
    """Interpolation of 1/(1+25x^2) at n equispaced points errs by at most 1 (Runge)."""
    return float(interpolation_error(np.linspace(-1, 1, n))), 1.0


def growth(a):
    a, top = a.copy(), np.abs(a).max()
    peak = top
    for k in range(len(a) - 1):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        a[[k, p]] = a[[p, k]]
        if a[k, k] == 0:
            continue
        for i in range(k + 1, len(a)):
            a[i] = a[i] - a[i, k] / a[k, k] * a[k]
        peak = max(peak, np.abs(a).max())
    return peak / top


@claim("errata/true-pivot-growth", always(), over=grid(n=[3, 4]), cite="Wilkinson 1961")
def growth_true(forall, *, n):
    """Partial pivoting grows entries by a factor of at most 2^(n-1)."""
    a = forall.interval("A", -1.0, 1.0, n, n)
    return torch.tensor([growth(m) if np.abs(m).max() > 1e-3 else 1.0 for m in a.numpy()]), 2.0 ** (n - 1)


@claim(
    "errata/plain-bernoulli-proxy-is-variance",
    always(),
    expected="refuted",
    cite="Kearns and Saul 1998, with the variance",
)
def proxy(forall):
    """E exp(s (X - p)) <= exp(s^2 p (1-p) / 2) for a coin."""
    p, s = forall.interval("p", 0.05, 0.95), forall.interval("s", -4, 4)
    return p * (s * (1 - p)).exp() + (1 - p) * (-s * p).exp(), (s**2 * p * (1 - p) / 2).exp()


@claim("errata/true-kearns-saul", always(), cite="Kearns and Saul 1998")
def kearns_saul(forall):
    """E exp(s (X - p)) <= exp(s^2 v / 2), v = (1-2p) / (2 log((1-p)/p)), p < 1/2."""
    p, s = forall.interval("p", 0.05, 0.45), forall.interval("s", -4, 4)
    v = (1 - 2 * p) / (2 * ((1 - p) / p).log())
    return p * (s * (1 - p)).exp() + (1 - p) * (-s * p).exp(), (s**2 * v / 2).exp()


def kl(p, q):
    return (p * (p / q).log()).sum(-1)


@claim("errata/plain-kl-half-chi-square", always(), expected="refuted", cite="Tsybakov 2009, Lemma 2.7")
def klchi(forall):
    """KL(p, q) <= chi^2(p, q) / 2."""
    a, b = forall.interval("a", 0.05, 0.95), forall.interval("b", 0.05, 0.95)
    p, q = torch.stack([a, 1 - a], -1), torch.stack([b, 1 - b], -1)
    return kl(p, q), ((p - q) ** 2 / q).sum(-1) / 2


@claim(
    "errata/plain-cyclotomic-coefficients",
    always(),
    over=grid(n=[15, 30, 105]),
    expected="refuted",
    cite="Migotti 1883",
)
def cyclo(*, n):
    """The coefficients of the n-th cyclotomic polynomial are -1, 0 or 1."""
    x = sympy.Symbol("x")
    return max(abs(int(c)) for c in sympy.Poly(sympy.cyclotomic_poly(n, x), x).all_coeffs()), 1


@claim("errata/true-cyclotomic-two-odd-primes", always(), over=grid(n=[15, 33, 104]), cite="Migotti 1883")
def cyclo_true(*, n):
    """It is true for n with at most two odd prime factors (Migotti 1883)."""
    x = sympy.Symbol("x")
    return max(abs(int(c)) for c in sympy.Poly(sympy.cyclotomic_poly(n, x), x).all_coeffs()), 1


def chromatic(adj):
    g = nx.from_numpy_array(adj)
    n = len(g)
    for k in range(1, n + 1):
        if any(all(c[u] != c[v] for u, v in g.edges) for c in itertools.product(range(k), repeat=n)):
            return k
    return n


@functools.lru_cache(None)
def chromatic_cached(key, n):
    return chromatic(np.array(key, dtype=float).reshape(n, n))


def chi(graphs):
    return torch.tensor([float(chromatic_cached(tuple(g.reshape(-1).tolist()), len(g))) for g in graphs.numpy()])


@claim("errata/plain-brooks-without-exceptions", always(), expected="refuted", cite="Brooks 1941")
def brooks(forall):
    """chi(G) <= max degree for graphs of maximal degree 2 or 3 on four vertices."""
    g = forall.graph("G", 4)
    d = g.sum(-1).amax(-1)
    forall.assume(d >= 2)
    return chi(g), d


@claim("errata/true-contraction-with-two", always(), cite="Ledoux and Talagrand 1991, Theorem 4.12")
def contraction2(forall):
    """... <= 2 E sup_T |sum e_i t_i|."""
    t = forall.integers("T", -2, 2, 3, 3)
    e = every.signs(3, like=t)
    mean = lambda s: (s @ e.mT).abs().amax(-2).mean(-1)
    return mean(t.clamp_min(0)), 2 * mean(t)


@claim(
    "errata/plain-gaussian-maximum-lower",
    expectation(range=(-7.0, 9.0)),
    over=grid(n=[2]),
    expected="refuted",
    cite="Kamath 2015, with the constant forgotten",
)
def gauss_max(draw, *, n):
    """E max of n normals >= sqrt(log n)."""
    return math.sqrt(math.log(n)), draw.normal("z", n).amax(-1).clamp(-6, 6)


@claim("errata/true-chiani-from-half", always(), cite="Chiani, Dardari and Simon 2003")
def chiani_true(forall):
    """... for 1/2 <= x <= 4."""
    x = forall.interval("x", 0.5, 4.0)
    return torch.erfc(x), (-x * x).exp() / 6 + (-4 * x * x / 3).exp() / 2


@claim("errata/plain-stirling-upper", always(), over=grid(n=[1, 5, 20]), expected="refuted", cite="Robbins 1955")
def stirling(*, n):
    """log n! <= log(sqrt(2 pi n) (n/e)^n)."""
    return math.log(math.factorial(n)), 0.5 * math.log(2 * math.pi * n) + n * math.log(n) - n


PROOFS = {
    "errata/true-trace-triangle": "The nuclear norm is a norm: the largest tr(U A) over all orthogonal matrices U.",
    "errata/true-schur-root-order-two": (
        "b^2 <= a c for a PSD matrix [[a, b], [b, c]]: Cauchy and Schwarz for the two rows of V."
    ),
    "errata/true-gd-constant": (
        "Drori and Teboulle: L R^2 / (4 k + 2) for all convex functions, attained by a Huber function."
    ),
    "errata/true-pivot-growth": (
        "Multipliers are at most 1 in modulus, so each of the n - 1 steps at most doubles the largest entry."
    ),
    "errata/true-kearns-saul": (
        "Kearns and Saul: (1 - 2p) / (2 log((1 - p)/p)) is the best sub-Gaussian proxy of a coin."
    ),
    "errata/true-cyclotomic-two-odd-primes": (
        "Migotti: flat for at most two odd prime factors; 15 = 3 * 5, 33 = 3 * 11, 104 = 8 * 13."
    ),
    "errata/true-contraction-with-two": (
        "Ledoux and Talagrand: a contraction that vanishes at 0 costs at most a factor of two."
    ),
    "errata/true-chiani-from-half": (
        "Chiani, Dardari and Simon: the bound holds for x > 1/2; the smallest ratio on [1/2, 6] is 1.0178."
    ),
}

WITNESSES = {
    "errata/plain-spectral-radius-submultiplicative": {
        "params": {},
        "values": {"A": [[0.0, 1.0], [0.0, 0.0]], "B": [[0.0, 0.0], [1.0, 0.0]]},
        "why": "A nilpotent pair: 1 against 0.",
    },
    "errata/plain-adam-lemma-10-3": {
        "params": {"T": 1},
        "values": {"g": [0.1]},
        "why": "The sides are not of one degree: 0.1 against 0.02.",
    },
    "errata/plain-equispaced-interpolation": {
        "params": {"n": 15},
        "values": {},
        "why": "7.19 at 0.96.",
    },
    "errata/plain-bernoulli-proxy-is-variance": {
        "params": {},
        "values": {"p": 0.1, "s": 2.0},
        "why": "1.342 against exp(0.18) = 1.197.",
    },
    "errata/plain-kl-half-chi-square": {
        "params": {},
        "values": {"a": 0.1, "b": 0.3},
        "why": "0.1163 against 0.0952.",
    },
    "errata/plain-cyclotomic-coefficients": {
        "params": {"n": 105},
        "values": {},
        "why": "-2 is a coefficient at n = 105 = 3 * 5 * 7.",
    },
    "errata/plain-brooks-without-exceptions": {
        "params": {},
        "values": {"G": [1.0] * 6},
        "why": "The complete graph: 4 against 3.",
    },
    "errata/plain-gaussian-maximum-lower": {
        "params": {"n": 2},
        "values": {},
        "mean": math.sqrt(math.log(2.0)) - 1.0 / math.sqrt(math.pi),
        "why": "E max of two is 1/sqrt(pi) = 0.564, against sqrt(log 2) = 0.833.",
    },
    "errata/plain-stirling-upper": {
        "params": {"n": 1},
        "values": {},
        "why": "0 against log(2 pi)/2 - 1 = -0.081.",
    },
}
