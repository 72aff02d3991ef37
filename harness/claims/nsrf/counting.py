"""Theorem 4.1 for every choice of step sizes and each number of rounds: labels that defeat all pairs of frequencies."""

from torch import Tensor

from bounds.margin_game.game import convergence
from bounds.margin_game.sign_patterns import printed_share, sign_pattern_gap
from harness import Forall, always, claim
from harness.claims.nsrf import defects

ROUNDS = [
    {"T": 3, "P": 10**6},
    {"T": 4, "P": 10**5},
    {"T": 9, "P": 10**4},
    {"T": 100, "P": 10**5},
    {"T": 1000, "P": 10**6},
]


@claim(
    "nsrf/thm-4.1-many-steps",
    always(),
    over=ROUNDS,
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem 4.1, each T >= 3",
    quote=(
        "Then, with a certain choice of step sizes eta_t, Algorithm 2 produces a dual measure lambda_bar in L "
        "which satisfies max F(alpha, lambda_bar) <= min max F(alpha, lambda) + sum_t eps_t/(2T) + 3(C + "
        "2C^2)n/(4 sqrt T)."
    ),
    defect=defects.THEOREM_4_1,
)
def labels_exist_for_which_no_frequencies_help_as_printed(forall: Forall, *, T: int, P: int):
    """With some step sizes, max F(., lambda_bar) <= F* + 3 (C + 2 C^2) n/(4 sqrt T) after T rounds with exact peaks.

    Refuted for EVERY choice of step sizes and each T >= 3, by counting sign patterns; both sides are shares of C n. On
    0, ..., P-1 with k copies some labels leave the gap on the left to EVERY measure on T pairs, whatever the steps: T =
    9, P = 10^4, c = k C = 20, C = .001: .293 > .2505. As P and c grow and C shrinks the left side tends to 1/2, above
    the right one for each T > 9/4. There are n = k P points, up to 10^12 in these cells, only P of them distinct. The
    labels exist by counting and are not shown. The explicit bound is refuted, also with any absolute constant for 3/4;
    O(1/sqrt T) with constants that depend on the data is not.
    """
    box, capacity = _box_and_capacity(forall)
    return sign_pattern_gap(P, T, capacity), printed_share(box, T)


@claim(
    "nsrf/thm-4.1-many-steps",
    always(),
    over=ROUNDS,
    reading="corrected",
    cite="nsrf, Theorem 4.1, with pairs of mass one and 3 G D/(2 sqrt T)",
    restricts="no play is run: two formulas of ours are compared",
    unnoticed="the gap that labels force on any method is far below what this one is promised: .008 of it is reached",
)
def labels_exist_for_which_no_frequencies_help(forall: Forall, *, T: int, P: int):
    """The corrected bound 3 G D/(2 sqrt T), as a share of C n, is above the gap that some labels force.

    G D/(C n) = 1 + C n for balanced classes, and C n = c P: the right rate grows faster than C n. No gap exceeds 2 C m,
    so the forced one gives the smallest m that has to be looked at.
    """
    box, capacity = _box_and_capacity(forall)
    n, forced = capacity * P / box, sign_pattern_gap(P, T, capacity)
    minority = n * forced.clamp(min=0.0) / 2
    return forced, convergence(box, n, minority, T) / (box * n)


def _box_and_capacity(forall: Forall) -> tuple[Tensor, Tensor]:
    """C and c = k C for a whole number k of copies; for c < 1 the forced share is negative, and true as well."""
    box, copies = forall.interval("C", 1e-3, 1.0), forall.integers("copies", 1, 10**6)
    return box, copies * box
