"""Rows of prior work in Tables 4 and 5 as statements on features and rates: what is missed, and the best rate there is.

The source has eigenvalues i^-2t, and lambda^-alpha features, up to logarithms, at lambda = n^(-2t/(2t+1)).
"""

import math

import numpy as np
from scipy import optimize, special

from harness import claim, grid, rate
from harness.claims.uarff.rates_features import missed_by_plain_features
from harness.claims.uarff.symbols import TABLE_4_SPECTRUM, TABLE_5

T, NOISE = 2.0, 0.5
_POINTS = grid(n=[4**k for k in range(4, 10)])


@claim(
    "uarff/rate-tab-5-prior",
    rate("n", -2 * T / (2 * T + 1)),
    over=grid(n=[10**k for k in range(4, 11)]),
    reading="printed",
    expected="refuted",
    cite="uarff, Table 5 and Section 3.1.3, prior work with polynomial decay",
    title="Table 5, prior work, alpha = 1, features as printed",
    quote="However, when α = 1 then learning algorithms require s ∈ Ω(n^{1/(2t+1)}) features to guarantee the same "
    "learning rate.",
    restricts="t = 2, eigenvalues i^-2t; s = 5 n^(1/(2t+1)) log n plain features, as in the table; n from 1e4",
    defect=TABLE_5,
)
def features_of_prior_work_as_printed(*, n: int):
    """With alpha = 1, n^(1/(2t+1)) log n features give n^(-2t/(2t+1)) for the squared loss, t = 2.

    Plain sampling has alpha = 1, by |z| <= z_0. The target of rate-tab-4: whatever the sample and lambda, a sign that
    is not drawn costs a_j^2, and so few plain features miss more than the rate. With i^-t for i^-2t, as the tables have
    it, they miss more still. A sentence on prior work, whoever makes it.
    """
    return missed_by_plain_features(math.ceil(5 * n ** (1 / (2 * T + 1)) * math.log(n)), 2 * T)


@claim(
    "uarff/rate-tab-5-prior",
    rate("n", -2 * T / (2 * T + 1)),
    over=grid(n=[10**k for k in range(4, 11)]),
    reading="corrected",
    cite="uarff, Table 5 with the features of Table 4",
    title="Table 5, prior work, alpha = 1, features of Table 4",
    restricts="t = 2, eigenvalues i^-2t; s = 5 n^(2t/(2t+1)) log n plain features; the part of the risk that is due to "
    "features not drawn; n from 1e4",
)
def features_of_prior_work(*, n: int):
    """With alpha = 1, what n^(2t/(2t+1)) log n plain features miss of the same target decays like n^(-2t/(2t+1))."""
    return missed_by_plain_features(math.ceil(5 * n ** (2 * T / (2 * T + 1)) * math.log(n)), 2 * T)


@claim(
    "uarff/rate-tab-4-prior",
    rate("n", -2 * T / (2 * T + 1)),
    over=_POINTS,
    reading="printed",
    expected="refuted",
    cite="uarff, Tables 4 and 5, prior work with polynomial decay",
    title="Tables 4 and 5, prior work, eigenvalues as printed",
    quote="RUDI & ROSASCO (2017) ... λ_i ∝ i^-t (t > 1) s ∈ Ω(n^{2t/(1+2t)} · log n) O(n^{-2t/(2t+1)})",
    restricts="t = 2; n equally spaced points on the circle, the hardest target of the unit ball for each n",
    defect=TABLE_4_SPECTRUM,
)
def rate_of_prior_work_as_printed(*, n: int):
    """With eigenvalues i^-t some features and lambda give n^(-2t/(2t+1)) for the squared loss, t = 2.

    No features do: ridge regression on features is linear in the labels, and the best linear learner (Pinsker 1980) has
    a risk of order n^(-t/(t+1)) at its hardest target. A row on prior work, whoever makes it.
    """
    return _linear_minimax_risk(n, T)


@claim(
    "uarff/rate-tab-4-prior",
    rate("n", -2 * T / (2 * T + 1)),
    over=_POINTS,
    reading="corrected",
    cite="uarff, Tables 4 and 5, prior work with i^-2t",
    title="Tables 4 and 5, prior work, eigenvalues i^-2t",
    restricts="t = 2; n equally spaced points on the circle; the best linear learner, not one with features",
)
def rate_of_prior_work(*, n: int):
    """With eigenvalues i^-2t the best linear learner has the risk n^(-2t/(2t+1)) at its hardest target, t = 2."""
    return _linear_minimax_risk(n, 2 * T)


def _linear_minimax_risk(n: int, decay: float) -> float:
    """Pinsker's: min over linear estimators of max E |f^ - f|^2 / n over the unit ball, eigenvalues i^-decay, i <= n.

    (sigma^2 / n) sum_i (1 - kappa a_i)_+ with a_i = mu_i^-1/2 and (sigma^2 / n) sum_i a_i (1 / kappa - a_i)_+ = 1.
    """
    a, level = np.arange(1.0, n + 1) ** (decay / 2) * math.sqrt(special.zeta(decay)), NOISE**2 / n

    def excess(log_inverse: float) -> float:
        return float(level * (a * np.clip(math.exp(log_inverse) - a, 0.0, None)).sum()) - 1

    inverse = math.exp(optimize.brentq(excess, math.log(a[0]), math.log(a[-1] + n)))
    return float(level * np.clip(1 - a / inverse, 0.0, None).sum())
