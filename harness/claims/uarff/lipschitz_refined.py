"""Theorem 19 and (32) with the constants that the proof and its source name, for the hinge and the squared loss.

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

from .finite_population import least_power_of_ten
from .finite_support import product
from .lipschitz_population import Loss, Problem, problem
from .refined_constants import C_2, c_3, least_fixed_point

_Number = TypeVar("_Number", float, Tensor)

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
    sizes="hinge and squared loss, the examples named with B.2, any distribution of inputs and labels on up to two "
    "points, two and three features in [-1, 1], learners in the ball of any radius, D from 1.05 to 20, lambda from "
    "n^-1 to n^-1/4, three powers of ten n by a rule, delta = .1 and .3; plain sampling, and any l~ of up to four "
    "times the sum of the scores; (13) is eq-10",
    restricts="two losses, where the theorem has any Lipschitz loss with B.2; learners no longer than g_H; lambda not "
    "below 1/n, where the text below it has 1/n^2",
    unnoticed="the constants are for every class: less than a quarter of it is reached",
)
def refined_risk_for_lipschitz_losses(forall: Forall, draw: Draw, *, features: int, delta: float):
    """E l_g <= 12 D r* / B + D L sqrt(2 lambda) / (D - 1) + O(1/n) + E l_gH w.p. 1 - delta.

    At s >= 5 d_l log(16 d / delta); (12) is printed without L. B = 1 and O(1/n) = 2 c_3 x / n of the source, times M,
    with x = log(9 / delta) for three events; r* is at least its bound by the eigenvalues of each sample, with the B of
    B.2 at least the ratio at the learner itself. In the ball of radius R, L = 1 and M = 1 + R for the hinge loss, L = 2
    (1 + R) and M = (1 + R)^2 for the squared loss. The proof has gaps (eq-35, thm-12-fixed-points); the statement is
    not refuted.
    """
    n, ratio = 10.0 ** forall.integers("log10 n", LEAST, LEAST + 2), forall.interval("D", 1.05, 20.0)
    lam = n ** -forall.interval("exponent of lambda", 0.25, 1.0)
    multiplier = lam * 10.0 ** -forall.interval("log10 of lambda / mu", 0.0, 2.0)
    case, hinge = problem(forall, draw, n, features, multiplier), float(forall.signs("hinge loss")) > 0
    loss: Loss = "hinge" if hinge else "squared"
    values, norm = case.fit(loss, _sampled(forall, draw, case, lam, delta), lam)
    target, radius = case.target(loss)
    excess = torch.where(norm <= radius, case.risk(loss, values) - case.risk(loss, target), 0.0)
    distance = (case.law * (values - target).square()).sum(-1)
    lipschitz, height = (1.0, 1 + radius) if hinge else (2 * (1 + radius), (1 + radius).square())
    x, growth = math.log(9 / delta), height.square() * distance / (2 * excess.clamp_min(1e-300))  # b_0 <= E_n l_0 = 1
    spectrum = torch.linalg.eigvalsh(case.gram(case.probabilities)) * radius.square().unsqueeze(-1)
    fixed = least_fixed_point(spectrum, n, lipschitz / height, x, growth)
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
    over=[{"points": 3, "features": 2, "delta": 0.05}, {"points": 2, "features": 3, "delta": 0.3}],
    cite="uarff, proof of Theorem 19, equation 32, with the constants of Bartlett et al. 2005",
    sizes="hinge and absolute loss, the same in the unit ball, any distribution on up to two and three labelled "
    "points, up to three and two features, |z| at most 1, three powers of ten n by a rule, D from 1.01 to 100, delta = "
    ".05 and .3; any fixed point, as none is below c_2 x / n; the squared loss is lem-25-constants, any finite class "
    "lem-6-constants",
    restricts="one loss, linear in the unit ball, with L = 1, where (32) has any Lipschitz loss",
    unnoticed="the constants are for every class: less than a thousandth of it is reached",
)
def local_bound_for_the_hinge_loss(forall: Forall, draw: Draw, *, points: int, features: int, delta: float):
    """For all g of the unit ball: E l_g <= D / (D - 1) E_n l_g + 12 D r* / B + c_3 x / n w.p. 1 - delta, l = 1 - y g.

    With B = 1 and the other constants of the source for losses l / 2, x = log(3 / delta). The supremum over the ball is
    exact: -1 / (D - 1) plus the norm of D / (D - 1) E_n y k(x, .) - E y k(x, .).
    """
    least = least_power_of_ten(lambda n: _local_bound(2.0, n, math.log(3 / 0.1)), reach=2.0)
    n, ratio = 10.0 ** forall.integers("log10 n", least, least + 2), forall.interval("D", 1.01, 100.0)
    phi = forall.interval("features", -1.0, 1.0, points, features) / math.sqrt(features)
    law, mean = forall.simplex("law", points), forall.interval("mean", -1.0, 1.0, points)
    counts = draw.multinomial("sample", n, torch.cat([law * (1 + mean), law * (1 - mean)], -1) / 2)
    positive, negative = (counts / counts.sum(-1, keepdim=True)).chunk(2, -1)
    shift = (ratio / (ratio - 1)).unsqueeze(-1) * (positive - negative) - law * mean
    worst = product(phi.mT.expand(len(shift), -1, -1), shift).norm(dim=-1) - 1 / (ratio - 1)
    return worst, _local_bound(ratio, n, math.log(3 / delta))


def _local_bound(ratio: _Number, n: _Number, x: float) -> _Number:
    """12 D r* / B + c_3 x / n for losses in [0, 2], with r* = c_2 x / n and B = 1."""
    return 2 * (12 * ratio * C_2 + c_3(ratio)) * x / n
