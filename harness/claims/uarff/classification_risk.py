"""Theorem 15 for support vector machines and logistic regression, and Theorem 21 for any Lipschitz loss.

The paper assumes that the norms of learners are bounded, by any number R. Judged with the learner's own norm in place
of R, or 1, the radius of the ball of g_H: what holds for it holds for every R that bounds it. The sizes n follow from a
rule: the smallest power of ten at which the right side with one root, lambda = 1/n, R = L = 1 and delta = .1 is at most
half the largest excess of functions of the unit ball, 2, and the next two powers.
"""

import math
from typing import TypeVar

import torch
from torch import Tensor

from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from bounds.random_features.lipschitz_risk import approximation_loss, printed_approximation_loss
from harness import Draw, Forall, claim, grid, high_probability

from .finite_population import least_power_of_ten
from .lipschitz_population import problem
from .losses import Logistic, Loss, any_lipschitz, hinge

_Number = TypeVar("_Number", float, Tensor)


def deviation_factor(radius: _Number, delta: float, at_zero: float | _Number) -> _Number:
    """sqrt(n) O(1/sqrt(n)): 2 R + (R + 1 + 2 l_0) sqrt(log(2 / delta) / 2), with L = z_0 = 1.

    By symmetrisation and McDiarmid's inequality, for the learner, whose losses lie in [0, l_0 + R] with the l_0 of 0,
    and for g_H.
    """
    return 2 * radius + (radius + 1 + 2 * at_zero) * math.sqrt(math.log(2 / delta) / 2)


PENALTY = 2.0
"""sqrt(n) times what the penalty 2 lambda, which print leaves out, is at most where lambda <= n^-1/2."""

LEAST = least_power_of_ten(
    lambda n: (math.sqrt(2) + PENALTY + deviation_factor(1.0, 0.1, 1.0)) / math.sqrt(n), reach=2.0
)
"""log10 of the smallest n: 3, and so it is with two roots for Theorem 21."""

_CELLS = grid(features=[3], delta=[0.1, 0.3])
_SIZES = (
    "any distribution of inputs and labels on up to two points, up to three features in [-1, 1], any "
    "bound on the norms of learners, g_H of a multiplier from 1e-5 to 1, n = 1e3, 1e4 and 1e5 by a rule, delta = .1 "
    "and .3; O(1/sqrt(n)) is ours, as the paper leaves it free"
)


@claim(
    "uarff/thm-15-classification",
    high_probability("delta"),
    over=_CELLS,
    trivial=1.0,
    cite="uarff, Theorem 15, Corollaries 17 and 18, for kernel support vector machines and logistic regression",
    sizes=f"both losses, {_SIZES}; lambda from n^-1 to n^-1/2; plain sampling, and any l~ of up to four times the sum "
    "of the scores",
    unnoticed="the constant of O(1 / sqrt(n)) is a bound for every law, and so is s: .12 of it is reached",
)
def risk_of_support_vector_machines_and_logistic_regression(forall: Forall, draw: Draw, *, features: int, delta: float):
    """E l_g <= E l_gH + sqrt(2 lambda) + O(1 / sqrt(n)) w.p. 1 - delta at s >= 5 d_l log(16 d / delta), L = 1.

    For g_H any g' that minimises E l + mu |g'|^2, scaled into the unit ball: g_H is one of these. g minimises E_n l +
    lambda |g|^2 over the functions of the sampled features.
    """
    n = 10.0 ** forall.integers("log10 n", LEAST, LEAST + 2)
    lam = n ** -forall.interval("exponent of lambda", 0.5, 1.0)
    case = problem(forall, draw, n, features)
    scores = case.scores(case.probabilities, lam)
    excess = 3 * forall.interval("excess of l~", 0.0, 1.0).unsqueeze(-1) * forall.simplex("l~ - l", features)
    weighted = scores + scores.sum(-1, keepdim=True) * excess
    plain = (case.probabilities / lam.unsqueeze(-1)).expand_as(scores)
    bound = torch.where(forall.signs("plain sampling").unsqueeze(-1) > 0, plain, weighted)
    s = _count(bound.sum(-1), scores.sum(-1), delta)
    weights = case.drawn(draw, "features", s, bound / bound.sum(-1, keepdim=True), case.probabilities)
    loss: Loss = hinge(n) if float(forall.signs("hinge loss")) > 0 else Logistic()
    excess, norm = case.excess(loss, weights, lam)
    deviation = PENALTY + deviation_factor(norm.clamp_min(1.0), delta, loss.at_zero)
    return excess, printed_approximation_loss(lam) + deviation / n.sqrt()


@claim(
    "uarff/thm-21-classification",
    high_probability("delta"),
    over=_CELLS,
    trivial=1.0,
    reading="corrected",
    cite="uarff, Theorem 21, with the Lipschitz constant",
    sizes="any Lipschitz loss, convex or not, piecewise linear with two kinks in [-2, 2] for either label, and the "
    f"logistic one, L from .05 to 20, {_SIZES}; lambda and lambda* from n^-1 to n^-1/2; weights as in "
    "alg-1-weights[corrected]",
    unnoticed="the constant of O(1 / sqrt(n)) is a bound for every law, and so are s and m: .24 of it is reached",
)
def risk_with_resampled_features(forall: Forall, draw: Draw, *, features: int, delta: float):
    """E l_g <= E l_gH + L sqrt(2 lambda) + L sqrt(2 lambda*) + O(1 / sqrt(n)) w.p. 1 - delta with Algorithm 1.

    A pool of s >= (5 / lambda) log(16 d / delta) plain features, m >= 5 d* log(16 d* / delta) of them drawn by their
    leverage in the pool at lambda, d* the effective dimension of the kernel at lambda*. Print has no L, as in Theorem
    15 (thm-15[printed]); where lambda > L^2 / 8 its term is L^2 / 4 + 2 lambda. For piecewise linear losses g_H is
    exact.
    """
    n = 10.0 ** forall.integers("log10 n", LEAST, LEAST + 2)
    lam, star = (n ** -forall.interval(f"exponent of {name}", 0.5, 1.0) for name in ("lambda", "lambda*"))
    case = problem(forall, draw, n, features)
    dimension, fewer = (case.scores(case.probabilities, each).sum(-1) for each in (lam, star))
    size = _count((1 / lam).expand_as(dimension), dimension, delta)
    pool = draw.multinomial("pool", size, case.probabilities.expand(len(size), -1)) / size.unsqueeze(-1)
    scores = case.scores(pool, lam)
    m = _count(fewer, fewer, delta)
    weights = case.drawn(draw, "features", m, scores / scores.sum(-1, keepdim=True), pool)
    lipschitz = 20.0 ** forall.interval("log20 of L", -1.0, 1.0)
    loss = any_lipschitz(forall, like=n, other=Logistic())
    excess, norm = case.excess(
        loss, weights, star / lipschitz
    )  # the learner of L l and lambda is that of l and lambda / L
    roots = [approximation_loss(each, lipschitz=lipschitz) for each in (lam, star)]
    deviation = lipschitz * deviation_factor(norm.clamp_min(1.0), delta, loss.at_zero)
    return lipschitz * excess, roots[0] + roots[1] + deviation / n.sqrt()


def _count(integral: Tensor, dimension: Tensor, delta: float) -> Tensor:
    """5 d_l log(16 d / delta), at least one, `(reps,)`."""
    return (PRINTED_THEOREM_CONSTANT * integral * (16 * dimension / delta).log()).ceil().clamp_min(1)
