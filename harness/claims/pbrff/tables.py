"""Table 1 over random splits: breast cancer, and digits, adult and advertisements where a data folder is given.

The paper reports one split. The directions are judged here over many random splits of its proportions, paired, with the
standard error of the mean difference. The kernel width is chosen anew on every split, as gamma = 1 / (2 sigma^2) (see
pbrff/sigma-grid), over part of the printed grids; so is C.
"""

from collections.abc import Sequence

import torch

from harness import Draw, Row, claim, grid, reproduction
from harness.claims.pbrff.learned_maps import (
    clustered_landmarks,
    gaussian_landmark_machine,
    learned_landmark_machines,
)
from harness.claims.pbrff.samples import (
    POWERS,
    Chosen,
    adult_tasks,
    advertisement_tasks,
    breast_tasks,
    digit_tasks,
    farm_tasks,
    row,
    seeds,
)


@claim(
    "pbrff/tab-1-landmarks",
    reproduction(sided="at least"),
    cite="pbrff, Table 1, breast, and Section 6.1",
    restricts="breast cancer, random splits in place of the printed one; the direction alone",
)
def landmarks_on_breast_cancer(draw: Draw):
    """Learning the posterior improves landmarks on breast cancer: RBF error - PB(beta = 1) error >= 0.

    Part of the gain is due to the random features alone (beta = 0), as the unjudged rows show. The printed PB entries
    depend on how ties between settings on 86 validation points are broken (see pbrff/tab-1-ties).
    """
    return landmark_rows(breast_tasks(draw, folds=4), draw, folds=4, printed=0.0)


@claim(
    "pbrff/tab-1-mnist",
    reproduction(sided="at least"),
    cite="pbrff, Table 1, mnist49 and mnist56, and Section 6.1",
    over=grid(pair=["4-9", "5-6"]),
    restricts="600 digits of each pair, D = 64; the sentence on the kernel machine alone",
)
def kernel_machine_on_digits(draw: Draw, *, pair: str):
    """The kernel machine is better than landmarks on mnist49 and mnist56: error of RBF landmarks - its error >= 0.

    600 digits of each pair, 36 landmarks and D = 64, where the paper has more than 13,000, 800 to 900 and D by
    validation. At this size learning does not improve RBF landmarks: they are the better ones.
    """
    return landmark_rows(digit_tasks(draw, pair), draw, printed=None, behind=0.0)


@claim(
    "pbrff/tab-1-adult",
    reproduction(sided="at least"),
    cite="pbrff, Table 1, adult, and Section 6.1",
    restricts="400 of 26,048 training rows, D = 64; the direction alone",
)
def landmarks_on_adult(draw: Draw):
    """Learning the posterior improves landmarks on adult: RBF error - PB(beta = 1) error >= 0.

    400 training rows, not the 26,048 of the paper (RBF 19.60, PB(beta = 1) 17.99): the direction is judged alone.
    """
    return landmark_rows(adult_tasks(draw), draw, printed=0.0)


@claim(
    "pbrff/tab-1-ads",
    reproduction(sided="at least"),
    expected="undecided",
    cite="pbrff, Table 1, ads",
    restricts="600 of 3279 rows, D = 64; shown, not judged",
)
def landmarks_on_advertisements(draw: Draw):
    """Landmarks on advertisements: RBF error - PB(beta = 1) error on 600 rows, shown but not judged."""
    return landmark_rows(advertisement_tasks(draw), draw, printed=None)


@claim(
    "pbrff/tab-1-farm",
    reproduction(sided="at least"),
    expected="undecided",
    cite="pbrff, Table 1, farm",
    restricts="600 of 4143 rows, D = 64; shown, not judged",
)
def landmarks_on_farm(draw: Draw):
    """Landmarks on farm advertisements: RBF error - PB(beta = 1) error on 600 rows, shown but not judged.

    The rows are sparse in 54,877 columns, in which 36 landmarks would have 1 GB of frequencies at D = 64. All learners
    depend on inner products alone, those with frequencies in law: 600 coordinates in their span replace the rows.
    """
    return landmark_rows(farm_tasks(draw), draw, printed=None)


def landmark_rows(
    tasks: Sequence[Chosen], draw: Draw, *, printed: float | None, behind: float | None = None, folds: int = 1
) -> list[Row]:
    """The judged differences of the landmark-based learners, from each other and the kernel machine, and mean errors.

    A replicate is the mean over `folds` consecutive splits.
    """
    errors = []
    for (task, machine), seed in zip(tasks, seeds(draw, "seed of the landmarks", folds), strict=True):
        gamma, costs = machine.parameters["gamma"], POWERS[6:11]
        landmarks = clustered_landmarks(task, 0.1, seed=seed)
        rbf = gaussian_landmark_machine(task, landmarks, gamma=gamma, costs=costs)
        generator = torch.Generator(draw.device).manual_seed(seed)
        learned = learned_landmark_machines(
            task, landmarks, gamma=gamma, costs=costs, features=64, betas=(0.0, 1.0), generator=generator
        )
        errors.append([one.test_error for one in (machine, rbf, *learned)])
    replicates = torch.tensor(errors, dtype=torch.float64).reshape(-1, folds, 4).mean(1)
    svm, rbf_error, unlearned, pseudo_bayesian = replicates.unbind(-1)
    return [
        row("RBF - PB(beta = 1)", rbf_error - pseudo_bayesian, printed),
        row("PB(beta = 0) - PB(beta = 1)", unlearned - pseudo_bayesian),
        row("RBF - SVM", rbf_error - svm, behind),
        row("PB(beta = 1) - SVM", pseudo_bayesian - svm),
        row("SVM", svm),
        row("RBF landmarks", rbf_error),
        row("PB(beta = 0) landmarks", unlearned),
        row("PB(beta = 1) landmarks", pseudo_bayesian),
    ]
