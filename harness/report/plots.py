"""One small picture per claim, from the numbers in the JSON alone: the empirical side against the theoretical one."""

import base64
import io
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from harness.language.kind import NAMED
from harness.report.layout import Judged
from harness.verdict import Status

STYLE: dict[Any, Any] = {"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False}
STYLE["text.parse_math"] = False  # a label with dollar signs is not a formula


def picture(claim: Judged) -> str:
    """A PNG as base64 text; empty when the claim has nothing to draw."""
    kind = NAMED.get(claim.kind)
    cells = [cell for cell in claim.cells if cell.status not in (Status.SKIPPED, Status.ERROR)]
    if kind is None or not cells:
        return ""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.0, 2.9), dpi=130, layout="constrained")
        canvas = FigureCanvasAgg(figure)
        axes = figure.subplots()
        if not kind.draw(axes, cells):
            return ""
        buffer = io.BytesIO()
        canvas.print_png(buffer)  # type: ignore[no-untyped-call]  # savefig would draw twice
    return base64.b64encode(buffer.getvalue()).decode()
