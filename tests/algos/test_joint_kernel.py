"""The joint problem against brute force over the ball, and the two halves of its saddle point."""

import itertools

import pytest
import torch

from algos.divergence_ball.exact import f_divergence
from algos.kernel_learning.joint_kernel import joint_kernel_ridge

torch.set_num_threads(1)


def _problem(n, size, *, seed=0, batch=()):
    generator = torch.Generator().manual_seed(seed)
    features = torch.cos(3 * torch.randn(*batch, n, size, dtype=torch.float64, generator=generator))
    return features, torch.sign(torch.randn(*batch, n, dtype=torch.float64, generator=generator))


def _value(features, labels, weights, ridge):
    kernel = (features * weights.unsqueeze(-2)) @ features.mT + ridge * torch.eye(len(labels), dtype=torch.float64)
    return (labels @ torch.linalg.solve(kernel, labels.expand(len(kernel), -1).unsqueeze(-1)).squeeze(-1).mT) / 2


def _grid(size, steps):
    """All vectors of probabilities that are multiples of 1 / steps: the last one is what the others leave."""
    firsts = (p for p in itertools.product(range(steps + 1), repeat=size - 1) if sum(p) <= steps)
    return torch.tensor([(*p, steps - sum(p)) for p in firsts], dtype=torch.float64) / steps


@pytest.mark.parametrize("order", [2.0, 3.0])
@pytest.mark.parametrize("rho", [0.01, 0.3, 50.0])
@pytest.mark.parametrize("size", [2, 3])
def test_no_weights_on_a_fine_grid_of_the_ball_are_better(size, rho, order):
    """Active and idle constraints; the grid also shows that the value is no lower than the minimum."""
    features, labels = _problem(4, size)
    found = joint_kernel_ridge(features, labels, rho, ridge=0.3, order=order, tolerance=1e-10)
    grid = _grid(size, 2000 if size == 2 else 200)
    values = _value(features, labels, grid[f_divergence(grid, order=order) <= rho], 0.3)
    assert found.gap <= 1e-10 * found.value
    assert f_divergence(found.weights, order=order) <= rho + 1e-12
    assert found.value <= values.min() + 1e-10
    spacing = 2 * 2 / len(grid) ** (1 / (size - 1))  # in the l1 norm, to a grid point of the ball
    steepest = (features.mT @ torch.linalg.solve(0.3 * torch.eye(4, dtype=torch.float64), labels)).square().max() / 2
    assert values.min() - found.value <= spacing * steepest


@pytest.mark.parametrize("order", [2.0, 4.0])
def test_the_saddle_point_holds_from_both_sides(order):
    """alpha solves its linear system at q, and no weights of the ball have a larger score at alpha."""
    features, labels = _problem(12, 20, batch=(3,))
    found = joint_kernel_ridge(features, labels, 0.5, ridge=0.5, order=order, tolerance=1e-10)
    kernel = (features * found.weights.unsqueeze(-2)) @ features.mT + 0.5 * torch.eye(12, dtype=torch.float64)
    torch.testing.assert_close((kernel @ found.dual.unsqueeze(-1)).squeeze(-1), labels)
    scores = (found.dual.unsqueeze(-2) @ features).squeeze(-2).square()
    # Lagrange conditions: w_m = nu + kappa (N q_m)^(k-1) where q_m > 0, at most nu elsewhere; D(q) = rho
    power = (20 * found.weights) ** (order - 1)
    for w, p, q in zip(scores, power, found.weights, strict=True):
        active = q > 1e-9
        design = torch.stack([torch.ones_like(p[active]), p[active]], -1)
        solution = torch.linalg.lstsq(design, w[active]).solution
        assert solution[1] > 0
        torch.testing.assert_close(design @ solution, w[active], rtol=1e-3, atol=1e-3 * w.max().item())
        assert (w[~active] <= solution[0] + 1e-3 * w.max()).all()
    torch.testing.assert_close(f_divergence(found.weights, order=order), torch.full((3,), 0.5).double())


def test_the_gap_is_an_upper_bound_when_the_search_is_cut_short():
    features, labels = _problem(20, 30)
    best = joint_kernel_ridge(features, labels, 1.0, ridge=0.5, tolerance=1e-12)
    for steps in range(8):
        early = joint_kernel_ridge(features, labels, 1.0, ridge=0.5, max_steps=steps)
        assert early.steps == steps
        assert best.gap < early.value - best.value <= early.gap


def test_a_batch_is_its_instances():
    features, labels = _problem(6, 5, batch=(4,), seed=2)
    together = joint_kernel_ridge(features, labels, 0.4, ridge=0.2, tolerance=1e-11)
    for row in range(4):
        alone = joint_kernel_ridge(features[row], labels[row], 0.4, ridge=0.2, tolerance=1e-11)
        torch.testing.assert_close(together.weights[row], alone.weights, rtol=0, atol=1e-9)
        assert together.steps[row] == alone.steps


def test_degenerate_problems_are_specified():
    features, labels = _problem(5, 4)
    uniform = torch.full((4,), 0.25, dtype=torch.float64)
    at_centre = joint_kernel_ridge(features, labels, 0.0, ridge=1.0)
    torch.testing.assert_close(at_centre.weights, uniform)
    assert at_centre.steps == 0
    no_labels = joint_kernel_ridge(features, torch.zeros_like(labels), 1.0, ridge=1.0)
    assert no_labels.value == no_labels.gap == no_labels.steps == 0
    one = joint_kernel_ridge(features[:, :1], labels, 1.0, ridge=1.0)
    assert one.weights.tolist() == [1.0]
    same = joint_kernel_ridge(features[:, :1].expand(5, 3), labels, 1.0, ridge=1.0)
    torch.testing.assert_close(same.value, one.value)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"ridge": 0.0}, "ridge = 0.0"),
        ({"ridge": 1.0, "tolerance": 0.0}, "tolerance = 0.0"),
        ({"ridge": 1.0, "rho": -1.0}, "rho = -1.0"),
        ({"ridge": 1.0, "order": 1.0}, "order = 1.0"),
    ],
)
def test_impossible_arguments_are_refused_by_name(options, named):
    features, labels = _problem(3, 2)
    with pytest.raises(ValueError, match=named):
        joint_kernel_ridge(features, labels, **{"rho": 1.0, **options})
