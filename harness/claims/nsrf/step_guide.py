"""What Appendix A.1 says about the step of online gradient ascent, on games of the windmill and the checkerboard."""

import math

from torch import Tensor

from algos.best_response.harmonic import HarmonicPeaks
from algos.best_response.planar import PlanarPeaks
from algos.margin_game.certificate import measure_maximum
from algos.margin_game.measure import dual_measure
from bounds.margin_game import diameter
from harness import Draw, Estimate, Row, claim, reproduction
from harness.claims.nsrf.learned_machine import BOX, Player, played
from harness.claims.placement import generators
from harness.data import checkerboard, windmill

ROUNDS = (25, 75)
LARGER, FAR_LARGER = (3.0, 10.0), (30.0, 100.0)
"""Times the step of the guarantee: what a little is, up to ten times, and what is not."""


TOYS = ("windmill", "checkerboard")
POINTS, DRAWS = (100, 300), 6
"""Points of a toy, and how many are drawn of each size."""


@claim(
    "nsrf/A.1-step",
    reproduction(sided="at most"),
    cite="nsrf, Appendix A.1: the step of the standard regret guarantee tends to be a little too conservative",
    sizes=(
        "the two toys of Figure 1 with 100 and 300 points, six draws of each, T = 25 and 75; the paper has no number "
        "for the step or its effect"
    ),
)
def step_of_the_guarantee_is_a_little_conservative(draw: Draw):
    """Steps three or ten times that of the standard regret guarantee lead to larger margins than itself or far more.

    The guarantee 3 G D / (2 sqrt T) holds for steps D / (G sqrt t), with D = C sqrt(2 m) and G = sqrt n (1 + 2 C m), m
    the size of the smaller class. Judged is the payoff max_K F of the measure found, which falls as the margin grows:
    that of the better one of three and ten times the step is smaller than with the step itself, which is thus too
    conservative, and than with the better one of thirty and a hundred times, so "a little". "Tends": the mean over the
    toys of the ratio's logarithm.
    """
    seeds = [source.initial_seed() for source in generators(draw, "seed")[:DRAWS]]
    found = [logarithms(name, n, seed) for name in TOYS for n in POINTS for seed in seeds]
    return [
        Row(
            f"log max F, a larger step less {other}",
            Estimate.mean([toy[k][i] for toy in found]),
            printed=0.0,
            at={"T": rounds},
        )
        for i, other in enumerate(("that of the guarantee", "far larger ones"))
        for k, rounds in enumerate(ROUNDS)
    ]


def logarithms(name: str, n: int, seed: int) -> list[tuple[float, float]]:
    """For each number of rounds, how far below the step of the guarantee and far larger ones a larger one comes."""
    points, labels = (windmill if name == "windmill" else checkerboard)(n, seed=seed)
    player = PlanarPeaks(points, radius=40.0) if name == "windmill" else HarmonicPeaks(points, degree=15)
    least = [
        [min(found) for found in zip(*(payoffs(player, labels, factor) for factor in factors), strict=True)]
        for factors in (LARGER, (1.0,), FAR_LARGER)
    ]
    return [(math.log(larger / usual), math.log(larger / far)) for larger, usual, far in zip(*least, strict=True)]


def payoffs(player: Player, labels: Tensor, factor: float) -> list[float]:
    """The largest payoff against the measure of the first rounds, for steps of the guarantee times a factor."""
    minority = int(min((labels > 0).sum(), (labels < 0).sum()))
    slope = math.sqrt(len(labels)) * (1 + 2 * BOX * minority)
    step = factor * diameter(BOX, minority) / slope
    game = played(player, labels, rounds=max(ROUNDS), step=float(step))
    return [measure_maximum(dual_measure(game, rounds), player, labels, BOX).lower.item() for rounds in ROUNDS]
