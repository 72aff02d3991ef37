"""Greedy Fourier features: losses by enumeration of pairs, weights by their formulas, draws from the pool alone."""

import math

import mpmath
import numpy as np
import pytest
import torch

from algos.estimators import GreedyFourierFeatures
from algos.kernel_learning.alignment import pairwise_alignment_loss

torch.set_num_threads(1)

RANDOM = np.random.RandomState(3)
POINTS = RANDOM.randn(19, 3)
TWO, THREE = (np.array(["b", "a", "c"])[RANDOM.randint(classes, size=19)] for classes in (2, 3))
both = pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])


def _pool(gamma: float = 0.4, size: int = 12) -> np.ndarray:
    """All frequencies of the pool in the order of their first coordinate: 3000 uniform draws miss one of 12 with
    probability 1e-112."""
    drawn = GreedyFourierFeatures(3000, pool_size=size, gamma=gamma, weighting="uniform", random_state=5).fit(POINTS)
    pool = np.unique(drawn.components_, axis=0)
    assert len(pool) == size
    return pool


def _pair_losses(labels: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    codes = np.unique(labels, return_inverse=True)[1]
    return pairwise_alignment_loss(*(torch.from_numpy(values) for values in (POINTS, codes, frequencies))).numpy()


def _fit(labels: np.ndarray, weighting: str, **parameters: float) -> GreedyFourierFeatures:
    model = GreedyFourierFeatures(40, pool_size=12, gamma=0.4, weighting=weighting, random_state=5)
    return model.set_params(**parameters).fit(POINTS, labels)


@both
def test_losses_are_those_of_the_shared_pool_by_enumeration(labels):
    """One pool for every weighting and labelling, so that learners are compared on the same frequencies."""
    expected = np.sort(_pair_losses(labels, _pool()))
    for weighting in ("pseudo-bayesian", "chi-square"):
        np.testing.assert_allclose(np.sort(_fit(labels, weighting).losses_), expected, rtol=0, atol=1e-13)


@both
def test_the_pseudo_posterior_has_its_formula_and_divergences(labels):
    model = _fit(labels, "pseudo-bayesian", beta=3.0)
    weights = np.exp(-3.0 * math.sqrt(19) * model.losses_)
    weights /= weights.sum()
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-12)
    assert model.kl_ == pytest.approx((weights * np.log(12 * weights)).sum(), rel=1e-12)
    assert model.chi_square_ == pytest.approx(12 * (weights**2).sum() - 1, rel=1e-11)
    assert model.effective_sample_size_ == pytest.approx(1 / (weights**2).sum(), rel=1e-12)


@both
@pytest.mark.parametrize("rho", [0.0, 0.3, 2.0, 11.0, 1e6])
def test_chi_square_weights_fill_the_ball_of_the_papers_radius(labels, rho):
    """The released code's rho is smaller by the factor of the pool size; no posterior in the ball has less loss."""
    model = _fit(labels, "chi-square", rho=rho)
    assert model.chi_square_ == pytest.approx(min(rho, 11), rel=1e-9, abs=1e-12)
    for beta in np.logspace(-3, 3, 60):
        other = _fit(labels, "pseudo-bayesian", beta=beta)
        if other.chi_square_ <= rho:
            assert model.weights_ @ model.losses_ <= other.weights_ @ other.losses_ + 1e-13


@both
@pytest.mark.parametrize(
    ("weighting", "parameters"), [("chi-square", {"rho": 11.0}), ("pseudo-bayesian", {"beta": 1e12})]
)
def test_without_restraint_the_best_frequency_alone_is_drawn(labels, weighting, parameters):
    model = _fit(labels, weighting, **parameters)
    assert len(np.unique(model.components_, axis=0)) == 1
    assert _pair_losses(labels, model.components_[:1]) == pytest.approx(model.losses_.min(), abs=1e-13)
    assert model.kl_ == pytest.approx(math.log(12), rel=1e-12)
    assert model.effective_sample_size_ == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("beta", [1e-2, 10.0, 1e3, 1e12])
def test_divergences_at_any_temperature_agree_with_60_digits(beta):
    model = _fit(TWO, "pseudo-bayesian", beta=beta)
    with mpmath.workdps(60):
        tau = mpmath.mpf(beta * math.sqrt(19))
        shifts = [tau * (mpmath.mpf(float(loss)) - mpmath.mpf(float(model.losses_.min()))) for loss in model.losses_]
        total = sum(mpmath.exp(-shift) for shift in shifts)
        posterior = [mpmath.exp(-shift) / total for shift in shifts]
        mean = sum(q * shift for q, shift in zip(posterior, shifts, strict=True))
        assert model.kl_ == pytest.approx(float(-mean - mpmath.log(total / 12)), rel=1e-12, abs=1e-14)
        assert model.chi_square_ == pytest.approx(float(12 * sum(q**2 for q in posterior) - 1), rel=1e-11)


def test_the_map_holds_cosines_then_sines_of_unit_rows():
    model = _fit(TWO, "pseudo-bayesian")
    mapped = model.transform(POINTS)
    phases = POINTS @ model.components_.T
    expected = np.concatenate([np.cos(phases), np.sin(phases)], axis=1) / math.sqrt(40)
    np.testing.assert_allclose(mapped, expected, rtol=0, atol=1e-14)
    np.testing.assert_allclose((mapped**2).sum(1), 1, rtol=1e-13)


def test_components_come_from_the_pool_in_proportion_to_their_weights():
    """Frequencies are matched to weights through their losses; counts within 6 standard deviations (4e-9 each)."""
    model = _fit(TWO, "pseudo-bayesian", n_components=200_000, beta=2.0)
    values, counts = np.unique(model.components_, axis=0, return_counts=True)
    order, expected = np.argsort(_pair_losses(TWO, values)), model.weights_[np.argsort(model.losses_)]
    assert len(values) == 12
    deviations = np.sqrt(expected * (1 - expected) / 200_000)
    assert (np.abs(counts[order] / 200_000 - expected) <= 6 * deviations).all()
    assert (expected.max() - expected.min()) > 12 * deviations.max()  # or uniform draws would pass


def test_uniform_weights_need_no_labels_and_have_no_losses():
    model = GreedyFourierFeatures(4, pool_size=6, weighting="uniform").fit(POINTS)
    assert model.kl_ == 0
    assert model.effective_sample_size_ == pytest.approx(6)
    assert not hasattr(model, "losses_")
    with pytest.raises(ValueError, match="requires y to be passed"):
        GreedyFourierFeatures(4, pool_size=6).fit(POINTS)
