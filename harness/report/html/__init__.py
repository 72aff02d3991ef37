"""The report of a run: a folder that opens from disk and loads nothing else.

`index` is the first page, `page` that of a claim, `chart`, `landscape` and `overview` the pictures, as SVG.
"""

from collections.abc import Iterator, Sequence

from harness.report.history import Entry, by_claim
from harness.report.html.environment import asset, file_of
from harness.report.html.index import bounds, chapters, index
from harness.report.html.page import Neighbours, fragment, page, pictures
from harness.report.layout import Run

ASSETS = ("report.css", "chart.css", "report.js")

__all__ = ["bounds", "fragment", "pictures", "report"]


def report(run: Run, entries: Sequence[Entry] = ()) -> Iterator[tuple[str, str]]:
    """The files of the report by name, those that others refer to first; the last entry is that of the run."""
    for name in ASSETS:
        yield name, asset(name)
    past = by_claim(entries)
    groups = [group for chapter in chapters(run) for group in chapter.groups]
    claims = [(claim, group) for group in groups for claim in group]
    keys = ["", *(claim.key for claim, _ in claims), ""]
    for before, (claim, group), after in zip(keys, claims, keys[2:], strict=False):
        others = [other for other in group if other.key != claim.key]
        yield f"claims/{file_of(claim.key)}", page(claim, past.get(claim.key, ()), Neighbours(before, after, others))
    yield "index.html", index(run, entries)
