"""Exponents beyond those that most decays have: powers of counts, and what falls faster than any power."""

import math

import numpy as np
import pytest

from harness.evidence.rates import Curve, fit_rate
from harness.kinds import rate
from harness.language.registry import claim, grid
from harness.run.api import check
from harness.verdict import Status

BEYOND = {  # the exponent that is claimed, what it is a claim of, the quantity, and the verdict
    "fourth powers are no cubes": (3.0, "most", lambda n: n**4, Status.REFUTED),
    "sixth powers are no fourth ones": (4.0, "most", lambda n: n**6, Status.REFUTED),
    "exponentials are no cubes": (3.0, "most", lambda n: 1.2**n, Status.UNDECIDED),
    "a fast decay is no slower": (-8.0, "least", lambda n: n**-10.0, Status.REFUTED),
    "fourth powers": (4.0, "exactly", lambda n: n**4, Status.HOLDS),
    "fifth powers grow at least as fourth ones": (4.0, "least", lambda n: n**5, Status.HOLDS),
    "a fast decay": (-9.0, "most", lambda n: n**-10.0, Status.HOLDS),
    "a very fast decay": (-40.0, "exactly", lambda n: n**-40.0, Status.HOLDS),
}


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("name", BEYOND)
def test_exponents_of_any_size_are_told_apart(name: str, *, drawn: bool) -> None:
    """Those that were tried ended at -8 and 3, and an end of them counted as the end of an interval."""
    exponent, at, quantity, status = BEYOND[name]

    def noisy(draw, *, n):
        """A quantity."""
        return quantity(float(n)) * (0.5 + draw.uniform("u"))

    def plain(*, n):
        """A quantity."""
        return quantity(float(n))

    body = claim(f"rates/beyond-{drawn}", rate("n", exponent, at=at), over=grid(n=[8, 16, 32, 64, 128]))(
        noisy if drawn else plain
    )
    assert check(body, effort="quick").status is status


def test_an_interval_has_no_end_where_those_that_are_tried_end() -> None:
    """Of a curve that no power describes every exponent may be the right one."""
    n = np.array([8.0, 16.0, 32.0, 64.0, 128.0])
    fit = fit_rate(Curve(n, 1.2**n, 1e-6 * 1.2**n, 0.0, 0.5), 0.99)
    assert fit.high == math.inf
