"""Counted arithmetic: the numbers are right, each operation is a step, and a formula in n^2 steps is noticed."""

import math

import numpy as np
import pytest
import torch

from algos.kernel_learning.alignment import multiclass_alignment_loss
from algos.kernel_learning.greedy_kernel import pseudo_bayesian_weights
from algos.ridge.regression import dual_coefficients, feature_ridge_coefficients
from harness.claims.counted import Counted, Steps, inner, total
from harness.claims.pbrff import operations, predictors
from harness.claims.pbrff.operations import counted_loss, counted_posterior, sample
from tests.helpers import expected_verdict, is_refuted


def test_each_operation_is_a_step_and_has_its_value():
    steps = Steps()
    a, b = Counted(3.0, steps), Counted(2.0, steps)
    results = [a + b, a - b, a * b, a * 4.0, a / b, a / 4.0, a.cos(), a.sin(), a.exp(), a.sqrt()]
    assert steps.taken == len(results)
    assert [r.value for r in results] == [5, 1, 6, 12, 1.5, 0.75, math.cos(3), math.sin(3), math.exp(3), math.sqrt(3)]
    assert (total([a, b, a]).value, steps.taken) == (8.0, len(results) + 2)
    assert (inner([a, b], [b, b]).value, steps.taken) == (10.0, len(results) + 5)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("method", ["(21)", "Proposition 7", "Proposition 8"])
def test_every_formula_gives_the_loss(method, classes):
    if (method, classes) == ("Proposition 7", 3):
        pytest.skip("Proposition 7 is for two classes")
    points, labels, frequency = sample(7, 3, classes)
    expected = multiclass_alignment_loss(*(torch.tensor(part, dtype=torch.float64) for part in (points, labels)),
                                         torch.tensor(frequency).unsqueeze(0))  # fmt: skip
    assert counted_loss(points, labels, frequency, method).value == pytest.approx(float(expected), rel=1e-12)


def test_the_counted_posterior_is_that_of_equation_19():
    losses = np.array([0.2, 0.5, 0.35])
    expected = pseudo_bayesian_weights(torch.tensor(losses), 1.5, sample_size=20)
    found = [weight.value for weight in counted_posterior(losses, 1.5, sample_size=20)]
    assert found == pytest.approx(expected.tolist(), rel=1e-12)


CLAIMS = [
    operations.loss_takes_linearly_many_steps,
    operations.naive_loss_takes_quadratically_many_steps,
    operations.new_posterior_takes_linearly_many_steps,
    predictors.both_forms_are_learned_as_the_same_predictor,
    predictors.form_over_the_sample_has_the_smallest_norm,
]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim):
    assert expected_verdict(claim, family=100).as_expected


def naive(points, labels, frequency, method):
    del method
    return counted_loss(points, labels, frequency, "(21)")


def clever(points, labels, frequency, method):
    del method
    return counted_loss(points, labels, frequency, "Proposition 7")


def twice(losses, beta, *, sample_size):
    counted_posterior(losses, beta, sample_size=sample_size)
    first, *rest = counted_posterior(losses, beta, sample_size=sample_size)
    first.steps.taken *= 2
    return [first, *rest]


SPOILT = [
    (operations.loss_takes_linearly_many_steps, operations, "counted_loss", naive),
    (operations.naive_loss_takes_quadratically_many_steps, operations, "counted_loss", clever),
    (operations.new_posterior_takes_linearly_many_steps, operations, "counted_posterior", twice),
    (predictors.both_forms_are_learned_as_the_same_predictor, predictors, "feature_ridge_coefficients",
     lambda z, y, ridge: feature_ridge_coefficients(z, y, 2 * ridge)),
    (predictors.form_over_the_sample_has_the_smallest_norm, predictors, "dual_coefficients",
     lambda k, f, r: 1.1 * dual_coefficients(k, f, r)),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT, ids=lambda part: getattr(part, "key", ""))
def test_a_spoilt_subject_is_refuted(claim, module, name, wrong, monkeypatch):
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)
