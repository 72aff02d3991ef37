"""The empirical Fourier potential v(w) = |sum_i y_i exp(i w.x_i)|^2: smoothness in frequencies and points, and bias."""

from bounds._ranges import DerivativeOrder
from signatures.checked import checked
from signatures.numbers import AtLeastOne, NonNegative, Real, Share


@checked
def printed_lipschitz_constant(n: AtLeastOne, radius: NonNegative) -> Real:
    """Printed Lipschitz constant of v in the frequency: 2 n^2 R, for n points of norm at most R.

    Parameters
    ----------
    n : float or array
        Number of points, >= 1.
    radius : float or array
        R >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.1. True, twice the best constant.
    """
    return 2 * n**2 * radius


@checked
def lipschitz_constant(n: AtLeastOne, radius: NonNegative) -> Real:
    """Best Lipschitz constant of v in the frequency: n^2 R, for n points of norm at most R (attained for even n).

    For a unit vector u, |u.grad v| <= sum_ij |u.x_i - u.x_j| <= n^2 R, since the u.x_i lie in [-R, R]: half of the
    points at each end is the worst case, while the paper bounds each of the n^2 terms by 2 R.

    Parameters
    ----------
    n : float or array
        Number of points, >= 1.
    radius : float or array
        R >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.1, sharpened.
    """
    return n**2 * radius


@checked
def expected_potential(ideal: Share, n: AtLeastOne) -> Real:
    """Expectation of v(w) / n^2 over n independent samples: v_ideal + (1 - v_ideal) / n.

    The n diagonal terms |y_i|^2 = 1 do not average out; the paper states E[v / n^2] = v_ideal.

    Parameters
    ----------
    ideal : float or array
        v_ideal(w) = |E y exp(i w.x)|^2 in [0, 1].
    n : float or array
        Number of samples, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Appendix E, corrected.
    """
    return ideal + (1 - ideal) / n


@checked
def derivative_bound(n: AtLeastOne, radius: NonNegative, order: DerivativeOrder) -> Real:
    """Best bound on the k-th derivative of v along any line: n^2 (2 R)^k / 2 (attained for even n).

    |D^k v| <= sum_ij |u.x_i - u.x_j|^k, convex in each u.x_i, so largest with half of the points at each of +-R. The
    paper says that it scales as R^k.

    Parameters
    ----------
    n : float or array
        Number of points, >= 1.
    radius : float or array
        R >= 0.
    order : int
        k >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If k is below 1: the potential itself reaches n^2.

    References
    ----------
    nsrf Appendix A.1, with a constant.
    """
    return n**2 * (2 * radius) ** order / 2


@checked
def printed_point_lipschitz_constant(n: AtLeastOne, bandwidth: NonNegative) -> Real:
    """Printed Lipschitz constant of v(w) in one point: 2 n |w|.

    Parameters
    ----------
    n : float or array
        Number of points, >= 1.
    bandwidth : float or array
        |w|, or a bound on it, >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.2. True, n/(n-1) times the best constant.
    """
    return 2 * n * bandwidth


@checked
def point_lipschitz_constant(n: AtLeastOne, bandwidth: NonNegative) -> Real:
    """Best Lipschitz constant of v(w) in one point: 2 (n - 1) |w|; its own diagonal term does not move.

    Parameters
    ----------
    n : float or array
        Number of points, >= 1.
    bandwidth : float or array
        |w|, or a bound on it, >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma E.2, sharpened.
    """
    return 2 * (n - 1) * bandwidth


@checked
def printed_replacement_change(largest_phase: NonNegative, n: AtLeastOne) -> Real:
    """Printed bound on the change of v(w) / n^2 when one sample is replaced: 4 R_x R_w / n.

    It holds for the point alone: a new label changes v(w) / n^2 by up to 4 (n - 1) / n^2, whatever R_x and R_w are.

    Parameters
    ----------
    largest_phase : float or array
        R_x R_w >= 0, bound on |<w, x>|.
    n : float or array
        Number of samples, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Appendix E, before Lemma E.3.
    """
    return 4 * largest_phase / n


@checked
def replacement_change(n: AtLeastOne) -> Real:
    """Largest change of v(w) / n^2 when one sample, point and label, is replaced: 4 (n - 1) / n^2.

    |A + z|^2 - |A + z'|^2 = 2 Re(conj(A) (z - z')) for |z| = |z'| = 1 and |A| <= n - 1.

    Parameters
    ----------
    n : float or array
        Number of samples, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Appendix E, before Lemma E.3, corrected.
    """
    return 4 * (n - 1) / n**2
