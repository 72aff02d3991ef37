"""Leverage-weighted features as a transformer, and the penalised learners on top of them."""

import math
import pickle

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from algos.estimators.learners import penalised_learner
from algos.estimators.leverage_features import LeverageWeightedFeatures
from algos.fourier.random_features import random_fourier_features
from algos.ridge.leverage import effective_dimension
from algos.ridge.regression import feature_ridge_coefficients

torch.set_num_threads(1)

RANDOM = np.random.RandomState(2)
POINTS = RANDOM.randn(80, 2)
LABELS = np.array(["inside", "outside"])[(np.linalg.norm(POINTS, axis=1) > 1.2).astype(int)]
SIGNS = np.where(LABELS == "inside", -1.0, 1.0)
KERNELS = ["gaussian", "laplace", "matern12", "matern32", "matern52"]


@parametrize_with_checks(
    [
        LeverageWeightedFeatures(6, pool_size=12, random_state=1),
        LeverageWeightedFeatures(6, pool_size=12, kernel="matern32", sampling="uniform", random_state=1),
    ]
)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", KERNELS)
def test_scores_are_the_leverage_scores_of_the_pool(kernel):
    """The pool is recovered from many uniform draws; each frequency is scored by its cosine and its sine."""
    model = LeverageWeightedFeatures(900, pool_size=8, kernel=kernel, sampling="uniform", random_state=5)
    pool = np.unique(model.fit(POINTS).components_, axis=0)
    assert len(pool) == 8
    model = LeverageWeightedFeatures(900, pool_size=8, kernel=kernel, regularisation=1e-2, block_rows=7, random_state=5)
    model.fit(POINTS)
    points, frequencies = torch.from_numpy(POINTS), torch.from_numpy(pool)
    features = random_fourier_features(points, frequencies)
    approximate = features @ features.T
    inverse = torch.linalg.inv(approximate + 0.8 * torch.eye(80, dtype=torch.float64))
    by_column = ((inverse @ features) * features).sum(0)
    expected = by_column[:8] + by_column[8:]
    np.testing.assert_allclose(np.sort(model.scores_), np.sort(expected.numpy()), rtol=1e-9)
    assert model.effective_dimension_ == pytest.approx(effective_dimension(approximate, 0.8).item(), rel=1e-9)
    by_frequency = {tuple(row): score for row, score in zip(pool, expected.tolist(), strict=True)}
    drawn = np.array([by_frequency[tuple(row)] for row in model.components_])
    np.testing.assert_allclose(model.weights_, np.sqrt(sum(expected.tolist()) / (8 * drawn)), rtol=1e-9)
    mapped = model.transform(POINTS)
    raw = random_fourier_features(points, torch.from_numpy(model.components_)).numpy()
    np.testing.assert_allclose(mapped, raw * np.tile(model.weights_, 2), rtol=1e-12)


def test_single_precision_a_clone_and_a_pickle_compute_the_same():
    model = LeverageWeightedFeatures(10, pool_size=40, random_state=3).fit(POINTS)
    mapped = model.transform(POINTS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(POINTS), mapped)
    np.testing.assert_array_equal(clone(model).fit_transform(POINTS), mapped)
    rounded = clone(model).fit_transform(POINTS.astype(np.float32))
    assert rounded.dtype == np.float32
    np.testing.assert_allclose(rounded, mapped, rtol=0, atol=1e-4)
    assert model.get_feature_names_out().shape == (20,)


def test_ridge_on_the_features_is_kernel_ridge_regression_with_the_sampled_kernel():
    """``K~ (K~ + n lambda)^{-1} y``, also at new points; would catch a penalty off by n, 2 or the feature count."""
    model = LeverageWeightedFeatures(30, pool_size=100, lengthscale=1.5, regularisation=0.05, random_state=0)
    pipeline = make_pipeline(model, penalised_learner("squared", regularisation=0.05, sample_size=60))
    pipeline.fit(POINTS[:60], SIGNS[:60])
    mapped = model.transform(POINTS)
    kernel = mapped @ mapped.T
    exact = KernelRidge(alpha=60 * 0.05, kernel="precomputed").fit(kernel[:60, :60], SIGNS[:60])
    np.testing.assert_allclose(pipeline.predict(POINTS), exact.predict(kernel[:, :60]), rtol=1e-8, atol=1e-10)


LOSSES = {
    "squared": lambda y, f: (y - f) ** 2,
    "hinge": lambda y, f: np.maximum(0, 1 - y * f),
    "logistic": lambda y, f: np.logaddexp(0, -y * f),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_learners_minimise_the_objective_of_the_paper(loss):
    """No step along the solution (a wrong C rescales it) or in 200 random directions is downhill beyond tolerance."""
    lam, features = 0.02, LeverageWeightedFeatures(15, pool_size=60, random_state=0).fit_transform(POINTS)
    learner = penalised_learner(loss, regularisation=lam, sample_size=80, tolerance=1e-9, max_iterations=100_000)
    solution = np.ravel(learner.fit(features, SIGNS).coef_)

    def objective(b):
        return LOSSES[loss](SIGNS, features @ b).mean() + lam * b @ b

    best = objective(solution)
    directions = [solution, *np.random.RandomState(0).randn(200, len(solution))]
    for direction in directions:
        for step in (1e-3, -1e-3, 0.1, -0.1):
            assert objective(solution + step * direction) >= best - 1e-7
    if loss == "squared":
        m = 15  # as in the paper: features without 1/sqrt(m), penalty lambda m |beta|^2
        beta = feature_ridge_coefficients(
            torch.from_numpy(features * math.sqrt(2 * m)), torch.from_numpy(SIGNS), 80 * lam
        )
        np.testing.assert_allclose(solution, math.sqrt(2 * m) * beta.numpy(), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_a_pipeline_is_searched_over_a_grid_and_beats_a_linear_rule(loss):
    learner = penalised_learner(loss, regularisation=1e-3, sample_size=80)
    pipeline = make_pipeline(LeverageWeightedFeatures(30, pool_size=200, random_state=0), learner)
    grid = {
        "leverageweightedfeatures__lengthscale": [0.5, 1.5],
        "leverageweightedfeatures__sampling": ["leverage", "uniform"],
    }
    search = GridSearchCV(pipeline, grid, cv=3).fit(POINTS, LABELS)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    linear = clone(learner).fit(POINTS, LABELS).score(POINTS, LABELS)
    assert search.best_estimator_.score(POINTS, LABELS) > linear


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components = 0"),
        ({"kernel": "cauchy"}, "kernel = 'cauchy'"),
        ({"lengthscale": -1.0}, r"lengthscale = -1\.0"),
        ({"pool_size": 2.5}, r"pool_size = 2\.5"),
        ({"regularisation": 0.0}, r"regularisation = 0\.0"),
        ({"sampling": "best"}, "sampling = 'best'"),
        ({"block_rows": 0}, "block_rows = 0"),
    ],
    ids=str,
)
def test_bad_parameters_are_named_when_fitting(parameters, message):
    with pytest.raises(ValueError, match=message):
        LeverageWeightedFeatures(**parameters).fit(POINTS)


def test_bad_learners_are_named():
    with pytest.raises(ValueError, match="loss = 'absolute'"):
        penalised_learner("absolute", regularisation=1.0, sample_size=3)
    with pytest.raises(ValueError, match="sample_size = 0"):
        penalised_learner("hinge", regularisation=1.0, sample_size=0)
