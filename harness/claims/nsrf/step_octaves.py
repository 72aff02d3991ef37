"""The step of online gradient ascent in Appendix A.1, by the best multiple of it: fixed before its first run.

Steps of the guarantee (nsrf/A.1-step) are multiplied by 2^-4, 2^-3, ..., 2^4, a grid that leans to neither side and
reaches beyond an order of magnitude. The best multiple has the measure with the smallest payoff max_K F, that is with
the largest margin. It is above one where the step is too conservative, and below ten where it is only a little so.
"""

import math

import torch

from algos.best_response.harmonic import HarmonicPeaks
from algos.best_response.planar import PlanarPeaks
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.nsrf.learned_machine import Player
from harness.claims.nsrf.step_guide import payoffs
from harness.claims.placement import generators
from harness.claims.rows import mean_and_error
from harness.data import checkerboard, windmill

OCTAVES = range(-4, 5)
A_LITTLE = math.log2(10.0)
"""Less than an order of magnitude, in octaves."""

POINTS, ROUNDS = 200, (10, 30)


@claim(
    "nsrf/A.1-step-octaves",
    reproduction(sided="at least"),
    over=grid(data=["windmill", "checkerboard"]),
    cite="nsrf, Appendix A.1: the step of the standard regret guarantee tends to be a little too conservative",
    sizes=(
        "eight windmills and eight checkerboards of 200 points of our generators, T = 10 and 30; the paper names no "
        "data and has no number for the step or its effect"
    ),
)
def best_multiple_of_the_step_is_a_little_above_one(draw: Draw, *, data: str):
    """The multiple of the step of the guarantee that leads to the largest margin is above one, and below ten.

    Means of its logarithm over the samples. D and G are those with which the guarantee is true (nsrf/g-bound).
    """
    found: dict[int, list[float]] = {rounds: [] for rounds in ROUNDS}
    for generator in generators(draw, "samples")[: max(3, draw.reps // 4)]:
        player, labels = _game(data, generator)
        heights = torch.tensor([payoffs(player, labels, 2.0**k, at=ROUNDS) for k in OCTAVES], dtype=torch.float64)
        for rounds, column in zip(ROUNDS, heights.T, strict=True):
            found[rounds].append(float(OCTAVES[int(column.argmin())]))
    rows: list[Row] = []
    for rounds, octaves in found.items():
        mean, error = mean_and_error(octaves, least=math.sqrt(1 / (12 * len(octaves))))
        rows += [
            Row("octaves of the best multiple", mean, error, 0.0, at={"T": rounds}),
            Row("octaves from the best multiple to ten", A_LITTLE - mean, error, 0.0, at={"T": rounds}),
        ]
    return rows


def _game(data: str, generator: torch.Generator) -> tuple[Player, torch.Tensor]:
    seed = int(torch.randint(2**31, (), generator=generator, device=generator.device))
    drawn = windmill(POINTS, seed=seed) if data == "windmill" else checkerboard(POINTS, seed=seed)
    points, labels = (part.to(generator.device) for part in drawn)
    player: Player = PlanarPeaks(points, radius=40.0) if data == "windmill" else HarmonicPeaks(points, degree=15)
    return player, labels
