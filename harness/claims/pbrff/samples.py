"""The data sets of the experiments, cut into random splits, with the kernel machine that chose the width on each.

Where the environment variable TIGHTROPE_FULL is 1, `whole_tasks` has all rows of a data set and the printed grids.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from harness import Draw, Estimate, Row, skip
from harness.claims.pbrff.learners import (
    Machine,
    Task,
    consecutive_split,
    kernel_machine,
    random_split,
    validation_size,
)
from harness.claims.placement import on_device
from harness.data import Points, Table, breast_cancer, dense, digit_pair, required

Chosen: TypeAlias = tuple[Task, Machine]
"""A split, and the kernel machine that chose the kernel width on it."""


POWERS = tuple(10.0**k for k in range(-7, 5))
"""10^-7 ... 10^4."""


def breast_tasks(
    draw: Draw,
    *,
    folds: int = 1,
    splits: int | None = None,
    gammas: Sequence[float] = POWERS[:4],
    costs: Sequence[float] = POWERS[8:],
) -> list[Chosen]:
    """`folds` splits of each random order of the rows; four test parts cover the data (and share three rows)."""
    points, labels = on_device(draw, breast_cancer())
    orders = draw.uniform("order of the rows", len(labels)).argsort(-1)[:splits]
    rolled = [order.roll(143 * fold) for order in orders for fold in range(folds)]
    return _chosen(random_split(points, labels, order, gammas=gammas, costs=costs) for order in rolled)


def small_tasks(draw: Draw, name: str, claim: str, *, splits: int | None = None, rows: int = 600) -> list[Chosen]:
    """Splits of some rows of adult, ads, farm, or a pair of digits like mnist17; so many of the replicates.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them.
    """
    if name.startswith("mnist"):
        return digit_tasks(draw, f"{name[5]}-{name[6]}", claim, splits=splits, rows=rows)
    if name == "adult":
        return adult_tasks(draw, claim, splits=splits)
    tasks = {"ads": advertisement_tasks, "farm": farm_tasks}[name]
    return tasks(draw, claim, splits=splits, rows=rows)


def digit_tasks(
    draw: Draw, pair: str, claim: str = "pbrff/*mnist", *, splits: int | None = None, rows: int = 600
) -> list[Chosen]:
    """Random splits of 600 digits of the pair, or so many.

    Raises
    ------
    SkipClaim
        If the data folder has no digits.
    """
    images = required("mnist", claim)
    first, second = (int(digit) for digit in pair.split("-"))
    points, labels = on_device(draw, digit_pair(images, first, second))
    return _subsampled(points, labels, draw, rows, splits, gammas=POWERS[4:7], costs=POWERS[8:10])


def advertisement_tasks(
    draw: Draw, claim: str = "pbrff/*", *, splits: int | None = None, rows: int = 600
) -> list[Chosen]:
    """Random splits of 600, or so many, of the Internet Advertisements.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them.
    """
    points, labels = on_device(draw, required("ads", claim).tensors)
    return _subsampled(points, labels, draw, rows, splits, gammas=POWERS[4:7], costs=POWERS[7:10])


def farm_tasks(
    draw: Draw, claim: str = "pbrff/tab-1-farm", *, splits: int | None = None, rows: int = 600
) -> list[Chosen]:
    """Random splits of 600, or so many, of the Farm Ads, in coordinates of the span of these rows.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them.
    """
    data = required("farm", claim)
    orders = draw.uniform("order of the rows", len(data.targets)).argsort(-1)[:splits, :rows]
    every = torch.arange(orders.shape[1], device=draw.device)

    def task(order: Tensor) -> Task:
        chosen = order.cpu().numpy()
        points, labels = on_device(draw, Table(span_coordinates(data.points[chosen]), data.targets[chosen]).tensors)
        return random_split(points, labels, every, gammas=POWERS[3:6], costs=POWERS[7:10])

    return _chosen(map(task, orders))


def span_coordinates(rows: Points) -> NDArray[np.float64]:
    """Coordinates of n rows in an orthonormal basis of their span, (n, n): the same inner products, and distances.

    A Gaussian frequency in the large space has a Gaussian one as projection on the span: random features of the
    coordinates have the law of those of the rows.
    """
    gram = rows @ rows.T
    values, vectors = np.linalg.eigh(dense(gram))
    coordinates: NDArray[np.float64] = vectors * np.sqrt(np.maximum(values, 0.0))
    return coordinates


def adult_tasks(draw: Draw, claim: str = "pbrff/*adult", *, splits: int | None = None) -> list[Chosen]:
    """500 of the published training rows of UCI Adult, cut into 400 and 100, and 1000 of the published test rows.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them.
    """
    data = required("adult", claim)
    known, marks = on_device(draw, data.training.tensors)
    test_points, test_labels = on_device(draw, data.test.tensors)
    valid = validation_size(500)
    kept = draw.uniform("order of the training rows", len(marks)).argsort(-1)[:splits, :500]
    tested = draw.uniform("order of the test rows", len(test_labels)).argsort(-1)[:splits, :1000]

    def task(rows: Tensor, test_rows: Tensor) -> Task:
        points = torch.cat([known[rows], test_points[test_rows]])
        labels = torch.cat([marks[rows], test_labels[test_rows]])
        return consecutive_split(points, labels, train=500 - valid, valid=valid, gammas=POWERS[:3], costs=POWERS[6:9])

    return _chosen(task(rows, test_rows) for rows, test_rows in zip(kept, tested, strict=True))


def whole_tasks(
    draw: Draw, name: str, claim: str, *, splits: int, of_rows: int | None = None, folds: int = 1
) -> list[Chosen]:
    """Splits of all rows of a data set in the proportions of Table 2, with the printed grids of gamma and C.

    `name` is breast, adult, ads, farm, or a pair of digits like mnist17. Of MNIST these are all images in the folder.
    Adult has its published test rows. The grid of sigma is that of gamma (see pbrff/sigma-grid). Breast has `folds`
    splits of each random order, whose test parts are disjoint up to three folds.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them, or not `of_rows` of them where that is given.
    """
    gammas, costs = (*POWERS[:9], 100.0), POWERS[2:]
    if name == "breast":
        return breast_tasks(draw, folds=folds, splits=splits, gammas=gammas, costs=costs)
    data = required(name[:5] if name.startswith("mnist") else name, claim)
    if name.startswith("mnist"):
        points, labels = on_device(draw, digit_pair(data, int(name[5]), int(name[6]), training=None))
    elif name == "farm":
        points, labels = on_device(draw, Table(span_coordinates(data.points), data.targets).tensors)
    else:
        points, labels = on_device(draw, data.tensors)
    if of_rows not in (None, len(labels)):
        raise skip(f"the data folder holds {len(labels)} rows of {name}, where the paper has {of_rows}")
    known = len(labels) - data.tested if name == "adult" else len(labels)
    orders = draw.uniform("order of the rows", known).argsort(-1)[:splits]
    if name != "adult":
        return _chosen(random_split(points, labels, order, gammas=gammas, costs=costs) for order in orders)
    valid, tested = validation_size(known), torch.arange(known, len(labels), device=labels.device)
    return _chosen(Task(points, labels, o[valid:], o[:valid], tested, gammas, costs) for o in orders)


def seeds(draw: Draw, name: str, per_replicate: int = 1) -> list[int]:
    """One seed for each split."""
    return [int(seed) for seed in draw.uniform(name, per_replicate, high=2.0**31).flatten()]


def row(label: str, errors: Tensor, printed: float | None = None, *, at: Mapping[str, float] | None = None) -> Row:
    """Mean over the replicates with its standard error."""
    if at is None:
        return Row(f"{label}, in % of points", Estimate.mean(errors), printed=printed)
    return Row(label, Estimate.mean(errors), printed=printed, at=at, unit="in % of points")


def _subsampled(
    points: Tensor,
    labels: Tensor,
    draw: Draw,
    count: int,
    splits: int | None,
    *,
    gammas: Sequence[float],
    costs: Sequence[float],
) -> list[Chosen]:
    orders = draw.uniform("order of the rows", len(labels)).argsort(-1)[:splits, :count]
    every = torch.arange(min(count, len(labels)), device=labels.device)
    return _chosen(random_split(points[o], labels[o], every, gammas=gammas, costs=costs) for o in orders)


def _chosen(tasks: Iterable[Task]) -> list[Chosen]:
    return [(task, kernel_machine(task)) for task in tasks]
