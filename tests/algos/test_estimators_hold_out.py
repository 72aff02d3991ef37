"""The validation protocol: exact ties, the order that breaks them, the parts it may look at, the published sizes."""

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from algos.estimators import PseudoBayesianLandmarks, hold_out_search, published_split_sizes

torch.set_num_threads(1)


class Offset(ClassifierMixin, BaseEstimator):
    """Predicts 1 where the first coordinate is at least `zeta + alpha`; counts its training points."""

    def __init__(self, zeta: float = 0.0, alpha: float = 0.0) -> None:
        self.zeta = zeta
        self.alpha = alpha

    def fit(self, X, y):
        self.seen_ = np.asarray(X)[:, 0].tolist()
        return self

    def predict(self, X):
        return (np.asarray(X)[:, 0] >= self.zeta + self.alpha).astype(int)


TRAIN = ([[100.0], [200.0]], [0, 1])
VALID = ([[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1, 1])
TEST = ([[1.2], [1.7]], [1, 0])


def test_the_first_in_grid_order_wins_among_exact_ties():
    """The order is that of the grid as written, last name fastest: sorted by name, alpha = 0.25 would come second."""
    grid = {"zeta": [3.0, 1.5, 1.0], "alpha": [0.0, 0.25]}
    found = hold_out_search(Offset(), grid, TRAIN, VALID, test=TEST)
    assert [(c.parameters["zeta"], c.parameters["alpha"]) for c in found.candidates] == [
        (3.0, 0.0),
        (3.0, 0.25),
        (1.5, 0.0),
        (1.5, 0.25),
        (1.0, 0.0),
        (1.0, 0.25),
    ]
    assert [c.validation_mistakes for c in found.candidates] == [1, 2, 0, 0, 1, 0]
    assert [c.validation_error for c in found.candidates] == [0.2, 0.4, 0.0, 0.0, 0.2, 0.0]
    assert found.best is found.candidates[2]
    assert found.tied == (found.candidates[2], found.candidates[3], found.candidates[5])
    assert [c.test_error for c in found.tied] == [1.0, 0.5, 1.0]  # the choice does not see them
    assert {c.test_error for c in found.candidates if c not in found.tied} == {None}
    assert found.best_estimator.get_params() == found.best.parameters
    assert found.best_estimator.seen_ == [100.0, 200.0]


def test_the_given_estimator_is_left_alone_and_several_grids_are_searched_in_turn():
    estimator = Offset(zeta=9.0)
    found = hold_out_search(estimator, [{"alpha": [1.0]}, {"zeta": [1.5]}], TRAIN, VALID)
    assert [c.parameters for c in found.candidates] == [{"alpha": 1.0}, {"zeta": 1.5}]
    assert found.best.parameters == {"zeta": 1.5}
    assert found.best.test_error is None
    assert estimator.get_params() == {"zeta": 9.0, "alpha": 0.0}
    assert not hasattr(estimator, "seen_")


def test_an_empty_grid_or_part_is_named():
    with pytest.raises(ValueError, match=r"the grid .* has no point"):
        hold_out_search(Offset(), {"zeta": []}, TRAIN, VALID)
    with pytest.raises(ValueError, match="the test part has 0 points"):
        hold_out_search(Offset(), {"zeta": [0.0]}, TRAIN, VALID, test=(np.zeros((0, 1)), []))


@pytest.mark.parametrize(
    ("n", "sizes"),
    [
        (3279, (1967, 492, 820)),  # ads
        (569, (340, 86, 143)),  # breast
        (4143, (2485, 622, 1036)),  # farm
        (15170, (9101, 2276, 3793)),  # mnist17
        (13782, (8268, 2068, 3446)),  # mnist49
        (13189, (7912, 1979, 3298)),  # mnist56
    ],
)
def test_the_published_sizes_are_table_2(n, sizes):
    assert published_split_sizes(n) == sizes


def test_sizes_are_those_of_train_test_split_and_leave_no_part_empty():
    for n in range(3, 300):
        rest, test = train_test_split(range(n), test_size=0.25, random_state=0)
        train, valid = train_test_split(rest, test_size=0.2, random_state=0)
        assert published_split_sizes(n) == (len(train), len(valid), len(test))
        assert min(published_split_sizes(n)) > 0
    with pytest.raises(ValueError, match="n = 2"):
        published_split_sizes(2)


def _breast_parts():
    """The paper's split: raw measurements, one generator seeded by 42."""
    data, state = load_breast_cancer(), np.random.RandomState(42)
    rest, test = train_test_split(np.arange(569), test_size=0.25, random_state=state)
    train, valid = train_test_split(rest, test_size=0.2, random_state=state)
    return [(data.data[rows], data.target[rows]) for rows in (train, valid, test)]


def test_the_published_kernel_machine_is_found_on_breast_cancer():
    """Table 1: 4.90 %, 7 of 143 test points, at C = 1000 and gamma = 1e-5 (here among 15 of its grid points)."""
    train, valid, test = _breast_parts()
    grid = {"C": [1.0, 10.0, 100.0, 1e3, 1e4], "gamma": [1e-6, 1e-5, 1e-4]}
    found = hold_out_search(SVC(), grid, train, valid, test=test)
    assert found.best.parameters == {"C": 1e3, "gamma": 1e-5}
    assert found.best.test_error == 7 / 143


def test_a_pipeline_is_searched_over_the_parameters_of_its_learner():
    train, valid, test = _breast_parts()
    landmarks = PseudoBayesianLandmarks(n_frequencies=16, gamma=1e-5, selection="kmeans", n_init=1, random_state=0)
    pipeline = make_pipeline(landmarks, LinearSVC(dual=False, max_iter=10_000))
    grid = {"pseudobayesianlandmarks__beta": [0.0, 1.0], "linearsvc__C": [1.0, 1e3]}
    found = hold_out_search(pipeline, grid, train, valid, test=test)
    for candidate in found.candidates:
        model = clone(pipeline).set_params(**candidate.parameters).fit(*train)
        assert candidate.validation_mistakes == (model.predict(valid[0]) != valid[1]).sum()
        assert candidate.test_error == (pytest.approx(1 - model.score(*test)) if candidate in found.tied else None)
    assert found.best.validation_mistakes == min(candidate.validation_mistakes for candidate in found.candidates)
