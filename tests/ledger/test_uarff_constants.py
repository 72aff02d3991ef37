"""Theorems 12, 15, 19 and 21 and Lemma 25 for any distribution: what the learners are, and that each claim can fail."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from algos.complexity.local_rademacher import local_fixed_point
from harness import Forall
from harness.claims.uarff import classification_risk, lipschitz_refined, proof_steps, refined_constants
from harness.claims.uarff.lipschitz_population import Loss, learner, loss_values
from harness.language.registry import Claim, registered
from tests.helpers import expected_verdict, falsified, instances, is_refuted

pytestmark = pytest.mark.usefixtures("double_precision")

CLAIMS = [
    claim for part in (classification_risk, lipschitz_refined, refined_constants) for claim in registered(part.__name__)
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert expected_verdict(claim, family=100).as_expected


@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared"])
def test_the_learner_is_the_minimiser(loss: Loss) -> None:
    """No coefficients nearby or far away have a smaller objective; kernels of rank one and two."""
    count = 200
    features, shares = 2 * instances(count, 2, 3) - 1, instances(count, 4, seed=1)
    features[:50, :, 1:] = 0.0
    kernel, lam = features @ features.mT, 10 ** (-5 * instances(count, seed=2))
    positive, negative = (shares / shares.sum(-1, keepdim=True)).chunk(2, -1)

    def objective(c: Tensor) -> Tensor:
        g = (kernel @ c.unsqueeze(-1)).squeeze(-1)
        return (positive * loss_values(loss, g) + negative * loss_values(loss, -g)).sum(-1) + lam * (c * g).sum(-1)

    found = learner(loss, positive, negative, kernel, lam)
    for seed in range(300):
        direction = 2 * instances(count, 2, seed=seed) - 1
        for scale in (1e-4, 1e-2, 1.0):
            other = found + scale * found.abs().clamp_min(0.1) * direction
            assert (objective(found) <= objective(other) + 1e-12).all()
        assert (objective(found) <= objective(direction / lam.unsqueeze(-1)) + 1e-12).all()


def test_no_fixed_point_is_below_the_number_that_stands_for_it() -> None:
    spectrum, n = instances(50, 4).sort(-1).values ** 4, 10.0 ** (1 + 4 * instances(50, seed=3))
    least = refined_constants.least_fixed_point(spectrum, n, 0.8, 2.0)
    known = 4 / n
    scale = 2 * 0.8 * refined_constants.C_1 * known.sqrt()
    exact = local_fixed_point(spectrum, scale=scale, offset=refined_constants.C_2 * 2.0 * known)
    assert (least <= exact * (1 + 1e-9)).all()
    assert (least >= exact / 8).all()


FACTORS = {
    "uarff/thm-12-constants": 0.01,
    "uarff/lem-25-constants": 1e-5,
    "uarff/thm-15-classification": 0.01,
    "uarff/thm-19-constants[corrected]": 0.001,
    "uarff/eq-32": 1e-5,
    "uarff/thm-21-classification": 0.01,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_a_smaller_right_side_is_refuted(claim: Claim) -> None:
    factor = FACTORS[claim.key]
    assert is_refuted(falsified(claim, lambda lhs, rhs: (lhs, factor * rhs)), family=1)


def test_twice_the_factor_of_equation_31_is_noticed() -> None:
    (claim,) = (claim for claim in registered(proof_steps.__name__) if claim.key == "uarff/eq-31-37[corrected]")

    def doubled(forall: Forall, *, part: str, n: int) -> tuple[Tensor, Tensor]:
        del part
        return proof_steps._second_moment(forall, n, factor=4.0)

    part = tuple(cell for cell in claim.cells if cell["part"] == "31")
    assert is_refuted(replace(claim, body=doubled, cells=part), family=1)


def test_the_hinge_loss_has_a_minimiser_on_kernels_of_rank_one() -> None:
    """Two points with one feature, as sampled kernels may have, at a small lambda."""
    features, shares = 2 * instances(400, 2, 1) - 1, instances(400, 4, seed=1)
    features = features * (1 + 1e-9 * instances(400, 2, 1, seed=2))
    kernel, lam = features @ features.mT, 10 ** (-2 - 6 * instances(400, seed=3))
    positive, negative = (shares / shares.sum(-1, keepdim=True)).chunk(2, -1)
    c = learner("hinge", positive, negative, kernel, lam)
    assert (c.abs().amax(-1) * lam <= 1 + 1e-8).all()
    weight = (features.mT @ c.unsqueeze(-1)).flatten()
    objective = (
        positive * loss_values("hinge", features[..., 0] * weight.unsqueeze(-1))
        + negative * loss_values("hinge", -features[..., 0] * weight.unsqueeze(-1))
    ).sum(-1) + lam * weight.square()
    for other in torch.linspace(-50, 50, 2001, dtype=torch.float64):
        values = features[..., 0] * other
        losses = positive * loss_values("hinge", values) + negative * loss_values("hinge", -values)
        assert (objective <= losses.sum(-1) + lam * other**2 + 1e-6).all()
