"""Numbers that count their arithmetic: how many steps a formula takes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Steps:
    """How many steps were taken."""

    taken: int = 0


@dataclass(frozen=True)
class Counted:
    """A number whose arithmetic is counted."""

    value: float
    steps: Steps = field(repr=False)

    def _next(self, value: float) -> "Counted":
        self.steps.taken += 1
        return Counted(value, self.steps)

    def __add__(self, other: "Counted") -> "Counted":
        return self._next(self.value + other.value)

    def __sub__(self, other: "Counted") -> "Counted":
        return self._next(self.value - other.value)

    def __mul__(self, other: "Counted | float") -> "Counted":
        return self._next(self.value * (other.value if isinstance(other, Counted) else other))

    def __truediv__(self, other: "Counted | float") -> "Counted":
        return self._next(self.value / (other.value if isinstance(other, Counted) else other))

    def cos(self) -> "Counted":
        """The cosine, a step."""
        return self._next(math.cos(self.value))

    def sin(self) -> "Counted":
        """The sine, a step."""
        return self._next(math.sin(self.value))

    def exp(self) -> "Counted":
        """The exponential, a step."""
        return self._next(math.exp(self.value))

    def sqrt(self) -> "Counted":
        """The square root, a step."""
        return self._next(math.sqrt(self.value))

    def above(self, other: "Counted | float") -> bool:
        """Whether it is larger than the other number, a step."""
        self.steps.taken += 1
        return self.value > (other.value if isinstance(other, Counted) else other)


def total(numbers: Sequence[Counted]) -> Counted:
    """Their sum, one step less than there are numbers."""
    result = numbers[0]
    for number in numbers[1:]:
        result = result + number
    return result


def inner(first: Sequence[Counted], second: Sequence[Counted]) -> Counted:
    """The inner product of two vectors of length n, in 2 n - 1 steps."""
    return total([a * b for a, b in zip(first, second, strict=True)])
