"""Effective dimensions between their integrals, and exponents against slopes over many decades of n."""

from fractions import Fraction

import numpy as np
import pytest

from bounds.random_features import rates, spectra
from bounds.random_features._growth import LOG, ONE, Growth, N

SPECTRA = ("finite rank", "geometric", "polynomial", "harmonic")
SIZES = [10.0**k for k in range(60, 121, 2)]


@pytest.mark.parametrize("n", [1, 5, 1000, 10**6])
def test_harmonic_dimension_is_the_sum(n: int) -> None:
    indices = np.arange(1, n + 1)
    total = (1 / indices).sum()
    for regularisation in (1 / n, n**-0.5, 2.0):
        exact = (1 / (1 + regularisation * total * indices)).sum()
        assert spectra.harmonic_effective_dimension(n, regularisation) == pytest.approx(exact, rel=1e-9)
        assert (
            exact <= spectra.harmonic_dimension_bound(n, regularisation) * (1 + 1e-12) <= (1 + 1e-12) / regularisation
        )


@pytest.mark.parametrize("decay", [1.5, 2.0, 4.0])
def test_fixed_point_is_within_twice_the_best_cut(decay: float) -> None:
    """The slope is -a / (1 + a), not the -1/2 of h = 0."""
    for n in (10, 1000, 10**5):
        tails = np.cumsum(np.arange(1, 200_000, dtype=float)[::-1] ** -decay)[::-1]
        tails += 200_000 ** (1 - decay) / (decay - 1)
        best = (np.arange(n + 1) / n + np.sqrt(tails[: n + 1] / n)).min()
        assert best * (1 - 1e-3) <= spectra.spectral_fixed_point_bound("polynomial", n, decay=decay) <= 2 * best
    slope = slope_of([spectra.spectral_fixed_point_bound("polynomial", n, decay=decay) for n in SIZES])
    assert slope == pytest.approx(float(rates.fixed_point_exponent("polynomial", decay=decay)), abs=0.01)


def slope_of(values: list[float], log_power: Fraction | int = 0, iterated: Fraction | int = 0) -> float:
    """Slope in log n of what is left after dividing the logarithms out."""
    logs = np.log(np.array(SIZES))
    rest = np.log(values) - float(log_power) * np.log(logs) - float(iterated) * np.log(np.log(logs))
    return float(np.polyfit(logs, rest, 1)[0])


@pytest.mark.parametrize(
    ("spectrum", "exponent"),
    [
        (spectrum, exponent)
        for spectrum in SPECTRA
        for exponent in (Fraction(1, 2), Fraction(1), Fraction(2))
        if spectrum != "harmonic" or exponent <= 1  # beyond, lambda is below the smallest eigenvalue: the sum is n
    ],
)
@pytest.mark.parametrize("decay", [Fraction(3, 2), Fraction(4)])
def test_exponents_are_the_slopes_of_exact_dimensions(spectrum, exponent, decay) -> None:
    """All three exponents at once: what they leave over grows like no power of n (0.01) and no power of log n (1/4)."""
    values = [
        spectra.spectral_effective_dimension(spectrum, n, n ** -float(exponent), decay=float(decay)) for n in SIZES
    ]
    found = [
        rates.effective_dimension_exponent(spectrum, exponent, decay=decay, of=of) for of in ("n", "log n", "log log n")
    ]
    assert slope_of(values, *found[1:]) == pytest.approx(float(found[0]), abs=0.01)
    rest = np.log(values) - float(found[0]) * np.log(SIZES) - float(found[2]) * np.log(np.log(np.log(SIZES)))
    assert np.polyfit(np.log(np.log(SIZES)), rest, 1)[0] == pytest.approx(float(found[1]), abs=0.25)


def test_counts_and_rates_at_the_settings_of_the_paper() -> None:
    half = Fraction(1, 2)
    assert rates.feature_count_exponent("polynomial", half, decay=2) == Fraction(1, 4)
    assert rates.feature_count_exponent("polynomial", 1, decay=Fraction(5, 2)) == Fraction(2, 5)
    assert rates.feature_count_exponent("geometric", 1, sampling="plain", regularisation_log_power=1, of="log n") == -1
    assert rates.risk_exponent("geometric", 1, regularisation_log_power=1, analysis="refined", of="log n") == 1
    assert rates.risk_exponent("polynomial", Fraction(4, 5), decay=4, analysis="refined") == Fraction(-4, 5)


def test_growths_are_ordered_and_multiplied_exactly() -> None:
    half = Fraction(1, 2)
    assert (N**half * LOG) * (N**half * LOG**-1) == N
    assert N**-1 < LOG * N**-1 < ONE < LOG.logarithm() < LOG < N**half
    assert [g.logarithm() for g in (ONE, LOG, N**half * LOG**-3)] == [ONE, Growth(iterated=Fraction(1)), LOG]
    for bad in (N**-1, LOG**-1, LOG.logarithm()):
        with pytest.raises(ValueError):
            bad.logarithm()
