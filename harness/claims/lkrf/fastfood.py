"""Section 2.1 on the cost of the features: Fastfood has the Gaussian kernel, and takes O(n N log d) operations."""

import itertools
import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from torch import Tensor

from algos.fourier.fastfood import fastfood_features
from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from harness import Draw, Estimate, Row, always, claim, grid, reproduction
from harness.claims.operations import Operations

DIMENSIONS = (256, 1024, 4096)
FEATURES, POINTS, REPEATS = 4096, 32, 5
SIZES = [
    {"n": n, "d": d, "N": features}
    for n, d in itertools.product((1, 16), (2, 3, 5, 33, 257, 512))
    for features in (d, d + 1, 9 * d)
]
"""Powers of two, numbers just above one, and others; a full block, one number more, and several blocks."""
DRAWS = 40_000
"""Of the transforms; each mean has a standard error below .003."""


@claim(
    "lkrf/fastfood-unbiased",
    reproduction(tolerance=0.02),
    cite="lkrf, Section 2.1: Fastfood approximates Phi for the Gaussian kernel",
    sizes="d = 1, 3 and 8, 2 d + 1 and 4 d features, two widths and two distances in random directions",
    restricts="the kernel alone; what Phi costs is under lkrf/fastfood-operations and lkrf/features-operations",
)
def fastfood_has_the_gaussian_kernel(draw: Draw):
    """Products of Fastfood features have the mean exp(-gamma |x - x'|^2), for two gammas and two distances.

    Also where d is no power of two and the number of features no multiple of one. The means are over draws of the
    transforms; the paper prints no number, the kernel is exact.
    """
    rows: list[Row] = []
    for d, distance, gamma in itertools.product((1, 3, 8), (0.5, 1.5), (0.5, 2.0)):
        name, count = f"gamma = {gamma}, distance {distance}", 2 * d + 1 if gamma == 2.0 else 4 * d
        generator = torch.Generator(draw.device)
        generator.manual_seed(int(draw.uniform(f"d = {d}, {name}", high=2.0**31)[0]))
        pair = torch.randn(1, 2, d, dtype=torch.float64, device=draw.device, generator=generator)
        step = torch.randn(1, d, dtype=torch.float64, device=draw.device, generator=generator)
        pair[:, 1] = pair[:, 0] + distance * step / step.norm()
        features = fastfood_features(pair.expand(DRAWS, 2, d), count=count, gamma=gamma, generator=generator)
        products = (features[:, 0] * features[:, 1]).sum(-1)
        limit = math.exp(-gamma * distance**2)
        rows.append(Row(f"mean product, {name}", Estimate.mean(products), printed=limit, at={"d": d}))
    return rows


@claim(
    "lkrf/fastfood-operations",
    always(),
    over=SIZES,
    cite="lkrf, Section 2.1: Fastfood approximates Phi in O(n N_w log d) time",
    quote="For example, the Fastfood technique can approximate Φ in O(nN_w log(d)) time for the Gaussian kernel [21].",
    sizes="n = 1 and 16 points, d from 2 to 512, N from d to 9 d features, as fewer cost a whole block, n d log d; "
    "numbers computed are counted, and the comparisons of a sort; the constant is ours, as print has O",
)
def fastfood_takes_few_operations(*, n: int, d: int, N: int):
    """Fastfood computes at most n N (8 log2 d + 32) + N (2 log2 d + 66) numbers: no more than 108 n N log2 d.

    From its formula: N <= M < 2 N rows fill the blocks of length p < 2 d. For each point and row two transforms write
    2 log2 p <= 2 log2 d + 2 numbers each, other steps eight; the padded point has p <= 2 N numbers; cosines, sines,
    both side by side and their multiple are 6 N. The transforms themselves, free of n, sort M keys and draw, scale and
    sum less than 32 M numbers.
    """
    points, generator = _points(n, d), torch.Generator().manual_seed(n)
    with Operations() as taken:
        fastfood_features(points, count=N, gamma=0.5, generator=generator)
    logarithm = math.log2(d)
    return taken.count, n * N * (8 * logarithm + 32) + N * (2 * logarithm + 66)


@claim(
    "lkrf/features-operations",
    always(),
    over=[*SIZES, *grid(n=[1, 16], d=[1, 512], N=[1, 8])],
    cite="lkrf, Section 2.1: Phi in O(n N_w d), where phi is O(d)",
    quote="Assuming that the computation of φ is O(d), construction of Φ is O(nN_wd) on a single processor.",
    sizes="n = 1 and 16 points, d from 1 to 512, N from 1 to 4608; cosines and sines of <w, x>",
)
def features_take_few_operations(*, n: int, d: int, N: int):
    """Features cos <w, x>, sin <w, x> take at most n N (2 d + 4) + 3 N d numbers: no more than 9 n N d.

    Two for each of the d terms of a phase, four for its cosine, its sine and their scaling; the frequencies are drawn,
    scaled and laid out once.
    """
    points, generator = _points(n, d), torch.Generator().manual_seed(n)
    with Operations() as taken:
        frequencies = gaussian_frequencies(N, d, gamma=0.5, generator=generator)
        random_fourier_features(points, frequencies)
    return taken.count, n * N * (2 * d + 4) + 3 * N * d


def _points(n: int, d: int) -> Tensor:
    """Any: what is counted depends on no value."""
    return torch.ones(n, d, dtype=torch.float64)


@claim(
    "lkrf/fastfood-cost",
    reproduction(sided="at most"),
    cite="lkrf, Section 2.1: O(n N_w log d) time in place of O(n N_w d)",
    restricts="our machine, 32 points, 4096 features; exponents of the time in d from 256 to 4096",
)
def fastfood_takes_logarithmic_time(draw: Draw):
    """From d = 256 to 4096 the time of 4096 Fastfood features grows by at most d^.5.

    Processor time, the least of five runs. log d itself has the exponent .14 there; products with a matrix have about
    one, which is shown. The rest is the time of cosines and sines, which depends on neither.
    """
    generator = torch.Generator().manual_seed(int(draw.uniform("seed", high=2.0**31)[0]))
    fast, dense = [], []
    for d in DIMENSIONS:
        points = torch.randn(POINTS, d, dtype=torch.float64, generator=generator)
        frequencies = gaussian_frequencies(FEATURES, d, gamma=0.5, generator=generator)
        fast.append(_seconds(partial(fastfood_features, points, count=FEATURES, gamma=0.5, generator=generator)))
        dense.append(_seconds(partial(random_fourier_features, points, frequencies)))
    return [
        Row("exponent of d in the time of Fastfood", _slope(fast), printed=0.5),
        Row("exponent of d in the time of products with a matrix", _slope(dense)),
    ]


def _seconds(work: Callable[[], Tensor]) -> float:
    """Processor time of the fastest run."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _slope(seconds: list[float]) -> float:
    """Of the logarithm of the times in that of d, by least squares."""
    return float(np.polyfit(np.log(DIMENSIONS), np.log(seconds), 1)[0])
