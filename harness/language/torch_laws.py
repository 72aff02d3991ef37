"""Samples of torch's distributions, where torch's own samplers fail as well."""

import torch
from torch import Tensor
from torch.distributions import Beta, Dirichlet, Distribution, Exponential, Gamma, Poisson

from harness.errors import ClaimError

SMALL = 0.05  # concentrations below which the gamma variates of both classes may underflow together
COUNTED = 2.0**53  # rates beyond which not every count is a float, nor soon a whole number of 64 bits


def sampled(name: str, law: Distribution, shape: tuple[int, ...]) -> Tensor:
    """Samples (*shape, *batch, *event) by torch's global generator.

    Beta and Dirichlet laws of small concentrations are drawn from logarithms of gamma variates,
    ``log G_a = log G_(a + 1) - E / a`` with E exponential: the variates underflow, and torch returns 1/2 then.

    Raises ClaimError for Poisson laws of rates beyond 2^53, whose counts overflow.
    """
    if isinstance(law, Poisson) and bool((law.rate > COUNTED).any()):
        raise ClaimError(f"draw variable {name!r} is a Poisson number of a rate beyond 2^53; use a normal one.")
    if isinstance(law, Beta) and _small(law._dirichlet.concentration):
        return _proportions(law._dirichlet.concentration, shape)[..., 0]
    if isinstance(law, Dirichlet) and _small(law.concentration):
        return _proportions(law.concentration, shape)
    found: Tensor = law.sample(torch.Size(shape))
    return found


def _small(concentration: Tensor) -> bool:
    return bool((concentration < SMALL).any())


def _proportions(concentration: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Of gamma variates, by their logarithms; the last axis holds the classes."""
    a = concentration.double()
    variates = Gamma(a + 1.0, torch.ones_like(a)).sample(torch.Size(shape))
    return torch.softmax(variates.log() - Exponential(torch.ones_like(a)).sample(torch.Size(shape)) / a, -1)
