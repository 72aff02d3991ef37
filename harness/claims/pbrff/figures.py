"""Figures 2, 3, 5 and 6: errors against the number of landmarks and of random features.

The paper reports one split. What it says of the curves is judged here over random splits of its proportions, paired,
with the standard error of the mean difference. All parameters are chosen by validation, over part of the printed grids;
where the environment variable TIGHTROPE_FULL is 1, over all of them, and with all rows, features and frequencies; for
Figure 5 this is `figure_5`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import full_size
from harness.claims.pbrff.learned_maps import (
    GreedyGrids,
    Landmarks,
    clustered_landmarks,
    drawn_landmarks,
    gaussian_landmark_machine,
    greedy_errors,
    learned_landmark_machines,
)
from harness.claims.pbrff.learners import Task
from harness.claims.pbrff.samples import (
    POWERS,
    Chosen,
    breast_tasks,
    digit_tasks,
    row,
    seeds,
    small_tasks,
    whole_tasks,
)


@dataclass(frozen=True)
class Study:
    """What the greedy learners choose from, the size of the pool, and the numbers D of features.

    For each D: how often plain and learned frequencies are drawn from the pool of a split.
    """

    grids: GreedyGrids
    pool: int
    draws: Mapping[int, tuple[int, int]]


DRAWS = {1: (8, 2), 3: (8, 2), 10: (1, 1), 100: (1, 1)}
NARROW = Study(GreedyGrids(betas=(1.0, 10.0), radii=(1e-3, 1e-2), costs=POWERS[6:11]), 2000, DRAWS)
WIDE = Study(GreedyGrids(betas=POWERS[7:11], radii=POWERS[4:8], costs=POWERS[6:11]), 2000, DRAWS)
FULL = Study(
    GreedyGrids(betas=POWERS[4:11], radii=POWERS[3:8], costs=POWERS[2:]),
    20_000,
    {1: (8, 2), 3: (8, 2)} | dict.fromkeys((10, 30, 100, 300, 1000, 5000), (1, 1)),
)
"""The pool, D and grids of the paper."""

SPLITS, FULL_SPLITS, ROWS = 12, 4, 300
"""Random splits of the data sets of the folder, and rows of them for landmarks."""

FEATURE_SPLITS = 28
"""The same for the curves against the number of features."""

SLIGHT = 1.0
"""In % of points: what a slight advantage is at most."""

LEARNERS = ("RFF", "OKRFF", "PBRFF")
PAIRS = (("OKRFF", "PBRFF"), ("PBRFF", "OKRFF"))
PERCENTAGES = (1, 5, 10, 15, 20, 25)
"""Landmarks in percent of the training points."""

STABLE_PERCENTAGES = (5, 15, 25)
"""Where landmarks are chosen twice."""


@claim(
    "pbrff/fig-6",
    reproduction(sided="at least"),
    cite="pbrff, Figure 6, breast, and Section 6.1",
    restricts="breast cancer alone of six data sets, random splits, beta = 1, D = 64",
)
def percentage_of_landmarks_on_breast_cancer(draw: Draw):
    """Learning improves RBF landmarks on breast cancer, and centroids (-C) are more stable than random ones (-R).

    The gain is averaged over 1 to 25 % of landmarks, -C and -R, with beta = 1 and D = 64. More stable: errors of two
    choices of landmarks on the same split, at 5 to 25 %, differ less. That the curves change less from one percentage
    to the next is shown: one of 143 test points is .70 %.
    """
    return percentage_rows(breast_tasks(draw), draw, gain=0.0, stable=0.0)


@claim(
    "pbrff/fig-6-others",
    reproduction(sided="at least"),
    cite="pbrff, Figure 6, and Section 6.1",
    over=grid(name=["mnist17", "farm", "mnist56", "adult", "mnist49"]),
    sizes="the data sets of Figure 6 beside breast, beta = 1 and D = 64; four splits of all rows with "
    "TIGHTROPE_FULL=1, else twelve of 300 rows (adult: 1500), the gain is judged on adult, the stability on "
    "the others",
    restricts="a fraction of the rows, N = 2000 and D <= 100; the full size was never run, rows undecided on the "
    "fraction are shown",
)
def percentage_of_landmarks(draw: Draw, *, name: str):
    """Centroids are more stable than random landmarks, and learning improves RBF landmarks, but on mnist56.

    That is the exception which the paper names. As on breast cancer (fig-6). Of 300 digits learning does not improve
    the landmarks yet, and on 400 training rows of adult both kinds of landmarks are equally stable.
    """
    tasks, full = tasks_of(draw, name, "pbrff/fig-6-others", rows=ROWS), full_size()
    gain = 0.0 if name == "adult" or (full and name != "mnist56") else None
    return percentage_rows(tasks, draw, gain=gain, stable=0.0 if full or name != "adult" else None)


@claim(
    "pbrff/fig-2",
    reproduction(sided="at least"),
    cite="pbrff, Figure 2 (ads), Section 6.1",
    sizes="beta = 1, D = 64; four splits of all rows with TIGHTROPE_FULL=1, else twelve of 300 of 3279 rows, where "
    "the stability alone is judged",
    restricts="a fraction of the rows, N = 2000 and D <= 100; the full size was never run, rows undecided on the "
    "fraction are shown",
)
def percentage_of_landmarks_on_advertisements(draw: Draw):
    """Learning improves RBF landmarks on advertisements, and centroids are more stable than random landmarks."""
    tasks = tasks_of(draw, "ads", "pbrff/fig-2", rows=ROWS)
    return percentage_rows(tasks, draw, gain=0.0 if full_size() else None, stable=0.0)


@claim(
    "pbrff/fig-5",
    reproduction(sided="at least"),
    cite="pbrff, Figure 5, and Sections 5.3 and 6.2",
    restricts="breast cancer alone of four data sets, random splits; N = 2000, D <= 100",
)
def learned_features_on_breast_cancer(draw: Draw):
    """With few features learned kernels err less than plain ones on breast cancer, and with many the gain shrinks.

    Gain = error of plain random features - error of the learned ones. OKRFF and PBRFF are alike: either has at least
    half the gain of the other, and PBRFF is at most slightly better, by 1 % of points in the mean over D. The printed
    advantage of OKRFF is that difference, shown with its standard error.
    """
    return feature_rows(breast_tasks(draw), draw, NARROW, slight=-SLIGHT)


@claim(
    "pbrff/fig-3",
    reproduction(sided="at least"),
    cite="pbrff, Figure 3, Sections 5.3 and 6.2",
    over=grid(name=["ads", "adult", "farm"]),
    sizes="28 random splits of 600 rows (adult: 1500), N = 2000, D <= 100; four splits of all rows, N = 20,000 and "
    "D to 5000 with TIGHTROPE_FULL=1",
    restricts="a fraction of the rows, N = 2000 and D <= 100; the full size was never run, rows undecided on the "
    "fraction are shown",
)
def learned_features_on_other_data_sets(draw: Draw, *, name: str):
    """With few features learned kernels err less than plain ones, with many the gain shrinks; PBRFF is like OKRFF.

    Judged as on breast cancer (fig-5), apart from the advantage, which is shown. On adult 100 plain features tell
    nothing yet: that the gain shrinks is judged at D = 5000 alone. Which data sets Figure 3 has the text does not say:
    here those that Figure 5 leaves.
    """
    study, shrinks = (FULL, 0.0) if full_size() else (WIDE, None)
    tasks = tasks_of(draw, name, "pbrff/fig-3", splits=FEATURE_SPLITS)
    return feature_rows(tasks, draw, study, shrinks=shrinks)


@claim(
    "pbrff/fig-5-mnist",
    reproduction(sided="at least"),
    cite="pbrff, Figure 5 or 3, mnist",
    over=grid(pair=["1-7", "4-9", "5-6"]),
    sizes="28 random splits of 600 digits, N = 2000, D <= 100",
    restricts="a fraction of the rows, N = 2000 and D <= 100; the full size is under pbrff/fig-5-full",
)
def learned_features_on_digits(draw: Draw, *, pair: str):
    """With few features learned kernels err less than plain ones, with many the gain shrinks; PBRFF is like OKRFF.

    On pairs of digits; judged as on breast cancer (fig-5), apart from the advantage, which is shown.
    """
    return feature_rows(digit_tasks(draw, pair, "pbrff/fig-5-mnist", splits=FEATURE_SPLITS), draw, WIDE)


def tasks_of(draw: Draw, name: str, claim: str, *, rows: int = 600, splits: int = SPLITS) -> Sequence[Chosen]:
    """Splits of a data set of the folder: of some rows, or of all of them at the paper's size."""
    if full_size():
        return whole_tasks(draw, name, claim, splits=FULL_SPLITS)
    return small_tasks(draw, name, claim, splits=splits, rows=rows)


def feature_rows(
    tasks: Sequence[Chosen],
    draw: Draw,
    study: Study,
    *,
    shrinks: float | None = 0.0,
    slight: float | None = None,
) -> list[Row]:
    """What is judged of the curves against the number of features, and the curves."""
    errors = errors_by_features(tasks, draw, study)
    gains = gains_of(errors)
    rows, few, many = [], few_features(gains), max(study.draws)
    for name, gain in gains.items():
        rows.append(row(f"{name}: gain, mean over D = 1 and 3", few[name], 0.0))
        rows.append(row(f"{name}: gain at D = 1 less gain at D = {many}", gain[1] - gain[many], shrinks))
        rows += [row(f"{name}: gain at D = {count}", gain[count]) for count in errors]
    for name, other in PAIRS:
        rows.append(row(f"{name}: gain less half of that of {other}", few[name] - few[other] / 2, 0.0))
    return [*rows, row("advantage of OKRFF, mean over D", advantage(errors), slight), *feature_curves(errors)]


def gains_of(errors: Mapping[int, Tensor]) -> dict[str, dict[int, Tensor]]:
    """Of the learned features: test error of the plain ones less theirs, for each D."""
    columns = (("OKRFF", 1), ("PBRFF", 2))
    return {name: {D: table[:, 1, 0] - table[:, 1, k] for D, table in errors.items()} for name, k in columns}


def few_features(gains: Mapping[str, Mapping[int, Tensor]]) -> dict[str, Tensor]:
    """Mean gain over D = 1 and 3."""
    return {name: (gain[1] + gain[3]) / 2 for name, gain in gains.items()}


def advantage(errors: Mapping[int, Tensor]) -> Tensor:
    """Test error of PBRFF less that of OKRFF, mean over D."""
    return torch.stack([table[:, 1, 2] - table[:, 1, 1] for table in errors.values()]).mean(0)


def percentage_rows(tasks: Sequence[Chosen], draw: Draw, *, gain: float | None, stable: float | None) -> list[Row]:
    """Mean gain of the learned landmarks and stability of centroids, and the curves against the percentage."""
    chosen = list(zip(tasks, seeds(draw, "seed of the landmarks")[: len(tasks)], strict=True))
    errors = torch.tensor([[_errors_at(*one, k) for k in PERCENTAGES] for one in chosen], dtype=torch.float64)
    places = {percentage: column for column, percentage in enumerate(PERCENTAGES)}
    spreads = torch.tensor(
        [
            [_spread_at(*one, k, found[places[k]].tolist()) for k in STABLE_PERCENTAGES]
            for one, found in zip(chosen, errors, strict=True)
        ],
        dtype=torch.float64,
    )
    names = ("RBF-C", "PB-C", "RBF-R", "PB-R")
    gains, changes = errors[..., 0::2] - errors[..., 1::2], errors.diff(dim=1).abs().mean(1)
    rows = [
        row("RBF - PB, mean over -C, -R and the percentages", gains.mean((1, 2)), gain),
        row("difference of two choices of landmarks, RBF-R less RBF-C", spreads.mean(1), stable),
        row("change between percentages, -R less -C", (changes[:, 2:] - changes[:, :2]).mean(1)),
        row("RBF-C - PB-C, mean over the percentages", gains[..., 0].mean(1)),
        row("RBF-R - PB-R, mean over the percentages", gains[..., 1].mean(1)),
    ]
    return rows + [
        row(name, errors[:, k, column], at={"percentage": percentage})
        for column, name in enumerate(names)
        for k, percentage in enumerate(PERCENTAGES)
    ]


def _both_kinds(task: Task, percentage: int, seed: int) -> tuple[torch.Generator, list[Landmarks]]:
    """Centroids and random landmarks, and the generator that drew the latter."""
    generator = torch.Generator(task.points.device).manual_seed(seed + percentage)
    clustered = clustered_landmarks(task, percentage / 100, seed=seed)
    return generator, [clustered, drawn_landmarks(task, percentage / 100, generator=generator)]


def _errors_at(chosen: Chosen, seed: int, percentage: int) -> list[float]:
    """Test errors of Gaussian and learned similarities, to centroids and to random landmarks."""
    task, machine = chosen
    gamma, costs = machine.parameters["gamma"], POWERS[7:11]
    generator, kinds = _both_kinds(task, percentage, seed)
    found = []
    for landmarks in kinds:
        rbf = gaussian_landmark_machine(task, landmarks, gamma=gamma, costs=costs)
        (learned,) = learned_landmark_machines(
            task, landmarks, gamma=gamma, costs=costs, features=64, betas=(1.0,), generator=generator
        )
        found += [rbf.test_error, learned.test_error]
    return found


def _spread_at(chosen: Chosen, seed: int, percentage: int, errors: Sequence[float]) -> float:
    """How far the test errors of two independent choices of landmarks are apart, random ones less centroids.

    `errors` are those of the first choice, as `_errors_at` returns them.
    """
    task, machine = chosen
    gamma, costs = machine.parameters["gamma"], POWERS[7:11]
    _, kinds = _both_kinds(task, percentage, seed + 1_000_003)
    again_clustered, again_drawn = (
        gaussian_landmark_machine(task, one, gamma=gamma, costs=costs).test_error for one in kinds
    )
    return abs(errors[2] - again_drawn) - abs(errors[0] - again_clustered)


def errors_by_features(tasks: Sequence[Chosen], draw: Draw, study: Study, *, folds: int = 1) -> dict[int, Tensor]:
    """For each D training and test errors of the greedy learners, columns as LEARNERS; (reps, 2, 3).

    A replicate is the mean over `folds` consecutive splits.
    """
    found = [
        greedy_errors(
            task,
            gamma=machine.parameters["gamma"],
            grids=study.grids,
            pool=study.pool,
            draws=study.draws,
            seed=seed,
        )
        for (task, machine), seed in zip(tasks, seeds(draw, "seed of the pool", folds)[: len(tasks)], strict=True)
    ]
    tables = torch.stack(found).reshape(-1, folds, len(study.draws), 2, 3).mean(1)
    return dict(zip(study.draws, tables.unbind(1), strict=True))


def feature_curves(errors: Mapping[int, Tensor]) -> list[Row]:
    """Mean errors against the number of features."""
    return [
        row(f"{name}{part}", table[:, k, column], at={"D": count})
        for k, part in ((1, ""), (0, " in training"))
        for column, name in enumerate(LEARNERS)
        for count, table in errors.items()
    ]
