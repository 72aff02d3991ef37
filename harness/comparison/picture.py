"""A picture of bounds along one number."""

import io
from pathlib import Path

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from harness.comparison.ranking import Along
from harness.files import write_atomically

FORMATS = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
"""Endings of files, each with what keeps its pictures the same from run to run."""


def draw(curves: Along, path: Path) -> None:
    """Every bound along the number, log-log: dotted if false in print, dashed grey the trivial value.

    The ending of the path says whether it becomes SVG, PDF or PNG.
    """
    first = curves.comparisons[0]
    x = [comparison.numbers[curves.name] for comparison in curves.comparisons]
    with mpl.rc_context({"font.size": 8, "svg.hashsalt": "tightrope", "legend.frameon": False}):
        figure = Figure(figsize=(5.0, 3.4), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        for bound in first.family.bounds:
            found = [s for c in curves.comparisons for s in c.standings if s.bound is bound]
            if any(s.value is not None for s in found):
                values = [float("nan") if s.value is None else s.value for s in found]
                axes.plot(x, values, ":" if found[0].false else "-", label=bound.name, linewidth=1.2)
        if first.trivial is not None:
            trivial = [float("nan") if c.trivial is None else c.trivial for c in curves.comparisons]
            axes.plot(x, trivial, "--", color="0.6", label="trivial", linewidth=1)
        axes.set(xscale="log", yscale="log", xlabel=curves.name, ylabel=first.family.name)
        axes.legend(fontsize=7)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=path.suffix[1:], metadata=FORMATS[path.suffix])
    write_atomically(path, buffer.getvalue())
