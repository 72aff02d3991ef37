"""Samples of torch's distributions, where torch's own samplers fail as well."""

import torch
from torch import Tensor
from torch.distributions import (
    Beta,
    Cauchy,
    Dirichlet,
    Distribution,
    Exponential,
    FisherSnedecor,
    Gamma,
    Independent,
    Normal,
    Poisson,
    StudentT,
    TransformedDistribution,
    Uniform,
)
from torch.distributions.utils import _standard_normal

from harness.errors import ClaimError

SMALL = 0.05  # concentrations below which the gamma variates of both classes may underflow together
COUNTED = 2.0**53  # rates beyond which not every count is a float, nor soon a whole number of 64 bits
CONTINUOUS = (Beta, Cauchy, Dirichlet, Exponential, FisherSnedecor, Gamma, Normal, StudentT, Uniform)


def sampled(name: str, law: Distribution, shape: tuple[int, ...]) -> Tensor:
    """Samples (*shape, *batch, *event) by torch's global generator.

    Beta and Dirichlet laws of small concentrations are drawn from logarithms of gamma variates,
    ``log G_a = log G_(a + 1) - E / a`` with E exponential: the variates underflow, and torch returns 1/2 then. Where
    torch returns the smallest normal number in the place of a gamma variate that underflows, this returns zero.

    Raises ClaimError for Poisson laws of rates beyond 2^53, whose counts overflow.
    """
    if isinstance(law, Poisson) and bool((law.rate > COUNTED).any()):
        raise ClaimError(f"draw variable {name!r} is a Poisson number of a rate beyond 2^53; use a normal one.")
    if isinstance(law, Beta) and _small(law._dirichlet.concentration):
        return _proportions(law._dirichlet.concentration, shape)[..., 0]
    if isinstance(law, Dirichlet) and _small(law.concentration):
        return _proportions(law.concentration, shape)
    with torch.no_grad():
        return _without_floor(name, law, shape)


def _without_floor(name: str, law: Distribution, shape: tuple[int, ...]) -> Tensor:
    """As torch does it, from the same random numbers, without its clamps."""
    found: Tensor
    if isinstance(law, Independent):
        return sampled(name, law.base_dist, shape)
    if isinstance(law, TransformedDistribution) and type(law).sample is TransformedDistribution.sample:
        found = sampled(name, law.base_dist, shape)
        for transform in law.transforms:
            found = transform(found)
        return found
    if isinstance(law, StudentT):
        normal = _standard_normal(law._extended_shape(torch.Size(shape)), dtype=law.df.dtype, device=law.df.device)
        return law.loc + law.scale * (normal * torch.rsqrt(sampled(name, law._chi2, shape) / law.df))
    if isinstance(law, FisherSnedecor):
        return sampled(name, law._gamma1, shape) / sampled(name, law._gamma2, shape)
    found = law.sample(torch.Size(shape))
    return torch.where(found > torch.finfo(found.dtype).tiny, found, 0.0) if isinstance(law, Gamma) else found


def smallest(law: Distribution) -> float | None:
    """The smallest normal number, where zero and infinity stand for what the floats of a law do not hold.

    Other laws, such as discrete ones, have None: their zeros are zeros.
    """
    if isinstance(law, Independent):
        return smallest(law.base_dist)
    if isinstance(law, TransformedDistribution):
        return smallest(law.base_dist) if all(transform.bijective for transform in law.transforms) else None
    if not isinstance(law, CONTINUOUS):
        return None
    parameters = (getattr(law, name) for name in law.arg_constraints)
    return max(torch.finfo(value.dtype).tiny for value in parameters)


def _small(concentration: Tensor) -> bool:
    return bool((concentration < SMALL).any())


def _proportions(concentration: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Of gamma variates, by their logarithms; the last axis holds the classes."""
    a = concentration.double()
    variates = Gamma(a + 1.0, torch.ones_like(a)).sample(torch.Size(shape))
    return torch.softmax(variates.log() - Exponential(torch.ones_like(a)).sample(torch.Size(shape)) / a, -1)
