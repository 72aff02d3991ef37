"""Sums of products of random Fourier features over the sample; the features are never stored."""

from collections.abc import Callable

import torch
from torch import Tensor

from algos._domains import Frequencies, Points, Vector
from algos.fourier.random_features import random_fourier_features
from algos.ridge.streaming import feature_gram, feature_moments
from signatures.checked import checked
from signatures.numbers import Count


@checked
def fourier_gram(points: Points, frequencies: Frequencies, *, block_rows: Count = 1024) -> Tensor:
    """Gram matrix ``Z^T Z`` of the random Fourier features of a sample.

    Blocks of rows pass through one buffer: memory O(m^2 + block_rows m), whatever n.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (*batch, m, d)
    block_rows : int
        At least 1.

    Returns
    -------
    Tensor (*batch, 2 m, 2 m)
        Of `random_fourier_features`: its trace is n.

    References
    ----------
    uarff Section 4.2, the remark on the memory of Algorithm 1.
    """
    return feature_gram(points, _one_buffer(points, frequencies, block_rows), block_rows=block_rows)


@checked
def fourier_moments(
    points: Points, targets: Vector, frequencies: Frequencies, *, block_rows: Count = 1024
) -> tuple[Tensor, Tensor]:
    """Gram matrix ``Z^T Z`` of the random Fourier features and their products ``Z^T Y`` with targets.

    What ridge regression on the features needs (`feature_ridge_from_moments`), in one pass over the sample.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    targets : Tensor (*batch, n)
    frequencies : Tensor (*batch, m, d)
    block_rows : int
        At least 1.

    Returns
    -------
    tuple of Tensor (*batch, 2 m, 2 m)
        (*batch, 2 m).

    References
    ----------
    uarff eq. 7.
    """
    return feature_moments(points, targets, _one_buffer(points, frequencies, block_rows), block_rows=block_rows)


def _one_buffer(points: Tensor, frequencies: Tensor, block_rows: int) -> Callable[[Tensor], Tensor]:
    """The feature map, which writes each block over the one before where nothing has to be remembered."""
    learned = torch.is_grad_enabled() and (points.requires_grad or frequencies.requires_grad)
    if learned or points.ndim > 2 or frequencies.ndim > 2:
        return lambda rows: random_fourier_features(rows, frequencies)
    buffer = points.new_empty(min(block_rows, len(points)), 2 * len(frequencies))
    return lambda rows: random_fourier_features(rows, frequencies, out=buffer[: len(rows)])
