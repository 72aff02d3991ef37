"""The closest approaches that a search has met: what is left of them when rounding is known decides later."""

from typing import Any

import numpy as np
from torch import Tensor

SMALLEST = 1e-320
DECADES = 640  # of double precision, from 1e-320 to 1e308
KEPT = 8
ROUNDING = 1e-13  # of the largest sides that were met: which of the small ones are looked at first
SHIFT = 1e-7  # of a set's size, and of the entries themselves: how far neighbours lie

Entry = tuple[float, int, Any]  # ratio, decade of the sides' size, instance


class Approaches:
    """The instance with the largest ratio at each decade of the sides' size.

    0/0 at degenerate inputs looks like equality; by decades it cannot crowd out what is sharp.
    """

    def __init__(self) -> None:
        self.best = np.zeros(DECADES)
        self.instances: dict[int, dict[str, Tensor]] = {}

    def add(self, ratio: np.ndarray, size: np.ndarray, values: dict[str, Tensor]) -> None:
        """Remember what comes closer than all before; ratios of zero or less, or at infinite size, are none."""
        usable = np.isfinite(size) & (size > 0.0) & (ratio > 0.0)
        decade = np.floor(np.log10(np.clip(np.where(usable, size, 1.0), SMALLEST, 1e308))).astype(int) + DECADES // 2
        better = usable & (ratio > self.best[decade])
        if not better.any():
            return
        for at in np.unique(decade[better]).tolist():
            top = int(np.where(better & (decade == at), ratio, -np.inf).argmax())
            self.best[at] = ratio[top]
            self.instances[at] = {name: value[top : top + 1].detach().clone() for name, value in values.items()}

    def entries(self) -> list[Entry]:
        """The ones worth a closer look."""
        return closest_of([(float(self.best[at]), at, values) for at, values in self.instances.items()])


def closest_of(entries: list[Entry]) -> list[Entry]:
    """The KEPT best: half of them by ratio, half by what is left of it if the largest sides round as a whole."""
    largest = max((decade for _, decade, _ in entries), default=0)

    def discounted(entry: Entry) -> float:
        return entry[0] - ROUNDING * 10.0 ** min(largest - entry[1], 300)

    by_ratio = sorted(entries, key=lambda entry: (entry[0], entry[1]), reverse=True)
    left = sorted(by_ratio[KEPT // 2 :], key=discounted, reverse=True)
    return [*by_ratio[: KEPT // 2], *left[: KEPT // 2]]
