"""Gaps from regrets: sums of distances and gradients of the projected steps, at the largest gradient and diameter."""

from itertools import pairwise

from mpmath import log, mpf, sqrt

GAMES = [(0.25, 4, 2, 10_000), (1.0, 32, 12, 25), (2.0, 9, 1, 7), (0.5, 3, 0, 4), (0.125, 50, 25, 1), (3.0, 6, 2, 100)]


def cases():
    for box, n, minority, rounds in GAMES:
        for peak_gap in (0.0, 0.375):
            options = {"peak_gap": peak_gap} if peak_gap else {}
            eps = mpf(peak_gap)
            # Both play payoffs of gradient 1 - s Y Re(conj S Phi), |S| <= 2 C m, on K of diameter C sqrt(2 m).
            longest = sqrt(2 * mpf(minority)) * mpf(box)
            whole = regret(longest, slope(box, n, minority, 1), rounds)
            yield "convergence", (box, n, minority, rounds), options, eps / 2 + whole
            # max over K_2C of F(., lambdabar) = 2 max over K_C of the mean payoff of mass two.
            twice = regret(longest, slope(box, n, minority, 2), rounds)
            yield "printed_play_convergence", (box, n, minority, rounds), options, 2 * (eps + twice)
            # The paper's regret 3 n (C + 2 C^2) / (2 sqrt T), halved, with half of the mean gap.
            printed = regret(mpf(box) * sqrt(n), (1 + 2 * mpf(box)) * sqrt(n), rounds)
            yield "printed_convergence", (box, n, rounds), options, (eps + printed) / 2
    for box, n, minority, rounds in GAMES:
        for peak_gap in (0.0, 1.5):
            options = {"peak_gap": peak_gap} if peak_gap else {}
            value = mpf(peak_gap) / 2 + concave_regret(mpf(box), n, rounds)
            yield "squared_hinge_convergence", (box, n, rounds), options, value
        # Every point of the smaller class at C, matched by the larger one.
        yield "trivial_gap", (box, minority), {}, sum([2 * mpf(box)] * minority, mpf(0))
    for diameter, steps, squares, peak_gap in [
        (2.0, (1.0, 0.5, 0.5), (4.0, 1.0, 9.0), 0.0),
        (0.5, (0.25, 0.125), (16.0, 0.0), 0.75),
        (3.0, (8.0,), (0.5,), 2.0),
        (1.0, (0.5, 0.25, 0.125, 0.125), (1.0, 2.0, 3.0, 5.0), 0.125),
        (1e-170, (1e-300,), (0.0,), 0.0),
    ]:
        options = {"peak_gap": peak_gap} if peak_gap else {}
        rounds, d = len(steps), mpf(diameter)
        weighted = sum(mpf(eta) * g for eta, g in zip(steps, squares, strict=True))
        value = mpf(peak_gap) / 2 + telescoped(d, steps, squares) / rounds
        yield "posterior_convergence", (diameter, steps[-1], float(weighted), rounds), options, value
        total = sum(mpf(g) for g in squares)
        # Steps D / sqrt(2 S): distances leave D^2 / (2 eta_T), gradients D sqrt(S_T / 2).
        adaptive = d**2 * sqrt(2 * total) / (2 * d) + d * sqrt(total / 2)
        value = mpf(peak_gap) / 2 + adaptive / rounds
        yield "adagrad_convergence", (diameter, float(total), rounds), options, value


def slope(box, n, minority, mass):
    """Largest gradient: n entries of at most 1 + s |S|."""
    return sqrt(n * (1 + mass * 2 * minority * mpf(box)) ** 2)


def regret(d, g, rounds):
    """With steps D / (G sqrt t): D G sqrt T / 2 from distances, at most D G sqrt T from gradients, over T."""
    return (d * g * sqrt(mpf(rounds)) / 2 + d * g * sqrt(mpf(rounds))) / rounds


def concave_regret(box, n, rounds):
    """With steps C / t under 1/C-strong concavity distances cancel; gradients cost (G^2 / 2) sum C / t <= 1 + log T.

    The gradient 1 - Y Re(conj S Phi) - a / C has three parts of norm at most sqrt n, sqrt n |S| and sqrt n, where |S|
    <= 1.a <= sqrt n |a| <= C n.
    """
    root = sqrt(mpf(n))
    steepest = root + root * (root * box * root) + box * root / box
    return box * steepest**2 * (1 + log(rounds)) / (2 * rounds)


def telescoped(d, steps, squares):
    """sum_t (|a_t - u|^2 - |a_(t+1) - u|^2) / (2 eta_t), all distances D but the last 0, plus the gradients' part."""
    inverse = [1 / mpf(eta) for eta in steps]
    distances = d**2 * inverse[0] / 2 + sum(d**2 * (late - early) / 2 for early, late in pairwise(inverse))
    return distances + sum(mpf(eta) * g / 2 for eta, g in zip(steps, squares, strict=True))
