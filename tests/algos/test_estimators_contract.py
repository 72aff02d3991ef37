"""The learners keep scikit-learn's contract: its own checks, pipelines, clones, pickles, dtypes and devices."""

import pickle

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state
from sklearn.utils.estimator_checks import parametrize_with_checks

from algos.estimators import GaussianLandmarks, GreedyFourierFeatures, NotSoRandomFeatures, PseudoBayesianLandmarks

torch.set_num_threads(1)

TRANSFORMERS = [
    *(GaussianLandmarks(2, selection=s, random_state=1) for s in ("random", "stratified", "kmeans")),
    *(PseudoBayesianLandmarks(2, n_frequencies=8, selection=s, random_state=1) for s in ("random", "kmeans")),
    PseudoBayesianLandmarks(3, selection="stratified", beta=0.0, random_state=1),
    *(
        GreedyFourierFeatures(5, pool_size=50, weighting=w, random_state=1)
        for w in ("pseudo-bayesian", "chi-square", "uniform")
    ),
    NotSoRandomFeatures(n_rounds=3, n_starts=5, n_steps=10, random_state=1),
]
DEFAULTS = [GaussianLandmarks(), PseudoBayesianLandmarks(), GreedyFourierFeatures()]


def is_one_centroid_per_class(transformer):
    """Whatever the start of k-means."""
    return isinstance(transformer, GaussianLandmarks) and transformer.selection == "kmeans"


every_transformer = pytest.mark.parametrize("transformer", TRANSFORMERS, ids=str)

RANDOM = np.random.RandomState(0)
POINTS = RANDOM.randn(60, 3)
LABELS = np.array(["inside", "outside"])[(np.linalg.norm(POINTS, axis=1) > 1.5).astype(int)]


@parametrize_with_checks([*TRANSFORMERS, *DEFAULTS])
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@every_transformer
def test_a_clone_and_a_pickle_compute_the_same(transformer):
    fitted = clone(transformer).fit(POINTS, LABELS)
    mapped = fitted.transform(POINTS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).transform(POINTS), mapped)
    np.testing.assert_array_equal(clone(fitted).fit(POINTS, LABELS).transform(POINTS), mapped)
    assert fitted.get_feature_names_out().shape == (mapped.shape[1],)


@pytest.mark.parametrize("transformer", [t for t in TRANSFORMERS if not is_one_centroid_per_class(t)], ids=str)
def test_another_seed_is_another_draw_and_a_shared_state_moves_on(transformer):
    mapped = [clone(transformer).set_params(random_state=s).fit_transform(POINTS, LABELS) for s in (1, 2)]
    assert not np.array_equal(*mapped)
    state = np.random.RandomState(0)
    mapped = [clone(transformer).set_params(random_state=state).fit(POINTS, LABELS).transform(POINTS) for _ in "ab"]
    assert not np.array_equal(*mapped)


def test_the_starts_of_k_means_follow_the_random_state():
    models = [GaussianLandmarks(30, selection="kmeans", n_init=1, random_state=s).fit(POINTS, LABELS) for s in (1, 2)]
    assert not np.array_equal(models[0].landmarks_, models[1].landmarks_)


@every_transformer
def test_single_precision_is_the_same_map_rounded(transformer):
    """The same landmarks and frequencies: a stream of random numbers that depended on the dtype would differ wholly."""
    exact = clone(transformer).fit_transform(POINTS, LABELS)
    rounded = clone(transformer).fit_transform(POINTS.astype(np.float32), LABELS)
    assert rounded.dtype == np.float32
    np.testing.assert_allclose(rounded, exact, rtol=0, atol=1e-4)


@every_transformer
def test_no_global_generator_is_touched(transformer):
    numpy_generator = check_random_state(None)  # the global one
    numpy_state, torch_state = numpy_generator.get_state()[1].copy(), torch.get_rng_state()
    clone(transformer).fit_transform(POINTS, LABELS)
    np.testing.assert_array_equal(numpy_generator.get_state()[1], numpy_state)
    assert torch.equal(torch.get_rng_state(), torch_state)


@pytest.mark.parametrize("transformer", [t for t in TRANSFORMERS if not isinstance(t, NotSoRandomFeatures)], ids=str)
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_gpu_computes_the_same(transformer):
    """Ascents are left out: they start where the generator of the device says."""
    on_cpu = clone(transformer).fit(POINTS, LABELS)
    on_gpu = clone(transformer).set_params(device="cuda").fit(POINTS, LABELS)
    np.testing.assert_allclose(on_gpu.transform(POINTS), on_cpu.transform(POINTS), rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("transformer", "grid"),
    [
        (GaussianLandmarks(8, random_state=0), {"gamma": [0.1, 1.0], "selection": ["random", "stratified", "kmeans"]}),
        (PseudoBayesianLandmarks(8, random_state=0), {"beta": [0.0, 1.0], "selection": ["random", "kmeans"]}),
        (
            GreedyFourierFeatures(20, pool_size=500, random_state=0),
            {"weighting": ["pseudo-bayesian", "chi-square", "uniform"], "rho": [0.0, 10.0]},
        ),
        (
            NotSoRandomFeatures(n_rounds=10, n_starts=10, random_state=0),
            {"scaling": ["kernel", "raw"], "step": ["adagrad", 0.01]},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_pipeline_with_a_linear_machine_is_searched_over_a_grid(transformer, grid):
    """Inside and outside a sphere: no linear rule on the points beats 42 of 60 by much, and a kernel does."""
    pipeline = make_pipeline(transformer, LinearSVC(C=100.0, dual=False))
    name = type(transformer).__name__.lower()
    search = GridSearchCV(pipeline, {f"{name}__{key}": values for key, values in grid.items()}, cv=3)
    search.fit(POINTS, LABELS)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()  # a failed fit is a NaN there
    plain = LinearSVC(C=100.0, dual=False).fit(POINTS, LABELS).score(POINTS, LABELS)
    assert search.best_estimator_.score(POINTS, LABELS) > plain


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (GaussianLandmarks(0), "n_landmarks = 0"),
        (GaussianLandmarks(1.5), r"n_landmarks = 1\.5"),
        (GaussianLandmarks(61), "n_landmarks is 61, but the sample has n_samples = 60"),
        (GaussianLandmarks(n_landmarks=True), "n_landmarks = True"),
        (GaussianLandmarks("2"), "n_landmarks = '2'"),
        (GaussianLandmarks(2, gamma=0.0), r"gamma = 0\.0"),
        (GaussianLandmarks(2, gamma=float("nan")), "gamma = nan"),
        (GaussianLandmarks(2, selection="first"), "selection = 'first' must be one of 'random'"),
        (GaussianLandmarks(2, selection="kmeans", n_init=0), "n_init = 0"),
        (PseudoBayesianLandmarks(2, beta=-1.0), r"beta = -1\.0"),
        (PseudoBayesianLandmarks(2, n_frequencies=2.5), r"n_frequencies = 2\.5"),
        (GreedyFourierFeatures(0), "n_components = 0"),
        (GreedyFourierFeatures(2, pool_size=0), "pool_size = 0"),
        (GreedyFourierFeatures(2, weighting="best"), "weighting = 'best'"),
        (GreedyFourierFeatures(2, pool_size=5, weighting="chi-square", rho=-1), "rho = -1"),
        (GreedyFourierFeatures(2, pool_size=5, beta=float("inf")), "beta = inf"),
    ],
    ids=str,
)
def test_bad_parameters_are_named_when_fitting(transformer, message):
    with pytest.raises((ValueError, TypeError), match=message):
        transformer.fit(POINTS, LABELS)
