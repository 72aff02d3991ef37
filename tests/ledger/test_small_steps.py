"""Steps of the proofs and of the text of nsrf and lkrf: every verdict, and what is false nearby is refuted."""

from types import ModuleType
from typing import Any

import pytest
import torch

from algos.divergence_ball.exact import chi_square_ball_maximum, f_divergence
from algos.divergence_ball.penalised import penalised_maximum
from algos.fourier import fastfood as fast_features
from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from algos.fourier.sums import fourier_potential, fourier_potential_and_gradient
from bounds.divergence_ball.sampling import c_rho_order
from bounds.margin_game.fourier_potential import derivative_bound
from bounds.margin_game.online import printed_diameter
from harness.claims.lkrf import fastfood, primal_and_dual, proof_of_lemma_5, sparsity, sub_gaussian
from harness.claims.nsrf import harmonic_chain, multi_point, small_steps
from harness.language.registry import Claim, registered
from harness.testing import instance
from tests.helpers import expected_verdict, is_refuted

MODULES = (
    small_steps,
    multi_point,
    harmonic_chain,
    sub_gaussian,
    proof_of_lemma_5,
    primal_and_dual,
    sparsity,
    fastfood,
)
CLAIMS = [claim for module in MODULES for claim in registered(module.__name__)]
TIMED = {"lkrf/fastfood-cost"}
"""Measures the machine, which other tests may load."""


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim.key not in TIMED], ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert expected_verdict(claim, family=100).as_expected


def scaled(function: Any, factor: float) -> Any:
    return lambda *args, **kwargs: factor * function(*args, **kwargs)


def of_another_law(law: torch.Tensor) -> torch.Tensor:
    """The chain that mixes to the normalised root of the law."""
    return metropolis(law.sqrt() / law.sqrt().sum(-1, keepdim=True))


def wider(points: torch.Tensor, *, gamma: float, **rest: Any) -> torch.Tensor:
    return features(points, gamma=1.2 * gamma, **rest)


def by_products(points: torch.Tensor, *, count: int, gamma: float, generator: torch.Generator) -> torch.Tensor:
    frequencies = gaussian_frequencies(count, points.shape[-1], gamma=gamma, generator=generator)
    return random_fourier_features(points, frequencies)


def twice(points: torch.Tensor, frequencies: torch.Tensor) -> torch.Tensor:
    return (random_fourier_features(points, frequencies) + random_fourier_features(points, frequencies)) / 2


def point_by_point(
    points: torch.Tensor, omega: torch.Tensor, signed: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """A product of its own for each frequency."""
    found = [potentials_and_gradients(points, each.unsqueeze(0), signed) for each in omega]
    return torch.cat([value for value, _ in found]), torch.cat([gradient for _, gradient in found])


potentials_and_gradients = multi_point.potentials_and_gradients
metropolis, features, proxy = harmonic_chain.metropolis, fast_features.fastfood_features, sub_gaussian.variance_proxy

SPOILT: list[tuple[Claim, ModuleType, str, Any]] = [
    (small_steps.diameter_of_the_feasible_set, small_steps, "printed_diameter", scaled(printed_diameter, 0.99)),
    (small_steps.deviations_move_little_off_the_net, small_steps, "fourier_potential", scaled(fourier_potential, 3.0)),
    (small_steps.small_ascent_steps_never_hurt, small_steps, "derivative_bound", scaled(derivative_bound, 0.3)),
    (small_steps.many_potentials_from_one_product, small_steps, "fourier_potential_and_gradient",
     lambda *args: (1.01 * fourier_potential_and_gradient(*args)[0], fourier_potential_and_gradient(*args)[1])),
    (harmonic_chain.harmonic_chain_mixes, harmonic_chain, "metropolis", of_another_law),
    (sub_gaussian.tails_of_sub_gaussian_variables, sub_gaussian, "variance_proxy", scaled(proxy, 0.2)),
    (sub_gaussian.squares_of_sub_gaussian_variables_of_any_law, sub_gaussian, "variance_proxy", scaled(proxy, 0.3)),
    (sub_gaussian.largest_of_sub_gaussian_variables, sub_gaussian, "variance_proxy", scaled(proxy, 0.5)),
    (proof_of_lemma_5.dual_objective_of_a_sample_concentrates, proof_of_lemma_5, "c_rho_order",
     scaled(c_rho_order, 0.2)),
    (primal_and_dual.box_problem_has_a_dual, primal_and_dual, "support_function",
     scaled(primal_and_dual.support_function, 0.9)),
    (primal_and_dual.box_problem_is_solved_at_its_ends, primal_and_dual, "support_function",
     scaled(primal_and_dual.support_function, 0.9)),
    (primal_and_dual.dual_meets_the_primal, primal_and_dual, "conjugate", scaled(primal_and_dual.conjugate, 1.1)),
    (sparsity.larger_radii_give_sparser_weights, sparsity, "chi_square_ball_maximum",
     lambda v, rho: chi_square_ball_maximum(v, 1 / rho)),
    (sparsity.more_features_give_more_weights, sparsity, "chi_square_ball_maximum",
     lambda v, rho: chi_square_ball_maximum(v, rho * v.shape[-1] / 10)),
    (sparsity.sparser_at_any_larger_radius, sparsity, "penalised_maximum",
     lambda v, multiplier, order: penalised_maximum(v, 1 / multiplier, order=order)),
    (sparsity.dense_at_small_radii, sparsity, "f_divergence",
     lambda weights, order: 0.3 * f_divergence(weights, order=order)),
    (fastfood.fastfood_has_the_gaussian_kernel, fastfood, "fastfood_features", wider),
    (fastfood.fastfood_takes_few_operations, fastfood, "fastfood_features", by_products),
    (fastfood.features_take_few_operations, fastfood, "random_fourier_features", twice),
    (multi_point.many_potentials_take_few_operations, multi_point, "potentials_and_gradients", point_by_point),
    (fastfood.fastfood_takes_logarithmic_time, fastfood, "fastfood_features", by_products),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT, ids=lambda part: getattr(part, "key", ""))
def test_a_spoilt_subject_is_refuted(
    claim: Claim, module: ModuleType, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost factor, another radius or law, a bound cut below what is reached."""
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)


def test_the_constant_of_a_fair_sign_is_one_and_of_a_rare_one_is_known() -> None:
    """Kearns and Saul: (1 - 2 p)/(2 log((1 - p)/p)) for a coin of probability p, on {0, 1}."""
    signs = sub_gaussian.variance_proxy(torch.tensor([0.5, 0.5]).double(), torch.tensor([-1.0, 1.0]).double())
    assert signs.item() == pytest.approx(1.0, rel=1e-3)
    for p in (0.1, 0.01, 1e-4):
        law, places = torch.tensor([p, 1 - p]).double(), torch.tensor([1.0, 0.0]).double()
        known = (1 - 2 * p) / (2 * torch.log(torch.tensor((1 - p) / p))).item()
        assert sub_gaussian.variance_proxy(law, places).item() == pytest.approx(known, rel=1e-2)


def test_equal_steps_on_the_line_have_the_smallest_gap_that_the_net_allows() -> None:
    """Five points -1, -1/2, 0, 1/2, 1: 2/(5 - 1)."""
    forall = instance(points=[[-1.0], [-0.5], [0.0], [0.5], [1.0]])
    smallest, bound = small_steps.size_of_a_net(forall, d=1, count=5)
    assert smallest.item() == pytest.approx(0.5)
    assert bound == pytest.approx(0.5)
