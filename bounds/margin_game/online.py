"""Regret of online gradient ascent, and the constants of the margin game that enter it.

The game: F(a, lambda) = 1.a - (1/2) int lambda v_a on K = {0 <= a <= C, y.a = 0}, v_a(w) = |sum_i y_i a_i exp(i
w.x_i)|^2. A pure strategy of mass s puts s/2 on w and on -w; its gradient in a is 1 - s Y Re(conj(S) Phi(w)), S =
sum_i y_i a_i Phi_i(w).
"""

from bounds._ranges import StrategyMass
from signatures.checked import checked
from signatures.numbers import AtLeastOne, Magnitude, NonNegative, Positive, Real


@checked
def online_ascent_regret(diameter: NonNegative, lipschitz: Positive, rounds: AtLeastOne) -> Real:
    """Average regret of online gradient ascent with steps D / (G sqrt t), after T rounds.

    (1/T) max_a sum_t f_t(a) - (1/T) sum_t f_t(a_t) <= 3 G D / (2 sqrt T).

    Parameters
    ----------
    diameter : float or array
        D >= 0, of the convex set of actions.
    lipschitz : float or array
        G > 0, bound on the gradients' norms of the concave payoffs f_t.
    rounds : float or array
        T >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Lemma C.1, which prints the steps upside down, as G / (D sqrt t); the bound is false for those.
    """
    return 3 * lipschitz * diameter / (2 * rounds**0.5)


@checked
def decreasing_step_regret(diameter: Magnitude, lipschitz: Positive, rounds: AtLeastOne, *, scale: Positive) -> Real:
    """Average regret of online gradient ascent with steps c / sqrt t, for any c > 0.

    (D^2 / (2 c) + c G^2) / sqrt T; c = D/G gives 3 G D / (2 sqrt T), the printed c = G/D gives (D^3/(2 G) + G^3/D) /
    sqrt T.

    Parameters
    ----------
    diameter : float or array
        D >= 0, of the convex set of actions.
    lipschitz : float or array
        G > 0, bound on the gradients' norms of the concave payoffs f_t.
    rounds : float or array
        T >= 1.
    scale : float or array
        c > 0.

    Returns
    -------
    float or array

    References
    ----------
    The proof of nsrf Lemma C.1, with c kept.
    """
    return (diameter**2 / (2 * scale) + scale * lipschitz**2) / rounds**0.5


@checked
def printed_gradient_norm(box: NonNegative, n: AtLeastOne) -> Real:
    """Printed bound on the gradient norm of the mass-2 payoff: (1 + 2 C) sqrt n. False: |S| can reach 2 C m, not C.

    Parameters
    ----------
    box : float or array
        C >= 0.
    n : float or array
        Number of points, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Appendix C, second display of the proof of Theorem 4.1.
    """
    return (1 + 2 * box) * n**0.5


@checked
def gradient_norm(box: NonNegative, n: AtLeastOne, minority: NonNegative, *, mass: StrategyMass) -> Real:
    """Gradient norm of a payoff of the margin game: sqrt n (1 + 2 s C m) for a pure strategy of mass s.

    |S| <= sum_i a_i = 2 sum over the smaller class <= 2 C m.

    Parameters
    ----------
    box : float or array
        C >= 0.
    n : float or array
        Number of points, >= 1.
    minority : float or array
        m = min(n_+, n_-) >= 0.
    mass : int
        s = 1 (a strategy of the printed game) or s = 2 (what the printed algorithm plays).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If the mass is neither 1 nor 2.

    References
    ----------
    nsrf Appendix C, corrected.
    """
    return n**0.5 * (1 + 2 * mass * box * minority)


@checked
def printed_diameter(box: NonNegative, n: AtLeastOne) -> Real:
    """Printed bound on the Euclidean diameter of K: C sqrt n. True, attained for balanced classes.

    Parameters
    ----------
    box : float or array
        C >= 0.
    n : float or array
        Number of points, >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Appendix C, first display after Lemma C.1.
    """
    return box * n**0.5


@checked
def diameter(box: NonNegative, minority: NonNegative) -> Real:
    """Euclidean diameter of K = {0 <= a <= C, y.a = 0}: C sqrt(2 m), m = min(n_+, n_-).

    ||a - b||^2 <= C ||a - b||_1 <= 2 C^2 m, because |a - b| <= (C - a) + (C - b) on the smaller class and
    <= a + b on the larger; 0 and C on m points of each class attain it.

    Parameters
    ----------
    box : float or array
        C >= 0.
    minority : float or array
        m >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Appendix C, sharpened.
    """
    return box * (2 * minority) ** 0.5
