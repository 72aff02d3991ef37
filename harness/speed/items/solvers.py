"""Exact solvers: the chi-square ball, leverage scores, ridge regression with the spline kernel."""

from typing import Any

import numpy as np
import torch
from scipy import linalg, optimize
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.ridge.leverage import ridge_leverage_scores
from algos.ridge.spline_ridge import spline_kernel_ridge_coefficients
from harness.benchmarks.floors import in_turn, multiply, symmetric_update
from harness.speed.contest import Bar, Call, Contest, Item, Peer
from harness.speed.items.features import normal


def chi_square_ball() -> Contest:
    """A million normal values, rho = 1; ours has its certificate."""
    values, rho = normal(1_000_000, dtype=torch.float64), 1.0
    array, size = values.numpy(), len(values)

    def by_prefix_sums() -> np.ndarray:
        """Sort, prefix sums of the values and of their squares, the first count whose threshold leaves the rest out."""
        ordered = np.sort(array)[::-1]
        count = np.arange(1, size + 1)
        mean, second = np.cumsum(ordered) / count, np.cumsum(ordered**2) / count
        excess = count * (1 + rho) / size - 1
        slope = np.sqrt(np.maximum(second - mean**2, 0.0) / np.where(excess > 0, excess, np.inf))
        threshold = np.where(excess > 0, mean - slope, np.inf)
        first = int(np.argmax((threshold >= np.append(ordered[1:], -np.inf)) & (excess > 0)))
        return _normalised(array - threshold[first])

    def by_root() -> np.ndarray:
        """A root of the divergence in the threshold."""

        def excess(threshold: float) -> float:
            height = np.maximum(array - threshold, 0.0)
            return float(size * (height @ height) / height.sum() ** 2 - 1 - rho)

        low, high = float(array.min()) - 1.0, float(array.max()) - 1e-6
        root: float = optimize.brentq(excess, low, high, xtol=1e-13)
        return _normalised(array - root)

    return Contest(
        ours={"": lambda: chi_square_ball_maximum(values, rho)},
        peers=(
            Peer("numpy, sort and prefix sums", lambda: by_prefix_sums),
            Peer("scipy, root of the divergence", lambda: by_root),
        ),
        floor=lambda: np.sort(array),
        tolerance=1e-8,
        numbers=lambda solution: solution.weights,
    )


def _normalised(height: np.ndarray) -> np.ndarray:
    positive = np.maximum(height, 0.0)
    return np.asarray(positive / positive.sum())


def leverage_scores() -> Contest:
    """10,000 points, 1,000 features of probability 1/s, float64."""
    n, s, ridge = 10_000, 1_000, 10.0
    features = normal(n, s, dtype=torch.float64)
    probabilities = torch.full((s,), 1 / s, dtype=torch.float64)

    def by_numpy() -> np.ndarray:
        array = features.numpy()
        gram = array.T @ array / s
        return np.asarray(np.diag(gram @ np.linalg.inv(gram + ridge * np.eye(s))))

    def by_torch() -> Tensor:
        gram = features.T @ features / s
        inverse: Tensor = torch.linalg.inv(gram + ridge * torch.eye(s, dtype=gram.dtype))
        return (gram @ inverse).diagonal()

    return Contest(
        ours={"": lambda: ridge_leverage_scores(features, probabilities, ridge)},
        peers=(Peer("numpy, inverse", lambda: by_numpy), Peer("torch, inverse", lambda: by_torch)),
        floor=in_turn(symmetric_update(n, s), multiply((s // 3, s, s))),
        tolerance=1e-11,
    )


def spline_ridge() -> Contest:
    """2,048 points; peers form the kernel matrix."""
    n, ridge = 2_048, 2_048**0.5
    points = torch.rand(n, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    targets = normal(n, dtype=torch.float64, seed=1)
    x, y = points.numpy(), targets.numpy()

    def kernel() -> np.ndarray:
        t = np.abs(x[:, None] - x)
        return np.asarray(1 + 2 * np.pi**2 * (t * t - t + 1 / 6))

    def by_kernel_ridge() -> Call:
        from sklearn.kernel_ridge import KernelRidge  # noqa: PLC0415

        model: Any = KernelRidge(alpha=ridge, kernel="precomputed")
        return lambda: model.fit(kernel(), y).dual_coef_

    def by_numpy() -> np.ndarray:
        return np.linalg.solve(kernel() + ridge * np.eye(n), y)

    banded, sides = np.stack([np.full(n, -1.0), np.full(n, 4.0)]), np.ones((n, 4))
    return Contest(
        ours={"": lambda: spline_kernel_ridge_coefficients(points, targets, ridge=ridge)},
        peers=(Peer("scikit-learn KernelRidge", by_kernel_ridge), Peer("numpy, dense", lambda: by_numpy)),
        floor=in_turn(lambda: np.sort(x), lambda: linalg.solveh_banded(banded, sides)),
        tolerance=1e-9,
    )


ITEMS = (
    Item(
        "ball",
        "maximum over the chi-square ball with its certificate, 1,000,000 values, rho = 1, float64",
        "one sort",
        chi_square_ball,
        (Bar("", "floor", most=4.0),),
    ),
    Item(
        "leverage",
        "ridge leverage scores, 10,000 points, 1,000 features, float64",
        "one symmetric update; (2/3) s^3 operations as a product",
        leverage_scores,
        (Bar("", "floor", most=1.4),),
    ),
    Item(
        "spline",
        "ridge regression with the spline kernel, 2,048 points, float64",
        "one sort; one tridiagonal system with four right sides",
        spline_ridge,
    ),
)
