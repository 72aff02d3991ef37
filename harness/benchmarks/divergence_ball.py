"""The exact maximum of a linear function over the chi-square ball."""

import numpy as np
import torch

from algos.divergence_ball import chi_square_ball_maximum

from ._floor import one_thread, ratio


class ChiSquareBall:
    """N values, radius rho; the certificate is part of the time."""

    params = ([20_000, 1_000_000], [1.0, 100.0])
    param_names = ("values", "rho")
    timeout = 300

    def setup(self, values: int, _rho: float) -> None:
        one_thread()
        self.values = torch.randn(values, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def time_maximum(self, _values: int, rho: float) -> None:
        chi_square_ball_maximum(self.values, rho)

    def track_maximum_over_sort(self, _values: int, rho: float) -> float:
        array = self.values.numpy()
        return ratio(lambda: chi_square_ball_maximum(self.values, rho), lambda: np.sort(array))

    track_maximum_over_sort.unit = "times the floor"
