"""What prior work proves, by its own formulas, against its rows in Tables 3, 4, 5, 8 and 9, for all parameters.

Rudi and Rosasco ask for lambda^-alpha log(108 kappa^2 / (lambda delta)) features, alpha = 1 for plain sampling, at
lambda = n^-1/2, and for fast rates at lambda = n^(-1/(1+gamma)) for eigenvalues i^(-1/gamma) and c = 1, log n / n for
geometric ones; Rahimi and Recht have an error of 1/sqrt(s) + 1/sqrt(n); Bach and Sun et al. ask for 5 d log(16 d /
delta) features. Their papers were not at hand.
"""

import math
from typing import TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import softplus

from harness import Forall, always, claim

from .table_growth import LEAST, GrowthRow, Parameters, largest, parameters, positive
from .table_parameters import FAST_SIZES, LIPSCHITZ, worst_ratio

Exponents: TypeAlias = tuple[Tensor | float, Tensor | float]
"""Of n and of log n."""
Cells: TypeAlias = tuple[Exponents, Exponents, Exponents]
"""1 / lambda, the number of features and the rate."""


@claim(
    "uarff/prior-rows",
    always(),
    reading="corrected",
    cite="uarff, Tables 3, 4, 5, 8 and 9, rows of prior work",
    sizes="every row of prior work; alpha from 0 to 1, d = 2 and 5; " + FAST_SIZES.split("; ", 1)[1],
    restricts="the formulas of prior work are not checked against its papers",
)
def rows_of_prior_work(forall: Forall):
    """Prior work asks for at most C times its printed numbers of features, and promises at most C times its rates.

    With i^-2t for the i^-t of Tables 4 and 5, as their rates have it; with n^(2 t alpha / (2t+1)) log n for the
    n^(alpha/(2t+1)) log n of Table 5; with a logarithm where the rank is finite in Tables 4 and 5, as every number of
    Rudi and Rosasco has one; and with the minus signs that the rates of Table 9 lack. Rahimi and Recht need n features:
    n log n is more.
    """
    p, alpha = parameters(forall, 1.05), forall.interval("alpha", 0.0, 1.0)
    exponents: dict[str, list[Tensor | float]] = {
        "3": [1.0],
        "4": [1.0] * 3,
        "5": [0.0, alpha, alpha],
    }  # 0: finite rank
    rudi_rosasco = [
        _rudi_rosasco(p, power, cells)
        for table, powers in exponents.items()
        for power, cells in zip(powers, _cells(p.t, alpha)[table], strict=True)
    ]
    rahimi_recht = (torch.logaddexp(-p.growth(1.0, 1) / 2, -p.log_n / 2) + p.log_n / 2).exp() / 2
    bach = worst_ratio(p, LIPSCHITZ["leverage"][1:], "leverage", "lipschitz", "worst case")
    sun = [row.feature_ratio(p, "leverage") for row in _SUN] + [_several_dimensions(p, d) for d in (2, 5)]
    sampled = [(row.log_regularisation(p) / 2 - p.growth(*row.rate)).exp() for row in _SUN]
    return largest([*rudi_rosasco, rahimi_recht, bach, *sun, *sampled]), 1.0


def _rudi_rosasco(p: Parameters, alpha: Tensor | float, cells: Cells) -> Tensor:
    """lambda^-alpha log(108 kappa^2 / (lambda delta)) and lambda, each over C times its cell."""
    inverse, features, rate = (exponents[0] * p.log_n + exponents[1] * p.log_n.log() for exponents in cells)
    level = math.log(108) + p.log_bound - p.delta.log()
    count = alpha * inverse + positive(level + inverse).log() - (1 + positive(level)).log()
    return torch.maximum(count - features, -inverse - rate).exp()


def _cells(t: Tensor, alpha: Tensor) -> dict[str, list[Cells]]:
    """The rows of Rudi and Rosasco for finite rank, A^i and i^-2t; in the worst case all are the same."""
    fast = 2 * t / (2 * t + 1)
    return {
        "3": [((0.5, 0.0), (0.5, 1.0), (-0.5, 0.0))],
        "4": [
            ((1.0, 0.0), (1.0, 1.0), (-1.0, 0.0)),
            ((1.0, -1.0), (1.0, 0.0), (-1.0, 1.0)),
            ((fast, 0.0), (fast, 1.0), (-fast, 0.0)),
        ],
        "5": [
            ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
            ((1.0, -1.0), (alpha, 1.0 - alpha), (-1.0, 1.0)),
            ((fast, 0.0), (alpha * fast, 1.0), (-fast, 0.0)),
        ],
    }


_SUN = [
    GrowthRow("finite rank", (2.0, 0), (0.0, 0, 0), (-1.0, 0), 1.0),
    GrowthRow(
        "polynomial",
        (lambda t: 2 * t / (2 + t), 0),
        (lambda t: 2 / (2 + t), 1, 0),
        (lambda t: -t / (2 + t), 0),
        1.0,
    ),
]


def _several_dimensions(p: Parameters, d: int) -> Tensor:
    """log^d n (log log n)^d features at lambda = n^-2 for eigenvalues R_0 exp(-i^(1/d)).

    Their effective dimension is at most (1 + d!) (1 + log(1 + R_0 / lambda))^d: the integral of the terms.
    """
    growth = (1 / LEAST + 2 + softplus(p.log_scale) / LEAST).log()
    factor = math.log(1 + math.factorial(d))
    found, constant = factor + d * torch.log1p(softplus(p.log_scale + 2 * p.log_n)), factor + d * growth
    level = math.log(16) - p.delta.log()
    count = found + positive(level + found).log() - constant - (d + positive(level + constant)).log()
    return (count - p.growth(0.0, d, d)).exp()
