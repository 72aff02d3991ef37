"""Spherical harmonics in any number of dimensions, by separation of spherical coordinates as Appendix B.2 writes them.

In Cartesian coordinates, where they are polynomials: exp(i l_1 theta_1) and the powers of sines become
(x_1 + i x_2)^|l_1|, each Legendre function a Gegenbauer polynomial in x_(k+1) and the norm of (x_1, ..., x_(k+1)).
"""

import math
from functools import cache
from itertools import pairwise

import torch
from torch import Tensor

Index = tuple[int, ...]


def explicit_harmonics(points: Tensor, degree: int, *, pairs: bool = False) -> Tensor:
    """Orthonormal complex harmonics of a degree at unit vectors, (*, n, d) -> (*, n, N(d, l)), without a phase.

    In the order of `explicit_indices`; with `pairs` only those of l_1 >= 0, one of each conjugate pair.
    """
    squares = points.square().cumsum(-1)
    indices = [index for index in explicit_indices(points.shape[-1], degree) if index[0] >= 0 or not pairs]
    return torch.stack([_harmonic(points, squares, index) for index in indices], -1)


@cache
def explicit_indices(d: int, degree: int) -> tuple[Index, ...]:
    """All (l_1, ..., l_(d-1)) with |l_1| <= l_2 <= ... <= l_(d-1), the last of which is the degree."""
    if d == 2:
        return ((degree,), (-degree,)) if degree else ((0,),)
    return tuple((*index, degree) for lower in range(degree + 1) for index in explicit_indices(d - 1, lower))


def _harmonic(points: Tensor, squares: Tensor, index: Index) -> Tensor:
    """(2 pi)^(-1/2) (x_1 +- i x_2)^|l_1| times the Legendre functions of k = 2, ..., d - 1: (*, n)."""
    plane = torch.complex(points[..., 0], points[..., 1] if index[0] >= 0 else -points[..., 1])
    value = plane ** abs(index[0]) / math.sqrt(2 * math.pi)
    for k, (low, high) in enumerate(pairwise((abs(index[0]), *index[1:])), start=2):
        order, parameter = high - low, low + (k - 1) / 2
        value = value * _gegenbauer(points[..., k], squares[..., k], order, parameter) / _norm(order, parameter)
    return value


def _gegenbauer(x: Tensor, square: Tensor, order: int, parameter: float) -> Tensor:
    """r^n C_n(x / r) for the Gegenbauer polynomials of a parameter, r^2 = `square`, by their recursion."""
    before, value = torch.zeros_like(x), torch.ones_like(x)
    for n in range(1, order + 1):
        after = 2 * (n + parameter - 1) * x * value - (n + 2 * parameter - 2) * square * before
        before, value = value, after / n
    return value


def _norm(order: int, parameter: float) -> float:
    """Square root of the integral of C_n^2 (1 - t^2)^(a - 1/2) over [-1, 1]."""
    growth = math.lgamma(order + 2 * parameter) - math.lgamma(order + 1) - 2 * math.lgamma(parameter)
    return math.sqrt(math.pi * 2 ** (1 - 2 * parameter) * math.exp(growth) / (order + parameter))
