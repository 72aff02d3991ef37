"""Appendix C on what the radius is chosen for: a very large one fits poorly, a very small one takes long to train.

The radii follow from N features: beyond rho = N - 1 one weight is left, below rho = 1 / (N - 1) none is zero, and
between them stands rho = .012 N, which cross validation chose in print for Gaussian features (Table 3, adult). The
sentence names no data, width or strength of the penalty: ours are those of `data_sets`.
"""

import time

import torch

from harness import Draw, Estimate, Row, claim, grid, reproduction
from harness.claims.lkrf.baselines import NAMES, Bundled, bundled
from harness.claims.lkrf.data_sets import Task, gaussian, learn, logistic_errors
from harness.claims.placement import generators

FEATURES = 1000
BALANCED = 0.012
"""Of rho / N."""
RADII = {"very large": float(FEATURES), "balanced": BALANCED * FEATURES, "very small": 0.5 / FEATURES}
SPLITS = 14


@claim(
    "lkrf/app-C-fit",
    reproduction(sided="at least"),
    over=grid(name=NAMES),
    cite="lkrf, Appendix C",
    quote="Very large rho yields extremely sparse q and poor fit, whereas very small rho yields dense q and long "
    "training times.",
    sizes=f"N = {FEATURES}, rho = N, .012 N and 1 / (2 N); three data sets of the package, 14 splits of each, "
    "Gaussian features of median width, logistic regression with C = 1: ours, as the sentence names none; Newton's "
    "method and our machine for the time",
    restricts="rho alone: support vectors are under lkrf/app-C-support-vectors",
)
def radius_balances_fit_with_time(draw: Draw, *, name: Bundled):
    """A very large rho leaves one weight and errs more in training, a very small one all weights, and trains longer.

    Both than with the radius between them. Errors of the test points are shown.
    """
    found = torch.tensor([outcomes(name, source) for source in generators(draw, "seed")[:SPLITS]]).double()
    large, balanced, small = found.unbind(1)  # (splits, 4): nnz, training error, test error, seconds
    rows: list[Row] = [
        Row("1 - largest nnz, very large rho", 1 - large[:, 0].max(), printed=0.0),
        Row("smallest nnz - N, very small rho", small[:, 0].min() - FEATURES, printed=0.0),
        Row(
            "training error, very large rho - balanced, in %", Estimate.mean(large[:, 1] - balanced[:, 1]), printed=0.0
        ),
        Row(
            "training time, very small rho / balanced - 1", Estimate.mean(small[:, 3] / balanced[:, 3] - 1), printed=0.0
        ),
    ]
    for radius, some in zip(RADII, (large, balanced, small), strict=True):
        for k, label in enumerate(("nnz", "training error in %", "test error in %", "seconds")):
            rows.append(Row(f"{radius} rho: {label}", Estimate.mean(some[:, k])))
    return rows


def outcomes(name: Bundled, generator: torch.Generator) -> list[list[float]]:
    """nnz, errors in training and in test, and processor time to train and test, at every radius; one split."""
    task = bundled(name, generator)
    seed = int(torch.randint(2**31, (), device=generator.device, generator=generator))
    return [trained(task, rho, torch.Generator(generator.device).manual_seed(seed)) for rho in RADII.values()]


def trained(task: Task, rho: float, generator: torch.Generator) -> list[float]:
    """The same pool for every radius."""
    kernel = learn(task, gaussian(task), count=FEATURES, rho=rho, generator=generator)
    kept = kernel.kept
    start = time.process_time()
    errors = logistic_errors(task, kernel.family, kernel.pool[kept], kernel.scales)
    return [float(len(kept)), *errors, max(time.process_time() - start, 1e-9)]
