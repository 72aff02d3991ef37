"""Samples of torch's distributions, where torch's own samplers fail as well."""

import torch
from torch import Tensor
from torch.distributions import (
    AbsTransform,
    Beta,
    Binomial,
    Cauchy,
    ContinuousBernoulli,
    Dirichlet,
    Distribution,
    Exponential,
    FisherSnedecor,
    Gamma,
    GeneralizedPareto,
    Independent,
    Laplace,
    LKJCholesky,
    LowRankMultivariateNormal,
    MixtureSameFamily,
    MultivariateNormal,
    NegativeBinomial,
    Normal,
    Poisson,
    SigmoidTransform,
    StickBreakingTransform,
    StudentT,
    Transform,
    TransformedDistribution,
    Uniform,
    VonMises,
    Wishart,
)
from torch.distributions.relaxed_bernoulli import LogitRelaxedBernoulli
from torch.distributions.relaxed_categorical import ExpRelaxedCategorical
from torch.distributions.utils import _standard_normal
from torch.nn.functional import logsigmoid, pad

from harness.errors import ClaimError

SMALL = 0.05  # concentrations below which the gamma variates of both classes may underflow together
COUNTED = 2.0**46  # beyond it the variances of torch's counts are wrong, and soon the counts are below zero
SURE = 50.0  # beyond its mean and ten of its standard deviations a gamma variate is with probability 1e-20
NARROW = 1e8  # concentrations beyond which torch's von Mises angles are multiples of 1.5e-8
CLIPPED = 20.0  # logits from which on torch clips what breaks off a stick, or what is left has lost digits
CONTINUOUS = (
    Beta,
    Cauchy,
    ContinuousBernoulli,
    Dirichlet,
    ExpRelaxedCategorical,
    Exponential,
    FisherSnedecor,
    Gamma,
    GeneralizedPareto,
    Laplace,
    LogitRelaxedBernoulli,
    LowRankMultivariateNormal,
    MultivariateNormal,
    Normal,
    StudentT,
    Uniform,
    VonMises,
)
COMPUTED = ("covariance_matrix", "precision_matrix")  # parameters that torch may have to compute from others


def sampled(name: str, law: Distribution, shape: tuple[int, ...]) -> Tensor:
    """Samples (*shape, *batch, *event) by torch's global generator.

    Beta and Dirichlet laws of small concentrations are drawn from logarithms of gamma variates,
    ``log G_a = log G_(a + 1) - E / a`` with E exponential: the variates underflow, and torch returns 1/2 then. Where
    torch returns the smallest normal number in the place of a gamma variate that underflows, this returns zero.

    Raises ClaimError for laws of which torch samples another one.
    """
    if wrong := _refused(law):
        raise ClaimError(f"draw variable {name!r} is {wrong}.")
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
            found = _transformed(transform, found)
        return found
    if isinstance(law, MixtureSameFamily):
        axis = len(shape) + len(law.batch_shape)
        component = sampled(name, law.mixture_distribution, shape)
        found = sampled(name, law.component_distribution, shape)
        index = component.reshape(*component.shape, *(1 for _ in range(found.ndim - axis)))
        return found.gather(axis, index.expand(*component.shape, 1, *law.event_shape)).squeeze(axis)
    if isinstance(law, StudentT):
        normal = _standard_normal(law._extended_shape(torch.Size(shape)), dtype=law.df.dtype, device=law.df.device)
        return law.loc + law.scale * (normal * torch.rsqrt(sampled(name, law._chi2, shape) / law.df))
    if isinstance(law, FisherSnedecor):
        return sampled(name, law._gamma1, shape) / sampled(name, law._gamma2, shape)
    if isinstance(law, ContinuousBernoulli):  # which torch takes for a uniform law next to 1/2
        reach = torch.finfo(law.probs.dtype).eps ** 0.5
        law = ContinuousBernoulli(law.probs, lims=(0.5 - reach, 0.5 + reach), validate_args=False)
    found = law.sample(torch.Size(shape))
    if not isinstance(law, Gamma):
        return found
    return torch.where(found > torch.finfo(found.dtype).tiny / law.rate.clamp(max=1.0), found, 0.0)


def _transformed(transform: Transform, value: Tensor) -> Tensor:
    found: Tensor = transform(value)
    if isinstance(transform, SigmoidTransform):
        plain = torch.sigmoid(value)
        return torch.where(plain >= torch.finfo(plain.dtype).tiny, plain, 0.0)
    if not isinstance(transform, StickBreakingTransform):
        return found
    logits = value - torch.arange(value.shape[-1], 0, -1, dtype=value.dtype, device=value.device).log()
    ordinary = (logits.abs() < CLIPPED).all(-1, keepdim=True)
    if bool(ordinary.all()):
        return found
    weights = (pad(logsigmoid(logits), [0, 1]) + pad(logsigmoid(-logits).cumsum(-1), [1, 0])).exp()
    return torch.where(ordinary, found, torch.where(weights >= torch.finfo(weights.dtype).tiny, weights, 0.0))


def _refused(law: Distribution) -> str:
    """What is wrong with torch's samples of a law, and what to draw instead; empty where nothing is."""
    if isinstance(law, LKJCholesky):
        return (
            "of torch's LKJCholesky, which samples another law; make row k of d as (sqrt(y) u, sqrt(1 - y)), with y of "
            "Beta((k - 1) / 2, concentration + (d - k) / 2) and u of draw.sphere"
        )
    if isinstance(law, Poisson) and bool((law.rate > COUNTED).any()):
        return "a Poisson number of a rate beyond 2^46; use a normal one"
    if isinstance(law, Binomial) and bool((law.total_count > COUNTED).any()):
        return "a binomial number of more than 2^46 trials; use a normal or a Poisson one"
    if isinstance(law, NegativeBinomial):
        shape = law.total_count
        if bool(((shape + 10.0 * shape.sqrt() + SURE) * law.logits.exp() > COUNTED).any()):
            return "a negative binomial number of rates beyond 2^46; use the gamma variates that are its rates"
    if isinstance(law, VonMises) and bool((law.concentration > NARROW).any()):
        return "a von Mises angle of a concentration beyond 10^8; use a normal one of the variance 1 / concentration"
    if isinstance(law, Wishart) and bool((law.df < law.event_shape[-1] - 0.5).any()):
        return "a Wishart matrix of order p and less than p - 1/2 degrees of freedom, which torch clips; use more"
    return ""


def smallest(law: Distribution) -> float | None:
    """The smallest normal number, where zero and infinity stand for what the floats of a law do not hold.

    Other laws, such as discrete ones, have None: their zeros are zeros.
    """
    limits = precision(law)
    return None if limits is None else limits.tiny


def precision(law: Distribution) -> torch.finfo | None:
    """What floats hold of the samples of a continuous law of torch; None of other laws, such as discrete ones."""
    if isinstance(law, Independent):
        return precision(law.base_dist)
    if isinstance(law, MixtureSameFamily):
        return precision(law.component_distribution)
    if isinstance(law, TransformedDistribution):
        smooth = all(transform.bijective or isinstance(transform, AbsTransform) for transform in law.transforms)
        return precision(law.base_dist) if smooth else None
    if not isinstance(law, CONTINUOUS):
        return None
    parameters = (getattr(law, name) for name in law.arg_constraints if name not in COMPUTED)
    return max((torch.finfo(value.dtype) for value in parameters), key=lambda limits: limits.tiny)


def _small(concentration: Tensor) -> bool:
    return bool((concentration < SMALL).any())


def _proportions(concentration: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Of gamma variates, by their logarithms; the last axis holds the classes."""
    a = concentration.double()
    variates = Gamma(a + 1.0, torch.ones_like(a)).sample(torch.Size(shape))
    return torch.softmax(variates.log() - Exponential(torch.ones_like(a)).sample(torch.Size(shape)) / a, -1)
