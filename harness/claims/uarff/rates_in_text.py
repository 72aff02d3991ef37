"""Rates that sentences of the text name beside a number of features or a cut h, and what is found with that number.

The target is one for all n: fair signs x_j as features, eigenvalues p_j of their kernel of sum one, and y = f_H =
sum_j a_j x_j of norm one with ``a_j^2 = p_j j^-1.1 / zeta(1.1)``, so that z_0 = 1 and |y| is bounded. A function of
other signs errs by at least what is left of y: ``sum of a_j^2`` over the signs that it lacks with the squared loss,
and with |y - g| by the root of half of that (Khinchin's inequality with Szarek's constant).
"""

import math

import numpy as np
from scipy import special

from bounds.random_features.feature_counts import leverage_feature_count
from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from bounds.random_features.spectra import geometric_effective_dimension, polynomial_effective_dimension
from harness import claim, grid, rate
from harness.claims.uarff.defects import CUT, FAST_RATE, NO_SPECTRUM
from harness.claims.uarff.orthogonal_features import DELTA

SMOOTH = 1.1
"""a_j^2 / p_j is proportional to j to the power of minus this."""

_TERMS = 2.0**20
_CUTS = grid(n=[10**k for k in range(4, 17, 2)], ratio=[0.5, 0.9])


@claim(
    "uarff/rate-sec-6.3-cut",
    rate("n", -1.0, log_power=1),
    over=_CUTS,
    reading="printed",
    expected="refuted",
    cite="uarff, equation 10, below it and at the end of Section 6.3",
    title="equation 10, the cut h as printed",
    quote="if the eigenvalues decay exponentially, then setting h = ⌈log n⌉ implies that r^*_H <= O(log n/n)",
    restricts="eigenvalues A^i, A = .5 and .9, natural logarithms; e_0 = 1",
    defect=CUT,
)
def cut_of_the_text(*, n: int, ratio: float):
    """With eigenvalues A^i and h = ceil(log n), h / n + sqrt((1/n) sum_{i > h} mu_i) is of order log n / n.

    The tail is of order A^h, which for A > 1/e is above 1/n: the bound is of order n^(-1/2 - log(1/A)/2). Other h in
    (10) do better, so that r* itself is of the order of the sentence; only its h is wrong.
    """
    return _bound(n, ratio, math.ceil(math.log(n)))


@claim(
    "uarff/rate-sec-6.3-cut",
    rate("n", -1.0, log_power=1),
    over=_CUTS,
    reading="corrected",
    cite="uarff, equation 10, below it and at the end of Section 6.3",
    title="equation 10, the cut h by the ratio",
    restricts="eigenvalues A^i, A = .5 and .9; e_0 = 1",
)
def cut_by_the_ratio(*, n: int, ratio: float):
    """With eigenvalues A^i and h = ceil(log n / log(1/A)) the bound (10) is of order log n / n."""
    return _bound(n, ratio, math.ceil(math.log(n) / -math.log(ratio)))


def _bound(n: int, ratio: float, cut: int) -> float:
    return cut / n + math.sqrt(ratio ** (cut + 1) / (1 - ratio) / n)


@claim(
    "uarff/rate-sec-3.2.2",
    rate("n", -1.0),
    over=grid(n=[10**k for k in range(3, 10)], t=[1.25, 1.5]),
    reading="printed",
    expected="refuted",
    cite="uarff, Section 3.2.2, leverage sampling with eigenvalues i^-t",
    title="Section 3.2.2, fewer than n features",
    quote="Since t > 1, one can see that with fewer than n features, we could obtain fast O(1/n) learning rate.",
    restricts="t = 1.25 and 1.5; any n - 1 signs, however they are chosen",
    defect=FAST_RATE,
)
def fast_rate_with_fewer_than_n_features(*, n: int, t: float):
    """With eigenvalues i^-t, t > 1, and a Lipschitz loss fewer than n features give 1/n.

    Absolute loss, for which B.1 holds with L = 1 and, for functions of the unit ball, B.2 with B = 2. Whichever n - 1
    signs a learner has, and whatever it makes of them, its excess risk is at least the root of half of sum_{j >= n}
    a_j^2, of order n^(-(t + .1) / 2).
    """
    return math.sqrt(_least(n - 1, t) / 2)


@claim(
    "uarff/rate-sec-3.2.2",
    rate("n", -1 / 2),
    over=grid(n=[4**k for k in range(5, 11)], t=[1.25, 1.5]),
    reading="corrected",
    cite="uarff, Section 3.2.2, with the rate of the sentence before",
    title="Section 3.2.2, n^(1/t) log n features",
    restricts="t = 1.25 and 1.5; s = 5 n^(1/t) log n; a bound on what features not drawn cost, for one target; "
    "population scores",
)
def slow_rate_with_fewer_than_n_features(*, n: int, t: float):
    """With eigenvalues i^-t and lambda = 1/n, what n^(1/t) log n features drawn by leverage miss of y is n^-1/2.

    As the sentence before has it: sqrt(sum_j a_j^2 (1 - q_j)^s) bounds the mean of E |y - g| over features, for the
    best g.
    """
    first, s = 1 / float(special.zeta(t)), math.ceil(5 * n ** (1 / t) * math.log(n))
    dimension = polynomial_effective_dimension(1 / n, decay=t, scale=first)
    index = np.arange(1.0, _TERMS)
    p = first * index**-t
    missed = p * index**-SMOOTH * np.exp(s * np.log1p(-p / (p + 1 / n) / dimension)) / special.zeta(SMOOTH)
    return math.sqrt(float(missed.sum()) + _least(len(index), t))


@claim(
    "uarff/rate-sec-4",
    rate("n", -1 / 2),
    over=grid(n=[10**k for k in range(4, 17, 2)], t=[1.0, 2.0]),
    reading="printed",
    expected="refuted",
    cite="uarff, Section 4, below Theorem 20",
    title="Section 4, log n log log n features for any spectrum",
    quote="the ridge regression estimator f~^lambda*_m converges with the minimax rate to the hypothesis f_H in H for "
    "m in Omega(log n · log log n)",
    restricts="eigenvalues i^-2t, t = 1 and 2; m = 5 log n log log n, any m signs",
    defect=NO_SPECTRUM,
)
def few_features_for_any_spectrum(*, n: int, t: float):
    """With m = 5 log n log log n features the excess risk decays like n^-1/2, for eigenvalues i^-2t.

    The sentence names no spectrum, and Table 1 has other numbers for this one. Squared loss: whichever m signs a
    learner has, its excess risk is at least sum_{j > m} a_j^2, of order m^(-2t - .1).
    """
    return _least(math.ceil(5 * math.log(n) * math.log(math.log(n))), 2 * t)


@claim(
    "uarff/rate-sec-4",
    rate("n", -1 / 2),
    over=grid(n=[10**k for k in range(4, 17, 2)], ratio=[0.5, 0.9]),
    reading="corrected",
    cite="uarff, Section 4, below Theorem 20, for geometric decay",
    title="Section 4, log n log log n features for geometric decay",
    restricts="eigenvalues A^i, A = .5 and .9; the part of the risk that is due to one feature; population scores",
)
def few_features_for_geometric_decay(*, n: int, ratio: float):
    """With eigenvalues A^i and m = 5 d log(16 d / delta), of order log n log log n, what is missed is n^-1/2.

    The largest mu_i (1 - q_i)^m over the targets sqrt(mu_i) x_i of norm one, at lambda* = n^-1/2.
    """
    scale, lam = (1 - ratio) / ratio, n**-0.5
    dimension = geometric_effective_dimension(lam, common_ratio=ratio, scale=scale)
    m = leverage_feature_count(dimension, DELTA, constant=PRINTED_THEOREM_CONSTANT)
    p = scale * ratio ** np.arange(1.0, 1 - 50 / math.log(ratio))
    return float((p * np.exp(m * np.log1p(-p / (p + lam) / dimension))).max())


def _least(features: int, decay: float) -> float:
    """sum_j a_j^2 over all but the first so many signs, p_j = j^-decay / zeta(decay)."""
    total = float(special.zeta(decay)) * float(special.zeta(SMOOTH))
    return float(special.zeta(decay + SMOOTH, features + 1)) / total
