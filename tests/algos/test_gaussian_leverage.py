"""The closed form for Gaussian data against quadrature of the integral operator, integrals and hand calculation."""

import math

import numpy as np
import pytest
import torch

from algos.ridge.gaussian_leverage import (
    gaussian_effective_dimension,
    gaussian_kernel_eigenvalues,
    gaussian_leverage_density,
)

CASES = [(1.0, 1.0, 0.1), (0.5, 2.0, 0.01), (2.0, 0.3, 0.5)]


def nystrom(lengthscale: float, scale: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, roots of weights and the kernel's operator under the Gaussian law (trapezium rule: geometric here)."""
    x = np.linspace(-9, 9, 400)
    density = np.exp(-(x**2) / 2)
    root = np.sqrt(density / density.sum())
    kernel = np.exp(-((x[:, None] - x) ** 2) * scale**2 / (2 * lengthscale**2))
    return scale * x, root, root[:, None] * kernel * root


@pytest.mark.parametrize(("lengthscale", "scale", "lam"), CASES)
def test_eigenvalues_are_those_of_the_integral_operator(lengthscale: float, scale: float, lam: float) -> None:
    eigenvalues, multiplicities = gaussian_kernel_eigenvalues(12, lengthscale=lengthscale, input_scale=scale)
    numeric = np.sort(np.linalg.eigvalsh(nystrom(lengthscale, scale)[2]))[::-1]
    np.testing.assert_allclose(eigenvalues, numeric[:12], rtol=1e-9, atol=1e-13)
    assert multiplicities.tolist() == [1] * 12
    exact = (numeric.clip(0) / (numeric.clip(0) + lam)).sum()
    ours = gaussian_effective_dimension(lam, lengthscale=lengthscale, input_scale=scale).item()
    assert ours == pytest.approx(exact, rel=1e-9)


def test_values_of_the_hand_calculation() -> None:
    """ell = sigma = 1, lambda = .1: d = 2.4882 and the leverage at w = 0, ..., 4, to the digits given there."""
    assert gaussian_effective_dimension(0.1, lengthscale=1, input_scale=1).item() == pytest.approx(2.4882, abs=6e-5)
    assert gaussian_effective_dimension(0.01, lengthscale=0.5, input_scale=2).item() == pytest.approx(13.0658, abs=6e-5)
    w = torch.arange(5, dtype=torch.float64).unsqueeze(-1)
    density = gaussian_leverage_density(w, 0.1, lengthscale=1, input_scale=1)
    np.testing.assert_allclose(density, [0.6850, 0.5879, 0.2752, 0.0372, 0.0013], atol=6e-5)


@pytest.mark.parametrize(("lengthscale", "scale", "lam"), CASES)
def test_leverage_is_its_definition(lengthscale: float, scale: float, lam: float) -> None:
    """``p(w) z^* (K + lambda)^{-1} z`` by quadrature over the inputs, at the frequencies the quadrature resolves."""
    x, root, operator = nystrom(lengthscale, scale)
    w = np.linspace(0, 3, 7)
    waves = root[:, None] * np.exp(1j * np.outer(x, w))
    solved = np.linalg.solve(operator + lam * np.eye(len(x)), waves)
    spectral = lengthscale / math.sqrt(2 * math.pi) * np.exp(-((lengthscale * w) ** 2) / 2)
    exact = spectral * (waves.conj() * solved).sum(0).real
    ours = gaussian_leverage_density(torch.from_numpy(w).unsqueeze(-1), lam, lengthscale=lengthscale, input_scale=scale)
    np.testing.assert_allclose(ours, exact, rtol=1e-8, atol=1e-12)
    assert (ours <= torch.from_numpy(spectral) / lam).all()  # uarff's upper bound with z0 = 1


@pytest.mark.parametrize(
    ("lengthscale", "scale", "lam", "dimension"), [*((*case, 1) for case in CASES), (*CASES[0], 2), (*CASES[2], 2)]
)
def test_leverage_integrates_to_the_effective_dimension(
    *, lengthscale: float, scale: float, lam: float, dimension: int
) -> None:
    """By the trapezium rule, which converges geometrically here; would catch a lost factor of the width."""
    reach = 14 / lengthscale
    line = torch.linspace(-reach, reach, 101 if dimension == 2 else 301, dtype=torch.float64)
    grid = torch.cartesian_prod(*[line] * dimension).reshape(-1, dimension)
    density = gaussian_leverage_density(grid, lam, lengthscale=lengthscale, input_scale=scale)
    integral = density.sum() * (line[1] - line[0]) ** dimension
    d = gaussian_effective_dimension(lam, lengthscale=lengthscale, input_scale=scale, dimension=dimension)
    torch.testing.assert_close(integral, d, rtol=1e-8, atol=0)


def test_products_of_eigenvalues_are_the_eigenvalues_in_three_dimensions() -> None:
    one, _ = gaussian_kernel_eigenvalues(8, lengthscale=0.7, input_scale=1.3)
    values, multiplicities = gaussian_kernel_eigenvalues(8, lengthscale=0.7, input_scale=1.3, dimension=3)
    products = (one[:, None, None] * one[:, None] * one).flatten()
    for degree in range(8):
        matches = torch.isclose(products, values[degree], rtol=1e-12, atol=0).sum().item()
        assert matches == multiplicities[degree] == math.comb(degree + 2, 2)
    many, counts = gaussian_kernel_eigenvalues(400, lengthscale=0.7, input_scale=1.3, dimension=3)
    assert (many * counts).sum().item() == pytest.approx(1, rel=1e-12)  # k(x, x)


def test_far_frequencies_do_not_underflow() -> None:
    """At t = 39 the zeroth Hermite function is e^-760; where the kernel is narrow, Weyl's law gives the leverage.

    ``l(w) ~ (1/(2 pi)) int s / (s + lambda) dx`` for the symbol ``s(x, w) = 2 pi p(w) f(x)``, f the density of the
    inputs; the phase-space cell is 1 / (2 pi), and the symbol varies little over it.
    """
    lengthscale, scale, lam = 0.02, 3.0, 1e-4
    w = torch.tensor([[5.0], [60.0], [160.0]], dtype=torch.float64)
    x = torch.linspace(-40, 40, 4001, dtype=torch.float64)
    inputs = (-(x**2) / (2 * scale**2)).exp() / (scale * math.sqrt(2 * math.pi))
    spectral = lengthscale / math.sqrt(2 * math.pi) * (-((lengthscale * w) ** 2) / 2).exp()
    symbol = 2 * math.pi * spectral * inputs
    weyl = (symbol / (symbol + lam)).sum(-1) * (x[1] - x[0]) / (2 * math.pi)
    density = gaussian_leverage_density(w, lam, lengthscale=lengthscale, input_scale=scale)
    torch.testing.assert_close(density, weyl, rtol=0.01, atol=0)
    width = math.sqrt(2 * math.sqrt(lengthscale**4 / 16 + lengthscale**2 * scale**2 / 4))
    assert width * w.max() > 38


def test_values_are_differentiable() -> None:
    w = torch.tensor([[0.3, 0.8], [0.0, -1.0]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda v: gaussian_leverage_density(v, 0.2, lengthscale=1, input_scale=1), (w,))
    lam = torch.tensor([0.1, 2.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda v: gaussian_effective_dimension(v, lengthscale=1, input_scale=1), (lam,))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lengthscale": 0.0, "input_scale": 1.0}, r"lengthscale = 0\.0"),
        ({"lengthscale": 1.0, "input_scale": float("inf")}, "input_scale = inf"),
        ({"lengthscale": 1.0, "input_scale": 1.0, "dimension": 0}, "dimension = 0"),
        ({"lengthscale": 1e-7, "input_scale": 1.0}, "100000 degrees"),
    ],
)
def test_mistakes_are_named(options: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gaussian_effective_dimension(0.1, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"regularisation = 0\.0"):
        gaussian_effective_dimension(0.0, lengthscale=1, input_scale=1)
    with pytest.raises(ValueError, match="count = 0"):
        gaussian_kernel_eigenvalues(0, lengthscale=1, input_scale=1)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_eigenvalues_depend_on_the_ratio_of_the_scales_alone(scale: float) -> None:
    expected, _ = gaussian_kernel_eigenvalues(8, lengthscale=0.5, input_scale=2.0, dimension=2)
    eigenvalues, _ = gaussian_kernel_eigenvalues(8, lengthscale=0.5 * scale, input_scale=2.0 * scale, dimension=2)
    torch.testing.assert_close(eigenvalues, expected, rtol=1e-14, atol=0.0)


@pytest.mark.parametrize("lengthscale", [1e20, 1e154, 1e308])
def test_only_the_constant_is_left_for_lengthscales_far_beyond_the_inputs(lengthscale: float) -> None:
    """The kernel is then 1 everywhere: mu_0 = 1, d(lambda) = 1 / (1 + lambda)."""
    dimension = gaussian_effective_dimension(0.25, lengthscale=lengthscale, input_scale=1.0, dimension=2)
    assert dimension.item() == pytest.approx(0.8, rel=1e-14)
    frequency = torch.full((1, 2), 0.7 / lengthscale, dtype=torch.float64)
    if lengthscale < 1e100:  # the density is of the order of the square of the lengthscale
        density = gaussian_leverage_density(frequency, 0.25, lengthscale=lengthscale, input_scale=1.0).item()
        expected = 0.8 * lengthscale**2 / (2 * math.pi) * math.exp(-(0.7**2))
        assert density == pytest.approx(expected, rel=1e-12)
