"""The pictures of a reproduction: curves, and rows as dots with the paper's numbers."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from harness.language.charts import Chart, Scale, Series, around, spread
from harness.language.registry import Parameters
from harness.language.rows import Place, StoredRow
from harness.numbers import headed

Curves = Mapping[Place, list[tuple[float, StoredRow]]]
"""Points by their height above the axis, of each series; the place says which axis and unit."""

_WIDE, _HIGH, _FAR = 20.0, 50.0, 1000.0  # ratios from which on an axis is logarithmic


def charts_of(cells: Iterable[tuple[Parameters, Sequence[StoredRow]]]) -> list[Chart]:
    """Curves of the rows that have a place on one, and the other rows as dots with the paper's numbers."""
    by_cell = list(cells)
    rows = [_within(params, row) if len(by_cell) > 1 else row for params, of_cell in by_cell for row in of_cell]
    curves = curves_of(rows)
    drawn = {id(row) for points in curves.values() for _, row in points}
    single = [row for row in rows if id(row) not in drawn]
    return [*([_lines(curves)] if curves else []), *([_dots(single)] if single else [])]


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


def _lines(curves: Curves) -> Chart:
    """Ours with three standard errors along x; the paper's numbers as crosses of the same colour."""
    series = []
    for index, (curve, points) in enumerate(curves.items()):
        spans = around([row.ours for _, row in points], [row.standard_error for _, row in points])
        ours = [(value, row.ours) for value, row in points]
        series.append(Series(ours, spans, "dots and line", index, curve.series))
        printed = [(value, row.printed) for value, row in points if row.printed is not None]
        series.append(Series(printed, style="crosses", colour=index))
    wide = spread(value for points in curves.values() for value, _ in points) >= _WIDE
    high = spread(row.ours for points in curves.values() for _, row in points) >= _HIGH
    log: Scale = "xy" if wide and high else "x" if wide else "y" if high else ""
    x = ", ".join(dict.fromkeys(curve.axis for curve in curves))
    y = ", ".join(dict.fromkeys(curve.unit for curve in curves if curve.unit))
    return Chart(series, x=x, y=y, log=log)


def _dots(rows: Sequence[StoredRow]) -> Chart:
    """Ours with three standard errors, the paper's number as a cross."""
    spans = around([row.ours for row in rows], [row.standard_error for row in rows])
    ours = Series([(row.ours, i) for i, row in enumerate(rows)], spans, label="ours, with three standard errors")
    printed = [(row.printed, float(i)) for i, row in enumerate(rows) if row.printed is not None]
    numbers = [row.ours for row in rows] + [number for number, _ in printed]
    beside = Series(printed, style="crosses", colour=1, label="printed or limit" if printed else "")
    return Chart([ours, beside], rows=[row.label for row in rows], log="x" if spread(numbers) >= _FAR else "")
