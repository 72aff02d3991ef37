"""Matern, periodic spline and trigonometric kernels with their spectral measures.

Gaussian and Laplace kernels stand in `random_features` and `spectral`; every sampler here gives frequencies for
`random_fourier_features`.
"""

import math
from typing import Annotated

import mpmath
import torch
from torch import Tensor

from algos._domains import (
    AnyTensor,
    AxisSize,
    FloatDtype,
    Frequencies,
    OtherPoints,
    Points,
    SampledSplineOrder,
    SplineOrder,
)
from algos._frequencies import check_shape
from signatures.checked import checked
from signatures.numbers import PositiveFloat
from signatures.tensors import Shaped


@checked
def matern_kernel(
    points: Points, others: OtherPoints, *, smoothness: PositiveFloat, lengthscale: PositiveFloat
) -> Tensor:
    """Matern kernel of half-integer smoothness between two point sets.

    ``k = exp(-u) sum_{i=0}^p (p! (p + i)!) / ((2 p)! i! (p - i)!) (2 u)^{p - i}`` with ``nu = p + 1/2`` and
    ``u = sqrt(2 nu) |x - x'| / ell``; nu = 1/2 is ``exp(-|x - x'| / ell)``.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    others : Tensor (*batch, k, d)
    smoothness : float
        nu: 0.5, 1.5, 2.5, ...
    lengthscale : float
        Positive.

    Returns
    -------
    Tensor (*batch, n, k)
        In [0, 1].

    Raises
    ------
    ValueError
        If the smoothness is no half-integer or the length scale is not positive and finite.

    References
    ----------
    Rasmussen and Williams 2006, eq. 4.16; uarff Section 2 asks for shift-invariant kernels.
    """
    p = _half_integer(smoothness)
    scale = _positive("lengthscale", lengthscale)  # squares of what is not scaled may leave the dtype
    squares = ((points.unsqueeze(-2) - others.unsqueeze(-3)) / scale).square().sum(-1)
    apart = squares > 0
    distances = torch.where(apart, torch.where(apart, squares, 1.0).sqrt(), 0.0)
    return _matern(math.sqrt(2 * smoothness) * distances, p)


def _matern(u: Tensor, p: int) -> Tensor:
    """exp(-u) t_p(u) with the sum t_p, by t_n = t_(n-1) + u^2 t_(n-2) / ((2 n - 1) (2 n - 3)), t_0 = 1, t_1 = 1 + u.

    Their quotients are at least one, so that nothing cancels, and the product of four does not overflow.
    """
    u = u.clamp_max(4 * p + 1100)  # from there on the kernel is below exp(-800)
    square, exponent = u.square(), -u
    quotient = product = 1 + u if p else torch.ones_like(u)
    for n in range(2, p + 1):
        if n % 4 == 0:
            exponent, product = exponent + product.log(), torch.ones_like(u)
        quotient = 1 + square / ((2 * n - 1) * (2 * n - 3)) / quotient
        product = product * quotient
    return (exponent + product.log()).exp()


@checked
def matern_frequencies(
    *shape: AxisSize,
    smoothness: PositiveFloat,
    lengthscale: PositiveFloat,
    generator: torch.Generator,
    dtype: FloatDtype = torch.float64,
) -> Tensor:
    """Frequencies from the spectral measure of the Matern kernel, a multivariate Student t law.

    ``w = g sqrt(2 nu / c) / ell`` with g standard normal and c chi-square with 2 nu degrees of freedom, the sum of 2 nu
    squared normals.

    Parameters
    ----------
    *shape : int
        ``(*batch, m, d)``.
    smoothness : float
        nu: 0.5, 1.5, 2.5, ...
    lengthscale : float
        Positive.
    generator : torch.Generator
        Its device is the device of the result.
    dtype : torch.dtype

    Returns
    -------
    Tensor (*batch, m, d)

    Raises
    ------
    ValueError
        If the smoothness is no half-integer, the length scale is not positive and finite, or there is no shape.

    References
    ----------
    Rasmussen and Williams 2006, eq. 4.15.
    """
    check_shape("matern_frequencies", shape)
    degrees = 2 * _half_integer(smoothness) + 1
    draw = torch.randn(*shape[:-1], shape[-1] + degrees, dtype=dtype, device=generator.device, generator=generator)
    directions, rest = draw[..., : shape[-1]], draw[..., shape[-1] :]
    scale = math.sqrt(degrees) / _positive("lengthscale", lengthscale)
    length: Tensor = torch.linalg.vector_norm(rest, dim=-1, keepdim=True)
    return scale * directions / length


@checked
def matern_spectral_density(
    frequencies: Frequencies, *, smoothness: PositiveFloat, lengthscale: PositiveFloat
) -> Tensor:
    """Density of the frequencies of the Matern kernel.

    ``Gamma(nu + d/2) / (Gamma(nu) (2 nu pi)^{d/2}) ell^d (1 + ell^2 |w|^2 / (2 nu))^{-nu - d/2}``.

    Parameters
    ----------
    frequencies : Tensor (*batch, m, d)
    smoothness, lengthscale : float
        Positive. nu and ell; nu need not be a half-integer here.

    Returns
    -------
    Tensor (*batch, m)

    Raises
    ------
    ValueError
        If a parameter is not positive and finite.

    References
    ----------
    Rasmussen and Williams 2006, eq. 4.15, in angular frequencies.
    """
    nu, ell, d = _positive("smoothness", smoothness), _positive("lengthscale", lengthscale), frequencies.shape[-1]
    half = mpmath.mpf(d) / 2
    with mpmath.workdps(30 + max(0, round(math.log10(nu)))):  # the gamma functions agree in as many digits
        log_ratio = mpmath.loggamma(nu + half) - mpmath.loggamma(nu) - half * mpmath.log(2 * nu * mpmath.pi)
    log_height = float(log_ratio) + d * math.log(ell)
    spread = ell**2 / (2 * nu) * frequencies.square().sum(-1)
    return (log_height - (nu + d / 2) * spread.log1p()).exp()


@checked
def spline_spectral_masses(harmonics: AnyTensor, *, order: SplineOrder) -> Tensor:
    """Probabilities of the harmonics of the periodic spline kernel.

    ``k_r(u) / k_r(0) = sum_{m in Z} p(m) cos(2 pi m u)`` with ``p(0) = 1 / k_r(0)``, ``p(m) = |m|^{-r} / k_r(0)`` and
    ``k_r(0) = 1 + 2 zeta(r)``.

    Parameters
    ----------
    harmonics : Tensor (any shape)
        Integers m of either sign, in a floating-point dtype.
    order : float
        r > 1.

    Returns
    -------
    Tensor (shape of harmonics)

    Raises
    ------
    ValueError
        If the order is not above 1.

    References
    ----------
    uarff Section 5, normalised; with the factor 2 that `spline_kernel` has and print lacks.
    """
    peak = 1 + 2 * float(mpmath.zeta(_above_one(order)))
    return harmonics.abs().clamp_min(1) ** -order / peak


@checked
def spline_frequencies(
    *shape: AxisSize, order: SampledSplineOrder, generator: torch.Generator, dtype: FloatDtype = torch.float64
) -> Tensor:
    """Frequencies from the spectral measure of the periodic spline kernel, ``2 pi m`` with harmonics m.

    The sizes of non-zero harmonics follow the zeta law, drawn by exact rejection (fewer than two rounds on average).

    Parameters
    ----------
    *shape : int
        ``(*batch, m, 1)``: the points lie on a line.
    order : float
        r >= 1.001; near 1 harmonics beyond the integers of float64 become likely, and beyond 1e300, where they are cut.
    generator : torch.Generator
        Its device is the device of the result.
    dtype : torch.dtype

    Returns
    -------
    Tensor of that shape
        Drawn in float64; frequencies beyond the numbers of the dtype are its largest one.

    Raises
    ------
    ValueError
        If the order is below 1.001, or the last axis is not 1.

    References
    ----------
    uarff Section 5; Devroye 1986, Section X.6.1.
    """
    if not shape or shape[-1] != 1:
        raise ValueError(f"spline_frequencies has the shape {shape}, but its points lie on a line: give (*batch, m, 1)")
    zero = 1 / (1 + 2 * float(mpmath.zeta(_above_one(order))))
    b = 2 ** (order - 1)
    sizes = torch.zeros(math.prod(shape), dtype=torch.float64, device=generator.device)
    open_places = torch.arange(len(sizes), device=generator.device)
    while len(open_places):
        u, v = torch.rand(2, len(open_places), dtype=torch.float64, device=generator.device, generator=generator)
        x = (1 - u).pow(-1 / (order - 1)).clamp_max(1e300).floor()
        excess = ((order - 1) * (1 / x).log1p()).expm1()
        accepted = v * x * excess / (b - 1) <= (1 + excess) / b
        sizes[open_places[accepted]] = x[accepted]
        open_places = open_places[~accepted]
    u = torch.rand(len(sizes), dtype=torch.float64, device=generator.device, generator=generator)
    signs = torch.where(u < zero, 0.0, torch.where(u < (1 + zero) / 2, -1.0, 1.0)).to(sizes)
    largest = torch.finfo(dtype).max
    return (2 * math.pi * signs * sizes).clamp(-largest, largest).to(dtype).reshape(shape)


@checked
def trigonometric_factor(
    points: Points,
    frequencies: Annotated[Tensor, Shaped("*batch r d")],
    masses: Annotated[Tensor, Shaped("*batch r", "[0, inf)")],
) -> Tensor:
    """Square root of a kernel of finite rank whose spectral measure has finitely many atoms.

    ``k(x, x') = sum_j a_j cos<w_j, x - x'> = <phi(x), phi(x')>`` with
    ``phi = (sqrt(a_1) cos<w_1, x>, ..., sqrt(a_1) sin<w_1, x>, ...)``: all cosines, then all sines.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (*batch, r, d)
    masses : Tensor (*batch, r)
        a >= 0, of the pair ``w_j, -w_j`` together; they need not sum to one.

    Returns
    -------
    Tensor (*batch, n, 2 r)
        Its products with itself are the kernel matrix; of a zero frequency the sine column is zero.

    References
    ----------
    uarff eq. 2, for a discrete measure.
    """
    phases = points @ frequencies.mT
    roots = masses.sqrt().unsqueeze(-2)
    return torch.cat([roots * phases.cos(), roots * phases.sin()], -1)


def _half_integer(smoothness: float) -> int:
    if not (smoothness > 0 and smoothness % 1 == 0.5):
        raise ValueError(f"the smoothness is {smoothness}, but must be a half-integer: use 0.5, 1.5, 2.5, ...")
    return int(smoothness)


def _above_one(order: float) -> float:
    if not 1 < order < math.inf:
        raise ValueError(f"the spline order is {order}, but its masses sum only above 1: choose 1 < order < inf")
    return order


def _positive(name: str, value: float) -> float:
    if not 0 < value < math.inf:
        raise ValueError(f"{name} is {value}, but must be positive and finite: choose another value")
    return value
