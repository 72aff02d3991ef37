"""Stationary kernels and their spectral densities: Fourier pairs in closed form.

A kernel ``k(x - x')`` that is continuous, positive semi-definite and one at zero is the characteristic function of a
law p of frequencies (Bochner): ``k(delta) = E_p cos(<w, delta>)``. Where k is integrable, p has the density
``(2 pi)^-d integral k(delta) exp(-i <w, delta>) d delta``.
"""

import math
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import AxisSize, FloatDtype, Frequencies, OtherPoints, Points
from algos._frequencies import check_shape
from signatures.checked import checked
from signatures.numbers import PositiveFloat
from signatures.tensors import Shaped


@checked
def gaussian_spectral_density(frequencies: Frequencies, *, gamma: PositiveFloat) -> Tensor:
    """Density of the frequencies of the Gaussian kernel ``exp(-gamma |x - x'|^2)``, the law ``N(0, 2 gamma I)``.

    ``(4 pi gamma)^(-d/2) exp(-|w|^2 / (4 gamma))``, that is ``(sigma^2 / (2 pi))^(d/2) exp(-sigma^2 |w|^2 / 2)`` at
    ``gamma = 1 / (2 sigma^2)``.

    Parameters
    ----------
    frequencies : Tensor (*batch, m, d)
    gamma : float
        Positive.

    Returns
    -------
    Tensor (*batch, m)

    Raises
    ------
    ValueError
        If gamma is not positive and finite.

    References
    ----------
    pbrff eq. 20.
    """
    log_height = -frequencies.shape[-1] / 2 * math.log(4 * math.pi * _positive(gamma))
    return (log_height - frequencies.square().sum(-1) / (4 * gamma)).exp()


@checked
def laplace_kernel(points: Points, others: OtherPoints, *, gamma: PositiveFloat) -> Tensor:
    """Laplace kernel ``exp(-gamma |x - x'|_1)`` between two point sets; continuous, with a kink at zero.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    others : Tensor (*batch, k, d)
    gamma : float
        Positive.

    Returns
    -------
    Tensor (*batch, n, k)
        In [0, 1].

    Raises
    ------
    ValueError
        If gamma is not positive and finite.

    References
    ----------
    Rahimi and Recht 2007, Figure 1.
    """
    return (-_positive(gamma) * (points.unsqueeze(-2) - others.unsqueeze(-3)).abs().sum(-1)).exp()


@checked
def laplace_frequencies(
    *shape: AxisSize, gamma: PositiveFloat, generator: torch.Generator, dtype: FloatDtype = torch.float64
) -> Tensor:
    """Frequencies from the spectral measure of the Laplace kernel: independent Cauchy coordinates of scale gamma.

    Parameters
    ----------
    *shape : int
        ``(*batch, m, d)``.
    gamma : float
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
        If gamma is not positive and finite, or there is no shape.

    References
    ----------
    Rahimi and Recht 2007, Figure 1.
    """
    check_shape("laplace_frequencies", shape)
    uniform = torch.rand(*shape, dtype=dtype, device=generator.device, generator=generator)
    return (math.pi * (uniform - 0.5)).tan().mul_(_positive(gamma))


@checked
def laplace_spectral_density(frequencies: Frequencies, *, gamma: PositiveFloat) -> Tensor:
    """Density of the frequencies of the Laplace kernel, ``prod_j gamma / (pi (gamma^2 + w_j^2))``.

    Parameters
    ----------
    frequencies : Tensor (*batch, m, d)
    gamma : float
        Positive.

    Returns
    -------
    Tensor (*batch, m)

    Raises
    ------
    ValueError
        If gamma is not positive and finite.

    References
    ----------
    Rahimi and Recht 2007, Figure 1.
    """
    size = torch.hypot(frequencies, torch.full_like(frequencies, _positive(gamma)))
    return (gamma / size / size / math.pi).prod(-1)


@checked
def spectral_mixture_kernel(
    differences: OtherPoints,
    weights: Annotated[Tensor, Shaped("*batch c", "[0, inf)")],
    means: Annotated[Tensor, Shaped("*batch c d")],
    scales: Annotated[Tensor, Shaped("*batch c", "(0, inf)")],
) -> Tensor:
    """Kernel of a mixture of Gaussian spectra, ``sum_j a_j cos(<m_j, delta>) exp(-s_j^2 |delta|^2 / 2)``.

    Dense among the stationary kernels with k(0) = 1; k(0) is the sum of the weights.

    Parameters
    ----------
    differences : Tensor (*batch, k, d)
    weights : Tensor (*batch, c)
        Non-negative.
    means : Tensor (*batch, c, d)
    scales : Tensor (*batch, c)
        Positive.

    Returns
    -------
    Tensor (*batch, k)

    References
    ----------
    Wilson and Adams 2013, eq. 12.
    """
    decay = -differences.square().sum(-1).unsqueeze(-1) * (scales.square() / 2).unsqueeze(-2)
    return (weights.unsqueeze(-2) * (differences @ means.mT).cos() * decay.exp()).sum(-1)


@checked
def spectral_mixture_density(
    frequencies: Frequencies,
    weights: Annotated[Tensor, Shaped("*batch c", "[0, inf)")],
    means: Annotated[Tensor, Shaped("*batch c d")],
    scales: Annotated[Tensor, Shaped("*batch c", "(0, inf)")],
) -> Tensor:
    """Spectral density of `spectral_mixture_kernel`: ``N(m_j, s_j^2 I)`` and ``N(-m_j, s_j^2 I)`` with weight a_j / 2.

    Parameters
    ----------
    frequencies : Tensor (*batch, m, d)
    weights : Tensor (*batch, c)
        Non-negative.
    means : Tensor (*batch, c, d)
    scales : Tensor (*batch, c)
        Positive.

    Returns
    -------
    Tensor (*batch, m)

    References
    ----------
    Wilson and Adams 2013, eq. 11.
    """
    scales = scales.unsqueeze(-2)
    log_height = -frequencies.shape[-1] * (scales.log() + math.log(2 * math.pi) / 2)
    centred = [frequencies.unsqueeze(-2) - sign * means.unsqueeze(-3) for sign in (1, -1)]
    bells = [(log_height - (offset / scales.unsqueeze(-1)).square().sum(-1) / 2).exp() for offset in centred]
    return (weights.unsqueeze(-2) / 2 * (bells[0] + bells[1])).sum(-1)


def _positive(gamma: float) -> float:
    if not 0 < gamma < math.inf:
        raise ValueError(f"gamma is {gamma}, but a kernel width needs 0 < gamma < inf: choose one")
    return gamma
