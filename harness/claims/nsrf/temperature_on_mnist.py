"""Appendix A.1 on the temperature, on pairs of MNIST digits that no claim on it had read; fixed before its first run.

The criterion, copies, temperatures and moments are those of nsrf/A.1-temperature and -not-always, unchanged. The pairs
are those of `improving`. Four samples of each were 20 in the first run, where the gap and spread of the search take 19
(`mnist_tuning`); twice as many since Student's t judges them.
"""

import torch

from harness import Draw, Estimate, Row, claim, reproduction
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

SAMPLES = 8
"""Of each pair."""
OPEN = (LATER, "a tenth of the gradient step")


@claim(
    "nsrf/A.1-temperature-mnist",
    reproduction(sided="at most"),
    cite="nsrf, Appendix A.1, if taken for a law of all data",
    sizes="60 copies from Gaussian starts; 300 images in 784 dimensions, five pairs of MNIST digits, eight samples of "
    "each, at the first weights and after 20 rounds",
    restricts="temperatures of ours, as the paper names none; asked for was what the paper observes in its own runs, "
    "the first run gave the opposite, which is recorded",
)
def high_temperatures_on_digits_of_mnist(draw: Draw):
    """On MNIST, copies at a high temperature find lower potentials than at a low one or none.

    High: a perturbation of ten times the gradient step at the starts; print has "roughly" one. So this contradicts no
    sentence of the paper. Means over the copies of the highest value that each one visits, over the best copy's; after
    20 rounds the difference to a tenth is shown only.
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
                limit = None if (when, name) == OPEN else 0.0
                rows.append(Row(f"{when}: {HIGH} - {name}", Estimate.mean(gains), printed=limit))
    return [*rows, *(Row(f"{when}: {name}", Estimate.mean(each)) for (when, name), each in found.items())]


def _add(found: dict[tuple[str, str], list[float]], moments: Weighted, generator: torch.Generator) -> None:
    for when, (points, signed) in moments.items():
        for name, share in shares_of_temperatures(points, signed, generator).items():
            found.setdefault((when, name), []).append(share)
