"""A counterexample as numbers, and as pictures of inputs that can be seen: points of a plane, sequences of numbers."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from harness.language.charts import Chart, Point, Series
from harness.numbers import Instance

_FEWEST, _MOST = 3, 200  # numbers of a sequence, or points


def lines_of(numbers: Mapping[str, Any]) -> str:
    """A line for each number by its name, and for each variable of an instance."""
    lines = []
    for name, value in numbers.items():
        parts = value if isinstance(value, dict) else {name: value}
        lines += [f"{part}: {json.dumps(number)}" for part, number in parts.items()]
    return "\n".join(lines)


def of_values(values: Instance) -> Iterator[Chart]:
    """A chart for each variable that is a sequence of numbers or of points of a plane."""
    for name, value in values.items():
        entries: list[Any] = value if isinstance(value, list) else []
        if not _FEWEST <= len(entries) <= _MOST:
            continue
        if all(_is_number(entry) for entry in entries):
            points: list[Point] = [(float(place), float(entry)) for place, entry in enumerate(entries, start=1)]
            yield Chart([Series(points)], x=f"entry of {name}", title=name)
        elif all(isinstance(e, list) and len(e) == 2 and all(map(_is_number, e)) for e in entries):
            yield Chart([Series([(float(a), float(b)) for a, b in entries])], title=f"{name}, in the plane")


def _is_number(entry: Any) -> bool:
    return isinstance(entry, int | float)
