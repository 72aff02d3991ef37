"""Whole numbers differ by one at least: the usual relative tolerance does not count among them."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from harness import always, check, claim, grid, identity, rate, up_to_constant
from harness.errors import ClaimError
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


@claim("whole/numpy", identity())
def of_numpy():
    """1^3 + ... + N^3 = (N (N + 1) / 2)^2 + 1 for N = 3000, by numpy's whole numbers."""
    return (np.arange(1, 3001) ** 3).sum(), (3000 * 3001 // 2) ** 2 + 1


@claim("whole/rounded", identity())
def rounded():
    """int(phi^70 / sqrt 5 + 1/2) is a number of Fibonacci: by floats, which are off by a few."""
    return int(((1 + 5**0.5) / 2) ** 80 / 5**0.5 + 0.5), numbers_of_fibonacci(80)[80]


def test_whole_numbers_of_any_library_and_size_differ_by_one() -> None:
    assert check(of_numpy, effort="quick").status is Status.REFUTED


def test_whole_numbers_that_come_from_floats_refute_nothing() -> None:
    assert check(rounded, effort="quick").status is not Status.REFUTED


@claim("whole/near-pi", identity())
def near_pi():
    """(2143 / 22)^(1/4) = pi: it differs by 1e-9."""
    return (2143 / 22) ** 0.25, math.pi


@claim("whole/hermite", always())
def hermite():
    """exp(pi sqrt 163) >= 640320^3 + 744: it is less by 7.5e-13."""
    return 640320**3 + 744, math.exp(math.pi * math.sqrt(163))


@pytest.mark.parametrize("near", [near_pi, hermite], ids=lambda each: each.id)
def test_what_balls_keep_apart_is_not_proved_by_the_tolerance(near: Claim) -> None:
    assert check(near, effort="quick").status in (Status.HOLDS, Status.REFUTED)


@claim("whole/tenths", identity())
def tenths():
    """.1 + .2 = .3 differs by the rounding of its numbers alone."""
    return 0.1 + 0.2, 0.3


def test_rounding_of_its_numbers_keeps_no_sides_apart() -> None:
    assert check(tenths, effort="quick").status is Status.PROVED


@claim("whole/halved", always())
def halved():
    """Halving one until it is zero takes more than 100 rounds: without underflow it has no end."""
    x, n = 1.0, 0
    while x > 0:
        x /= 2
        n += 1
    return 100.0, float(n)


def test_a_loop_that_ends_in_floats_alone_stops_no_judge() -> None:
    assert check(halved, effort="quick").status is Status.HOLDS


@pytest.mark.parametrize("kind", [rate("n", -1.0), up_to_constant("n")], ids=["rate", "up to constant"])
def test_a_parameter_beyond_64_bits_is_the_claim_s_own_error(kind: Any) -> None:
    """The whole command ended with it."""
    with pytest.raises(ClaimError, match=r"2\^63"):

        @claim("whole/beyond", kind, over=grid(n=[10**k for k in range(1, 21)]))
        def beyond(*, n):
            """1/n."""
            return 1 / n
