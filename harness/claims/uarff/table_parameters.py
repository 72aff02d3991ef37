"""Tables 1, 2, 3, 5, 6 and 8, Remark 13 and the conclusion, for all parameters: t, A, the rank, R_0, z_0, delta and n.

Each claim says that what the theorem asks for is at most C times the printed number of features, and what it promises
at most C times the printed rate, with an explicit C that is free of n (`table_growth`).
"""

from dataclasses import replace
from typing import TypeAlias

from torch import Tensor

from bounds.random_features.spectra import Spectrum
from harness import Forall, always, claim

from .table_growth import Analysis, GrowthRow, Loss, Parameters, Power, largest, parameters

Line: TypeAlias = tuple[Power, float, Power, float]
"""lambda = n^-line[0] (log n)^line[1], and the rate n^line[2] (log n)^line[3]."""

SIZES = (
    "every row of this paper; t from 1 to 20, A from .05 to .98, rank to 50, R_0 and z_0^2 from .01 to 100, "
    "delta from 1e-6, n from 16 to exp(10^6); C explicit and free of n"
)

FAST_SIZES = SIZES.replace("t from 1 ", "t from 1.05 ")


def _rows(features: list[tuple[Power, float, float]], decay: float, lines: list[Line]) -> list[GrowthRow]:
    """One row for each spectrum, in the order of the tables: the last has no refined case."""
    spectra: tuple[Spectrum, ...] = ("finite rank", "geometric", "polynomial", "harmonic")
    return [
        GrowthRow(spectrum, line[:2], cell, line[2:], decay)
        for spectrum, cell, line in zip(spectra, features, lines, strict=False)
    ]


def _half(t: Tensor) -> Tensor:
    return 1 / (2 * t)


WORST: dict[str, list[GrowthRow]] = {
    "leverage": _rows([(0.0, 0, 0), (0.0, 1, 1), (_half, 1, 0), (0.5, 1, 0)], 2.0, [(0.5, 0, -0.5, 0)] * 4),
    "plain": _rows([(0.5, 0, 0), (0.5, 0, 1), (0.5, 1, 0), (0.5, 1, 0)], 2.0, [(0.5, 0, -0.5, 0)] * 4),
}
_FAST: list[Line] = [(1.0, 0, -1.0, 0), (1.0, 1, -1.0, 1), (0.5, 0, -0.5, 0)]
REFINED: dict[str, list[GrowthRow]] = {
    "leverage": _rows([(0.0, 0, 0), (0.0, 1, 1), (_half, 1, 0)], 1.0, _FAST),
    "plain": _rows([(1.0, 0, 0), (1.0, 0, 0), (0.5, 1, 0)], 1.0, _FAST),
}
LIPSCHITZ: dict[str, list[GrowthRow]] = {
    "leverage": _rows([(0.0, 0, 0), (0.0, 1, 1), (_half, 1, 0), (1.0, 1, 0)], 2.0, [(1.0, 0, -0.5, 0)] * 4),
    "plain": _rows([(1.0, 0, 0), (1.0, 0, 1), (1.0, 1, 0), (1.0, 1, 0)], 2.0, [(1.0, 0, -0.5, 0)] * 4),
}


def worst_of_both(p: Parameters, rows: dict[str, list[GrowthRow]], loss: Loss, analysis: Analysis) -> Tensor:
    """The largest ratio of any row of either sampling scheme."""
    return largest([worst_ratio(p, each, sampling, loss, analysis) for sampling, each in rows.items()])


def worst_ratio(p: Parameters, rows: list[GrowthRow], sampling: str, loss: Loss, analysis: Analysis) -> Tensor:
    """The largest ratio of any cell, of features or rate, to C times its printed growth."""
    ratios = [row.feature_ratio(p, sampling) for row in rows]
    return largest(ratios + [row.risk_ratio(p, loss, analysis) for row in rows])


@claim("uarff/tab-1-parameters", always(), cite="uarff, Table 1", sizes=SIZES)
def worst_case(forall: Forall):
    """Table 1: at lambda = n^-1/2 the printed features, times C, are as many as Corollaries 10 and 11 ask for.

    And 4 lambda + O(1 / sqrt(n)), with the risk of kernel ridge regression itself, is at most C n^-1/2. For every
    spectrum of a row; the cell n^(1/2t) log n is more than the n^(1/4t) log n that suffice.
    """
    return worst_of_both(parameters(forall), WORST, "squared", "worst case"), 1.0


@claim("uarff/tab-2-parameters", always(), cite="uarff, Table 2", sizes=FAST_SIZES)
def refined(forall: Forall):
    """Table 2: at lambda = 1/n, log n / n and n^-1/2 the printed features, times C, are as many as Theorem 12 asks for.

    And the terms of (9), r* by (10), and the risk of kernel ridge regression itself, are at most C times the printed
    rate. For A^i with h = ceil(log n / log(1/A)); the ceil(log n) of the text is too small for A > 1/e
    (rate-sec-6.3-cut).
    """
    return worst_of_both(parameters(forall, 1.05), REFINED, "squared", "refined"), 1.0


@claim("uarff/tab-3-parameters", always(), cite="uarff, Table 3, this work", sizes=SIZES)
def plain_worst_case(forall: Forall):
    """Table 3, rows of this paper: the plain features of the worst case, for every spectrum of a row."""
    return worst_ratio(parameters(forall), WORST["plain"], "plain", "squared", "worst case"), 1.0


@claim(
    "uarff/tab-5-parameters",
    always(),
    cite="uarff, Table 5, this work",
    sizes=FAST_SIZES,
)
def weighted_refined(forall: Forall):
    """Table 5, rows of this paper: leverage weighted features of the refined analysis, for every spectrum of a row."""
    return worst_ratio(parameters(forall, 1.05), REFINED["leverage"], "leverage", "squared", "refined"), 1.0


@claim("uarff/tab-6-parameters", always(), cite="uarff, Table 6", sizes=SIZES)
def lipschitz_worst_case(forall: Forall):
    """Table 6: at lambda = 1/n the printed features, times C, are as many as Corollaries 17 and 18 ask for.

    And sqrt(2 lambda) + O(1 / sqrt(n)) is at most C n^-1/2, for every spectrum of a row.
    """
    return worst_of_both(parameters(forall), LIPSCHITZ, "lipschitz", "worst case"), 1.0


@claim("uarff/tab-8-parameters", always(), cite="uarff, Table 8, this work", sizes=SIZES)
def lipschitz_against_prior_work(forall: Forall):
    """Table 8, rows of this paper: those of Table 6, for every spectrum of a row."""
    return worst_of_both(parameters(forall), LIPSCHITZ, "lipschitz", "worst case"), 1.0


_POOL = [("plain", row) for row in WORST["plain"]] + [("leverage", row) for row in WORST["leverage"][:2]]


@claim(
    "uarff/sec-4-parameters",
    always(),
    reading="corrected",
    cite="uarff, Section 4, below Theorem 20 and below Theorem 21",
    sizes="a pool for every row of Table 1; " + SIZES.split("; ", 1)[1],
)
def features_of_a_prediction(forall: Forall):
    """At lambda = n^-1/2 a pool of sqrt n log n features, and log n log log n of them for a prediction, suffice.

    Up to a factor C free of n, by Theorem 20 with its 5, d_K by its bounds. A prediction takes as many steps as it has
    features, up to a constant. The pool for any spectrum; the features of a prediction for finite rank and geometric
    decay, a condition that the sentence does not name: for i^-2t they are n^(1/4t) log n.
    """
    p = parameters(forall)
    cells = {"plain": (0.5, 1.0, 0.0), "leverage": (0.0, 1.0, 1.0)}
    return largest([replace(row, features=cells[name]).feature_ratio(p, name) for name, row in _POOL]), 1.0


def _best(t: Tensor) -> Tensor:
    return t / (t + 1)


def _slower(t: Tensor) -> Tensor:
    return -t / (t + 1)


_SOURCE = [
    GrowthRow("finite rank", (1.0, 0), (0.0, 0, 0), (-1.0, 0), 1.0),
    GrowthRow("polynomial", (_best, 0), (lambda t: 1 / (t + 1), 1, 0), (_slower, 0), 1.0),
]


@claim(
    "uarff/rem-13-parameters",
    always(),
    cite="uarff, Remark 13",
    sizes="c = 1, b from 1.05 to 20 and finite rank to 50; R_0 from .01 to 100, n from 16 to exp(10^6); C explicit",
)
def risk_at_the_rates_of_caponnetto_and_de_vito(forall: Forall):
    """With c = 1 and lambda = n^(-b/(b+1)) each term of (9) is at most C n^(-b/(b+1)), for finite rank at most C / n.

    These are the rates of Caponnetto and De Vito, from n^-1/2 (b = 1) to 1/n: r* by (10) at h = n^(1/(b+1)), the term
    lambda, and their bound lambda + d / n for kernel ridge regression itself, with n^(1/(b+1)) log n features. The rows
    i^-t of Tables 2, 4 and 5 stop at n^-1/2.
    """
    return worst_ratio(parameters(forall, 1.05), _SOURCE, "leverage", "squared", "best"), 1.0


def _excess(t: Tensor) -> Tensor:
    """The largest log n n^(1/(2t) - 1/2) over n, or 1."""
    return (2 * t / (2.718281828459045 * (t - 1))).clamp_min(1.0)


_ROOT = [
    GrowthRow("finite rank", (1.0, 0), (0.5, 0, 0), (-0.5, 0)),
    GrowthRow("geometric", (1.0, 0), (0.5, 0, 0), (-0.5, 0)),
    GrowthRow("polynomial", (1.0, 0), (0.5, 0, 0), (-0.5, 0), excess=_excess),
]
_CONSTANT = [GrowthRow("finite rank", (2.0, 0), (0.0, 0, 0), (-1.0, 0))]


@claim(
    "uarff/conclusion-parameters",
    always(),
    cite="uarff, conclusion, third paragraph",
    sizes="leverage sampling, finite rank, A^i and i^-2t; " + FAST_SIZES.split("; ", 1)[1],
)
def square_root_of_n_features_are_possible(forall: Forall):
    """With a Lipschitz loss C sqrt(n) features give the terms of (11) at most C n^-1/2, and C of them C / n.

    O(sqrt n) features "are possible": by leverage sampling, wherever eigenvalues decay faster than 1 / i^2; constantly
    many where the rank is finite, in the refined analysis at lambda = n^-2.
    """
    p = parameters(forall, 1.05)
    root = worst_ratio(p, _ROOT, "leverage", "lipschitz", "worst case")
    return largest([root, worst_ratio(p, _CONSTANT, "leverage", "lipschitz", "refined")]), 1.0
