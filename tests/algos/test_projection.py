"""The projection onto box and hyperplane: a wrong breakpoint, a lost tie or an infeasible output would fail here."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from algos.projection import project_box_hyperplane


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


@st.composite
def problems(draw):
    coordinate = st.one_of(st.integers(-3, 3).map(float), st.floats(-100, 100))
    points = draw(st.lists(coordinate, min_size=1, max_size=10))
    labels = draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=len(points), max_size=len(points)))
    box = draw(st.sampled_from([0.0, 0.125, 1.0, 2.0, 50.0]))
    return tensor(points), tensor(labels), box


@settings(deadline=None, max_examples=500)
@given(problems())
def test_optimality_conditions(problem):
    """Feasible, and nearest: <z - a, b - a> <= 0 for all feasible b, maximised exactly by pairing sorted residuals.

    Over {0 <= b <= C, y.b = 0} the linear function r.b is maximal when b puts C on the k best of each class, for the k
    that maximises the sum of the pairs.
    """
    points, labels, box = problem
    projection = project_box_hyperplane(points, labels, box)
    scale = points.abs().max().item() + box + 1e-300
    assert (projection >= 0).all()
    assert (projection <= box).all()
    assert abs((labels * projection).sum().item()) <= 1e-13 * scale * len(points)
    residual = points - projection
    best = [residual[labels == sign].sort(descending=True).values for sign in (1.0, -1.0)]
    pairs = min(len(best[0]), len(best[1]))
    support = box * (best[0][:pairs] + best[1][:pairs]).clamp(min=0).sum()
    assert support.item() - (residual @ projection).item() <= 1e-12 * scale**2 * len(points)


def test_agrees_with_a_general_purpose_optimiser():
    """Independent reference: SLSQP on the quadratic programme, for all label patterns of four points."""
    generator = np.random.default_rng(2)
    for labels in itertools.product([-1.0, 1.0], repeat=4):
        points = 2 * generator.normal(size=4)
        run = minimize(
            lambda a, z=points: 0.5 * ((a - z) ** 2).sum(),
            np.zeros(4),
            jac=lambda a, z=points: a - z,
            bounds=[(0, 1.5)] * 4,
            constraints={"type": "eq", "fun": lambda a, y=labels: a @ y},
            options={"ftol": 1e-14},
        )
        ours = project_box_hyperplane(tensor(points), tensor(labels), 1.5)
        np.testing.assert_allclose(ours, run.x, atol=1e-6)


def test_differs_from_alternating_projections():
    """The limit of alternating projections here is (.7667, .4333, .3333); the nearest point is (1, .55, .45)."""
    projection = project_box_hyperplane(tensor([1.5, 0.2, 0.1]), tensor([1.0, -1.0, -1.0]), 1.0)
    torch.testing.assert_close(projection, tensor([1.0, 0.55, 0.45]), rtol=0, atol=1e-15)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_one_class_leaves_only_zero(sign):
    points = tensor([3.0, -1.0, 0.2])
    assert (project_box_hyperplane(points, torch.full((3,), sign, dtype=torch.float64), 1.0) == 0).all()


def test_ties_stay_equal_and_feasible_points_stay():
    labels = tensor([1.0, 1.0, -1.0, -1.0])
    tied = project_box_hyperplane(tensor([2.0, 2.0, 0.3, 0.3]), labels, 1.0)
    assert tied[0] == tied[1]
    assert tied[2] == tied[3]
    inside = tensor([0.2, 0.7, 0.5, 0.4])
    torch.testing.assert_close(project_box_hyperplane(inside, labels, 1.0), inside, rtol=0, atol=1e-15)
    zero = torch.zeros(4, dtype=torch.float64)
    assert (project_box_hyperplane(zero, labels, 0.0) == 0).all()


def test_batches_and_tensor_boxes_equal_single_problems():
    generator = torch.Generator().manual_seed(4)
    points = 3 * torch.randn(5, 7, dtype=torch.float64, generator=generator)
    labels = torch.where(torch.rand(5, 7, generator=generator) < 0.3, -1.0, 1.0).double()
    box = torch.rand(5, dtype=torch.float64, generator=generator)
    batch = project_box_hyperplane(points, labels, box)
    for i in range(5):
        single = project_box_hyperplane(points[i], labels[i], box[i].item())
        torch.testing.assert_close(batch[i], single, rtol=0, atol=1e-15)


def test_gradient_is_the_projection_onto_the_active_face():
    points = tensor([0.9, 0.4, 0.8, -2.0, 5.0]).requires_grad_()
    labels = tensor([1.0, -1.0, 1.0, 1.0, -1.0])
    assert torch.autograd.gradcheck(lambda z: project_box_hyperplane(z, labels, 1.0), (points,))


def test_many_points_stay_feasible():
    """At n = 20,000 with one point in a hundred of the other class, the constraint holds to rounding."""
    generator = torch.Generator().manual_seed(9)
    points = torch.randn(20_000, dtype=torch.float64, generator=generator)
    labels = torch.where(torch.arange(20_000) % 100 == 0, -1.0, 1.0).double()
    projection = project_box_hyperplane(points, labels, 0.7)
    assert abs((labels * projection).sum().item()) <= 1e-11


@pytest.mark.parametrize(
    ("labels", "box", "match"),
    [([1.0, 0.0], 1.0, "labels hold 0.0"), ([1.0, -1.0], -2.0, "box = -2.0"), ([1.0, -1.0], float("inf"), "box = inf")],
)
def test_bad_input_names_the_value(labels, box, match):
    with pytest.raises(ValueError, match=match):
        project_box_hyperplane(tensor([1.0, 2.0]), tensor(labels), box)
