"""Kernel ridge regression with the spline kernel, in linear time and densely."""

import torch

from algos.ridge.regression import dual_coefficients
from algos.ridge.spline import spline_kernel
from algos.ridge.spline_ridge import spline_kernel_ridge_coefficients

from .floors import one_thread, ratio


class SplineRidge:
    """n points, lambda = n^(-1/2); the dense solver forms the kernel matrix and its Cholesky factor."""

    params = ([512, 2048],)
    param_names = ("points",)
    timeout = 300

    def setup(self, points: int) -> None:
        one_thread()
        generator = torch.Generator().manual_seed(0)
        self.points = torch.rand(points, generator=generator, dtype=torch.float64)
        self.targets = torch.randn(points, generator=generator, dtype=torch.float64)
        self.ridge = points**0.5

    def linear(self) -> torch.Tensor:
        return spline_kernel_ridge_coefficients(self.points, self.targets, ridge=self.ridge)

    def dense(self) -> torch.Tensor:
        kernel = spline_kernel(self.points.unsqueeze(-1) - self.points, 2)
        return dual_coefficients(kernel, self.targets, self.ridge)

    def time_linear(self, _points: int) -> None:
        self.linear()

    def track_dense_over_linear(self, _points: int) -> float:
        return ratio(self.dense, self.linear)

    track_dense_over_linear.unit = "times as long"

    def track_residual_over_dense(self, _points: int) -> float:
        """Residuals in float64: both consist of rounding."""
        kernel = spline_kernel(self.points.unsqueeze(-1) - self.points, 2)
        ours, theirs = (
            torch.linalg.norm(self.targets - kernel @ w - self.ridge * w) for w in (self.linear(), self.dense())
        )
        return float(ours / theirs)

    track_residual_over_dense.unit = "times the dense residual"
