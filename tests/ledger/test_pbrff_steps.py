"""Fourier pairs of many shapes, losses without a range, learners, and counted steps in a ball: the claims hold, and
each is refuted once its subject is spoilt.
"""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy import integrate

from algos.kernel_learning import alignment, pseudo_posterior
from harness.claims.pbrff import ball_operations, fourier_pairs, predictors, unbounded_losses
from harness.claims.pbrff.ball_operations import counted_bisection
from harness.language.registry import registered
from tests.helpers import expected_verdict, is_refuted

MODULES = (ball_operations, fourier_pairs, unbounded_losses)
CLAIMS = [claim for module in MODULES for claim in registered(module.__name__)]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", [*CLAIMS, predictors.no_linear_predictor_beats_the_learned_form],
                         ids=lambda claim: claim.key)  # fmt: skip
def test_every_verdict_is_the_expected_one(claim):
    assert expected_verdict(claim, family=100).as_expected


def wasteful(losses, rho, order, epsilon):
    """Every entry compared with every other one in a round, as an unlucky search would."""
    found = counted_bisection(losses, rho, order, epsilon)
    return dataclasses.replace(found, steps=found.steps * len(losses))


def cruder(losses, rho, order, epsilon):
    return counted_bisection(losses, rho, order, 100 * epsilon)


SPOILT = [
    (ball_operations.suboptimal_alignment_takes_linearly_many_steps, ball_operations, "counted_bisection", wasteful),
    (ball_operations.counted_alignment_is_suboptimal_by_epsilon, ball_operations, "counted_bisection", cruder),
    (fourier_pairs.mixtures_of_shapes_are_fourier_pairs, fourier_pairs, "cosine_integral",
     lambda shape, y: shape.transform(1.1 * y)),
    (fourier_pairs.laws_of_atoms_have_their_kernel, fourier_pairs, "every",
     SimpleNamespace(signs=lambda n, like: torch.ones(2, n, dtype=like.dtype))),
    (unbounded_losses.chi_square_for_losses_without_a_range, unbounded_losses, "u_statistic_variance",
     lambda kernel, p, n: alignment.u_statistic_variance(kernel, p, n) / 2),
    (unbounded_losses.chi_square_for_losses_without_a_range, unbounded_losses, "conjugate_norm",
     lambda values, order, prior: 1.5 * pseudo_posterior.conjugate_norm(values, order, prior=prior)),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT)
def test_a_spoilt_subject_is_refuted(claim, module, name, wrong, monkeypatch):
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)


@pytest.mark.parametrize("learner", list(predictors.LEARNERS))
def test_a_learner_of_other_slopes_is_refuted(learner, monkeypatch):
    """With twice the cost, another alpha is learned."""
    right = predictors.LEARNERS[learner]
    wrong = {**predictors.LEARNERS, learner: lambda f, alpha, sign: right(f, 2 * alpha, sign)}
    monkeypatch.setattr(predictors, "LEARNERS", wrong)
    assert is_refuted(predictors.no_linear_predictor_beats_the_learned_form, family=100)


def test_the_shapes_have_the_transforms_of_numerical_integration():
    shapes = {
        "LAPLACE": (lambda x: np.exp(-x), 60.0), "MATERN": (lambda x: (1 + x) * np.exp(-x), 60.0),
        "GAUSSIAN": (lambda x: np.exp(-x * x / 2), 12.0), "TRIANGLE": (lambda x: 1 - x, 1.0),
        "INTERVAL": (np.ones_like, 1.0),
    }  # fmt: skip
    for name, (function, end) in shapes.items():
        for y in (0.0, 0.7, 1.5):
            expected = 2 * integrate.quad(lambda x, f=function, y=y: f(x) * np.cos(x * y), 0, end, limit=200)[0]
            shape, at = getattr(fourier_pairs, name), torch.tensor([y], dtype=torch.float64)
            assert float(shape.transform(at)) == pytest.approx(expected, rel=1e-9)
            assert float(fourier_pairs.cosine_integral(shape, at)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("order", [1.5, 2.0])
def test_the_counted_weights_solve_their_equation(order):
    """Weights of one round are probabilities, whatever the ties; the gap after k halvings is below its bound."""
    losses = np.array([0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 0.2])
    for rho in (1e-3, 0.3, 1.0, 50.0):
        for epsilon in (0.1, 1e-8):
            found = counted_bisection(losses, rho, order, epsilon)
            weights = np.array([weight.value for weight in found.weights])
            assert weights.sum() == pytest.approx(1.0, rel=1e-9)
            assert weights.min() >= 0
            assert found.divergence.value == pytest.approx(((7 * weights) ** order).mean() - 1, abs=1e-9)
            assert found.divergence.value <= rho * (1 + 1e-12)
