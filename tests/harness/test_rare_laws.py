"""What a search over distributions must not overlook: rare violations among ties, small excesses, small scales."""

import math

import numpy as np
import pytest
import torch

from harness import check, claim, expectation, grid, high_probability
from harness.certify.rounding.statements import rounded_differently
from harness.language.spaces import Integers, Interval, Simplex
from harness.search.structure import rescaled, thin
from harness.verdict import Status


@claim("rare/union", high_probability("delta"), over=grid(delta=[0.002]), expected="refuted")
def union(forall, draw, *, delta):
    """None of ten events of probabilities delta s_i / 5 happens: 0 <= 0 in 99.6 % of all trials."""
    s = forall.interval("s", 0.0, 1.0, 10)
    return draw.bernoulli("x", delta / 5 * s, 10).amax(-1), 0.0


@claim("rare/one-per-cent", expectation(range=(-0.99, 100.0)), expected="refuted")
def one_per_cent(forall, draw):
    """E <a, g>^2 <= 0.99 |a|^2, by the same share at any length of a; only long ones are refuted."""
    a = forall.ball("a", 3)
    return (a * draw.normal("g", 3)).sum(-1).square().clamp_max(100.0), 0.99 * a.square().sum(-1)


@claim("rare/ties-of-a-vote", expectation(range=(-0.5, 0.5)), expected="refuted")
def ties_of_a_vote(draw):
    """P(Bin(15000, 1/2) >= 7500) <= 1/2: false by 0.0033, more trials than the standard effort has."""
    return (2 * draw.multinomial("x", 15000, [0.5, 0.5])[..., 0] >= 15000).double(), 0.5


@claim("rare/conformal", high_probability("delta"), over=grid(delta=[0.1]), expected="refuted")
def conformal(draw, *, delta):
    """A new number is at most the ceil(10 (1 - delta))-th of ten, with probability 0.9: false, 2/11 err."""
    x = draw.uniform("x", 11)
    return x[..., 10], x[..., :10].sort(-1).values[..., math.ceil(10 * (1 - delta)) - 1]


@claim("rare/unseen-kinds", high_probability("delta"), over=grid(delta=[0.1]), expected="refuted")
def unseen_kinds(forall, draw, *, delta):
    """At least 12 of 80 kinds are seen, or one has probability above 1/5: the law has to be even on a few kinds."""
    w = forall.simplex("w", 80)
    counts = draw.multinomial("x", 60, w)
    return torch.where(w.amax(-1) <= 0.2, 12.0 - (counts > 0).sum(-1), 0.0), 0.0


@pytest.mark.in_turn
@pytest.mark.parametrize("body", [union, one_per_cent, ties_of_a_vote, conformal, unseen_kinds])
def test_a_falsehood_that_is_small_or_rare_is_refuted(body) -> None:
    assert check(body).status is Status.REFUTED


def _whole(delta):
    return math.ceil(10 * (1 - delta)), int(100 * delta), 3 * delta // 0.1, round(2.5 * delta * 10)


def _misrounded(delta):
    return math.ceil(3 * delta * 10)


@pytest.mark.parametrize("seed", range(5))
def test_plain_numbers_next_to_a_whole_one_become_that_one(seed: int) -> None:
    """A step to the next integer is no rounding; where float64 has made it, the copies differ from the body."""
    for sign in (1.0, -1.0):
        moved = rounded_differently(_whole, seed, sign=sign, directed=True)
        assert moved is not None
        assert moved(0.1) == (9, 10, 3.0, 2)
        moved = rounded_differently(_misrounded, seed, sign=sign, directed=True)
        assert moved is not None
        assert (_misrounded(0.1), moved(0.1)) == (4, 3)


def test_thin_instances_have_small_numbers_of_every_size() -> None:
    spaces = (
        Simplex("w", (5,)),
        Interval("v", (5,), 0.0, 1.0),
        Interval("p", (), 0.0, 1.0),
        Integers("m", (), 1, 10**6),
    )
    values = thin(spaces, np.random.default_rng(0), 200)
    for space in spaces:
        assert bool(space.contains(values[space.name]).all()), space.name
    rest = 1.0 - values["w"].amax(-1)
    for decade in range(6):
        assert int(((rest > 10.0 ** -(decade + 1)) & (rest <= 10.0**-decade)).sum()) >= 10
    assert bool(((values["v"] == 0.0) | (values["v"] == 1.0)).all())
    rare = values["w"] < values["w"].amax(-1, keepdim=True)
    assert bool(((values["v"] == rare.double()) | (values["v"] == (~rare).double())).all())


def test_weights_are_rescaled_beside_the_largest_one() -> None:
    x = torch.tensor([0.9, 0.06, 0.04], dtype=torch.float64).expand(50, 3)
    found = rescaled(Simplex("w", (3,)), np.random.default_rng(1), x)
    factor = found[:, 1] / 0.06
    assert bool(Simplex("w", (3,)).contains(found).all())
    torch.testing.assert_close(found[:, 2], 0.04 * factor)
    assert 0.25 <= float(factor.min()) < 0.5
    assert 2.0 < float(factor.max()) <= 4.0


def test_rescaled_entries_stay_in_their_interval() -> None:
    space, rng = Interval("p", (3,), -1.0, 2.0), np.random.default_rng(1)
    assert bool(space.contains(rescaled(space, rng, space.sample(rng, 50))).all())
