"""Products of many numbers and sums of squares, which may leave the range of floats on the way: as if they did not."""

import functools
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from harness.certify.rounding.libraries import among, library_of, plain_numbers

_NAMES = frozenset(("prod", "nanprod", "cumprod", "nancumprod"))
SMALLEST_NORMAL = 2.0**-1022


def regrouped(function: Callable[..., Any], args: tuple[Any, ...], found: Any) -> Any:
    """What a call that multiplies a row of numbers, or takes its norm, would return if nothing vanished or overflowed.

    1e-200 x 1e-200 x 1e200 x 1e200 is zero from the left and one in exact arithmetic. What was `found` elsewhere.
    """
    if getattr(function, "__name__", "") == "norm" and library_of(function) == "numpy" and len(args) == 1:
        return _norm(plain_numbers(args[0]), found)
    factors = _factors(function, args)
    if factors is None or factors.ndim != 1 or not np.isfinite(factors).all() or not factors.all():
        return found
    partial = list(_products(factors.tolist()))
    whole = np.shape(found) == ()
    if not whole and np.shape(found) != (len(partial),):
        return found
    with np.errstate(all="ignore"):
        size = np.abs(np.cumprod(factors))
    if ((size >= SMALLEST_NORMAL) & np.isfinite(size)).all():
        return found
    return type(found)(partial[-1]) if whole else np.array(partial)


def _norm(numbers: np.ndarray | None, found: Any) -> Any:
    """The Euclidean norm of numbers whose squares may be no floats."""
    if numbers is None or np.shape(found) or not np.isfinite(numbers).all():
        return found
    size = float(np.abs(numbers).max())
    usual = SMALLEST_NORMAL**0.5 < size < SMALLEST_NORMAL**-0.5 or size == 0.0
    return found if usual else type(found)(size * np.sqrt(np.square(np.abs(numbers) / size).sum()))


def _factors(function: Callable[..., Any], args: tuple[Any, ...]) -> np.ndarray | None:
    """The numbers that a call multiplies; None where it does not."""
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if among(function, (functools.reduce,)):
        return plain_numbers(args[1]) if args[0] is operator.mul and len(args) == 2 else None
    if isinstance(owner, np.ufunc):
        return plain_numbers(args[0]) if owner is np.multiply and name in ("reduce", "accumulate") else None
    if among(function, (math.prod,)) or (name in _NAMES and library_of(function) == "numpy"):
        return plain_numbers(owner if isinstance(owner, np.ndarray) else args[0])
    return None


def _products(factors: Iterable[float]) -> Iterable[float]:
    """The products of the first numbers, each kept as a number of the size of one and a power of two."""
    kept, power = 1.0, 0
    for factor in factors:
        kept, more = math.frexp(kept * math.frexp(factor)[0])
        power += more + math.frexp(factor)[1]
        try:
            yield math.ldexp(kept, power)
        except OverflowError:
            yield math.copysign(math.inf, kept)
