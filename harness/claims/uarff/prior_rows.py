"""The rows of prior work in Tables 3, 4, 5, 8 and 9 by the theorems of this paper, for all parameters.

A row says that so many features give such a rate. Each follows from a theorem of the paper at the lambda that has the
rate: Theorems 9 and 12 with l~ = F lambda^-alpha p, which bounds the scores under the compatibility condition of Rudi
and Rosasco (alpha = 1 and F = z_0^2 in plain sampling), Corollary 18 for Rahimi and Recht, Corollary 17 for Bach, and
Theorem 19 for Sun et al. That the cited papers say the same is a matter of citation.
"""

import math
from typing import TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import softplus

from harness import Forall, always, claim

from .table_growth import LEAST, Analysis, GrowthRow, Parameters, largest, parameters, positive
from .table_parameters import FAST_SIZES, LIPSCHITZ, worst_ratio

Cell: TypeAlias = tuple[Tensor | float, Tensor | float]
"""Exponents of n and of log n."""


@claim(
    "uarff/prior-rows",
    always(),
    reading="corrected",
    cite="uarff, Tables 3, 4, 5, 8 and 9, rows of prior work",
    sizes="every row of prior work, as a statement on features and rates, whoever makes it; alpha from 0 to 1, d = 2 "
    "and 5; " + FAST_SIZES.split("; ", 1)[1],
)
def rows_of_prior_work(forall: Forall):
    """The printed numbers of features, times C, are as many as the theorems ask for at the printed rates, times C.

    For every row of prior work, with i^-2t for the i^-t of Tables 4 and 5, as their rates have it; with n^(2 t alpha /
    (2t+1)) log n for the n^(alpha/(2t+1)) log n of Table 5; and with the minus signs that the rates of Table 9 lack.
    What is printed there is judged by rate-tab-4-prior, rate-tab-5-prior and tab-9-prior-polynomial. The rates have all
    terms of the theorems, r* by (10) at its best h, and the risk of kernel ridge regression itself.
    """
    p, alpha = parameters(forall, 1.05), forall.interval("alpha", 0.0, 1.0)
    fast = 2 * p.t / (2 * p.t + 1)
    cells: list[tuple[list[GrowthRow], list[Tensor | float], list[Cell], Analysis]] = [
        (_WORST, [1.0] * 4, [(0.5, 1.0)] * 4, "worst case"),
        (_FAST, [1.0] * 3, [(1.0, 0.0), (1.0, 0.0), (fast, 1.0)], "best"),
        (_FAST, [0.0, alpha, alpha], [(0.0, 0.0), (alpha, 1.0 - alpha), (alpha * fast, 1.0)], "best"),
    ]
    rudi_rosasco = [
        _compatible(p, row, power, cell, analysis)
        for rows, powers, features, analysis in cells
        for row, power, cell in zip(rows, powers, features, strict=True)
    ]
    rahimi_recht = worst_ratio(p, _RAHIMI_RECHT, "plain", "lipschitz", "worst case")
    bach = worst_ratio(p, LIPSCHITZ["leverage"][1:], "leverage", "lipschitz", "worst case")
    sun = worst_ratio(p, _SUN, "leverage", "lipschitz", "best")
    return largest([*rudi_rosasco, rahimi_recht, bach, sun, *(_several_dimensions(p, d) for d in (2, 5))]), 1.0


def _compatible(p: Parameters, row: GrowthRow, alpha: Tensor | float, cell: Cell, analysis: Analysis) -> Tensor:
    """The larger of 5 F lambda^-alpha log(16 d / delta) and the risk, each over C times its cell."""
    (found, constant), level = row.dimension(p), math.log(16) - p.delta.log()
    count = positive(level + found).log() - alpha * row.log_regularisation(p)
    printed = cell[0] * p.log_n + cell[1] * p.log_n.log() + (1 + positive(level + constant)).log()
    return torch.maximum((count - printed).exp(), row.risk_ratio(p, "squared", analysis))


def _fast(t: Tensor) -> Tensor:
    return 2 * t / (2 * t + 1)


_NONE = (0.0, 0.0, 0.0)
"""The cells of Rudi and Rosasco depend on alpha and are not part of the row."""

_WORST = [
    GrowthRow("finite rank", (0.5, 0), _NONE, (-0.5, 0)),
    GrowthRow("geometric", (0.5, 0), _NONE, (-0.5, 0)),
    GrowthRow("polynomial", (0.5, 0), _NONE, (-0.5, 0)),
    GrowthRow("harmonic", (0.5, 0), _NONE, (-0.5, 0)),
]
_FAST = [
    GrowthRow("finite rank", (1.0, 0), _NONE, (-1.0, 0)),
    GrowthRow("geometric", (1.0, 1), _NONE, (-1.0, 1)),
    GrowthRow("polynomial", (_fast, 0), _NONE, (lambda t: -_fast(t), 0)),
]
_RAHIMI_RECHT = [
    GrowthRow(row.spectrum, row.regularisation, (1.0, 1, 0), row.rate, row.decay) for row in LIPSCHITZ["plain"]
]
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
    """log^d n (log log n)^d features and the rate log^(d+2) n / n at lambda = n^-2, for eigenvalues R_0 exp(-i^(1/d)).

    Their effective dimension is at most (1 + d!) (1 + log(1 + R_0 / lambda))^d: the integral of the terms. With h =
    ceil(log^d n) the bound on r* is h / n + sqrt(tail / n), and the tail at most R_0 d d! log^(d-1) n / n, also an
    integral.
    """
    growth = (1 / LEAST + 2 + softplus(p.log_scale) / LEAST).log()
    factor = math.log(1 + math.factorial(d))
    found, constant = factor + d * torch.log1p(softplus(p.log_scale + 2 * p.log_n)), factor + d * growth
    level = math.log(16) - p.delta.log()
    count = found + positive(level + found).log() - constant - (d + positive(level + constant)).log()
    tail = p.log_scale + math.log(d * math.factorial(d)) + (d - 1) * p.log_n.log()
    cut = (p.log_n**d).ceil().log()
    risk = torch.logaddexp(cut, tail / 2) - (2 + ((p.log_scale + math.log(d * math.factorial(d))) / 2).exp()).log()
    return torch.maximum((count - p.growth(0.0, d, d)).exp(), (risk - (d + 2) * p.log_n.log()).exp())
