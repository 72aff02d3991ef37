"""Ridge leverage scores: what they sum to, how large one can be, and their closed form for Gaussian inputs."""

import math

import torch

from algos.ridge.gaussian_leverage import gaussian_effective_dimension, gaussian_leverage_density
from algos.ridge.leverage import (
    effective_dimension,
    feature_kernel,
    ridge_leverage_scores,
    unit_ball_approximation_ratio,
)
from algos.ridge.spectral import gaussian_spectral_density
from bounds.random_features.leverage import leverage_score_upper
from harness import Forall, always, claim, grid, identity
from harness.claims.placement import table


@claim(
    "uarff/lev-int",
    identity(),
    over=grid(n=[1, 3], atoms=[1, 5]),
    cite="uarff, Section 2.2",
    sizes="n = 1 and 3, all distributions on one and five features",
)
def leverage_scores_integrate_to_the_effective_dimension(forall: Forall, *, n: int, atoms: int):
    """The ridge leverage scores of all features sum to the effective dimension Tr K (K + n lambda I)^-1."""
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    scores = ridge_leverage_scores(features, probabilities, ridge)
    return scores.sum(-1), effective_dimension(feature_kernel(features, probabilities), ridge)


@claim(
    "uarff/lev-upper",
    always(),
    over=grid(n=[1, 3], atoms=[1, 5]),
    cite="uarff, Section 2.2",
    sizes="n = 1 and 3, all distributions on one and five features",
)
def leverage_scores_are_bounded_by_the_features(forall: Forall, *, n: int, atoms: int):
    """l(v) <= p(v) z_0^2 / lambda for every feature v, where |z(v, x)| <= z_0."""
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    score = ridge_leverage_scores(features, probabilities, ridge)[..., 0]  # the atoms' order is free: any will do
    return score, leverage_score_upper(probabilities[..., 0], features.abs().amax((-2, -1)), ridge / n)


@claim(
    "uarff/lev-upper-atom",
    always(),
    over=grid(n=[1, 3], atoms=[1, 4]),
    cite="uarff, Section 2.2, sharpened",
    sizes="n = 1 and 3, all distributions on one and four features",
)
def leverage_scores_of_atoms_are_below_one(forall: Forall, *, n: int, atoms: int):
    """l(v) <= p(v) |z_v|^2 / (n lambda + p(v) |z_v|^2) for a feature of probability p(v) > 0; our refinement.

    Equality for a feature orthogonal to all others.
    """
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    score = ridge_leverage_scores(features, probabilities, ridge)[..., 0]
    weight = probabilities[..., 0] * features[..., 0].square().sum(-1)
    return score, weight / (ridge + weight)


@claim(
    "uarff/assump-3",
    always(),
    over=grid(n=[1, 4]),
    cite="uarff, Assumption 3",
    sizes="n = 1 and 4, all kernels, of trace one",
)
def outside_assumption_3_no_features_are_needed(forall: Forall, *, n: int):
    """If n lambda >= lambda_1, no features at all approximate the unit ball: the smallest objective is <= lambda.

    So Lemma 22 is trivially true there, and nothing is lost by the assumption n lambda <= lambda_1.
    """
    kernel = forall.psd("kernel", n, trace=1.0)
    ridge = torch.linalg.eigvalsh(kernel)[..., -1] / forall.interval("share", 1e-3, 1.0)
    return unit_ball_approximation_ratio(kernel, torch.zeros_like(kernel), ridge), 1.0


_GAUSSIAN = [
    {"lengthscale": 1.0, "input_scale": 1.0, "regularisation": 0.1},
    {"lengthscale": 0.5, "input_scale": 2.0, "regularisation": 0.01},
]


@claim(
    "uarff/gg-closed",
    identity(rtol=1e-10),
    over=_GAUSSIAN,
    cite="uarff, Section 2.2, for Gaussian inputs",
    restricts="two settings in one dimension",
)
def gaussian_leverage_integrates_to_the_dimension(*, lengthscale: float, input_scale: float, regularisation: float):
    """Our closed leverage density (Gaussian kernel and inputs) integrates to our closed effective dimension.

    Two formulas of ours, for an identity that the paper has in general. By the trapezoidal rule, whose error is far
    below rounding for such entire functions. 2.4882 at the first setting.
    """
    frequencies = torch.linspace(-40.0, 40.0, 4001, dtype=torch.float64) / lengthscale
    density = gaussian_leverage_density(
        frequencies.unsqueeze(-1), regularisation, lengthscale=lengthscale, input_scale=input_scale
    )
    dimension = gaussian_effective_dimension(regularisation, lengthscale=lengthscale, input_scale=input_scale)
    return torch.trapezoid(density, frequencies).reshape(1), dimension.reshape(1)


@claim(
    "uarff/gg-closed-density",
    identity(rtol=1e-8),
    over=_GAUSSIAN[:1],
    cite="uarff, equation 6, Gaussian inputs",
    restricts="one setting in one dimension, |w| <= 4",
)
def gaussian_leverage_of_a_frequency(forall: Forall, *, lengthscale: float, input_scale: float, regularisation: float):
    """Our closed leverage density at a frequency w = p(w) z_w^* (K + n lambda I)^-1 z_w, for any |w| <= 4.

    On the right a trapezoidal rule stands for the population: its points' kernel and features are weighted by the
    square roots of the weights.
    """
    frequency = forall.interval("frequency", -4.0, 4.0, 1, 1)
    steps = table(torch.linspace(-8.0, 8.0, 81, dtype=torch.float64), like=frequency)
    points, roots = input_scale * steps, (0.2 * (-(steps**2) / 2).exp() / math.sqrt(2 * math.pi)).sqrt()
    gaps = points.unsqueeze(-1) - points
    kernel = roots.unsqueeze(-1) * (-(gaps**2) / (2 * lengthscale**2)).exp() * roots
    inverse = torch.linalg.inv(kernel + regularisation * table(torch.eye(len(points)), like=kernel))
    angles = frequency.squeeze(-1) * points
    parts = torch.stack([roots * angles.cos(), roots * angles.sin()])
    density = gaussian_spectral_density(frequency, gamma=1 / (2 * lengthscale**2)).squeeze(-1)
    dense = density * (parts * (parts @ inverse)).sum((0, -1))
    closed = gaussian_leverage_density(frequency, regularisation, lengthscale=lengthscale, input_scale=input_scale)
    return closed.squeeze(-1), dense
