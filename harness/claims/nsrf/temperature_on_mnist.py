"""Appendix A.1 on the temperature, on pairs of MNIST digits that no claim on it had read; fixed before its first run.

The criterion, copies, temperatures and moments are those of nsrf/A.1-temperature and -not-always, unchanged. The pairs
are those of `improving`. Four samples of each are 20, where the gap and spread of the search take 19 (`mnist_tuning`).
"""

import torch

from harness import Draw, Row, claim, reproduction
from harness.claims.nsrf.improving import UNREAD
from harness.claims.nsrf.mnist_guide import some_images
from harness.claims.nsrf.search_guide import (
    FIRST,
    HIGH,
    LATER,
    TEMPERATURES,
    Weighted,
    shares_of_temperatures,
    weighted_task,
)
from harness.claims.rows import mean_and_error

SAMPLES = 4
"""Of each pair."""


@claim(
    "nsrf/A.1-temperature-mnist",
    reproduction(sided="at least"),
    cite="nsrf, Appendix A.1: the best samples arise from using high temperatures and Gaussian initialization",
    quote="we observe that the best samples arise from using high temperatures and Gaussian parallel initialization.",
    sizes="60 copies from Gaussian starts, perturbations of ten times the gradient step, a tenth of it and none; 300 "
    "images in 784 dimensions, five pairs of MNIST digits, four samples of each, at the first weights and after 20 "
    "rounds; the paper names neither data nor temperatures",
)
def high_temperatures_on_digits_of_mnist(draw: Draw):
    """On MNIST, copies at a high temperature find higher potentials than at a low one or none.

    As in nsrf/A.1-temperature: means over the copies of the highest value that each one visits, over the best copy's.
    """
    few = max(1, SAMPLES * draw.reps // 32)
    found: dict[tuple[str, str], list[float]] = {}
    for pair in UNREAD:
        for task, generator in some_images(draw, pair, few, f"samples of {pair}, temperatures"):
            _add(found, weighted_task(task, generator), generator)
    rows: list[Row] = []
    for when in (FIRST, LATER):
        for name in TEMPERATURES:
            if name != HIGH:
                gains = [a - b for a, b in zip(found[when, HIGH], found[when, name], strict=True)]
                rows.append(Row(f"{when}: {HIGH} - {name}", *mean_and_error(gains), 0.0))
    return [*rows, *(Row(f"{when}: {name}", *mean_and_error(each)) for (when, name), each in found.items())]


def _add(found: dict[tuple[str, str], list[float]], moments: Weighted, generator: torch.Generator) -> None:
    for when, (points, signed) in moments.items():
        for name, share in shares_of_temperatures(points, signed, generator).items():
            found.setdefault((when, name), []).append(share)
