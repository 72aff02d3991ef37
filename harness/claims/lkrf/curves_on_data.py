"""Figure 3 and Table 1 on their data sets: errors and processor times of learned and of plain features along D.

The pools, radii and shares are those of Table 3. What the paper leaves open is ours, as in `data_sets`: the width, the
penalties, the seeds and the values of D. The classifier is logistic on adult, ridge regression on reuters and buzz.
"""

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import torch
from scipy import sparse
from sklearn.linear_model import RidgeClassifier
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.feature_families import ArcCosine, FeatureFamily
from algos.kernel_learning.weights import sampled_features, support
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import FULL
from harness.claims.lkrf.data_sets import Task, gaussian, learn, logistic_errors, random_split
from harness.claims.lkrf.printed_tables import BEST, PARAMETERS
from harness.claims.placement import generators, on_device
from harness.data import Points, Table, required
from harness.data.adult import adult_indicators

Name: TypeAlias = Literal["adult", "reuters", "buzz"]
SIZES, MORE = (10, 30, 100, 300, 1000), 3000
"""Numbers of features, and the one besides that the full size has."""

POINT = 1.0
"""Errors within one percent of the test points count as the same."""


@dataclass(frozen=True)
class Run:
    """One data set: how weights are learned, plain features drawn, and a classifier trained and tested on some."""

    tested: int
    learned: Callable[[], tuple[Tensor, Tensor]]
    plain: Callable[[int], Tensor]
    errors: Callable[[Tensor, Tensor], tuple[float, float]]


@dataclass(frozen=True)
class Trial:
    """Errors in percent, and processor time to draw, train and test."""

    training: float
    test: float
    seconds: float


@claim(
    "lkrf/fig-3-data",
    reproduction(sided="at least"),
    cite="lkrf, Figure 3, Table 1 and Section 4.3",
    over=grid(name=["adult", "reuters", "buzz"]),
    sizes=f"the published sizes, D = 10, 30, 100, 300 and 1000; {MORE} too under {FULL}=1",
)
def learned_features_along_their_number(draw: Draw, *, name: Name):
    """Learned features (OK) err less than plain ones at small D, take less time at large D, and reach the same error.

    Judged at D = 10 are the gain in error and that learning dominates the time (speedup < 1); at the largest D that the
    speedup is above 1, and that OK errs at most one percent of the points more than the best plain ones, and than in
    print: a tolerance for other seeds, as the test points are the paper's (buzz: a random quarter). On reuters the
    speedup does not grow all the way; on buzz the gain is modest: OK has more than half the errors of plain features at
    D = 10.
    """
    generator = generators(draw, "seed of the features")[0]
    run = run_on(name, required(name, "lkrf/fig-3-data"), draw, generator)
    sizes = (*SIZES, MORE) if os.environ.get(FULL) == "1" else SIZES
    chosen, plain, kept = trials(run, sizes, generator)
    speedup = {size: plain[size].seconds / chosen[size].seconds for size in sizes}
    least, most = sizes[0], sizes[-1]
    best = min(plain.values(), key=lambda trial: trial.test)
    rows = [
        Row("plain - OK error at D = 10, in %", *difference(run, plain[least], chosen[least]), 0.0),
        Row("1 - speedup at D = 10", 1 - speedup[least], printed=0.0),
        Row(f"speedup - 1 at D = {most}", speedup[most] - 1, printed=0.0),
        Row("best plain + 1 - OK error, in %", best.test + POINT - chosen[most].test, printed=0.0),
        Row("printed OK + 1 - OK error, in %", BEST[name][0] + POINT - chosen[most].test, printed=0.0),
        Row("time of the best plain / of OK", best.seconds / chosen[most].seconds),
        Row(f"OK error in %, printed {BEST[name][0]}", chosen[most].test),
        Row(f"best plain error in %, printed {BEST[name][2]}", best.test),
        Row("nnz", float(kept)),
    ]
    if name == "reuters":
        falls = max(speedup[a] - speedup[b] for a in sizes for b in sizes if a < b)
        rows.append(Row("largest fall of the speedup", falls, printed=0.0))
    if name == "buzz":
        half = difference(run, plain[least], chosen[least])[1]
        rows.append(Row("2 OK - plain error at D = 10", 2 * chosen[least].test - plain[least].test, 2 * half, 0.0))
    for size in sizes:
        rows.append(Row("speedup", speedup[size], at={"D": size}))
        for label, found in (("OK", chosen), ("plain", plain)):
            rows.append(Row(f"{label} training error", found[size].training, at={"D": size}, unit="%"))
            rows.append(Row(f"{label} error", found[size].test, at={"D": size}, unit="%"))
    return rows


def trials(
    run: Run, sizes: tuple[int, ...], generator: torch.Generator
) -> tuple[dict[int, Trial], dict[int, Trial], int]:
    """OK by estimator (5) below nnz(q) and by (6) from there on, plain features, and nnz(q)."""
    start = time.process_time()
    pool, weights = run.learned()
    learning = time.process_time() - start
    kept = support(weights)
    ones = torch.ones(1, dtype=torch.float64, device=weights.device)

    def sampled(size: int) -> Tensor:
        return pool[sampled_features(weights, size, generator=generator)]

    full = measured(run, lambda _: pool[kept], len(kept), (weights[kept] * len(kept)).sqrt(), learning)
    chosen = {size: full if size >= len(kept) else measured(run, sampled, size, ones, learning) for size in sizes}
    plain = {size: measured(run, run.plain, size, ones, 0.0) for size in sizes}
    return chosen, plain, len(kept)


def measured(run: Run, draws: Callable[[int], Tensor], size: int, scales: Tensor, before: float) -> Trial:
    """Draw, train and test; `before` is the time spent on the weights."""
    start = time.process_time()
    training, test = run.errors(draws(size), scales)
    return Trial(training, test, max(before + time.process_time() - start, 1e-9))


def difference(run: Run, first: Trial, second: Trial) -> tuple[float, float]:
    """Difference of two test errors in percent, with the standard error of independent test points."""
    shares = [trial.test / 100 for trial in (first, second)]
    error = 100 * math.sqrt(sum(share * (1 - share) for share in shares) / run.tested)
    return first.test - second.test, error


def run_on(name: Name, data: Table, draw: Draw, generator: torch.Generator) -> Run:
    """The run of a data set with the parameters of Table 3."""
    if name == "reuters":
        return sparse_run(data, generator)
    if name == "adult":
        table = adult_indicators(data)
        task = Task(*on_device(draw, table.training.tensors), *on_device(draw, table.test.tensors))
        return dense_run(name, task, gaussian(task), generator)
    return dense_run(name, random_split(*data.tensors, generator=generator), ArcCosine(2), generator)


def dense_run(name: Name, task: Task, family: FeatureFamily, generator: torch.Generator) -> Run:
    """Features of a family on dense points: half of adult, 6.67 % of buzz for the weights."""
    ratio, count = PARAMETERS[name]
    share, errors = (0.5, logistic_errors) if name == "adult" else (0.0667, ridge_errors)

    def learned() -> tuple[Tensor, Tensor]:
        kernel = learn(task, family, count=count, rho=ratio * count, generator=generator, share=share)
        return kernel.pool, kernel.weights

    return Run(
        len(task.test_labels),
        learned,
        lambda size: family.draw(size, task.points.shape[-1], generator=generator),
        lambda parameters, scales: errors(task, family, parameters, scales),
    )


def ridge_errors(task: Task, family: FeatureFamily, parameters: Tensor, scales: Tensor) -> tuple[float, float]:
    """Training and test error in percent of ridge regression on the features."""
    first, second = (family.evaluate(x, parameters) * scales for x in (task.points, task.test_points))
    model = RidgeClassifier(alpha=1.0).fit(first.cpu().numpy(), task.labels.cpu().numpy())
    return _wrong(model, first.cpu().numpy(), task.labels), _wrong(model, second.cpu().numpy(), task.test_labels)


def sparse_run(data: Table, generator: torch.Generator) -> Run:
    """Coordinates of sparse points: all of them are the pool, plain ones are drawn without replacement."""
    training, test, (ratio, count) = data.training, data.test, PARAMETERS["reuters"]
    columns = training.points.shape[1]

    def learned() -> tuple[Tensor, Tensor]:
        sums = np.asarray(training.points.T @ training.targets).ravel()
        alignments = torch.as_tensor(sums / len(training.targets)).square()
        return torch.arange(columns), chi_square_ball_maximum(alignments, ratio * count).weights

    def errors(chosen: Tensor, scales: Tensor) -> tuple[float, float]:
        factors = sparse.diags(np.broadcast_to(scales.numpy(), len(chosen)))
        first, second = ((part.points[:, chosen.numpy()] @ factors).tocsr() for part in (training, test))
        model = RidgeClassifier(alpha=1.0).fit(first, training.targets)
        return _wrong(model, first, training.targets), _wrong(model, second, test.targets)

    def plain(size: int) -> Tensor:
        return torch.randperm(columns, generator=generator, device=generator.device)[:size].cpu()

    return Run(len(test.targets), learned, plain, errors)


def _wrong(model: RidgeClassifier, points: Points, labels: Tensor | np.ndarray) -> float:
    return 100 * float(np.mean(model.predict(points) != np.asarray(labels)))
