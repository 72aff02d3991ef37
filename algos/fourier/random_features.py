"""Random Fourier features of the Gaussian kernel ``exp(-gamma |x - x'|^2)``."""

import math
from typing import Annotated

import numpy as np
import torch
from torch import Tensor

from algos._domains import AxisSize, FloatDtype, Frequencies, OtherPoints, Points
from algos._frequencies import check_shape
from algos.fourier._blocks import fitting, uninitialised, write_features
from signatures.checked import checked
from signatures.numbers import Count, PositiveFloat
from signatures.tensors import Shaped


@checked
def gaussian_frequencies(
    *shape: AxisSize,
    gamma: PositiveFloat,
    generator: torch.Generator,
    dtype: FloatDtype = torch.float64,
) -> Tensor:
    """Frequencies from the spectral measure of the Gaussian kernel, ``N(0, 2 gamma I)``.

    With ``gamma = 1 / (2 sigma^2)`` this is ``N(0, sigma^-2 I)``.

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
    pbrff eq. 20.
    """
    check_shape("gaussian_frequencies", shape)
    scale = 2 * math.sqrt(_positive_gamma(gamma) / 2)
    return torch.randn(*shape, dtype=dtype, device=generator.device, generator=generator).mul_(scale)


@checked
def random_fourier_features(points: Points, frequencies: Frequencies, *, out: Tensor | None = None) -> Tensor:
    """Feature map whose inner products average ``cos(<w_j, x - x'>)`` over the frequencies.

    ``z(x) = m^(-1/2) (cos<w_1, x>, ..., cos<w_m, x>, sin<w_1, x>, ..., sin<w_m, x>)``, so that ``|z(x)| = 1``.
    Where only sums over the points are wanted, `fourier_gram` and `fourier_moments` never store the features.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (*batch, m, d)
        m >= 1.
    out : Tensor (*batch, n, 2 m), optional
        Where to write the features, in memory of its own: large fresh memory costs as much as the features do.

    Returns
    -------
    Tensor (*batch, n, 2 m)
        `out`, where it is given.

    Raises
    ------
    ValueError
        If `out` has another shape, dtype or device than the features, or an input requires a gradient.

    References
    ----------
    pbrff eqs. 4 and 5.
    """
    scale = 1 / math.sqrt(frequencies.shape[-2])
    if torch.is_grad_enabled() and (points.requires_grad or frequencies.requires_grad):
        if out is not None:
            raise ValueError("out is given, but an input requires a gradient: leave out away, or use torch.no_grad()")
        phases = points @ frequencies.mT
        return scale * torch.cat([phases.cos(), phases.sin()], dim=-1)
    batch = np.broadcast_shapes(points.shape[:-2], frequencies.shape[:-2])
    shape = (*batch, points.shape[-2], 2 * frequencies.shape[-2])
    features = uninitialised(shape, points) if out is None else fitting(out, shape, points)
    write_features(points, frequencies, features, scale)
    return features


@checked
def feature_product_variance(
    kernel: Annotated[Tensor, Shaped("*batch")], kernel_at_double: Annotated[Tensor, Shaped("*batch")], features: Count
) -> Tensor:
    """Exact variance of the inner product of random Fourier features, over independent frequencies.

    ``Var <z(x), z(x')> = (1 + k(2 delta) - 2 k(delta)^2) / (2 m)`` at ``delta = x - x'``, from ``cos^2(u) = (1 + cos(2
    u)) / 2``; zero at delta = 0, and at most 1 / m.

    Parameters
    ----------
    kernel : Tensor
        k(delta).
    kernel_at_double : Tensor of the same shape
        k(2 delta).
    features : int
        m >= 1.

    Returns
    -------
    Tensor of the same shape

    Raises
    ------
    ValueError
        If there is no feature.

    References
    ----------
    What pbrff Section 2 leaves open below eq. 4.
    """
    if features < 1:
        raise ValueError(f"features is {features}, but a mean needs a term: give 1 or more")
    return (1 + kernel_at_double - 2 * kernel.square()) / (2 * features)


@checked
def gaussian_kernel(points: Points, others: OtherPoints, *, gamma: PositiveFloat) -> Tensor:
    """Gaussian kernel ``exp(-gamma |x - x'|^2)`` between two point sets, wherever they lie.

    Squared distances are |x|^2 + |x'|^2 - 2 <x, x'> around the mean of the others, in float64: absolute error of order
    1e-16 gamma R^2 for points within R of that mean. Where gamma R^2 is above 1e308 the result is not defined.

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
    pbrff eq. 20.
    """
    scale, dtype = math.sqrt(_positive_gamma(gamma)), torch.promote_types(points.dtype, others.dtype)
    points, others = points.double(), others.double()
    centre = others.detach().mean(-2, keepdim=True)  # squares about a distant origin would cancel
    points, others = scale * (points - centre), scale * (others - centre)
    products = points @ others.mT
    norms = points.square().sum(-1).unsqueeze(-1) + others.square().sum(-1).unsqueeze(-2)
    return (2 * products - norms).clamp_max(0).exp().to(dtype)


def _positive_gamma(gamma: float) -> float:
    if not 0 < gamma < math.inf:
        raise ValueError(f"gamma is {gamma}, but a Gaussian kernel needs 0 < gamma < inf: use 1 / (2 sigma^2)")
    return gamma
