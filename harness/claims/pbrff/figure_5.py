"""Figure 5 at the paper's size: all rows, N = 20,000, D to 5000 and the printed grids; fixed before its first run.

Print says that Figure 5 has "the remaining 4 data sets (not reported by Figure 3)", not which. That they are breast
and the three pairs of MNIST is our assumption: Figure 3 is then left with ads, adult and farm. The paper reports one
split; how many are judged here follows from deviations from split to split that were fixed beforehand. On breast an
error more is .7 % of the test points, and the gain at D = 100 deviates by 1.5 % in `pbrff/fig-5`. Of the digits the
test parts have 3298 points or more: a deviation of .2 % at D = 5000 is what 1.3 % of them leave that only one of two
machines gets right. 64 draws of plain frequencies and 32 of learned ones leave the gain at D <= 3, which is 18 % in
`pbrff/fig-5-mnist`, no more than 1.5 %. As two splits do not tell how much splits deviate, the standard errors of
digits are those that these deviations leave, taken for known; where the splits deviate more, the row is judged by what
they tell, which with two is nothing.
"""

import math

from torch import Tensor

from harness import Draw, Estimate, Row, claim, grid, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.pbrff.figures import (
    FULL,
    PAIRS,
    SLIGHT,
    Study,
    advantage,
    errors_by_features,
    feature_curves,
    few_features,
    gains_of,
)
from harness.claims.pbrff.printed_tables import SIZES
from harness.claims.pbrff.samples import row, whole_tasks
from harness.claims.rows import repetitions_needed
from harness.data import required

ERROR, POWER = 1e-6, 0.95
ORDERS = 32
"""Random orders of the rows of breast, each with so many splits as are needed."""
BREAST = 1.5
"""In % of points, as what follows: how much the gain on breast deviates from split to split."""
FEW, MANY = 1.5, 0.2
"""The same of digits, at D <= 3 and at D = 5000."""
HALF = 9.0
"""Half of the gain at D <= 3 in `pbrff/fig-5-mnist`."""
FOLDS = math.ceil(repetitions_needed(SLIGHT, BREAST, error=ERROR, power=POWER) / ORDERS)
SPLITS = max(
    repetitions_needed(margin, deviation, error=ERROR, power=POWER)
    for margin, deviation in ((SLIGHT, MANY), (HALF, FEW))
)
LARGEST = max(FULL.draws)
DIGITS = Study(FULL.grids, FULL.pool, {**FULL.draws, 1: (64, 32), 3: (64, 32)})


@claim(
    "pbrff/fig-5-full",
    reproduction(sided="at least"),
    over=grid(name=["breast", "mnist17", "mnist49", "mnist56"]),
    cite="pbrff, Figure 5, and Sections 5.3 and 6.2",
    quote="Both kernel learning methods have better accuracy than the classical RFF algorithm for a small number of "
    "random features, and similar ones for a large number of random features.",
    sizes=f"all rows, the pool, D and the grids of the paper; {FOLDS * ORDERS} random splits of breast and {SPLITS} of "
    "each pair of digits, where print has one; which four data sets print does not say",
)
def learned_features_at_full_size(draw: Draw, *, name: str):
    """With few features learned kernels err less than plain ones, with many about as much; PBRFF is like OKRFF.

    Gain = test error of plain random features - that of learned ones. Judged: at D = 1 and 3 it is positive, and either
    learned kernel has at least half the gain of the other; at D = 5000 it is smaller than at D = 1, and within 1 % of
    points of 0. On breast PBRFF is at most slightly better, by 1 % in the mean over D. Whose the slight advantage is,
    which print says of Figure 3, is shown. Runs where the environment variable TIGHTROPE_FULL is 1.
    """
    require_full_size("pbrff/fig-5-full", takes="about an hour of one core with all images of MNIST")
    required("mnist", "pbrff/fig-5-full")  # all four data sets, or none
    breast = name == "breast"
    splits, folds, study = (ORDERS, FOLDS, FULL) if breast else (SPLITS, 1, DIGITS)
    tasks = whole_tasks(draw, name, "pbrff/fig-5-full", splits=splits, folds=folds, of_rows=sum(SIZES[name]))
    errors = errors_by_features(tasks, draw, study, folds=folds)
    few, many = (0.0, 0.0) if breast else (each / math.sqrt(SPLITS) for each in (FEW, MANY))
    return rows_of(errors, few=few, many=many, slight=-SLIGHT if breast else None)


def rows_of(errors: dict[int, Tensor], *, few: float, many: float, slight: float | None) -> list[Row]:
    """The judged rows, with known standard errors `few` at D <= 3 and `many` at D = 5000 where not zero; the curves."""
    gains = gains_of(errors)
    small, rows = few_features(gains), []

    def judged(label: str, values: Tensor, known: float, bound: float) -> None:
        found = Estimate.mean(values)
        mean = Estimate(found.value, known) if found.error <= known else found
        rows.append(Row(f"{label}, in % of points", mean, printed=bound))

    for name, gain in gains.items():
        judged(f"{name}: gain, mean over D = 1 and 3", small[name], few, 0.0)
        judged(f"{name}: gain at D = 1 less gain at D = {LARGEST}", gain[1] - gain[LARGEST], few, 0.0)
        judged(f"{name}: gain at D = {LARGEST}", gain[LARGEST], many, -SLIGHT)
        judged(f"{name}: loss at D = {LARGEST}", -gain[LARGEST], many, -SLIGHT)
    for name, other in PAIRS:
        judged(f"{name}: gain less half of that of {other}", small[name] - small[other] / 2, few, 0.0)
    rows += [row(f"{name}: gain", values, at={"D": D}) for name, gain in gains.items() for D, values in gain.items()]
    return [*rows, row("advantage of OKRFF, mean over D", advantage(errors), slight), *feature_curves(errors)]
