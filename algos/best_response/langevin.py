"""Langevin dynamics for the peaks of a potential, from many starts at once."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import mpmath
import torch
from torch import Tensor

from algos._domains import Frequencies, Steps
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, PositiveFloat

Potential: TypeAlias = Callable[[Tensor], tuple[Tensor, Tensor]]
"""Places (*batch, m, d) -> values (*batch, m) and gradients (*batch, m, d)."""

Noise: TypeAlias = Callable[[int], Tensor]
"""Step t = 1, 2, ... -> z, (*batch, m, d)."""


@dataclass(frozen=True)
class LangevinRun:
    """What a run met.

    Attributes
    ----------
    best_index : Tensor (*batch, d)
        The best place that any particle visited, starts and ends included.
    best_value : Tensor (*batch,)
        The potential there.
    particle_indices, particle_values : Tensor (*batch, m, d)
        And (*batch, m), the same for each particle.
    last : Tensor (*batch, m, d)
        Where the particles ended.
    """

    best_index: Tensor
    best_value: Tensor
    particle_indices: Tensor
    particle_values: Tensor
    last: Tensor


@checked
def langevin_dynamics(
    value_and_gradient: Potential,
    starts: Frequencies,
    *,
    steps: Steps,
    step: PositiveFloat,
    noise_scale: NonNegativeFloat,
    generator: torch.Generator | None = None,
    noise: Noise | None = None,
    radius: PositiveFloat | None = None,
) -> LangevinRun:
    """Noisy gradient ascent of m particles: w <- w + zeta grad v(w) + s z, z standard normal.

    Printed without a domain; with a `radius` every step is followed by the projection onto |w| <= radius, on which the
    potential is then defined. Places where the potential is not finite are never the best.

    Parameters
    ----------
    value_and_gradient : callable
        The potential, for instance of `fourier_potential_and_gradient` or `SeparablePotential`.
    starts : Tensor (*batch, m, d)
    steps : int
        Number of steps, at least 0; the potential is evaluated steps + 1 times.
    step : float
        zeta > 0.
    noise_scale : float
        s >= 0, see `langevin_noise_scale`; 0 is plain gradient ascent.
    generator : torch.Generator, optional
        Of the noise, on the device of the starts; needed unless the scale is 0 or the noise is given.
    noise : callable, optional
        The numbers z of each step, for a run that is to be repeated or compared; by default drawn.
    radius : float, optional
        Of the ball, positive.

    Returns
    -------
    LangevinRun

    Raises
    ------
    ValueError
        For numbers outside these ranges, or noise without a generator.

    References
    ----------
    nsrf Algorithm 1, with the parallel starts of its Section 3.1.
    """
    _check(steps, step, noise_scale, radius)
    if noise_scale > 0 and generator is None and noise is None:
        raise ValueError(f"noise_scale = {noise_scale} asks for noise: give a torch.Generator to draw it from")
    place = _into_ball(starts, radius)
    value, gradient = value_and_gradient(place)
    best, best_value = place, torch.where(value.isfinite(), value, -math.inf)
    for t in range(1, steps + 1):
        place = place + step * gradient
        if noise_scale > 0:
            place = place + noise_scale * (noise(t) if noise else _normal(place, generator))
        place = _into_ball(place, radius)
        value, gradient = value_and_gradient(place)
        better = value.isfinite() & (value > best_value)
        best = torch.where(better.unsqueeze(-1), place, best)
        best_value = torch.where(better, value, best_value)
    top = best_value.argmax(-1, keepdim=True)
    index = best.take_along_dim(top.unsqueeze(-1), -2).squeeze(-2)
    return LangevinRun(index, best_value.gather(-1, top).squeeze(-1), best, best_value, place)


@checked
def langevin_noise_scale(step: PositiveFloat, temperature: NonNegativeFloat) -> float:
    """Standard deviation of the noise whose stationary law tends to exp(v / xi) for small steps: sqrt(2 xi zeta).

    With xi as an inverse temperature the same scale reads sqrt(2 zeta / xi): give 1 / xi.

    Parameters
    ----------
    step : float
        zeta > 0.
    temperature : float
        xi >= 0.

    Returns
    -------
    float

    References
    ----------
    The usual scale for nsrf Algorithm 1, see `printed_noise_scale`.
    """
    _check(0, step, temperature, None)
    product = 2 * temperature * step
    return math.sqrt(product) if 1e-290 < product < 1e300 else math.sqrt(2 * temperature) * math.sqrt(step)


@checked
def printed_noise_scale(step: PositiveFloat, temperature: NonNegativeFloat) -> float:
    """Standard deviation of the noise as rendered: sqrt(2 xi / zeta), zeta the diffusion rate and xi the temperature.

    Read literally, with zeta the step that multiplies the gradient, this is the usual noise at the temperature
    xi / zeta^2; probably the two letters are interchanged, in print or in our copy: sqrt(2 zeta / xi) is the usual
    scale for an inverse temperature xi. As a family in two parameters nothing is lost.

    Parameters
    ----------
    step : float
        zeta > 0.
    temperature : float
        xi >= 0.

    Returns
    -------
    float

    References
    ----------
    nsrf Algorithm 1.
    """
    _check(0, step, temperature, None)
    return math.sqrt(2 * temperature / step)


@checked
def stationary_variance(step: PositiveFloat, curvature: PositiveFloat, noise_scale: NonNegativeFloat) -> float:
    """Variance that the dynamics on v = -kappa w^2 / 2 settle at: s^2 / (1 - (1 - zeta kappa)^2), an exact law.

    There w <- (1 - zeta kappa) w + s z, an autoregression of order one. With the usual noise it is
    (xi / kappa) / (1 - zeta kappa / 2).

    Parameters
    ----------
    step : float
        zeta > 0.
    curvature : float
        kappa > 0, with zeta kappa < 2.
    noise_scale : float
        s >= 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If zeta kappa is not in (0, 2), where no stationary law exists.

    References
    ----------
    Exact test of nsrf Algorithm 1.
    """
    _check(0, step, noise_scale, None)
    if not 0 < step * curvature < 2:
        raise ValueError(
            f"step * curvature = {step * curvature} must lie in (0, 2): outside, the variance grows without end"
        )
    with mpmath.workprec(53):
        return float(mpmath.mpf(noise_scale) ** 2 / (step * curvature * (2 - step * curvature)))


def _normal(places: Tensor, generator: torch.Generator | None) -> Tensor:
    return torch.randn(places.shape, generator=generator, dtype=places.dtype, device=places.device)


def _into_ball(places: Tensor, radius: float | None) -> Tensor:
    if radius is None:
        return places
    norms = places.norm(dim=-1, keepdim=True)
    return torch.where(norms > radius, places * (radius / norms.clamp(min=radius)), places)


def _check(steps: int, step: float, scale: float, radius: float | None) -> None:
    if steps < 0:
        raise ValueError(f"steps = {steps} must not be negative: 0 only evaluates the starts")
    if not 0 < step < math.inf:
        raise ValueError(f"step = {step} must be a positive number: it multiplies the gradient")
    if not 0 <= scale < math.inf:
        raise ValueError(f"a temperature or noise scale of {scale} must be a number >= 0: 0 is plain gradient ascent")
    if radius is not None and not radius > 0:
        raise ValueError(f"radius = {radius} must be positive: leave it out for the whole space")
