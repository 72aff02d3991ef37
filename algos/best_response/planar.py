"""A kernel player for points in the plane: a tensor grid, Newton ascent, and a rigorous upper bound."""

import itertools
import math

import torch
from torch import Tensor
from torch.nn.functional import max_pool2d

from algos._domains import Frequency, PlanePoints, Points, Starts, Vector
from algos.best_response._frequency_pairs import answer_with_pair, checked_points, pair_features
from algos.best_response._planar_search import Curvature, branch_and_bound, grid_cells, newton_peaks
from algos.best_response.oracle import BestResponse
from algos.best_response.separable_potential import SeparablePotential
from signatures.checked import checked
from signatures.numbers import Count, PositiveFloat

_LARGEST_GRID = 2**26
_LEVEL = 4
"""Grid points along the side of a block that gives at most one start."""


class PlanarPeaks:
    """Peak of the potential over the box |w_j| <= radius, for points in the plane, with a rigorous gap.

    The potential is even, so that half of the box is searched: on a tensor grid, then by Newton ascent from the best
    cells. All of it works on the moments of `SeparablePotential`: the points are touched twice for each answer.

    *Why the gap is rigorous.* Write v = |S|^2, let V = v(w) be the maximum over the box, g a grid point with
    |g_j - w_j| <= h_j / 2, and e = g - w; for w on the edge of the box take g on that edge, so that in every case
    e has no component along the gradient. Along the segment, which stays in the box, |S|^2 has a second derivative of
    at least -2 |S| |S''| >= -2 sqrt(V) A q, where A = sum |u| and q = sum |u_i| <e, x_i - c>^2 / A is the variance of
    <e, x> under |u| (a shift c of the points leaves v as it is). Hence v(g) >= V - sqrt(V) A q, or

        sqrt(V) <= (A q + sqrt(A^2 q^2 + 4 v(g))) / 2,

    with the largest q over |e_j| <= h_j / 2. In contrast to |v''| <= 2 A^2 q this knows the height of v. The error of
    the interpolation is added. With a `tolerance` the cells whose own bound exceeds the best value found are halved,
    and halved again, until the gap is at most tolerance times the value.

    Parameters
    ----------
    points : Tensor (n, 2)
    radius : float
        Bound of |w_j|.
    spacing : float
        Of the grid, in units of one over half the range of each coordinate.
    starts : int
        Number of Newton ascents.
    tolerance : float, optional
        Relative gap to reach by branch and bound; by default the gap is what the grid gives. Gaps below the accuracy of
        the interpolation, about 1e-13 (sum |u|)^2 in float64, are not to be had.
    evaluations : int
        Limit for each branch and bound; beyond it the gap is honest and larger.

    Raises
    ------
    ValueError
        For points outside the plane, numbers that are not positive, and a radius too large for the points.

    References
    ----------
    nsrf Algorithm 2, line 7, for two-dimensional data; the gap is the epsilon_t of Theorem 4.1.
    """

    @checked
    def __init__(
        self,
        points: PlanePoints,
        *,
        radius: PositiveFloat = 40.0,
        spacing: PositiveFloat = 0.25,
        starts: Starts = 3,
        tolerance: PositiveFloat | None = None,
        evaluations: Count = 10**6,
    ) -> None:
        numbers = {"spacing": spacing, "starts": starts, "tolerance": 1.0 if tolerance is None else tolerance}
        for name, number in numbers.items():
            if not number > 0:
                raise ValueError(f"{name} = {number} must be positive: leave it out for the default")
        self.points = checked_points(points, 2)
        self._potential = SeparablePotential(self.points, radius=radius)
        self._starts, self._tolerance, self._evaluations = starts, tolerance, evaluations
        dtype, device = self.points.dtype, self.points.device
        cells = _cells(self._potential.half_range, radius, spacing)
        axes = [torch.linspace(0, radius, count + 1, dtype=dtype, device=device) for count in cells]
        self._second = axes[1]
        self._axes = (axes[0], torch.cat([-axes[1][1:].flip(0), axes[1]]))
        varies = self._potential.half_range > 0
        self._half = torch.stack([axis[1] / 2 for axis in axes]) * varies
        centred = self.points - (self.points.amin(0) + self.points.amax(0)) / 2
        first, second = centred.unbind(-1)
        ones = torch.ones_like(first)
        self._powers = torch.stack([ones, first, second, first * first, first * second, second * second], -1)

    @checked
    def __call__(self, signed: Vector) -> BestResponse:
        """Signed weights (*batch, n) -> the best frequency found; zero weights give value and gap 0."""
        with torch.no_grad():
            moments = self._potential.moments(signed)
            values = self._potential.grid(moments, self._axes[0], self._second)
            places, peaks = newton_peaks(self._potential, moments, self._best_cells(values), longest=2 * self._half)
            best = peaks.argmax(-1, keepdim=True)
            peak = peaks.gather(-1, best).squeeze(-1)
            frequency = places.take_along_dim(best.unsqueeze(-1), -2).squeeze(-2)
            curvature = self._curvature(signed)
            upper = curvature.upper(values.amax((-1, -2)), self._half)
            if self._tolerance is not None:
                frequency, upper = self._refined(moments, values, curvature, (frequency, peak))
            allowance = self._potential.accuracy * curvature.total.square()
            upper = torch.minimum(upper + allowance, curvature.total.square())
        return answer_with_pair(self.points, frequency, signed.to(self.points.dtype), upper)

    @checked
    def features(self, index: Frequency, points: Points | None = None) -> Tensor:
        """cos(<w, x>) and sin(<w, x>): frequencies (*batch, 2), points (*batch, n', 2) -> (*batch, n', 2)."""
        return pair_features(self.points if points is None else checked_points(points, 2), index)

    def _best_cells(self, values: Tensor) -> Tensor:
        """Grid points (*batch, s, 2), each the best of a block and no worse than those of the eight blocks around."""
        flat = values.reshape(-1, *values.shape[-2:])
        best, place = max_pool2d(flat, _LEVEL, ceil_mode=True, return_indices=True)
        peaks = torch.where(max_pool2d(best, 3, stride=1, padding=1) == best, best, -1.0)
        top = peaks.flatten(-2).topk(min(self._starts, peaks[0].numel()), -1).indices
        cell = place.flatten(-2).gather(-1, top)
        row, column = cell // values.shape[-1], cell % values.shape[-1]
        return torch.stack([self._axes[0][row], self._axes[1][column]], -1).reshape(*values.shape[:-2], -1, 2)

    def _curvature(self, signed: Tensor) -> Curvature:
        sums = signed.to(self.points.dtype).abs() @ self._powers
        total = sums[..., 0]
        mean = sums / total.unsqueeze(-1).clamp(min=torch.finfo(total.dtype).tiny)
        first, second = mean[..., 1], mean[..., 2]
        variance = [(mean[..., 3] - first**2).clamp(min=0), (mean[..., 5] - second**2).clamp(min=0)]
        return Curvature(total, torch.stack([variance[0], mean[..., 4] - first * second, variance[1]], -1))

    def _refined(
        self, moments: Tensor, values: Tensor, curvature: Curvature, found: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Branch and bound for each entry of the batch: frequencies (*batch, 2), upper bounds (*batch,)."""
        frequency, peak = (tensor.clone() for tensor in found)
        upper = torch.empty_like(peak)
        slack = torch.maximum((self._tolerance or 0.0) / 2 * peak, self._potential.accuracy * curvature.total.square())
        for entry in itertools.product(*(range(size) for size in peak.shape)):
            bend = Curvature(curvature.total[entry], curvature.covariance[entry])
            result = branch_and_bound(
                self._potential,
                moments[entry],
                bend,
                grid_cells(self._axes, self._half, values[entry], bend, peak[entry] + slack[entry]),
                (frequency[entry], peak[entry]),
                slack=slack[entry],
                evaluations=self._evaluations,
            )
            frequency[entry], upper[entry] = result.frequency, result.upper
        return frequency, upper


def _cells(half_range: Tensor, radius: float, spacing: float) -> list[int]:
    """Cells along both coordinates; refused before the memory for them is asked for."""
    counts = [max(1, math.ceil(radius * half / spacing)) for half in half_range.tolist()]
    if 2 * math.prod(counts) > _LARGEST_GRID:
        raise ValueError(
            f"radius = {radius:g} and spacing = {spacing:g} ask for {2 * math.prod(counts):.1e} frequencies for these "
            "points, but 2^26 are the limit: scale the points, lower the radius, or search with AscentPeaks"
        )
    return counts
