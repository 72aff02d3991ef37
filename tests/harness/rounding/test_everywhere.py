"""Claims that every rounded evaluation violates, by amounts that rounding decides: neither refuted nor upheld."""

import math

import pytest
import torch

from harness import always, check, claim, identity
from harness.language.registry import Claim
from harness.verdict import Status


@claim("everywhere/floor", identity())
def floor():
    """floor(.29 * 100) = 75: it is 29, or 28."""
    return math.floor(0.29 * 100), 75


@claim("everywhere/compared", identity())
def compared():
    """1{.1 + .2 <= .3} = 4."""
    return (1.0 if 0.1 + 0.2 <= 0.3 else 0.0), 4.0


@claim("everywhere/input", always())
def with_input(forall):
    """x floor(.29 * 100) <= 20 x."""
    x = forall.interval("x", 1.0, 2.0)
    return x * math.floor(0.29 * 100), 20 * x


@claim("everywhere/sign", always())
def sign(forall):
    """5 + sign((x + 1/10) - 1/10 - x) <= 1."""
    x = forall.interval("x", 0.0, 1.0)
    return 5.0 + torch.sign((x + 0.1) - 0.1 - x), 1.0


@claim("everywhere/residual", always())
def residual(forall):
    """|A^-1 A x - x| <= 0, which no evaluation shows and every one violates by rounding alone."""
    a, x = forall.interval("a", -1.0, 1.0, 3, 3), forall.interval("x", -1.0, 1.0, 3)
    a = a + 4.0 * torch.eye(3, dtype=torch.float64)
    return (torch.linalg.solve(a, (a @ x[..., None])[..., 0]) - x).abs().sum(-1), 0.0


@pytest.mark.parametrize("false", [floor, compared, with_input, sign], ids=lambda claim: claim.id)
def test_what_is_violated_however_rounding_decides_is_open(false: Claim) -> None:
    verdict = check(false, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "is one however it is decided" in verdict.reason


def test_rounding_alone_leaves_a_claim_as_it_is() -> None:
    assert check(residual, effort="quick").status is Status.HOLDS
