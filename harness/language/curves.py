"""The plot of a reproduction: panels, curves, and rows as dots with the paper's numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from harness.language.drawing import COLOURS, draw_panels, logarithmic
from harness.language.panels import StoredPanel
from harness.language.registry import Parameters
from harness.language.rows import Place, StoredRow
from harness.numbers import headed

_PANELS_ABREAST = 3

Curves = Mapping[Place, list[tuple[float, StoredRow]]]
"""Points by their height above the axis, of each series; the place says which axis and unit."""


def draw_rows(axes: Axes, cells: Iterable[tuple[Parameters, Sequence[StoredRow]]], panels: list[StoredPanel]) -> bool:
    """Panels, curves of the rows that have a place on one, and the other rows as dots with the paper's numbers."""
    by_cell = list(cells)
    rows = [_within(params, row) if len(by_cell) > 1 else row for params, of_cell in by_cell for row in of_cell]
    curves = curves_of(rows)
    drawn = {id(row) for points in curves.values() for _, row in points}
    single = [row for row in rows if id(row) not in drawn]
    parts: list[tuple[float, Callable[[SubFigure], None]]] = []
    if panels:
        lines = -(-len(panels) // _PANELS_ABREAST)
        parts.append((1.9 * lines + 0.3, lambda part: draw_panels(part, panels, abreast=_PANELS_ABREAST)))
    if curves:
        parts.append((2.9, lambda part: _lines(part.subplots(), curves)))
    if single:
        height = 0.28 * len(single) + 0.9
        parts.append((height if parts else max(2.0, height), lambda part: _dots(part.subplots(), single)))
    _stack(axes, parts)
    return True


def _stack(axes: Axes, parts: Sequence[tuple[float, Callable[[SubFigure], None]]]) -> None:
    """Draw the parts below each other, each with its height in inches, in place of the axes."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    axes.remove()
    heights = [height for height, _ in parts]
    figure.set_size_inches(6.0, sum(heights))
    places = figure.add_gridspec(len(parts), 1, height_ratios=heights)
    for index, (_, draw) in enumerate(parts):
        draw(figure.add_subfigure(places[index]))


def _within(params: Parameters, row: StoredRow) -> StoredRow:
    """A row of one of several cells, named by its cell."""
    place = row.place and msgspec.structs.replace(row.place, series=headed(params, row.place.series))
    return msgspec.structs.replace(row, label=headed(params, row.label), place=place)


def curves_of(rows: Iterable[StoredRow]) -> Curves:
    """The points of each curve, by their place with its value left out; a single point makes none."""
    curves: dict[Place, list[tuple[float, StoredRow]]] = {}
    for row in rows:
        if row.place is not None:
            curve = msgspec.structs.replace(row.place, value=0.0)
            curves.setdefault(curve, []).append((row.place.value, row))
    return {curve: sorted(points, key=lambda p: p[0]) for curve, points in curves.items() if len(points) > 1}


def _lines(axes: Axes, curves: Curves) -> None:
    """Ours with three standard errors along x; the paper's numbers as crosses of the same colour."""
    for index, (curve, points) in enumerate(curves.items()):
        colour = COLOURS[index % len(COLOURS)]
        x = [value for value, _ in points]
        errors = [3.0 * row.standard_error for _, row in points]
        ours = [row.ours for _, row in points]
        axes.errorbar(x, ours, yerr=errors, fmt="o-", markersize=3, color=colour, capsize=2, label=curve.series)
        printed = [(value, row.printed) for value, row in points if row.printed is not None]
        axes.plot([value for value, _ in printed], [p for _, p in printed], "x", color=colour)
    values = [value for points in curves.values() for value, _ in points]
    if min(values) > 0.0 and max(values) >= 20.0 * min(values):
        logarithmic(axes, "x")
    heights = [row.ours for points in curves.values() for _, row in points]
    if min(heights) > 0.0 and max(heights) >= 50.0 * min(heights):
        logarithmic(axes, "y")
    axes.set_xlabel(", ".join(dict.fromkeys(curve.axis for curve in curves)))
    axes.set_ylabel(", ".join(dict.fromkeys(curve.unit for curve in curves if curve.unit)))
    axes.legend(fontsize=7)


def _dots(axes: Axes, rows: Sequence[StoredRow]) -> None:
    """Ours with three standard errors, the paper's number as a cross."""
    y = range(len(rows))
    errors = [3.0 * row.standard_error for row in rows]
    axes.errorbar([row.ours for row in rows], y, xerr=errors, fmt="o", color="#1f6feb", capsize=3, label="ours")
    printed = [(row.printed, i) for i, row in enumerate(rows) if row.printed is not None]
    axes.plot([p for p, _ in printed], [i for _, i in printed], "x", color="#d9480f", label="printed or limit")
    axes.set_yticks(list(y), [row.label for row in rows])
    axes.invert_yaxis()
    axes.legend(fontsize=7)
