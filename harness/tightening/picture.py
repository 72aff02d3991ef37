"""A picture of both ends of the best constant against work."""

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from harness.comparison.picture import FORMATS
from harness.files import write_atomically
from harness.numbers import parameters
from harness.tightening.enclosed import Tightened


def draw(results: Sequence[Tightened], path: Path) -> None:
    """One panel per cell: what is found from below, what is proved or holds from above, against work.

    The ending of the path says whether it becomes SVG, PDF or PNG.
    """
    with mpl.rc_context({"font.size": 8, "svg.hashsalt": "tightrope", "legend.frameon": False}):
        figure = Figure(figsize=(4.2, 2.4 * len(results)), layout="constrained")
        FigureCanvasAgg(figure)
        for axes, result in zip(figure.subplots(len(results), squeeze=False)[:, 0], results, strict=True):
            work = [step.work for step in result.steps]
            for name, marker, ends in (
                ("found", "^", [step.lower for step in result.steps]),
                ("shown to do", "v", [step.upper for step in result.steps]),
            ):
                values = [float("nan") if end is None else end for end in ends]
                axes.plot(work, values, marker=marker, drawstyle="steps-post", label=name, linewidth=1.2, markersize=4)
            axes.set(xscale="log", yscale="log", xlabel="evaluations and boxes", ylabel="constant")
            axes.set_title(parameters(result.params))
            axes.legend(fontsize=7)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=path.suffix[1:], metadata=FORMATS[path.suffix])
    write_atomically(path, buffer.getvalue())


__all__ = ["FORMATS", "draw"]
