"""The O(n) spline ridge against the dense solver, judged by residuals in extended precision."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from algos.ridge._tridiagonal import tridiagonal_factor, tridiagonal_solve
from algos.ridge.regression import dual_coefficients
from algos.ridge.spline import spline_kernel
from algos.ridge.spline_ridge import spline_kernel_ridge_coefficients


def dense(points: Tensor, targets: Tensor, ridge: float) -> Tensor:
    return dual_coefficients(spline_kernel(points.unsqueeze(-1) - points.unsqueeze(-2), 2), targets, ridge)


def residual(points: Tensor, targets: Tensor, ridge: float, weights: Tensor) -> float:
    """``|(K + ridge) w - y|`` in numpy's extended precision, K from its own formula."""
    x, y, w = (t.numpy().astype(np.longdouble) for t in (points, targets, weights))
    u = np.abs(x[:, None] - x)
    u -= np.floor(u)
    turn = np.longdouble("3.14159265358979323846264338327950288") ** 2
    return float(np.linalg.norm((1 + 2 * turn * (u * u - u + np.longdouble(1) / 6)) @ w + np.longdouble(ridge) * w - y))


def layout(kind: str, n: int) -> Tensor:
    generator = torch.Generator().manual_seed(n)
    x = torch.rand(n, generator=generator, dtype=torch.float64)
    if kind == "ties":
        return (x * (n // 8 + 1)).round() / (n // 8 + 1)  # 0 and 1 are the same point of the circle
    if kind == "one point":
        return torch.full_like(x, 0.3)
    if kind == "cluster":
        return 0.7 + 1e-13 * x
    if kind == "ends":
        return torch.where(x < 0.5, 1e-15 * x, 1 - 1e-15 * x)
    if kind == "grid":
        return torch.arange(n, dtype=torch.float64) / n
    return 7 * x - 3 if kind == "outside" else x


@pytest.mark.parametrize("kind", ["random", "ties", "one point", "cluster", "ends", "grid", "outside"])
@pytest.mark.parametrize("n", [1, 2, 3, 31, 32, 63, 300, 600])
@pytest.mark.parametrize("regularisation", [1.0, 1e-2, 1e-6])
def test_residual_is_that_of_the_dense_solver(*, kind: str, n: int, regularisation: float) -> None:
    """To ten times its rounding; would catch a lost tie, a wrong cut of the circle, a missing refinement step.

    The rounding is the larger of the dense solver's own residual and eps (|K| |w| + |y|), what no solver beats.
    """
    points, ridge = layout(kind, n), n * regularisation
    targets = (6 * points).cos() + torch.randn(n, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    ours = spline_kernel_ridge_coefficients(points, targets, ridge=ridge)
    theirs = dense(points, targets, ridge)
    kernel_norm = float(torch.linalg.eigvalsh(spline_kernel(points[:, None] - points, 2))[-1]) + ridge
    unavoidable = np.finfo(float).eps * (kernel_norm * theirs.norm().item() + targets.norm().item())
    rounding = max(residual(points, targets, ridge, theirs), unavoidable)
    assert residual(points, targets, ridge, ours) <= 10 * rounding


def test_batches_broadcast_and_ties_differ_between_entries() -> None:
    """Entries with different numbers of distinct points share one tensor program."""
    points = torch.stack([layout(kind, 40) for kind in ("random", "ties", "one point")])
    targets = torch.randn(2, 1, 40, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    ridge = torch.tensor([0.3, 1.0, 20.0], dtype=torch.float64)
    batch = spline_kernel_ridge_coefficients(points, targets, ridge=ridge)
    assert batch.shape == (2, 3, 40)
    for i in range(2):
        for j in range(3):
            torch.testing.assert_close(
                batch[i, j], dense(points[j], targets[i, 0], float(ridge[j])), rtol=1e-9, atol=1e-9
            )
    single = spline_kernel_ridge_coefficients(points.float(), targets.float(), ridge=ridge.float())
    assert single.dtype == torch.float32
    torch.testing.assert_close(single[:, 0].double(), batch[:, 0], rtol=1e-2, atol=1e-2)


def test_interpolation_needs_distinct_points() -> None:
    """Without a ridge the fit passes through the targets; two targets at one point leave it without an answer."""
    points, targets = layout("random", 20), layout("random", 21)[1:]
    weights = spline_kernel_ridge_coefficients(points, targets, ridge=0.0)
    torch.testing.assert_close(spline_kernel(points[:, None] - points, 2) @ weights, targets, rtol=1e-9, atol=1e-9)
    points[3] = points[7]
    weights = spline_kernel_ridge_coefficients(points, targets, ridge=0.0)
    assert not weights[3].isfinite()
    assert not weights[7].isfinite()


def test_coefficients_are_differentiable() -> None:
    """Through points, targets and ridge, the derivatives of the dense solver; also across levels of the reduction."""
    for n in (3, 40):
        generator = torch.Generator().manual_seed(n)
        points = torch.rand(n, generator=generator, dtype=torch.float64, requires_grad=True)
        targets = torch.randn(n, generator=generator, dtype=torch.float64, requires_grad=True)
        ridge = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
        fast = spline_kernel_ridge_coefficients(points, targets, ridge=ridge).square().sum()
        slow = dual_coefficients(spline_kernel(points[:, None] - points, 2), targets, ridge).square().sum()
        for ours, theirs in zip(*(torch.autograd.grad(f, (points, targets, ridge)) for f in (fast, slow)), strict=True):
            torch.testing.assert_close(ours, theirs, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 31, 32, 33, 100, 127, 128])
def test_cyclic_reduction_solves_tridiagonal_systems(n: int) -> None:
    """At every size around the powers of two; would catch a pad that couples to the last unknown."""
    generator = torch.Generator().manual_seed(n)
    off = torch.randn(3, n - 1, generator=generator, dtype=torch.float64)
    diagonal = 0.1 + torch.nn.functional.pad(off.abs(), (0, 1)) + torch.nn.functional.pad(off.abs(), (1, 0))
    matrix = torch.diag_embed(diagonal) + torch.diag_embed(off, 1) + torch.diag_embed(off, -1)
    right = torch.randn(3, 2, n, generator=generator, dtype=torch.float64)
    ours = tridiagonal_solve(tridiagonal_factor(diagonal, off), right)
    torch.testing.assert_close(ours, torch.linalg.solve(matrix, right.mT).mT, rtol=1e-9, atol=1e-10)


def test_mistakes_are_named() -> None:
    points = layout("random", 4)
    with pytest.raises(ValueError, match="targets has shape"):
        spline_kernel_ridge_coefficients(points, points[1:], ridge=1.0)
    with pytest.raises(ValueError, match=r"\(0,\)"):
        spline_kernel_ridge_coefficients(points[:0], points[:0], ridge=1.0)
    with pytest.raises(ValueError, match=r"ridge = -1\.0"):
        spline_kernel_ridge_coefficients(points, points, ridge=-1.0)
    assert math.isfinite(spline_kernel_ridge_coefficients(points[:1], points[:1], ridge=1.0).item())
