"""Kernels against their spectral densities, by adaptive quadrature in high precision."""

import math

import mpmath
import pytest
import torch
from scipy import stats

from algos.fourier.random_features import gaussian_kernel
from algos.ridge.spectral import (
    gaussian_spectral_density,
    laplace_frequencies,
    laplace_kernel,
    laplace_spectral_density,
    spectral_mixture_density,
    spectral_mixture_kernel,
)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def transform(kernel, omega: float) -> float:
    """(2 pi)^-1 integral of kernel(delta) cos(omega delta), for an even kernel, by tanh-sinh on unit pieces."""
    with mpmath.workdps(25):
        pieces = [*range(0, 40, 2), mpmath.mpf(80)]
        return float(mpmath.quad(lambda t: kernel(t) * mpmath.cos(omega * t), pieces) / mpmath.pi)


@pytest.mark.parametrize("omega", [0.0, 0.4, 2.5])
def test_densities_are_the_transforms_of_their_kernels(omega):
    """Catches a missing 2 pi, a wrong power of gamma, variance taken for standard deviation."""
    at = tensor([[omega]])
    gaussian = transform(lambda t: mpmath.exp(-mpmath.mpf("0.7") * t**2), omega)
    assert float(gaussian_spectral_density(at, gamma=0.7)) == pytest.approx(gaussian, rel=1e-12)
    laplace = transform(lambda t: mpmath.exp(-mpmath.mpf("1.3") * t), omega)
    assert float(laplace_spectral_density(at, gamma=1.3)) == pytest.approx(laplace, rel=1e-12)
    mixture = (tensor([0.3, 0.7]), tensor([[0.5], [1.5]]), tensor([0.8, 1.1]))

    def kernel(t):
        parts = ((0.3, 0.5, 0.8), (0.7, 1.5, 1.1))
        return sum(a * mpmath.cos(m * t) * mpmath.exp(-((s * t) ** 2) / 2) for a, m, s in parts)

    assert float(spectral_mixture_density(at, *mixture)) == pytest.approx(transform(kernel, omega), rel=1e-11)
    found = spectral_mixture_kernel(tensor([[0.6]]), *mixture)
    assert float(found) == pytest.approx(float(kernel(mpmath.mpf("0.6"))), rel=1e-14)


@pytest.mark.parametrize("batch", [(), (3,)])
def test_coordinates_are_independent(batch):
    """The densities and kernels in d dimensions are products over the coordinates (mixtures: of one component)."""
    w, other = normal(*batch, 5, 3), normal(*batch, 2, 3, seed=1)
    for density in (gaussian_spectral_density, laplace_spectral_density):
        product = math.prod(density(w[..., k : k + 1], gamma=0.6) for k in range(3))
        torch.testing.assert_close(density(w, gamma=0.6), product, rtol=1e-13, atol=0)
    for kernel in (gaussian_kernel, laplace_kernel):
        product = math.prod(kernel(w[..., k : k + 1], other[..., k : k + 1], gamma=0.6) for k in range(3))
        torch.testing.assert_close(kernel(w, other, gamma=0.6), product, rtol=1e-12, atol=0)


def test_a_mixture_of_one_centred_component_is_gaussian():
    weights, means, scales = tensor([1.0]), torch.zeros(1, 2, dtype=torch.float64), tensor([0.9])
    at = normal(4, 2)
    gamma = 0.9**2 / 2
    torch.testing.assert_close(
        spectral_mixture_density(at, weights, means, scales), gaussian_spectral_density(at, gamma=gamma)
    )
    torch.testing.assert_close(
        spectral_mixture_kernel(at, weights, means, scales),
        gaussian_kernel(at, torch.zeros(1, 2, dtype=torch.float64), gamma=gamma).squeeze(-1),
    )


def test_densities_neither_overflow_where_bells_are_high_nor_lose_their_scale():
    """In 600 dimensions heights leave float64, and densities need not; squared widths leave it, and widths need not."""
    row = torch.full((1, 600), 0.1, dtype=torch.float64)
    one, centre, scale = (torch.full(shape, 1.0, dtype=torch.float64) for shape in ((1,), (1, 600), (1,)))
    ours = spectral_mixture_density(row, one, 0 * centre, 0.1 * scale)
    torch.testing.assert_close(ours, gaussian_spectral_density(row, gamma=0.1**2 / 2), rtol=1e-11, atol=0)
    assert spectral_mixture_density(30 * row.unsqueeze(0), one, 0 * centre, 0.1 * scale).item() == 0
    for gamma in (1e-170, 1e170):
        peak = laplace_spectral_density(torch.zeros(1, 1, dtype=torch.float64), gamma=gamma)
        assert peak.item() * gamma == pytest.approx(1 / math.pi, rel=1e-15)


def test_mixtures_take_batches():
    weights, means, scales = torch.full((3, 2), 0.5).double(), normal(3, 2, 2), normal(3, 2).abs() + 0.5
    at = normal(3, 4, 2, seed=2)
    for function in (spectral_mixture_density, spectral_mixture_kernel):
        alone = torch.stack([function(at[i], weights[i], means[i], scales[i]) for i in range(3)])
        torch.testing.assert_close(function(at, weights, means, scales), alone)
        assert torch.autograd.gradcheck(lambda x, f=function: f(x, weights, means, scales), at.requires_grad_())


def test_laplace_frequencies_are_cauchy_of_scale_gamma():
    """Half of the moduli are below gamma: a test at 1e-6 that sees a scale 10 % off."""
    drawn = laplace_frequencies(20000, 2, gamma=0.3, generator=torch.Generator().manual_seed(1)).abs()
    low, high = stats.binom.ppf([5e-7, 1 - 5e-7], 40000, 0.5)
    assert low < int((drawn < 0.3).sum()) < high
    assert not low < int((drawn < 0.33).sum()) < high
    assert not low < int((drawn < 0.27).sum()) < high


@pytest.mark.parametrize("gamma", [0.0, -1.0, math.nan, math.inf])
def test_bad_gamma_is_named(gamma):
    for call in (
        lambda: gaussian_spectral_density(normal(2, 1), gamma=gamma),
        lambda: laplace_spectral_density(normal(2, 1), gamma=gamma),
        lambda: laplace_kernel(normal(2, 1), normal(2, 1), gamma=gamma),
        lambda: laplace_frequencies(2, 1, gamma=gamma, generator=torch.Generator()),
    ):
        with pytest.raises(ValueError, match=f"gamma = {gamma}"):
            call()
