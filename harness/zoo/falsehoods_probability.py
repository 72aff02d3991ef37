"""False tails whose law is known exactly: delta off by a few per cent, radii too small, one bad law in a family."""

import math
from collections.abc import Callable

import numpy as np
import torch
from scipy import stats

from harness.kinds import high_probability
from harness.quantifiers import Draw, Forall
from harness.zoo.entries import FALSE, Event, Falsehood, Instance, Label, QuantifiedEvent, Sides, drawn, quantified
from harness.zoo.theory import from_counts, from_laws

KIND = high_probability("delta")


def _one_law(label: Label, event: Event, p: float, delta: float, family: str) -> Falsehood:
    made = drawn(FALSE + label.name, KIND, label.statement, event, delta=delta)
    return Falsehood(made, family, label.size, from_counts(p, delta), probability=p)


def _wrong_delta(factor: float, delta: float) -> Falsehood:
    def event(draw: Draw) -> Sides:
        return delta * factor, draw.uniform("u")

    name, size = f"delta-{delta:g}-{factor:g}", f"delta = {delta:g} too small by the factor {factor:g}"
    label = Label(name, size, f"P(u < {factor:g} delta) <= delta")
    return _one_law(label, event, factor * delta, delta, "delta")


Radius = tuple[str, str, float, Callable[[Draw], torch.Tensor], Callable[[float], float]]
RADII: list[Radius] = [
    (
        "normal",
        "|z|",
        float(stats.norm.isf(0.025)),
        lambda draw: draw.normal("z").abs(),
        lambda r: 2 * stats.norm.sf(r),
    ),
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
    (
        "max-of-uniforms-tail",
        "the largest of 10 uniforms",
        0.95**0.1,
        lambda draw: draw.uniform("u", 10).amax(-1),
        lambda r: 1.0 - r**10,
    ),
]


def _small_radius(radius: Radius, factor: float) -> Falsehood:
    name, what, exact, statistic, tail = radius
    cut = exact * factor

    def event(draw: Draw) -> Sides:
        return statistic(draw), cut

    size = f"exact quantile times {factor:g}"
    statement = f"{what} <= {factor:g} times its exact quantile"
    label = Label(f"radius-{name}-{factor:g}", size, statement)
    return _one_law(label, event, float(tail(cut)), 0.05, "radius")


def _slips() -> list[Falsehood]:
    """Slips of the pen with known laws."""
    delta = 0.05
    one, two = float(stats.norm.isf(0.05)), float(stats.norm.isf(0.025))
    nine = float(stats.chi2.isf(delta, 9))
    narrow = 4.0 * math.sqrt(2.0 * math.log(1.0 / delta)) * 0.6
    least = int(stats.binom.isf(delta, 20, 0.5))  # the smallest k with P(X > k) <= delta
    collision = 1.0 - math.prod(1.0 - i / 100 for i in range(10))

    def student(draw: Draw) -> Sides:
        z = draw.normal("z", 5)
        return (z.mean(-1) * math.sqrt(5.0) / z.std(-1)).abs(), two

    def birthdays(draw: Draw) -> Sides:
        return draw.multinomial("c", 10, [0.01] * 100).amax(-1), 1.5

    rademacher = float(stats.binom.sf(math.floor((16 + narrow) / 2), 16, 0.5))
    rows: list[tuple[str, str, str, Event, float, float]] = [
        (
            "one-sided",
            "one-sided for two-sided",
            "|z| <= z_(1-delta)",
            lambda d: (d.normal("z").abs(), one),
            0.1,
            delta,
        ),
        (
            "degrees",
            "n - 1 for n degrees of freedom",
            "|z|^2 <= chi2_9 quantile, z in ten dimensions",
            lambda d: (d.normal("z", 10).square().sum(-1), nine),
            float(stats.chi2.sf(nine, 10)),
            delta,
        ),
        (
            "student",
            "normal quantile for Student's, n = 5",
            "|t| <= z_(1-delta/2)",
            student,
            float(2 * stats.t.sf(two, 4)),
            delta,
        ),
        (
            "dropped-log",
            "log(1/delta) for log(n/delta)",
            "the largest of 50 exponentials <= log(1/delta)",
            lambda d: (-torch.log1p(-d.uniform("u", 50)).amin(-1), math.log(20.0)),
            1.0 - 0.95**50,
            delta,
        ),
        (
            "union",
            "no union over three events",
            "the largest of 3 normals <= z_(1-delta)",
            lambda d: (d.normal("z", 3).amax(-1), one),
            1.0 - 0.95**3,
            delta,
        ),
        (
            "rademacher",
            "radius 0.6 of Hoeffding's",
            "sum of 16 signs <= 0.6 sqrt(2 n log(1/delta))",
            lambda d: (d.signs("s", 16).sum(-1), narrow),
            rademacher,
            delta,
        ),
        (
            "binomial",
            "exact quantile less one",
            "X <= k - 1, k the quantile of Bin(20, 1/2)",
            lambda d: (d.bernoulli("x", 0.5, 20).sum(-1), least - 0.5 - 0.5),
            float(stats.binom.sf(least - 1, 20, 0.5)),
            delta,
        ),
        (
            "central-limit",
            "normal limit at n = 5",
            "mean of 5 exponentials <= 1 + z/sqrt 5",
            lambda d: (-torch.log1p(-d.uniform("u", 5)).mean(-1), 1.0 + one / math.sqrt(5.0)),
            float(stats.gamma.sf(5.0 + one * math.sqrt(5.0), 5)),
            delta,
        ),
        (
            "birthdays",
            "pairs / classes / 1.25",
            "P(collision of 10 in 100) <= delta",
            birthdays,
            collision,
            collision / 1.25,
        ),
    ]
    return [_one_law(Label(name, size, text), event, p, level, "slip") for name, size, text, event, p, level in rows]


def _law(label: Label, event: QuantifiedEvent, p: float, delta: float, witness: Instance) -> Falsehood:
    made = quantified(FALSE + label.name, KIND, label.statement, event, delta=delta)
    return Falsehood(made, "one bad law", label.size, from_counts(p, delta), witness, p)


PATTERN = torch.tensor([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, -1.0], dtype=torch.float64)
CENTRE = torch.tensor([0.31, -0.52, 0.77, -0.08, 0.64, -0.29, 0.11, -0.83, 0.45, -0.66], dtype=torch.float64)


def _balanced_pair(i: int, j: int) -> QuantifiedEvent:
    """20 draws all in two atoms, ten in each: P = C(20, 10)/2^20 at the fair pair."""

    def event(forall: Forall, draw: Draw) -> Sides:
        c = draw.multinomial("c", 20, forall.simplex("law", 5))
        return -(20.0 - c[:, i] - c[:, j]) - (c[:, i] - c[:, j]).abs(), -0.5

    return event


def _shifted(dimension: int) -> QuantifiedEvent:
    """z less the distance to a centre: P = 2 delta at the centre, below delta from 0.363 away."""
    shift = float(stats.norm.isf(0.05) - stats.norm.isf(0.1))
    centre = CENTRE[:dimension]

    def event(forall: Forall, draw: Draw) -> Sides:
        x = forall.interval("x", -1.0, 1.0, dimension)
        return draw.normal("z") - torch.linalg.vector_norm(x - centre, dim=-1), float(stats.norm.isf(0.05)) - shift

    return event


def _bad_laws() -> list[Falsehood]:
    pair = math.comb(20, 10) / 2**20

    def fair(forall: Forall, draw: Draw) -> Sides:
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", 0.25 * p * (1.0 - p)), 0.5

    def bump(forall: Forall, draw: Draw) -> Sides:
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", 0.1 * torch.exp(-(((p - 0.31) / 0.01) ** 2))), 0.5

    def rare(forall: Forall, draw: Draw) -> Sides:
        count = draw.bernoulli("x", forall.interval("p", 0.0, 1.0), 1000).sum(-1)
        return -(count - 1.0).abs(), -0.5

    def single(forall: Forall, draw: Draw) -> Sides:
        k = forall.integers("k", 0, 30)
        return draw.bernoulli("x", torch.where(k == 17.0, 0.2, 0.05)), 0.5

    def pattern(forall: Forall, draw: Draw) -> Sides:
        wrong = (forall.signs("s", 10) != PATTERN).to(torch.float64).sum(-1)
        return draw.bernoulli("x", 0.2 * (1.0 - 0.06 * wrong)), 0.5

    def flat_pattern(forall: Forall, draw: Draw) -> Sides:
        hit = (forall.signs("s", 10) == PATTERN).all(-1)
        return draw.bernoulli("x", torch.where(hit, 0.2, 0.05)), 0.5

    once = 1000 * 0.001 * 0.999**999
    delta_pattern, centre = 0.19, CENTRE.tolist()
    entries = [
        _law(Label("fair-coin-law", "1.25 delta at p = 1/2", "P <= delta for all p"), fair, 0.0625, 0.05, {"p": 0.5}),
        _law(
            Label("bump-law", "2 delta at p = 0.31, false on a width of 0.017", "P <= delta for all p"),
            bump,
            0.1,
            0.05,
            {"p": 0.31},
        ),
        _law(
            Label("rare-law", "delta = 0.3 for 0.368 at p = 1/n", "P(exactly one of 1000) <= delta"),
            rare,
            once,
            0.3,
            {"p": 0.001},
        ),
        _law(
            Label("one-of-31-laws", "2 delta at one of 31 laws", "P <= delta for all k"), single, 0.2, 0.1, {"k": 17.0}
        ),
        _law(
            Label("one-sign-pattern", "P = 0.2, delta = 0.19, at one of 1024 patterns", "P <= delta for all s"),
            pattern,
            0.2,
            delta_pattern,
            {"s": PATTERN.tolist()},
        ),
        _law(
            Label("first-pair", "delta = 0.15 for 0.176 at a fair pair", "P(ten in each of atoms 0, 1) <= delta"),
            _balanced_pair(0, 1),
            pair,
            0.15,
            {"law": [0.5, 0.5, 0.0, 0.0, 0.0]},
        ),
        _law(
            Label("inner-pair", "delta = 0.15 for 0.176 at a fair pair", "P(ten in each of atoms 1, 3) <= delta"),
            _balanced_pair(1, 3),
            pair,
            0.15,
            {"law": [0.0, 0.5, 0.0, 0.5, 0.0]},
        ),
        _law(
            Label("shift-3", "2 delta at one point of a 3-dimensional family", "P <= delta for all x"),
            _shifted(3),
            0.1,
            0.05,
            {"x": centre[:3]},
        ),
        _law(
            Label("shift-10", "2 delta at one point of a 10-dimensional family", "P <= delta for all x"),
            _shifted(10),
            0.1,
            0.05,
            {"x": centre},
        ),
    ]
    hidden = quantified(FALSE + "flat-pattern", KIND, "P <= delta for all s", flat_pattern, delta=0.1)
    entries.append(
        Falsehood(
            hidden,
            "one bad law",
            "2 delta at one of 1024 patterns, all others alike",
            from_laws(2.0**-10),
            {"s": PATTERN.tolist()},
            0.2,
        )
    )
    return entries


PROBABILITY = [
    *(_wrong_delta(factor, delta) for delta in (0.3, 0.05, 0.001) for factor in (1.01, 1.1, 1.25, 2.0)),
    *(_small_radius(radius, factor) for radius in RADII[:4] for factor in (0.99, 0.95, 0.9)),
    *(_small_radius(RADII[4], factor) for factor in (0.999, 0.99)),
    *_slips(),
    *_bad_laws(),
]
