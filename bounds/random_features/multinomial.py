"""Exact probability that all counts of a multinomial vector lie in a box."""

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.stats import poisson

from bounds._ranges import WIDEST, Limits, PositiveTrials, Probabilities, Trials
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, Size


@checked
def multinomial_box_probability(
    count: Trials,
    probabilities: Probabilities,
    lower: Limits,
    upper: Limits,
) -> float:
    """Probability that every count of a multinomial vector lies between its bounds.

    ``P(a_i <= C_i <= b_i for all i)`` for ``C ~ multinomial(s, p)``. Independent Poisson counts with means ``s p_i``
    are multinomial given their sum, so the probability is the coefficient at s of the convolution of the truncated
    Poisson laws, divided by the Poisson(s) probability of s. The convolution takes one Fourier transform per distinct
    cell; the absolute error is about 1e-12, whatever the probability.

    Parameters
    ----------
    count : int
        s >= 0.
    probabilities : sequence of float
        Length N. Nonnegative, summing to one. A cell of probability zero counts nothing.
    lower, upper : sequence of int
        Length N. a_i and b_i, both included. An empty box has probability zero.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If s is negative, the lengths differ or the probabilities do not sum to one.

    References
    ----------
    Counts behind uarff Lemma 27 on orthogonal features.
    """
    if not len(probabilities) == len(lower) == len(upper):
        raise ValueError(
            f"there are {len(probabilities)} probabilities, {len(lower)} lower and {len(upper)} upper bounds, but the "
            "lengths must agree: match them."
        )
    if abs(math.fsum(probabilities) - 1) > 1e-9:
        raise ValueError(f"probabilities sum to {math.fsum(probabilities)}, but must sum to one: normalise them.")
    cells = Counter(
        (float(p), max(int(a), 0), min(int(b), count)) for p, a, b in zip(probabilities, lower, upper, strict=True)
    )
    if any(a > b for _, a, b in cells):
        return 0.0
    shift = sum(a * copies for (_, a, _), copies in cells.items())
    width = sum((b - a) * copies for (_, a, b), copies in cells.items())
    if not 0 <= count - shift <= width:
        return 0.0
    if width > WIDEST:
        raise ValueError(f"lower and upper leave {width} sums open, too many for a transform: narrow the boxes.")
    length = next_fast_len(width + 1, real=True)
    spectrum: NDArray[np.complex128] = np.ones(length // 2 + 1, dtype=np.complex128)
    for (p, a, b), copies in cells.items():
        spectrum *= rfft(_poisson(a, b, count * p), length) ** copies
    coefficient = float(irfft(spectrum, length)[count - shift])
    return min(1.0, max(0.0, coefficient / float(_poisson(count, count, count)[0])))


@checked
def uniform_deviation_probability(
    count: PositiveTrials,
    cells: Size,
    deviation: NonNegativeFloat,
) -> float:
    """Probability that some cell of a uniform multinomial vector is off by more than a relative deviation.

    ``P(max_i |N C_i / s - 1| > x)`` for ``C ~ multinomial(s, (1/N, ..., 1/N))``, to the same absolute error as that of
    a box.

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

    References
    ----------
    uarff Lemma 27 on N orthogonal features, where ``x = epsilon (1 + n lambda)``.
    """
    mean = count / cells
    slack = 1e-9 * mean
    lower = math.ceil(mean * (1 - deviation) - slack)
    upper = math.floor(mean * (1 + deviation) + slack)
    return 1 - multinomial_box_probability(count, [1 / cells] * cells, [lower] * cells, [upper] * cells)


def _poisson(first: int, last: int, mean: float) -> NDArray[np.float64]:
    """Probabilities of the counts from first to last, as differences of tails: their logarithms round off too much."""
    counts = np.arange(first - 1, last + 1)
    below, above = np.diff(poisson.cdf(counts, mean)), -np.diff(poisson.sf(counts, mean))
    shorter: NDArray[np.float64] = np.where(counts[1:] < mean, below, above)
    return shorter
