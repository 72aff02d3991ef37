"""The Fourier potential of points in the plane at a cost per frequency that does not depend on their number."""

import math
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Axis, Moments, PlaneFrequencies, PlanePoints, Vector
from algos.best_response._frequency_pairs import checked_points, checked_weights
from signatures.checked import checked
from signatures.numbers import PositiveFloat
from signatures.tensors import Shaped

_LARGEST_PHASE = 2**13
"""Beyond it the tables of K^2 numbers would fill the memory."""
_ROWS = 2048
"""Points whose weighted rows stay in a second-level cache until they are multiplied."""


class SeparablePotential:
    """``v(w) = |sum_i u_i exp(i <w, x_i>)|^2`` in the plane, from a small matrix of moments.

    The exponential is a product over the two coordinates, and on |w_j| <= radius each factor is a short Chebyshev
    interpolant in x_j. Its K nodes are symmetric: with half of them, ``cos(w x) ~ sum_k cos(w xi_k) e_k(x)`` and
    ``sin(w x) ~ sum_k sin(w xi_k) o_k(x)``, so that the data enter through one real K x K matrix. Forming it costs
    O(n K^2) for each weight vector, a frequency costs O(K^2) afterwards; K is about radius R_x + 40 in float64, where
    R_x is half the range of a coordinate.

    Parameters
    ----------
    points : Tensor (n, 2)
        2 n K numbers are kept.
    radius : float
        Bound of |w_j|, positive.

    Attributes
    ----------
    accuracy : float
        Bound of the error of v in units of (sum |u|)^2: truncation (the Chebyshev coefficients of exp(i z t) are Bessel
        functions J_k(z), summed from K on) and an allowance for rounding.
    half_range : Tensor (2,)
        Half the range of each coordinate.

    Raises
    ------
    ValueError
        For points outside the plane, a radius that is not positive or is beyond 2^13 / R_x, and, later, frequencies
        beyond it.

    References
    ----------
    nsrf Section 3.1 (the potential); the interpolation is standard.
    """

    @checked
    def __init__(self, points: PlanePoints, *, radius: PositiveFloat) -> None:
        if not 0 < radius < math.inf:
            raise ValueError(f"radius = {radius} must be a positive number: it bounds |w_j|")
        points = checked_points(points, 2)
        if points.ndim != 2:
            raise ValueError(f"points have the shape {tuple(points.shape)}, but one cloud (n, 2) is shared: take one")
        self.points, self.radius = points, float(radius)
        low, high = points.amin(0), points.amax(0)
        self.half_range = (high - low) / 2
        epsilon = torch.finfo(points.dtype).eps
        self.accuracy = 64 * epsilon
        self._nodes, self._bases = [], []
        for j in range(2):
            half = float(self.half_range[j])
            if half * radius > _LARGEST_PHASE:
                raise ValueError(
                    f"radius = {radius:g} and points that span {2 * half:g} make phases up to {half * radius:g}, but "
                    "2^13 is the limit: scale the points or lower the radius"
                )
            count, truncation = _node_count(half * radius, epsilon)
            self.accuracy += 3 * truncation + 4 * epsilon * half * radius
            nodes, basis = _chebyshev((points[:, j] - (low[j] + high[j]) / 2) / (half or 1.0), count)
            self._nodes.append(nodes * half)
            self._bases.append(basis)

    @checked
    def moments(self, signed: Vector) -> Tensor:
        """Signed weights (*batch, n) -> moments (*batch, K, K'), all that the potential needs to know of the data."""
        signed = checked_weights(signed, self.points)
        blocks = zip(*(torch.split(t, _ROWS, -2) for t in (*self._bases, signed.unsqueeze(-1))), strict=True)
        total = torch.zeros((), dtype=self.points.dtype, device=self.points.device)
        for first, second, weights in blocks:
            total = total + first.mT @ (weights * second)
        return total

    @checked
    def value(self, moments: Moments, frequencies: PlaneFrequencies) -> Tensor:
        """The potential: moments (*batch, K, K'), frequencies (*batch, m, 2) -> (*batch, m)."""
        real, imaginary = self._sums(moments, frequencies, 0)
        return (real.square() + imaginary.square()).flatten(-3)

    @checked
    def value_and_gradient(self, moments: Moments, frequencies: PlaneFrequencies) -> tuple[Tensor, Tensor]:
        """The potential and its gradient in the frequency: (*batch, m) and (*batch, m, 2)."""
        sums = torch.stack(self._sums(moments, frequencies, 1))
        value, slopes = sums[..., 0, 0], torch.stack([sums[..., 1, 0], sums[..., 0, 1]], -1)
        return value.square().sum(0), 2 * (value.unsqueeze(-1) * slopes).sum(0)

    @checked
    def value_gradient_and_hessian(
        self, moments: Moments, frequencies: PlaneFrequencies
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The potential, its gradient and its second derivatives: (*batch, m), (*batch, m, 2), (*batch, m, 2, 2)."""
        sums = torch.stack(self._sums(moments, frequencies, 2))
        value, slopes = sums[..., 0, 0], torch.stack([sums[..., 1, 0], sums[..., 0, 1]], -1)
        bends = torch.stack([sums[..., 2, 0], sums[..., 1, 1], sums[..., 1, 1], sums[..., 0, 2]], -1)
        gradient = 2 * (value.unsqueeze(-1) * slopes).sum(0)
        hessian = slopes.unsqueeze(-1) * slopes.unsqueeze(-2) + (value.unsqueeze(-1) * bends).view(*slopes.shape, 2)
        return value.square().sum(0), gradient, 2 * hessian.sum(0)

    @checked
    def grid(self, moments: Moments, first: Axis, second: Annotated[Tensor, Shaped("h")]) -> Tensor:
        """The potential on a tensor grid: first coordinates (g,), second +- those of (h,) -> (*batch, g, 2 h - 1).

        `second` begins with zero; the columns run from its negatives in reverse to itself. Even and odd parts serve
        both signs.
        """
        self._check("first", first)
        self._check("second", second)
        (cosines, sines), (other_cosines, other_sines) = self._wave(first, 0), self._wave(second, 1)
        half, other = cosines.shape[-1], other_cosines.shape[-1]
        even = moments[..., :other] @ other_cosines.mT
        odd = moments[..., other:] @ other_sines.mT
        real = cosines @ even[..., :half, :], sines @ odd[..., half:, :]
        imaginary = sines @ even[..., half:, :], cosines @ odd[..., :half, :]
        plus = (real[0] - real[1]).square() + (imaginary[0] + imaginary[1]).square()
        minus = (real[0] + real[1])[..., 1:].square() + (imaginary[0] - imaginary[1])[..., 1:].square()
        return torch.cat([minus.flip(-1), plus], -1)

    def _check(self, name: str, frequencies: Tensor) -> None:
        largest = float(frequencies.detach().abs().amax()) if frequencies.numel() else 0.0
        if not largest <= self.radius * (1 + 1e-6):
            raise ValueError(
                f"{name} = an array up to {largest:g} in size, but the interpolation covers |w_j| <= "
                f"{self.radius:g}: project it, or set the potential up with a larger radius"
            )

    def _wave(self, coordinates: Tensor, j: int) -> tuple[Tensor, Tensor]:
        phases = coordinates.to(self.points.dtype).unsqueeze(-1) * self._nodes[j]
        return phases.cos(), phases.sin()

    def _sums(self, moments: Tensor, frequencies: Tensor, order: int) -> tuple[Tensor, Tensor]:
        """Real and imaginary part of the exponential sum and its mixed derivatives, (*batch, m, order+1, order+1)."""
        self._check("frequencies", frequencies)
        cosines, sines = self._derivatives(frequencies[..., 0], 0, order)
        others = self._derivatives(frequencies[..., 1], 1, order)
        half, other = cosines.shape[-1], others[0].shape[-1]
        even = _rows_times(others[0], moments[..., :other].mT)
        odd = _rows_times(others[1], moments[..., other:].mT)
        real = cosines @ even[..., :half].mT - sines @ odd[..., half:].mT
        imaginary = sines @ even[..., half:].mT + cosines @ odd[..., :half].mT
        return real, imaginary

    def _derivatives(self, coordinates: Tensor, j: int, order: int) -> tuple[Tensor, Tensor]:
        """Cosines and sines of one coordinate's phases with their derivatives, (*batch, m, order + 1, K/2) each."""
        cosines, sines = ([wave] for wave in self._wave(coordinates, j))
        for k in range(order):
            cosines.append(-self._nodes[j] * sines[k])
            sines.append(self._nodes[j] * cosines[k])
        return torch.stack(cosines, -2), torch.stack(sines, -2)


def _rows_times(rows: Tensor, matrix: Tensor) -> Tensor:
    """(*batch, m, r, K) times (*batch, K, L), as one product for each entry of the batch."""
    return (rows.flatten(-3, -2) @ matrix).unflatten(-2, rows.shape[-3:-1])  # type: ignore[no-untyped-call, no-any-return]


def _node_count(argument: float, epsilon: float) -> tuple[int, float]:
    """Even number K of nodes and the error of the interpolant of exp(i z t) on [-1, 1], |z| <= argument.

    Interpolation in K Chebyshev nodes errs by at most twice the coefficients from K on, 4 sum_(k >= K) |J_k(z)|, and
    |J_k(k s)| <= (s exp(sqrt(1 - s^2)) / (1 + sqrt(1 - s^2)))^k for 0 <= s <= 1 (Kapteyn). From k to k + 1 that bound
    falls by its base at least, so that the tail is a geometric series. K grows until the tail is as small as
    the rounding of a sum of K products.
    """
    count = 2 * max(1, math.ceil(argument / 2))
    while True:
        ratio = argument / count
        root = math.sqrt(max(0.0, 1 - ratio**2))
        base = ratio * math.exp(root) / (1 + root)
        if base < 1 and 4 * base**count / (1 - base) <= 64 * epsilon:
            return count, 4 * base**count / (1 - base)
        count += 2


def _chebyshev(points: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Positive Chebyshev nodes (K/2,) and the even, then odd, parts of their Lagrange functions at points: (n, K)."""
    degrees = torch.arange(count, dtype=points.dtype, device=points.device)
    angles = (degrees[: count // 2] + 0.5) * (math.pi / count)
    scaled = torch.full_like(degrees, 4 / count)
    scaled[0] = 2 / count
    at_nodes = scaled.unsqueeze(-1) * torch.cos(degrees.unsqueeze(-1) * angles)
    at_points = torch.cos(points.clamp(-1, 1).arccos().unsqueeze(-1) * degrees)
    return angles.cos(), torch.cat([at_points[:, k::2] @ at_nodes[k::2] for k in range(2)], -1)
