"""Orderings between the bounds of the margin game: convergence, value, sign patterns, spectral classes."""

import math

from bounds.complexity.spectral_class import (
    expected_sign_sum,
    printed_margin_vacuous_sample,
    printed_spectral_complexity,
    printed_spectral_margin_excess,
    spectral_complexity,
    spectral_margin_excess,
    uniform_spectral_margin_excess,
)
from bounds.margin_game.game import (
    adagrad_convergence,
    convergence,
    posterior_convergence,
    printed_convergence,
    printed_play_convergence,
    squared_hinge_convergence,
    trivial_gap,
)
from bounds.margin_game.sign_patterns import error_deficit, log_sign_patterns, printed_share, sign_pattern_gap
from bounds.margin_game.value import (
    margin_ratio_loss,
    printed_margin_ratio_loss,
    printed_weak_learner_value,
    value_lower_bound,
    weak_learner_value,
)
from tests.mutation.orderings.table import DELTA, SIZE, Ordering, Span

GAME, VALUE, PATTERNS, CLASS = (
    "bounds.margin_game.game",
    "bounds.margin_game.value",
    "bounds.margin_game.sign_patterns",
    "bounds.complexity.spectral_class",
)
POSITIVE = Span(1e-3, 1e3, "log")
ROUNDS = Span(1, 10**6, "log", whole=True)
BOX = Span(1e-3, 10.0, "log")
GAP = Span(0.0, 2.0)
PHASE = Span(0.0, 50.0)

TABLE = (
    Ordering(
        GAME,
        "the printed play in a box converges as the game of mass one in the box of twice the side",
        "=",
        {"box": BOX, "half": SIZE, "rounds": ROUNDS, "gap": GAP},
        lambda box, half, rounds, gap: (
            printed_play_convergence(box, 3 * half, half, rounds, peak_gap=gap),
            convergence(2 * box, 3 * half, half, rounds, peak_gap=4 * gap),
        ),
    ),
    Ordering(
        GAME,
        "balanced classes: 3 C n (1 + C n) / (2 sqrt T)",
        "=",
        {"box": BOX, "half": SIZE, "rounds": ROUNDS},
        lambda box, half, rounds: (
            convergence(box, 2 * half, half, rounds),
            1.5 * box * 2 * half * (1 + box * 2 * half) / math.sqrt(rounds),
        ),
    ),
    Ordering(
        GAME,
        "with balanced classes the printed constant is at most half of the proved one",
        "<=",
        {"box": BOX, "half": SIZE, "rounds": ROUNDS},
        lambda box, half, rounds: (
            2 * printed_convergence(box, 2 * half, rounds),
            convergence(box, 2 * half, half, rounds),
        ),
    ),
    Ordering(
        GAME,
        "a hundred times as many rounds: a tenth of the printed regret, and the same share of peak gaps",
        "=",
        {"box": BOX, "n": SIZE, "rounds": ROUNDS, "gap": GAP},
        lambda box, n, rounds, gap: (
            printed_convergence(box, n, rounds, peak_gap=gap),
            10 * printed_convergence(box, n, 100 * rounds) + gap / 2,
        ),
    ),
    Ordering(
        GAME,
        "the printed bound is half of the regret at the printed gradient and diameter",
        "=",
        {"box": BOX, "n": SIZE, "rounds": ROUNDS},
        lambda box, n, rounds: (
            printed_convergence(box, n, rounds),
            0.75 * (1 + 2 * box) * math.sqrt(n) * box * math.sqrt(n) / math.sqrt(rounds),
        ),
    ),
    Ordering(
        GAME,
        "equal gradients: the last AdaGrad step in all rounds leaves three quarters of the bound",
        "=",
        {"d": POSITIVE, "g": POSITIVE, "rounds": ROUNDS},
        lambda d, g, rounds: (
            posterior_convergence(d, d / math.sqrt(2 * rounds * g * g), math.sqrt(rounds / 2) * d * g, rounds),
            0.75 * adagrad_convergence(d, rounds * g * g, rounds),
        ),
    ),
    Ordering(
        GAME,
        "squared hinge loss: T rounds have 1 + log T times the total of one",
        "=",
        {"box": BOX, "n": SIZE, "rounds": ROUNDS},
        lambda box, n, rounds: (
            squared_hinge_convergence(box, n, rounds) * rounds,
            squared_hinge_convergence(box, n, 1) * (1 + math.log(rounds)),
        ),
    ),
    Ordering(
        GAME,
        "one round: the proved bound is beyond the trivial gap",
        "<=",
        {"box": BOX, "half": SIZE},
        lambda box, half: (trivial_gap(box, half), convergence(box, 2 * half, half, 1)),
    ),
    Ordering(
        VALUE,
        "no measure is worth less than one half once the weights may sum to one",
        "=",
        {"total": Span(0.0, 1.0)},
        lambda total: (value_lower_bound(1.0) - value_lower_bound(total), (1 - total) ** 2 / 2),
        atol=1e-12,
    ),
    Ordering(
        VALUE,
        "the printed loss of margin carries the whole peak gap, the value half of it",
        "=",
        {"box": BOX, "n": SIZE, "rounds": ROUNDS, "gap": GAP},
        lambda box, n, rounds, gap: (
            printed_margin_ratio_loss(box, n, rounds, peak_gap=gap),
            printed_weak_learner_value(gap, box, n, rounds),
        ),
    ),
    Ordering(
        VALUE,
        "the reciprocal margin loses twice as much as the geometric one",
        "=",
        {"gap": GAP, "value": POSITIVE},
        lambda gap, value: (
            margin_ratio_loss(gap, value, margin="reciprocal"),
            2 * margin_ratio_loss(gap, value, margin="geometric"),
        ),
    ),
    Ordering(
        VALUE,
        "the geometric margin (1 + gap / F*)^(-1/2) is at least one minus the bound",
        "<=",
        {"gap": GAP, "value": POSITIVE},
        lambda gap, value: (
            1 - (1 + gap / value) ** -0.5,
            margin_ratio_loss(gap, value, margin="geometric"),
        ),
        atol=1e-12,
    ),
    Ordering(
        VALUE,
        "a peak found earns half of its height",
        "=",
        {"weight_sum": POSITIVE, "peak": GAP, "regret": GAP},
        lambda weight_sum, peak, regret: (
            weak_learner_value(weight_sum + peak / 2, peak, regret),
            weight_sum + regret,
        ),
    ),
    Ordering(
        PATTERNS,
        "more rounds, more sign patterns",
        "<=",
        {"points": Span(1000, 10**6, "log", whole=True), "rounds": Span(1, 200, whole=True)},
        lambda points, rounds: (log_sign_patterns(points, rounds), log_sign_patterns(points, rounds + 1)),
    ),
    Ordering(
        PATTERNS,
        "the deficit is the deviation at which all patterns together have probability one",
        "=",
        {"points": Span(1000, 10**6, "log", whole=True), "rounds": Span(1, 200, whole=True)},
        lambda points, rounds: (2 * error_deficit(points, rounds) ** 2 / points, log_sign_patterns(points, rounds)),
    ),
    Ordering(
        PATTERNS,
        "enough points refute the printed bound from three rounds on",
        "<=",
        {"rounds": Span(3, 300, "log", whole=True)},
        lambda rounds: (printed_share(1e-4, rounds), sign_pattern_gap(10**9, rounds, 1e3)),
    ),
    Ordering(
        PATTERNS,
        "two rounds are not refuted by counting",
        "<=",
        {"points": Span(1000, 10**9, "log", whole=True), "rounds": (1, 2)},
        lambda points, rounds: (sign_pattern_gap(points, rounds, 1e9), printed_share(0.0, rounds)),
    ),
    Ordering(
        CLASS,
        "a sum of signs has mean modulus at most sqrt n",
        "<=",
        {"n": SIZE},
        lambda n: (expected_sign_sum(n), math.sqrt(n)),
    ),
    Ordering(
        CLASS,
        "the next sign adds nothing after an odd number",
        "=",
        {"n": Span(1, 10**5, "log", whole=True)},
        lambda n: (expected_sign_sum(2 * n), expected_sign_sum(2 * n - 1)),
    ),
    Ordering(
        CLASS,
        "a sum of signs tends to a normal variable",
        "=",
        {},
        lambda: (expected_sign_sum(10**6) / 1e3, math.sqrt(2 / math.pi)),
        rtol=1e-6,
    ),
    Ordering(
        CLASS,
        "no complexity is beyond the trivial one",
        "<=",
        {"phase": PHASE, "n": SIZE},
        lambda phase, n: (spectral_complexity(phase, 1.0, n), 1.0),
    ),
    Ordering(
        CLASS,
        "without phases only signs are left",
        "=",
        {"mass": POSITIVE, "n": SIZE},
        lambda mass, n: (spectral_complexity(0.0, mass, n), math.sqrt(mass) * expected_sign_sum(n) / n),
    ),
    Ordering(
        CLASS,
        "the proved complexity exceeds the printed one by at most the signs",
        "<=",
        {"phase": PHASE, "mass": POSITIVE, "n": SIZE},
        lambda phase, mass, n: (
            spectral_complexity(phase, mass, n),
            printed_spectral_complexity(phase, mass, n) + math.sqrt(mass) * expected_sign_sum(n) / n,
        ),
    ),
    Ordering(
        CLASS,
        "a theta that is chosen on the sample costs something",
        "<=",
        {"phase": PHASE, "mass": POSITIVE, "share": Span(0.001, 1.0), "n": SIZE, "delta": DELTA},
        lambda phase, mass, share, n, delta: (
            spectral_margin_excess(phase, mass, share * math.sqrt(mass), n, delta=delta),
            uniform_spectral_margin_excess(phase, mass, share * math.sqrt(mass), n, delta=delta),
        ),
    ),
    Ordering(
        CLASS,
        "the printed bound says nothing up to its vacuous sample size",
        "<=",
        {"phase": Span(0.2, 50.0), "mass": POSITIVE, "share": Span(0.001, 1.0), "delta": DELTA},
        lambda phase, mass, share, delta: (
            1.0,
            printed_spectral_margin_excess(
                phase, mass, share * math.sqrt(mass), int(printed_margin_vacuous_sample(phase)), delta=delta
            ),
        ),
    ),
)
