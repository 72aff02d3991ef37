"""Equations (7) and (10) of lkrf and two steps of its appendix: verdicts, and both sides at instances known by hand."""

import math

import pytest

from harness.claims.lkrf import ranges
from harness.language.registry import Claim
from tests.helpers import expected_verdict
from tests.ledger.nsrf import sides

CLAIMS = [item for item in vars(ranges).values() if isinstance(item, Claim)]


@pytest.mark.parametrize("item", CLAIMS, ids=lambda item: item.key)
def test_verdicts(item: Claim) -> None:
    assert expected_verdict(item, family=1).as_expected


def test_a_box_of_another_size_scales_the_functions() -> None:
    """Four features in a box of size 1/2: twice what a box of size 1/4 allows."""
    values = {"phi(x)": [1.0, -1.0, 0.5, 0.5], "C": 1.0}
    assert sides(ranges.box_of_coefficients_as_printed, {"D": 4, "N": 2}, **values) == pytest.approx((1.5, 0.75))


def test_zero_violates_the_bound_on_squares_for_negative_numbers() -> None:
    values = {"c": [0.0], "2_lambda": -3.0}
    assert sides(ranges.squares_of_sub_gaussian_variables_as_printed, {"m": 1}, **values) == (1.0, 0.5)


def test_the_chord_meets_the_logarithm_at_its_ends() -> None:
    for t in (0.0, 0.5):
        left, right = sides(ranges.logarithm_as_printed, {}, t=t)
        assert left == pytest.approx(right, rel=1e-15)
    left, right = sides(ranges.logarithm_as_printed, {}, t=-0.1)
    assert (left, right) == pytest.approx((10 - math.log(1.1), 10 - 0.1 * math.log(4)))


def test_the_three_numbers_meet_where_the_cases_do() -> None:
    """D/n = 8, p = 3: all three are 2 at t = 2; at t = 1 they are sqrt 8, 8 and 1, at t = 4 sqrt 2, 1/2 and 4."""
    for t, least in ((2.0, 2.0), (1.0, 1.0), (4.0, 0.5)):
        assert sides(ranges.smallest_at_each_t, {"p": 3}, t=t, **{"D/n": 8.0}) == pytest.approx((least, least))
