"""Random shares of a last place, for many operations on results of a few shapes."""

import functools
import math

import torch
from torch import Tensor

TWINS = 4  # copies of an instance in one call of the body: at random, the other way, up, down
OFFSETS, POOLED, STOCK = 61, 2**18, 20261122  # places in a stock of shares, its most entries, its seed


@functools.lru_cache(maxsize=64)
def stock(shape: tuple[int, ...], step: int) -> Tensor | None:
    """A stock of shares for results of a shape, of which slices at random offsets serve one operation each.

    None where it would be large.
    """
    rows, rest = (shape[0], tuple(shape[1:])) if shape else (1, ())
    rows += OFFSETS * step
    return fresh_shares(rows, rest, step, STOCK) if rows * math.prod(rest) <= POOLED else None


def fresh_shares(rows: int, rest: tuple[int, ...], step: int, seed: int) -> Tensor:
    """Random shares in [-1, 1]; of four copies the second is the mirror of the first, the others are +1 and -1."""
    generator = torch.Generator().manual_seed(seed)
    shares = torch.rand((rows, *rest), generator=generator, dtype=torch.float64).mul_(2.0).sub_(1.0)
    if step == TWINS:
        shares[1::TWINS] = -shares[0::TWINS]
        shares[2::TWINS], shares[3::TWINS] = 1.0, -1.0
    return shares
