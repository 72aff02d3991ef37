"""Figure 2 and Appendix F: plain against leverage-weighted features on classes and on bundled data, ten repetitions.

Feature grids, pools, splits, lambda and solver settings are not in the paper, and no numbers. It says that the
intervals separate in favour of leverage weights; with everything tuned alike, at 2000 points (221 of diabetes) and
pools of 1000, we see no difference of that kind, and judge that leverage weights cost at most a tenth of the error.
Kernel width (among three), score and ridge regularisations are chosen on validation points instead of by 5-fold cross
validation; classes are predicted by the sign of a ridge fit to -1 and +1 instead of by a support vector machine.
`figure_2_regression` has the regression data of the paper, whole.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import full_size
from harness.claims.placement import on_device
from harness.claims.uarff.feature_pool import Loss, Parts, Pool, mean_row, percent_wrong, root_mean_square
from harness.data import diabetes, digit_pair, required

WIDTHS = (0.5, 1.0, 2.0)
"""Of the Gaussian kernel, in units of sqrt(d), on features of mean 0 and variance 1."""

SCORES = (1e-6, 1e-4)


TRAINING, TESTED = 2000, 3000
"""Points, of the data sets that have as many."""


@dataclass(frozen=True)
class Counts:
    """Numbers of features, the pool they are drawn from, and the repetitions."""

    features: tuple[int, ...]
    pool: int
    repetitions: int


FEW = Counts((20, 50, 100), pool=1000, repetitions=10)
MANY = Counts((500, 1000), pool=2000, repetitions=4)

DIRECTION = reproduction(tolerance=10.0, sided="at least")
"""Leverage weights may cost a tenth of the error."""


@claim(
    "uarff/app-F-classes",
    reproduction(tolerance=10.0),
    cite="uarff, Appendix F, COD-RNA",
    restricts="2000 points, half of all where TIGHTROPE_FULL is 1, four repetitions; ridge regression; within 10 %",
)
def many_features_on_cod_rna(draw: Draw):
    """On cod-rna 500 and 1000 leverage-weighted features have errors within 10 % of those of as many plain ones.

    The paper: with up to 1000 features both are comparable.
    """
    table = required("cod-rna", "uarff/app-F-classes")
    return comparison(draw, *table.tensors, train=_training(), loss=percent_wrong, counts=MANY)


@claim(
    "uarff/fig-2-classes",
    DIRECTION,
    over=grid(data=["cod-rna", "covtype"]),
    cite="uarff, Figure 2 (classification): a control",
    restricts="2000 points, half of all where TIGHTROPE_FULL is 1; ridge regression; at most 10 % more error, where "
    "the paper says less",
)
def leverage_weighted_features_on_classes(draw: Draw, *, data: str):
    """On cod-rna and covtype leverage-weighted features err at most 10 % more than as many plain ones (paper: less).

    covtype: lodgepole pine against the six other types, as in LIBSVM's binary version.
    """
    table = required(data, "uarff/fig-2-classes")
    return comparison(draw, *table.tensors, train=_training(), loss=percent_wrong, counts=FEW)


@claim(
    "uarff/fig-2-mnist",
    reproduction(sided="at least"),
    expected="undecided",
    cite="uarff, Figure 2 (classification), on digits",
    restricts="digits instead of COD-RNA and COVTYPE; 2000 points, pools of 1000, ridge regression",
)
def leverage_weighted_features_on_digits(draw: Draw):
    """On the digits 4 and 9 leverage-weighted features err less than as many plain ones, significantly.

    Not a data set of the figure. Ten repetitions leave three per cent of uncertainty and decide it neither way.
    """
    pictures = digit_pair(required("mnist", "uarff/fig-2-mnist"), 4, 9)
    return comparison(draw, *pictures, train=TRAINING, loss=percent_wrong, counts=FEW)


@claim(
    "uarff/fig-2-bundled",
    DIRECTION,
    cite="uarff, Figure 2: a control on data that scikit-learn bundles",
    restricts="diabetes, not a data set of the paper; at most 10 % more error, where the paper says less",
    unnoticed="the paper says that there is a gain; ours is -.7 %, within the tolerance of 10 % with either sign",
)
def leverage_weighted_features_on_bundled_data(draw: Draw):
    """On diabetes leverage-weighted features err at most 10 % more than as many plain ones (paper, elsewhere: less)."""
    return comparison(draw, *diabetes(), train=221, loss=root_mean_square, counts=FEW)


def _training() -> int | None:
    """Points to train on; None stands for half of all points, and all the others to validate and to test."""
    return None if full_size() else TRAINING


def comparison(
    draw: Draw,
    points: Tensor,
    targets: Tensor,
    *,
    train: int | None,
    loss: Loss,
    counts: Counts,
) -> list[Row]:
    """Error saved by leverage weights over all counts (judged), and the two curves."""
    errors = every_error(draw, points, targets, train=train, loss=loss, counts=counts)
    unit = "error in %" if loss is percent_wrong else "RMSE"
    gain = 100 * (1 - errors[..., 1].mean(-1) / errors[..., 0].mean(-1))
    rows = [mean_row("error saved by leverage weights, in % of the plain error, mean over the counts", gain, 0.0)]
    for k, name in enumerate(("plain", "leverage")):
        rows += [mean_row(name, errors[:, c, k], at={"features": m}, unit=unit) for c, m in enumerate(counts.features)]
    return rows


def every_error(
    draw: Draw, points: Tensor, targets: Tensor, *, train: int | None, loss: Loss, counts: Counts
) -> Tensor:
    """Test errors (repetitions, counts, 2) of plain and of leverage-weighted features."""
    orders = draw.uniform("order of the rows", len(targets)).argsort(-1)[: counts.repetitions]
    seeds = draw.uniform("seed", 1, high=2.0**31).flatten()[: counts.repetitions]
    points, targets = on_device(draw, (points, targets))
    return torch.stack(
        [
            _errors(_split(points, targets, order, train), int(seed), loss, counts)
            for order, seed in zip(orders, seeds, strict=True)
        ]
    )


def _split(points: Tensor, targets: Tensor, order: Tensor, train: int | None) -> Parts:
    """Training rows, then half as many for validation, the rest for the test; scaled by the training rows."""
    first = train or len(order) // 2
    seen = first + first // 2
    rows = [order[:first], order[first:seen], order[seen:] if train is None else order[seen : seen + TESTED]]
    mean, spread = points[rows[0]].mean(0), points[rows[0]].std(0)
    scaled = (points - mean) / torch.where(spread > 0, spread, 1.0)
    classes = bool((targets.abs() == 1).all())
    level = 0.0 if classes else targets[rows[0]].mean()
    return Parts(*((scaled[some], targets[some] - level) for some in rows))


def _errors(parts: Parts, seed: int, loss: Loss, counts: Counts) -> Tensor:
    """Test errors (counts, 2), every learner with the width that validates best."""
    n, dimension = parts.train[0].shape
    device = parts.train[0].device
    generator = torch.Generator(device).manual_seed(seed)
    found = []
    for width in WIDTHS:
        frequencies = torch.randn(counts.pool, dimension, dtype=torch.float64, device=device, generator=generator)
        pool = Pool.of(parts, frequencies / (width * math.sqrt(dimension)), generator=generator)
        scores = pool.scores(SCORES, n)
        for m in counts.features:
            found.append(pool.best(parts, pool.plain(m, len(SCORES), generator=generator), loss=loss))
            found.append(pool.best(parts, pool.by_leverage(m, scores, generator=generator), loss=loss))
    losses = torch.stack(found).reshape(len(WIDTHS), len(counts.features), 2, 2)  # the last axis: validation, test
    chosen = losses[..., 0].argmin(0, keepdim=True)
    return losses[..., 1].gather(0, chosen)[0]
