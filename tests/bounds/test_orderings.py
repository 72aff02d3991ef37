"""Every ordering between bounds, over the whole range of its parameters."""

import itertools
import random
from collections.abc import Iterator

import pytest

from tests.bounds.orderings import ORDERINGS, Ordering, Span, equal, ordered

LEAST = 2.0**-40  # nearer to zero, products lose the digits compared
SPECIAL = (0.0, LEAST, 0.5, 1.0 - 2.0**-53, 1.0)
CORNERS, TRIED = 32, 100


def share(rng: random.Random, others: tuple[float, ...]) -> float:
    """In [0, 1]: an end or the middle, that of another parameter, near an end, or anywhere."""
    sort = rng.randrange(6)
    if sort == 0 or (sort == 1 and not others):
        return rng.choice(SPECIAL)
    if sort == 1:
        return rng.choice(others)
    near = LEAST ** rng.random()
    return (near, max(LEAST, 1.0 - near), *(rng.uniform(LEAST, 1.0) for _ in "ab"))[sort - 2]


def tried(ordering: Ordering, rng: random.Random) -> Iterator[dict[str, float]]:
    """Ends of all ranges together, and others with every run."""
    names = tuple(ordering.over)
    for corner in itertools.islice(itertools.product((0.0, 1.0), repeat=len(names)), CORNERS):
        yield dict(zip(names, corner, strict=True))
    for _ in range(TRIED):
        shares: tuple[float, ...] = ()
        for _ in names:
            shares = (*shares, share(rng, shares))
        yield dict(zip(names, shares, strict=True))


@pytest.mark.parametrize("ordering", ORDERINGS, ids=str)
def test_holds_over_the_whole_range(ordering: Ordering) -> None:
    """A constant, exponent or sign that breaks the relation anywhere fails here, with the parameters."""
    for shares in tried(ordering, random.Random()):
        assert ordering.error(ordering.values(shares)) is None


def test_what_is_tried_reaches_the_ends_and_comes_near_them() -> None:
    """A parameter that is never at an end, near one or equal to another would hide what breaks there."""
    both = ordered(x=Span(0.0, 1.0), y=Span(0.0, 1.0))(lambda x, y: (x, y))
    found = [(shares["x"], shares["y"]) for _ in range(20) for shares in tried(both, random.Random(0))]
    assert {(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)} <= set(found)
    assert all(x == 0.0 or LEAST <= x <= 1.0 for x, _ in found)
    assert any(0.0 < x < 1e-9 for x, _ in found)
    assert any(1e-9 > 1.0 - x > 0.0 for x, _ in found)
    assert any(x == y not in SPECIAL for x, y in found)
    assert any(0.1 < x < 0.4 and 0.6 < y < 0.9 for x, y in found)


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
