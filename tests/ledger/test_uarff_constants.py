"""Theorems 12, 15, 19 and 21 and Lemma 25 for any distribution: what the learners are, and that each claim can fail."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from algos.complexity.local_rademacher import local_fixed_point
from harness import Forall
from harness.claims.uarff import classification_risk, lipschitz_refined, proof_steps, refined_constants
from harness.claims.uarff.ball_supremum import unit_disc_supremum
from harness.claims.uarff.lipschitz_population import Problem
from harness.claims.uarff.losses import Logistic, Loss, PiecewiseLinear, Squared, factor, hinge
from harness.language.registry import Claim, registered
from tests.helpers import expected_verdict, falsified, instances, is_refuted

pytestmark = pytest.mark.usefixtures("double_precision")

CLAIMS = [
    claim for part in (classification_risk, lipschitz_refined, refined_constants) for claim in registered(part.__name__)
]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert expected_verdict(claim, family=100).as_expected


def piecewise_linear(seed: int, count: int = 1) -> PiecewiseLinear:
    """Any kinks in [-1, 1] and any slopes between the outer ones, convex or not."""
    kinks, slopes = 2 * instances(count, 2, 2, seed=seed) - 1, 2 * instances(count, 2, 3, seed=seed + 1) - 1
    outer = slopes * slopes.new_tensor([-1.0, 0.0, 1.0]).sign() * slopes.sign()
    slopes = torch.where(slopes.new_tensor([True, False, True]).bool(), outer, slopes)
    return PiecewiseLinear(kinks.sort(-1).values, slopes, instances(count, 2, seed=seed + 2))


LOSSES: dict[str, Loss] = {
    "hinge": hinge(torch.ones((), dtype=torch.float64)),
    "logistic": Logistic(),
    "squared": Squared(),
    "piecewise linear": piecewise_linear(10, 200),
}


def test_losses_are_lipschitz_and_their_smallest_value_is_as_named() -> None:
    loss, g = piecewise_linear(0, 50), torch.linspace(-3, 3, 601, dtype=torch.float64).expand(50, -1)
    for label, values in enumerate(loss.values(g)):
        assert (values.diff(dim=-1).abs() <= 0.01 + 1e-12).all()
        assert (values.amin(-1) - loss.least[:, label]).abs().amax() <= 0.01
    at_kinks = [values[0] for values in piecewise_linear(0).values(torch.zeros(1, 1))]
    assert float(piecewise_linear(0).at_zero) == max(float(v) for v in at_kinks)
    inside = (g[0].abs() <= 1).nonzero().squeeze(-1)
    largest = torch.stack([values[:, inside].amax(-1) for values in loss.values(g)]).amax(0)
    assert (loss.largest >= largest - 1e-12).all()
    assert (loss.largest <= largest + 0.01).all()


@pytest.mark.in_turn
@pytest.mark.parametrize("name", LOSSES)
def test_the_learner_is_the_minimiser(name: str) -> None:
    """No function nearby or far away has a smaller objective; kernels of rank one and two."""
    count, loss = 200, LOSSES[name]
    features, shares = 2 * instances(count, 2, 3) - 1, instances(count, 4, seed=1)
    features[:50, :, 1:] = 0.0
    kernel, lam = features @ features.mT, 10 ** (-5 * instances(count, seed=2))
    positive, negative = (shares / shares.sum(-1, keepdim=True)).chunk(2, -1)

    def objective(theta: Tensor) -> Tensor:
        right, wrong = loss.values(space.values(theta))
        return (positive * right + negative * wrong).sum(-1) + lam * theta.square().sum(-1)

    space = factor(kernel)
    found = loss.learner(positive, negative, space, lam)
    for seed in range(300):
        direction = 2 * instances(count, 2, seed=seed) - 1
        for scale in (1e-4, 1e-2, 1.0, 30.0):
            other = found + scale * found.abs().clamp_min(0.1) * direction
            assert (objective(found) <= objective(other) + 1e-12).all()
        assert (objective(found) <= objective(3 * direction) + 1e-12).all()


@pytest.mark.parametrize("points", [1, 2, 3])
def test_the_supremum_over_the_disc_is_that_of_a_fine_grid(points: int) -> None:
    angle = torch.linspace(0, 2 * math.pi, 721, dtype=torch.float64)
    radius = torch.linspace(0, 1, 61, dtype=torch.float64)[:, None, None]
    grid = (radius * torch.stack([angle.cos(), angle.sin()], -1)).reshape(-1, 2)
    for seed in range(20):
        loss = piecewise_linear(100 + seed)
        phi, weights = 2 * instances(1, points, 2, seed=seed) - 1, 2 * instances(4, 2, points, seed=seed) - 1
        right, wrong = loss.values(grid @ phi[0].mT)
        on_grid = (right @ weights[:, 0].mT + wrong @ weights[:, 1].mT).amax(0)
        exact = unit_disc_supremum(loss, phi, weights)
        assert (exact >= on_grid - 1e-12).all()
        assert (exact <= on_grid + 0.03 * weights.abs().sum((-2, -1))).all()


def test_the_factor_gives_the_kernel_back() -> None:
    features = 2 * instances(100, 2, 3) - 1
    features[:20, 1], features[20:30, 0] = features[:20, 0], 0.0
    kernel = features @ features.mT
    columns = [factor(kernel).values(torch.eye(2, dtype=torch.float64)[i].expand(100, -1)) for i in range(2)]
    square = torch.stack(columns, -1)
    torch.testing.assert_close(square @ square.mT, kernel, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["hinge", "squared", "piecewise linear"])
def test_a_kernel_of_rank_one_at_a_small_lambda_keeps_the_learner_on_its_line(name: str) -> None:
    """Where c is of the order of 1 / lambda = 1e14 its rounding must not reach the values, one for both points."""
    count, loss = 200, LOSSES[name]
    shares = instances(count, 4, seed=1)
    positive, negative = (shares / shares.sum(-1, keepdim=True)).chunk(2, -1)
    kernel, lam = torch.ones(count, 2, 2, dtype=torch.float64), torch.full((count,), 1e-14, dtype=torch.float64)
    space = factor(kernel)
    values = space.values(loss.learner(positive, negative, space, lam))
    assert torch.equal(values[:, 0], values[:, 1])
    right, wrong = loss.values(torch.linspace(-3, 3, 6001, dtype=torch.float64)[:, None, None].expand(-1, count, 2))
    least = (positive * right + negative * wrong).sum(-1).amin(0)
    reached = sum((share * part).sum(-1) for share, part in zip((positive, negative), loss.values(values), strict=True))
    assert (reached <= least + 1e-9).all()


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
    "uarff/thm-21-classification[corrected]": 0.01,
}


@pytest.mark.in_turn
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


def test_less_than_half_of_the_factor_between_the_classes_is_noticed() -> None:
    (claim,) = (claim for claim in registered(proof_steps.__name__) if claim.key == "uarff/eq-31-37[corrected]")

    def smaller(forall: Forall, *, part: str, n: int) -> tuple[Tensor, Tensor]:
        del part
        return proof_steps._classes(forall, n, factor=0.8)

    part = tuple(cell for cell in claim.cells if cell["part"] == "classes")
    assert is_refuted(replace(claim, body=smaller, cells=part), family=1)


def test_the_best_function_of_the_ball_is_no_worse_than_any_on_a_grid() -> None:
    """For losses that are not convex, too, which a penalty cannot reach."""
    for seed in range(10):
        loss = piecewise_linear(200 + seed)
        shares = instances(1, 4, seed=seed)
        law = shares[:, :2] / shares[:, :2].sum()
        case = Problem(
            2 * instances(1, 2, 3, seed=seed) - 1, torch.full((1, 3), 1 / 3), law, shares[:, 2:], law[:, 0], law, law
        )
        space = factor((case.features * case.probabilities.unsqueeze(-2)) @ case.features.mT)
        angle = torch.linspace(0, 2 * math.pi, 361, dtype=torch.float64)
        grid = torch.linspace(0, 1, 51, dtype=torch.float64)[:, None, None] * torch.stack(
            [angle.cos(), angle.sin()], -1
        )
        risks = case.risk(loss, space.values(grid.reshape(-1, 2)))
        assert float(case._least_risk(loss)) <= float(risks.min()) + 1e-12
        assert float(case._least_risk(loss)) >= float(risks.min()) - 0.05


def test_the_hinge_loss_has_a_minimiser_on_kernels_of_rank_one() -> None:
    """Two points with one feature, as sampled kernels may have, at a small lambda."""
    features, shares = 2 * instances(400, 2, 1) - 1, instances(400, 4, seed=1)
    features = features * (1 + 1e-9 * instances(400, 2, 1, seed=2))
    kernel, lam = features @ features.mT, 10 ** (-2 - 6 * instances(400, seed=3))
    positive, negative = (shares / shares.sum(-1, keepdim=True)).chunk(2, -1)
    loss = hinge(lam)
    theta = loss.learner(positive, negative, factor(kernel), lam)

    def risk(values: Tensor) -> Tensor:
        right, wrong = loss.values(values)
        return (positive * right + negative * wrong).sum(-1)

    objective = risk(factor(kernel).values(theta)) + lam * theta.square().sum(-1)
    for other in torch.linspace(-50, 50, 2001, dtype=torch.float64):
        assert (objective <= risk(features[..., 0] * other) + lam * other**2 + 1e-9).all()
