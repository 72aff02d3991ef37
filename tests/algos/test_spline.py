"""Spline kernels against high-precision polylogarithms, and the excess risk against Parseval and quadrature."""

import itertools
import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
import torch
from torch import Tensor

from algos.ridge.regression import feature_ridge_coefficients
from algos.ridge.spline import (
    spline_excess_risk,
    spline_features,
    spline_kernel,
    spline_moments,
    spline_ridge_coefficients,
)

ORDERS = [1.5, 2, 2.55, 3, 4, 4.55, 5, 5.1, 7, 10]
POINTS = [0.0, 1e-6, 0.01, 0.25, 0.3, 0.5]


def sample(n: int, s: int, *batch: int, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    draw = lambda size: torch.rand(*batch, size, generator=generator, dtype=torch.float64)  # noqa: E731
    return draw(n), draw(s), draw(n)


@pytest.mark.parametrize("order", ORDERS)
def test_kernel_is_the_series(order: float) -> None:
    """Against mpmath at 30 digits; would catch a wrong sign, factor or log term at even, odd and fractional orders."""
    with mpmath.workdps(30):
        turn = [2 * mpmath.pi * mpmath.mpf(u) for u in POINTS]
        exact = [float(1 + 2 * mpmath.re(mpmath.polylog(order, mpmath.expj(t)))) for t in turn]
    ours = spline_kernel(torch.tensor(POINTS, dtype=torch.float64), order)
    np.testing.assert_allclose(ours, exact, rtol=1e-12, atol=1e-12)


def test_kernel_is_even_and_periodic_and_near_odd_orders_are_continuous() -> None:
    u = torch.linspace(-0.5, 0.5, 9, dtype=torch.float64)
    torch.testing.assert_close(spline_kernel(u, 2.55), spline_kernel(-u, 2.55), rtol=0, atol=1e-14)
    torch.testing.assert_close(spline_kernel(u + 3, 2.55), spline_kernel(u, 2.55), rtol=0, atol=1e-13)
    torch.testing.assert_close(spline_kernel(u, 3.0011), spline_kernel(u, 3), rtol=0, atol=1e-3)
    assert spline_kernel(torch.zeros(1, dtype=torch.float64), 2).item() == pytest.approx(1 + math.pi**2 / 3, rel=1e-15)


def test_product_rule_holds_with_the_factor_two() -> None:
    """The integral of k_2 k_2 is k_4; printed without the factor 2 it is not (0.97041 against 0.94081)."""
    x, y = 0.1, 0.35
    nodes, weights = np.polynomial.legendre.leggauss(30)
    cuts = [0.0, x, y, 1.0]  # the integrand is a polynomial between the knots
    grid = np.concatenate([(a + b) / 2 + (b - a) / 2 * nodes for a, b in itertools.pairwise(cuts)])
    mass = np.concatenate([(b - a) / 2 * weights for a, b in itertools.pairwise(cuts)])
    v = torch.from_numpy(grid)
    integral = float((spline_kernel(v - x, 2) * spline_kernel(v - y, 2) * torch.from_numpy(mass)).sum())
    expected = spline_kernel(torch.tensor([x - y], dtype=torch.float64), 4).item()
    assert integral == pytest.approx(expected, rel=1e-13)
    printed = 1 + (expected - 1) / 2
    printed_integral = 1 + (integral - 1) / 4
    assert printed == pytest.approx(0.94081, abs=1e-5)
    assert printed_integral == pytest.approx(0.97041, abs=1e-5)


@pytest.mark.parametrize(("order", "smoothness"), [(2, 2.55), (2, 5), (1.5, 2.3)])
def test_excess_risk_is_parsevals_sum(order: float, smoothness: float) -> None:
    """Squared Fourier coefficients of the difference, truncated at M modes; the tail beyond is bounded explicitly."""
    points, centres, targets = sample(20, 6, 3, seed=1)
    beta = spline_ridge_coefficients(points, centres, targets, order=order, ridge=0.3)
    origin, modes = 0.3, 4000
    m = torch.arange(1, modes + 1, dtype=torch.float64)
    angles = 2 * math.pi * m[:, None] * centres[:, None, :]

    def difference(trig: Callable[[Tensor], Tensor]) -> Tensor:
        return m**-order * (beta[:, None] * trig(angles)).sum(-1) - m**-smoothness * trig(2 * math.pi * m * origin)

    squares = (difference(torch.cos) ** 2 + difference(torch.sin) ** 2).sum(-1)
    parseval = (beta.sum(-1) - 1) ** 2 + 2 * squares
    largest = beta.abs().sum(-1) + 1
    lowest = min(order, smoothness)
    tail = 2 * 2 * largest**2 * modes ** (1 - 2 * lowest) / (2 * lowest - 1)
    ours = spline_excess_risk(beta, centres, order=order, smoothness=smoothness, origin=origin)
    assert (ours >= parseval - 1e-12).all()
    assert (ours <= parseval + tail + 1e-12).all()


def test_excess_risk_of_the_regression_function_itself_is_zero() -> None:
    """One feature centred at x_0 with coefficient 1 and r = t."""
    one = torch.ones(1, dtype=torch.float64)
    risk = spline_excess_risk(one, 0.3 * one, order=2, smoothness=2, origin=0.3)
    assert abs(risk.item()) < 1e-14


@pytest.mark.parametrize("order", [2, 2.5, 4, 32, 100])
@pytest.mark.parametrize(
    ("n", "s", "batch"), [(1, 1, ()), (7, 3, (2, 2)), (5000, 60, (2,)), (80, 4, (400,)), (900, 1, (2,))]
)
def test_streamed_sums_are_those_of_the_feature_matrix(*, order: float, n: int, s: int, batch: tuple[int, ...]) -> None:
    """Row blocks, blocks of fits, sums between knots; ties, duplicated centres, points outside [0, 1)."""
    points, centres, targets = sample(n, s, *batch)
    if s > 2:
        centres[..., 1] = centres[..., 0]
        centres[..., 2] = 0
        points[..., 0] = centres[..., 0]
        points[..., 1] = 1
        points[..., 2] -= 2
    gram, moments = spline_moments(points, centres, targets, order=order)
    features = spline_features(points, centres, order)
    torch.testing.assert_close(gram, features.mT @ features, rtol=1e-12, atol=1e-11 * n)
    torch.testing.assert_close(moments, (features.mT @ targets.unsqueeze(-1)).squeeze(-1), rtol=1e-12, atol=1e-11 * n)
    ours = spline_ridge_coefficients(points, centres, targets, order=order, ridge=0.5)
    plain = feature_ridge_coefficients(features, targets, 0.5)
    torch.testing.assert_close(ours, plain, rtol=1e-8, atol=1e-9)


def test_fit_is_differentiable() -> None:
    points, centres, targets = sample(4, 2)
    inputs = tuple(tensor.requires_grad_() for tensor in (points, centres, targets))
    fit = lambda x, v, y: spline_ridge_coefficients(x, v, y, order=2, ridge=0.5)  # noqa: E731
    assert torch.autograd.gradcheck(fit, inputs)


@pytest.mark.parametrize("order", [1.0, 0.5, float("nan"), float("inf"), 2.9995])
def test_orders_out_of_range_are_refused(order: float) -> None:
    with pytest.raises(ValueError, match=f"{order}"):
        spline_kernel(torch.zeros(1, dtype=torch.float64), order)


@pytest.mark.parametrize("smoothness", [0.3, 0.5, 0.5004])
def test_a_regression_function_without_a_norm_is_refused(smoothness: float) -> None:
    with pytest.raises(ValueError, match=f"spline order is {2 * smoothness}"):
        spline_excess_risk(torch.ones(1), torch.ones(1), order=1.0, smoothness=smoothness, origin=0.0)


def test_points_without_targets_are_refused() -> None:
    points, centres, targets = sample(4, 2)
    with pytest.raises(ValueError, match="targets has shape"):
        spline_ridge_coefficients(points, centres, targets[:3], order=2, ridge=0.5)
