"""Whether floats have computed a result without rounding, told from the operands and the result.

A float is an odd whole number times a power of two. A product is exact where its odd parts multiply to at most 2^53, a
sum where the sizes of its terms add up to at most 2^53 times the largest power of two that divides all of them: then
it is in any order. What cannot be told is taken for rounded.
"""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

BITS = 53
MOST = 2.0**BITS
LEAST, LARGEST = 1e-250, 1e250  # sizes between which nothing over- or underflows
Test = Callable[..., bool]
POWERS = 64  # exponents, at most, of powers that are multiplied out
_SUMS: dict[str, Callable[..., Tensor]] = {
    "sum": torch.sum,
    "cumsum": torch.cumsum,
    "trace": torch.trace,
    "einsum": torch.einsum,
    "outer": torch.outer,
    "kron": torch.kron,
    "tensordot": torch.tensordot,
    **dict.fromkeys(("matmul", "mm", "bmm", "mv", "dot", "vdot", "inner"), torch.matmul),
}


def is_exact(name: str, out: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether `out`, in float64, is what the operation gives in real numbers."""
    if not isinstance(out, Tensor) or out.dtype is not torch.float64:
        return False
    if out.numel() == 0:
        return True
    test = _TESTS.get(name)
    try:
        return test is not None and test(out.detach(), *args, **kwargs)
    except (TypeError, ValueError, IndexError, RuntimeError, AttributeError, OverflowError):
        return False


def _number(value: Any) -> Tensor:
    """An operand in float64, where it is exactly that."""
    if isinstance(value, bool | int | float):
        wide = torch.tensor(float(value), dtype=torch.float64)
        if isinstance(value, int) and int(wide.item()) != value:
            raise ValueError("a whole number beyond 2^53")
        return wide
    if not isinstance(value, Tensor) or value.is_complex():
        raise TypeError("no number")
    wide = value.detach().double()
    if not value.is_floating_point() and bool((wide.abs() > MOST).any()):
        raise ValueError("whole numbers beyond 2^53")
    return wide


def _parts(x: Tensor) -> tuple[Tensor, Tensor]:
    """The odd whole number in the size of each entry, and the power of two beside it; 0 and infinity for 0."""
    if not bool(x.isfinite().all()):
        raise ValueError("numbers that are not finite")
    share, exponent = np.frexp(np.abs(x.numpy()))
    whole = np.ldexp(share, BITS).astype(np.int64)
    lowest = whole & -whole
    odd = whole / np.maximum(lowest, 1)
    grid = np.where(whole == 0, np.inf, np.ldexp(lowest.astype(np.float64), exponent - BITS))
    return torch.as_tensor(odd), torch.as_tensor(grid)


def _usual(x: Tensor) -> bool:
    """Whether all sizes are 0 or far from where floats end."""
    size = x.abs()
    return bool(((size == 0.0) | ((size >= LEAST) & (size <= LARGEST))).all())


def _is_sum(out: Tensor, a: Any, b: Any, alpha: Any = 1) -> bool:
    """Knuth's error term vanishes."""
    if alpha != 1:
        return False
    x, y = _number(a), _number(b)
    second = out - x
    return bool((((x - (out - second)) + (y - second)) == 0.0).all())


def _is_difference(out: Tensor, a: Any, b: Any, alpha: Any = 1) -> bool:
    return _is_sum(out, a, -_number(b), alpha)


def _is_product(out: Tensor, a: Any, b: Any) -> bool:
    x, y = _number(a), _number(b)
    return _usual(out) and _usual(x) and _usual(y) and bool((_parts(x)[0] * _parts(y)[0] <= MOST).all())


def _is_quotient(out: Tensor, a: Any, b: Any, rounding_mode: Any = None) -> bool:
    x, y = _number(a), _number(b)
    return rounding_mode is None and bool((y != 0.0).all()) and bool((out * y == x).all()) and _is_product(x, out, y)


def _is_power(out: Tensor, a: Any, exponent: Any) -> bool:
    x, n = torch.broadcast_tensors(_number(a), _number(exponent))  # type: ignore[no-untyped-call]
    if bool((n == 0.5).all()):
        return _is_root(out, x)
    if not bool(((n == n.round()) & (n >= 0.0) & (n <= POWERS)).all()):
        return False
    found, odd = torch.ones_like(x), _parts(x)[0]
    bound = torch.ones_like(odd)
    for k in range(int(n.max())):
        found, bound = torch.where(n > k, found * x, found), torch.where(n > k, bound * odd, bound)
    return _usual(found) and _usual(x) and bool((bound <= MOST).all()) and bool((found == out).all())


def _is_root(out: Tensor, a: Any) -> bool:
    return bool((out * out == _number(a)).all()) and _is_product(_number(a), out, out)


def _is_line_of_products(function: Callable[..., Tensor]) -> Test:
    def test(out: Tensor, a: Any, *options: Any, **kwargs: Any) -> bool:
        x = _number(a)
        odd = function(_parts(x)[0], *options, **kwargs)
        size = function(x.abs().clamp_min(1.0), *options, **kwargs)
        small = function(torch.where(x == 0.0, 1.0, x.abs().clamp_max(1.0)), *options, **kwargs)
        return _usual(out) and _usual(size) and _usual(small) and bool((odd <= MOST).all())

    return test


def _is_linear(function: Callable[..., Tensor]) -> Test:
    """Of sums of products of entries of several operands."""

    def test(out: Tensor, *args: Any, **kwargs: Any) -> bool:  # noqa: ARG001
        given = [_number(arg) if isinstance(arg, Tensor) else arg for arg in args]
        tensors = [arg for arg in given if isinstance(arg, Tensor)]
        if not all(map(_usual, tensors)):
            return False
        grids = [float(_parts(x)[1].min()) if x.numel() else np.inf for x in tensors]
        if any(np.isinf(grid) for grid in grids):  # an operand without an entry other than 0
            return True
        grid = functools.reduce(lambda p, q: p * q, grids)
        bound = function(*(arg.abs() if isinstance(arg, Tensor) else arg for arg in given), **kwargs)
        return grid >= LEAST and float(bound.max()) <= MOST / 2.0 * grid

    return test


def _is_mean(out: Tensor, a: Any, dim: Any = None, keepdim: Any = False) -> bool:
    x = _number(a)
    total = x.sum() if dim is None else x.sum(dim, keepdim)
    count = x.numel() // max(total.numel(), 1)
    exact = _TESTS["sum"](total, x) if dim is None else _TESTS["sum"](total, x, dim, keepdim)
    return exact and _is_quotient(out, total, count)


def _are_differences(out: Tensor, a: Tensor, n: int = 1, dim: int = -1) -> bool:
    size = a.shape[dim] - 1
    return n == 1 and _is_difference(out, a.narrow(dim, 1, size), a.narrow(dim, 0, size))


def _are_whole(out: Tensor, a: Any, b: Any) -> bool:
    """Quotients and remainders of whole numbers."""
    pair = (_number(a), _number(b))
    whole = all(bool(((x == x.round()) & (x.abs() <= MOST)).all()) for x in pair)
    return whole and bool((pair[1] != 0.0).all()) and bool(out.isfinite().all())


_TESTS: dict[str, Test] = {
    **dict.fromkeys(("add", "radd"), _is_sum),
    **dict.fromkeys(("sub", "subtract"), _is_difference),
    "rsub": lambda out, a, b, alpha=1: _is_difference(out, b, a, alpha),
    **dict.fromkeys(("mul", "rmul", "multiply"), _is_product),
    **dict.fromkeys(("div", "divide", "truediv", "true_divide"), _is_quotient),
    **dict.fromkeys(("rdiv", "rtruediv"), lambda out, a, b: _is_quotient(out, b, a)),
    "reciprocal": lambda out, a: _is_quotient(out, 1.0, a),
    **dict.fromkeys(("pow", "float_power"), _is_power),
    "rpow": lambda out, a, b: _is_power(out, b, a),
    "square": lambda out, a: _is_power(out, a, 2),
    "sqrt": _is_root,
    "round": lambda out, a: True,  # noqa: ARG005  (to places, it takes an argument)
    "mean": _is_mean,
    "prod": _is_line_of_products(torch.prod),
    "cumprod": _is_line_of_products(torch.cumprod),
    "diff": _are_differences,
    **dict.fromkeys(("floor_divide", "floordiv", "remainder", "mod"), _are_whole),
    **{name: _is_linear(function) for name, function in _SUMS.items()},
    "rmatmul": lambda out, a, b: _TESTS["matmul"](out, b, a),
}
