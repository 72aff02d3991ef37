"""Li, Ton, Oglic, Sejdinovic: Towards a Unified Analysis of Random Fourier Features.

Random features enter as a finite set of atoms: column v of an n x V matrix holds z(v, x_1), ..., z(v, x_n), with
probability p(v), so that population kernels, leverage scores and effective dimensions are exact sums. K is not divided
by n, and n lambda is at most the mean eigenvalue of K, which is more than Assumption 3 asks for.
"""

import torch
from torch import Tensor

from algos.leverage import (
    effective_dimension,
    feature_kernel,
    operator_norm_deviation,
    ridge_leverage_scores,
    sampled_kernel,
)
from algos.rademacher import unit_ball_rademacher_complexity
from algos.ridge import dual_coefficients, ridge_cross_term, unit_ball_coefficients
from algos.spline import spline_excess_risk, spline_kernel, spline_ridge_coefficients
from bounds.leverage import (
    PRINTED_THEOREM_CONSTANT,
    corrected_cross_term_bound,
    corrected_deviation_constant,
    feature_count,
    leverage_score_upper,
    printed_cross_term_bound,
    printed_deviation_constant,
)
from bounds.multinomial import uniform_deviation_probability
from bounds.rademacher import printed_unit_ball_complexity, unit_ball_complexity
from bounds.rates import spline_effective_dimension
from harness import Draw, Forall, always, claim, grid, high_probability, identity, rate


@claim("uarff/lev-int", identity(), over=grid(n=[1, 2, 5], atoms=[1, 2, 9]), cite="uarff, Section 2.2")
def leverage_scores_integrate_to_the_effective_dimension(forall: Forall, *, n: int, atoms: int):
    """The ridge leverage scores of all features sum to the effective dimension Tr K (K + n lambda I)^-1."""
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    scores = ridge_leverage_scores(features, probabilities, ridge)
    return scores.sum(-1), effective_dimension(feature_kernel(features, probabilities), ridge)


@claim("uarff/lev-upper", always(), over=grid(n=[1, 2, 5], atoms=[1, 2, 9]), cite="uarff, Section 2.2")
def leverage_scores_are_bounded_by_the_features(forall: Forall, *, n: int, atoms: int):
    """l(v) <= p(v) z_0^2 / lambda for every feature v, where |z(v, x)| <= z_0."""
    features = forall.interval("features", -1.0, 1.0, n, atoms)
    probabilities = forall.simplex("probabilities", atoms)
    ridge = forall.interval("ridge", 1e-3, 10.0)
    score = ridge_leverage_scores(features, probabilities, ridge)[..., 0]  # the atoms' order is free: any will do
    return score, leverage_score_upper(probabilities[..., 0], features.abs().amax((-2, -1)), ridge / n)


@claim("uarff/lem-2", always(), over=grid(n=[1, 2, 4, 6]), reading="printed", expected="refuted", cite="uarff, Lemma 2")
def rademacher_complexity_as_printed(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball (Definition 1, factor 2/n) is at most sqrt(Tr K) / n.

    Sample by sample; as the left side exceeds the right one for *every* K other than zero, by sqrt(2) to 2, so do their
    expectations over samples. The printed line holds in the convention without the factor 2.
    """
    kernel = forall.psd("K", n)
    return unit_ball_rademacher_complexity(kernel), printed_unit_ball_complexity(_trace(kernel), n)


@claim("uarff/lem-2", always(), over=grid(n=[1, 2, 4, 6]), reading="corrected", cite="uarff, Lemma 2")
def rademacher_complexity(forall: Forall, *, n: int):
    """The Rademacher complexity of the unit ball (Definition 1, factor 2/n) is at most 2 sqrt(Tr K) / n."""
    kernel = forall.psd("K", n)
    return unit_ball_rademacher_complexity(kernel), unit_ball_complexity(_trace(kernel), n)


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
    ridge = forall.interval("ridge", 1e-3, 1.0) * _trace(kernel) / 2
    targets = _targets(kernel, ridge, forall.ball("target", 2))
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
    ridge = forall.interval("ridge", 1e-3, 1.0) * _trace(kernel) / n
    targets = _targets(kernel, ridge, forall.sphere("target", n))
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
    s = _orthogonal_count(cells, ridge, delta, printed_deviation_constant(epsilon))
    return _orthogonal_deviation(draw, cells, ridge, s), epsilon


@claim("uarff/lem-27", high_probability("delta"), over=_ORTHOGONAL, reading="corrected", cite="uarff, Lemma 27")
def kernel_deviation(draw: Draw, *, cells: int, ridge: float, epsilon: float, delta: float):
    """|(K + n lam)^-1/2 (K~ - K) (K + n lam)^-1/2| <= epsilon at s >= d (2/eps^2 + 4/(3 eps)) log(16 d / delta)."""
    s = _orthogonal_count(cells, ridge, delta, corrected_deviation_constant(epsilon))
    return _orthogonal_deviation(draw, cells, ridge, s), epsilon


_EXACT = [
    {"cells": n, "ridge": 1e-3, "epsilon": e, "delta": d}
    for n, e, d in [(100, 0.1, 0.05), (300, 0.1, 0.05), (1000, 0.5, 0.01), (1000, 0.5, 0.001)]
]


@claim("uarff/lem-27-exact", always(), over=_EXACT, reading="printed", expected="refuted", cite="uarff, Lemma 27")
def exact_kernel_deviation_as_printed(*, cells: int, ridge: float, epsilon: float, delta: float):
    """On orthogonal features the exact probability that Lemma 27's event fails is at most delta, at the printed s."""
    s = _orthogonal_count(cells, ridge, delta, printed_deviation_constant(epsilon))
    return uniform_deviation_probability(s, cells, epsilon * (1 + ridge)), delta


@claim("uarff/lem-27-exact", always(), over=_EXACT, reading="corrected", cite="uarff, Lemma 27")
def exact_kernel_deviation(*, cells: int, ridge: float, epsilon: float, delta: float):
    """On orthogonal features the exact probability that Lemma 27's event fails is at most delta, at the corrected s."""
    s = _orthogonal_count(cells, ridge, delta, corrected_deviation_constant(epsilon))
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
    ridge = forall.interval("ridge", 1e-3, 1.0) * _trace(kernel) / n
    scores = ridge_leverage_scores(features, probabilities, ridge)
    sampling = scores / scores.sum(-1, keepdim=True)
    s = feature_count(n, n, delta, constant=corrected_deviation_constant(epsilon))
    drawn = sampled_kernel(features, probabilities, draw.multinomial("counts", s, sampling), sampling=sampling)
    return operator_norm_deviation(kernel, drawn, ridge), epsilon


_CURVES = grid(n=[64, 128, 256, 512, 1024, 2048, 4096, 8192], smoothness=[2.55, 5.0])


@claim("uarff/fig-1-half", rate("n", exponent=-1 / 2), over=_CURVES, cite="uarff, Figure 1", title="lambda = n^-1/2")
def excess_risk_with_the_square_root_regulariser(draw: Draw, *, n: int, smoothness: float):
    """With lambda = n^-1/2 the excess risk on spline features decays at least as fast as n^-1/2."""
    return _spline_excess_risk(draw, n, n**-0.5, smoothness)


@claim("uarff/fig-1-third", rate("n", exponent=-1 / 3), over=_CURVES, cite="uarff, Figure 1", title="lambda = n^-1/3")
def excess_risk_with_the_cube_root_regulariser(draw: Draw, *, n: int, smoothness: float):
    """With lambda = n^-1/3 the excess risk on spline features decays at least as fast as n^-1/3."""
    return _spline_excess_risk(draw, n, n ** (-1 / 3), smoothness)


def _trace(kernel: Tensor) -> Tensor:
    return kernel.diagonal(dim1=-2, dim2=-1).sum(-1)


def _targets(kernel: Tensor, ridge: Tensor, directions: Tensor) -> Tensor:
    """Targets Y = (K + n lambda I) w whose kernel ridge fit is K w, a function of norm at most the direction's."""
    weights = unit_ball_coefficients(kernel, directions)
    return (kernel @ weights.unsqueeze(-1)).squeeze(-1) + ridge.unsqueeze(-1) * weights


def _orthogonal_count(cells: int, ridge: float, delta: float, constant: float) -> int:
    """Features for atoms sqrt(N) e_i with probability 1/N on n = N points: K = I, d = N / (1 + n lambda)."""
    dimension = cells / (1 + ridge)
    return feature_count(dimension, dimension, delta, constant=constant)


def _orthogonal_deviation(draw: Draw, cells: int, ridge: float, s: int) -> Tensor:
    """The operator norm for those atoms; leverage sampling is uniform and K~ = diag(N c_i / s)."""
    counts = draw.multinomial("counts", s, [1 / cells] * cells)
    return (cells * counts / s - 1).abs().amax(-1) / (1 + ridge)


def _spline_excess_risk(draw: Draw, n: int, regularisation: float, smoothness: float) -> Tensor:
    """Exact excess risk of ridge regression on spline features of order 2, as many as Corollary 10 asks for.

    Inputs and features are uniform; y is normal with mean k_t(x, 0.3) and standard deviation 1/2, delta is 0.1. Uniform
    features are leverage sampling here, by translation invariance.
    """
    dimension = spline_effective_dimension(2, regularisation)
    centres = draw.uniform("features", feature_count(dimension, dimension, 0.1, constant=PRINTED_THEOREM_CONSTANT))
    points = draw.uniform("points", n)
    targets = spline_kernel(points - 0.3, smoothness) + 0.5 * draw.normal("noise", n)
    coefficients = spline_ridge_coefficients(points, centres, targets, order=2, ridge=n * regularisation)
    return spline_excess_risk(coefficients, centres, order=2, smoothness=smoothness, origin=0.3)
