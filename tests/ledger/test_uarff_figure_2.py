"""Figure 2 on regression data: the cross validation is the direct one, and the judgements notice bad features."""

import math
from statistics import NormalDist

import numpy as np
import pytest
import torch
from torch import Tensor

from harness.claims.rows import repetitions_needed
from harness.claims.uarff import figure_2_regression, figure_2_tuned_kernel
from harness.claims.uarff.feature_pool import Selection, cosines
from harness.claims.uarff.folded_pool import FOLDS, REGULARISATIONS, FoldedPool, gaussian_features
from harness.data import Table
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import bare_check

SMALL = figure_2_regression.Search((6, 12), pool=40, widths=(1.0, 2.0), scores=(1e-6, 1e-4))


def waves(rows: int) -> tuple[Tensor, Tensor]:
    points = 2 * torch.rand(rows, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) - 1
    return points, torch.sin(3 * points).sum(-1)


@pytest.fixture
def small(monkeypatch):
    points, targets = waves(160)
    table = Table(points.numpy(), targets.numpy())
    monkeypatch.setattr(figure_2_regression, "required", lambda *_: table)
    monkeypatch.setattr(figure_2_regression, "FEW", SMALL)
    monkeypatch.setattr(figure_2_regression, "MANY", SMALL)
    monkeypatch.setattr(figure_2_tuned_kernel, "required", lambda *_: table)
    monkeypatch.setattr(figure_2_tuned_kernel, "SEARCH", SMALL)
    monkeypatch.setattr(figure_2_tuned_kernel, "MANY", 10)
    monkeypatch.setattr(figure_2_tuned_kernel, "MANY_POOL", 300)


def test_cross_validation_from_gram_matrices_is_the_direct_one():
    """The same errors from predictions, with the folds left out one by one and features weighted and repeated."""
    points, targets = waves(61)
    train, test = (points[:50], targets[:50]), (points[50:], targets[50:])
    generator = torch.Generator().manual_seed(1)
    features = gaussian_features(9, 2, 1.0, generator=generator)
    chosen = Selection(torch.tensor([3, 3, 0, 7]), torch.tensor([0.5, 0.5, 2.0, 1.0], dtype=torch.float64))

    def predicted(rows: Tensor, at: Tensor, regularisation: float) -> Tensor:
        z, new = (cosines(x, features[chosen.indices]).double() * chosen.weights for x in (points[rows], at))
        ridge = len(rows) * regularisation * 4 * torch.eye(4, dtype=torch.float64)
        return new @ torch.linalg.solve(z.mT @ z + ridge, z.mT @ targets[rows])

    everything = torch.arange(50)
    expected = []
    for regularisation in REGULARISATIONS:
        left = [
            predicted(everything[~torch.isin(everything, fold)], points[fold], regularisation) - targets[fold]
            for fold in everything.tensor_split(FOLDS)
        ]
        off = predicted(everything, points[50:], regularisation) - targets[50:]
        expected.append([math.sqrt(torch.cat(left).square().mean()), math.sqrt(off.square().mean())])
    found = FoldedPool.of(train, test, features).best(chosen)
    assert found.tolist() == pytest.approx(min(expected), rel=1e-6)


def test_splits_are_four_fifths_scaled_by_the_training_points(small):
    points, targets = waves(160)
    train, test = figure_2_regression.split(points, targets, torch.Generator().manual_seed(3))
    assert (len(train[1]), len(test[1])) == (128, 32)
    np.testing.assert_allclose(train[0].mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(train[0].std(0), 1)
    assert float(train[1].mean()) == pytest.approx(0, abs=1e-12)


def test_every_row_runs_on_small_data(small, monkeypatch):
    monkeypatch.setattr(figure_2_regression, "REPETITIONS", 4)
    rows = figure_2_regression.many_features_on_kinematics(draw=Draw(8, ("test",)))
    assert {row.trials for row in rows} == {4}
    assert [row.printed for row in rows] == [0.0, None, None, None, None]
    rows = figure_2_regression.leverage_weighted_features_are_significantly_better(
        draw=Draw(8, ("test",)), data="kin8nm"
    )
    assert [row.printed for row in rows] == [0.0, 0.0, None, None, None, None]


def constant(self: FoldedPool, count: int, *_: Tensor, generator: torch.Generator) -> Selection:
    """Features that predict nothing."""
    return Selection(torch.zeros(1, dtype=torch.int64), torch.zeros(1, dtype=torch.float64))


CLAIMS = {
    "fig-2": figure_2_regression.leverage_weighted_features_on_regression_data,
    "fig-2-significant": figure_2_regression.leverage_weighted_features_are_significantly_better,
    "fig-2-tuned-kernel": figure_2_tuned_kernel.leverage_weighted_features_of_the_tuned_kernel_are_better,
    "app-F": figure_2_regression.many_features_on_kinematics,
}


@pytest.mark.parametrize(
    ("spoilt", "name", "status"),
    [
        ("by_leverage", "fig-2", Status.REFUTED),
        ("by_leverage", "fig-2-significant", Status.REFUTED),
        ("by_leverage", "app-F", Status.REFUTED),
        ("by_leverage", "fig-2-tuned-kernel", Status.REFUTED),
        ("plain", "fig-2-significant", Status.HOLDS),
        ("plain", "fig-2-tuned-kernel", Status.HOLDS),
        ("plain", "app-F", Status.REFUTED),
    ],
)
def test_features_that_predict_nothing_decide_every_row(small, monkeypatch, spoilt, name, status):
    monkeypatch.setattr(FoldedPool, spoilt, constant)
    assert bare_check(CLAIMS[name]).status is status


def test_the_kernel_is_tuned_for_the_kernel(small):
    """Of the two widths in units of the median distance the pool has that of its smaller error in cross validation."""
    train, test = figure_2_regression.split(*waves(160), torch.Generator().manual_seed(3))
    tuned = figure_2_tuned_kernel._tuned(train, test, SMALL.pool, torch.Generator().manual_seed(4))
    pool, regularisation = tuned.pool, tuned.regularisation
    median, generator, errors = float(torch.pdist(train[0]).median()), torch.Generator().manual_seed(4), []
    for width in SMALL.widths:
        features = gaussian_features(SMALL.pool, 2, width * median / math.sqrt(2), generator=generator)
        errors.append(FoldedPool.of(train, test, features).best(pool.everything())[0])
    assert float(pool.best(pool.everything())[0]) == pytest.approx(float(min(errors)))
    assert pool.tuned(pool.everything())[1] == regularisation
    assert regularisation in REGULARISATIONS


def test_so_many_repetitions_tell_the_mean_from_the_margin():
    """Errors alike hold in 99 of 100 runs; half as many repetitions of errors ten per cent apart are not refuted."""
    count, margin, deviation = 60, 0.1, 0.4
    assert repetitions_needed(margin, 1638**-0.5, error=1e-5, power=0.99) == 3
    needed = repetitions_needed(margin, deviation, error=1e-5, power=0.99)
    assert needed > count
    limit = NormalDist().inv_cdf(1 - 1e-5) * deviation / math.sqrt(needed)
    assert NormalDist(0.0, deviation / math.sqrt(needed)).cdf(margin - limit) == pytest.approx(0.99, abs=0.002)


@pytest.mark.parametrize("spoilt", ["leverage_sampling_weights", "ridge_leverage_scores"])
def test_scores_that_find_nothing_are_not_comparable(small, monkeypatch, spoilt):
    """Weights of zero, or scores that draw a single feature again and again."""

    def nothing(first: Tensor, *_: object) -> Tensor:
        if spoilt == "leverage_sampling_weights":
            return torch.zeros_like(first)
        return torch.eye(first.shape[-1], dtype=first.dtype)[0]

    monkeypatch.setattr(figure_2_tuned_kernel, spoilt, nothing)
    assert bare_check(figure_2_tuned_kernel.many_features_of_the_tuned_kernel).status is not Status.HOLDS


def test_many_features_come_from_the_scores_of_their_pool(small):
    rows = figure_2_tuned_kernel.many_features_of_the_tuned_kernel(draw=Draw(8, ("test",)))
    assert [row.printed for row in rows] == [0.0, None, None]
    assert all(math.isfinite(row.ours) for row in rows)
