"""Squared-hinge machines along a path of costs: the optimality conditions, and scikit-learn's machines."""

import sys

import numpy as np
import pytest
import torch
from scipy.optimize import minimize
from sklearn.svm import SVC, LinearSVC

from algos.estimators import gaussian_machine_path, hold_out_search, linear_machine_path
from algos.ridge import squared_hinge_path

torch.set_num_threads(1)
module = sys.modules["algos.ridge.squared_hinge_path"]  # the package has a function of this name
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


SHAPES = [(2, 1, 1), (30, 30, 1), (30, 100, 5), (100, 30, 5), (100, 100, 30), (100, 1000, 5), (300, 100, 30)]


FORMS = {"primal": lambda signed, _: module._Primal(signed)} | dict.fromkeys(("dual", "few", "many"), module._Dual)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("separable", [True, False])
def test_all_forms_find_the_same_machine_whatever_the_shape_and_the_rank(monkeypatch, form, shape, separable):
    """Points in few directions, and labels that no machine can learn; the shape is n, d and the rank."""
    n, d, rank = shape
    generator = torch.Generator().manual_seed(n + d + rank)
    factors = (torch.randn(*shape, dtype=torch.float64, generator=generator) for shape in ((n, rank), (rank, d)))
    points = torch.linalg.multi_dot([*factors]) / d**0.5
    coins = torch.randn(n, dtype=torch.float64, generator=generator)
    labels = torch.where((points[:, 0] if separable else coins) > 0, 1.0, -1.0).double()
    expected = path_at(points, labels, *COSTS)
    monkeypatch.setattr(module, "_systems", FORMS[form])
    if form in {"few", "many"}:  # conjugate gradients, which suffice or not
        monkeypatch.setattr(module, "LARGE", 0)
        monkeypatch.setattr(module, "SPEED", 10 if form == "few" else 1)
    found = path_at(points, labels, *COSTS)
    for cost, weights, others in zip(COSTS, found, expected, strict=True):
        assert (weights - others).norm() <= 1e-6 * others.norm()
        assert gradient(points, labels, weights, cost).norm() <= 2e-8 * 2 * cost * (labels @ points).norm()


@pytest.mark.parametrize("d", [3, 40, 50, 60, 400])
def test_zero_columns_and_copies_of_points_and_of_columns_change_nothing(d):
    """A zero column has weight 0, twice the points are twice the cost, and a copied column is one times sqrt(2)."""
    points, labels = clouds(50, d, seed=d)
    path = path_at(points, labels, *COSTS[:8])
    wider = path_at(torch.cat([points, torch.zeros_like(points)], 1), labels, *COSTS[:8])
    assert (wider[:, d:] == 0).all()
    longer = path_at(points.repeat(2, 1), labels.repeat(2), *(cost / 2 for cost in COSTS[:8]))
    copied = path_at(points.repeat(1, 2) / 2**0.5, labels, *COSTS[:8])
    for others in (wider[:, :d], longer, copied[:, :d] * 2**0.5):
        assert ((others - path).norm(dim=1) <= 1e-6 * path.norm(dim=1)).all()


def test_wide_points_have_systems_of_their_number(monkeypatch):
    """50 points in 5000 columns: no matrix of the columns is made, which would take 200 MB and a second each."""
    points, labels = clouds(50, 5000, seed=6)
    sizes = []
    solve = module._solution
    monkeypatch.setattr(module, "_solution", lambda gram, *rest: sizes.append(len(gram)) or solve(gram, *rest))
    path_at(points, labels, *COSTS)
    assert max(sizes) == 50


@pytest.mark.parametrize(("n", "d"), [(60, 4), (40, 60)])
def test_no_general_optimiser_finds_less(n, d):
    points, labels = clouds(n, d, seed=7)

    def objective(w):
        losses = np.maximum(0, 1 - labels.numpy() * (points.numpy() @ w))
        return w @ w / 2 + cost * losses @ losses, w - 2 * cost * (losses * labels.numpy()) @ points.numpy()

    for cost in (1e-3, 1.0, 100.0):
        (weights,) = path_at(points, labels, cost)
        options = {"maxiter": 5000, "maxfun": 10**6, "ftol": 0, "gtol": 1e-12}
        theirs = minimize(objective, np.zeros(d), jac=True, method="L-BFGS-B", options=options)
        assert objective(weights.numpy())[0] <= theirs.fun * (1 + 1e-12)
        assert theirs.fun == pytest.approx(objective(weights.numpy())[0], rel=1e-6)


def test_no_point_near_the_minimiser_is_better():
    points, labels = clouds(60, 4, seed=3)
    (weights,) = path_at(points, labels, 0.3)

    def objective(w):
        return w.square().sum() / 2 + 0.3 * (1 - labels * (points @ w)).clamp(min=0).square().sum()

    noise = 1e-3 * torch.randn(200, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert all(objective(weights + step) > objective(weights) for step in noise)


@pytest.mark.parametrize(("n", "d"), [(150, 6), (20, 20), (20, 30)])
def test_the_library_finds_the_same_machines(n, d):
    """The objective is strongly convex with constant 1: points are no further apart than their gradients are long."""
    points, labels = clouds(n, d, seed=1)
    for cost, weights in zip(COSTS, path_at(points, labels, *COSTS[:8]), strict=False):
        machine = LinearSVC(C=cost, dual=False, fit_intercept=False, tol=1e-12, max_iter=100_000)
        theirs = torch.tensor(machine.fit(points.numpy(), labels.numpy()).coef_[0])
        left = [float(gradient(points, labels, found, cost).norm()) for found in (weights, theirs)]
        assert (weights - theirs).norm() <= sum(left)
        assert left[0] <= 1.1 * left[1] or left[0] <= 1e-10 * 2 * cost * (labels @ points).norm()


def test_duplicated_and_separable_points_and_one_class():
    """One point x = 2 with label 1: w minimises w^2 / 2 + C (1 - 2 w)^2, that is w = 4 C / (1 + 8 C)."""
    for copies in (1, 5):
        points, labels = torch.full((copies, 1), 2.0, dtype=torch.float64), torch.ones(copies)
        (weights,) = path_at(points, labels, 10.0 / copies)
        assert float(weights) == pytest.approx(40 / 81, abs=1e-8)
    nothing = path_at(torch.zeros(3, 2, dtype=torch.float64), torch.ones(3), 1.0)
    assert nothing.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(("n", "d"), [(5, 1), (300, 1), (20, 100)])
def test_balanced_points_have_no_weights(n, d, dtype):
    """The gradient at 0 is 0 but for rounding, a multiple of which no step can reach."""
    points = torch.randn(n, d, dtype=dtype, generator=torch.Generator().manual_seed(n))
    points = torch.cat([points, -points])[torch.randperm(2 * n, generator=torch.Generator().manual_seed(n))]
    found = squared_hinge_path(points, torch.ones(2 * n, dtype=dtype), torch.tensor([1e-3, 1.0, 100.0], dtype=dtype))
    assert found.abs().max() < 1000 * torch.finfo(dtype).eps


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


def test_the_gaussian_machine_is_the_same_far_from_the_origin_and_in_single_precision():
    points, labels = clouds(160, 3, seed=4)
    points = (2**10 * points).round() / 2**10  # exact after the shift
    train, valid, _ = parts(160)
    first, *moved = (
        gaussian_machine_path(p, labels, train, valid, costs=[1e-3, 1.0, 100.0], gammas=[1e-4, 0.1, 10.0])
        for p in (points, points + 2.0**30, (points + 2.0**10).float())
    )
    for found in moved:
        assert found.mistakes.tolist() == first.mistakes.tolist()
        assert torch.equal(found.predicted, first.predicted)


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
