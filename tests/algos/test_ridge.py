"""Ridge fits: the two forms agree, satisfy their optimality conditions, and reproduce an exact worked example."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from algos.ridge.leverage import feature_kernel, sampled_kernel
from algos.ridge.regression import (
    dual_coefficients,
    feature_ridge_coefficients,
    feature_ridge_fit,
    feature_ridge_from_moments,
    kernel_ridge_fit,
    ridge_cross_term,
    unit_ball_coefficients,
)


def problem(n: int, s: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(n, s, generator=generator, dtype=torch.float64)
    return features, torch.randn(n, generator=generator, dtype=torch.float64)


@given(
    n=st.integers(1, 8),
    s=st.integers(1, 8),
    seed=st.integers(0, 999),
    log_ridge=st.floats(-3, 2),
    duplicate=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_primal_and_dual_agree_and_the_gradient_vanishes(
    *, n: int, s: int, seed: int, log_ridge: float, duplicate: bool
) -> None:
    """The normal equations of |Y - Z b|^2 / n + lambda s |b|^2; would catch a lost s or a lost n."""
    features, targets = problem(n, s, seed)
    if duplicate:
        features[:, -1] = features[:, 0]
    ridge = 10**log_ridge
    beta = feature_ridge_coefficients(features, targets, ridge)
    gradient = features.T @ (features @ beta - targets) / n + ridge / n * s * beta
    assert gradient.abs().max() < 1e-10 * (1 + features.abs().max() ** 2)
    primal = feature_ridge_from_moments(features.T @ features, features.T @ targets, ridge)
    torch.testing.assert_close(beta, primal, rtol=1e-8, atol=1e-9)
    dual = kernel_ridge_fit(features @ features.T / s, targets, ridge)
    torch.testing.assert_close(feature_ridge_fit(features, targets, ridge), dual, rtol=1e-8, atol=1e-9)


def test_cross_term_in_exact_fractions() -> None:
    """Two atoms (1, +-.1): the value is 6361/5550 lambda for the first atom and 109/222 lambda for the second."""
    features = torch.tensor([[1.0, 1.0], [0.1, -0.1]], dtype=torch.float64)
    half = torch.full((2,), 0.5, dtype=torch.float64)
    kernel = feature_kernel(features, half)
    targets = torch.tensor([-0.44, 0.99], dtype=torch.float64)
    counts = torch.eye(2, dtype=torch.float64)
    values = ridge_cross_term(kernel, sampled_kernel(features, half, counts), targets, 0.1) / 0.05
    assert values.tolist() == pytest.approx([float(Fraction(6361, 5550)), float(Fraction(109, 222))], rel=1e-13)
    weights = dual_coefficients(kernel, targets, 0.1)
    assert float(weights @ kernel @ weights) == pytest.approx(0.97, rel=1e-13)


def test_cross_term_is_the_definition() -> None:
    """<Y - f, f - f~>/n from the two fits themselves."""
    features, targets = problem(5, 7, seed=3)
    other, _ = problem(5, 4, seed=4)
    kernel, approximation = features @ features.T, other @ other.T / 4
    fit = kernel_ridge_fit(kernel, targets, 0.4)
    refit = kernel_ridge_fit(approximation, fit, 0.4)
    ours = ridge_cross_term(kernel, approximation, targets, 0.4)
    torch.testing.assert_close(ours, (targets - fit) @ (fit - refit) / 5)


def test_unit_ball_coefficients_stay_in_the_unit_ball() -> None:
    """Norm at most |u|, nearly attained for a regular kernel, finite for duplicated points."""
    features, directions = problem(4, 4, seed=5)
    directions = directions / directions.norm()
    duplicated = features.clone()
    duplicated[1] = duplicated[0]
    for rows, attained in ((features, True), (duplicated, False)):
        kernel = rows @ rows.T
        weights = unit_ball_coefficients(kernel, directions)
        squared_norm = weights @ kernel @ weights
        assert squared_norm <= 1 + 1e-9
        assert (squared_norm >= 0.99) == attained


def test_batches_equal_their_entries() -> None:
    features, targets = problem(4, 3)
    ridge = torch.tensor([0.1, 1.0], dtype=torch.float64)
    batch = feature_ridge_fit(features, targets, ridge)
    torch.testing.assert_close(batch[1], feature_ridge_fit(features, targets, 1.0))
    wide = feature_ridge_fit(features.T, targets[:3], ridge)
    torch.testing.assert_close(wide[0], feature_ridge_fit(features.T, targets[:3], 0.1))


def test_everything_is_differentiable() -> None:
    features, targets = problem(3, 2)
    ridge = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    inputs = (features.requires_grad_(), targets.requires_grad_(), ridge)
    assert torch.autograd.gradcheck(feature_ridge_fit, inputs)
    cross = lambda z, y, r: ridge_cross_term(z @ z.T, z[:, :1] @ z[:, :1].T, y, r)  # noqa: E731
    assert torch.autograd.gradcheck(cross, inputs)


def test_degenerate_inputs() -> None:
    """n = 1; zero features fit zero; a singular system gives NaN instead of an exception."""
    one = torch.tensor([[2.0]], dtype=torch.float64)
    assert kernel_ridge_fit(one, torch.tensor([3.0], dtype=torch.float64), 1.0).item() == pytest.approx(2.0)
    zero = torch.zeros(3, 2, dtype=torch.float64)
    assert feature_ridge_fit(zero, torch.ones(3, dtype=torch.float64), 0.1).tolist() == [0.0, 0.0, 0.0]
    assert dual_coefficients(zero @ zero.T, torch.ones(3, dtype=torch.float64), 0.0).isnan().all()


def test_bad_input_names_the_value() -> None:
    features, targets = problem(3, 2)
    with pytest.raises(ValueError, match="targets"):
        feature_ridge_fit(features, targets[:2], 1.0)
    with pytest.raises(ValueError, match=r"-0\.5"):
        feature_ridge_fit(features, targets, -0.5)
    whole = dual_coefficients(features @ features.T, torch.tensor([1, 2, 3]), 1.0)
    assert torch.equal(whole, dual_coefficients(features @ features.T, torch.tensor([1.0, 2.0, 3.0]).double(), 1.0))
