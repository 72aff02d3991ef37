"""Enclosures with slopes: intervals of the values and of the partial derivatives of a body over boxes.

A `Sloped` tensor is an `Enclosed` one with an `Enclosed` tensor of derivatives for each coordinate of the boxes (None
where it is 0), carried forward through the body by the rules of differentiation in interval arithmetic. At kinks a
derivative is the hull of both sides (Clarke 1983: the mean value theorem holds for it); where a function may jump it is
[-inf, inf].
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

from harness.certify.enclosure.entries import FIRST
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.sealed import Sealed
from harness.certify.enclosure.tensor import (
    METADATA,
    OPERATIONS,
    Enclosed,
    arguments,
    ends,
    name_of,
    names,
    operation_of,
    point,
)
from harness.certify.enclosure.truths import LISTS, require_one_kind

Slope: TypeAlias = Enclosed | None
RULES: dict[str, Callable[..., Any]] = {}
LINEAR = (
    *FIRST,
    *names("sum mean cumsum getitem to double clone detach neg negative real cpu data mT T take_along_dim"),
)
CONSTANT = names("lt le gt ge eq ne less less_equal greater greater_equal not_equal isfinite isnan isinf")


class Sloped(Sealed):
    """Values and derivatives, each derivative of the shape of the values: what broadcasts an operand repeats both."""

    value: Enclosed
    slopes: tuple[Slope, ...]

    @staticmethod
    def __new__(cls, value: Enclosed, slopes: Sequence[Slope]) -> "Sloped":
        made = cls.over(value.low.shape)
        made.value, made.slopes = value, tuple(_of_shape(slope, value.low.shape) for slope in slopes)
        return made

    def __init__(self, value: Enclosed, slopes: Sequence[Slope]) -> None:
        pass

    def point(self, value: Tensor) -> Enclosed:
        return point(value)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = name_of(func)
        if name in ("requires_grad", "dtype", "is_floating_point"):
            return {"dtype": torch.float64}.get(name, True)
        if name in METADATA:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        name = operation_of(name)
        rule = RULES.get(name)
        if rule is None:
            raise NoEnclosure(f"torch.{name}, which has no slopes here")
        args, kwargs = arguments(args, kwargs or {}, name)
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            return rule(*args, **kwargs)


def _of_shape(slope: Slope, shape: torch.Size) -> Slope:
    """A slope with an entry for each value."""
    return slope if slope is None or slope.low.shape == shape else op("expand", slope, shape)


def value_of(x: Any) -> Any:
    """The values alone, in lists too."""
    if isinstance(x, Sloped):
        return x.value
    if isinstance(x, list | tuple):
        return type(x)(map(value_of, x)) if type(x) in (list, tuple) else x
    return x


def slopes_of(x: Any, count: int) -> tuple[Slope, ...]:
    """Slopes along each coordinate: none of plain numbers, any where an enclosure without slopes (a truth) jumps."""
    if isinstance(x, Sloped):
        return x.slopes
    if not isinstance(x, Enclosed) or x.constant or bool((x.low == x.high).all()):
        return (None,) * count
    wide = torch.where(x.low == x.high, 0.0, math.inf)
    return (Enclosed(-wide, wide),) * count


def count_of(*values: Any) -> int:
    for value in values:
        if isinstance(value, Sloped):
            return len(value.slopes)
        if isinstance(value, list | tuple):
            found = count_of(*value)
            if found:
                return found
    return 0


def op(name: str, *args: Any, **kwargs: Any) -> Any:
    """An operation on enclosures."""
    return OPERATIONS[name](*args, **kwargs)


def plus(a: Slope, b: Slope) -> Slope:
    return b if a is None else a if b is None else op("add", a, b)


def times(factor: Any, slope: Slope) -> Slope:
    return None if slope is None else op("mul", factor, slope)


def chained(value: Enclosed, *parts: tuple[Any, tuple[Slope, ...]]) -> Sloped:
    """A value whose slopes are sums of factors times slopes."""
    count = len(parts[0][1])
    slopes: list[Slope] = [None] * count
    for factor, inner in parts:
        slopes = [plus(slope, times(factor, part)) for slope, part in zip(slopes, inner, strict=True)]
    return Sloped(value, slopes) if value.partial is None else Sloped(value, [_unknown(value, s) for s in slopes])


def _unknown(value: Enclosed, slope: Slope) -> Slope:
    """Any slope where a function may have left its domain, or passed a pole."""
    if slope is None or value.partial is None:
        return slope
    return Enclosed(torch.where(value.partial, -math.inf, slope.low), torch.where(value.partial, math.inf, slope.high))


def _linear(name: str) -> Callable[..., Any]:
    def rule(input: Any, *args: Any, **kwargs: Any) -> Any:
        options = (*args, *kwargs.values())
        if not isinstance(input, Sloped) or any(isinstance(a, Sloped | Enclosed) for a in options):
            raise NoEnclosure(f"torch.{name} with inputs among its options")
        value = op(name, input.value, *args, **kwargs)
        if not isinstance(value, Enclosed | tuple | list):
            return value
        parts = [None if s is None else op(name, s, *args, **kwargs) for s in input.slopes]
        if isinstance(value, Enclosed):
            return Sloped(value, parts)
        return tuple(Sloped(v, [None if p is None else p[k] for p in parts]) for k, v in enumerate(value))

    return rule


def _joined(name: str) -> Callable[..., Any]:
    def rule(*args: Any, **kwargs: Any) -> Any:
        given = list(args[0]) if isinstance(args[0], list | tuple) else list(args)
        if name == "broadcast_tensors":
            require_one_kind(given)
        rest = args[1:] if isinstance(args[0], list | tuple) else ()
        value = op(name, value_of(given), *rest, **kwargs)
        columns: list[Any] = []
        for j in range(count_of(given)):
            parts = [slopes_of(x, count_of(given))[j] for x in given]
            if all(part is None for part in parts):
                columns.append(None)
                continue
            zeros = [torch.zeros(ends(value_of(x))[0].shape, dtype=torch.float64) for x in given]
            filled = [zero if part is None else part for part, zero in zip(parts, zeros, strict=True)]
            columns.append(op(name, filled, *rest, **kwargs))
        if isinstance(value, Enclosed):
            return Sloped(value, columns)
        return tuple(Sloped(v, [None if c is None else c[k] for c in columns]) for k, v in enumerate(value))

    return rule


def _unary(name: str, derivative: Callable[[Enclosed, Enclosed], Any]) -> Callable[..., Sloped]:
    def rule(input: Sloped) -> Sloped:
        value = op(name, input.value)
        return chained(value, (derivative(input.value, value), input.slopes))

    return rule


def _one_over(x: Any) -> Any:
    return op("reciprocal", x)


def _sign_hull(x: Enclosed) -> Enclosed:
    """Slopes of the absolute value: -1, 1, and all between where 0 is inside."""
    return Enclosed(torch.where(x.low >= 0.0, 1.0, -1.0), torch.where(x.high <= 0.0, -1.0, 1.0))


def _slope_of_arcsine(x: Enclosed) -> Any:
    rest = op("rsub", op("square", Enclosed(x.low.clamp(-1.0, 1.0), x.high.clamp(-1.0, 1.0))), 1.0)
    return _one_over(op("sqrt", Enclosed(rest.low.clamp_min(0.0), rest.high.clamp_min(0.0))))


_TWO_OVER_ROOT_PI = (
    torch.tensor(2.0 / math.sqrt(math.pi) * (1.0 - 1e-15), dtype=torch.float64),
    torch.tensor(2.0 / math.sqrt(math.pi) * (1.0 + 1e-15), dtype=torch.float64),
)
DERIVATIVES: dict[str, Callable[[Enclosed, Enclosed], Any]] = {
    "exp": lambda _, y: y,
    "expm1": lambda x, _: op("exp", x),
    "log": lambda x, _: _one_over(Enclosed(x.low.clamp_min(0.0), x.high)),
    "log1p": lambda x, _: _one_over(op("add", Enclosed(x.low.clamp_min(-1.0), x.high), 1.0)),
    "sqrt": lambda _, y: op("mul", _one_over(y), 0.5),
    "rsqrt": lambda _, y: op("mul", op("pow", y, 3), -0.5),
    "square": lambda x, _: op("mul", x, 2.0),
    "reciprocal": lambda _, y: op("neg", op("square", y)),
    "sin": lambda x, _: op("cos", x),
    "cos": lambda x, _: op("neg", op("sin", x)),
    "tanh": lambda _, y: op("rsub", op("square", y), 1.0),
    "sinh": lambda x, _: op("cosh", x),
    "cosh": lambda x, _: op("sinh", x),
    "asin": lambda x, _: _slope_of_arcsine(x),
    "acos": lambda x, _: op("neg", _slope_of_arcsine(x)),
    "atan": lambda x, _: _one_over(op("add", op("square", x), 1.0)),
    "erf": lambda x, _: op("mul", op("exp", op("neg", op("square", x))), Enclosed(*_TWO_OVER_ROOT_PI)),
    "abs": lambda x, _: _sign_hull(x),
    "sigmoid": lambda _, y: op("mul", y, op("rsub", y, 1.0)),
    "lgamma": lambda x, _: op("digamma", x),
    "entr": lambda x, _: op("sub", op("neg", op("log", x)), 1.0),
}
RULES.update({name: _unary(name, derivative) for name, derivative in DERIVATIVES.items()})
RULES.update({name: _linear(name) for name in LINEAR if name in OPERATIONS})
RULES.update({name: _joined(name) for name in LISTS})


def _values_only(name: str) -> Callable[..., Any]:
    return lambda *args, **kwargs: op(name, *map(value_of, args), **kwargs)


RULES.update({name: _values_only(name) for name in CONSTANT if name in OPERATIONS})
for _name in ("zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full", "new_tensor"):
    RULES[_name] = _values_only(_name)


def rule(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register under torch's names."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


@rule("add", "radd")
def _add(input: Any, other: Any, alpha: Any = 1) -> Sloped:
    count = count_of(input, other)
    return chained(
        op("add", value_of(input), value_of(other), alpha),
        (1.0, slopes_of(input, count)),
        (float(alpha), slopes_of(other, count)),
    )


@rule("sub", "subtract")
def subtract(input: Any, other: Any, alpha: Any = 1) -> Sloped:
    count = count_of(input, other)
    return chained(
        op("sub", value_of(input), value_of(other), alpha),
        (1.0, slopes_of(input, count)),
        (-float(alpha), slopes_of(other, count)),
    )


@rule("rsub")
def _rsub(input: Any, other: Any) -> Sloped:
    return subtract(other, input)  # type: ignore[no-any-return]


@rule("mul", "rmul", "multiply")
def multiply(input: Any, other: Any) -> Sloped:
    if input is other:
        return RULES["square"](input)  # type: ignore[no-any-return]
    count, a, b = count_of(input, other), value_of(input), value_of(other)
    return chained(op("mul", a, b), (b, slopes_of(input, count)), (a, slopes_of(other, count)))


@rule("div", "divide", "truediv", "true_divide")
def divide(input: Any, other: Any) -> Sloped:
    count, a, b = count_of(input, other), value_of(input), value_of(other)
    quotient = op("div", a, b) if isinstance(a, Enclosed) or isinstance(b, Enclosed) else None
    inverse = op("reciprocal", b) if isinstance(b, Enclosed) else op("div", 1.0, b)
    minus = op("neg", op("mul", quotient, inverse))
    assert quotient is not None
    return chained(quotient, (inverse, slopes_of(input, count)), (minus, slopes_of(other, count)))


@rule("rdiv", "rtruediv")
def _rdivide(input: Any, other: Any) -> Sloped:
    return divide(other, input)  # type: ignore[no-any-return]


@rule("pow", "float_power")
def _power(input: Any, exponent: Any) -> Sloped:
    """a^b with derivatives b a^(b - 1) and a^b log a."""
    count, a, b = count_of(input, exponent), value_of(input), value_of(exponent)
    value = op("pow", a, b)
    parts = []
    if isinstance(input, Sloped | Enclosed):
        inner = op("mul", b, op("pow", a, _one_less(b)))
        if not isinstance(b, Enclosed):  # x^0 has slope 0, also at 0, where x^-1 has none
            nothing = torch.as_tensor(b, dtype=torch.float64) == 0.0
            inner = op("where", nothing, torch.zeros((), dtype=torch.float64), inner)
        parts.append((inner, slopes_of(input, count)))
    if isinstance(exponent, Sloped | Enclosed):
        base = a if isinstance(a, Enclosed) else Enclosed(*ends(a))
        parts.append((op("mul", value, op("log", base)), slopes_of(exponent, count)))
    return chained(value, *parts)


def _one_less(exponent: Any) -> Any:
    """exponent - 1: a plain number where that is exact."""
    if isinstance(exponent, Enclosed):
        return op("sub", exponent, 1.0)
    number = torch.as_tensor(exponent, dtype=torch.float64)
    less = op("sub", Enclosed(number, number), 1.0)
    return less.low if bool((less.low == less.high).all()) else less


@rule("rpow")
def _rpow(input: Any, other: Any) -> Sloped:
    return _power(other, input)  # type: ignore[no-any-return]


@rule("diff")
def _differences(input: Any, n: int = 1, dim: int = -1) -> Any:
    return _linear("diff")(input, n, dim)


@rule("pad")
def _padded(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    if value not in (None, 0):
        raise NoEnclosure("slopes beside further entries")
    return _linear("pad")(input, pad, mode)
