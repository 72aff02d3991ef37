"""Slips of a body: whole numbers that overflow, as numpy and torch wrap them around, and fractions in few digits.

Numbers of 32 and 64 bits without a sign are left alone: who hashes wraps them around on purpose. In fewer digits than
float64 has, numpy may compute whole numbers that fit (torch is asked elsewhere).
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.libraries import library_of
from harness.errors import Slip

WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
_FEW = {"float32": 2.0**24, "float16": 2.0**11}  # from here on whole numbers have gaps
_ON_PURPOSE = ("uint32", "uint64")
_OPERATORS = frozenset(("add", "sub", "mul", "pow", "matmul"))
_FUNCTIONS = frozenset(
    (
        *("sum", "prod", "cumsum", "cumprod", "dot", "vdot", "inner", "outer", "matmul", "multiply", "add", "subtract"),
        *("power", "square", "trace", "convolve", "diff", "einsum", "tensordot", "kron", "polyval", "negative", "abs"),
        *("reduce", "accumulate"),
    )
)


def check_operation(name: str, left: Any, right: Any, out: Any) -> None:
    """Of numpy: `left name right`, "iadd" and the like too."""
    _check_digits(out)
    if not _wraps(out):
        return
    plain = name.removeprefix("i")
    if plain == "lshift":
        _refuse_beyond(out, lambda: _wide(left) * 2.0 ** _wide(right))
    elif plain in _OPERATORS:
        _refuse_beyond(out, lambda: getattr(operator, plain)(_wide(left), _wide(right)))


def check_call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> None:
    """Of numpy: a function of arrays, or a method of one."""
    _check_digits(out)
    if not _wraps(out):
        return
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if name == "astype" and isinstance(owner, np.ndarray | np.number):
        _refuse_beyond(out, lambda: np.trunc(_wide(owner)))
    elif name == "left_shift":
        _refuse_beyond(out, lambda: _wide(args[0]) * 2.0 ** _wide(args[1]))
    elif name in _FUNCTIONS and library_of(function) == "numpy":
        again = getattr(_wide(owner), name) if isinstance(owner, np.ndarray | np.number) else function
        others = {key: value for key, value in kwargs.items() if key not in {"dtype", "out"}}
        _refuse_beyond(out, lambda: again(*map(_wide, args), **others))


def check_torch(func: Any, args: Any, kwargs: Any, dtype: torch.dtype) -> None:
    """Of torch: the same operation in floats is within the range of its type."""
    wide = [x.double() if isinstance(x, Tensor) and x.dtype in WHOLE else x for x in args]
    _within(func(*wide, **{name: value for name, value in kwargs.items() if name != "dtype"}), dtype)


def check_shift(args: Any, dtype: torch.dtype) -> None:
    """Of torch: args[0] << args[1]."""
    first, places = (torch.as_tensor(x).double() for x in args[:2])
    _within(first * places.exp2(), dtype)


def check_cast(x: Any, out: Any) -> None:
    """Of torch: a tensor that becomes one of whole numbers; what is not finite is no overflow."""
    if isinstance(out, Tensor) and out.dtype in WHOLE and x.dtype is not torch.bool and x.numel():
        finite = torch.nan_to_num(x.double().trunc(), nan=0.0, posinf=0.0, neginf=0.0)
        if bool((finite != torch.where(torch.isfinite(x), out.double(), 0.0)).any()):
            _within(finite, out.dtype)


def _check_digits(out: Any) -> None:
    few = _FEW.get(out.dtype.name) if isinstance(out, np.ndarray | np.floating) else None
    if few is not None and bool((np.isfinite(out) & ((out != np.rint(out)) | (np.abs(out) >= few))).any()):
        name = out.dtype.name
        raise Slip(f"it computes in {name}, whose rounding errors could decide a tight claim; compute in float64")


def _within(found: Tensor, dtype: torch.dtype) -> None:
    limits = torch.iinfo(dtype)
    beyond = found.abs() >= 2.0**63 if dtype is torch.int64 else (found > limits.max) | (found < limits.min)
    if bool(beyond.any()):
        _refuse(limits.bits)


def _refuse(bits: int) -> None:
    raise Slip(f"whole numbers overflow {bits} bits; compute them in float64")


def _wraps(out: Any) -> bool:
    return isinstance(out, np.ndarray | np.integer) and out.dtype.kind in "iu" and out.dtype.name not in _ON_PURPOSE


def _wide(value: Any) -> Any:
    """Whole numbers as floats."""
    if isinstance(value, np.ndarray | np.integer) and value.dtype.kind in "iu":
        return value.astype(np.float64)
    if type(value) is int:
        return float(value)
    return [_wide(each) for each in value] if type(value) is list else value


def _refuse_beyond(out: Any, again: Callable[[], Any]) -> None:
    """Refuse an array of whole numbers that does not hold what the same comes to in floats."""
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(again(), dtype=np.float64)
    except Exception:  # a function that takes no floats
        return
    if found.shape != np.shape(out):
        return
    limits = np.iinfo(out.dtype)
    if bool(((found >= float(limits.max) + 1.0) | (found < float(limits.min))).any()):
        _refuse(limits.bits)
