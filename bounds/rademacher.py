"""Rademacher complexities of balls in reproducing kernel Hilbert spaces."""

from bounds._numeric import Real


def printed_unit_ball_complexity(trace: Real, n: int) -> Real:
    """The paper's bound on the empirical Rademacher complexity of the unit ball.

    ``sqrt(Tr K) / n``. It belongs to the convention without the factor two; with the paper's own Definition 1,
    ``E sup_f |(2/n) sum_i sigma_i f(x_i)|``, it is too small by a factor between sqrt(2) and 2 for every K.

    Parameters
    ----------
    trace : real or array
        Tr K >= 0, of the unnormalised n x n kernel matrix.
    n : int
        Sample size, at least 1.

    Returns
    -------
    real or array

    Raises
    ------
    ValueError
        If n is not positive.

    Source: uarff Lemma 2, as printed.
    """
    _check_sample_size(n)
    return trace**0.5 / n


def unit_ball_complexity(trace: Real, n: int) -> Real:
    """Bound on the empirical Rademacher complexity of the unit ball, in the convention with factor two.

    ``2 sqrt(Tr K) / n``, by Jensen's inequality from ``(2/n) E sqrt(sigma^T K sigma)``; an equality when K is diagonal.

    Parameters, ranges and errors are those of :func:`printed_unit_ball_complexity`.

    Returns
    -------
    real or array

    Source: uarff Lemma 2, corrected to the convention of its Definition 1.
    """
    return 2 * printed_unit_ball_complexity(trace, n)


def _check_sample_size(n: int) -> None:
    if n < 1:
        raise ValueError(f"the sample size is {n}, but must be at least 1")
