"""Theorem 12 and Lemma 25 with the constants that their source names, where the paper leaves them free.

The source (Bartlett et al. 2005, Theorem 4.1) is for ranges in [-1, 1]: losses l / M with M their largest value, for
which B = 1, c_1 = 20, c_2 = 31 and c_3 = 11 + 5 D, with probability 1 - 3 exp(-x). So psi(r) = 2 (L / M) c_1
sqrt((2/n) sum min(r, mu_i)) + c_2 x / n, and bounds on l / M are multiplied by M.
"""

import math
from typing import TypeVar

import torch
from torch import Tensor

from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from harness import Draw, Forall, claim, high_probability
from harness.claims.placement import table

from .finite_classes import ball_quadratic_supremum
from .finite_population import Sizes, ridge_risks
from .finite_support import product

_Number = TypeVar("_Number", float, Tensor)

C_1, C_2 = 20.0, 31.0


def c_3(ratio: _Number) -> _Number:
    """11 + 5 B D with B = 1."""
    return 11.0 + 5.0 * ratio


def least_fixed_point(
    spectrum: Tensor, n: Tensor, slope: float | Tensor, x: float, growth: float | Tensor = 1.0
) -> Tensor:
    """A number that r* cannot go below, from the eigenvalues of K / n in ascending order, `(reps, r)`.

    psi(r) >= a sqrt((2/n) h min(e r, mu_h)) + b / n with the growth e, `(reps,)`, so r* >= min(2 a^2 e h / n,
    a sqrt(2 h mu_h / n)) + b / n for every h.
    """
    h = table(range(spectrum.shape[-1], 0, -1), like=spectrum)
    square = (2 * (2 * slope * C_1) ** 2 / n).unsqueeze(-1) * h
    factor = growth if isinstance(growth, float) else growth.unsqueeze(-1)
    return torch.minimum(square * factor, (square * spectrum.clamp_min(0)).sqrt()).amax(-1) + C_2 * x / n


@claim(
    "uarff/thm-12-constants",
    high_probability("delta"),
    over=[{"points": 4, "features": 3, "delta": 0.1}, {"points": 2, "features": 2, "delta": 0.3}],
    trivial=1.0,
    cite="uarff, Theorem 12, with the constants of Bartlett et al. 2005",
    sizes="any distribution and features on two and four points with two and three features, |y| and |z| at most 1; "
    "any l~ of up to four times the integral of the scores, lambda from n^-1 to n^-1/4, n from 1e8 to 1e11, D from "
    "1.05 to 20, delta = .1 and .3",
    unnoticed="the constants are for every class: .09 of it is reached",
)
def refined_risk_with_constants(forall: Forall, draw: Draw, *, points: int, features: int, delta: float):
    """E l_f~ - E l_f^ <= 12 D r* / B + 4 D lambda / (D - 1) + O(1/n) w.p. 1 - delta at s >= 5 d_l log(16 d / delta).

    (9) with B, r* and O(1/n) = 2 c_3 x / n of the source, x = log(9 / delta) for three events, and the eigenvalues of
    each sample; judged with a number that r* cannot go below. The proof has gaps (eq-25, thm-12-fixed-points); the
    statement is not refuted.
    """
    n, ratio = 10.0 ** forall.integers("log10 n", 8, 11), forall.interval("D", 1.05, 20.0)
    sizes = Sizes(points, features, (0.25, 1.0))
    risks = ridge_risks(forall, draw, n, delta, sampling="any", constant=PRINTED_THEOREM_CONSTANT, sizes=sizes)
    height, x = 1 + math.sqrt(2), math.log(9 / delta)
    fixed = least_fixed_point(risks.fixed_point_spectrum, n, 2 / height, x)
    bound = height**2 * (12 * ratio * fixed + 2 * c_3(ratio) * x / n)
    excess = torch.where(risks.admissible, risks.excess, 0.0)
    return excess, bound + 4 * ratio / (ratio - 1) * risks.regularisation


@claim(
    "uarff/lem-25-constants",
    high_probability("delta"),
    over=[{"points": 3, "features": 2, "delta": 0.05}, {"points": 2, "features": 3, "delta": 0.3}],
    trivial=1.0,
    cite="uarff, Lemma 25, with the constants of Bartlett et al. 2005",
    sizes="any distribution on up to two and three labelled points, up to three and two features, |y| and |z| at most "
    "1, n from 10 to 1e8, D from 1.01 to 100, delta = .05 and .3; any fixed point, as none is below c_2 x / n",
    unnoticed="the constants are for every class: less than a thousandth of it is reached",
)
def local_bound_for_squared_loss(forall: Forall, draw: Draw, *, points: int, features: int, delta: float):
    """For all f of the unit ball: E l_f <= D / (D - 1) E_n l_f + 6 D r* / B + c_3 x / n w.p. 1 - delta, squared loss.

    With the constants of the source, x = log(3 / delta). Judged with c_2 x / n, which r* cannot go below, so for any
    spectrum. The exact supremum over the unit ball.
    """
    n, ratio = 10.0 ** forall.integers("log10 n", 1, 8), forall.interval("D", 1.01, 100.0)
    phi = forall.interval("features", -1.0, 1.0, points, features) / math.sqrt(features)
    y, law = forall.interval("y", -1.0, 1.0, points), forall.simplex("law", points)
    counts = draw.multinomial("sample", n, law)
    shift = law - (ratio / (ratio - 1)).unsqueeze(-1) * counts / counts.sum(-1, keepdim=True)
    curvature = phi.mT @ (shift.unsqueeze(-1) * phi)
    slope = -2 * product(phi.mT.expand(len(shift), -1, -1), shift * y)
    worst = (shift * y.square()).sum(-1) + ball_quadratic_supremum(curvature, slope, torch.ones_like(slope[..., 0]))
    x, largest = math.log(3 / delta), 4.0
    return worst, largest * (6 * ratio * C_2 + c_3(ratio)) * x / n
