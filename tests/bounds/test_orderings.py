"""Orderings, limits and identities between bounds, over the whole ranges of their parameters: one table drives all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mutation.orderings import ORDERINGS, Ordering, Span

SHARE = st.one_of(st.just(0.0), st.floats(2.0**-40, 1.0))  # nearer to zero, products lose the digits compared


@pytest.mark.parametrize("ordering", ORDERINGS, ids=lambda ordering: f"{ordering.module[7:]}: {ordering.statement}")
def test_holds_over_the_whole_range(ordering: Ordering) -> None:
    """A constant, exponent or sign that breaks the relation anywhere fails here, with the parameters."""

    @settings(max_examples=40, deadline=None)
    @given(st.fixed_dictionaries(dict.fromkeys(ordering.over, SHARE)))
    def everywhere(shares: dict[str, float]) -> None:
        assert ordering.error(ordering.values(shares)) is None

    everywhere()


def test_statements_are_unique() -> None:
    """The report names an ordering by its statement."""
    statements = [(ordering.module, ordering.statement) for ordering in ORDERINGS]
    assert len(set(statements)) == len(statements)


def test_spans_reach_both_ends_and_round_inside() -> None:
    """A range that misses its ends would leave the extreme parameters untried."""
    assert [Span(2.0, 5.0).at(share) for share in (0.0, 0.5, 1.0)] == [2.0, 3.5, 5.0]
    assert [Span(1, 100, "log").at(share) for share in (0.0, 1.0)] == [1, pytest.approx(100, rel=1e-15)]
    assert Span(1, 100, "log").at(0.5) == pytest.approx(10, rel=1e-14)
    assert [Span(2, 10**6, "log", whole=True).at(share) for share in (0.0, 1.0)] == [2, 10**6]


def test_a_broken_relation_is_reported_with_its_values() -> None:
    """Both relations, and a side that raises or is no real number, count as broken."""
    over = {"x": Span(0.0, 2.0)}
    below = Ordering("bounds", "x is at most 1", "<=", over, lambda x: (x, 1.0))
    assert below.error({"x": 1.0}) is None
    assert "2.0 against 1.0" in str(below.broken(2))
    equal = Ordering("bounds", "x is 1", "=", over, lambda x: (x, 1.0))
    assert equal.error({"x": 1.0 + 1e-15}) is None
    assert "0.0 against 1.0" in str(equal.broken(1))
    raising = Ordering("bounds", "1 / x is finite", "<=", over, lambda x: (1 / x, 1e300))
    assert "raised ZeroDivisionError" in str(raising.broken(1))
    complex_valued = Ordering("bounds", "x is real", "<=", over, lambda x: (1j * x, 1.0))
    assert "raised TypeError" in str(complex_valued.broken(1))
    unbounded = Ordering("bounds", "x is a number", "=", over, lambda x: (float("nan"), x))
    assert unbounded.broken(1) is not None
