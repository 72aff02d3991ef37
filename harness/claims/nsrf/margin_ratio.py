"""Consequences of Theorem 4.1: its alternate form, for a weak learner, and Corollary 4.2, for the margin."""

from typing import Literal

import torch

from bounds.margin_game.game import convergence
from bounds.margin_game.online import diameter, gradient_norm, online_ascent_regret
from bounds.margin_game.value import (
    margin_ratio_loss,
    printed_margin_ratio_loss,
    printed_weak_learner_value,
    value_lower_bound,
    weak_learner_value,
)
from harness import Forall, Row, always, claim, grid, reproduction
from harness.claims.nsrf import defects
from harness.claims.nsrf.game_beds import EIGHT, FOUR, Bed, guaranteed, largest_payoff, played, proof_scale, value
from harness.claims.nsrf.proof_steps import AT_REST, COPIES, OF_THE_COPIES, ROUNDS, VALUE, four_points
from harness.claims.nsrf.small_games import games_and_weights, theorem

TWO = Bed((0, 1), (1, -1), 1.0, 3)
"""Two points of different classes; the pair +-pi is the best answer to all weights, and on the grid."""
MARGINS: dict[Literal["geometric", "reciprocal"], float] = {"geometric": 0.5, "reciprocal": 1.0}
"""M/M* is F*/max F to this power."""
STEPS = {
    "D/(G sqrt t), exact D and G": ("exact", False),
    "D/(G sqrt t)": ("printed", False),
    "G/(D sqrt t)": ("printed", True),
}


@claim(
    "nsrf/thm-4.1-alt",
    always(),
    over=grid(n=[2, 32], T=[100, 10_000]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem 4.1, alternate form",
    quote=(
        "Suppose instead that v_(alpha_t)(omega_t) >= rho at each time t. Then, lambda_bar satisfies max F(alpha, "
        "lambda_bar) <= rho + 3(C + 2C^2)n/(4 sqrt T)."
    ),
    defect=defects.ALTERNATE_FORM,
)
def weak_learner_form_as_printed(forall: Forall, *, n: int, T: int):
    """If v(w_t) >= rho in each round, then max F(., lambda_bar) <= rho + 3 (C + 2 C^2) n/(4 sqrt T).

    Refuted for every choice of step sizes and every measure: rho = 0 is always allowed, so the claim is that max F
    tends to 0, while max F >= s - s^2/2 (left) for weights of sum s = min(1, 2 C m), 1/2 once 2 C m >= 1; here m = n/2.
    One point per class, C = 1: max F >= 1/2 > 4.5/sqrt T from T = 82. Another rho is in thm-4.1-alt-largest.
    """
    box = forall.interval("C", 0.0, 1.0)
    return value_lower_bound((box * n).clamp(max=1.0)), printed_weak_learner_value(0.0, box, n, T)


@claim(
    "nsrf/thm-4.1-alt",
    always(),
    over=[{"n": 5, "T": 4}],
    reading="corrected",
    cite="nsrf, Theorem 4.1, alternate form, with the payoff in place of the potential",
    restricts="points among 1, ..., 8 of the line, n = 5, T = 4; boxes up to 2",
    unnoticed="regret is bounded for the worst sequence of functions, not for a game: .39 of it is reached",
)
def weak_learner_form(forall: Forall, *, n: int, T: int):
    """If F(a_t, lambda_t) <= rho in each round, then F(a, lambda_bar) <= rho + 3 G D/(2 sqrt T) on K.

    Pairs of mass one. With potentials: v(w_t) >= rho gives max F <= (mean of 1.a_t) - rho/2 + 3 G D/(2 sqrt T). The
    smaller of both right sides is checked.
    """
    games, weights = games_and_weights(forall, n)
    game, _ = theorem(games, T)
    steepest = gradient_norm(games.box, n, games.minority, mass=1)
    regret = online_ascent_regret(diameter(games.box, games.minority), steepest, T)
    potentials = weak_learner_value(game.weight_sums.mean(-1), game.values.amin(-1), regret)
    return games.payoff(game, weights), torch.minimum(game.payoffs().amax(-1) + regret, potentials)


@claim(
    "nsrf/thm-4.1-alt-largest",
    reproduction(sided="at most"),
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem 4.1, alternate form, rho as large as it may be",
    quote=(
        "Suppose instead that v_(alpha_t)(omega_t) >= rho at each time t. Then, lambda_bar satisfies max F(alpha, "
        "lambda_bar) <= rho + 3(C + 2C^2)n/(4 sqrt T)."
    ),
    defect=defects.ALTERNATE_FORM,
)
def largest_rho_as_printed():
    """With rho = min over t of v(w_t), max F(., lambda_bar) <= rho + 3 (C + 2 C^2) n/(4 sqrt T) along the printed play.

    x = (0, 1), y = (+, -), C = 1, T = 400: max F >= 1/2. The largest rho that is allowed does not save the statement,
    with the steps of the proof, printed or with G and D exchanged. (With steps 0 it does: rho = 1 there, and only rho =
    0, of thm-4.1-alt, refutes.)
    """
    rows: list[Row] = []
    for name, (constants, inverted) in STEPS.items():
        game = played(TWO, (proof_scale(TWO, constants=constants, inverted=inverted),), 400, mass=2)[0]
        rho = game.values.min().item()
        allowed = printed_weak_learner_value(rho, 1.0, 2, 400)
        rows.append(
            Row(f"max F, {name}", largest_payoff(TWO, game, 400).lower.item(), printed=allowed, at={"rho": rho})
        )
    return rows


@claim(
    "nsrf/thm-4.1-alt-largest",
    reproduction(sided="at most"),
    reading="corrected",
    cite="nsrf, Theorem 4.1, alternate form, with the payoff in place of the potential",
    restricts="two points of the line, T <= 400",
)
def largest_payoff_of_a_round():
    """On the same points max F(., lambda_bar) <= max over t of F(a_t, lambda_t) + 3 G D/(2 sqrt T); mass one."""
    rows: list[Row] = []
    game = played(TWO, (proof_scale(TWO, constants="exact", mass=1),), 400, mass=1)[0]
    regret = online_ascent_regret(diameter(1.0, 1), gradient_norm(1.0, 2, 1, mass=1), 1.0)
    for rounds in (1, 10, 100, 400):
        most = largest_payoff(TWO, game, rounds).upper.item()
        rows.append(
            Row("max F", most, printed=game.payoffs()[:rounds].max().item() + regret / rounds**0.5, at={"T": rounds})
        )
    return rows


@claim(
    "nsrf/cor-4.2",
    reproduction(sided="at most"),
    reading="printed",
    cite="nsrf, Corollary 4.2",
    quote=(
        "M is (1 - delta)-competitive with M*, the maximally achievable margin by a kernel with the assumed "
        "invariance, with delta <= sum_t eps_t/T + 3(C + 2C^2)n/(4 sqrt T)."
    ),
    restricts=(
        "four and eight points, where such steps are shown; whether they exist for all data is open. M is taken as (2 "
        "max F)^(-1/2) and as 1/max F, of the kernel of mass one"
    ),
    unnoticed="the steps are those after which the game is over: .05 of the printed deltas is reached",
)
def margin_ratio_for_some_steps():
    """On two sets of points, for some step sizes, M >= (1 - delta) M*, delta <= 3 (C + 2 C^2) n/(4 sqrt T).

    As Theorem 4.1, which it restates, the corollary says "with a certain choice of step sizes". Steps 0 do it here, the
    peak of a_1 being optimal or nearly so. For the steps of the proof of Theorem 4.1 it is false: the inferred reading.
    The examples that defeat every step in that theorem refute nothing here: where they live the right side exceeds 1.
    The right side has the unit of F, while delta has none.
    """
    rows: list[Row] = []
    runs = (
        (FOUR, COPIES, four_points()[AT_REST], VALUE, ROUNDS),
        (EIGHT, 1, played(EIGHT, (0.0,), 1000, mass=2)[0], guaranteed(EIGHT, value(EIGHT).weights), (10, 100, 1000)),
    )
    for bed, copies, game, worth, stops in runs:
        for rounds in stops:
            allowed = printed_margin_ratio_loss(bed.capacity / copies, copies * len(bed.signs), rounds)
            ratio = worth / largest_payoff(bed, game, rounds).upper.item()
            rows += [
                Row(
                    f"delta, {margin}, {len(bed.signs)} points, steps 0",
                    1 - ratio**power,
                    printed=allowed,
                    at={"T": rounds},
                )
                for margin, power in MARGINS.items()
            ]
    return rows


@claim(
    "nsrf/cor-4.2",
    reproduction(sided="at most"),
    reading="inferred",
    expected="refuted",
    cite="nsrf, Corollary 4.2, with the steps of the proof of Theorem 4.1",
    restricts="steps of Lemma C.1, four points; M of the kernel of mass one, as (2 max F)^(-1/2) or 1/max F",
    defect=defects.COROLLARY_4_2,
)
def margin_ratio_with_the_steps_of_the_proof():
    """With the steps of Lemma C.1, M >= (1 - delta) M*, delta <= (mean of eps_t) + 3 (C + 2 C^2) n/(4 sqrt T).

    Not printed: the corollary says "with a certain choice of step sizes", and steps 0 attain M* here. The four points
    of thm-4.1-proof-steps, 100 copies each, C = 1/400, n = 400, T = 10^4; steps G/(D sqrt t) and D/(G sqrt t), with the
    proof's values of G and D and with exact ones. The paper does not define the margin M of a machine with slack; two
    readings are judged, geometric (2 max F)^(-1/2) and reciprocal 1/max F. M is of the kernel of lambda_bar, of mass
    one as those of M*; as returned, the features of Algorithm 2 have mass T, and margins of unequal masses are not
    comparable.
    """
    game, box, n = four_points(), FOUR.capacity / COPIES, 4 * COPIES
    rows: list[Row] = []
    for rounds in ROUNDS:
        allowed = printed_margin_ratio_loss(box, n, rounds, peak_gap=game.gaps.max().item())
        losses = []
        for name, index in OF_THE_COPIES.items():
            ratio = VALUE / largest_payoff(FOUR, game[index], rounds).lower.item()
            losses += [(f"delta, {margin}, {name}", 1 - ratio**power) for margin, power in MARGINS.items()]
        rows += [Row(label, loss, at={"T": rounds}) for label, loss in losses]
        rows.append(Row("least delta of all", min(loss for _, loss in losses), printed=allowed, at={"T": rounds}))
    return rows


@claim(
    "nsrf/cor-4.2",
    reproduction(sided="at most"),
    reading="corrected",
    cite="nsrf, Corollary 4.2, with the unit of F divided out, and pairs of mass one",
    restricts="four points of the line, T <= 10,000, two definitions of the margin",
)
def margin_ratio():
    """M >= (1 - delta) M* with delta <= gap/(2 F*) for the geometric margin, gap/F* for the reciprocal one.

    M/M* = (1 + gap/F*)^(-1/2), or its square. The four points: first with the gap itself, of the printed play, then
    with the bound on it by Theorem 4.1 corrected, for pairs of mass one.
    """
    game = played(FOUR, (proof_scale(FOUR, constants="exact", mass=1),), ROUNDS[-1], mass=1)[0]
    rows: list[Row] = []
    most = largest_payoff(FOUR, four_points()[1], ROUNDS[-1]).upper.item()
    for name, power in MARGINS.items():
        allowed = margin_ratio_loss(most - VALUE, VALUE, margin=name)
        rows.append(Row(f"delta, {name}, printed play", 1 - (VALUE / most) ** power, printed=allowed))
    for rounds in ROUNDS:
        bound = convergence(FOUR.capacity, 4, 2, rounds, peak_gap=game.gaps.max().item())
        ratio = VALUE / largest_payoff(FOUR, game, rounds).upper.item()
        for name, power in MARGINS.items():
            allowed = margin_ratio_loss(bound, VALUE, margin=name)
            rows.append(Row(f"delta, {name}", 1 - ratio**power, printed=allowed, at={"T": rounds}))
    return rows
