"""The page of one claim: what it states, what was tried, what was found, and the picture that fits its kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.claims import papers
from harness.language.charts import Chart, Series, labels_of
from harness.language.kind import NAMED
from harness.language.panels import StoredPanel
from harness.language.papers import Paper
from harness.language.rows import StoredRow
from harness.report.history import Entry
from harness.report.html.chart import Drawing, drawing
from harness.report.html.counterexample import lines_of, of_values
from harness.report.html.environment import asset, rendered
from harness.report.html.landscape import Scene, scene
from harness.report.layout import Judged, judged
from harness.verdict import CellVerdict, Status, Verdict

_MOST_BARS = 40


@dataclass(frozen=True)
class Dressed:
    """A claim with what the templates show beside it."""

    claim: Judged
    paper: Paper | None
    scenes: Sequence[Scene]
    drawings: Sequence[Drawing]
    looseness: Drawing | None
    shown: CellVerdict | None
    counterexample: str
    places: Sequence[Drawing]
    rows: Sequence[StoredRow]
    past: Sequence[tuple[Entry, Status | None]]


@dataclass(frozen=True)
class Neighbours:
    """The keys of the claims before and after, empty at the ends, and the other readings of the same statement."""

    before: str
    after: str
    readings: Sequence[Judged]


def page(claim: Judged, past: Sequence[tuple[Entry, Status | None]], neighbours: Neighbours) -> str:
    """The page of a claim."""
    return rendered("claim.html", dressed=_dressed(claim, past), near=neighbours)


def fragment(verdict: Verdict) -> str:
    """The same for a notebook, with the colours of its pictures."""
    return rendered("fragment.html", dressed=_dressed(judged(verdict), ()), style=asset("chart.css"))


def pictures(claim: Judged) -> "Sequence[Chart | StoredPanel]":
    """What the kind of a claim draws; nothing where no cell was judged."""
    kind = NAMED.get(claim.kind)
    cells = [cell for cell in claim.cells if cell.status not in (Status.SKIPPED, Status.ERROR)]
    return kind.draw(cells) if kind is not None and cells else []


def _dressed(claim: Judged, past: Sequence[tuple[Entry, Status | None]]) -> Dressed:
    shown = claim.counterexample
    found = shown.counterexample if shown else None
    drawn = pictures(claim)
    by_cell = any(isinstance(chart, Chart) and chart.rows for chart in drawn)  # which shows how near each ratio is to 1
    loose = None if by_cell else _looseness(claim.cells)
    return Dressed(
        claim,
        paper=papers().get(claim.id.split("/", 1)[0]),
        scenes=[scene(panel) for panel in drawn if isinstance(panel, StoredPanel)],
        drawings=[drawing(chart) for chart in drawn if isinstance(chart, Chart)],
        looseness=drawing(loose) if loose else None,
        shown=shown,
        counterexample="" if found is None else lines_of(found.readable()),
        places=[drawing(chart) for chart in of_values(found.values)] if found is not None else [],
        rows=[row for cell in claim.cells for row in (cell.details.table if cell.details else ())],
        past=past,
    )


def _looseness(cells: Sequence[CellVerdict]) -> Chart | None:
    """By how much the right side could be divided, with its interval, beside what would have been noticed."""
    cells = [cell for cell in cells if cell.looseness is not None and cell.looseness > 0.0][:_MOST_BARS]
    if not cells:
        return None
    loose = [(cell.looseness or 1.0, float(row)) for row, cell in enumerate(cells)]
    spans = [_interval(cell) for cell in cells]
    noticed = [(1.0 / cell.detectable_factor, float(row)) for row, cell in enumerate(cells) if cell.detectable_factor]
    return Chart(
        [
            Series(loose, spans, label="looseness: the right side could be divided by this"),
            Series(noticed, style="crosses", colour=1, label="a right side divided by more would have been refuted"),
        ],
        x="1 is tight",
        title="looseness of each cell, on a logarithmic axis",
        log="x",
        rows=labels_of(cells),
        verticals=[1.0],
    )


def _interval(cell: CellVerdict) -> tuple[float, float]:
    low, high = cell.looseness_interval or (None, None)
    at = cell.looseness or 1.0
    return low if low is not None else at, high if high is not None else at
