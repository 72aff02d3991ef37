"""Appendix F of uarff, the "only": the kernel machine is the direct one, and errors decide the rows as they should."""

import itertools
import math

import pytest
import torch
from torch import Tensor

from harness.claims.uarff import fewer_features
from harness.claims.uarff.feature_pool import REGULARISATIONS, Sample, cosines
from harness.claims.uarff.figure_2_tuned_kernel import SEARCH
from harness.claims.uarff.folded_pool import gaussian_features
from harness.data import Table
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import bare_check

CLAIM = fewer_features.fewer_features_do_not_reach_the_kernel_machine


def waves(rows: int) -> Sample:
    points = 2 * torch.rand(rows, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) - 1
    return points, torch.sin(3 * points).sum(-1)


@pytest.fixture
def small(monkeypatch):
    points, targets = waves(160)
    monkeypatch.setattr(fewer_features, "required", lambda *_: Table(points.numpy(), targets.numpy()))
    monkeypatch.setattr(fewer_features, "FEATURES", (3, 6, 40))
    monkeypatch.setattr(fewer_features, "POOL", 300)


def test_the_kernel_machine_is_ridge_regression_in_many_features():
    points, targets = waves(80)
    train, test = (points[:60], targets[:60]), (points[60:], targets[60:])
    machine = fewer_features.Gaussian(0.7, 1e-4)
    pool = gaussian_features(100_000, 2, 0.7 / math.sqrt(2), generator=torch.Generator().manual_seed(1))
    z, new = (cosines(x, pool) / math.sqrt(len(pool)) for x in (train[0], test[0]))
    fitted = torch.linalg.solve(z @ z.mT + 60 * 1e-4 * torch.eye(60, dtype=torch.float64), train[1])
    expected = (new @ (z.mT @ fitted) - test[1]).square().mean().sqrt()
    assert float(machine.error(train, test)) == pytest.approx(float(expected), rel=0.1)


def test_width_and_lambda_are_those_of_the_smallest_errors_on_the_folds_held_out():
    points, targets = waves(100)
    median = float(torch.pdist(points).median())

    def loss(width: float, lam: float, count: int, held: range) -> float:
        total = 0.0
        for fold in [torch.arange(count).tensor_split(5)[j] for j in held]:
            rest = torch.tensor([i for i in range(count) if i not in fold])
            kernel = (-torch.cdist(points[:count], points[:count]).square() / (2 * width**2)).exp()
            system = kernel[rest][:, rest] + len(rest) * lam * torch.eye(len(rest), dtype=torch.float64)
            left = kernel[fold][:, rest] @ torch.linalg.solve(system, targets[rest]) - targets[fold]
            total += float(left.square().sum())
        return total

    widths = [factor * median for factor in SEARCH.widths]
    width = min(widths, key=lambda w: min(loss(w, lam, 50, range(5)) for lam in REGULARISATIONS))
    machine = fewer_features.tuned_machine((points, targets))
    assert machine.width == pytest.approx(width)
    assert machine.regularisation == min(REGULARISATIONS, key=lambda lam: loss(width, lam, 100, range(4, 5)))


def test_only_fewer_features_than_the_most_are_judged(small):
    rows = CLAIM.body(draw=Draw(8, ("test",)))
    assert [row.printed for row in rows] == [10.0, 10.0, None, 10.0, 10.0, None, None, None, None, None]
    assert all(math.isfinite(row.ours) for row in rows)


@pytest.mark.parametrize(
    ("few", "most", "status"), [(1.5, 1.3, Status.HOLDS), (1.05, 1.0, Status.REFUTED), (0.5, 0.5, Status.REFUTED)]
)
def test_errors_within_ten_per_cent_refute(small, monkeypatch, few, most, status):
    """With repetitions that differ: equal ones decide nothing."""
    changes = itertools.cycle((0.9999, 1.0, 1.0001))

    def errors(*_: Tensor) -> tuple[Tensor, Tensor]:
        found = torch.tensor([[few, few], [few, few], [most, most]]).double()
        return torch.tensor(1.0).double(), found * next(changes)

    monkeypatch.setattr(fewer_features, "_errors", errors)
    assert bare_check(CLAIM).status is status
