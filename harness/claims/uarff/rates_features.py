"""Rates behind the theorems, measured: kernels and functions along the number of features, complexities along n.

And two statements on numbers of features that do not give the rate printed beside them.
"""

import math

import numpy as np
import torch
from scipy import optimize, special
from torch import Tensor

from algos.complexity.local_rademacher import local_fixed_point
from bounds.random_features.feature_counts import PRINTED_POOL_CONSTANT, leverage_feature_count, plain_feature_count
from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from bounds.random_features.spectra import polynomial_effective_dimension
from harness import Draw, claim, grid, rate
from harness.claims.uarff.defects import TABLE_4, THEOREM_20B
from harness.claims.uarff.orthogonal_features import DELTA, Cells, Scheme, geometric, polynomial
from harness.claims.uarff.rates_squared import SCHEMES, SIZES

NUMBERS = [2**k for k in range(10, 18)]
LARGE = [10**k for k in range(6, 17, 2)]
CIRCLE = "equally spaced points on the circle, trigonometric features; the mean over features"


@claim(
    "uarff/rate-lem-27",
    rate("s", -1 / 2),
    over=grid(s=NUMBERS, scheme=SCHEMES),
    cite="uarff, Lemma 27 and Remark 28",
    title="Lemma 27, kernel",
    restricts=f"eigenvalues i^-2, lambda = 0.01; {CIRCLE}",
)
def operator_norm_of_the_difference_of_kernels(draw: Draw, *, s: int, scheme: Scheme):
    """The norm of (K + n lambda)^-1/2 (K~ - K) (K + n lambda)^-1/2 decays like s^-1/2 in the number s of features."""
    cells = Cells.on_the_circle(polynomial(2.0, 256), 0.01)
    p, kernel = _kernels(draw, cells, s, scheme)
    return ((kernel - p).abs() / (p + cells.regularisation)).amax(-1)


@claim(
    "uarff/rate-lem-22",
    rate("s", -2.0, log_power=2),
    over=grid(s=[2**k for k in range(8, 15)]),
    cite="uarff, Lemma 22 with leverage sampling",
    title="Lemma 22, functions, leverage sampling",
    restricts=f"eigenvalues i^-2, delta = 0.1; {CIRCLE}",
)
def functions_approximated_by_leverage_sampling(draw: Draw, *, s: int):
    """s = 5 d log(16 d / delta) features approximate the unit ball up to 2 lambda: s^-2t log^2t s for i^-2t, t = 1."""
    return _approximation(draw, s, 2.0, "leverage")


@claim(
    "uarff/rate-lem-22-smooth",
    rate("s", -4.0, log_power=4),
    over=grid(s=[2**k for k in range(8, 15)]),
    cite="uarff, Lemma 22 with leverage sampling",
    title="Lemma 22, functions, a smoother kernel",
    restricts=f"eigenvalues i^-4, delta = 0.1; {CIRCLE}",
)
def smooth_functions_approximated_by_leverage_sampling(draw: Draw, *, s: int):
    """s = 5 d log(16 d / delta) features approximate the unit ball up to 2 lambda: s^-2t log^2t s for i^-2t, t = 2."""
    return _approximation(draw, s, 4.0, "leverage")


@claim(
    "uarff/rate-lem-22-plain",
    rate("s", -1.0, log_power=1),
    over=grid(s=[2**k for k in range(8, 15)], decay=[2.0, 4.0]),
    cite="uarff, Lemma 22 with plain sampling",
    title="Lemma 22, functions, plain sampling",
    restricts=f"eigenvalues i^-2 and i^-4, delta = 0.1; {CIRCLE}",
)
def functions_approximated_by_plain_sampling(draw: Draw, *, s: int, decay: float):
    """s = 5 (z_0^2 / lambda) log(16 d / delta) features approximate the unit ball up to 2 lambda: log s / s."""
    return _approximation(draw, s, decay, "plain")


def _approximation(draw: Draw, s: int, decay: float, scheme: Scheme) -> Tensor:
    """sup over the unit ball of min_beta error + lambda s |beta|^2 = lambda max_j p_j / (k_j + lambda), lambda of s."""
    spectrum = polynomial(decay, 4096)
    at = _regularisation(s, decay, scheme, float(spectrum.sum()))
    p, kernel = _kernels(draw, Cells.on_the_circle(spectrum, at), s, scheme)
    return at * (p / (kernel + at)).amax(-1)


def _kernels(draw: Draw, cells: Cells, s: int, scheme: Scheme) -> tuple[Tensor, Tensor]:
    """p (J,) and k (reps, J) of s features."""
    p = cells.spectral.to(draw.device)
    if scheme == "plain":
        return p, cells.plain_kernel(draw, "features", s)
    return p, cells.leverage_kernel(draw, p, cells.masses.to(draw.device), s)


def _regularisation(s: int, decay: float, scheme: Scheme, total: float) -> float:
    """The lambda at which the lemma asks for s features; features on the circle are bounded by sqrt2."""

    def asked(log_regularisation: float) -> float:
        at = math.exp(log_regularisation)
        dimension = polynomial_effective_dimension(at, decay=decay, scale=1 / total)
        sampled = dimension if scheme == "leverage" else 2 / at
        return PRINTED_THEOREM_CONSTANT * sampled * math.log(16 * dimension / DELTA) - s

    return math.exp(float(optimize.brentq(asked, -40.0, 2.0)))


@claim(
    "uarff/rate-eq-10-finite",
    rate("n", -1.0),
    over=grid(n=SIZES),
    cite="uarff, equation 10 and below it",
    title="fixed point, finite rank",
    restricts="eigenvalues 1/2, 1/4, 1/8; the truncated traces of Lemma 7 as sub-root function, constant 1",
)
def fixed_point_for_finite_rank(*, n: int):
    """The fixed point of the local Rademacher complexity is of order 1/n for a kernel of finite rank."""
    return local_fixed_point(torch.tensor([0.5, 0.25, 0.125], dtype=torch.float64), scale=math.sqrt(3 / n))


@claim(
    "uarff/rate-eq-10-geometric",
    rate("n", -1.0, log_power=1),
    over=grid(n=SIZES),
    cite="uarff, equation 10 and below it",
    title="fixed point, geometric decay",
    restricts="eigenvalues 2^-i, cells; the truncated traces of Lemma 7 as sub-root function, constant 1",
)
def fixed_point_for_geometric_decay(draw: Draw, *, n: int):
    """The fixed point of the local Rademacher complexity is of order log n / n for exponential decay."""
    return _fixed_point(draw, geometric(), n)


@claim(
    "uarff/rate-eq-10-polynomial",
    rate("n", -3 / 4),
    over=grid(n=SIZES),
    reading="inferred",
    cite="uarff, equation 10 with the best h",
    title="fixed point, polynomial decay",
    restricts="eigenvalues i^-3, cells; the truncated traces of Lemma 7 as sub-root function, constant 1",
)
def fixed_point_for_polynomial_decay(draw: Draw, *, n: int):
    """The fixed point is of order n^(-t/(1+t)) for eigenvalues i^-t: (10) at h = n^(1/(1+t)).

    The paper takes h = 0 and says n^-1/2.
    """
    return _fixed_point(draw, polynomial(3.0, 2048), n)


def _fixed_point(draw: Draw, spectrum: Tensor, n: int) -> Tensor:
    """Of r = sqrt((2/n) sum_j min(r, mu_j)), mu_j the eigenvalues of K / n on n points; zeros add nothing."""
    cells = Cells.equal_halves(spectrum, 1.0)
    eigenvalues = cells.shares(draw, n) * cells.spectral.to(draw.device)
    return local_fixed_point(eigenvalues, scale=math.sqrt(len(spectrum) / n))


@claim(
    "uarff/rate-lem-2",
    rate("n", -1 / 2),
    over=grid(n=SIZES, spectrum=["geometric", "polynomial"]),
    reading="inferred",
    cite="uarff, Lemma 2 with Assumption 2",
    title="Rademacher complexity",
    restricts="A = 1/2 and i^-3, cells; Definition 1, exactly given the signs",
)
def rademacher_complexity_of_the_unit_ball(draw: Draw, *, n: int, spectrum: str):
    """The Rademacher complexity of the unit ball is of order n^-1/2: (2/n) E sqrt(sigma^T K sigma)."""
    cells = Cells.equal_halves(geometric() if spectrum == "geometric" else polynomial(3.0, 512), 1.0)
    positive, negative = cells.labels(draw, n, torch.full_like(cells.masses, 0.5))
    return 2 * (cells.spectral.to(positive) * (positive - negative).square()).sum(-1).sqrt()


@claim(
    "uarff/rate-tab-4",
    rate("n", -1 / 2),
    over=grid(n=[10**k for k in range(4, 11)], t=[2.0, 3.0]),
    reading="printed",
    expected="refuted",
    cite="uarff, Table 4, plain sampling",
    title="Table 4, polynomial decay, features as printed",
    quote="THIS WORK: lambda_i ∝ i^-t (t > 1), s in Omega(n^1/2t · log n), O(1/sqrt(n))",
    restricts="t = 2 and 3; s = 5 n^(1/2t) log n; n from 1e4",
    defect=TABLE_4,
)
def number_of_plain_features_as_printed(*, n: int, t: float):
    """With eigenvalues i^-t, n^(1/2t) log n plain features give n^-1/2 for the squared loss.

    One distribution and target for all n: fair signs x_j as features, y = f_H = sum_j a_j x_j of norm 1 with
    ``a_j^2 = p_j j^-1.1 / zeta(1.1)``, so that z_0 = 1 and |y| is bounded. Whatever the sample and lambda, a sign that
    is not drawn costs a_j^2 of the risk; the quantity is the mean of this over features, ``sum_j a_j^2 (1 - p_j)^s``,
    around which the many small parts concentrate.
    """
    return missed_by_plain_features(math.ceil(5 * n ** (1 / (2 * t)) * math.log(n)), t)


@claim(
    "uarff/rate-tab-4",
    rate("n", -1 / 2),
    over=grid(n=[10**k for k in range(4, 11)], t=[2.0, 3.0]),
    reading="corrected",
    cite="uarff, Table 4 with the sqrt(n) log n of Table 2",
    title="Table 4, polynomial decay, features as in Table 2",
    restricts="t = 2 and 3; s = 5 sqrt(n) log n, the part of the risk that is due to features not drawn; n from 1e4",
)
def number_of_plain_features_of_table_2(*, n: int, t: float):
    """With eigenvalues i^-t, what sqrt(n) log n plain features miss of the same target decays like n^-1/2."""
    return missed_by_plain_features(math.ceil(5 * math.sqrt(n) * math.log(n)), t)


def missed_by_plain_features(s: int, t: float) -> float:
    """sum_j a_j^2 (1 - p_j)^s with a_j^2 = p_j j^-1.1 / zeta(1.1), p_j = j^-t / zeta(t).

    Beyond 2^15 by its lower bound, where p_j s is near zero.
    """
    index = np.arange(1.0, 2.0**15)
    kept = np.exp(s * np.log1p(-(index**-t) / special.zeta(t)))
    missed = float(np.sum(index ** -(t + 1.1) * kept)) + float(kept[-1]) * float(special.zeta(t + 1.1, 2**15))
    return missed / float(special.zeta(t)) / float(special.zeta(1.1))


@claim(
    "uarff/rate-thm-20b",
    rate("n", -1 / 2),
    over=grid(n=LARGE),
    reading="printed",
    expected="refuted",
    cite="uarff, Theorem 20",
    title="Theorem 20, last sentence",
    quote="Moreover, this upper bound holds for m in Omega(s / (n lambda)).",
    restricts="eigenvalues i^-2, t = 1; population scores in place of those of the pool; n from 1e6",
    defect=THEOREM_20B,
)
def few_resampled_features(*, n: int):
    """At lambda = n^-1/2 also m = s / (n lambda) features, s = 7 / lambda log(16 d / delta), give n^-1/2.

    For the target sqrt(mu_1) x_1 of norm 1, with fair signs as features: it is not drawn with the chance (1 - q_1)^m,
    and then costs mu_1 whatever the sample. m is of order log n, and the scores spread over d = n^(1/4) features.
    """
    lam, dimension = n**-0.5, _sign_dimension(n)
    pool = plain_feature_count(dimension, DELTA, feature_bound=1.0, regularisation=lam, constant=PRINTED_POOL_CONSTANT)
    return _missed_target(1, math.ceil(pool / (n * lam)), n)


@claim(
    "uarff/rate-thm-20b",
    rate("n", -1 / 2),
    over=grid(n=LARGE),
    reading="corrected",
    cite="uarff, Theorem 20, first condition",
    title="Theorem 20, first condition",
    restricts="eigenvalues i^-2; the part of the risk that is due to one feature; population scores; n from 1e6",
)
def enough_resampled_features(*, n: int):
    """At lambda = n^-1/2 with m = 5 d log(16 d / delta) features, what they miss of any target decays like n^-1/2.

    The largest over the targets sqrt(mu_i) x_i of norm 1: where mu_i is near lambda / (5 log(16 d / delta)).
    """
    m = leverage_feature_count(_sign_dimension(n), DELTA, constant=PRINTED_THEOREM_CONSTANT)
    return max(_missed_target(round(1.02**k), m, n) for k in range(700))


def _sign_dimension(n: int) -> float:
    return polynomial_effective_dimension(n**-0.5, decay=2.0, scale=6 / math.pi**2)


def _missed_target(i: int, m: int, n: int) -> float:
    """mu_i (1 - q_i)^m with lambda = n^-1/2."""
    eigenvalue = 6 / (math.pi * i) ** 2
    return eigenvalue * math.exp(m * math.log1p(-eigenvalue / (eigenvalue + n**-0.5) / _sign_dimension(n)))
