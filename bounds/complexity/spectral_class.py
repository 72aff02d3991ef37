"""Complexity and margin bounds of the unit balls of all translation-invariant kernels with a bounded spectrum.

The class: |f|_H <= 1 in the space of a kernel with symmetric measure lambda >= 0 of mass at most R_lambda on |w| <=
R_w, on points |x| <= R_x. Its functions are at most sqrt(R_lambda), and r = R_w R_x is the largest phase <w, x>. Its
empirical Rademacher complexity is (sqrt(R_lambda) / n) E sup_w |sum_i sigma_i exp(i w.x_i)|.
"""

import math
from collections.abc import Sequence

import numpy as np

from bounds.complexity.margin import margin_excess_risk
from signatures.checked import checked
from signatures.numbers import Count, NonNegative, NonNegativeFloat, Positive, PositiveFloat, Probability, Real, Size


@checked
def expected_sign_sum(n: Size) -> float:
    """Expected modulus of a sum of n fair signs: e_n = n prod_(k <= n/2) (1 - 1/(2k)) <= sqrt n.

    Parameters
    ----------
    n : int
        Number of signs, >= 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    For nsrf Appendix D; equal to n binom(n-1, floor((n-1)/2)) / 2^(n-1) (De Moivre).
    """
    return n * math.exp(float(np.log1p(-0.5 / (np.arange(n // 2) + 1)).sum()))


@checked
def printed_spectral_complexity(largest_phase: NonNegative, spectral_mass: NonNegative, n: Count) -> Real:
    """Printed bound on the empirical Rademacher complexity of the class: 3 r sqrt(R_lambda / n).

    False for small r, where frequency zero alone gives sqrt(R_lambda) e_n / n: sup |A| is at most sup A + sup(-A) only
    if A vanishes somewhere, and cos does not vanish at zero.

    Parameters
    ----------
    largest_phase : float or array
        r = R_w R_x >= 0.
    spectral_mass : float or array
        R_lambda >= 0.
    n : int
        Number of points, >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    nsrf Appendix D, last display.
    """
    return 3 * largest_phase * (spectral_mass**0.5 / n**0.5)


@checked
def spectral_complexity(largest_phase: NonNegative, spectral_mass: NonNegative, n: Size) -> Real:
    """Bound on the empirical Rademacher complexity of the class.

    sqrt(R_lambda / n) min(e_n / sqrt n + 3 r, pi e_n / sqrt n + r, sqrt n), e_n of `expected_sign_sum`.

    Parameters
    ----------
    largest_phase : float or array
        r = R_w R_x >= 0.
    spectral_mass : float or array
        R_lambda >= 0.
    n : int
        Number of points, >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    nsrf Appendix D, corrected.
    """
    constant = expected_sign_sum(n) / n**0.5
    cap = 0 * largest_phase + n**0.5  # of its dtype
    least = _least([constant + 3 * largest_phase, math.pi * constant + largest_phase, cap])
    return spectral_mass**0.5 / n**0.5 * least


def _least(values: Sequence[Real]) -> Real:
    """Elementwise minimum of numbers, arrays or tensors, by operators."""
    least = values[0]
    for value in values[1:]:
        least = (least <= value) * least + (value < least) * value
    return least


@checked
def printed_spectral_margin_excess(
    largest_phase: NonNegative, spectral_mass: NonNegative, margin: Positive, n: Count, *, delta: Probability
) -> Real:
    """Printed bound on P(y f(x) <= 0) minus the share of y_i f(x_i) <= theta.

    6 r sqrt(R_lambda / n) / theta + 3 sqrt(log(2 / delta) / n). Print minimises over theta, and states neither |f|_H <=
    1 nor the probability 1 - delta; its proof has the former.

    Parameters
    ----------
    largest_phase : float or array
        r = R_w R_x >= 0.
    spectral_mass : float or array
        R_lambda >= 0.
    margin : float or array
        theta > 0.
    n : int
        Sample size, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive, or delta is outside (0, 1).

    References
    ----------
    nsrf Theorem 4.3.
    """
    complexity = printed_spectral_complexity(largest_phase, spectral_mass, n)
    return 2 * complexity / margin + 3 * math.sqrt((math.log(2) - math.log(delta)) / n)


@checked
def spectral_margin_excess(
    largest_phase: NonNegative, spectral_mass: NonNegative, margin: Positive, n: Count, *, delta: Probability
) -> Real:
    """Bound on P(y f(x) <= 0) minus the share of y_i f(x_i) <= theta, for all |f|_H <= 1 and all lambda at once.

    (2 / theta) R + 3 sqrt(log(2 / delta) / (2 n)), R of `spectral_complexity`; theta is fixed before the sample. R_x
    bounds all points, or is the largest norm in the sample.

    Parameters
    ----------
    largest_phase : float or array
        r = R_w R_x >= 0.
    spectral_mass : float or array
        R_lambda >= 0.
    margin : float or array
        theta > 0.
    n : int
        Sample size, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive, or delta is outside (0, 1).

    References
    ----------
    nsrf Theorem 4.3, corrected.
    """
    return margin_excess_risk(spectral_complexity(largest_phase, spectral_mass, n), margin, n, delta=delta)


@checked
def uniform_spectral_margin_excess(
    largest_phase: NonNegativeFloat,
    spectral_mass: NonNegativeFloat,
    margin: PositiveFloat,
    n: Count,
    *,
    delta: Probability,
) -> float:
    """The bound of `spectral_margin_excess` for all theta in (0, sqrt(R_lambda)] at once, chosen on the sample.

    (4 / theta) R + sqrt(log log_2(2 sqrt(R_lambda) / theta) / n) + 3 sqrt(log(4 / delta) / (2 n)). R_x bounds all
    points; with the largest norm in the sample instead, the iterated logarithm takes a factor 3.

    Parameters
    ----------
    largest_phase : float
        r = R_w R_x >= 0.
    spectral_mass : float
        R_lambda >= 0.
    margin : float
        theta in (0, sqrt(R_lambda)]; functions of the class have no larger margin.
    n : int
        Sample size, >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n is not positive, or theta or delta is out of range.

    References
    ----------
    nsrf Theorem 4.3, corrected, with the minimum over theta paid for.
    """
    if margin > math.sqrt(spectral_mass):
        raise ValueError(
            f"margin = {margin} must be at most the root of spectral_mass = {spectral_mass}, as functions are."
        )
    complexity = spectral_complexity(largest_phase, spectral_mass, n)
    levels = math.log2(2 * math.sqrt(spectral_mass) / margin)
    return float(margin_excess_risk(complexity, margin / 2, n, delta=delta / 2)) + math.sqrt(math.log(levels) / n)


@checked
def printed_margin_vacuous_sample(largest_phase: NonNegative) -> Real:
    """Sample size up to which the printed margin bound is at least 1 for every theta: 36 r^2.

    A theta above sqrt(R_lambda) has all points below it, and 6 r sqrt(R_lambda / n) / theta >= 6 r / sqrt n for others.

    Parameters
    ----------
    largest_phase : float or array
        r = R_w R_x >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.3.
    """
    return 36 * largest_phase**2
