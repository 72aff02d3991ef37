"""Table 10 at its sizes: ridge in Hermite modes is ridge on features, and the judgement notices bad features."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from algos.ridge.leverage_sampling import pool_leverage_scores
from harness.claims.full_size import FULL
from harness.claims.uarff import table_10_sizes
from harness.claims.uarff.feature_pool import cosines
from harness.claims.uarff.gaussian_modes import GaussianModes, ModalSample
from harness.claims.uarff.table_10 import Sizes
from harness.language.quantifiers import Draw
from harness.settings import QUICK
from harness.verdict import Status
from tests.helpers import bare_check

MODES = GaussianModes(width=0.8, input_scale=1.0, degree=30)
TINY = Sizes(points=400, pool=200, features=30, score_regularisations=(1e-4,))


def normal(*shape: int, seed: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def features(count: int) -> Tensor:
    return torch.cat([0.8 * normal(count, 2, seed=1), 6 * normal(count, 1, seed=2)], -1)


def test_products_of_modes_are_the_features():
    points, some = normal(300, 2, seed=0), features(50)
    torch.testing.assert_close(
        MODES.of_points(points) @ MODES.of_features(some).mT, cosines(points, some), atol=1e-6, rtol=0
    )


def test_modes_are_orthonormal_under_the_law_of_the_inputs():
    """By quadrature in one direction; the other one has the value of the constant mode."""
    x = torch.linspace(-12, 12, 4001, dtype=torch.float64)
    density = torch.exp(-x.square() / 2)
    psi = MODES.of_points(torch.stack([x, torch.zeros_like(x)], -1))
    along = torch.tensor([k * 31 - k * (k - 1) // 2 for k in range(6)])  # modes (k, 0)
    columns = psi[:, along] / (MODES.roots[:6] * float(psi[2000, 0] / MODES.roots[0]) / float(first_mode()))
    gram = (density.unsqueeze(-1) * columns).mT @ columns / density.sum()
    torch.testing.assert_close(gram, torch.eye(6, dtype=torch.float64), atol=1e-9, rtol=0)


def first_mode() -> Tensor:
    """phi_0(0) = (c / a)^(1/4), a = 1/4 and b = .32."""
    a, b = 0.25, 0.32
    return torch.tensor((math.sqrt(a**2 + 2 * a * b) / a) ** 0.25, dtype=torch.float64)


@pytest.mark.parametrize("regularisation", [1e-5, 1e-2])
def test_ridge_and_leverage_in_modes_are_those_of_the_features(regularisation: float):
    points, some, weights = normal(300, 2, seed=0), features(50), normal(50, seed=4).abs()
    targets = torch.sin(points.sum(-1)) + 0.1 * normal(300, seed=3)
    sample = ModalSample.of(MODES, points, targets)
    z = cosines(points, some)
    ridge = 50 * 300 * regularisation * torch.eye(50, dtype=torch.float64)
    beta = torch.linalg.solve((z * weights).mT @ (z * weights) + ridge, (z * weights).mT @ targets)
    (fitted,) = sample.fits(sample.operator(some, weights), [regularisation])
    torch.testing.assert_close(MODES.of_points(points) @ fitted, (z * weights) @ beta, atol=1e-5, rtol=0)
    scores = sample.scores(some, sample.operator(some), regularisation)
    torch.testing.assert_close(scores, pool_leverage_scores(z.mT @ z, 300 * regularisation), atol=1e-6, rtol=0)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(table_10_sizes, "PRINTED", TINY)
    monkeypatch.setattr(table_10_sizes, "PLAIN", 600)
    monkeypatch.setattr(table_10_sizes, "DEGREE", 14)


@pytest.mark.in_turn
@pytest.mark.parametrize(("full", "draws"), [("", 4), ("1", 32)])
def test_rows_compare_with_as_many_plain_features_and_with_all(tiny, monkeypatch, full, draws):
    monkeypatch.setenv(FULL, full)
    made: list[Tensor] = []
    errors = table_10_sizes.modal_errors

    def counted(*some: object, **named: object) -> Tensor:
        made.append(errors(*some, **named))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(table_10_sizes, "modal_errors", counted)
    claim = table_10_sizes.leverage_weighted_features_are_as_effective_as_fifty_times_as_many
    rows = claim(draw=Draw(32, ("test",)))
    few, leverage, every = torch.stack(made).mean(0).tolist()
    assert len(made) == draws
    assert [row.printed for row in rows] == [0.0, -table_10_sizes.HALF_WIDTHS, None, None, None]
    assert [float(row.ours) for row in rows] == pytest.approx([few - leverage, every - leverage, few, leverage, every])


def first_ones(scores: Tensor, count: int, *, generator: torch.Generator) -> Tensor:
    """One feature many times."""
    return torch.zeros(count, dtype=torch.int64)


def test_leverage_scores_that_draw_one_feature_are_refuted(tiny, monkeypatch):
    claim = table_10_sizes.leverage_weighted_features_are_as_effective_as_fifty_times_as_many
    monkeypatch.setattr(table_10_sizes, "sample_by_leverage", first_ones)
    eight_sets = replace(QUICK.bare(), replicates=64)
    assert bare_check(claim, effort=eight_sets).status is Status.REFUTED


def test_the_best_of_validation_is_taken():
    class Fits:
        def fits(self, operator: Tensor, regularisations: Sequence[float]) -> list[Tensor]:
            return [operator * k for k, _ in enumerate(regularisations)]

    ones = torch.ones(5, 1, dtype=torch.float64)
    tested = [(ones, torch.full((5,), 2.0)), (ones, torch.full((5,), 2.5))]
    found = table_10_sizes._best(Fits(), [torch.ones(1).double()], tested)  # type: ignore[arg-type]
    assert float(found) == pytest.approx(0.5)
