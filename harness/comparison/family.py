"""Bounds of one left side as functions of shared numbers."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

Numbers: TypeAlias = Mapping[str, float]
"""Values of shared numbers by name."""


@dataclass(frozen=True)
class Bound:
    """A function of `bounds` with what its parameters are called among the shared numbers of its family.

    renamed : the shared number that a parameter takes, where their names differ.
    fixed : values of parameters that are no shared numbers.
    claim : the reading of a ledger that judges the bound.
    """

    name: str
    function: Callable[..., Any]
    source: str
    claim: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The shared numbers without which it says nothing."""
        return tuple(self._number(p) for p in self._free if p.default is inspect.Parameter.empty)

    @property
    def takes(self) -> tuple[str, ...]:
        """The shared numbers that it depends on, those with a default included."""
        return tuple(self._number(p) for p in self._free)

    def value(self, numbers: Numbers) -> float:
        """The bound at these numbers.

        Raises
        ------
        ValueError
            If a number is out of the range of the function.
        """
        given = {p.name: numbers[self._number(p)] for p in self._free if self._number(p) in numbers}
        return float(self.function(**given, **self.fixed))

    @cached_property
    def _free(self) -> list[inspect.Parameter]:
        return [p for p in inspect.signature(self.function).parameters.values() if p.name not in self.fixed]

    def _number(self, parameter: inspect.Parameter) -> str:
        return self.renamed.get(parameter.name, parameter.name)


@dataclass(frozen=True)
class Family:
    """Bounds on one quantity.

    left_side : the quantity, in words.
    numbers : what each shared number is.
    trivial : from the numbers, the value from which a bound says nothing; None where that is not known.
    grows : the number whose growth makes the bounds smaller, if there is one.
    """

    name: str
    left_side: str
    numbers: Mapping[str, str]
    trivial: Callable[[Numbers], float | None]
    bounds: tuple[Bound, ...]
    grows: str | None = None
