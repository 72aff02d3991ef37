"""The plot of a reproduction: panels, curves, and rows as dots with the paper's numbers."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from harness.language.drawing import COLOURS, draw_panels
from harness.numbers import parameters

Claim = Mapping[str, Any]
_PANELS_ABREAST = 3
_CURVE = re.compile(
    r"(?P<series>.+), (?P<x>[A-Za-z][\w ()%-]*) = (?P<value>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)(?:, (?P<unit>.*))?"
)


def draw_rows(axes: Axes, cells: list[Claim]) -> bool:
    """Panels, curves of the rows named "SERIES, x = 10", and the other rows as dots with the paper's numbers."""
    many = len(cells) > 1
    rows = [
        {**row, "label": parameters(cell["params"]) + row["label"]} if many else row
        for cell in cells
        for row in cell["details"]["rows"]
    ]
    curves = curves_of(rows)
    drawn = {id(row) for points in curves.values() for _, row in points}
    single = [row for row in rows if id(row) not in drawn]
    panels = [panel for cell in cells for panel in cell["details"].get("panels", [])]
    parts: list[tuple[float, Callable[[SubFigure], None]]] = []
    if panels:
        lines = -(-len(panels) // _PANELS_ABREAST)
        parts.append((1.9 * lines + 0.3, lambda part: draw_panels(part, panels, abreast=_PANELS_ABREAST)))
    if curves:
        parts.append((2.9, lambda part: _lines(part.subplots(), curves)))
    if single:
        height = 0.28 * len(single) + 0.9
        parts.append((height if parts else max(2.0, height), lambda part: _dots(part.subplots(), single)))
    figure = axes.get_figure(root=True)
    assert figure is not None
    axes.remove()
    heights = [height for height, _ in parts]
    figure.set_size_inches(6.0, sum(heights))
    places = figure.add_gridspec(len(parts), 1, height_ratios=heights)
    for index, (_, draw) in enumerate(parts):
        draw(figure.add_subfigure(places[index]))
    return True


def curves_of(rows: list[Claim]) -> dict[tuple[str, str], list[tuple[float, Claim]]]:
    """(series, name of x) -> points by x, for the labels "SERIES, x = NUMBER" and "SERIES, x = NUMBER, UNIT"."""
    curves: dict[tuple[str, str], list[tuple[float, Claim]]] = {}
    for row in rows:
        if found := _CURVE.fullmatch(row["label"]):
            curves.setdefault((found["series"], found["x"]), []).append((float(found["value"]), row))
    return {key: sorted(points, key=lambda p: p[0]) for key, points in curves.items() if len(points) > 1}


def _lines(axes: Axes, curves: Mapping[tuple[str, str], list[tuple[float, Claim]]]) -> None:
    """Ours with three standard errors along x; the paper's numbers as crosses of the same colour."""
    for index, ((series, _), points) in enumerate(curves.items()):
        colour = COLOURS[index % len(COLOURS)]
        x = [value for value, _ in points]
        errors = [3.0 * row["standard_error"] for _, row in points]
        ours = [row["ours"] for _, row in points]
        axes.errorbar(x, ours, yerr=errors, fmt="o-", markersize=3, color=colour, capsize=2, label=series)
        printed = [(value, row["printed"]) for value, row in points if row["printed"] is not None]
        axes.plot([value for value, _ in printed], [p for _, p in printed], "x", color=colour)
    values = [value for points in curves.values() for value, _ in points]
    if min(values) > 0.0 and max(values) >= 20.0 * min(values):
        axes.set_xscale("log")
    heights = [row["ours"] for points in curves.values() for _, row in points]
    if min(heights) > 0.0 and max(heights) >= 50.0 * min(heights):
        axes.set_yscale("log")
    axes.set_xlabel(", ".join(dict.fromkeys(name for _, name in curves)))
    units = [_CURVE.fullmatch(row["label"]) for points in curves.values() for _, row in points]
    axes.set_ylabel(", ".join(dict.fromkeys(unit["unit"] for unit in units if unit and unit["unit"])))
    axes.legend(fontsize=7)


def _dots(axes: Axes, rows: list[Claim]) -> None:
    """Ours with three standard errors, the paper's number as a cross."""
    y = range(len(rows))
    errors = [3.0 * row["standard_error"] for row in rows]
    axes.errorbar([row["ours"] for row in rows], y, xerr=errors, fmt="o", color="#1f6feb", capsize=3, label="ours")
    printed = [(row["printed"], i) for i, row in enumerate(rows) if row["printed"] is not None]
    axes.plot([p for p, _ in printed], [i for _, i in printed], "x", color="#d9480f", label="printed or limit")
    axes.set_yticks(list(y), [row["label"] for row in rows])
    axes.invert_yaxis()
    axes.legend(fontsize=7)
