"""Figure 1c: the checkerboard on the sphere. The paper does not say how its points are drawn; `checkerboard` is ours.

n = 2000 points uniform on the sphere, y = sign(sin(2 phi) sin(4 theta)): odd in the height, as the harmonics that the
paper shows. Degrees up to 31, the paper's "first 1000 coefficients"; steps 1e-3 / sqrt t, T = 100.
"""

from functools import lru_cache

import torch
from torch import Tensor

from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from harness import Draw, Estimate, Panel, Row, claim, reproduction
from harness.claims.nsrf import defects
from harness.claims.nsrf.baselines import arc_cosine, baseline_accuracy, gaussian, median_gaussian
from harness.claims.nsrf.learned_machine import Machine, accuracy, machine, played
from harness.claims.placement import table
from harness.data import checkerboard

_ROUNDS, _STEP = 100, 1e-3
_ROWS, _COLUMNS = 61, 121


@lru_cache(maxsize=1)
def checkerboard_sample() -> tuple[Tensor, Tensor]:
    return checkerboard(2000, seed=1)


@lru_cache(maxsize=1)
def checkerboard_unseen() -> tuple[Tensor, Tensor]:
    return checkerboard(200_000, seed=2)


@lru_cache(maxsize=1)
def _aligned() -> tuple[HarmonicPeaks, Machine]:
    points, labels = checkerboard_sample()
    player = HarmonicPeaks(points)
    return player, machine(player, played(player, labels, rounds=_ROUNDS, step=_STEP), _ROUNDS)


@claim(
    "nsrf/fig-1-checkerboard",
    reproduction(tolerance=0.3, sided="at least"),
    cite="nsrf, Figure 1 (c) and Section 5",
    sizes=(
        "n = 2000, T = 100 and 1024 harmonics as printed, 200,000 test points where the paper has 50,000; the "
        "generator and steps of .001/sqrt t are ours, as the paper names none"
    ),
)
def checkerboard_accuracy():
    """On the spherical checkerboard the classifier reaches 99.7 % and 99.1 % (training, test) at T = 100.

    It must reach the printed numbers less 0.3 points; the data generator is ours, because the paper names none. The
    panels: the data, the decision with its boundary, and the three harmonics played most, over longitude and height.
    """
    unseen, truth = checkerboard_unseen()
    _, learned = _aligned()
    return [
        *_panels(),
        Row(
            "training accuracy in %, T = 100",
            accuracy(learned.training_scores, checkerboard_sample()[1])[0],
            printed=99.7,
        ),
        Row("test accuracy in %, T = 100", *accuracy(learned.scores(unseen), truth), 99.1),
    ]


@claim(
    "nsrf/fig-1-checkerboard-support",
    reproduction(sided="at most"),
    cite="nsrf, Section 5 and A.3",
    sizes=(
        "n = 2000, T = 100 and 1024 harmonics as printed, 200,000 test points where the paper has 50,000; the "
        "generator and steps of .001/sqrt t are ours, as the paper names none"
    ),
)
def checkerboard_support():
    """The classifier of Figure 1c is supported on at most 29 spherical harmonics."""
    indices = _aligned()[1].measure.indices
    return [Row("pairs (l, +-m) played in 100 rounds", len(indices), printed=29.0)]


@claim(
    "nsrf/fig-1-checkerboard-baselines",
    reproduction(sided="at most"),
    cite="nsrf, Section 5",
    restricts=(
        "data of our own generator, as the paper names none; one sample, frequencies and steps of our choice; the "
        "printed 95.1 % is not compared"
    ),
)
def checkerboard_baselines():
    """On the checkerboard Gaussian kernels stay below the learned harmonics by more than a point, also a tuned one.

    The paper: the baselines "saturate at 92.1 % and 95.1 % ...; they are not expressive enough". A bandwidth of gamma =
    32, tuned, comes to about 95 % here; the median bandwidth and the arc-cosine kernel (shown) are far below.
    """
    sample, unseen = checkerboard_sample(), (checkerboard_unseen()[0][:20_000], checkerboard_unseen()[1][:20_000])
    learned, error = accuracy(_aligned()[1].scores(unseen[0]), unseen[1])
    rows: list[Row] = [Row("learned harmonics, T = 100", learned, error)]
    for label, kernel, limit in (
        ("Gaussian kernel, median bandwidth", median_gaussian(sample[0]), learned - 1.0),
        ("Gaussian kernel, gamma = 32", gaussian(32.0), learned - 1.0),
        ("arc-cosine kernel of order one", arc_cosine, None),
    ):
        rows.append(Row(label, *baseline_accuracy(kernel, sample, unseen), limit))
    return rows


def _panels() -> list[Panel]:
    points, labels = checkerboard_sample()
    player, learned = _aligned()
    longitude = torch.linspace(-torch.pi, torch.pi, _COLUMNS, dtype=points.dtype)
    height = torch.linspace(-0.999, 0.999, _ROWS, dtype=points.dtype)
    z, phi = torch.meshgrid(height, longitude, indexing="ij")
    across = (1 - z.square()).sqrt()
    cells = torch.stack([across * phi.cos(), across * phi.sin(), z], -1).reshape(-1, 3)
    frame = (-torch.pi, torch.pi, -1.0, 1.0)
    shown = points[:500]
    flat = torch.stack([torch.atan2(shown[:, 1], shown[:, 0]), shown[:, 2]], -1)
    decision = learned.scores(cells).clamp(-1, 1).reshape(_ROWS, _COLUMNS)
    panels = [
        Panel("data", extent=frame, points=flat, labels=labels[:500]),
        Panel("decision, T = 100", values=decision, extent=frame, contour=0.0),
    ]
    for place in learned.measure.masses.argsort(descending=True)[:3]:
        index = learned.measure.indices[place]
        degree, order = (int(entry) for entry in index)
        wave = player.features(index, cells)[:, 0].reshape(_ROWS, _COLUMNS)
        panels.append(Panel(f"Re Y, l = {degree}, m = {order}", values=wave, extent=frame, contour=0.0))
    return panels


@claim(
    "nsrf/sphere-not-invariant-accuracy",
    reproduction(sided="at most"),
    reading="inferred",
    expected="refuted",
    cite="nsrf, Section 3.2, a consequence of: a mixed strategy 'is simply a ... rotation-invariant kernel'",
    restricts="our checkerboard, steps of .001/sqrt t, pairs of mass one, harmonics orthonormal for the area",
    defect=defects.SPHERE_ACCURACY,
)
def accuracy_is_invariant_if_strategies_are(draw: Draw):
    """If mixed strategies were rotation-invariant kernels, rotating our checkerboard would cost no accuracy.

    Not printed: it would follow from the sentence that nsrf/sphere-not-invariant judges, and shows the effect of that
    slip. A pair of harmonics is a kernel that knows the third axis, so the algorithm looks for the best of a larger
    class and its outcome depends on the coordinates. Data, steps and normalisation are ours. The invariance is refuted,
    not the accuracy of Figure 1c, whose axes are those of its data.
    """
    return [Row("points lost by a rotation", _lost_by_rotation(draw, HarmonicPeaks), printed=0.0)]


@claim(
    "nsrf/sphere-not-invariant-accuracy",
    reproduction(tolerance=0.05, sided="two"),
    reading="corrected",
    cite="nsrf, Section 3.2, with the whole kernel of a degree as a pure strategy",
    restricts="our checkerboard, steps of .001/sqrt t",
    unnoticed="the paper says 0; ours, .002 of a point, is within the tolerance with either sign",
)
def accuracy_is_invariant(draw: Draw):
    """With whole degrees as pure strategies, zonal kernels, rotating the checkerboard changes nothing."""
    return [Row("points lost by a rotation", _lost_by_rotation(draw, ZonalPeaks), printed=0.0)]


def _lost_by_rotation(draw: Draw, players: type[HarmonicPeaks | ZonalPeaks]) -> Estimate:
    """Mean loss in percentage points over random orthogonal frames."""
    frames = torch.linalg.qr(draw.normal("frames", 3, 3))[0][:8]
    points, labels = (table(part, like=frames) for part in checkerboard_sample())
    unseen, truth = (table(part[:20_000], like=frames) for part in checkerboard_unseen())

    def reached(frame: Tensor) -> float:
        player = players(points @ frame)
        learned = machine(player, played(player, labels, rounds=_ROUNDS, step=_STEP), _ROUNDS)
        return accuracy(learned.scores(unseen @ frame), truth)[0]

    before = reached(table(torch.eye(3), like=points))
    return Estimate.mean([before - reached(frame) for frame in frames])
