"""Bounds of a family at given numbers: ranked by value, with those that say nothing or are false in print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache

import numpy as np

from harness.claims import CLASSICS, PAPERS
from harness.comparison.families import family_of
from harness.comparison.family import Bound, Family, Numbers
from harness.errors import UsageError
from harness.run.catalogue import catalogue

LARGEST = 2**60
"""Up to which a sample is looked for that makes a bound informative."""


@dataclass(frozen=True)
class Standing:
    """What a bound says at the given numbers.

    value : None where it says nothing.
    obstacle : why not: numbers that are missing, or what the function refuses.
    vacuous : whether the value is no smaller than the trivial one.
    false : whether the reading of the ledger that judges the bound is expected to be refuted.
    above_best : the value over the smallest one of bounds that are not false.
    informative_from : the smallest size at which the bound is below the trivial value, all other numbers as given.
    """

    bound: Bound
    value: float | None = None
    obstacle: str = ""
    vacuous: bool = False
    false: bool = False
    above_best: float | None = None
    informative_from: int | None = None


@dataclass(frozen=True)
class Comparison:
    """Standings: by value, then what is false in print, then what cannot be evaluated."""

    family: Family
    numbers: Numbers
    trivial: float | None
    standings: tuple[Standing, ...]

    @property
    def best(self) -> Standing | None:
        """The smallest bound that is not false, or None where none can be evaluated."""
        return next((s for s in self.standings if s.value is not None and not s.false), None)


@dataclass(frozen=True)
class Along:
    """Comparisons along one number."""

    name: str
    comparisons: tuple[Comparison, ...]

    def changes(self) -> list[tuple[float, str]]:
        """Where another bound becomes the best: the first number of the grid, and its name."""
        found: list[tuple[float, str]] = []
        for comparison in self.comparisons:
            best = comparison.best
            if best is not None and (not found or found[-1][1] != best.bound.name):
                found.append((comparison.numbers[self.name], best.bound.name))
        return found


def compare(names: Sequence[str], given: Mapping[str, float]) -> Comparison:
    """Rank the bounds of a family, or some of them, at given numbers.

    Parameters
    ----------
    names : sequence of str
        A family, or bounds of one family.
    given : mapping
        Values of its shared numbers, such as n and delta.

    Returns
    -------
    Comparison

    Raises
    ------
    UsageError
        If a name or a number is unknown, the bounds have different left sides, or no bound can be evaluated.
    """
    family, bounds = family_of(names)
    for name in given:
        if name not in family.numbers:
            close = get_close_matches(name, family.numbers, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"they are {', '.join(family.numbers)}."
            raise UsageError(f"{family.name!r} has no number {name!r}; {hint}")
    found = [_standing(family, bound, given) for bound in bounds]
    if all(s.value is None for s in found):
        missing = "; ".join(f"{s.bound.name}: {s.obstacle}" for s in found)
        raise UsageError(f"no bound of {family.name!r} can be evaluated ({missing}).")
    valid = [s.value for s in found if s.value is not None and not s.false]
    ranked = sorted(found, key=lambda s: (s.value is None, s.false, s.value or 0.0))
    least = min(valid, default=None)
    return Comparison(family, dict(given), family.trivial(given), tuple(_beside(s, least) for s in ranked))


def along(
    names: Sequence[str], given: Mapping[str, float], name: str, low: float, high: float, *, points: int = 25
) -> Along:
    """Comparisons along one number, from low to high in equal ratios; whole where both ends are whole numbers.

    Raises
    ------
    UsageError
        As `compare`, or if the ends are not positive and in order.
    """
    if not 0 < low < high:
        raise UsageError(f"the range of {name!r} must rise from a number above 0, not go from {low:g} to {high:g}.")
    grid = np.geomspace(low, high, points)
    if all(isinstance(end, int) for end in (low, high)):
        grid = np.unique(np.rint(grid).astype(np.int64))
    return Along(name, tuple(compare(names, {**given, name: value.item()}) for value in grid))


def _standing(family: Family, bound: Bound, given: Numbers) -> Standing:
    false = bound.claim in _false_in_print()
    missing = [number for number in bound.needs if number not in given]
    if missing:
        return Standing(bound, obstacle=f"needs {', '.join(missing)}", false=false)
    try:
        value = bound.value(given)
    except (ValueError, TypeError) as error:
        return Standing(bound, obstacle=str(error), false=false)
    trivial = family.trivial(given)
    vacuous = trivial is not None and value >= trivial
    return Standing(bound, value, "", vacuous, false, None, _informative_from(family, bound, given))


@cache
def _false_in_print() -> frozenset[str]:
    """The readings of both ledgers that are expected to be refuted."""
    return frozenset(e.key for name in (PAPERS, CLASSICS) for e in catalogue(name) if e.expected == "refuted")


def _beside(standing: Standing, least: float | None) -> Standing:
    if standing.value is None or not least:
        return standing
    return replace(standing, above_best=standing.value / least)


def _informative_from(family: Family, bound: Bound, given: Numbers) -> int | None:
    """The smallest size with a value below the trivial one, by doubling and bisection: bounds fall with the size."""
    size = family.grows
    if size is None or size not in bound.takes:
        return None

    def informs(n: int) -> bool:
        numbers = {**given, size: n}
        trivial = family.trivial(numbers)
        try:
            return trivial is not None and bound.value(numbers) < trivial
        except ValueError:
            return False

    high = 1
    while not informs(high):
        high *= 2
        if high > LARGEST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if informs(middle) else (middle, high)
    return high
