"""True claims of every kind without any slack, which a judge that refutes too easily would refute."""

import math
from collections.abc import Callable

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from harness.kinds import expectation, high_probability, identity, rate
from harness.language.quantifiers import Draw, Forall
from harness.language.registry import Claim, grid
from harness.selftest.entries import (
    TRUE,
    Event,
    Instance,
    QuantifiedEvent,
    Sides,
    Tight,
    Truth,
    deterministic,
    drawn,
    quantified,
    registered,
)

KIND = high_probability("delta")


def norm(x: Tensor) -> Tensor:
    """Euclidean norms of the last axis."""
    norms: Tensor = torch.linalg.vector_norm(x, dim=-1)
    return norms


def _cauchy_schwarz(forall: Forall) -> Sides:
    x, y = forall.interval("x", -3.0, 3.0, 6), forall.interval("y", -3.0, 3.0, 6)
    return (x * y).sum(-1), norm(x) * norm(y)


def _am_gm(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 10.0, 5)
    return x.prod(-1) ** 0.2, x.mean(-1)


def _trace(forall: Forall) -> Sides:
    k = forall.psd("K", 5)
    return k.diagonal(dim1=-2, dim2=-1).sum(-1), 5.0 * torch.linalg.eigvalsh(k)[..., -1]


def _entropy(forall: Forall) -> Sides:
    return torch.special.entr(forall.simplex("p", 8)).sum(-1), math.log(8.0)


def _popoviciu(forall: Forall) -> Sides:
    return forall.interval("x", 0.0, 1.0, 6).var(-1, correction=0), 0.25


def _interior(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 50.0)
    return x * torch.exp(-x), math.exp(-1.0)


INEQUALITIES = [
    Tight("cauchy-schwarz", "<x, y> <= |x| |y|", _cauchy_schwarz, {"x": [1.0] * 6, "y": [1.0] * 6}, "rays"),
    Tight("am-gm", "geometric mean <= arithmetic mean", _am_gm, {"x": [1.0] * 5}, "equal entries"),
    Tight("trace", "tr K <= 5 lambda_max(K)", _trace, {"K": np.eye(5).tolist()}, "multiples of the identity"),
    Tight("entropy", "entropy <= log 8", _entropy, {"p": [0.125] * 8}, "the uniform law"),
    Tight("popoviciu", "variance <= 1/4 on [0, 1]", _popoviciu, {"x": [0.0] * 3 + [1.0] * 3}, "balanced vertices"),
    Tight("interior", "x exp(-x) <= 1/e", _interior, {"x": 1.0}, "one interior point"),
]


def equal_sides(name: str, statement: str, body: Callable[[Forall], Sides], equality: Instance) -> Truth:
    """An identity that is true, whatever rounding does to it."""
    return Truth(deterministic(TRUE + name, identity(), statement, body), "equality attained", equality)


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


IDENTITIES = [
    equal_sides(
        "polarisation",
        "4 <x, y> = |x + y|^2 - |x - y|^2, entries of 1e8 and 1e-4",
        _polarisation,
        {"x": [1e8] * 3, "y": [1e-5] * 3},
    ),
    equal_sides("small-and-large", "(x + y) - x = y, x up to 1e8", _small_and_large, {"x": 0.0, "y": 1.0}),
    equal_sides(
        "one-pass-variance",
        "mean of squares - square of mean = variance, around 1e6",
        _one_pass_variance,
        {"x": [1e6, 1e6, 1e6, 1e6, 1e6 + 1.0]},
    ),
    equal_sides("trace-of-square", "tr K^2 = sum of squared entries", _trace_of_square, {"K": np.eye(4).tolist()}),
]


def exact_tail(name: str, statement: str, event: Event, delta: float) -> Truth:
    """An event of probability exactly delta."""
    return Truth(drawn(TRUE + name, KIND, statement, event, delta=delta), "violated with probability delta")


def uniform_tail(delta: float) -> Truth:
    """A uniform variable below delta."""
    return exact_tail(
        f"uniform-{delta:g}", "u >= delta with probability 1 - delta", lambda draw: (delta, draw.uniform("u")), delta
    )


def binomial_tail(n: int, k: int) -> Truth:
    """P(X >= k) of Bin(n, 1/2) is delta to the last digit; the sides tie in a positive share of the draws."""
    delta = float(stats.binom.sf(k - 1, n, 0.5))

    def event(draw: Draw) -> Sides:
        tenths = (0.1 * draw.bernoulli("x", 0.5, n)).sum(-1)  # k - 1 ones tie with the right side, up to rounding
        return tenths, 0.1 * (k - 1)

    return exact_tail(f"binomial-{n}-{k}", f"sum of {n} tenths <= {0.1 * (k - 1):g}, tied by rounding", event, delta)


def worst_law(name: str, statement: str, event: QuantifiedEvent, delta: float, worst: Instance) -> Truth:
    """For every law of a family, exact at the worst one: the search must not accuse what it has selected."""
    return Truth(quantified(TRUE + name, KIND, statement, event, delta=delta), "delta at the worst law", worst)


def _end(forall: Forall, draw: Draw) -> Sides:
    return draw.bernoulli("x", forall.interval("p", 0.0, 0.1)), 0.5


def _interior_law(forall: Forall, draw: Draw) -> Sides:
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", 0.2 * p * (1.0 - p)), 0.5


Z = float(stats.norm.isf(0.025))
TAILS = [
    uniform_tail(0.05),
    exact_tail("normal", "|z| <= z_(1-delta/2)", lambda draw: (draw.normal("z").abs(), Z), 0.05),
    exact_tail("tiny-scale", "1e-8 u <= 1e-8 (1 - delta)", lambda d: (1e-8 * d.uniform("u"), 1e-8 * 0.95), 0.05),
    binomial_tail(20, 14),
    worst_law("end-law", "P <= delta for p in [0, delta]", _end, 0.1, {"p": 0.1}),
    worst_law("interior-law", "p (1 - p)/5 <= 1/20", _interior_law, 0.05, {"p": 0.5}),
]


def _jensen(forall: Forall, draw: Draw) -> Sides:
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", p).square(), p


def _rounding(draw: Draw) -> Sides:
    zero = 0.0 * draw.normal("z")
    return zero + (0.1 + 0.2), zero + 0.3


def equal_mean(name: str, statement: str, event: Event, low: float, high: float) -> Truth:
    """An excess of mean zero in a range."""
    return Truth(drawn(TRUE + name, expectation((low, high)), statement, event), "means equal")


def equal_mean_at(name: str, statement: str, event: QuantifiedEvent, worst: Instance) -> Truth:
    """An excess in [-1, 1] whose mean is at most zero, and zero at the worst law."""
    return Truth(quantified(TRUE + name, expectation((-1.0, 1.0)), statement, event), "means equal", worst)


MEANS = [
    equal_mean("fair-coin", "E s <= 0", lambda draw: (draw.signs("s"), 0.0), -1.0, 1.0),
    equal_mean("rare-coin", "E x <= 1/100", lambda draw: (draw.bernoulli("x", 0.01), 0.01), -0.01, 0.99),
    equal_mean("variance", "E s^2 <= 1", lambda draw: (draw.normal("z", 10).var(-1), 1.0), -1.0, math.inf),
    equal_mean("rounding", "E (0.1 + 0.2) <= E 0.3", _rounding, -1e-16, 1e-16),
    equal_mean_at("jensen", "E x^2 <= p for x in {0, 1}", _jensen, {"p": 0.5}),
]

AXIS = [10, 22, 46, 100, 215, 464, 1000, 2154, 4642, 10000]
MARGIN = 0.05
NOISE = 0.3


def decay(
    name: str, statement: str, *, true: tuple[float, float, float], claimed: tuple[float, float]
) -> tuple[Claim, list[float]]:
    """The claim of a curve n^a (1 + c n^-1/2) (log n)^b with noise of 30 %, and its means; true = (a, c, b)."""
    exponent, correction, logs = true
    means = [n**exponent * (1.0 + correction * n**-0.5) * math.log(n) ** logs for n in AXIS]

    def body(draw: Draw, *, n: int) -> Tensor:
        noisy: Tensor = means[AXIS.index(n)] * (1.0 + NOISE * draw.signs("s"))
        return noisy

    kind = rate("n", claimed[0], log_power=claimed[1], margin=MARGIN)
    return registered(name, kind, statement, body, grid(n=AXIS)), means


def exact_rate(name: str, true: tuple[float, float, float], claimed: tuple[float, float]) -> Truth:
    """A curve as in `decay` with the exponent that it has; claimed = (a, b)."""
    statement = f"n^{true[0]:g} log^{true[2]:g} n (1 + {true[1]:g} n^-1/2)"
    return Truth(decay(f"{TRUE}rate-{name}", statement, true=true, claimed=claimed)[0], "exponent")


RATES = [
    exact_rate("half", (-0.5, 0.0, 0.0), (-0.5, 0.0)),
    exact_rate("one-correction", (-1.0, 2.0, 0.0), (-1.0, 0.0)),
    exact_rate("half-log", (-0.5, 1.0, 1.0), (-0.5, 1.0)),
    exact_rate("at-margin", (-0.45, 0.0, 0.0), (-0.5, 0.0)),
]

TRUTHS: tuple[Truth, ...] = (
    *(inequality.truth() for inequality in INEQUALITIES),
    *IDENTITIES,
    *TAILS,
    *MEANS,
    *RATES,
)
