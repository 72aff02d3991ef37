"""The learned features keep scikit-learn's contract, and their inner products are the learned kernel."""

import pickle

import numpy as np
import pytest
import scipy.sparse
import torch
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from algos.estimators import LearnedKernelFeatures
from algos.kernel_learning.weights import learned_kernel

torch.set_num_threads(1)

FAMILIES = [
    {"family": "gaussian", "gamma": 0.7},
    {"family": "linear"},
    *({"family": "arc-cosine", "order": order} for order in (0, 1, 2)),
]
every_family = pytest.mark.parametrize("options", FAMILIES, ids=str)
SMALL = {"n_features": 60, "rho": 2.0, "n_components": 7, "random_state": 3}

RANDOM = np.random.RandomState(0)
POINTS = RANDOM.randn(80, 4)
LABELS = np.array(["inside", "outside"])[(np.linalg.norm(POINTS, axis=1) > 1.8).astype(int)]


@parametrize_with_checks(
    [
        LearnedKernelFeatures(n_features=20),
        *(LearnedKernelFeatures(**options, **SMALL) for options in FAMILIES[:3]),
        LearnedKernelFeatures(**SMALL, estimator="sampled"),
        LearnedKernelFeatures(**SMALL, estimator="fewest", order_k=3.0),
    ]
)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@every_family
@pytest.mark.parametrize("order_k", [2.0, 3.0])
def test_inner_products_are_the_learned_kernel(options, order_k):
    transformer = LearnedKernelFeatures(**options, **SMALL, order_k=order_k).fit(POINTS, LABELS)
    features = transformer.transform(POINTS)
    assert features.shape == (80, transformer.nnz_)
    assert transformer.nnz_ == (transformer.weights_ > 0).sum()
    everything = clone(transformer).set_params(rho=0.0).fit(POINTS, LABELS)  # the same pool, unweighted
    assert everything.nnz_ == len(everything.weights_)
    back = np.argsort(everything.indices_)
    plain = torch.from_numpy(everything.transform(POINTS)[:, back] / everything.scales_)
    kernel = learned_kernel(plain, plain, torch.from_numpy(transformer.weights_)).numpy()
    np.testing.assert_allclose(features @ features.T, kernel, rtol=1e-10, atol=1e-12)
    signs = np.where(LABELS == "inside", -1.0, 1.0)
    assert transformer.value_ == pytest.approx(signs @ kernel @ signs / 80**2, rel=1e-10)
    assert transformer.alignment_ == pytest.approx((signs @ plain.numpy() / 80) ** 2, rel=1e-9, abs=1e-15)


@every_family
def test_the_certificate_closes_and_the_radius_bounds_the_support(options):
    transformer = LearnedKernelFeatures(**options, **SMALL).fit(POINTS, LABELS)
    size = len(transformer.weights_)
    assert abs(transformer.gap_) <= 1e-12 * max(1.0, transformer.alignment_.max())
    assert transformer.nnz_ >= size / 3
    positive = transformer.alignment_ > transformer.threshold_
    assert (positive == (transformer.weights_ > 0)).all()


@every_family
def test_draws_are_features_of_the_support_with_one_common_scale(options):
    transformer = LearnedKernelFeatures(**options, **SMALL, estimator="sampled").fit(POINTS, LABELS)
    assert transformer.transform(POINTS).shape == (80, 7)
    assert (transformer.weights_[transformer.indices_] > 0).all()
    assert transformer.scales_ == pytest.approx(np.full(7, 7**-0.5))


def test_the_published_rule_samples_below_the_support_size_only():
    few = LearnedKernelFeatures(**SMALL, estimator="fewest").fit(POINTS, LABELS)
    assert few.nnz_ > 7
    assert few.transform(POINTS).shape == (80, 7)
    many = clone(few).set_params(n_components=few.nnz_).fit(POINTS, LABELS)
    assert (many.transform(POINTS) == clone(few).set_params(estimator="reweighted").fit_transform(POINTS, LABELS)).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_samples_give_the_features_of_dense_ones(dtype):
    dense = np.where(RANDOM.rand(80, 30) < 0.2, 1.0, 0.0).astype(dtype)
    transformer = LearnedKernelFeatures("linear", rho=5.0)
    expected = transformer.fit(dense, LABELS).transform(dense)
    sparse = clone(transformer).fit(scipy.sparse.csr_array(dense), LABELS)
    found = sparse.transform(scipy.sparse.csr_array(dense))
    assert scipy.sparse.issparse(found)
    assert found.dtype == expected.dtype == dtype
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-6)
    np.testing.assert_allclose(sparse.transform(dense), expected, rtol=1e-6)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        LearnedKernelFeatures("gaussian").fit(scipy.sparse.csr_array(dense), LABELS)


def test_a_pipeline_with_logistic_regression_learns_what_the_plain_kernel_cannot():
    """Spheres in eight dimensions at gamma = 1/2: features unweighted are near chance, weighted they are not.

    The labels split 50:50; 600 test points put 0.1 at more than four standard errors.
    """
    random = np.random.RandomState(1)
    points = random.randn(1600, 8)
    labels = np.linalg.norm(points, axis=1) > np.sqrt(8)
    errors = {}
    for rho in (0.0, 100.0):
        model = make_pipeline(
            LearnedKernelFeatures(n_features=4000, rho=rho, estimator="fewest", n_components=100, random_state=0),
            LogisticRegression(C=100.0, max_iter=1000),
        )
        errors[rho] = 1 - model.fit(points[:1000], labels[:1000]).score(points[1000:], labels[1000:])
    assert errors[100.0] < errors[0.0] - 0.1


def test_it_is_cloned_pickled_searched_and_repeatable():
    search = GridSearchCV(
        make_pipeline(LearnedKernelFeatures(**SMALL), LogisticRegression()),
        {"learnedkernelfeatures__rho": [0.5, 5.0]},
        cv=2,
    ).fit(POINTS, LABELS)
    again = pickle.loads(pickle.dumps(search))
    assert (again.decision_function(POINTS) == search.decision_function(POINTS)).all()
    first = LearnedKernelFeatures(**SMALL).fit(POINTS, LABELS)
    assert (clone(first).fit(POINTS, LABELS).weights_ == first.weights_).all()
    assert len(first.get_feature_names_out()) == first.nnz_


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"family": "laplacian"}, "family = 'laplacian'"),
        ({"family": "arc-cosine", "order": 3}, "order = 3"),
        ({"estimator": "best"}, "estimator = 'best'"),
        ({"rho": -1.0}, "rho = -1.0"),
        ({"gamma": 0.0}, "gamma = 0.0"),
        ({"n_features": 0}, "n_features = 0"),
        ({"n_components": 0}, "n_components = 0"),
        ({"order_k": 1.0}, "order_k = 1.0"),
    ],
)
def test_impossible_parameters_are_refused_by_name(options, named):
    with pytest.raises(ValueError, match=named):
        LearnedKernelFeatures(**options).fit(POINTS, LABELS)
