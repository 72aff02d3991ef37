"""Objectives of a search written down directly."""

from collections.abc import Callable

import numpy as np
from torch import Tensor

from harness.language.spaces import Space
from harness.search.objective import Batch


class Score:
    """An objective written down directly, its own slope; positive means violated."""

    differentiable = True

    def __init__(self, function: Callable[..., Tensor], *spaces: Space) -> None:
        self.function, self.spaces, self.evaluations = function, spaces, 0
        self.outside = 0

    def scores(self, values: Batch, batch: int) -> Tensor:
        self.evaluations += batch
        for space in self.spaces:
            self.outside += int((~space.contains(values[space.name].detach())).sum())
        return self.function(**values)

    log_ratios = scores


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)
