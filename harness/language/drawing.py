"""What the figures of the papers share: colours and logarithmic axes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#1f6feb", "#d9480f", "#2b8a3e", "#862e9c", "#0b7285", "#a61e4d")

_DECADES, _TICKS = 100.0, 7


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
