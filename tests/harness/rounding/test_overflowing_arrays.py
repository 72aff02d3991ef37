"""Whole numbers of numpy and torch that overflow are an error of the body, whoever looks at it and however it ends."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness import always, claim, identity
from harness.certify.rounding.overflow import check_call, check_cast, check_operation, check_shift
from harness.errors import Slip
from harness.language.registry import Claim
from harness.verdict import Status
from tests.harness.rounding.measured import listed
from tests.helpers import bare_check

BODIES: dict[str, Callable[..., Any]] = {}
body = listed(BODIES)


@body
def a_product_of_numpy():
    return math.sqrt(2 * math.pi * 25) * (25 / math.e) ** 25, float(np.prod(np.arange(1, 26)))


@body
def powers_of_an_array():
    return 0.0, float((2 ** np.arange(71))[-1] - 70)


@body
def a_sum_of_powers():
    return float((np.arange(1, 101) ** 10).sum()), float(sum(k**10 for k in range(1, 101)))


@body
def a_shift_of_torch():
    return (torch.tensor(1) << 64).double(), 64.0


@body
def differences_of_bytes(forall):
    x = forall.interval("x", 0, 1)
    p = np.array([3, 5], dtype=np.uint8)
    return float(p[0] - p[1]) + 2 + 0 * x, 1.0 + x


@body
def a_sum_of_bytes(forall):
    x = forall.interval("x", 0, 1)
    return float(np.array([200, 100], dtype=np.uint8).sum(dtype=np.uint8)) + 0 * x, 50 + x


@body
def a_number_cast_to_few_bits(forall):
    x = forall.interval("x", 0, 1)
    return torch.tensor([3e9], dtype=torch.float64).int().double() * torch.ones_like(x), x


@body
def a_product_of_torch_that_a_proof_takes_as_it_is(forall):
    x = forall.interval("x", 1, 2)
    return float(torch.arange(1, 22).prod()) * x, 1.1e19 * x


@body
def powers_of_inputs_in_numpy(forall):
    k = forall.integers("k", 1, 200)
    return k, torch.tensor((k.numpy().astype(np.int64) ** 10).astype(float))


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("made", BODIES.values(), ids=BODIES.keys())
def test_an_overflow_is_an_error(made: Callable[..., Any]) -> None:
    made.__doc__ = "A statement of whole numbers."
    verdict = bare_check(claim(f"overflow/{made.__name__}", always())(made))
    assert verdict.status is Status.ERROR
    assert "whole numbers overflow" in verdict.reason


def test_what_fits_and_what_wraps_on_purpose_is_left_alone() -> None:
    some, hashes = np.arange(1, 21), np.array([2**40 + 1], dtype=np.uint64)
    check_call(np.prod, (some,), {}, np.prod(some))
    check_call(some.astype, (np.uint8,), {}, some.astype(np.uint8))
    check_operation("mul", some, some, some * some)
    check_operation("imul", hashes, hashes, hashes * hashes)
    check_cast(torch.tensor([3.7, -3.7, math.inf, math.nan]), torch.tensor([3, -3, 0, 0]))
    check_shift((torch.tensor(1), 62), torch.int64)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_cast_beyond_the_range_is_seen_at_its_end(bits: int) -> None:
    dtype, end = getattr(torch, f"int{bits}"), 2.0 ** (bits - 1)
    inside, beyond = (torch.tensor(x, dtype=torch.float64) for x in ([-end, end - 1.0], [end]))
    check_cast(inside, inside.to(dtype))
    with pytest.raises(Slip, match=f"overflow {bits} bits"):
        check_cast(beyond, beyond.to(dtype))


@claim("digits/array", identity())
def of_an_array(forall):
    """x / 3 = x / 3, on one side in float32."""
    x = forall.interval("x", 1, 2)
    return torch.tensor(x.numpy().astype(np.float32) / 3).double(), x / 3


@claim("digits/constant", always())
def of_a_constant(forall):
    """x (1/3) <= x / 3, the third in float32."""
    x = forall.interval("x", 1, 2)
    return x * float(np.float32(1) / np.float32(3)), x / 3


@claim("digits/half", always())
def of_whole_numbers(forall):
    """2048 x <= 2047 x: in float16 five thousand ones are 2048."""
    x = forall.interval("x", 1, 2)
    return float(np.full(5000, 1, np.float16).cumsum()[-1]) * x, 2047 * x


@claim("digits/whole", identity())
def of_few_whole_numbers(forall):
    """0 + ... + 9 = 45, in float32."""
    x = forall.interval("x", 1, 2)
    return float(np.arange(10, dtype=np.float32).sum()) * x, 45 * x


@pytest.mark.parametrize("made", [of_an_array, of_a_constant, of_whole_numbers], ids=lambda made: made.id)
def test_fewer_digits_than_float64_are_an_error(made: Claim) -> None:
    verdict = bare_check(made)
    assert verdict.status is Status.ERROR
    assert "whose rounding errors could decide a tight claim" in verdict.reason


def test_whole_numbers_that_fit_into_few_digits_are_none() -> None:
    assert bare_check(of_few_whole_numbers).status is Status.HOLDS
