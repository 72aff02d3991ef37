"""Features whose inner products are cosines, and frequencies of the right law."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from algos.fourier import _blocks
from algos.fourier.random_features import (
    feature_product_variance,
    gaussian_frequencies,
    gaussian_kernel,
    random_fourier_features,
)

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("batch", [(), (3,)])
def test_inner_products_are_mean_cosines_and_norms_are_one(batch):
    points, frequencies = normal(*batch, 5, 2), normal(*batch, 7, 2, seed=1)
    features = random_fourier_features(points, frequencies)
    differences = points.unsqueeze(-2) - points.unsqueeze(-3)
    truth = (differences @ frequencies.mT.unsqueeze(-3)).cos().mean(-1)
    torch.testing.assert_close(features @ features.mT, truth, **CLOSE)


def test_the_differentiable_path_agrees():
    points, frequencies = normal(5, 2), normal(7, 2, seed=1).requires_grad_()
    features = random_fourier_features(points, frequencies)
    torch.testing.assert_close(features.detach(), random_fourier_features(points, frequencies.detach()), **CLOSE)
    assert torch.autograd.gradcheck(random_fourier_features, (points, frequencies))


def test_the_kernel_is_the_definition_and_one_on_the_diagonal():
    points, others = normal(4, 3), normal(6, 3, seed=1)
    truth = (-0.7 * (points.unsqueeze(-2) - others).square().sum(-1)).exp()
    torch.testing.assert_close(gaussian_kernel(points, others, gamma=0.7), truth, **CLOSE)
    assert (gaussian_kernel(points, points, gamma=0.7) <= 1).all()


@pytest.mark.parametrize("distance", [1e3, 1e8, 1e15])
def test_the_kernel_is_the_same_far_from_the_origin(distance):
    """Of differences that are exact in floats, so that nothing but the formula can lose digits."""
    steps = torch.arange(5, dtype=torch.float64).unsqueeze(-1)
    near, far = (gaussian_kernel(points, points[1:], gamma=0.3) for points in (steps, steps + distance))
    torch.testing.assert_close(far, near, **CLOSE)
    assert (far.diagonal(-1) == 1).all()


def test_a_large_gamma_has_finite_frequencies():
    generators = (torch.Generator().manual_seed(4) for _ in "ab")
    large, unit = (gaussian_frequencies(3, 2, gamma=g, generator=next(generators)) for g in (1e308, 1.0))
    torch.testing.assert_close(large / 1e154, unit, **CLOSE)


def test_frequencies_have_variance_two_gamma():
    """Squares over 2 gamma sum to a chi-square of 40000 degrees: a test at 1e-6 that sees a scale 10 % off."""
    frequencies = gaussian_frequencies(20000, 2, gamma=0.3, generator=torch.Generator().manual_seed(1))
    statistic = float(frequencies.square().sum()) / 0.6
    low, high = stats.chi2.ppf([5e-7, 1 - 5e-7], 40000)
    assert low < statistic < high
    assert not low < statistic * 1.1 < high


def test_the_generator_decides_and_the_global_one_is_untouched():
    state = torch.random.get_rng_state()
    first, second = (gaussian_frequencies(3, 2, gamma=1.0, generator=torch.Generator().manual_seed(4)) for _ in "ab")
    assert (first == second).all()
    assert (torch.random.get_rng_state() == state).all()


@pytest.mark.parametrize("gamma", [0.0, -1.0, math.nan, math.inf])
def test_bad_gamma_is_named(gamma):
    with pytest.raises(ValueError, match=f"gamma = {gamma}"):
        gaussian_frequencies(3, 2, gamma=gamma, generator=torch.Generator())
    with pytest.raises(ValueError, match=f"gamma = {gamma}"):
        gaussian_kernel(normal(2, 2), normal(2, 2), gamma=gamma)


@pytest.mark.parametrize("delta", [0.0, 0.3, 2.0])
def test_the_variance_of_a_product_of_features_by_quadrature(delta):
    """Gauss-Hermite over one Gaussian frequency, gamma = 1/2: the variance of cos(w delta), over m features a m-th."""
    nodes, weights = (torch.as_tensor(part) for part in np.polynomial.hermite_e.hermegauss(80))
    weights = weights / weights.sum()
    products = (nodes * delta).cos()
    mean = (weights * products).sum()
    truth = (weights * (products - mean).square()).sum()
    kernel, doubled = (torch.tensor(math.exp(-(d**2) / 2), dtype=torch.float64) for d in (delta, 2 * delta))
    for m in (1, 5):
        torch.testing.assert_close(feature_product_variance(kernel, doubled, m), truth / m, rtol=1e-12, atol=1e-15)


def test_a_product_needs_a_feature():
    with pytest.raises(ValueError, match="features = 0"):
        feature_product_variance(torch.ones(1), torch.ones(1), 0)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_numpy_and_torch_turn_alike_on_any_number_of_threads(wide, threads, monkeypatch):
    """Uneven blocks; the floats of a product may depend on the height of its block, so to rounding of its terms."""
    generator = torch.Generator().manual_seed(0)
    points, frequencies = torch.randn(1001, 5, generator=generator), torch.randn(2001, 5, generator=generator)
    expected = random_fourier_features(points.double(), frequencies.double())
    monkeypatch.setattr(_blocks, "_wide_vectors", lambda: wide)
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    features = random_fourier_features(points, frequencies)
    torch.testing.assert_close(features.double(), expected, rtol=0.0, atol=1e-5 / 2001**0.5)
