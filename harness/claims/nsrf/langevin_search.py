"""Algorithm 1 as Appendix A.1 tunes it, and the potentials that it is run on.

Parallel copies start from a Gaussian with 1.5 times the variance of Gaussian random features at the median distance;
the step is tuned by the gradient at the starts, which moves them by 3 % of their length at first (root mean square);
and the temperature is such that the perturbation has the size of that gradient step. Searched in single precision.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.best_response.ascent import AscentPeaks
from algos.best_response.langevin import LangevinRun, langevin_dynamics
from algos.best_response.planar import PlanarPeaks
from algos.fourier.sums import fourier_potential, fourier_potential_and_gradient
from harness.data import windmill

MOVE = 0.03
RADIUS = 40.0
"""Of the frequencies of windmills."""


@dataclass(frozen=True)
class Search:
    """Copies, steps, variance over that of Gaussian features, and perturbation over the first gradient step."""

    starts: int = 500
    steps: int = 100
    variance: float = 1.5
    noise: float = 1.0


RULE = Search()
"""What the appendix recommends."""


@dataclass(frozen=True)
class Potential:
    """Points (n, d), signed weights (n,), and a height to compare with."""

    points: Tensor
    signed: Tensor
    height: float

    def bandwidth(self) -> float:
        return float(torch.pdist(self.points[:500]).median())


def langevin_search(potential: Potential, search: Search, *, generator: torch.Generator) -> LangevinRun:
    """Runs of Algorithm 1 on a potential of centred points."""
    points = (potential.points - potential.points.mean(0)).float()
    signed = potential.signed.float()
    deviation = math.sqrt(search.variance) / potential.bandwidth()
    shape = (search.starts, points.shape[-1])
    starts = deviation * torch.randn(shape, generator=generator, dtype=points.dtype, device=points.device)
    slopes = fourier_potential_and_gradient(points, starts, signed)[1]
    length = float(slopes.square().mean().sqrt())
    step = MOVE * float(starts.square().mean().sqrt()) / max(length, 1e-30)
    return langevin_dynamics(
        lambda places: fourier_potential_and_gradient(points, places, signed),
        starts,
        steps=search.steps,
        step=step,
        noise_scale=search.noise * step * length,
        generator=generator,
    )


def share_found(potential: Potential, search: Search, *, generator: torch.Generator) -> float:
    """The best value of a search over the height to compare with."""
    return float(langevin_search(potential, search, generator=generator).best_value) / potential.height


def windmill_potential(count: int, *, seed: int, generator: torch.Generator) -> Potential:
    """Of a windmill with uniform weights; the height is an upper bound of it in |w_j| <= 40, certified to 1e-6."""
    points, labels = (part.to(generator.device) for part in windmill(count, seed=seed))
    peak = PlanarPeaks(points, radius=RADIUS, tolerance=1e-6)(labels)
    return Potential(points, labels, float(peak.value + peak.gap))


def hidden_potential(count: int, dimension: int, *, length: float, generator: torch.Generator) -> Potential:
    """Of Gaussian points whose labels are the signs of a sine wave; the height is that at the hidden frequency."""
    points, hidden = (
        torch.randn(shape, generator=generator, dtype=torch.float64, device=generator.device)
        for shape in ((count, dimension), (dimension,))
    )
    hidden = length * hidden / hidden.norm()
    labels = torch.where((points @ hidden).sin() < 0, -1.0, 1.0).to(points.dtype)
    centred = points - points.mean(0)
    return Potential(points, labels, float(fourier_potential(centred, hidden[None], labels)))


def data_potential(points: Tensor, signed: Tensor, *, generator: torch.Generator) -> Potential:
    """Of data; the height is the highest place that 200 ascents of 100 normalised steps, polished, find."""
    finder = AscentPeaks(points, generator=generator, starts=200, steps=100, polish=50, search=torch.float32)
    return Potential(points, signed, float(finder(signed).value))
