"""Table 10: a function whose frequencies lie in the tails of the spectral measure of the kernel.

Not stated in the paper: the bandwidth of the kernel, the scale of the feature maps, whether .1 is the variance or the
standard deviation of the noise, the grids, the size of the test set, and whether errors are against noisy targets (.04
cannot be, with noise .1). Here the target is ``sqrt(2/400) sum_j alpha_j cos(<w_j, x> + b_j)``, of standard deviation
about one, the noise has standard deviation .1, errors are against the function itself, features are
``sqrt2 cos(<w, x> + b)`` and every regularisation is chosen on 1500 validation points.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from harness import Draw, Row, claim, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.placement import generators
from harness.claims.uarff.feature_pool import Parts, Pool, cosines, mean_row, root_mean_square

TARGET_FEATURES, TEST_POINTS, VALIDATION_POINTS = 400, 2000, 1500
NOISE = 0.1
WIDTHS = (1.0, 1.5, 2.0, 2.5)
"""Standard deviations of the frequencies; those of the target have 2.1 in each direction."""

LEARNERS = ("plain", "leverage", "pool")


@dataclass(frozen=True)
class Sizes:
    """Training points, frequencies in the pool, features drawn from it."""

    points: int
    pool: int
    features: int
    score_regularisations: tuple[float, ...] = (1e-7, 1e-5)


REDUCED = Sizes(points=3000, pool=1000, features=250)
PRINTED = Sizes(points=50_000, pool=10_000, features=1000, score_regularisations=(1e-6,))


@claim(
    "uarff/tab-10",
    reproduction(sided="at least"),
    cite="uarff, Table 10, at a reduced size",
    restricts="3000 points, 250 features of a pool of 1000; the direction, not the printed errors",
)
def leverage_weighted_features_in_the_tails(draw: Draw):
    """Where the kernel misses the target's frequencies, leverage-weighted features err less than as many plain ones.

    3000 points, 250 features from a pool of 1000 (paper: 50,000, 1000 and 10,000); frequencies of standard deviation 1
    put the target's in the tails. The control, shown: the advantage shrinks as the bandwidth comes to fit the target.
    """
    return table_rows(draw, REDUCED, widths=WIDTHS, sets=max(2, draw.reps // 2))


@claim(
    "uarff/tab-10-full",
    reproduction(sided="at least"),
    cite="uarff, Table 10, at its size",
    restricts="one data set; the direction, not the printed errors",
)
def leverage_weighted_features_in_the_tails_at_full_size(draw: Draw):
    """On 50,000 points 1000 leverage-weighted features from a pool of 10,000 err less than 1000 plain ones.

    One data set, frequencies of standard deviation 1; the pool stands in for the paper's 50,000 plain features. Printed
    are .13 (plain) and .04 (leverage), of a problem that the paper does not fix. Runs where TIGHTROPE_FULL is 1.
    """
    require_full_size("uarff/tab-10-full", takes="some minutes and 3 GB")
    return table_rows(draw, PRINTED, widths=WIDTHS[:1], sets=1)


def table_rows(draw: Draw, sizes: Sizes, *, widths: Sequence[float], sets: int) -> list[Row]:
    """Gain of leverage weights at the first width (judged), at the width chosen by validation, and all errors."""
    sources = generators(draw, "seed")[:sets]
    found = torch.stack([_errors(source, sizes, widths) for source in sources])  # ..., learners, (validation, test)
    test = found[..., 1]
    chosen = found[..., 0].argmin(1, keepdim=True)
    tuned = test.gather(1, chosen).squeeze(1)
    gains = [
        mean_row(f"plain - leverage, frequencies of width {widths[0]:g}", test[:, 0, 0] - test[:, 0, 1], 0.0),
        mean_row("plain - leverage, width chosen by validation", tuned[:, 0] - tuned[:, 1]),
        mean_row(f"leverage - pool, frequencies of width {widths[0]:g}", test[:, 0, 1] - test[:, 0, 2]),
    ]
    curves = [
        mean_row(name, test[:, w, k], at={"width of the frequencies": width}, unit="RMSE")
        for k, name in enumerate(LEARNERS)
        for w, width in enumerate(widths)
    ]
    return gains + curves


def synthetic_problem(points: int, *, generator: torch.Generator) -> Parts:
    """A target with frequencies from four Gaussians at (+-2, +-2), variance 1/2, and inputs from N(0, 5 I)."""
    device = generator.device
    modes = torch.tensor([[-2.0, -2.0], [-2.0, 2.0], [2.0, -2.0], [2.0, 2.0]], dtype=torch.float64, device=device)
    centres = modes[torch.randint(4, (TARGET_FEATURES,), device=device, generator=generator)]
    frequencies = centres + math.sqrt(0.5) * _normal(TARGET_FEATURES, 2, generator=generator)
    phases = 2 * math.pi * torch.rand(TARGET_FEATURES, 1, dtype=torch.float64, device=device, generator=generator)
    weights = _normal(TARGET_FEATURES, generator=generator) / math.sqrt(TARGET_FEATURES)
    parts = []
    for size, noise in ((points, NOISE), (VALIDATION_POINTS, NOISE), (TEST_POINTS, 0.0)):
        x = math.sqrt(5) * _normal(size, 2, generator=generator)
        values = cosines(x, torch.cat([frequencies, phases], -1)) @ weights
        parts.append((x, values + noise * _normal(size, generator=generator)))
    return Parts(*parts)


def _errors(generator: torch.Generator, sizes: Sizes, widths: Sequence[float]) -> Tensor:
    """Validation and test errors (widths, learners, 2) on one data set."""
    parts = synthetic_problem(sizes.points, generator=generator)
    return torch.stack([_errors_at(parts, width, sizes, generator) for width in widths])


def _errors_at(parts: Parts, width: float, sizes: Sizes, generator: torch.Generator) -> Tensor:
    """Plain and leverage-weighted features may choose among as many draws."""
    pool = Pool.of(parts, width * _normal(sizes.pool, 2, generator=generator), generator=generator)
    scales = sizes.score_regularisations
    candidates = (
        pool.plain(sizes.features, len(scales), generator=generator),
        pool.by_leverage(sizes.features, pool.scores(scales, sizes.points), generator=generator),
        [pool.everything()],
    )
    return torch.stack([pool.best(parts, some, loss=root_mean_square) for some in candidates])


def _normal(*shape: int, generator: torch.Generator) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, device=generator.device, generator=generator)
