"""Planted false claims of every kind, each with its size and the theory of its detection, and how one is planted."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from harness.kinds import always, expectation, identity
from harness.language.quantifiers import Draw, Forall
from harness.selftest.entries import (
    FALSE,
    Event,
    Falsehood,
    Instance,
    Label,
    QuantifiedEvent,
    Sides,
    deterministic,
    drawn,
    quantified,
)
from harness.selftest.theory import (
    Moments,
    Theory,
    below_rounding,
    from_bets,
    from_counts,
    from_curve,
    from_laws,
    from_moments,
    from_search,
    from_volume,
)
from harness.selftest.truths import AXIS, INEQUALITIES, KIND, MARGIN, NOISE, decay, norm

FACTORS = (1.25, 1.001)

TARGET = torch.tensor([0.31, -0.52, 0.77, -0.08, 0.64, -0.29, 0.11, -0.83, 0.45, -0.66], dtype=torch.float64)
PATTERN = torch.from_numpy(np.where(np.sin(np.arange(40.0) ** 2) > 0.0, 1.0, -1.0))
AT: Instance = {"x": TARGET.tolist()}
SLOPE = "the gradient points at it from everywhere"


def needle(name: str, size: str, body: Callable[[Forall], Sides], witness: Instance, theory: Theory | str) -> Falsehood:
    """An inequality that is false in a tiny part of its set."""
    made = deterministic(FALSE + "needle-" + name, always(), f"lhs <= rhs, but for {size}", body)
    return Falsehood(made, "needle", size, from_search(theory) if isinstance(theory, str) else theory, witness)


def box(forall: Forall) -> Tensor:
    """The cube in ten dimensions in which most needles lie."""
    return forall.interval("x", -1.0, 1.0, 10)


def _cone(forall: Forall) -> Sides:
    return 1.0 + 1e-4 - norm(box(forall) - TARGET), 1.0


def _flat(forall: Forall) -> Sides:
    return 1.5 - (norm(box(forall) - TARGET) > 0.05).to(torch.float64), 1.0


def _signs(forall: Forall) -> Sides:
    return 40.5 - (forall.signs("s", 40) != PATTERN).to(torch.float64).sum(-1), 40.0


def _all_ones(forall: Forall) -> Sides:
    return forall.interval("x", 0.0, 1.0, 20).prod(-1), 0.999


def _ball_share(radius: float) -> float:
    return float(math.pi**5 / 120.0 * radius**10 / 2.0**10)


NEEDLES = [
    needle("cone", "a ball of radius 1e-4 in ten dimensions", _cone, AT, SLOPE),
    needle("flat", "a ball of radius 0.05 without a slope", _flat, AT, from_volume(_ball_share(0.05))),
    needle("signs", "one of 2^40 patterns", _signs, {"s": PATTERN.tolist()}, "each right flip helps"),
    needle("all-ones", "the corner x = 1 in twenty dimensions", _all_ones, {"x": [1.0] * 20}, "a structured instance"),
]

ANYWHERE = "almost every instance violates it"


def wrong_identity(label: Label, body: Any, witness: Instance, theory: Theory | str) -> Falsehood:
    """Two sides that differ; `theory` as text says what meets an instance where they do."""
    made = deterministic(FALSE + label.name, identity(), label.statement, body)
    return Falsehood(made, "identity", label.size, from_search(theory) if isinstance(theory, str) else theory, witness)


def _relative(digit: int) -> Falsehood:
    error = 10.0**-digit

    def scaled(forall: Forall) -> Sides:
        x = forall.interval("x", -3.0, 3.0, 4)
        return x.square().sum(-1), (x * x).sum(-1) * (1.0 + error)

    label = Label(f"digit-{digit}", f"wrong in digit {digit}", f"sum x^2 = sum x x, off by 1e-{digit}")
    return wrong_identity(label, scaled, {"x": [1.0, 2.0, 0.5, -1.0]}, below_rounding(error, 1e-9))


def _missing_diagonal(forall: Forall) -> Sides:
    x = forall.interval("x", -2.0, 2.0, 5)
    outer = x.unsqueeze(-1) * x.unsqueeze(-2)
    return x.sum(-1).square(), outer.sum((-2, -1)) - x.square().sum(-1)


def _eighth_digit_of_pi(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 1.0)
    return torch.cos(2.0 * math.pi * x), torch.cos(2.0 * 3.14159266 * x)


def _ties(forall: Forall) -> Sides:
    """Right for distinct entries, wrong for ties."""
    x = forall.interval("x", 0.0, 1.0, 5)
    top = x.amax(-1, keepdim=True)
    return x.amax(-1), torch.where(x == top, x, 0.0).sum(-1)


def _sign_of_zero(forall: Forall) -> Sides:
    """sign(0) = 1, wrong at zero only."""
    x = forall.interval("x", -1.0, 1.0)
    return torch.sign(x), torch.where(x >= 0.0, 1.0, -1.0).to(x)


IDENTITIES = [
    *(_relative(digit) for digit in (6, 8, 11)),
    wrong_identity(
        Label("missing-diagonal", "sum of x_i^2", "(sum x)^2 = sum of products over i != j"),
        _missing_diagonal,
        {"x": [1.0] * 5},
        ANYWHERE,
    ),
    wrong_identity(
        Label("pi", "eighth digit of pi", "cos(2 pi x) with pi = 3.14159266"),
        _eighth_digit_of_pi,
        {"x": 0.25},
        ANYWHERE,
    ),
    wrong_identity(
        Label("ties", "counts a tie twice", "max x = sum of the entries that equal it"),
        _ties,
        {"x": [1.0] * 5},
        "equal entries, a structured instance; random points never meet it",
    ),
    wrong_identity(
        Label("sign-of-zero", "1 for 0", "sign x = 1 for x >= 0"),
        _sign_of_zero,
        {"x": 0.0},
        "zero, a structured instance; random points never meet it",
    ),
]


def false_tail(label: Label, event: Event, p: float, delta: float, family: str) -> Falsehood:
    """An event of probability p that is stated to have at most delta."""
    made = drawn(FALSE + label.name, KIND, label.statement, event, delta=delta)
    return Falsehood(made, family, label.size, from_counts(p, delta), probability=p)


def wrong_delta(factor: float, delta: float) -> Falsehood:
    """A tail of exactly `factor` times delta."""

    def event(draw: Draw) -> Sides:
        return delta * factor, draw.uniform("u")

    name, size = f"delta-{delta:g}-{factor:g}", f"delta = {delta:g} too small by the factor {factor:g}"
    label = Label(name, size, f"P(u < {factor:g} delta) <= delta")
    return false_tail(label, event, factor * delta, delta, "delta")


Radius = tuple[str, str, float, Callable[[Draw], Tensor], Callable[[float], float]]
"""Name, statistic in words, its exact quantile at 0.95, the statistic, its tail."""
NORMAL: Radius = (
    "normal",
    "|z|",
    float(stats.norm.isf(0.025)),
    lambda draw: draw.normal("z").abs(),
    lambda r: float(2 * stats.norm.sf(r)),
)


def small_radius(radius: Radius, factor: float) -> Falsehood:
    """A quantile that is too small by a factor."""
    name, what, exact, statistic, tail = radius
    cut = exact * factor

    def event(draw: Draw) -> Sides:
        return statistic(draw), cut

    size = f"exact quantile times {factor:g}"
    label = Label(f"radius-{name}-{factor:g}", size, f"{what} <= {factor:g} times its exact quantile")
    return false_tail(label, event, float(tail(cut)), 0.05, "radius")


def bad_law(label: Label, event: QuantifiedEvent, p: float, delta: float, witness: Instance) -> Falsehood:
    """A family in which the law at the witness violates with probability p."""
    made = quantified(FALSE + label.name, KIND, label.statement, event, delta=delta)
    return Falsehood(made, "one bad law", label.size, from_counts(p, delta), witness, p)


def _fair(forall: Forall, draw: Draw) -> Sides:
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", 0.25 * p * (1.0 - p)), 0.5


def _single(forall: Forall, draw: Draw) -> Sides:
    k = forall.integers("k", 0, 30)
    return draw.bernoulli("x", torch.where(k == 17.0, 0.2, 0.05)), 0.5


TEN_SIGNS = torch.tensor([1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, -1.0], dtype=torch.float64)


def _flat_pattern(forall: Forall, draw: Draw) -> Sides:
    hit = (forall.signs("s", 10) == TEN_SIGNS).all(-1)
    return draw.bernoulli("x", torch.where(hit, 0.2, 0.05)), 0.5


TAILS = [
    *(wrong_delta(factor, 0.05) for factor in (1.01, 1.1, 1.25, 2.0)),
    *(small_radius(NORMAL, factor) for factor in (0.99, 0.95, 0.9)),
    bad_law(Label("fair-coin-law", "1.25 delta at p = 1/2", "P <= delta for all p"), _fair, 0.0625, 0.05, {"p": 0.5}),
    bad_law(
        Label("one-of-31-laws", "2 delta at one of 31 laws", "P <= delta for all k"), _single, 0.2, 0.1, {"k": 17.0}
    ),
    Falsehood(
        quantified(FALSE + "flat-pattern", KIND, "P <= delta for all s", _flat_pattern, delta=0.1),
        "one bad law",
        "2 delta at one of 1024 patterns, all others alike",
        from_laws(2.0**-10),
        {"s": TEN_SIGNS.tolist()},
        0.2,
    ),
]


def _coin(excess: float) -> Falsehood:
    def event(draw: Draw) -> Sides:
        return 2.0 * draw.bernoulli("x", (1.0 + excess) / 2.0) - 1.0, 0.0

    made = drawn(f"{FALSE}mean-{excess:g}", expectation((-1.0, 1.0)), f"E s <= 0, mean {excess:g}", event)
    theory = from_bets([1.0, -1.0], [(1.0 + excess) / 2.0, (1.0 - excess) / 2.0], -1.0)
    return Falsehood(made, "mean", f"mean {excess:g} for 0", theory, mean=excess)


def one_sided(label: Label, event: Event, low: float, excess: Moments) -> Falsehood:
    """An excess with a finite lower end only: what a refutation needs."""
    made = drawn(FALSE + label.name, expectation((low, math.inf)), label.statement, event)
    return Falsehood(made, "mean", label.size, from_moments(low, excess), mean=excess.mean)


def mean_at_one_law(
    label: Label, event: QuantifiedEvent, low: float, excess: tuple[list[float], list[float]], witness: Instance
) -> Falsehood:
    """A family in which the law at the witness has an excess of these values and weights."""
    values, weights = excess
    made = quantified(FALSE + label.name, expectation((low, 1.0)), label.statement, event)
    mean = sum(v * w for v, w in zip(values, weights, strict=True))
    return Falsehood(made, "mean at one law", label.size, from_bets(values, weights, low), witness, mean=mean)


def _two_of_six(forall: Forall, draw: Draw) -> Sides:
    x = draw.categorical("x", forall.simplex("law", 6), 2)
    return (x[:, 0] != x[:, 1]).to(torch.float64), 0.8


MEANS = [
    *(_coin(excess) for excess in (0.1, 0.03, 0.01, 0.002)),
    one_sided(
        Label("variance", "(n - 1)/n for 1", "E sum (z - mean)^2 / (n - 1) <= (n - 1)/n, n = 10"),
        lambda draw: (draw.normal("z", 10).var(-1), 0.9),
        -0.9,
        Moments(0.1, math.sqrt(2.0 / 9.0)),
    ),
    one_sided(
        Label("absolute", "0.79 for sqrt(2/pi)", "E |z| <= 0.79"),
        lambda draw: (draw.normal("z").abs(), 0.79),
        -0.79,
        Moments(math.sqrt(2.0 / math.pi) - 0.79, math.sqrt(1.0 - 2.0 / math.pi)),
    ),
    mean_at_one_law(
        Label("two-of-six", "4/5 for 5/6 at the uniform law", "P(two draws differ) <= 4/5"),
        _two_of_six,
        -0.8,
        ([0.2, -0.8], [5.0 / 6.0, 1.0 / 6.0]),
        {"law": [1.0 / 6.0] * 6},
    ),
]


def wrong_rate(name: str, true: tuple[float, float, float], claimed: tuple[float, float]) -> Falsehood:
    """A curve as in `decay` that is claimed to fall like n^a (log n)^b; claimed = (a, b)."""
    exponent, correction, logs = true
    statement = f"n^{claimed[0]:g} log^{claimed[1]:g} n for n^{exponent:g} log^{logs:g} n (1 + {correction:g} n^-1/2)"
    made, means = decay(f"{FALSE}rate-{name}", statement, true=true, claimed=claimed)
    theory = from_curve(AXIS, means, noise=NOISE, limit=claimed[0] + MARGIN, log_power=claimed[1], correction=0.5)
    return Falsehood(made, "rate", statement, theory)


RATES = [
    wrong_rate("half", (-0.5, 0.0, 0.0), (-1.0, 0.0)),
    wrong_rate("half-correction", (-0.5, 2.0, 0.0), (-1.0, 0.0)),
    wrong_rate("one", (-1.0, 0.0, 0.0), (-1.5, 0.0)),
    wrong_rate("tenth", (-0.5, 0.0, 0.0), (-0.6, 0.0)),
    wrong_rate("log", (-0.5, 0.0, 1.0), (-0.8, 0.0)),
    wrong_rate("dropped-log", (-0.5, 0.0, 1.0), (-0.5, 0.0)),
    wrong_rate("constant", (0.0, 0.0, 0.0), (-0.25, 0.0)),
]

FALSEHOODS: tuple[Falsehood, ...] = (
    *(inequality.falsehood(factor) for factor in FACTORS for inequality in INEQUALITIES),
    *NEEDLES,
    *IDENTITIES,
    *TAILS,
    *MEANS,
    *RATES,
)
