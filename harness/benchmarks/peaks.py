"""The kernel player of the margin game: steps of many frequencies, and certified peaks in the plane and on the line."""

import math

import torch

from algos.best_response.lattice import LatticePeaks
from algos.best_response.planar import PlanarPeaks
from algos.best_response.separable_potential import SeparablePotential
from algos.fourier.sums import fourier_potential_and_gradient

from .floors import one_thread, ratio, two_products_and_turns


def disc(count: int) -> torch.Tensor:
    """Uniform points of the unit disc."""
    generator = torch.Generator().manual_seed(0)
    radius, turn = torch.rand(2, count, generator=generator, dtype=torch.float64)
    angle = 2 * math.pi * turn
    return radius.sqrt().unsqueeze(-1) * torch.stack([angle.cos(), angle.sin()], -1)


class GradientStep:
    """n = 10,000 points, 500 frequencies, single precision: one step of all particles."""

    params = ([2, 32, 512],)
    param_names = ("dimension",)
    timeout = 300

    def setup(self, dimension: int) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        self.points = torch.randn(10_000, dimension, generator=generator)
        self.frequencies = torch.randn(500, dimension, generator=generator) * 3 / dimension**0.5
        self.weights = torch.randn(10_000, generator=generator)

    def step(self) -> None:
        fourier_potential_and_gradient(self.points, self.frequencies, self.weights)

    def time_step(self, *_: object) -> None:
        self.step()

    def track_step_over_two_products_and_sine_pass(self, *_: object) -> float:
        return ratio(self.step, two_products_and_turns(self.points, self.frequencies), rounds=7)

    track_step_over_two_products_and_sine_pass.unit = "times the floor"


class PlanarStep:
    """500 frequencies in the plane after the set-up, double precision: direct sums cost as n, moments do not."""

    params = ([1_000, 10_000, 100_000],)
    param_names = ("points",)
    timeout = 300

    def setup(self, count: int) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(1)
        self.points, self.few = disc(count), disc(1_000)
        self.weights = torch.randn(count, generator=generator, dtype=torch.float64)
        self.frequencies = 80 * torch.rand(500, 2, generator=generator, dtype=torch.float64) - 40
        self.potential, small = (SeparablePotential(points, radius=40.0) for points in (self.points, self.few))
        self.moments = self.potential.moments(self.weights)
        few_moments = small.moments(self.weights[:1_000])
        self.small_step = lambda: small.value_and_gradient(few_moments, self.frequencies)

    def step(self) -> None:
        self.potential.value_and_gradient(self.moments, self.frequencies)

    def direct(self) -> None:
        fourier_potential_and_gradient(self.points, self.frequencies, self.weights)

    def time_step(self, *_: object) -> None:
        self.step()

    def time_moments(self, *_: object) -> None:
        self.potential.moments(self.weights)

    def track_step_over_step_with_a_thousand_points(self, *_: object) -> float:
        return ratio(self.step, self.small_step, rounds=9)

    def track_direct_sums_over_step(self, *_: object) -> float:
        return ratio(self.direct, self.step, rounds=3)

    track_step_over_step_with_a_thousand_points.unit = "times the step with n = 1,000"
    track_direct_sums_over_step.unit = "times the step"


class PlanarAnswer:
    """One answer of the kernel player, n = 2,000, |w_j| <= 40: with the grid's gap, and certified to 1e-6."""

    params = ([None, 1e-2, 1e-6],)
    param_names = ("tolerance",)

    def setup(self, tolerance: float | None) -> None:
        one_thread()
        points = disc(2_000)
        self.player = PlanarPeaks(points, tolerance=tolerance)
        radius = points.norm(dim=-1)
        spiral = torch.atan2(points[:, 1], points[:, 0]) * 2 + 1.3 * radius
        self.signed = 0.5 * torch.sign(torch.sin(spiral))

    def time_answer(self, *_: object) -> None:
        self.player(self.signed)

    def track_relative_gap(self, *_: object) -> float:
        answer = self.player(self.signed)
        return float(answer.gap / answer.value)

    track_relative_gap.unit = "of the value"


class LatticeAnswer:
    """One answer on the line, 32 integers, by the fast Fourier transform."""

    params = ([2**12, 2**16],)
    param_names = ("grid",)

    def setup(self, grid: int) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(2)
        self.player = LatticePeaks(torch.arange(32).unsqueeze(-1), grid=grid)
        self.signed = torch.randn(32, generator=generator, dtype=torch.float64)

    def time_answer(self, *_: object) -> None:
        self.player(self.signed)
