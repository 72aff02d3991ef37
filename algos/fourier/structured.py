"""Structured orthogonal random features: Gaussian frequencies replaced by signs and Hadamard matrices.

A block of p frequencies, p the power of two from d on, is ``sqrt(2 gamma p) H D_3 H D_2 H D_1`` with the orthonormal
Hadamard matrix H and diagonal matrices of independent signs: orthogonal rows of length ``sqrt(2 gamma p)``, and
O(p log p) operations for p phases instead of O(p d).
"""

import math
from functools import cache
from typing import Annotated, TypeAlias

import numpy as np
import torch
from torch import Tensor

from algos._domains import CoordinateCount, FloatDtype, Points
from algos.fourier._blocks import block_numbers, uninitialised
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size
from signatures.tensors import Shaped

Diagonals: TypeAlias = Annotated[Tensor, Shaped("b 3 p", "[-1, 1]")]
"""Signs of b blocks, (b, 3, p), p a power of two."""

_CROSSOVER = {torch.float32: 256, torch.float64: 512}
"""Dimensions from which the products with small Hadamard matrices were measured to be faster than one dense product."""
_BLOCK_NUMBERS = 2**17
"""Numbers in a block of rows: it stays in a second-level cache through all three products."""


@checked
def structured_signs(
    features: Size, dimension: CoordinateCount, *, generator: torch.Generator, dtype: FloatDtype = torch.float64
) -> Tensor:
    """Signs of as many blocks of frequencies as `features` frequencies take.

    Parameters
    ----------
    features : int
        m >= 1.
    dimension : int
        d, of the points.
    generator : torch.Generator
        Its device is the device of the result.
    dtype : torch.dtype

    Returns
    -------
    Tensor (b, 3, p)
        p the smallest power of two with p >= d, b the smallest count with b p >= m.

    References
    ----------
    Yu, Suresh, Choromanski, Holtmann-Rice, Kumar 2016, Section 4.
    """
    p = 1 << (dimension - 1).bit_length()
    shape = (-(-features // p), 3, p)
    return torch.randint(2, shape, device=generator.device, generator=generator).to(dtype).mul_(2).sub_(1)


@checked
def structured_frequencies(signs: Diagonals, dimension: CoordinateCount, *, gamma: PositiveFloat) -> Tensor:
    """Frequencies that signs stand for, as a matrix: what `structured_phases` multiplies by.

    Those of one block, as a p x p matrix, are ``sqrt(2 gamma p)`` times an orthogonal matrix, of which the first d
    columns meet the points. Their products average to the Gaussian kernel ``exp(-gamma |x - x'|^2)`` up to a bias that
    vanishes as d grows.

    Parameters
    ----------
    signs : Tensor (b, 3, p)
    dimension : int
        d <= p, of the points.
    gamma : float
        Positive.

    Returns
    -------
    Tensor (b p, d)

    Raises
    ------
    ValueError
        If p is no power of two or is below the dimension.

    References
    ----------
    Yu, Suresh, Choromanski, Holtmann-Rice, Kumar 2016, Section 4 and Theorem 3.
    """
    _check_width(signs, dimension)
    identity = torch.eye(dimension, dtype=signs.dtype, device=signs.device)
    return _by_products(identity, signs, gamma).mT.contiguous()


@checked
def structured_phases(points: Points, signs: Diagonals, *, gamma: PositiveFloat) -> Tensor:
    """Phases ``<w_j, x>`` of the frequencies that signs stand for.

    By products with two small Hadamard matrices for each of the three factors H; in few dimensions, where one dense
    product is faster, by `structured_frequencies`. The two agree up to rounding. Whoever projects often in few
    dimensions keeps that matrix, which is formed anew by each call.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    signs : Tensor (b, 3, p)
        p >= d.
    gamma : float
        Positive.

    Returns
    -------
    Tensor (*batch, n, b p)

    Raises
    ------
    ValueError
        If p is no power of two or is below the dimension.

    References
    ----------
    Yu, Suresh, Choromanski, Holtmann-Rice, Kumar 2016, Section 4.
    """
    n, d = points.shape[-2:]
    _check_width(signs, d)
    signs = signs.to(points.dtype)
    rows = points.reshape(-1, d)
    if d < _CROSSOVER.get(points.dtype, 512) and len(rows) > d:
        phases = rows @ structured_frequencies(signs, d, gamma=gamma).mT
    else:
        phases = _by_products(rows, signs, gamma)
    return phases.reshape(*points.shape[:-2], n, phases.shape[-1])


@checked
def structured_fourier_features(points: Points, signs: Diagonals, *, gamma: PositiveFloat) -> Tensor:
    """Feature map of `random_fourier_features` at the frequencies that signs stand for.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    signs : Tensor (b, 3, p)
        p >= d.
    gamma : float
        Positive.

    Returns
    -------
    Tensor (*batch, n, 2 b p)
        All cosines before all sines; every row has Euclidean norm 1.

    Raises
    ------
    ValueError
        If p is no power of two or is below the dimension.

    References
    ----------
    Yu, Suresh, Choromanski, Holtmann-Rice, Kumar 2016, Section 4; pbrff eqs. 4 and 5.
    """
    phases = structured_phases(points, signs, gamma=gamma)
    return torch.cat([phases.cos(), phases.sin()], -1).div_(math.sqrt(phases.shape[-1]))


def _check_width(signs: Tensor, dimension: int) -> None:
    p = signs.shape[-1]
    if p & (p - 1) or p < dimension:
        raise ValueError(
            f"signs have p = {p} and the points {dimension} coordinates, but p must be a power of two that is no less: "
            "draw them by structured_signs"
        )


def _by_products(rows: Tensor, signs: Tensor, gamma: float) -> Tensor:
    """(n, d) -> (n, b p)."""
    width = signs.shape[0] * signs.shape[-1]
    scale = math.sqrt(2 * gamma) * math.sqrt(signs.shape[-1])
    if torch.is_grad_enabled() and (rows.requires_grad or signs.requires_grad):
        return _turned(rows * scale, signs)
    out = uninitialised((len(rows), width), rows)
    height = max(1, block_numbers(_BLOCK_NUMBERS, rows) // width)
    for some, place in zip(*(torch.split(t, height) for t in (rows, out)), strict=True):
        place.copy_(_turned(some * scale, signs))
    return out


def _turned(rows: Tensor, signs: Tensor) -> Tensor:
    """H D_3 H D_2 H D_1 x of every row, all blocks side by side; zeros stand for missing coordinates."""
    p = signs.shape[-1]
    first, second = (_hadamard(size).to(rows) for size in _factors(p))
    turned = torch.nn.functional.pad(rows, (0, p - rows.shape[-1])).unsqueeze(-2)
    for diagonals in signs.unbind(1):
        grid = (turned * diagonals).unflatten(-1, (len(first), len(second)))  # type: ignore[no-untyped-call]
        turned = (first @ (grid @ second)).flatten(-2)
    return turned.flatten(-2)


def _factors(p: int) -> tuple[int, int]:
    """Two powers of two with product p, as equal as may be."""
    bits = p.bit_length() - 1
    return 1 << (bits + 1) // 2, 1 << bits // 2


@cache
def _hadamard(size: int) -> Tensor:
    """Orthonormal Hadamard matrix of a power of two, float64 on the CPU."""
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return torch.from_numpy(matrix / math.sqrt(size))
