"""Ranges that all PAC-Bayes bounds share."""

import math


def check_sample(sample_size: int, delta: float) -> None:
    """Raise ValueError unless there is a pair of points and delta is a probability of failure."""
    if sample_size < 2:
        raise ValueError(f"sample_size is {sample_size}, but a pair needs two points: give 2 or more")
    if not 0 < delta < 1:
        raise ValueError(f"delta is {delta}, but it is a probability of failure: choose it in (0, 1)")


def check_inverse_temperature(inverse_temperature: float) -> None:
    """Raise ValueError unless t is positive and finite."""
    if not 0 < inverse_temperature < math.inf:
        raise ValueError(f"inverse_temperature is {inverse_temperature}, but t is positive and finite: choose one")


def check_count(name: str, count: int) -> None:
    """Raise ValueError unless a count of alternatives is positive."""
    if count < 1:
        raise ValueError(f"{name} is {count}, but a union runs over at least one of them: give 1 or more")
