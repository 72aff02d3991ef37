"""Table 1, its MNIST half: the test images of the paper, and as many of its training images as are asked for.

Judged are the sentences about the table: the learned features are ahead of both baselines, most with few features. 100
frequencies of ours give 200 features; the paper does not say what it counts.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from harness import Draw, Estimate, Row, claim, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.nsrf.printed_table import ACCURACIES, COLUMNS
from harness.claims.nsrf.table_1 import BASELINES, METHODS, OURS, Answers, Task, answers, curves, task_of
from harness.claims.nsrf.whole_table import gap, leads, over_tasks, rows_of_the_table
from harness.claims.placement import generators, on_device
from harness.claims.rows import fewest_trials
from harness.data import digit_pair, required
from harness.data.digits import TRAINING_IMAGES

PAIRS = ("1-7", "4-9", "5-6")
SIZES = (20, 50, 100)
MANY = 1000


@claim(
    "nsrf/tab-1-mnist",
    reproduction(sided="at least"),
    cite="nsrf, Table 1, MNIST, m = 100: our method reliably outperforms these baselines, most with few features",
    sizes=(
        "the three tasks and their 2000 test images as printed; 2000 of about 12,000 training images, m up to 100, one "
        "trial: the rest is under nsrf/tab-1-mnist-full"
    ),
    restricts="means over the three tasks, chosen after looking: task by task it is undecided",
)
def mnist_beside_the_printed_accuracies(draw: Draw):
    """On MNIST learned frequencies classify better than both baselines with as many, most of all with few.

    Judged are means of the three tasks, with 20, 50 and 100 frequencies, since 2000 test images cannot tell the methods
    apart where all come near 100 %: at 2000 training images they are level in 1-7. Each task is shown, beside the
    accuracies of Table 1, whose training sets are six times as large. One trial (to m = 20 in a quick run) where it has
    ten. 1000 frequencies of the baselines are shown too: in 4-9, 100 learned ones are ahead of them.
    """
    sizes = SIZES[: max(1, draw.reps // 10)]
    many = (MANY,) if sizes == SIZES else ()
    tasks = {pair: first_images(draw, pair) for pair in PAIRS}
    return table_of_few(draw, tasks, sizes, many)


@claim(
    "nsrf/tab-1-mnist-full",
    reproduction(sided="at least"),
    cite="nsrf, Table 1, MNIST, and Section 5: reliably outperforms, most significantly with few features",
    sizes=(
        "all training images that the training file holds, the paper's test images, m = 100 to 5000, one trial; a game "
        "of 500 rounds with the ten highest of 30 starts, 25 steps each; never run"
    ),
)
def mnist_with_all_numbers_of_features(draw: Draw):
    """Learned frequencies classify better than both baselines in the whole table, most so with few, and ever better.

    Runs where the environment variable TIGHTROPE_FULL is 1. Judged, on the mean of the tasks: the leads over both
    baselines in every column, that the lead is larger at m = 100 than at 5000, that accuracy rises from m = 100 to
    5000, and, where the training file is the complete one, that ours reaches the printed accuracies less a point. Where
    it holds fewer images (the rows say how many) this is shown. Peaks are sought by 25 steps from 30 starts (paper: 100
    from 500).
    """
    require_full_size("nsrf/tab-1-mnist-full", takes="two hours of one core with the complete training file")
    tasks = {pair: first_images(draw, pair, training=None) for pair in PAIRS}
    return [*rows_of_the_table(draw, tasks), *beside(tasks, COLUMNS)]


def table_of_few(draw: Draw, tasks: Mapping[str, Task], sizes: Sequence[int], many: Sequence[int] = ()) -> list[Row]:
    """One trial of each task: mean leads, judged, and by how much that with the fewest is larger; curves, shown."""
    found: dict[str, dict[str, list[Answers]]] = {}
    for pair, task in tasks.items():
        generator = generators(draw, f"draws and starts of {pair}")[0]
        wanted = {method: sizes if method == OURS else (*sizes, *many) for method in METHODS}
        found[pair] = {method: [answers(task, method, wanted[method], generator=generator)] for method in METHODS}
    few, last = sizes[0], sizes[-1]
    lost = [{pair: gap(each, other, few, last) for pair, each in found.items()} for other in BASELINES]
    return [
        *(Row(*each, printed=0.0, at={"m": m}, unit="points") for m in sizes for each in leads(found, m)),
        *(
            [
                Row(
                    f"lead at m = {few} over that at m = {last}, mean of both baselines, in points",
                    over_both(lost),
                    printed=0.0,
                )
            ]
            if last > few
            else []
        ),
        *(row for pair, trials in found.items() for row in curves(trials, prefix=f"{pair}: ")),
        *beside(tasks, COLUMNS[:1]),
    ]


def over_both(gaps: Sequence[Mapping[str, Estimate]]) -> Estimate:
    """Mean over tasks and baselines; the gaps to the two baselines share test points, so their errors are added."""
    parts = [over_tasks(each) for each in gaps]
    return Estimate(sum(e.value for e in parts) / 2, sum(e.error for e in parts) / 2, fewest_trials(parts))


def beside(tasks: Mapping[str, Task], columns: Sequence[int]) -> list[Row]:
    """The accuracies of print as curves, and the sizes of the tasks."""
    return [row for pair, task in tasks.items() for row in (*printed_curves(pair, columns), *sizes_of(pair, task))]


def mnist_task(points: Tensor, labels: Tensor, tested: int) -> Task:
    """The task whose test points come first."""
    return task_of(points, labels, torch.arange(len(labels), device=labels.device) < tested)


def first_images(draw: Draw, pair: str, *, training: int | None = TRAINING_IMAGES) -> Task:
    """The test images of a pair of digits, and those among the first training images; all of them for None."""
    images = required("mnist", "nsrf/*mnist*")
    first, second = (int(digit) for digit in pair.split("-"))
    points, labels = digit_pair(images, first, second, training=training)
    return mnist_task(*on_device(draw, (points, labels)), len(images.test.pair(first, second).targets))


def printed_curves(pair: str, columns: Sequence[int]) -> list[Row]:
    """The numbers of the paper as curves beside ours."""
    numbers: Mapping[str, Sequence[float]] = ACCURACIES[pair]
    return [
        Row(f"{pair}: {method} in print", numbers[method][COLUMNS.index(m)], at={"m": m}, unit="accuracy in %")
        for method in METHODS
        for m in columns
    ]


def sizes_of(pair: str, task: Task) -> list[Row]:
    parts = (("training points", task.labels), ("test points", task.test_labels))
    return [Row(f"{pair}: {name}", float(len(labels))) for name, labels in parts]
