"""Ranges that all bounds on sampled features share."""

from fractions import Fraction


def check_positive(name: str, value: Fraction | float) -> None:
    """Raise ValueError unless the value is positive."""
    if not value > 0:
        raise ValueError(f"{name} is {value}, but must be positive")


def check_unit(name: str, value: float) -> None:
    """Raise ValueError unless the value lies in (0, 1]."""
    if not 0 < value <= 1:
        raise ValueError(f"{name} is {value}, but must lie in (0, 1]")


def check_sample_size(n: int) -> None:
    """Raise ValueError unless there is a point."""
    if n < 1:
        raise ValueError(f"the sample size is {n}, but must be at least 1")
