"""Panels of a figure as data: a landscape over a rectangle and points on it, kept small enough to be stored.

A `reproduction` may return panels between its rows. They are drawn in the report and never judged.
"""

import base64
import math
import zlib
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from harness.errors import ClaimError

_LEVELS = 255


class StoredPanel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A panel as it is kept: the landscape as compressed bytes from `low` to `high`, points to four digits."""

    title: str
    extent: tuple[float, float, float, float]
    contour: float | None = None
    low: float = 0.0
    high: float = 0.0
    shape: tuple[int, int] | None = None
    raster: str = ""
    points: list[tuple[float, float]] | None = None
    labels: list[float] | None = None
    sizes: list[float] | None = None


@dataclass(frozen=True)
class Panel:
    """One panel of a figure.

    Attributes
    ----------
    title : str
    values : (rows, columns), a landscape on a regular grid: rows from the bottom up, columns from left to right. Stored
        to 1/255 of its range. None where the panel has points only.
    extent : (left, right, bottom, top), the centres of the outermost cells of `values`, or the frame.
    points : (n, 2), drawn over the landscape. None for none.
    labels : (n,), the class of each point by its sign; one class where None.
    sizes : (n,), non-negative, areas of the points relative to the largest; equal where None.
    contour : draw the level line of `values` at this height.
    """

    title: str
    values: ArrayLike | None = None
    extent: tuple[float, float, float, float] = (-1.0, 1.0, -1.0, 1.0)
    points: ArrayLike | None = None
    labels: ArrayLike | None = None
    sizes: ArrayLike | None = None
    contour: float | None = None

    def stored(self) -> StoredPanel:
        """The stored form.

        Raises
        ------
        ClaimError
            If shapes do not fit, a number is not finite, or there is nothing to draw.
        """
        if self.values is None and self.points is None:
            raise ClaimError(f"panel {self.title!r} has neither values nor points; give one of them.")
        left, right, bottom, top = (float(end) for end in self.extent)
        panel = StoredPanel(title=self.title, extent=(left, right, bottom, top))
        if self.values is not None:
            panel = self._with_raster(panel)
        if self.points is None:
            return panel
        points = self._array("points", self.points, (None, 2))
        return msgspec.structs.replace(
            panel,
            points=[(x, y) for x, y in points.round(4).tolist()],
            labels=None if self.labels is None else self._array("labels", self.labels, (len(points),)).tolist(),
            sizes=None if self.sizes is None else self._relative_sizes(len(points)).round(4).tolist(),
        )

    def _relative_sizes(self, count: int) -> NDArray[Any]:
        sizes = self._array("sizes", self.sizes, (count,))
        if sizes.min() < 0:
            raise ClaimError(f"panel {self.title!r} has a size of {sizes.min():g}; give areas, which are >= 0.")
        relative: NDArray[Any] = sizes / (sizes.max() or 1.0)
        return relative

    def _with_raster(self, panel: StoredPanel) -> StoredPanel:
        values = self._array("values", self.values, (None, None))
        low, high = float(values.min()), float(values.max())
        step = (high - low) / _LEVELS or 1.0
        raster = np.rint((values - low) / step).astype(np.uint8)
        text = base64.b64encode(zlib.compress(raster.tobytes(), 9)).decode()
        rows, columns = values.shape
        contour = None if self.contour is None else float(self.contour)
        return msgspec.structs.replace(panel, contour=contour, low=low, high=high, shape=(rows, columns), raster=text)

    def _array(self, name: str, given: Any, shape: tuple[int | None, ...]) -> NDArray[Any]:
        array = np.asarray(given, dtype=np.float64)
        fits = array.ndim == len(shape) and all(
            size in (None, actual) for size, actual in zip(shape, array.shape, strict=False)
        )
        if not fits or array.size == 0 or not np.isfinite(array).all():
            wanted = ", ".join("any" if size is None else str(size) for size in shape)
            raise ClaimError(
                f"panel {self.title!r} has {name} of shape {array.shape}; give finite numbers of shape ({wanted})."
            )
        return array


def landscape(stored: StoredPanel) -> NDArray[Any] | None:
    """The values of a stored panel (rows, columns), to 1/255 of their range; None where it has none."""
    if stored.shape is None:
        return None
    raster = np.frombuffer(zlib.decompress(base64.b64decode(stored.raster)), dtype=np.uint8)
    step = (stored.high - stored.low) / _LEVELS
    values: NDArray[Any] = stored.low + step * raster.reshape(stored.shape)
    return values


def cell_edges(stored: StoredPanel) -> tuple[float, float, float, float]:
    """Outer edges of the cells of a stored panel, half a cell beyond their centres."""
    left, right, bottom, top = stored.extent
    rows, columns = stored.shape or (math.inf, math.inf)
    across = (right - left) / (2 * max(columns - 1, 1))
    up = (top - bottom) / (2 * max(rows - 1, 1))
    return left - across, right + across, bottom - up, top + up
