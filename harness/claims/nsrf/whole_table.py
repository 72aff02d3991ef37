"""Table 1 at its full size: every column, ten trials, and the sentences about it, judged."""

import math
from collections.abc import Mapping, Sequence

import torch

from harness import Draw, Row
from harness.claims.nsrf.printed_table import ACCURACIES, COLUMNS, FIGURE
from harness.claims.nsrf.table_1 import (
    BASELINES,
    METHODS,
    OURS,
    Answers,
    Task,
    answers,
    answers_of,
    curves,
    lead,
    mean_of_points,
    several_peaks,
)
from harness.claims.placement import generators

TRIALS = 10
TOP = 10
TEN = "ours, ten samples of each run"
FEW = COLUMNS[:2]
"""Columns with one frequency a round; the others have the ten highest samples of each run of the peak finder."""

COMPLETE = 10_000
"""Training images of a task, at least, where all are there."""

STABLE = 1.0
"""Points; print has no number for "high stability"."""

Trials = Mapping[str, Sequence[Answers]]
"""Method -> its answers, trial by trial."""

Found = Mapping[str, Trials]
"""Task -> its trials."""


def rows_of_the_table(draw: Draw, tasks: Mapping[str, Task]) -> list[Row]:
    """Ten trials of each method in every column and task; rows are judged "at least", on the mean of the tasks."""
    found = {
        pair: trials_of_the_table(task, generators(draw, f"draws and starts of {pair}")[:TRIALS])
        for pair, task in tasks.items()
    }
    first, last = COLUMNS[0], COLUMNS[-1]
    gained = [lead(trials[TEN], trials[OURS], last, first) for trials in found.values()]
    return [
        *(Row(*lead_row, 0.0, at={"m": m}, unit="points") for m in COLUMNS for lead_row in leads(found, m, ours_at(m))),
        *(
            Row(f"lead over {other} at m = {first} over that at m = {last}, in points", *lost(found, other), 0.0)
            for other in BASELINES
        ),
        Row(f"accuracy at m = {last} - at m = {first}, in points", *over_tasks(gained), 0.0),
        *against_print(found, complete=all(len(task.labels) >= COMPLETE for task in tasks.values())),
        *(spreads(found[FIGURE]) if FIGURE in found else []),
        *(row for pair, trials in found.items() for row in curves(trials, prefix=f"{pair}: ")),
    ]


def trials_of_the_table(task: Task, draws: Sequence[torch.Generator]) -> Trials:
    """All columns; of one frequency a round the first ones only."""
    trials: dict[str, list[Answers]] = {method: [] for method in (*METHODS, TEN)}
    for generator in draws:
        for method in METHODS:
            trials[method].append(answers(task, method, FEW if method == OURS else COLUMNS, generator=generator))
        frequencies = several_peaks(task, COLUMNS[-1] // TOP, TOP, generator=generator)
        trials[TEN].append(answers_of(task, frequencies, COLUMNS))
    return trials


def ours_at(m: int) -> str:
    """Which of our games has so many frequencies."""
    return OURS if m in FEW else TEN


def leads(found: Found, m: int, ours: str = OURS) -> list[tuple[str, float, float]]:
    """Points by which ours is ahead of each baseline, mean of the tasks: label, number and error."""
    return [
        (f"ours - {other}, mean of the tasks", *over_tasks([lead(t[ours], t[other], m, m) for t in found.values()]))
        for other in BASELINES
    ]


def over_tasks(each: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Mean of independent numbers with errors, and its error."""
    return sum(value for value, _ in each) / len(each), math.hypot(*(error for _, error in each)) / len(each)


def lost(found: Found, other: str) -> tuple[float, float]:
    """How much larger our lead over a baseline is in the first column than in the last, in points."""
    first, last = COLUMNS[0], COLUMNS[-1]
    return over_tasks([gap(trials, other, (first, ours_at(first)), (last, ours_at(last))) for trials in found.values()])


def gap(trials: Trials, other: str, few: tuple[int, str], many: tuple[int, str]) -> tuple[float, float]:
    """Our lead over a baseline at one number of features less that at another, test point by test point."""
    (m, ours), (n, later) = few, many
    return mean_of_points(
        [
            100 * (a.right[m] - b.right[m] - c.right[n] + b.right[n])
            for a, b, c in zip(trials[ours], trials[other], trials[later], strict=True)
        ]
    )


def against_print(found: Found, *, complete: bool) -> list[Row]:
    """Our accuracies less the printed ones plus a point, mean of the tasks; shown where training images are missing."""
    rows = []
    for k, m in enumerate(COLUMNS):
        reached = [
            (mean - ACCURACIES[pair][OURS][k], error)
            for pair, trials in found.items()
            for mean, error in [mean_of_points([100 * each.right[m] for each in trials[ours_at(m)]])]
        ]
        mean, error = over_tasks(reached)
        rows.append(Row("ours - print + one", mean + 1, error, 0.0 if complete else None, at={"m": m}, unit="points"))
    return rows


def spreads(trials: Trials) -> list[Row]:
    """A point less the standard deviation of our accuracy over the trials, with its error, judged against zero."""
    rows = []
    for m in COLUMNS:
        found = torch.tensor([each.accuracy(m) for each in trials[ours_at(m)]], dtype=torch.float64)
        deviation = float(found.std())
        error = deviation / math.sqrt(2 * (len(found) - 1))
        rows.append(Row(f"a point less the standard deviation, m = {m}", STABLE - deviation, error, 0.0))
    return rows
