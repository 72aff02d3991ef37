"""A chart as SVG paths: dots are round ends of lines without length, which makes a series one short path."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.language.charts import Chart, Point, Series
from harness.report.html.axis import Axis, axis_over

WIDTH, HEIGHT = 460, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 10, 8, 34
_ROW, _BAR = 30, 9  # of a row: its height, and that of its bar; its name stands above the bar
_DOWN = 20  # from the top of a row to its marks
_CROSS = 3.5
_SEEN = 0.5  # a step that can be seen
_MOST = 24  # rows of one picture
_LONGEST = 78  # characters of a row's name


@dataclass(frozen=True)
class Mark:
    """A path with its classes."""

    path: str
    names: str


@dataclass(frozen=True)
class Drawing:
    """What the template writes out."""

    width: int
    height: int
    x: Axis
    y: Axis | None
    marks: Sequence[Mark]
    rows: Sequence[tuple[float, str]]
    chart: Chart

    @property
    def legend(self) -> list[tuple[str, str, str]]:
        """The colour, the style and the label of each series that has one."""
        return [(f"s{s.colour % 6}", s.style, s.label) for s in self.chart.series if s.label]

    @property
    def words(self) -> str:
        """What the picture shows, for who does not see it."""
        return self.chart.title or " against ".join(filter(None, [self.chart.y, self.chart.x])) or "curves"


def drawing(chart: Chart) -> Drawing:
    """A chart laid out."""
    return _over_rows(_first_rows(chart)) if chart.rows else _over_axes(chart)


def _first_rows(chart: Chart) -> Chart:
    """A chart of no more rows than can be looked at; its title says how many there are."""
    count = len(chart.rows)
    if count <= _MOST:
        return chart
    series = []
    for each in chart.series:
        kept = [k for k, (_, row) in enumerate(each.points) if row < _MOST]
        spans = [each.spans[k] for k in kept if k < len(each.spans)]
        series.append(replace(each, points=[each.points[k] for k in kept], spans=spans))
    title = f"{chart.title or 'Rows'}: the first {_MOST} of {count}, which are all in the table"
    return replace(chart, series=series, rows=chart.rows[:_MOST], title=title)


def _over_rows(chart: Chart) -> Drawing:
    bars = any(series.style == "bars" for series in chart.series)
    numbers = [x for series in chart.series for x, _ in [*series.points, *((b, 0) for s in series.spans for b in s)]]
    base = [0.0] if bars and "x" not in chart.log else []
    height = _TOP + _ROW * len(chart.rows) + _BOTTOM
    x = axis_over([*numbers, *chart.verticals, *base], _RIGHT, WIDTH - _RIGHT, log="x" in chart.log)
    places = [_TOP + _ROW * row + _DOWN for row in range(len(chart.rows))]
    marks = [Mark(f"M{x.at(value)} {_TOP}V{height - _BOTTOM}", "guide") for value in chart.verticals if x.shows(value)]
    for series in chart.series:
        points = [(x.at(value), places[int(row)]) for value, row in series.points if x.shows(value)]
        spans = [(x.at(low), x.at(high)) for low, high in _spans(series, x)]
        whiskers = "".join(f"M{a} {y}H{b}" for (a, b), (_, y) in zip(spans, points, strict=False) if a != b)
        start = x.at(0.0) if base else x.start
        if series.style == "bars":
            marks.append(Mark("".join(f"M{start} {y}H{value}" for value, y in points), f"bar s{series.colour % 6}"))
        else:
            marks += _marks(series, points, whiskers)
    names = [(y - _BAR, _shortened(name)) for y, name in zip(places, chart.rows, strict=True)]
    return Drawing(WIDTH, height, x, None, marks, names, chart)


def _over_axes(chart: Chart) -> Drawing:
    points = [point for series in chart.series for point in series.points]
    ends = [end for series in chart.series for span in series.spans for end in span]
    x = axis_over([p for p, _ in points] + list(chart.verticals), _LEFT, WIDTH - _RIGHT, log="x" in chart.log)
    bottom, log = HEIGHT - _BOTTOM, "y" in chart.log
    if chart.heights:
        y = Axis(*chart.heights, bottom, _TOP, log=log)
    else:
        y = axis_over([p for _, p in points] + ends, bottom, _TOP, log=log)
    marks = [Mark(f"M{x.at(value)} {_TOP}V{bottom}", "guide") for value in chart.verticals if x.shows(value)]
    marks += [Mark(f"M{_LEFT} {y.at(value)}H{WIDTH - _RIGHT}", f"dotted s{c % 6}") for value, c in chart.dotted]
    for series in chart.series:
        shown = [(x.at(a), y.at(b)) for a, b in series.points if x.shows(a) and y.shows(b)]
        spans = [(y.at(low), y.at(high)) for low, high in _spans(series, y)]
        known = [x.at(a) for a, b in series.points if x.shows(a) and y.shows(b)]
        whiskers = "".join(f"M{a} {low}V{high}" for a, (low, high) in zip(known, spans, strict=False))
        marks += _marks(series, shown, whiskers)
    return Drawing(WIDTH, HEIGHT, x, y, marks, [], chart)


def _spans(series: Series, axis: Axis) -> Iterator[Point]:
    """The intervals of the points that are shown; an end that has no place lies at the end of the axis."""
    across = axis.start > axis.end  # the vertical one, which runs upwards
    for point, (low, high) in zip(series.points, series.spans, strict=False):
        if axis.shows(point[1 if across else 0]):
            yield (low if axis.shows(low) else axis.low, high if math.isfinite(high) else axis.high)


def _steps(points: Sequence[Point]) -> str:
    """A path that is level up to each point and goes up or down there, where that can be seen."""
    (x, drawn), *rest = points
    path = f"M{x} {drawn}"
    for a, b in rest:
        if abs(b - drawn) >= _SEEN:
            path, drawn = f"{path}H{a}V{b}", b
    return f"{path}H{points[-1][0]}" + (f"V{points[-1][1]}" if points[-1][1] != drawn else "")


def _marks(series: Series, points: Sequence[Point], whiskers: str) -> Iterator[Mark]:
    colour = f"s{series.colour % 6}"
    if whiskers:
        yield Mark(whiskers, f"whisker {colour}")
    if not points:
        return
    if series.style in ("line", "dots and line", "dashed"):
        yield Mark(
            "M" + "L".join(f"{x} {y}" for x, y in points),
            f"{'dashed' if series.style == 'dashed' else 'line'} {colour}",
        )
    if series.style == "steps":
        yield Mark(_steps(points), f"line {colour}")
    if series.style in ("dots", "dots and line"):
        shape = "square" if series.colour % 2 else "dot"
        yield Mark("".join(f"M{x} {y}h0" for x, y in points), f"{shape} {colour}")
    if series.style == "crosses":
        size = int(2 * _CROSS)
        arms = f"m-{_CROSS}-{_CROSS}l{size} {size}m0-{size}l-{size} {size}"
        yield Mark("".join(f"M{x} {y}{arms}" for x, y in points), f"cross {colour}")


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
