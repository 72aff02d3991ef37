"""More true claims without any slack, which a judge that accuses too easily would refute."""

import math
from collections.abc import Callable

import torch
from scipy import special, stats

from harness.kinds import always, expectation
from harness.language.quantifiers import Draw, Forall
from harness.selftest.entries import TRUE, Instance, Sides, Truth, deterministic, drawn
from harness.selftest.truths import (
    binomial_tail,
    equal_mean_at,
    equal_sides,
    exact_rate,
    exact_tail,
    norm,
    uniform_tail,
    worst_law,
)


def _scaled_norm(scale: float) -> Callable[[Forall], Sides]:
    def body(forall: Forall) -> Sides:
        x, y = (forall.interval(name, -scale, scale, 4) for name in "xy")
        return norm(x + y), norm(x) + norm(y)

    return body


def _hockey_stick(forall: Forall) -> Sides:
    """sum_(j <= k) C(n, j) by recursion equals the sum by gamma functions."""
    n = forall.integers("n", 0, 30)
    k = torch.arange(31.0, dtype=torch.float64)
    log = torch.lgamma(n[:, None] + 1.0) - torch.lgamma(k + 1.0) - torch.lgamma((n[:, None] - k).clamp_min(0.0) + 1.0)
    return torch.where(k <= n[:, None], log.exp(), 0.0).sum(-1), 2.0**n


def _exact_tail(forall: Forall) -> Sides:
    """The exact probability path: P(Bin(20, p) >= 15) increases in p, so it is largest at the end of the interval."""
    p = forall.interval("p", 0.0, 0.5)
    k = torch.arange(15.0, 21.0, dtype=torch.float64)
    choose = torch.tensor([math.comb(20, int(i)) for i in k], dtype=torch.float64)
    tail = (choose * p[:, None] ** k * (1.0 - p[:, None]) ** (20.0 - k)).sum(-1)
    return tail, float(special.bdtrc(14, 20, 0.5))


def _largest(name: str, statement: str, body: Callable[[Forall], Sides], equality: Instance) -> Truth:
    return Truth(deterministic(TRUE + name, always(), statement, body), "equality attained", equality)


INEQUALITIES = [
    _largest("tiny-triangle", "|x + y| <= |x| + |y| at 1e-8", _scaled_norm(1e-8), {"x": [1e-8] * 4, "y": [1e-8] * 4}),
    _largest("huge-triangle", "|x + y| <= |x| + |y| at 1e8", _scaled_norm(1e8), {"x": [1e8] * 4, "y": [1e8] * 4}),
    _largest("exact-tail", "P(Bin(20, p) >= 15) <= its value at 1/2", _exact_tail, {"p": 0.5}),
    equal_sides("row-sums", "sum_k C(n, k) = 2^n through log-gamma", _hockey_stick, {"n": 7.0}),
]


def _every(forall: Forall, draw: Draw) -> Sides:
    forall.simplex("ignored", 4)
    return draw.bernoulli("x", 0.05), 0.5


def _pair(forall: Forall, draw: Draw) -> Sides:
    c = draw.multinomial("c", 20, forall.simplex("law", 5))
    return -(20.0 - c[:, 1] - c[:, 3]) - (c[:, 1] - c[:, 3]).abs(), -0.5


CHI = float(stats.chi2.isf(0.01, 5))
TAILS = [
    uniform_tail(0.5),
    uniform_tail(0.001),
    exact_tail("exponential", "x <= log(1/delta)", lambda d: (-torch.log1p(-d.uniform("u")), math.log(20.0)), 0.05),
    exact_tail("chi-square", "|z|^2 <= its quantile", lambda d: (d.normal("z", 5).square().sum(-1), CHI), 0.01),
    exact_tail(
        "largest", "max of 10 uniforms <= 0.95^(1/10)", lambda d: (d.uniform("u", 10).amax(-1), 0.95**0.1), 0.05
    ),
    exact_tail("huge-scale", "1e8 u <= 1e8 (1 - delta)", lambda d: (1e8 * d.uniform("u"), 1e8 * 0.7), 0.3),
    binomial_tail(7, 7),
    exact_tail(
        "collisions",
        "no two of 10 birthdays in 100 days coincide",
        lambda d: (d.multinomial("c", 10, [0.01] * 100).amax(-1), 1.0),
        1.0 - math.prod(1.0 - i / 100 for i in range(10)),
    ),
    worst_law("every-law", "P = delta for all laws", _every, 0.05, {"ignored": [0.25] * 4}),
    worst_law(
        "pair-law",
        "P(ten in each of two atoms) <= C(20, 10)/2^20",
        _pair,
        math.comb(20, 10) / 2**20,
        {"law": [0.0, 0.5, 0.0, 0.5, 0.0]},
    ),
]


def _differ(forall: Forall, draw: Draw) -> Sides:
    x = draw.categorical("x", forall.simplex("law", 6), 2)
    return (x[:, 0] != x[:, 1]).to(torch.float64), 5.0 / 6.0


MEANS = [
    Truth(drawn(TRUE + "normal-mean", expectation(), "E z <= 0", lambda d: (d.normal("z"), 0.0)), "means equal"),
    equal_mean_at("differ", "P(two draws differ) <= 5/6", _differ, {"law": [1.0 / 6.0] * 6}),
]
RATES = [
    exact_rate("half-negative", (-0.5, -0.9, 0.0), (-0.5, 0.0)),
    exact_rate("one-log-squared", (-1.0, 0.0, 2.0), (-1.0, 2.0)),
]
