"""Approximate leverage-weighted sampling: draw features from a pool in proportion to their ridge leverage scores."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import torch
from torch import Tensor

from algos._cholesky import check_square
from algos._domains import AnyTensor, Cloud, PositiveBatch
from algos.ridge._gram import by_lapack, inverse_diagonal_
from algos.ridge.leverage import gram_leverage_scores
from algos.ridge.streaming import feature_gram
from signatures.checked import checked
from signatures.numbers import Count, PositiveFloat, Size
from signatures.tensors import Shaped

PoolMap: TypeAlias = Callable[[Tensor, Tensor], Tensor]
"""Maps points (rows, d) and features of the pool (s, ...) to columns (rows, c s): c blocks of s columns."""


@dataclass(frozen=True)
class LeverageSample:
    """Features drawn from a pool.

    Attributes
    ----------
    scores : Tensor (s,)
        Of the whole pool.
    total : Tensor ()
        Their sum: the effective dimension ``d_{K~}`` of the pool.
    indices : Tensor (m,)
        Positions in the pool.
    features : Tensor (m, ...)
        The rows of the pool at these positions.
    weights : Tensor (m,)
        Multipliers of the columns of these features.
    """

    scores: Tensor
    total: Tensor
    indices: Tensor
    features: Tensor
    weights: Tensor


@checked
def pool_leverage_scores(
    gram: Annotated[Tensor, Shaped("*batch s s")],
    ridge: PositiveBatch,
    *,
    columns_per_feature: Count = 1,
) -> Tensor:
    """Ridge leverage scores of a pool of s features, each of probability 1/s, from their Gram matrix.

    ``l_i = diag(G (G/s + n lambda I)^{-1})_i / s``, whose sum is ``d_{K~}`` with ``K~ = Z Z^T / s``. Absolute errors of
    order ``eps max(1, |G| / (s n lambda))``, eps the machine precision; rounding below zero is cut off.

    Parameters
    ----------
    gram : Tensor (*batch, c s, c s)
        ``Z^T Z``, features not scaled by ``1/sqrt(s)``.
    ridge : float or Tensor (*batch,)
        The product n lambda > 0.
    columns_per_feature : int
        c; column ``j s + i`` belongs to feature i (all cosines, then all sines), whose score is the sum over its
        columns.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If the Gram matrix is not square, its size is no multiple of c, or the ridge is negative.

    References
    ----------
    uarff Algorithm 1, lines 3 and 4, with the lost factor 1/s. The paragraph on its cost has ``diag(G (G + n lambda
    I)^{-1})_i``, which forgets that p(v_i) = 1/s.
    """
    s = _pool_size(gram, columns_per_feature)
    return _by_feature(gram_leverage_scores(gram, s * ridge), s)  # G/s (G/s + r)^{-1} = G (G + s r)^{-1}


@checked
def printed_pool_leverage_scores(
    gram: Annotated[Tensor, Shaped("*batch s s")],
    ridge: PositiveBatch,
    *,
    columns_per_feature: Count = 1,
) -> Tensor:
    """The paper's scores of a pool of s features: s times those of `pool_leverage_scores`.

    ``p_i = diag(G (G/s + n lambda I)^{-1})_i``, whose sum is ``s d_{K~}``, so that more features than the pool holds
    are asked for whenever ``d_{K~} > 1``.

    Parameters
    ----------
    gram : Tensor (*batch, c s, c s)
        ``Z^T Z``, features not scaled by ``1/sqrt(s)``.
    ridge : float or Tensor (*batch,)
        The product n lambda > 0.
    columns_per_feature : int
        c; column ``j s + i`` belongs to feature i (all cosines, then all sines), whose score is the sum over its
        columns.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If the Gram matrix is not square, its size is no multiple of c, or the ridge is negative.

    References
    ----------
    uarff Algorithm 1, lines 3 and 4.
    """
    scores = pool_leverage_scores(gram, ridge, columns_per_feature=columns_per_feature)
    return scores.shape[-1] * scores


@checked
def leverage_sampling_weights(scores: Annotated[Tensor, Shaped("*batch s", "[0, inf)")]) -> Tensor:
    """Multipliers of the columns of features drawn with ``q_i = scores_i / sum scores``.

    ``sqrt(p/q) = 1 / sqrt(s q_i)``, so that m draws give ``E (1/m) Z_m Z_m^T = K~``. A score of zero, whose feature is
    never drawn, gets weight zero.

    Parameters
    ----------
    scores : Tensor (*batch, s)
        Non-negative, not all zero.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If no score is positive.

    References
    ----------
    uarff Section 4.2, the display before Algorithm 1, with the lost factor 1/s.
    """
    return _weights(scores, atoms=scores.shape[-1])


@checked
def printed_leverage_sampling_weights(scores: Annotated[Tensor, Shaped("*batch s", "[0, inf)")]) -> Tensor:
    """The paper's multipliers of the columns of drawn features: sqrt(s) times those of `leverage_sampling_weights`.

    ``1 / sqrt(q_i)``, which gives ``s K~`` in place of ``K~``, and so acts like a ridge of ``lambda / s``.

    Parameters
    ----------
    scores : Tensor (*batch, s)
        Non-negative, not all zero.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If no score is positive.

    References
    ----------
    uarff Section 4.2, the display before Algorithm 1 (``sqrt(m / p_i)`` with ``m = sum p_i``).
    """
    return _weights(scores, atoms=1)


@checked
def sample_by_leverage(
    scores: Annotated[Tensor, Shaped("*batch s", "[0, inf)")], count: Size, *, generator: torch.Generator
) -> Tensor:
    """Positions of features drawn with replacement, with probabilities proportional to the scores.

    Parameters
    ----------
    scores : Tensor (*batch, s)
        Non-negative, not all zero.
    count : int
        m, at least 1.
    generator : torch.Generator
        On the device of the scores.

    Returns
    -------
    Tensor (*batch, m) of int64

    Raises
    ------
    ValueError
        If the count is less than 1 or no score is positive.

    References
    ----------
    uarff Algorithm 1, line 5.
    """
    if count < 1:
        raise ValueError(f"count is {count}, but a sample needs a feature: give at least 1")
    shares = (scores / _positive_total(scores).unsqueeze(-1)).reshape(-1, scores.shape[-1])
    indices = torch.multinomial(shares, count, replacement=True, generator=generator)
    return indices.reshape(*scores.shape[:-1], count)


@checked
def leverage_weighted_sample(
    points: Cloud,
    pool: AnyTensor,
    feature_map: PoolMap,
    *,
    ridge: PositiveFloat,
    generator: torch.Generator,
    count: Size | None = None,
    columns_per_feature: Count = 1,
    block_rows: Count = 1024,
) -> LeverageSample:
    """Draw features from a pool by approximate leverage-weighted sampling.

    Scores as in `pool_leverage_scores`, m draws with replacement, multipliers as in
    `leverage_sampling_weights`; the design of the drawn features is
    ``feature_map(points, sample.features) * sample.weights.repeat(c)`` and ``K~_m = Z_m Z_m^T / m``. The n x s feature
    matrix is never stored: time O(n s^2 + s^3), memory O(s^2 + block_rows s).

    Parameters
    ----------
    points : Tensor (n, d)
    pool : Tensor (s, ...)
        Features drawn from their spectral measure: frequencies, frequencies with phases, centres, ...
    feature_map : callable
        ``(points, features) -> columns``, for example the cosines of all frequencies, then their sines; not scaled by
        ``1/sqrt(s)``.
    ridge : float
        The product n lambda > 0.
    generator : torch.Generator
        On the device of the points.
    count : int, optional
        m; by default the sum of the scores rounded up, as in the paper.
    columns_per_feature : int
        c, 2 for cosines and sines.
    block_rows : int
        Rows of the feature matrix held at a time.

    Returns
    -------
    LeverageSample

    Raises
    ------
    ValueError
        If the ridge is not positive, no feature has a positive score, a count is less than 1, or the columns are not c
        for each feature.

    References
    ----------
    uarff Algorithm 1.
    """
    if not ridge > 0:
        raise ValueError(f"the ridge n lambda is {ridge}, but must be positive: pass n * lambda > 0")
    gram = feature_gram(points, lambda rows: feature_map(rows, pool), block_rows=block_rows)
    s = _pool_size(gram, columns_per_feature)
    if s != len(pool):
        raise ValueError(
            f"feature_map gives {gram.shape[-1]} columns for {len(pool)} features, but columns_per_feature = "
            f"{columns_per_feature} says {columns_per_feature * len(pool)}: pass how many columns a feature has."
        )
    shift = s * ridge
    by_column = 1 - shift * inverse_diagonal_(gram, shift) if by_lapack(gram) else gram_leverage_scores(gram, shift)
    scores = _by_feature(by_column, s)
    total = _positive_total(scores)
    indices = sample_by_leverage(scores, math.ceil(total.item()) if count is None else count, generator=generator)
    weights = leverage_sampling_weights(scores)[indices]
    return LeverageSample(scores, total, indices, pool[indices], weights)


def _pool_size(gram: Tensor, columns_per_feature: int) -> int:
    check_square("the Gram matrix", gram)
    s, rest = divmod(gram.shape[-1], columns_per_feature) if columns_per_feature >= 1 else (0, 1)
    if rest or s < 1:
        raise ValueError(
            f"columns_per_feature is {columns_per_feature}, but must divide the {gram.shape[-1]} columns of the pool"
        )
    return s


def _by_feature(by_column: Tensor, pool_size: int) -> Tensor:
    return by_column.reshape(*by_column.shape[:-1], by_column.shape[-1] // pool_size, pool_size).sum(-2).clamp_min(0)


def _weights(scores: Tensor, atoms: int) -> Tensor:
    drawn = scores > 0
    shares = scores / _positive_total(scores).unsqueeze(-1)
    return torch.where(drawn, (atoms * torch.where(drawn, shares, 1.0)).rsqrt(), 0.0)


def _positive_total(scores: Tensor) -> Tensor:
    total = scores.sum(-1)
    if not bool((total > 0).all()):
        raise ValueError(
            f"the scores sum to {total.min().item()}, but a draw needs more: take other features or a smaller ridge"
        )
    return total
