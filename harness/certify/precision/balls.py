"""Object arrays of balls: conversion of plain numbers, entrywise functions, decided comparisons."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from flint import arb, ctx, fmpq
from torch import Tensor

from harness.certify.refusal import Refusal
from harness.certify.rounding.short import NEXT_TO

BITS = (200, 1200, 4000)  # precisions to try in turn, while an enclosure leaves the sign of a difference open
WORK = 20_000_000  # operations on balls of 200 bits, beyond which a body is given up: some ten seconds
NAN, ZERO, ONE = arb("nan"), arb(0), arb(1)


class Unsupported(Refusal):
    """An operation that `Precise` does not know, or a decision that more bits may take."""


class _Session:
    """What holds inside the contexts below."""

    work = 0.0
    most: float | None = None
    moved: Callable[[float], float] | None = None
    has_moved = False
    in_floats = False


class working_bits:  # noqa: N801  (used as a context)
    """The precision of the balls made inside, and a fresh account of the work spent on them, `most` at most."""

    def __init__(self, bits: int, most: float | None = None) -> None:
        self.bits, self.most = bits, most

    def __enter__(self) -> None:
        self.before, ctx.prec = (ctx.prec, _Session.most), self.bits
        _Session.work, _Session.most = 0.0, self.most

    def __exit__(self, *error: object) -> None:
        ctx.prec, _Session.most = self.before


class plain_numbers:  # noqa: N801  (used as a context)
    """Every plain float that becomes a ball inside passes through `moved` first."""

    def __init__(self, moved: Callable[[float], float]) -> None:
        self.moved = moved

    def __enter__(self) -> None:
        self.before = _Session.moved, _Session.has_moved
        _Session.moved, _Session.has_moved = self.moved, False

    def __exit__(self, *error: object) -> None:
        _Session.moved, _Session.has_moved = self.before


class rounded_to_floats:  # noqa: N801  (used as a context)
    """Every ball made inside is the float next to its middle: what is computed is what float64 computes, nearly."""

    def __enter__(self) -> None:
        self.before, _Session.in_floats = _Session.in_floats, True

    def __exit__(self, *error: object) -> None:
        _Session.in_floats = self.before


def told_apart(a: arb) -> arb:
    """A ball before it is rounded to a whole number.

    Raises Unsupported where plain numbers move and it lies next to one: .29 x 100 stands for 29.
    """
    if _Session.moved is not None and not a.is_integer():
        nearest = (a.mid() + arb(0.5)).floor()
        if not abs(a - nearest) > NEXT_TO * abs(nearest).max(ONE):
            raise Unsupported("a whole number that the rounding of plain numbers decides", undecided=True)
    return a


def told_from(a: arb, b: arb) -> None:
    """Two balls before they are compared.

    Raises Unsupported where plain numbers have moved and what is left of both is next to nothing, as of .1 + .2 and .3.
    """
    if _Session.has_moved and not a.overlaps(b) and not abs(a - b) > NEXT_TO * abs(a).max(abs(b)).max(ONE):
        raise Unsupported("a comparison that the rounding of plain numbers decides", undecided=True)


def spend(operations: int) -> None:
    """Account for work; a count, not a clock, so that the outcome is the same on every machine."""
    _Session.work += operations * (0.5 + ctx.prec / 400)
    if _Session.work > (WORK if _Session.most is None else _Session.most):
        raise Unsupported("more operations than balls are given time for")


def lift(value: Any) -> np.ndarray:
    """Any operand as an object array of balls (truth values and integers included)."""
    if isinstance(value, Tensor):
        balls = getattr(value, "array", None)
        if isinstance(balls, np.ndarray):
            return balls
        value = _plain(value)
    array = np.asarray(value)
    return array if array.dtype == object and _all_balls(array) else each(_ball, array)


def settled(balls: np.ndarray) -> np.ndarray:
    """The balls of a new tensor: as they are, or as floats."""
    return each(lambda ball: arb(float(ball.mid())), balls) if _Session.in_floats else balls


def _plain(value: Tensor) -> np.ndarray:
    if type(value) is not Tensor and type(value) is not torch.nn.Parameter:
        raise Unsupported(f"a tensor of type {type(value).__name__}")
    if value.is_complex():
        raise Unsupported("complex numbers")
    with torch.no_grad():
        value = value.detach().cpu()
        return np.asarray((value.to(torch.float64) if value.is_floating_point() else value).numpy())


def _all_balls(array: np.ndarray) -> bool:
    return all(isinstance(value, arb) for value in array.reshape(-1))


def _ball(value: Any) -> arb:
    if isinstance(value, arb):
        return value
    if isinstance(value, bool | int | np.bool_ | np.integer):
        return arb(int(value))
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, float | np.floating):
        number = float(value)
        changed = number if _Session.moved is None else _Session.moved(number)
        _Session.has_moved |= abs(changed - number) > 0.0
        return arb(changed)
    raise Unsupported(f"numbers of type {type(value).__name__}")


def names(text: str) -> list[str]:
    """Words, for tables of torch's functions."""
    return text.split()


def scalar(value: Any) -> arb:
    """A single plain number as a ball."""
    ball: arb = lift(value).reshape(()).item()
    return ball


def boxed(balls: Sequence[Any], shape: Sequence[int]) -> np.ndarray:
    """An object array of this shape."""
    flat = np.empty(len(balls), dtype=object)
    flat[:] = balls
    return flat.reshape(tuple(shape))


def each(function: Callable[..., Any], *arrays: np.ndarray) -> np.ndarray:
    """Apply elementwise with broadcasting, keeping the shape even of scalars."""
    wide = np.broadcast_arrays(*arrays)
    spend(wide[0].size)
    columns: Iterable[list[Any]] = (array.reshape(-1).tolist() for array in wide)
    return boxed([function(*entries) for entries in zip(*columns, strict=True)], wide[0].shape)


def below(a: arb, b: arb) -> bool:
    """a < b, decided."""
    told_from(a, b)
    if a < b:
        return True
    if a >= b:
        return False
    raise undecided("a comparison that the enclosures of both sides do not decide")


def equal(a: arb, b: arb) -> bool:
    """a = b, decided."""
    told_from(a, b)
    if a < b or a > b:
        return False
    if a <= b and a >= b:
        return True
    raise undecided("an equality that the enclosures of both sides do not decide")


def undecided(what: str) -> Unsupported:
    """The signal that more bits may help."""
    return Unsupported(what, undecided=True)
