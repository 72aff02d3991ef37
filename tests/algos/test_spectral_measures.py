"""Kernels against the characteristic functions of their spectral measures, and samplers against their laws."""

import math

import mpmath
import numpy as np
import pytest
import torch
from scipy import integrate, special
from torch import Tensor

from algos.fourier.random_features import random_fourier_features
from algos.fourier.spectral_measures import (
    matern_frequencies,
    matern_kernel,
    matern_spectral_density,
    spline_frequencies,
    spline_spectral_masses,
    trigonometric_factor,
)
from algos.ridge.finite_rank import finite_rank_effective_dimension
from algos.ridge.leverage import effective_dimension
from algos.ridge.spline import spline_kernel
from harness.evidence.bernoulli import sample_size

SMOOTHNESS = [0.5, 1.5, 2.5, 6.5]


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("smoothness", SMOOTHNESS)
def test_matern_kernel_is_the_bessel_form(smoothness: float) -> None:
    """``2^{1-nu} / Gamma(nu) u^nu K_nu(u)``; would catch a wrong coefficient, power or scale of any half-integer."""
    r = torch.tensor([1e-4, 0.1, 1.0, 4.0], dtype=torch.float64)
    u = math.sqrt(2 * smoothness) * r.numpy() / 0.7
    exact = 2 ** (1 - smoothness) / special.gamma(smoothness) * u**smoothness * special.kv(smoothness, u)
    origin = torch.zeros(1, 2, dtype=torch.float64)
    points = torch.stack([0.6 * r, 0.8 * r], -1)
    kernel = matern_kernel(points, origin, smoothness=smoothness, lengthscale=0.7)
    np.testing.assert_allclose(kernel[:, 0], exact, rtol=1e-9)
    assert matern_kernel(origin, origin, smoothness=smoothness, lengthscale=0.7).item() == 1


@pytest.mark.parametrize(
    ("smoothness", "distance"), [(180.5, 0.5), (100.5, 3.0), (100.5, 50.0), (100.5, 1e4), (60.5, 1e300), (400.5, 1e-9)]
)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_matern_kernels_of_any_smoothness_are_numbers(smoothness: float, distance: float, dtype: torch.dtype) -> None:
    distance = min(distance, 1e30) if dtype == torch.float32 else distance
    with mpmath.workdps(40):
        nu, u = mpmath.mpf(smoothness), mpmath.sqrt(2 * smoothness) * mpmath.mpf(distance)
        exact = float(2 ** (1 - nu) / mpmath.gamma(nu) * u**nu * mpmath.besselk(nu, u)) if distance < 1e4 else 0.0
    zero, apart = torch.zeros(1, 1, dtype=dtype), torch.full((1, 1), distance, dtype=dtype)
    ours = matern_kernel(zero, apart, smoothness=smoothness, lengthscale=1.0).item()
    assert ours == pytest.approx(exact, rel=1000 * torch.finfo(dtype).eps, abs=torch.finfo(dtype).tiny)


@pytest.mark.parametrize("smoothness", [1e6, 1e10, 1e15, 1e200])
def test_matern_densities_of_large_smoothness_are_nearly_gaussian(smoothness: float) -> None:
    """The normal density, but for 1/nu times (1 - 2 w^2 + w^4 ... )/8 at most."""
    frequency = torch.tensor([[0.7, 0.2]], dtype=torch.float64)
    ours = matern_spectral_density(frequency, smoothness=smoothness, lengthscale=1.0).item()
    assert ours == pytest.approx(math.exp(-0.53 / 2) / (2 * math.pi), rel=max(1 / smoothness, 1e-14))


@pytest.mark.parametrize("smoothness", SMOOTHNESS)
@pytest.mark.parametrize("dimension", [1, 3])
def test_matern_density_is_the_fourier_transform(smoothness: float, dimension: int) -> None:
    """k(r) = E cos<w, r>: int 2 p cos(w r) in one dimension, int 4 pi w p sin(w r) / r in three, to infinity."""
    ell = 0.7

    def radial(w: float) -> float:
        frequency = torch.zeros(1, dimension, dtype=torch.float64)
        frequency[0, 0] = w
        density = matern_spectral_density(frequency, smoothness=smoothness, lengthscale=ell).item()
        return 2 * density if dimension == 1 else 4 * math.pi * w * density

    for r in (0.2, 1.0, 2.5):
        wave = {"weight": "cos" if dimension == 1 else "sin", "wvar": r}
        integral = integrate.quad(radial, 0, math.inf, epsabs=1e-9, limlst=200, **wave)[0]
        apart = torch.tensor([[r]], dtype=torch.float64)
        exact = matern_kernel(apart, 0 * apart, smoothness=smoothness, lengthscale=ell).item()
        assert integral / (1 if dimension == 1 else r) == pytest.approx(exact, abs=1e-8)


def rejects(inside: Tensor, null: float, width: float = 0.05) -> None:
    """Two-sided: the share of a sample of computed size lies within `width` of `null`, at error rates of 1e-6."""
    trials, limit = sample_size(1e-6, 1e-6, null, null + width)
    below, floor = sample_size(1e-6, 1e-6, 1 - null, 1 - null + width)
    assert len(inside) >= max(trials, below)
    assert inside[:trials].sum() <= limit
    assert (~inside[:below]).sum() <= floor


@pytest.mark.parametrize("smoothness", [0.5, 1.5, 4.5])
def test_matern_frequencies_follow_the_student_law(smoothness: float) -> None:
    """H0: a coordinate is t with 2 nu degrees over ell; the share below the quartile is .75. Exact tails, 1e-6."""
    quartile = special.stdtrit(2 * smoothness, 0.75) / 0.4
    drawn = matern_frequencies(10_000, 2, smoothness=smoothness, lengthscale=0.4, generator=generator())
    rejects(drawn[:, 1] < quartile, 0.75)
    rejects(drawn[:, 0].abs() < quartile, 0.5)
    median = 2 ** (1 / smoothness) - 1  # of |w|^2 ell^2 / (2 nu) in the plane: P(> t) = (1 + t)^-nu
    rejects(drawn.square().sum(-1) * 0.4**2 < 2 * smoothness * median, 0.5)


@pytest.mark.parametrize("order", [1.5, 2.0, 4.0])
def test_spline_masses_sum_to_the_kernel(order: float) -> None:
    harmonics = torch.arange(-5000, 5001, dtype=torch.float64)
    masses = spline_spectral_masses(harmonics, order=order)
    tail = 2 * 5000 ** (1 - order) / (order - 1)
    assert 1 - tail <= masses.sum().item() <= 1
    offsets = torch.tensor([0.1, 0.37, 0.5], dtype=torch.float64)
    sums = (masses * (2 * math.pi * offsets[:, None] * harmonics).cos()).sum(-1)
    if order >= 2:
        peak = spline_kernel(torch.zeros(1, dtype=torch.float64), order)
        torch.testing.assert_close(sums, spline_kernel(offsets, order) / peak, rtol=0, atol=tail)


@pytest.mark.parametrize("order", [1.5, 2.0, 4.0])
def test_spline_frequencies_follow_their_masses(order: float) -> None:
    """H0: harmonics 0, 1, -1 and the odd ones have their masses; exact binomial tails, error rates 1e-6."""
    drawn = spline_frequencies(10_000, 1, order=order, generator=generator(1)).flatten() / (2 * math.pi)
    harmonics = drawn.round()
    torch.testing.assert_close(drawn, harmonics, rtol=1e-12, atol=0)
    for m in (0.0, 1.0, -1.0):
        rejects(harmonics == m, spline_spectral_masses(torch.tensor(m).double(), order=order).item())
    odd = 2 * special.zeta(order) * (1 - 2**-order) / (1 + 2 * special.zeta(order))
    rejects(harmonics.abs() % 2 == 1, odd)


@pytest.mark.parametrize(
    ("order", "dtype", "size"), [(1.001, torch.float64, 1e100), (1.05, torch.float32, 1e6), (1.5, torch.float16, 10.0)]
)
def test_heavy_tails_of_spline_frequencies_are_kept_and_finite(order: float, dtype: torch.dtype, size: float) -> None:
    """H0: harmonics beyond a size have their mass; as above. At order 1.001 half of all leave float64."""
    drawn = spline_frequencies(10_000, 1, order=order, generator=generator(1), dtype=dtype).flatten().double()
    assert drawn.isfinite().all()
    beyond = 2 * special.zeta(order, size + 1) / (1 + 2 * special.zeta(order))
    rejects((drawn / (2 * math.pi)).abs() > size + 0.5, beyond)


def test_trigonometric_factor_is_a_root_of_the_kernel_and_meets_the_finite_rank_forms() -> None:
    points = torch.randn(2, 6, 3, generator=generator(), dtype=torch.float64)
    frequencies = torch.randn(2, 3, generator=generator(1), dtype=torch.float64)
    masses = torch.tensor([0.3, 1.4], dtype=torch.float64)
    factor = trigonometric_factor(points, frequencies, masses)
    phases = (points.unsqueeze(-2) - points.unsqueeze(-3)) @ frequencies.T
    kernel = (masses * phases.cos()).sum(-1)
    torch.testing.assert_close(factor @ factor.mT, kernel, rtol=1e-12, atol=1e-13)
    ours = finite_rank_effective_dimension(factor, 0.5)
    torch.testing.assert_close(ours, effective_dimension(kernel, 0.5), rtol=1e-10, atol=1e-12)
    uniform = trigonometric_factor(points, frequencies, torch.full((2,), 0.5, dtype=torch.float64))
    torch.testing.assert_close(uniform, random_fourier_features(points, frequencies))


def test_matern_kernel_is_differentiable_at_coinciding_points() -> None:
    points = torch.tensor([[0.0, 0.0], [0.3, -0.4]], dtype=torch.float64, requires_grad=True)
    matern_kernel(points, points, smoothness=1.5, lengthscale=1.0).sum().backward()
    assert points.grad is not None
    assert points.grad.isfinite().all()


def test_mistakes_are_named() -> None:
    one = torch.zeros(1, 1, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"smoothness is 1\.0"):
        matern_kernel(one, one, smoothness=1.0, lengthscale=1.0)
    with pytest.raises(ValueError, match=r"lengthscale = 0\.0"):
        matern_frequencies(1, 1, smoothness=0.5, lengthscale=0.0, generator=generator())
    with pytest.raises(ValueError, match="matern_frequencies has no shape"):
        matern_frequencies(smoothness=0.5, lengthscale=1.0, generator=generator())
    with pytest.raises(ValueError, match="smoothness = nan"):
        matern_spectral_density(one, smoothness=math.nan, lengthscale=1.0)
    with pytest.raises(ValueError, match=r"order = 1\.0"):
        spline_frequencies(1, 1, order=1.0, generator=generator())
    with pytest.raises(ValueError, match="order = inf"):
        spline_spectral_masses(one, order=math.inf)
