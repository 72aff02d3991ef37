"""Local Rademacher complexities of the unit ball, and the fixed points that turn them into fast rates."""

import itertools
import math
from collections.abc import Iterator, Sequence

from bounds._ranges import FloatAboveOne
from signatures.checked import checked
from signatures.numbers import Count, Eigenvalues, FloatFromOne, NonNegative, NonNegativeFloat, PositiveFloat, Real


@checked
def truncated_trace(eigenvalues: Eigenvalues, radius: NonNegativeFloat) -> float:
    """Sum of the eigenvalues, none counted for more than r: ``sum_i min(r, mu_i)``.

    Parameters
    ----------
    eigenvalues : sequence of float
        mu_i >= 0, of K / n.
    radius : float
        r >= 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an eigenvalue or the radius is negative.

    References
    ----------
    uarff Lemma 7.
    """
    return math.fsum(min(radius, value) for value in eigenvalues)


@checked
def printed_local_complexity(trace: NonNegative, n: Count) -> Real:
    """The paper's bound on the local Rademacher complexity of the unit ball: ``sqrt((2/n) sum_i min(r, mu_i))``.

    It belongs to the convention with 1/n and no absolute value; with the paper's own Definition 1 (2/n) it is too
    small, by sqrt 2 at one point.

    Parameters
    ----------
    trace : float or array
        ``sum_i min(r, mu_i)`` >= 0, see `truncated_trace`.
    n : int
        Sample size, at least 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    uarff Lemma 7, as printed.
    """
    return (2 * trace / n) ** 0.5


@checked
def local_complexity(trace: NonNegative, n: Count) -> Real:
    """Bound on the local Rademacher complexity in the convention of Definition 1: ``2 sqrt((2/n) sum_i min(r, mu_i))``.

    Parameters
    ----------
    trace : float or array
        ``sum_i min(r, mu_i)`` >= 0, see `truncated_trace`.
    n : int
        Sample size, at least 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n is not positive.

    References
    ----------
    uarff Lemma 7, corrected to the convention of its Definition 1.
    """
    return 2 * printed_local_complexity(trace, n)


@checked
def printed_fixed_point_bound(eigenvalues: Eigenvalues, n: Count, *, constant: PositiveFloat = 1.0) -> float:
    """The paper's bound on the fixed point: ``min_h e_0 h / n + sqrt((1/n) sum_{i > h} mu_i)``.

    Parameters
    ----------
    eigenvalues : sequence of float
        At most n. mu_1 >= mu_2 >= ... >= 0, of K / n; zeros may be left out.
    n : int
        Sample size, at least 1.
    constant : float
        e_0 > 0, which the paper leaves open.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff equations 10 and 13, as printed: the constant before the root is lost (see `fixed_point_bound`).
    """
    _check_sample(eigenvalues, n)
    return min(constant * h / n + math.sqrt(tail / n) for h, tail in enumerate(_tails(eigenvalues)))


@checked
def fixed_point_bound(
    eigenvalues: Eigenvalues,
    n: Count,
    *,
    scale: PositiveFloat = 1.0,
    truncation: PositiveFloat = 1.0,
    offset: NonNegativeFloat = 0.0,
) -> float:
    """Bound on the fixed point of ``psi(r) = a sqrt((2/n) sum_i min(e r, mu_i)) + b/n``.

    ``min_h 2 a^2 e h / n + 2 b / n + a sqrt((2/n) sum_{i > h} mu_i)``; a and b stand before the root too, unlike in
    print.

    Parameters
    ----------
    eigenvalues : sequence of float
        At most n. mu_1 >= mu_2 >= ... >= 0, of K / n; zeros may be left out.
    n : int
        Sample size, at least 1.
    scale : float
        a > 0.
    truncation : float
        e > 0.
    offset : float
        b >= 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff equations 10 and 13, corrected.
    """
    _check_sample(eigenvalues, n)
    linear = 2 * scale * (scale * truncation)
    tails = enumerate(_tails(eigenvalues))
    return 2 * offset / n + min(linear * h / n + scale * math.sqrt(2 * tail / n) for h, tail in tails)


@checked
def fixed_point(
    eigenvalues: Eigenvalues,
    n: Count,
    *,
    scale: PositiveFloat = 1.0,
    truncation: PositiveFloat = 1.0,
    offset: NonNegativeFloat = 0.0,
) -> float:
    """The largest fixed point itself, in closed form.

    ``psi`` is the smallest of ``psi_h(r) = a sqrt((2/n) (h e r + sum_{i > h} mu_i)) + b/n``, so its fixed point is the
    smallest root of ``r^2 - (2 a^2 e h + 2 b) r / n = (2 a^2 / n) sum_{i > h} mu_i - (b/n)^2``.

    Parameters
    ----------
    eigenvalues : sequence of float
        At most n. mu_1 >= mu_2 >= ... >= 0, of K / n; zeros may be left out.
    n : int
        Sample size, at least 1.
    scale : float
        a > 0.
    truncation : float
        e > 0.
    offset : float
        b >= 0.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    uarff Lemma 5 and Theorem 12, our derivation.
    """
    _check_sample(eigenvalues, n)
    shift = offset / n
    roots = []
    for h, tail in enumerate(_tails(eigenvalues)):
        half = scale * (scale * truncation) * h / n
        cross, rest = math.sqrt(2 * half) * math.sqrt(shift), scale * math.sqrt(2 * tail / n)
        roots.append(half + shift + math.hypot(half, math.hypot(cross, rest)))
    return min(roots)


@checked
def refined_excess_risk(
    fixed_point: NonNegative,
    approximation: NonNegative,
    *,
    enlargement: FloatAboveOne,
    variance_factor: FloatFromOne,
) -> Real:
    """The terms of the refined theorems that have constants: ``(12 D / B) r* + (D / (D - 1)) A``.

    A is what sampling adds to the empirical risk, ``4 lambda`` for the squared loss. The rest, ``O(1/n)``, has no
    stated constant, and its proof takes a term of order one for ``O(1/n)``: an expression, not a guarantee.

    Parameters
    ----------
    fixed_point : float or array
        r* >= 0.
    approximation : float or array
        A >= 0.
    enlargement : float
        D > 1.
    variance_factor : float
        B >= 1, with ``E f^2 <= B E f`` over the class.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If D or B is out of range.

    References
    ----------
    uarff Theorems 12 and 19.
    """
    return 12 * enlargement / variance_factor * fixed_point + enlargement / (enlargement - 1) * approximation


def _tails(eigenvalues: Sequence[float]) -> Iterator[float]:
    """``sum_{i > h} mu_i`` for h = 0, 1, ..., up to the number of eigenvalues."""
    sums = [0.0, *itertools.accumulate(reversed(eigenvalues))]
    return reversed(sums)


def _check_sample(eigenvalues: Sequence[float], n: int) -> None:
    if len(eigenvalues) > n:
        raise ValueError(
            f"there are {len(eigenvalues)} eigenvalues for n = {n} points, but K / n has at most n of them"
        )
    if any(left < right for left, right in itertools.pairwise(eigenvalues)):
        raise ValueError(f"the eigenvalues begin with {list(eigenvalues[:3])}, but must be sorted: largest first")
