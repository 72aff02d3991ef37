"""The parameters of draws: beside which entries they stand, and whether they are probabilities."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError

ROUNDING = 1e-9  # by which a computed probability may leave [0, 1]
TOTAL = 1e-6  # how far from one probabilities may sum
Layouts: TypeAlias = Callable[[str], bool]
"""Whether a parameter has a value for each replicate, by the name of its draw."""


def has_rows(name: str, shape: tuple[int, ...], wide: tuple[int, ...], layouts: Layouts | None) -> bool:
    """Whether the first axis of a parameter is that of the replicates, beside a draw of the shape `wide`.

    A list of as many entries as there happen to be replicates may be either; `layouts` knows which.
    """
    if not shape or shape[0] == 1:
        return True
    return shape[0] == wide[0] and (layouts is None or layouts(name))


def aligned(name: str, parameter: Tensor, shape: tuple[int, ...], layouts: Layouts | None) -> Tensor:
    """A parameter beside a draw of this shape, (reps, ...): padded with ones on the right.

    Its first axis is that of the replicates where it `has_rows`; else it is the same in all of them.

    Raises ClaimError where it does not fit: wider than the draw, its values would share random numbers.
    """
    if not parameter.ndim:
        return parameter
    rows = parameter.ndim == len(shape) or has_rows(name, parameter.shape, shape, layouts)
    value = parameter if rows else parameter.unsqueeze(0)
    if value.ndim > len(shape):
        raise ClaimError(
            f"draw variable {name!r}: its parameter has shape {tuple(parameter.shape)}, more axes than the draw; "
            "name the missing axes in the draw's shape."
        )
    if any(own not in (1, wide) for own, wide in zip(value.shape, shape, strict=False)):
        raise ClaimError(
            f"draw variable {name!r}: its parameter has shape {tuple(parameter.shape)}, which does not fit the shape "
            f"{shape} of the draw, replicates first; its axes are the first ones of these, or of these without the "
            "replicates."
        )
    return value.reshape(*value.shape, *(1 for _ in range(len(shape) - value.ndim)))


def indicator(compare: Callable[..., Tensor], left: Tensor, right: Tensor) -> Tensor:
    """1.0 where the comparison is true, 0.0 elsewhere: written at once, since to convert truth values takes longer."""
    with torch.no_grad():  # steps have no slope
        return compare(left, right, out=left.new_empty(np.broadcast_shapes(left.shape, right.shape)))


def thresholds(name: str, probs: Tensor) -> Tensor:
    """Between which uniform numbers each class lies, (*, K - 1): sums of its probabilities (*, K)."""
    weights = class_weights(name, probs)
    return (weights / probs.sum(-1, keepdim=True)).cumsum(-1)[..., :-1]


def class_weights(name: str, table: Tensor) -> Tensor:
    """Class probabilities without rounding below zero; the last axis holds the classes."""
    if table.ndim == 0:
        raise ClaimError(f"draw variable {name!r}: probs must have a last axis that holds the classes.")
    if not bool((table >= -ROUNDING).all() & (table.sum(-1) > 0.0).all()):
        raise ClaimError(f"draw variable {name!r} has probs that are negative, NaN or all zero; correct them.")
    total = table.detach().sum(-1)
    if bool(((total - 1.0).abs() > TOTAL).any()):
        wrong = total[(total - 1.0).abs() > TOTAL].reshape(-1)[0].item()
        raise ClaimError(f"draw variable {name!r} has probs that sum to {wrong:.6g}; divide them by their sum.")
    return table.clamp_min(0.0)
