"""Kernel players that are exact on a grid: the fast Fourier transform on integer points, or any finite set."""

import math
from typing import Annotated

import numpy as np
import torch
from torch import Tensor

from algos._domains import CircleGrid, Frequency, LinePoints, Points, Vector
from algos.best_response._frequency_pairs import answer_with_pair, checked_points, checked_weights, pair_features
from algos.best_response.oracle import BestResponse
from signatures.checked import checked
from signatures.tensors import Shaped


class LatticePeaks:
    """Peak of the potential over all frequencies, for integer points on a line, with a rigorous gap.

    ``v(w) = |sum_i u_i exp(i w x_i)|^2`` is then even with period 2 pi, so that [0, pi] is the whole line. Its values
    on a grid of spacing h = 2 pi / grid are one fast Fourier transform of the weights folded modulo `grid`, which is
    exact for all integers below 2^53. With R = max x - min x and a = |u|, both of these bound the supremum V:

    * ``V <= max_grid v + h^2/4 ((sum a x^2)(sum a) - (sum a x)^2)``: a bound of v'' and a grid point within h/2;
    * ``V cos^2(R h / 4) <= max_grid v`` if R h < 2 pi: next to its maximum a trigonometric polynomial of degree R
      falls no faster than a cosine of that degree (M. Riesz), applied to v - V/2. This one knows the height of v.

    Parameters
    ----------
    points : Tensor (*batch, n, 1)
        Integers in any dtype, below 2^53 in size; duplicates allowed. Values and features are those of phases w x
        rounded in the dtype, so beyond 10^8 or so the gap is mostly rounding.
    grid : int
        Number of grid points on the circle, at least 2; powers of two are fastest.

    Raises
    ------
    ValueError
        For other points or grids.

    References
    ----------
    nsrf Algorithm 2, line 7; the gap is the epsilon_t of Theorem 4.1.
    """

    @checked
    def __init__(self, points: LinePoints, *, grid: CircleGrid = 2**12) -> None:
        if grid < 2:
            raise ValueError(f"grid = {grid} must be at least 2: a grid on the circle needs both 0 and pi")
        self.points = checked_points(points, 1)
        fractional = self.points != self.points.round()
        if bool(fractional.any()):
            raise ValueError(
                f"points hold {self.points[fractional][0].item():g}, which is no integer, but v is periodic "
                "only on integers: scale the points, or search a finite set of frequencies with FinitePeaks"
            )
        large = self.points.abs() >= 2**53
        if bool(large.any()):
            raise ValueError(
                f"points hold {self.points[large][0].item():g}, which is beyond 2^53, where floating numbers skip "
                "integers: subtract a common integer, which leaves the potential as it is"
            )
        whole = (points if not points.is_floating_point() else points.double()).to(torch.int64).squeeze(-1)
        self.grid = grid
        self._folded = whole.remainder(grid)
        self._centred = (whole - whole.amin(-1, keepdim=True)).to(self.points.dtype)
        self._span = self._centred.amax(-1)

    @checked
    def __call__(self, signed: Vector) -> BestResponse:
        """Signed weights (*batch, n) -> the best frequency of the grid; zero weights give value and gap 0."""
        signed = checked_weights(signed, self.points)
        with torch.no_grad():
            potential = self.potential(signed)
            peak, place = potential.max(-1)
            frequency = (place.to(signed.dtype) * (2 * math.pi / self.grid)).unsqueeze(-1)
            upper = self._upper(signed, peak)
        return answer_with_pair(self.points, frequency, signed, upper)

    @checked
    def potential(self, signed: Vector) -> Tensor:
        """(*batch, n) -> (*batch, grid // 2 + 1), v at the frequencies 2 pi k / grid, k = 0, 1, ..."""
        signed = checked_weights(signed, self.points)
        shape = np.broadcast_shapes(signed.shape, self._folded.shape)
        folded = signed.new_zeros((*shape[:-1], self.grid))
        folded = folded.scatter_add(-1, self._folded.expand(shape), signed.expand(shape))
        transform = torch.view_as_real(torch.fft.rfft(folded))
        return transform.square().sum(-1)

    @checked
    def features(self, index: Frequency, points: LinePoints | None = None) -> Tensor:
        """cos(w x) and sin(w x): frequencies (*batch, 1), points (*batch, n', 1) -> (*batch, n', 2)."""
        return pair_features(self.points if points is None else checked_points(points, 1), index)

    def _upper(self, signed: Tensor, peak: Tensor) -> Tensor:
        mass = signed.abs()
        total = mass.sum(-1)
        mean = (mass * self._centred).sum(-1) / total.clamp(min=torch.finfo(total.dtype).tiny)
        spread = (mass * (self._centred - mean.unsqueeze(-1)).square()).sum(-1)
        step = 2 * math.pi / self.grid
        curved = peak + step**2 / 4 * spread * total
        turn = self._span * (step / 4)
        falling = torch.where(turn < math.pi / 2, peak / turn.cos().square(), math.inf)
        return torch.minimum(torch.minimum(curved, falling), total.square()).maximum(peak)


class FinitePeaks:
    """Peak of the potential over a finite set of frequencies, by exhaustion; the gap is 0 *within that set*.

    Cosines and sines of all phases are kept, 2 n m numbers; an answer costs two products with the weights.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    frequencies : Tensor (m, d)
        m >= 1.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    References
    ----------
    nsrf Section 3.2, the game on a finite set.
    """

    @checked
    def __init__(
        self,
        points: Annotated[Tensor, Shaped("*batch n d", kind="codes")],
        frequencies: Annotated[Tensor, Shaped("m d")],
    ) -> None:
        self.points = checked_points(points)
        if frequencies.ndim != 2 or frequencies.shape[0] < 1 or frequencies.shape[-1] != self.points.shape[-1]:
            raise ValueError(
                f"frequencies have the shape {tuple(frequencies.shape)}, but a finite set for these points is "
                f"(m, {self.points.shape[-1]}) with m >= 1: reshape them"
            )
        self.frequencies = frequencies.to(self.points.dtype)
        phases = self.points @ self.frequencies.mT
        self._cosines, self._sines = phases.cos(), phases.sin()

    @checked
    def __call__(self, signed: Vector) -> BestResponse:
        """Signed weights (*batch, n) -> the best frequency of the set."""
        signed = checked_weights(signed, self.points)
        with torch.no_grad():
            peak, place = self.potential(signed).max(-1)
            frequency = self.frequencies[place]
        answer = answer_with_pair(self.points, frequency, signed, peak)
        return BestResponse(answer.index, answer.features, answer.value, torch.zeros_like(answer.value))

    @checked
    def potential(self, signed: Vector) -> Tensor:
        """(*batch, n) -> (*batch, m), v at every frequency of the set."""
        rows = signed.unsqueeze(-2)
        return ((rows @ self._cosines).square() + (rows @ self._sines).square()).squeeze(-2)

    @checked
    def features(self, index: Frequency, points: Points | None = None) -> Tensor:
        """cos(<w, x>) and sin(<w, x>): frequencies (*batch, d), points (*batch, n', d) -> (*batch, n', 2)."""
        return pair_features(self.points if points is None else checked_points(points, self.points.shape[-1]), index)
