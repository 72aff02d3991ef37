"""Finite feature maps of the kernel of one degree on a sphere, whose inner products are P_l(<x, x'>)."""

import math
from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Directions, SphereSpace, ZonalDegree
from algos.sphere.harmonics import harmonic_pairs
from algos.sphere.zonal import unit_directions, zonal_sequence
from signatures.checked import checked, checked_fields
from signatures.tensors import Shaped

_RESIDUAL = 1e-12
"""Landmarks are added until the kernel of the sample is matched to this; its diagonal is 1. High degrees stop above
their rounding, which the slope l (l + d - 2)/(d - 1) of P_l at 1 multiplies: equal points must not be two landmarks."""


@checked_fields
@dataclass(frozen=True)
class ZonalMap:
    """Features (n, r) of points (n, d) with inner products P_l(<x, x'>).

    In the plane cos(l phi) and sin(l phi), in three dimensions all real harmonics of the degree over sqrt(2l + 1). In
    more dimensions, landmarks: L^(-1) (P_l(<s_j, x>))_j with L L^T the kernel of the landmarks s_j.

    Attributes
    ----------
    degree, dimension : int
        l and d.
    landmarks, factor : Tensor (r, d), optional
        And (r, r), L, in float64; None for d <= 3.
    """

    degree: ZonalDegree
    dimension: SphereSpace
    landmarks: Tensor | None = None
    factor: Tensor | None = None

    @property
    def rank(self) -> int:
        """r, the number of columns."""
        if self.landmarks is not None:
            return len(self.landmarks)
        return 1 if self.degree == 0 else 2 if self.dimension == 2 else 2 * self.degree + 1

    @checked
    def __call__(self, points: Directions) -> Tensor:
        """Points (n, d), not zero, to features (n, r) of their dtype; only directions matter."""
        if points.shape[-1] != self.dimension:
            raise ValueError(f"points have {points.shape[-1]} coordinates, but the map is one of {self.dimension}.")
        if self.dimension == 2:
            return _circle_features(points, self.degree)
        if self.dimension == 3:
            return _sphere_features(points, self.degree)
        if self.landmarks is None or self.factor is None:
            raise ValueError(f"a map of {self.dimension} coordinates needs landmarks: let zonal_map choose them.")
        cosines = self.landmarks.to(points.device) @ unit_directions(points.double()).mT
        features: Tensor = torch.linalg.solve_triangular(
            self.factor.to(points.device), _polynomial(cosines, self.degree, self.dimension), upper=False
        )
        return features.mT.to(points.dtype)


@checked
def zonal_map(points: Annotated[Tensor, Shaped("n d>=2")], degree: ZonalDegree) -> ZonalMap:
    """The map of the kernel P_l of one degree, with landmarks among the points where harmonics are not at hand.

    For d > 3 the landmarks are the pivots of a Cholesky factorisation of (P_l(<x_i, x_j>)). The kernel has the finite
    rank N(d, l): with that many points in general position the map is exact everywhere, with fewer it is exact between
    any point and every x_i, which is all that a machine trained on the x_i evaluates. Exact is to 1e-12 between sample
    points (or some l^2 roundings), and to the root of that between another point and an x_i so close to landmarks that
    it is none itself.

    Parameters
    ----------
    points : Tensor (n, d)
        Not zero, d >= 2; they matter for d > 3 only.
    degree : int
        l >= 0.

    Returns
    -------
    ZonalMap

    Raises
    ------
    ValueError
        For a negative degree, a dimension below 2 or a point that is zero.

    References
    ----------
    The rotation-invariant kernel of nsrf Theorem B.1; the landmarks are ours.
    """
    dimension = points.shape[-1]
    zonal_sequence(points, degree, dimension)
    if dimension <= 3:
        return ZonalMap(degree, dimension)
    directions = unit_directions(points.detach().double())
    pivots = _pivots(directions, degree)
    landmarks = directions[pivots]
    gram = _polynomial(landmarks @ landmarks.mT, degree, dimension)
    return ZonalMap(degree, dimension, landmarks, torch.linalg.cholesky(gram))


def _pivots(directions: Tensor, degree: int) -> Tensor:
    """Positions of the pivots of the Cholesky factorisation that always takes the largest residual."""
    count, dimension = directions.shape
    residual = torch.ones_like(directions[:, 0])
    columns = torch.zeros_like(directions[:, :0])
    pivots: list[int] = []
    slope = degree * (degree + dimension - 2) / (dimension - 1)
    least = max(_RESIDUAL, 64 * torch.finfo(directions.dtype).eps * slope)
    while len(pivots) < count:
        pivot = int(residual.argmax())
        if residual[pivot] <= least:
            break
        column = _polynomial(directions @ directions[pivot], degree, dimension) - columns @ columns[pivot]
        column = column / residual[pivot].sqrt()
        columns = torch.cat([columns, column.unsqueeze(-1)], -1)
        residual = (residual - column.square()).clamp(min=0)
        residual[pivot] = 0
        pivots.append(pivot)
    return torch.tensor(pivots, device=directions.device)


def _polynomial(cosines: Tensor, degree: int, dimension: int) -> Tensor:
    *_, last = zonal_sequence(cosines, degree, dimension)
    return last


def _circle_features(points: Tensor, degree: int) -> Tensor:
    directions = unit_directions(points)
    phases = degree * torch.atan2(directions[..., 1], directions[..., 0])
    return torch.stack([phases.cos(), phases.sin()], -1) if degree else torch.ones_like(points[..., :1])


def _sphere_features(points: Tensor, degree: int) -> Tensor:
    """sum_m conj Y_l^m Y_l^m in real terms: once m = 0, twice the real and imaginary parts of m > 0."""
    orders = torch.arange(degree + 1, device=points.device)
    pairs = harmonic_pairs(points, torch.stack([torch.full_like(orders, degree), orders], -1))
    doubled = math.sqrt(2) * pairs[..., 1:, :].flatten(-2)
    return torch.cat([pairs[..., 0, :1], doubled], -1) / math.sqrt(2 * degree + 1)
