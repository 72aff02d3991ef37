"""Exact Rademacher complexities of unit balls of translation-invariant kernels: all signs, all frequencies."""

import math
from typing import Annotated, NamedTuple

import torch
from torch import Tensor

from algos._domains import Nodes, Points
from algos.complexity.rademacher import all_signs
from algos.fourier.sums import fourier_sums
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat
from signatures.tensors import Shaped


class ComplexityBracket(NamedTuple):
    """A complexity between two numbers.

    Attributes
    ----------
    lower, upper : Tensor (*batch,)
    """

    lower: Tensor
    upper: Tensor


@checked
def spectral_rademacher_complexity(
    points: Points, bandwidth: NonNegativeFloat, *, nodes: Nodes = 65
) -> ComplexityBracket:
    """Empirical Rademacher complexity of the unit balls of all kernels with unit spectral mass on ``|w| <= R``.

    ``(1/n) E_sigma sup_{|w| <= R} |sum_i sigma_i exp(i <w, x_i>)|``; a spectral mass R_lambda multiplies it by its
    square root. The mean runs over all signs. The supremum is taken on a grid, where it is a lower bound. The squared
    modulus v has a Hessian of norm at most ``M = sum_jk |x_j - x_k|^2`` and a gradient of norm at most ``sqrt(2 M v)``,
    and at its maximum the derivatives towards the nearest node vanish (the boundary has nodes): hence sup v is at most
    ``M h^2 / 8`` above the grid in one dimension, h the spacing; in two the same expansion in polar coordinates has a
    second term, from the gradient, which makes it a quadratic inequality for sup v. Both ends have a derivative, zero
    where all signs cancel.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n between 1 and 16, d one or two.
    bandwidth : float
        R >= 0.
    nodes : int
        Frequencies between 0 and R; in two dimensions, of as many directions each. At least 2.

    Returns
    -------
    ComplexityBracket
        Lower and upper end, each (*batch,), between 0 and 1. They agree for n = 1, equal points and R
        = 0.

    Raises
    ------
    ValueError
        If n, d, the bandwidth or the number of nodes is out of range.

    References
    ----------
    nsrf Appendix D, the fourth line from the end of its first display.
    """
    n, d = points.shape[-2:]
    if d not in (1, 2):
        raise ValueError(f"points have {d} coordinates, but frequencies are searched on a grid: pass one or two")
    if not 0 <= bandwidth < math.inf:
        raise ValueError(f"the bandwidth is {bandwidth}, but it is the radius of a ball: pass a finite number >= 0")
    if nodes < 2:
        raise ValueError(f"nodes is {nodes}, but a grid has two ends: pass at least 2")
    peaks = _potentials_of_signs(points, _grid(points, bandwidth, nodes)).amax(-1)
    straight, bent = (part.unsqueeze(-1) for part in _missed(points, bandwidth, nodes))
    largest = (bent + _root(bent.square() + peaks + straight)).clamp(max=n)
    return ComplexityBracket(_root(peaks).mean(-1) / n, largest.mean(-1) / n)


@checked
def frequencies_rademacher_complexity(points: Points, frequencies: Annotated[Tensor, Shaped("*batch t d")]) -> Tensor:
    """Empirical Rademacher complexity of the unit balls of all mixtures of finitely many cosine kernels, exactly.

    ``(1/n) E_sigma max_t |sum_i sigma_i exp(i <w_t, x_i>)|``, for kernels ``sum_t lambda_t cos <w_t, x - x'>`` with
    weights summing to one. The mean runs over all signs.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n between 1 and 16.
    frequencies : Tensor (*batch, T, d)
        T >= 1. Batch axes broadcast.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If n is out of range or the shapes do not fit.

    References
    ----------
    nsrf Appendix D, for a finite set of frequencies.
    """
    return _root(_potentials_of_signs(points, frequencies).amax(-1)).mean(-1) / points.shape[-2]


def _potentials_of_signs(points: Tensor, frequencies: Tensor) -> Tensor:
    """|sum_i sigma_i exp(i <w, x_i>)|^2 of every sign vector at every frequency, (*batch, 2^{n-1}, m)."""
    cosine, sine = fourier_sums(points, frequencies, all_signs(points.shape[-2], like=points))
    return cosine.square() + sine.square()


def _grid(points: Tensor, bandwidth: float, nodes: int) -> Tensor:
    """Frequencies of one half of the ball, both ends included: the modulus is even."""
    radii = torch.linspace(0.0, bandwidth, nodes, dtype=points.dtype, device=points.device)
    if points.shape[-1] == 1:
        return radii.unsqueeze(-1)
    angles = torch.arange(nodes, dtype=points.dtype, device=points.device) * (math.pi / nodes)
    directions = torch.stack([angles.cos(), angles.sin()], dim=-1)
    return (radii[:, None, None] * directions).flatten(0, 1)


def _missed(points: Tensor, bandwidth: float, nodes: int) -> tuple[Tensor, Tensor]:
    """Numbers c and b, each (*batch,), with sup v <= maximum on the grid + c + 2 b sqrt(sup v).

    A path to the nearest node, straight in polar coordinates, has speed^2 <= `speed` and acceleration <= `turn`.
    """
    n, d = points.shape[-2:]
    centred = points - points.mean(-2, keepdim=True)
    curvature = 2 * n * centred.square().sum((-2, -1))
    radial = bandwidth / (nodes - 1) / 2
    if d == 1:
        return curvature * radial**2 / 2, torch.zeros_like(curvature)
    angular = math.pi / nodes / 2
    speed, turn = radial**2 + (bandwidth * angular) ** 2, math.hypot(2 * radial * angular, bandwidth * angular**2)
    return curvature * speed / 2, _root(curvature / 8) * turn


def _root(x: Tensor) -> Tensor:
    """Square root with derivative zero at zero."""
    positive = x > 0
    return torch.where(positive, torch.where(positive, x, torch.ones_like(x)).sqrt(), torch.zeros_like(x))
