"""Figure 1(a), on data sets drawn for it: near which places the chosen features lie.

The law of the data is invariant under rotations, and the paper shows one data set, whose direction is (1, 1): judged up
to a rotation. Print has no number for "near". The rule here, fixed before the first run: at most half as far, on
average, as features drawn from P_0 are.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from harness import Draw, Estimate, Row, claim, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.lkrf.spheres import FAMILY, FEATURES, POINTS, Chosen, choose_features, sphere_sample
from harness.claims.placement import generators
from harness.claims.rows import repetitions_needed

HALF = 0.5
SETS = 6
MARGIN, DEVIATION = 0.022, 0.15
"""Six data sets gave .478 for the row that they left open, with a deviation of .10, here half as much again."""

MANY = repetitions_needed(MARGIN, DEVIATION, error=1e-5, power=0.99)
QUOTE = (
    "The selected kernel features w^m lie near (1, 1) and (−1, −1); the offsets v^m are near 0 and π, giving the "
    "feature φ(·, w, v) a parity flip."
)


@claim(
    "lkrf/fig-1a-pair",
    reproduction(sided="at most"),
    expected="undecided",
    cite="lkrf, Figure 1(a), its caption, and Section 4.1, d = 2",
    quote=QUOTE,
    sizes=f"n = 10^4, N = 2 10^4, rho = 200 as printed; {SETS} data sets where the paper has one; the direction is "
    "that of each data set, as their law is invariant under rotations",
)
def chosen_features_lie_near_two_opposite_points(draw: Draw):
    """In the plane chosen frequencies lie near w and -w, |w| = |(1, 1)|, and all chosen offsets near 0 or pi.

    Near: by the learned weights, the mean distance from the pair is at most half of what it is under P_0, and so is
    that of the offsets; and no chosen offset is further from 0 and pi than those of P_0 are on average, pi / 4. The
    direction of w is the axis of the chosen frequencies. On six data sets the first is within two errors of a half.
    """
    return _rows(generators(draw, "data sets in the plane")[:SETS])


@claim(
    "lkrf/fig-1a-pair-full",
    reproduction(sided="at most"),
    cite="lkrf, Figure 1(a), its caption, and Section 4.1, d = 2",
    quote=QUOTE,
    sizes=f"n = 10^4, N = 2 10^4, rho = 200 as printed; {MANY} data sets where the paper has one; the direction is "
    "that of each data set, as their law is invariant under rotations",
)
def chosen_features_lie_near_two_opposite_points_on_average(draw: Draw):
    """E_q min(|w - u|, |w + u|) <= E_0 min(|w - u|, |w + u|) / 2, and so for offsets, in the mean over data sets.

    The rule of lkrf/fig-1a-pair on so many new data sets that what six left open is told from a half.
    The rule is as it was. As n and N grow the first ratio tends to .864, since the population has no direction and its
    best features form a ring: the pair is an effect of n = 10^4. Runs where the environment variable TIGHTROPE_FULL is
    1.
    """
    require_full_size("lkrf/fig-1a-pair-full", takes="fifteen minutes of one core")
    return _rows(generators(draw, "many data sets in the plane")[:1] * MANY)


def _rows(streams: Sequence[torch.Generator]) -> list[Row]:
    """Means over a data set from each stream, drawn one after another."""
    frequencies, offsets, furthest = [], [], []
    for generator in streams:
        chosen = choose_features(*sphere_sample(POINTS, 2, generator=generator), generator=generator)
        plain = FAMILY.draw(FEATURES, 2, generator=generator)
        pair = _opposite_point(chosen)
        near = float(chosen.weights @ _distance(chosen.parameters, pair))
        frequencies.append(near / float(_distance(plain, pair).mean()))
        gaps = torch.remainder(chosen.parameters[:, -1] + math.pi / 2, math.pi).sub(math.pi / 2).abs() / (math.pi / 4)
        offsets.append(float(chosen.weights @ gaps))
        furthest.append(float(gaps.max()))
    return [
        Row("distance of the frequencies from the pair, over that of P_0", Estimate.mean(frequencies), printed=HALF),
        Row("distance of the offsets from 0 or pi, over that of P_0", Estimate.mean(offsets), printed=HALF),
        Row("largest distance of a chosen offset, over the mean of P_0", Estimate.mean(furthest), printed=1.0),
    ]


def _opposite_point(chosen: Chosen) -> Tensor:
    """Point of length |(1, 1)| on the axis of the frequencies: the mean of their doubled angles, halved."""
    angles = 2 * torch.atan2(chosen.parameters[:, 1], chosen.parameters[:, 0])
    axis = torch.atan2(chosen.weights @ angles.sin(), chosen.weights @ angles.cos()) / 2
    return math.sqrt(2.0) * torch.stack([axis.cos(), axis.sin()])


def _distance(parameters: Tensor, pair: Tensor) -> Tensor:
    """Of each frequency from the nearer of the two points."""
    frequencies = parameters[:, :2]
    return torch.minimum((frequencies - pair).norm(dim=-1), (frequencies + pair).norm(dim=-1))
