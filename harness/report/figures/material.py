"""What a panel of a figure is drawn from, found in the claims of a run; or one sentence on why it cannot be drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeAlias

from harness.judges.decay_findings import Fitted
from harness.kinds.decay import claimed_decay
from harness.kinds.table import Compared
from harness.language.panels import StoredPanel
from harness.report.figures.specification import Cell, Curve, Figure, Panel, Picture
from harness.report.layout import Judged
from harness.verdict import CellVerdict, Details, Status

MEAN = "mean"
"""The one curve of a rate."""


@dataclass(frozen=True)
class Point:
    """A number of ours along a curve, its standard error, and the number beside it, printed or claimed."""

    x: float
    y: float
    error: float
    beside: float | None


@dataclass(frozen=True)
class Material:
    """All that a panel shows."""

    curves: Sequence[tuple[Curve, Sequence[Point]]]
    pictures: Sequence[tuple[Picture, StoredPanel]]


@dataclass(frozen=True)
class Absent:
    """A sentence: what is missing, and which command would make it."""

    why: str


Found: TypeAlias = Material | Absent


class _Lacking(Exception):  # noqa: N818  (a signal within this module)
    """The claim does not hold what the panel needs."""


def of_figure(figure: Figure, claims: Mapping[str, Judged]) -> list[Found]:
    """What each panel of a figure is drawn from. `claims`: those of a run, by id."""
    return [of_panel(panel, claims) for panel in figure.panels]


def of_panel(panel: Panel, claims: Mapping[str, Judged]) -> Found:
    """What a panel is drawn from: the first of its claims that holds everything."""
    why = panel.missing
    for name in panel.claims:
        try:
            return _of_claim(panel, name, claims)
        except _Lacking as lacking:
            why = str(lacking)
    return Absent(why)


def _of_claim(panel: Panel, name: str, claims: Mapping[str, Judged]) -> Material:
    claim = claims.get(name)
    if claim is None:
        raise _Lacking(f"the run does not hold {name}; `tightrope check {name}` judges it.")
    curves = [(curve, _points(curve, claim, panel.cell | curve.cell)) for curve in panel.curves]
    pictures = [(picture, _stored(picture, claim, panel.cell | picture.cell)) for picture in panel.pictures]
    return Material(curves, pictures)


def _points(curve: Curve, claim: Judged, cell: Cell) -> list[Point]:
    details = _details(claim, cell)
    points = []
    if isinstance(details, Fitted) and curve.rows == MEAN:
        columns = (details.n, details.mean, details.error, claimed_decay(details))
        points = [Point(*numbers) for numbers in zip(*columns, strict=True)]
    if isinstance(details, Compared):
        placed = [(row, row.place) for row in details.rows if row.place is not None and row.place.series == curve.rows]
        points = [Point(place.value, row.ours, row.standard_error, row.printed) for row, place in placed]
    if not points:
        raise _Lacking(_unrecorded(claim, curve.rows))
    return sorted(points, key=lambda point: point.x)


def _stored(picture: Picture, claim: Judged, cell: Cell) -> StoredPanel:
    details = _details(claim, cell)
    stored = details.panels if isinstance(details, Compared) else []
    named = [panel for panel in stored if fnmatchcase(panel.title, picture.panel)]
    if picture.nth < len(named):
        return named[picture.nth]
    raise _Lacking(_unrecorded(claim, picture.panel))


def _details(claim: Judged, cell: Cell) -> Details:
    """The details of the one cell that has these parameters."""
    chosen: list[CellVerdict] = [each for each in claim.cells if cell.items() <= each.params.items()]
    if not chosen:
        raise _Lacking(_unrecorded(claim, ", ".join(f"{name} = {value}" for name, value in cell.items())))
    details: Details | None = chosen[0].details
    if chosen[0].status in (Status.SKIPPED, Status.ERROR) or details is None:
        raise _Lacking(f"{claim.id} is {claim.status}: {(chosen[0].reason or claim.reason).rstrip('.')}.")
    return details


def _unrecorded(claim: Judged, what: str) -> str:
    return f"{claim.id} records no {what!r} in this run; `tightrope check {claim.id}` with this version does."
