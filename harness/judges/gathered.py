"""What the rows of a deterministic cell have found, taken together."""

from collections.abc import Sequence

from harness.judges.base import Row
from harness.judges.findings import NOTHING_SEEN, Accusation, Rounding, Searched, Shrink, Shrunk


def searched_in(rows: Sequence[Row]) -> list[Searched]:
    return [row.data for row in rows if isinstance(row.data, Searched)]


def accused_in(rows: Sequence[Row]) -> list[Accusation]:
    """Every violation that was looked at."""
    made = [row.data.accusation for row in rows if isinstance(row.data, Searched | Shrunk)]
    return [accusation for accusation in made if accusation is not None]


def dropped_in(rows: Sequence[Row]) -> list[Accusation]:
    """The violations that a search has met and that do not stand.

    What was suspect from the start is none of them, unless every rounded evaluation violates the claim there, or none
    succeeds.
    """
    suspect = [row for row in rows if isinstance(row.task, Shrink) and row.task.suspect is not None]
    clear = [
        accusation for accusation in accused_in([row for row in rows if row not in suspect]) if not accusation.stands
    ]
    open_ = (each for each in accused_in(suspect) if (each.everywhere or each.unmeasured) and not each.stands)
    return [*clear, *open_]


def rounding_seen(rows: Sequence[Row]) -> Rounding:
    searched = searched_in(rows)
    return searched[-1].rounding if searched else NOTHING_SEEN
