"""What ridge regression on features costs, in steps and in numbers kept, and the numbers of features of Section 4."""

from fractions import Fraction
from typing import Literal

import numpy as np

from bounds.random_features.rates import feature_count_exponent
from bounds.random_features.spectra import Spectrum
from harness import Row, always, claim, grid, reproduction
from harness.claims.counted import Counted, Steps, inner

from .prior_work import SAME, compared
from .symbols import PLAIN_FEATURES
from .table_rows import Factor, Powers

_FACTORS: tuple[Factor, ...] = ("n", "log n", "log log n")
_SIZES = [{"n": n, "s": s} for n, s in [(1, 1), (40, 1), (40, 4), (40, 12), (12, 12)]]


@claim(
    "uarff/cost-ridge",
    always(),
    over=_SIZES,
    cite="uarff, below Proposition 8: computational complexity O(s^3 + n s^2)",
    sizes="n <= 40, s <= 12; arithmetic is counted, by Cholesky's factorisation",
)
def ridge_regression_takes_so_many_steps(*, n: int, s: int):
    """The coefficients (7) of s features on n points take at most 4 n s^2 + 12 s^3 steps.

    s (s + 1) / 2 + s inner products of length n, a factorisation of about s^3 / 3 steps, and two triangular systems.
    """
    return counted_ridge(*sample(n, s), ridge=0.5)[0].steps.taken, 4 * n * s**2 + 12 * s**3


@claim(
    "uarff/cost-ridge-memory",
    always(),
    over=_SIZES,
    cite="uarff, below Proposition 8: space complexity O(ns)",
    sizes="n <= 40, s <= n; numbers are counted",
)
def ridge_regression_keeps_so_many_numbers(*, n: int, s: int):
    """Features, targets, the s x s matrix, its factor and s right sides are at most 5 n s numbers where s <= n."""
    features, targets = sample(n, s)
    gram, moments = normal_equations(features, targets, ridge=0.5)
    factor = cholesky(gram)
    kept = [features.size, targets.size, sum(map(len, gram)), sum(map(len, factor)), len(moments)]
    return sum(kept), 5 * n * s


Matrix = list[list[Counted]]


def sample(n: int, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Features (n, s) and targets (n,)."""
    generator = np.random.default_rng([n, s])
    return generator.normal(size=(n, s)), generator.normal(size=n)


def normal_equations(features: np.ndarray, targets: np.ndarray, *, ridge: float) -> tuple[Matrix, list[Counted]]:
    """The lower half of Z^T Z + s n lambda I, row by row, and Z^T Y; `ridge` is n lambda."""
    steps = Steps()
    columns = [[Counted(float(entry), steps) for entry in column] for column in features.T]
    y = [Counted(float(entry), steps) for entry in targets]
    gram = [[inner(columns[i], columns[j]) for j in range(i + 1)] for i in range(len(columns))]
    for i, row in enumerate(gram):
        row[i] = row[i] + Counted(ridge * len(columns), steps)
    return gram, [inner(column, y) for column in columns]


def cholesky(matrix: Matrix) -> Matrix:
    """The lower triangular factor of a positive definite matrix, of which the lower half is given."""
    factor: Matrix = []
    for i, row in enumerate(matrix):
        factor.append([])
        for j in range(i + 1):
            rest = row[j]
            for k in range(j):
                rest = rest - factor[i][k] * factor[j][k]
            factor[i].append(rest.sqrt() if i == j else rest / factor[j][j])
    return factor


def counted_ridge(features: np.ndarray, targets: np.ndarray, *, ridge: float) -> list[Counted]:
    """The coefficients (7), with the steps that they take."""
    gram, right = normal_equations(features, targets, ridge=ridge)
    factor, found = cholesky(gram), list(right)
    for i in range(len(found)):
        for k in range(i):
            found[i] = found[i] - factor[i][k] * found[k]
        found[i] = found[i] / factor[i][i]
    for i in reversed(range(len(found))):
        for k in range(i + 1, len(found)):
            found[i] = found[i] - factor[k][i] * found[k]
        found[i] = found[i] / factor[i][i]
    return found


@claim(
    "uarff/sec-4-counts",
    reproduction(tolerance=0.01, sided="at most"),
    cite="uarff, Section 4, below Theorem 20",
    restricts="geometric decay alone, where the sentence names no spectrum; what the theorem asks for",
)
def features_of_the_pool_and_of_the_estimator():
    """At lambda = lambda* = n^-1/2 a pool of sqrt n log n features and log n log log n of them suffice.

    For geometric decay, by Theorem 20. For eigenvalues i^-2t the estimator takes n^(1/4t) log n features (tab-1).
    """
    printed: dict[Literal["plain", "leverage"], Powers] = {"plain": (Fraction(1, 2), 1, 0), "leverage": (0, 1, 1)}
    rows: list[Row] = []
    for sampling, theirs in printed.items():
        powers = [
            feature_count_exponent("geometric", Fraction(1, 2), sampling=sampling, of=factor) for factor in _FACTORS
        ]
        larger = compared((powers[0], powers[1], powers[2]), theirs)
        rows.append(Row(f"{sampling} features, more than printed", larger, printed=SAME))
    return rows


_SPECTRA = grid(spectrum=["finite rank", "geometric", "polynomial", "harmonic"])


@claim(
    "uarff/sec-4-features",
    always(),
    over=_SPECTRA,
    reading="printed",
    expected="refuted",
    cite="uarff, Section 4, below Theorem 20",
    quote="the spectral measure sampling (plain RFF), which requires Ω(n^{3/2}) features for in-sample training and "
    "Ω(sqrt(n) log n) for out-of-sample test predictions",
    defect=PLAIN_FEATURES,
)
def plain_features_for_training_as_printed(*, spectrum: Spectrum):
    """Plain sampling requires features of order n^(3/2) for in-sample training: powers of n, 3/2 <= what is asked for.

    Corollary 11 asks for sqrt(n) log d at lambda = n^-1/2, whatever the spectrum, and training and prediction use the
    same features. For eigenvalues i^-2 as well.
    """
    return 1.5, _plain_power(spectrum)


@claim(
    "uarff/sec-4-features",
    always(),
    over=_SPECTRA,
    reading="corrected",
    cite="uarff, Section 4, below Theorem 20, with steps for features",
    sizes="all four spectra, i^-2 for polynomial decay, up to logarithms",
)
def steps_of_prediction_in_sample(*, spectrum: Spectrum):
    """Predictions at n points take n sqrt(n) steps with plain features, up to logarithms: powers of n, 3/2 at most."""
    return 1 + _plain_power(spectrum), 1.5


def _plain_power(spectrum: Spectrum) -> float:
    """The power of n in the number of plain features at lambda = n^-1/2."""
    return float(feature_count_exponent(spectrum, Fraction(1, 2), decay=2, sampling="plain", of="n"))
