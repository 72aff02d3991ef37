"""What is known between bounds: which is smaller, where two agree, and where one tends to.

The file `<topic>/<module>.py` holds what is known about `bounds.<topic>.<module>`: functions that return or yield two
sides, under `@ordered` where left <= right, under `@equal` where left = right, over ranges of their parameters.
"""

import importlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

FOLDER = Path(__file__).parent
Sides = Callable[..., Iterable[float]]
_STEPS = ((math.sqrt(5) - 1) / 2, *(math.sqrt(k) % 1 for k in (2, 3, 5, 7, 11)))
"""Fractional parts of quadratic irrationals: a sequence that fills the cube evenly, without randomness."""


@dataclass(frozen=True)
class Span:
    """A range of a parameter, ends included; `log` spaces it by ratios, `whole` rounds it to integers."""

    low: float
    high: float
    scale: Literal["linear", "log"] = "linear"
    whole: bool = False

    def at(self, share: float) -> float:
        """The value at a share in [0, 1] of the way."""
        if self.scale == "log":
            value = math.exp((1 - share) * math.log(self.low) + share * math.log(self.high))
        else:
            value = (1 - share) * self.low + share * self.high
        value = min(max(value, self.low), self.high)
        return round(value) if self.whole else value


@dataclass(frozen=True)
class Ordering:
    """`sides(**values)` are left and right with left <= right, or left = right, wherever the values lie."""

    sides: Sides
    relation: Literal["<=", "="]
    over: Mapping[str, Span | tuple[Any, ...]]
    rtol: float = 1e-12  # of rounding; of the remainder, where the statement is a limit
    atol: float = 0.0

    def __str__(self) -> str:
        return f"{self.sides.__module__.removeprefix(f'{__name__}.')}: {self.sides.__name__.replace('_', ' ')}"

    def values(self, shares: Mapping[str, float]) -> dict[str, Any]:
        """The parameters at shares in [0, 1] of their ranges."""
        return {
            name: span.at(shares[name])
            if isinstance(span, Span)
            else span[min(int(shares[name] * len(span)), len(span) - 1)]
            for name, span in self.over.items()
        }

    def error(self, values: Mapping[str, Any]) -> str | None:
        """What is wrong at these values; None if the statement holds there."""
        try:
            left, right = self.sides(**values)
            slack = self.rtol * max(abs(left), abs(right)) + self.atol
            right_way = left <= right + slack if self.relation == "<=" else abs(left - right) <= slack
        except (ArithmeticError, ValueError, TypeError, LookupError, NameError, AttributeError, MemoryError) as error:
            return f"{self}: raised {type(error).__name__} at {dict(values)}"
        return None if right_way else f"{self}: {left!r} against {right!r} at {dict(values)}"

    def broken(self, points: int) -> str | None:
        """The first error at the ends and at evenly spread points of the ranges."""
        for index in range(points):
            if index < 2:
                shares = dict.fromkeys(self.over, float(index))
            else:
                shares = {name: (0.5 + index * step) % 1 for name, step in zip(self.over, _STEPS, strict=False)}
            error = self.error(self.values(shares))
            if error is not None:
                return error
        return None


def ordered(*, rtol: float = 1e-12, atol: float = 0.0, **over: Any) -> Callable[[Sides], Ordering]:
    """Left <= right over these ranges (a Span, or a tuple of values) of the parameters, up to rounding."""
    return lambda sides: Ordering(sides, "<=", over, rtol, atol)


def equal(*, rtol: float = 1e-12, atol: float = 0.0, **over: Any) -> Callable[[Sides], Ordering]:
    """Left = right over these ranges (a Span, or a tuple of values) of the parameters, up to rounding."""
    return lambda sides: Ordering(sides, "=", over, rtol, atol)


def orderings(module: str) -> tuple[Ordering, ...]:
    """What is known about a module of `bounds`, in the order of its file; nothing where there is no file."""
    name = module.removeprefix("bounds.")
    if not (FOLDER / f"{name.replace('.', '/')}.py").exists():
        return ()
    home = importlib.import_module(f"{__name__}.{name}")
    return tuple(value for value in vars(home).values() if isinstance(value, Ordering))


def __getattr__(name: str) -> Any:
    """`ORDERINGS`, all of them, read from their files when somebody asks."""
    if name != "ORDERINGS":
        raise AttributeError(f"{__name__} has no {name}")
    return tuple(
        ordering for path in sorted(FOLDER.glob("*/*.py")) for ordering in orderings(f"{path.parent.name}.{path.stem}")
    )


COUNT = Span(1, 10**6, "log", whole=True)
ORDER = Span(2.0, 40.0, "log")
POSITIVE = Span(1e-3, 1e3, "log")
RHO = Span(1e-6, 1e6, "log")
DELTA = Span(1e-9, 0.999)
SIZE = Span(2, 10**6, "log", whole=True)
STEP = Span(1.0, 3.0)
"""A factor that makes a parameter larger."""
