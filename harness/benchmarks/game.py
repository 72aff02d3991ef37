"""The margin game of nsrf: a Langevin step, a round of the game, its projection, and peaks on the sphere."""

import torch

from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from algos.best_response.langevin import langevin_dynamics
from algos.best_response.lattice import LatticePeaks
from algos.fourier.sums import fourier_potential_and_gradient
from algos.margin_game.game import play_margin_game
from algos.margin_game.online import decreasing_step
from algos.margin_game.projection import BoxHyperplane

from .floors import multiply, one_thread, ratio, two_products_and_turns


class LangevinStep:
    """Ten steps of 100 particles on the Fourier potential of n = 2,000 points in 10 dimensions, double precision."""

    timeout = 300
    steps = 10

    def setup(self) -> None:
        one_thread()
        self.generator = torch.Generator().manual_seed(0)
        self.points = torch.randn(2_000, 10, generator=self.generator, dtype=torch.float64)
        self.starts = torch.randn(100, 10, generator=self.generator, dtype=torch.float64)
        self.weights = torch.randn(2_000, generator=self.generator, dtype=torch.float64)

    def run(self) -> None:
        langevin_dynamics(
            lambda places: fourier_potential_and_gradient(self.points, places, self.weights),
            self.starts,
            steps=self.steps,
            step=1e-6,
            noise_scale=1e-3,
            generator=self.generator,
        )

    def time_steps(self) -> None:
        self.run()

    def track_steps_over_products_and_sine_passes(self) -> float:
        """The potential is evaluated once more than there are steps."""
        once = two_products_and_turns(self.points, self.starts)

        def floor() -> None:
            for _ in range(self.steps + 1):
                once()

        return ratio(self.run, floor, rounds=7)

    track_steps_over_products_and_sine_passes.unit = "times the floor"


class GameRound:
    """A hundred rounds against the exact player on the line; n points, each round a gradient and a projection."""

    params = ([100, 1_000],)
    param_names = ("points",)
    timeout = 300

    def setup(self, count: int) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        self.labels = torch.ones(count, dtype=torch.float64)
        self.labels[: count // 2] = -1.0
        places = torch.randint(0, 64, (count, 1), generator=generator).double()
        self.player = LatticePeaks(places)

    def time_rounds(self, *_: object) -> None:
        play_margin_game(self.player, self.labels, 1.0, rounds=100, step=decreasing_step(0.01))

    def time_answers(self, *_: object) -> None:
        for _ in range(100):
            self.player(self.labels)


class Projection:
    """Onto the box and hyperplane of the dual, one problem and a batch of 1,000; n = 200."""

    def setup(self) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        labels = torch.ones(200, dtype=torch.float64)
        labels[::2] = -1.0
        self.single, self.batch = BoxHyperplane(labels, 1.0), BoxHyperplane(labels, 1.0)
        self.points = torch.randn(1_000, 200, generator=generator, dtype=torch.float64)

    def time_single(self) -> None:
        self.single(self.points[0])

    def time_batch(self) -> None:
        self.batch(self.points)


class SphericalPeaks:
    """Answers of the player on the sphere to 100 weights at once, up to degree 31; n = 1,000 points."""

    def setup(self) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        points = torch.randn(1_000, 3, generator=generator, dtype=torch.float64)
        self.signed = torch.randn(100, 1_000, generator=generator, dtype=torch.float64)
        self.harmonic, self.zonal = HarmonicPeaks(points), ZonalPeaks(points)

    def time_harmonic(self) -> None:
        self.harmonic(self.signed)

    def time_zonal(self) -> None:
        self.zonal(self.signed)

    def track_zonal_over_its_product(self) -> float:
        """The table has (L + 1)^2 = 1024 columns."""
        return ratio(lambda: self.zonal(self.signed), multiply((100, 1_000, 1_024)), rounds=7)

    track_zonal_over_its_product.unit = "times the product"
