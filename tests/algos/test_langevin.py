"""Langevin dynamics: exact laws on a quadratic, replayed noise, and peaks of real potentials."""

import math

import pytest
import torch

from algos.best_response.langevin import (
    langevin_dynamics,
    langevin_noise_scale,
    printed_noise_scale,
    stationary_variance,
)
from algos.best_response.separable_potential import SeparablePotential
from algos.fourier.sums import fourier_potential_and_gradient


def quadratic(curvature: float):
    return lambda w: (-0.5 * curvature * w.square().sum(-1), -curvature * w)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize(
    ("step", "printed", "usual"),
    [(0.5, 5.3333, 1.3333), (0.1, 105.263, 1.05263), (0.01, 10050.25, 1.0050251), (0.001, 1.0005e6, 1.00050025)],
)
def test_variance_of_the_printed_and_of_the_usual_noise(step, printed, usual):
    """Curvature and temperature 1, target 1: the literal reading grows like 1/step^2."""
    assert stationary_variance(step, 1.0, printed_noise_scale(step, 1.0)) == pytest.approx(printed, rel=1e-4)
    assert stationary_variance(step, 1.0, langevin_noise_scale(step, 1.0)) == pytest.approx(usual, rel=1e-4)
    inverse = langevin_noise_scale(step, 1 / 4.0)
    assert inverse == pytest.approx(math.sqrt(2 * step / 4.0))
    assert printed_noise_scale(step, 3.0) == pytest.approx(langevin_noise_scale(step, 3.0 / step**2))


def test_scales_whose_squares_leave_float64_are_numbers():
    assert langevin_noise_scale(1e-200, 1e-200) == pytest.approx(math.sqrt(2) * 1e-200, rel=1e-15, abs=0)
    assert langevin_noise_scale(1e200, 1e200) == pytest.approx(math.sqrt(2) * 1e200, rel=1e-15)
    assert stationary_variance(1e-150, 1e-150, 1e-170) == pytest.approx(5e-41, rel=1e-15, abs=0)


def test_the_dynamics_settle_at_the_stationary_variance():
    """A start from the exact stationary law stays there: 4e5 squares of normals, a relative error of .0022 at one
    standard error; six of them are 3e-9 of false alarms, and a noise scale off by one per cent is 9 of them off."""
    scale = langevin_noise_scale(0.25, 2.0)
    variance = stationary_variance(0.25, 3.0, scale)
    starts = math.sqrt(variance) * torch.randn(400_000, 1, generator=generator(1), dtype=torch.float64)
    run = langevin_dynamics(quadratic(3.0), starts, steps=5, step=0.25, noise_scale=scale, generator=generator(2))
    assert abs(run.last.square().mean() / variance - 1) < 6 * math.sqrt(2 / 400_000)


def test_every_step_is_gradient_plus_noise_of_the_generator():
    starts = torch.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=torch.float64)
    run = langevin_dynamics(quadratic(2.0), starts, steps=3, step=0.1, noise_scale=0.7, generator=generator(3))
    noise, place = generator(3), starts
    for _ in range(3):
        place = 0.8 * place + 0.7 * torch.randn(2, 2, generator=noise, dtype=torch.float64)
    torch.testing.assert_close(run.last, place)
    again = langevin_dynamics(quadratic(2.0), starts, steps=3, step=0.1, noise_scale=0.7, generator=generator(3))
    assert torch.equal(run.last, again.last)


def test_the_best_place_visited_is_kept_and_not_the_last():
    """An ascent that overshoots: from 1 with factor 1 - 2.5 = -1.5 the start is the best of all."""
    starts = torch.tensor([[1.0], [4.0]], dtype=torch.float64)
    run = langevin_dynamics(quadratic(1.0), starts, steps=4, step=2.5, noise_scale=0.0)
    assert run.best_index == 1.0
    assert run.best_value == -0.5
    assert torch.equal(run.particle_indices, starts)
    torch.testing.assert_close(run.last, starts * 1.5**4)
    nothing = langevin_dynamics(quadratic(1.0), starts, steps=0, step=1.0, noise_scale=0.0)
    assert torch.equal(nothing.last, starts)


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_a_potential_that_overflows_is_never_the_best(wrong):
    def blowing(w):
        return torch.where(w[..., 0] > 1, torch.full_like(w[..., 0], wrong), w[..., 0]), torch.ones_like(w)

    run = langevin_dynamics(blowing, torch.zeros(1, 1, dtype=torch.float64), steps=9, step=0.3, noise_scale=0.0)
    assert run.best_value == pytest.approx(0.9)


def test_the_ball_is_never_left():
    seen = []

    def watched(w):
        seen.append(w.norm(dim=-1).amax())
        return quadratic(-1.0)(w)

    starts = 5 * torch.randn(6, 3, generator=generator(4), dtype=torch.float64)
    run = langevin_dynamics(watched, starts, steps=8, step=0.5, noise_scale=0.4, generator=generator(5), radius=1.5)
    assert max(seen) <= 1.5 * (1 + 1e-15)
    assert run.best_value == pytest.approx(0.5 * 1.5**2)
    inside = torch.tensor([[0.0, 0.0, 0.0]], dtype=torch.float64)
    same = langevin_dynamics(watched, inside, steps=0, step=1.0, noise_scale=0.0, radius=1.5)
    assert torch.equal(same.last, inside)


def test_batches_find_the_peak_of_their_own_potential():
    """Ascent without noise on the potential of one repeated point pair: v = 2 + 2 cos(w1) has its peaks at 2 pi k."""
    points = torch.tensor([[0.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    signed = torch.tensor([[1.0, 1.0], [1.0, -1.0]], dtype=torch.float64)
    starts = 2 * torch.rand(2, 5, 2, generator=generator(6), dtype=torch.float64) + 0.3
    separable = SeparablePotential(points, radius=20.0)
    moments = separable.moments(signed)
    potentials = (
        lambda w: fourier_potential_and_gradient(points, w, signed),
        lambda w: separable.value_and_gradient(moments, w),
    )
    for potential in potentials:
        run = langevin_dynamics(potential, starts, steps=80, step=0.3, noise_scale=0.0)
        assert run.best_index.shape == (2, 2)
        torch.testing.assert_close(run.best_value, torch.full((2,), 4.0, dtype=torch.float64), rtol=1e-9, atol=0)
        assert (run.particle_values <= run.best_value.unsqueeze(-1)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": -1}, "steps = -1"),
        ({"step": 0.0}, "step = 0"),
        ({"noise_scale": -0.1}, "noise_scale = -0.1"),
        ({"noise_scale": 0.1}, "Generator"),
        ({"radius": 0.0}, "radius = 0"),
    ],
)
def test_what_is_refused(options, message):
    arguments = {"steps": 1, "step": 0.1, "noise_scale": 0.0} | options
    with pytest.raises(ValueError, match=message):
        langevin_dynamics(quadratic(1.0), torch.zeros(1, 1), **arguments)


def test_no_stationary_law_for_steps_that_are_too_long():
    for step, curvature in ((1.0, 2.0), (1.0, -1.0)):
        with pytest.raises(ValueError, match=r"must lie in|curvature = -1"):
            stationary_variance(step, curvature, 1.0)
