"""The margin game's payoff against an explicit Gram matrix, and its gradient against differences and by hand."""

import math

import pytest
import torch

from algos.margin_game import margin_payoff, margin_payoff_gradient


def instance(batch=(3,), n=5, m=2, d=2):
    generator = torch.Generator().manual_seed(n)

    def draw(*shape):
        return torch.randn(*batch, *shape, dtype=torch.float64, generator=generator)

    return draw(n).abs(), torch.where(draw(n) > 0, 1.0, -1.0), draw(n, d), draw(m, d)


@pytest.mark.parametrize("mass", [1.0, 2.0])
def test_payoff_is_the_dual_objective_of_the_kernel(mass):
    """F = 1.a - a'YGYa/2 with the kernel s cos(w.(x - x'))."""
    weights, labels, points, frequencies = instance()
    phases = (frequencies.unsqueeze(-2) * points.unsqueeze(-3)).sum(-1)
    gram = mass * torch.cos(phases.unsqueeze(-1) - phases.unsqueeze(-2))
    signed = (labels * weights).unsqueeze(-2)
    expected = weights.sum(-1, keepdim=True) - 0.5 * ((signed.unsqueeze(-2) @ gram).squeeze(-2) * signed).sum(-1)
    torch.testing.assert_close(margin_payoff(weights, labels, points, frequencies, mass=mass), expected)


@pytest.mark.parametrize("mass", [1.0, 2.0])
def test_gradient_matches_autograd(mass):
    weights, labels, points, frequencies = instance()
    weights.requires_grad_()
    analytic = margin_payoff_gradient(weights, labels, points, frequencies, mass=mass)
    payoff = margin_payoff(weights, labels, points, frequencies, mass=mass)
    for j in range(payoff.shape[-1]):
        (gradient,) = torch.autograd.grad(payoff[..., j].sum(), weights, retain_graph=True)
        torch.testing.assert_close(analytic[..., j, :], gradient)


@pytest.mark.parametrize(("box", "norm"), [(1.0, 14.0), (2.0, 30.0)])
def test_aligned_data_attain_a_gradient_beyond_the_printed_bound(box, norm):
    """Four points at 0, 0, 1, 1 with labels + + - - and w = pi: every phase agrees with its label, so |S| = 4 C."""
    weights = torch.full((4,), box, dtype=torch.float64)
    labels = torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64)
    points = torch.tensor([[0.0], [0.0], [1.0], [1.0]], dtype=torch.float64)
    frequency = torch.full((1, 1), math.pi, dtype=torch.float64)
    gradient = margin_payoff_gradient(weights, labels, points, frequency, mass=2.0)
    assert gradient.norm().item() == pytest.approx(norm, rel=1e-14)
