"""Statements of Python mean in balls what they mean in Python, or are refused; a slip of the balls is noticed."""

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

from harness import always, check, claim
from harness.certify.formulas import calls
from harness.language.registry import Claim
from tests.harness.certificate import python_bodies

BODIES = [each for each in vars(python_bodies).values() if isinstance(each, FunctionType)]
REFUSED = {
    *("a_formatted_number", "a_formatted_number_of_two_digits", "a_division_by_zero", "a_root_of_less_than_zero"),
    *("a_logarithm_of_zero", "an_exponential_that_overflows", "a_whole_division_by_zero", "a_type", "a_sorted_copy"),
    *("a_quotient_rounded_down", "a_match_of_a_tuple", "a_match_of_a_type"),
}


def _stated(name: str, body: Callable[..., Any]) -> Claim:
    body.__doc__ = "The left side is at most the right one."
    return claim(f"python/{name.replace('_', '-')}", always())(body)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_both_sides_are_what_python_makes_of_them(body: Callable[[], Any]) -> None:
    def less() -> Any:
        lhs, rhs = body()
        return lhs, rhs - 0.1

    lhs, rhs = body()
    assert float(lhs) == pytest.approx(float(rhs), abs=1e-8)
    true, false = _stated(f"{body.__name__}/true", body), _stated(f"{body.__name__}/false", less)
    assert check(true, effort="quick").status == ("HOLDS" if body.__name__ in REFUSED else "PROVED")
    assert check(false, effort="quick").status == "REFUTED"


def test_balls_that_end_elsewhere_than_floats_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they would if they took a function for another one."""
    monkeypatch.setitem(calls.TABLE, math.sqrt, calls.TABLE[math.exp])

    def true() -> Any:
        return math.sqrt(4.5), 2.2

    def false() -> Any:
        return 10.0, math.sqrt(4.5)

    assert check(_stated("slip/true", true), effort="quick").status == "HOLDS"
    assert check(_stated("slip/false", false), effort="quick").status == "REFUTED"


def test_a_limit_that_is_wrong_in_floats_is_told_from_a_slip() -> None:
    """Muller's recurrence tends to 6 and, in floats, to 100."""

    def wrong() -> Any:
        before, now = 4.0, 4.25
        for _ in range(40):
            before, now = now, 108.0 - (815.0 - 1500.0 / before) / now
        return 50.0, now

    assert check(_stated("muller", wrong), effort="quick").status == "REFUTED"
