"""The empirical Fourier potential v(w) = |sum_i y_i exp(i w.x_i)|^2: smoothness in w and bias."""

from bounds._numeric import Real


def printed_lipschitz_constant(n: Real, radius: Real) -> Real:
    """Printed Lipschitz constant of v in the frequency: 2 n^2 R, for n points of norm at most R.

    Parameters
    ----------
    n : number of points, >= 1.
    radius : R >= 0.

    Source: nsrf Lemma E.1. True, twice the best constant.
    """
    return 2 * n**2 * radius


def lipschitz_constant(n: Real, radius: Real) -> Real:
    """Best Lipschitz constant of v in the frequency: n^2 R, for n points of norm at most R (attained for even n).

    For a unit vector u, |u.grad v| <= sum_ij |u.x_i - u.x_j| <= n^2 R, since the u.x_i lie in [-R, R]: half of the
    points at each end is the worst case, while the paper bounds each of the n^2 terms by 2 R.

    Parameters
    ----------
    n : number of points, >= 1.
    radius : R >= 0.

    Source: nsrf Lemma E.1, sharpened.
    """
    return n**2 * radius


def expected_potential(ideal: Real, n: Real) -> Real:
    """Expectation of v(w) / n^2 over n independent samples: v_ideal + (1 - v_ideal) / n.

    The n diagonal terms |y_i|^2 = 1 do not average out; the paper states E[v / n^2] = v_ideal.

    Parameters
    ----------
    ideal : v_ideal(w) = |E y exp(i w.x)|^2 in [0, 1].
    n : number of samples, >= 1.

    Source: nsrf Appendix E, corrected.
    """
    return ideal + (1 - ideal) / n
