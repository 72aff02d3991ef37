"""One small picture per claim, from the numbers in the JSON alone: the empirical side against the theoretical one."""

import base64
import io
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, SubFigure

from harness.evidence.histogram import BINS_PER_E, OVER, UNDER
from harness.report.numbers import parameters
from harness.report.panels import draw_panels

Claim = Mapping[str, Any]
COLOURS = ("#1f6feb", "#d9480f", "#2b8a3e", "#862e9c", "#0b7285", "#a61e4d")
STYLE: dict[Any, Any] = {"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False}
STYLE["text.parse_math"] = False  # a label with dollars is no formula
_PANELS_ABREAST = 3
_CURVE = re.compile(
    r"(?P<series>.+), (?P<x>[A-Za-z][\w ()%-]*) = (?P<value>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)(?:, (?P<unit>.*))?"
)


def picture(claim: Claim) -> str:
    """A PNG as base64 text; empty when the claim has nothing to draw."""
    draw = _DRAW.get(claim["kind"])
    cells = [cell for cell in claim["cells"] if cell["status"] not in ("SKIPPED", "ERROR")]
    if draw is None or not cells:
        return ""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.0, 2.9), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        if not draw(axes, cells):
            return ""
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=130)
    return base64.b64encode(buffer.getvalue()).decode()


def _ratios(axes: Axes, cells: list[Claim]) -> bool:
    """Survival function of lhs/rhs with the allowed level: where a curve passes 1 above its level, the bound fails."""
    for index, cell in enumerate(cells[:6]):
        bins = [(i, c) for i, c in cell["details"]["ratios"] if i > UNDER]
        total = sum(c for _, c in cell["details"]["ratios"])
        colour = COLOURS[index % len(COLOURS)]
        x, y, above = [], [], sum(c for _, c in bins)
        for i, c in bins:
            x.append(math.exp(min(i, OVER) / BINS_PER_E) if i < OVER else 10.0)
            y.append(above / total)
            above -= c
        axes.step(x, y, where="post", color=colour, label=parameters(cell["params"]).rstrip(": ") or None)
        axes.axhline(cell["details"]["delta"], color=colour, linestyle=":", linewidth=0.8)
    axes.axvline(1.0, color="black", linewidth=0.8)
    most = max(sum(c for _, c in cell["details"]["ratios"]) for cell in cells)
    axes.set_ylim(0.5 / most, 1.5)
    axes.set(xscale="log", yscale="log", xlabel="lhs / rhs", ylabel="P(ratio > x)")
    axes.set_title("survival of lhs/rhs; dotted: the allowed probability", fontsize=8)
    _legend(axes, cells)
    return True


def _approach(axes: Axes, cells: list[Claim]) -> bool:
    """Closest approach of lhs/rhs per cell."""
    values = [(parameters(c["params"]).rstrip(": ") or "all", c["worst_ratio"], c["status"]) for c in cells]
    values = [(label, ratio, status) for label, ratio, status in values if ratio is not None]
    if not values:
        return False
    colours = ["#c92a2a" if status == "REFUTED" else "#2b8a3e" for _, _, status in values]
    axes.barh([label for label, _, _ in values], [ratio for _, ratio, _ in values], color=colours, height=0.6)
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set(xlabel="largest lhs / rhs found (a bound holds while it stays at or below 1)")
    return True


def _error(axes: Axes, cells: list[Claim]) -> bool:
    """Largest relative error per cell, on a log scale."""
    labels = [parameters(c["params"]).rstrip(": ") or "all" for c in cells]
    axes.barh(labels, [max(c["worst_ratio"] or 0.0, 1e-17) for c in cells], color="#1f6feb", height=0.6)
    axes.set(xscale="log", xlabel="largest relative error found")
    axes.invert_yaxis()
    return True


def _means(axes: Axes, cells: list[Claim]) -> bool:
    """Mean excess lhs - rhs with three standard errors per cell."""
    labels = [parameters(c["params"]).rstrip(": ") or "all" for c in cells]
    means = [c["details"]["mean_excess"] for c in cells]
    errors = [3.0 * c["details"]["standard_error"] for c in cells]
    axes.errorbar(means, range(len(cells)), xerr=errors, fmt="o", color="#1f6feb", capsize=3)
    axes.axvline(0.0, color="black", linewidth=0.8)
    for cell in cells[:1]:
        if cell["details"]["margin"]:
            axes.axvline(cell["details"]["margin"], color="grey", linestyle=":", label="margin")
            axes.legend(fontsize=7)
    axes.set_yticks(range(len(cells)), labels)
    axes.invert_yaxis()
    axes.set(xlabel="mean of lhs - rhs, with three standard errors")
    return True


def _decay(axes: Axes, cells: list[Claim]) -> bool:
    """Log-log: empirical means, the fitted curve, and the claimed slope through the last point."""
    for index, cell in enumerate(cells[:6]):
        d = cell["details"]
        colour = COLOURS[index % len(COLOURS)]
        n, mean = d["n"], d["mean"]
        fitted = d["exponent"] is not None and None not in d["interval"]
        low, high = d["interval"] if fitted else (0.0, 0.0)
        slope = f"slope {d['exponent']:.3f} in [{low:.3f}, {high:.3f}]" if fitted else "no slope"
        label = f"{parameters(cell['params'])}{slope}"
        axes.errorbar(n, mean, yerr=[3 * e for e in d["error"]], fmt="o", markersize=3, color=colour, label=label)
        power, start = d["log_power"], next((i for i, x in enumerate(n) if x > 1.0), 0)
        logs = [(math.log(x) / math.log(n[start])) ** power if power and x > 1.0 else 1.0 for x in n]
        claimed = [mean[start] * (x / n[start]) ** d["claimed"] * log for x, log in zip(n, logs, strict=True)]
        theory = f"theory: slope {d['claimed']:.3f}" if index == 0 else None
        axes.plot(n, claimed, linestyle="--", color=colour, linewidth=0.9, label=theory)
    axes.set(xscale="log", yscale="log", xlabel=cells[0]["details"]["along"], ylabel="mean")
    axes.legend(fontsize=7)
    return True


def _rows(axes: Axes, cells: list[Claim]) -> bool:
    """Panels, curves of the rows named "SERIES, x = 10", and the other rows as dots with the paper's numbers."""
    many = len(cells) > 1
    rows = [
        {**row, "label": parameters(cell["params"]) + row["label"]} if many else row
        for cell in cells
        for row in cell["details"]["rows"]
    ]
    curves = _curves(rows)
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


def _curves(rows: list[Claim]) -> dict[tuple[str, str], list[tuple[float, Claim]]]:
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


def _legend(axes: Axes, cells: list[Claim]) -> None:
    if len(cells) > 1 or cells[0]["params"]:
        axes.legend(fontsize=7)


_DRAW: dict[str, Callable[[Axes, list[Claim]], bool]] = {
    "identity": _error,
    "always": _approach,
    "high probability": _ratios,
    "expectation": _means,
    "rate": _decay,
    "reproduction": _rows,
}
