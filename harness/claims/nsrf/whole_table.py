"""Table 1 at its full size: every column and the sentences about it, judged.

The printed accuracies on CIFAR-10 are multiples of .05 %, one of 2000 test images, but for three of LKRF on auto-truck,
the task of the figure with ten trials: so they are of one trial, and so are ours; `stability` has more. The learned
frequencies are those of one game of 500 rounds, ten of each, as in Appendix A.1; there they are the highest of 500 runs
of the peak finder, here of 30. The step is three times that of the regret guarantee (`digits_on_new_splits`).
"""

import math
from collections.abc import Mapping, Sequence

import torch

from harness import Draw, Estimate, Row
from harness.claims.nsrf.digits_on_new_splits import step_of
from harness.claims.nsrf.printed_table import ACCURACIES, COLUMNS
from harness.claims.nsrf.table_1 import (
    BASELINES,
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
from harness.claims.rows import fewest_trials

TOP = 10

COMPLETE = 10_000
"""Training images of a task, at least, where all are there."""

Trials = Mapping[str, Sequence[Answers]]
"""Method -> its answers, trial by trial."""

Found = Mapping[str, Trials]
"""Task -> its trials."""


def rows_of_the_table(draw: Draw, tasks: Mapping[str, Task]) -> list[Row]:
    """One trial of each method in every column and task; rows are judged "at least", on the mean of the tasks."""
    found = {
        pair: trial_of_the_table(task, generators(draw, f"draws and starts of {pair}")[0])
        for pair, task in tasks.items()
    }
    first, last = COLUMNS[0], COLUMNS[-1]
    gained = {pair: lead(trials[OURS], trials[OURS], last, first) for pair, trials in found.items()}
    return [
        *(Row(*each, printed=0.0, at={"m": m}, unit="points") for m in COLUMNS for each in leads(found, m)),
        *(
            Row(f"lead over {other} at m = {first} over that at m = {last}, in points", lost(found, other), printed=0.0)
            for other in BASELINES
        ),
        Row(f"accuracy at m = {last} - at m = {first}, in points", over_tasks(gained), printed=0.0),
        *against_print(found, complete=all(len(task.labels) >= COMPLETE for task in tasks.values())),
        *(row for pair, trials in found.items() for row in curves(trials, prefix=f"{pair}: ")),
    ]


def trial_of_the_table(task: Task, generator: torch.Generator) -> Trials:
    """All methods in all columns."""
    trial = {other: [answers(task, other, COLUMNS, generator=generator)] for other in BASELINES}
    return {**trial, OURS: [answers_of(task, learned(task, generator, COLUMNS[-1]), COLUMNS)]}


def learned(task: Task, generator: torch.Generator, count: int) -> torch.Tensor:
    """So many frequencies of one game, ten of each round, (count, d)."""
    return several_peaks(task, count // TOP, TOP, generator=generator, step=step_of(task.labels))


def leads(found: Found, m: int) -> list[tuple[str, Estimate]]:
    """Points by which ours is ahead of each baseline, mean of the tasks, with a label."""
    return [
        (
            f"ours - {other}, mean of the tasks",
            over_tasks({pair: lead(t[OURS], t[other], m, m) for pair, t in found.items()}),
        )
        for other in BASELINES
    ]


def over_tasks(each: Mapping[str, Estimate]) -> Estimate:
    """Mean of estimates; tasks that share a class share test images, so their errors add."""
    classes = {task: set(task.split("-")) for task in each}
    square = sum(
        one.error * other.error
        for task, one in each.items()
        for beside, other in each.items()
        if classes[task] & classes[beside]
    )
    mean = sum(one.value for one in each.values()) / len(each)
    return Estimate(mean, math.sqrt(square) / len(each), fewest_trials(each.values()))


def lost(found: Found, other: str) -> Estimate:
    """How much larger our lead over a baseline is in the first column than in the last, in points."""
    return over_tasks({pair: gap(trials, other, COLUMNS[0], COLUMNS[-1]) for pair, trials in found.items()})


def gap(trials: Trials, other: str, few: int, many: int) -> Estimate:
    """Our lead over a baseline at one number of features less that at another, test point by test point."""
    return mean_of_points(
        [
            100 * (a.right[few] - b.right[few] - a.right[many] + b.right[many])
            for a, b in zip(trials[OURS], trials[other], strict=True)
        ]
    )


def against_print(found: Found, *, complete: bool) -> list[Row]:
    """Our accuracies less the printed ones plus a point, mean of the tasks; shown where training images are missing."""
    rows = []
    for k, m in enumerate(COLUMNS):
        beyond = {
            pair: mean_of_points([100 * each.right[m] - ACCURACIES[pair][OURS][k] + 1 for each in trials[OURS]])
            for pair, trials in found.items()
        }
        limit = 0.0 if complete else None
        rows.append(Row("ours - print + one", over_tasks(beyond), printed=limit, at={"m": m}, unit="points"))
    return rows
