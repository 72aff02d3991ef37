"""Identities, definitions, minimisers and costs of pbrff: each claim holds, and each is refuted once its subject is
spoilt, so that none holds by construction.
"""

import dataclasses
import itertools
import math
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from scipy import optimize
from torch import Tensor

from algos.divergence_ball import exact as divergence_ball
from algos.divergence_ball.bisection import chi_square_ball_bisection
from algos.fourier import random_features
from algos.kernel_learning import alignment, greedy_kernel, landmarks, pseudo_posterior
from algos.ridge import spectral
from bounds import pac_bayes
from harness.claims.pbrff import complexity, identities, kernel_alignment, posteriors, spectra
from harness.claims.pbrff.finite_laws import all_samples
from harness.claims.pbrff.stopwatch import time_ratio
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, registered
from tests.helpers import as_tuples, expected_verdict, is_refuted

identities_cosines, identities_phases = identities.cosines, identities.phases
MODULES = (spectra, identities, posteriors, kernel_alignment, complexity)
CLAIMS = [claim for module in MODULES for claim in registered(module.__name__)]


def tensor(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_verdict_is_the_expected_one(claim: Claim) -> None:
    assert expected_verdict(claim, family=100).as_expected


def v_statistic(points: Tensor, labels: Tensor, frequencies: Tensor, classes: Tensor | None = None) -> Tensor:
    """The mean over all pairs, diagonal included."""
    n = points.shape[-2]
    return (n - 1) / n * alignment.pairwise_alignment_loss(points, labels, frequencies)


def hotter(losses: Tensor, tau: float, *, prior: Tensor | None = None) -> Tensor:
    return pseudo_posterior.gibbs_posterior(losses, tau / 2, prior=prior)


def without_root(losses: Tensor, beta: float, *, sample_size: int) -> Tensor:
    return pseudo_posterior.gibbs_posterior(losses, beta * sample_size)


def without_log(posterior: Tensor, prior: Tensor | None = None) -> Tensor:
    return torch.xlogy(posterior, posterior).sum(-1)


def inner_ball(values: Tensor, rho: float, **_: Any) -> divergence_ball.DivergenceBallSolution:
    return divergence_ball.chi_square_ball_maximum(values, rho / values.shape[-1])


def shifted(values: Tensor, rho: float) -> divergence_ball.DivergenceBallSolution:
    solution = divergence_ball.chi_square_ball_maximum(values, rho)
    return dataclasses.replace(solution, threshold=solution.threshold - 0.1)


def code_radius(losses: Tensor, rho: float) -> Tensor:
    return greedy_kernel.chi_square_alignment_weights(losses, rho / losses.shape[-1])


def cruder(values: Tensor, rho: float, *, tolerance: float) -> Any:
    return chi_square_ball_bisection(values, rho, tolerance=100 * tolerance)


def finer(values: Tensor, rho: float, *, tolerance: float) -> Any:
    return chi_square_ball_bisection(values, rho, tolerance=tolerance / 100)


def bumped(differences: Tensor, *mixture: Tensor) -> Tensor:
    """A kernel with white noise: not continuous at zero."""
    kernel = spectral.spectral_mixture_kernel(differences, *mixture)
    return kernel + 0.1 * (differences.abs() < 1e-9).squeeze(-1)


def scaled(function: Callable[..., Tensor], factor: float) -> Callable[..., Tensor]:
    return lambda *args, **kwargs: factor * function(*args, **kwargs)


def squared_cosines(x: Tensor, w: Tensor) -> Tensor:
    """Another hypothesis than the h_w whose losses are averaged."""
    return identities_cosines(x, w).square()


def doubled_phases(x: Tensor, w: Tensor) -> Tensor:
    return identities_phases(x, 2 * w)


def uniform(losses: Tensor, *_: Any, **__: Any) -> Tensor:
    return torch.full_like(losses, 1 / losses.shape[-1])


def linear_weights(below: Tensor, order: float) -> Tensor:
    """As for mu = 2, whatever mu is."""
    del order
    return below / below.sum(-1, keepdim=True)


def nine_tenths(*_: Any) -> float:
    return 0.9


SPOILT: list[tuple[Claim, ModuleType, str, Any]] = [
    (spectra.kernel_and_law_are_a_fourier_pair, spectra, "spectral_mixture_density",
     scaled(spectral.spectral_mixture_density, 0.5)),
    (spectra.laplace_kernel_and_cauchy_law, spectra, "laplace_spectral_density",
     scaled(spectral.laplace_spectral_density, math.pi)),
    (spectra.the_law_has_the_mass_of_the_kernel_at_zero, spectra, "spectral_mixture_kernel", bumped),
    (spectra.gaussian_kernel_and_gaussian_law, spectra, "gaussian_spectral_density",
     lambda at, gamma: spectral.gaussian_spectral_density(at, gamma=2 * gamma)),
    (spectra.features_multiply_to_mean_cosines, spectra, "random_fourier_features",
     scaled(random_features.random_fourier_features, math.sqrt(2))),
    (spectra.features_are_unbiased, spectra, "random_fourier_features",
     scaled(random_features.random_fourier_features, math.sqrt(2))),
    (spectra.features_have_this_variance, spectra, "feature_product_variance",
     lambda kernel, doubled, m: (1 + doubled - kernel.square()) / (2 * m)),
    (identities.binary_loss_in_linear_time, identities, "binary_alignment_loss",
     scaled(alignment.binary_alignment_loss, 0.5)),
    (identities.multiclass_loss_in_linear_time, identities, "multiclass_alignment_loss", v_statistic),
    (identities.empirical_loss_is_linear, identities, "multiclass_alignment_loss", v_statistic),
    (identities.population_loss_is_linear, identities, "cosines", squared_cosines),
    (identities.empirical_loss_is_unbiased, identities, "pairwise_alignment_loss", v_statistic),
    (identities.empirical_loss_is_the_mean_over_points, identities, "pairwise_alignment_loss", v_statistic),
    (identities.loss_is_the_mean_over_centres, identities, "phases", doubled_phases),
    (identities.similarities_are_at_most_one, identities, "similarity_map", scaled(landmarks.similarity_map, 1.01)),
    (identities.similarity_to_itself_is_one, identities, "similarity_map", scaled(landmarks.similarity_map, 0.25)),
    (identities.similarities_are_not_symmetric, identities, "pseudo_bayesian_weights", uniform),
    (posteriors.gibbs_posterior_minimises_the_trade_off, posteriors, "kl_divergence",
     scaled(pseudo_posterior.kl_divergence, 0.5)),
    (posteriors.free_energy, posteriors, "kl_divergence", scaled(pseudo_posterior.kl_divergence, 0.5)),
    (posteriors.landmark_posterior_minimises_theorem_1, posteriors, "pseudo_bayesian_weights", without_root),
    (posteriors.pseudo_posterior_minimises_theorem_3, posteriors, "pseudo_bayesian_weights", without_root),
    (posteriors.both_bounds_have_the_same_minimiser, posteriors, "gibbs_posterior", hotter),
    (posteriors.any_fixed_beta_converges, posteriors, "printed_first_order_kl_bound",
     lambda *args, inverse_temperature, sample_size, **rest: pac_bayes.printed_first_order_kl_bound(
         *args, inverse_temperature=inverse_temperature * math.sqrt(sample_size), sample_size=sample_size, **rest)),
    (posteriors.best_beta_for_theorem_1, posteriors, "printed_first_order_kl_bound",
     pac_bayes.first_order_kl_bound),
    (posteriors.divergence_from_uniform, posteriors, "kl_divergence", without_log),
    (posteriors.divergence_from_uniform_is_at_most_log, posteriors, "math", SimpleNamespace(log=math.log10)),
    (kernel_alignment.alignment_objective_is_the_loss, kernel_alignment, "multiclass_alignment_loss", v_statistic),
    (kernel_alignment.chi_square_is_a_distance, kernel_alignment, "chi_square_divergence",
     lambda q: (q - 1 / q.shape[-1]).square().sum(-1)),
    (kernel_alignment.ball_weights_maximise_the_alignment, kernel_alignment, "chi_square_alignment_weights",
     code_radius),
    (kernel_alignment.ball_weights_are_certified, kernel_alignment, "chi_square_ball_maximum", inner_ball),
    (kernel_alignment.ball_weights_minimise_corollary_5, kernel_alignment, "chi_square_ball_maximum", shifted),
    (kernel_alignment.alignment_in_a_ball_minimises_the_trade_off_of_theorem_4, kernel_alignment, "threshold_weights",
     linear_weights),
    (complexity.bisection_takes_logarithmically_many_steps, complexity, "chi_square_ball_bisection", finer),
    (complexity.bisection_is_suboptimal_by_epsilon, complexity, "chi_square_ball_bisection", cruder),
    (complexity.sorting_once_is_at_least_as_good, complexity, "chi_square_alignment_weights", code_radius),
    (complexity.pseudo_posterior_is_faster, complexity, "time_ratio", nine_tenths),
]  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize(("claim", "module", "name", "wrong"), SPOILT, ids=lambda part: getattr(part, "key", ""))
def test_a_spoilt_subject_is_refuted(claim, module, name, wrong, monkeypatch) -> None:
    """A halved temperature, a V-statistic, a missing factor: what a claim cannot tell apart it does not check."""
    monkeypatch.setattr(module, name, wrong)
    assert is_refuted(claim, family=100)


def test_every_claim_expected_to_hold_is_also_spoilt() -> None:
    spoilt = {claim.key for claim, *_ in SPOILT}
    held = {claim.key for claim in CLAIMS if claim.id != "pbrff/kQ-1-over-N" and claim.expected != "refuted"}
    assert held <= spoilt


def test_all_samples_are_enumerated_with_their_probabilities() -> None:
    law = tensor([[0.5, 0.3, 0.2], [1.0, 0.0, 0.0]])
    for size in (1, 2, 3):
        positions, probabilities = all_samples(law, size)
        assert [tuple(p) for p in positions.tolist()] == list(itertools.product(range(3), repeat=size))
        for k, sample in enumerate(positions):
            assert probabilities[0, k] == pytest.approx(math.prod(float(law[0, i]) for i in sample), rel=1e-15)
        torch.testing.assert_close(probabilities.sum(-1), tensor([1.0, 1.0]))


def test_population_losses_are_the_double_sum_over_the_law() -> None:
    generator = torch.Generator().manual_seed(0)
    law, x, w = (
        torch.rand(*shape, generator=generator, dtype=torch.float64) for shape in ((1, 4), (1, 4, 2), (1, 3, 2))
    )
    law, y = law / law.sum(), tensor([[1.0, 3.0, 1.0, 2.0]])
    found = identities.population_losses(law, 5 * x, y, 3 * w)[0]
    for m in range(3):
        truth = 0.0
        for i, j in itertools.product(range(4), repeat=2):
            sign = 1.0 if y[0, i] == y[0, j] else -1.0
            phase = 15 * float((w[0, m] * (x[0, i] - x[0, j])).sum())
            truth += float(law[0, i] * law[0, j]) * (1 - sign * math.cos(phase)) / 2
        assert float(found[m]) == pytest.approx(truth, rel=1e-13)


def test_the_asymmetric_example_by_hand() -> None:
    """Losses (1, 1/2) at landmark 0 and (1/2, 1/2) at landmark 1, so posteriors (e^-b, e^(-b/2)) and (1/2, 1/2)."""
    beta = 1.3
    b = beta * math.sqrt(3)
    by_hand = (math.exp(-b) - math.exp(-b / 2)) / (math.exp(-b) + math.exp(-b / 2))
    claim = identities.similarities_are_not_symmetric
    sides = evaluate(claim, {"n": 3}, {"beta": tensor([beta])}, Draw(1, ("test",)), 1)
    assert float(sides.lhs) == pytest.approx(by_hand, rel=1e-13)
    assert float(sides.rhs) == pytest.approx(by_hand, rel=1e-13)


def test_ball_weights_agree_with_the_solution_by_support_size() -> None:
    """For each support of the k largest alignments: Q_i = 1/k + (c_i - mean) / lambda_k, kept where it is feasible."""
    generator = torch.Generator().manual_seed(1)
    for rho in (0.05, 0.7, 2.0, 4.5):
        losses = torch.rand(6, generator=generator, dtype=torch.float64)
        order = np.argsort(losses.numpy())
        c = -losses.numpy()[order]
        found = None
        for k in range(1, 7):
            centred = c[:k] - c[:k].mean()
            radius = rho / 6 + 1 / 6 - 1 / k
            if radius <= 0 or not centred.any():
                continue
            multiplier = math.sqrt((centred**2).sum() / radius)
            q = 1 / k + centred / multiplier
            following = 1 / k + (c[k] - c[:k].mean()) / multiplier if k < 6 else 0.0
            if q.min() >= 0 and following <= 0:
                found = np.concatenate([q, np.zeros(6 - k)])
        assert found is not None
        weights = greedy_kernel.chi_square_alignment_weights(losses, rho).numpy()[order]
        np.testing.assert_allclose(weights, found, atol=1e-13)


def test_for_every_n_epsilon_some_ball_has_the_minimiser_of_corollary_5() -> None:
    """The converse of the claim: along the radius the bound meets its minimum over all posteriors.

    L.q + c |q| with c^2 = N / (4 n delta) is convex, so no posterior lies further below a found one than
    ``g.q - min g`` with the gradient g = L + c q / |q| there.
    """
    losses = tensor([0.2, 0.25, 0.4, 0.45, 0.6])
    for n, delta in ((20, 0.05), (500, 0.05), (20000, 0.2)):

        def bound(q: np.ndarray, n: int = n, delta: float = delta) -> float:
            divergence = float(pseudo_posterior.chi_square_divergence(torch.as_tensor(q)))
            loss = float(q @ losses.numpy())
            return float(pac_bayes.printed_chi_square_bound(loss, divergence, sample_size=n, delta=delta))

        def weights(log: float) -> np.ndarray:
            return greedy_kernel.chi_square_alignment_weights(losses, math.exp(log)).numpy()

        found = optimize.minimize_scalar(
            lambda log, bound=bound: bound(weights(log)), bounds=(math.log(1e-6), math.log(4)), method="bounded",
            options={"xatol": 1e-8},
        )  # fmt: skip
        best = weights(found.x)
        slope = math.sqrt(5 / (4 * n * delta))
        assert bound(best) == pytest.approx(losses.numpy() @ best + slope * np.linalg.norm(best), rel=1e-14)
        gradient = losses.numpy() + slope * best / np.linalg.norm(best)
        assert gradient @ best - gradient.min() <= 1e-6


def test_the_stopwatch_knows_the_slower_routine() -> None:
    """A hundred times the work takes more time, however busy the machine."""
    ratio = time_ratio(lambda: sum(range(200_000)), lambda: sum(range(2_000)))
    assert ratio > 5
    assert time_ratio(lambda: sum(range(2_000)), lambda: sum(range(200_000))) < 0.2


def test_the_timed_table_judges_the_bisection_alone() -> None:
    rows = complexity.pseudo_posterior_is_faster(draw=Draw(1, ("test",)), N=2000)
    assert [printed for *_, printed in as_tuples(rows)] == [1.0, None]
    assert all(ratio > 0 for _, ratio, _, _ in as_tuples(rows))
