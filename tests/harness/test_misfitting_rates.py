"""Rates whose curve the stated model does not describe: every point counts, other lower-order terms may explain it."""

from collections.abc import Callable

import numpy as np
import pytest

from harness.evidence.rates import Curve, RateFit, fit_late, fit_rate
from harness.kinds import rate
from harness.language.registry import claim, grid
from harness.run.api import check
from harness.verdict import Status


@pytest.mark.parametrize("fit", [fit_rate, fit_late])
def test_a_curve_that_no_model_describes_is_not_fitted_to_its_best_known_points_alone(
    fit: Callable[..., RateFit],
) -> None:
    """(log n log log n)^-4: local exponents from -.5 to -.15, with one absolute error, least relative where n is small.

    The first points alone say -.49.
    """
    n = 10.0 ** np.arange(4, 17, 2)
    mean = (np.log(n) * np.log(np.log(n))) ** -4.1
    even = fit(Curve(n, mean, 1e-6 * mean, 0.0, 0.5), 0.99)
    uneven = fit(Curve(n, mean, np.full(len(n), 1e-6 * mean[0]), 0.0, 0.5), 0.99)
    assert uneven.misfit > 1000.0
    assert uneven.exponent == pytest.approx(even.exponent, abs=0.01)
    assert uneven.low > -0.45
    assert uneven.low == pytest.approx(even.low, abs=0.02)


@pytest.mark.parametrize(("exponent", "lower"), [(-0.5, lambda n: 5 * n**0.25), (-1.0, lambda n: 3 * n**0.8)])
def test_a_lower_order_term_of_another_power_than_the_stated_one_is_no_slower_rate(
    exponent: float, lower: Callable[[int], float]
) -> None:
    """E u / (sqrt n + 5 n^(1/4)) is below n^-1/2 / 2 for every n, though local exponents begin at -.38."""

    @claim("rates/lower", rate("n", exponent), over=grid(n=[8, 32, 128, 512, 2048]))
    def quotient(draw, *, n):
        """A uniform number over n^b and a term of lower order."""
        return draw.uniform("u") / (n**-exponent + lower(n))

    assert check(quotient).status is Status.UNDECIDED
