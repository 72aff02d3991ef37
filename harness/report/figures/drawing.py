"""One renderer for every figure: panels in the layout of print, curves with intervals, landscapes with points.

The same figure gives the same file: no dates, and the names inside an SVG depend on its content alone.
"""

import io
import textwrap
from collections.abc import Sequence
from itertools import cycle
from typing import Any, Literal, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from harness.language.drawing import COLOURS, logarithmic
from harness.language.panels import StoredPanel, cell_edges, landscape
from harness.report.figures.globe import GREYS, IMAGE, draw_globe, near_side
from harness.report.figures.material import Absent, Found, Material, Point
from harness.report.figures.specification import Curve, Figure, Panel, Picture

Format: TypeAlias = Literal["svg", "pdf", "png"]
INTERVAL = 3.0
"""Standard errors on each side of a point."""

EDGE = 0.02
"""Room beyond the outermost points of a panel with axes, in its width and height."""

_MANY = 60
"""Points from which on an SVG holds a picture of them instead of each."""

_RESOLUTION: dict[Format, float] = {"svg": 88.0, "pdf": 200.0, "png": 160.0}
"""Of a picture, and of clouds of points in the other formats, in points per inch."""

_NO_DATE: dict[Format, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
_STYLE: dict[Any, Any] = {
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.0,
    "lines.markersize": 3,
    "legend.fontsize": 6,
    "legend.frameon": False,
    "svg.hashsalt": "tightrope",
    "svg.fonttype": "none",
    "text.parse_math": False,  # a label with dollar signs is not a formula
}


def draw_figure(
    paper: str, figure: Figure, found: Sequence[Found], form: Format = "svg", *, made: str = "from our runs"
) -> bytes:
    """The file of a figure.

    Parameters
    ----------
    found : what each panel is drawn from; one that is absent says so in its frame.
    made : from which run, for the title.
    """
    columns = min(figure.columns, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    note = textwrap.fill(figure.ours, round(22 * columns * figure.size[0]))
    width, height = figure.size
    with mpl.rc_context(_STYLE):
        canvas = Canvas(figsize=(columns * width, rows * height + 0.25 + 0.12 * note.count("\n")), layout="constrained")
        grid = canvas.subplots(rows, columns, squeeze=False).ravel()
        for axes, panel, material in zip(grid, figure.panels, found, strict=False):
            _draw_panel(axes, panel, material)
        for axes in grid[len(figure.panels) :]:
            axes.remove()
        canvas.suptitle(f"{paper}, {figure.name}, {made}", fontsize=8)
        if note:
            canvas.supxlabel(note, fontsize=6, x=0.01, ha="left")
        _make_room(canvas)
        buffer = io.BytesIO()
        canvas.savefig(buffer, format=form, dpi=_RESOLUTION[form], metadata=_NO_DATE[form])
    return buffer.getvalue()


def _draw_panel(axes: Axes, panel: Panel, material: Found) -> None:
    if isinstance(material, Absent):
        axes.set_title(panel.title)
        _draw_absence(axes, material.why)
        return
    found_in_run = [stored.title for picture, stored in material.pictures if "*" in picture.panel]
    axes.set_title("\n".join([panel.title, *found_in_run]))
    _draw_pictures(axes, panel, material)
    _draw_curves(axes, panel, material)
    for place in panel.verticals:
        axes.axvline(place, color="0.6", linewidth=0.5, zorder=0)
    if panel.x or panel.y:
        axes.set(xlabel=panel.x, ylabel=panel.y)
        axes.spines[["top", "right"]].set_visible(False)


def _draw_absence(axes: Axes, why: str) -> None:
    axes.set(xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set(color="0.7", linestyle=":")
    text = textwrap.fill(textwrap.shorten(f"Not drawn. {why}", 260, placeholder=" ..."), 38)
    axes.text(0.5, 0.5, text, ha="center", va="center", fontsize=5, color="0.4", transform=axes.transAxes)


def _draw_curves(axes: Axes, panel: Panel, material: Material) -> None:
    """Ours with intervals along x; the numbers beside them in the same colour, named once in the legend."""
    colours = cycle(COLOURS)
    beside = panel.beside
    for curve, points in material.curves:
        colour = curve.colour or next(colours)
        _draw_curve(axes, curve, points, colour)
        other = [(point.x, point.beside) for point in points if point.beside is not None]
        if other:
            x, y = zip(*other, strict=True)
            axes.plot(x, y, panel.beside_line, color=colour, linewidth=0.8, label=beside or None)
            beside = ""
    if not material.curves:
        return
    logarithmic(axes, panel.log)
    axes.legend()


def _make_room(canvas: Canvas) -> None:
    """Raise the upper end of axes whose legend found no place beside the curves."""
    named = [(axes, legend) for axes in canvas.axes if (legend := axes.get_legend()) is not None]
    if named:
        canvas.draw_without_rendering()
    for axes, legend in named:
        if axes.get_yscale() != "linear":
            continue
        taken = legend.get_window_extent()
        if any(taken.count_contains(axes.transData.transform(line.get_xydata())) for line in axes.get_lines()):
            low, high = axes.get_ylim()
            axes.set_ylim(low, low + (high - low) / (1.0 - taken.height / axes.bbox.height))


def _draw_curve(axes: Axes, curve: Curve, points: Sequence[Point], colour: str) -> None:
    """Points of a dashed curve are hollow, so that a single one of either kind is told from the other."""
    axes.errorbar(
        [point.x for point in points],
        [point.y for point in points],
        yerr=[INTERVAL * point.error for point in points],
        fmt=curve.line,
        color=colour,
        markerfacecolor="white" if "--" in curve.line else colour,
        capsize=1.5,
        elinewidth=0.6,
        label=curve.label or curve.rows,
    )
    ends = np.linspace(-INTERVAL, INTERVAL, 9)  # a legend looks for room beside lines alone, so intervals are some
    x, y = zip(*((point.x, point.y + end * point.error) for point in points for end in ends), strict=True)
    axes.plot(x, y, linestyle="none", label="_")


def _draw_pictures(axes: Axes, panel: Panel, material: Material) -> None:
    if not material.pictures:
        return
    if panel.view == "globe":
        axes.set_axis_off()
    for picture, stored in material.pictures:
        if panel.view == "globe":
            draw_globe(axes, stored)
        else:
            _draw_landscape(axes, picture, stored)
        _draw_points(axes, panel, picture, stored)
    if panel.view == "plane":
        left, right, bottom, top = material.pictures[0][1].extent
        named = bool(panel.x or panel.y)
        room = EDGE if named else 0.0  # for points at the edge, which are circles
        x, y = room * (right - left), room * (top - bottom)
        axes.set(xlim=(left - x, right + x), ylim=(bottom - y, top + y))
        if not named:
            axes.set(xticks=[], yticks=[])
        if not named or right - left == top - bottom:
            axes.set_box_aspect(1)


def _draw_landscape(axes: Axes, picture: Picture, stored: StoredPanel) -> None:
    values = landscape(stored)
    if values is None:
        return
    if picture.grey:
        axes.imshow(values, origin="lower", extent=cell_edges(stored), cmap=GREYS, **IMAGE)
    levels = [level for level in picture.levels if stored.low < level < stored.high]
    if levels:
        left, right, bottom, top = stored.extent
        x, y = np.linspace(left, right, values.shape[1]), np.linspace(bottom, top, values.shape[0])
        widths = [1.0 if level == 0 else 0.4 for level in levels]
        axes.contour(x, y, values, levels=levels, colors="black", linewidths=widths)


def _draw_points(axes: Axes, panel: Panel, picture: Picture, stored: StoredPanel) -> None:
    if stored.points is None:
        return
    points = np.asarray(stored.points)
    labels = np.ones(len(points)) if stored.labels is None else np.asarray(stored.labels)
    areas = picture.size * (np.ones(len(points)) if stored.sizes is None else np.asarray(stored.sizes))
    if panel.view == "globe":
        seen, points = near_side(points)
        labels, areas, points = labels[seen], areas[seen], points[seen]
    for colour, chosen in zip(picture.colours, (labels < 0, labels >= 0), strict=True):
        axes.scatter(
            points[chosen, 0],
            points[chosen, 1],
            s=areas[chosen],
            marker=picture.marker,
            facecolors="none" if picture.hollow else colour,
            edgecolors=colour,
            linewidths=0.7 if picture.hollow else 0,
            rasterized=len(points) > _MANY,
        )
