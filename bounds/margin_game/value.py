"""What the margin game is worth: bounds on its value, and on the margin that a gap in value costs.

Notation of `bounds.margin_game.game`; the margin of a measure is M = (2 max_a F)^(-1/2) (geometric: of the hard
margin machine the distance to the hyperplane) or M = 1 / max_a F (reciprocal), M* its largest.
"""

from typing import Literal

from bounds.margin_game.game import printed_convergence
from signatures.checked import checked
from signatures.numbers import AtLeastOne, NonNegative, Positive, Real


@checked
def value_lower_bound(total: NonNegative) -> Real:
    """Lower bound on max_a F(a, lambda), the same for every measure: s - s^2 / 2.

    Feasible weights with sum s have v_a <= s^2. Every s in [0, 2 C m] can be had; the best is min(1, 2 C m), so that
    F* >= 1/2 as soon as 2 C m >= 1.

    Parameters
    ----------
    total : float or array
        s in [0, 2 C m], the sum of the weights.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Section 3.2.
    """
    return total - total**2 / 2


@checked
def printed_weak_learner_value(peak: NonNegative, box: NonNegative, n: AtLeastOne, rounds: AtLeastOne) -> Real:
    """Printed bound on max_a F(a, lambdabar) if v_(a_t)(w_t) >= rho in each round: rho + 3 (C + 2 C^2) n / (4 sqrt T).

    False: rho = 0 is always allowed, while F* >= 1/2 as soon as 2 C m >= 1.

    Parameters
    ----------
    peak : float or array
        rho >= 0.
    box : float or array
        C >= 0.
    n : float or array
        Number of points, >= 1.
    rounds : float or array
        T >= 1.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1, alternate form.
    """
    return peak + printed_convergence(box, n, rounds)


@checked
def weak_learner_value(weight_sum: NonNegative, peak: NonNegative, regret: Real) -> Real:
    """Bound on max_a F(a, lambdabar) if v_(a_t)(w_t) >= rho in each round: (mean of 1.a_t) - rho / 2 + regret.

    More directly, rho_F + regret if F(a_t, lambda_t) = 1.a_t - v_(a_t)(w_t) / 2 <= rho_F in each round.

    Parameters
    ----------
    weight_sum : float or array
        Mean over the rounds of 1.a_t >= 0, or 2 C m.
    peak : float or array
        rho >= 0.
    regret : float or array
        Average regret of the weights, or a bound on it; of payoffs of mass one.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1, alternate form, corrected.
    """
    return weight_sum - peak / 2 + regret


@checked
def printed_margin_ratio_loss(
    box: NonNegative, n: AtLeastOne, rounds: AtLeastOne, *, peak_gap: NonNegative = 0.0
) -> Real:
    """Printed bound on delta in M >= (1 - delta) M*: (mean of eps_t) + 3 (C + 2 C^2) n / (4 sqrt T).

    Print does not define the margin of a machine with slack.

    Parameters
    ----------
    box : float or array
        C >= 0.
    n : float or array
        Number of points, >= 1.
    rounds : float or array
        T >= 1.
    peak_gap : float or array
        Mean over the rounds of eps_t >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Corollary 4.2.
    """
    return printed_convergence(box, n, rounds, peak_gap=2 * peak_gap)


@checked
def margin_ratio_loss(gap: NonNegative, value: Positive, *, margin: Literal["geometric", "reciprocal"]) -> Real:
    """Bound on delta in M >= (1 - delta) M*: `gap / (2 F*)` for the geometric margin, gap / F* for the reciprocal one.

    M / M* = (1 + gap / F*)^(-1/2), or its square.

    Parameters
    ----------
    gap : float or array
        max_a F(a, lambda) - F* >= 0, or a bound on it.
    value : float or array
        F* > 0, or a lower bound on it; 1/2 if 2 C m >= 1.
    margin : {"geometric", "reciprocal"}
        "geometric" or "reciprocal".

    Returns
    -------
    float or array

    References
    ----------
    nsrf Corollary 4.2, with the unit of F divided out.
    """
    return gap / ({"geometric": 2, "reciprocal": 1}[margin] * value)
