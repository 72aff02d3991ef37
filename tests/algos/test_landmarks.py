"""Landmarks of the promised kind, and similarities that are the printed sums."""

import pytest
import torch

from algos.kernel_learning import landmark_alignment_loss, pseudo_bayesian_similarities, pseudo_bayesian_weights
from algos.kernel_learning.landmarks import kmeans_landmarks, random_landmarks, similarity_map, stratified_landmarks

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


LABELS = torch.tensor([1.0] * 7 + [-1.0] * 5, dtype=torch.float64)


def test_random_landmarks_are_distinct_positions_and_may_be_all_of_them():
    assert sorted(random_landmarks(LABELS, 12, generator=generator()).tolist()) == list(range(12))
    assert len(set(random_landmarks(LABELS, 5, generator=generator()).tolist())) == 5


@pytest.mark.parametrize(("count", "shares"), [(6, (3, 3)), (7, (4, 3)), (1, (1, 0))])
def test_stratified_and_kmeans_landmarks_share_out_the_classes(count, shares):
    positions = stratified_landmarks(LABELS, count, generator=generator())
    assert len(set(positions.tolist())) == count
    points = torch.randn(12, 2, dtype=torch.float64, generator=generator())
    _, classes = kmeans_landmarks(points, LABELS, count, seed=0)
    for labels in (LABELS[positions], classes):
        assert (int((labels == -1).sum()), int((labels == 1).sum())) == shares


def test_kmeans_finds_separated_clusters_of_each_class():
    centres = torch.tensor([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 10.0]], dtype=torch.float64)
    points = centres.repeat_interleave(5, 0) + 0.01 * torch.randn(20, 2, dtype=torch.float64, generator=generator())
    labels = torch.tensor([0.0] * 10 + [1.0] * 10, dtype=torch.float64)
    landmarks, classes = kmeans_landmarks(points, labels, 4, seed=3)
    for code, own in ((0.0, centres[:2]), (1.0, centres[2:])):
        distances = torch.cdist(own, landmarks[classes == code]).amin(-1)
        assert (distances < 0.05).all()


def test_the_similarity_is_the_posterior_mean_of_cosines():
    points = torch.randn(6, 2, dtype=torch.float64, generator=generator(1))
    landmarks = torch.randn(3, 2, dtype=torch.float64, generator=generator(2))
    frequencies = torch.randn(3, 4, 2, dtype=torch.float64, generator=generator(3))
    posterior = torch.randn(3, 4, dtype=torch.float64, generator=generator(4)).softmax(-1)
    ours = similarity_map(points, landmarks, frequencies, posterior)
    for k in range(3):
        truth = ((landmarks[k] - points) @ frequencies[k].mT).cos() @ posterior[k]
        torch.testing.assert_close(ours[:, k], truth, **CLOSE)
    at_landmarks = similarity_map(landmarks, landmarks, frequencies, posterior)
    torch.testing.assert_close(at_landmarks.diagonal(), torch.ones(3, dtype=torch.float64), **CLOSE)


def test_too_many_landmarks_are_refused():
    with pytest.raises(ValueError, match="13 landmarks are asked of the sample, which has 12"):
        random_landmarks(LABELS, 13, generator=generator())
    with pytest.raises(ValueError, match="6 landmarks are asked of class -1, which has 5"):
        stratified_landmarks(LABELS, 12, generator=generator())


@pytest.mark.parametrize("in_sample", [False, True])
def test_learned_similarities_are_those_of_the_posteriors_one_by_one(in_sample):
    """A column without entries is left out, which changes nothing."""
    draws = generator()
    points = torch.randn(60, 5, dtype=torch.float64, generator=draws)
    points[:, 2] = 0
    sample = torch.randperm(60, generator=draws)[:40]
    labels = torch.randint(0, 3, (40,), generator=draws)
    landmarks = points[sample[:7]] if in_sample else points[sample[:7]] + 0.1
    frequencies = torch.randn(7, 9, 5, dtype=torch.float64, generator=draws)
    betas = torch.tensor([0.0, 1.0, 100.0], dtype=torch.float64)
    maps = pseudo_bayesian_similarities(
        points, sample, labels, landmarks, frequencies, landmark_labels=labels[:7], betas=betas, in_sample=in_sample
    )
    losses = landmark_alignment_loss(points[sample], labels, landmarks, labels[:7], frequencies, in_sample=in_sample)
    for beta, ours in zip(betas.tolist(), maps, strict=True):
        posterior = pseudo_bayesian_weights(losses, beta, sample_size=40)
        torch.testing.assert_close(ours, similarity_map(points, landmarks, frequencies, posterior), rtol=0, atol=1e-13)


def test_one_point_leaves_no_pair_with_itself():
    point, label = torch.ones(1, 2, dtype=torch.float64), torch.zeros(1)
    with pytest.raises(ValueError, match="1 points leave no pair with a landmark: give at least 2"):
        pseudo_bayesian_similarities(
            point,
            torch.tensor([0]),
            label,
            point,
            torch.ones(1, 3, 2, dtype=torch.float64),
            landmark_labels=label,
            betas=torch.ones(1),
            in_sample=True,
        )
