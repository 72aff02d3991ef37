"""More false tails whose law is known exactly: other levels and statistics, slips of the pen, one bad law."""

import math

import numpy as np
import torch
from scipy import stats

from harness.language.quantifiers import Draw, Forall
from harness.selftest.entries import Label, QuantifiedEvent, Sides
from harness.selftest.falsehoods import TARGET, TEN_SIGNS, Radius, bad_law, false_tail, small_radius, wrong_delta

RADII: list[Radius] = [
    ("exponential", "x", math.log(20.0), lambda draw: -torch.log1p(-draw.uniform("u")), lambda r: math.exp(-r)),
    (
        "chi-square",
        "|z|^2 in five dimensions",
        float(stats.chi2.isf(0.05, 5)),
        lambda draw: draw.normal("z", 5).square().sum(-1),
        lambda r: stats.chi2.sf(r, 5),
    ),
    (
        "max-of-normals",
        "the largest of 20 |z|",
        float(stats.norm.isf((1 - 0.95**0.05) / 2)),
        lambda draw: draw.normal("z", 20).abs().amax(-1),
        lambda r: -np.expm1(20 * np.log1p(-2 * stats.norm.sf(r))),
    ),
]
UNIFORMS: Radius = (
    "max-of-uniforms-tail",
    "the largest of 10 uniforms",
    0.95**0.1,
    lambda draw: draw.uniform("u", 10).amax(-1),
    lambda r: 1.0 - r**10,
)

DELTA = 0.05
ONE, TWO = float(stats.norm.isf(0.05)), float(stats.norm.isf(0.025))
NINE = float(stats.chi2.isf(DELTA, 9))
NARROW = 4.0 * math.sqrt(2.0 * math.log(1.0 / DELTA)) * 0.6
LEAST = int(stats.binom.isf(DELTA, 20, 0.5))  # the smallest k with P(X > k) <= delta
COLLISION = 1.0 - math.prod(1.0 - i / 100 for i in range(10))


def _student(draw: Draw) -> Sides:
    z = draw.normal("z", 5)
    return (z.mean(-1) * math.sqrt(5.0) / z.std(-1)).abs(), TWO


def _largest_exponential(draw: Draw) -> Sides:
    return -torch.log1p(-draw.uniform("u", 50)).amin(-1), math.log(20.0)


def _mean_exponential(draw: Draw) -> Sides:
    return -torch.log1p(-draw.uniform("u", 5)).mean(-1), 1.0 + ONE / math.sqrt(5.0)


def _birthdays(draw: Draw) -> Sides:
    return draw.multinomial("c", 10, [0.01] * 100).amax(-1), 1.5


SLIPS = [
    false_tail(Label(name, size, statement), event, probability, delta, "slip")
    for name, size, statement, event, probability, delta in [
        (
            "one-sided",
            "one-sided for two-sided",
            "|z| <= z_(1-delta)",
            lambda draw: (draw.normal("z").abs(), ONE),
            0.1,
            DELTA,
        ),
        (
            "degrees",
            "n - 1 for n degrees of freedom",
            "|z|^2 <= chi2_9 quantile, z in ten dimensions",
            lambda draw: (draw.normal("z", 10).square().sum(-1), NINE),
            float(stats.chi2.sf(NINE, 10)),
            DELTA,
        ),
        (
            "student",
            "normal quantile for Student's, n = 5",
            "|t| <= z_(1-delta/2)",
            _student,
            float(2 * stats.t.sf(TWO, 4)),
            DELTA,
        ),
        (
            "dropped-log",
            "log(1/delta) for log(n/delta)",
            "the largest of 50 exponentials <= log(1/delta)",
            _largest_exponential,
            1.0 - 0.95**50,
            DELTA,
        ),
        (
            "union",
            "no union over three events",
            "the largest of 3 normals <= z_(1-delta)",
            lambda draw: (draw.normal("z", 3).amax(-1), ONE),
            1.0 - 0.95**3,
            DELTA,
        ),
        (
            "rademacher",
            "radius 0.6 of Hoeffding's",
            "sum of 16 signs <= 0.6 sqrt(2 n log(1/delta))",
            lambda draw: (draw.signs("s", 16).sum(-1), NARROW),
            float(stats.binom.sf(math.floor((16 + NARROW) / 2), 16, 0.5)),
            DELTA,
        ),
        (
            "binomial",
            "exact quantile less one",
            "X <= k - 1, k the quantile of Bin(20, 1/2)",
            lambda draw: (draw.bernoulli("x", 0.5, 20).sum(-1), LEAST - 0.5 - 0.5),
            float(stats.binom.sf(LEAST - 1, 20, 0.5)),
            DELTA,
        ),
        (
            "central-limit",
            "normal limit at n = 5",
            "mean of 5 exponentials <= 1 + z/sqrt 5",
            _mean_exponential,
            float(stats.gamma.sf(5.0 + ONE * math.sqrt(5.0), 5)),
            DELTA,
        ),
        (
            "birthdays",
            "pairs / classes / 1.25",
            "P(collision of 10 in 100) <= delta",
            _birthdays,
            COLLISION,
            COLLISION / 1.25,
        ),
    ]
]


def _bump(forall: Forall, draw: Draw) -> Sides:
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", 0.1 * torch.exp(-(((p - 0.31) / 0.01) ** 2))), 0.5


def _rare(forall: Forall, draw: Draw) -> Sides:
    count = draw.bernoulli("x", forall.interval("p", 0.0, 1.0), 1000).sum(-1)
    return -(count - 1.0).abs(), -0.5


def _pattern(forall: Forall, draw: Draw) -> Sides:
    wrong = (forall.signs("s", 10) != TEN_SIGNS).to(torch.float64).sum(-1)
    return draw.bernoulli("x", 0.2 * (1.0 - 0.06 * wrong)), 0.5


def _balanced_pair(i: int, j: int) -> QuantifiedEvent:
    """20 draws all in two atoms, ten in each: P = C(20, 10)/2^20 at the fair pair."""

    def event(forall: Forall, draw: Draw) -> Sides:
        c = draw.multinomial("c", 20, forall.simplex("law", 5))
        return -(20.0 - c[:, i] - c[:, j]) - (c[:, i] - c[:, j]).abs(), -0.5

    return event


def _shifted(dimension: int) -> QuantifiedEvent:
    """z less the distance to a centre: P = 2 delta at the centre, below delta from 0.363 away."""
    shift = float(stats.norm.isf(0.05) - stats.norm.isf(0.1))
    centre = TARGET[:dimension]

    def event(forall: Forall, draw: Draw) -> Sides:
        x = forall.interval("x", -1.0, 1.0, dimension)
        return draw.normal("z") - torch.linalg.vector_norm(x - centre, dim=-1), float(stats.norm.isf(0.05)) - shift

    return event


PAIR = math.comb(20, 10) / 2**20
ONCE = 1000 * 0.001 * 0.999**999
BAD_LAWS = [
    bad_law(
        Label("bump-law", "2 delta at p = 0.31, false on a width of 0.017", "P <= delta for all p"),
        _bump,
        0.1,
        0.05,
        {"p": 0.31},
    ),
    bad_law(
        Label("rare-law", "delta = 0.3 for 0.368 at p = 1/n", "P(exactly one of 1000) <= delta"),
        _rare,
        ONCE,
        0.3,
        {"p": 0.001},
    ),
    bad_law(
        Label("one-sign-pattern", "P = 0.2, delta = 0.19, at one of 1024 patterns", "P <= delta for all s"),
        _pattern,
        0.2,
        0.19,
        {"s": TEN_SIGNS.tolist()},
    ),
    bad_law(
        Label("first-pair", "delta = 0.15 for 0.176 at a fair pair", "P(ten in each of atoms 0, 1) <= delta"),
        _balanced_pair(0, 1),
        PAIR,
        0.15,
        {"law": [0.5, 0.5, 0.0, 0.0, 0.0]},
    ),
    bad_law(
        Label("inner-pair", "delta = 0.15 for 0.176 at a fair pair", "P(ten in each of atoms 1, 3) <= delta"),
        _balanced_pair(1, 3),
        PAIR,
        0.15,
        {"law": [0.0, 0.5, 0.0, 0.5, 0.0]},
    ),
    bad_law(
        Label("shift-3", "2 delta at one point of a 3-dimensional family", "P <= delta for all x"),
        _shifted(3),
        0.1,
        0.05,
        {"x": TARGET[:3].tolist()},
    ),
    bad_law(
        Label("shift-10", "2 delta at one point of a 10-dimensional family", "P <= delta for all x"),
        _shifted(10),
        0.1,
        0.05,
        {"x": TARGET.tolist()},
    ),
]

TAILS = [
    *(wrong_delta(factor, delta) for delta in (0.3, 0.001) for factor in (1.01, 1.1, 1.25, 2.0)),
    *(small_radius(radius, factor) for radius in RADII for factor in (0.99, 0.95, 0.9)),
    *(small_radius(UNIFORMS, factor) for factor in (0.999, 0.99)),
    *SLIPS,
    *BAD_LAWS,
]
