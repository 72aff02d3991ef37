"""Rows of Tables 1 to 9 of uarff: what is printed, what the theorem's formula gives, and how the two are compared.

A row is a spectrum of K / n, a sampling scheme and lambda. Its exponents are derived from the theorem's own formula in
exact fractions, and the power of n once more as the slope of the number itself (exact effective dimension, constant 5,
delta = 0.1; fixed point (10) with its constant 1) over n = 10^60, ..., 10^120.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

import torch

from bounds.random_features.feature_counts import leverage_feature_count, plain_feature_count
from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT
from bounds.random_features.rates import feature_count_exponent, risk_exponent
from bounds.random_features.spectra import Spectrum, spectral_effective_dimension, spectral_fixed_point_bound
from harness import Row

Factor: TypeAlias = Literal["n", "log n", "log log n"]
Powers: TypeAlias = tuple[Fraction | int, Fraction | int, Fraction | int]
"""Exponents of n, log n and log log n."""

HALF = Fraction(1, 2)
SIZES = [10.0**k for k in range(60, 121, 4)]
FACTORS = ("n", "log n", "log log n")


@dataclass(frozen=True)
class Printed:
    """One row as printed; lambda = n^-a (log n)^b is (a, b)."""

    spectrum: Spectrum
    sampling: Literal["leverage", "plain"]
    regularisation: tuple[Fraction | int, int]
    features: Powers
    rate: Powers
    decay: Fraction = Fraction(2)
    loss: Literal["squared", "lipschitz"] = "squared"
    analysis: Literal["worst case", "refined"] = "worst case"

    def at(self, n: float) -> float:
        """lambda at this n."""
        power, log_power = self.regularisation
        return float(n ** -float(power) * math.log(n) ** log_power)

    def count(self, n: float) -> float:
        """The number of features that the theorem asks for."""
        dimension = spectral_effective_dimension(self.spectrum, n, self.at(n), decay=float(self.decay))
        constant = PRINTED_THEOREM_CONSTANT
        if self.sampling == "leverage":
            return float(leverage_feature_count(dimension, 0.1, constant=constant))
        return float(
            plain_feature_count(dimension, 0.1, feature_bound=1.0, regularisation=self.at(n), constant=constant)
        )

    def risk(self, n: float) -> float:
        """The theorem's terms, their free constants taken as 1."""
        sampled = 4 * self.at(n) if self.loss == "squared" else math.sqrt(2 * self.at(n))
        if self.analysis == "worst case":
            return float(sampled + n**-0.5)
        return sampled + spectral_fixed_point_bound(self.spectrum, n, decay=float(self.decay))

    def derived_features(self, of: Factor) -> Fraction:
        """Exponent of one factor in the number of features."""
        power, log_power = self.regularisation
        return feature_count_exponent(
            self.spectrum,
            power,
            decay=self.decay,
            regularisation_log_power=log_power,
            sampling=self.sampling,
            of=of,
        )

    def derived_rate(self, of: Factor) -> Fraction:
        """Exponent of one factor in the risk."""
        power, log_power = self.regularisation
        return risk_exponent(
            self.spectrum,
            power,
            decay=self.decay,
            regularisation_log_power=log_power,
            loss=self.loss,
            analysis=self.analysis,
            of=of,
        )

    @property
    def label(self) -> str:
        """Sampling and spectrum."""
        return (
            f"{self.sampling}, i^-{self.decay}"
            if self.spectrum == "polynomial"
            else f"{self.sampling}, {self.spectrum}"
        )


def judged(rows: list[Printed]) -> list[Row]:
    """Each cell, derived and fitted, beside its printed growth."""
    return [line for row in rows for line in _lines(row)]


def _lines(row: Printed) -> Iterator[Row]:
    for name, derive, printed, value in (
        ("features", row.derived_features, row.features, row.count),
        ("rate", row.derived_rate, row.rate, row.risk),
    ):
        found = (derive("n"), derive("log n"), derive("log log n"))
        label = f"{row.label}: {name}"
        yield Row(f"{label}, power of n, fitted", _slope(value, found), printed=float(printed[0]))
        for factor, ours, theirs in zip(FACTORS, found, printed, strict=True):
            yield Row(f"{label}, power of {factor}", float(ours), printed=float(theirs))
            if ours != theirs:
                break


def _slope(value: Callable[[float], float], powers: Powers) -> float:
    """Least-squares slope in log n, without the logarithms that the derivation finds."""
    logs = torch.tensor(SIZES, dtype=torch.float64).log()
    values = torch.tensor([value(n) for n in SIZES], dtype=torch.float64).log()
    rest = values - float(powers[1]) * logs.log() - float(powers[2]) * logs.log().log()
    centred = logs - logs.mean()
    return float((centred * rest).sum() / centred.square().sum())


def worst_case(t: float) -> list[Printed]:
    """Table 1, with the n^(1/4t) of its text; lambda = n^-1/2, eigenvalues i^-2t."""
    decay, rate, ridge = 2 * Fraction(t), (-HALF, 0, 0), (HALF, 0)
    return [
        Printed("finite rank", "leverage", ridge, (0, 0, 0), rate),
        Printed("geometric", "leverage", ridge, (0, 1, 1), rate),
        Printed("polynomial", "leverage", ridge, (1 / (2 * decay), 1, 0), rate, decay),
        Printed("harmonic", "leverage", ridge, (HALF, 1, 0), rate),
        Printed("finite rank", "plain", ridge, (HALF, 0, 0), rate),
        Printed("geometric", "plain", ridge, (HALF, 0, 1), rate),
        Printed("polynomial", "plain", ridge, (HALF, 1, 0), rate, decay),
        Printed("harmonic", "plain", ridge, (HALF, 1, 0), rate),
    ]


def refined(t: float) -> list[Printed]:
    """Table 2; lambda = 1/n, log n / n and n^-1/2, eigenvalues i^-t."""
    decay, line, log_line, root = Fraction(t), (-1, 0, 0), (-1, 1, 0), (-HALF, 0, 0)
    rows = [
        Printed("finite rank", "leverage", (1, 0), (0, 0, 0), line),
        Printed("geometric", "leverage", (1, 1), (0, 1, 1), log_line),
        Printed("polynomial", "leverage", (HALF, 0), (1 / (2 * decay), 1, 0), root, decay),
        Printed("finite rank", "plain", (1, 0), (1, 0, 0), line),
        Printed("geometric", "plain", (1, 1), (1, 0, 0), log_line),
        Printed("polynomial", "plain", (HALF, 0), (HALF, 1, 0), root, decay),
    ]
    return [replace(row, analysis="refined") for row in rows]


def lipschitz(t: float) -> list[Printed]:
    """Table 6; lambda = 1/n, eigenvalues i^-2t."""
    decay, rate, ridge = 2 * Fraction(t), (-HALF, 0, 0), (1, 0)
    rows = [
        Printed("finite rank", "leverage", ridge, (0, 0, 0), rate),
        Printed("geometric", "leverage", ridge, (0, 1, 1), rate),
        Printed("polynomial", "leverage", ridge, (1 / decay, 1, 0), rate, decay),
        Printed("harmonic", "leverage", ridge, (1, 1, 0), rate),
        Printed("finite rank", "plain", ridge, (1, 0, 0), rate),
        Printed("geometric", "plain", ridge, (1, 0, 1), rate),
        Printed("polynomial", "plain", ridge, (1, 1, 0), rate, decay),
        Printed("harmonic", "plain", ridge, (1, 1, 0), rate),
    ]
    return [replace(row, loss="lipschitz") for row in rows]


def refined_lipschitz(t: float) -> list[Printed]:
    """Table 7, with the n^(1/t) of its text; lambda = 1/n^2, (log n / n)^2 and 1/n, eigenvalues i^-t."""
    decay, line, log_line, root = Fraction(t), (-1, 0, 0), (-1, 1, 0), (-HALF, 0, 0)
    rows = [
        Printed("finite rank", "leverage", (2, 0), (0, 0, 0), line),
        Printed("geometric", "leverage", (2, 2), (0, 1, 1), log_line),
        Printed("polynomial", "leverage", (1, 0), (1 / decay, 1, 0), root, decay),
        Printed("finite rank", "plain", (2, 0), (2, 0, 0), line),
        Printed("geometric", "plain", (2, 2), (2, 0, 0), log_line),
        Printed("polynomial", "plain", (1, 0), (1, 1, 0), root, decay),
    ]
    return [replace(row, loss="lipschitz", analysis="refined") for row in rows]


def only(rows: list[Printed], sampling: str) -> list[Printed]:
    """The rows of one sampling scheme."""
    return [row for row in rows if row.sampling == sampling]


def with_cell(rows: list[Printed], sampling: str, features: Powers) -> list[Printed]:
    """The same rows with another printed cell for polynomial decay."""
    return [
        replace(row, features=features) if (row.spectrum, row.sampling) == ("polynomial", sampling) else row
        for row in rows
    ]
