"""The largest of numbers in pairs: over all signs, and with their negatives; and what is false beside it."""

from typing import Any

import pytest
import torch

from harness import Forall, every, identity
from harness.certify.proof import Proof, Unproved
from tests.harness.enclosure.stating import Body, tried

HAIR = 1e-6


def _over_signs(f: Forall, *, factor: float = 1.0) -> Any:
    """max over signs of sum e_i x_i + y = |x|_1 + y."""
    x, y = f.interval("x", -1.0, 1.0, 4), f.interval("y", -1.0, 1.0)
    sums = (every.signs(4, like=x) * x.unsqueeze(-2)).sum(-1)
    return (sums + y.unsqueeze(-1)).amax(-1), factor * x.abs().sum(-1) + y


def _with_negatives(f: Forall, *, count: int, factor: float = 1.0) -> Any:
    """max(x, -x) over entries is max |x|."""
    x = f.interval("x", -1.0, 1.0, count)
    return torch.cat([x, -x], -1).amax(-1), factor * x.abs().amax(-1)


def _one_pattern_missing(f: Forall) -> Any:
    """Without one of the signs the largest sum is smaller somewhere."""
    x = f.interval("x", -1.0, 1.0, 3)
    sums = (every.signs(3, like=x) * x.unsqueeze(-2)).sum(-1)
    return sums[..., 1:].amax(-1), x.abs().sum(-1)


TRUE: dict[str, Body] = {
    "over all signs": _over_signs,
    "two with their negatives": lambda f: _with_negatives(f, count=2),
    "four with their negatives": lambda f: _with_negatives(f, count=4),
    "equal numbers": lambda f: ((x := f.interval("x", -1.0, 1.0)).expand(5, -1).mT.amax(-1), x),
}
FALSE: dict[str, Body] = {
    "over all signs": lambda f: _over_signs(f, factor=1.0 + HAIR),
    "with their negatives": lambda f: _with_negatives(f, count=2, factor=1.0 - HAIR),
    "a pattern missing": _one_pattern_missing,
    "a negative missing": lambda f: (
        torch.cat([x := f.interval("x", -1.0, 1.0, 3), -x[:, :2]], -1).amax(-1),
        x.abs().amax(-1),
    ),
    "numbers for their sizes": lambda f: ((x := f.interval("x", -1.0, 1.0, 3)).amax(-1), x.abs().amax(-1)),
}


@pytest.mark.parametrize("name", TRUE)
def test_the_largest_of_pairs_is_expanded(name: str) -> None:
    assert tried(identity(rtol=0.0), TRUE[name], 300) == Proof(1.0, 0, 0.0)


@pytest.mark.parametrize("name", FALSE)
def test_what_is_no_pair_is_not_taken_for_one(name: str) -> None:
    """Would catch a midpoint of two numbers that are no pair, and a negative that is not there."""
    assert isinstance(tried(identity(rtol=1e-9), FALSE[name], 200), Unproved)
