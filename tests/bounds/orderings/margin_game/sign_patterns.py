"""Orderings between the bounds of `bounds.margin_game.sign_patterns`."""

from bounds.margin_game.sign_patterns import error_deficit, log_sign_patterns, printed_share, sign_pattern_gap
from tests.bounds.orderings import Span, equal, ordered


@ordered(points=Span(1000, 10**6, "log", whole=True), rounds=Span(1, 200, whole=True))
def more_rounds_more_sign_patterns(points, rounds):
    return log_sign_patterns(points, rounds), log_sign_patterns(points, rounds + 1)


@equal(points=Span(1000, 10**6, "log", whole=True), rounds=Span(1, 200, whole=True))
def all_patterns_together_have_probability_one_at_the_deficit(points, rounds):
    """The deficit is the deviation at which all patterns together have probability one."""
    return 2 * error_deficit(points, rounds) ** 2 / points, log_sign_patterns(points, rounds)


@ordered(rounds=Span(3, 300, "log", whole=True))
def enough_points_refute_the_printed_bound_from_three_rounds_on(rounds):
    return printed_share(1e-4, rounds), sign_pattern_gap(10**9, rounds, 1e3)


@ordered(points=Span(1000, 10**9, "log", whole=True), rounds=(1, 2))
def two_rounds_are_not_refuted_by_counting(points, rounds):
    return sign_pattern_gap(points, rounds, 1e9), printed_share(0.0, rounds)
