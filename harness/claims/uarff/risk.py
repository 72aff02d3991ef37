"""Theorem 9 and Corollaries 10 and 11: the risk of ridge regression on sampled features."""

import math

import torch
from torch import Tensor

from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT, deviation_constant, feature_count
from bounds.random_features.ridge_risk import (
    empirical_risk_excess_constant,
    printed_empirical_risk_excess,
    ridge_excess_risk_bound,
    squared_norm_bound,
)
from harness import Draw, Forall, claim, grid, high_probability

from .finite_population import Sampling, Sizes, ridge_risks

CORRECTED = deviation_constant(0.5)
_LEAST_DIMENSION = 0.5
"""Of d_K where n lambda <= lambda_1."""

_SAMPLES = grid(n=[3000, 30_000], delta=[0.1])
_ANY = [
    {"n": 3000, "delta": 0.1, "points": 2, "features": 4},
    {"n": 30_000, "delta": 0.3, "points": 4, "features": 2},
]
SIZES = (
    "any distribution and features on two and four points with four and two features, |y| and |z| at most 1, any "
    "lambda between n^-1 and n^-1/4, n = 3000 and 30000, delta = .1 and .3; O(1/sqrt(n)) as in (19)"
)


@claim(
    "uarff/thm-9",
    high_probability("delta"),
    over=_ANY,
    trivial=1.0,
    reading="printed",
    cite="uarff, Theorem 9, eqs. 8 and 19",
    quote="E[l_f~] - E[l_fH] <= 4 lambda + O(1/sqrt(n)) + E[l_f^] - E[l_fH] . (8)",
    sizes=f"{SIZES}; any l~ of up to four times the integral of the scores",
    unnoticed="the constant of O(1 / sqrt(n)) is ours, a bound for every law: .11 of it is reached",
)
def risk_with_any_upper_bound_as_printed(
    forall: Forall, draw: Draw, *, n: int, delta: float, points: int, features: int
):
    """E l_f~ - E l_f^ <= 4 lambda + O(1 / sqrt(n)) w.p. 1 - delta at s >= 5 d_l log(16 d / delta), for any l~ >= l.

    O(1 / sqrt(n)) as (19) writes it out, once for either space, though its constants are too small. Any distribution on
    the points, any features, with the d and l of each sample; exact risks. The proof
    has gaps (Lemma 24, the radius, a class that depends on the sample); the statement is not refuted.
    """
    return _printed_excess(forall, draw, "any", n=n, delta=delta, points=points, features=features)


@claim(
    "uarff/cor-10",
    high_probability("delta"),
    over=_ANY,
    trivial=1.0,
    cite="uarff, Corollary 10",
    sizes=SIZES,
    unnoticed="the constant of O(1 / sqrt(n)) is ours, a bound for every law: .13 of it is reached",
)
def risk_with_leverage_weighted_features(
    forall: Forall, draw: Draw, *, n: int, delta: float, points: int, features: int
):
    """E l_f~ - E l_f^ <= 4 lambda + O(1 / sqrt(n)) w.p. 1 - delta at s >= 5 d log(16 d / delta), leverage sampling.

    At the d of each sample. As Theorem 9: not refuted, proof with gaps.
    """
    return _printed_excess(forall, draw, "leverage", n=n, delta=delta, points=points, features=features)


@claim(
    "uarff/cor-11",
    high_probability("delta"),
    over=_ANY,
    trivial=1.0,
    cite="uarff, Corollary 11",
    sizes=SIZES,
    unnoticed="the constant of O(1 / sqrt(n)) is ours, a bound for every law: .08 of it is reached",
)
def risk_with_plain_features(forall: Forall, draw: Draw, *, n: int, delta: float, points: int, features: int):
    """E l_f~ - E l_f^ <= 4 lambda + O(1 / sqrt(n)) w.p. 1 - delta at s >= 5 (z_0^2 / lambda) log(16 d / delta).

    Plain sampling, by which the class of functions does not depend on the sample. Far more features than needed.
    """
    return _printed_excess(forall, draw, "plain", n=n, delta=delta, points=points, features=features)


def _printed_excess(
    forall: Forall, draw: Draw, sampling: Sampling, *, n: int, delta: float, points: int, features: int
) -> tuple[Tensor, Tensor | float]:
    """Excess risk where f^ lies in the unit ball, and 4 lambda + (19) for H~ and for H, with y_0 = z_0 = 1."""
    sizes = Sizes(points, features, (0.25, 1.0))
    risks = ridge_risks(forall, draw, n, delta, sampling=sampling, constant=PRINTED_THEOREM_CONSTANT, sizes=sizes)
    steps = [r * 2 * (1 + r) / math.sqrt(n) + math.sqrt(8 * math.log(2 / delta) / n) for r in (2**0.5, 1.0)]
    bound = printed_empirical_risk_excess(risks.regularisation) + sum(steps)
    return torch.where(risks.admissible, risks.excess, 0.0), bound


@claim(
    "uarff/thm-9",
    high_probability("delta"),
    over=_SAMPLES,
    trivial=1.0,
    reading="corrected",
    expected="vacuous",
    cite="uarff, Theorem 9, corrected",
    restricts="three points and features, plain sampling, lambda = n^-1/2, delta = .1",
)
def risk_with_all_constants(forall: Forall, draw: Draw, *, n: int, delta: float):
    """E l_f~ - E l_f^ <= 3.66 lambda + the generalisation gaps of both balls, with probability 1 - delta.

    s >= (32/3)(z_0^2 / lambda) log(48 d / delta) plain features, |f^| <= 1, and for f~ a ball of the radius that its
    norm has with this probability; delta is shared among the events. Says little for n below many millions: most of it
    is the radius, of order delta^-1/2.
    """
    share = delta / 3  # the event of Lemma 22 and both Bernstein inequalities: 3/2 of it
    risks = ridge_risks(forall, draw, n, share, sampling="plain", constant=CORRECTED)
    fewest = feature_count(n**0.5, _LEAST_DIMENSION, share, constant=CORRECTED)
    radius = squared_norm_bound(1.0, sampling_dimension=n**0.5, features=fewest, delta=delta / 6)
    bound = ridge_excess_risk_bound(
        n**-0.5, 1.0, 1.0, n, delta / 6, squared_radius=radius, constant=empirical_risk_excess_constant(CORRECTED)
    )
    return torch.where(risks.admissible, risks.excess, 0.0), bound
