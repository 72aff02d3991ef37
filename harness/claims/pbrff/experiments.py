"""Tables and figures: the learners on breast cancer, and on pairs of MNIST digits where a data folder is given.

The paper reports one split. The directions are judged here over many random splits of the paper's proportions,
paired, with the standard error of the mean difference. The kernel width is chosen anew on every split, as gamma = 1 /
(2 sigma^2) (the grid printed for sigma is the authors' grid for gamma), over part of the printed grids; so are C,
beta and rho.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from harness import Draw, claim, grid, reproduction, skip
from harness.claims.pbrff.learners import (
    GreedyGrids,
    Machine,
    Task,
    greedy_errors,
    kernel_machine,
    landmark_errors,
    published_split,
    random_split,
)
from harness.data import breast_cancer, data_folder, digit_pair

Row = tuple[str, float, float, float | None]
Chosen = tuple[Task, Machine]
"""A split, and the kernel machine that chose the kernel width on it."""

POWERS = tuple(10.0**k for k in range(-7, 5))
"""10^-7 ... 10^4."""

GREEDY = GreedyGrids(betas=(1.0, 10.0), radii=(1e-3, 1e-2), costs=POWERS[6:11])
POOL = 2000


@claim("pbrff/tab-1", reproduction(tolerance=0.005), cite="pbrff, Table 1, breast, column SVM")
def kernel_machine_on_breast_cancer():
    """Kernel support vector machine on breast cancer: test error 4.90 %, that is 7 of 143."""
    task = published_split(*breast_cancer(), gammas=(*POWERS[:9], 100.0), costs=POWERS[2:])
    return [("SVM, test error in %", kernel_machine(task).test_error, 0.0, 4.90)]


@claim("pbrff/tab-1-landmarks", reproduction(sided="at least"), cite="pbrff, Table 1, breast, and Section 6.1")
def landmarks_on_breast_cancer(draw: Draw):
    """Learning the posterior improves landmarks on breast cancer: RBF error - PB(beta = 1) error >= 0.

    Part of the gain is due to the random features alone (beta = 0), as the unjudged rows show. The printed PB entries
    depend on how ties between eight settings on 86 validation points are broken.
    """
    return landmark_rows(_breast_tasks(draw, folds=4), draw, folds=4, printed=0.0)


@claim("pbrff/fig-5", reproduction(sided="at least"), cite="pbrff, Figure 5 (f), and Section 5.3")
def learned_features_on_breast_cancer(draw: Draw):
    """With few features learned kernels err less than plain ones on breast cancer, and with many the gain shrinks.

    Gain = error of plain random features - error of the learned ones; all parameters are chosen by validation.
    """
    tasks = _breast_tasks(draw)
    repeats = {1: (8, 2), 3: (8, 2), 10: (1, 1), 100: (1, 1)}
    errors = {count: greedy_table(tasks, draw, count=count, repeats=times) for count, times in repeats.items()}
    rows = []
    for name, column in (("OKRFF", 1), ("PBRFF", 2)):
        gain = {count: table[:, 0] - table[:, column] for count, table in errors.items()}
        rows += [_row(f"{name}: gain at D = {count}", gain[count], 0.0) for count in (1, 3)]
        rows.append(_row(f"{name}: gain at D = 1 less gain at D = 100", gain[1] - gain[100], 0.0))
        rows += [_row(f"{name}: gain at D = {count}", gain[count]) for count in (10, 100)]
    return rows + _mean_rows(errors)


@claim(
    "pbrff/tab-1-mnist",
    reproduction(sided="at least"),
    expected="undecided",
    cite="pbrff, Table 1, mnist17, mnist49, mnist56",
    over=grid(pair=["1-7", "4-9", "5-6"]),
)
def landmarks_on_digits(draw: Draw, *, pair: str):
    """Landmarks on pairs of digits: RBF error - PB(beta = 1) error, shown and not judged.

    600 digits of each pair, 36 landmarks and D = 64, where the paper has more than 13,000, 800 to 900 and D by
    validation: a sample of this size says nothing against its numbers (RBF .74, 2.26, .97; PB(beta = 1) .32, 2.09,
    1.55).
    """
    return landmark_rows(_digit_tasks(draw, pair), draw, folds=1, printed=None)


@claim(
    "pbrff/fig-5-mnist",
    reproduction(sided="at least"),
    cite="pbrff, Figure 5 (a), (c), (e)",
    over=grid(pair=["1-7", "4-9", "5-6"]),
)
def few_learned_features_on_digits(draw: Draw, *, pair: str):
    """With 10 features, learned kernels err less than plain random features on pairs of digits: gain >= 0.

    On 600 digits of each pair, not on the more than 13,000 of the paper.
    """
    table = greedy_table(_digit_tasks(draw, pair), draw, count=10, repeats=(4, 1))
    rows = [_row(f"{name}: gain", table[:, 0] - table[:, k], 0.0) for k, name in ((1, "OKRFF"), (2, "PBRFF"))]
    return rows + _mean_rows({10: table})


def landmark_rows(tasks: Sequence[Chosen], draw: Draw, *, folds: int, printed: float | None) -> list[Row]:
    """The judged difference of the landmark-based learners, and their mean errors.

    A replicate is the mean over `folds` consecutive splits.
    """
    errors = []
    for (task, machine), seed in zip(tasks, _seeds(draw, "seed of the landmarks", folds), strict=True):
        found = landmark_errors(task, gamma=machine.parameters[1], costs=POWERS[4:], features=64, beta=1.0, seed=seed)
        errors.append([machine.test_error, found.rbf, found.unlearned, found.pseudo_bayesian])
    replicates = torch.tensor(errors, dtype=torch.float64).reshape(-1, folds, 4).mean(1)
    svm, rbf, unlearned, learned = replicates.unbind(-1)
    return [
        _row("RBF - PB(beta = 1)", rbf - learned, printed),
        _row("PB(beta = 0) - PB(beta = 1)", unlearned - learned),
        _row("SVM", svm),
        _row("RBF landmarks", rbf),
        _row("PB(beta = 0) landmarks", unlearned),
        _row("PB(beta = 1) landmarks", learned),
    ]


def greedy_table(tasks: Sequence[Chosen], draw: Draw, *, count: int, repeats: tuple[int, int]) -> Tensor:
    """Test errors of the greedy learners with `count` features: plain, chi-square ball, pseudo-posterior; (reps, 3)."""
    chosen = zip(tasks, _seeds(draw, f"seed of {count} features"), strict=True)
    return torch.stack(
        [
            greedy_errors(
                task, gamma=machine.parameters[1], grids=GREEDY, pool=POOL, count=count, repeats=repeats, seed=seed
            )
            for (task, machine), seed in chosen
        ]
    )


def _mean_rows(errors: Mapping[int, Tensor]) -> list[Row]:
    names = ("RFF", "OKRFF", "PBRFF")
    return [
        _row(f"{name}, D = {count}", table[:, k]) for count, table in errors.items() for k, name in enumerate(names)
    ]


def _row(label: str, errors: Tensor, printed: float | None = None) -> Row:
    return f"{label}, in % of test points", float(errors.mean()), float(errors.std() / len(errors) ** 0.5), printed


def _breast_tasks(draw: Draw, *, folds: int = 1) -> list[Chosen]:
    """`folds` splits of every random order of the rows; four test parts cover the data (and share three rows)."""
    points, labels = breast_cancer()
    orders = draw.uniform("order of the rows", len(labels)).argsort(-1)
    rolled = [order.roll(143 * fold) for order in orders for fold in range(folds)]
    tasks = [random_split(points, labels, order, gammas=POWERS[:5], costs=POWERS[7:]) for order in rolled]
    return [(task, kernel_machine(task)) for task in tasks]


def _digit_tasks(draw: Draw, pair: str) -> list[Chosen]:
    if data_folder() is None:
        raise skip(
            "needs MNIST: put t10k-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz and the two train10k files into a "
            "folder and run `TIGHTROPE_DATA=FOLDER tightrope check 'pbrff/*mnist'`"
        )
    first, second = (int(digit) for digit in pair.split("-"))
    points, labels = digit_pair(first, second)
    orders = draw.uniform("order of the rows", len(labels)).argsort(-1)[:, :600]
    every = torch.arange(600)
    tasks = [random_split(points[o], labels[o], every, gammas=POWERS[4:7], costs=POWERS[8:10]) for o in orders]
    return [(task, kernel_machine(task)) for task in tasks]


def _seeds(draw: Draw, name: str, folds: int = 1) -> list[int]:
    return [int(seed) for seed in draw.uniform(name, folds, high=2.0**31).flatten()]
