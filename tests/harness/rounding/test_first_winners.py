"""Scores in tenths, of which equals are found by numpy, Python or torch: as for the same scores in whole numbers."""

import statistics
from collections import Counter
from itertools import groupby

import numpy as np
import pytest
import torch
from scipy.stats import kendalltau, rankdata

from harness import always, check, claim, identity
from harness.certify.rounding.short import scattered
from harness.certify.rounding.statements import Shares, rounded_by
from harness.certify.rounding.ties import Ties
from harness.verdict import Status


class Tenths:
    def __init__(self, a, *, b):
        self.scores = a / 10 + b / 10
        self.total = 0.0

    def first(self):
        return next(i for i, v in enumerate(self.scores) if v == self.scores.max())


class Added(Tenths):
    def __init__(self, a, *, b):
        super().__init__(a, b=b)
        for score in self.scores:
            self.total += score


def tally(scores):
    found = {}
    for score in scores:
        found.setdefault(score, 0)
        found[score] += 1
    return found


TENTHS = {  # of the whole numbers a and b, something of a / 10 + b / 10 and the same of a + b
    "where": lambda a, b: (
        np.where(a / 10 + b / 10 == (a / 10 + b / 10).max())[0][0],
        np.argmax(a + b),
    ),
    "attributes": lambda a, b: (Tenths(a, b=b).first(), np.argmax(a + b)),
    "sum": lambda a, b: (round(Added(a, b=b).total * 10), (a + b).sum()),
    "keys": lambda a, b: (len(tally(a / 10 + b / 10)), len(set(a + b))),
    "unique": lambda a, b: (len(np.unique(a / 10 + b / 10)), len(np.unique(a + b))),
    "isin": lambda a, b: (np.isin(a / 10 + b / 10, [0.3]).sum(), np.isin(a + b, [3]).sum()),
    "searchsorted": lambda a, b: (
        np.searchsorted(np.arange(20) / 10, a / 10 + b / 10).sum(),
        np.searchsorted(np.arange(20), a + b).sum(),
    ),
    "ranks": lambda a, b: (rankdata(a / 10 + b / 10)[0], rankdata(a + b)[0]),
    "kendall": lambda a, b: (
        np.nan_to_num(kendalltau(a / 10 + b / 10, np.arange(4)).statistic),
        np.nan_to_num(kendalltau(a + b, np.arange(4)).statistic),
    ),
    "counter": lambda a, b: (max(Counter(a / 10 + b / 10).values()), max(Counter(a + b).values())),
    "groups": lambda a, b: (len(list(groupby(sorted(a / 10 + b / 10)))), len(list(groupby(sorted(a + b))))),
    "modes": lambda a, b: (
        len(statistics.multimode((a / 10 + b / 10).tolist())),
        len(statistics.multimode((a + b).tolist())),
    ),
    "not zero": lambda a, _: (np.linalg.norm(a / 10 + 0.2 - (a + 2) / 10, 0), 0),
    "truths": lambda a, b: (np.count_nonzero(np.logical_or(a / 10 + 0.2 - (a + 2) / 10, b * 0)), 0),
    "torch unique": lambda a, b: (
        len(torch.unique(torch.tensor(a / 10 + b / 10))),
        len(torch.unique(torch.tensor(a + b))),
    ),
    "torch norm": lambda a, _: (torch.linalg.norm(torch.tensor(a) / 10 + 0.2 - torch.tensor(a + 2) / 10, ord=0), 0),
    "torch sign": lambda a, _: (torch.sign(torch.tensor(a) / 10 + 0.2 - torch.tensor(a + 2) / 10).abs().sum(), 0),
    "torch truth": lambda a, _: (torch.logical_not(torch.tensor(a) / 10 + 0.2 - torch.tensor(a + 2) / 10).sum(), 4),
}

COUNTS_OF_ROUNDING = {"not zero", "truths", "torch norm", "torch sign", "torch truth"}  # which are anything up to four


def _claimed(name, slack):
    found = TENTHS[name]

    @claim(f"tenths/{name.replace(' ', '-')}", always() if slack else identity())
    def made(forall):
        """The same of tenths, or less by the slack."""
        a, b = (forall.integers(x, 0, 9, 4).numpy() for x in "ab")
        both = torch.tensor([[float(side) for side in found(*row)] for row in zip(a, b, strict=True)]).double()
        return both[:, 0] + slack, both[:, 1]

    return made


@pytest.mark.in_turn
@pytest.mark.parametrize("name", TENTHS)
def test_equals_among_tenths_are_those_of_whole_numbers(name: str) -> None:
    assert check(_claimed(name, 0.0), effort="quick").status is not Status.REFUTED


@pytest.mark.parametrize("name", sorted(TENTHS.keys() - COUNTS_OF_ROUNDING))
def test_what_is_wrong_by_one_is_refuted(name: str) -> None:
    assert check(_claimed(name, 1.0), effort="quick").status is Status.REFUTED


def test_what_is_no_number_is_handed_on() -> None:
    """An array where the order of a norm belongs to another function, a list of names, a keyword."""

    def body(a):
        names = np.array(["b", "a"])
        return np.linalg.norm(a, ord=0), np.multiply(a, a), np.unique(names), set(names.tolist()), np.isin(names, ["a"])

    ties = Ties()
    ties.begin()
    again = rounded_by(body, Shares(0), ties)
    a = np.array([0.5, 0.0])
    assert again is not None
    for found, other in zip(again(a), body(a), strict=True):
        assert np.array_equal(found, other)


LOOKED_UP = [0]  # one that begins empty is taken for a cache


def looked_up(index):
    LOOKED_UP.append(index)
    return index


def in_place(x):
    a, box, found = np.zeros((3, 4)), Added(np.zeros(2), b=np.zeros(2)), {"k": 0.0}
    a[looked_up(1), 2] += 0.1
    a[1:, 0] += 0.3
    a[:, looked_up(3)] *= 2.0
    a[0] -= 0.7
    a[...] += 0.1
    box.total += 0.1
    found["k"] += 0.1 + x
    t = torch.zeros(3).double()
    t[1:] += 0.5
    n = 0
    n += 1
    many = [1]
    many += [2]
    many[0] += 3
    return a, box.total, found["k"], t.numpy(), n, many


SCRATCH = np.zeros(2)


def into_an_argument(a):
    a[0] += 1.0
    a[1] = 5.0
    a[2:] *= 2.0
    return a


def into_an_attribute(a):
    box = Tenths(a, b=a)
    box.scores[1] = 0.3
    box.scores[0] += 0.3
    return box.scores


def into_the_module(a):
    SCRATCH[0] = a[0]
    SCRATCH[1] = 0.0
    SCRATCH[1] += a[1]
    return SCRATCH.copy()


def into_an_array(a):
    found = np.zeros_like(a)
    for place, number in enumerate(a):
        found[place] = number * 3.0
    return found


@pytest.mark.parametrize("body", [into_an_argument, into_an_attribute, into_the_module, into_an_array])
def test_what_is_written_into_an_array_is_there_afterwards(body) -> None:
    moved = rounded_by(body, Shares(3))
    assert moved is not None
    assert np.allclose(moved(np.array([0.1, 0.2, 0.7])), body(np.array([0.1, 0.2, 0.7])), rtol=1e-14, atol=0.0)


def test_assignments_in_place_are_moved_and_look_their_target_up_once() -> None:
    as_it_is = in_place(0.1)
    LOOKED_UP.clear()
    unmoved = rounded_by(in_place, Shares(3, 0.0))
    assert unmoved is not None
    for found, other in zip(as_it_is, unmoved(0.1), strict=True):
        assert np.array_equal(found, other)
    assert LOOKED_UP == [1, 3]
    moved = rounded_by(in_place, Shares(3))
    assert moved is not None
    changes = np.array([np.abs(np.subtract(x, y)).max() for x, y in zip(moved(0.1)[:3], as_it_is, strict=False)])
    assert (changes > 0.0).sum() >= 2  # of an array, an attribute and an item, of which one may round to what it was
    assert (changes < 1e-14).all()


def test_the_same_number_is_moved_by_the_same_share_and_the_other_way_next() -> None:
    numbers = np.random.default_rng(0).standard_normal((50, 40))[:, ::2]
    for seed in range(3):
        assert (scattered(numbers, seed) == [[scattered(float(x), seed) for x in row] for row in numbers]).all()
    assert abs(scattered(numbers, 0).mean()) < 0.1
    assert abs(scattered(numbers, 0).std() - 3**-0.5) < 0.1
    assert (Shares(6).of(numbers) == -Shares(7).of(numbers)).all()
