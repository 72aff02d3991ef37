"""Theorem 4.1 with the steps of its proof: where the printed play converges, and how far that is from the value.

The pair delta_w + delta_-w has mass two, so the play in the box C approaches the equilibrium of the game in the box
2 C, whose measure need not be optimal in the box C.
Every row is certified: max F from below by feasible weights, F* from above by a measure, and eps_t, which is added to
the bound, by the second derivative of the potential.
"""

import math

import torch

from algos.margin_game.game import MarginGame
from algos.margin_game.maximum import MarginMaximum, margin_maximum
from bounds.margin_game.game import convergence, printed_convergence, printed_play_convergence
from harness import Row, claim, reproduction
from harness.claims.nsrf import defects
from harness.claims.nsrf.game_beds import (
    FOUR,
    guaranteed,
    largest_payoff,
    played,
    proof_scale,
)

ROUNDS = (10, 100, 300, 1000, 3000, 10_000)
RULES = {
    "D/(G sqrt t)": ("printed", False),
    "D/(G sqrt t), exact D and G": ("exact", False),
    "G/(D sqrt t)": ("printed", True),
    "G/(D sqrt t), exact D and G": ("exact", True),
}
"""Name -> (values of D and G, whether G is on top)."""
COPIES = 100
"""Of the four points, where the bound is asked to be smaller than with one copy."""
SPARED = {"0": 0.0, ".01/sqrt t": 0.01}
"""Steps that the four points do not refute."""
PEAK = math.acos((math.sqrt(33) - 1) / 8)
"""Maximum of cos^2(w/2) sin^2(3 w/2) = ((sin w + sin 2 w)/2)^2: 4 cos^2 w + cos w - 2 = 0."""
VALUE = 1 - math.cos(PEAK / 2) ** 2 * math.sin(1.5 * PEAK) ** 2 / 2
"""F* of the four points in the box 1/4, .61272406: a = C guarantees it, and the pair +-PEAK does not allow more."""


AT_REST = len(RULES) + 1
"""Index of the run with steps 0 in `four_points`."""
OF_THE_COPIES = {
    "D/(G sqrt t)": len(RULES),
    "G/(D sqrt t)": AT_REST + len(SPARED),
    "D/(G sqrt t), exact D and G": 1,
    "G/(D sqrt t), exact D and G": AT_REST + len(SPARED) + 1,
}
"""Index of the runs of `four_points` for `COPIES` copies; an exact D/G moves weights as with one copy."""


def four_points() -> MarginGame:
    """The printed play on the four points: `RULES`, D/(G sqrt t) of copies, `SPARED` steps, G/(D sqrt t) of copies."""
    scales = [proof_scale(FOUR, constants=values, inverted=inverted) for values, inverted in RULES.values()]
    inverted = [proof_scale(FOUR, copies=COPIES, constants=values, inverted=True) for values in ("printed", "exact")]
    every = (*scales, proof_scale(FOUR, copies=COPIES), *SPARED.values(), *inverted)
    return played(FOUR, every, ROUNDS[-1], mass=2)


@claim(
    "nsrf/thm-4.1-proof-steps",
    reproduction(sided="at most"),
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem 4.1 and Appendix C: steps G/(D sqrt t), or D/(G sqrt t)",
    quote=(
        "Then, Algorithm 2 returns a dual measure lambda_bar, which satisfies max F(alpha, lambda_bar) <= min max "
        "F(alpha, lambda) + sum_t eps_t/(2T) + O(1/sqrt T)."
    ),
    defect=defects.MASS_OF_THE_PAIRS,
)
def proof_steps_as_printed():
    """With the steps of the proof, max F(., lambda_bar) - F* <= (mean of eps_t)/2 + 3 (C + 2 C^2) n/(4 sqrt T).

    x = (0, 1, 3, 4), y = (-, -, +, +), C = 1/4, n = 4. Refuted at T = 10^4 for the proof's steps, as printed and
    with G and D exchanged, with its values of G and D and with exact ones: judged is the least of the four gaps.
    The form O(1/sqrt T) of Appendix C falls with them, for these steps and all others of vanishing average regret,
    with exact peaks: the gap tends to 5/8 - F* = .0122759, as lambda_bar tends to the equilibrium of the box 1/2,
    the pair +-pi/3 (the only one: a* = (2, 4, 4, 2)/9 is optimal there, and its potential has no other peak). NOT
    refuted by these points: other step sizes. Steps 0 give the gap 0, a_1 being optimal, and .01/sqrt t obeys the
    bound at this T. Certified (last rows): F* lies between what a = C and the pair w = .93592946 guarantee, max F
    between a dual and a primal value, and the rigorous eps_t are in the bound.
    """
    game = four_points()
    rows: list[Row] = []
    for rounds in ROUNDS:
        allowed = printed_convergence(FOUR.capacity, 4, rounds, peak_gap=game.gaps.max().item())
        rows.append(Row("bound", allowed, at={"T": rounds}))
        gaps = [largest_payoff(FOUR, game[index], rounds).lower.item() - VALUE for index in range(len(RULES))]
        rows += [Row(f"gap, {name}", gap, at={"T": rounds}) for name, gap in zip(RULES, gaps, strict=True)]
        rows.append(Row("least gap of the four", min(gaps), printed=allowed, at={"T": rounds}))
    for index, name in enumerate(SPARED, start=len(RULES) + 1):
        gap = largest_payoff(FOUR, game[index], ROUNDS[-1]).lower.item() - VALUE
        rows.append(Row(f"gap, steps {name}", gap, printed=allowed))
    rows.append(Row("gap of the pair +-pi/3", against_pair(math.pi / 3).lower.item() - VALUE))
    below = guaranteed(FOUR, torch.full((4,), FOUR.capacity, dtype=torch.float64))
    most = largest_payoff(FOUR, game[0], ROUNDS[-1])
    rows.append(Row("width of F*", against_pair(PEAK).upper.item() - below))
    rows.append(Row("width of max F", (most.upper - most.lower).item()))
    return rows


def against_pair(frequency: float) -> MarginMaximum:
    """max F(., +-w) on the four points."""
    features = FOUR.player().features(torch.tensor([frequency], dtype=torch.float64))
    return margin_maximum(features, FOUR.labels, FOUR.capacity)


@claim(
    "nsrf/thm-4.1-proof-steps",
    reproduction(sided="at most"),
    reading="corrected",
    cite="nsrf, Theorem 4.1, with pairs of mass one, or with the box 2 C",
    restricts="four points of the line, T <= 10,000",
    unnoticed="the gap goes to zero and the bound as 1/sqrt T: a hundredth of it is reached",
)
def mass_one_steps():
    """On the same points pairs of mass one bring the gap to zero, and pairs of mass two do so in the game with box 2 C.

    Steps D/(G sqrt t), each with its G; the limit of the printed play is a gap of .0122759 in the box C.
    """
    one = played(FOUR, (proof_scale(FOUR, constants="exact", mass=1),), ROUNDS[-1], mass=1)[0]
    two = four_points()[1]
    doubled, eps = 2 / 3, one.gaps.max().item()
    rows: list[Row] = []
    for rounds in ROUNDS:
        gap = largest_payoff(FOUR, one, rounds).upper.item() - VALUE
        rows.append(Row("gap, mass one", gap, printed=convergence(0.25, 4, 2, rounds, peak_gap=eps), at={"T": rounds}))
        gap = largest_payoff(FOUR, two, rounds, box=0.5).upper.item() - doubled
        allowed = printed_play_convergence(0.25, 4, 2, rounds, peak_gap=eps)
        rows.append(Row("gap in the box 2 C, mass two", gap, printed=allowed, at={"T": rounds}))
    return rows
