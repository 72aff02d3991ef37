"""Table 1, its MNIST half: the test images of the paper, a sixth of its training images, beside the printed accuracies.

Accuracies are shown but not judged, since the training sets differ. 100 frequencies of ours give 200 features; the
paper does not say what it counts.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.lkrf.printed_tables import DIGITS
from harness.claims.nsrf.printed_table import ACCURACIES, COLUMNS
from harness.claims.nsrf.table_1 import (
    METHODS,
    OURS,
    Answers,
    Task,
    answers,
    answers_of,
    curves,
    several_peaks,
    task_of,
)
from harness.claims.placement import generators, on_device
from harness.data import digit_pair, required

PAIRS = grid(pair=["1-7", "4-9", "5-6"])
SIZES = (20, 50, 100)
MANY = 1000
TOP = 10
TEN = "ours, ten samples of each run"


@claim(
    "nsrf/tab-1-mnist",
    reproduction(),
    expected="undecided",
    over=PAIRS,
    cite="nsrf, Table 1, MNIST, m = 100",
    restricts="about 2000 training images in place of 12,000, one trial in place of ten, m <= 100; shown, not judged",
)
def mnist_beside_the_printed_accuracies(draw: Draw, *, pair: str):
    """Accuracies with 100 frequencies on pairs of MNIST digits, beside Table 1: shown but not judged.

    The test images are those of the paper; about 2000 training images where it has 12,000. One trial (to m = 20 in a
    quick run) where it has ten. 1000 frequencies of the baselines are shown too: in 4-9, 100 learned ones are ahead of
    them.
    """
    task = _task(draw, pair)
    generator = generators(draw, "draws and starts")[0]
    sizes = SIZES[: max(1, draw.reps // 10)]
    many = (MANY,) if sizes == SIZES else ()
    trials = {
        method: [answers(task, method, sizes if method == OURS else (*sizes, *many), generator=generator)]
        for method in METHODS
    }
    return [*curves(trials), *printed_curves(pair, COLUMNS[:1]), *sizes_of(task)]


@claim(
    "nsrf/tab-1-mnist-full",
    reproduction(),
    expected="undecided",
    over=PAIRS,
    cite="nsrf, Table 1, MNIST",
    restricts="about 2000 training images in place of 12,000, one trial in place of ten; shown, not judged",
)
def mnist_with_all_numbers_of_features(draw: Draw, *, pair: str):
    """Accuracies with 100 to 5000 frequencies on pairs of MNIST digits, beside Table 1: shown but not judged.

    Runs where the environment variable TIGHTROPE_FULL is 1. Cut: one trial where the paper has ten, about 2000 training
    images where it has 12,000, and games of at most 500 rounds: with one frequency a round to m = 500, and with the ten
    highest samples of each run of the peak finder (Appendix A.1) to m = 5000.
    """
    require_full_size("nsrf/tab-1-mnist-full", takes="ten minutes of one core")
    task = _task(draw, pair)
    generator = generators(draw, "draws and starts")[0]
    trials: dict[str, Sequence[Answers]] = {
        method: [answers(task, method, COLUMNS[:2] if method == OURS else COLUMNS, generator=generator)]
        for method in METHODS
    }
    frequencies = several_peaks(task, COLUMNS[-1] // TOP, TOP, generator=generator)
    trials[TEN] = [answers_of(task, frequencies, COLUMNS)]
    return [*curves(trials), *printed_curves(pair, COLUMNS), *sizes_of(task)]


def mnist_task(points: Tensor, labels: Tensor, tested: int) -> Task:
    """The task whose test points come first."""
    return task_of(points, labels, torch.arange(len(labels), device=labels.device) < tested)


def _task(draw: Draw, pair: str) -> Task:
    images = required("mnist", "nsrf/tab-1-mnist*")
    first, second = (int(digit) for digit in pair.split("-"))
    return mnist_task(*on_device(draw, digit_pair(images, first, second)), DIGITS[first][1] + DIGITS[second][1])


def printed_curves(pair: str, columns: Sequence[int]) -> list[Row]:
    """The numbers of the paper as curves beside ours."""
    numbers: Mapping[str, Sequence[float]] = ACCURACIES[pair]
    return [
        Row(f"{method} in print", numbers[method][COLUMNS.index(m)], at={"m": m}, unit="accuracy in %")
        for method in METHODS
        for m in columns
    ]


def sizes_of(task: Task) -> list[Row]:
    parts = (("training points", task.labels), ("test points", task.test_labels))
    return [Row(name, float(len(labels))) for name, labels in parts]
