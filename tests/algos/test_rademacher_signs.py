"""The exact complexity against the definition: the supremum over the ball is attained at K sigma / |.|."""

import itertools

import pytest
import torch

from algos.complexity.rademacher import unit_ball_rademacher_complexity


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_is_the_mean_of_the_attained_suprema(n: int) -> None:
    """For each of all 2^n sign vectors the maximiser f = sum_i a_i k(x_i, .) is built and its norm checked to be 1."""
    generator = torch.Generator().manual_seed(n)
    root = torch.randn(2, n, n, generator=generator, dtype=torch.float64)
    kernel = root @ root.mT
    total = torch.zeros(2, dtype=torch.float64)
    for pattern in itertools.product((-1.0, 1.0), repeat=n):
        sigma = torch.tensor(pattern, dtype=torch.float64)
        weights = sigma / (sigma @ kernel @ sigma).sqrt().unsqueeze(-1)
        norm = (weights.unsqueeze(-2) @ kernel @ weights.unsqueeze(-1)).squeeze()
        torch.testing.assert_close(norm, torch.ones(2, dtype=torch.float64))
        total += ((kernel @ weights.unsqueeze(-1)).squeeze(-1) @ sigma).abs() * 2 / n
    torch.testing.assert_close(unit_ball_rademacher_complexity(kernel), total / 2**n)


def test_degenerate_kernels_and_gradients() -> None:
    """Zero kernel, cancelling signs of two equal points, and a finite gradient there."""
    kernel = torch.stack([torch.zeros(2, 2), torch.ones(2, 2)]).double().requires_grad_()
    complexity = unit_ball_rademacher_complexity(kernel)
    assert complexity.tolist() == [0.0, 1.0]
    (gradient,) = torch.autograd.grad(complexity.sum(), kernel)
    assert gradient.isfinite().all()
    root = torch.randn(3, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0), requires_grad=True)
    assert torch.autograd.gradcheck(lambda z: unit_ball_rademacher_complexity(z @ z.T), (root,))


@pytest.mark.parametrize("shape", [(2, 3), (17, 17), (0, 0)])
def test_bad_input_is_refused(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="kernel"):
        unit_ball_rademacher_complexity(torch.zeros(shape, dtype=torch.float64))
