"""An item of the suite: calls that compute the same, and how far what they return may differ."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from torch import Tensor

from harness.errors import TightropeError

Call: TypeAlias = Callable[[], Any]
"""A call without arguments, whose inputs are at hand."""

_PART = 1 << 17
"""Numbers of two results that are compared at a time: they stay in cache."""


class MismatchError(TightropeError):
    """A peer computes something else than we do, so that their times cannot be compared."""


@dataclass(frozen=True)
class Peer:
    """What a user would call instead."""

    name: str
    make: Callable[[], Call]
    """Imports what it needs, and returns the call."""
    needs: str = ""
    """The module that must be there, beside our own dependencies."""
    package: str = ""
    """Its name in the package index, where that is another one."""

    @property
    def missing(self) -> str:
        """Why the peer cannot be run here; empty if it can."""
        if not self.needs or find_spec(self.needs) is not None:
            return ""
        return f"{self.needs} is not installed; run: pip install {self.package or self.needs}"


@dataclass(frozen=True)
class Bar:
    """A goal: `least` times the speed of a peer, or `most` times the time of the floor."""

    variant: str
    against: str
    least: float = 0.0
    most: float = 0.0

    @property
    def text(self) -> str:
        """What is asked for, in the words of the table."""
        return f">= {self.least:g} x {self.against}" if self.least else f"<= {self.most:g} x floor"


@dataclass(frozen=True)
class Contest:
    """The calls of an item, with their inputs made."""

    ours: Mapping[str, Call]
    """By variant: one, named "", or several ways to call us."""
    peers: tuple[Peer, ...]
    floor: Call
    tolerance: float
    """How far results may be apart, in units of the largest number of ours."""
    numbers: Callable[[Any], Any] = lambda result: result
    """The part of our result that peers return, too."""


@dataclass(frozen=True)
class Item:
    """One line of the suite, made when it is run."""

    name: str
    says: str
    floor_says: str
    prepare: Callable[[], Contest]
    bars: tuple[Bar, ...] = ()
    all_cores: bool = False
    """Whether each call may use all cores; else one thread."""


def difference(ours: Any, theirs: Any) -> float:
    """The largest difference in units of the largest number of ours; inf where shapes differ, nan where a result is."""
    apart, results = [0.0], (list(_arrays(ours)), list(_arrays(theirs)))
    if len(results[0]) != len(results[1]):
        return math.inf
    for one, other in zip(*results, strict=True):
        if one.shape != other.shape:
            return math.inf
        size = max((_largest(part) for part in _parts(one)), default=0.0)
        gaps = (_largest(a - b) for a, b in zip(_parts(one), _parts(other), strict=True))
        apart += [gap / (size or 1.0) for gap in gaps]
    return float(np.max(apart))


def _arrays(result: Any) -> Iterator[np.ndarray]:
    for part in result if isinstance(result, tuple) else (result,):
        yield part.detach().numpy() if isinstance(part, Tensor) else np.asarray(part)


def _parts(array: np.ndarray) -> Iterator[np.ndarray]:
    rows = np.atleast_1d(array)
    step = max(1, _PART * len(rows) // max(1, rows.size))
    return (rows[start : start + step] for start in range(0, len(rows), step))


def _largest(part: np.ndarray) -> float:
    """Largest absolute value, of real numbers without an array of them; nan if there is one."""
    if part.dtype.kind == "c":
        return float(np.abs(part).max(initial=0.0))
    return float(np.maximum(part.max(initial=0.0), -part.min(initial=0.0)))
