"""The calibration zoo: true claims without any slack, which a judge that accuses too easily would refute."""

import math
from collections.abc import Callable
from typing import Any

import torch
from scipy import special, stats
from torch import Tensor

from harness.kinds import always, expectation, high_probability, identity
from harness.quantifiers import Draw, Forall
from harness.zoo.entries import TRUE, Event, Instance, Sides, Truth, deterministic, drawn, quantified
from harness.zoo.falsehoods_rates import decay
from harness.zoo.inequalities import INEQUALITIES

KIND = high_probability("delta")


def _exact(name: str, statement: str, event: Event, delta: float) -> Truth:
    return Truth(drawn(TRUE + name, KIND, statement, event, delta=delta), "violated with probability delta")


def _binomial_tail(n: int, k: int) -> Truth:
    """P(X >= k) of Bin(n, 1/2) is delta to the last digit; the sides tie in a positive share of the draws."""
    delta = float(stats.binom.sf(k - 1, n, 0.5))

    def event(draw: Draw) -> Sides:
        tenths = (0.1 * draw.bernoulli("x", 0.5, n)).sum(-1)  # k - 1 ones tie with the right side, up to rounding
        return tenths, 0.1 * (k - 1)

    return _exact(f"binomial-{n}-{k}", f"sum of {n} tenths <= {0.1 * (k - 1):g}, tied by rounding", event, delta)


def _tails() -> list[Truth]:
    two = float(stats.norm.isf(0.025))
    chi = float(stats.chi2.isf(0.01, 5))
    return [
        *(
            _exact(f"uniform-{delta:g}", "u >= delta with probability 1 - delta", _uniform(delta), delta)
            for delta in (0.5, 0.05, 0.001)
        ),
        _exact("normal", "|z| <= z_(1-delta/2)", lambda d: (d.normal("z").abs(), two), 0.05),
        _exact("exponential", "x <= log(1/delta)", lambda d: (-torch.log1p(-d.uniform("u")), math.log(20.0)), 0.05),
        _exact("chi-square", "|z|^2 <= its quantile", lambda d: (d.normal("z", 5).square().sum(-1), chi), 0.01),
        _exact(
            "largest", "max of 10 uniforms <= 0.95^(1/10)", lambda d: (d.uniform("u", 10).amax(-1), 0.95**0.1), 0.05
        ),
        _exact("tiny-scale", "1e-8 u <= 1e-8 (1 - delta)", lambda d: (1e-8 * d.uniform("u"), 1e-8 * 0.95), 0.05),
        _exact("huge-scale", "1e8 u <= 1e8 (1 - delta)", lambda d: (1e8 * d.uniform("u"), 1e8 * 0.7), 0.3),
        _binomial_tail(20, 14),
        _binomial_tail(7, 7),
        Truth(
            drawn(
                TRUE + "collisions",
                KIND,
                "no two of 10 birthdays in 100 days coincide",
                lambda d: (d.multinomial("c", 10, [0.01] * 100).amax(-1), 1.0),
                delta=1.0 - math.prod(1.0 - i / 100 for i in range(10)),
            ),
            "violated with probability delta",
        ),
    ]


def _uniform(delta: float) -> Event:
    return lambda draw: (delta, draw.uniform("u"))


def _laws() -> list[Truth]:
    """For every law of a family, exact at the worst one: the search must not accuse what it has selected."""

    def end(forall: Forall, draw: Draw) -> Sides:
        return draw.bernoulli("x", forall.interval("p", 0.0, 0.1)), 0.5

    def every(forall: Forall, draw: Draw) -> Sides:
        forall.simplex("ignored", 4)
        return draw.bernoulli("x", 0.05), 0.5

    def interior(forall: Forall, draw: Draw) -> Sides:
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", 0.2 * p * (1.0 - p)), 0.5

    def pair(forall: Forall, draw: Draw) -> Sides:
        c = draw.multinomial("c", 20, forall.simplex("law", 5))
        return -(20.0 - c[:, 1] - c[:, 3]) - (c[:, 1] - c[:, 3]).abs(), -0.5

    rows: list[tuple[str, str, Callable[[Forall, Draw], Sides], float, Instance]] = [
        ("end-law", "P <= delta for p in [0, delta]", end, 0.1, {"p": 0.1}),
        ("every-law", "P = delta for all laws", every, 0.05, {"ignored": [0.25] * 4}),
        ("interior-law", "p (1 - p)/5 <= 1/20", interior, 0.05, {"p": 0.5}),
        ("pair-law", "P(ten in each of two atoms) <= C(20, 10)/2^20", pair, math.comb(20, 10) / 2**20,
         {"law": [0.0, 0.5, 0.0, 0.5, 0.0]}),
    ]  # fmt: skip
    return [
        Truth(quantified(TRUE + name, KIND, text, event, delta=delta), "delta at the worst law", at)
        for name, text, event, delta, at in rows
    ]


def _means() -> list[Truth]:
    def jensen(forall: Forall, draw: Draw) -> Sides:
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", p).square(), p

    def differ(forall: Forall, draw: Draw) -> Sides:
        x = draw.categorical("x", forall.simplex("law", 6), 2)
        return (x[:, 0] != x[:, 1]).to(torch.float64), 5.0 / 6.0

    def rare(draw: Draw) -> Sides:
        return draw.bernoulli("x", 0.01), 0.01

    def rounding(draw: Draw) -> Sides:
        zero = 0.0 * draw.normal("z")
        return zero + (0.1 + 0.2), zero + 0.3

    family = "means equal"
    unit = expectation((-1.0, 1.0))
    return [
        Truth(drawn(TRUE + "fair-coin", unit, "E s <= 0", lambda d: (d.signs("s"), 0.0)), family),
        Truth(drawn(TRUE + "rare-coin", expectation((-0.01, 0.99)), "E x <= 1/100", rare), family),
        Truth(drawn(TRUE + "normal-mean", expectation(), "E z <= 0", lambda d: (d.normal("z"), 0.0)), family),
        Truth(
            drawn(
                TRUE + "variance",
                expectation((-1.0, math.inf)),
                "E s^2 <= 1",
                lambda d: (d.normal("z", 10).var(-1), 1.0),
            ),
            family,
        ),
        Truth(drawn(TRUE + "rounding", expectation((-1e-16, 1e-16)), "E (0.1 + 0.2) <= E 0.3", rounding), family),
        Truth(quantified(TRUE + "jensen", unit, "E x^2 <= p for x in {0, 1}", jensen), family, {"p": 0.5}),
        Truth(
            quantified(TRUE + "differ", unit, "P(two draws differ) <= 5/6", differ), family, {"law": [1.0 / 6.0] * 6}
        ),
    ]


def _rate(name: str, true: tuple[float, float, float], claimed: tuple[float, float]) -> Truth:
    statement = f"n^{true[0]:g} log^{true[2]:g} n (1 + {true[1]:g} n^-1/2)"
    return Truth(decay(f"{TRUE}rate-{name}", statement, true=true, claimed=claimed)[0], "exponent")


RATE_CURVES = [
    _rate("half", (-0.5, 0.0, 0.0), (-0.5, 0.0)),
    _rate("one-correction", (-1.0, 2.0, 0.0), (-1.0, 0.0)),
    _rate("half-negative", (-0.5, -0.9, 0.0), (-0.5, 0.0)),
    _rate("half-log", (-0.5, 1.0, 1.0), (-0.5, 1.0)),
    _rate("one-log-squared", (-1.0, 0.0, 2.0), (-1.0, 2.0)),
    _rate("at-margin", (-0.45, 0.0, 0.0), (-0.5, 0.0)),
]


def _polarisation(forall: Forall) -> Sides:
    x, y = forall.interval("x", -1e8, 1e8, 3), forall.ball("y", 3, radius=1e-4)
    return 4.0 * (x * y).sum(-1), (x + y).square().sum(-1) - (x - y).square().sum(-1)


def _small_and_large(forall: Forall) -> Sides:
    x, y = forall.interval("x", 0.0, 1e8), forall.interval("y", 0.0, 1.0)
    return (x + y) - x, y


def _one_pass_variance(forall: Forall) -> Sides:
    x = forall.interval("x", 1e6, 1e6 + 1.0, 5)
    return x.square().mean(-1) - x.mean(-1).square(), x.var(-1, correction=0)


def _trace_of_square(forall: Forall) -> Sides:
    k = forall.psd("K", 4)
    return (k @ k).diagonal(dim1=-2, dim2=-1).sum(-1), k.square().sum((-2, -1))


def _scaled_norm(scale: float) -> Callable[[Forall], Sides]:
    def body(forall: Forall) -> Sides:
        x, y = (forall.interval(name, -scale, scale, 4) for name in "xy")
        return _norm(x + y), _norm(x) + _norm(y)

    return body


def _norm(x: Tensor) -> Tensor:
    norm: Tensor = torch.linalg.vector_norm(x, dim=-1)
    return norm


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


def _identities() -> list[Truth]:
    rows: list[tuple[str, str, Any, Callable[[Forall], Sides], Instance]] = [
        ("polarisation", "4 <x, y> = |x + y|^2 - |x - y|^2, entries of 1e8 and 1e-4", identity(), _polarisation,
         {"x": [1e8] * 3, "y": [1e-5] * 3}),
        ("small-and-large", "(x + y) - x = y, x up to 1e8", identity(), _small_and_large, {"x": 0.0, "y": 1.0}),
        ("one-pass-variance", "mean of squares - square of mean = variance, around 1e6", identity(), _one_pass_variance,
         {"x": [1e6, 1e6, 1e6, 1e6, 1e6 + 1.0]}),
        ("trace-of-square", "tr K^2 = sum of squared entries", identity(), _trace_of_square, {"K": _eye(4)}),
        ("tiny-triangle", "|x + y| <= |x| + |y| at 1e-8", always(), _scaled_norm(1e-8),
         {"x": [1e-8] * 4, "y": [1e-8] * 4}),
        ("huge-triangle", "|x + y| <= |x| + |y| at 1e8", always(), _scaled_norm(1e8),
         {"x": [1e8] * 4, "y": [1e8] * 4}),
        ("row-sums", "sum_k C(n, k) = 2^n through log-gamma", identity(), _hockey_stick, {"n": 7.0}),
        ("exact-tail", "P(Bin(20, p) >= 15) <= its value at 1/2", always(), _exact_tail, {"p": 0.5}),
    ]  # fmt: skip
    return [
        Truth(deterministic(TRUE + name, kind, text, body), "equality attained", at)
        for name, text, kind, body, at in rows
    ]


def _eye(n: int) -> list[list[float]]:
    return torch.eye(n).tolist()


TRUTHS: tuple[Truth, ...] = (
    *(inequality.truth() for inequality in INEQUALITIES),
    *_identities(),
    *_tails(),
    *_laws(),
    *_means(),
    *RATE_CURVES,
)


def allowed(runs: int, alpha: float, *, doubt: float = 1e-3) -> int:
    """The most false verdicts in `runs` independent runs that a promise of `alpha` explains.

    The smallest k with P(Bin(runs, alpha) > k) <= doubt: more than k refute the promise at confidence 1 - doubt.
    """
    return int(stats.binom.isf(doubt, runs, alpha))
