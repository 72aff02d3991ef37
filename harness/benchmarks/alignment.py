"""Alignment losses of a pool of frequencies, compared with a textbook implementation in numpy."""

import numpy as np
import torch

from algos.kernel_learning.alignment import binary_alignment_loss

from .floors import multiply_and_turn, one_thread, ratio


class AlignmentLoss:
    """n = 10,000 points in 30 dimensions, float64: pools of 2,000 and of the paper's 20,000 frequencies."""

    params = ([2_000, 20_000],)
    param_names = ("frequencies",)
    timeout = 600

    def setup(self, frequencies: int) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        self.points = torch.randn(10_000, 30, generator=generator, dtype=torch.float64)
        self.frequencies = torch.randn(frequencies, 30, generator=generator, dtype=torch.float64)
        self.labels = 2.0 * torch.randint(2, (10_000,), generator=generator) - 1.0

    def losses(self) -> torch.Tensor:
        return binary_alignment_loss(self.points, self.labels, self.frequencies)

    def textbook(self) -> np.ndarray:
        """Proposition 7 of pbrff with n x N arrays."""
        labels, n = self.labels.numpy(), len(self.points)
        phases = self.points.numpy() @ self.frequencies.numpy().T
        potential = (labels @ np.cos(phases)) ** 2 + (labels @ np.sin(phases)) ** 2
        return n / (2 * (n - 1)) - potential / (2 * n * (n - 1))

    def time_losses(self, *_: object) -> None:
        self.losses()

    def peakmem_losses(self, *_: object) -> None:
        self.losses()

    def track_textbook_over_ours(self, *_: object) -> float:
        return ratio(self.textbook, self.losses, rounds=1)

    def track_losses_over_product_and_sine_pass(self, *_: object) -> float:
        return ratio(self.losses, multiply_and_turn(self.points, self.frequencies), rounds=3)

    track_textbook_over_ours.unit = "times slower"
    track_losses_over_product_and_sine_pass.unit = "times the floor"
