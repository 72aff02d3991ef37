"""Figure 1 and its footnote: what is chosen, and what it is worth against the plain Gaussian kernel and a tuned one."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from algos.kernel_learning.sphere import sphere_ball_maximum
from harness import Draw, Estimate, Panel, Row, claim, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.lkrf.spheres import (
    FEATURES,
    POINTS,
    RADIUS,
    Chosen,
    Outcome,
    choose_features,
    compare,
    generators,
    sphere_sample,
)
from harness.claims.rows import fewest_trials

LIMIT = 250.0
"""Footnote 1: nnz(q) < 250 for 2 <= d <= 15."""

DATA_SETS = {2: 16, 6: 16, 9: 12, 12: 12}
"""In some dimensions; apart from d = 2, where nothing is claimed, far enough from the close race at d = 4 to decide."""

ALL_DIMENSIONS = tuple(range(2, 16))
HARDEST = 15
"""The dimension at which most features are kept: about 240 +- 17, so that a mean below 250 is not judged there."""

SHOWN, SIDE = 500, 3.5
"""Training points in the panel, and how far it reaches."""

CLOSE_RACE = 4
"""The dimension from which OK errs less than GK, by a tenth of a percent of the points."""


@claim(
    "lkrf/fig-1b",
    reproduction(sided="at least"),
    cite="lkrf, Figure 1(b), Section 4.1 and footnote 1, at four dimensions",
    sizes="d = 2, 6, 9 and 12 (all 14 under lkrf/fig-1b-full), n = 10^4, N = 2 10^4, rho = 200 as printed",
)
def spheres_in_a_few_dimensions(draw: Draw):
    """Learned features (OK) err less than Gaussian ones (GK) on spheres from d = 4 on, with fewer than 250 features.

    The advantage is one of the bandwidth, not of the Euclidean distance: P_0 draws frequencies of length sqrt d where
    |h_d| peaks near 1.2, and plain Gaussian features of typical length .6 (tuned GK), as many, err less than the
    learned ones: judged from d = 5 on. "Degradation occurs much more slowly": from d = 2 on OK's error rises by at most
    half as much as GK's, judged from d = 5 on too. The heights of the curves are not in print. Full size, 12 to
    16 data sets per dimension (fewer in a quick run).
    """
    rows = [row for d, sets in DATA_SETS.items() for row in outcome_rows(d, draw, sets=max(2, sets * draw.reps // 32))]
    return [*rows, *degradation_rows(rows)]


@claim(
    "lkrf/fig-1b-full",
    reproduction(sided="at least"),
    cite="lkrf, Figure 1(b), Section 4.1 and footnote 1, d = 2, ..., 15",
    sizes="all as printed, eight data sets per dimension",
)
def spheres_in_all_dimensions(draw: Draw):
    """OK errs less than GK at every d from 4 to 15, and keeps fewer than 250 features on average at d = 2, ..., 14.

    From d = 5 on its error has risen by at most half as much as GK's since d = 2. Runs where the environment variable
    TIGHTROPE_FULL is 1: 8 data sets per dimension, 32 at d = 4, where the margin is
    small. The number of features at d = 15 is judged by lkrf/fig-1b-nnz.
    """
    require_full_size("lkrf/fig-1b-full", takes="about six minutes of one core")
    rows: list[Row] = []
    for d in ALL_DIMENSIONS:
        rows += outcome_rows(d, draw, sets=draw.reps if d == CLOSE_RACE else max(2, draw.reps // 4))
    return [*rows, *degradation_rows(rows)]


@claim(
    "lkrf/fig-1b-nnz",
    reproduction(sided="at most"),
    cite="lkrf, footnote 1",
    restricts="the prediction by the population; draws, at d = 15, are shown",
)
def number_of_features_kept(draw: Draw):
    """The population predicts fewer than 250 features at every d from 2 to 15: N P_0(dQ/dP_0 > 0) < 250.

    At d = 15, where it predicts most, numbers differ by 17 from draw to draw and three in ten exceed 250: the
    footnote speaks of one draw per d. The floor for any data is N / (1 + rho). 10 draws are shown (4 in a quick run).
    """
    predicted = [(d, FEATURES * sphere_ball_maximum(d, RADIUS).selected) for d in ALL_DIMENSIONS]
    counts = kept_counts(HARDEST, draw, sets=max(4, draw.reps // 3))
    below = sum(count < LIMIT for count in counts) / len(counts)
    return [
        *(Row("nnz predicted by the population", nnz, printed=LIMIT, at={"d": d}) for d, nnz in predicted),
        Row(f"mean nnz of the draws at d = {HARDEST}", Estimate.mean(counts)),
        Row(f"largest nnz among the draws at d = {HARDEST}", max(counts)),
        Row(f"share of the draws with nnz < 250 at d = {HARDEST}", below),
        Row("floor N / (1 + rho)", FEATURES / (1 + RADIUS)),
    ]


@claim(
    "lkrf/fig-1a",
    reproduction(sided="at least"),
    cite="lkrf, Figure 1(a) and Section 4.1, d = 2",
    restricts="how near the offsets are to 0 or pi; the directions of the frequencies are shown",
)
def chosen_features_in_the_plane(draw: Draw):
    """In the plane the chosen offsets are near 0 or pi (mean |cos v| >= .98), and frequencies near a ring.

    The alignment is cos^2(v) h_2(|w|)^2: the population singles out no direction, and the best one, (1, 1) in the
    figure, changes with the data. The paper has no number for "near": .98 is .2 away from 0 or pi. The panels: training
    points and chosen features of one data set.
    """
    found, samples = [], []
    for generator in generators(draw, 2, max(3, draw.reps // 4)):
        samples.append(sphere_sample(POINTS, 2, generator=generator))
        found.append(choose_features(*samples[-1], generator=generator))
    population = sphere_ball_maximum(2, RADIUS)
    cosines = Estimate.mean([float(c.parameters[:, -1].cos().abs().mean()) for c in found])
    lengths = Estimate.mean([float(c.weights @ c.parameters[:, :-1].norm(dim=-1)) for c in found])
    rows: list[Row] = [
        Row("mean |cos v| of the chosen features", cosines, printed=0.98),
        Row("mean |cos v| of the best features of the population", population.mean_offset_cosine),
        Row("mean |cos v| under P_0", 2 / math.pi),
        Row("mean |w| under q", lengths),
        Row("mean |w| under the best law of the population", population.mean_length),
        Row("mean |w| under P_0", math.sqrt(math.pi / 2)),
    ]
    for k, chosen in enumerate(found):
        best, angles = chosen.parameters[0, :2], 2 * torch.atan2(chosen.parameters[:, 1], chosen.parameters[:, 0])
        angle = math.degrees(math.atan2(float(best[1]), float(best[0]))) % 180
        rows.append(Row("angle of the best frequency modulo 180 degrees", angle, at={"data set": k + 1}))
        clustered = math.hypot(float(chosen.weights @ angles.cos()), float(chosen.weights @ angles.sin()))
        rows.append(Row("concentration of the directions (1: one direction)", clustered, at={"data set": k + 1}))
    return [*rows, *_plane(*samples[0], found[0])]


def _plane(points: Tensor, labels: Tensor, chosen: Chosen) -> list[Panel]:
    """The first training points with their classes, and the frequencies of the chosen features with their weights."""
    frame = (-SIDE, SIDE, -SIDE, SIDE)
    points, labels, frequencies = points[:SHOWN].cpu(), labels[:SHOWN].cpu(), chosen.parameters[:, :-1].cpu()
    return [
        Panel("training points", extent=frame, points=points, labels=labels),
        Panel("chosen features", extent=frame, points=frequencies, sizes=chosen.weights.cpu()),
    ]


def outcome_rows(dimension: int, draw: Draw, *, sets: int) -> list[Row]:
    """The judged gain and margin below 250 features, and the curves, at one dimension."""
    outcomes = [compare(dimension, generator=generator) for generator in generators(draw, dimension, sets)]
    population = sphere_ball_maximum(dimension, RADIUS)
    test_error = math.sqrt(sum(o.gain_error**2 for o in outcomes)) / len(outcomes)
    gain = Estimate.mean([o.plain - o.learned for o in outcomes], least=test_error)
    loss = Estimate.mean([o.learned - o.tuned for o in outcomes], least=test_error)
    counts = [o.chosen.count for o in outcomes]
    spare = Estimate.mean([LIMIT - count for count in counts])
    at = {"d": dimension}
    rows: list[Row] = [
        Row("GK error - OK error", gain, printed=0.0 if dimension >= CLOSE_RACE else None, at=at),
        Row("OK error - tuned GK error", loss, printed=0.0 if dimension > CLOSE_RACE else None, at=at),
        Row("250 - nnz", spare, printed=None if dimension == HARDEST else 0.0, at=at),
        Row("nnz", Estimate.mean(counts), at=at),
        Row("nnz predicted by the population", FEATURES * population.selected, at=at),
    ]
    rows += [Row(name, Estimate.mean(values), at=at) for name, values in _curves(outcomes).items()]
    return [*rows, Row("best alignment in the ball of the population", population.value, at=at)]


def degradation_rows(rows: Sequence[Row]) -> list[Row]:
    """How much more than twice OK's rise since d = 2 GK's rise is, beyond the close race."""
    found = {(row.label, row.at["d"]): row for row in rows if row.at and row.label in ("OK error", "GK error")}
    judged: list[Row] = []
    for d in sorted({int(d) for _, d in found} - {2}):
        parts = [(1.0, "GK error", d), (-1.0, "GK error", 2), (-2.0, "OK error", d), (2.0, "OK error", 2)]
        gain = sum(sign * found[name, at].ours for sign, name, at in parts)
        spread = math.hypot(*(sign * found[name, at].error for sign, name, at in parts))
        trials = fewest_trials(found[name, at] for _, name, at in parts)
        limit = 0.0 if d > CLOSE_RACE else None
        judged.append(Row("rise of GK's error - twice that of OK's", gain, spread, limit, at={"d": d}, trials=trials))
    return judged


def kept_counts(dimension: int, draw: Draw, *, sets: int) -> list[float]:
    """Numbers of features kept on as many data sets."""
    found = []
    for generator in generators(draw, dimension, sets):
        x, y = sphere_sample(POINTS, dimension, generator=generator)
        found.append(float(choose_features(x, y, generator=generator).count))
    return found


def _curves(outcomes: list[Outcome]) -> dict[str, list[float]]:
    return {
        "OK error": [o.learned for o in outcomes],
        "GK error": [o.plain for o in outcomes],
        "tuned GK error": [o.tuned for o in outcomes],
        "alignment of OK in the sample": [o.chosen.alignment for o in outcomes],
        "alignment of OK in the population": [o.chosen.population_alignment for o in outcomes],
    }
