"""Theorems 15 and 21 for support vector machines and logistic regression, with both kinds of sampling."""

import math

import torch
from torch import Tensor

from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from bounds.random_features.lipschitz_risk import printed_approximation_loss
from harness import Draw, Forall, claim, high_probability

from .lipschitz_population import Loss, problem

_CELLS = [{"features": 3, "delta": 0.05}, {"features": 2, "delta": 0.3}]
_SIZES = (
    "both losses, any distribution of inputs and labels on up to two points, up to two and three features in [-1, 1], "
    "any bound from 1 to 10 on the norm of the learners, n = 1e2, 1e3, ..., 1e6, delta = .05 and .3; O(1/sqrt(n)) as "
    "in (19)"
)


@claim(
    "uarff/thm-15-classification",
    high_probability("delta"),
    over=_CELLS,
    trivial=1.0,
    cite="uarff, Theorem 15, Corollaries 17 and 18, for kernel support vector machines and logistic regression",
    sizes=f"{_SIZES}; lambda from n^-1 to n^-1/2; plain sampling, and any l~ of up to four times the sum of the scores",
    unnoticed="the constant of O(1 / sqrt(n)) is ours, a bound for every law: .03 of it is reached",
)
def risk_of_support_vector_machines_and_logistic_regression(forall: Forall, draw: Draw, *, features: int, delta: float):
    """E l_g <= E l_gH + sqrt(2 lambda) + O(1 / sqrt(n)) w.p. 1 - delta at s >= 5 d_l log(16 d / delta), L = 1.

    For g_H any g' that minimises E l + mu |g'|^2, scaled into the unit ball: g_H is one of these. g minimises E_n l +
    lambda |g|^2 over the functions of the sampled features.
    """
    n = 10.0 ** forall.integers("log10 n", 2, 6)
    lam = n ** -forall.interval("exponent of lambda", 0.5, 1.0)
    case = problem(forall, draw, n, features)
    scores = case.scores(case.probabilities, lam)
    excess = 3 * forall.interval("excess of l~", 0.0, 1.0).unsqueeze(-1) * forall.simplex("l~ - l", features)
    weighted = scores + scores.sum(-1, keepdim=True) * excess
    plain = (case.probabilities / lam.unsqueeze(-1)).expand_as(scores)
    above = torch.where(forall.signs("plain sampling").unsqueeze(-1) > 0, plain, weighted)
    s = _count(above.sum(-1), scores.sum(-1), delta)
    weights = case.drawn(draw, "features", s, above / above.sum(-1, keepdim=True), case.probabilities)
    radius = _radius(forall)
    bound = printed_approximation_loss(lam) + _deviation(n, radius, delta)
    return case.excess(_loss(forall), weights, lam, radius.square()), bound


@claim(
    "uarff/thm-21-classification",
    high_probability("delta"),
    over=_CELLS,
    trivial=1.0,
    cite="uarff, Theorem 21, for kernel support vector machines and logistic regression",
    sizes=f"{_SIZES}; lambda and lambda* from n^-1 to n^-1/2; weights as in alg-1-weights[corrected]",
    unnoticed="the constant of O(1 / sqrt(n)) is ours, a bound for every law: .005 of it is reached",
)
def risk_with_resampled_features(forall: Forall, draw: Draw, *, features: int, delta: float):
    """E l_g <= E l_gH + sqrt(2 lambda) + sqrt(2 lambda*) + O(1 / sqrt(n)) w.p. 1 - delta with Algorithm 1, L = 1.

    A pool of s >= (5 / lambda) log(16 d / delta) plain features, m >= 5 d* log(16 d* / delta) of them drawn by their
    leverage in the pool at lambda, d* the effective dimension of the kernel at lambda*.
    """
    n = 10.0 ** forall.integers("log10 n", 2, 6)
    lam, star = (n ** -forall.interval(f"exponent of {name}", 0.5, 1.0) for name in ("lambda", "lambda*"))
    case = problem(forall, draw, n, features)
    dimension, fewer = (case.scores(case.probabilities, each).sum(-1) for each in (lam, star))
    size = _count((1 / lam).expand_as(dimension), dimension, delta)
    pool = draw.multinomial("pool", size, case.probabilities.expand(len(size), -1)) / size.unsqueeze(-1)
    scores = case.scores(pool, lam)
    m = _count(fewer, fewer, delta)
    weights = case.drawn(draw, "features", m, scores / scores.sum(-1, keepdim=True), pool)
    radius = _radius(forall)
    bound = printed_approximation_loss(lam) + printed_approximation_loss(star) + _deviation(n, radius, delta)
    return case.excess(_loss(forall), weights, star, radius.square()), bound


def _loss(forall: Forall) -> Loss:
    """Either loss; one instance is judged at a time."""
    return "hinge" if float(forall.signs("hinge loss")) > 0 else "logistic"


def _radius(forall: Forall) -> Tensor:
    """The largest norm of a learner: the paper assumes that there is one, and names none."""
    return forall.interval("largest norm", 1.0, 10.0)


def _count(integral: Tensor, dimension: Tensor, delta: float) -> Tensor:
    """5 d_l log(16 d / delta), at least one, `(reps,)`."""
    return (PRINTED_THEOREM_CONSTANT * integral * (16 * dimension / delta).log()).ceil().clamp_min(1)


def _deviation(n: Tensor, radius: Tensor, delta: float) -> Tensor:
    """O(1 / sqrt(n)) as (19) has it, for both balls, with L = z_0 = 1."""
    return (radius + 1 + 2 * math.sqrt(8 * math.log(2 / delta))) / n.sqrt()
