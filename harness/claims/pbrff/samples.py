"""The data sets of the experiments, cut into random splits, with the kernel machine that chose the width on each."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import torch
from torch import Tensor

from harness import Draw, Row, skip
from harness.claims.pbrff.learners import (
    Machine,
    Task,
    consecutive_split,
    kernel_machine,
    random_split,
    validation_size,
)
from harness.claims.placement import on_device
from harness.claims.rows import mean_and_error
from harness.data import (
    ADULT_FILES,
    ADVERTISEMENT_FILE,
    adult,
    breast_cancer,
    digit_pair,
    digits_remedy,
    has_files,
    internet_advertisements,
)

Chosen: TypeAlias = tuple[Task, Machine]
"""A split, and the kernel machine that chose the kernel width on it."""


POWERS = tuple(10.0**k for k in range(-7, 5))
"""10^-7 ... 10^4."""

ARCHIVE = "https://archive.ics.uci.edu/static/public"
FOLDER = "and run `TIGHTROPE_DATA=FOLDER tightrope check 'pbrff/*'`"


def breast_tasks(draw: Draw, *, folds: int = 1) -> list[Chosen]:
    """`folds` splits of every random order of the rows; four test parts cover the data (and share three rows)."""
    points, labels = on_device(draw, breast_cancer())
    orders = draw.uniform("order of the rows", len(labels)).argsort(-1)
    rolled = [order.roll(143 * fold) for order in orders for fold in range(folds)]
    return _chosen(random_split(points, labels, order, gammas=POWERS[:4], costs=POWERS[8:]) for order in rolled)


def digit_tasks(draw: Draw, pair: str) -> list[Chosen]:
    """Random splits of 600 digits of the pair.

    Raises
    ------
    SkipClaim
        If the data folder has no digits.
    """
    if remedy := digits_remedy("'pbrff/*mnist'"):
        raise skip(remedy)
    first, second = (int(digit) for digit in pair.split("-"))
    return _subsampled(
        *on_device(draw, digit_pair(first, second)), draw, count=600, gammas=POWERS[4:7], costs=POWERS[8:10]
    )


def advertisement_tasks(draw: Draw) -> list[Chosen]:
    """Random splits of 600 of the Internet Advertisements.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them.
    """
    if not has_files(ADVERTISEMENT_FILE):
        raise skip(
            f"needs Internet Advertisements: `curl -O {ARCHIVE}/51/internet+advertisements.zip`, unpack "
            f"{ADVERTISEMENT_FILE} into a folder {FOLDER}"
        )
    return _subsampled(
        *on_device(draw, internet_advertisements()), draw, count=600, gammas=POWERS[4:7], costs=POWERS[7:10]
    )


def require_adult() -> None:
    """Skip where the data folder does not hold UCI Adult.

    Raises
    ------
    SkipClaim
    """
    if not has_files(*ADULT_FILES):
        raise skip(
            f"needs UCI Adult: `curl -O {ARCHIVE}/2/adult.zip`, unpack {' and '.join(ADULT_FILES)} into a folder "
            f"{FOLDER}"
        )


def adult_tasks(draw: Draw) -> list[Chosen]:
    """500 of the published training rows of UCI Adult, cut into 400 and 100, and 1000 of the published test rows.

    Raises
    ------
    SkipClaim
        If the data folder does not hold them.
    """
    require_adult()
    data = adult()
    known, marks = on_device(draw, (data.points, data.labels))
    test_points, test_labels = on_device(draw, (data.test_points, data.test_labels))
    valid = validation_size(500)
    kept = draw.uniform("order of the training rows", len(data.labels)).argsort(-1)[:, :500]
    tested = draw.uniform("order of the test rows", len(data.test_labels)).argsort(-1)[:, :1000]

    def task(rows: Tensor, test_rows: Tensor) -> Task:
        points = torch.cat([known[rows], test_points[test_rows]])
        labels = torch.cat([marks[rows], test_labels[test_rows]])
        return consecutive_split(points, labels, train=500 - valid, valid=valid, gammas=POWERS[:3], costs=POWERS[6:9])

    return _chosen(task(rows, test_rows) for rows, test_rows in zip(kept, tested, strict=True))


def seeds(draw: Draw, name: str, per_replicate: int = 1) -> list[int]:
    """One seed for each split."""
    return [int(seed) for seed in draw.uniform(name, per_replicate, high=2.0**31).flatten()]


def row(label: str, errors: Tensor, printed: float | None = None, *, at: Mapping[str, float] | None = None) -> Row:
    """Mean over the replicates with its standard error."""
    if at is None:
        return Row(f"{label}, in % of points", *mean_and_error(errors), printed)
    return Row(label, *mean_and_error(errors), printed, at=at, unit="in % of points")


def _subsampled(
    points: Tensor, labels: Tensor, draw: Draw, *, count: int, gammas: tuple[float, ...], costs: tuple[float, ...]
) -> list[Chosen]:
    orders = draw.uniform("order of the rows", len(labels)).argsort(-1)[:, :count]
    every = torch.arange(min(count, len(labels)), device=labels.device)
    return _chosen(random_split(points[o], labels[o], every, gammas=gammas, costs=costs) for o in orders)


def _chosen(tasks: Iterable[Task]) -> list[Chosen]:
    return [(task, kernel_machine(task)) for task in tasks]
