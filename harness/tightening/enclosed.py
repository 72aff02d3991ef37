"""What a search for the best constant ends with."""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from harness.language.registry import Parameters
from harness.numbers import Instance

DIGITS = 6


@dataclass(frozen=True)
class Step:
    """One end of the enclosure after so much work: evaluations of the body, boxes, or judgements."""

    work: int
    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class Tightened:
    """The best constant c* of `lhs <= c rhs` in one cell: `lower <= c* <= upper`.

    Attributes
    ----------
    params : the cell.
    lower : no smaller constant will do; None where none was found.
    lower_by : what that rests on.
    upper : this constant will do; None where nothing shows it.
    upper_by : what that rests on, or what stopped the proof.
    rigorous : whether the lower, and whether the upper end is proved.
    instance : reduced inputs at which the ratio of both sides comes close to the lower end.
    ratio : the ratio there.
    steps : both ends against work.
    """

    params: Parameters
    lower: float | None
    lower_by: str
    upper: float | None
    upper_by: str
    rigorous: tuple[bool, bool]
    instance: Instance | None
    ratio: float | None
    steps: tuple[Step, ...]

    @property
    def width(self) -> float:
        """How far the ends lie apart, relative to the lower one; infinite where one is missing."""
        if self.lower is None or self.upper is None or not self.lower > 0.0:
            return math.inf
        return self.upper / self.lower - 1.0

    @property
    def sentence(self) -> str:
        """Both ends, and what they rest on."""
        low = "0" if self.lower is None else _shown(self.lower, ROUND_FLOOR)
        high = "infinity" if self.upper is None else _shown(self.upper, ROUND_CEILING)
        return f"c* in [{low}, {high}]; lower end {self.lower_by}; upper end {self.upper_by}"

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "params": self.params,
            "lower": self.lower,
            "lower_by": self.lower_by,
            "upper": self.upper,
            "upper_by": self.upper_by,
            "rigorous": list(self.rigorous),
            "instance": self.instance,
            "ratio": self.ratio,
            "steps": [{"work": step.work, "lower": step.lower, "upper": step.upper} for step in self.steps],
        }


def _shown(value: float, rounding: str) -> str:
    """An end to a few digits, rounded outwards."""
    return f"{Context(prec=DIGITS, rounding=rounding).plus(Decimal(value)):g}"
