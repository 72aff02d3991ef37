"""Table 10 by cross-validation: folds in modes are folds of features, and the grids follow their rules."""

import itertools
import math

import pytest
import torch

from harness.claims.uarff import table_10_validated
from harness.claims.uarff.feature_pool import cosines
from harness.claims.uarff.gaussian_modes import GaussianModes
from harness.claims.uarff.table_10 import Sizes
from harness.claims.uarff.table_10_validated import Folds, degree, regularisations, validated_rows, widths

MODES = GaussianModes(width=0.8, input_scale=1.0, degree=30)
TINY = Sizes(points=400, pool=200, features=30)


def source(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_widths_double_from_the_median_distance_to_the_spread_of_the_target():
    points = math.sqrt(5) * torch.randn(2, 10**5, 2, dtype=torch.float64, generator=source(0))
    median = float((points[0] - points[1]).norm(dim=-1).median())
    grid = widths()
    assert grid[0] == pytest.approx(1 / median, rel=0.01)
    assert [b / a for a, b in itertools.pairwise(grid)] == pytest.approx([2.0] * (len(grid) - 1))
    assert grid[-2] < math.sqrt(4.5) <= grid[-1]


def test_the_degree_leaves_out_no_more_than_stated():
    """E |a|^2 over features is one for every mode, so that the modes kept have the mean square sum mu_j mu_k."""
    found = degree(1.5)
    missing = [1 - float(torch.stack(_masses(1.5, k)).sum()) for k in (found - 1, found)]
    assert missing[1] <= 0.003**2 < missing[0]


def _masses(width: float, largest: int) -> list[torch.Tensor]:
    roots = GaussianModes(width=width, input_scale=math.sqrt(5), degree=largest).roots
    return [(m + 1) * root.square() for m, root in enumerate(roots)]


def test_cross_validation_in_modes_is_that_of_the_features():
    points = torch.randn(300, 2, dtype=torch.float64, generator=source(1))
    targets = torch.sin(points.sum(-1)) + 0.1 * torch.randn(300, dtype=torch.float64, generator=source(2))
    features = torch.cat(
        [0.8 * torch.randn(50, 2, generator=source(3)), 6 * torch.rand(50, 1, generator=source(4))], -1
    )
    z = cosines(points, features.double()) / math.sqrt(50)
    losses = []
    for each in regularisations(300):
        wrong = 0.0
        for held in torch.arange(300).tensor_split(5):
            rest = torch.ones(300, dtype=torch.bool).index_fill(0, held, value=False)
            gram = z[rest].mT @ z[rest] / int(rest.sum()) + each * torch.eye(50, dtype=torch.float64)
            beta = torch.linalg.solve(gram, z[rest].mT @ targets[rest] / int(rest.sum()))
            wrong += float((z[held] @ beta - targets[held]).square().sum())
        losses.append(math.sqrt(wrong / 300))
    root = MODES.of_features(features.double()) / math.sqrt(50)
    error, fitted = Folds.of(MODES, (points, targets)).best(root)
    assert float(error) == pytest.approx(min(losses), rel=1e-4)
    ridge = regularisations(300)[losses.index(min(losses))] * torch.eye(50, dtype=torch.float64)
    beta = torch.linalg.solve(z.mT @ z / 300 + ridge, z.mT @ targets / 300)
    torch.testing.assert_close(MODES.of_points(points) @ fitted, z @ beta, atol=1e-4, rtol=0)


def test_a_root_squares_to_its_operator():
    some = torch.randn(9, 5, dtype=torch.float64, generator=source(5))
    root = table_10_validated._root(some @ some.mT)
    torch.testing.assert_close(root.mT @ root, some @ some.mT)


def test_every_learner_has_its_own_best_width(monkeypatch):
    """Each of three learners validates best at another of four widths, and is tested there."""
    best = [0, 2, 3]

    def made(_parts: object, width: float, *_: object, **__: object) -> torch.Tensor:
        place = widths().index(width)
        return torch.tensor([[abs(place - k), 10.0 * k + place] for k in best], dtype=torch.float64)

    monkeypatch.setattr(table_10_validated, "errors_at", made)
    rows = validated_rows([source(6), source(7)], TINY, plain=600)
    assert [row.ours for row in rows[2:5]] == [0.0, 22.0, 33.0]
    assert [float(row.ours) for row in rows[5:]] == pytest.approx([widths()[k] for k in best])
    assert [row.printed for row in rows] == [0.0, -0.03, None, None, None, None, None, None]


def test_rows_of_a_small_problem(monkeypatch):
    """At the two narrower widths: wider kernels take more modes than this problem has points."""
    narrow = widths()[:2]
    monkeypatch.setattr(table_10_validated, "widths", lambda: narrow)
    rows = validated_rows([source(8)], TINY, plain=600)
    few, leverage, every = (float(row.ours) for row in rows[2:5])
    assert [float(row.ours) for row in rows[:2]] == pytest.approx([few - leverage, every - leverage])
    assert every < few
