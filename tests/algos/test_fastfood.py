"""Fastfood: the transform, the law of its rows, and what padding and leftovers change."""

import math

import pytest
import scipy.linalg
import torch

from algos.fourier import fastfood


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("size", [1, 2, 8, 64])
def test_the_transform_is_the_hadamard_matrix(size):
    found = fastfood._hadamard(torch.eye(size, dtype=torch.float64))
    torch.testing.assert_close(found, torch.from_numpy(scipy.linalg.hadamard(size) / math.sqrt(size)).double())


@pytest.mark.parametrize(("d", "count"), [(1, 3), (3, 8), (5, 9), (8, 20)])
def test_features_have_norm_one_and_the_asked_number(d, count):
    points = torch.randn(4, d, dtype=torch.float64, generator=generator())
    features = fastfood.fastfood_features(points, count=count, gamma=0.7, generator=generator(1))
    assert features.shape == (4, 2 * count)
    torch.testing.assert_close(features.square().sum(-1), torch.ones(4, dtype=torch.float64))
    again = fastfood.fastfood_features(points, count=count, gamma=0.7, generator=generator(1))
    assert torch.equal(features, again)


@pytest.mark.parametrize(("d", "count", "gamma"), [(1, 3, 0.5), (3, 8, 2.0), (8, 20, 0.1)])
def test_products_are_unbiased_for_the_gaussian_kernel(d, count, gamma):
    """Within five standard errors of 20,000 draws: a false alarm in a million; a lost factor is tens of them away."""
    pair = torch.stack([torch.zeros(d), torch.full((d,), 0.8 / math.sqrt(d * gamma))]).double()
    features = fastfood.fastfood_features(pair.expand(20_000, 2, d), count=count, gamma=gamma, generator=generator(2))
    products = (features[:, 0] * features[:, 1]).sum(-1)
    error = products.std().item() / math.sqrt(len(products))
    assert abs(products.mean().item() - math.exp(-0.64)) < 5 * error
    assert error < 0.01
