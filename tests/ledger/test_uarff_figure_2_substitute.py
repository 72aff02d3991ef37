"""Figure 2 on bundled data: the protocol notices bad features of either sampling, and its rules are as stated."""

import pytest
import torch
from torch import Tensor

from algos.ridge.leverage import effective_dimension, feature_kernel
from harness.claims.uarff import figure_2_substitute
from harness.claims.uarff.feature_pool import cosines
from harness.claims.uarff.figure_2_substitute import TASKS, Task, counts_below_a_tenth, ridge_of_dimension, rows_of
from harness.claims.uarff.folded_pool import gaussian_features


def waves(rows: int, *, classes: bool) -> tuple[Tensor, Tensor]:
    points = 2 * torch.rand(rows, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) - 1
    targets = torch.sin(3 * points).sum(-1)
    return points, torch.where(targets > 0.3, 1.0, -1.0).double() if classes else targets


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(figure_2_substitute, "POOL", 60)


@pytest.mark.in_turn
@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("spoilt", ["", "leverage", "plain"])
def test_features_that_predict_nothing_show_in_the_gain(small, monkeypatch, spoilt, classes):
    """Weights of zero lose; plain features that are one feature again and again, no frequency in it, lose too."""
    if spoilt == "leverage":
        monkeypatch.setattr(figure_2_substitute, "leverage_sampling_weights", torch.zeros_like)
    if spoilt == "plain":
        monkeypatch.setattr(torch, "randperm", lambda n, **_: torch.arange(n) if n > 60 else torch.zeros(n).long())
    task = Task(lambda: waves(150, classes=classes), classes=classes, draws=2, deviation=1.0)
    source = torch.Generator().manual_seed(1)
    counts = [8, 16]
    errors = torch.stack([figure_2_substitute.split_errors(*task.data(), task, counts, source) for _ in range(3)])
    assert errors.shape == (3, 2, 2)
    judged = [row for row in rows_of(errors, counts, task) if row.printed is not None]
    assert len(judged) == (1 if classes else 2)
    largest = {"leverage": -5.0, "plain": torch.inf, "": 40.0}[spoilt]
    assert all(row.ours < largest for row in judged)
    assert spoilt != "plain" or all(row.ours > 5.0 for row in judged)


def test_gains_are_those_of_leverage():
    errors = torch.tensor([[[2.0, 1.0], [4.0, 3.0]], [[2.0, 1.5], [4.0, 5.0]]])
    regression, classes = (rows_of(errors, [8, 16], TASKS[name]) for name in ("diabetes", "breast cancer"))
    assert [(row.ours, row.printed) for row in regression[:2]] == [(37.5, 0.0), (0.0, 0.0)]
    assert (classes[0].ours, classes[0].printed) == (0.375, 0.0)
    assert [row.ours for row in regression[2:]] == [row.ours for row in classes[1:]] == [2.0, 4.0, 1.25, 4.0]


def test_counts_and_splits_are_those_of_the_page():
    assert [counts_below_a_tenth(n) for n in (354, 456, 320)] == [[8, 16, 32], [8, 16, 32], [4, 8, 16]]
    assert [task.splits for task in TASKS.values()] == [256, 164]


def test_scores_are_at_the_lambda_of_the_dimension():
    points, _ = waves(50, classes=False)
    features = gaussian_features(60, 2, 0.5, generator=torch.Generator().manual_seed(2))
    kernel = feature_kernel(cosines(points, features), torch.full((60,), 1 / 60, dtype=torch.float64))
    ridge = ridge_of_dimension(kernel, 4.0)
    assert float(effective_dimension(kernel, ridge)) == pytest.approx(4.0)
