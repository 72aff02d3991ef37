"""Cells without inputs: what a statement changes in place, what a cache keeps, and what a module remembers."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from harness import always, check, claim
from harness.certify.formulas.decision import decided
from harness.language.registry import Claim

COUNT = 0
LOG: list[float] = []


def _visit(tree: Any, seen: list[int]) -> None:
    seen += [tree[0]]
    for child in tree[1:]:
        _visit(child, seen)


def _a_list_in_a_recursion() -> Any:
    seen: list[int] = []
    _visit((1, (2, (3,))), seen)
    return 6, sum(seen)


def _another_name() -> Any:
    a = [1.5]
    b = a
    a += [2.5]
    return 4.0, sum(b)


def _an_argument() -> Any:
    def grow(v: list[float]) -> None:
        v += [2.5]

    a = [1.5]
    grow(a)
    return 4.0, sum(a)


def _an_entry() -> Any:
    a = [1.5]
    d = {"k": a}
    d["k"] += [2.5]
    return 4.0, sum(a)


def _a_list_times_a_number() -> Any:
    a = [1.5]
    b = a
    a *= 3
    return 4.5, sum(b)


def _a_dictionary() -> Any:
    s = {1: 1.5}
    t = s
    s |= {2: 2.5}
    return 4.0, sum(t.values())


def _a_default() -> Any:
    def f(x: float, kept: list[float] = []) -> float:  # noqa: B006
        kept += [x]
        return sum(kept)

    f(1.5)
    return 4.0, f(2.5)


def _an_index_that_is_drawn() -> Any:
    rng = np.random.default_rng(3)
    counts = [0.0] * 6
    for _ in range(100):
        counts[int(rng.integers(6))] += 1.0
    return 100.0, sum(counts)


def _an_index_that_moves() -> Any:
    places, counts = iter(range(4)), [0.5, 10.5, 0.5, 100.5]
    counts[next(places)] += 1.0
    counts[next(places)] += 1.0
    return 13.0, counts[0] + counts[1]


def _numbers_have_no_other_name() -> Any:
    x = -0.5
    y = x
    x += 1.0
    x *= 3.0
    return 1.0, y + x


def _an_array_of_whole_numbers() -> Any:
    a = np.arange(3)
    b = a
    a += 1
    return 6.0, float(b.sum())


def _a_tensor() -> Any:
    a = torch.tensor(1.5, dtype=torch.float64)
    b = a
    a += 1.0
    return 2.5, b


def _calls_of_a_cache() -> Any:
    calls: list[int] = []

    @functools.lru_cache
    def f(n: int) -> int:
        calls.append(n)
        return n if n < 2 else f(n - 1) + f(n - 2)

    return 66.5, f(10) + len(calls) + 0.5


@functools.lru_cache(maxsize=1)
def _doubled(x: float) -> float:
    LOG.append(x)
    return 2.0 * x


def _calls_of_a_small_cache() -> Any:
    LOG.clear()
    _doubled.cache_clear()
    for x in (0.5, 0.5, 1, 1.0, 0.5):  # 1 and 1., which are one key beside other arguments, are two alone
        _doubled(x)
    return 4.0, len(LOG) + 0.0 * _doubled(0.5)


def _one_object_of_a_cache() -> Any:
    @functools.cache
    def make(k: int) -> list[float]:
        return [float(k)]

    make(1).append(5.5)
    return 6.5, sum(make(1))


@dataclass
class _Box:
    n: float

    @functools.cached_property
    def parts(self) -> list[float]:
        return [self.n]


def _a_cached_property() -> Any:
    box = _Box(1.5)
    box.parts.append(2.5)
    return 4.0, sum(box.parts)


def _tick() -> None:
    global COUNT  # noqa: PLW0603
    COUNT += 1


def _a_variable_of_the_module() -> Any:
    global COUNT  # noqa: PLW0603
    COUNT = 0
    _tick()
    _tick()
    return 2.5, COUNT + 0.5


CHANGES: list[Callable[[], Any]] = [
    *(_a_list_in_a_recursion, _another_name, _an_argument, _an_entry, _a_list_times_a_number, _a_dictionary),
    *(_a_default, _an_index_that_is_drawn, _an_index_that_moves, _numbers_have_no_other_name),
    *(_an_array_of_whole_numbers, _a_tensor, _calls_of_a_cache, _calls_of_a_small_cache, _one_object_of_a_cache),
    *(_a_cached_property, _a_variable_of_the_module),
]
REFUSED = [_an_index_that_moves, _an_array_of_whole_numbers, _a_tensor, _a_variable_of_the_module]


def _stated(name: str, body: Callable[[], Any]) -> Claim:
    body.__doc__ = "The left side is at most the right one."
    return claim(f"place/{name}", always())(body)


@pytest.mark.parametrize("body", CHANGES, ids=lambda body: body.__name__.strip("_"))
def test_both_sides_are_what_python_makes_of_them(body: Callable[[], Any]) -> None:
    """Both sides are equal: true as it stands, false when the right one is less."""

    def less() -> Any:
        lhs, rhs = body()
        return lhs, rhs - 0.25

    name = body.__name__.strip("_").replace("_", "-")
    true, false = _stated(f"{name}/true", body), _stated(f"{name}/false", less)
    assert check(true).status == ("HOLDS" if body in REFUSED else "PROVED")
    assert check(false).status == "REFUTED"


def test_balls_take_the_whole_numbers_of_an_array_for_what_they_are() -> None:
    def body() -> Any:
        a = np.arange(3)
        b = a
        a += 1
        return 6, int(b[0] + b[1] + b[2])

    assert decided(_stated("array", body), {}, (1.0,))[0] == 1.0


def test_a_cache_that_tells_types_apart_is_refused() -> None:
    def body() -> Any:
        @functools.lru_cache(typed=True)
        def f(x: float) -> list[float]:
            return [x]

        f(1).append(0.5)
        return 1.0, sum(f(1.0))

    assert check(_stated("typed", body)).status == "HOLDS"
