"""Programs in plain Python: helpers behind caches and decorators, classes, sums of lists, decision after decision."""

import functools
import itertools
import math
import statistics
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import always, check, claim, identity
from harness.certify.rounding.followed import Followed
from harness.certify.rounding.rewriting import HOOK
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check

T = TypeVar("T")
CLAIMS: dict[str, Claim] = {}
FALSE: dict[str, Claim] = {}
OPEN: dict[str, Claim] = {}


def each(function: Callable[[int], Any], x: Tensor) -> Tensor:
    return torch.tensor([float(function(int(v))) for v in x.tolist()], dtype=torch.float64)


def holds(statement: Callable[[], Any], table: dict[str, Claim] = CLAIMS) -> Callable[[], Any]:
    """Enter `statement() is True` in a table."""
    table[statement.__name__] = claim(f"plain/{statement.__name__}", identity())(stated(statement))
    return statement


def stated(statement: Callable[[], Any]) -> Callable[[], Any]:
    def body():
        """A statement without inputs."""
        return statement(), True

    return body


def digits(of: Callable[[int], int], name: str, table: dict[str, Claim] = CLAIMS, more: int = 0) -> None:
    """Enter "n has so many digits" for n up to 2000, of which log(1000, 10) is wrong in floats."""

    @claim(f"plain/{name}", identity())
    def body(forall):
        """The number of digits of n."""
        n = forall.integers("n", 1, 2000)
        return each(of, n), each(lambda m: len(str(m)) + more, n)

    table[name] = body


@functools.cache
def cached(n: int) -> int:
    return int(math.log(n, 10)) + 1


@functools.cache
def descended(n: int) -> int:
    """Through itself, to a number of digits."""
    return int(math.log(n, 10)) + 1 if n % 7 else descended(n - 1) if n > 1000 else cached(n)


def told(function: Callable[[int], int]) -> Callable[[int], int]:
    @functools.wraps(function)
    def inner(n: int) -> int:
        return function(n)

    return inner


@told
def decorated(n: int) -> int:
    return int(math.log(n, 10)) + 1


def log(n: int) -> int:
    """Of a name that numpy has as well."""
    return int(math.log(n, 10)) + 1


class Base:
    def __init__(self, n: int) -> None:
        self.n = n

    def log(self) -> float:
        return math.log(self.n, 10)


class Number(Base):
    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.kept: dict[str, int] = {}

    @property
    def digits(self) -> int:
        return int(self.log()) + 1

    @functools.cached_property
    def kept_digits(self) -> int:
        return int(super().log()) + 1

    @functools.lru_cache  # noqa: B019
    def remembered(self) -> int:
        return int(self.log()) + 1

    @classmethod
    def of(cls, n: int) -> "Number":
        return cls(n)

    @staticmethod
    def count(n: int) -> int:
        return int(math.log(n, 10)) + 1

    def __len__(self) -> int:
        return self.digits

    def __add__(self, other: int) -> int:
        return int(math.log(self.n, 10)) + other

    def __getitem__(self, index: int) -> int:
        return int(math.log(self.n, 10)) + index

    def __iter__(self) -> Iterator[int]:
        return iter(range(int(math.log(self.n, 10)) + 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)


class Strict:
    """Compares itself with its own kind alone, and is called."""

    def __init__(self, base: int) -> None:
        self.base = base

    def __eq__(self, other: object) -> bool:
        return self.base == other.base  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, n: int) -> int:
        return int(math.log(n, self.base)) + 1


MADE_BEFORE = Strict(10)

digits(cached, "cached")
digits(lambda n: Strict(10)(n), "called")  # noqa: PLW0108
digits(lambda n: MADE_BEFORE(n) * 1, "called-of-the-file")
digits(descended, "descended")
digits(decorated, "decorated")
digits(log, "of-a-known-name")
digits(lambda n: Number(n).digits, "property")
digits(lambda n: Number(n).kept_digits, "cached-property")
digits(lambda n: Number(n).remembered(), "cached-method")
digits(lambda n: Number.of(n).digits, "class-method")
digits(lambda n: Number.count(n) * 1, "static-method")
digits(lambda n: len(Number(n)), "length")
digits(lambda n: Number(n) + 1, "operator")
digits(lambda n: Number(n)[1], "item")
digits(lambda n: sum(1 for _ in Number(n)), "iterator")
digits(lambda n: len({Number(n), Number(n)}) * Number(n).digits, "hash")
digits(cached, "cached-false", FALSE, more=1)
digits(lambda n: len(Number(n)), "length-false", FALSE, more=1)


@holds
def weights() -> bool:
    return all(sum([1 / n] * n) == 1 for n in (6, 10, 49))


@holds
def law() -> bool:
    return sum([0.7, 0.2, 0.1]) == 1 and sum((0.1, 0.1, 0.1)) <= 0.3


@holds
def equal_numbers_do_not_vary() -> bool:
    x = [0.1] * 10
    mean = sum(x) / len(x)
    return sum((v - mean) ** 2 for v in x) == 0


@holds
def means() -> bool:
    return statistics.fmean([0.1] * 10) == 0.1 and statistics.fmean([0.1, 0.2, 0.3]) == 0.2


@holds
def two_ties() -> bool:
    return 0.1 + 0.2 == 0.3 and 0.1 + 0.7 == 0.8


@holds
def many_ties() -> bool:
    return all(k * 0.1 == k / 10 for k in range(1, 10))


@holds
def early_return() -> bool:
    def found() -> bool:
        for k in range(1, 21):
            root = math.sqrt(k)
            if root**2 != k:
                return False
        return True

    return found()


@claim("plain/metric", identity())
def metric(forall):
    """Distances of points k/10 on a line satisfy every triangle inequality."""

    def is_metric(points: list[float]) -> bool:
        x = [p / 10 for p in points]
        return all(abs(p - r) <= abs(p - q) + abs(q - r) for p, q, r in itertools.product(x, repeat=3))

    found = [float(is_metric(points)) for points in forall.integers("x", 0, 30, 4).tolist()]
    return torch.tensor(found, dtype=torch.float64), 1


CLAIMS["metric"] = metric


@claim("plain/metric-false", identity())
def strict(forall):
    """They satisfy all of them strictly, by a tenth."""

    def is_metric(points: list[float]) -> bool:
        x = [p / 10 for p in points]
        return all(abs(p - r) <= abs(p - q) + abs(q - r) - 0.1 for p, q, r in itertools.product(x, repeat=3))

    found = [float(is_metric(points)) for points in forall.integers("x", 0, 30, 4).tolist()]
    return torch.tensor(found, dtype=torch.float64), 1


FALSE["metric"] = strict


@holds
def products_underflow() -> bool:
    return math.prod([0.1] * 400) > 0 and 0.1**400 > 0


@claim("plain/sum-false", always())
def sums_to_less(forall):
    """n numbers 1/n sum to at most .999."""
    return each(lambda n: sum([1 / n] * n), forall.integers("n", 1, 60)), 0.999


FALSE["sum"] = sums_to_less


def not_three_tenths() -> bool:
    return 0.1 + 0.2 != 0.3


def more_than_three_tenths() -> bool:
    return 0.1 + 0.2 > 0.3


def twenty_eight() -> bool:
    return int(0.29 * 100) == 28


def two_products() -> bool:
    return len({0.1 * 3, 0.3}) == 2


for lucky in (not_three_tenths, more_than_three_tenths, twenty_eight, two_products):
    holds(lucky, OPEN)


@holds
def ten_tenths() -> bool:
    """By luck, and in truth."""
    return 0.1 * 10 == 1 and 0.2 * 5 == 1


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_true_is_not_refuted(name: str) -> None:
    assert bare_check(CLAIMS[name]).status is Status.HOLDS


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted(name: str) -> None:
    assert bare_check(FALSE[name]).status is Status.REFUTED


@pytest.mark.parametrize("name", OPEN)
def test_what_floats_make_true_alone_is_open(name: str) -> None:
    found = bare_check(OPEN[name])
    assert found.status is Status.UNDECIDED
    assert "are equal, or are rounded otherwise" in found.reason


def test_classes_that_keep_what_is_derived_from_them_are_left_alone() -> None:
    """A second class of theirs would stand in the list."""

    class Kept:
        known: list[type] = []  # noqa: RUF012

        def __init_subclass__(cls) -> None:
            cls.known.append(cls)

        def tenth(self) -> float:
            return 0.1

    class Derived(Kept, Generic[T]):
        pass

    followed = Followed({HOOK: lambda value: value})
    assert followed(Derived) is Derived
    assert Kept.known == [Derived]


def test_generic_and_abstract_classes_are_followed() -> None:
    class Half(ABC, Generic[T]):
        @property
        def value(self) -> float:
            return 0.5

        @abstractmethod
        def other(self) -> T: ...

    class Whole(Half[int]):
        def other(self) -> int:
            return 1

    followed = Followed({HOOK: lambda value: 2.0 * value if isinstance(value, float) else value})
    twin = followed(Whole)
    assert twin is not Whole
    assert twin().value == 1.0
    assert isinstance(twin(), Whole)
    assert Whole().value == 0.5


def test_what_is_no_class_of_the_user_s_stays() -> None:
    followed = Followed({})
    for kind in (int, list, Fraction, torch.nn.Linear, np.ndarray, Status, NamedTuple, Plain):
        assert followed(kind) is kind
    assert followed(math.sin) is math.sin


@dataclass(frozen=True)
class Plain:
    """Its methods have no source."""

    number: float


def one_form(x: float) -> float:
    for _ in range(60):
        x = 4 * x * (1 - x)
    return x


def other_form(x: float) -> float:
    for _ in range(60):
        x = 1 - (1 - 2 * x) ** 2
    return x


@claim("plain/chaos", identity())
def chaos():
    """Two forms of the logistic map agree after sixty steps: nothing of that is left in floats, and balls prove it."""
    return one_form(0.3), other_form(0.3)


@claim("plain/chaos-false", identity())
def another_chaos():
    """They differ by one."""
    return one_form(0.3), other_form(0.3) + 1


def test_of_nothing_but_rounding_nothing_is_said() -> None:
    """It held, with a relative error of .64: the only instance there is speaks neither for it nor against it."""
    assert check(chaos, effort="quick").status is Status.PROVED
    assert bare_check(another_chaos).status is Status.UNDECIDED
