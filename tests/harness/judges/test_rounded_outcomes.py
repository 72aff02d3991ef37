"""Over all outcomes, too, nothing is proved or settled that rounding of the body decides at an outcome."""

from typing import Any

import pytest
import torch
from torch import Tensor

from harness import Draw, Forall, check, claim, grid, high_probability
from harness.language.registry import Claim
from harness.verdict import Status


def _naive(x: Tensor) -> Tensor:
    return (x**2).mean(-1) - x.mean(-1) ** 2


@claim("rounded/outcomes", high_probability("delta"), over=grid(delta=[0.05]))
def far_flips(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """The variance of 1e9 + four flips is at most .1: false of all outcomes but two; floats say that it is 0."""
    return _naive(1e9 + draw.bernoulli("s", forall.interval("p", 0.4, 0.6), 4)), 0.1


@claim("rounded/constant", high_probability("delta"), over=grid(delta=[0.05]))
def far_design(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """s times a variance of 2/3 is at most .3 for a flip s."""
    s = draw.bernoulli("s", forall.interval("p", 0.4, 0.6))
    return s * _naive(torch.tensor([1e9 + 1, 1e9 + 2, 1e9 + 3], dtype=s.dtype)), 0.3


def _seldom(s: Tensor) -> Tensor:
    """A naive variance, far from 0 if all ten flips are one; floats say that it is 0 there."""
    rare, places = s.prod(-1), torch.tensor([1.0, 0.0] * 5, dtype=s.dtype)
    return rare * _naive(rare[:, None] * 1e9 + s * places)


@claim("rounded/seldom", high_probability("delta"), over=grid(delta=[0.0005]))
def seldom(draw: Draw, *, delta: float) -> Any:
    """What is .25 with probability 2^-10 is at most .1: no probe of the draws meets it for certain."""
    return _seldom(draw.bernoulli("s", 0.5, 10)), 0.1


FALSE = [far_flips, far_design, seldom]


@pytest.mark.parametrize("made", FALSE, ids=lambda c: c.id)
def test_what_rounding_hides_at_outcomes_is_undecided(made: Claim) -> None:
    found = check(made, effort="quick")
    assert found.status is Status.UNDECIDED
    assert "rounding decides" in found.cells[0].reason


@claim("rounded/near", high_probability("delta"), over=grid(delta=[0.05]))
def near_flips(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """The variance of four flips is at most 1/4."""
    return _naive(draw.bernoulli("s", forall.interval("p", 0.4, 0.6), 4)), 0.25


@claim("rounded/near-design", high_probability("delta"), over=grid(delta=[0.05]))
def near_design(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """s times a variance of 2/3 is at most .7 for a flip s."""
    s = draw.bernoulli("s", forall.interval("p", 0.4, 0.6))
    return s * _naive(torch.tensor([1.0, 2.0, 3.0], dtype=s.dtype)), 0.7


@claim("rounded/far-and-wide", high_probability("delta"), over=grid(delta=[0.05]))
def far_and_wide(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """The variance of 1e9 + four flips, from differences, is at most 1/4."""
    x = 1e9 + draw.bernoulli("s", forall.interval("p", 0.4, 0.6), 4)
    return (x - 1e9).square().mean(-1) - (x - 1e9).mean(-1) ** 2, 0.25


@pytest.mark.parametrize("made", [near_flips, near_design, far_and_wide], ids=lambda c: c.id)
def test_what_floats_hold_or_enclosures_settle_is_proved(made: Any) -> None:
    assert check(made, effort="quick").status is Status.PROVED
