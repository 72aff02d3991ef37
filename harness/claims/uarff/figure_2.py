"""Figure 2 and Appendix F: plain against leverage-weighted features on data, ten repetitions.

Feature grids, pools, splits, lambda and solver settings are not in the paper, and no numbers. It says that the
intervals separate in favour of leverage weights; with everything tuned alike, at 2000 points (221 of diabetes) and
pools of 1000, we see no difference of that kind, as in the control of Table 10, and judge that leverage weights cost at
most a tenth of the error. Kernel width (among three), score and ridge regularisations are chosen on validation points
instead of by 5-fold cross validation; classes are predicted by the sign of a ridge fit to -1 and +1 instead of by a
support vector machine.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from harness import Draw, Row, claim, grid, reproduction
from harness.claims.placement import on_device
from harness.claims.uarff.feature_pool import Loss, Parts, Pool, mean_row, percent_wrong, root_mean_square
from harness.data import diabetes, digit_pair, required

WIDTHS = (0.5, 1.0, 2.0)
"""Of the Gaussian kernel, in units of sqrt(d), on features of mean 0 and variance 1."""

SCORES = (1e-6, 1e-4)


TRAINING = 2000
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
    "uarff/fig-2",
    DIRECTION,
    over=grid(data=["kin8nm", "cpu_act"]),
    cite="uarff, Figure 2: a control at reduced size",
    restricts="2000 points, pools of 1000; at most 10 % more error, where the paper says less",
)
def leverage_weighted_features_on_regression_data(draw: Draw, *, data: str):
    """On kin8nm and cpu_act leverage-weighted features err at most 10 % more than as many plain ones (paper: less)."""
    return comparison(draw, *required(data, "uarff/fig-2").tensors, train=TRAINING, loss=root_mean_square, counts=FEW)


@claim(
    "uarff/fig-2-significant",
    reproduction(sided="at least"),
    expected="undecided",
    over=grid(data=["kin8nm", "cpu_act"]),
    cite="uarff, Section 5 on Figure 2: the intervals separate",
    restricts="2000 points, pools of 1000; shown, not judged",
)
def intervals_of_leverage_and_plain_features(draw: Draw, *, data: str):
    """On kin8nm and cpu_act the interval of the leverage error is below that of the plain error: shown, not judged.

    Intervals of two standard errors over ten repetitions, in RMSE: lower end of plain less upper end of leverage, for
    each number of features. The paper says that they separate, at more points, larger pools and numbers of features
    that it does not state.
    """
    table = required(data, "uarff/fig-2-significant")
    errors = every_error(draw, *table.tensors, train=TRAINING, loss=root_mean_square, counts=FEW)
    means, spreads = errors.mean(0), 2 * errors.std(0) / math.sqrt(len(errors))
    apart = (means[:, 0] - spreads[:, 0]) - (means[:, 1] + spreads[:, 1])
    return [
        Row(f"{m} features: plain less leverage, between the ends", float(gap))
        for m, gap in zip(FEW.features, apart, strict=True)
    ]


@claim(
    "uarff/app-F",
    DIRECTION,
    cite="uarff, Appendix F, KINEMATICS: a control at reduced size",
    restricts="2000 points, a pool of 2000; at most 10 % more error",
)
def many_features_on_kinematics(draw: Draw):
    """On kin8nm 500 and 1000 leverage-weighted features err at most 10 % more than as many plain ones.

    The paper: with up to 1000 features both are comparable. Here from a pool of 2000, four repetitions.
    """
    return comparison(
        draw, *required("kin8nm", "uarff/app-F").tensors, train=TRAINING, loss=root_mean_square, counts=MANY
    )


@claim(
    "uarff/app-F-classes",
    DIRECTION,
    expected="undecided",
    cite="uarff, Appendix F, COD-RNA, at reduced size",
    restricts="2000 points, a pool of 2000, ridge regression; shown, not judged",
)
def many_features_on_cod_rna(draw: Draw):
    """Error on cod-rna from 500 and 1000 leverage-weighted and plain features, shown but not judged."""
    table = required("cod-rna", "uarff/app-F-classes")
    return comparison(draw, *table.tensors, train=TRAINING, loss=percent_wrong, counts=MANY, printed=None)


@claim(
    "uarff/fig-2-classes",
    DIRECTION,
    over=grid(data=["cod-rna", "covtype"]),
    cite="uarff, Figure 2 (classification): a control at reduced size",
    restricts="2000 points, pools of 1000, ridge regression; at most 10 % more error, where the paper says less",
)
def leverage_weighted_features_on_classes(draw: Draw, *, data: str):
    """On cod-rna and covtype leverage-weighted features err at most 10 % more than as many plain ones (paper: less).

    covtype: lodgepole pine against the six other types, as in LIBSVM's binary version.
    """
    table = required(data, "uarff/fig-2-classes")
    return comparison(draw, *table.tensors, train=TRAINING, loss=percent_wrong, counts=FEW)


@claim(
    "uarff/fig-2-mnist",
    DIRECTION,
    expected="undecided",
    cite="uarff, Figure 2 (classification), on digits",
    restricts="digits instead of COD-RNA and COVTYPE; shown, not judged",
)
def leverage_weighted_features_on_digits(draw: Draw):
    """Error on the digits 4 and 9 from leverage-weighted and from plain features, shown but not judged.

    Not a data set of the figure; ten repetitions leave three percent of uncertainty.
    """
    pictures = digit_pair(required("mnist", "uarff/fig-2-mnist"), 4, 9)
    return comparison(draw, *pictures, train=TRAINING, loss=percent_wrong, counts=FEW, printed=None)


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


def comparison(
    draw: Draw,
    points: Tensor,
    targets: Tensor,
    *,
    train: int,
    loss: Loss,
    counts: Counts,
    printed: float | None = 0.0,
) -> list[Row]:
    """Error saved by leverage weights over all counts (judged), and the two curves."""
    errors = every_error(draw, points, targets, train=train, loss=loss, counts=counts)
    unit = "error in %" if loss is percent_wrong else "RMSE"
    gain = 100 * (1 - errors[..., 1].mean(-1) / errors[..., 0].mean(-1))
    rows = [mean_row("error saved by leverage weights, in % of the plain error, mean over the counts", gain, printed)]
    for k, name in enumerate(("plain", "leverage")):
        rows += [mean_row(name, errors[:, c, k], at={"features": m}, unit=unit) for c, m in enumerate(counts.features)]
    return rows


def every_error(draw: Draw, points: Tensor, targets: Tensor, *, train: int, loss: Loss, counts: Counts) -> Tensor:
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


def _split(points: Tensor, targets: Tensor, order: Tensor, train: int) -> Parts:
    """Training rows, then half as many for validation, the rest for the test; scaled by the training rows."""
    cuts = (slice(0, train), slice(train, train + train // 2), slice(train + train // 2, train + train // 2 + 3000))
    rows = [order[cut] for cut in cuts]
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
