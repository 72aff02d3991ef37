"""What a user found who had computed every function of the library anew, from its docstring alone."""

import mpmath
import numpy as np
import pytest
import torch

from algos.divergence_ball import certified_bisection, chi_square_ball_maximum, divergence_ball_dual
from algos.fourier import (
    fastfood_features,
    gaussian_frequencies,
    gaussian_kernel,
    matern_kernel,
    spline_frequencies,
    structured_fourier_features,
)
from algos.kernel_learning import kl_divergence
from algos.margin_game import margin_value, project_box_hyperplane
from algos.ridge import (
    dual_coefficients,
    effective_dimension,
    feature_moments,
    gaussian_effective_dimension,
    gram_leverage_scores,
    leverage_sampling_weights,
    leverage_weighted_sample,
    pool_leverage_scores,
    ridge_leverage_scores,
    squared_hinge_path,
)
from bounds.complexity import spectral_complexity
from bounds.divergence_ball import expected_supremum_gap
from bounds.margin_game import printed_play_convergence, replacement_change


def test_a_tensor_is_as_exact_as_a_number() -> None:
    """The cap sqrt n of a class of functions was rounded to float32, and (1 + rho)^a - 1 cancelled."""
    phase, radius = torch.tensor([10.0], dtype=torch.float64), torch.tensor([1e-17], dtype=torch.float64)
    for n in (7, 10, 101):
        assert spectral_complexity(phase, 1.0, n).item() == pytest.approx(spectral_complexity(10.0, 1.0, n), rel=1e-15)
    exact = expected_supremum_gap(1.0, 1e-17, 100)
    assert exact > 1e-10
    assert expected_supremum_gap(1.0, radius, 100).item() == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("gamma", [1.0, 1e2, 1e4, 1e6])
def test_a_gaussian_kernel_of_single_precision_is_one_on_its_diagonal(gamma: float) -> None:
    x = torch.from_numpy((np.random.default_rng(0).normal(size=(50, 5)) * 2).astype(np.float32))
    found, exact = gaussian_kernel(x, x, gamma=gamma), gaussian_kernel(x.double(), x.double(), gamma=gamma)
    assert found.dtype is torch.float32
    assert float((found.diagonal() - 1).abs().max()) < 1e-6
    assert float((found.double() - exact).abs().max()) < 1e-6


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e155])
def test_kernels_do_not_depend_on_the_unit_of_length(scale: float) -> None:
    x = torch.tensor([[0.0], [3.0]], dtype=torch.float64)
    plain = matern_kernel(x, x, smoothness=1.5, lengthscale=1.0)
    assert torch.allclose(matern_kernel(scale * x, scale * x, smoothness=1.5, lengthscale=scale), plain, rtol=1e-13)
    if 1e-150 < scale < 1e150:
        assert torch.allclose(gaussian_kernel(scale * x, scale * x, gamma=scale**-2), gaussian_kernel(x, x, gamma=1.0))


def test_leverage_scores_of_nothing_are_zero_and_can_be_drawn() -> None:
    """Rounding left -2e-16 of them, which the samplers refused."""
    half = torch.full((2,), 0.5, dtype=torch.float64)
    zero_column = torch.tensor([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]], dtype=torch.float64)
    never_drawn = torch.tensor([[5.0, 1.0], [4.0, 2.0], [7.0, 3.0]], dtype=torch.float64)
    for features, masses in ((zero_column, half), (never_drawn, torch.tensor([0.0, 1.0], dtype=torch.float64))):
        for ridge in np.geomspace(1e-3, 1e3, 20):
            scores = ridge_leverage_scores(features, masses, float(ridge))
            assert scores[0] == 0.0
            assert bool((leverage_sampling_weights(scores) >= 0).all())


def test_errors_of_leverage_are_those_of_the_matrix_over_the_ridge() -> None:
    """As the docstrings say, against sixty digits."""
    z = np.random.default_rng(0).integers(-3, 4, size=(8, 14)).astype(float)
    gram, eps = z.T @ z, np.finfo(float).eps
    size = np.linalg.norm(gram, 2)
    with mpmath.workdps(60):
        for ridge in (1e-2, 1e-6, 1e-10):
            exact = mpmath.matrix(gram) * (mpmath.matrix(gram) + mpmath.mpf(ridge) * mpmath.eye(14)) ** -1
            scores = np.array([float(exact[i, i]) for i in range(14)])
            allowed = 100 * eps * max(1.0, size / ridge)
            assert np.abs(gram_leverage_scores(torch.from_numpy(gram), ridge).numpy() - scores).max() < allowed
            found = effective_dimension(torch.from_numpy(gram), ridge).item()
            assert abs(found - scores.sum()) < 14 * allowed
            assert found <= 14.0


def test_a_certified_bisection_doubles_beyond_the_range_of_float32() -> None:
    values = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64) * 1e50
    found = certified_bisection(values, 0.5, order=3.0, tolerance=1e44, max_steps=1000)
    assert bool(found.terminated)
    assert 0.0 <= float(found.gap) <= 1e44


def test_a_threshold_may_be_a_number() -> None:
    values = torch.tensor([1.0, 2.0])
    assert divergence_ball_dual(values, 1.0, 0.1) == divergence_ball_dual(values, torch.tensor(1.0), 0.1)


REFUSED = {
    "base": (
        lambda: chi_square_ball_maximum(torch.tensor([1.0, 2.0, 4.0, 7.0]), 0.5, base=torch.ones(4) / 2),
        "base sums to 2",
    ),
    "law": (lambda: kl_divergence(torch.tensor([0.3, 0.3]), torch.tensor([0.5, 0.5])), "posterior sums to 0.6"),
    "labels": (
        lambda: squared_hinge_path(torch.tensor([[1.0], [2.0]]), torch.tensor([1.0, 0.0]), torch.tensor([1.0])),
        "labels hold 0.0",
    ),
    "no shape": (lambda: gaussian_frequencies(gamma=1.0, generator=torch.Generator()), "has no shape"),
    "plane": (lambda: spline_frequencies(3, 2, order=2.0, generator=torch.Generator()), "lie on a line"),
    "generator": (
        lambda: gaussian_frequencies(3, 2, gamma=1.0, generator=np.random.default_rng(0)),
        "must be torch.Generator",
    ),
    "overflow": (lambda: replacement_change(1e300), r"\(an intermediate number is infinite\): choose other values.$"),
    "nested": (
        lambda: printed_play_convergence(2.5, 1e300, 1e150, 1e300, peak_gap=1.0),
        r"peak_gap = 1.0 give no answer in this precision \(the result is infinite\): choose other values.$",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_told_by_the_arguments(name: str) -> None:
    call, words = REFUSED[name]
    with pytest.raises((ValueError, TypeError), match=words):
        call()


def test_the_columns_of_a_feature_map_are_those_of_the_pool() -> None:
    """Cosines and sines with one column for each feature: indices of columns were taken for those of features."""
    generator = torch.Generator().manual_seed(1)
    points, pool = (torch.rand(n, 3, dtype=torch.float64, generator=generator) for n in (4, 3))

    def both(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.cat([(x @ w.mT).cos(), (x @ w.mT).sin()], -1)

    for seed in range(6):
        with pytest.raises(ValueError, match="6 columns for 3 features, but columns_per_feature = 1 says 3"):
            leverage_weighted_sample(points, pool, both, ridge=0.5, generator=torch.Generator().manual_seed(seed))
    found = leverage_weighted_sample(points, pool, both, ridge=0.5, columns_per_feature=2, generator=generator)
    assert found.scores.shape == (3,)


def test_sparse_tensors_and_mixed_precisions_are_named() -> None:
    dense, sparse = torch.eye(3, dtype=torch.float64), torch.eye(3, dtype=torch.float64).to_sparse()
    for other in (sparse, sparse.to_sparse_csr()):
        with pytest.raises(TypeError, match=r"others has layout torch\.sparse.*call its to_dense\(\)"):
            gaussian_kernel(dense, other, gamma=1.0)
        with pytest.raises(TypeError, match="ridge has layout"):
            dual_coefficients(dense, torch.ones(3, dtype=torch.float64), other)
    with pytest.raises(ValueError, match=r"^kernel has dtype torch.float64, targets has dtype torch.float32, but"):
        dual_coefficients(dense, torch.ones(3), 0.5)
    half = torch.eye(3, dtype=torch.float16)
    with pytest.raises(ValueError, match=r"has dtype torch.float16, in which this cannot be computed: convert"):
        effective_dimension(half, 0.5)


def test_functions_are_called_by_their_names_in_messages() -> None:
    def two_columns(x: torch.Tensor) -> torch.Tensor:
        return x @ torch.ones(3, 2)

    points = torch.ones(4, 3, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"the function .*two_columns") as caught:
        feature_moments(points, torch.ones(4, dtype=torch.float64), two_columns)
    assert "acceptor" not in str(caught.value)


def test_what_needs_no_gradient_takes_none(recwarn: pytest.WarningsRecorder) -> None:
    labels = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64, requires_grad=True)
    points = torch.eye(4, dtype=torch.float64, requires_grad=True)
    assert not squared_hinge_path(points, labels.detach(), torch.ones(2, dtype=torch.float64)).requires_grad
    weights = project_box_hyperplane(torch.ones(4, dtype=torch.float64), labels, 1.0)
    assert float((weights * labels.detach()).sum().abs()) < 1e-15
    assert not list(recwarn)


def test_a_game_has_one_box_and_ends_where_nothing_is_gained() -> None:
    strategies = torch.randn(3, 4, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
    with pytest.raises(ValueError, match=r"box has shape \(2,\), but there is one game"):
        margin_value(strategies, labels, torch.tensor([0.5, 0.6]))
    usual = margin_value(strategies, labels, 1.0)
    exact = margin_value(strategies, labels, 1.0, tolerance=1e-300)  # 500 programmes, had it not stopped
    assert exact.lower <= usual.upper
    assert usual.lower <= exact.upper


def test_an_empty_batch_has_an_empty_answer() -> None:
    empty = torch.zeros(0, dtype=torch.float64)
    assert gaussian_effective_dimension(empty, lengthscale=1.0, input_scale=1.0).shape == (0,)
    assert pool_leverage_scores(torch.zeros(0, 4, 4, dtype=torch.float64), 0.5, columns_per_feature=2).shape == (0, 2)
    generator = torch.Generator().manual_seed(0)
    points = torch.zeros(0, 5, 3, dtype=torch.float64)
    assert fastfood_features(points, count=4, gamma=1.0, generator=generator).shape == (0, 5, 8)
    signs = torch.ones(2, 3, 4, dtype=torch.float64)
    assert structured_fourier_features(points, signs, gamma=1.0).shape == (0, 5, 16)
