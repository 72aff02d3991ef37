"""A picture as data: what is drawn along which axes. A kind of statement makes it, the report turns it into SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from harness.numbers import parameters

if TYPE_CHECKING:
    from harness.verdict import CellVerdict

Style: TypeAlias = Literal["dots", "line", "dots and line", "dashed", "steps", "crosses", "bars"]
Point: TypeAlias = tuple[float, float]
Scale: TypeAlias = Literal["", "x", "y", "xy"]
"""The axes that are logarithmic."""

INTERVAL = 3.0
"""Standard errors on each side of a point."""

MOST_CURVES = 6
"""In one picture: as many as there are colours."""


@dataclass(frozen=True)
class Series:
    """Points of one colour.

    Attributes
    ----------
    points : finite numbers; in a chart of rows, the second one is the place of the row.
    spans : an interval around each point, along the axis that carries the numbers; none where empty.
    style : bars lie along the rows of a chart of rows; steps keep the height of a point until the next one.
    colour : its place in the palette; -1 for the grey of what is only there to compare.
    label : in the legend; none where empty.
    """

    points: Sequence[Point]
    spans: Sequence[Point] = ()
    style: Style = "dots"
    colour: int = 0
    label: str = ""


@dataclass(frozen=True)
class Chart:
    """Series over two axes, or over rows with names.

    Attributes
    ----------
    rows : the names of the rows, from the top; the vertical axis then counts them.
    verticals, horizontals : places of straight lines.
    dotted : heights of dotted lines, each with a colour.
    heights : the range of the vertical axis; that of the points where None.
    """

    series: Sequence[Series]
    x: str = ""
    y: str = ""
    title: str = ""
    log: Scale = ""
    rows: Sequence[str] = ()
    verticals: Sequence[float] = ()
    dotted: Sequence[tuple[float, int]] = ()
    heights: Point | None = None


def labels_of(cells: "Sequence[CellVerdict]") -> list[str]:
    """A label for each cell: its parameters."""
    return [parameters(cell.params) or "all" for cell in cells]


def around(values: Iterable[float], errors: Iterable[float]) -> list[Point]:
    """Intervals of three standard errors on each side."""
    return [(value - INTERVAL * error, value + INTERVAL * error) for value, error in zip(values, errors, strict=True)]


def spread(values: Iterable[float]) -> float:
    """The largest number over the smallest one where all are positive, else 0."""
    known = list(values)
    return max(known) / min(known) if known and min(known) > 0.0 else 0.0
