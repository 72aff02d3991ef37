"""Section 5 on what goes on along a run, on pairs of MNIST digits that no claim on it had read; fixed before its run.

The pairs have every digit once and none of the pairs of the paper or of `mnist_tuning`. The classifier is saturated at
the first number of frequencies that has all training points right. For a gap of half a point at spreads of half a point
the probability 19/20 at the level of a run takes ((4.5 + 1.65) .5 / .5)^2 = 38 samples, rounded up to eight a pair.
"""

import itertools

import torch

from algos.margin_game.certificate import measure_maximum
from algos.margin_game.game import play_margin_game
from algos.margin_game.measure import dual_measure
from algos.margin_game.online import decreasing_step
from harness import Draw, Row, claim, reproduction
from harness.claims.nsrf.learned_machine import BOX
from harness.claims.nsrf.mnist_guide import some_images
from harness.claims.nsrf.table_1 import STEP, Task, machine, mean_of_points, player
from harness.claims.rows import mean_and_error

UNREAD = ("0-3", "1-4", "2-5", "6-9", "7-8")
SAMPLES = 8
"""Of each pair."""
ROUNDS = (5, 10, 20, 40, 80)


@claim(
    "nsrf/improves-mnist",
    reproduction(sided="at least"),
    cite="nsrf, Section 5, last remark on Table 1",
    quote="Furthermore, our theory predicts that the margin keeps improving, regardless of the dimensionality of the "
    "feature maps. Indeed, as our classifier saturates on the training data, test accuracy continues increasing, "
    "without overfitting.",
    sizes="five pairs of MNIST digits, eight samples of 400 training and 1000 test images of each, in 784 dimensions; "
    "T = 5, 10, 20, 40 and 80, as the remark names neither",
)
def margin_and_test_accuracy_keep_improving(draw: Draw):
    """On MNIST the margin grows from each T to its double, and test accuracy after all training points are right.

    The margin is that of the kernel of mass one: max_K F, which falls as it grows. Accuracy: at T = 80 less that at the
    first T whose classifier has all training points right. Means over the samples of all pairs.
    """
    values: list[list[float]] = []
    right: list[list[torch.Tensor]] = []
    training: list[list[float]] = []
    few = max(1, SAMPLES * draw.reps // 32)
    for pair in UNREAD:
        for task, generator in some_images(draw, pair, few, f"samples of {pair} along a run"):
            value, answers, shares = along_a_run(task, generator)
            values.append(value)
            right.append(answers)
            training.append(shares)
    saturated = [next((k for k, share in enumerate(shares) if share == 100.0), -1) for shares in training]
    gains = [100 * (answers[-1] - answers[k]) for answers, k in zip(right, saturated, strict=True)]
    rows: list[Row] = [Row("test accuracy at T = 80, less when saturated, in points", *mean_of_points(gains), 0.0)]
    for k, (before, rounds) in enumerate(itertools.pairwise(ROUNDS)):
        falls = [value[k] - value[k + 1] for value in values]
        rows.append(Row(f"fall of max F since T = {before}", *mean_and_error(falls), 0.0, at={"T": rounds}))
    for k, rounds in enumerate(ROUNDS):
        at = {"T": rounds}
        rows.append(Row("test", *mean_of_points([100 * a[k] for a in right]), at=at, unit="accuracy in %"))
        rows.append(Row("training", *mean_and_error([s[k] for s in training]), at=at, unit="accuracy in %"))
    return rows


def along_a_run(task: Task, generator: torch.Generator) -> tuple[list[float], list[torch.Tensor], list[float]]:
    """max F, which test points are right, and the share of training points that are, at the listed rounds."""
    search = player(task, generator)
    game = play_margin_game(search, task.labels, BOX, rounds=ROUNDS[-1], step=decreasing_step(STEP))
    values, right, training = [], [], []
    for rounds in ROUNDS:
        values.append(measure_maximum(dual_measure(game, rounds), search, task.labels, BOX).lower.item())
        answers, share = machine(task, game.indices[:rounds])
        right.append(answers)
        training.append(share)
    return values, right, training
