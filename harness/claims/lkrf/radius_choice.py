"""Appendix C on the choice of rho and N_w, on pairs of handwritten digits: sparsity, fit, time and support vectors.

The paper has no number for "very large", "very small", "extremely sparse" or "dense". Its Table 3 has rho / N from .002
to .1: here .02 is usual, .0004 (a fifth of the least) very small, and 1 (ten times the largest) very large. Extremely
sparse: a hundredth of the features at most; dense: half of them at least.
"""

import itertools
import math
import time
from collections.abc import Sequence

import torch
from scipy.stats import spearmanr
from sklearn.svm import SVC

from harness import Draw, Row, claim, reproduction
from harness.claims.lkrf.data_sets import Kernel, Task, gaussian, learn, logistic_errors, random_split
from harness.claims.placement import generators, on_device
from harness.claims.rows import mean_and_error
from harness.data import handwritten_digits

FEATURES = 400
SMALL, USUAL, LARGE = 0.0004, 0.02, 1.0
"""rho / N."""

SPARSE, DENSE = 0.01, 0.5
"""Of the features."""

SPLITS = 16


@claim(
    "lkrf/app-C-fit",
    reproduction(sided="at least"),
    cite="lkrf, Appendix C, on rho",
    quote="Very large ρ yields extremely sparse q̂ and poor fit, whereas very small ρ yields dense q̂ and long training "
    "times.",
    sizes="16 random pairs of digits of 8 x 8 pixels, N = 400, logistic regression; the paper names no data and no "
    "numbers here",
    restricts="rho alone: what support vectors say is under lkrf/app-C-support-vectors",
)
def radius_balances_fit_with_efficiency(draw: Draw):
    """A very large rho gives sparse weights and a poor fit, a very small one dense weights and longer training.

    rho / N = 1 and .0004 beside .02, the middle of Table 3. Sparse: at most one per cent of the features; dense: at
    least half of them. Means of paired differences over random pairs and splits; times as logarithms of ratios.
    """
    found: list[list[float]] = []
    for generator in generators(draw, "pairs and splits")[:SPLITS]:
        first, second = torch.randperm(10, generator=generator, device=generator.device)[:2].tolist()
        task = random_split(*pair_of(draw, first, second), generator=generator, scaled=False)
        (most, _, slow), (_, fit, fast), (fewest, worse, _) = (
            trained(task, ratio, generator=generator) for ratio in (SMALL, USUAL, LARGE)
        )
        found.append([SPARSE - fewest, worse - fit, most - DENSE, math.log(slow / fast)])
    labels = (
        "sparse, very large rho: .01 - share of the features kept",
        "poor fit: training error less that of the usual rho, in %",
        "dense, very small rho: share of the features kept - .5",
        "training time over that of the usual rho, logarithm",
    )
    return [
        Row(label, *mean_and_error(values), 0.0) for label, values in zip(labels, zip(*found, strict=True), strict=True)
    ]


@claim(
    "lkrf/app-C-support-vectors",
    reproduction(sided="at least"),
    expected="undecided",
    cite="lkrf, Appendix C, on support vectors",
    quote="A large number of support vectors roughly translates to large nnz(q̂), which can be achieved by increasing "
    "N_w or decreasing ρ.",
    sizes="all 45 pairs of digits of 8 x 8 pixels, N = 400 and 800, rho / N = .01 and .02, Gaussian kernel, C = 1; the "
    "paper's own examples, mnist and weight, are two of nine data sets",
)
def support_vectors_go_with_many_features(draw: Draw):
    """Over pairs of digits the number of support vectors and nnz(q) are correlated, by ranks; N_w and rho raise nnz.

    The error of the correlation, which is positive but within two of them, is that of leaving out one digit after
    another. More features at the same rho, and half of rho, give more weights that are not zero.
    """
    (generator,) = generators(draw, "features")[:1]
    pairs = list(itertools.combinations(range(10), 2))
    vectors, kept = [], []
    for pair in pairs:
        task = random_split(*pair_of(draw, *pair), generator=generator, scaled=False)
        family, rho = gaussian(task), USUAL * FEATURES
        machine = SVC(C=1.0, gamma=family.gamma, random_state=0).fit(
            task.points.cpu().numpy(), task.labels.cpu().numpy()
        )
        vectors.append(float(machine.n_support_.sum()))
        counts = ((FEATURES, rho), (2 * FEATURES, rho), (FEATURES, rho / 2))
        kept.append([float(len(learn(task, family, count=n, rho=r, generator=generator).kept)) for n, r in counts])
    usual, more, smaller = zip(*kept, strict=True)
    without = []
    for digit in range(10):
        rest = [k for k, pair in enumerate(pairs) if digit not in pair]
        without.append(correlation([vectors[k] for k in rest], [usual[k] for k in rest]))
    spread = math.sqrt(0.9 * sum((each - sum(without) / 10) ** 2 for each in without))
    return [
        Row("rank correlation of support vectors and nnz", correlation(vectors, usual), spread, 0.0),
        Row(
            "nnz with twice the features, less before",
            *mean_and_error([a - b for a, b in zip(more, usual, strict=True)]),
            0.0,
        ),
        Row(
            "nnz with half of rho, less before",
            *mean_and_error([a - b for a, b in zip(smaller, usual, strict=True)]),
            0.0,
        ),
    ]


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's."""
    return float(spearmanr(first, second).statistic)


def pair_of(draw: Draw, first: int, second: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Images of two digits, labelled -1 and +1."""
    images, digits = on_device(draw, handwritten_digits())
    some = (digits == first) | (digits == second)
    return images[some], torch.where(digits[some] == first, -1.0, 1.0).double()


def trained(task: Task, ratio: float, *, generator: torch.Generator) -> tuple[float, float, float]:
    """Share of the features kept, training error in percent and processor time of logistic regression on them."""
    kernel: Kernel = learn(task, gaussian(task), count=FEATURES, rho=ratio * FEATURES, generator=generator)
    scales = (kernel.weights[kernel.kept] * len(kernel.kept)).sqrt()
    start = time.process_time()
    error, _ = logistic_errors(task, kernel.family, kernel.pool[kernel.kept], scales)
    return len(kernel.kept) / FEATURES, error, time.process_time() - start
