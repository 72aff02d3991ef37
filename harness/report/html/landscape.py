"""A panel of a figure, a landscape with points on it, as SVG: the landscape is a small PNG inside."""

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from harness.language.panels import StoredPanel, cell_edges, landscape
from harness.report.html.axis import Axis
from harness.report.html.chart import Mark

SIDE = 200
_LARGEST, _SMALLEST = 7.0, 1.2  # diameters of points
_SIZES = 8  # of points are told apart
_GREYS = 205.0  # from white


@dataclass(frozen=True)
class Scene:
    """What the template writes out: the picture of the landscape with its place, and marks on it."""

    title: str
    image: str
    place: tuple[float, float, float, float]
    marks: list[tuple[Mark, float]]


def scene(panel: StoredPanel) -> Scene:
    """A panel laid out in a square."""
    left, right, bottom, top = panel.extent
    x = Axis(min(left, right), max(left, right) or 1.0, 0.0, SIDE) if left != right else Axis(left, left + 1, 0, SIDE)
    y = Axis(min(bottom, top), max(bottom, top), SIDE, 0.0) if bottom != top else Axis(bottom, bottom + 1, SIDE, 0)
    values = landscape(panel)
    marks = list(_points(panel, x, y))
    if values is None:
        return Scene(panel.title, "", (0, 0, 0, 0), marks)
    if panel.contour is not None and panel.low < panel.contour < panel.high and min(values.shape) > 1:
        marks = [*_level(panel, panel.contour, values, x, y), *marks]
    first, last, low, high = cell_edges(panel)
    width, height = SIDE * (last - first) / (x.high - x.low), SIDE * (high - low) / (y.high - y.low)
    place = (SIDE * (first - x.low) / (x.high - x.low), SIDE * (y.high - high) / (y.high - y.low), width, height)
    return Scene(panel.title, _png(panel, values), place, marks)


def _png(panel: StoredPanel, values: np.ndarray) -> str:
    """The landscape from white to dark grey, the first row at the bottom, as base64 text."""
    from PIL import Image  # noqa: PLC0415  (few runs draw landscapes)

    share = (values - panel.low) / ((panel.high - panel.low) or 1.0)
    picture = Image.fromarray((255.0 - _GREYS * share).round().astype(np.uint8)[::-1])
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode()


def _level(panel: StoredPanel, height: float, values: np.ndarray, x: Axis, y: Axis) -> Iterator[tuple[Mark, float]]:
    from contourpy import contour_generator  # noqa: PLC0415

    left, right, bottom, top = panel.extent
    rows, columns = values.shape
    found = contour_generator(np.linspace(left, right, columns), np.linspace(bottom, top, rows), values).lines(height)
    lines = [np.asarray(line).tolist() for line in found]
    path = "".join("M" + "L".join(f"{x.at(a)} {y.at(b)}" for a, b in line) for line in lines)
    yield Mark(path, "level"), 0.8


def _points(panel: StoredPanel, x: Axis, y: Axis) -> Iterator[tuple[Mark, float]]:
    """The points of each class and size as one path."""
    if panel.points is None:
        return
    labels = panel.labels or [1.0] * len(panel.points)
    sizes = panel.sizes or [0.2] * len(panel.points)
    together: dict[tuple[str, int], list[str]] = {}
    for (a, b), label, size in zip(panel.points, labels, sizes, strict=True):
        name = "square s1" if label < 0 else "dot s0"
        together.setdefault((name, round(_SIZES * size**0.5)), []).append(f"M{x.at(a)} {y.at(b)}h0")
    for (name, size), dots in sorted(together.items()):
        yield Mark("".join(dots), name), round(_SMALLEST + (_LARGEST - _SMALLEST) * size / _SIZES, 1)
