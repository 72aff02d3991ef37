"""How many are drawn, and from what law, may hang on rounding; several ties in one outcome. Found by another hand."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributions as laws
from torch import Tensor

from harness import Draw, always, claim, expectation, high_probability, identity, tail
from harness.language.asked import changed
from harness.language.recorded import Recorder
from harness.language.registry import Claim, grid
from harness.verdict import Status
from tests.helpers import bare_check

HALF = torch.tensor(0.5, dtype=torch.float64)
FIFTHS = [0.2] * 5


def _steps(size: float) -> int:
    """How many steps lead to 1."""
    found, reached = 0, 0.0
    while reached < 1.0:
        reached, found = reached + size, found + 1
    return found


# How many are drawn: 29, 3, 3, 10 in exact arithmetic, of which floats make 28, 2, 4 and 11.
COUNTS: dict[str, Callable[[], int]] = {
    "int": lambda: int(0.29 * 100),
    "steps of time": lambda: int(0.3 / 0.1),
    "arange": lambda: len(np.arange(1.0, 1.3, 0.1)),
    "torch.arange": lambda: len(torch.arange(1.0, 1.3, 0.1, dtype=torch.float64)),
    "ceil": lambda: math.ceil(0.07 * 100),
    "loop": lambda: _steps(0.1),
    "floor of numpy": lambda: int(np.floor(0.29 * 100)),
    "logarithm": lambda: int(math.log(243, 3)),
}
WHOLE = {"int": 29, "steps of time": 3, "arange": 3, "torch.arange": 3, "ceil": 7, "loop": 10, "floor of numpy": 29}
WHOLE |= {"logarithm": 5}


def _binomial(n: int) -> float:
    """P(Bin(n, 1/2) <= (n - 1) / 2) and a little."""
    return sum(math.comb(n, k) for k in range((n - 1) // 2 + 1)) / 2**n + 0.001


@pytest.mark.parametrize("name", COUNTS)
def test_rounding_that_decides_how_many_are_drawn_refutes_nothing(name: str) -> None:
    """With 28 coins for 29, P(at most 14 heads) is above 1/2; with another number all is otherwise."""
    count, n = COUNTS[name], WHOLE[name]
    assert count() != n

    @claim("drawn/coins", tail())
    def coins(draw):
        """P(Bin(n, 1/2) <= (n - 1) / 2)."""
        return draw.bernoulli("x", 0.5, count()).sum(-1) <= (n - 1) // 2, _binomial(n)

    @claim("drawn/mean", expectation(range=(-40.0, 40.0)))
    def mean(draw):
        """The mean of n uniform numbers is n / 2."""
        total = draw.uniform("x", count()).sum(-1)
        return (total - n / 2).abs() * 0.0 + (n / 2 - 0.1) * torch.ones_like(total), total

    assert bare_check(coins, effort="quick").status is Status.UNDECIDED
    assert bare_check(mean, effort="quick").status is not Status.REFUTED


@claim("drawn/law", tail())
def law(draw):
    """P(Bin(29, 1/2) <= 13) = .3555."""
    return draw.sample("x", laws.Binomial(int(0.29 * 100), HALF)) <= 13, 0.36


@claim("drawn/law-of-input", tail())
def law_of_input(forall, draw):
    """P(Bin(29, p) <= 13) <= .3555 for p >= 1/2."""
    return draw.sample("x", laws.Binomial(int(0.29 * 100), forall.interval("p", 0.5, 1.0))) <= 13, 0.36


@claim("drawn/probability", tail(), expected="refuted")
def probability(draw):
    """.3 <= .21."""
    return draw.bernoulli("x", math.floor(0.3 / 0.1) / 10), 0.21


@claim("drawn/probability-high", high_probability("delta"), over=grid(delta=[0.21]), expected="refuted")
def probability_high(draw, *, delta):
    """.3 <= .21."""
    return draw.bernoulli("x", math.floor(0.3 / 0.1) / 10), 0.5


@claim("drawn/count", tail(), expected="refuted")
def count_of_multinomial(draw):
    """P(29 > 28) <= .3."""
    return draw.multinomial("x", int(0.29 * 100), [0.5, 0.5]).sum(-1) > 28, 0.3


@pytest.mark.parametrize(
    "made", [law, law_of_input, probability, probability_high, count_of_multinomial], ids=lambda c: c.id
)
def test_rounding_that_decides_the_law_leaves_both_verdicts_open(made: Claim) -> None:
    assert bare_check(made, effort="quick").status is Status.UNDECIDED


@claim("drawn/size-low", always())
def size_low(forall):
    """28.5 <= 29."""
    x = forall.interval("x", 0.0, 1.0, int(0.29 * 100))
    return 28.5, x.sum(-1) + (1 - x).sum(-1)


@claim("drawn/size-equal", identity())
def size_equal(forall):
    """29 = 29."""
    x = forall.interval("x", 0.0, 1.0, int(0.29 * 100))
    return x.sum(-1) + (1 - x).sum(-1), 29.0


@claim("drawn/size-high", always(), expected="refuted")
def size_high(forall):
    """29 <= 28.5."""
    return forall.interval("x", 0.0, 1.0, int(0.29 * 100)).sum(-1), 28.5


@claim("drawn/steps", always(), expected="refuted")
def steps_too_few(forall):
    """1.331 x <= 1.3 x, in three steps of time."""
    x = y = forall.interval("x", 0.5, 1.0)
    for _ in range(int(0.3 / 0.1)):
        y = y * 1.1
    return y, 1.3 * x


@claim("drawn/steps-enough", always())
def steps_enough(forall):
    """1.33 x <= 1.331 x."""
    x = y = forall.interval("x", 0.5, 1.0)
    for _ in range(int(0.3 / 0.1 + 0.5)):
        y = y * 1.1
    return 1.33 * x, y


@pytest.mark.parametrize("made", [size_low, size_equal, size_high, steps_too_few], ids=lambda c: c.id)
def test_rounding_that_decides_how_many_inputs_or_steps_there_are_leaves_both_verdicts_open(made: Claim) -> None:
    assert bare_check(made, effort="quick").status is Status.UNDECIDED


def test_a_claim_that_rounding_does_not_decide_holds() -> None:
    assert bare_check(steps_enough, effort="quick").status in (Status.HOLDS, Status.PROVED)


def _asked(*args: Any, **named: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, named


SAME = {
    "rounded": (_asked(0.3, 4), _asked(0.1 + 0.2, 4)),
    "array": (_asked(np.full(3, 0.3)), _asked(np.full(3, 0.1 + 0.2))),
    "law": (_asked(laws.Normal(0.0, HALF)), _asked(laws.Normal(0.0, HALF * (1 + 1e-15)))),
    "nearly nothing": (_asked(1e-17), _asked(0.0)),
    "transformed law": (_asked(laws.Gumbel(HALF, HALF)), _asked(laws.Gumbel(HALF, HALF))),
    "infinite": (_asked(math.inf), _asked(math.inf)),
}
OTHER = {
    "number": (_asked(28), _asked(29)),
    "more": (_asked(0.5), _asked(0.5, 3)),
    "parameter": (_asked(p=0.2), _asked(p=0.3)),
    "axes": (_asked(torch.zeros(2)), _asked(torch.zeros(3))),
    "law": (_asked(laws.Binomial(28, HALF)), _asked(laws.Binomial(29, HALF))),
    "law within": (
        _asked(laws.Independent(laws.Normal(torch.zeros(2), 1.0), 1)),
        _asked(laws.Independent(laws.Normal(torch.ones(2), 1.0), 1)),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_what_is_rounded_is_asked_for_as_before(name: str) -> None:
    assert not changed(*SAME[name], torch.arange(5), 5).any()


@pytest.mark.parametrize("name", OTHER)
def test_what_differs_by_more_is_asked_for_otherwise(name: str) -> None:
    assert changed(*OTHER[name], torch.arange(5), 5).all()


def test_a_parameter_of_each_replicate_is_compared_there() -> None:
    recorder = Recorder(Draw(4, ("k",)))
    p = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
    recorder.bernoulli("x", p)
    rows = recorder.rows(torch.tensor([1, 3]))
    rows.bernoulli("x", torch.tensor([0.2, 0.5], dtype=torch.float64))
    assert rows.redrawn.tolist() == [False, True]


def _any(outcomes: Iterable[Any], event: Callable[[Any], bool]) -> Tensor:
    return torch.tensor([event(row) for row in outcomes])


def _sites(row: list[float], step: float) -> int:
    place, seen = 0.0, set()
    for sign in row:
        place += step * sign
        seen.add(place)
    return len(seen)


# What never happens: walks by tenths, looked at in two ways each.
NEVER: dict[str, Callable[[list[float]], bool]] = {
    "set": lambda r: len({v * 0.1 for v in r} | {v / 10 for v in r}) > 2,
    "torch.unique": lambda r: len(torch.unique(torch.tensor(r).double().cumsum(0) * 0.1)) > len(set(np.cumsum(r))),
    "tolist": lambda r: len(set(torch.cumsum(torch.tensor(r).double() * 0.1, -1).tolist())) > len(set(np.cumsum(r))),
    "added to a set": lambda r: _sites(r, 0.1) > _sites(r, 1.0),
    "Counter": lambda r: max(Counter(np.cumsum(np.array(r) * 0.1)).values()) < max(Counter(np.cumsum(r)).values()),
    "setdiff1d": lambda r: len(np.setdiff1d(np.cumsum(r) * 0.1, np.cumsum(r) / 10)) > 0,
    "isin": lambda r: not np.isin(np.cumsum(r) * 0.1, np.cumsum(r) / 10).all(),
    "array_equal": lambda r: not np.array_equal(np.cumsum(r) * 0.1, np.cumsum(r) / 10),
}


@pytest.mark.parametrize("name", NEVER)
def test_several_ties_in_an_outcome_refute_nothing(name: str) -> None:
    """With several pairs of equals every rounded evaluation tells some of them apart."""
    event = NEVER[name]

    @claim("drawn/ties", tail())
    def made(draw):
        """P(what never happens) <= 0."""
        return _any(draw.signs("k", 6).tolist(), event), 0.0

    assert bare_check(made, effort="quick").status is not Status.REFUTED


@claim("drawn/distinct", tail(), expected="refuted")
def distinct(draw):
    """P(two of five differ) = .8."""
    return _any(draw.categorical("k", FIFTHS, 2).tolist(), lambda r: len({v * 0.1 for v in r}) > 1), 0.7


@claim("drawn/mean-of-signs", tail(), expected="refuted")
def mean_of_signs(draw):
    """P(a mean of ten signs > .2) = .172."""
    return draw.signs("k", 10).mean(-1) > 0.2, 0.17


@claim("drawn/tenths", tail(), expected="refuted")
def tenths(draw):
    """P(a mean of three tenths > .2) = .424."""
    return (draw.categorical("k", FIFTHS, 3) * 0.1).mean(-1) > 0.2, 0.3


@pytest.mark.parametrize("made", [distinct, mean_of_signs, tenths], ids=lambda c: c.id)
def test_what_ties_do_not_decide_is_refuted(made: Claim) -> None:
    assert bare_check(made, effort="quick").status is Status.REFUTED
