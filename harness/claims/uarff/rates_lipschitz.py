"""Rates for Lipschitz losses, measured: Theorem 15, Tables 6 and 7, and Algorithm 1.

What sampled features cost is measured on the population, at its hardest target for each n, with the absolute loss: of
the order sqrt(lambda), as (11) has it. What points and noise cost is measured with the logistic loss (Lipschitz, and
Assumption B.2 on bounded functions) and, at its worst, with the hinge loss.
"""

import math

import numpy as np
import torch
from scipy import special
from torch import Tensor

from bounds.random_features.spectra import (
    geometric_effective_dimension,
    harmonic_effective_dimension,
    polynomial_effective_dimension,
)
from harness import Draw, claim, grid, rate
from harness.claims.uarff.defects import TABLE_7
from harness.claims.uarff.orthogonal_features import (
    Cells,
    Scheme,
    finite_rank,
    geometric,
    hardest_sign_risk,
    hinge_values,
    polynomial,
)
from harness.claims.uarff.rates_squared import CELLS, SCHEMES, SIZES

DOUBLING = [2**k for k in range(7, 16)]
SIGNS = (
    "fair signs as features, absolute loss |y - g|, y = g_H of norm 1, the hardest for each n; the part that features "
    "cost: on the population; the mean over features, exactly; delta = 0.1"
)


@claim(
    "uarff/rate-tab-6-finite",
    rate("n", -1 / 2),
    over=grid(n=DOUBLING, scheme=SCHEMES),
    cite="uarff, Table 6, rows of finite rank",
    title="Table 6, finite rank",
    restricts=f"rank 3, the last eigenvalue at lambda / 50; {SIGNS}",
)
def worst_case_of_finite_rank(*, n: int, scheme: Scheme):
    """With finite rank and lambda = 1/n, a constant number of features (plain: n) give n^-1/2."""
    p = torch.tensor([0.5, 0.5 - 1 / (50 * n), 1 / (50 * n)], dtype=torch.float64)
    return hardest_sign_risk(p, 1 / n, float((p / (p + 1 / n)).sum()), scheme)


@claim(
    "uarff/rate-tab-6-geometric",
    rate("n", -1 / 2),
    over=grid(n=DOUBLING, scheme=SCHEMES),
    cite="uarff, Table 6, rows A^i",
    title="Table 6, geometric decay",
    restricts=f"A = 0.9; {SIGNS}",
)
def worst_case_of_geometric_decay(*, n: int, scheme: Scheme):
    """With eigenvalues A^i and lambda = 1/n, log n log log n (plain: n log log n) features give n^-1/2."""
    dimension = geometric_effective_dimension(1 / n, common_ratio=0.9, scale=1 / 9)
    return hardest_sign_risk(0.9 ** torch.arange(1, 301, dtype=torch.float64) / 9, 1 / n, dimension, scheme)


@claim(
    "uarff/rate-tab-6-polynomial",
    rate("n", -1 / 2),
    over=grid(n=DOUBLING, scheme=SCHEMES),
    cite="uarff, Table 6, rows i^-2t",
    title="Table 6, polynomial decay",
    restricts=f"t = 1; {SIGNS}",
)
def worst_case_of_polynomial_decay(*, n: int, scheme: Scheme):
    """With eigenvalues i^-2t and lambda = 1/n, n^(1/2t) log n (plain: n log n) features give n^-1/2."""
    return _polynomial_sign_risk(2.0, n, scheme)


@claim(
    "uarff/rate-tab-6-harmonic",
    rate("n", -1 / 2),
    over=grid(n=DOUBLING, scheme=SCHEMES),
    cite="uarff, Table 6, rows i^-1",
    title="Table 6, harmonic decay",
    restricts=f"eigenvalues i^-1, i <= 64 n, of sum 1; {SIGNS}",
)
def worst_case_of_harmonic_decay(*, n: int, scheme: Scheme):
    """With eigenvalues i^-1 and lambda = 1/n, n log n features give n^-1/2, drawn either way."""
    count = 64 * n
    total = float(special.digamma(count + 1) + np.euler_gamma)
    dimension = harmonic_effective_dimension(count, 1 / n)
    return hardest_sign_risk(1 / (_indices(count) * total), 1 / n, dimension, scheme)


@claim(
    "uarff/rate-tab-7",
    rate("n", -1 / 2),
    over=grid(n=[10**k for k in range(8, 17)], t=[1.5, 2.0]),
    reading="printed",
    expected="refuted",
    cite="uarff, Table 7, weighted sampling",
    title="Table 7, polynomial decay, features as printed",
    quote="WEIGHTED RFF: lambda_i ∝ i^-t, t > 1, s in Omega(n^1/2t · log n), O(1/sqrt(n))",
    restricts="t = 1.5 and 2; s = 5 n^(1/2t) log n; population scores at lambda = 1/n; n from 1e8",
    defect=TABLE_7,
)
def number_of_features_as_printed(*, n: int, t: float):
    """With eigenvalues i^-t and lambda = 1/n, n^(1/2t) log n features drawn by leverage give n^-1/2.

    The target is the first eigenfunction, for every n: ``sqrt(mu_1) x_1`` with fair signs as features, of norm 1, and
    absolute loss. If x_1 is not drawn, no function of the other signs, whatever the sample, has a mean loss below
    sqrt(mu_1). That has the chance ``(1 - q_1)^s``, which grows to one, as leverage sampling at lambda = 1/n spreads
    over d = n^(1/t) features. B.1 and B.2 hold, z_0 = 1. The quantity is this lower bound on the mean excess risk.
    Scores at lambda = n^-1/2 would not help: s features miss one of the first s + 1 signs, and sqrt(mu_s) is of order
    n^-1/4 (log n)^-t/2.
    """
    first = 1 / float(special.zeta(t))
    dimension = polynomial_effective_dimension(1 / n, decay=t, scale=first)
    chance = first / (first + 1 / n) / dimension
    return math.sqrt(first) * math.exp(math.ceil(5 * n ** (1 / (2 * t)) * math.log(n)) * math.log1p(-chance))


@claim(
    "uarff/rate-tab-7",
    rate("n", -1 / 2),
    over=grid(n=DOUBLING, t=[1.5, 2.0]),
    reading="corrected",
    cite="uarff, Table 7 with the n^(1/t) log n of its text",
    title="Table 7, polynomial decay, features as in the text",
    restricts=f"t = 1.5 and 2; {SIGNS}",
)
def number_of_features_of_the_text(*, n: int, t: float):
    """With eigenvalues i^-t and lambda = 1/n, n^(1/t) log n features drawn by leverage give n^-1/2."""
    return _polynomial_sign_risk(t, n, "leverage")


@claim(
    "uarff/rate-tab-7-finite",
    rate("n", -1.0),
    over=grid(n=SIZES, scheme=SCHEMES),
    cite="uarff, Table 7, rows of finite rank",
    title="Table 7, finite rank",
    restricts=f"rank 3, fixed eigenvalues, logistic loss; {CELLS}",
)
def refined_case_of_finite_rank(draw: Draw, *, n: int, scheme: Scheme):
    """With finite rank and lambda = n^-2, a constant number of features (plain: n^2) give 1/n."""
    return _logistic_risk(draw, finite_rank(n**-2, "fixed"), n, n**-2, scheme)


@claim(
    "uarff/rate-tab-7-geometric",
    rate("n", -1.0, log_power=1),
    over=grid(n=[4**k for k in range(6, 16)], scheme=SCHEMES),
    cite="uarff, Table 7, rows A^i",
    title="Table 7, geometric decay",
    restricts=f"A = 1/2, logistic loss; {CELLS.replace('256 to 4^10', '4^6 to 4^15')}",
)
def refined_case_of_geometric_decay(draw: Draw, *, n: int, scheme: Scheme):
    """With eigenvalues A^i and lambda = (log n / n)^2, log n log log n (plain: n^2) features give log n / n."""
    return _logistic_risk(draw, geometric(), n, (math.log(n) / n) ** 2, scheme)


@claim(
    "uarff/rate-thm-15-hinge",
    rate("n", -1 / 2),
    over=grid(n=SIZES, scheme=SCHEMES),
    cite="uarff, Theorem 15 with Corollaries 17 and 18",
    title="hinge loss, hardest labels",
    restricts=f"16 cells, g_H = +-1 of norm 16, labels as unclear as n points can tell; {CELLS}",
)
def hinge_loss_at_the_hardest_labels(draw: Draw, *, n: int, scheme: Scheme):
    """With lambda = 1/n the support vector machine on random features has an excess hinge risk of order n^-1/2.

    Labels are 1 with probability ``1/2 +- 1/4 (n pi_j)^-1/2``: the O(1/sqrt(n)) of (11) is reached.
    """
    cells = Cells.equal_halves(torch.ones(16, dtype=torch.float64), 1 / n)
    better = torch.tensor([1.0, -1.0], dtype=torch.float64).repeat(8)
    margins = better / 2 * (n * cells.masses) ** -0.5
    positive, negative = cells.labels(draw, n, (1 + margins) / 2)
    kernel = cells.kernel(draw, positive + negative, scheme)
    fitted = hinge_values(positive, negative, kernel, cells.regularisation)
    return ((cells.masses * margins).to(fitted) * (better.to(fitted) - fitted)).sum(-1)


@claim(
    "uarff/rate-thm-15-logistic",
    rate("n", -1 / 2),
    over=grid(n=SIZES, scheme=SCHEMES),
    cite="uarff, Theorem 15 with Corollaries 17 and 18",
    title="logistic loss",
    restricts=f"eigenvalues i^-3; {CELLS}",
)
def logistic_loss(draw: Draw, *, n: int, scheme: Scheme):
    """With lambda = 1/n logistic regression on random features has an excess risk of order n^-1/2 at most."""
    return _logistic_risk(draw, polynomial(3.0, 512), n, 1 / n, scheme)


@claim(
    "uarff/rate-thm-21",
    rate("n", -1 / 2),
    over=grid(n=SIZES, spectrum=["geometric", "polynomial"]),
    cite="uarff, Theorem 21",
    title="Algorithm 1, logistic loss",
    restricts=f"A = 1/2 and i^-3, logistic loss, a pool of 7 / lambda log(...); {CELLS}",
)
def resampled_features(draw: Draw, *, n: int, spectrum: str):
    """With lambda = lambda* = 1/n and features resampled from a pool, the excess risk is of order n^-1/2 at most."""
    eigenvalues = geometric() if spectrum == "geometric" else polynomial(3.0, 512)
    return _logistic_risk(draw, eigenvalues, n, 1 / n, "pool")


def _polynomial_sign_risk(decay: float, n: int, scheme: Scheme) -> float:
    total = float(special.zeta(decay))
    dimension = polynomial_effective_dimension(1 / n, decay=decay, scale=1 / total)
    return hardest_sign_risk(_indices(64 * n) ** -decay / total, 1 / n, dimension, scheme)


def _indices(largest: int) -> Tensor:
    """Whole numbers from 1 to the largest, at most 400, evenly spread in their logarithms."""
    return torch.as_tensor(np.unique(np.geomspace(1, largest, 400).round()))


def _logistic_risk(draw: Draw, spectrum: Tensor, n: int, regularisation: float, scheme: Scheme) -> Tensor:
    cells = Cells.equal_halves(spectrum, regularisation)
    positive, negative = cells.labels(draw, n, cells.hardest_target().sigmoid())
    return cells.logistic_risk(positive, negative, cells.kernel(draw, positive + negative, scheme))
