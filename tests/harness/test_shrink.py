"""A reduced counterexample is simpler, inside its sets, and still violates."""

import pytest
import torch
from torch import Tensor

from harness.language.spaces import Ball, Integers, Interval, PositiveSemidefinite, Simplex, tensor
from harness.search.objective import Batch
from harness.search.shrink import complexity, shrink
from tests.harness.scores import Score, rng_of


def _violates(scores: Tensor) -> Tensor:
    return scores > 0.0


REDUCIBLE: list[tuple[str, Score, Batch]] = [
    (
        "interval",
        Score(lambda x: x[:, 2] - 0.3, Interval("x", (5,), 0.0, 1.0)),
        {"x": tensor([[0.123456, 0.9182, 0.777123, 0.1234, 0.5555]])},
    ),
    (
        "simplex",
        Score(lambda x: x[:, 1] - 0.3, Simplex("x", (3,))),
        {"x": tensor([[0.123456789, 0.654321, 1.0 - 0.123456789 - 0.654321]])},
    ),
    (
        "ball",
        Score(lambda x: x[:, 0] - 0.5, Ball("x", (3,), 1.0, surface=False)),
        {"x": tensor([[0.7123, 0.31, -0.2]])},
    ),
    (
        "sphere",
        Score(lambda x: x[:, 0] - 0.5, Ball("x", (3,), 1.0, surface=True)),
        {"x": tensor([[0.8, 0.36, 0.48]])},
    ),
    ("integers", Score(lambda x: x[:, 0] - 5.5, Integers("x", (2,), -9, 99)), {"x": tensor([[97.0, -7.0]])}),
    (
        "psd",
        Score(lambda x: x[:, 0, 0] - 0.5, PositiveSemidefinite("x", (2, 2), None)),
        {"x": tensor([[[1.234567, 0.345678], [0.345678, 2.345678]]])},
    ),
]


@pytest.mark.parametrize(("objective", "instance"), [r[1:] for r in REDUCIBLE], ids=[r[0] for r in REDUCIBLE])
def test_a_reduced_instance_is_simpler_still_inside_and_still_violates(objective: Score, instance: Batch) -> None:
    small = shrink(objective.spaces, instance, _violates, objective.scores)
    assert complexity(small) < complexity(instance)
    assert float(objective.scores(small, 1)) > 0.0
    assert bool(objective.spaces[0].contains(small["x"]).all())
    assert len(repr(small["x"].tolist())) <= len(repr(instance["x"].tolist()))


def test_nothing_is_reduced_that_would_not_violate() -> None:
    objective = Score(lambda x: (x - 0.777).abs().neg() + 1e-12, Interval("x", (), 0.0, 1.0))
    instance = {"x": tensor([0.777])}
    assert torch.equal(shrink(objective.spaces, instance, _violates, objective.scores)["x"], instance["x"])


def test_reduction_of_many_entries_ends() -> None:
    objective = Score(lambda x: x.reshape(len(x), -1).sum(-1) - 1.0, Interval("x", (30, 30), 0.0, 1.0))
    instance = {"x": tensor(rng_of(0).random((1, 30, 30)))}
    small = shrink(objective.spaces, instance, _violates, objective.scores)
    assert complexity(small) < complexity(instance)
