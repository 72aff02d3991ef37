"""Runs of the margin game on integers of the line, shared by the claims about it, and what they certify.

A point with k copies in the box C is one point whose weight b, the sum of theirs, lies in [0, c], c = k C: equal points
keep equal weights, and a step eta moves b by k eta. Frequencies come from a grid on [0, pi], which stands for the whole
line as points are integers; what the grid can miss is the gap of each answer, and favours the claim.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from torch import Tensor

from algos.best_response.lattice import FinitePeaks, LatticePeaks
from algos.best_response.oracle import BestResponse
from algos.margin_game.certificate import measure_maximum
from algos.margin_game.game import MarginGame, play_margin_game
from algos.margin_game.maximum import MarginMaximum
from algos.margin_game.measure import dual_measure
from algos.margin_game.online import decreasing_step
from algos.margin_game.value import MarginValue, margin_lower_bound, margin_value
from bounds.margin_game.online import diameter, gradient_norm, printed_diameter, printed_gradient_norm


@dataclass(frozen=True)
class Bed:
    """Integers with labels, the box c of their weights, and the number of frequencies on [0, pi]."""

    points: tuple[int, ...]
    signs: tuple[int, ...]
    capacity: float
    frequencies: int = 1025

    @property
    def minority(self) -> int:
        """Number of points in the smaller class."""
        return min(self.signs.count(1), self.signs.count(-1))

    @property
    def labels(self) -> Tensor:
        """(n,)."""
        return torch.tensor(self.signs, dtype=torch.float64)

    @property
    def column(self) -> Tensor:
        """(n, 1), the points."""
        return torch.tensor(self.points, dtype=torch.float64).unsqueeze(-1)

    def player(self) -> "GridPeaks":
        """The min-player on the grid."""
        return GridPeaks(self)


class GridPeaks(FinitePeaks):
    """Exhaustion of a grid of spacing h on [0, pi], with a gap that no frequency of the line exceeds, for any a in K.

    sup v_a - max v_a on the grid <= (h^2 / 4) (sum a (x - mean)^2) (sum a), with sum a <= 2 c m and a <= c: half of the
    largest second derivative times (h / 2)^2.
    """

    def __init__(self, bed: Bed) -> None:
        grid = torch.linspace(0.0, math.pi, bed.frequencies, dtype=torch.float64)
        super().__init__(bed.column, grid.unsqueeze(-1))
        spread = bed.capacity * (self.points - self.points.mean()).square().sum()
        self.slack = (math.pi / (bed.frequencies - 1)) ** 2 / 4 * spread * 2 * bed.capacity * bed.minority

    def __call__(self, signed: Tensor) -> BestResponse:
        """Signed weights (*batch, n) -> the best frequency of the grid."""
        answer = super().__call__(signed)
        return replace(answer, gap=self.slack.expand(answer.gap.shape))


FOUR = Bed((0, 1, 3, 4), (-1, -1, 1, 1), 0.25)
EIGHT = Bed((3, 5, 1, 3, 7, 3, 0, 6), (1, 1, 1, 1, -1, -1, -1, -1), 0.5)
_PATTERN = "-++++--+----++-+-+-++-++++-----+"
THIRTY_TWO = Bed(tuple(range(32)), tuple(1 if sign == "+" else -1 for sign in _PATTERN), 1.0, 8193)


def proof_scale(
    bed: Bed, *, copies: int = 1, constants: str = "printed", inverted: bool = False, mass: int = 2
) -> float:
    """The c of steps c / sqrt t that move b: k D/G, or k G/D; D and G as printed (mass two), or exact."""
    box, n, minority = bed.capacity / copies, copies * len(bed.signs), copies * bed.minority
    across, steepest = {
        "printed": (printed_diameter(box, n), printed_gradient_norm(box, n)),
        "exact": (diameter(box, minority), gradient_norm(box, n, minority, mass=mass)),
    }[constants]
    return float(copies * (steepest / across if inverted else across / steepest))


@lru_cache(maxsize=16)
def played(bed: Bed, scales: tuple[float, ...], rounds: int, *, mass: int) -> MarginGame:
    """A batch of runs with steps c / sqrt t, one for each c."""
    steps = decreasing_step(torch.tensor(scales, dtype=torch.float64))
    labels = bed.labels.expand(len(scales), -1)
    return play_margin_game(bed.player(), labels, bed.capacity, rounds=rounds, step=steps, mass=mass)


def largest_payoff(bed: Bed, game: MarginGame, rounds: int, *, box: float | None = None) -> MarginMaximum:
    """max over K of F(., lambda_bar) after some rounds of one run, in the box of the test problem or in another one."""
    measure = dual_measure(game, rounds)
    return measure_maximum(measure, bed.player(), bed.labels, bed.capacity if box is None else box)


@lru_cache(maxsize=16)
def value(bed: Bed, *, box: float | None = None) -> MarginValue:
    """Value of the game on the grid: `upper` bounds F* from above also on the line, `lower` does not bound it."""
    player = bed.player()
    strategies = player.features(player.frequencies)
    return margin_value(strategies, bed.labels, bed.capacity if box is None else box)


def guaranteed(bed: Bed, weights: Tensor) -> float:
    """Lower bound of F* on the line: what feasible weights guarantee against every frequency."""
    peak = LatticePeaks(bed.column, grid=2**16)(bed.labels * weights)
    return margin_lower_bound(weights.sum(), peak.value + peak.gap).item()
