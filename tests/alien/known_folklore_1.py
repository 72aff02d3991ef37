"""Alien claims, known: what lecture notes and answers say in passing (1); see README.md."""

# ruff: noqa: B905, E731, RUF007

import itertools
import math
from fractions import Fraction

import scipy.stats as st
import torch

from harness import (
    always,
    claim,
    expectation,
    grid,
    identity,
    rate,
    tail,
)


@claim("folklore/true-median-within-one-sd", always(), cite="Mallows 1991")
def med(forall):
    """|median - mean| <= sd."""
    law = forall.law("P", atoms=3)
    return (law.quantile(0.5) - law.mean).abs(), law.variance.sqrt()


@claim("folklore/plain-positive-skew-puts-mean-right", always(), expected="refuted", cite="von Hippel 2005")
def skew(forall):
    """If the third central moment is at least .001 the mean is at least the median minus .001."""
    law = forall.law("P", atoms=3)
    third = law.expect(lambda x: (x - law.mean[:, None]) ** 3)
    forall.assume(third >= 0.001)
    return law.quantile(0.5) - law.mean, 0.001


@claim("folklore/plain-median-of-sum", always(), expected="refuted", cite="Folklore")
def med_sum(forall):
    """med(X + Y) <= med X + med Y for independent coins."""
    p = forall.interval("p", 0.0, 1.0)
    med_one = (p > 0.5).double()
    p0, p2 = (1 - p) ** 2, p**2
    med_two = torch.where(p0 >= 0.5, 0.0, torch.where(1 - p2 >= 0.5, 1.0, 2.0))
    return med_two, 2 * med_one


@claim("folklore/true-bhatia-davis", always(), cite="Bhatia and Davis 2000")
def bd(forall):
    """Var X <= (1 - m) m for X in [0, 1]."""
    law = forall.law("P", atoms=4)
    return law.variance, (1 - law.mean) * law.mean


def correlations(forall):
    x, y, z = (forall.sphere(k, 3) for k in "xyz")
    return (x * y).sum(-1), (y * z).sum(-1), (x * z).sum(-1)


@claim(
    "folklore/subtle-correlation-transitive", always(), expected="refuted", cite="Langford, Schwertman and Owens 2001"
)
def corr_false(forall):
    """r_xy, r_yz >= .69 imply r_xz >= 0."""
    a, b, c = correlations(forall)
    forall.assume((a >= 0.69) & (b >= 0.69))
    return -c, 0.0


@claim("folklore/true-conditioning-reduces-entropy", always(), cite="Cover and Thomas 2006, Theorem 2.6.5")
def ce(forall):
    """H(X|Y,Z) <= H(X|Y)."""
    p = forall.simplex("p", 8).reshape(-1, 2, 2, 2)
    h = lambda q: -torch.special.xlogy(q, q).flatten(1).sum(-1)
    return h(p) - h(p.sum(1)), h(p.sum(3)) - h(p.sum((1, 3))) + 1e-12


@claim("folklore/plain-intersection-property", always(), expected="refuted", cite="Pearl 1988, section 3.1")
def intersection(forall):
    """I(X;YZ) <= 10 (I(X;Y|Z) + I(X;Z|Y)) + .01."""
    p = forall.simplex("p", 8).reshape(-1, 2, 2, 2)
    h = lambda q: -torch.special.xlogy(q, q).flatten(1).sum(-1)
    i_y_given_z = h(p.sum(2)) + h(p.sum(1)) - h(p) - h(p.sum((1, 2)))
    i_z_given_y = h(p.sum(3)) + h(p.sum(1)) - h(p) - h(p.sum((1, 3)))
    total = h(p.sum((2, 3))) + h(p.sum(1)) - h(p)
    return total, 10 * (i_y_given_z + i_z_given_y) + 0.01


def mutual(p):
    h = lambda q: -torch.special.xlogy(q, q).flatten(1).sum(-1)
    return h(p.sum(2)) + h(p.sum(1)) - h(p)


@claim("folklore/true-chain-rule-information", identity(atol=1e-12), cite="Cover and Thomas 2006, Theorem 2.5.2")
def chain(forall):
    """I(X;YZ) = I(X;Y) + I(X;Z|Y)."""
    p = forall.simplex("p", 8).reshape(-1, 2, 2, 2)
    h = lambda q: -torch.special.xlogy(q, q).flatten(1).sum(-1)
    i_z_given_y = h(p.sum(3)) + h(p.sum(1)) - h(p) - h(p.sum((1, 3)))
    return h(p.sum((2, 3))) + h(p.sum(1)) - h(p), mutual(p.sum(3)) + i_z_given_y


@claim("folklore/plain-p-value-is-posterior", always(), expected="refuted", cite="Ioannidis 2005")
def pvalue(forall):
    """P(H0 | p < .05) <= .05 whatever the prior and the power."""
    prior, power = forall.interval("prior", 0, 0.99), forall.interval("power", 0.05, 1)
    return 0.05 * prior / (0.05 * prior + power * (1 - prior)), 0.05


@claim("folklore/true-disjoint-intervals-are-significant", always(), cite="Schenker and Gentleman 2001")
def disjoint(forall):
    """Disjoint 95 % intervals imply p <= .05 in the z test."""
    d, a, b = forall.interval("d", 0, 5), forall.interval("a", 0.1, 1), forall.interval("b", 0.1, 1)
    forall.assume(d >= 1.96 * (a + b))
    return torch.erfc(d / (a**2 + b**2).sqrt() / math.sqrt(2)), 0.05


@claim("folklore/plain-overlap-is-insignificant", always(), expected="refuted", cite="Schenker and Gentleman 2001")
def overlap(forall):
    """Overlapping 95 % intervals imply p >= .05."""
    d, a, b = forall.interval("d", 0, 5), forall.interval("a", 0.1, 1), forall.interval("b", 0.1, 1)
    forall.assume(d <= 1.96 * (a + b))
    return 0.05, torch.erfc(d / (a**2 + b**2).sqrt() / math.sqrt(2))


@claim("folklore/true-hot-hand-exact", identity(), cite="Miller and Sanjurjo 2018")
def hot_true():
    """It is 17/42."""
    rows = [r for r in itertools.product((0, 1), repeat=4) if sum(r[:3]) > 0]
    shares = [Fraction(sum(a * b for a, b in zip(r, r[1:])), sum(r[:3])) for r in rows]
    return float(sum(shares) / len(shares)), 17 / 42


@claim("folklore/plain-volatility-drag", always(), expected="refuted", cite="Messmore 1995")
def drag(forall):
    """A - G <= Var / (2 A)."""
    x = forall.interval("x", 0.1, 1.0, 2)
    a = x.mean(-1)
    return a - x.prod(-1).sqrt(), x.var(-1, unbiased=False) / (2 * a)


@claim("folklore/plain-inverse-regression-slope", identity(), expected="refuted", cite="Galton 1886")
def inv_reg(forall):
    """slope(x on y) = 1 / slope(y on x)."""
    x, y = forall.interval("x", 0, 1, 5), forall.interval("y", 0, 1, 5)
    cx, cy = x - x.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    sxy = (cx * cy).sum(-1)
    forall.assume(sxy.abs() > 0.01)
    return sxy / cy.square().sum(-1), cx.square().sum(-1) / sxy


@claim("folklore/true-slopes-multiply", always(), cite="Galton 1886")
def slopes(forall):
    """slope(x on y) slope(y on x) <= 1."""
    x, y = forall.interval("x", 0, 1, 5), forall.interval("y", 0, 1, 5)
    cx, cy = x - x.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    sxx, syy = cx.square().sum(-1), cy.square().sum(-1)
    forall.assume((sxx > 0.01) & (syy > 0.01))
    return (cx * cy).sum(-1) ** 2 / (sxx * syy), 1.0


@claim("folklore/true-daniels", always(), cite="Daniels 1950")
def daniels(forall):
    """7 tau - 4 rho <= 3 at n = 5, by scipy."""
    y = forall.permutation("pi", 5).double()
    tau = torch.tensor([st.kendalltau(range(5), r).statistic for r in y.numpy()])
    rho = torch.tensor([st.spearmanr(range(5), r).statistic for r in y.numpy()])
    return 7 * tau - 4 * rho, 3.0


@claim(
    "folklore/plain-permutation-p-without-one",
    tail(),
    over=grid(B=[9]),
    expected="refuted",
    cite="Phipson and Smyth 2010",
)
def perm_p(draw, *, B):
    """P(#{u_b >= u_0} / B <= .05) <= .05."""
    u = draw.uniform("u", B + 1)
    return (u[:, 1:] >= u[:, :1]).double().mean(-1) <= 0.05, 0.05


@claim("folklore/true-mean-of-inverse", always(), cite="Jensen 1906")
def inv(forall):
    """1 / E X <= E 1/X."""
    law = forall.law("P", atoms=3, low=0.5, high=4.0)
    return 1 / law.mean, law.expect(lambda x: 1 / x)


@claim(
    "folklore/plain-sample-sd-unbiased",
    expectation(range=(-2.0, 2.0)),
    over=grid(n=[4]),
    expected="refuted",
    cite="Holtzman 1950",
)
def sd_bias(draw, *, n):
    """sigma <= E s for n signs, s with n - 1."""
    return 1.0, draw.signs("e", n).std(-1)


@claim("folklore/true-sample-sd-below", expectation(range=(-2.0, 2.0)), over=grid(n=[4, 8]), cite="Holtzman 1950")
def sd_below(draw, *, n):
    """E s <= sigma."""
    return draw.signs("e", n).std(-1), 1.0


@claim(
    "folklore/plain-sphere-coordinate-fourth-moment",
    expectation(range=(-34.0, 3.0)),
    over=grid(n=[6]),
    expected="refuted",
    cite="Poincare 1912",
)
def sphere4(draw, *, n):
    """E (sqrt(n) x_1)^4 = 3, at least 2.5 (it is 3n/(n+2) = 2.25 at n = 6)."""
    x = draw.sphere("x", n)[:, 0]
    return 2.5, (math.sqrt(n) * x) ** 4 / 1.0


@claim("folklore/true-sphere-concentration", tail(), over=grid(n=[3, 10]), cite="Ball 1997, Lemma 2.2")
def sphere(forall, draw, *, n):
    """P(|x_1| >= t) <= 2 exp(-n t^2 / 2)."""
    t = forall.interval("t", 0.1, 0.9)
    return draw.sphere("x", n)[:, 0].abs() >= t, 2 * (-n * t**2 / 2).exp()


@claim(
    "folklore/plain-range-rate",
    rate("n", -2.0),
    over=grid(n=[5, 10, 20, 40, 80, 160]),
    expected="refuted",
    cite="David and Nagaraja 2003",
)
def range_rate(draw, *, n):
    """1 - range of n uniforms decays as n^-2."""
    u = draw.uniform("u", n)
    return 1 - (u.amax(-1) - u.amin(-1))


PROOFS = {
    "folklore/true-median-within-one-sd": (
        "|med - m| <= E |X - med| <= E |X - m| <= sd, as the median minimises E |X - c|."
    ),
    "folklore/true-bhatia-davis": "X^2 <= X on [0, 1], so Var X <= m - m^2.",
    "folklore/true-conditioning-reduces-entropy": "H(X|Y) - H(X|Y,Z) = I(X;Z|Y) >= 0.",
    "folklore/true-chain-rule-information": (
        "Chain rule of mutual information: write all three as differences of entropies."
    ),
    "folklore/true-disjoint-intervals-are-significant": (
        "d >= 1.96 (a + b) >= 1.96 sqrt(a^2 + b^2), and erfc(1.96 / sqrt 2) = 0.049996."
    ),
    "folklore/true-hot-hand-exact": "The shares of the 14 rows add up to 17/3: 17/3 / 14 = 17/42.",
    "folklore/true-slopes-multiply": "The product of the slopes is r^2 <= 1, by Cauchy and Schwarz.",
    "folklore/true-daniels": (
        "Enumeration of the 120 orders: 7 tau - 4 rho is largest at the identity, where it is 3."
    ),
    "folklore/true-mean-of-inverse": "Jensen: 1/x is convex for x > 0.",
    "folklore/true-sample-sd-below": "Jensen: E s <= sqrt(E s^2) = sigma.",
    "folklore/true-sphere-concentration": (
        "Ball: a cap at height t has measure at most exp(-n t^2 / 2); there are two."
    ),
}

WITNESSES = {
    "folklore/plain-positive-skew-puts-mean-right": {
        "params": {},
        "values": {"P atoms": [0.0, 0.65, 1.0], "P weights": [0.45, 0.45, 0.1]},
        "why": "Mean 0.3925, median 0.65, third central moment 0.0029.",
    },
    "folklore/plain-median-of-sum": {
        "params": {},
        "values": {"p": 0.4},
        "why": "Medians 0 and 0, that of the sum is 1: 0.36 < 1/2 < 0.84.",
    },
    "folklore/subtle-correlation-transitive": {
        "params": {},
        "values": {"x": [0.7, math.sqrt(0.51), 0.0], "y": [1.0, 0.0, 0.0], "z": [0.7, -math.sqrt(0.51), 0.0]},
        "why": "0.49 - 0.51 = -0.02 < 0.",
    },
    "folklore/plain-intersection-property": {
        "params": {},
        "values": {"p": [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]},
        "why": "X = Y = Z: log 2 against 0.01.",
    },
    "folklore/plain-p-value-is-posterior": {
        "params": {},
        "values": {"prior": 0.9, "power": 0.8},
        "why": "0.045 / (0.045 + 0.08) = 0.36 against 0.05.",
    },
    "folklore/plain-overlap-is-insignificant": {
        "params": {},
        "values": {"d": 3.0, "a": 1.0, "b": 1.0},
        "why": "They overlap, 3 < 3.92, and p = erfc(3/2) = 0.034.",
    },
    "folklore/plain-volatility-drag": {
        "params": {},
        "values": {"x": [0.125, 1.0]},
        "why": "0.2089 against 0.1701.",
    },
    "folklore/plain-inverse-regression-slope": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 0.0, 1.0], "y": [0.0, 0.0, 0.0, 1.0, 1.0]},
        "why": "1/2 against 4/3.",
    },
    "folklore/plain-permutation-p-without-one": {
        "params": {"B": 9},
        "values": {},
        "probability": 0.1,
        "why": "p = 0 where u_0 is the largest of ten.",
    },
    "folklore/plain-sample-sd-unbiased": {
        "params": {"n": 4},
        "values": {},
        "mean": 0.5 - 0.375 * math.sqrt(4.0 / 3.0),
        "why": "E s = 1/2 + 3/8 sqrt(4/3) = 0.933.",
    },
    "folklore/plain-sphere-coordinate-fourth-moment": {
        "params": {"n": 6},
        "values": {},
        "mean": 0.25,
        "why": "3 n / (n + 2) = 2.25 at n = 6.",
    },
    "folklore/plain-range-rate": {
        "params": {},
        "values": {},
        "exponent": -1.0,
        "why": "The mean is 2 / (n + 1).",
    },
}
