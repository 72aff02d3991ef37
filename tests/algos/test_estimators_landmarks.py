"""Landmark transformers against the definitions, written out in numpy for one landmark and one frequency at a time."""

import math

import mpmath
import numpy as np
import pytest
import torch

from algos.estimators import GaussianLandmarks, PseudoBayesianLandmarks

torch.set_num_threads(1)

SELECTIONS = ["random", "stratified", "kmeans"]
RANDOM = np.random.RandomState(3)
POINTS = RANDOM.randn(23, 4)
TWO, THREE = (np.array(["b", "a", "c"])[RANDOM.randint(classes, size=23)] for classes in (2, 3))


def _loss_by_definition(fitted: PseudoBayesianLandmarks, labels: np.ndarray, landmark: int, frequency: int) -> float:
    own = None if fitted.landmark_indices_ is None else fitted.landmark_indices_[landmark]
    losses = []
    for i, point in enumerate(POINTS):
        if i == own:
            continue
        agreement = 1 if labels[i] == fitted.landmark_labels_[landmark] else -1
        phase = fitted.frequencies_[landmark, frequency] @ (fitted.landmarks_[landmark] - point)
        losses.append((1 - agreement * math.cos(phase)) / 2)
    return sum(losses) / len(losses)


@pytest.mark.parametrize("labels", [TWO, THREE, np.zeros(23, dtype=int)], ids=["two", "three", "one class"])
@pytest.mark.parametrize("selection", SELECTIONS)
def test_losses_posteriors_and_similarities_are_those_of_the_definitions(selection, labels):
    """Catches a landmark paired with itself, a centroid without its n-th pair, and landmarks that share frequencies."""
    model = PseudoBayesianLandmarks(5, n_frequencies=7, gamma=0.3, beta=2.0, selection=selection, random_state=4)
    mapped = model.fit_transform(POINTS, labels)
    for landmark in range(5):
        losses = np.array([_loss_by_definition(model, labels, landmark, m) for m in range(7)])
        np.testing.assert_allclose(model.losses_[landmark], losses, rtol=0, atol=1e-13)
        weights = np.exp(-2.0 * math.sqrt(23) * losses)
        weights /= weights.sum()
        np.testing.assert_allclose(model.posteriors_[landmark], weights, rtol=1e-11)
        phases = (model.landmarks_[landmark] - POINTS) @ model.frequencies_[landmark].T
        np.testing.assert_allclose(mapped[:, landmark], np.cos(phases) @ weights, rtol=0, atol=1e-13)
        assert model.kl_[landmark] == pytest.approx((weights * np.log(7 * weights)).sum(), rel=1e-10, abs=1e-13)
        assert model.chi_square_[landmark] == pytest.approx(7 * (weights**2).sum() - 1, rel=1e-10, abs=1e-13)
        assert model.effective_sample_size_[landmark] == pytest.approx(1 / (weights**2).sum(), rel=1e-10)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_both_transformers_choose_the_same_landmarks(selection):
    learned = PseudoBayesianLandmarks(6, n_frequencies=2, selection=selection, random_state=9).fit(POINTS, THREE)
    plain = GaussianLandmarks(6, selection=selection, random_state=9).fit(POINTS, THREE)
    np.testing.assert_array_equal(learned.landmarks_, plain.landmarks_)
    if selection == "kmeans":
        assert learned.landmark_indices_ is None
    else:
        assert len(set(learned.landmark_indices_)) == 6
        np.testing.assert_array_equal(learned.landmarks_, POINTS[learned.landmark_indices_])
        np.testing.assert_array_equal(learned.landmark_labels_, THREE[learned.landmark_indices_])
    if selection != "random":
        assert sorted(learned.landmark_labels_) == ["a", "a", "b", "b", "c", "c"]


def test_the_gaussian_map_is_the_kernel_with_the_landmarks():
    model = GaussianLandmarks(5, gamma=0.7, random_state=0)
    mapped = model.fit_transform(POINTS)  # needs no labels
    squares = ((POINTS[:, None] - model.landmarks_[None]) ** 2).sum(-1)
    np.testing.assert_allclose(mapped, np.exp(-0.7 * squares), rtol=1e-12)


def test_a_common_shift_of_a_million_leaves_the_gaussian_map():
    """Squared norms of 1e12 would lose four of the digits of the distances that remain after the shift itself."""
    grid = np.round(POINTS * 2**20) / 2**20  # so that the shift is exact
    mapped = GaussianLandmarks(5, random_state=0).fit_transform(grid)
    np.testing.assert_allclose(GaussianLandmarks(5, random_state=0).fit_transform(grid + 2.0**20), mapped, rtol=1e-9)


def test_beta_zero_is_plain_random_features():
    model = PseudoBayesianLandmarks(4, n_frequencies=9, beta=0.0, random_state=1)
    mapped = model.fit_transform(POINTS, THREE)
    phases = np.einsum("lmd,nld->nlm", model.frequencies_, model.landmarks_ - POINTS[:, None])
    np.testing.assert_allclose(mapped, np.cos(phases).mean(-1), rtol=0, atol=1e-13)
    assert (model.kl_ == 0).all()
    np.testing.assert_allclose(model.effective_sample_size_, 9, rtol=1e-14)


@pytest.mark.parametrize("beta", [1e-3, 1.0, 1e3, 1e12, 1e300])
def test_divergences_at_any_temperature_agree_with_60_digits(beta):
    """From 1e3 on beta sqrt(n) times the range of the losses exceeds 746, where exponentials underflow to zero."""
    model = PseudoBayesianLandmarks(3, n_frequencies=40, gamma=0.3, beta=beta, random_state=2).fit(POINTS, TWO)
    assert np.isfinite(model.transform(POINTS)).all()
    assert bool((model.posteriors_ == 0).any()) == (beta >= 1e3)
    with mpmath.workdps(60):
        tau = mpmath.mpf(beta * math.sqrt(23))
        for landmark, losses in enumerate(model.losses_):
            lowest = mpmath.mpf(float(losses.min()))
            weights = [mpmath.exp(-tau * (mpmath.mpf(float(loss)) - lowest)) for loss in losses]
            total = sum(weights)
            posterior = [weight / total for weight in weights]
            mean = sum(q * tau * (mpmath.mpf(float(loss)) - lowest) for q, loss in zip(posterior, losses, strict=True))
            kl = -mean - mpmath.log(total / 40)  # the identity -tau E_Q loss - log E_P exp(-tau loss)
            squares = sum(q**2 for q in posterior)
            assert model.kl_[landmark] == pytest.approx(float(kl), rel=1e-12, abs=1e-14)
            assert model.chi_square_[landmark] == pytest.approx(float(40 * squares - 1), rel=1e-11, abs=1e-14)
            assert model.effective_sample_size_[landmark] == pytest.approx(float(1 / squares), rel=1e-11)


def test_a_share_of_the_points_is_rounded_and_never_none():
    counts = {share: len(GaussianLandmarks(share).fit(POINTS).landmarks_) for share in (0.001, 0.1, 0.15, 0.5, 1.0)}
    assert counts == {0.001: 1, 0.1: 2, 0.15: 3, 0.5: 12, 1.0: 23}


def test_a_class_with_too_few_points_is_named():
    labels = np.zeros(23, dtype=int)
    labels[0] = 5
    with pytest.raises(ValueError, match="class 1, which has 1 points"):
        GaussianLandmarks(4, selection="stratified").fit(POINTS, labels)
