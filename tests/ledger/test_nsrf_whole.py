"""Claims of nsrf with whole statements, by hand: Bochner's theorem, a step of Algorithm 1, games on few frequencies."""

import math

import pytest
import torch

from harness import testing
from harness.claims.nsrf import (
    alignment,
    bochner,
    finite_games,
    joint_learning,
    langevin,
    projection_in_play,
    squared_hinge_regret,
)
from tests.ledger.nsrf import refutes, sides, tensor


def test_every_part_of_bochner_s_theorem_by_hand():
    """k(0), k(1) = .2, .6 of period 2: coefficients .4 and -.2, eigenvalues .8 and -.4. One frequency: dual weights."""
    judged = bochner.kernels_are_the_transforms_of_measures
    lowest, smallest = sides(judged, {"part": "a measure exists", "d": 1, "size": 2}, values=[0.2, 0.6])
    assert lowest == pytest.approx(-0.4, rel=1e-12)
    assert smallest == pytest.approx(-0.4, rel=1e-12)
    values = {"points": [[0.0], [0.5], [-0.25]], "omega": [[3.0]], "masses": [-0.7]}
    assert sides(judged, {"part": "only if", "d": 1, "size": 1}, j=0.0, **values) == pytest.approx((-0.7, -0.7))
    form, squares = sides(judged, {"part": "if", "d": 1, "size": 1}, a=[1.0, 1.0, 0.0], **values)
    assert form == pytest.approx(-0.7 * (2 + 2 * math.cos(1.5)), rel=1e-13)
    assert squares == pytest.approx(form, rel=1e-13)


def test_a_single_point_only_diffuses():
    """v = a^2 everywhere: two steps move by sqrt(2 xi/zeta) (z_1 + z_2) = 2 (z_1 + z_2) along the axis."""
    values = {"points": [[0.3]], "w_0": [[1.0]], "labels": [1.0], "weights": [0.5], "direction": [1.0]}
    cell = {"n": 1, "d": 1, "copies": 1, "steps": 2, "zeta": 0.5, "xi": 1.0}
    forall = testing.instance({"z": [[[0.25]], [[0.5]]], **values})
    for side in langevin.dynamics_step_by_step(forall, **cell):
        assert side.item() == pytest.approx(0.25 + 1.0 + 2 * 0.75, rel=1e-14)


def test_answers_are_those_asked_for():
    """Two points, two frequencies: the best is pi with v = 4; the first one asked for has v = 0, and lacks 4."""
    points, omega, signed = tensor([[[0.0], [1.0]]]), tensor([[[0.0], [math.pi]]]), tensor([[1.0, -1.0]])
    player = finite_games.AnyAnswers(points, omega, torch.tensor([[0, 1]]))
    best, asked = player(signed), player(signed)
    assert (best.index.item(), best.value.item(), best.gap.item()) == pytest.approx((math.pi, 4.0, 0.0))
    assert (asked.index.item(), asked.value.item(), asked.gap.item()) == (0.0, 0.0, 4.0)
    given = squared_hinge_regret.GivenAnswers(points, omega)
    assert [given(signed).value.item() for _ in range(2)] == pytest.approx([0.0, 4.0])


def test_two_points_of_different_classes_are_at_equilibrium():
    """Only w = pi: F = 2 a - 2 a^2, largest at a = 1/2 with 1/2, which the weights come near."""
    values = {"points": [[0.0], [1.0]], "omega": [[math.pi]], "labels": [1.0, -1.0], "raw": [0.5, 0.5], "C": 1.0}
    cell = {"of": "frequencies", "n": 2, "d": 1, "size": 1}
    gaps = [sides(finite_games.excessive_gap_reaches_the_equilibrium, {**cell, "k": k}, **values) for k in (1, 300)]
    assert gaps[0][1] == pytest.approx(2 * math.sqrt(20) / 3)
    assert 0 <= gaps[1][0] < 1e-3 < gaps[1][1]


def test_operations_are_counted():
    """A product of 2 x 3 and 3 x 4 takes 48 operations, to make the factors 6 and 12; a view takes none."""
    with projection_in_play.Operations() as counted:
        product = torch.ones(2, 3) @ torch.ones(3, 4)
    assert counted.count == 48 + 6 + 12
    with projection_in_play.Operations() as counted:
        product.view(8)[:4].exp()
    assert counted.count == 4


def test_one_point_of_each_class_at_the_same_place_has_no_alignment():
    values = {"points": [[0.3, 0.1], [0.3, 0.1]], "masses": [1.0, 1.0], "omega": [[2.0, 0.0]], "measure": [1.0]}
    cell = {"n": 1, "frequencies": 1}
    assert sides(alignment.general_alignment_as_printed, cell, **values) == (0.0, 1.0)
    assert sides(alignment.general_alignment, cell | {"d": 2}, **values) == (0.0, 0.0)


# Joint learning


def test_slopes_and_second_derivatives_of_the_joint_fit_by_autograd():
    points, labels = tensor([[0.3, -0.2], [0.8, 0.1], [-0.5, 0.6]]), tensor([1.0, -1.0, 1.0])
    place = tensor([2.0, -1.5, 0.7, 0.4])

    def fit(at):
        phases = points @ at[:2]
        wave = at[2] * phases.cos() + at[3] * phases.sin()
        return (labels.square() - (labels - wave).square()).mean()

    value, slope = joint_learning.fit_and_slope(points, labels, place[None])
    torch.testing.assert_close(value[0], fit(place))
    torch.testing.assert_close(slope[0], torch.autograd.functional.jacobian(fit, place))
    second = joint_learning.second_derivatives(points, labels, place[None])
    torch.testing.assert_close(second[0], torch.autograd.functional.hessian(fit, place))


def test_runs_that_start_at_the_planted_wave_are_not_stuck(monkeypatch):
    """Whoever starts next to the planted frequency finds it: no share is left."""
    stuck = joint_learning._stuck
    at_the_wave = tensor(joint_learning.WAVE).expand(4, 2)
    monkeypatch.setattr(joint_learning, "_stuck", lambda points, labels, _: stuck(points, labels, at_the_wave))
    assert refutes(joint_learning.joint_descent_gets_stuck)
