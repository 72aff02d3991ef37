"""Means of replicates with their errors, and whether the replicates say anything of an error."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from harness.judges.base import Data
from harness.numbers import number

CARRIED = 0.1  # of the squared deviations: where one replicate has more of them, there may be larger ones still unseen
LAST_PLACES = 1e-12  # of the mean: replicates that differ by less are equal


class Replicates(Data, frozen=True, kw_only=True):
    """Of the replicates: how many, their mean, the sum of squares around it, and the largest deviation from it."""

    count: int
    mean: float
    spread: float
    largest: float

    @classmethod
    def of(cls, x: np.ndarray) -> "Replicates":
        """Of these replicates, at least one."""
        away = x - x.mean()
        spread, largest = float((away**2).sum()), float(np.abs(away).max())
        return cls(count=len(x), mean=float(x.mean()), spread=spread, largest=largest)

    @classmethod
    def joined(cls, parts: Sequence["Replicates"]) -> "Replicates":
        """Of the replicates of several parts; `largest` is an upper bound."""
        count = sum(part.count for part in parts)
        mean = sum(part.count * part.mean for part in parts) / count
        spread = sum(part.spread + part.count * (part.mean - mean) ** 2 for part in parts)
        return cls(count=count, mean=mean, spread=spread, largest=max(p.largest + abs(p.mean - mean) for p in parts))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.spread / max(self.count - 1, 1) / self.count)

    @property
    def equal(self) -> bool:
        """Whether all replicates are equal, up to rounding."""
        return self.largest <= LAST_PLACES * abs(self.mean)

    @property
    def telling(self) -> bool:
        """Whether the spread says something of the error: no replicate carries much of it, and there is any."""
        return not self.equal and self.largest**2 <= CARRIED * self.spread

    def untold(self, what: str) -> str:
        """Why these, called `what`, tell no error of their mean; empty where they do."""
        if self.telling:
            return ""
        if self.equal:
            return f"all {self.count:,} {what} are equal"
        return f"one of {self.count:,} {what} carries {self.carried} of their squared deviations"

    @property
    def carried(self) -> str:
        """The share of the squared deviations that one replicate has, in words."""
        return number(min(self.largest**2 / max(self.spread, 1e-300), 1.0))


def untold(points: Mapping[float, Replicates], along: str) -> str:
    """What is wrong with the first mean whose error its replicates do not tell; empty where all do.

    Rare events make replicates equal until the first of them is met, and heavy tails make a mean too small until one of
    its large values is met: both look like sharp curves of another exponent.
    """
    for value, point in points.items():
        if said := point.untold(f"replicates at {along} = {value:g}"):
            if point.equal:
                stated = "without draws; for all inputs, by up_to_constant"
                return f"{said}, which tells no error of a mean (what is no random number is stated {stated})"
            return f"{said}, so that they tell no error of a mean"
    return ""
