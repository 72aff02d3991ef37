"""How few frequencies fail: a gap of the margin game that no T pairs of frequencies avoid, by counting sign patterns.

On x = 0, ..., P - 1, each point repeated k times, c = k C >= 1. Weights of K that none of the T pairs sees, S_a(w_t) =
0, have payoff 1.a. By duality of linear programs the largest such payoff is c times a sum of hinge losses of some g(x)
= b + sum_t Re(conj(z_t) exp(i w_t x)), so at least c times the number of points where y g <= 0; and for some labels
that number is nearly P/2 for every g, since the functions g have few sign patterns.
"""

import math

from signatures.checked import checked
from signatures.numbers import AtLeastOne, Count, NonNegative, Real


@checked
def log_sign_patterns(points: Count, rounds: Count) -> float:
    """Bound on the logarithm of the number of sign patterns of the functions g: N log(8 e P^2 / N), N = 4 T + 1.

    On x = 0, ..., P - 1 the g are P polynomials of degree at most P in the N numbers b, Re z_t, Im z_t, cos w_t, sin
    w_t; m polynomials of degree d have at most (8 e d m / N)^N patterns of signs and zeros if m >= N.

    Parameters
    ----------
    points : int
        P >= 4 T + 1.
    rounds : int
        T >= 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there are fewer than 4 T + 1 points, for which the bound is not proved.

    References
    ----------
    Warren 1968, Theorem 3, with zeros as in Alon 1995; for nsrf Theorem 4.1.
    """
    variables = 4 * rounds + 1
    if points < variables:
        raise ValueError(f"points = {points} must be at least 4 T + 1 with T = rounds = {rounds}: take more points.")
    return variables * math.log(8 * math.e * points**2 / variables)


@checked
def error_deficit(points: Count, rounds: Count) -> float:
    """Largest number s of errors below P/2: some labels leave more than P/2 - s of them to every g.

    s = sqrt(P L / 2), exp(L) a bound on the number of sign patterns of the functions g (`log_sign_patterns`).

    Parameters
    ----------
    points : int
        P >= 4 T + 1.
    rounds : int
        T >= 1.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there are fewer than 4 T + 1 points.

    References
    ----------
    For nsrf Theorem 4.1. Fair coins leave P/2 - s or fewer errors to one pattern with probability less than exp(-2 s^2
    / P) = exp(-L) (Hoeffding, strictly), so to any of exp(L) patterns with probability less than one.
    """
    return math.sqrt(points * log_sign_patterns(points, rounds) / 2)


@checked
def sign_pattern_gap(points: Count, rounds: Count, capacity: AtLeastOne) -> Real:
    """Gap that some labels force on every measure on T pairs of frequencies, as a share of C n.

    max_a F - F* >= C n (1/2 - s/P - 1/(2 c)), s of `error_deficit`: at least c (P/2 - s) is left to the weights, and
    F* <= P/2, because equal masses on the P-th roots of unity make the kernel the identity. The share that the paper
    allows is 3 (1 + 2 C) / (4 sqrt T) plus the eps_t, which are 0 for exact peaks.

    Parameters
    ----------
    points : int
        P >= 4 T + 1.
    rounds : int
        T >= 1.
    capacity : float or array
        c = k C >= 1, for points repeated k times.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there are fewer than 4 T + 1 points.

    References
    ----------
    Against nsrf Theorem 4.1, for any step sizes and each T >= 3.
    """
    return 0.5 - error_deficit(points, rounds) / points - 1 / (2 * capacity)


@checked
def printed_share(box: NonNegative, rounds: AtLeastOne) -> Real:
    """Printed bound on the gap with exact peaks, as a share of C n: 3 (1 + 2 C) / (4 sqrt T).

    Parameters
    ----------
    box : float or array
        C >= 0.
    rounds : float or array
        T >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1, divided by C n, at least the trivial gap.
    """
    return 3 * (1 + 2 * box) / (4 * rounds**0.5)
