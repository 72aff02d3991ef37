"""Sums, products, quotients, whole powers, and what is made of them entry by entry."""

from typing import Any

import torch
from torch import Tensor

from harness.certify.enclosure.outward import INF, down, sum_ends, up
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import Enclosed, Ends, ends, entrywise, operation, partial_of, plain


def add_ends(a: Ends, b: Ends) -> Ends:
    return sum_ends(a, b)


def negated(a: Ends) -> Ends:
    return -a[1], -a[0]


def subtract_ends(a: Ends, b: Ends) -> Ends:
    return sum_ends(a, negated(b))


def multiply_ends(a: Ends, b: Ends) -> Ends:
    """The hull of the products of ends, with 0 times infinity = 0: intervals hold real numbers."""
    pairs = [(x, y) for x in _distinct(a) for y in _distinct(b)]
    corners = [_product(x, y) for x, y in pairs]
    return _outward(corners, pairs, _one(a) | _one(b))


def _distinct(a: Ends) -> tuple[Tensor, ...]:
    return a[:1] if a[0] is a[1] else a


def _product(x: Tensor, y: Tensor) -> Tensor:
    found = x * y
    return torch.where(found.isnan(), 0.0, found)  # ends are never nan, so this is 0 times infinity


def _outward(corners: list[Tensor], pairs: list[tuple[Tensor, Tensor]], exact: Tensor) -> Ends:
    """The hull of corners, moved outward where they are not exact; a zero is, unless numbers other than 0 made it."""
    low = high = corners[0]
    for corner in corners[1:]:
        low, high = torch.minimum(low, corner), torch.maximum(high, corner)
    zeros = (low == 0.0) | (high == 0.0)
    if bool(zeros.any()):
        for corner, (x, y) in zip(corners, pairs, strict=True):
            zeros = zeros & ~((corner == 0.0) & (x != 0.0) & (y != 0.0))
    return (
        torch.where(exact | (zeros & (low == 0.0)), low, down(low)),
        torch.where(exact | (zeros & (high == 0.0)), high, up(high)),
    )


def _one(a: Ends) -> Tensor:
    return (a[0] == a[1]) & (a[0].abs() == 1.0)


def square_ends(a: Ends) -> Ends:
    small, large = magnitude_ends(a)
    low, high = small * small, large * large
    return torch.where(small == 0.0, 0.0, down(low).clamp_min(0.0)), torch.where(large == 0.0, 0.0, up(high))


def magnitude_ends(a: Ends) -> Ends:
    """The absolute value: exact."""
    low, high = a
    around = (low <= 0.0) & (high >= 0.0)
    smaller, larger = torch.minimum(low.abs(), high.abs()), torch.maximum(low.abs(), high.abs())
    return torch.where(around, 0.0, smaller), larger


def reciprocal_ends(b: Ends) -> tuple[Ends, Tensor]:
    """1 / b and where b holds 0; an end 0 counts from the inside."""
    low, high = b
    holds = (low <= 0.0) & (high >= 0.0)
    under = torch.where(high == 0.0, -INF, down(1.0 / high))
    over = torch.where(low == 0.0, INF, up(1.0 / low))
    inside = (low < 0.0) & (high > 0.0) | ((low == 0.0) & (high == 0.0))
    under = torch.where(inside | ((high == 0.0) & (low < 0.0)), -INF, under)
    over = torch.where(inside | ((low == 0.0) & (high > 0.0)), INF, over)
    one = (low == high) & (low.abs() == 1.0)
    return (torch.where(one, low, under), torch.where(one, high, over)), holds


def divide_ends(a: Ends, b: Ends) -> tuple[Ends, Tensor]:
    """a / b and where b holds 0; the quotients of the ends where it does not, each rounded once."""
    (under, over), holds = reciprocal_ends(b)
    whole = torch.where(holds, 1.0, b[0]), torch.where(holds, 1.0, b[1])
    pairs = [(x, y) for x in _distinct(a) for y in (whole[:1] if b[0] is b[1] else whole)]
    quotients = [x / y for x, y in pairs]
    quotients = [torch.where(q.isnan(), 0.0, q) for q in quotients]  # infinity by infinity: the others decide
    low, high = _outward(quotients, pairs, _one(b) & ~holds)
    if bool(holds.any()):
        wide = multiply_ends(a, (under, over))
        low, high = torch.where(holds, wide[0], low), torch.where(holds, wide[1], high)
    return (low, high), holds


def whole_power(a: Ends, exponent: int) -> Ends:
    """a^n for whole n >= 0, by repeated squaring of the ends."""
    if exponent == 0:
        return torch.ones_like(a[0]), torch.ones_like(a[1])
    if exponent == 1:
        return a
    if exponent % 2 == 0:
        return _repeated(magnitude_ends(a), exponent)
    low = torch.where(a[0] < 0.0, -_repeated((-a[0], -a[0]), exponent)[1], _repeated((a[0], a[0]), exponent)[0])
    high = torch.where(a[1] < 0.0, -_repeated((-a[1], -a[1]), exponent)[0], _repeated((a[1], a[1]), exponent)[1])
    return low, high


def _repeated(a: Ends, exponent: int) -> Ends:
    """Powers of non-negative ends (other entries are discarded by the caller)."""
    result: Ends | None = None
    base = a[0].clamp_min(0.0), a[1].clamp_min(0.0)
    while exponent:
        if exponent % 2:
            result = base if result is None else _times(result, base)
        exponent //= 2
        if exponent:
            base = _times(base, base)
    assert result is not None
    return result


def _times(a: Ends, b: Ends) -> Ends:
    low, high = _product(a[0], b[0]), _product(a[1], b[1])
    ones_low, ones_high = (a[0] == 1.0) | (b[0] == 1.0), (a[1] == 1.0) | (b[1] == 1.0)
    none_low, none_high = (a[0] == 0.0) | (b[0] == 0.0), (a[1] == 0.0) | (b[1] == 0.0)
    return (
        torch.where(ones_low | none_low, low, down(low).clamp_min(0.0)),
        torch.where(ones_high | none_high, high, up(high)),
    )


def is_one_object(a: Any, b: Any) -> bool:
    """Whether two operands are the same entries, so that their product is a square and their difference 0."""
    return a is b or (isinstance(a, Enclosed) and isinstance(b, Enclosed) and a.low is b.low and a.high is b.high)


def marked(result: Ends, mark: Tensor, *sources: Any) -> Enclosed:
    """A result with further marks of its own."""
    before = partial_of(*sources)
    if not bool(mark.any()):
        return Enclosed(*result, before)
    return Enclosed(*result, mark.expand(result[0].shape) if before is None else before | mark)


def _same(sources: tuple[Any, ...], number: float) -> Enclosed:
    value = sources[0].low
    return entrywise(torch.full_like(value, number), torch.full_like(value, number), *sources)


@operation("add", "radd")
def add(input: Any, other: Any, alpha: Any = 1) -> Enclosed:
    b = ends(other) if alpha == 1 else multiply_ends(ends(other), ends(alpha))
    return entrywise(*add_ends(ends(input), b), input, other)


@operation("sub", "subtract")
def subtract(input: Any, other: Any, alpha: Any = 1) -> Enclosed:
    if alpha == 1 and is_one_object(input, other) and _finite(input):
        return _same((input, other), 0.0)
    b = ends(other) if alpha == 1 else multiply_ends(ends(other), ends(alpha))
    return entrywise(*subtract_ends(ends(input), b), input, other)


def _finite(x: Enclosed) -> bool:
    return bool(x.low.isfinite().all() and x.high.isfinite().all())


@operation("rsub")
def _rsub(input: Any, other: Any, alpha: Any = 1) -> Enclosed:
    return subtract(other, input, alpha)  # type: ignore[no-any-return]


@operation("neg", "negative")
def _negative(input: Any) -> Enclosed:
    return entrywise(*negated(ends(input)), input)


@operation("mul", "rmul", "multiply")
def multiply(input: Any, other: Any) -> Enclosed:
    if is_one_object(input, other):
        return square(input)  # type: ignore[no-any-return]
    return entrywise(*multiply_ends(ends(input), ends(other)), input, other)


@operation("square")
def square(input: Any) -> Enclosed:
    return entrywise(*square_ends(ends(input)), input)


@operation("abs")
def magnitude(input: Any) -> Enclosed:
    return entrywise(*magnitude_ends(ends(input)), input)


@operation("div", "divide", "truediv", "true_divide")
def divide(input: Any, other: Any, rounding_mode: str | None = None) -> Enclosed:
    if rounding_mode is not None:
        raise NoEnclosure("division with rounding")
    quotient, holds = divide_ends(ends(input), ends(other))
    return marked(quotient, holds, input, other)


@operation("rdiv", "rtruediv")
def _rdivide(input: Any, other: Any) -> Enclosed:
    return divide(other, input)  # type: ignore[no-any-return]


@operation("reciprocal")
def reciprocal(input: Any) -> Enclosed:
    found, holds = reciprocal_ends(ends(input))
    return marked(found, holds, input)


@operation("lerp")
def _lerp(input: Any, end: Any, weight: Any) -> Enclosed:
    return add(input, multiply(weight, subtract(end, input)))  # type: ignore[no-any-return]


@operation("addcmul")
def _addcmul(input: Any, tensor1: Any, tensor2: Any, value: Any = 1) -> Enclosed:
    return add(input, multiply(multiply(tensor1, tensor2), plain(value)))  # type: ignore[no-any-return]
