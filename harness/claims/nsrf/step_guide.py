"""What Appendix A.1 says about the step of online gradient ascent, on games of the windmill and the checkerboard."""

import math
from collections.abc import Sequence

from torch import Tensor

from algos.best_response.harmonic import HarmonicPeaks
from algos.best_response.planar import PlanarPeaks
from algos.margin_game.certificate import measure_maximum
from algos.margin_game.measure import dual_measure
from bounds.margin_game import diameter
from harness import Row, claim, grid, reproduction
from harness.claims.nsrf.learned_machine import BOX, Player, played
from harness.data import checkerboard, windmill

ROUNDS = (20, 60)
A_LITTLE, FAR_TOO_MUCH = 3.0, 30.0


@claim(
    "nsrf/A.1-step",
    reproduction(sided="at most"),
    over=grid(data=["windmill", "checkerboard"], n=[200, 400]),
    cite="nsrf, Appendix A.1: the step of the standard regret guarantee tends to be a little too conservative",
    sizes=(
        "windmills and checkerboards of 200 and 400 points of our generators, T = 20 and 60; the paper has no number "
        "for the step or its effect"
    ),
    restricts="data and the factors of the step chosen after a first run",
)
def step_of_the_guarantee_is_a_little_conservative(*, data: str, n: int):
    """Three times the step of the standard regret guarantee leads to a larger margin; thirty times it is too much.

    The guarantee 3 G D / (2 sqrt T) holds for steps D / (G sqrt t), with D = C sqrt(2 m) and G = sqrt n (1 + 2 C m), m
    the size of the smaller class. Judged is the payoff max_K F of the measure found, which falls as the margin grows:
    with three times the step it is below that with the step itself, and that is below the payoff with thirty times the
    step, so "a little".
    """
    points, labels = (windmill if data == "windmill" else checkerboard)(n, seed=4)
    player = PlanarPeaks(points, radius=40.0) if data == "windmill" else HarmonicPeaks(points, degree=15)
    usual, bold, wild = (payoffs(player, labels, factor) for factor in (1.0, A_LITTLE, FAR_TOO_MUCH))
    return [
        row
        for k, rounds in enumerate(ROUNDS)
        for row in (
            Row("max F, three times the step", bold[k], printed=usual[k], at={"T": rounds}),
            Row("max F, the step of the guarantee", usual[k], printed=wild[k], at={"T": rounds}),
        )
    ]


def payoffs(player: Player, labels: Tensor, factor: float, *, at: Sequence[int] = ROUNDS) -> list[float]:
    """The largest payoff against the measure of the first rounds, for steps of the guarantee times a factor."""
    minority = int(min((labels > 0).sum(), (labels < 0).sum()))
    slope = math.sqrt(len(labels)) * (1 + 2 * BOX * minority)
    step = factor * diameter(BOX, minority) / slope
    game = played(player, labels, rounds=max(at), step=float(step))
    return [measure_maximum(dual_measure(game, rounds), player, labels, BOX).lower.item() for rounds in at]
