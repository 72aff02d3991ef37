"""Long cases take turns: `pytest --due today` runs those that are due, `pytest` alone runs them all.

What judges a claim of the ledger, or many seeds of one, is worth its time once in a while, not at every change of a
comma: `make test` would take half an hour. Each case is due on one day of `SHARES` in a row.
"""

import datetime
import zlib

SHARES = 3


def is_due(node: str, day: str) -> bool:
    """Whether the case with this id of pytest is due on a day, YYYY-MM-DD."""
    return zlib.crc32(node.encode()) % SHARES == datetime.date.fromisoformat(day).toordinal() % SHARES


def day_named(text: str) -> str:
    """YYYY-MM-DD of a day so written, or of `today`: in UTC, and known before workers start, so that all have one."""
    today = datetime.datetime.now(datetime.UTC).date()
    return (today if text == "today" else datetime.date.fromisoformat(text)).isoformat()
