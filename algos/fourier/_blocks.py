"""Cosines and sines of <w, x> written where they belong, block by block; memory for large results."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

_ROWS, _COLUMNS = 256, 1024
"""Phases of a block stay in a second-level cache between the product, the cosine and the sine."""

_HUGE_PAGES = 2**22
"""Bytes from which numpy asks the system for huge pages."""
_NUMPY = {torch.float32: np.float32, torch.float64: np.float64}


def uninitialised(shape: Sequence[int], like: Tensor) -> Tensor:
    """Memory for a result of the dtype and on the device of a tensor.

    Where it is large and on the CPU it is numpy's, which asks for huge pages: the first touch of fresh memory costs
    more than the arithmetic of a feature map, and this a fifth of it.
    """
    plain = type(like) is Tensor and like.device.type == "cpu" and like.dtype in _NUMPY
    if not plain or math.prod(shape) * like.element_size() < _HUGE_PAGES:
        return like.new_empty(tuple(shape))
    return torch.from_numpy(np.empty(tuple(shape), dtype=_NUMPY[like.dtype]))


def write_features(points: Tensor, frequencies: Tensor, out: Tensor, scale: float) -> None:
    """`scale` times the cosines, then the sines, of the phases, into `out` (*batch, n, 2 m), which has the batch axes.

    Without gradients.
    """
    m = frequencies.shape[-2]
    if points.ndim == frequencies.ndim == 2:
        for top in range(0, points.shape[0], _ROWS):
            rows = slice(top, top + _ROWS)
            _write_rows(points[rows], frequencies, out[rows], scale)
        return
    phases = points @ frequencies.mT
    torch.cos(phases, out=out[..., :m])
    torch.sin(phases, out=out[..., m:])
    out.mul_(scale)


def _write_rows(points: Tensor, frequencies: Tensor, out: Tensor, scale: float) -> None:
    m = frequencies.shape[0]
    buffer = points.new_empty(len(points) * min(m, _COLUMNS))
    for left in range(0, m, _COLUMNS):
        right = min(left + _COLUMNS, m)
        phases = buffer[: len(points) * (right - left)].view(len(points), right - left)
        torch.mm(points, frequencies[left:right].mT, out=phases)
        cosines, sines = out[:, left:right], out[:, m + left : m + right]
        torch.cos(phases, out=cosines)
        cosines.mul_(scale)
        torch.sin(phases, out=sines)
        sines.mul_(scale)


def fitting(out: Tensor, shape: Sequence[int], like: Tensor) -> Tensor:
    """`out`, held to the shape, dtype and device of the result."""
    if tuple(out.shape) != tuple(shape) or out.dtype != like.dtype or out.device != like.device:
        raise ValueError(
            f"out has shape {tuple(out.shape)}, {out.dtype} on {out.device}, but the features have {tuple(shape)}, "
            f"{like.dtype} on {like.device}: make it so, or leave it away"
        )
    return out
