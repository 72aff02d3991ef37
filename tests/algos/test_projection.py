"""The projection onto box and hyperplane: a wrong breakpoint, a lost tie or an infeasible output would fail here."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from algos.margin_game.cone_ball import project_cone_ball
from algos.margin_game.projection import BoxHyperplane, alternating_projection, project_box_hyperplane


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


def exact_projection(points, labels, box=None):
    """The projection in rational arithmetic: a = clip(z - m y, 0, box) with the m that puts a on the hyperplane.

    y.a falls in m and is linear between the points where an entry is clipped; such an a on the hyperplane satisfies the
    conditions of Karush, Kuhn and Tucker, hence is the nearest point.
    """
    z, y = [Fraction(float(p)) for p in points], [int(label) for label in labels]
    ends = [Fraction(0)] if box is None else [Fraction(0), Fraction(box)]

    def clipped(m):
        entries = [max(p - m * s, Fraction(0)) for p, s in zip(z, y, strict=True)]
        return entries if box is None else [min(a, Fraction(box)) for a in entries]

    def balance(m):
        return sum(s * a for s, a in zip(y, clipped(m), strict=True))

    knots = sorted({s * (p - end) for p, s in zip(z, y, strict=True) for end in ends})
    knots = [knots[0] - 1, *knots, knots[-1] + 1]
    low = max((m for m in knots if balance(m) >= 0), default=knots[0])
    high = min((m for m in knots if balance(m) <= 0), default=knots[-1])
    fall = balance(low) - balance(high)
    found = clipped(low + (high - low) * balance(low) / fall if fall else low)
    assert sum(s * a for s, a in zip(y, found, strict=True)) == 0
    return found


def test_agrees_with_rational_arithmetic():
    """All label patterns of four points; our error is that of a few sums of numbers below 10."""
    generator = np.random.default_rng(2)
    for labels in itertools.product([-1.0, 1.0], repeat=4):
        points = 2 * generator.normal(size=4)
        exact = exact_projection(points, labels, 1.5)
        ours = project_box_hyperplane(tensor(points), tensor(labels), 1.5)
        np.testing.assert_allclose(ours, [float(a) for a in exact], rtol=0, atol=1e-14)


def test_differs_from_alternating_projections():
    """The limit of alternating projections here is (.7667, .4333, .3333); the nearest point is (1, .55, .45)."""
    limit = alternating_projection(tensor([1.5, 0.2, 0.1]), tensor([1.0, -1.0, -1.0]), 1.0, iterations=60)
    torch.testing.assert_close(limit, tensor([23 / 30, 13 / 30, 10 / 30]), rtol=0, atol=1e-12)
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


@settings(deadline=None, max_examples=200)
@given(problems())
def test_single_problems_in_numpy_equal_those_with_gradients(problem):
    """The two implementations: numpy for a single problem on the CPU, torch elsewhere."""
    points, labels, box = problem
    other = project_box_hyperplane(points.clone().requires_grad_(), labels, box).detach()
    scale = points.abs().max().item() + box
    torch.testing.assert_close(BoxHyperplane(labels, box)(points), other, rtol=0, atol=1e-13 * scale)


def test_single_precision_stays_single():
    points, labels = torch.tensor([0.9, -0.3, 2.0]), torch.tensor([1.0, -1.0, -1.0])
    projection = project_box_hyperplane(points, labels, 0.5)
    assert projection.dtype == torch.float32
    torch.testing.assert_close(
        projection.double(), project_box_hyperplane(points.double(), labels, 0.5), atol=1e-7, rtol=0
    )


@settings(deadline=None, max_examples=200)
@given(problems(), st.integers(0, 5), st.integers(0, 10**6))
def test_alternating_steps_approach_every_feasible_point(problem, iterations, seed):
    """|P(z) - u| <= |z - u| for all u in the set: what the regret needs; and y.a = 0 after any step."""
    points, labels, box = problem
    moved = alternating_projection(points, labels, box, iterations=iterations)
    generator = torch.Generator().manual_seed(seed)
    targets = 4 * torch.randn(20, len(points), dtype=torch.float64, generator=generator)
    targets = project_box_hyperplane(targets, labels, box)
    before, after = ((z - targets).square().sum(-1) for z in (points, moved))
    assert (after <= before + 1e-12 * (1 + before)).all()
    if iterations:
        assert abs((labels * moved).sum().item()) <= 1e-12 * (1 + points.abs().sum().item() + box * len(points))


def test_ten_alternating_steps_do_not_suffice_for_unbalanced_classes():
    """n = 1000, five of one class: ten steps are said to reach hardware precision, 1e-12 of the box to be generous."""
    labels = torch.where(torch.arange(1000) < 5, 1.0, -1.0).double()
    points = 1 + torch.linspace(-1, 1, 1000, dtype=torch.float64)
    ten = alternating_projection(points, labels, 1.0, iterations=10)
    assert (ten - ten.clamp(0, 1)).abs().max() > 1e-12
    assert abs((labels * ten.clamp(0, 1)).sum()) > 1e-12
    many = alternating_projection(points, labels, 1.0, iterations=20_000)
    assert (many - many.clamp(0, 1)).abs().max() < 1e-12


def test_negative_iterations_are_refused():
    with pytest.raises(ValueError, match="iterations = -1"):
        alternating_projection(tensor([1.0]), tensor([1.0]), 1.0, iterations=-1)


@pytest.mark.parametrize("radius", [0.0, 0.5, 2.0, 50.0])
def test_cone_and_ball_agree_with_rational_arithmetic(radius):
    """The nearest point of a cone within a ball is that of the cone, scaled into the ball (Bauschke et al. 2018)."""
    generator = np.random.default_rng(5)
    for labels in itertools.product([-1.0, 1.0], repeat=4):
        points = 2 * generator.normal(size=4)
        cone = [float(a) for a in exact_projection(points, labels)]
        exact = np.array(cone) * min(1.0, radius / max(math.hypot(*cone), 1e-300))
        ours = project_cone_ball(tensor(points), tensor(labels), radius)
        assert ours.norm() <= radius * (1 + 1e-15)
        assert (ours >= 0).all()
        assert abs((ours * tensor(labels)).sum()) <= 1e-14
        np.testing.assert_allclose(ours, exact, rtol=0, atol=1e-14)


def test_cone_and_ball_in_batches_with_gradients_and_refusals():
    points = tensor([[0.9, 0.4, 0.8, -2.0], [3.0, 5.0, 1.0, 2.0]])
    labels, radius = tensor([1.0, -1.0, 1.0, 1.0]), tensor([10.0, 1.5])
    both = project_cone_ball(points, labels, radius)
    for i in range(2):
        torch.testing.assert_close(both[i], project_cone_ball(points[i], labels, radius[i].item()))
    assert torch.autograd.gradcheck(lambda z: project_cone_ball(z, labels, radius), (points.requires_grad_(),))
    assert (project_cone_ball(tensor([1.0, 2.0]), tensor([1.0, 1.0]), 3.0) == 0).all()
    with pytest.raises(ValueError, match=r"radius = -1\.0"):
        project_cone_ball(points, labels, -1.0)
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match="an entry of points"):
            project_cone_ball(tensor([1.0, wrong]), tensor([1.0, -1.0]), 1.0)
