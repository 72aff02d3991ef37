"""Alignment of offset cosines with the labels "inside or outside a sphere" of Gaussian points, in closed form.

Points x ~ N(0, I_d) have the label y = sign(|x| - sqrt d). A feature cos(<w, x> + v) with v uniform has the alignment
t(w, v) = (E y cos(<w, x> + v))^2 = cos^2(v) h_d(|w|)^2 with h_d(|w|) = E y cos <w, x>: it depends on the length of the
frequency and on the offset, not on the direction.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
import torch
from scipy.special import gammainc
from torch import Tensor

from algos._domains import CoordinateCount, GridPoints
from algos.divergence_ball.exact import chi_square_ball_maximum
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, PositiveFloat
from signatures.tensors import Shaped

_BASE_NODES = 64
"""Enough for a dozen digits at phases and dimensions of order one; both add nodes."""

_MOST_NODES = 4096
"""The nodes are eigenvalues of a matrix of that size."""

_TAIL = 9.0
"""The length of a standard Gaussian vector exceeds sqrt d + 9 with probability below 1e-17."""


@dataclass(frozen=True)
class SpherePopulation:
    """The best law of features in the chi-square ball around P_0 = N(0, 2 gamma I) x U(0, 2 pi).

    Attributes
    ----------
    value : float
        Sup E_Q t, the alignment of the best kernel.
    selected : float
        P_0(dQ/dP_0 > 0): of N features drawn from P_0, about N times this share are kept.
    mean_length : float
        E_Q |w|.
    mean_offset_cosine : float
        Mean of |cos v| among the kept features, E_P0[|cos v| | dQ/dP_0 > 0].
    """

    value: float
    selected: float
    mean_length: float
    mean_offset_cosine: float


@checked
def radial_label_transform(lengths: Annotated[Tensor, Shaped("*batch")], dimension: CoordinateCount) -> Tensor:
    """Fourier transform of the labels: h_d(r) = E[sign(|x| - sqrt d) cos <w, x>] for |w| = r and x ~ N(0, I_d).

    h_d(r) = exp(-r^2 / 2) - 4 int_0^sqrt(d) cos(r s) phi(s) P((d - 1) / 2, (d - s^2) / 2) ds with P the regularised
    lower incomplete gamma function: given <w, x> = r s, the rest of x has |x|^2 - s^2 ~ chi^2_(d-1). In the variable
    s = sqrt(d) sin(theta) the integrand is analytic, and Gauss-Legendre quadrature converges exponentially.

    Parameters
    ----------
    lengths : Tensor (*batch)
        Finite; h_d is even.
    dimension : int
        d >= 1.

    Returns
    -------
    Tensor (*batch)
        In [-1, 1]; h_d(0) = E y = P(chi^2_d > d) - P(chi^2_d < d).

    Raises
    ------
    ValueError
        If the dimension is not positive, or the phases |w| sqrt(d) go beyond 4096.

    References
    ----------
    lkrf Section 4.1; the closed form is ours.
    """
    if dimension < 1:
        raise ValueError(f"dimension is {dimension}, but points have a coordinate at least: choose 1 or more")
    radius = math.sqrt(dimension)
    largest = float(lengths.detach().abs().max()) if lengths.numel() else 0.0
    if (largest + 4) * radius > _MOST_NODES:
        raise ValueError(
            f"frequencies of length {largest:.3g} in dimension = {dimension} oscillate too fast for 4096 nodes: "
            "take smaller lengths, parameters or gamma"
        )
    nodes, weights = _legendre(_BASE_NODES + math.ceil((largest + 4) * radius))
    heights = radius * nodes.sin()
    density = (-(heights**2) / 2).exp() / math.sqrt(2 * math.pi)
    rest = (radius * nodes.cos()).square() / 2
    shell = torch.from_numpy(gammainc((dimension - 1) / 2, rest.numpy()))  # torch's is off by 3e-10
    heights, profile = heights.to(lengths), (weights * density * shell * radius * nodes.cos()).to(lengths)
    inside = 2 * ((lengths.unsqueeze(-1) * heights).cos() * profile).sum(-1)
    return (-lengths.square() / 2).exp() - 2 * inside


@checked
def sphere_alignment(parameters: Annotated[Tensor, Shaped("*batch m p>=2")]) -> Tensor:
    """Population alignment of offset cosines: t(w, v) = cos^2(v) h_d(|w|)^2.

    Parameters
    ----------
    parameters : Tensor (*batch, N, d + 1)
        Frequency and offset of each feature, as `OffsetCosine` draws them.

    Returns
    -------
    Tensor (*batch, N)
        In [0, 1].

    Raises
    ------
    ValueError
        If there is no frequency (fewer than two columns).

    References
    ----------
    lkrf Section 4.1, T(w) of its Section 3.
    """
    lengths = torch.linalg.vector_norm(parameters[..., :-1], dim=-1)
    transform = radial_label_transform(lengths, parameters.shape[-1] - 1)
    return (parameters[..., -1].cos() * transform).square()


@checked
def sphere_ball_maximum(
    dimension: CoordinateCount,
    rho: NonNegativeFloat,
    *,
    gamma: PositiveFloat = 0.5,
    lengths: GridPoints = 2000,
    offsets: GridPoints = 200,
) -> SpherePopulation:
    """Best alignment in the chi-square ball around P_0, by the midpoint rule over lengths and offsets.

    |w| / sqrt(2 gamma) has the chi law of d degrees of freedom and v is uniform; by symmetry v in [0, pi/2] suffices.
    The law on the grid is a finite P_0, over whose ball the supremum is exact; the grid leaves an error of the order of
    its steps squared.

    Parameters
    ----------
    dimension : int
        d >= 1.
    rho : float
        Radius of the ball, >= 0.
    gamma : float
        Of the Gaussian kernel that P_0 belongs to, > 0.
    lengths, offsets : int
        Points of the grid.

    Returns
    -------
    SpherePopulation

    Raises
    ------
    ValueError
        For a dimension, a radius, a gamma or a grid out of these ranges.

    References
    ----------
    lkrf Section 4.1 (rho = 200, gamma = 1/2), eq. (3).
    """
    if not 0 < gamma < math.inf:
        raise ValueError(f"gamma is {gamma}, but a Gaussian kernel needs 0 < gamma < inf: use 1 / (2 sigma^2)")
    if min(lengths, offsets) < 1:
        raise ValueError(f"a grid of {lengths} x {offsets} points is empty: use 1 or more in both directions")
    scale = math.sqrt(2 * gamma)
    standard = _midpoints(lengths) * (math.sqrt(max(dimension, 0)) + _TAIL)
    cosine = (_midpoints(offsets) * (math.pi / 2)).cos()
    transform = radial_label_transform(scale * standard, dimension)
    log_density = (dimension - 1) * standard.log() - standard.square() / 2
    density = (log_density - log_density.max()).exp()
    base = (density / density.sum()).unsqueeze(-1).expand(lengths, offsets) / offsets
    values = (transform.unsqueeze(-1) * cosine).square()
    solution = chi_square_ball_maximum(values.flatten(), rho, base=base.flatten())
    weights = solution.weights.reshape(lengths, offsets)
    kept = base * (weights > 0)
    return SpherePopulation(
        value=float(solution.value),
        selected=float(kept.sum()),
        mean_length=float((weights.sum(-1) * scale * standard).sum()),
        mean_offset_cosine=float((kept * cosine).sum() / kept.sum()),
    )


def _midpoints(count: int) -> Tensor:
    return (torch.arange(count, dtype=torch.float64) + 0.5) / count


@lru_cache(maxsize=16)
def _legendre(count: int) -> tuple[Tensor, Tensor]:
    """Nodes and weights on [0, pi/2], float64."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return torch.from_numpy((nodes + 1) * math.pi / 4), torch.from_numpy(weights * math.pi / 4)
