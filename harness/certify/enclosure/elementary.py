"""Elementary and special functions, by their computed values at the ends of pieces on which they are monotone."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.enclosure.arithmetic import (
    add_ends,
    divide_ends,
    magnitude_ends,
    marked,
    multiply,
    multiply_ends,
    reciprocal_ends,
    whole_power,
)
from harness.certify.enclosure.outward import INF, UNIT, down, rounded, up
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import Enclosed, Ends, Operation, defined, ends, entrywise, operation

FARTHEST = 2.0**40  # beyond it, an angle is not reduced: its sine may be anything
GAMMA_BEND, GAMMA_LOWEST = 1.4616321449683622, -0.1214862905358497  # the minimum of the logarithm of gamma


def increasing(name: str, function: Callable[[Tensor], Tensor], low: float = -INF, high: float = INF) -> None:
    """Register an increasing function with values in [low, high]; its value at 0 is exact."""

    def enclosure(input: Any) -> Enclosed:
        a = ends(input)
        first, last = rounded(name, function(a[0]), function(a[1]), (a[0] == 0.0, a[1] == 0.0))
        return entrywise(first.clamp(min=low, max=high), last.clamp(min=low, max=high), input)

    operation(name)(enclosure)


increasing("exp", torch.exp, low=0.0)
increasing("expm1", torch.expm1, low=-1.0)
increasing("tanh", torch.tanh, -1.0, 1.0)
increasing("sinh", torch.sinh)
increasing("erf", torch.erf, -1.0, 1.0)
increasing("atan", torch.atan)


@operation("erfc")
def _erfc(input: Any) -> Enclosed:
    low, high = ends(input)
    first, last = rounded("erfc", torch.erfc(high), torch.erfc(low))
    return entrywise(first.clamp(min=0.0, max=2.0), last.clamp(min=0.0, max=2.0), input)


@operation("cosh")
def _cosh(input: Any) -> Enclosed:
    small, large = magnitude_ends(ends(input))
    first, last = rounded("cosh", torch.cosh(small), torch.cosh(large))
    return entrywise(first.clamp_min(1.0), last, input)


def on_domain(name: str, function: Callable[[Tensor], Tensor], low: float, high: float, root: float) -> Operation:
    """An increasing function on [low, high], 0 at `root` exactly; outside there is nothing to enclose."""

    def enclosure(input: Any) -> Enclosed:
        a = ends(input)
        values = function(a[0].clamp(low, high)), function(a[1].clamp(low, high))
        found = rounded(name, *values, (a[0] == root, a[1] == root))
        return marked(found, (a[0] < low) | (a[1] > high), input)

    return operation(name)(enclosure)


logarithm = on_domain("log", torch.log, 0.0, INF, 1.0)
on_domain("log1p", torch.log1p, -1.0, INF, 0.0)
on_domain("asin", torch.asin, -1.0, 1.0, 0.0)


@operation("acos")
def _acos(input: Any) -> Enclosed:
    low, high = ends(input)
    first, last = rounded("acos", torch.acos(high.clamp(-1.0, 1.0)), torch.acos(low.clamp(-1.0, 1.0)))
    return marked((first.clamp_min(0.0), last), (low < -1.0) | (high > 1.0), input)


@operation("log2")
def _log2(input: Any) -> Enclosed:
    return multiply(logarithm(input), Enclosed(*_INVERSE_LOG_2))  # type: ignore[no-any-return]


@operation("log10")
def _log10(input: Any) -> Enclosed:
    return multiply(logarithm(input), Enclosed(*_INVERSE_LOG_10))  # type: ignore[no-any-return]


def _inverse_logarithm(base: float) -> Ends:
    value = torch.tensor(1.0 / math.log(base), dtype=torch.float64)
    return value * (1.0 - 8.0 * UNIT), value * (1.0 + 8.0 * UNIT)


_INVERSE_LOG_2, _INVERSE_LOG_10 = _inverse_logarithm(2.0), _inverse_logarithm(10.0)


def root_ends(a: Ends) -> Ends:
    """The root of the non-negative part."""
    low, high = a[0].clamp_min(0.0).sqrt(), a[1].clamp_min(0.0).sqrt()
    return torch.where(low == 0.0, 0.0, down(low).clamp_min(0.0)), torch.where(high == 0.0, 0.0, up(high))


@operation("sqrt")
def root(input: Any) -> Enclosed:
    a = ends(input)
    return marked(root_ends(a), a[0] < 0.0, input)


@operation("rsqrt")
def _reciprocal_root(input: Any) -> Enclosed:
    a = ends(input)
    found, _ = reciprocal_ends(root_ends(a))
    return marked(found, a[0] <= 0.0, input)


def _wave(name: str, function: Callable[[Tensor], Tensor], top: float) -> None:
    """Sine and cosine: the values at the ends, and +-1 where a top or a bottom may lie between.

    `top` is where the function is 1, in half turns. A turn is known to 2^-52 of it, so that places of tops are known to
    an error far below `slack` for angles up to `FARTHEST`.
    """

    def enclosure(input: Any) -> Enclosed:
        low, high = ends(input)
        first = _rounded_at(name, function, low)
        last = _rounded_at(name, function, high)
        under, over = torch.minimum(first[0], last[0]), torch.maximum(first[1], last[1])
        over = torch.where(_passes(low, high, top), 1.0, over)
        under = torch.where(_passes(low, high, top + 1.0), -1.0, under)
        return entrywise(under.clamp(-1.0, 1.0), over.clamp(-1.0, 1.0), input)

    operation(name)(enclosure)


def _rounded_at(name: str, function: Callable[[Tensor], Tensor], x: Tensor) -> Ends:
    value = function(x)
    return rounded(name, value, value, (x == 0.0, x == 0.0))


def _passes(low: Tensor, high: Tensor, place: float) -> Tensor:
    """Whether [low, high] may hold an angle (place + 2 k) pi."""
    far = (low.abs() > FARTHEST) | (high.abs() > FARTHEST)
    slack = 1e-14 * (1.0 + torch.maximum(low.abs(), high.abs()).clamp(max=FARTHEST))
    first = (low.clamp(-FARTHEST, FARTHEST) - slack) / math.pi - place
    last = (high.clamp(-FARTHEST, FARTHEST) + slack) / math.pi - place
    spare = 1e-14 * (1.0 + torch.maximum(first.abs(), last.abs()))
    turn = torch.ceil((first - spare) / 2.0)
    return far | (2.0 * turn <= last + spare)


_wave("cos", torch.cos, 0.0)
_wave("sin", torch.sin, 0.5)


@operation("lgamma")
def _log_gamma(input: Any) -> Enclosed:
    """log gamma on positive numbers: falling to its minimum, then rising."""
    low, high = ends(input)
    if bool((low < 0.0).any()):
        raise NoEnclosure("torch.lgamma of numbers that may be negative", undecided=True)
    at_low, at_high = torch.lgamma(low), torch.lgamma(high)
    bottom = torch.where((low <= GAMMA_BEND + 1e-9) & (high >= GAMMA_BEND - 1e-9), GAMMA_LOWEST, INF)
    under = torch.minimum(torch.minimum(at_low, at_high), bottom)
    return entrywise(*rounded("lgamma", under, torch.maximum(at_low, at_high)), input)


@operation("digamma")
def _digamma(input: Any) -> Enclosed:
    low, high = (end + 0.0 for end in ends(input))  # -0 has the other pole
    if bool((low < 0.0).any()):
        raise NoEnclosure("torch.digamma of numbers that may be negative", undecided=True)
    return entrywise(*rounded("digamma", torch.digamma(low), torch.digamma(high)), input)


def entropy_ends(a: Ends) -> Ends:
    """-x log x on the non-negative part: rises to 1/e at 1/e, then falls."""
    low, high = a[0].clamp_min(0.0), a[1].clamp_min(0.0)
    parts = [_minus_x_log_x(low), _minus_x_log_x(high)]
    under, over = torch.minimum(parts[0][0], parts[1][0]), torch.maximum(parts[0][1], parts[1][1])
    peak = math.exp(-1.0)
    inside = (low <= peak * (1.0 + 1e-9)) & (high >= peak * (1.0 - 1e-9))
    return under, torch.where(inside, math.nextafter(math.nextafter(peak, 1.0), 1.0), over)


def _minus_x_log_x(x: Tensor) -> Ends:
    """At points; 0 at 0."""
    logs = torch.log(x)
    found = multiply_ends((-x, -x), rounded("log", logs, logs))
    return torch.where(x == 0.0, 0.0, found[0]), torch.where(x == 0.0, 0.0, found[1])


@operation("entr")
def _entropy(input: Any) -> Enclosed:
    a = ends(input)
    return marked(entropy_ends(a), a[0] < 0.0, input)


@operation("xlogy")
def _x_log_y(input: Any, other: Any) -> Enclosed:
    a, b = ends(input), ends(other)
    if isinstance(input, Enclosed) and input is other:
        low, high = entropy_ends(a)
        return marked((-high, -low), a[0] < 0.0, input)
    logs = logarithm(other) if isinstance(other, Enclosed) else Enclosed(*_logarithm_of_points(b[0]))
    found = multiply_ends(a, ends(logs))
    nothing = (a[0] == 0.0) & (a[1] == 0.0)
    zero = torch.where(nothing, 0.0, found[0]), torch.where(nothing, 0.0, found[1])
    return marked(zero, b[0] < 0.0, input, other)


def _logarithm_of_points(x: Tensor) -> Ends:
    logs = torch.log(x)
    return rounded("log", logs, logs)


@operation("xlog1py")
def _x_log1p_y(input: Any, other: Any) -> Enclosed:
    return _x_log_y(input, Enclosed(*add_ends(ends(other), ends(1.0)), getattr(other, "partial", None)))  # type: ignore[no-any-return]


@operation("pow", "float_power")
def power(input: Any, exponent: Any) -> Enclosed:
    """a^b: whole powers exactly as products, others on the non-negative part of a, by their values at the corners."""
    if not isinstance(exponent, Enclosed):
        numbers = ends(exponent)[0]
        if numbers.numel() == 1 and bool(numbers.isfinite().all()):
            return _expanded(_plain_power(input, float(numbers.reshape(()))), numbers.shape)
    return _general_power(input, exponent)


def _expanded(x: Enclosed, shape: torch.Size) -> Enclosed:
    """Broadcast against a shape."""
    wide = np.broadcast_shapes(x.low.shape, shape)
    return Enclosed(x.low.expand(wide), x.high.expand(wide), None if x.partial is None else x.partial.expand(wide))


def _plain_power(input: Any, exponent: float) -> Enclosed:
    a = ends(input)
    if exponent.is_integer() and abs(exponent) <= 2048:
        found = whole_power(a, int(abs(exponent)))
        if exponent >= 0:
            return entrywise(*found, input)
        inverse, holds = divide_ends(ends(1.0), found)
        return marked(inverse, holds, input)
    if exponent == 0.5:
        return root(input)  # type: ignore[no-any-return]
    return _general_power(input, torch.tensor(exponent, dtype=torch.float64))


def _general_power(input: Any, exponent: Any) -> Enclosed:
    """exp(b log a) on the non-negative part of a; a^b is monotone in either number, so its corners hold its ends."""
    a, b = ends(input), ends(exponent)
    whole = (b[0] == b[1]) & (b[0] == b[0].round())
    negative = a[0] < 0.0
    if bool((negative & (b[0] < b[1]) & (b[0].ceil() <= b[1])).any()):  # whole exponents among others
        raise NoEnclosure("powers of numbers of either sign", undecided=True)
    if bool((negative & whole).any()):
        return _by_exponent(input, exponent)
    base = a[0].clamp_min(0.0) + 0.0, a[1].clamp_min(0.0) + 0.0  # no zero with a sign
    corners = [_power_at(x, y) for x in base for y in b]
    low, high = corners[0]
    for under, over in corners[1:]:
        low, high = torch.minimum(low, under), torch.maximum(high, over)
    crosses = (base[0] == 0.0) & (b[0] <= 0.0) & (b[1] >= 0.0) & (b[0] < b[1])  # 0^0 = 1 jumps
    low, high = torch.where(crosses, 0.0, low), torch.where(crosses, INF, high)
    return marked((low, high), negative | crosses | ((base[0] == 0.0) & (b[0] < 0.0)), input, exponent)


def _power_at(x: Tensor, y: Tensor) -> Ends:
    value = torch.pow(x, y)
    exact = (x == 1.0) | (y == 0.0) | (y == 1.0) | ((x == 0.0) & (y > 0.0))
    low, high = rounded("pow", value, value)
    return torch.where(exact, value, low.clamp_min(0.0)), torch.where(exact, value, high)


def _by_exponent(input: Any, exponent: Any) -> Enclosed:
    """Bases of either sign with a plain tensor of whole exponents, each in turn."""
    a, b = ends(input), ends(exponent)
    shape = torch.Size(np.broadcast_shapes(a[0].shape, b[0].shape))
    if isinstance(exponent, Enclosed) or len(b[0].unique()) > 64:  # type: ignore[no-untyped-call]
        raise NoEnclosure("powers of numbers of either sign", undecided=True)
    low, high = torch.full(shape, -INF, dtype=torch.float64), torch.full(shape, INF, dtype=torch.float64)
    mark = torch.zeros(shape, dtype=torch.bool)
    for number in b[0].unique().tolist():  # type: ignore[no-untyped-call]
        found = _expanded(_plain_power(input, number), shape)
        chosen = (b[0] == number).expand(shape)
        low, high = torch.where(chosen, found.low, low), torch.where(chosen, found.high, high)
        mark = mark if found.partial is None else mark | (chosen & found.partial)
    return marked((low, high), mark, input)


@operation("rpow")
def _power_of(input: Any, other: Any) -> Enclosed:
    return power(other, input)  # type: ignore[no-any-return]


@operation("exp2")
def _power_of_two(input: Any) -> Enclosed:
    return power(torch.tensor(2.0, dtype=torch.float64), input)  # type: ignore[no-any-return]


@operation("sigmoid")
def _sigmoid(input: Any) -> Enclosed:
    """1 / (1 + exp(-x)): increasing."""
    low, high = ends(input)
    return entrywise(_sigmoid_at(low)[0].clamp_min(0.0), _sigmoid_at(high)[1].clamp_max(1.0), input)


def _sigmoid_at(x: Tensor) -> Ends:
    powers = torch.exp(-x)
    return divide_ends(ends(1.0), add_ends(ends(1.0), rounded("exp", powers, powers)))[0]


@operation("softplus")
def _softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> Enclosed:
    """log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)): increasing; beyond 20 torch leaves out what is but rounding."""
    if beta != 1 or threshold < 20:
        raise NoEnclosure("softplus with a factor, or a jump")
    low, high = ends(input)
    return entrywise(_softplus_at(low)[0].clamp_min(0.0), _softplus_at(high)[1], input)


def _softplus_at(x: Tensor) -> Ends:
    powers = torch.exp(-x.abs())
    inner = rounded("exp", powers, powers)
    logs = rounded("log1p", torch.log1p(inner[0].clamp_min(0.0)), torch.log1p(inner[1]))
    part = x.clamp_min(0.0)
    return add_ends((part, part), logs)


@operation("sign", "sgn")
def _sign(input: Any) -> Enclosed:
    """Increasing; torch gives 0 where the number is undefined."""
    defined("the sign", input)
    low, high = ends(input)
    return entrywise(low.sign(), high.sign(), input)


@operation("floor")
def _floor(input: Any) -> Enclosed:
    low, high = ends(input)
    return entrywise(low.floor(), high.floor(), input)


@operation("ceil")
def _ceil(input: Any) -> Enclosed:
    low, high = ends(input)
    return entrywise(low.ceil(), high.ceil(), input)


@operation("round")
def _round(input: Any, decimals: int = 0) -> Enclosed:
    if decimals != 0:
        raise NoEnclosure("rounding to decimals")
    low, high = ends(input)
    return entrywise(low.round(), high.round(), input)  # ties to even keep the order
