"""Inputs that are roundings themselves."""

from collections.abc import Mapping

import torch
from torch import Tensor

from harness.certify.rounding.short import coarse, on_one_grid
from harness.language.spaces import Interval, PositiveSemidefinite, Space

LAST_PLACES = 2.0**-52


def blurred(
    spaces: tuple[Space, ...], values: Mapping[str, Tensor], seed: int, sign: float = 1.0, *, blind: bool
) -> Mapping[str, Tensor]:
    """Inputs that are roundings themselves, moved by a last place.

    An element of a simplex or a sphere lies there up to rounding only, and an end of an interval may stand for a
    decimal. Where the body is `blind`, every entry moves by a last place of the largest one of its variable; in a set
    that vouches for no more, of its size at least.
    """
    generator = torch.Generator().manual_seed(1009 + seed)
    result = dict(values)
    for space in spaces:
        if space.name not in values:
            continue
        value = values[space.name]
        share = sign * (torch.rand(value.shape, generator=generator, dtype=torch.float64) * 2.0 - 1.0)
        if len(value) % 2 == 0:
            share[1::2] = -share[0::2]
        if isinstance(space, PositiveSemidefinite):
            share = 0.5 * (share + share.mT)
        share = share.to(value.device) * LAST_PLACES
        if space.accuracy == "size":
            result[space.name] = value + share * value.abs().clamp_min(space.size)
        elif blind and space.smooth:
            size = value.abs().reshape(len(value), -1).amax(-1).reshape(-1, *(1 for _ in space.shape))
            result[space.name] = space.project(value + size * share)
        elif space.accuracy == "entry":
            result[space.name] = torch.where(exactly_placed(value), value, value * (1.0 + share))
        elif isinstance(space, Interval):
            end = (value == space.low) | (value == space.high)
            result[space.name] = torch.where(end & ~coarse(value), value * (1.0 + share), value)
    return result


def exactly_placed(value: Tensor) -> Tensor:
    """Where the vectors (last axis) of a value lie on one coarse grid: sums of entries and squares are exact."""
    return on_one_grid(value).unsqueeze(-1).expand_as(value)
