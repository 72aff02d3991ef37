"""Table 4 on adult with a width that cross-validation chooses, by a protocol fixed before its first run.

The paper names no width. It chooses rho "to balance fit with efficiency via cross validation", and so is the width
here, from training rows alone: of a quarter, a half, once, twice and four times the median distance, the one whose
learned features err least over three folds of 6000 training rows. Pools are drawn anew. Six, as in the first run, tell
half a point at a spread of a fifth from none with probability 19/20 at the level of a run, by the normal law:
((4.5 + 1.65) .2 / .5)^2. There are 22 since Student's t judges them.
"""

import torch

from algos.fourier.feature_families import OffsetCosine
from harness import Draw, Estimate, Row, claim, reproduction
from harness.claims.lkrf.data_sets import Task, gaussian, learn, logistic_error
from harness.claims.lkrf.printed_tables import ERRORS, PARAMETERS
from harness.claims.placement import generators, on_device
from harness.data import required
from harness.data.adult import adult_indicators

WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Of the median distance; gamma goes with the inverse square."""
FOLDS, VALIDATED = 3, 6000
POOLS = 22
SHARE = 0.5
"""Table 3: of the training rows, for the alignments."""


@claim(
    "lkrf/tab-4-adult-validated",
    reproduction(sided="at most"),
    cite="lkrf, Tables 3 and 4, adult, if taken for every width of the Gaussian kernel",
    sizes=f"as published, N = 20,000, rho = 240; {POOLS} pools",
    restricts="a width of our own choice, by cross-validation, as the paper names none; random features with D = 10 "
    "nnz are not judged; asked for was the order of print, the first run gave the opposite, which is recorded",
)
def adult_with_a_validated_width(draw: Draw):
    """On adult, at the width of cross-validation, learned features err more than as many random ones.

    In print less, 15.54 and 17.51 %. That accuses nobody: the paper names no width, and at N(0, I) the order is that of
    print (lkrf/tab-4-adult). All training and test rows, 123 binary columns, the first half of the training rows for
    the alignments, logistic regression with C = 1. Errors and the width are shown.
    """
    data = adult_indicators(required("adult", "lkrf/tab-4*"))
    task = Task(*on_device(draw, data.training.tensors), *on_device(draw, data.test.tensors))
    streams = generators(draw, "pools at a validated width")
    width = validated_width(task, streams[POOLS])
    family = scaled_gaussian(task, width)
    found = [both_errors(task, family, stream) for stream in streams[:POOLS]]
    learned, plain, kept = zip(*found, strict=True)
    gains = [b - a for a, b in zip(learned, plain, strict=True)]
    return [
        Row("random - OK, D = nnz, in %", Estimate.mean(gains), printed=0.0),
        Row(f"OK: test error in %, printed {ERRORS['adult'][0]}", Estimate.mean(learned)),
        Row(f"random, D = nnz: test error in %, printed {ERRORS['adult'][1]}", Estimate.mean(plain)),
        Row("nnz", Estimate.mean(kept)),
        Row("width over the median distance", width),
    ]


def scaled_gaussian(task: Task, width: float) -> OffsetCosine:
    """Gaussian features of so many times the median distance."""
    return OffsetCosine(gaussian(task).gamma / width**2)


def validated_width(task: Task, generator: torch.Generator) -> float:
    """The width with the least mean error of learned features over the folds; test rows are not read."""
    order = torch.randperm(len(task.labels), generator=generator, device=generator.device)[:VALIDATED]
    folds = torch.tensor_split(order, FOLDS)
    errors = {}
    for width in WIDTHS:
        total = 0.0
        for fold in range(FOLDS):
            rest = torch.cat([rows for k, rows in enumerate(folds) if k != fold])
            part = Task(task.points[rest], task.labels[rest], task.points[folds[fold]], task.labels[folds[fold]])
            total += both_errors(part, scaled_gaussian(part, width), generator, plain=False)[0]
        errors[width] = total
    return min(errors, key=lambda width: errors[width])


def both_errors(
    task: Task, family: OffsetCosine, generator: torch.Generator, *, plain: bool = True
) -> tuple[float, float, float]:
    """Errors in percent of learned and of as many random features (nan if not asked for), and nnz."""
    ratio, count = PARAMETERS["adult"]
    kernel = learn(task, family, count=count, rho=ratio * count, generator=generator, share=SHARE)
    kept = kernel.kept
    error = logistic_error(task, family, kernel.pool[kept], kernel.scales)
    if not plain:
        return error, float("nan"), float(len(kept))
    drawn = family.draw(len(kept), task.points.shape[-1], generator=generator)
    return error, logistic_error(task, family, drawn), float(len(kept))
