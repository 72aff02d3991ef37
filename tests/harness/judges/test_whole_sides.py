"""Whole numbers differ by one at least: the usual relative tolerance does not count among them."""

import pytest
import torch

from harness import always, check, claim, grid, identity
from harness.language.evaluation import Sides
from harness.language.registry import Claim
from harness.search.objective import COUNTED, excess
from harness.verdict import Status
from tests.helpers import bare_check


def numbers_of_fibonacci(n: int) -> list[int]:
    found = [0, 1]
    while len(found) < n + 2:
        found.append(found[-1] + found[-2])
    return found


@claim("whole/square", identity())
def square(forall):
    """n^2 = (n - 1)(n + 1) for 10^5 <= n <= 10^6."""
    n = forall.integers("n", 10**5, 10**6)
    return n**2, (n - 1) * (n + 1)


@claim("whole/fermat", identity())
def fermat():
    """1782^12 + 1841^12 = 1922^12."""
    return 1782**12 + 1841**12, 1922**12


@claim("whole/cassini", always(), over=grid(n=[30, 200]))
def cassini(*, n):
    """F_n^2 <= F_{n-1} F_{n+1} - 2 for even n: floats do not tell the sides apart from n = 40 on."""
    f = numbers_of_fibonacci(n)
    return f[n] ** 2, f[n - 1] * f[n + 1] - 2


FALSE = [square, fermat, cassini]


@pytest.mark.parametrize("false", FALSE, ids=lambda each: each.id)
def test_whole_numbers_that_differ_by_one_are_different(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


@claim("whole/true", identity())
def true(forall):
    """n^2 - 1 = (n - 1)(n + 1)."""
    n = forall.integers("n", 10**5, 10**6)
    return n**2 - 1, (n - 1) * (n + 1)


@claim("whole/true-fibonacci", identity(), over=grid(n=[30, 200]))
def true_cassini(*, n):
    """F_n^2 = F_{n-1} F_{n+1} - 1 for even n."""
    f = numbers_of_fibonacci(n)
    return f[n] ** 2, f[n - 1] * f[n + 1] + (-1) ** (n + 1)


@pytest.mark.parametrize("each", [true, true_cassini], ids=lambda each: each.id)
def test_equal_whole_numbers_are_proved_equal(each: Claim) -> None:
    assert check(each, effort="quick").status is Status.PROVED


@claim("whole/stated", identity(rtol=1e-3))
def stated(forall):
    """n^2 = (n - 1)(n + 1) to a thousandth, as it says."""
    n = forall.integers("n", 10**5, 10**6)
    return n**2, (n - 1) * (n + 1)


def test_a_tolerance_that_is_stated_counts() -> None:
    assert bare_check(stated).status is Status.HOLDS


@claim("whole/real", identity())
def real(forall):
    """x^2 = (x - 1)(x + 1) for real x from 10^5 on: within the tolerance, and no proof of what is exactly false."""
    x = forall.interval("x", 1e5, 1e6)
    return x**2, (x - 1) * (x + 1)


def test_nothing_is_proved_by_the_tolerance_where_nothing_was_rounded() -> None:
    assert check(real, effort="quick").status in (Status.HOLDS, Status.REFUTED)


def test_beyond_what_libraries_count_exactly_the_tolerance_stays() -> None:
    kind = square.kind
    one = torch.tensor([2.0 * COUNTED, 0.5 * COUNTED, 0.5 * COUNTED + 0.5], dtype=torch.float64)
    over = excess(Sides(one + 1.0, one), kind)
    assert (over > 0.0).tolist() == [False, True, False]
