"""What a user found who had computed every function of the library anew, from its docstring alone."""

import mpmath
import numpy as np
import pytest
import torch

from algos.divergence_ball import certified_bisection, chi_square_ball_maximum, divergence_ball_dual
from algos.fourier import gaussian_frequencies, gaussian_kernel, matern_kernel, spline_frequencies
from algos.kernel_learning import kl_divergence
from algos.ridge import (
    effective_dimension,
    gram_leverage_scores,
    leverage_sampling_weights,
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
