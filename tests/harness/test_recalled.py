"""The search over distributions evaluates none twice on the same random numbers, and recalls what it has found."""

from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from harness import high_probability
from harness.language.anatomy import anatomy
from harness.language.registry import Claim, claim
from harness.search.distributions import DistributionObjective, Sample, Statistic, Usual

CALLS: list[int] = []


@claim("recalled/means", high_probability("delta"), over=[{"delta": 0.1}])
def means(forall: Any, draw: Any, *, delta: float) -> Any:
    """A mean of uniform numbers and half the mean of one of its two variables."""
    a, b = forall.interval("a", 0.0, 1.0), forall.interval("b", 0.0, 1.0)
    CALLS.append(draw.reps)
    return draw.uniform("u", 3).mean(-1) * a, 0.5 * b + 0.0 * a


def _most(sample: Sample) -> float:
    return float(sample.lhs.max())


def _least(sample: Sample) -> float:
    return float((sample.lhs - sample.rhs).min())


def _objective(usual: Usual, statistic: Statistic, key: str = "laws") -> DistributionObjective:
    made: Claim = means
    spaces = anatomy(made, {"delta": 0.1}).spaces
    objective = DistributionObjective(made, {"delta": 0.1}, spaces, 101, (key,), statistic, usual=usual)
    objective.outcomes = []
    return objective


def _values(*pairs: tuple[float, float]) -> dict[str, torch.Tensor]:
    a, b = torch.tensor(pairs, dtype=torch.float64).T
    return {"a": a, "b": b}


def test_each_distribution_is_evaluated_once_and_scored_by_every_statistic() -> None:
    usual, values = Usual(), _values((0.2, 0.7), (0.7, 0.2), (0.2, 0.7))
    CALLS.clear()
    first = _objective(usual, _most).scores(values, 3)
    again = _objective(usual, _least).scores(values, 3)
    assert CALLS.count(101) == 2
    assert torch.equal(again, _objective(Usual(), _least).scores(values, 3))
    assert torch.equal(first, _objective(Usual(), _most).scores(values, 3))
    assert first[0] == first[2] != first[1]


def test_other_random_numbers_are_another_question() -> None:
    usual, values = Usual(), _values((0.5, 0.5))
    assert _objective(usual, _most).scores(values, 1) != _objective(usual, _most, "heat").scores(values, 1)


def test_the_order_of_variables_does_not_matter() -> None:
    """Nor are the values of one taken for another's."""
    usual = Usual()
    one, other = _values((0.2, 0.7)), _values((0.7, 0.2))
    score = _objective(usual, _least).scores(one, 1)
    assert _objective(usual, _least).scores(dict(reversed(other.items())), 1) != score
    assert _objective(usual, _least).scores(dict(reversed(one.items())), 1) == score


def test_rounding_is_measured_on_the_sides_that_are_known() -> None:
    """`surely` asks for trials of its own, not for those of the score again."""
    objective, values = _objective(Usual(), _most), _values((0.5, 0.5))
    CALLS.clear()
    plain = float(objective.scores(values, 1)[0])
    assert objective.surely(values) == plain
    assert CALLS.count(101) == 1
    assert len(CALLS) > 1


def test_what_was_met_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Usual()
    objective = _objective(usual, _most)
    objective.scores(_values((0.1, 0.1)), 1)
    each = usual.held
    monkeypatch.setattr("harness.search.distributions.RECALLED", 2 * each)
    objective.scores(_values((0.2, 0.1), (0.3, 0.1), (0.2, 0.1)), 3)
    assert usual.held == 2 * each
    with mock.patch.object(DistributionObjective, "_drawn", side_effect=AssertionError):
        objective.scores(_values((0.3, 0.1), (0.2, 0.1)), 2)
    CALLS.clear()
    objective.scores(_values((0.1, 0.1)), 1)
    assert CALLS == [101]


def test_what_is_kept_is_no_view() -> None:
    """A view of what a body made would keep all of that in memory."""
    usual = Usual()
    _objective(usual, _most).scores(_values((0.4, 0.4)), 1)
    (scored,) = usual.recent.values()
    assert scored is not None
    for array in (scored.plain, scored.sample.lhs, scored.sample.rhs):
        assert isinstance(array, np.ndarray)
        assert array.base is None


def _parts(usual: Usual) -> DistributionObjective:
    objective = _objective(usual, _most)
    objective.chunk = 30
    return objective


def test_random_numbers_that_are_drawn_in_parts_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts have streams of their own; what is kept or drawn anew scores the same."""
    values = _values((0.2, 0.7), (0.7, 0.2))
    all_of_them, few = Usual(), Usual()
    kept = _parts(all_of_them).scores(values, 2)
    assert [(key[-1], reps) for key, reps in all_of_them.numbers] == [(0, 30), (30, 30), (60, 30), (90, 11)]
    assert torch.equal(_objective(Usual(), _most).scores(values, 2) == kept, torch.tensor([False, False]))
    monkeypatch.setattr("harness.search.distributions.KEPT", 1)
    assert torch.equal(_parts(few).scores(values, 2), kept)
    assert len(few.numbers) == 1


def test_the_next_search_of_a_cell_has_the_same_random_numbers() -> None:
    usual, values, others = Usual(), _values((0.2, 0.7)), _values((0.3, 0.6))
    _parts(usual).scores(values, 1)
    with mock.patch("harness.language.quantifiers.stream", side_effect=AssertionError):
        again = _parts(usual).scores(others, 1)
    assert torch.equal(again, _parts(Usual()).scores(others, 1))
