"""The value of the margin game: closed forms, a scalar minimisation, and the lower bound against brute force."""

import math
from fractions import Fraction

import pytest
import torch
from scipy.optimize import minimize_scalar

from algos.margin_game.maximum import margin_maximum
from algos.margin_game.measure import measure_features
from algos.margin_game.value import margin_lower_bound, margin_value

SQUARE = torch.tensor([[0.0], [1.0], [3.0], [4.0]], dtype=torch.float64)
SIGNS = torch.tensor([-1.0, -1.0, 1.0, 1.0], dtype=torch.float64)


def pairs(points, frequencies):
    phases = frequencies @ points.mT
    return torch.stack([phases.cos(), phases.sin()], -1)


def grid(*extra, size=513):
    values = torch.linspace(0, math.pi, size, dtype=torch.float64)
    return torch.cat([values, torch.tensor(extra, dtype=torch.float64)]).unsqueeze(-1)


def best_square_frequency():
    run = minimize_scalar(
        lambda w: -(math.cos(w / 2) ** 2) * math.sin(1.5 * w) ** 2, bounds=(0.5, 1.3), options={"xatol": 1e-12}
    )
    return run.x, 1 + run.fun / 2


def test_value_of_four_points_in_closed_form():
    """C = 1/4: 1 - max cos^2(w/2) sin^2(3w/2) / 2 = .6127241; C = 1/2: 2/3, at pi/3."""
    frequency, value = best_square_frequency()
    assert value == pytest.approx(0.6127241, abs=5e-8)
    for box, expected in [(0.25, value), (0.5, 2 / 3)]:
        found = margin_value(pairs(SQUARE, grid(frequency, math.pi / 3)), SIGNS, box)
        assert found.lower <= expected + 1e-12
        assert expected <= found.upper + 1e-12
        assert found.upper - found.lower <= 1e-8 * found.upper
    assert found.measure[grid(frequency, math.pi / 3).squeeze(-1).sub(math.pi / 3).abs() < 0.02].sum() > 0.99


def test_identity_kernels_of_roots_of_unity_bound_the_value():
    """Distinct integers 0..P-1 and the P-th roots: uniform masses give the identity, so F* <= P/2 once C >= 1."""
    points = torch.arange(8, dtype=torch.float64).unsqueeze(-1)
    labels = torch.tensor([1, 1, -1, 1, -1, -1, 1, -1], dtype=torch.float64)
    roots = (2 * math.pi / 8 * torch.arange(8, dtype=torch.float64)).unsqueeze(-1)
    found = margin_value(pairs(points, roots), labels, 2.0)
    assert 0.5 <= found.upper <= 4 + 1e-9


@pytest.mark.parametrize("box", [1e-3, 0.3, 1.0, 30.0])
def test_two_strategies_against_a_scalar_minimisation(box):
    """lambda = (t, 1 - t): the maximum over K, solved anew for each t of a bounded scalar search."""
    points = torch.tensor([[0.0], [1.0], [1.0], [2.5], [4.0]], dtype=torch.float64)
    labels = torch.tensor([1.0, -1.0, 1.0, -1.0, 1.0], dtype=torch.float64)
    strategies = pairs(points, torch.tensor([[0.9], [2.3]], dtype=torch.float64))

    def worst(t):
        return margin_maximum(measure_features(strategies, torch.tensor([t, 1 - t]).double()), labels, box).upper.item()

    run = minimize_scalar(worst, bounds=(0, 1), options={"xatol": 1e-10})
    least = min(run.fun, worst(0.0), worst(1.0))
    found = margin_value(strategies, labels, box)
    assert found.lower <= least * (1 + 1e-9)
    assert least == pytest.approx(found.upper, rel=1e-7)
    assert found.upper - found.lower <= 1e-8 * found.upper


def test_both_strategies_certify_what_they_say():
    points = torch.tensor([[3.0], [5.0], [1.0], [3.0], [7.0], [3.0], [0.0], [6.0]], dtype=torch.float64)
    labels = torch.tensor([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], dtype=torch.float64)
    strategies = pairs(points, grid(size=257))
    found = margin_value(strategies, labels, 0.5)
    potentials = (strategies.mT @ (labels * found.weights)).square().sum(-1)
    assert (found.weights.sum() - potentials.max() / 2).item() == pytest.approx(found.lower, rel=1e-12)
    assert ((found.weights >= 0) & (found.weights <= 0.5)).all()
    assert abs((labels * found.weights).sum().item()) <= 1e-14
    assert found.measure.sum().item() == pytest.approx(1, abs=1e-12)
    against = margin_maximum(measure_features(strategies, found.measure), labels, 0.5)
    assert against.lower.item() <= found.upper * (1 + 1e-12)
    assert found.upper <= against.upper.item() * (1 + 1e-10)


@pytest.mark.parametrize("labels", [[1.0], [1.0, 1.0, 1.0], [-1.0, -1.0]])
def test_one_class_has_value_zero(labels):
    points = torch.arange(len(labels), dtype=torch.float64).unsqueeze(-1)
    found = margin_value(pairs(points, grid(size=5)), torch.tensor(labels, dtype=torch.float64), 1.0)
    assert found.lower == found.upper == 0


def test_duplicates_with_opposite_labels_have_the_largest_value():
    """No kernel separates them: both weights are C for every lambda."""
    points = torch.full((2, 1), 2.0, dtype=torch.float64)
    found = margin_value(pairs(points, grid(size=9)), torch.tensor([1.0, -1.0], dtype=torch.float64), 5.0)
    assert found.upper == pytest.approx(10, rel=1e-9)
    assert found.lower == pytest.approx(10, rel=1e-9)


def test_the_lower_bound_is_the_best_shrinking():
    """Against s A - s^2 V / 2 on a fine grid of s, and at V = 0."""
    shares = torch.linspace(0, 1, 10_001, dtype=torch.float64)
    for total in (0.0, 0.3, 1.0, 7.0):
        for peak in (0.0, 0.3, 1.0, 2.0, 50.0):
            brute = (shares * total - shares.square() * peak / 2).max().item()
            assert margin_lower_bound(total, peak).item() == pytest.approx(brute, abs=1e-6)
    batch = margin_lower_bound(torch.tensor([1.0, 2.0]).double(), torch.tensor([4.0, 1.0]).double())
    assert batch.tolist() == [0.125, 1.5]


@pytest.mark.parametrize("seed", range(5))
def test_single_precision_features_are_computed_in_double(seed):
    """In float32 rounding alone would put the lower bound above the upper one, or far below."""
    strategies = torch.randn(3, 4, 2, generator=torch.Generator().manual_seed(seed))
    found, double = (margin_value(features, SIGNS, 1.0) for features in (strategies, strategies.double()))
    assert (found.lower, found.upper) == (double.lower, double.upper)
    assert found.lower <= found.upper <= found.lower + 1e-7 * found.upper


def test_no_strategy_and_no_round_are_refused():
    with pytest.raises(ValueError, match="strategies has shape"):
        margin_value(torch.ones(0, 4, 2, dtype=torch.float64), SIGNS, 1.0)
    with pytest.raises(ValueError, match="rounds = 0"):
        margin_value(torch.ones(1, 4, 2, dtype=torch.float64), SIGNS, 1.0, rounds=0)


def test_an_unknown_peak_guarantees_nothing():
    """The player of `AscentPeaks` certifies an infinite gap: the bound is then 0, which the value never is below."""
    assert margin_lower_bound(3.0, math.inf).item() == 0.0


@pytest.mark.parametrize(("total", "peak"), [(1e200, 1e250), (1e-170, 1e-169), (3.0, 5.0)])
def test_a_bound_of_any_size_is_not_that_of_a_square(total, peak):
    exact = float(Fraction(total) ** 2 / Fraction(peak) / 2)
    assert margin_lower_bound(total, peak).item() == pytest.approx(exact, rel=1e-15, abs=0)
