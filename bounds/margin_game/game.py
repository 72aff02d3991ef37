"""Convergence of the margin game between the weights of a support vector machine and the spectrum of its kernel.

The game: F(a, lambda) = 1.a - (1/2) int lambda v_a on K = {0 <= a <= C, y.a = 0} against symmetric measures lambda of
mass one, v_a(w) = |sum_i y_i a_i exp(i w.x_i)|^2, with value F* = min_lambda max_a F. In round t the kernel player
answers a_t with a pair +-w_t, v_(a_t)(w_t) >= sup v_(a_t) - eps_t; the weights follow online gradient ascent; lambdabar
puts equal masses on the T pairs. The gap of lambdabar is max_a F(a, lambdabar) - F*, at most the average regret plus
half of the mean of eps_t.
"""

import math

from bounds.margin_game.online import diameter as feasible_diameter
from bounds.margin_game.online import gradient_norm, online_ascent_regret
from signatures.checked import checked
from signatures.numbers import AtLeastOne, Count, NonNegative, Positive, Real


@checked
def printed_convergence(box: NonNegative, n: AtLeastOne, rounds: AtLeastOne, *, peak_gap: NonNegative = 0.0) -> Real:
    """Printed bound on the gap of the returned measure: (mean of eps_t) / 2 + 3 (C + 2 C^2) n / (4 sqrt T).

    False for every choice of step sizes (`sign_pattern_gap`): it bounds |sum_i y_i a_i exp(i w.x_i)| by C instead of
    2 C m, and takes F for linear in lambda where it is affine.

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
    nsrf Theorem 4.1.
    """
    return peak_gap / 2 + 3 * (box + 2 * box**2) * n / (4 * rounds**0.5)


@checked
def convergence(
    box: NonNegative, n: AtLeastOne, minority: NonNegative, rounds: AtLeastOne, *, peak_gap: NonNegative = 0.0
) -> Real:
    """Bound on the gap after T rounds with pairs of mass one: (mean of eps_t) / 2 + 3 G D / (2 sqrt T).

    D = C sqrt(2 m), G = sqrt n (1 + 2 C m), steps D / (G sqrt t); 3 C n (1 + C n) / (2 sqrt T) for balanced classes.

    Parameters
    ----------
    box : float or array
        C >= 0.
    n : float or array
        Number of points, >= 1.
    minority : float or array
        m = min(n_+, n_-) >= 0.
    rounds : float or array
        T >= 1.
    peak_gap : float or array
        Mean over the rounds of eps_t >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1, corrected: the pair has the mass of the measures that it is compared with.
    """
    steepest = gradient_norm(box, n, minority, mass=1)
    return peak_gap / 2 + online_ascent_regret(feasible_diameter(box, minority), steepest, rounds)


@checked
def printed_play_convergence(
    box: NonNegative, n: AtLeastOne, minority: NonNegative, rounds: AtLeastOne, *, peak_gap: NonNegative = 0.0
) -> Real:
    """Bound on the gap *in the box 2 C* of what the printed algorithm plays: 2 (mean of eps_t) + 3 G D / sqrt T.

    The printed pair delta_w + delta_-w has mass two: its payoff at a is half of that of mass one at 2 a, and v_(2a) =
    4 v_a, so that the play in the box C is the play of mass one in the box 2 C. D = C sqrt(2 m), G = sqrt n (1 + 4 C
    m), steps D / (G sqrt t).

    Parameters
    ----------
    box : float or array
        C >= 0, of the run.
    n : float or array
        Number of points, >= 1.
    minority : float or array
        m = min(n_+, n_-) >= 0.
    rounds : float or array
        T >= 1.
    peak_gap : float or array
        Mean over the rounds of eps_t >= 0, at the weights of the run.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1 and Algorithm 2, repaired by training in the box 2 C (or with twice the kernel).
    """
    return convergence(2 * box, n, minority, rounds, peak_gap=4 * peak_gap)


@checked
def posterior_convergence(
    diameter: NonNegative,
    last_step: Positive,
    weighted_squares: NonNegative,
    rounds: AtLeastOne,
    *,
    peak_gap: NonNegative = 0.0,
) -> Real:
    """Bound on the gap from a run with any steps that never increase, of mass one.

    (mean of eps_t) / 2 + [D^2 / (2 eta_T) + (1/2) sum_t eta_t |g_t|^2] / T.

    Parameters
    ----------
    diameter : float or array
        D >= 0, of K.
    last_step : float or array
        eta_T > 0.
    weighted_squares : float or array
        sum_t eta_t |g_t|^2 >= 0.
    rounds : float or array
        T >= 1.
    peak_gap : float or array
        Mean over the rounds of eps_t >= 0.

    Returns
    -------
    float or array

    References
    ----------
    The proof of nsrf Theorem 4.1, with the gradients of the run kept.
    """
    return peak_gap / 2 + (diameter * (diameter / last_step) + weighted_squares) / (2 * rounds)


@checked
def adagrad_convergence(
    diameter: NonNegative, squared_gradients: NonNegative, rounds: AtLeastOne, *, peak_gap: NonNegative = 0.0
) -> Real:
    """Bound on the gap from a run with AdaGrad-norm steps, of mass one.

    (mean of eps_t) / 2 + sqrt 2 D sqrt(sum_t |g_t|^2) / T; steps D / sqrt(2 sum_(s<=t) |g_s|^2).

    Parameters
    ----------
    diameter : float or array
        D >= 0, of K.
    squared_gradients : float or array
        sum_t |g_t|^2 >= 0.
    rounds : float or array
        T >= 1.
    peak_gap : float or array
        Mean over the rounds of eps_t >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1, with steps that need no bound on the gradients.
    """
    return peak_gap / 2 + diameter * (2 * squared_gradients) ** 0.5 / rounds


@checked
def squared_hinge_convergence(box: Positive, n: AtLeastOne, rounds: Count, *, peak_gap: NonNegative = 0.0) -> Real:
    """Bound on the gap of the game with squared hinge loss: (mean of eps_t) / 2 + C G^2 (1 + log T) / (2 T).

    The payoff F - |a|^2 / (2 C) on a >= 0, y.a = 0 is 1/C-strongly concave, and every maximiser has norm at most C sqrt
    n; on that ball G = sqrt n (2 + C n). Pairs of mass one, steps C / t.

    Parameters
    ----------
    box : float or array
        C > 0, the weight of the squared hinge loss (its half).
    n : float or array
        Number of points, >= 1.
    rounds : int
        T >= 1.
    peak_gap : float or array
        Mean over the rounds of eps_t >= 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If there is no round.

    References
    ----------
    nsrf after Corollary 4.2, O(log T / T) without a constant, and without a bounded set of actions.
    """
    return peak_gap / 2 + box * n * (2 + box * n) ** 2 * (1 + math.log(rounds)) / (2 * rounds)


@checked
def trivial_gap(box: NonNegative, minority: NonNegative) -> Real:
    """Gap that no measure exceeds: 2 C m, because 0 <= F* and max_a F <= max_a 1.a.

    Parameters
    ----------
    box : float or array
        C >= 0.
    minority : float or array
        m = min(n_+, n_-) >= 0.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Theorem 4.1, where the bound starts to say something.
    """
    return 2 * box * minority
