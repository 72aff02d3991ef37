"""The bracket of max over K: exact enumeration of faces, closed forms, a solver of support vector machines, corners."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from algos.margin_game.maximum import margin_maximum

SQUARE = torch.tensor([[0.0], [1.0], [3.0], [4.0]], dtype=torch.float64)
SIGNS = torch.tensor([-1.0, -1.0, 1.0, 1.0], dtype=torch.float64)


def pair(points, frequency):
    phases = (points @ torch.as_tensor([frequency], dtype=torch.float64)).squeeze(-1)
    return torch.stack([phases.cos(), phases.sin()], -1)


def instance(seed, n, r, share=0.4):
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(n, r, dtype=torch.float64, generator=generator) / r**0.5
    labels = torch.where(torch.rand(n, generator=generator) < share, 1.0, -1.0).double()
    return features, labels


def maximum_by_faces(features, labels, box, ridge=0.0):
    """Every weight at 0, at C or free: the maximiser is the stationary point of one of these 3^n faces."""
    factor = (features * labels.unsqueeze(-1)).numpy()
    n, signs = len(labels), labels.numpy()
    curvature = factor @ factor.T + ridge * np.eye(n)
    best = 0.0
    for pattern in itertools.product((0, 1, None), repeat=n):
        free = [i for i in range(n) if pattern[i] is None]
        weights = np.array([0.0 if p is None else p * box for p in pattern])
        if free:
            system = np.zeros((len(free) + 1, len(free) + 1))
            system[:-1, :-1] = curvature[np.ix_(free, free)]
            system[:-1, -1] = system[-1, :-1] = signs[free]
            right = np.append(1 - (curvature @ weights)[free], -signs @ weights)
            weights[free] = np.linalg.lstsq(system, right, rcond=1e-12)[0][:-1]
        if abs(signs @ weights) < 1e-9 and (weights > -1e-9).all() and (weights < box + 1e-9).all():
            best = max(best, weights.sum() - weights @ curvature @ weights / 2)
    return best


@pytest.mark.parametrize("box", [0.01, 0.25, 1.0, 40.0])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_agrees_with_enumeration_of_all_faces(box, ridge):
    """A wrong multiplier, bias or bound would leave the bracket or open it."""
    for seed, (n, r) in enumerate([(2, 2), (3, 2), (4, 4), (5, 2), (6, 3)]):
        features, labels = instance(seed, n, r)
        exact = maximum_by_faces(features, labels, box, ridge)
        found = margin_maximum(features, labels, box, ridge=ridge)
        assert found.lower.item() <= exact + 1e-8 * (1 + exact)
        assert exact <= found.upper.item() + 1e-8 * (1 + exact)
        assert (found.upper - found.lower).item() <= 1e-9 * (1e-9 + exact)


def test_the_printed_game_of_four_points_in_closed_form():
    """max over K_(1/4) at pi/3 is 5/8 and over K_(1/2) it is 2/3; at 0 the kernel is constant and all weights are C."""
    for box, value in [(0.25, 0.625), (0.5, 2 / 3)]:
        found = margin_maximum(pair(SQUARE, math.pi / 3), SIGNS, box)
        assert found.lower.item() == pytest.approx(value, rel=1e-10)
        assert found.upper.item() == pytest.approx(value, rel=1e-10)
    constant = margin_maximum(pair(SQUARE, 0.0), SIGNS, 3.0)
    torch.testing.assert_close(constant.weights, torch.full((4,), 3.0, dtype=torch.float64))


def test_agrees_with_a_solver_of_support_vector_machines():
    """Sixty points, precomputed kernel: dual objective and decision function of scikit-learn at tolerance 1e-9."""
    features, labels = instance(5, 60, 12)
    found = margin_maximum(features, labels, 0.7)
    machine = SVC(C=0.7, kernel="precomputed", tol=1e-9).fit((features @ features.T).numpy(), labels.numpy())
    coefficients = np.zeros(60)
    coefficients[machine.support_] = machine.dual_coef_[0]
    theirs = np.abs(coefficients).sum() - ((features.numpy().T @ coefficients) ** 2).sum() / 2
    assert found.lower.item() == pytest.approx(theirs, rel=1e-7)
    scores = features @ (features.T @ (labels * found.weights)) + found.bias
    np.testing.assert_allclose(scores, machine.decision_function((features @ features.T).numpy()), atol=1e-5)


@pytest.mark.parametrize("labels", [[1.0], [-1.0], [1.0, 1.0, 1.0], [-1.0, -1.0]])
def test_one_class_leaves_zero(labels):
    features = torch.ones(len(labels), 2, dtype=torch.float64)
    for ridge, box in [(0.0, 2.0), (1.0, math.inf)]:
        found = margin_maximum(features, torch.tensor(labels, dtype=torch.float64), box, ridge=ridge)
        assert (found.weights == 0).all()
        assert found.lower == 0
        assert found.upper == 0


def test_two_points_by_hand():
    """a = (t, t): F = 2 t - c t^2 with c = |psi_1 - psi_2|^2 / 2; kernel cos(w), labels + and -: c = 1 - cos w."""
    points, labels = SQUARE[:2], torch.tensor([1.0, -1.0], dtype=torch.float64)
    for frequency, box in [(math.pi, 1.0), (1.0, 5.0), (0.3, 2.0), (0.0, 2.0)]:
        curvature = 1 - math.cos(frequency)
        t = min(box, 1 / curvature) if curvature > 0 else box
        found = margin_maximum(pair(points, frequency), labels, box)
        assert found.lower.item() == pytest.approx(2 * t - curvature * t * t, rel=1e-9)
        assert found.upper.item() == pytest.approx(2 * t - curvature * t * t, rel=1e-9)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**6), st.integers(1, 12), st.sampled_from([0.0, 1e-6, 1e-3, 1.0, 1e3, 1e6]), st.booleans())
def test_brackets_are_closed_and_weights_feasible(seed, n, box, duplicated):
    """Integer features make ties, zero rows and singular kernels; every point may stand twice."""
    generator = torch.Generator().manual_seed(seed)
    features = torch.randint(-1, 2, (n, 3), generator=generator).double()
    labels = 2.0 * torch.randint(0, 2, (n,), generator=generator).double() - 1
    if duplicated:
        features, labels = features.repeat(2, 1), labels.repeat(2)
    found = margin_maximum(features, labels, box)
    assert (found.weights >= 0).all()
    assert (found.weights <= box).all()
    assert abs(labels @ found.weights) <= 1e-13 * box * len(labels)
    assert 0 <= (found.upper - found.lower).item() <= (1e-9 if box <= 1e3 else 1e-6) * found.upper.item()


def test_copies_of_a_point_are_one_point_with_a_larger_box():
    features, labels = instance(3, 7, 4)
    many = margin_maximum(features.repeat(5, 1), labels.repeat(5), 0.2)
    one = margin_maximum(features, labels, 1.0)
    torch.testing.assert_close(many.lower, one.lower, rtol=1e-9, atol=0)


def test_batches_equal_single_problems():
    features, labels = instance(8, 24, 3)
    features, labels = features.reshape(4, 6, 3), labels.reshape(4, 6)
    labels[1] = 1.0
    box = torch.tensor([0.5, 1.0, 0.0, 20.0], dtype=torch.float64)
    batch = margin_maximum(features, labels, box)
    for i in range(4):
        single = margin_maximum(features[i], labels[i], box[i].item())
        torch.testing.assert_close(batch.lower[i], single.lower, rtol=1e-9, atol=1e-15)
        torch.testing.assert_close(batch.upper[i], single.upper, rtol=1e-9, atol=1e-15)
    shared = margin_maximum(features[:1], labels[:1], torch.tensor([0.5, 1.0], dtype=torch.float64))
    assert shared.lower.shape == (2,)


def test_many_points_with_few_features_and_few_points_with_many():
    """Both factorisations, of order r and of order n, close the bracket."""
    for n, r in [(2500, 5), (300, 5), (60, 100)]:
        features, labels = instance(n, n, r, share=0.1)
        for box, ridge in [(1.0, 0.0), (math.inf, 1.0)]:
            found = margin_maximum(features, labels, box, ridge=ridge)
            assert (found.upper - found.lower).item() <= 1e-9 * found.upper.item()


@pytest.mark.parametrize(("box", "width"), [(1.0, 1e-10), (1e6, 1e-8)])
def test_few_features_of_many_points_lose_no_digits(box, width):
    """Catches a small matrix that is kept where rounding has spoilt it: at C = 10^6 the large one has to take over."""
    features, labels = instance(11, 300, 100)
    idle = torch.zeros(300, 60, dtype=torch.float64)
    found, dense = (margin_maximum(psi, labels, box) for psi in (features, torch.cat([features, idle], -1)))
    for each in (found, dense):
        assert (each.upper - each.lower) <= width * each.upper
    assert found.lower <= dense.upper * (1 + 1e-12)
    assert dense.lower <= found.upper * (1 + 1e-12)


def test_the_lower_end_has_the_gradient_of_the_maximum():
    """Envelope theorem against central differences of the re-solved maximum."""
    features, labels = instance(2, 6, 3)
    features.requires_grad_()
    (gradient,) = torch.autograd.grad(margin_maximum(features, labels, 0.8).lower, features)
    with torch.no_grad():
        for i, j in [(0, 0), (3, 1), (5, 2)]:
            change = torch.zeros_like(features)
            change[i, j] = 1e-4
            above, below = (margin_maximum(features + s * change, labels, 0.8).lower for s in (1, -1))
            assert gradient[i, j].item() == pytest.approx(((above - below) / 2e-4).item(), abs=1e-6)


@pytest.mark.parametrize(
    ("box", "ridge", "sign", "match"),
    [
        (-1.0, 0.0, 1.0, "box"),
        (math.inf, 0.0, 1.0, "box"),
        (1.0, -0.5, 1.0, "ridge = -0.5"),
        (1.0, math.inf, 1.0, "ridge = inf"),
        (1.0, 0.0, 0.5, "labels hold 0.5"),
    ],
)
def test_bad_input_names_the_value(box, ridge, sign, match):
    with pytest.raises(ValueError, match=match):
        margin_maximum(torch.ones(2, 1, dtype=torch.float64), torch.tensor([sign, -1.0]).double(), box, ridge=ridge)
