"""Theorem 19 and (32) with the constants that the proof and its source name, for any Lipschitz loss.

For losses l / M with M their largest value the source (Bartlett et al. 2005, Theorem 4.1) has c_1 = 20, c_2 = 31 and
c_3 = 11 + 5 D, with probability 1 - 3 exp(-x). By (31) a function with E_n (l_g / M)^2 <= r has E_n (g - g^)^2 <= e r,
where e = M^2 B / (2 b_0) with the B of Assumption B.2 and a lower bound b_0 of E_n l_g^; so psi(r) = 2 (L / M) c_1
sqrt((2/n) sum min(e r, R^2 mu_i)) + c_2 x / n in the ball of radius R, where the paper has R = 1. Neither B nor r* is
evaluated: they are replaced by numbers that they cannot go below.
"""

import math
from typing import TypeVar

import torch
from torch import Tensor

from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from bounds.random_features.lipschitz_risk import approximation_loss
from harness import Draw, Forall, claim, high_probability

from .ball_supremum import unit_disc_supremum
from .finite_population import least_power_of_ten
from .lipschitz_population import Problem, problem
from .losses import Squared, any_lipschitz, any_piecewise_linear
from .refined_constants import C_2, c_3, least_fixed_point

_Number = TypeVar("_Number", float, Tensor)

_LEAST_LAMBDA, _NEAR_ZERO = 1e-14, 1e-9
"""Smallest lambda, n^-2 at the smallest n, and mu where the constraint on g_H is not active."""

_MOST = 1e15
"""Features drawn at most: where more are asked for, fewer than the theorem requires have to do."""


def _rule(n: float) -> float:
    """Right side of (12) less E l_gH at lambda = 1 / n^2, R = 1, D = 2, delta = .1, mu_1 = 1 and any B."""
    size, one = torch.tensor([n], dtype=torch.float64), torch.ones(1, dtype=torch.float64)
    x, height = math.log(9 / 0.1), 2.0
    fixed = least_fixed_point(one.unsqueeze(-1), size, 1 / height, x, math.inf)
    return float(height * (24 * fixed + 2 * c_3(2.0) * x / n)) + 2 * math.sqrt(2) / n


LEAST = least_power_of_ten(_rule, reach=2.0)
"""log10 of the smallest n at which this is at most half the largest excess of functions of the unit ball, 2."""


@claim(
    "uarff/thm-19-constants",
    high_probability("delta"),
    over=[{"features": 2, "delta": 0.3}, {"features": 3, "delta": 0.1}],
    reading="corrected",
    cite="uarff, Theorem 19, (12) and (13), with the Lipschitz constant and the constants of its proof",
    sizes="any Lipschitz loss, convex or not, piecewise linear with two kinks in [-2, 2] for either label, and the "
    "squared one, any distribution of inputs and labels on up to two points, two and three features in [-1, 1], "
    "learners in the ball of any radius, D from 1.05 to 20, lambda from n^-2, but 1e-14 for rounding, to n^-1/4, "
    "three powers of ten n by a rule, delta = .1 and .3; plain sampling, and any l~ of up to four times the sum of "
    "the scores; (13) is eq-10",
    unnoticed="the constants are for every class: less than a quarter of it is reached, and that where lambda is "
    "large and r* is not what counts",
)
def refined_risk_for_lipschitz_losses(forall: Forall, draw: Draw, *, features: int, delta: float):
    """E l_g <= 12 D r* / B + D L sqrt(2 lambda) / (D - 1) + O(1/n) + E l_gH w.p. 1 - delta.

    At s >= 5 d_l log(16 d / delta); (12) is printed without L. B = 1 and O(1/n) = 2 c_3 x / n of the source, times M,
    with x = log(9 / delta) for three events; r* is at least its bound by the eigenvalues of each sample, with the B of
    B.2 at least the ratio at the learner itself. In the ball of radius R, M = l_0 + R with the loss l_0 at 0 for L = 1
    (which is the unit ball with any other L: divide g by R and the loss by R^2), and for the squared loss L = 2 (1 + R)
    and M = (1 + R)^2. The ball is that of g_H, at whose radius some g' minimises
    E l + mu |g'|^2; for mu near 0 this is the best of all functions, and the ball may be as large as the learner asks.
    The proof has gaps (eq-35, thm-12-fixed-points); the statement is not refuted.
    """
    n, ratio = 10.0 ** forall.integers("log10 n", LEAST, LEAST + 2), forall.interval("D", 1.05, 20.0)
    lam = (n ** -forall.interval("exponent of lambda", 0.25, 2.0)).clamp_min(_LEAST_LAMBDA)
    inactive = forall.signs("g_H inside its ball") > 0
    active = (lam * 10.0 ** -forall.interval("log10 of lambda / mu", 0.0, 2.0)).clamp_min(_LEAST_LAMBDA)
    multiplier = torch.where(inactive, _NEAR_ZERO, active)
    case = problem(forall, draw, n, features, multiplier)
    loss = any_lipschitz(forall, like=n, other=Squared())
    squared = isinstance(loss, Squared)
    values, norm = case.fit(loss, _sampled(forall, draw, case, lam, delta), lam)
    target, radius = case.target(loss)
    radius = torch.where(inactive, torch.maximum(radius, norm), radius)
    excess = torch.where(norm <= radius, case.risk(loss, values) - case.risk(loss, target), 0.0)
    distance = (case.law * (values - target).square()).sum(-1)
    lipschitz = 2 * (1 + radius) if squared else torch.ones_like(radius)
    height = (1 + radius).square() if squared else loss.at_zero + radius
    x = math.log(9 / delta)
    growth = height.square() * distance / (2 * loss.at_zero * excess).clamp_min(1e-300)  # b_0 <= E_n l_0
    spectrum = torch.linalg.eigvalsh(case.gram(case.probabilities)) * radius.square().unsqueeze(-1)
    fixed = least_fixed_point(spectrum, n, lipschitz / height.clamp_min(1e-300), x, growth)
    bound = height * (12 * ratio * fixed + 2 * c_3(ratio) * x / n)
    return excess, bound + ratio / (ratio - 1) * approximation_loss(lam * radius.square(), lipschitz=lipschitz)


def _sampled(forall: Forall, draw: Draw, case: Problem, lam: Tensor, delta: float) -> Tensor:
    """Weights of the features drawn, plainly or by l~, in place of their probabilities."""
    scores = case.scores(case.probabilities, lam)
    excess = 3 * forall.interval("excess of l~", 0.0, 1.0).unsqueeze(-1) * forall.simplex("l~ - l", scores.shape[-1])
    plain = (case.probabilities / lam.unsqueeze(-1)).expand_as(scores)
    weighted = scores + scores.sum(-1, keepdim=True) * excess
    bound = torch.where(forall.signs("plain sampling").unsqueeze(-1) > 0, plain, weighted)
    logarithm = (16 * scores.sum(-1) / delta).log()
    s = (PRINTED_THEOREM_CONSTANT * bound.sum(-1) * logarithm).ceil().clamp(1, _MOST)
    return case.drawn(draw, "features", s, bound / bound.sum(-1, keepdim=True), case.probabilities)


@claim(
    "uarff/eq-32",
    high_probability("delta"),
    trivial=1.0,
    over=[{"points": 1, "delta": 0.05}, {"points": 2, "delta": 0.3}],
    cite="uarff, proof of Theorem 19, equation 32, with the constants of Bartlett et al. 2005",
    sizes="any Lipschitz loss, convex or not, piecewise linear with two kinks for either label, the unit ball of up "
    "to two features, any distribution on up to two labelled points, |z| at most 1, three powers of ten n by a "
    "rule, D from 1.01 to 100, delta = .05 and .3; any fixed point, as none is below c_2 x / n; the squared loss is "
    "lem-25-constants, any finite class lem-6-constants",
    unnoticed="the constants are for every class: less than a thousandth of it is reached",
)
def local_bound_for_lipschitz_losses(forall: Forall, draw: Draw, *, points: int, delta: float):
    """For all g of the unit ball: E l_g <= D / (D - 1) E_n l_g + 12 D r* / B + c_3 x / n w.p. 1 - delta.

    With B = 1 and the other constants of the source for losses l / M, x = log(3 / delta), where M is the largest loss
    of values in [-1, 1]. The supremum over the ball is exact. Lemma 25, from which (32) is taken, has 6 D / B: with
    that the two terms make the 12 D / B of (36). The 12 here is the weaker bound, and true.
    """
    least = least_power_of_ten(lambda n: 2 * _local_bound(2.0, n, math.log(3 / 0.1)), reach=2.0)
    n, ratio = 10.0 ** forall.integers("log10 n", least, least + 2), forall.interval("D", 1.01, 100.0)
    phi = forall.interval("features", -1.0, 1.0, points, 2) / math.sqrt(2)
    law, mean = forall.simplex("law", points), forall.interval("mean", -1.0, 1.0, points)
    loss = any_piecewise_linear(forall, reach=1.0)
    labelled = torch.stack([law * (1 + mean), law * (1 - mean)], -2) / 2
    counts = draw.multinomial("sample", n, labelled.flatten(-2))
    shares = (counts / counts.sum(-1, keepdim=True)).unflatten(-1, (2, points))
    weights = labelled - (ratio / (ratio - 1))[:, None, None] * shares
    return unit_disc_supremum(loss, phi, weights), loss.largest * _local_bound(ratio, n, math.log(3 / delta))


def _local_bound(ratio: _Number, n: _Number, x: float) -> _Number:
    """12 D r* / B + c_3 x / n for losses in [0, 1], with r* = c_2 x / n and B = 1."""
    return (12 * ratio * C_2 + c_3(ratio)) * x / n
