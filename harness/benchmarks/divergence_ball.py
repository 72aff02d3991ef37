"""The exact maximum of a linear function over the chi-square ball, and the published search for it."""

from typing import Literal

import numpy as np
import torch

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.divergence_ball.published import printed_bisection

from .floors import one_thread, ratio


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


class PublishedBisection:
    """Algorithm 1 of lkrf with the exact inner problem, at tolerance 1e-10, on alignments of 10,000 random labels.

    These are v = (Phi y)^2, close to 5,000 times a chi-square variable. "median" is the printed linear-time search of
    every step, "sort" a variant that keeps the order of the values from step to step.
    """

    params = ([1_000_000], [1.0, 100.0], ["median", "sort"])
    param_names = ("values", "rho", "search")
    timeout = 300
    tolerance = 1e-10

    def setup(self, values: int, _rho: float, _search: str) -> None:
        one_thread()
        normal = torch.randn(values, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
        self.values = 5_000 * normal.square()

    def track_bisection_over_exact(self, _values: int, rho: float, search: Literal["median", "sort"]) -> float:
        def bisection() -> object:
            return printed_bisection(self.values, rho, order=2.0, tolerance=self.tolerance, search=search)

        return ratio(bisection, lambda: chi_square_ball_maximum(self.values, rho), rounds=3)

    def track_relative_gap(self, _values: int, rho: float, _search: str) -> float:
        """Certified gap of the exact solution, the rounding of the certificate included by its modulus."""
        solution = chi_square_ball_maximum(self.values, rho)
        return float(solution.gap.abs() / solution.value)

    track_bisection_over_exact.unit = "times slower"
    track_relative_gap.unit = "share of the value"
