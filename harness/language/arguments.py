"""What is written when a claim is made: texts, numbers in an interval, and options, each refused in one sentence."""

from collections.abc import Sequence

from harness.errors import ClaimError
from signatures.domains import DomainError, DomainTypeError, Plain, shown


def text(name: str, value: object) -> str:
    """A text, which may be empty."""
    if not isinstance(value, str):
        raise ClaimError(f"{name}={shown(value)} must be a text, not of type {type(value).__name__}.")
    return value


def real(name: str, value: object, interval: str = "(-inf, inf)") -> float:
    """A number in an interval, such as "[0, 1)"; whole ones become floats."""
    try:
        return float(Plain(interval).acceptor(name)(value))
    except (DomainError, DomainTypeError) as error:
        raise ClaimError(str(error)) from error


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
