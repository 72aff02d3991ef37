"""What Appendix A.1 says about the step of online gradient ascent, on games of the windmill and the checkerboard."""

import math

from torch import Tensor

from algos.best_response.harmonic import HarmonicPeaks
from algos.best_response.planar import PlanarPeaks
from algos.margin_game.certificate import measure_maximum
from algos.margin_game.measure import dual_measure
from bounds.margin_game import diameter
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.nsrf.learned_machine import BOX, Player, played
from harness.claims.placement import generators
from harness.data import checkerboard, windmill

ROUNDS = (25, 75)
LARGER, FAR_LARGER = (3.0, 10.0), (30.0, 100.0)
"""Times the step of the guarantee: what a little is, up to ten times, and what is not."""


@claim(
    "nsrf/A.1-step",
    reproduction(sided="at most"),
    over=grid(data=["windmill", "checkerboard"], n=[100, 300]),
    cite="nsrf, Appendix A.1: the step of the standard regret guarantee tends to be a little too conservative",
    sizes=(
        "the two toys of Figure 1 with 100 and 300 points, T = 25 and 75; the paper has no number for the step or its "
        "effect"
    ),
)
def step_of_the_guarantee_is_a_little_conservative(draw: Draw, *, data: str, n: int):
    """Steps three or ten times that of the standard regret guarantee lead to larger margins than itself or far more.

    The guarantee 3 G D / (2 sqrt T) holds for steps D / (G sqrt t), with D = C sqrt(2 m) and G = sqrt n (1 + 2 C m), m
    the size of the smaller class. Judged is the payoff max_K F of the measure found, which falls as the margin grows:
    the better one of three and ten times the step is below the step itself, which is thus too conservative, and below
    the better one of thirty and a hundred times, so "a little".
    """
    seed = generators(draw, "seed")[0].initial_seed()
    points, labels = (windmill if data == "windmill" else checkerboard)(n, seed=seed)
    player = PlanarPeaks(points, radius=40.0) if data == "windmill" else HarmonicPeaks(points, degree=15)
    usual, *others = ([payoffs(player, labels, factor) for factor in some] for some in ((1.0,), LARGER, FAR_LARGER))
    larger, far = ([min(found) for found in zip(*some, strict=True)] for some in others)
    return [
        row
        for k, rounds in enumerate(ROUNDS)
        for row in (
            Row("max F, a larger step beside that of the guarantee", larger[k], printed=usual[0][k], at={"T": rounds}),
            Row("max F, a larger step beside far larger ones", larger[k], printed=far[k], at={"T": rounds}),
        )
    ]


def payoffs(player: Player, labels: Tensor, factor: float) -> list[float]:
    """The largest payoff against the measure of the first rounds, for steps of the guarantee times a factor."""
    minority = int(min((labels > 0).sum(), (labels < 0).sum()))
    slope = math.sqrt(len(labels)) * (1 + 2 * BOX * minority)
    step = factor * diameter(BOX, minority) / slope
    game = played(player, labels, rounds=max(ROUNDS), step=float(step))
    return [measure_maximum(dual_measure(game, rounds), player, labels, BOX).lower.item() for rounds in ROUNDS]
