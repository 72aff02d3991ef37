"""Enclosures with slopes: intervals of the values and of the partial derivatives of a body over boxes.

A `Sloped` tensor is an `Enclosed` one with an `Enclosed` tensor of derivatives for each coordinate of the boxes (None
where it is 0), carried forward through the body by the rules of differentiation in interval arithmetic. At kinks a
derivative is the hull of both sides (Clarke 1983: the mean value theorem holds for it); where a function may jump it is
[-inf, inf].
"""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

from harness.certify.enclosure.entries import FIRST, LISTS
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import METADATA, OPERATIONS, OPERATORS, Enclosed, arguments, ends, names

Slope: TypeAlias = Enclosed | None
RULES: dict[str, Callable[..., Any]] = {}
LINEAR = (
    *FIRST,
    *names("sum nansum mean cumsum diff getitem to double clone detach neg negative real cpu data mT T"),
)
CONSTANT = names("lt le gt ge eq ne less less_equal greater greater_equal not_equal isfinite isnan isinf")


class Sloped(Tensor):
    """Values and derivatives."""

    value: Enclosed
    slopes: tuple[Slope, ...]

    @staticmethod
    def __new__(cls, value: Enclosed, slopes: Sequence[Slope]) -> "Sloped":
        behind = torch.full((), math.nan, dtype=torch.float64).expand(value.low.shape)
        made: Sloped = torch.Tensor._make_subclass(cls, behind)
        made.value, made.slopes = value, tuple(slopes)
        return made

    def __init__(self, value: Enclosed, slopes: Sequence[Slope]) -> None:
        pass

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", str(func))
        if name in ("__get__", "__set__", "__delete__"):
            name = f"{name} {func.__self__.__name__}"
        name = name.removeprefix("__get__ ")
        if name in ("requires_grad", "dtype", "is_floating_point"):
            return {"dtype": torch.float64}.get(name, True)
        if name in METADATA:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        name = OPERATORS.get(name, name).removeprefix("special_")
        rule = RULES.get(name)
        if rule is None:
            raise NoEnclosure(f"torch.{name}, which has no slopes here")
        args, kwargs = arguments(args, kwargs or {}, name)
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            return rule(*args, **kwargs)


def value_of(x: Any) -> Any:
    """The values alone, in lists too."""
    if isinstance(x, Sloped):
        return x.value
    if isinstance(x, list | tuple):
        return type(x)(map(value_of, x)) if type(x) in (list, tuple) else x
    return x


def slopes_of(x: Any, count: int) -> tuple[Slope, ...]:
    return x.slopes if isinstance(x, Sloped) else (None,) * count


def _count(*values: Any) -> int:
    for value in values:
        if isinstance(value, Sloped):
            return len(value.slopes)
        if isinstance(value, list | tuple):
            found = _count(*value)
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
        if not isinstance(input, Sloped) or any(isinstance(a, Sloped) for a in (*args, *kwargs.values())):
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
        rest = args[1:] if isinstance(args[0], list | tuple) else ()
        value = op(name, value_of(given), *rest, **kwargs)
        columns: list[Any] = []
        for j in range(_count(given)):
            parts = [slopes_of(x, _count(given))[j] for x in given]
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
    "atan": lambda x, _: _one_over(op("add", op("square", x), 1.0)),
    "erf": lambda x, _: op("mul", op("exp", op("neg", op("square", x))), Enclosed(*_TWO_OVER_ROOT_PI)),
    "abs": lambda x, _: _sign_hull(x),
    "absolute": lambda x, _: _sign_hull(x),
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
    count = _count(input, other)
    return chained(
        op("add", value_of(input), value_of(other), alpha),
        (1.0, slopes_of(input, count)),
        (float(alpha), slopes_of(other, count)),
    )


@rule("sub", "subtract")
def _subtract(input: Any, other: Any, alpha: Any = 1) -> Sloped:
    count = _count(input, other)
    return chained(
        op("sub", value_of(input), value_of(other), alpha),
        (1.0, slopes_of(input, count)),
        (-float(alpha), slopes_of(other, count)),
    )


@rule("rsub")
def _rsub(input: Any, other: Any) -> Sloped:
    return _subtract(other, input)  # type: ignore[no-any-return]


@rule("mul", "rmul", "multiply")
def _multiply(input: Any, other: Any) -> Sloped:
    if input is other:
        return RULES["square"](input)  # type: ignore[no-any-return]
    count, a, b = _count(input, other), value_of(input), value_of(other)
    return chained(op("mul", a, b), (b, slopes_of(input, count)), (a, slopes_of(other, count)))


@rule("div", "divide", "truediv", "true_divide")
def _divide(input: Any, other: Any) -> Sloped:
    count, a, b = _count(input, other), value_of(input), value_of(other)
    quotient = op("div", a, b) if isinstance(a, Enclosed) or isinstance(b, Enclosed) else None
    inverse = op("reciprocal", b) if isinstance(b, Enclosed) else op("div", 1.0, b)
    minus = op("neg", op("mul", quotient, inverse))
    assert quotient is not None
    return chained(quotient, (inverse, slopes_of(input, count)), (minus, slopes_of(other, count)))


@rule("rdiv", "rtruediv")
def _rdivide(input: Any, other: Any) -> Sloped:
    return _divide(other, input)  # type: ignore[no-any-return]


@rule("pow", "float_power")
def _power(input: Any, exponent: Any) -> Sloped:
    """a^b with derivatives b a^(b - 1) and a^b log a."""
    count, a, b = _count(input, exponent), value_of(input), value_of(exponent)
    value = op("pow", a, b)
    parts = []
    if isinstance(input, Sloped):
        inner = op("mul", b, op("pow", a, _one_less(b)))
        if not isinstance(b, Enclosed):  # x^0 has slope 0, also at 0, where x^-1 has none
            nothing = torch.as_tensor(b, dtype=torch.float64) == 0.0
            inner = op("where", nothing, torch.zeros((), dtype=torch.float64), inner)
        parts.append((inner, slopes_of(input, count)))
    if isinstance(exponent, Sloped):
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


def _choice(input: Any, other: Any, value: Enclosed, first: Tensor, second: Tensor) -> Sloped:
    """The slopes of the branch that is taken for certain, the hull of both elsewhere (a kink)."""
    count = _count(input, other)
    slopes: list[Slope] = []
    for s, t in zip(slopes_of(input, count), slopes_of(other, count), strict=True):
        if s is None and t is None:
            slopes.append(None)
            continue
        (al, ah), (bl, bh) = ends(0.0 if s is None else s), ends(0.0 if t is None else t)
        low = torch.where(first, al, torch.where(second, bl, torch.minimum(al, bl)))
        high = torch.where(first, ah, torch.where(second, bh, torch.maximum(ah, bh)))
        slopes.append(Enclosed(low, high))
    return Sloped(value, slopes)


@rule("maximum")
def _maximum(input: Any, other: Any) -> Sloped:
    a, b = ends(value_of(input)), ends(value_of(other))
    return _choice(input, other, op("maximum", value_of(input), value_of(other)), a[0] >= b[1], b[0] >= a[1])


@rule("minimum")
def _minimum(input: Any, other: Any) -> Sloped:
    a, b = ends(value_of(input)), ends(value_of(other))
    return _choice(input, other, op("minimum", value_of(input), value_of(other)), a[1] <= b[0], b[1] <= a[0])


@rule("clamp", "clip")
def _clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    found = input if min is None else _maximum(input, min)
    return found if max is None else _minimum(found, max)


RULES["clamp_min"] = lambda input, min: _clamp(input, min=min)
RULES["clamp_max"] = lambda input, max: _clamp(input, max=max)
RULES["relu"] = lambda input: _clamp(input, min=0.0)


@rule("where")
def _where(condition: Any, input: Any, other: Any) -> Sloped:
    """The slopes of the chosen branch; anything where the choice is open, since the function may jump there."""
    if isinstance(condition, Sloped) or (condition.dtype is not torch.bool and not _open(condition)):
        condition, input = input, condition
    value = op("where", condition, value_of(input), value_of(other))
    certain, possible = (
        (condition.low != 0.0, condition.high != 0.0) if isinstance(condition, Enclosed) else (condition, condition)
    )
    found = _choice(input, other, value, certain, ~possible)
    jumps = possible & ~certain
    if not bool(jumps.any()):
        return found
    wide = [torch.where(jumps, sign * math.inf, torch.zeros(value.low.shape, dtype=torch.float64)) for sign in (-1, 1)]
    return Sloped(
        value,
        [
            Enclosed(*((torch.where(jumps, w, 0.0 if s is None else ends(s)[k])) for k, w in enumerate(wide)))
            for s in found.slopes
        ],
    )


def _open(condition: Any) -> bool:
    return isinstance(condition, Enclosed) and condition.open_truth


@rule("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Sloped:
    return _where(mask, value, input)  # type: ignore[no-any-return]


@rule("gather", "take_along_dim")
def _gather(input: Any, dim: int, index: Any) -> Sloped:
    if isinstance(index, Enclosed):
        value = op("gather", value_of(input), dim, index)
        wide = Enclosed(torch.full(value.low.shape, -math.inf).double(), torch.full(value.low.shape, math.inf).double())
        return Sloped(value, [wide for _ in range(_count(input))])
    parts = [None if s is None else op("gather", s, dim, index) for s in slopes_of(input, _count(input))]
    return Sloped(op("gather", value_of(input), dim, index), parts)


def _extreme(name: str) -> Callable[..., Sloped]:
    def found(input: Sloped, dim: Any = None, keepdim: Any = False) -> Sloped:
        """The hull of the slopes of the entries that may be extreme."""
        value = op(name, input.value, dim, True)  # noqa: FBT003
        a = ends(input.value)
        may = a[1] >= value.low if name == "amax" else a[0] <= value.high
        parts: list[Slope] = []
        for s in input.slopes:
            if s is None:
                parts.append(None)
                continue
            low, high = torch.where(may, s.low, math.inf), torch.where(may, s.high, -math.inf)
            parts.append(Enclosed(*_hull(low, high, dim, keepdim)))
        return Sloped(op(name, input.value, dim, keepdim), parts)

    return found


def _hull(low: Tensor, high: Tensor, dim: Any, keepdim: Any) -> tuple[Tensor, Tensor]:
    axes = tuple(range(low.ndim)) if dim is None or dim == () else dim
    return low.amin(axes, keepdim=bool(keepdim)), high.amax(axes, keepdim=bool(keepdim))


RULES["amax"], RULES["amin"] = _extreme("amax"), _extreme("amin")


@rule("sort")
def _sort(input: Sloped, dim: int = -1, descending: Any = False, stable: Any = None) -> Any:
    """Sorted values: where the order is open, the hull of all slopes."""
    found = op("sort", input.value, dim, descending, stable)
    parts: list[Slope] = []
    for s in input.slopes:
        if s is None:
            parts.append(None)
        elif isinstance(found.indices, Enclosed):
            low, high = s.low.amin(dim, keepdim=True), s.high.amax(dim, keepdim=True)
            parts.append(Enclosed(low.expand(s.low.shape), high.expand(s.low.shape)))
        else:
            parts.append(op("gather", s, dim, found.indices))
    return type(found)(Sloped(found.values, parts), found.indices)


@rule("prod")
def _product(input: Sloped, dim: int = -1, keepdim: Any = False) -> Any:
    parts = RULES["unbind"](input, dim)
    found = parts[0]
    for part in parts[1:]:
        found = _multiply(found, part)
    return RULES["unsqueeze"](found, dim) if keepdim else found


@rule("cumprod")
def _running_product(input: Sloped, dim: int) -> Any:
    parts = list(RULES["unbind"](input, dim))
    for k in range(1, len(parts)):
        parts[k] = _multiply(parts[k - 1], parts[k])
    return RULES["stack"](parts, dim)


@rule("matmul", "mm", "bmm", "mv", "dot")
def _matmul(input: Any, other: Any) -> Sloped:
    count, a, b = _count(input, other), value_of(input), value_of(other)
    left = [None if s is None else op("matmul", s, b) for s in slopes_of(input, count)]
    right = [None if s is None else op("matmul", a, s) for s in slopes_of(other, count)]
    return Sloped(op("matmul", a, b), [plus(s, t) for s, t in zip(left, right, strict=True)])


RULES["rmatmul"] = lambda input, other: _matmul(other, input)


@rule("linalg_vector_norm", "norm")
def _norm(input: Sloped, ord: Any = 2, dim: Any = None, keepdim: Any = False) -> Any:
    if ord not in (2, None):
        raise NoEnclosure(f"slopes of a norm of order {ord}")
    return RULES["sqrt"](RULES["sum"](RULES["square"](input), dim, keepdim))


@rule("var")
def _variance(
    input: Sloped, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = 1
) -> Any:
    axes = dim if isinstance(dim, int) else None
    if axes is None:
        raise NoEnclosure("slopes of a variance over several axes")
    taken = correction if unbiased is None else int(unbiased)
    away = _subtract(input, RULES["mean"](input, axes, True))  # noqa: FBT003
    count = float(input.shape[axes] - taken)
    return _divide(RULES["sum"](RULES["square"](away), axes, keepdim), count)


@rule("softmax")
def _softmax(input: Sloped, dim: int) -> Sloped:
    """Shares s_i with slopes s_i (x_i' - sum_j s_j x_j')."""
    value = op("softmax", input.value, dim)
    parts: list[Slope] = []
    for s in input.slopes:
        if s is None:
            parts.append(None)
            continue
        parts.append(op("mul", value, op("sub", s, op("sum", op("mul", value, s), dim, True))))  # noqa: FBT003
    return Sloped(value, parts)


@rule("logsumexp")
def _logsumexp(input: Sloped, dim: Any, keepdim: Any = False) -> Sloped:
    axis = dim if isinstance(dim, int) else dim[0]
    shares = op("softmax", input.value, axis)
    parts = [None if s is None else op("sum", op("mul", shares, s), dim, keepdim) for s in input.slopes]
    return Sloped(op("logsumexp", input.value, dim, keepdim), parts)


@rule("xlogy")
def _x_log_y(input: Any, other: Any) -> Sloped:
    """a log b: slopes log b and a / b."""
    count, a, b = _count(input, other), value_of(input), value_of(other)
    value = op("xlogy", a, b)
    if input is other:
        return chained(value, (op("add", op("log", a), 1.0), slopes_of(input, count)))
    base = b if isinstance(b, Enclosed) else Enclosed(*ends(b))
    return chained(value, (op("log", base), slopes_of(input, count)), (op("div", a, base), slopes_of(other, count)))


@rule("__iter__")
def _iterated(input: Sloped) -> Any:
    return iter(RULES["unbind"](input, 0))


@rule("expand_as", "view_as", "reshape_as")
def _as(input: Any, other: Any) -> Any:
    return RULES["expand" if input.numel() != other.numel() or input.ndim != other.ndim else "reshape"](
        input, tuple(other.shape)
    )


@rule("__bool__", "item", "__float__")
def _decision(input: Sloped) -> Any:
    return op("__bool__", input.value)
