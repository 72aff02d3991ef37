"""What is right within a tolerance, moved by shares of it."""

from collections.abc import Callable
from typing import Any

import numpy as np

Share = Callable[[tuple[int, ...]], Any]


class _Solution:
    """The solution as a function, such as a spline, whose values are moved."""

    def __init__(self, share: Share, solution: Any, tolerance: float) -> None:
        self._share, self._solution, self._tolerance = share, solution, tolerance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return nudged(self._share, self._solution(*args, **kwargs), self._tolerance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solution, name)


def nudged(share: Share, value: Any, tolerance: float) -> Any:
    """Real numbers, arrays of them and functions, moved; anything else as it is."""
    if not tolerance:
        return value
    if type(value) is dict:
        return {key: nudged(share, each, tolerance) for key, each in value.items()}
    if callable(value):
        return _Solution(share, value, tolerance)
    if not isinstance(value, float | np.ndarray) or not np.size(value) or np.asarray(value).dtype.kind != "f":
        return value
    size = max(1.0, float(np.max(np.abs(value), initial=0.0, where=np.isfinite(value))))
    moved = value + tolerance * size * share(np.shape(value))
    return moved if np.ndim(value) else type(value)(moved)
