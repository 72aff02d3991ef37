"""Whole numbers of more than 26 bits: what is made of them in float64 and is whole again was not rounded."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness import always, claim
from harness.certify.rounding.short import WHOLE, coarse, is_short, rows_that_add_up
from harness.verdict import Status
from tests.harness.rounding.measured import listed
from tests.helpers import bare_check

FALSE: dict[str, Callable[..., Any]] = {}
false = listed(FALSE)


@false
def fifth_powers(forall):
    """Lander and Parkin 1966: 27^5 + 84^5 + 110^5 + 133^5 = 144^5."""
    a = forall.choice("a", [[27, 84, 110, 133, 144], [1, 2, 3, 4, 5]])
    return ((a[:, :4] ** 5).sum(-1) == a[:, 4] ** 5).double(), 0.0


@false
def squares(forall):
    k = forall.integers("k", 90000, 90010)
    return (k * k == 90003.0**2).double(), 0.0


@false
def roots(forall):
    k = forall.integers("k", 90000, 90010)
    return ((k * k).sqrt() == 90003.0).double(), 0.0


@false
def residues(forall):
    k = forall.integers("k", 100000, 100100)
    return ((k * k) % 10007 == (100003.0**2) % 10007).double(), 0.0


@false
def products_of_vectors(forall):
    t = forall.choice("t", [[20001, 20002, 3], [33333, 44444, 55555]])
    return (torch.linalg.vecdot(t[:, :2], t[:, :2]) == t[:, 2] ** 2).double(), 0.0


@false
def arrays_of_numpy(forall):
    k = forall.integers("k", 90000, 90010).numpy()
    return (k**2 == 90003.0**2).astype(float), 0.0


@false
def plain_numbers(forall):
    k = forall.integers("k", 90000, 90010)
    return torch.tensor([float(x**2 == 90003.0**2) for x in k.tolist()]), 0.0


@pytest.mark.parametrize("body", FALSE.values(), ids=FALSE.keys())
def test_an_equality_of_whole_numbers_is_seen(body: Callable[..., Any]) -> None:
    body.__doc__ = body.__doc__ or "Two whole numbers are never equal."
    assert bare_check(claim(f"whole/{body.__name__}", always())(body)).status is Status.REFUTED


@claim("whole/absorbed", always())
def absorbed(forall):
    """k + 1 > k for k up to 2^60: beyond 2^53 float64 has no such numbers."""
    k = forall.integers("k", 2**59, 2**60)
    return (k + 1.0 <= k).double(), 0.0


@claim("whole/thirds", always())
def thirds(forall):
    """k / 3 * 3 = k, a quotient that is no whole number."""
    k = forall.integers("k", 10**9, 10**9 + 1000)
    return (k / 3 * 3 != k).double() + (k * 0.1 * 10 != k).double(), 0.0


@pytest.mark.parametrize("true", [absorbed, thirds], ids=lambda made: made.id)
def test_what_is_rounded_is_no_evidence(true: Any) -> None:
    assert bare_check(true).status is not Status.REFUTED


@pytest.mark.parametrize("device", [np.asarray, torch.tensor])
def test_whole_numbers_up_to_a_limit_are_short(device: Callable[..., Any]) -> None:
    short = is_short if device is np.asarray else coarse
    some = [2.0**27 + 1.0, WHOLE - 1.0, WHOLE + 1.0, 2.0**27 + 1.5, 0.5]
    found = short(np.array(some)) if device is np.asarray else short(torch.tensor(some, dtype=torch.float64))
    assert found.tolist() == [True, True, False, False, True]


def test_rows_add_up_as_long_as_every_sum_is_a_float() -> None:
    rows = torch.tensor([[2.0**40 + 1.0, 3.0], [2.0**53, 1.0], [0.1, 2.0]], dtype=torch.float64)
    found = rows_that_add_up(rows)
    assert found is not None
    assert found.flatten().tolist() == [True, False, False]
    assert rows_that_add_up(rows.flip(0)) is None
