"""The coordinate search evaluates nothing twice, and finds exactly what it would find if it did."""

from collections import Counter
from itertools import count

import pytest
import torch
from torch import Tensor

from harness.language.spaces import Integers, Interval, Signs, tensor
from harness.search.local_search import local_search
from harness.search.objective import TIE
from harness.search.population import Population
from harness.search.starts import random_points
from tests.harness.scores import Score, rng_of


class Tally:
    """A rugged score, and how often each instance was asked for."""

    def __init__(self, *, ties: bool = False) -> None:
        self.asked: Counter[bytes] = Counter()
        self.ties = ties

    def __call__(self, **parts: Tensor) -> Tensor:
        rows = torch.cat([part.reshape(len(part), -1) for part in parts.values()], dim=-1)
        self.asked.update(row.numpy().tobytes() for row in rows)
        found = -1.0 - (rows * tensor(range(1, rows.shape[-1] + 1))).sum(-1).sin().square()
        return torch.where(rows.sum(-1) > 0.0, TIE, found) if self.ties else found


def _found(tally: Tally, entries: int) -> Population:
    spaces = (Signs("s", (entries,)), Integers("k", (2,), -3, 3), Interval("x", (2,), 0.0, 1.0))
    objective = Score(tally, *spaces)
    starts = random_points(objective, rng_of(1), 32)
    tally.asked.clear()
    return local_search(objective, rng_of(2), starts, 60, 64)


@pytest.mark.parametrize("entries", [3, 12])
def test_nothing_is_evaluated_twice_and_nothing_else_is_found(entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    once, again = Tally(), Tally()
    found = _found(once, entries)
    assert set(once.asked.values()) == {1}
    numbers = count()
    monkeypatch.setattr(
        "harness.search.local_search._names", lambda _, batch: [str(next(numbers)).encode() for _ in range(batch)]
    )
    plain = _found(again, entries)
    assert again.asked.total() > once.asked.total()
    assert torch.equal(found.scores, plain.scores)
    assert all(torch.equal(found.values[name], plain.values[name]) for name in plain.values)


def test_a_tie_is_asked_about_again() -> None:
    """Its rounding may not have been measured yet."""
    tally = Tally(ties=True)
    _found(tally, 3)
    repeated = {
        torch.frombuffer(bytearray(row), dtype=torch.float64).sum().item() > 0.0
        for row, n in tally.asked.items()
        if n > 1
    }
    assert repeated == {True}
