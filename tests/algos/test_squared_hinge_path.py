"""Squared-hinge machines along a path of costs: the optimality conditions, and scikit-learn's machines."""

import numpy as np
import pytest
import torch
from sklearn.svm import SVC, LinearSVC

from algos.estimators import gaussian_machine_path, hold_out_search, linear_machine_path
from algos.ridge import squared_hinge_path

torch.set_num_threads(1)
COSTS = [10.0**k for k in range(-5, 5)]


def path_at(points, labels, *costs, **options):
    return squared_hinge_path(points, labels, torch.tensor(costs, dtype=torch.float64), **options)


def clouds(n, d, *, seed):
    """Points whose first coordinate tells the label up to noise; `d` columns of unlike scales."""
    generator = torch.Generator().manual_seed(seed)
    points = torch.randn(n, d, dtype=torch.float64, generator=generator)
    labels = torch.sign(points[:, 0] + torch.randn(n, dtype=torch.float64, generator=generator))
    return points * torch.logspace(-1, 1, d, dtype=torch.float64), labels


def gradient(points, labels, weights, cost):
    losses = (1 - labels * (points @ weights)).clamp(min=0)
    return weights - 2 * cost * (losses * labels) @ points


@pytest.mark.parametrize(("n", "d"), [(200, 5), (300, 40), (50, 80), (1, 1), (7, 3)])
def test_the_gradient_vanishes_for_every_cost(n, d):
    points, labels = clouds(n, d, seed=n)
    for cost, weights in zip(COSTS, path_at(points, labels, *COSTS), strict=True):
        at_zero = gradient(points, labels, torch.zeros_like(weights), cost)
        assert gradient(points, labels, weights, cost).norm() <= 2e-8 * at_zero.norm()


def test_no_point_near_the_minimiser_is_better():
    points, labels = clouds(60, 4, seed=3)
    (weights,) = path_at(points, labels, 0.3)

    def objective(w):
        return w.square().sum() / 2 + 0.3 * (1 - labels * (points @ w)).clamp(min=0).square().sum()

    noise = 1e-3 * torch.randn(200, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert all(objective(weights + step) > objective(weights) for step in noise)


def test_the_library_finds_the_same_machines():
    points, labels = clouds(150, 6, seed=1)
    path = path_at(points, labels, *COSTS[:8])
    for cost, weights in zip(COSTS, path, strict=False):
        machine = LinearSVC(C=cost, dual=False, fit_intercept=False, tol=1e-12, max_iter=100_000)
        theirs = machine.fit(points.numpy(), labels.numpy()).coef_[0]
        np.testing.assert_allclose(weights.numpy(), theirs, rtol=0, atol=1e-6 * np.abs(theirs).max())


def test_duplicated_and_separable_points_and_one_class():
    """One point x = 2 with label 1: w minimises w^2 / 2 + C (1 - 2 w)^2, that is w = 4 C / (1 + 8 C)."""
    for copies in (1, 5):
        points, labels = torch.full((copies, 1), 2.0, dtype=torch.float64), torch.ones(copies)
        (weights,) = path_at(points, labels, 10.0 / copies)
        assert float(weights) == pytest.approx(40 / 81, abs=1e-8)
    nothing = path_at(torch.zeros(3, 2, dtype=torch.float64), torch.ones(3), 1.0)
    assert nothing.tolist() == [[0.0, 0.0]]


def test_what_cannot_be_is_named():
    points, labels = clouds(40, 5, seed=2)
    with pytest.raises(ValueError, match="costs"):
        path_at(points, labels, 0.0)
    with pytest.raises(ValueError, match=r"did not reach the tolerance 1e-08 at C = 100\.0 in 1 steps"):
        path_at(points, labels, 100.0, max_steps=1)


def parts(n):
    rows = torch.randperm(n, generator=torch.Generator().manual_seed(n))
    return rows[: n // 2], rows[n // 2 : 3 * n // 4], rows[3 * n // 4 :]


def test_the_gaussian_machine_is_that_of_the_search_of_the_library():
    """The same candidate, ties included, the same mistakes of all candidates and the same predictions."""
    points, labels = clouds(160, 3, seed=4)
    train, valid, test = parts(160)
    costs, gammas = [1e-3, 1.0, 100.0], [1e-4, 0.1, 10.0, 1e3]
    ours = gaussian_machine_path(points, labels, train, valid, costs=costs, gammas=gammas)
    samples = [(points[rows].numpy(), labels[rows].numpy()) for rows in (train, valid, test)]
    theirs = hold_out_search(SVC(random_state=0), {"C": costs, "gamma": gammas}, *samples[:2], test=samples[2])
    assert ours.parameters == theirs.best.parameters
    assert ours.mistakes.tolist() == [candidate.validation_mistakes for candidate in theirs.candidates]
    assert ours.predicted[test].tolist() == theirs.best_estimator.predict(samples[2][0]).tolist()


def test_the_linear_machine_is_that_of_the_search_of_the_library():
    points, labels = clouds(160, 3, seed=5)
    points = points + 1  # so that an intercept is needed
    train, valid, test = parts(160)
    ours = linear_machine_path(points, labels, train, valid, costs=COSTS)
    samples = [(points[rows].numpy(), labels[rows].numpy()) for rows in (train, valid, test)]
    model = LinearSVC(dual=False, tol=1e-10, max_iter=100_000)
    theirs = hold_out_search(model, {"C": COSTS}, *samples[:2], test=samples[2])
    assert ours.parameters == theirs.best.parameters
    assert ours.mistakes.tolist() == [candidate.validation_mistakes for candidate in theirs.candidates]
    assert ours.predicted[test].tolist() == theirs.best_estimator.predict(samples[2][0]).tolist()


def test_the_first_of_the_grid_wins_a_tie_and_an_empty_grid_is_named():
    points = torch.tensor([[-1.0], [1.0], [-2.0], [2.0]], dtype=torch.float64)
    labels, train, valid = torch.tensor([-1.0, 1.0, -1.0, 1.0]), torch.tensor([0, 1]), torch.tensor([2, 3])
    found = gaussian_machine_path(points, labels, train, valid, costs=[10.0, 1.0], gammas=[0.2, 0.1])
    assert (found.parameters, found.mistakes.tolist()) == ({"C": 10.0, "gamma": 0.2}, [0] * 4)
    assert linear_machine_path(points, labels, train, valid, costs=[3.0, 1.0]).parameters == {"C": 3.0}
    with pytest.raises(ValueError, match="costs is empty"):
        linear_machine_path(points, labels, train, valid, costs=[])
    with pytest.raises(ValueError, match=r"must have v >= 1"):
        linear_machine_path(points, labels, train, valid[:0], costs=[1.0])
