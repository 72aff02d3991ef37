"""Random boxes of all kinds and points in them, for the tests of enclosures."""

import math

import numpy as np
import torch
from torch import Tensor

from harness.certify.enclosure import Enclosed

TINY = 5e-324
SPECIAL = (0.0, 1.0, -1.0, 0.5, 2.0, -2.0, TINY, -TINY, 1e-308, 1e-300, math.pi, math.pi / 2, 2 * math.pi, 1e300, 3.0)
KINDS = ("usual", "point", "tiny", "huge", "narrow", "boundary", "spread")


def boxes(count: int, rng: np.random.Generator, *, low: float = -math.inf, high: float = math.inf) -> Enclosed:
    """Boxes around 0, points, tiny, denormal, huge and narrow ones, and ones with ends at special numbers."""
    kind = rng.integers(0, len(KINDS), count)
    usual = rng.uniform(-4.0, 4.0, (2, count))
    scaled = rng.uniform(-1.0, 1.0, (2, count))
    middle = rng.uniform(-4.0, 4.0, count)
    spread = rng.choice([-1.0, 1.0], (2, count)) * 10.0 ** rng.uniform(-323.0, 308.0, (2, count))
    narrow = np.stack([middle, middle * (1.0 + 10.0 ** rng.uniform(-16.0, -1.0, count))])
    ends = np.select(
        [kind == k for k in range(len(KINDS))],
        [
            usual,
            np.stack([usual[0], usual[0]]),
            scaled * 10.0 ** rng.uniform(-323.0, -300.0, count),
            scaled * 10.0 ** rng.uniform(200.0, 308.0, count),
            narrow,
            rng.choice(SPECIAL, (2, count)),
            spread,
        ],
    )
    ends = np.sort(np.clip(ends, low, high), axis=0)
    return Enclosed(torch.from_numpy(ends[0]), torch.from_numpy(ends[1]))


def points(box: Enclosed, rng: np.random.Generator) -> Tensor:
    """A point of every box: an end, 0 where it is inside, or any."""
    low, high = box.low.numpy(), box.high.numpy()
    share = rng.random(low.shape)
    inside = low * (1.0 - share) + high * share
    pick = rng.integers(0, 4, low.shape)
    zero = np.clip(0.0, low, high)
    found = np.select([pick == 0, pick == 1, pick == 2], [low, high, zero], inside)
    return torch.from_numpy(np.clip(found, low, high))


def reshaped(box: Enclosed, *shape: int) -> Enclosed:
    """The same boxes in another shape."""
    return Enclosed(box.low.reshape(shape), box.high.reshape(shape))
