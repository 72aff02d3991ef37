"""Families of random features phi(x, w), w ~ P_0, from which a kernel is learned: cosines, coordinates, arc-cosines.

A family draws parameters, evaluates features, sums them over a sample without keeping an n x N array, and knows the
kernel E phi(x, W) phi(x', W) that its features average to. The theory of lkrf needs |phi| <= 1: `bounded` tells.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
import torch
from torch import Tensor

from algos._domains import (
    AnyDevice,
    ArcCosineOrder,
    CoordinateCount,
    CoordinateIndex,
    FloatDtype,
    Frequencies,
    OffsetFrequencies,
    OtherPoints,
    Points,
    WeightRows,
)
from algos.fourier.random_features import gaussian_kernel
from algos.fourier.sums import cosine_sums
from signatures.checked import checked, checked_fields
from signatures.numbers import PositiveFloat, Size
from signatures.tensors import Shaped, readable

AnyParameters: TypeAlias = Annotated[Tensor, Shaped("*batch m p", kind="codes")]
"""Parameters (*batch, N, p) of any family."""
_BLOCK_BYTES = 2**24
"""Features kept at a time where sums have no shortcut."""


class FeatureFamily(ABC):
    """Random features phi(x, w) with their law P_0; batch axes of points and parameters broadcast."""

    @property
    @abstractmethod
    def bounded(self) -> bool:
        """Whether |phi(x, w)| <= 1 for every x, as the guarantees assume."""

    @abstractmethod
    def draw(
        self, count: int, dimension: int, *, generator: torch.Generator, dtype: torch.dtype = torch.float64
    ) -> Tensor:
        """Parameters of `count` independent features of points in R^dimension, (count, p)."""

    @abstractmethod
    def evaluate(self, points: Tensor, parameters: Tensor) -> Tensor:
        """phi(x_i, w_m): (*batch, n, d) and (*batch, N, p) give (*batch, n, N)."""

    @abstractmethod
    def kernel(self, points: Tensor, others: Tensor) -> Tensor:
        """E phi(x, W) phi(x', W) under P_0: (*batch, n, d) and (*batch, k, d) give (*batch, n, k)."""

    @checked
    def weighted_sums(self, points: Points, parameters: AnyParameters, weights: WeightRows) -> Tensor:
        """sum_i a_i phi(x_i, w_m) for c weight vectors (*batch, c, n): (*batch, c, N), block by block of features."""
        return torch.cat([weights @ features for features in self._blocks(points, parameters)], -1)

    @checked
    def squared_sums(self, points: Points, parameters: AnyParameters) -> Tensor:
        """sum_i phi(x_i, w_m)^2, (*batch, N)."""
        return torch.cat([features.square().sum(-2) for features in self._blocks(points, parameters)], -1)

    def _blocks(self, points: Tensor, parameters: Tensor) -> Iterator[Tensor]:
        size = max(1, _BLOCK_BYTES // (points.element_size() * max(1, points.shape[:-1].numel())))
        for start in range(0, max(1, parameters.shape[-2]), size):
            yield self.evaluate(points, parameters[..., start : start + size, :])


@checked_fields
@dataclass(frozen=True)
class OffsetCosine(FeatureFamily):
    """phi(x, (w, b)) = cos(<w, x> + b) with w ~ N(0, 2 gamma I), b uniform on [0, 2 pi]: half the Gaussian kernel.

    E phi(x, W) phi(x', W) = exp(-gamma |x - x'|^2) / 2: the paper has no factor sqrt 2, which would break |phi| <= 1.
    The last parameter is the offset, that of the constant coordinate 1 in the paper's (x, 1)^T (w, b).

    Attributes
    ----------
    gamma : float
        gamma > 0.

    References
    ----------
    lkrf Section 4.1, where gamma = 1/2.
    """

    gamma: PositiveFloat = 0.5

    @property
    def bounded(self) -> bool:
        return True

    @checked
    def draw(
        self, count: Size, dimension: CoordinateCount, *, generator: torch.Generator, dtype: FloatDtype = torch.float64
    ) -> Tensor:
        shape, device = (count, dimension), generator.device
        frequencies = torch.randn(shape, dtype=dtype, device=device, generator=generator)
        frequencies = frequencies * (math.sqrt(2) * math.sqrt(self.gamma))
        offsets = torch.rand((count, 1), dtype=dtype, device=device, generator=generator) * (2 * math.pi)
        return torch.cat([frequencies, offsets], -1)

    @checked
    def evaluate(self, points: Points, parameters: OffsetFrequencies) -> Tensor:
        phases, offsets = points @ parameters[..., :-1].mT, parameters[..., -1].unsqueeze(-2)
        if torch.is_grad_enabled() and (phases.requires_grad or offsets.requires_grad):
            return (phases + offsets).cos()
        return phases.add_(offsets).cos_()

    @checked
    def kernel(self, points: Points, others: OtherPoints) -> Tensor:
        return gaussian_kernel(points, others, gamma=self.gamma) / 2

    @checked
    def weighted_sums(self, points: Points, parameters: OffsetFrequencies, weights: WeightRows) -> Tensor:
        """sum_i a_i cos(<w, x_i> + b), one cosine for each phase."""
        return cosine_sums(points, parameters, weights)

    @checked
    def squared_sums(self, points: Points, parameters: OffsetFrequencies) -> Tensor:
        """n / 2 + sum_i cos(2 <w, x_i> + 2 b) / 2."""
        ones = points.new_ones((1, points.shape[-2]))
        return points.shape[-2] / 2 + self.weighted_sums(points, 2 * parameters, ones).squeeze(-2) / 2


@checked_fields
@dataclass(frozen=True)
class Coordinates(FeatureFamily):
    """phi(x, w) = x_w, w uniform on the coordinates: the linear kernel <x, x'> / d.

    Bounded by 1 only where the data are. A pool of all coordinates (`every`) is the whole of P_0, not a sample.

    References
    ----------
    lkrf Section 4.2 and the linear kernels of its Section 4.3.
    """

    @property
    def bounded(self) -> bool:
        return False

    @checked
    def every(self, dimension: CoordinateCount, *, device: AnyDevice = "cpu") -> Tensor:
        """All coordinates once, (d, 1): the uniform weights on them are P_0."""
        return torch.arange(dimension, device=device).unsqueeze(-1)

    @checked
    def draw(
        self,
        count: Size,
        dimension: CoordinateCount,
        *,
        generator: torch.Generator,
        dtype: FloatDtype = torch.float64,  # noqa: ARG002
    ) -> Tensor:
        """Coordinates with replacement, int64 (count, 1); `dtype` plays no part."""
        shape = (count, 1)
        return torch.randint(dimension, shape, device=generator.device, generator=generator)

    @checked
    def evaluate(self, points: Points, parameters: CoordinateIndex) -> Tensor:
        return _columns(points, parameters)

    @checked
    def kernel(self, points: Points, others: OtherPoints) -> Tensor:
        return points @ others.mT / points.shape[-1]

    @checked
    def weighted_sums(self, points: Points, parameters: CoordinateIndex, weights: WeightRows) -> Tensor:
        return _columns(weights @ points, parameters)

    @checked
    def squared_sums(self, points: Points, parameters: CoordinateIndex) -> Tensor:
        return _columns(points.square().sum(-2, keepdim=True), parameters).squeeze(-2)


@checked_fields
@dataclass(frozen=True)
class ArcCosine(FeatureFamily):
    """phi(x, w) = 1[<w, x> > 0] <w, x>^n, w ~ N(0, I): half the arc-cosine kernel of order n = 0, 1 or 2.

    E phi(x, W) phi(x', W) = |x|^n |x'|^n J_n(theta) / (2 pi), with theta the angle between x and x' and
    J_0 = pi - theta, J_1 = sin theta + (pi - theta) cos theta, J_2 = 3 sin theta cos theta + (pi - theta)
    (1 + 2 cos^2 theta). Bounded for order 0 only, so that no guarantee of the paper covers its order 2. The feature of
    the zero vector is 0.

    Attributes
    ----------
    order : {0, 1, 2}
        n.

    References
    ----------
    lkrf Section 4.3; the kernels are those of Cho and Saul (2009), which have twice this expectation.
    """

    order: ArcCosineOrder = 2

    @property
    def bounded(self) -> bool:
        return self.order == 0

    @checked
    def draw(
        self, count: Size, dimension: CoordinateCount, *, generator: torch.Generator, dtype: FloatDtype = torch.float64
    ) -> Tensor:
        shape = (count, dimension)
        return torch.randn(shape, dtype=dtype, device=generator.device, generator=generator)

    @checked
    def evaluate(self, points: Points, parameters: Frequencies) -> Tensor:
        projections = points @ parameters.mT
        if self.order == 0:
            return (projections > 0).to(projections.dtype)
        return projections.clamp_min(0) ** self.order

    @checked
    def kernel(self, points: Points, others: OtherPoints) -> Tensor:
        (norms, units), (other_norms, other_units) = _lengths_and_units(points), _lengths_and_units(others)
        positive = (norms > 0).unsqueeze(-1) & (other_norms > 0).unsqueeze(-2)
        cosine = (units @ other_units.mT).clamp(-1, 1)
        first, second = units.unsqueeze(-2), other_units.unsqueeze(-3)
        apart, together = (first - second).norm(dim=-1), (first + second).norm(dim=-1)
        angle = 2 * torch.atan2(apart, together)  # accurate for parallel points, where the arc cosine is not
        if self.order == 0:
            shape = math.pi - angle
        elif self.order == 1:
            shape = angle.sin() + (math.pi - angle) * cosine
        else:
            shape = 3 * angle.sin() * cosine + (math.pi - angle) * (1 + 2 * cosine.square())
        missing = 2 * torch.atan2(together, apart)
        shape = torch.where(missing < 1, _near_opposite(missing.clamp(max=1), self.order), shape)
        scale = norms.unsqueeze(-1) * other_norms.unsqueeze(-2)
        return torch.where(positive, scale**self.order * shape / (2 * math.pi), 0.0)


def _lengths_and_units(points: Tensor) -> tuple[Tensor, Tensor]:
    """|x| and x/|x|, zero for the zero vector, whatever the size of the coordinates."""
    size = points.detach().abs().amax(-1, keepdim=True)
    scaled = points / torch.where(size > 0, size, 1.0)
    length = scaled.norm(dim=-1, keepdim=True)
    return (size * length).squeeze(-1), scaled / torch.where(length > 0, length, 1.0)


def _near_opposite(missing: Tensor, order: int) -> Tensor:
    """J_n at the angle pi - t, 0 <= t <= 1, by its power series: its terms in sines and cosines cancel.

    J_0 = t, J_1 = sum_(m >= 1) (-1)^(m+1) 2m t^(2m+1) / (2m+1)! and
    J_2 = sum_(m >= 2) (-1)^m (m-1) (2t)^(2m+1) / (2m+1)!.
    """
    if order == 0:
        return missing
    argument = order * missing
    total = torch.zeros_like(missing)
    for m in range(14, order - 1, -1):
        sign = (-1) ** (m + order)
        total = total * argument.square() + sign * (2 * m if order == 1 else m - 1) / math.factorial(2 * m + 1)
    return total * argument ** (2 * order + 1)


def _columns(rows: Tensor, parameters: Tensor) -> Tensor:
    """Columns of (*batch, r, d) named by (*batch, N, 1)."""
    index = parameters.squeeze(-1)
    if readable((index,)) and bool((index < 0).any()):
        raise ValueError("parameters hold a negative number, but coordinates are counted from 0")
    if index.ndim == 1:
        return rows[..., index]
    batch = np.broadcast_shapes(rows.shape[:-2], index.shape[:-1])
    index = index.unsqueeze(-2).expand(*batch, rows.shape[-2], index.shape[-1])
    return rows.expand(*batch, *rows.shape[-2:]).gather(-1, index)
