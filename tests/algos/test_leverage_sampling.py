"""Algorithm 1 against the definition of its scores and the exact mean of its draws; streaming against one product."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from algos.ridge.leverage import effective_dimension, feature_kernel, ridge_leverage_scores
from algos.ridge.leverage_sampling import (
    leverage_sampling_weights,
    leverage_weighted_sample,
    pool_leverage_scores,
    printed_leverage_sampling_weights,
    printed_pool_leverage_scores,
    sample_by_leverage,
)
from algos.ridge.regression import feature_ridge_coefficients, feature_ridge_from_moments
from algos.ridge.streaming import feature_gram, feature_moments


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def design(n: int, s: int, *batch: int, seed: int = 0) -> Tensor:
    return torch.randn(*batch, n, s, generator=generator(seed), dtype=torch.float64)


def cosines_and_sines(points: Tensor, frequencies: Tensor) -> Tensor:
    return math.sqrt(len(frequencies)) * random_fourier_features(points, frequencies)


@pytest.mark.parametrize(("n", "s"), [(9, 4), (4, 9), (1, 1)])
def test_scores_are_the_leverage_scores_of_the_pool(n: int, s: int) -> None:
    """Would catch the printed factor s."""
    features, ridge = design(n, s), 0.7
    uniform = torch.full((s,), 1 / s, dtype=torch.float64)
    gram = features.T @ features
    exact = ridge_leverage_scores(features, uniform, ridge)
    torch.testing.assert_close(pool_leverage_scores(gram, ridge), exact, rtol=1e-11, atol=1e-12)
    inverse = torch.linalg.inv(gram / s + ridge * torch.eye(s, dtype=torch.float64))
    printed = printed_pool_leverage_scores(gram, ridge)
    torch.testing.assert_close(printed, (gram @ inverse).diagonal(), rtol=1e-10, atol=1e-11)
    torch.testing.assert_close(printed, s * exact, rtol=1e-10, atol=1e-11)
    dimension = effective_dimension(feature_kernel(features, uniform), ridge)
    torch.testing.assert_close(pool_leverage_scores(gram, ridge).sum(), dimension, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(("rule", "factor"), [(leverage_sampling_weights, 1), (printed_leverage_sampling_weights, 6)])
def test_expected_kernel_of_a_draw_is_that_of_the_pool_times_a_factor(
    rule: Callable[[Tensor], Tensor], factor: int
) -> None:
    """Exact expectation over the draw: ``sum_i q_i w_i^2 z_i z_i^T``; the printed weights give s times the kernel."""
    features = design(5, 6)
    scores = pool_leverage_scores(features.T @ features, 0.3)
    weights = rule(scores)
    shares = scores / scores.sum()
    expected = feature_kernel(features * weights, shares)
    pool = features @ features.T / 6
    torch.testing.assert_close(expected, factor * pool, rtol=1e-12, atol=1e-12)


def test_sampler_agrees_with_its_parts_and_follows_the_generator() -> None:
    """Cosines and sines belong to one frequency: its score is that of both columns."""
    points, pool = design(40, 3), gaussian_frequencies(12, 3, gamma=0.2, generator=generator(1))
    options = {"ridge": 2.0, "columns_per_feature": 2}
    first, again = (
        leverage_weighted_sample(points, pool, cosines_and_sines, generator=generator(2), count=7, **options)
        for _ in "ab"
    )
    assert torch.equal(first.indices, again.indices)
    columns = cosines_and_sines(points, pool)
    expected = pool_leverage_scores(columns.T @ columns, 2.0, columns_per_feature=2)
    torch.testing.assert_close(first.scores, expected, rtol=1e-11, atol=1e-12)
    torch.testing.assert_close(first.total, expected.sum())
    assert torch.equal(first.features, pool[first.indices])
    torch.testing.assert_close(first.weights, leverage_sampling_weights(expected)[first.indices])
    dense = ridge_leverage_scores(columns, torch.full((24,), 1 / 12, dtype=torch.float64), 2.0)
    repaired = leverage_weighted_sample(
        points, pool, cosines_and_sines, generator=generator(2), ridge=2.0, columns_per_feature=2
    )
    torch.testing.assert_close(repaired.scores, dense[:12] + dense[12:], rtol=1e-10, atol=1e-12)
    assert len(repaired.indices) == math.ceil(repaired.total)


def test_print_asks_for_more_features_than_the_pool_holds() -> None:
    """As soon as the effective dimension of the pool exceeds 1; the count that is drawn does not."""
    points, pool = design(200, 2), gaussian_frequencies(50, 2, gamma=0.5, generator=generator(3))
    options = {"ridge": 4.0, "columns_per_feature": 2}
    drawn = leverage_weighted_sample(points, pool, cosines_and_sines, generator=generator(), **options)
    columns = cosines_and_sines(points, pool)
    printed = printed_pool_leverage_scores(columns.T @ columns, **options)
    assert printed.sum() > 50 > len(drawn.indices) > 1


@pytest.mark.parametrize("block_rows", [1, 7, 64, 1000])
@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_streamed_sums_are_those_of_the_whole_matrix(
    *, block_rows: int, batch: tuple[int, ...], dtype: torch.dtype
) -> None:
    """Would catch a lost last block, a triangle that is not mirrored (s above and below the block of the mirror)."""
    for s in (3, 700 if not batch else 5):
        points = design(65, 4, *batch).to(dtype)
        weights = design(4, s, seed=1).to(dtype) / 30
        targets = design(1, 65, *batch, seed=2).to(dtype).squeeze(-2)
        feature_map = lambda rows, w=weights: (rows @ w).cos()  # noqa: E731
        features = feature_map(points)
        gram, moments = feature_moments(points, targets, feature_map, block_rows=block_rows)
        tolerance = 1e-12 if dtype == torch.float64 else 1e-4
        torch.testing.assert_close(gram, features.mT @ features, rtol=tolerance, atol=tolerance)
        torch.testing.assert_close(gram, feature_gram(points, feature_map, block_rows=block_rows), rtol=0, atol=0)
        expected = (features.mT @ targets.unsqueeze(-1)).squeeze(-1)
        torch.testing.assert_close(moments, expected, rtol=tolerance, atol=100 * tolerance)


def test_streaming_never_holds_more_rows_than_a_block_and_feeds_ridge_regression() -> None:
    points, targets, seen = design(100, 3), design(1, 100, seed=1)[0], []

    def feature_map(rows: Tensor) -> Tensor:
        seen.append(len(rows))
        return torch.cat([rows.cos(), rows.sin()], -1)

    gram, moments = feature_moments(points, targets, feature_map, block_rows=32)
    assert seen == [32, 32, 32, 4]
    streamed = feature_ridge_from_moments(gram, moments, 0.5)
    torch.testing.assert_close(streamed, feature_ridge_coefficients(feature_map(points), targets, 0.5))


def test_streamed_sums_are_differentiable() -> None:
    points, targets = design(5, 2).requires_grad_(), design(1, 5)[0].requires_grad_()
    streamed = lambda x, y: feature_moments(x, y, torch.cos, block_rows=2)  # noqa: E731
    assert torch.autograd.gradcheck(streamed, (points, targets))
    scores = lambda x: pool_leverage_scores(feature_gram(x, torch.cos), 0.3)  # noqa: E731
    assert torch.autograd.gradcheck(scores, (points,))


def test_vanishing_features_are_never_drawn_and_weigh_nothing() -> None:
    """A draw that used rounded-up cumulative sums could return the last feature, of score zero."""
    scores = torch.tensor([0.0, 1.0, 0.0, 3.0, 0.0], dtype=torch.float64)
    drawn = sample_by_leverage(scores.expand(2, 5), 400, generator=generator())
    assert drawn.shape == (2, 400)
    assert set(drawn.unique().tolist()) == {1, 3}
    weights = leverage_sampling_weights(scores)
    torch.testing.assert_close(weights, torch.tensor([0.0, (5 / 4) ** -0.5, 0.0, (15 / 4) ** -0.5, 0.0]).double())


def test_mistakes_are_named() -> None:
    gram = torch.eye(4, dtype=torch.float64)
    points, pool = design(6, 2), design(3, 2)
    with pytest.raises(ValueError, match="columns_per_feature is 3"):
        pool_leverage_scores(gram, 1.0, columns_per_feature=3)
    with pytest.raises(ValueError, match=r"scores sum to 0\.0"):
        leverage_sampling_weights(torch.zeros(3))
    with pytest.raises(ValueError, match="count = 0"):
        sample_by_leverage(torch.ones(3), 0, generator=generator())
    with pytest.raises(ValueError, match=r"ridge = 0"):
        leverage_weighted_sample(points, pool, cosines_and_sines, ridge=0, generator=generator())
    with pytest.raises(ValueError, match="block_rows = 0"):
        feature_gram(points, torch.cos, block_rows=0)
    with pytest.raises(ValueError, match=r"\(0, 2\)"):
        feature_gram(points[:0], torch.cos)
    with pytest.raises(ValueError, match="targets has shape"):
        feature_moments(points, points[:3, 0], torch.cos)
