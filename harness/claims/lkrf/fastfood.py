"""Section 2.1 on the cost of the features: Fastfood has the Gaussian kernel, and its time hardly grows with d."""

import math
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from torch import Tensor

from algos.fourier.fastfood import fastfood_features
from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from harness import Draw, Row, claim, reproduction

DIMENSIONS = (256, 1024, 4096)
FEATURES, POINTS, REPEATS = 4096, 32, 5
DRAWS = 20_000
"""Of the transforms; each has a standard error below .005."""


@claim(
    "lkrf/fastfood-unbiased",
    reproduction(tolerance=0.02),
    cite="lkrf, Section 2.1: Fastfood approximates Phi for the Gaussian kernel",
    restricts="six pairs of points, gamma = 1/2, one number of features in each dimension",
)
def fastfood_has_the_gaussian_kernel(draw: Draw):
    """Products of Fastfood features have the mean exp(-|x - x'|^2/2), at d = 1, 3, 8 and two distances.

    Also where d is no power of two and the number of features no multiple of one. The means are over draws of the
    transforms; the paper prints no number, the kernel is exact.
    """
    rows: list[Row] = []
    for d in (1, 3, 8):
        for distance in (0.5, 1.5):
            pair = torch.zeros(DRAWS, 2, d, dtype=torch.float64, device=draw.device)
            pair[:, 1] = distance / math.sqrt(d)
            generator = torch.Generator(draw.device).manual_seed(int(draw.uniform(f"{d} {distance}", high=2.0**31)[0]))
            features = fastfood_features(pair, count=2 * d + 1, gamma=0.5, generator=generator)
            products = (features[:, 0] * features[:, 1]).sum(-1)
            error = float(products.std()) / math.sqrt(len(products))
            rows.append(
                Row(
                    f"mean product at distance {distance}",
                    float(products.mean()),
                    error,
                    math.exp(-(distance**2) / 2),
                    at={"d": d},
                )
            )
    return rows


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
