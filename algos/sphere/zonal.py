"""Rotation-invariant kernels on spheres of any dimension: sums of Gegenbauer polynomials of the cosine."""

from collections.abc import Iterator
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import AnyTensor, SphereSpace, ZonalDegree
from signatures.checked import checked
from signatures.tensors import Shaped


@checked
def unit_directions(points: Annotated[Tensor, Shaped("*batch d")]) -> Tensor:
    """Points divided by their lengths.

    Parameters
    ----------
    points : Tensor (*batch, d)
        Real, finite and not zero. Of any length: the largest coordinate is divided out first.

    Returns
    -------
    Tensor (*batch, d)
        On the unit sphere up to rounding.

    Raises
    ------
    ValueError
        If a point is zero or not finite, or the points are not real floats.
    """
    if not points.is_floating_point():
        raise ValueError(f"points are {points.dtype}, but directions are real: convert them to a floating dtype")
    largest = points.detach().abs().amax(-1, keepdim=True)
    if not bool((largest != 0).all()):
        raise ValueError("one of the points is zero and has no direction: drop it, or move the origin")
    if not bool(largest.isfinite().all()):
        raise ValueError("points hold an infinite or undefined number, but directions are finite: drop those rows")
    scaled = points / largest
    directions: Tensor = scaled / torch.linalg.vector_norm(scaled, dim=-1, keepdim=True)
    return directions


@checked
def zonal_polynomials(cosines: AnyTensor, degree: ZonalDegree, dimension: SphereSpace) -> Tensor:
    """Gegenbauer polynomials of index (d - 2)/2, scaled to P_l(1) = 1, for every degree up to L.

    (l + d - 3) P_l(t) = (2l + d - 4) t P_(l-1)(t) - (l - 1) P_(l-2)(t) from P_0 = 1, P_1 = t. They are orthogonal for
    the law of a coordinate of a uniform point of the sphere: Chebyshev (d = 2), Legendre (d = 3), U_l/(l + 1) (d = 4).
    |P_l| <= 1 on [-1, 1], and P_l(<x, x'>) is a kernel of rank N(d, l), the number of harmonics of the degree.

    Parameters
    ----------
    cosines : Tensor (*batch)
        t, in [-1, 1] up to rounding. Differentiable.
    degree : int
        L >= 0.
    dimension : int
        d >= 2, of the space around the sphere.

    Returns
    -------
    Tensor (*batch, L + 1)

    Raises
    ------
    ValueError
        For a negative degree or a dimension below 2.

    References
    ----------
    nsrf Theorem B.1, where Schoenberg's index is printed as (d - 1)/2.
    """
    return torch.stack(list(zonal_sequence(cosines, degree, dimension)), -1)


@checked
def zonal_kernel(coefficients: Annotated[Tensor, Shaped("l")], cosines: AnyTensor, dimension: SphereSpace) -> Tensor:
    """A rotation-invariant kernel from its coefficients: k(x, x') = sum_l c_l P_l(<x, x'>).

    Positive semidefinite on every finite set of points if and only if all c_l >= 0; then k(x, x) = sum_l c_l.

    Parameters
    ----------
    coefficients : Tensor (L + 1,)
        c. At least one.
    cosines : Tensor (*batch)
        Inner products of unit vectors.
    dimension : int
        d >= 2.

    Returns
    -------
    Tensor (*batch)

    Raises
    ------
    ValueError
        For coefficients that are not one row, or a dimension below 2.

    References
    ----------
    nsrf Theorem B.1, eq. 7.
    """
    if coefficients.ndim != 1 or not len(coefficients):
        raise ValueError(
            f"coefficients have the shape {tuple(coefficients.shape)}, but a kernel has one for each degree from 0: "
            "give a row (L + 1,)"
        )
    total = torch.zeros_like(cosines)
    for coefficient, polynomial in zip(
        coefficients, zonal_sequence(cosines, len(coefficients) - 1, dimension), strict=True
    ):
        total = total + coefficient * polynomial
    return total


@checked
def zonal_sequence(cosines: AnyTensor, degree: ZonalDegree, dimension: SphereSpace) -> Iterator[Tensor]:
    """The polynomials of `zonal_polynomials` one by one, in the memory of two of them.

    Parameters
    ----------
    cosines : Tensor (*batch)
        t, in [-1, 1] up to rounding. Differentiable.
    degree : int
        L >= 0.
    dimension : int
        d >= 2, of the space around the sphere.

    Returns
    -------
    iterator of Tensor (*batch)
        P_0(t), ..., P_L(t).

    Raises
    ------
    ValueError
        As `zonal_polynomials`, at the call.
    """
    if degree < 0:
        raise ValueError(f"degree is {degree}, but degrees of polynomials start at 0: choose 0 or more")
    if dimension < 2:
        raise ValueError(f"dimension is {dimension}, but rotations need a plane: choose 2 or more")
    return _recurrence(cosines, degree, dimension)


def _recurrence(cosines: Tensor, degree: int, dimension: int) -> Iterator[Tensor]:
    older, newer = torch.ones_like(cosines), cosines
    yield older
    if degree:
        yield newer
    for ell in range(2, degree + 1):
        scale = ell + dimension - 3
        older, newer = newer, (ell + scale - 1) / scale * cosines * newer - (ell - 1) / scale * older
        yield newer
