"""Alignments against the double sum over pairs, and the two estimators against the kernel that they estimate."""

import itertools
import math

import pytest
import torch

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.feature_families import ArcCosine, Coordinates, OffsetCosine
from algos.kernel_learning.weights import (
    alignment_u_statistic,
    alignment_vector,
    class_targets,
    learned_kernel,
    reweighted_features,
    sampled_features,
    support,
)

torch.set_num_threads(1)
N_POINTS, N_FEATURES = 9, 6
LABELS = [torch.tensor(codes) for codes in ([0, 1] * 4 + [0], [0, 1, 2] * 3, [4, 4, 7, 9, 7, 9, 9, 5, 4], [3] * 9)]


def _points(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def _similarity(labels):
    classes = len(set(labels.tolist()))
    different = -1 / (classes - 1) if classes > 1 else math.nan
    same = (labels.unsqueeze(-1) == labels).double()
    return same + (1 - same) * different if classes > 1 else same


@pytest.mark.parametrize("labels", LABELS, ids=str)
def test_targets_factor_the_similarity_of_the_labels(labels):
    targets = class_targets(labels)
    torch.testing.assert_close(targets.mT @ targets, _similarity(labels))


def test_two_classes_are_the_signs_of_the_paper():
    signs = torch.tensor([-1.0, 1.0, 1.0, -1.0], dtype=torch.float64)
    assert (class_targets(signs) == signs).all()


@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("family", [OffsetCosine(), Coordinates(), ArcCosine(0), ArcCosine(2)], ids=repr)
def test_alignments_are_sums_over_pairs(labels, family):
    """With the diagonal, and without it: exchanging the two would fail."""
    points = _points(N_POINTS, 3)
    parameters = family.draw(N_FEATURES, 3, generator=torch.Generator().manual_seed(1))
    features, targets, similarity = family.evaluate(points, parameters), class_targets(labels), _similarity(labels)
    pairs = [features[i] * features[j] * similarity[i, j] for i, j in itertools.product(range(N_POINTS), repeat=2)]
    expected = torch.stack(pairs).sum(0)
    torch.testing.assert_close(alignment_vector(points, targets, parameters, family), expected)
    mixed = [features[i] * features[j] * similarity[i, j] for i, j in itertools.permutations(range(N_POINTS), 2)]
    torch.testing.assert_close(alignment_u_statistic(points, targets, parameters, family), torch.stack(mixed).mean(0))


def test_the_objective_is_the_alignment_of_the_learned_kernel():
    points, labels, family = _points(N_POINTS, 3), LABELS[0], OffsetCosine()
    parameters = family.draw(N_FEATURES, 3, generator=torch.Generator().manual_seed(1))
    v = alignment_vector(points, class_targets(labels), parameters, family)
    weights = chi_square_ball_maximum(v, 1.0).weights
    features = family.evaluate(points, parameters)
    kernel = learned_kernel(features, features, weights)
    torch.testing.assert_close((_similarity(labels) * kernel).sum(), weights @ v)
    rescaled = reweighted_features(features, weights)
    torch.testing.assert_close(rescaled @ rescaled.mT, kernel)


def test_dropping_zeros_leaves_the_kernel_unchanged():
    weights = torch.tensor([0.0, 0.2, 0.0, 0.5, 1e-17, 0.3], dtype=torch.float64)
    assert support(weights).tolist() == [3, 5, 1, 4]
    assert support(weights, smallest=2.0**-52).tolist() == [3, 5, 1]
    features, kept = _points(4, 6), support(weights)
    small = reweighted_features(features[:, kept], weights[kept])
    torch.testing.assert_close(small @ small.mT, learned_kernel(features, features, weights))


def test_draws_follow_the_weights_for_every_uniform_number(monkeypatch):
    """The inverse of the distribution function on a grid of uniforms: each index exactly in proportion, zeros never."""
    weights = torch.tensor([[0.0, 0.25, 0.0, 0.75, 0.0], [0.5, 0.0, 0.0, 0.0, 0.5]], dtype=torch.float64)
    grid = (torch.arange(400, dtype=torch.float64) / 400).expand(2, 400)
    monkeypatch.setattr(torch, "rand", lambda *_, **__: grid)
    index = sampled_features(weights, 400, generator=torch.Generator())
    for row, law in zip(index, weights, strict=True):
        assert (torch.bincount(row, minlength=5) == (400 * law).long()).all()
    monkeypatch.setattr(torch, "rand", lambda *_, **__: torch.full((2, 400), 1 - 2.0**-53, dtype=torch.float64))
    assert (sampled_features(weights / 3, 400, generator=torch.Generator()) == torch.tensor([[3], [4]])).all()


def test_the_mean_over_draws_is_the_learned_kernel_in_expectation():
    """Enumeration of all D-tuples: eq. (5) is unbiased, with the factor 1 / D."""
    weights, features = torch.tensor([0.5, 0.2, 0.3], dtype=torch.float64), _points(4, 3)
    expected = torch.zeros(4, 4, dtype=torch.float64)
    for draws in itertools.product(range(3), repeat=2):
        chosen = features[:, list(draws)] / math.sqrt(2)
        expected += weights[list(draws)].prod() * (chosen @ chosen.mT)
    torch.testing.assert_close(expected, learned_kernel(features, features, weights))


def test_impossible_samples_are_refused_by_name():
    family, one = OffsetCosine(), _points(1, 2)
    parameters = family.draw(3, 2, generator=torch.Generator())
    with pytest.raises(ValueError, match="points has shape"):
        alignment_u_statistic(one, torch.ones(1, 1), parameters, family)
    with pytest.raises(ValueError, match=r"squared norm 4\.0"):
        alignment_u_statistic(_points(3, 2), torch.tensor([[1.0, -2.0, 1.0]]), parameters, family)
    with pytest.raises(ValueError, match="count = 0"):
        sampled_features(torch.ones(2), 0, generator=torch.Generator())
    with pytest.raises(ValueError, match="weights are all 0"):
        sampled_features(torch.tensor([[0.5, 0.5], [0.0, 0.0]]), 3, generator=torch.Generator())
