"""Orderings between the bounds of `bounds.complexity.margin`."""

import math

from bounds.complexity.margin import margin_excess_risk
from tests.bounds.orderings import COUNT, DELTA, POSITIVE, equal


@equal(rtol=1e-10, margin=POSITIVE, n=COUNT, delta=DELTA)
def without_complexity_three_deviations_of_hoeffding_are_left(margin, n, delta):
    """Without complexity: three times Hoeffding's deviation at delta / 2."""
    return 2 * math.exp(-2 * n * (margin_excess_risk(0.0, margin, n, delta=delta) / 3) ** 2), delta


@equal(complexity=POSITIVE, margin=POSITIVE, n=COUNT, delta=DELTA)
def twice_the_complexity_in_units_of_the_margin_comes_on_top(complexity, margin, n, delta):
    yield margin_excess_risk(complexity, margin, n, delta=delta)
    yield margin_excess_risk(0.0, margin, n, delta=delta) + 2 * complexity / margin
