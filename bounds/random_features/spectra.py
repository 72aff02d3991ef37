"""Spectra of kernels, and the effective dimensions and fixed points that follow from them.

Eigenvalues mu_1 >= mu_2 >= ... are those of K / n, the reading under which the paper's tables follow. `finite rank`:
equal ones; `geometric` r^i; `polynomial` i^-a with a > 1; `harmonic` i^-1 / (1 + 1/2 + ... + 1/n) for i up to n, of
trace 1, since that of K / n is bounded. The paper writes a = 2 t in some tables and a = t in others.
"""

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from scipy import special

from bounds._ranges import BoundedDecay, CommonRatio, Decay, OpenUnit
from signatures.checked import checked
from signatures.numbers import Count, FloatFromOne, Positive, PositiveFloat, Real

Spectrum: TypeAlias = Literal["finite rank", "geometric", "polynomial", "harmonic"]

_HEAD = 1000
"""Eigenvalues that are summed one by one; Euler and Maclaurin's formula takes the rest."""


@checked
def geometric_effective_dimension(
    regularisation: PositiveFloat, *, common_ratio: CommonRatio, scale: PositiveFloat = 1.0
) -> float:
    """Effective dimension of the spectrum ``R_0 r^i``: ``sum_{i >= 1} 1 / (1 + lambda r^-i / R_0)``.

    Summed until the terms are below exp(-50); relative error below 1e-12, unless the largest term is below 1e-290.

    Parameters
    ----------
    regularisation : float
        lambda > 0 (not multiplied by n).
    common_ratio : float
        r in (0, 0.9999].
    scale : float
        R_0 > 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Section 3.1.1.
    """
    rate, level = -math.log(common_ratio), math.log(scale) - math.log(regularisation)
    indices = np.arange(1.0, 1 + (abs(level) + 50) / rate)  # beyond, terms fall below exp(-50) of the largest
    return float(np.sum(special.expit(level - rate * indices)))


@checked
def geometric_dimension_bound(
    regularisation: PositiveFloat, *, common_ratio: OpenUnit, scale: PositiveFloat = 1.0
) -> float:
    """Upper bound on that dimension: ``log(1 + R_0 / lambda) / log(1 / r)``.

    The integral over i >= 0 of the decreasing terms; below it by at most 1.

    Parameters
    ----------
    regularisation : float
        lambda > 0 (not multiplied by n).
    common_ratio : float
        r in (0, 1).
    scale : float
        R_0 > 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Section 3.1.1, which prints ``log(R_0 / lambda)``: true up to the factor ``1 / log(1/r)``.
    """
    return math.log1p(scale / regularisation) / -math.log(common_ratio)


@checked
def polynomial_effective_dimension(regularisation: PositiveFloat, *, decay: Decay, scale: PositiveFloat = 1.0) -> float:
    """Effective dimension of the spectrum ``R_0 i^-a``: ``sum_{i >= 1} 1 / (1 + lambda i^a / R_0)``.

    A thousand terms, then the integral (an incomplete beta function) with its first correction; relative error below
    1e-11, unless the largest term is below 1e-290.

    Parameters
    ----------
    regularisation : float
        lambda > 0 (not multiplied by n).
    decay : float
        a in [1.05, 20].
    scale : float
        R_0 > 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Section 3.1.1 (a = 2 t) and Section 3.1.2 (a = t).
    """
    level, edge = regularisation / scale, _HEAD + 0.5
    eigenvalues = np.arange(1.0, edge) ** -decay
    head = float(np.sum(eigenvalues / (eigenvalues + level)))
    odds = level * edge**decay
    beyond, within = 1 / (1 + odds), 1 / (1 + 1 / odds)
    if beyond < 0.5:
        share = special.betainc(1 - 1 / decay, 1 / decay, beyond)
    else:
        share = special.betaincc(1 / decay, 1 - 1 / decay, within)
    slope = -decay / edge * beyond * within
    return float(head + share * polynomial_dimension_bound(regularisation, decay=decay, scale=scale) + slope / 24)


@checked
def polynomial_dimension_bound(
    regularisation: Positive,
    *,
    decay: BoundedDecay,
    scale: PositiveFloat = 1.0,
) -> Real:
    """Upper bound on that dimension: ``(pi/a) / sin(pi/a) (R_0 / lambda)^(1/a)``.

    The integral over i >= 0 of the decreasing terms: the ratio tends to 1 as lambda tends to 0.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    decay : float
        a > 1.
    scale : float
        R_0 > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If the decay is not above 1.

    References
    ----------
    uarff Section 3.1.1, with the constant that print leaves out (pi/2 at a = 2).
    """
    half = math.pi / 2 / decay
    constant = half / (math.sin(half) * math.sin(half * (decay - 1)))  # sin 2h = 2 sin h cos h
    return constant * printed_polynomial_dimension_bound(regularisation, decay=decay, scale=scale)


@checked
def printed_polynomial_dimension_bound(
    regularisation: Positive,
    *,
    decay: BoundedDecay,
    scale: PositiveFloat = 1.0,
) -> Real:
    """What the paper puts for that dimension: ``(R_0 / lambda)^(1/a)``.

    True as it stands if R_0 scales the eigenvalues of K itself, up to a constant if it scales those of K / n.

    Parameters
    ----------
    regularisation : float or array
        lambda > 0 (not multiplied by n).
    decay : float
        a > 1.
    scale : float
        R_0 > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If the decay is not above 1.

    References
    ----------
    uarff Section 3.1.1, as printed.
    """
    return scale ** (1 / decay) / regularisation ** (1 / decay)


@checked
def harmonic_effective_dimension(n: FloatFromOne, regularisation: PositiveFloat) -> float:
    """Effective dimension of the spectrum ``1 / (i H_n)``, i = 1, ..., n, with ``H_n = 1 + 1/2 + ... + 1/n``.

    ``c (psi(n + 1 + c) - psi(1 + c))`` with ``c = 1 / (lambda H_n)`` and the digamma function.

    Parameters
    ----------
    n : float
        At least 1; any size.
    regularisation : float
        lambda > 0, at least 1e-6 / n (not multiplied by n; the difference of the digamma functions needs it).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Section 3.1.1, the worst case.
    """
    _check_harmonic(n, regularisation)
    level = 1 / (regularisation * _harmonic_number(n))
    return float(level * (special.digamma(n + 1 + level) - special.digamma(1 + level)))


@checked
def harmonic_dimension_bound(n: FloatFromOne, regularisation: PositiveFloat) -> float:
    """Upper bound on that dimension: ``min(c log(1 + n / c), 1 / lambda)`` with ``c = 1 / (lambda H_n)``.

    Parameters
    ----------
    n : float
        At least 1; any size.
    regularisation : float
        lambda > 0, at least 1e-6 / n (not multiplied by n; the difference of the digamma functions needs it).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Section 3.1.1, the worst case, our derivation.
    """
    _check_harmonic(n, regularisation)
    level = 1 / (regularisation * _harmonic_number(n))
    return min(level * math.log1p(n / level), 1 / regularisation)


@checked
def spectral_effective_dimension(
    spectrum: Spectrum,
    n: FloatFromOne,
    regularisation: PositiveFloat,
    *,
    decay: Decay = 2.0,
    common_ratio: CommonRatio = 0.5,
    rank: Count = 5,
) -> float:
    """Effective dimension of one of the four spectra, of scale 1.

    Parameters
    ----------
    spectrum : {"finite rank", "geometric", "polynomial", "harmonic"}
    n : float
        Sample size, at least 1, of which only the harmonic spectrum makes use.
    regularisation : float
        lambda > 0 (not multiplied by n).
    decay : float
        a in [1.05, 20], for the polynomial spectrum.
    common_ratio : float
        r in (0, 0.9999], for the geometric spectrum.
    rank : int
        Number of eigenvalues 1 of the spectrum of finite rank, at least 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Sections 3.1 and 3.2.
    """
    dimensions: dict[str, Callable[[], float]] = {
        "finite rank": lambda: rank / (1 + regularisation),
        "geometric": lambda: geometric_effective_dimension(regularisation, common_ratio=common_ratio),
        "polynomial": lambda: polynomial_effective_dimension(regularisation, decay=decay),
        "harmonic": lambda: harmonic_effective_dimension(n, regularisation),
    }
    return dimensions[spectrum]()


@checked
def spectral_fixed_point_bound(
    spectrum: Spectrum, n: FloatFromOne, *, decay: Decay = 2.0, common_ratio: CommonRatio = 0.5, rank: Count = 5
) -> float:
    """Bound on the local fixed point for one of the four spectra: ``min_h h / n + sqrt((1/n) sum_{i > h} mu_i)``.

    With the paper's free constant taken as 1, over h = 0, the rank and the powers of two up to n, which is at most
    twice the minimum over all h (an h beyond n never is it); n of any size.

    Parameters
    ----------
    spectrum : {"finite rank", "geometric", "polynomial", "harmonic"}
    n : float
        Sample size, at least 1.
    decay : float
        a in [1.05, 20], for the polynomial spectrum.
    common_ratio : float
        r in (0, 0.9999], for the geometric spectrum.
    rank : int
        Number of eigenvalues 1 of the spectrum of finite rank, at least 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff equations 10 and 13.
    """
    tails: dict[str, Callable[[float], float]] = {
        "finite rank": lambda h: max(rank - h, 0.0),
        "geometric": lambda h: common_ratio ** (h + 1) / (1 - common_ratio),
        "polynomial": lambda h: float(special.zeta(decay, h + 1)),
        "harmonic": lambda h: max(1 - _harmonic_number(h) / _harmonic_number(n), 0.0),
    }
    cuts = [0.0, float(rank), *(2.0**k for k in range(math.frexp(n)[1]))]
    return min(h / n + math.sqrt(tails[spectrum](h) / n) for h in cuts)


def _harmonic_number(n: float) -> float:
    return float(special.digamma(n + 1) + np.euler_gamma)


def _check_harmonic(n: float, regularisation: float) -> None:
    if not 1e-6 / n <= regularisation:
        raise ValueError(f"regularisation = {regularisation} must be at least 1e-6 / n for n = {n}: take more.")
