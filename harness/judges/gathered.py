"""What the rows of a deterministic cell have found, taken together."""

from collections.abc import Sequence

from harness.judges.base import Row
from harness.judges.findings import NOTHING_SEEN, Accusation, Rounding, Searched, Settled, Shrink, Shrunk


def searched_in(rows: Sequence[Row]) -> list[Searched]:
    return [row.data for row in rows if isinstance(row.data, Searched)]


def accused_in(rows: Sequence[Row]) -> list[Accusation]:
    """Every violation that was looked at, one of other roundings among them."""
    made = [row.data.accusation for row in rows if isinstance(row.data, Searched | Shrunk | Settled)]
    return [accusation for accusation in made if accusation is not None]


def dropped_in(rows: Sequence[Row]) -> list[Accusation]:
    """The violations that a search has met and that do not stand.

    What was suspect from the start is none of them, unless every rounded evaluation violates the claim there, or those
    in which equals are equal, or none succeeds.
    """
    clear, suspect = (accused_in([row for row in rows if _is_suspect(row) is which]) for which in (False, True))
    seen_through = [each for each in suspect if each.everywhere or each.at_a_tie or each.unmeasured]
    return [each for each in (*clear, *seen_through) if not each.stands]


def _is_suspect(row: Row) -> bool:
    """Whether it looks at a violation that was within its own rounding when it was met."""
    return isinstance(row.task, Shrink) and row.task.suspect is not None


def rounding_seen(rows: Sequence[Row]) -> Rounding:
    searched = searched_in(rows)
    return searched[-1].rounding if searched else NOTHING_SEEN
