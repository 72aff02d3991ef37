"""Exact probability that all counts of a multinomial vector lie in a box."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.stats import poisson


def multinomial_box_probability(
    count: int, probabilities: Sequence[float], lower: Sequence[int], upper: Sequence[int]
) -> float:
    """Probability that every count of a multinomial vector lies between its bounds.

    ``P(a_i <= C_i <= b_i for all i)`` for ``C ~ multinomial(s, p)``. Independent Poisson counts with means ``s p_i``
    are multinomial given their sum, so the probability is the coefficient at s of the convolution of the truncated
    Poisson laws, divided by the Poisson(s) probability of s. The convolution takes one Fourier transform per distinct
    cell; the absolute error is about 1e-11 for s up to 1e6.

    Parameters
    ----------
    count : int
        s >= 0.
    probabilities : sequence of float, length N
        Nonnegative, summing to one. A cell of probability zero counts nothing.
    lower, upper : sequence of int, length N
        a_i and b_i, both included. An empty box has probability zero.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If s is negative, the lengths differ or the probabilities do not sum to one.

    Source: counts behind uarff Lemma 27 on orthogonal features.
    """
    if count < 0 or not len(probabilities) == len(lower) == len(upper):
        raise ValueError(
            f"s = {count} with {len(probabilities)} probabilities, {len(lower)} lower and {len(upper)} upper bounds, "
            "but s must not be negative and the lengths must agree"
        )
    if min(probabilities, default=-1.0) < 0 or abs(math.fsum(probabilities) - 1) > 1e-9:
        raise ValueError(f"the probabilities sum to {math.fsum(probabilities)}, but must be nonnegative and sum to one")
    cells = Counter(
        (float(p), max(int(a), 0), min(int(b), count)) for p, a, b in zip(probabilities, lower, upper, strict=True)
    )
    if any(a > b for _, a, b in cells):
        return 0.0
    shift = sum(a * copies for (_, a, _), copies in cells.items())
    width = sum((b - a) * copies for (_, a, b), copies in cells.items())
    if not 0 <= count - shift <= width:
        return 0.0
    length = next_fast_len(width + 1, real=True)
    spectrum: NDArray[np.complex128] = np.ones(length // 2 + 1, dtype=np.complex128)
    for (p, a, b), copies in cells.items():
        spectrum *= rfft(poisson.pmf(np.arange(a, b + 1), count * p), length) ** copies
    coefficient = float(irfft(spectrum, length)[count - shift])
    return min(1.0, max(0.0, coefficient / float(poisson.pmf(count, count))))


def uniform_deviation_probability(count: int, cells: int, deviation: float) -> float:
    """Probability that some cell of a uniform multinomial vector is off by more than a relative deviation.

    ``P(max_i |N C_i / s - 1| > x)`` for ``C ~ multinomial(s, (1/N, ..., 1/N))``.

    Parameters
    ----------
    count : int
        s >= 1.
    cells : int
        N >= 1.
    deviation : float
        x >= 0. Counts within 1e-9 (relative) of the boundary count as inside.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    Source: uarff Lemma 27 on N orthogonal features, where ``x = epsilon (1 + n lambda)``.
    """
    if count < 1 or cells < 1 or not deviation >= 0:
        raise ValueError(
            f"s = {count}, N = {cells} and x = {deviation}, but s and N must be at least 1 and x must not be negative"
        )
    mean = count / cells
    slack = 1e-9 * mean
    lower = math.ceil(mean * (1 - deviation) - slack)
    upper = math.floor(mean * (1 + deviation) + slack)
    return 1 - multinomial_box_probability(count, [1 / cells] * cells, [lower] * cells, [upper] * cells)
