"""What pictures share: colours, labels, legends, and panels of landscapes with points on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.language.panels import StoredPanel, cell_edges, landscape
from harness.numbers import parameters

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

    from harness.verdict import CellVerdict

COLOURS = ("#1f6feb", "#d9480f", "#2b8a3e", "#862e9c", "#0b7285", "#a61e4d")

_CLASSES = ("#d9480f", "#1f6feb")
_DECADES, _TICKS = 100.0, 7
_LARGEST = 14.0
_SMALLEST = 0.5


def labels_of(cells: "Sequence[CellVerdict]") -> list[str]:
    """A label for each cell: its parameters."""
    return [parameters(cell.params) or "all" for cell in cells]


def legend(axes: "Axes", cells: "Sequence[CellVerdict]") -> None:
    """A legend where there is something to tell apart."""
    if len(cells) > 1 or cells[0].params:
        axes.legend(fontsize=7)


def logarithmic(axes: "Axes", which: str = "xy") -> None:
    """Logarithmic axes, "x", "y" or both, with plain numbers at their ticks: pictures take no text for a formula.

    Where what is drawn already spans more than two decades, there are ticks at some powers of ten alone.
    """
    from matplotlib.ticker import LogFormatter, LogLocator, NullLocator, StrMethodFormatter  # noqa: PLC0415  (imported already)

    for name in which:
        axes.set(**{f"{name}scale": "log"})
        axis = axes.xaxis if name == "x" else axes.yaxis
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(LogFormatter())
        low, high = axis.get_view_interval()
        if high > _DECADES * low > 0:
            axis.set_major_locator(LogLocator(numticks=_TICKS))
            axis.set_minor_locator(NullLocator())


def draw_panels(part: "SubFigure", panels: Sequence[StoredPanel], *, abreast: int) -> None:
    """Stored panels in rows of `abreast`."""
    rows = -(-len(panels) // abreast)
    grid = part.subplots(rows, abreast, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        _draw(axes, panel)
    for axes in grid[len(panels) :]:
        axes.remove()


def _draw(axes: "Axes", panel: StoredPanel) -> None:
    left, right, bottom, top = panel.extent
    values = landscape(panel)
    if values is not None:
        axes.imshow(values, origin="lower", extent=cell_edges(panel), aspect="auto", cmap="Greys", alpha=0.8)
        if panel.contour is not None and panel.low < panel.contour < panel.high:
            x = np.linspace(left, right, values.shape[1])
            y = np.linspace(bottom, top, values.shape[0])
            axes.contour(x, y, values, levels=[panel.contour], colors="black", linewidths=0.7)
    if panel.points is not None:
        points = np.asarray(panel.points)
        labels = np.ones(len(points)) if panel.labels is None else np.asarray(panel.labels)
        sizes = np.full(len(points), 0.2) if panel.sizes is None else np.asarray(panel.sizes)
        areas = _SMALLEST + _LARGEST * sizes / (sizes.max() if panel.sizes is not None and sizes.max() > 0 else 1.0)
        for colour, chosen in zip(_CLASSES, (labels < 0, labels >= 0), strict=True):
            axes.scatter(points[chosen, 0], points[chosen, 1], s=areas[chosen], color=colour, linewidths=0)
    axes.set(xlim=(left, right), ylim=(bottom, top), xticks=[], yticks=[])
    axes.set_title(panel.title, fontsize=7)
