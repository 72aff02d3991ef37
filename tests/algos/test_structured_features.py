"""Structured features against Hadamard matrices by scipy, and features that are written or summed in place."""

import math

import pytest
import torch
from scipy.linalg import hadamard

from algos.fourier import structured
from algos.fourier.random_features import random_fourier_features
from algos.fourier.streamed import fourier_gram, fourier_moments
from algos.fourier.structured import (
    structured_fourier_features,
    structured_frequencies,
    structured_phases,
    structured_signs,
)

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def signs(features: int, dimension: int) -> torch.Tensor:
    return structured_signs(features, dimension, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(("features", "dimension", "shape"), [(1, 1, (1, 3, 1)), (9, 3, (3, 3, 4)), (8, 8, (1, 3, 8))])
def test_signs_fill_whole_blocks(features, dimension, shape):
    drawn = signs(features, dimension)
    assert drawn.shape == shape
    assert (drawn.abs() == 1).all()


@pytest.mark.parametrize("d", [1, 2, 3, 8, 13])
def test_frequencies_are_the_definition(d):
    """sqrt(2 gamma p) H D_3 H D_2 H D_1, its first d columns, block below block."""
    drawn = signs(3 * d, d)
    p = drawn.shape[-1]
    h = torch.from_numpy(hadamard(p)).double() / math.sqrt(p)
    blocks = [math.sqrt(2 * 0.7 * p) * h @ (b[2, :, None] * h) @ (b[1, :, None] * h) * b[0] for b in drawn]
    torch.testing.assert_close(structured_frequencies(drawn, d, gamma=0.7), torch.cat(blocks)[:, :d], **CLOSE)


@pytest.mark.parametrize("crossover", [0, 10**6])
@pytest.mark.parametrize("shape", [(3, 5), (40, 5), (2, 30, 16)])
def test_both_ways_to_the_phases_agree(monkeypatch, crossover, shape):
    """Which one is taken is a matter of speed; blocks of rows and batch axes change nothing."""
    monkeypatch.setattr(structured, "_CROSSOVER", {torch.float64: crossover})
    monkeypatch.setattr(structured, "_BLOCK_NUMBERS", 50)
    points, drawn = normal(*shape), signs(20, shape[-1])
    frequencies = structured_frequencies(drawn, shape[-1], gamma=0.3)
    torch.testing.assert_close(structured_phases(points, drawn, gamma=0.3), points @ frequencies.mT, **CLOSE)
    features = structured_fourier_features(points, drawn, gamma=0.3)
    torch.testing.assert_close(features, random_fourier_features(points, frequencies), **CLOSE)
    points.requires_grad_()
    assert torch.autograd.gradcheck(lambda x: structured_phases(x, drawn, gamma=0.3), (points,), fast_mode=True)


def test_signs_of_another_width_are_refused():
    with pytest.raises(ValueError, match="power of two"):
        structured_phases(normal(4, 3), torch.ones(1, 3, 3, dtype=torch.float64), gamma=1.0)
    with pytest.raises(ValueError, match="power of two that is no less"):
        structured_frequencies(torch.ones(1, 3, 2, dtype=torch.float64), 3, gamma=1.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("n", "m"), [(3, 2), (300, 1100), (1030, 700)])
def test_features_are_written_into_given_memory(dtype, n, m):
    """Blocks of rows and columns, the last ones short, and memory of numpy where it is large."""
    points, frequencies = normal(n, 3).to(dtype), normal(m, 3, seed=1).to(dtype)
    phases = points @ frequencies.mT
    truth = torch.cat([phases.cos(), phases.sin()], -1) / math.sqrt(m)
    out = torch.full((n, 2 * m), math.nan, dtype=dtype)
    assert random_fourier_features(points, frequencies, out=out) is out
    tolerance = {"rtol": 0, "atol": 100 * torch.finfo(dtype).eps / math.sqrt(m)}
    torch.testing.assert_close(out, truth, **tolerance)
    torch.testing.assert_close(random_fourier_features(points, frequencies), truth, **tolerance)


def test_batch_axes_are_written_too():
    points, frequencies = normal(2, 1, 4, 3), normal(5, 6, 3, seed=1)
    out = points.new_empty(2, 5, 4, 12)
    random_fourier_features(points, frequencies, out=out)
    for i, j in ((0, 0), (1, 4)):
        torch.testing.assert_close(out[i, j], random_fourier_features(points[i, 0], frequencies[j]), **CLOSE)


@pytest.mark.parametrize("out", [torch.empty(4, 11, dtype=torch.float64), torch.empty(4, 12)])
def test_memory_that_does_not_fit_is_refused(out):
    with pytest.raises(ValueError, match="out has shape"):
        random_fourier_features(normal(4, 3), normal(6, 3), out=out)


def test_a_gradient_cannot_pass_through_given_memory():
    with pytest.raises(ValueError, match="requires a gradient"):
        random_fourier_features(normal(4, 3).requires_grad_(), normal(6, 3), out=normal(4, 12))


@pytest.mark.parametrize("block_rows", [1, 4, 100])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_moments_are_those_of_the_stored_features(block_rows, batch):
    points, frequencies, targets = normal(*batch, 10, 3), normal(6, 3, seed=1), normal(*batch, 10, seed=2)
    features = random_fourier_features(points, frequencies)
    gram, product = fourier_moments(points, targets, frequencies, block_rows=block_rows)
    torch.testing.assert_close(gram, features.mT @ features, **CLOSE)
    torch.testing.assert_close(product, (features.mT @ targets.unsqueeze(-1)).squeeze(-1), **CLOSE)
    torch.testing.assert_close(fourier_gram(points, frequencies, block_rows=block_rows), gram, **CLOSE)


def test_moments_have_gradients():
    points, targets, frequencies = normal(5, 2), normal(5), normal(3, 2, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(lambda w: fourier_moments(points, targets, w, block_rows=2), (frequencies,))
