"""Table 10 at its sizes: 50,000 points, 1000 and 50,000 plain features, 1000 of a pool of 10,000 by leverage.

The problem is that of `table_10`, and what the paper leaves out is chosen as there, but for the width of the spectral
measure of the kernel: 1.5, of the widths there the one at which 1000 plain features come near their printed error, .13
+- .06. (At 1 they have .5, and the frequencies of the target are out of reach of 10,000 plain ones.) What is judged is
what the text says of the other two errors, .04 +- .01 for leverage and .04 +- .02 for 50,000 plain features.
"""

import math

import torch
from torch import Tensor

from algos.ridge.leverage_sampling import leverage_sampling_weights, sample_by_leverage
from harness import Draw, Row, claim, reproduction
from harness.claims.full_size import full_size
from harness.claims.placement import generators
from harness.claims.uarff.feature_pool import Parts, mean_row, root_mean_square
from harness.claims.uarff.gaussian_modes import GaussianModes, ModalSample
from harness.claims.uarff.table_10 import PRINTED, Sizes, synthetic_problem

PLAIN = 50_000
WIDTH = 1.5
"""Standard deviation of the frequencies; the modes of the target's are (+-2, +-2)."""

DEGREE = 48
"""Of the modes: features of mean square 1 are known up to .003, root mean square; with 58 errors change by .001."""

REGULARISATIONS = (1e-8, 1e-7, 1e-6, 1e-5)

HALF_WIDTHS = 0.01 + 0.02
"""Of the printed intervals .04 +- .01 and .04 +- .02 together."""

IN_PRINT = (
    "1000 plain, printed .13 +- .06",
    "1000 by leverage, printed .04 +- .01",
    "50,000 plain, printed .04 +- .02",
)


@claim(
    "uarff/tab-10-sizes",
    reproduction(sided="at least"),
    cite="uarff, Table 10 and Section 5, the text on it",
    quote="learning with 1,000 leverage weighted RFFs is as effective as learning with a complete pool of 50,000 plain "
    "RFFs",
    sizes="all sizes of print; four draws of data and features, 32 where TIGHTROPE_FULL is 1; the width of the kernel "
    "is ours, as the paper names none",
    restricts="the width of the kernel, 1.5, was chosen among four after looking: the sentence fails at 1",
    unnoticed="the .03 are the half-widths of two printed intervals; the errors of 1000 and of 50,000 differ by .01",
)
def leverage_weighted_features_are_as_effective_as_fifty_times_as_many(draw: Draw):
    """1000 leverage-weighted features err less than 1000 plain ones, and no more than 50,000 up to the intervals.

    The errors differ by at most .03, the half-widths of the two printed intervals together. Errors are against the
    function itself; regularisations are chosen on 1500 more points. From draw to draw the second difference deviates by
    .02, so that of single ones a fifth exceed the .03: few draws leave it open.
    """
    return size_rows(
        draw, PRINTED, plain=PLAIN, degree=DEGREE, sets=draw.reps if full_size() else max(2, draw.reps // 8)
    )


def size_rows(draw: Draw, sizes: Sizes, *, plain: int, degree: int, sets: int) -> list[Row]:
    """Both comparisons (judged) and the errors, from several draws of the problem and of the features."""
    errors = []
    for generator in generators(draw, "seed")[:sets]:
        parts = synthetic_problem(sizes.points, generator=generator)
        errors.append(modal_errors(parts, sizes, plain=plain, degree=degree, generator=generator))
    few, leverage, every = torch.stack(errors).unbind(-1)
    rows = [
        mean_row(f"plain - leverage, {sizes.features} features each", few - leverage, 0.0),
        mean_row(f"{plain} plain features - {sizes.features} leverage", every - leverage, -HALF_WIDTHS),
    ]
    return rows + [mean_row(f"RMSE, {name}", some) for name, some in zip(IN_PRINT, (few, leverage, every), strict=True)]


def modal_errors(parts: Parts, sizes: Sizes, *, plain: int, degree: int, generator: torch.Generator) -> Tensor:
    """Test errors (3,) of few plain features, as many leverage-weighted ones of a pool, and all plain features.

    The pool is the first part of all plain features, and the few the first part of the pool.
    """
    modes = GaussianModes(width=WIDTH, input_scale=math.sqrt(5), degree=degree)
    sample = ModalSample.of(modes, *parts.train)
    features = random_features(plain, generator=generator)
    pool = features[: sizes.pool]
    inner = sample.operator(pool)
    weighted = []
    for regularisation in sizes.score_regularisations:
        scores = sample.scores(pool, inner, regularisation)
        chosen = sample_by_leverage(scores, sizes.features, generator=generator)
        weighted.append(sample.operator(pool[chosen], leverage_sampling_weights(scores)[chosen]))
    rest = plain - sizes.pool
    every = (inner * sizes.pool + sample.operator(features[sizes.pool :]) * rest) / plain if rest else inner
    candidates = ([sample.operator(pool[: sizes.features])], weighted, [every])
    tested = [(modes.of_points(x), y) for x, y in (parts.validation, parts.test)]
    return torch.stack([_best(sample, some, tested) for some in candidates])


def random_features(count: int, *, generator: torch.Generator) -> Tensor:
    """Frequencies and phases (count, 3)."""
    device = generator.device
    frequencies = torch.randn(count, 2, dtype=torch.float64, device=device, generator=generator)
    phases = torch.rand(count, 1, dtype=torch.float64, device=device, generator=generator)
    return torch.cat([WIDTH * frequencies, 2 * math.pi * phases], -1)


def _best(sample: ModalSample, operators: list[Tensor], tested: list[tuple[Tensor, Tensor]]) -> Tensor:
    """Test error of the operator and lambda that validate best."""
    found = [
        torch.stack([root_mean_square(psi @ fitted, y) for psi, y in tested])
        for operator in operators
        for fitted in sample.fits(operator, REGULARISATIONS)
    ]
    losses = torch.stack(found)
    return losses[losses[:, 0].argmin(), 1]
