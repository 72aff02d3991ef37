"""Table 1 on the split of breast cancer that the paper reports, and what its entries depend on."""

from collections.abc import Sequence

import torch

from harness import Row, claim, reproduction
from harness.claims.pbrff import defects
from harness.claims.pbrff.learned_maps import (
    clustered_landmarks,
    gaussian_landmark_machine,
    learned_landmark_machines,
)
from harness.claims.pbrff.learners import Task, kernel_machine, published_split
from harness.claims.pbrff.samples import POWERS, row
from harness.data import breast_cancer

PRINTED_GRID = (*POWERS[:9], 100.0)
"""10^-7 ... 10^2: printed as the grid of sigma, in the released program that of gamma."""

COSTS = POWERS[2:]
BETAS = tuple(10.0**k for k in range(-3, 4))


def published_task(*, gammas: Sequence[float] = PRINTED_GRID) -> Task:
    """Breast cancer on the split of the released program, with the printed grid of C."""
    return published_split(*breast_cancer(), gammas=gammas, costs=COSTS)


@claim(
    "pbrff/tab-1",
    reproduction(tolerance=0.005),
    cite="pbrff, Table 1, breast, column SVM",
    restricts="the split and the grid of gamma of the released program, which the paper does not give",
)
def kernel_machine_on_breast_cancer():
    """Kernel support vector machine on breast cancer: test error 4.90 %, that is 7 of 143."""
    return [Row("SVM, test error in %", kernel_machine(published_task()).test_error, printed=4.90)]


@claim(
    "pbrff/sigma-grid",
    reproduction(tolerance=0.005),
    reading="inferred",
    expected="refuted",
    cite="pbrff, Section 6 and Appendix A.3, with Table 1, breast, column SVM",
    restricts="the split of the released program, which the paper does not give",
    defect=defects.SIGMA_GRID,
)
def grid_of_sigma():
    """On the released split the machine of Table 1, breast, has error 4.90 % with sigma from {1e-7, ..., 1e2}.

    Two sentences of the paper, taken together, on a split that it does not give. The machine makes one error more on
    the 143 test points (sigma = 100, alone at the smallest validation error). A slip in the description, a letter for
    another: the released program searches these values for gamma, and what it chooses is sigma = 223.6.
    """
    chosen = kernel_machine(published_task(gammas=[1 / (2 * sigma**2) for sigma in PRINTED_GRID]))
    return [
        Row("SVM, test error in %", chosen.test_error, printed=4.90),
        Row("chosen sigma", (2 * chosen.parameters["gamma"]) ** -0.5),
    ]


@claim(
    "pbrff/sigma-grid",
    reproduction(tolerance=0.005),
    reading="corrected",
    cite="pbrff, Section 6 and Appendix A.3, with Table 1, breast, column SVM",
    restricts="the split of the released program, which the paper does not give",
)
def grid_of_gamma():
    """On that split, with gamma = 1 / (2 sigma^2) in place of sigma from {1e-7, ..., 1e2}, it has error 4.90 %.

    Two settings tie at three validation errors: C = 1e3, gamma = 1e-5 with 7 test errors, which is first in the order
    of the released program and so the printed one, and C = 1e4, gamma = 1e-6 with 6.
    """
    chosen = kernel_machine(published_task())
    return [
        Row("SVM, test error in %", chosen.test_error, printed=4.90),
        Row("chosen sigma", (2 * chosen.parameters["gamma"]) ** -0.5),
    ]


@claim(
    "pbrff/tab-1-rbf",
    reproduction(),
    cite="pbrff, Table 1, breast, column RBF",
    restricts=(
        "the split of the released program, which the paper does not give; the claim checks "
        "whether 6.99 lies in a range"
    ),
    unnoticed="the row is the distance from a range, zero inside of it: half of zero is zero",
)
def gaussian_landmarks_on_breast_cancer():
    """RBF landmarks on breast cancer: 6.99 %, that is 10 of 143, lies within the range over the seeds of k-means.

    One split, gamma = 1e-5 as the kernel machine chooses it, 34 centroids from one start of k-means. The entry depends
    on the seed, and on the defaults of the library, which were ten starts when the paper was written and are one now.
    """
    task = published_task()
    errors = {
        starts: torch.tensor(
            [
                gaussian_landmark_machine(
                    task, clustered_landmarks(task, 0.1, seed=seed, n_init=starts), gamma=1e-5, costs=COSTS
                ).test_error
                for seed in range(count)
            ],
            dtype=torch.float64,
        )
        for starts, count in ((1, 48), (10, 12))
    }
    one = errors[1]
    outside = max(0.0, float(one.min()) - 6.99 - 0.005, 6.99 - 0.005 - float(one.max()))
    rows: list[Row] = [Row("distance of 6.99 from the range over 48 seeds", outside, printed=0.0)]
    for starts, found in errors.items():
        exactly = 100 * (found.sub(6.99).abs() <= 0.005).double()
        rows += [
            row(f"{starts} start(s) of k-means, mean", found),
            Row(f"{starts} start(s), smallest error, in %", float(found.min())),
            Row(f"{starts} start(s), largest error, in %", float(found.max())),
            Row(f"{starts} start(s), share of seeds with 6.99, in %", float(exactly.mean())),
        ]
    return rows


@claim(
    "pbrff/tab-1-ties",
    reproduction(),
    expected="undecided",
    cite="pbrff, Table 1, breast, columns PB",
    restricts="shown, not judged",
)
def ties_of_the_learned_landmarks():
    """How many of the 35 settings of beta and D tie at the smallest validation error, and how their test errors differ.

    Shown, not judged: which of the tied settings is reported decides among errors that differ by several points, as
    the landmarks and the frequencies do. The printed entries are 3.50 (PB), 3.50 (beta = 1) and 2.80 (D = 64).
    """
    task = published_task()
    rows: list[Row] = []
    for seed in range(2):
        generator = torch.Generator().manual_seed(seed)
        landmarks = clustered_landmarks(task, 0.1, seed=seed, n_init=1)
        machines = [
            machine
            for features in (8, 16, 32, 64, 128)
            for machine in learned_landmark_machines(
                task, landmarks, gamma=1e-5, costs=COSTS, features=features, betas=BETAS, generator=generator
            )
        ]
        least = min(machine.validation_error for machine in machines)
        tied = [machine.test_error for machine in machines if machine.validation_error == least]
        rows += [
            Row(f"seed {seed}: settings that tie", float(len(tied))),
            Row(f"seed {seed}: smallest test error among them, in %", min(tied)),
            Row(f"seed {seed}: largest test error among them, in %", max(tied)),
        ]
    return rows
