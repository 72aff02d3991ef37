"""Entrywise functions of one, two or three arguments."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from harness.certify.conversions import wanted_type
from harness.certify.precision.balls import NAN, ONE, ZERO, Unsupported, below, each, equal, lift, scalar, undecided
from harness.certify.precision.functions import (
    COMPARISONS,
    ONE_NUMBER,
    SWAPPED,
    TWO_NUMBERS,
    Function,
    divided,
    equal_infinity,
    equal_to,
    floored,
    log1p,
    log_gamma,
    logarithm,
    normal,
    polygamma,
    rounded,
    softplus,
    truncated,
)

Operation = Callable[..., Any]


def _defined(function: Function) -> Function:
    """nan stays nan: it may stand for a number that does not exist."""
    return lambda *numbers: NAN if any(number.is_nan() for number in numbers) else function(*numbers)


def _unary(function: Function) -> Operation:
    return lambda input: each(function, lift(input))


def _binary(function: Function) -> Operation:
    return lambda input, other: each(function, lift(input), lift(other))


def _flipped(function: Function) -> Operation:
    return lambda input, other: each(function, lift(other), lift(input))


def _compared(function: Callable[[arb, arb], bool]) -> Operation:
    return lambda input, other: each(function, lift(input), lift(other)).astype(bool)


def _add(input: Any, other: Any, alpha: Any = 1) -> np.ndarray:
    share = scalar(alpha)
    return each((lambda a, b: a + b) if equal_to(share, 1) else (lambda a, b: a + share * b), lift(input), lift(other))


def _subtract(input: Any, other: Any, alpha: Any = 1) -> np.ndarray:
    share = scalar(alpha)
    return each((lambda a, b: a - b) if equal_to(share, 1) else (lambda a, b: a - share * b), lift(input), lift(other))


def _divide(input: Any, other: Any, rounding_mode: str | None = None) -> np.ndarray:
    whole = {None: lambda a: a, "floor": floored, "trunc": truncated}[rounding_mode]
    return each(lambda a, b: whole(divided(a, b)), lift(input), lift(other))


def clamp(input: Any, min: Any = None, max: Any = None) -> np.ndarray:
    array = lift(input)
    if min is not None:
        array = each(arb.max, array, lift(min))
    return array if max is None else each(arb.min, array, lift(max))


def _round(input: Any, decimals: int = 0) -> np.ndarray:
    if decimals != 0:
        raise Unsupported("rounding to decimals")
    return each(_defined(rounded), lift(input))


def _logit(input: Any, eps: Any = None) -> np.ndarray:
    array = lift(input) if eps is None else clamp(input, eps, ONE - scalar(eps))
    return each(lambda a: logarithm(a) - log1p(-a), array)


def _softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> np.ndarray:
    if threshold < 20:  # beyond 20 torch's shortcut is no more than rounding
        raise Unsupported("softplus with a jump")
    share = scalar(beta)
    return each(lambda a: softplus(share * a) / share, lift(input))


def _elu(input: Any, alpha: Any = 1.0) -> np.ndarray:
    share = scalar(alpha)
    return each(lambda a: a.max(ZERO) + share * a.min(ZERO).expm1(), lift(input))


def _leaky(input: Any, negative_slope: Any = 0.01) -> np.ndarray:
    share = scalar(negative_slope)
    return each(lambda a: a.max(ZERO) + share * a.min(ZERO), lift(input))


def _gelu(input: Any, approximate: str = "none") -> np.ndarray:
    if approximate != "none":
        raise Unsupported("an approximate gelu")
    return each(lambda a: a * normal(a), lift(input))


def _polygammas(order: Any, input: Any) -> np.ndarray:
    if isinstance(order, Tensor):  # x.polygamma(n)
        order, input = input, order
    return each(lambda a: polygamma(int(order), a), lift(input))


def _multigamma(input: Any, p: int) -> np.ndarray:
    constant = arb(p * (p - 1)) / 4 * arb.pi().log()
    return each(lambda a: sum((log_gamma(a - arb(j) / 2) for j in range(p)), constant), lift(input))


def _finite(a: arb) -> bool:
    if a.is_finite():
        return True
    if equal_infinity(a, 1) or equal_infinity(a, -1):
        return False
    raise undecided("a number that may or may not be finite")


def _close(input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: Any = False) -> np.ndarray:  # noqa: ARG001
    def near(a: arb, b: arb) -> bool:
        return not below(arb(atol) + arb(rtol) * abs(b), abs(a - b))

    return each(near, lift(input), lift(other)).astype(bool)


def _same(input: Any, other: Any) -> bool:
    a, b = lift(input), lift(other)
    return a.shape == b.shape and bool(each(equal, a, b).astype(bool).all())


def truth(input: Any) -> bool:
    """The truth value of a tensor with one entry."""
    return not equal(lift(input).reshape(()).item(), ZERO)


def _converted(input: Any, *wanted: Any, dtype: Any = None, copy: Any = False) -> Any:  # noqa: ARG001
    """x.to(...), x.type(...): float64 stays, whole numbers and truth values are decided."""
    target = wanted_type(*wanted, dtype)
    return lift(input) if target in (None, torch.float64) else _discrete(input, target)


def _discrete(input: Any, dtype: torch.dtype) -> torch.Tensor:
    array = lift(input)
    if dtype is torch.bool:
        return torch.as_tensor(each(lambda a: not equal(a, ZERO), array).astype(bool))
    if dtype.is_floating_point or dtype.is_complex:
        raise Unsupported(f"conversion to {dtype}")

    def whole(a: arb) -> int:
        found = truncated(a).unique_fmpz()
        if found is None:
            raise undecided("a whole part that the enclosure does not decide")
        return int(found)

    return torch.as_tensor(each(whole, array).astype(np.int64)).to(dtype)


def _no_nan(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> np.ndarray:  # noqa: ARG001
    if not all(a.is_finite() for a in lift(input).reshape(-1)):
        raise undecided("numbers that may not be finite")
    return lift(input)


OPERATIONS: dict[str, Operation] = {
    **{name: _unary(_defined(function)) for name, function in ONE_NUMBER.items()},
    **{name: _binary(_defined(function)) for name, function in TWO_NUMBERS.items()},
    **{name: _flipped(_defined(function)) for name, function in SWAPPED.items()},
    **{name: _compared(function) for name, function in COMPARISONS.items()},
    **dict.fromkeys(("add", "radd"), _add),
    **dict.fromkeys(("sub", "subtract"), _subtract),
    "rsub": lambda input, other, alpha=1: _subtract(other, input, alpha),
    **dict.fromkeys(("div", "divide", "truediv", "true_divide"), _divide),
    **dict.fromkeys(("clamp", "clip"), clamp),
    "clamp_min": lambda input, min: clamp(input, min=min),
    "clamp_max": lambda input, max: clamp(input, max=max),
    "hardtanh": lambda input, min_val=-1.0, max_val=1.0: clamp(input, min_val, max_val),
    "round": _round,
    "logit": _logit,
    "softplus": _softplus,
    "elu": _elu,
    "leaky_relu": _leaky,
    "gelu": _gelu,
    "polygamma": _polygammas,
    **dict.fromkeys(("multigammaln", "mvlgamma"), _multigamma),
    "lerp": lambda input, end, weight: each(lambda a, b, w: a + w * (b - a), lift(input), lift(end), lift(weight)),
    "addcmul": lambda input, tensor1, tensor2, value=1: each(
        lambda a, b, c, v: a + v * b * c, lift(input), lift(tensor1), lift(tensor2), lift(value)
    ),
    "addcdiv": lambda input, tensor1, tensor2, value=1: each(
        lambda a, b, c, v: a + divided(v * b, c), lift(input), lift(tensor1), lift(tensor2), lift(value)
    ),
    "isfinite": lambda input: each(_finite, lift(input)).astype(bool),
    "isinf": lambda input: ~each(_finite, lift(input)).astype(bool),
    "isnan": lambda input: each(_finite, lift(input)).astype(bool) & False,
    "isclose": _close,
    "allclose": lambda *args, **kwargs: bool(_close(*args, **kwargs).all()),
    "equal": _same,
    "__bool__": truth,
    **dict.fromkeys(("to", "type", "type_as"), _converted),
    "double": lift,
    "bool": lambda input: _discrete(input, torch.bool),
    "long": lambda input: _discrete(input, torch.int64),
    "int": lambda input: _discrete(input, torch.int32),
    "nan_to_num": _no_nan,
}
