"""Rates: exponents of feature counts and risks from the spectrum, and the risk of ridge regression on splines."""

import math
from fractions import Fraction
from typing import Literal

from bounds._ranges import SplineOrder, SummableRegularisation
from bounds.random_features._growth import LOG, ONE, Factor, Growth, N
from bounds.random_features.spectra import Spectrum
from signatures.checked import checked
from signatures.numbers import DecayExact, FloatFromOne, PositiveExact, PositiveFloat


@checked
def theorem_exponent(regularisation_exponent: PositiveFloat) -> float:
    """Exponent of n that the worst-case theorem promises for the excess risk.

    ``-min(a, 1/2)`` for ``lambda = n^{-a}``: the bound is ``4 lambda + O(n^{-1/2})``.

    Parameters
    ----------
    regularisation_exponent : float
        a > 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a is not positive.

    References
    ----------
    uarff Theorem 9.
    """
    return -min(regularisation_exponent, 0.5)


@checked
def spline_ridge_exponent(regularisation_exponent: PositiveFloat, order: SplineOrder, smoothness: SplineOrder) -> float:
    """Exponent of n at which kernel ridge regression on splines actually learns a spline.

    ``-min(a min(2, (2 t - 1)/(2 r)), 1 - a/(2 r))`` for ``lambda = n^{-a}``, eigenvalues ``m^{-2 r}`` and regression
    function ``k_t(., x_0)``: the smaller exponent of the squared bias (saturated at ``lambda^2``) and of the variance
    ``d_K / n``.

    Parameters
    ----------
    regularisation_exponent : float
        a > 0.
    order : float
        r > 1/2; features are ``k_r``, the kernel is ``k_{2r}``.
    smoothness : float
        t > 1/2; the function lies in the kernel's space if and only if t > r + 1/2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Figure 1; our derivation, for the kernel itself: as many features as the bounds ask for add an excess of the
    order of lambda over a logarithm for every t.
    """
    bias = regularisation_exponent * min(2.0, (2 * smoothness - 1) / (2 * order))
    variance = 1 - regularisation_exponent / (2 * order)
    return -min(bias, variance)


@checked
def spline_effective_dimension(
    order: FloatFromOne,
    regularisation: SummableRegularisation,
) -> float:
    """Effective dimension of the periodic spline kernel under the uniform distribution.

    ``1/(1 + lambda) + 2 sum_{m >= 1} 1/(1 + lambda m^{2 r})``: the kernel ``1 + 2 sum m^{-2r} cos`` has the eigenvalue
    1 once and ``m^{-2r}`` twice. Summed directly up to where a term is below 1e-4, the rest by the midpoint rule
    with its first correction; relative error below 1e-12.

    Parameters
    ----------
    order : float
        r >= 1.
    regularisation : float
        lambda in [1e-8, infinity).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Section 5.
    """
    power = 2 * order
    last = max(1000, math.ceil((1e4 / regularisation) ** (1 / power)))
    head = math.fsum(mu / (mu + regularisation) for mu in (m**-power for m in range(1, last + 1)))
    edge = last + 0.5
    tail = sum((-1) ** (j - 1) * regularisation**-j * edge ** (1 - power * j) / (power * j - 1) for j in range(1, 4))
    tail -= order * edge ** (-power - 1) / (12 * regularisation)  # slope / 24 of the terms at the edge
    return float(1 / (1 + regularisation) + 2 * (head + tail))


@checked
def effective_dimension_exponent(
    spectrum: Spectrum,
    regularisation_exponent: PositiveExact,
    *,
    decay: DecayExact = Fraction(2),
    regularisation_log_power: int = 0,
    of: Factor = "n",
) -> Fraction:
    """Exponent of n, log n or log log n in the effective dimension, for ``lambda = n^-a (log n)^b``.

    Finite rank: 1. Geometric: ``log(1/lambda)``. Polynomial ``i^-p``: ``lambda^(-1/p)``. Harmonic, of trace 1:
    ``c log(1 + n/c)`` with ``c = 1 / (lambda log n)``.

    Parameters
    ----------
    spectrum : {"finite rank", "geometric", "polynomial", "harmonic"}
    regularisation_exponent : Fraction or float
        a > 0; floats count as the binary fractions they are.
    decay : Fraction or float
        p > 1, for the polynomial spectrum.
    regularisation_log_power : int
        b.
    of : {"n", "log n", "log log n"}

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If an exponent is out of range.

    References
    ----------
    uarff Sections 3.1 and 3.2.
    """
    regularisation = _regularisation(regularisation_exponent, regularisation_log_power)
    return _dimension(spectrum, regularisation, decay=decay).exponent(of)


@checked
def feature_count_exponent(
    spectrum: Spectrum,
    regularisation_exponent: PositiveExact,
    *,
    decay: DecayExact = Fraction(2),
    regularisation_log_power: int = 0,
    sampling: Literal["leverage", "plain"] = "leverage",
    of: Factor = "n",
) -> Fraction:
    """Exponent of n, log n or log log n in the number of features that the theorems ask for.

    ``d log(d_K)`` with d = d_K for leverage sampling and ``d = 1/lambda`` for plain sampling.

    Parameters
    ----------
    spectrum : {"finite rank", "geometric", "polynomial", "harmonic"}
    regularisation_exponent : Fraction or float
        a > 0; floats count as the binary fractions they are.
    decay : Fraction or float
        p > 1, for the polynomial spectrum.
    regularisation_log_power : int
        b.
    sampling : {"leverage", "plain"}
    of : {"n", "log n", "log log n"}

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If an exponent is out of range.

    References
    ----------
    uarff Theorem 9, Corollaries 10, 11, 17 and 18; Tables 1 to 9.
    """
    regularisation = _regularisation(regularisation_exponent, regularisation_log_power)
    dimension = _dimension(spectrum, regularisation, decay=decay)
    sampled = dimension if sampling == "leverage" else regularisation**-1
    return (sampled * dimension.logarithm()).exponent(of)


@checked
def fixed_point_exponent(spectrum: Spectrum, *, decay: DecayExact = Fraction(2), of: Factor = "n") -> Fraction:
    """Exponent of n, log n or log log n in the best bound on the local fixed point.

    ``min_h h/n + sqrt((1/n) sum_{i > h} mu_i)``. Finite rank: 1/n. Geometric: ``log n / n``. Polynomial ``i^-p``:
    ``n^(-p/(1+p))`` at ``h = n^(1/(1+p))``, where the paper takes h = 0 and gets ``n^(-1/2)``. Harmonic: ``n^(-1/2)``.

    Parameters
    ----------
    spectrum : {"finite rank", "geometric", "polynomial", "harmonic"}
    decay : Fraction or float
        p > 1, for the polynomial spectrum.
    of : {"n", "log n", "log log n"}

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If the decay is not above 1.

    References
    ----------
    uarff equations 10 and 13.
    """
    return _fixed_point(spectrum, decay).exponent(of)


@checked
def risk_exponent(
    spectrum: Spectrum,
    regularisation_exponent: PositiveExact,
    *,
    decay: DecayExact = Fraction(2),
    regularisation_log_power: int = 0,
    loss: Literal["squared", "lipschitz"] = "squared",
    analysis: Literal["worst case", "refined"] = "worst case",
    of: Factor = "n",
) -> Fraction:
    """Exponent of n, log n or log log n in the excess risk that the theorems promise.

    The larger of ``lambda`` (squared loss) or ``sqrt(lambda)`` (Lipschitz loss) and of ``n^(-1/2)`` (worst case) or the
    fixed point (refined). For the squared loss, kernel ridge regression's own excess risk comes on top.

    Parameters
    ----------
    spectrum : {"finite rank", "geometric", "polynomial", "harmonic"}
    regularisation_exponent : Fraction or float
        a > 0; floats count as the binary fractions they are.
    decay : Fraction or float
        p > 1, for the polynomial spectrum.
    regularisation_log_power : int
        b.
    loss : {"squared", "lipschitz"}
    analysis : {"worst case", "refined"}
    of : {"n", "log n", "log log n"}

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If an exponent is out of range.

    References
    ----------
    uarff Theorems 9, 12, 15 and 19.
    """
    regularisation = _regularisation(regularisation_exponent, regularisation_log_power)
    sampled = regularisation ** (Fraction(1) if loss == "squared" else Fraction(1, 2))
    complexity = N ** Fraction(-1, 2) if analysis == "worst case" else _fixed_point(spectrum, decay)
    return max(sampled, complexity).exponent(of)


def _regularisation(exponent: Fraction | float, log_power: int) -> Growth:
    return N ** -Fraction(exponent) * LOG**log_power


def _dimension(spectrum: Spectrum, regularisation: Growth, *, decay: Fraction | float) -> Growth:
    inverse = regularisation**-1
    if spectrum == "finite rank":
        return ONE
    if spectrum == "geometric":
        return inverse.logarithm()
    if spectrum == "polynomial":
        return inverse ** (1 / Fraction(decay))
    level = inverse * LOG**-1
    return min(level, N) * max(N * level**-1, ONE).logarithm()


def _fixed_point(spectrum: Spectrum, decay: Fraction | float) -> Growth:
    if spectrum == "polynomial":
        return N ** (-Fraction(decay) / (1 + Fraction(decay)))
    return {"finite rank": N**-1, "geometric": LOG * N**-1, "harmonic": N ** Fraction(-1, 2)}[spectrum]
