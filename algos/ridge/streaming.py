"""Sums over the sample that random-feature methods need, without ever storing the n x s feature matrix."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from torch import Tensor

from algos._domains import Points, Vector
from algos.ridge._gram import accumulate_gram
from signatures.checked import checked
from signatures.numbers import Count

FeatureMap: TypeAlias = Callable[[Tensor], Tensor]
"""Maps rows of points (*batch, rows, d) to their features (*batch, rows, s)."""


@checked
def feature_gram(points: Points, feature_map: FeatureMap, *, block_rows: Count = 1024) -> Tensor:
    """Gram matrix of the features of a sample, summed over blocks of rows.

    ``Z^T Z = sum_i z(x_i) z(x_i)^T``: memory O(s^2 + block_rows s); for one design on the CPU by symmetric rank-k
    updates, half the arithmetic of a matrix product.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    feature_map : callable
        Applied to ``block_rows`` rows at a time; must treat rows independently.
    block_rows : int
        At least 1.

    Returns
    -------
    Tensor (*batch, s, s)

    Raises
    ------
    ValueError
        If there is no point or the block has no row.

    References
    ----------
    uarff Section 4.2, the remark on the memory of Algorithm 1.
    """
    return accumulate_gram(feature_map(points[..., rows, :]) for rows in _row_blocks(points, block_rows))


@checked
def feature_moments(
    points: Points, targets: Vector, feature_map: FeatureMap, *, block_rows: Count = 1024
) -> tuple[Tensor, Tensor]:
    """Gram matrix of the features and their products with the targets, in one pass over the sample.

    ``Z^T Z`` and ``Z^T Y``, what ridge regression on random features needs (`feature_ridge_from_moments`).

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    targets : Tensor (*batch, n)
    feature_map : callable
        Applied to ``block_rows`` rows at a time; must treat rows independently.
    block_rows : int
        At least 1.

    Returns
    -------
    tuple of Tensor (*batch, s, s)
        (*batch, s).

    Raises
    ------
    ValueError
        If points and targets differ in number, there is no point or the block has no row.

    References
    ----------
    uarff eq. 7.
    """
    if points.ndim < 2 or points.shape[-2] != targets.shape[-1]:
        raise ValueError(
            f"points have shape {tuple(points.shape)} and targets {tuple(targets.shape)}, but each point needs one "
            "target: pass (*batch, n, d) and (*batch, n)"
        )
    moments: list[Tensor] = []

    def blocks() -> Iterator[Tensor]:
        for rows in _row_blocks(points, block_rows):
            features = feature_map(points[..., rows, :])
            product = (features.mT @ targets[..., rows].unsqueeze(-1)).squeeze(-1)
            moments[:] = [moments[0] + product] if moments else [product]
            yield features

    gram = accumulate_gram(blocks())
    return gram, moments[0]


def _row_blocks(points: Tensor, block_rows: int) -> Iterator[slice]:
    if block_rows < 1:
        raise ValueError(f"block_rows is {block_rows}, but a block needs a row: give at least 1")
    if points.ndim < 2 or points.shape[-2] < 1:
        raise ValueError(f"points have shape {tuple(points.shape)}, but a sum needs a point: pass (*batch, n, d)")
    return (slice(row, row + block_rows) for row in range(0, points.shape[-2], block_rows))
