"""Weighted sums of exp(i <w, x>) over the data, the kernel that all algorithms share."""

import torch

from algos.fourier.sums import fourier_sums

from .floors import multiply_and_turn, one_thread, ratio


class FourierSums:
    """n = 10,000 points, 2,000 frequencies."""

    params = ([30, 784], ["float32", "float64"])
    param_names = ("dimension", "dtype")
    timeout = 300

    def setup(self, dimension: int, dtype: str) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        real = getattr(torch, dtype)
        self.points = torch.randn(10_000, dimension, generator=generator, dtype=real)
        self.frequencies = torch.randn(2_000, dimension, generator=generator, dtype=real)
        self.weights = torch.randn(1, 10_000, generator=generator, dtype=real)

    def sums(self) -> None:
        fourier_sums(self.points, self.frequencies, self.weights)

    def time_sums(self, *_: object) -> None:
        self.sums()

    def track_sums_over_product_and_sine_pass(self, *_: object) -> float:
        return ratio(self.sums, multiply_and_turn(self.points, self.frequencies), rounds=3)

    track_sums_over_product_and_sine_pass.unit = "times the floor"
