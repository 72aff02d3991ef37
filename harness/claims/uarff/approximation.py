"""How well a kernel of sampled features stands in for the kernel: Lemmas 24 and 27."""

import torch

from algos.leverage import feature_kernel, operator_norm_deviation, ridge_leverage_scores, sampled_kernel
from algos.ridge import dual_coefficients, ridge_cross_term
from bounds.leverage import (
    corrected_cross_term_bound,
    corrected_deviation_constant,
    feature_count,
    printed_cross_term_bound,
    printed_deviation_constant,
)
from bounds.multinomial import uniform_deviation_probability
from harness import Draw, Forall, always, claim, grid, high_probability

from .designs import orthogonal_count, orthogonal_deviation, ridge_targets, trace


@claim("uarff/lem-24", always(), reading="printed", expected="refuted", cite="uarff, Lemma 24 and eq. 46")
def cross_term_as_printed(forall: Forall):
    """<Y - f, f - f~> / n <= lambda for every draw of the features, f the kernel ridge fit of norm at most 1.

    Two points, two atoms, one feature: the first atom, drawn with probability p (plain sampling). With the numbers of
    features that the theorems ask for the excess is a few per cent; inequality (16), which rests on the lemma, is not
    refuted.
    """
    heights = forall.interval("heights", -1.0, 1.0, 2)
    features = torch.stack([torch.ones_like(heights), heights], dim=-2)
    p = forall.interval("p", 0.05, 0.95)
    kernel = feature_kernel(features, torch.stack([p, 1 - p], dim=-1))
    ridge = forall.interval("ridge", 1e-3, 1.0) * trace(kernel) / 2
    targets = ridge_targets(kernel, ridge, forall.ball("target", 2))
    drawn = sampled_kernel(features, torch.stack([p, 1 - p], dim=-1), torch.tensor([1.0, 0.0]).to(p))
    return ridge_cross_term(kernel, drawn, targets, ridge), printed_cross_term_bound(ridge / 2)


@claim(
    "uarff/lem-24",
    high_probability("delta"),
    over=grid(n=[2, 3], delta=[0.1]),
    reading="corrected",
    cite="uarff, Lemma 24, corrected",
)
def cross_term(forall: Forall, draw: Draw, *, n: int, delta: float):
    """<Y - f, f - f~> / n <= lambda |f|^2 (1 + 2 sqrt(2 d / (s delta))) with probability 1 - delta over s features.

    Leverage sampling with s = (32/3) d log(32 d / delta) features, d <= n; half of delta for the event of Lemma 27,
    half for Markov's inequality.
    """
    features = forall.sphere("features", n + 1, n).mT
    probabilities = forall.simplex("probabilities", n + 1)
    kernel = feature_kernel(features, probabilities)
    ridge = forall.interval("ridge", 1e-3, 1.0) * trace(kernel) / n
    targets = ridge_targets(kernel, ridge, forall.sphere("target", n))
    scores = ridge_leverage_scores(features, probabilities, ridge)
    dimension = scores.sum(-1)
    s = feature_count(n, n, delta / 2, constant=corrected_deviation_constant(0.5))
    sampling = scores / dimension.unsqueeze(-1)
    drawn = sampled_kernel(features, probabilities, draw.multinomial("counts", s, sampling), sampling=sampling)
    weights = dual_coefficients(kernel, targets, ridge)
    squared_norm = (weights * (kernel @ weights.unsqueeze(-1)).squeeze(-1)).sum(-1)
    bound = corrected_cross_term_bound(ridge / n, squared_norm, dimension, s, delta / 2)
    return ridge_cross_term(kernel, drawn, targets, ridge), bound


_ORTHOGONAL = grid(cells=[300], ridge=[1e-3], epsilon=[0.1], delta=[0.05])


@claim(
    "uarff/lem-27",
    high_probability("delta"),
    over=_ORTHOGONAL,
    reading="printed",
    expected="refuted",
    cite="uarff, Lemma 27",
)
def kernel_deviation_as_printed(draw: Draw, *, cells: int, ridge: float, epsilon: float, delta: float):
    """|(K + n lam)^-1/2 (K~ - K) (K + n lam)^-1/2| <= epsilon at s >= d (1/eps^2 + 2/(3 eps)) log(16 d / delta)."""
    s = orthogonal_count(cells, ridge, delta, printed_deviation_constant(epsilon))
    return orthogonal_deviation(draw, cells, ridge, s), epsilon


@claim("uarff/lem-27", high_probability("delta"), over=_ORTHOGONAL, reading="corrected", cite="uarff, Lemma 27")
def kernel_deviation(draw: Draw, *, cells: int, ridge: float, epsilon: float, delta: float):
    """|(K + n lam)^-1/2 (K~ - K) (K + n lam)^-1/2| <= epsilon at s >= d (2/eps^2 + 4/(3 eps)) log(16 d / delta)."""
    s = orthogonal_count(cells, ridge, delta, corrected_deviation_constant(epsilon))
    return orthogonal_deviation(draw, cells, ridge, s), epsilon


_EXACT = [
    {"cells": n, "ridge": 1e-3, "epsilon": e, "delta": d}
    for n, e, d in [(100, 0.1, 0.05), (300, 0.1, 0.05), (1000, 0.5, 0.01), (1000, 0.5, 0.001)]
]


@claim("uarff/lem-27-exact", always(), over=_EXACT, reading="printed", expected="refuted", cite="uarff, Lemma 27")
def exact_kernel_deviation_as_printed(*, cells: int, ridge: float, epsilon: float, delta: float):
    """On orthogonal features the exact probability that Lemma 27's event fails is at most delta, at the printed s."""
    s = orthogonal_count(cells, ridge, delta, printed_deviation_constant(epsilon))
    return uniform_deviation_probability(s, cells, epsilon * (1 + ridge)), delta


@claim("uarff/lem-27-exact", always(), over=_EXACT, reading="corrected", cite="uarff, Lemma 27")
def exact_kernel_deviation(*, cells: int, ridge: float, epsilon: float, delta: float):
    """On orthogonal features the exact probability that Lemma 27's event fails is at most delta, at the corrected s."""
    s = orthogonal_count(cells, ridge, delta, corrected_deviation_constant(epsilon))
    return uniform_deviation_probability(s, cells, epsilon * (1 + ridge)), delta


@claim(
    "uarff/lem-27-atoms",
    high_probability("delta"),
    over=grid(n=[2, 3], epsilon=[0.5], delta=[0.05]),
    reading="corrected",
    cite="uarff, Lemma 27",
)
def kernel_deviation_of_any_atoms(forall: Forall, draw: Draw, *, n: int, epsilon: float, delta: float):
    """Lemma 27 with the corrected number of features, leverage sampling, for all sets of n + 1 atoms on n points."""
    features = forall.sphere("features", n + 1, n).mT
    probabilities = forall.simplex("probabilities", n + 1)
    kernel = feature_kernel(features, probabilities)
    ridge = forall.interval("ridge", 1e-3, 1.0) * trace(kernel) / n
    scores = ridge_leverage_scores(features, probabilities, ridge)
    sampling = scores / scores.sum(-1, keepdim=True)
    s = feature_count(n, n, delta, constant=corrected_deviation_constant(epsilon))
    drawn = sampled_kernel(features, probabilities, draw.multinomial("counts", s, sampling), sampling=sampling)
    return operator_norm_deviation(kernel, drawn, ridge), epsilon
