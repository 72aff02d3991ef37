"""The kernel that every algorithm here shares: weighted sums of exp(i <w, x>) over the data, for many frequencies."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import torch
from torch import Tensor

from algos._domains import AnyFrequencies, AnyPoints, AnyWeights
from algos.fourier._blocks import GPU_BLOCK_BYTES, block_numbers, cosines_of, turn
from signatures.checked import checked
from signatures.numbers import Count
from signatures.tensors import Shaped

_CPU_BLOCK_BYTES = 2**21
"""One second-level cache: the phases of a block stay there between the product, the cosine and the sine."""

_MIN_COLUMNS = 256
_ONE_PASS_DIMENSIONS = 64
"""Up to here two products with d + 1 rows cost less than keeping cosines and sines for one product."""
_FEW_PHASES = 2**17
"""Up to here phases, cosines and sines stay in a second-level cache as they are."""
_KEPT_BYTES = 2**25
"""Cosines and sines kept for one block of frequencies: wide enough for fast products, bounded in memory."""


@checked
def fourier_sums(
    points: AnyPoints,
    frequencies: AnyFrequencies,
    weights: Annotated[Tensor, Shaped("*batch c>=0 n>=0")],
    *,
    block_bytes: Count | None = None,
) -> tuple[Tensor, Tensor]:
    """Weighted cosine and sine sums over the points, for every frequency.

    ``C_j = sum_i a_i cos(<w_j, x_i>)`` and ``S_j = sum_i a_i sin(<w_j, x_i>)``, in O(n m d) operations. Without
    gradients the n x m phases are never stored: blocks pass through two reused buffers and block sums are added in the
    input dtype. When an input requires a gradient the plain expression is evaluated, in O(n m) memory.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (*batch, m, d)
    weights : Tensor (*batch, c, n)
        c weight vectors that share the phases. Batch axes of the three inputs broadcast.
    block_bytes : int, optional
        Size of one phase buffer; by default one second-level cache on the CPU, 128 MiB elsewhere.

    Returns
    -------
    tuple of Tensor (*batch, c, m)
        Cosine sums, sine sums. Both are zero for n = 0.

    Raises
    ------
    ValueError
        If the shapes do not fit together or ``block_bytes`` is not positive.

    References
    ----------
    nsrf eq. 4, pbrff Propositions 7 and 8.
    """
    if block_bytes is not None and block_bytes <= 0:
        raise ValueError(f"block_bytes is {block_bytes}, but a block needs room: give a positive number of bytes")
    return _sums(*_checked(points, frequencies, weights), block_bytes)


def _sums(
    points: Tensor, frequencies: Tensor, weights: Tensor, block_bytes: int | None = None
) -> tuple[Tensor, Tensor]:
    """`fourier_sums` of inputs that were checked."""
    if block_bytes is None:
        block_bytes = _CPU_BLOCK_BYTES if points.device.type == "cpu" else GPU_BLOCK_BYTES
    if _needs_gradient(points, frequencies, weights):
        phases = points @ frequencies.mT
        return weights @ phases.cos(), weights @ phases.sin()
    return _blocked_sums(points, frequencies, weights, max(1, block_bytes // points.element_size()))


@checked
def cosine_sums(
    points: AnyPoints,
    parameters: Annotated[Tensor, Shaped("*batch m>=0 p>=2")],
    weights: Annotated[Tensor, Shaped("*batch c>=0 n>=0")],
) -> Tensor:
    """Weighted sums of cosines with offsets over the points, for every frequency.

    ``sum_i a_i cos(<w_j, x_i> + b_j)``, in O(n m d) operations and with one cosine for each phase, where
    ``cos(b) C - sin(b) S`` of `fourier_sums` takes a cosine and a sine. That form is used for batches.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    parameters : Tensor (*batch, m, d + 1)
        Frequencies w_j with the offset b_j in the last column.
    weights : Tensor (*batch, c, n)
        c weight vectors that share the phases. Batch axes of the three inputs broadcast.

    Returns
    -------
    Tensor (*batch, c, m)
        Zero for n = 0.

    Raises
    ------
    ValueError
        As `fourier_sums`.

    References
    ----------
    lkrf Section 4.1.
    """
    points, frequencies, weights = _checked(points, parameters[..., :-1], weights)
    offsets = parameters[..., -1].to(points.dtype).unsqueeze(-2)
    if _needs_gradient(points, parameters, weights):
        return weights @ (points @ frequencies.mT + offsets).cos()
    if points.ndim == frequencies.ndim == weights.ndim == 2:
        block = block_numbers(_CPU_BLOCK_BYTES // points.element_size(), points)
        return _cosine_sums_of_one(points, frequencies, offsets, weights, block)
    cosine, sine = _sums(points, frequencies, weights)
    return offsets.cos() * cosine - offsets.sin() * sine


@checked
def fourier_potential(points: AnyPoints, frequencies: AnyFrequencies, weights: AnyWeights) -> Tensor:
    """Squared modulus of the weighted exponential sum, for every frequency.

    ``|sum_i a_i exp(i <w_j, x_i>)|^2``. With ``a_i = alpha_i y_i`` this is the potential of nsrf.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (*batch, m, d)
    weights : Tensor (*batch, n)

    Returns
    -------
    Tensor (*batch, m)
        Non-negative.

    Raises
    ------
    ValueError
        As `fourier_sums`.

    References
    ----------
    nsrf eq. 4.
    """
    cosine, sine = _sums(*_checked(points, frequencies, weights.unsqueeze(-2)))
    return (cosine.square() + sine.square()).squeeze(-2)


@checked
def fourier_potential_and_gradient(
    points: AnyPoints, frequencies: AnyFrequencies, weights: AnyWeights
) -> tuple[Tensor, Tensor]:
    """Squared modulus of the weighted exponential sum and its gradient in the frequency, without autograd.

    With ``C + i S = sum_i a_i exp(i <w, x_i>)`` the gradient of ``C^2 + S^2`` is ``2 sum_i a_i x_i (S cos(<w, x_i>) -
    C sin(<w, x_i>))``. In few dimensions the d + 1 weight vectors ``(a, a x)`` share the phases; in many, where that
    costs a third product, cosines and sines of a block of frequencies are kept instead.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (*batch, m, d)
    weights : Tensor (*batch, n)

    Returns
    -------
    tuple of Tensor (*batch, m) and Tensor (*batch, m, d)

    Raises
    ------
    ValueError
        As `fourier_sums`.

    References
    ----------
    nsrf eq. 4 and its particle updates.
    """
    return _potential_and_gradient(*_checked(points, frequencies, weights.unsqueeze(-2)))


def _potential_and_gradient(points: Tensor, frequencies: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    """`fourier_potential_and_gradient` of inputs that were checked; weights (*batch, 1, n)."""
    if not _needs_gradient(points, frequencies, rows):
        one = points.ndim == frequencies.ndim == rows.ndim == 2
        if one and len(points) * len(frequencies) <= _FEW_PHASES:
            return _potential_and_gradient_at_few(points, frequencies, rows[0])
        if points.shape[-1] > _ONE_PASS_DIMENSIONS:
            return _two_pass_gradient(points, frequencies, rows)
    moments = rows * points.mT
    rows = rows.expand(*moments.shape[:-2], 1, moments.shape[-1])
    cosine, sine = _sums(points, frequencies, torch.cat([rows, moments], dim=-2))
    cosine_total, sine_total = cosine[..., :1, :], sine[..., :1, :]
    value = (cosine_total.square() + sine_total.square()).squeeze(-2)
    gradient = 2 * (sine_total * cosine[..., 1:, :] - cosine_total * sine[..., 1:, :])
    return value, gradient.mT


def _potential_and_gradient_at_few(points: Tensor, frequencies: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """The same for one cloud (n, d), few frequencies (m, d) and weights (n,), not checked: all phases at a time."""
    phases = frequencies @ points.mT
    cosines = torch.empty_like(phases)
    turn(phases, cosines, phases)
    cosine, sine = (cosines @ weights).unsqueeze(-1), (phases @ weights).unsqueeze(-1)
    pull = cosines.mul_(sine).addcmul_(phases, cosine, value=-1).mul_(weights)
    return (cosine.square() + sine.square()).squeeze(-1), (pull @ points).mul_(2)


def _needs_gradient(*inputs: Tensor) -> bool:
    return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in inputs)


def _batch_shape(*inputs: Tensor) -> torch.Size:
    return torch.Size(np.broadcast_shapes(*(tensor.shape[:-2] for tensor in inputs)))


def _checked(points: Tensor, frequencies: Tensor, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    if not (points.is_floating_point() and frequencies.is_floating_point()):
        raise ValueError(
            f"points are {points.dtype} and frequencies {frequencies.dtype}, but phases are real: convert both to a "
            "floating dtype"
        )
    if min(points.ndim, frequencies.ndim, weights.ndim) < 2:
        raise ValueError(
            f"shapes are {tuple(points.shape)}, {tuple(frequencies.shape)} and {tuple(weights.shape)}, but points "
            "(*, n, d), frequencies (*, m, d) and weights (*, c, n) have two axes at least: add the missing ones"
        )
    if points.shape[-1] != frequencies.shape[-1] or points.shape[-2] != weights.shape[-1]:
        raise ValueError(
            f"points {tuple(points.shape)}, frequencies {tuple(frequencies.shape)} and weights {tuple(weights.shape)} "
            "do not fit (*, n, d), (*, m, d) and (*, c, n): transpose or slice them so that n and d agree"
        )
    dtype = torch.promote_types(points.dtype, frequencies.dtype)
    return points.to(dtype), frequencies.to(dtype), weights.to(dtype)


def _blocked_sums(points: Tensor, frequencies: Tensor, weights: Tensor, block: int) -> tuple[Tensor, Tensor]:
    """Fold the batch axes into one call where phases are shared, otherwise walk over groups of batch entries."""
    batch = _batch_shape(points, frequencies, weights)
    (n, d), m, c = points.shape[-2:], frequencies.shape[-2], weights.shape[-2]
    one_cloud, one_prior, one_weight = (t.shape[:-2].numel() == 1 for t in (points, frequencies, weights))
    if one_cloud and one_prior:
        sums = _sums_of_one(points.reshape(n, d), frequencies.reshape(m, d), weights.flatten(0, -2), block)
        cosine, sine = (total.reshape(*weights.shape[:-1], m).expand(*batch, c, m) for total in sums)
        return cosine, sine
    if one_cloud and one_weight:
        sums = _sums_of_one(points.reshape(n, d), frequencies.flatten(0, -2), weights.reshape(c, n), block)
        cosine, sine = (total.reshape(c, *frequencies.shape[:-1]).movedim(0, -2).expand(*batch, c, m) for total in sums)
        return cosine, sine
    points, frequencies, weights = (t.expand(*batch, *t.shape[-2:]) for t in (points, frequencies, weights))
    cosine, sine = points.new_empty((2, batch.numel(), c, m))
    for entries, index in _groups(batch, max(1, block // max(1, n * (m + d + c)))):
        if len(entries) == 1:
            one = tuple(int(axis[0]) for axis in index)
            sums = _sums_of_one(points[one], frequencies[one], weights[one], block)
            cosine[entries.start], sine[entries.start] = sums
        else:
            phases = torch.bmm(points[index], frequencies[index].mT)
            group = weights[index]
            torch.bmm(group, phases.cos(), out=cosine[entries.start : entries.stop])
            torch.bmm(group, phases.sin_(), out=sine[entries.start : entries.stop])
    return cosine.reshape(*batch, c, m), sine.reshape(*batch, c, m)


def _groups(batch: torch.Size, size: int) -> Iterator[tuple[range, tuple[Tensor, ...]]]:
    total = batch.numel()
    for start in range(0, total, size):
        entries = range(start, min(start + size, total))
        index = np.unravel_index(np.arange(entries.start, entries.stop), batch)
        yield entries, tuple(torch.as_tensor(axis) for axis in index)


@dataclass(frozen=True)
class _Blocks:
    rows: int
    columns: int


def _block_shape(n: int, m: int, block: int) -> _Blocks:
    columns = max(1, min(m, max(min(_MIN_COLUMNS, block), block // max(n, 1))))
    return _Blocks(rows=max(1, min(n, block // columns)), columns=columns)


def _phase_blocks(
    points: Tensor, frequencies: Tensor, block: int, offsets: Tensor | None = None
) -> Iterator[tuple[slice, slice, Tensor]]:
    """Rows, columns and phases <w, x> (+ b, (1, m)) of one block after the other, all in one buffer of its size."""
    n, m = points.shape[0], frequencies.shape[0]
    size = _block_shape(n, m, block)
    buffer = points.new_empty(size.rows * size.columns)
    for left in range(0, m, size.columns):
        columns = slice(left, min(left + size.columns, m))
        transposed = frequencies[columns].mT
        for top in range(0, n, size.rows):
            rows = slice(top, min(top + size.rows, n))
            shape = (rows.stop - top, columns.stop - left)
            phases = buffer[: shape[0] * shape[1]].view(shape)
            if offsets is None:
                torch.mm(points[rows], transposed, out=phases)
            else:
                torch.addmm(offsets[:, columns], points[rows], transposed, out=phases)
            yield rows, columns, phases


def _sums_of_one(points: Tensor, frequencies: Tensor, weights: Tensor, block: int) -> tuple[Tensor, Tensor]:
    """(n, d), (m, d), (c, n) -> two (c, m), through two buffers of `block` elements."""
    n, m, c = points.shape[0], frequencies.shape[0], weights.shape[0]
    cosine, sine = points.new_zeros((2, c, m))
    size = _block_shape(n, m, block)
    buffer = points.new_empty(size.rows * size.columns)
    for rows, columns, phases in _phase_blocks(points, frequencies, block):
        cosines = buffer[: phases.numel()].view(phases.shape)
        turn(phases, cosines, phases)
        cosine[:, columns].addmm_(weights[:, rows], cosines)
        sine[:, columns].addmm_(weights[:, rows], phases)
    return cosine, sine


def _cosine_sums_of_one(points: Tensor, frequencies: Tensor, offsets: Tensor, weights: Tensor, block: int) -> Tensor:
    """(n, d), (m, d), (1, m), (c, n) -> (c, m), through one buffer of `block` elements."""
    total = points.new_zeros((weights.shape[0], frequencies.shape[0]))
    for rows, columns, phases in _phase_blocks(points, frequencies, block, offsets):
        total[:, columns].addmm_(weights[:, rows], cosines_of(phases))
    return total


def _two_pass_gradient(points: Tensor, frequencies: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Potential and gradient from kept cosines and sines of some frequencies at a time: two products, not three."""
    batch = _batch_shape(points, frequencies, weights)
    m, d = frequencies.shape[-2:]
    if points.shape[:-2].numel() == weights.shape[:-2].numel() == 1:
        value, gradient = _two_pass_of_one(points.flatten(0, -2), frequencies.flatten(0, -2), weights.flatten())
        shape = frequencies.shape[:-1]
        return value.reshape(shape).expand(*batch, m), gradient.reshape(*shape, d).expand(*batch, m, d)
    points, frequencies, weights = (t.expand(*batch, *t.shape[-2:]) for t in (points, frequencies, weights))
    value, gradient = points.new_empty((*batch, m)), points.new_empty((*batch, m, d))
    for entry in itertools.product(*(range(size) for size in batch)):
        value[entry], gradient[entry] = _two_pass_of_one(points[entry], frequencies[entry], weights[entry][0])
    return value, gradient


def _two_pass_of_one(points: Tensor, frequencies: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """(n, d), (m, d), (n,) -> (m,), (m, d).

    The sums are needed before the backward product, so that cosines and sines of a block of frequencies are kept, in
    memory that all blocks share; everything else happens to rows that are still in a second-level cache.
    """
    n, m = points.shape[0], frequencies.shape[0]
    value, gradient = frequencies.new_zeros(m), torch.zeros_like(frequencies)
    columns = max(1, min(256, m, max(16, _KEPT_BYTES // (max(n, 1) * points.element_size()) // 16 * 16)))
    block_bytes = _CPU_BLOCK_BYTES // 2 if points.device.type == "cpu" else GPU_BLOCK_BYTES
    rows = max(1, block_bytes // (columns * points.element_size()))
    cosine_buffer, sine_buffer = points.new_empty((2, n, columns))
    for left in range(0, m, columns):
        some, slope = frequencies[left : left + columns], gradient[left : left + columns]
        kept = (cosine_buffer[:, : len(some)], sine_buffer[:, : len(some)])
        blocks = list(zip(*(torch.split(t, rows) for t in (points, weights, *kept)), strict=True))
        cosine, sine = points.new_zeros((2, len(some)))
        for x, a, cosines, sines in blocks:
            torch.mm(x, some.mT, out=sines)
            turn(sines, cosines, sines)
            cosine.addmv_(cosines.mT, a)
            sine.addmv_(sines.mT, a)
        value[left : left + columns] = cosine.square() + sine.square()
        for x, a, cosines, sines in blocks:
            pull = cosines.mul_(sine).addcmul_(sines, cosine, value=-1).mul_(a.unsqueeze(-1))
            slope.addmm_(pull.mT, x)
    return value, gradient.mul_(2)
