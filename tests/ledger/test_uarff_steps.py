"""Rows on steps of proofs, on prior work and on classification: each verdict, and what refutes each."""

import math
from functools import partial

import pytest
import torch

from algos.ridge.leverage_sampling import printed_pool_leverage_scores
from algos.ridge.regression import dual_coefficients, feature_ridge_coefficients
from harness.claims.counted import inner
from harness.claims.uarff import approximation, classification, complexity, cost, decomposition, prior_work, proof_steps
from harness.claims.uarff.cost import counted_ridge, sample
from harness.claims.uarff.finite_classes import ball_quadratic_supremum, quadratic_supremum
from harness.claims.uarff.prior_work import FEWER, MORE, SAME, compared
from harness.claims.uarff.proof_steps import _classes as complexities_of_classes
from harness.claims.uarff.proof_steps import _second_moment as second_moment
from harness.claims.uarff.table_rows import with_cell, worst_case
from harness.language.quantifiers import Forall
from harness.language.registry import Claim, registered
from tests.helpers import expected_verdict, falsified, instances, is_refuted

CLAIMS = [
    *registered(classification.__name__),
    *registered(prior_work.__name__),
    *registered(proof_steps.__name__),
    *registered(cost.__name__),
    decomposition.form_over_the_sample_is_the_minimiser,
    approximation.matrix_bernstein_inequality_for_any_matrices,
    complexity.composition_with_a_lipschitz_loss,
]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert expected_verdict(claim, family=100).as_expected


def squared_hinge(name: str, margin: torch.Tensor) -> torch.Tensor:
    return (1 - margin).clamp_min(0).square() if name == "hinge" else torch.nn.functional.softplus(-margin)


def more_plain_features(t: float):
    return with_cell(worst_case(t), "plain", (0.5, 2, 0))


def slow(spectrum: str, n: float, **_: object) -> float:
    return n**-0.5


def inner_twice(first, second):
    inner(first, second)
    return inner(first, second)


def more_features(n: int, s: int):
    return sample(n, 2 * s)


def almost_twice(value, *, lipschitz, convention):
    del convention
    return 1.9 * lipschitz * value


SPOILT = [
    (classification.losses_of_classification_are_lipschitz, classification, "_loss", squared_hinge),
    (prior_work.plain_features_against_rudi_and_rosasco, prior_work, "worst_case", more_plain_features),
    (prior_work.fast_rates_are_those_of_caponnetto_and_de_vito, prior_work, "spectral_fixed_point_bound", slow),
    (proof_steps.steps_on_the_pool, proof_steps, "pool_leverage_scores", printed_pool_leverage_scores),
    (proof_steps.steps_for_lipschitz_losses, proof_steps, "_second_moment", partial(second_moment, factor=2.2)),
    (proof_steps.steps_for_lipschitz_losses, proof_steps, "_classes", partial(complexities_of_classes, factor=0.9)),
    (cost.ridge_regression_takes_so_many_steps, cost, "inner", inner_twice),
    (cost.ridge_regression_keeps_so_many_numbers, cost, "sample", more_features),
    (cost.features_of_the_pool_and_of_the_estimator, cost, "feature_count_exponent",
     lambda *_, of, **__: 1 if of == "n" else 0),
    (decomposition.form_over_the_sample_is_the_minimiser, decomposition, "dual_coefficients",
     lambda kernel, y, ridge: dual_coefficients(kernel, y, 2 * ridge)),
    (complexity.composition_with_a_lipschitz_loss, complexity, "composition_complexity",
     almost_twice),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT, ids=lambda part: getattr(part, "key", ""))
def test_a_spoilt_subject_is_refuted(claim, module, name, wrong, monkeypatch) -> None:
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)


def test_growths_are_compared_by_the_power_of_n_first() -> None:
    assert compared((0, 1, 1), (0, 1, 0)) == MORE
    assert compared((0, 9, 9), (0.5, 0, 0)) == FEWER
    assert compared((1, 1, 0), (1, 1, 0)) == SAME


@pytest.mark.parametrize(
    ("claim", "factor"),
    [(proof_steps.local_rademacher_bound_with_constants, 0.005),
     (approximation.matrix_bernstein_inequality_for_any_matrices, 0.01)],
    ids=lambda part: getattr(part, "key", ""),
)  # fmt: skip
def test_a_smaller_right_side_is_refuted(claim: Claim, factor: float) -> None:
    assert is_refuted(falsified(claim, lambda lhs, rhs: (lhs, factor * rhs)), family=1)


def test_complex_matrices_as_real_ones() -> None:
    """Norm and trace of A + i B against those of the real matrix of twice the size."""
    parts = {"Re R": 2 * instances(1, 2, 3) - 1, "Im R": 2 * instances(1, 2, 3, seed=1) - 1}
    real = approximation._complex(Forall(lambda space: parts[space.name]), "R", 2, 3)
    matrix = torch.complex(parts["Re R"], parts["Im R"])
    torch.testing.assert_close(torch.linalg.matrix_norm(real, 2), torch.linalg.matrix_norm(matrix, 2))
    square = (matrix @ matrix.mH).diagonal(dim1=-2, dim2=-1).sum(-1).real
    torch.testing.assert_close((real @ real.mT).diagonal(dim1=-2, dim2=-1).sum(-1), 2 * square)


def test_the_supremum_of_a_quadratic_form_over_a_disk() -> None:
    """Against a grid of the disk, in degenerate cases as well; in one dimension against the parabola."""
    curvature, slope = 2 * instances(30, 2, 2) - 1, 2 * instances(30, 2, seed=1) - 1
    curvature, radius = curvature + curvature.mT, 0.1 + 2 * instances(30, seed=2)
    curvature[:5], slope[5:10] = 0.0, 0.0
    found = ball_quadratic_supremum(curvature, slope, radius)
    angles, lengths = torch.linspace(0, 2 * math.pi, 1001).double(), torch.linspace(0, 1, 101).double()
    disk = torch.stack([torch.outer(lengths, angles.cos()), torch.outer(lengths, angles.sin())], -1).flatten(0, 1)
    points = radius[:, None, None] * disk
    values = ((points @ curvature) * points).sum(-1) + (points * slope[:, None]).sum(-1)
    gap = found - values.amax(-1)
    assert gap.min() >= -1e-12
    assert gap.max() < 1e-3
    line = ball_quadratic_supremum(curvature[:, :1, :1], slope[:, :1], torch.full_like(radius, 1.3))
    torch.testing.assert_close(line, quadratic_supremum(curvature[:, 0, 0], slope[:, 0], 1.3))


def test_the_counted_coefficients_are_those_of_ridge_regression() -> None:
    features, targets = sample(7, 3)
    found = [c.value for c in counted_ridge(features, targets, ridge=0.5)]
    expected = feature_ridge_coefficients(torch.tensor(features), torch.tensor(targets), 0.5)
    assert found == pytest.approx(expected.tolist(), rel=1e-12)


@pytest.mark.parametrize("size", [1e-42, 1e-120, 1.0])
def test_a_slope_that_is_tiny_beside_the_curvature_adds_its_own_size(size: float) -> None:
    """max theta^T A theta + b theta on the unit disc is lambda_1 + |b_1| + O(|b|^2) where b is small: 1e6 came out."""
    curvature = torch.tensor([[[0.3, 0.2], [0.2, -0.4]]], dtype=torch.float64)
    slope = size * torch.tensor([[1.0, -2.0]], dtype=torch.float64)
    angles = torch.linspace(0.0, 2 * math.pi, 200_001, dtype=torch.float64)
    theta = torch.stack([angles.cos(), angles.sin()], -1)
    largest = ((theta @ curvature[0]) * theta).sum(-1) + theta @ slope[0]
    found = ball_quadratic_supremum(curvature, slope, torch.ones(1, dtype=torch.float64))
    assert float(found) == pytest.approx(float(largest.max()), rel=1e-8)
