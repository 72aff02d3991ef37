"""Every ordering between bounds, over the whole range of its parameters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bounds.orderings import ORDERINGS, Ordering, Span, equal, ordered

SHARE = st.one_of(st.just(0.0), st.floats(2.0**-40, 1.0))  # nearer to zero, products lose the digits compared


@pytest.mark.parametrize("ordering", ORDERINGS, ids=str)
def test_holds_over_the_whole_range(ordering: Ordering) -> None:
    """A constant, exponent or sign that breaks the relation anywhere fails here, with the parameters."""

    @settings(max_examples=40, deadline=None)
    @given(st.fixed_dictionaries(dict.fromkeys(ordering.over, SHARE)))
    def everywhere(shares: dict[str, float]) -> None:
        assert ordering.error(ordering.values(shares)) is None

    everywhere()


def test_spans_reach_both_ends_and_round_inside() -> None:
    """A range that misses its ends would leave the extreme parameters untried."""
    assert [Span(2.0, 5.0).at(share) for share in (0.0, 0.5, 1.0)] == [2.0, 3.5, 5.0]
    assert [Span(1, 100, "log").at(share) for share in (0.0, 1.0)] == [1, pytest.approx(100, rel=1e-15)]
    assert Span(1, 100, "log").at(0.5) == pytest.approx(10, rel=1e-14)
    assert [Span(2, 10**6, "log", whole=True).at(share) for share in (0.0, 1.0)] == [2, 10**6]


@pytest.mark.parametrize(
    ("relation", "side", "said"),
    [
        (ordered, lambda x: x, "2.0 against 1.0"),
        (equal, lambda x: x, "0.0 against 1.0"),
        (ordered, lambda x: 1 / x, "raised ZeroDivisionError"),
        (ordered, lambda x: 1j * x, "raised TypeError"),
        (equal, lambda x: x * float("nan"), "nan against 1.0"),
    ],
)
def test_a_broken_relation_is_reported_with_its_values(relation, side, said) -> None:
    """Both relations, and a side that raises or is no real number, count as broken; rounding does not."""

    @relation(x=Span(0.0, 2.0))
    def x_and_one(x):
        return side(x), 1.0

    assert said in str(x_and_one.broken(2))
    assert equal()(lambda: (1.0 + 1e-15, 1.0)).broken(2) is None
