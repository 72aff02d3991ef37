"""Symmetric positive definite tridiagonal systems by cyclic reduction: batched, differentiable, O(n) in O(log n) steps.

Cyclic reduction is Cholesky elimination in the order even positions first, so it needs no pivots. The last few unknowns
are solved for by a dense factor.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

_DENSE_BITS = 5


class _Level(NamedTuple):
    """One elimination: reciprocal pivots of the even positions, and multipliers for right sides (*batch, k, n)."""

    reciprocals: Tensor
    left: Tensor  # an odd position's even neighbour on its left
    right: Tensor
    after: Tensor  # an even position's odd neighbour on its right
    before: Tensor


class TridiagonalFactor(NamedTuple):
    """Levels of the elimination, and the Cholesky factor of what is left."""

    levels: list[_Level]
    core: Tensor
    size: int  # of the system padded by uncoupled unknowns


def tridiagonal_factor(diagonal: Tensor, off_diagonal: Tensor) -> TridiagonalFactor:
    """Factor a matrix given by its diagonal (*batch, n) and off-diagonal (*batch, n - 1)."""
    n = diagonal.shape[-1]
    size = int(2 ** n.bit_length() - 1)
    d, e = pad(diagonal, (0, size - n), value=1.0), pad(off_diagonal, (0, size - n))
    levels = []
    while d.shape[-1] >= 2**_DENSE_BITS:
        reciprocals, above, below = d[..., ::2].reciprocal(), e[..., ::2], e[..., 1::2]
        left, right = above * reciprocals[..., :-1], below * reciprocals[..., 1:]
        multipliers = (reciprocals, left, right, pad(left, (0, 1)), pad(right, (1, 0)))
        levels.append(_Level(*(m.unsqueeze(-2) for m in multipliers)))
        d = d[..., 1::2].addcmul(left, above, value=-1).addcmul(right, below, value=-1)
        e = -right[..., :-1] * above[..., 1:]
    matrix = torch.diag_embed(d) + torch.diag_embed(e, -1)  # the lower triangle is enough
    return TridiagonalFactor(levels, torch.linalg.cholesky_ex(matrix)[0], size)


def tridiagonal_solve(factor: TridiagonalFactor, right_sides: Tensor) -> Tensor:
    """Solutions (*batch, k, n) for k right sides of the same batch."""
    n = right_sides.shape[-1]
    reduced = pad(right_sides, (0, factor.size - n))
    evens = []
    for level in factor.levels:
        even = reduced[..., ::2]
        evens.append(even)
        reduced = reduced[..., 1::2].addcmul(level.left, even[..., :-1], value=-1)
        reduced = reduced.addcmul(level.right, even[..., 1:], value=-1)
    solution = torch.cholesky_solve(reduced.mT, factor.core).mT
    for level, even in zip(reversed(factor.levels), reversed(evens), strict=True):
        odd = pad(solution, (1, 1))
        at_even = (even * level.reciprocals).addcmul(level.after, odd[..., 1:], value=-1)
        at_even = at_even.addcmul(level.before, odd[..., :-1], value=-1)
        solution = torch.stack([at_even, odd[..., 1:]], -1).flatten(-2)[..., :-1]
    return solution[..., :n]
