"""What is lost beside a large number, or below the smallest one, is short and not exact: powers of two hide it best."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import always, claim, grid, identity, tail
from harness.certify.rounding.decimals import difference, moved_if_rounded, settled
from harness.certify.rounding.whole import is_cut, perhaps_another, quotient_is_rounded, root_is_rounded
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check

TRUE: dict[str, Claim] = {}


def each(function: Callable[[int], Any], x: Tensor) -> Tensor:
    return torch.tensor([float(function(int(v))) for v in x.tolist()], dtype=torch.float64)


def never(name: str, happens: Callable[[Tensor], Any], most: int) -> None:
    """Enter that something happens for no whole number up to `most`."""

    @claim(f"absorption/{name}", always())
    def body(forall):
        """It never happens."""
        return torch.as_tensor(happens(forall.integers("n", 1, most)), dtype=torch.float64), 0

    TRUE[name] = body


def true_without_inputs(name: str, statement: Callable[[], bool]) -> None:
    @claim(f"absorption/{name}", identity())
    def body():
        """It is so."""
        return statement(), True

    TRUE[name] = body


def of_each(function: Callable[[int], Any]) -> Callable[[Tensor], Tensor]:
    return lambda n: each(function, n)


never("one-less-a-power", lambda n: 1 - 0.5**n >= 1, 80)
never("sum-in-place", lambda n: torch.ones(len(n)).double().add_(-(0.5**n)) >= 1, 80)
never("floor", lambda n: torch.floor(1 - 0.5**n), 80)
never("numpy", lambda n: (1 - 0.5 ** n.numpy() >= 1).astype(float), 80)
never("underflow", lambda n: torch.exp(-(n**2)) <= 0, 80)
never("square", of_each(lambda k: math.sqrt(4**k + 1).is_integer()), 40)
never("next-square", of_each(lambda n: math.sqrt(n * n + 1) == int(math.sqrt(n * n + 1))), 2**30)
never("half", of_each(lambda k: ((2**k + 1) / 2).is_integer()), 60)
never("equal", of_each(lambda k: float(2**k + 1) == float(2**k)), 60)
never("series", of_each(lambda n: sum(0.5**k for k in range(1, n + 1)) >= 1), 80)
never("fractions", of_each(lambda n: float(sum(Fraction(1, 2**k) for k in range(1, n + 1))) >= 1), 80)
never("six", of_each(lambda n: 6.0**-n == 0), 600)
never("exp", of_each(lambda n: math.exp(-10 * n) == 0), 100)
never("long-square", lambda n: torch.sqrt((4 ** n.long() + 1).double()) % 1 == 0, 30)
never("long-numpy-square", lambda n: np.sqrt(4 ** n.numpy().astype(np.int64) + 1) % 1 == 0, 30)
never("bits", lambda n: np.floor(np.log2(2.0 ** n.numpy() - 1)) >= n.numpy(), 60)
true_without_inputs("decimal-third", lambda: Decimal(1) / 3 * 3 == 1)
true_without_inputs("decimal-roots", lambda: all(math.floor(Decimal(m).sqrt() ** 2) == m for m in range(50)))
true_without_inputs("tenths", lambda: all(Fraction(k * 0.1) == Fraction(k, 10) for k in range(1, 48)))


true_without_inputs("decimal", lambda: float(Decimal(1) + Decimal("1e-20")) - 1 > 0)
true_without_inputs("array", lambda: bool(np.array([10**17 + 1], dtype=float)[0] > np.array([10**17], dtype=float)[0]))
true_without_inputs("long-quotient", lambda: bool((np.array([10**17 + 1]) / np.array([10**17]))[0] > 1))
true_without_inputs("long-tensor", lambda: bool(torch.tensor([10**17 + 1]).double() > torch.tensor([10**17]).double()))


@claim("absorption/drawn", tail(), over=grid(n=[4]))
def drawn(draw, *, n):
    """P(1 - 2^(-20 B) >= 1) <= 1 % for B heads of n: it never happens."""
    return 1 - 0.5 ** (20 * draw.bernoulli("b", 0.5, n).sum(-1)) >= 1, 0.01


TRUE["drawn"] = drawn


@claim("absorption/parity", always())
def parity(forall):
    """round(phi^n / sqrt 5) is as even as the n-th number of Fibonacci: a float beyond 2^54 is always even."""

    def odd(m: int) -> int:
        a, b = 0, 1
        for _ in range(m):
            a, b = b, a + b
        return (round(((1 + 5**0.5) / 2) ** m / 5**0.5) - a) % 2

    return each(odd, forall.integers("n", 1, 90)), 0


TRUE["parity"] = parity


@pytest.mark.in_turn
@pytest.mark.parametrize("name", TRUE)
def test_what_floats_lose_refutes_nothing(name: str) -> None:
    assert bare_check(TRUE[name]).status in (Status.HOLDS, Status.UNDECIDED)


@claim("absorption/false", always())
def false(forall):
    """1 - 2^-n <= .9."""
    return 1 - 0.5 ** forall.integers("n", 1, 80), 0.9


@claim("absorption/false-decimal", always())
def false_decimal(forall):
    """n thirds of 1/n are at least 1/3 + 1e-20, in decimals."""
    n = forall.integers("n", 1, 80)
    return each(lambda m: Decimal(1) / m * m / 3 < Decimal(1) / 3 + Decimal("1e-20"), n), 0


@pytest.mark.parametrize("each", [false, false_decimal], ids=lambda each: each.id)
def test_what_is_false_besides_is_refuted(each: Claim) -> None:
    assert bare_check(each).status is Status.REFUTED


def test_the_first_numbers_that_are_no_floats() -> None:
    assert not is_cut(2**53)
    assert is_cut(2**53 + 1)
    assert not is_cut(2**53 + 2)
    assert is_cut(-(2**60) - 1)
    assert is_cut(10**400)
    assert is_cut(Fraction(1, 3))
    assert not is_cut(Fraction(3, 4))
    assert not is_cut(0.1)


def test_quotients_and_roots_that_are_rounded() -> None:
    assert not quotient_is_rounded(6, 4, 6 / 4)
    assert quotient_is_rounded(1, 3, 1 / 3)
    assert quotient_is_rounded(2**60 + 1, 2, (2**60 + 1) / 2)
    assert not root_is_rounded(2.25, 1.5)
    assert root_is_rounded(2.0, math.sqrt(2.0))
    assert root_is_rounded(4**30 + 1, math.sqrt(4**30 + 1))
    squares = np.array([4**30, 4**30 + 1, 9])
    assert root_is_rounded(squares, np.sqrt(squares)).tolist() == [False, True, False]


def test_whole_numbers_of_floats_beyond_2_53_are_moved() -> None:
    large = 3.0**40
    assert {perhaps_another(lambda share=share: share, large, int(large)) - int(large) for share in (-1, 0, 1)} == {
        -int(math.ulp(large)),
        0,
        int(math.ulp(large)),
    }
    assert perhaps_another(lambda: 1.0, 3.7, 3) == 3


def test_decimals_are_moved_where_they_are_rounded() -> None:
    third = Decimal(1) / 3
    assert moved_if_rounded(lambda: 1.0, lambda: Decimal(1) / 4) == Decimal("0.25")
    moved = moved_if_rounded(lambda: 1.0, lambda: Decimal(1) / 3)
    assert moved - third == Decimal(1).scaleb(-28)
    assert settled(third * 3) == 1
    assert settled(third) == third
    assert settled(Decimal("inf")) == Decimal("inf")


def test_differences_of_decimals_fractions_and_floats() -> None:
    assert difference(Decimal("0.5"), 0.25) == 0.25
    assert difference(Fraction(1, 3), Decimal(1)) == pytest.approx(-2.0 / 3.0)
    assert difference(Fraction(1, 3), "text") is None
    assert difference(Decimal("nan"), 1) is None


def test_lists_arrays_and_decimals_that_are_no_floats() -> None:
    assert is_cut([1, 10**17 + 1])
    assert not is_cut([1, 10**17])
    assert is_cut(np.array([10**17 + 1]))
    assert not is_cut(np.array([10**17]))
    assert not is_cut(np.array([0.1]))
    assert is_cut(Decimal("0.1"))
    assert not is_cut(Decimal("0.5"))
    assert not is_cut("text")
