"""What a program has computed and kept was rounded as usual: rounded copies of it compute it again."""

import ast
import functools
import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
import torch

from harness import claim, identity
from harness.certify.caches import fresh_cells, fresh_defaults, fresh_globals
from harness.certify.recompiled import recompiled
from harness.certify.rounding.statements import rounded_differently
from harness.language.quantifiers import Forall, from_values
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check

ARGUMENTS = ast.parse("def plain(x, y=3, *, z='z'): ...").body[0].args  # type: ignore[attr-defined]
MEMO: dict[int, int] = {}
LATER = defaultdict(list)
TABLE: dict[int, int] = {}
for _power in range(3):
    TABLE[_power] = 10**_power
LIMITS = [1, 2]


class NothingChanged(ast.NodeTransformer):
    """Every statement as it is."""


def digits(n: int) -> int:
    return int(math.log(n, 10)) + 1


def of_module(n: int) -> int:
    if n not in MEMO:
        MEMO[n] = digits(n)
    return MEMO[n]


def of_lists(n: int) -> int:
    if not LATER[n]:
        LATER[n].append(digits(n))
    return LATER[n][0] + 0 * TABLE[0] + 0 * LIMITS[0]


def of_default(n: int, memo: dict[int, int] = {}, *, also: list[int] = []) -> int:  # noqa: B006
    if n not in memo:
        memo[n] = digits(n)
    return memo[n] + len(also)


def kept(function: Callable[[int], int]) -> Callable[[int], int]:
    found: dict[int, int] = {}
    names = ["unused"]

    @functools.wraps(function)
    def inner(n: int) -> int:
        if n not in found:
            found[n] = function(n)
        return found[n] + 0 * len(names)

    return inner


of_closure = kept(digits)


def number_of_digits(name: str, of: Callable[[int], int], more: int = 0) -> Claim:
    @claim(f"caches/{name}-{more}", identity())
    def body(forall: Any) -> Any:
        """The number of digits of n: log(1000, 10) is below 3 in floats."""
        n = forall.integers("n", 1, 2000)
        values = [int(each) for each in n.tolist()]
        found = [torch.tensor([float(f(v)) for v in values]).double() for f in (of, lambda v: len(str(v)) + more)]
        return tuple(found)

    return body


class Counter:
    """Keeps what all of its instances have found."""

    known: dict[int, int] = {}  # noqa: RUF012

    def __init__(self, n: int) -> None:
        self.n = n

    def digits(self) -> int:
        if self.n not in self.known:
            self.known[self.n] = digits(self.n)
        return self.known[self.n]


CACHED: dict[str, Callable[[int], int]] = {"class": lambda n: Counter(n).digits()}
CACHED |= {"module": of_module, "lists": of_lists, "default": of_default, "closure": of_closure}


@pytest.mark.parametrize("name", CACHED)
def test_what_is_kept_hides_no_rounding(name: str) -> None:
    """It was refuted: whoever had asked first had filled the cache."""
    assert bare_check(number_of_digits(name, CACHED[name])).status is Status.HOLDS


def test_what_is_false_is_refuted_behind_a_cache() -> None:
    assert bare_check(number_of_digits("module", of_module, more=1)).status is Status.REFUTED


def test_only_what_begins_empty_and_is_filled_by_functions_is_a_cache() -> None:
    """A table that the file fills stays."""
    of_module(5)
    fresh = fresh_globals(of_lists)
    assert "MEMO" in fresh
    assert "LATER" in fresh
    assert not {"TABLE", "LIMITS"} & set(fresh)
    assert fresh["MEMO"] == {}
    assert MEMO
    assert fresh["LATER"].default_factory is list


def test_closures_and_defaults() -> None:
    of_closure(5)
    of_default(5)
    cells = dict(zip(of_closure.__code__.co_freevars, fresh_cells(of_closure), strict=True))  # type: ignore[attr-defined,arg-type]
    assert cells["found"] == {}
    assert cells["names"] == ["unused"]
    assert cells["function"] is digits
    made = recompiled(of_default, NothingChanged, {})
    assert made is not None
    assert made.__defaults__ == ({},)
    assert made.__kwdefaults__ == {"also": []}
    assert made.__defaults__[0] is not of_default.__defaults__[0]  # type: ignore[index]


def test_functions_without_defaults() -> None:
    def plain(x: int, y: int = 3, *, z: str = "z") -> Any:
        return x, y, z

    made = recompiled(plain, NothingChanged, {})
    assert made is not None
    assert made(1) == (1, 3, "z")
    assert fresh_defaults(plain, ARGUMENTS) == ((3,), {"z": "z"})


STEPS: list[int] = []


def step(n: int) -> int:
    STEPS.append(n)
    return n


WALKS = {"step": step}


@claim("caches/counted", identity())
def counted(forall: Any) -> Any:
    """A function that is found in a table notes its steps where the body counts them."""
    x = forall.interval("x", 0.0, 1.0)

    def steps(value: float) -> int:
        STEPS.clear()
        for _ in range(3):
            WALKS["step"](round(10 * value))
        return len(STEPS) + (0.1 + value - 0.1 != value)

    return torch.tensor([float(steps(each)) for each in x.detach().tolist()]).double(), 3.0


def test_functions_that_are_compiled_together_share_their_caches() -> None:
    """Each had one of its own, so that the body counted no steps in its copies, and held for that."""
    moved = rounded_differently(counted.body, 0)
    assert moved is not None
    lhs, _ = moved(Forall(from_values({"x": torch.tensor([0.25, 0.5], dtype=torch.float64)})))
    assert float(lhs.min()) >= 3.0


READ: list[int] = [0]


@functools.cache
def data() -> list[float]:
    READ[0] += 1
    return [0.1, 0.2]


@claim("caches/data", identity())
def of_data(forall: Any) -> Any:
    """x + .1 + .2 - .1 - .2 = x."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([v + sum(data()) - data()[0] - data()[1] for v in x.detach().tolist()]).double(), x


def test_what_depends_on_nothing_is_read_once() -> None:
    """A file would be read again in each of a hundred copies."""
    data.cache_clear()
    READ[0] = 0
    assert bare_check(of_data).status is Status.HOLDS
    assert READ == [1]
