"""Cosines and sines of <w, x> written where they belong, block by block; memory for large results."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from torch import Tensor

from signatures.tensors import watched

_COLUMNS = 2**14
"""Widest block. Whole rows are fastest: what is written then lies in a few pages."""
_NUMBERS = 2**18
"""Phases of a block stay in cache between the product, the cosine and the sine; for each thread."""
GPU_BLOCK_BYTES = 2**27
"""There calls cost: with blocks of the CPU a map to 5e8 numbers made 4800 of them and took 65 ms (H100)."""

_HUGE_PAGES = 2**22
"""Bytes from which numpy asks the system for huge pages."""
_NUMPY = {torch.float32: np.float32, torch.float64: np.float64}


def block_numbers(on_cpu: int, like: Tensor) -> int:
    """How many numbers a block has on the device of a tensor."""
    return on_cpu if like.device.type == "cpu" else GPU_BLOCK_BYTES // like.element_size()


def uninitialised(shape: Sequence[int], like: Tensor) -> Tensor:
    """Memory for a result of the dtype and on the device of a tensor.

    Where it is large and on the CPU it is numpy's, which asks for huge pages: the first touch of fresh memory costs
    more than the arithmetic of a feature map, and this a fifth of it.
    """
    plain = type(like) is Tensor and like.device.type == "cpu" and like.dtype in _NUMPY
    if not plain or math.prod(shape) * like.element_size() < _HUGE_PAGES:
        return like.new_empty(tuple(shape))
    return torch.from_numpy(np.empty(tuple(shape), dtype=_NUMPY[like.dtype]))


def turn(phases: Tensor, cosines: Tensor, sines: Tensor) -> None:
    """Cosines and sines of phases, written where they belong; `sines` may be the phases themselves.

    In single precision on one thread of a CPU with AVX-512 by numpy, whose vectorised functions take half the time of
    torch's there; elsewhere they take half as much time again, in double precision they are scalar, and they have no
    threads.
    """
    if _by_numpy(phases):
        np.cos(phases.numpy(), out=cosines.numpy())
        np.sin(phases.numpy(), out=sines.numpy())
    else:
        torch.cos(phases, out=cosines)
        torch.sin(phases, out=sines)


def cosines_of(phases: Tensor) -> Tensor:
    """Cosines of phases in their place, as `turn` takes them."""
    if not _by_numpy(phases):
        return phases.cos_()
    np.cos(phases.numpy(), out=phases.numpy())
    return phases


def _by_numpy(phases: Tensor) -> bool:
    single = type(phases) is Tensor and phases.device.type == "cpu" and phases.dtype == torch.float32
    return single and not watched() and torch.get_num_threads() == 1 and _wide_vectors()


@cache
def _wide_vectors() -> bool:
    return torch.backends.cpu.get_cpu_capability() == "AVX512"


def write_features(points: Tensor, frequencies: Tensor, out: Tensor, scale: float) -> None:
    """`scale` times the cosines, then the sines, of the phases, into `out` (*batch, n, 2 m), which has the batch axes.

    Without gradients.
    """
    m = frequencies.shape[-2]
    if points.ndim > 2 or frequencies.ndim > 2:
        turn(points @ frequencies.mT, out[..., :m], out[..., m:])
        out.mul_(scale)
        return
    columns = min(m, _COLUMNS)
    numbers = block_numbers(torch.get_num_threads() * _NUMBERS, points)
    rows = max(1, min(len(points), numbers // columns))
    buffer = points.new_empty(rows * columns)
    for left in range(0, m, columns):
        some = frequencies[left : left + columns].mT.contiguous()
        for block, place in zip(torch.split(points, rows), torch.split(out, rows), strict=True):
            phases = buffer[: len(block) * some.shape[1]].view(len(block), some.shape[1])
            torch.mm(block, some, out=phases)
            cosines, sines = (place[:, start : start + some.shape[1]] for start in (left, m + left))
            turn(phases, cosines, sines)
            cosines.mul_(scale)
            sines.mul_(scale)


def fitting(out: Tensor, shape: Sequence[int], like: Tensor) -> Tensor:
    """`out`, held to the shape, dtype and device of the result."""
    if tuple(out.shape) != tuple(shape) or out.dtype != like.dtype or out.device != like.device:
        raise ValueError(
            f"out has shape {tuple(out.shape)}, {out.dtype} on {out.device}, but the features have {tuple(shape)}, "
            f"{like.dtype} on {like.device}: make it so, or leave it away"
        )
    return out
