"""Orderings between the bounds of `bounds.margin_game.game`."""

import math

from bounds.margin_game import game
from tests.bounds.orderings import COUNT, POSITIVE, SIZE, Span, equal, ordered

GAP = Span(0.0, 2.0)
BOX = Span(1e-3, 10.0, "log")


@equal(box=BOX, half=SIZE, rounds=COUNT, gap=GAP)
def printed_play_is_the_game_of_mass_one_in_twice_the_box(box, half, rounds, gap):
    """The printed play in a box converges as the game of mass one in the box of twice the side."""
    yield game.printed_play_convergence(box, 3 * half, half, rounds, peak_gap=gap)
    yield game.convergence(2 * box, 3 * half, half, rounds, peak_gap=4 * gap)


@equal(box=BOX, half=SIZE, rounds=COUNT)
def convergence_for_balanced_classes_in_full(box, half, rounds):
    """Balanced classes: 3 C n (1 + C n) / (2 sqrt T)."""
    yield game.convergence(box, 2 * half, half, rounds)
    yield 1.5 * box * 2 * half * (1 + box * 2 * half) / math.sqrt(rounds)


@ordered(box=BOX, half=SIZE, rounds=COUNT)
def printed_constant_is_at_most_half_of_the_proved_one(box, half, rounds):
    """With balanced classes the printed constant is at most half of the proved one."""
    return 2 * game.printed_convergence(box, 2 * half, rounds), game.convergence(box, 2 * half, half, rounds)


@equal(box=BOX, n=SIZE, rounds=COUNT, gap=GAP)
def hundred_times_the_rounds_leave_a_tenth_of_the_printed_regret(box, n, rounds, gap):
    """A hundred times as many rounds: a tenth of the printed regret, and the same share of peak gaps."""
    yield game.printed_convergence(box, n, rounds, peak_gap=gap)
    yield 10 * game.printed_convergence(box, n, 100 * rounds) + gap / 2


@equal(box=BOX, n=SIZE, rounds=COUNT)
def printed_bound_is_half_of_the_printed_regret(box, n, rounds):
    """The printed bound is half of the regret at the printed gradient and diameter."""
    yield game.printed_convergence(box, n, rounds)
    yield 0.75 * (1 + 2 * box) * math.sqrt(n) * box * math.sqrt(n) / math.sqrt(rounds)


@equal(d=POSITIVE, g=POSITIVE, rounds=COUNT)
def last_adagrad_step_leaves_three_quarters_for_equal_gradients(d, g, rounds):
    """Equal gradients: the last AdaGrad step in all rounds leaves three quarters of the bound."""
    yield game.posterior_convergence(d, d / math.sqrt(2 * rounds * g * g), math.sqrt(rounds / 2) * d * g, rounds)
    yield 0.75 * game.adagrad_convergence(d, rounds * g * g, rounds)


@equal(box=BOX, n=SIZE, rounds=COUNT)
def squared_hinge_total_grows_with_the_logarithm_of_the_rounds(box, n, rounds):
    """Squared hinge loss: T rounds have 1 + log T times the total of one."""
    yield game.squared_hinge_convergence(box, n, rounds) * rounds
    yield game.squared_hinge_convergence(box, n, 1) * (1 + math.log(rounds))


@ordered(box=BOX, half=SIZE)
def proved_bound_of_one_round_is_beyond_the_trivial_gap(box, half):
    """One round: the proved bound is beyond the trivial gap."""
    return game.trivial_gap(box, half), game.convergence(box, 2 * half, half, 1)
