"""Plain numbers that are short though they have been rounded: whole numbers beyond 2^53, and what underflows.

math.sqrt(4**30 + 1) is 2^30, which has one significant bit and is taken for exact where nothing was lost before, and
math.exp(-800) is 0.
"""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

EXACT = 2**53
"""Up to here whole numbers are floats."""


STEP = 2.0**-1074
"""The smallest positive float."""

POSITIVE = frozenset(("exp", "exp2", "erfc", "ndtr", "expit"))
"""Functions that have no zero."""


def is_cut(value: Any) -> bool:
    """Whether a whole number, a fraction or a decimal is none of the floats, or one in a list or an array of them."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iu" and bool((value.astype(float).astype(value.dtype) != value).any())
    if isinstance(value, list | tuple):
        return any(map(is_cut, value))
    if not isinstance(value, Fraction | Decimal) and (type(value) is not int or abs(value) <= EXACT):
        return False
    try:
        return float(value) != value
    except OverflowError:
        return True


def quotient_is_rounded(left: Any, right: Any, quotient: Any) -> bool:
    """Whether a quotient of two whole numbers is not that float exactly."""
    if type(left) is not int or type(right) is not int or not math.isfinite(quotient):
        return False
    numerator, denominator = quotient.as_integer_ratio()
    return bool(numerator * right != left * denominator)


def root_is_rounded(square: Any, root: Any) -> Any:
    """Whether a square root, or which of them, is not exact: the squares of short numbers are floats."""
    with np.errstate(all="ignore"):
        if isinstance(square, np.ndarray) and square.dtype.kind in "iu":
            whole = np.rint(root)
            return (whole != root) | (whole.astype(square.dtype) ** 2 != square)
        return root * root != square


def hypotenuse_is_rounded(args: tuple[Any, ...], value: Any) -> bool:
    """Whether a hypotenuse is not exact; of arrays, all may be rounded."""
    if not isinstance(value, float) or not math.isfinite(value):
        return True
    return sum(Fraction(float(x)) ** 2 for x in args) != Fraction(value) ** 2


def perhaps_another(share: Any, value: Any, found: Any) -> Any:
    """A whole number from a float beyond 2^53 that is not short, moved by a last place: floats miss most of them."""
    if type(found) is not int or abs(found) < EXACT or not isinstance(value, float):
        return found
    return found + round(float(share()) * math.ulp(value))


def vanishes(name: str, left: Any, right: Any, out: Any) -> Any:
    """Whether a product, quotient or power is zero, or which entries of it, though it has no factor that is."""
    if name not in ("mul", "imul", "truediv", "itruediv", "pow", "ipow"):
        return False
    with np.errstate(all="ignore"):
        finite = name.endswith(("div", "pow"))
        other = True if isinstance(right, int) and finite else np.isfinite(right) if finite else right != 0
        return (out == 0.0) & (left != 0) & other


def refilled(share: Any, value: Any, where: Any) -> Any:
    """What has underflowed as zero or the smallest float, by the sign of a share."""
    step = STEP if float(share()) > 0.0 else 0.0
    return np.where(where, step, value) if isinstance(value, np.ndarray) else type(value)(step) if where else value
