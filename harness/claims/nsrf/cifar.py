"""Table 1, its CIFAR-10 half: HoG features of pairs of classes, beside the printed accuracies.

Accuracies are shown but not judged: the paper does not state the cells, blocks and bins of its 512 HoG features. Ours:
eight orientations in cells of 4 x 4 pixels, each cell a block of its own.
"""

import os

import torch

from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import FULL
from harness.claims.nsrf.mnist import SIZES, mnist_task, printed_curves, sizes_of
from harness.claims.nsrf.printed_table import COLUMNS
from harness.claims.nsrf.table_1 import METHODS, Task, answers, curves
from harness.claims.placement import generators, on_device
from harness.data import class_pair, oriented_gradients, require_oriented_gradients, required

TRAINING = 2000
"""Training images of a pair, where the full size is not asked for."""


@claim(
    "nsrf/tab-1-cifar",
    reproduction(),
    expected="undecided",
    over=grid(pair=["plane-bird", "auto-truck", "dog-frog", "auto-ship", "auto-deer"]),
    cite="nsrf, Table 1, CIFAR-10, m = 100",
    restricts="2000 training images in place of 10,000, one trial in place of ten, m <= 100; shown, not judged",
)
def cifar_beside_the_printed_accuracies(draw: Draw, *, pair: str):
    """Accuracies with 100 frequencies on pairs of CIFAR-10 classes, HoG features, beside Table 1: shown, not judged.

    The test images are those of the paper; 2000 training images where it has 10,000, which are all used where the
    environment variable TIGHTROPE_FULL is 1. One trial (to m = 20 in a quick run) where it has ten.
    """
    task = _task(draw, pair)
    generator = generators(draw, "draws and starts")[0]
    sizes = SIZES[: max(1, draw.reps // 10)]
    trials = {method: [answers(task, method, sizes, generator=generator)] for method in METHODS}
    rows: list[Row] = [*curves(trials), *printed_curves(pair, COLUMNS[:1]), *sizes_of(task)]
    return rows


def _task(draw: Draw, pair: str) -> Task:
    images = required("cifar10", "nsrf/tab-1-cifar")
    require_oriented_gradients()
    both = class_pair(images, *pair.split("-"))
    known = both.training.targets
    used = len(known) if os.environ.get(FULL) == "1" else min(TRAINING, len(known))
    parts = [(part.points[:count], part.targets[:count]) for part, count in ((both.test, None), (both.training, used))]
    points = torch.cat([oriented_gradients(pixels) for pixels, _ in parts])
    labels = torch.cat([torch.as_tensor(marks) for _, marks in parts])
    return mnist_task(*on_device(draw, (points, labels)), len(parts[0][1]))
