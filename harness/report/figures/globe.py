"""The sphere as it is seen from outside: landscapes and points over longitude and height, in orthographic view."""

import math
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Circle
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from harness.language.panels import StoredPanel, landscape

LONGITUDE, ELEVATION = math.radians(40.0), math.radians(25.0)
"""Where the eye stands."""

GREYS = ListedColormap(colormaps["Greys"](np.linspace(0.0, 0.8, 64)))
IMAGE: dict[str, Any] = {"aspect": "auto", "interpolation": "none"}
"""An SVG holds one pixel for each cell, in few colours, and no opacity: it stays small."""

_PIXELS = 101
Array = NDArray[Any]


def near_side(points: Array) -> tuple[Array, Array]:
    """Which points (n, 2), given by longitude and height, face the eye; and where each stands in the picture (n, 2)."""
    longitude, height = points[:, 0] - LONGITUDE, points[:, 1]
    across = np.sqrt(np.clip(1.0 - height**2, 0.0, None))
    towards, right = across * np.cos(longitude), across * np.sin(longitude)
    depth = towards * math.cos(ELEVATION) + height * math.sin(ELEVATION)
    up = height * math.cos(ELEVATION) - towards * math.sin(ELEVATION)
    return depth > 0.0, np.stack([right, up], -1)


def draw_globe(axes: Axes, stored: StoredPanel) -> None:
    """The outline, and the landscape on the side that faces the eye."""
    axes.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), box_aspect=1)
    angles = np.linspace(0.0, 2.0 * math.pi, 181)
    axes.plot(np.cos(angles), np.sin(angles), color="0.4", linewidth=0.6)
    values = landscape(stored)
    if values is None:
        return
    edge = 1.0 + 1.0 / (_PIXELS - 1)  # of the outermost cells, whose centres lie on the square around the sphere
    seen = seen_from_outside(values, stored.extent)
    image = axes.imshow(seen, origin="lower", extent=(-edge, edge, -edge, edge), cmap=GREYS, **IMAGE)
    image.set_clip_path(Circle((0.0, 0.0), 1.0, transform=axes.transData))


def seen_from_outside(values: Array, extent: tuple[float, float, float, float]) -> Array:
    """The landscape in the square around the sphere, rows from the bottom up; nan beyond its rim."""
    side = np.linspace(-1.0, 1.0, _PIXELS)
    right, up = np.meshgrid(side, side)
    depth = np.sqrt(np.clip(1.0 - right**2 - up**2, 0.0, None))
    towards = depth * math.cos(ELEVATION) - up * math.sin(ELEVATION)
    height = depth * math.sin(ELEVATION) + up * math.cos(ELEVATION)
    longitude = (np.arctan2(right, towards) + LONGITUDE + math.pi) % (2.0 * math.pi) - math.pi
    near = np.hypot(right, up) < 1.0 + 2.0 / (_PIXELS - 1)  # with the cells that the rim cuts
    return np.where(near, _between(values, extent, longitude, height), np.nan)


def _between(values: Array, extent: tuple[float, float, float, float], longitude: Array, height: Array) -> Array:
    """The landscape between the centres of its cells, linear in both directions."""
    left, right, bottom, top = extent
    rows, columns = values.shape
    row, column = (height - bottom) / (top - bottom) * (rows - 1), (longitude - left) / (right - left) * (columns - 1)
    between: Array = map_coordinates(values, np.stack([row, column]), order=1, mode="nearest")
    return between
