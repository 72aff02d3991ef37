"""Operations of tensors that must not meet zero, and those that keep others from it, of which ties are told."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from harness.certify.rounding.ties import Ties

_DIVIDING = {"div": 1, "reciprocal": 0, "rsqrt": 0}
"""The place of what must not be zero."""

_KEEPING = ("clamp", "clamp_min")
"""What is made at least as large as the number that follows."""


def told_of_zeros(ties: Ties, name: str, args: Any, *, in_place: bool) -> Any:
    """The arguments of an operation, with zeros where ties put them."""
    place = _DIVIDING.get(name)
    if place is not None and not (in_place and place == 0):
        return changed_at(args, place, ties.of_divisor)
    if name in _KEEPING and not in_place and any(isinstance(low, float | int) and low > 0 for low in args[1:2]):
        return changed_at(args, 0, ties.of_clamped)
    return args


def changed_at(args: Any, place: int, change: Callable[[Any], Any]) -> Any:
    """The arguments with the tensor at a place changed."""
    if place >= len(args) or not isinstance(args[place], Tensor):
        return args
    return (*args[:place], change(args[place]), *args[place + 1 :])
