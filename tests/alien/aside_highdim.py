"""Alien claims, aside: suprema, projections, norms, sums; see README.md."""

import math

import torch

from harness import (
    always,
    claim,
    every,
    expectation,
    grid,
    high_probability,
    identity,
    tail,
    up_to_constant,
)


def characters(n, like):
    signs = every.signs(n, like=like)
    subsets = (every.signs(n, like=like) + 1.0) / 2.0
    return torch.where(subsets[:, None, :] > 0.5, signs[None, :, :], 1.0).prod(-1), subsets.sum(-1)


@claim("highdim/true-massart-law", high_probability("delta"), over=grid(n=[5, 50], delta=[0.1]), cite="Massart 1990")
def massart_law(forall, draw, within, *, n, delta):
    """sup_t |F_n(t) - F(t)| <= sqrt(log(2/delta) / (2 n)) for any law of three atoms."""
    law = forall.law("P", atoms=3)
    x = draw.law("x", law, n)
    t = within.interval("t", 0.0, 1.0)
    return ((x <= t[:, None]).double().mean(-1) - law.probability(lambda v: v <= t[:, None])).abs(), math.sqrt(
        math.log(2.0 / delta) / (2.0 * n)
    )


@claim("highdim/true-khintchine", expectation(range=(-4.0, 1.0)), cite="Khintchine 1923; Szarek 1976")
def khintchine(forall, draw):
    """|x| / sqrt 2 <= E |<x, e>| (Szarek)."""
    x, e = forall.ball("x", 8), draw.signs("e", 8)
    return x.norm(dim=-1) / math.sqrt(2.0), (x * e).sum(-1).abs()


@claim(
    "highdim/true-lipschitz-norm",
    high_probability("delta"),
    over=grid(delta=[0.05, 0.01]),
    cite="Tsirelson, Ibragimov and Sudakov 1976",
)
def lipschitz_norm(forall, draw, *, delta):
    """|A g| <= |A|_F + |A|_op sqrt(2 log(1/delta)) with probability 1 - delta."""
    a, g = forall.symmetric("A", 3), draw.normal("g", 3)
    return (a * g[:, None, :]).sum(-1).norm(dim=-1), a.flatten(1).norm(dim=-1) + torch.linalg.eigvalsh(a).abs().amax(
        -1
    ) * math.sqrt(2.0 * math.log(1.0 / delta))


@claim("highdim/true-hypercontractive", always(), cite="Bonami 1970")
def hypercontractive(forall):
    """|T_rho f|_4 <= |f|_2 on three bits for rho <= 1/sqrt 3 (Bonami)."""
    c, rho = forall.ball("c", 8), forall.interval("rho", 0.0, 1.0 / math.sqrt(3.0))
    chi, degree = characters(3, c)
    noisy = (c * rho[:, None] ** degree) @ chi
    return noisy.pow(4).mean(-1), c.square().sum(-1).square()


@claim("highdim/true-symmetrisation", expectation(range=(-2.0, 1.0)), cite="Gine and Zinn 1984")
def symmetrisation(forall, draw):
    """E sup_t |F_n(t) - F(t)| <= 2 E sup_t |mean e_i 1(x_i <= t)| over three places."""
    law = forall.law("P", atoms=[0.0, 0.5, 1.0])
    x, e = draw.law("x", law, 4), draw.signs("e", 4)
    left, right = 0.0, 0.0
    for t in (0.0, 0.5, 1.0):
        below = (x <= t).double()
        left = torch.maximum(torch.as_tensor(left), (below.mean(-1) - law.probability(lambda v: v <= t)).abs())  # noqa: B023
        right = torch.maximum(torch.as_tensor(right), (e * below).mean(-1).abs())
    return left, 2.0 * right


@claim("highdim/true-stability-majority", identity(), cite="O'Donnell 2014, section 2.4")
def stability_majority(forall):
    """The noise stability of the majority of three bits is 3/4 rho + 1/4 rho^3."""
    rho = forall.interval("rho", -1.0, 1.0)
    x = every.signs(3, like=rho)
    maj = torch.sign(x.sum(-1))
    agree = x[:, None, :] * x[None, :, :]
    weights = ((1.0 + rho[:, None, None, None] * agree) / 2.0).prod(-1) / 8.0
    return (weights * maj[:, None] * maj[None, :]).sum((1, 2)), 0.75 * rho + 0.25 * rho**3


@claim(
    "highdim/true-max-constant",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024]),
    cite="Boucheron, Lugosi and Massart 2013, Theorem 2.5",
)
def max_constant(draw, *, n):
    """E max |g_i| <= C sqrt(log n)."""
    return draw.normal("g", n).abs().amax(-1), math.sqrt(math.log(n))


@claim(
    "highdim/plain-jl-gaussian",
    tail(),
    over=grid(k=[10]),
    expected="refuted",
    cite="Dasgupta and Gupta 2003, with 1/2 for 1/4",
)
def jl_gaussian(forall, draw, *, k):
    """P(| |G x|^2 / k - 1 | >= eps) <= 2 exp(-k eps^2 / 2) for unit x."""
    x, eps = forall.sphere("x", 4), forall.interval("eps", 0.1, 1.0)
    y = (draw.normal("G", k, 4) * x[:, None, :]).sum(-1).square().mean(-1)
    return (y - 1.0).abs() >= eps, 2.0 * torch.exp(-k * eps.square() / 2.0)


@claim("highdim/subtle-sum-large", tail(), expected="refuted", cite="Tomaszewski; Keller and Klein 2022")
def sum_large(forall, draw):
    """P(|<a, e>| < 1) <= 3/4 for unit a."""
    a = forall.sphere("a", 8)
    return (draw.signs("e", 8) * a).sum(-1).abs() < 1.0, 0.75


PROOFS = {
    "highdim/true-massart-law": (
        "Massart 1990: any law, two-sided, all delta; the set of t only makes the sup smaller."
    ),
    "highdim/true-khintchine": "Szarek 1976: best constant 1/sqrt 2.",
    "highdim/true-lipschitz-norm": "|A g| is |A|_op-Lipschitz with mean <= |A|_F; A = 0 gives 0 <= 0.",
    "highdim/true-hypercontractive": "Bonami 1970.",
    "highdim/true-symmetrisation": "Gine-Zinn symmetrisation with an independent copy and Jensen.",
    "highdim/true-stability-majority": "Fourier weights of Maj3: 3/4 at level one, 1/4 at level three.",
    "highdim/true-max-constant": "E max |g_i| <= sqrt(2 log 2n) <= 2 sqrt(log n) for n >= 2.",
}

WITNESSES = {
    "highdim/plain-jl-gaussian": {
        "params": {"k": 10},
        "values": {"x": [1, 0, 0, 0], "eps": 1.0},
        "probability": 0.029252688076961072,
        "why": "P(chi2_10 >= 20) = .0293 > .0135",
    },
    "highdim/subtle-sum-large": {
        "params": {},
        "values": {"a": [6**-0.5] * 6 + [0, 0]},
        "probability": 0.78125,
        "why": "P = 50/64",
    },
}
