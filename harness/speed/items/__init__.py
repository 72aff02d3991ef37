"""The items of the suite, by subject."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from harness.errors import UsageError
from harness.speed.contest import Item
from harness.speed.items import features, solvers, sums

ITEMS: tuple[Item, ...] = (*features.ITEMS, *sums.ITEMS, *solvers.ITEMS)


def matching(patterns: Sequence[str]) -> list[Item]:
    """The items whose names match one of the patterns; all of them without any."""
    chosen = [
        item for item in ITEMS if not patterns or any(fnmatchcase(item.name, f"{pattern}*") for pattern in patterns)
    ]
    for pattern in patterns:
        if not any(fnmatchcase(item.name, f"{pattern}*") for item in ITEMS):
            names = ", ".join(item.name for item in ITEMS)
            raise UsageError(f"no item of the suite matches {pattern!r}; they are: {names}.")
    return chosen
