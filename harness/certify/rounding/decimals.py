"""Decimals and fractions of Python: what decimals round is moved by their last place, and both are compared exactly."""

from collections.abc import Callable
from decimal import Context, Decimal, Inexact, getcontext, localcontext
from fractions import Fraction
from typing import Any

FINER = 12  # digits more, for what is moved by shares of the last place
NEXT_TO = 4  # last places fewer than all, to which a number is a whole one


def is_exact_type(value: Any) -> bool:
    """Whether a number is of a type that holds decimals or quotients exactly."""
    return isinstance(value, Decimal | Fraction)


def is_of_decimals(function: Any) -> bool:
    """Whether a function is the method of a decimal."""
    return isinstance(getattr(function, "__self__", None), Decimal)


def moved_if_rounded(share: Callable[[], Any], compute: Callable[[], Any]) -> Any:
    """What is computed, moved by a share of its last place where it is a decimal that was rounded."""
    with localcontext() as context:
        context.clear_flags()
        found = compute()
        rounded = context.flags[Inexact] and isinstance(found, Decimal) and found.is_finite()
    if not rounded:
        return found
    places = getcontext().prec
    unit = Decimal((0, (1,), found.adjusted() - places + 1))
    finer = Context(places + FINER)
    return finer.add(found, finer.multiply(unit, Decimal(float(share()))))


def settled(value: Decimal) -> Decimal:
    """A decimal next to a whole one as that."""
    if not value.is_finite():
        return value
    nearest, reach = Decimal(round(value)), Decimal(10) ** (NEXT_TO - getcontext().prec)
    return nearest if abs(value - nearest) <= reach * (abs(nearest) + 1) else value


def difference(left: Any, right: Any) -> float | None:
    """left - right, rounded once; None where one of them is no finite number."""
    try:
        return float(Fraction(left) - Fraction(right))
    except (TypeError, ValueError, OverflowError):
        return None
