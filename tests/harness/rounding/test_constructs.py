"""Everyday constructs of Python: rounding in them is seen, be their objects made in the body or at the top of the file.

Each computes (x + h)^2 - x^2 - 2 h x, which is h^2 = 1e-16 and anything in floats.
"""

import cmath
import contextlib
import functools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, singledispatch, singledispatchmethod
from typing import Any, NamedTuple

import numpy as np
import pytest

from harness import always, claim, identity
from harness.certify.rounding.followed import Followed
from harness.certify.rounding.rewriting import HOOK
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check

X, H = 1.3, 1e-8


def gap(x: float, h: float = H) -> float:
    return (x + h) ** 2 - x**2 - 2 * h * x


class Gap:
    def __init__(self, x: float) -> None:
        self.x = x

    def method(self) -> float:
        return (self.x + 1e-8) ** 2 - self.x**2 - 2e-8 * self.x

    @property
    def read(self) -> float:
        return (self.x + 1e-8) ** 2 - self.x**2 - 2e-8 * self.x

    @cached_property
    def kept(self) -> float:
        return (self.x + 1e-8) ** 2 - self.x**2 - 2e-8 * self.x

    @singledispatchmethod
    def by_type(self, h: Any) -> float:
        raise TypeError(h)

    @by_type.register
    def _(self, h: float) -> float:
        return (self.x + h) ** 2 - self.x**2 - 2 * h * self.x

    def __float__(self) -> float:
        return self.method()

    def __abs__(self) -> float:
        return self.method()

    def __getitem__(self, h: float) -> float:
        return (self.x + h) ** 2 - self.x**2 - 2 * h * self.x

    def __add__(self, other: Any) -> float:
        return self.method() + float(other)

    def __iter__(self) -> Iterator[float]:
        yield self.method()

    def __eq__(self, other: object) -> bool:
        return self.x == other.x  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]


class Below(Gap):
    @property
    def read(self) -> float:
        return super().read


class Point(NamedTuple):
    x: float

    def method(self) -> float:
        return (self.x + 1e-8) ** 2 - self.x**2 - 2e-8 * self.x

    @property
    def read(self) -> float:
        return (self.x + 1e-8) ** 2 - self.x**2 - 2e-8 * self.x


class Points(list[float]):
    def method(self) -> float:
        return sum((x + 1e-8) ** 2 - x**2 - 2e-8 * x for x in self)


class Named(dict[str, float]):
    def method(self) -> float:
        return sum((x + 1e-8) ** 2 - x**2 - 2e-8 * x for x in self.values())


@dataclass(frozen=True, slots=True)
class Slotted:
    x: float

    def method(self) -> float:
        return (self.x + 1e-8) ** 2 - self.x**2 - 2e-8 * self.x


@singledispatch
def of_type(x: Any) -> float:
    raise TypeError(x)


@of_type.register
def _(x: float) -> float:
    return (x + 1e-8) ** 2 - x**2 - 2e-8 * x


@contextlib.contextmanager
def opened(x: float) -> Iterator[float]:
    yield (x + 1e-8) ** 2 - x**2 - 2e-8 * x


class Logged(contextlib.ContextDecorator):
    def __enter__(self) -> "Logged":
        return self

    def __exit__(self, *_: object) -> bool:
        return False


@Logged()
def logged(x: float) -> float:
    return (x + 1e-8) ** 2 - x**2 - 2e-8 * x


def in_a_match() -> float:
    match 1.3:
        case float(x):
            return (x + 1e-8) ** 2 - x**2 - 2e-8 * x
    raise AssertionError


def in_a_context() -> float:
    with opened(1.3) as value:
        return value


def complex_number() -> float:
    z = complex(1.3, 0.0)
    return ((z + 1e-8) ** 2 - z**2 - 2e-8 * z).real


def complex_array() -> float:
    z = np.array([1.3 + 0j])
    return float(((z + 1e-8) ** 2 - z**2 - 2e-8 * z).real[0])


BEFORE, BELOW, POINT, LISTED = Gap(1.3), Below(1.3), Point(1.3), [Gap(1.3)]
POINTS, NAMED, SLOTTED = Points([1.3]), Named(a=1.3), Slotted(1.3)

WRITTEN: dict[str, Callable[[], float]] = {
    "method": lambda: BEFORE.method(),  # noqa: PLW0108
    "property": lambda: BEFORE.read,
    "property, made in the body": lambda: Gap(1.3).read,
    "cached property": lambda: BEFORE.kept,
    "property of a base": lambda: BELOW.read,
    "property of a base, made in the body": lambda: Below(1.3).read,
    "float": lambda: float(BEFORE),
    "abs": lambda: abs(BEFORE),
    "item": lambda: BEFORE[1e-8],
    "operator": lambda: BEFORE + 0,
    "iteration": lambda: sum(BEFORE),
    "objects in a list": lambda: sum(each.read for each in LISTED),
    "methods handed on": lambda: sum(map(Gap.method, LISTED)),
    "functions handed on": lambda: functools.reduce(lambda total, x: total + gap(x), [1.3], 0.0),
    "methodcaller": lambda: sum(map(operator.methodcaller("method"), LISTED)),
    "method by type": lambda: Gap(1.3).by_type(1e-8),
    "function by type": lambda: of_type(1.3),
    "named tuple": lambda: POINT.method(),  # noqa: PLW0108
    "property of a named tuple": lambda: Point(1.3).read,
    "list": lambda: POINTS.method(),  # noqa: PLW0108
    "dictionary": lambda: NAMED.method(),  # noqa: PLW0108
    "slots": lambda: SLOTTED.method(),  # noqa: PLW0108
    "match": in_a_match,
    "context manager": in_a_context,
    "context decorator": lambda: logged(1.3),
    "complex number": complex_number,
    "complex array": complex_array,
}


def stated(name: str, least: float) -> Claim:
    statement = WRITTEN[name]

    @claim(f"constructs/{name.replace(' ', '-').replace(',', '')}-{least:g}", always())
    def body():
        """The gap is at least so much."""
        return least, statement()

    return body


@pytest.mark.in_turn
@pytest.mark.parametrize("name", WRITTEN)
def test_rounding_in_it_refutes_nothing(name: str) -> None:
    """Each was refuted: "rounding does not affect the violation"."""
    assert bare_check(stated(name, 1e-16)).status is not Status.REFUTED


@pytest.mark.in_turn
@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_false_beyond_it_is_refuted(name: str) -> None:
    assert bare_check(stated(name, 1e-9)).status is Status.REFUTED


@claim("constructs/exp", identity())
def exponential():
    """2 (1 - Re exp(i h)) = h^2 up to h^4 / 12: exp(i h) has the real part 1 in floats."""
    return 2 * (1 - cmath.exp(1e-8j).real), 1e-16


@claim("constructs/quotient", identity())
def quotient():
    """(25! + 1) / 25! - 1 = 1 / 25!."""
    number = math.factorial(25)
    return (number + 1) / number - 1, 1 / number


@pytest.mark.parametrize("true", [exponential, quotient], ids=lambda each: each.id)
def test_saturated_parts_and_quotients_refute_nothing(true: Claim) -> None:
    assert bare_check(true).status is not Status.REFUTED


def test_what_stands_for_an_object_begins_as_it_is_and_changes_alone() -> None:
    """Its properties are computed anew, and what it keeps does not reach the object."""
    BEFORE.kept  # noqa: B018
    followed = Followed({HOOK: lambda value: value})
    for plain in (BEFORE, POINT, POINTS, NAMED, SLOTTED):
        other = followed.named(plain)
        assert other is not plain
        assert followed.named(plain) is other
        assert isinstance(other, type(plain))
    assert "kept" not in vars(followed.named(BEFORE))
    assert followed.named(BEFORE).x == BEFORE.x
    assert tuple(followed.named(POINT)) == (1.3,)
    assert dict(followed.named(NAMED)) == {"a": 1.3}
    assert list(followed.named(POINTS)) == [1.3]
    assert followed.named(SLOTTED).x == 1.3
    followed.named(BEFORE).x = 2.0
    assert BEFORE.x == 1.3
