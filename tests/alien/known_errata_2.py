"""Alien claims, known: refuted conjectures and printed slips (2); see README.md."""

# ruff: noqa: E731, E741

import functools
import itertools
import math

import networkx as nx
import numpy as np
import sympy
import torch

from harness import always, claim, every, expectation, grid, high_probability, tail


@claim(
    "errata/plain-azuma-two-sided-without-two",
    tail(),
    over=grid(n=[1, 4]),
    expected="refuted",
    cite="Hoeffding 1963, two-sided",
)
def azuma(forall, draw, *, n):
    """P(|S_n| >= t) <= exp(-t^2 / (2 n)) for n signs."""
    t = forall.interval("t", 0.5, 3.0)
    return draw.signs("e", n).sum(-1).abs() >= t, (-(t**2) / (2 * n)).exp()


@claim("errata/true-azuma-two-sided", tail(), over=grid(n=[1, 4, 9]), cite="Hoeffding 1963")
def azuma2(forall, draw, *, n):
    """P(|S_n| >= t) <= 2 exp(-t^2 / (2 n)) for n signs."""
    t = forall.interval("t", 0.5, 3.0)
    return draw.signs("e", n).sum(-1).abs() >= t, 2 * (-(t**2) / (2 * n)).exp()


@claim("errata/plain-bennett-h-quadratic", always(), expected="refuted", cite="Bennett 1962")
def bennett_false(forall):
    """(1+u) log(1+u) - u >= u^2/2 for u >= 0."""
    u = forall.interval("u", 0.0, 3.0)
    return u**2 / 2, (1 + u) * torch.log1p(u) - u


@claim("errata/plain-tv-below-hellinger", always(), expected="refuted", cite="Le Cam 1973")
def hell(forall):
    """TV(p, q) <= H(p, q), H^2 = 1 - sum sqrt(p q)."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    return (p - q).abs().sum(-1) / 2, (1 - (p * q).sqrt().sum(-1)).clamp_min(0).sqrt()


@claim("errata/plain-difference-entropy-below-sum", always(), expected="refuted", cite="Lapidoth and Pete 2008")
def sumdiff(forall):
    """H(X - Y) <= H(X + Y) for X, Y independent of one law on {0, 1, 3}."""
    p = forall.simplex("p", 3)

    def entropy(sign):
        table = {}
        for (i, a), (j, b) in itertools.product(enumerate([0, 1, 3]), repeat=2):
            table[a + sign * b] = table.get(a + sign * b, 0) + p[:, i] * p[:, j]
        return -sum(torch.special.xlogy(v, v) for v in table.values())

    return entropy(-1), entropy(+1)


@claim("errata/true-conway-more-sums", always(), cite="Nathanson 2007, on the set of Conway")
def conway():
    """|A - A| < |A + A| for A = {0,2,3,4,7,11,12,14}."""
    a = {0, 2, 3, 4, 7, 11, 12, 14}
    return len({x - y for x in a for y in a}), len({x + y for x in a for y in a}) - 1


@claim("errata/subtle-chinese-hypothesis", always(), expected="refuted", cite="Sarrus 1819")
def chinese(forall):
    """n | 2^n - 2 implies that n is prime, 2 <= n <= 600."""
    n = forall.integers("n", 2, 600)
    bad = [float(pow(2, k, k) == 2 % k and not sympy.isprime(k)) for k in map(int, n.tolist())]
    return torch.tensor(bad), 0.0


@claim("errata/true-fermat-little", always(), cite="Fermat 1640")
def fermat(forall):
    """n prime implies n | 2^n - 2."""
    n = forall.integers("n", 2, 600)
    bad = [float(pow(2, k, k) != 2 % k and sympy.isprime(k)) for k in map(int, n.tolist())]
    return torch.tensor(bad), 0.0


@claim("errata/plain-euler-powers", always(), expected="refuted", cite="Lander and Parkin 1966")
def euler(forall):
    """No four fifth powers sum to a fifth power (instances by hand)."""
    a = forall.choice("a", [[1, 2, 3, 4, 5], [27, 84, 110, 133, 144], [4, 5, 6, 7, 9]])
    return ((a[:, :4] ** 5).sum(-1) == a[:, 4] ** 5).double(), 0.0


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


@claim("errata/true-greedy-colouring", always(), cite="Brooks 1941")
def greedy(forall):
    """chi(G) <= max degree + 1."""
    g = forall.graph("G", 4)
    return chi(g), g.sum(-1).amax(-1) + 1


def alpha(g):
    n = g.shape[-1]
    best = torch.zeros(len(g), dtype=torch.float64)
    for mask in every.vectors(2, n, like=g):
        inside = (mask @ g @ mask) == 0
        best = torch.where(inside, torch.maximum(best, mask.sum()), best)
    return best


@claim("errata/plain-hoffman-irregular", always(), expected="refuted", cite="Hoffman 1970; Haemers 1995")
def hoffman(forall):
    """alpha(G) <= n (-l_min) / (l_max - l_min) for graphs with an edge."""
    g = forall.graph("G", 4)
    l = torch.linalg.eigvalsh(g)
    forall.assume(g.sum((-1, -2)) > 0)
    return alpha(g), -4 * l[:, 0] / (l[:, -1] - l[:, 0])


@claim(
    "errata/subtle-contraction-with-modulus",
    always(),
    expected="refuted",
    cite="Ledoux and Talagrand 1991, Theorem 4.12, without the two",
)
def contraction(forall):
    """E sup_T |sum e_i relu(t_i)| <= E sup_T |sum e_i t_i| for three points t of {-2..2}^3."""
    t = forall.integers("T", -2, 2, 3, 3)
    e = every.signs(3, like=t)
    mean = lambda s: (s @ e.mT).abs().amax(-2).mean(-1)
    return mean(t.clamp_min(0)), mean(t)


@claim("errata/true-gaussian-maximum-lower", expectation(range=(-7.0, 9.0)), over=grid(n=[4, 10]), cite="Kamath 2015")
def gauss_max_true(draw, *, n):
    """E max of n normals >= sqrt(log n / (pi log 2))."""
    return math.sqrt(math.log(n) / (math.pi * math.log(2))), draw.normal("z", n).amax(-1).clamp(-6, 6)


@claim("errata/true-clopper-pearson-covers", tail(), over=grid(n=[12]), cite="Clopper and Pearson 1934")
def cp_covers(forall, draw, *, n):
    """P(upper Clopper-Pearson limit < p) <= .05, by the binomial tail: P(F(K; n, p) < .05) <= .05."""
    p = forall.interval("p", 0.05, 0.95)
    k = draw.bernoulli("x", p, n).sum(-1)
    cdf = sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) * (j <= k) for j in range(n + 1))
    return cdf < 0.05, 0.05


@claim(
    "errata/plain-wilson-covers",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.05]),
    expected="refuted",
    cite="Brown, Cai and DasGupta 2001",
)
def wilson(forall, draw, *, n, delta):
    """Wilson's score interval covers with probability .95 for all p in [.005, .5]."""
    p = forall.interval("p", 0.005, 0.5)
    k = draw.bernoulli("x", p, n).sum(-1)
    return (k / n - p).abs(), 1.959963984540054 * (p * (1 - p) / n).sqrt()


@claim("errata/plain-chiani-everywhere", always(), expected="refuted", cite="Chiani, Dardari and Simon 2003")
def chiani(forall):
    """erfc(x) <= exp(-x^2)/6 + exp(-4x^2/3)/2 for x >= 0."""
    x = forall.interval("x", 0.0, 4.0)
    return torch.erfc(x), (-x * x).exp() / 6 + (-4 * x * x / 3).exp() / 2


@claim("errata/true-robbins", always(), over=grid(n=[1, 5, 20]), cite="Robbins 1955")
def robbins(*, n):
    """log n! <= log(sqrt(2 pi n) (n/e)^n) + 1/(12 n)."""
    return math.log(math.factorial(n)), 0.5 * math.log(2 * math.pi * n) + n * math.log(n) - n + 1 / (12 * n)


PROOFS = {
    "errata/true-azuma-two-sided": "Hoeffding's bound exp(-t^2 / (2 n)) for S_n >= t and for -S_n >= t.",
    "errata/true-conway-more-sums": "Counting: 26 sums and 25 differences.",
    "errata/true-fermat-little": "Fermat: 2^p = 2 mod p for primes p.",
    "errata/true-greedy-colouring": (
        "Colour one vertex after the other: at most max degree colours are taken by neighbours."
    ),
    "errata/true-gaussian-maximum-lower": (
        "Kamath: E max >= sqrt(log n / (pi log 2)); 1.0294 >= 0.798 at n = 4, 1.5388 >= 1.028 at n = 10."
    ),
    "errata/true-clopper-pearson-covers": (
        "P(F(K) <= u) <= u for the distribution function F of a whole number K, u any number in [0, 1]."
    ),
    "errata/true-robbins": "Robbins: log n! - log(sqrt(2 pi n) (n/e)^n) < 1/(12 n).",
}

WITNESSES = {
    "errata/plain-azuma-two-sided-without-two": {
        "params": {"n": 1},
        "values": {"t": 1.0},
        "probability": 1.0,
        "why": "One sign has the modulus 1: probability 1 against exp(-1/2).",
    },
    "errata/plain-bennett-h-quadratic": {
        "params": {},
        "values": {"u": 1.0},
        "why": "1/2 against 2 log 2 - 1 = 0.386.",
    },
    "errata/plain-tv-below-hellinger": {
        "params": {},
        "values": {"p": [0.6, 0.4, 0.0], "q": [0.4, 0.6, 0.0]},
        "why": "0.2 against sqrt(1 - 2 sqrt 0.24) = 0.142.",
    },
    "errata/plain-difference-entropy-below-sum": {
        "params": {},
        "values": {"p": [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]},
        "why": "Seven differences, six sums: 1.831 against 1.735.",
    },
    "errata/subtle-chinese-hypothesis": {
        "params": {},
        "values": {"n": 341.0},
        "why": "341 = 11 * 31 divides 2^341 - 2.",
    },
    "errata/plain-euler-powers": {
        "params": {},
        "values": {"a": [27.0, 84.0, 110.0, 133.0, 144.0]},
        "why": "27^5 + 84^5 + 110^5 + 133^5 = 144^5.",
    },
    "errata/plain-hoffman-irregular": {
        "params": {},
        "values": {"G": [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]},
        "why": "The star: eigenvalues sqrt 3 and -sqrt 3, so 3 against 2.",
    },
    "errata/subtle-contraction-with-modulus": {
        "params": {},
        "values": {"T": [[0.0, -2.0, 2.0], [2.0, 2.0, 0.0], [2.0, 0.0, 2.0]]},
        "why": "Over all eight signs: 7/2 against 3.",
    },
    "errata/plain-wilson-covers": {
        "params": {"n": 10, "delta": 0.05},
        "values": {"p": 0.017},
        "probability": 1.0 - 0.983**10,
        "why": "It misses p unless all ten are failures: 0.158.",
    },
    "errata/plain-chiani-everywhere": {
        "params": {},
        "values": {"x": 0.0},
        "why": "1 against 2/3.",
    },
}
