"""The interpolated potential: the direct sum to rounding, with derivatives, at a cost that forgets the points."""

import statistics
import time

import pytest
import torch

from algos.best_response.separable_potential import SeparablePotential
from algos.fourier.sums import fourier_potential, fourier_potential_and_gradient


def cloud(n: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Points of the unit disc, moved away from the origin."""
    generator = torch.Generator().manual_seed(seed)
    points = torch.randn(n, 2, generator=generator, dtype=dtype)
    points = points / points.norm(dim=-1, keepdim=True) * torch.rand(n, 1, generator=generator, dtype=dtype).sqrt()
    return points + torch.tensor([0.5, -0.25], dtype=dtype)


def frequencies(m: int, radius: float, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Uniform in the box, with its corner and zero."""
    some = radius * (2 * torch.rand(m, 2, generator=torch.Generator().manual_seed(9), dtype=dtype) - 1)
    some[0], some[1] = radius, 0.0
    return some


@pytest.mark.parametrize("n", [1, 2, 3, 200, 5000])
@pytest.mark.parametrize("radius", [0.1, 3.0, 40.0])
@pytest.mark.parametrize("kind", ["positive", "signed"])
def test_value_and_gradient_are_those_of_the_direct_sum_to_1e_12(n, radius, kind):
    points, some = cloud(n), frequencies(60, radius)
    weights = torch.rand(n, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    weights = weights if kind == "positive" else weights - 0.5
    potential = SeparablePotential(points, radius=radius)
    moments = potential.moments(weights)
    value, gradient = potential.value_and_gradient(moments, some)
    expected, slope = fourier_potential_and_gradient(points, some, weights)
    scale, reach = weights.abs().sum().square(), points.norm(dim=-1).amax()
    assert (value - expected).abs().amax() <= 1e-12 * scale
    assert (gradient - slope).abs().amax() <= 1e-12 * scale * reach
    assert (value - expected).abs().amax() <= potential.accuracy * scale
    torch.testing.assert_close(potential.value(moments, some), value, rtol=0, atol=1e-14 * float(scale))


def test_the_stated_accuracy_holds_for_wide_ranges_and_in_float32():
    for dtype, radius in ((torch.float32, 40.0), (torch.float64, 300.0)):
        points, some = cloud(300, dtype=dtype), frequencies(50, radius, dtype)
        weights = torch.rand(300, dtype=dtype, generator=torch.Generator().manual_seed(2))
        potential = SeparablePotential(points, radius=radius)
        value = potential.value(potential.moments(weights), some)
        assert value.dtype == dtype
        exact = fourier_potential(points.double(), some.double(), weights.double())
        assert (value.double() - exact).abs().amax() <= potential.accuracy * weights.double().sum().square()


def test_derivatives_are_those_of_automatic_differentiation():
    potential = SeparablePotential(cloud(40), radius=20.0)
    moments = potential.moments(torch.randn(40, generator=torch.Generator().manual_seed(3), dtype=torch.float64))
    place = frequencies(6, 20.0).requires_grad_()
    value, gradient, hessian = potential.value_gradient_and_hessian(moments, place)
    (slope,) = torch.autograd.grad(potential.value(moments, place).sum(), place, create_graph=True)
    scale = float(value.detach().amax())
    torch.testing.assert_close(gradient, slope, rtol=0, atol=1e-12 * scale)
    for j in range(2):
        (bend,) = torch.autograd.grad(slope[:, j].sum(), place, retain_graph=True)
        torch.testing.assert_close(hessian[:, j], bend, rtol=0, atol=1e-11 * scale)
    pair = potential.value_and_gradient(moments, place)
    torch.testing.assert_close(pair, (value, gradient), rtol=0, atol=1e-12 * scale)


def test_the_grid_is_the_potential_on_its_points():
    potential = SeparablePotential(cloud(30), radius=10.0)
    moments = potential.moments(torch.randn(3, 30, generator=torch.Generator().manual_seed(4), dtype=torch.float64))
    first, second = torch.linspace(-10, 10, 5, dtype=torch.float64), torch.linspace(0, 7, 4, dtype=torch.float64)
    pairs = torch.cartesian_prod(first, torch.cat([-second[1:].flip(0), second]))
    expected = potential.value(moments, pairs).unflatten(-1, (5, 7))
    torch.testing.assert_close(potential.grid(moments, first, second), expected, rtol=1e-11, atol=1e-11)


def test_batches_of_weights_and_frequencies_and_gradients_in_the_weights():
    points = cloud(25)
    potential = SeparablePotential(points, radius=5.0)
    signed = torch.randn(4, 25, generator=torch.Generator().manual_seed(5), dtype=torch.float64, requires_grad=True)
    some = frequencies(28, 5.0).unflatten(0, (4, 7))
    value = potential.value(potential.moments(signed), some)
    expected = fourier_potential(points, some, signed)
    torch.testing.assert_close(value, expected, rtol=0, atol=1e-10)
    (ours,) = torch.autograd.grad(value.sum(), signed)
    (theirs,) = torch.autograd.grad(expected.sum(), signed)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-10)


def test_the_cost_of_a_step_does_not_depend_on_the_number_of_points():
    """1e5 points against 1e3, in turns in one run; a direct sum would be 100 times slower, 2 is the noise allowed."""
    some, steps = frequencies(200, 40.0), {}
    for n in (1_000, 100_000):
        potential = SeparablePotential(cloud(n), radius=40.0)
        moments = potential.moments(torch.ones(n, dtype=torch.float64) / n)
        steps[n] = (potential, moments, [])
        value, gradient = potential.value_and_gradient(moments, some[:20])
        phases = potential.points @ some[:20].T
        cosine, sine = phases.cos(), phases.sin()
        slope = 2 * (cosine.mean(0) * sine - sine.mean(0) * cosine).T.neg() @ potential.points / n
        assert (value - cosine.mean(0).square() - sine.mean(0).square()).abs().amax() <= 1e-12
        assert (gradient - slope).abs().amax() <= 1e-12 * potential.points.norm(dim=-1).amax()
    assert max(steps[100_000][1].shape) <= 82
    for _ in range(15):
        for potential, moments, seconds in steps.values():
            start = time.process_time()
            potential.value_and_gradient(moments, some)
            seconds.append(time.process_time() - start)
    small, large = (statistics.median(seconds) for _, _, seconds in steps.values())
    assert large <= 2 * small


def test_points_without_extent_have_a_constant_potential():
    potential = SeparablePotential(torch.full((3, 2), 7.0, dtype=torch.float64), radius=40.0)
    moments = potential.moments(torch.tensor([1.0, 2.0, -0.5], dtype=torch.float64))
    value, gradient = potential.value_and_gradient(moments, frequencies(5, 40.0))
    torch.testing.assert_close(value, torch.full_like(value, 6.25))
    assert (gradient == 0).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SeparablePotential(torch.zeros(3, 3), radius=1.0), "n, 2"),
        (lambda: SeparablePotential(torch.zeros(2, 3, 2), radius=1.0), "axes"),
        (lambda: SeparablePotential(torch.zeros(3, 2), radius=0.0), "radius = 0"),
        (lambda: SeparablePotential(torch.zeros(3, 2), radius=float("inf")), "radius = inf"),
        (lambda: SeparablePotential(torch.zeros(3, 2), radius=1.0).moments(torch.zeros(4)), "3 points"),
        (
            lambda: SeparablePotential(torch.zeros(3, 2), radius=1.0).value(torch.zeros(2, 2), torch.full((1, 2), 1.1)),
            r"up to 1.1",
        ),
        (
            lambda: SeparablePotential(torch.zeros(3, 2), radius=1.0).value(
                torch.zeros(2, 2), torch.full((1, 2), float("nan"))
            ),
            "frequencies = nan",
        ),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
