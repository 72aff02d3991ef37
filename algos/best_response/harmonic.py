"""Kernel players of the margin game on spheres: the best pair of harmonics, and the best degree."""

from collections.abc import Sequence

import torch
from torch import Tensor

from algos._domains import DegreeIndex, Directions, HarmonicDegree, HarmonicIndex, SpherePoints, Vector, ZonalDegree
from algos.best_response._frequency_pairs import checked_weights
from algos.best_response.oracle import BestResponse
from algos.sphere.harmonics import harmonic_pairs, pair_indices
from algos.sphere.zonal import unit_directions, zonal_sequence
from algos.sphere.zonal_features import ZonalMap, zonal_map
from signatures.checked import checked

_BLOCK_VALUES = 2**18
"""Polynomials of a block of rows of the kernel stay in the second-level cache."""


class HarmonicPeaks:
    """The pair (l, +-m) of spherical harmonics with the largest potential, up to a degree, in three dimensions.

    v(l, m) = 4 pi |sum_i u_i Y_l^m(x_i)|^2, by one product with a table of n (L + 1)(L + 2) numbers. The answer is the
    best within the truncation (gap 0 up to rounding); the first of equal ones, ordered by l, then m.

    **Not invariant to rotations**: a pair is a kernel that depends on the third axis, so rotated data give another
    game. `ZonalPeaks` is the invariant one.

    Parameters
    ----------
    points : Tensor (n, 3)
        Not zero; only their directions matter.
    degree : int
        L >= 0; the paper's "first 1000 coefficients" are L = 31.

    Attributes
    ----------
    indices : Tensor (k, 2)
        Of int64, every pair (l, m) with 0 <= m <= l <= L.

    Raises
    ------
    ValueError
        For points of another shape, a point that is zero, or a negative degree.

    References
    ----------
    nsrf Section 3.1 and A.3.
    """

    @checked
    def __init__(self, points: SpherePoints, degree: HarmonicDegree = 31) -> None:
        _check_sample(points)
        self.indices = pair_indices(degree, device=points.device)
        self._table = harmonic_pairs(points, self.indices)

    @checked
    def __call__(self, signed: Vector) -> BestResponse:
        """Signed weights u = y a, (*batch, n) -> the best pair, with `index` (*batch, 2) = (l, m)."""
        table = self._table.flatten(1)
        sums = (checked_weights(signed, table) @ table).reshape(*signed.shape[:-1], len(self.indices), 2)
        value, best = sums.square().sum(-1).max(-1)
        index = self.indices[best]
        return BestResponse(index, self.features(index), value, torch.zeros_like(value))

    @checked
    def features(self, index: HarmonicIndex, points: SpherePoints | None = None) -> Tensor:
        """Real and imaginary parts of pairs (*batch, 2) on the sample or on points (p, 3): (*batch, p, 2).

        The imaginary part of m = 0 is zero; it is left out, (*batch, p, 1), where every pair has m = 0.
        """
        degrees, orders = (index := _whole(index)).unbind(-1)
        if bool((orders > degrees).any()):
            raise ValueError("index holds an order above its degree, but harmonics have 0 <= m <= l")
        if points is None:
            features = self._table[:, degrees * (degrees + 1) // 2 + orders]
        else:
            features = harmonic_pairs(points, index.reshape(-1, 2)).reshape(len(points), *index.shape)
        return features.movedim(0, -2)[..., : 2 if bool(orders.any()) else 1]


class ZonalPeaks:
    """The degree whose rotation-invariant kernel has the largest potential, up to a degree, in any dimension.

    v(l) = sum_ij u_i u_j P_l(<x_i, x_j>), with P_l(1) = 1: a strategy of mass one, k(x, x) = 1. O(n L) in the plane,
    O(n L^2) in three dimensions, O(n^2 L) without storing the kernel in more. The answer is the best within the
    truncation (gap 0 up to rounding); the lowest of equal degrees.

    Parameters
    ----------
    points : Tensor (n, d)
        Not zero, d >= 2; only their directions matter.
    degree : int
        L >= 0.

    Raises
    ------
    ValueError
        For points of another shape, d < 2, a point that is zero, or a negative degree.

    References
    ----------
    The repair of nsrf Section 3.2, whose pairs of harmonics are not rotation-invariant kernels.
    """

    @checked
    def __init__(self, points: Directions, degree: ZonalDegree = 31) -> None:
        _check_sample(points)
        zonal_sequence(points, degree, points.shape[-1])
        self._directions, self._degree = unit_directions(points), degree
        self._maps: dict[int, ZonalMap] = {}
        self._features: dict[int, Tensor] = {}
        self._basis: Tensor | None = None
        if points.shape[-1] <= 3:
            blocks = [self._sample_features(ell) for ell in range(degree + 1)]
            columns = [ell for ell, block in enumerate(blocks) for _ in range(block.shape[-1])]
            self._basis, self._columns = torch.cat(blocks, -1), torch.tensor(columns, device=points.device)

    @checked
    def __call__(self, signed: Vector) -> BestResponse:
        """Signed weights u = y a, (*batch, n) -> the best degree, with `index` (*batch, 1) = (l,)."""
        value, best = self.potentials(signed).max(-1)
        index = best.unsqueeze(-1)
        return BestResponse(index, self.features(index), value, torch.zeros_like(value))

    @checked
    def potentials(self, signed: Vector) -> Tensor:
        """v(l) of every degree, (*batch, n) -> (*batch, L + 1)."""
        signed = checked_weights(signed, self._directions)
        if self._basis is None:
            return _gram_potentials(self._directions, signed, self._degree)
        squares = (signed @ self._basis).square()
        totals = squares.new_zeros(*squares.shape[:-1], self._degree + 1)
        return totals.index_add(-1, self._columns, squares)

    @checked
    def features(self, index: DegreeIndex, points: Directions | None = None) -> Tensor:
        """Features of the kernel of degrees (*batch, 1) on the sample or on points (p, d): (*batch, p, r).

        r is the largest rank among the degrees; the columns beyond the rank of a smaller one are zero.
        """
        degrees = _whole(index).reshape(-1).tolist()
        if points is None:
            blocks = _padded([self._sample_features(ell) for ell in degrees])
        else:
            blocks = _padded([self.map(ell)(points) for ell in degrees])
        return blocks.reshape(*index.shape[:-1], *blocks.shape[1:])

    @checked
    def map(self, degree: ZonalDegree) -> ZonalMap:
        """The feature map of one degree, with its landmarks among the sample."""
        if degree not in self._maps:
            self._maps[degree] = zonal_map(self._directions, degree)
        return self._maps[degree]

    def _sample_features(self, degree: int) -> Tensor:
        if degree not in self._features:
            self._features[degree] = self.map(degree)(self._directions)
        return self._features[degree]


def _gram_potentials(directions: Tensor, signed: Tensor, degree: int) -> Tensor:
    """Potentials (*batch, L + 1) of every degree from blocks of rows of the upper triangle of the kernel."""
    count, dimension = directions.shape
    rows = max(1, _BLOCK_VALUES // max(1, count))
    totals = signed.new_zeros(*signed.shape[:-1], degree + 1)
    for start in range(0, count, rows):
        own, rest = signed[..., start : start + rows], signed[..., start:]
        doubled = torch.cat([own, 2 * rest[..., own.shape[-1] :]], -1)
        cosines = directions[start : start + rows] @ directions[start:].mT
        parts = [(own * (doubled @ polynomial.mT)).sum(-1) for polynomial in zonal_sequence(cosines, degree, dimension)]
        totals = totals + torch.stack(parts, -1)
    return totals.clamp(min=0)


def _padded(blocks: Sequence[Tensor]) -> Tensor:
    """Matrices (n, r_j) side by side in one tensor (b, n, max r_j), filled up with zeros."""
    width = max(block.shape[-1] for block in blocks)
    return torch.stack([torch.nn.functional.pad(block, (0, width - block.shape[-1])) for block in blocks])


def _check_sample(points: Tensor) -> None:
    if points.ndim != 2 or not len(points):
        raise ValueError(f"points have the shape {tuple(points.shape)}, but a player needs a sample: give (n, d)")


def _whole(index: Tensor) -> Tensor:
    """Degrees and orders as integers; rounding, or counting from the end, would name another strategy."""
    whole = index.long()
    if bool((whole != index).any()) or bool((whole < 0).any()):
        raise ValueError("index holds a number that is no degree or order: these are 0, 1, 2, ...")
    return whole
