"""What is written when a claim is made: texts, numbers in an interval, and options, each refused in one sentence."""

import math
import numbers
from collections.abc import Sequence

from harness.errors import ClaimError

LONGEST = 60  # characters of a value that are shown


def text(name: str, value: object) -> str:
    """A text, which may be empty."""
    if not isinstance(value, str):
        raise ClaimError(f"{name}={shown(value)} must be a text, not of type {type(value).__name__}.")
    return value


def real(name: str, value: object, interval: str = "(-inf, inf)") -> float:
    """A number in an interval, such as "[0, 1)"; whole ones become floats."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ClaimError(f"{name}={shown(value)} must be a number, not of type {type(value).__name__}.")
    low, high = (float(end) for end in interval[1:-1].split(","))
    try:
        number = float(value)
    except OverflowError:  # a whole number of hundreds of digits
        number = math.nan
    above = low < number if interval[0] == "(" else low <= number
    below = number < high if interval[-1] == ")" else number <= high
    if not (above and below):
        raise ClaimError(f"{name}={shown(value)} must lie in {interval}.")
    return number


def span(name: str, value: object) -> tuple[float, float]:
    """Two ends, which may be infinite."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ClaimError(f"{name}={shown(value)} must be two numbers, (low, high).")
    low, high = (real(f"an end of {name}", end, "[-inf, inf]") for end in value)
    return low, high


def option(name: str, value: object, options: Sequence[str]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in options:
        raise ClaimError(f"{name}={shown(value)} must be one of {', '.join(map(repr, options))}.")
    return value


def shown(value: object) -> str:
    """A value in a sentence: in one line, and short."""
    line = " ".join(repr(value).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."
