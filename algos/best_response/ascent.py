"""A kernel player for many dimensions: normalised gradient ascent from random starts, without a bound of the gap."""

import math

import torch
from torch import Tensor

from algos._domains import Cloud, FloatDtype, Frequency, Points, Starts, Steps, Vector
from algos.best_response._frequency_pairs import answer_with_pair, checked_points, checked_weights, pair_features
from algos.best_response.oracle import BestResponse
from algos.fourier.sums import _potential_and_gradient
from signatures.checked import checked
from signatures.numbers import Count, PositiveFloat

_LAST_STEP = 0.01
"""Length of the last step of an ascent over that of its first."""


class AscentPeaks:
    """A high place of the Fourier potential by ascents from Gaussian starts, in any dimension; the gap is infinite.

    Starts have independent coordinates of variance ``1.5 / sigma^2``, 1.5 times that of the features of a Gaussian
    kernel of length scale sigma. Step t of every particle goes the length ``step q^t / R`` along its gradient, with R
    the root mean square distance of the points from their mean, so that phases move by `step` radians at most or so at
    first, and by a hundredth of it in the end. The best places visited are polished by steps of their own length, which
    grows after an ascent and shrinks after a failure.

    Parameters
    ----------
    points : Tensor (n, d)
    generator : torch.Generator
        Of the starts, on the device of the points; each answer draws new ones.
    starts, steps : int
        Particles and ascent steps of each answer; printed: 500 and about 100.
    lengthscale : float, optional
        sigma > 0; by default the median distance between points (at most 1000 of them, evenly spaced).
    step : float
        First length, in radians.
    polish : int
        Steps of polishing.
    radius : float, optional
        Of a ball |w| <= radius to stay in; by default the whole space.
    reuse : bool
        Whether the best place of the answer before is one more start.
    search : torch.dtype, optional
        The dtype of the ascents; by default that of the points. Features, values and polishing keep the points'.

    Raises
    ------
    ValueError
        For points that are no matrix, and numbers out of range.

    References
    ----------
    nsrf Algorithm 1 and Appendix A.1, with normalised steps and no noise, and the released code's restarts.
    """

    @checked
    def __init__(
        self,
        points: Cloud,
        *,
        generator: torch.Generator,
        starts: Starts = 30,
        steps: Steps = 25,
        lengthscale: PositiveFloat | None = None,
        step: PositiveFloat = 2.0,
        polish: Steps = 30,
        radius: PositiveFloat | None = None,
        reuse: bool = False,
        search: FloatDtype | None = None,
    ) -> None:
        points = checked_points(points)
        if points.ndim != 2:
            raise ValueError(f"points have the shape {tuple(points.shape)}, but one cloud (n, d) is shared: take one")
        for name, count, least in (("starts", starts, 1), ("steps", steps, 0), ("polish", polish, 0)):
            if count < least:
                raise ValueError(f"{name} = {count} must be at least {least}: leave it out for the default")
        scale = _median_distance(points) if lengthscale is None else lengthscale
        for name, number in (("lengthscale", scale), ("step", step), ("radius", 1.0 if radius is None else radius)):
            if not 0 < number < math.inf:
                raise ValueError(f"{name} = {number} must be a positive number: it is a length")
        self.points = points
        self._centred = points - points.mean(0)
        self._search = self._centred if search is None else self._centred.to(search)
        spread = float(self._centred.square().sum(-1).mean().sqrt())
        self._first = step / spread if spread > 0 else 0.0
        self._generator, self._starts, self._steps, self._polish = generator, starts, steps, polish
        self._deviation, self._radius = math.sqrt(1.5) / scale, radius
        self._reuse, self._previous = reuse, points.new_zeros((0, points.shape[-1]))

    @checked
    def __call__(self, signed: Vector) -> BestResponse:
        """Signed weights (*batch, n) -> the best frequency met, with an infinite gap."""
        with torch.no_grad():
            frequency = self.best(signed, 1).squeeze(-2)
            if self._reuse:
                self._previous = frequency.unsqueeze(-2)
        signed = checked_weights(signed, self.points)
        return answer_with_pair(self.points, frequency, signed, torch.full_like(signed[..., 0], math.inf))

    @checked
    @torch.no_grad()
    def best(self, signed: Vector, count: Count) -> Tensor:
        """The best places (*batch, count, d) of `count` different particles, the highest first.

        References
        ----------
        nsrf Appendix A.1, several samples from one run; particles may share a peak.
        """
        if not 1 <= count <= self._starts:
            raise ValueError(f"count = {count} must lie between 1 and {self._starts}, the number of starts")
        signed = checked_weights(signed, self.points)
        places, values = self._ascend(self._draw(signed), signed)
        top = values.topk(count, -1).indices.unsqueeze(-1)
        places, values = self._polished(places.take_along_dim(top, -2).to(self.points.dtype), signed)
        return places.take_along_dim(values.argsort(-1, descending=True).unsqueeze(-1), -2)

    @checked
    def features(self, index: Frequency, points: Points | None = None) -> Tensor:
        """cos(<w, x>) and sin(<w, x>): frequencies (*batch, d), points (*batch, n', d) -> (*batch, n', 2)."""
        return pair_features(self.points if points is None else checked_points(points, self.points.shape[-1]), index)

    def _draw(self, signed: Tensor) -> Tensor:
        shape = (*signed.shape[:-1], self._starts, self.points.shape[-1])
        fresh = torch.randn(shape, generator=self._generator, dtype=self.points.dtype, device=self.points.device)
        fresh = fresh * self._deviation
        if self._previous.shape[-2] and self._previous.shape[:-2] == signed.shape[:-1]:
            fresh = torch.cat([self._previous, fresh], -2)
        return self._inside(fresh.to(self._search.dtype))

    def _ascend(self, place: Tensor, signed: Tensor) -> tuple[Tensor, Tensor]:
        rows = signed.to(self._search.dtype).unsqueeze(-2)
        value, gradient = _potential_and_gradient(self._search, place, rows)
        best, best_value = place, value
        for t in range(self._steps):
            length = self._first * _LAST_STEP ** (t / max(1, self._steps - 1))
            place = self._inside(place + length * _direction(gradient))
            value, gradient = _potential_and_gradient(self._search, place, rows)
            better = value > best_value
            best, best_value = torch.where(better.unsqueeze(-1), place, best), torch.where(better, value, best_value)
        return best, best_value

    def _polished(self, place: Tensor, signed: Tensor) -> tuple[Tensor, Tensor]:
        rows = signed.unsqueeze(-2)
        value, gradient = _potential_and_gradient(self._centred, place, rows)
        length = torch.full_like(value, self._first * _LAST_STEP)
        for _ in range(self._polish):
            trial = self._inside(place + length.unsqueeze(-1) * _direction(gradient))
            there, slope = _potential_and_gradient(self._centred, trial, rows)
            better = there > value
            place = torch.where(better.unsqueeze(-1), trial, place)
            gradient = torch.where(better.unsqueeze(-1), slope, gradient)
            value = torch.where(better, there, value)
            length = torch.where(better, 1.5 * length, 0.3 * length)
        return place, value

    def _inside(self, places: Tensor) -> Tensor:
        if self._radius is None:
            return places
        norms: Tensor = places.norm(dim=-1, keepdim=True)
        return places * (self._radius / norms.clamp(min=self._radius))


def _direction(gradient: Tensor) -> Tensor:
    norms: Tensor = gradient.norm(dim=-1, keepdim=True)
    return gradient / norms.clamp(min=torch.finfo(gradient.dtype).tiny)


def _median_distance(points: Tensor) -> float:
    """Median distance between different points of at most 1000 evenly spaced rows; 1 if they all coincide."""
    some = points[:: max(1, math.ceil(len(points) / 1000))]
    distances = torch.nn.functional.pdist(some)
    distances = distances[distances > 0]
    return float(distances.median()) if len(distances) else 1.0
