"""Proofs take plain numbers as float64 has them: of what is mostly rounding they prove nothing."""

import math

import numpy as np
import pytest
from scipy import linalg

from harness import always, check, claim, identity, tail
from harness.certify.rounding.digits import lose_digits
from harness.language.anatomy import anatomy
from harness.language.registry import Claim
from harness.verdict import Status


@claim("digits/root", always())
def root(forall):
    """1e-17 <= x^2 + sqrt(2)^2 - 2: false at zero by 1e-17."""
    x = forall.interval("x", 0.0, 1.0)
    return 1e-17 + 0.0 * x, x * x + (math.sqrt(2) ** 2 - 2)


def _gap() -> float:
    return math.sqrt(2) ** 2 - 2


@claim("digits/helper", always())
def helper(forall):
    """The same, in a function."""
    x = forall.interval("x", 0.0, 1.0)
    return 1e-17 + 0.0 * x, x * x + _gap()


@claim("digits/inverse", always())
def inverse(forall):
    """1e-12 <= |tr A^-1 A - n| for Pascal's matrix: it is zero, and numpy finds 1e-3."""
    x, pascal = forall.interval("x", 0.0, 1.0), linalg.pascal(16).astype(float)
    return x * x + 1e-12, x * x + abs(float(np.trace(np.linalg.inv(pascal) @ pascal)) - 16)


@claim("digits/truncated", always())
def truncated(forall):
    """x int(.29 * 100) <= 28.5 x: it is 29 x."""
    x = forall.interval("x", 1.0, 2.0)
    return x * int(0.29 * 100), 28.5 * x


@claim("digits/quotient", always())
def quotient(forall):
    """x (.7 // .1) <= 6 x: it is 7 x."""
    x = forall.interval("x", 1.0, 2.0)
    return x * (0.7 // 0.1), 6.0 * x


@claim("digits/compared", always())
def compared(forall):
    """x 1{.1 + .2 <= .3} <= x / 2."""
    x = forall.interval("x", 1.0, 2.0)
    return x * (1.0 if 0.1 + 0.2 <= 0.3 else 0.0), x / 2


@claim("digits/truncated-alone", identity())
def truncated_alone():
    """int(.29 * 100) = 28: it is 29."""
    return int(0.29 * 100), 28


@claim("digits/compared-alone", always())
def compared_alone():
    """1{.1 + .2 <= .3} <= 1/2."""
    return (1.0 if 0.1 + 0.2 <= 0.3 else 0.0), 0.5


@claim("digits/counted", always())
def counted():
    """P(ten coins are all heads) <= 1/10, with whole numbers and comparisons among its numbers."""
    return 1 - sum(math.comb(10, k) * 0.5**10 for k in range(10) if k * 0.3 <= 10), 0.1


@claim("digits/kept", always())
def kept(forall):
    """x^2 <= sqrt(2) x + log(1 + 1e-3), with numbers that keep their digits."""
    x = forall.interval("x", 0.0, 1.0)
    return x * x, math.sqrt(2) * x + np.log1p(1e-3)


@claim("digits/chosen", always())
def chosen(forall):
    """x <= 3, the largest number of an array that is sorted."""
    x = forall.interval("x", 0.0, 1.0)
    return x, float(np.sort(np.array([3, 1, 2]))[-1])


@pytest.mark.parametrize(
    "false",
    [root, helper, inverse, truncated, quotient, compared, truncated_alone, compared_alone],
    ids=lambda claim: claim.id,
)
def test_what_is_mostly_rounding_proves_nothing(false: Claim) -> None:
    assert lose_digits(false, {}, anatomy(false, {}).spaces)
    verdict = check(false)
    assert verdict.status in (Status.HOLDS, Status.UNDECIDED)
    assert verdict.cells[0].details.proof.reason.startswith("rounding decides plain numbers of its body, or leaves")


@pytest.mark.parametrize("false", [truncated_alone, compared_alone], ids=lambda claim: claim.id)
def test_what_rounding_alone_makes_true_is_open(false: Claim) -> None:
    assert check(false).status is Status.UNDECIDED


@pytest.mark.parametrize("true", [kept, counted, chosen], ids=lambda claim: claim.id)
def test_numbers_that_keep_their_digits_are_part_of_a_proof(true: Claim) -> None:
    assert not lose_digits(true, {}, anatomy(true, {}).spaces)
    assert check(true, effort="quick").status is Status.PROVED


def test_a_probability_is_not_proved_from_rounding_either() -> None:
    @claim("digits/chance", tail())
    def chance(forall, draw):
        """P(a coin of bias p^2 + sqrt(2)^2 - 2 is heads) <= p^2 + sqrt(2)^2 - 2."""
        p = forall.interval("p", 0.0, 0.5)
        return draw.bernoulli("x", p * p) > 0.5, p * p + (math.sqrt(2) ** 2 - 2)

    assert lose_digits(chance, {}, anatomy(chance, {}).spaces)
    assert check(chance, effort="quick").status is not Status.PROVED
