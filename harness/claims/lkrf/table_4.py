"""Table 4 on its data sets: errors of learned and of random features, beside the printed ones.

The paper leaves open the scaling of the features, the kernel width, the strength of the penalties and the seeds, so no
printed error is judged; it is shown in the label. See `data_sets` for ours. With the linear kernel all coordinates form
the pool, and points stay sparse.
"""

import os

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import RidgeClassifier
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.feature_families import ArcCosine, FeatureFamily
from algos.kernel_learning.weights import support
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import FULL
from harness.claims.lkrf.data_sets import Task, gaussian, learn, logistic_error, random_split, ridge_error
from harness.claims.lkrf.printed_tables import ERRORS, PARAMETERS
from harness.claims.placement import generators, on_device
from harness.data import Points, Table, digit_pair, required

PATTERN = "lkrf/tab-4*"
"""What to check with the data sets of the table."""

ROWS = 30_000
"""Of buzz and weight, where the full size is not asked for."""

SHARES = {"buzz": 0.0667, "weight": 0.5}
"""Table 3: of the training points, for the alignments."""

MOST = 1000
"""Random features at most."""

LABELS = ("OK, D = nnz", "random, D = nnz", f"random, D = 10 nnz, at most {MOST}")


@claim(
    "lkrf/tab-4-adult",
    reproduction(),
    expected="undecided",
    cite="lkrf, Tables 3 and 4, adult",
    restricts="our width, penalties and splits; errors are shown beside the paper's",
)
def adult_beside_the_printed_errors(draw: Draw):
    """Errors on adult at the published sizes, beside Table 4: shown but not judged, since the paper fixes no width.

    Our columns are 6 numbers and 102 categories, the paper's are 123 binary ones. N = 20,000, rho = 240, the first half
    of the training rows for the alignments.
    """
    data = required("adult", PATTERN)
    points, labels = data.training.tensors
    test_points, test_labels = data.test.tensors
    scale = torch.cat([points[:, :6].std(0), torch.ones(points.shape[1] - 6, dtype=torch.float64)])
    train = on_device(draw, (points / scale, labels))
    task = Task(*train, *on_device(draw, (test_points / scale, test_labels)))
    return _table_rows("adult", task, gaussian(task), draw, share=0.5)


@claim(
    "lkrf/tab-4-mnist",
    reproduction(),
    expected="undecided",
    cite="lkrf, Tables 3 and 4, pairs of digits",
    over=grid(pair=["1-7", "4-9", "5-6"]),
    restricts="our width, penalties and splits; errors are shown beside the paper's",
)
def digits_beside_the_printed_errors(draw: Draw, *, pair: str):
    """Errors on pairs of digits with arc-cosine features of order 2, beside Table 4: shown but not judged.

    Three quarters of the digits in 20,000 images; the paper has all 70,000 but chooses features by a quarter of them,
    as many as we have. N = 20,000, rho = 600.
    """
    first, second = (int(digit) for digit in pair.split("-"))
    pictures = digit_pair(required("mnist", PATTERN), first, second)
    generator = generators(draw, "seed of the splits")[0]
    task = random_split(*pictures, generator=generator, scaled=False)
    return _table_rows(f"mnist{first}{second}", task, ArcCosine(2), draw, share=1.0)


@claim(
    "lkrf/tab-4-ads",
    reproduction(),
    expected="undecided",
    cite="lkrf, Tables 3 and 4, ads",
    restricts="our penalties and splits; errors are shown beside the paper's",
)
def advertisements_beside_the_printed_errors(draw: Draw):
    """Errors on Internet Advertisements with the linear kernel and ridge regression, beside Table 4: not judged.

    All coordinates form the pool, N = d = 1554, rho = 155.4.
    """
    return linear_rows("ads", required("ads", PATTERN), draw)


@claim(
    "lkrf/tab-4-other",
    reproduction(),
    expected="undecided",
    cite="lkrf, Tables 3 and 4, reuters, buzz, farm and weight",
    over=grid(name=["reuters", "buzz", "farm", "weight"]),
    restricts=f"our scaling, width, penalties and splits, {ROWS:,} rows of buzz and weight; errors are shown",
)
def other_data_sets_beside_the_printed_errors(draw: Draw, *, name: str):
    """Errors on reuters, buzz, farm and weight with ridge regression, beside Table 4: shown but not judged.

    Linear kernel and all coordinates on reuters (published split) and farm, arc-cosine features of order 2 on buzz,
    Gaussian ones on weight, with the printed N and rho. Three quarters of the rows are for training; all rows of buzz
    and weight are used where the environment variable TIGHTROPE_FULL is 1.
    """
    data = required(name, "lkrf/tab-4-other")
    if name in ("reuters", "farm"):
        return linear_rows(name, data, draw)
    generator = generators(draw, "seed of the splits")[0]
    points, labels = data.tensors
    order = torch.randperm(len(labels), generator=generator, device=generator.device)
    kept = order if os.environ.get(FULL) == "1" else order[:ROWS]
    task = random_split(points[kept.cpu()], labels[kept.cpu()], generator=generator)
    family = ArcCosine(2) if name == "buzz" else gaussian(task)
    return _table_rows(name, task, family, draw, share=SHARES[name])


def linear_rows(name: str, data: Table, draw: Draw) -> list[Row]:
    """OK, and random coordinates of the same and of ten times the number; with ridge regression, once each."""
    generator = generators(draw, "seed of the splits")[0]
    training, test = (data.training, data.test) if data.tested else _random_parts(data, generator)
    ratio, count = PARAMETERS[name]
    sums = np.asarray(training.points.T @ training.targets).ravel()
    alignments = torch.as_tensor(sums / len(training.targets), device=draw.device).square()
    weights = chi_square_ball_maximum(alignments, ratio * count).weights
    kept = support(weights)
    scales = (weights[kept] * len(kept)).sqrt().cpu().numpy()
    found = [_linear_error(training, test, kept, scales)]
    for size in _sizes(len(kept)):
        drawn = torch.randperm(len(weights), generator=generator, device=generator.device)[:size]
        found.append(_linear_error(training, test, drawn, np.ones(len(drawn))))
    return _shown(name, found, len(kept), len(training.targets))


def _random_parts(data: Table, generator: torch.Generator) -> tuple[Table, Table]:
    """A random three quarters for training, and the rest."""
    order = torch.randperm(len(data.targets), generator=generator, device=generator.device).cpu().numpy()
    tested = -(-len(order) // 4)
    test, training = (Table(data.points[some], data.targets[some]) for some in (order[:tested], order[tested:]))
    return training, test


def _linear_error(training: Table, test: Table, columns: Tensor, scales: NDArray[np.float64]) -> float:
    """Test error in percent of ridge regression on some coordinates."""
    chosen = columns.cpu().numpy()

    def features(points: Points) -> Points:
        some = points[:, chosen]
        return (some @ sparse.diags(scales)).tocsr() if sparse.issparse(some) else some * scales

    model = RidgeClassifier(alpha=1.0).fit(features(training.points), training.targets)
    return 100 * float(np.mean(model.predict(features(test.points)) != test.targets))


def _table_rows(name: str, task: Task, family: FeatureFamily, draw: Draw, *, share: float) -> list[Row]:
    """OK, and random features of the same and of ten times the number, once each."""
    generator = generators(draw, "seed of the features")[0]
    ratio, count = PARAMETERS[name]
    kernel = learn(task, family, count=count, rho=ratio * count, generator=generator, share=share)
    kept, dimension = kernel.kept, task.points.shape[-1]
    error = ridge_error if name in SHARES else logistic_error
    scales = (kernel.weights[kept] * len(kept)).sqrt()
    found = [error(task, family, kernel.pool[kept], scales)]
    for size in _sizes(len(kept)):
        found.append(error(task, family, family.draw(size, dimension, generator=generator)))
    return _shown(name, found, len(kept), len(task.labels))


def _sizes(kept: int) -> tuple[int, int]:
    """Numbers of random features: as many as OK keeps, and ten times as many."""
    return kept, min(10 * kept, MOST)


def _shown(name: str, found: list[float], kept: int, trained: int) -> list[Row]:
    """Our errors with the printed ones in the labels."""
    rows: list[Row] = [
        Row(f"{label}: test error in %, printed {printed}", ours)
        for label, ours, printed in zip(LABELS, found, ERRORS[name], strict=False)
    ]
    return [*rows, Row("nnz", float(kept)), Row("training points", float(trained))]
