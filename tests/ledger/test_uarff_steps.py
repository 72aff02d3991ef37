"""Rows on steps of proofs, on prior work and on classification: each verdict, and what refutes each."""

import math

import pytest
import torch

from algos.ridge.leverage_sampling import printed_pool_leverage_scores
from algos.ridge.regression import dual_coefficients, feature_ridge_coefficients
from harness.claims.counted import inner
from harness.claims.uarff import approximation, classification, complexity, cost, decomposition, prior_work, proof_steps
from harness.claims.uarff.cost import counted_ridge, sample
from harness.claims.uarff.prior_work import FEWER, MORE, SAME, compared
from harness.claims.uarff.table_rows import with_cell, worst_case
from harness.language.registry import Claim, registered
from tests.helpers import bare_check, is_refuted

CLAIMS = [
    *registered(classification.__name__),
    *registered(prior_work.__name__),
    *registered(proof_steps.__name__),
    *registered(cost.__name__),
    decomposition.form_over_the_sample_is_the_minimiser,
    approximation.matrix_bernstein_inequality_for_any_matrices,
    complexity.composition_with_a_lipschitz_loss,
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert bare_check(claim, family=100).as_expected


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
    (proof_steps.scores_of_the_pool_by_either_inverse, proof_steps, "pool_leverage_scores",
     printed_pool_leverage_scores),
    (cost.ridge_regression_takes_so_many_steps, cost, "inner", inner_twice),
    (cost.ridge_regression_keeps_so_many_numbers, cost, "sample", more_features),
    (cost.features_of_the_pool_and_of_the_estimator, cost, "feature_count_exponent",
     lambda *_, of, **__: 1 if of == "n" else 0),
    (decomposition.form_over_the_sample_is_the_minimiser, decomposition, "dual_coefficients",
     lambda kernel, y, ridge: dual_coefficients(kernel, y, 2 * ridge)),
    (complexity.composition_with_a_lipschitz_loss, complexity, "composition_complexity",
     almost_twice),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT, ids=lambda part: getattr(part, "key", ""))
def test_a_spoilt_subject_is_refuted(claim, module, name, wrong, monkeypatch) -> None:
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)


def test_growths_are_compared_by_the_power_of_n_first() -> None:
    assert compared((0, 1, 1), (0, 1, 0)) == MORE
    assert compared((0, 9, 9), (0.5, 0, 0)) == FEWER
    assert compared((1, 1, 0), (1, 1, 0)) == SAME


def test_the_fixed_point_of_lemma_6_solves_its_equation() -> None:
    """root^2 = c1 sqrt(2 k / n) root + c2 x / n at the numbers of the first cell."""
    scale, offset = 20 * math.sqrt(4 / 100_000), 31 * math.log(30) / 100_000
    root = (scale + math.sqrt(scale**2 + 4 * offset)) / 2
    assert root**2 == pytest.approx(scale * root + offset, rel=1e-14)


def test_the_counted_coefficients_are_those_of_ridge_regression() -> None:
    features, targets = sample(7, 3)
    found = [c.value for c in counted_ridge(features, targets, ridge=0.5)]
    expected = feature_ridge_coefficients(torch.tensor(features), torch.tensor(targets), 0.5)
    assert found == pytest.approx(expected.tolist(), rel=1e-12)
