"""What N samples of the features say about suprema over the divergence ball {Q : E_P (dQ/dP)^k - 1 <= rho}, k >= 2.

`sup_P` is the supremum of E_Q Z over the ball around the law of Z, `sup_N` the one over the ball around N samples of
it. Both move with Z, so that a bound by max |Z| is one by half the length of an interval that holds Z.
"""

import math

from bounds.divergence_ball.norms import chi_square_radius, printed_weight_norm, radius_growth
from signatures.checked import checked
from signatures.numbers import BallOrder, Count, NonNegative, Positive, Probability, Real


@checked
def c_rho(rho: Positive) -> Real:
    """Constant of the printed sampling bounds: C_rho = 2 (1 + rho) / (sqrt(1 + rho) - 1).

    At least 8 (at rho = 3); infinite at rho = 0, where no sampling error is left to bound but that of a mean.

    Parameters
    ----------
    rho : float or array
        Radius, > 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For a plain number rho that is not positive.

    References
    ----------
    lkrf Lemma 2 and Lemma 5.
    """
    return 2 * ((1 + rho) / rho) * ((1 + rho) ** 0.5 + 1)


@checked
def c_rho_order(rho: Positive, *, order: BallOrder) -> Real:
    """Constant of the sampling bounds for one order: C_{rho,k} = 2 (1 + rho) / ((1 + rho)^(1 - 1/k) - 1) <= C_rho.

    Parameters
    ----------
    rho : float or array
        Radius, > 0.
    order : float
        k >= 2; decreasing in k.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an order below 2, or a plain number rho that is not positive.

    References
    ----------
    lkrf Lemma 5.
    """
    return 2 * ((1 + rho) / radius_growth(rho, 1 - 1 / order))


@checked
def d_rho(rho: NonNegative) -> Real:
    """Constant of the printed concentration terms: D_rho = sqrt(8 (1 + rho)).

    Parameters
    ----------
    rho : float or array
        Radius, >= 0.

    Returns
    -------
    float or array

    References
    ----------
    lkrf Lemma 2.
    """
    return (8 * (1 + rho)) ** 0.5


@checked
def dual_threshold_bound(rho: Positive, *, order: BallOrder) -> Real:
    """The c for which every minimiser eta of the dual lies in [-c M, M], where |Z| <= M.

    c = ((1 + rho)^(1 - 1/k) + 1) / ((1 + rho)^(1 - 1/k) - 1).

    Parameters
    ----------
    rho : float or array
        Radius, > 0.
    order : float
        k >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an order below 2, or a plain number rho that is not positive.

    References
    ----------
    lkrf equation (17).
    """
    growth = radius_growth(rho, 1 - 1 / order)
    return (growth + 2) / growth


@checked
def printed_expected_supremum_gap(half_range: NonNegative, rho: Positive, count: Count) -> Real:
    """Printed bound on sup_P - E sup_N: 4 C_rho M sqrt(log(2 N) / N).

    Parameters
    ----------
    half_range : float or array
        M >= 0, half the length of an interval that holds Z (print: max |Z|).
    rho : float or array
        Radius, > 0.
    count : int
        Number of samples N >= 1.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there is no sample.

    References
    ----------
    lkrf Lemma 5.
    """
    return 4 * c_rho(rho) * half_range * math.sqrt(math.log(2 * count) / count)


@checked
def binomial_deviation_constant(count: Count) -> float:
    """Largest mean absolute deviation of a binomial share in standard deviations.

    c_N = sup_a sqrt N E|B/N - a| / sqrt(a (1 - a)) = sqrt 2 (1 - 1/(2N))^(N - 1/2), B ~ Bin(N, a), at a = 1/(2N).
    Decreases from 1 at N = 1 to sqrt(2/e) = 0.858.

    Parameters
    ----------
    count : int
        N >= 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there is no sample.

    References
    ----------
    lkrf Lemma 5, sharpened; proved in docs/kernel-learning.md.
    """
    return math.sqrt(2) * math.exp((count - 0.5) * math.log1p(-0.5 / count))


@checked
def expected_supremum_gap(half_range: NonNegative, rho: NonNegative, count: Count, *, order: BallOrder = 2.0) -> Real:
    """Sharp bound on sup_P - E sup_N: c_N M sqrt(rho' / N) with rho' = (1 + rho)^(1/(k-1)) - 1.

    No logarithm, and nothing diverges as rho -> 0. For k = 2 attained by Z = +-M with P(Z = M) = 1/(2N), rho = 2N - 1.

    Parameters
    ----------
    half_range : float or array
        M >= 0, half the length of an interval that holds Z.
    rho : float or array
        Radius, >= 0.
    count : int
        Number of samples N >= 1.
    order : float
        k >= 2.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there is no sample, or for an order below 2.

    References
    ----------
    lkrf Lemma 5, sharpened; proved in docs/kernel-learning.md.
    """
    return binomial_deviation_constant(count) * half_range * chi_square_radius(rho, order=order) ** 0.5 / count**0.5


@checked
def supremum_deviation(half_range: NonNegative, rho: NonNegative, count: Count, *, delta: Probability) -> Real:
    """Two-sided deviation of sup_N from its mean: 2 sqrt 2 M sqrt((1 + rho) log(2 / delta) / N).

    sup_N is convex and sqrt((1 + rho) / N)-Lipschitz in N independent values of range 2 M.

    Parameters
    ----------
    half_range : float or array
        M >= 0, half the length of an interval that holds Z (print: max |Z|).
    rho : float or array
        Radius, >= 0.
    count : int
        Number of samples N >= 1.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there is no sample, or delta is outside (0, 1).

    References
    ----------
    lkrf equation (14).
    """
    return convex_deviation(half_range, lipschitz=printed_weight_norm(rho, count, order=2.0), delta=delta)


@checked
def convex_deviation(half_range: NonNegative, *, lipschitz: NonNegative, delta: Probability) -> Real:
    """Two-sided deviation of a convex Lipschitz function of independent values: 2 M L sqrt(2 log(2 / delta)).

    The values have range 2 M; the tails are exp(-t^2 / (8 L^2 M^2)) each.

    Parameters
    ----------
    half_range : float or array
        M >= 0.
    lipschitz : float or array
        L >= 0, with respect to the Euclidean norm.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If delta is outside (0, 1).

    References
    ----------
    lkrf equation (14), by Samson's inequality.
    """
    return 2 * half_range * lipschitz * math.sqrt(2 * (math.log(2) - math.log(delta)))
