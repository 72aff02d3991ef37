"""One small picture per claim, from the numbers in the JSON alone: the empirical side against the theoretical one."""

import base64
import io
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import harness.kinds  # noqa: F401  (makes the kinds known by their names)
from harness.language.kind import NAMED

Claim = Mapping[str, Any]
STYLE: dict[Any, Any] = {"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False}
STYLE["text.parse_math"] = False  # a label with dollar signs is not a formula


def picture(claim: Claim) -> str:
    """A PNG as base64 text; empty when the claim has nothing to draw."""
    kind = NAMED.get(claim["kind"])
    cells = [cell for cell in claim["cells"] if cell["status"] not in ("SKIPPED", "ERROR")]
    if kind is None or not cells:
        return ""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6.0, 2.9), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        if not kind.draw(axes, cells):
            return ""
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=130)
    return base64.b64encode(buffer.getvalue()).decode()
