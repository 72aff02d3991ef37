"""One small call of every public function and class of `algos`, with its tensors on a device to be chosen."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from algos.best_response import langevin
from algos.best_response.ascent import AscentPeaks
from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from algos.best_response.lattice import LatticePeaks
from algos.best_response.planar import PlanarPeaks
from algos.best_response.separable_potential import SeparablePotential
from algos.complexity import local_rademacher, rademacher, spectral_rademacher
from algos.divergence_ball import bisection as divergence_ball_bisection
from algos.divergence_ball import exact as divergence_ball
from algos.divergence_ball import linear_time as divergence_ball_linear_time
from algos.divergence_ball import penalised as divergence_ball_penalised
from algos.divergence_ball import published as divergence_ball_published
from algos.fourier import fastfood, random_features, spectral_measures, streamed, structured
from algos.fourier import sums as fourier
from algos.fourier.feature_families import ArcCosine, Coordinates, OffsetCosine
from algos.kernel_learning import alignment, greedy_kernel, joint_kernel, landmarks, pseudo_posterior
from algos.kernel_learning import sphere as sphere_alignment
from algos.kernel_learning import weights as kernel_learning
from algos.kernel_learning.learned_similarities import pseudo_bayesian_similarities as similarities
from algos.margin_game import certificate as game_certificate
from algos.margin_game import cone_ball, online, projection
from algos.margin_game import game as margin_game
from algos.margin_game import maximum as margin_maximum
from algos.margin_game import measure as dual_measure
from algos.margin_game import squared_hinge as squared_hinge_game
from algos.margin_game import value as margin_value
from algos.margin_game.excessive_gap import excessive_gap
from algos.ridge import (
    finite_rank,
    gaussian_leverage,
    leverage,
    leverage_sampling,
    spectral,
    spline,
    spline_ridge,
    squared_hinge_path,
    streaming,
)
from algos.ridge import regression as ridge
from algos.sphere import harmonics as spherical_harmonics
from algos.sphere import zonal, zonal_features
from tests.conformance.device_inputs import Inputs, M, N

Case = Callable[[Inputs], Any]


def _answers(player: Any, signed: Tensor, points: Tensor) -> Any:
    answer = player(signed)
    return answer, player.features(answer.index), player.features(answer.index, points)


def _family(x: Inputs, family: Any) -> Any:
    parameters = family.draw(M, 2, generator=x.generator())
    weighted = family.weighted_sums(x.points, parameters, x.real(3, N))
    kernel = family.kernel(x.points, x.points)
    squares = family.squared_sums(x.points, parameters)
    return parameters, family.evaluate(x.points, parameters), kernel, weighted, squares


def _separable(x: Inputs) -> Any:
    potential = SeparablePotential(x.points, radius=3.0)
    moments = potential.moments(x.labels * x.weights)
    grids = potential.grid(moments, x.frequencies[:, 0], x.frequencies[:, 1])
    places = 0.1 * x.frequencies
    return moments, potential.value(moments, places), potential.value_gradient_and_hessian(moments, places), grids


def _ascent(x: Inputs) -> Any:
    player = AscentPeaks(x.points, generator=x.generator(), starts=4, steps=3, polish=2, radius=4.0)
    return _answers(player, x.labels * x.weights, x.points), player.best(x.labels * x.weights, 2)


def _langevin(x: Inputs) -> Any:
    def field(w: Tensor) -> tuple[Tensor, Tensor]:
        return -w.square().sum(-1), -2 * w

    noisy = {"steps": 4, "step": 0.1, "noise_scale": 0.2, "radius": 3.0}
    return langevin.langevin_dynamics(field, x.frequencies, generator=x.generator(), **noisy)


def _ascend_online(x: Inputs) -> Any:
    project = projection.BoxHyperplane(x.labels, 1.0)
    start = project(x.weights)
    step = online.adagrad_norm_step(2.0)
    return online.online_gradient_ascent(lambda t, a: 1 / t - a, project, start, rounds=4, step=step)


def _zonal_map(x: Inputs) -> Any:
    return [zonal_features.zonal_map(x.real(N, d), 2)(x.real(N, d, seed=4)) for d in (2, 3, 4)]


ORDINARY = {"lengthscale": 0.8, "input_scale": 1.2}

CASES: dict[str, Case] = {
    "kernel_learning.binary_alignment_loss": lambda x: alignment.binary_alignment_loss(
        x.points, x.labels, x.frequencies
    ),
    "kernel_learning.multiclass_alignment_loss": lambda x: alignment.multiclass_alignment_loss(
        x.points, x.classes, x.frequencies
    ),
    "kernel_learning.pairwise_alignment_loss": lambda x: alignment.pairwise_alignment_loss(
        x.points, x.labels, x.frequencies
    ),
    "kernel_learning.per_point_alignment_loss": lambda x: alignment.per_point_alignment_loss(
        x.points, x.classes, x.frequencies
    ),
    "kernel_learning.landmark_alignment_loss": lambda x: alignment.landmark_alignment_loss(
        x.points, x.classes, x.points[:3], x.classes[:3], x.real(3, M, 2), in_sample=True
    ),
    "kernel_learning.quadratic_alignment": lambda x: alignment.quadratic_alignment(x.gram(), x.labels),
    "kernel_learning.u_statistic_variance": lambda x: alignment.u_statistic_variance(x.gram(), x.law(N), 5),
    "kernel_learning.label_alignment_variance": lambda x: alignment.label_alignment_variance(x.law(3), 5),
    "kernel_learning.label_alignment_loss": lambda x: alignment.label_alignment_loss(x.whole(3, 2, 4).double()),
    "best_response.AscentPeaks": _ascent,
    "margin_game.project_cone_ball": lambda x: cone_ball.project_cone_ball(x.weights, x.labels, 0.7),
    "divergence_ball.chi_square_ball_maximum": lambda x: (
        divergence_ball.chi_square_ball_maximum(x.real(3, N), 0.5),
        divergence_ball.chi_square_ball_maximum(x.real(N), 0.5, base=x.law(N)),
    ),
    "divergence_ball.divergence_ball_maximum": lambda x: divergence_ball.divergence_ball_maximum(
        x.real(3, N), 0.5, order=1.5
    ),
    "divergence_ball.divergence_ball_dual": lambda x: divergence_ball.divergence_ball_dual(
        x.real(3, N), x.real(3) - 3, 0.5
    ),
    "divergence_ball.f_divergence": lambda x: divergence_ball.f_divergence(x.law(N), order=3.0),
    "divergence_ball.chi_square_ball_bisection": lambda x: divergence_ball_bisection.chi_square_ball_bisection(
        x.real(3, N), 0.5, tolerance=1e-6
    ),
    "divergence_ball.penalised_maximum": lambda x: [
        divergence_ball_penalised.penalised_maximum(x.real(3, N), 0.5, order=2.0, search=search)
        for search in ("sort", "median")
    ],
    "divergence_ball.linear_time_maximum": lambda x: divergence_ball_linear_time.linear_time_maximum(
        x.real(3, N), 0.5, order=3.0
    ),
    "divergence_ball.printed_penalised_maximum": lambda x: divergence_ball_penalised.printed_penalised_maximum(
        x.real(3, N), 0.5, order=2.0
    ),
    "divergence_ball.printed_bisection": lambda x: divergence_ball_published.printed_bisection(
        x.real(3, N), 0.5, order=2.0, tolerance=1e-4
    ),
    "divergence_ball.fully_printed_bisection": lambda x: divergence_ball_published.fully_printed_bisection(
        x.real(3, N), 0.5, order=2.0, tolerance=1e-4
    ),
    "divergence_ball.certified_bisection": lambda x: divergence_ball_published.certified_bisection(
        x.real(3, N), 0.5, order=2.0, tolerance=1e-4
    ),
    "margin_game.excessive_gap": lambda x: excessive_gap(x.real(3, N, 2), x.labels, 0.5, rounds=4),
    "margin_game.dual_measure": lambda x: x.measure,
    "margin_game.measure_features": lambda x: dual_measure.measure_features(x.real(3, N, 2), x.law(3)),
    "fourier.OffsetCosine": lambda x: _family(x, OffsetCosine()),
    "fourier.ArcCosine": lambda x: _family(x, ArcCosine(1)),
    "fourier.Coordinates": lambda x: (
        Coordinates().evaluate(x.points, Coordinates().every(2, device=x.device)),
        Coordinates().draw(4, 2, generator=x.generator()),
        Coordinates().kernel(x.points, x.points),
    ),
    "ridge.finite_rank_effective_dimension": lambda x: finite_rank.finite_rank_effective_dimension(x.real(N, 3), 0.3),
    "ridge.finite_rank_leverage_scores": lambda x: finite_rank.finite_rank_leverage_scores(
        x.real(N, 3), x.real(3, M), x.law(M), 0.3
    ),
    "ridge.whitened_atoms": lambda x: finite_rank.whitened_atoms(x.real(3, M), x.law(M)),
    "fourier.cosine_sums": lambda x: fourier.cosine_sums(x.real(N, 2), x.real(M, 3), x.real(3, N)),
    "fourier.fourier_sums": lambda x: (
        fourier.fourier_sums(x.points, x.frequencies, x.real(3, N)),
        fourier.fourier_sums(x.real(4, N, 2), x.real(4, M, 2), x.real(4, 3, N), block_bytes=512),
        fourier.fourier_sums(x.real(4, N, 2), x.real(4, M, 2), x.real(4, 3, N)),
    ),
    "fourier.fourier_potential": lambda x: fourier.fourier_potential(x.points, x.frequencies, x.real(N)),
    "fourier.fourier_potential_and_gradient": lambda x: fourier.fourier_potential_and_gradient(
        x.points, x.frequencies, x.real(N)
    ),
    "margin_game.measure_maximum": lambda x: game_certificate.measure_maximum(x.measure, x.player, x.labels, 1.0),
    "margin_game.average_regret": lambda x: game_certificate.average_regret(x.game, x.player),
    "margin_game.regret_certificate": lambda x: game_certificate.regret_certificate(x.game, x.player),
    "margin_game.game_certificate": lambda x: game_certificate.game_certificate(x.game, x.player),
    "ridge.gaussian_effective_dimension": lambda x: gaussian_leverage.gaussian_effective_dimension(
        x.law(3), **ORDINARY
    ),
    "ridge.gaussian_leverage_density": lambda x: gaussian_leverage.gaussian_leverage_density(
        x.real(M, 1), 0.1, **ORDINARY
    ),
    "kernel_learning.pseudo_bayesian_weights": lambda x: greedy_kernel.pseudo_bayesian_weights(
        x.law(M), 1.0, sample_size=N
    ),
    "kernel_learning.chi_square_alignment_weights": lambda x: greedy_kernel.chi_square_alignment_weights(x.law(M), 2.0),
    "kernel_learning.sample_frequencies": lambda x: greedy_kernel.sample_frequencies(
        x.frequencies, x.law(M), 4, generator=x.generator()
    ),
    "best_response.HarmonicPeaks": lambda x: _answers(HarmonicPeaks(x.space, 4), x.labels * x.weights, x.space[:3]),
    "best_response.ZonalPeaks": lambda x: _answers(ZonalPeaks(x.space, 4), x.labels * x.weights, x.space[:3]),
    "ridge.squared_hinge_path": lambda x: squared_hinge_path(x.points, x.labels, x.law(3)),
    "kernel_learning.joint_kernel_ridge": lambda x: joint_kernel.joint_kernel_ridge(
        x.real(N, M), x.labels, 0.5, ridge=1.0, tolerance=1e-2, max_steps=5
    ),
    "kernel_learning.class_targets": lambda x: kernel_learning.class_targets(x.whole(0, 1, 2, 2, 1)),
    "kernel_learning.alignment_vector": lambda x: kernel_learning.alignment_vector(
        x.points, x.labels.unsqueeze(0), x.real(M, 3), OffsetCosine()
    ),
    "kernel_learning.alignment_u_statistic": lambda x: kernel_learning.alignment_u_statistic(
        x.points, x.labels.unsqueeze(0), x.real(M, 3), OffsetCosine()
    ),
    "kernel_learning.learned_kernel": lambda x: kernel_learning.learned_kernel(x.real(N, M), x.real(4, M), x.law(M)),
    "kernel_learning.reweighted_features": lambda x: kernel_learning.reweighted_features(x.real(N, M), x.law(M)),
    "kernel_learning.support": lambda x: kernel_learning.support(x.law(M), smallest=0.1),
    "kernel_learning.sampled_features": lambda x: kernel_learning.sampled_features(
        x.law(M), 5, generator=x.generator()
    ),
    "kernel_learning.random_landmarks": lambda x: landmarks.random_landmarks(x.classes, 3, generator=x.generator()),
    "kernel_learning.stratified_landmarks": lambda x: landmarks.stratified_landmarks(
        x.classes, 4, generator=x.generator()
    ),
    "kernel_learning.kmeans_landmarks": lambda x: landmarks.kmeans_landmarks(x.points, x.classes, 4, seed=0, n_init=1),
    "kernel_learning.similarity_map": lambda x: landmarks.similarity_map(
        x.points, x.points[:3], x.real(3, M, 2), x.law(3, M)
    ),
    "kernel_learning.pseudo_bayesian_similarities": lambda x: similarities(**x.learned),
    "best_response.langevin_dynamics": _langevin,
    "best_response.LatticePeaks": lambda x: _answers(
        LatticePeaks(x.whole(0, 1, 2, 5, 6, 7, 9, 11).double().unsqueeze(-1), grid=64),
        x.labels * x.weights,
        x.whole(3, 4).double().unsqueeze(-1),
    ),
    "best_response.FinitePeaks": lambda x: _answers(x.player, x.labels * x.weights, x.points[:3]),
    "ridge.feature_kernel": lambda x: leverage.feature_kernel(x.real(N, M), x.law(M)),
    "ridge.effective_dimension": lambda x: leverage.effective_dimension(x.gram(), 0.2),
    "ridge.ridge_leverage_scores": lambda x: leverage.ridge_leverage_scores(x.real(N, M), x.law(M), 0.2),
    "ridge.gram_leverage_scores": lambda x: leverage.gram_leverage_scores(x.gram(), 0.2),
    "ridge.sampled_kernel": lambda x: leverage.sampled_kernel(
        x.real(N, 3), x.law(3), x.whole(2, 0, 1).double(), sampling=x.law(3)
    ),
    "ridge.operator_norm_deviation": lambda x: leverage.operator_norm_deviation(x.gram(), 0.9 * x.gram(), 0.2),
    "ridge.unit_ball_approximation_ratio": lambda x: leverage.unit_ball_approximation_ratio(
        x.gram(), 0.9 * x.gram(), 0.2
    ),
    "ridge.pool_leverage_scores": lambda x: leverage_sampling.pool_leverage_scores(x.gram(), 0.2),
    "ridge.printed_pool_leverage_scores": lambda x: leverage_sampling.printed_pool_leverage_scores(x.gram(), 0.2),
    "ridge.printed_leverage_sampling_weights": lambda x: leverage_sampling.printed_leverage_sampling_weights(x.law(M)),
    "ridge.leverage_sampling_weights": lambda x: leverage_sampling.leverage_sampling_weights(x.law(M)),
    "ridge.sample_by_leverage": lambda x: leverage_sampling.sample_by_leverage(x.law(M), 4, generator=x.generator()),
    "ridge.leverage_weighted_sample": lambda x: leverage_sampling.leverage_weighted_sample(
        x.points,
        x.frequencies,
        lambda p, w: (p @ w.mT).cos(),
        ridge=0.3,
        generator=x.generator(),
        count=4,
        block_rows=3,
    ),
    "complexity.local_suprema": lambda x: local_rademacher.local_suprema(x.gram(), x.real(5, N), 0.3),
    "complexity.local_rademacher_complexity": lambda x: local_rademacher.local_rademacher_complexity(x.gram(4), 0.3),
    "complexity.sub_root_fixed_point": lambda x: local_rademacher.sub_root_fixed_point(
        lambda r: (r + 0.1).sqrt(), x.law(3)
    ),
    "complexity.local_fixed_point": lambda x: local_rademacher.local_fixed_point(x.law(3, M), scale=2.0),
    "margin_game.margin_payoff": lambda x: margin_game.margin_payoff(
        x.weights, x.labels, x.points, x.frequencies, mass=1.0
    ),
    "margin_game.margin_payoff_gradient": lambda x: margin_game.margin_payoff_gradient(
        x.weights, x.labels, x.points, x.frequencies, mass=1.0
    ),
    "margin_game.play_margin_game": lambda x: x.game,
    "margin_game.margin_maximum": lambda x: margin_maximum.margin_maximum(x.real(N, 3), x.labels, 1.0),
    "margin_game.margin_lower_bound": lambda x: margin_value.margin_lower_bound(x.law(3), x.law(3)),
    "margin_game.margin_value": lambda x: margin_value.margin_value(x.real(3, N, 2), x.labels, 1.0, rounds=30),
    "margin_game.online_gradient_ascent": _ascend_online,
    "margin_game.decreasing_step": lambda x: online.decreasing_step(x.law(3))(4, x.real(3)),
    "margin_game.adagrad_norm_step": lambda x: online.adagrad_norm_step(x.law(3))(2, x.law(3)),
    "margin_game.linear_regret": lambda x: online.linear_regret(x.real(3, N), x.law(3, N), 0.0, 1.0),
    "best_response.PlanarPeaks": lambda x: _answers(
        PlanarPeaks(x.points, radius=3.0, spacing=0.5, evaluations=2000), x.labels * x.weights, x.points[:3]
    ),
    "margin_game.project_box_hyperplane": lambda x: projection.project_box_hyperplane(x.real(3, N), x.labels, 0.5),
    "margin_game.alternating_projection": lambda x: projection.alternating_projection(
        x.real(3, N), x.labels, 0.5, iterations=3
    ),
    "margin_game.BoxHyperplane": lambda x: [
        projection.BoxHyperplane(x.labels, 0.5)(x.real(*shape)) for shape in ((N,), (3, N))
    ],
    "kernel_learning.gibbs_posterior": lambda x: pseudo_posterior.gibbs_posterior(x.law(M), 2.0, prior=x.law(M)),
    "kernel_learning.kl_divergence": lambda x: pseudo_posterior.kl_divergence(x.law(3, M)),
    "kernel_learning.chi_square_divergence": lambda x: pseudo_posterior.chi_square_divergence(x.law(3, M), x.law(M)),
    "kernel_learning.effective_sample_size": lambda x: pseudo_posterior.effective_sample_size(x.law(3, M)),
    "kernel_learning.log_moment": lambda x: pseudo_posterior.log_moment(x.real(3, M)),
    "kernel_learning.conjugate_norm": lambda x: pseudo_posterior.conjugate_norm(x.real(3, M), 3.0),
    "complexity.unit_ball_rademacher_complexity": lambda x: rademacher.unit_ball_rademacher_complexity(x.gram(4)),
    "complexity.all_signs": lambda x: rademacher.all_signs(4, like=x.points),
    "fourier.gaussian_frequencies": lambda x: random_features.gaussian_frequencies(
        M, 2, gamma=0.5, generator=x.generator()
    ),
    "fourier.random_fourier_features": lambda x: random_features.random_fourier_features(x.points, x.frequencies),
    "fourier.fastfood_features": lambda x: fastfood.fastfood_features(
        x.points, count=M, gamma=0.5, generator=x.generator()
    ),
    "fourier.fourier_gram": lambda x: streamed.fourier_gram(x.points, x.frequencies, block_rows=3),
    "fourier.fourier_moments": lambda x: streamed.fourier_moments(x.points, x.labels, x.frequencies, block_rows=3),
    "fourier.structured_signs": lambda x: structured.structured_signs(5, 3, generator=x.generator()),
    "fourier.structured_frequencies": lambda x: structured.structured_frequencies(x.signs(2), 2, gamma=0.5),
    "fourier.structured_phases": lambda x: [
        structured.structured_phases(points, x.signs(2), gamma=0.5) for points in (x.points, x.points[:2])
    ],
    "fourier.structured_fourier_features": lambda x: structured.structured_fourier_features(
        x.points, x.signs(2), gamma=0.5
    ),
    "fourier.feature_product_variance": lambda x: random_features.feature_product_variance(x.law(M), x.law(M), 10),
    "fourier.gaussian_kernel": lambda x: random_features.gaussian_kernel(x.points, x.points[:3], gamma=0.5),
    "ridge.dual_coefficients": lambda x: ridge.dual_coefficients(x.gram(), x.labels, 0.2),
    "ridge.kernel_ridge_fit": lambda x: ridge.kernel_ridge_fit(x.gram(), x.labels, 0.2),
    "ridge.feature_ridge_coefficients": lambda x: ridge.feature_ridge_coefficients(x.real(N, 3), x.labels, 0.2),
    "ridge.feature_ridge_from_moments": lambda x: ridge.feature_ridge_from_moments(x.gram(), x.labels, 0.2),
    "ridge.feature_ridge_fit": lambda x: ridge.feature_ridge_fit(x.real(N, 3), x.labels, 0.2),
    "ridge.ridge_cross_term": lambda x: ridge.ridge_cross_term(x.gram(), 0.9 * x.gram(), x.labels, 0.2),
    "ridge.unit_ball_coefficients": lambda x: ridge.unit_ball_coefficients(x.gram(), x.weights),
    "best_response.SeparablePotential": _separable,
    "ridge.gaussian_spectral_density": lambda x: spectral.gaussian_spectral_density(x.frequencies, gamma=0.5),
    "ridge.laplace_kernel": lambda x: spectral.laplace_kernel(x.points, x.points[:3], gamma=0.5),
    "ridge.laplace_frequencies": lambda x: spectral.laplace_frequencies(M, 2, gamma=0.5, generator=x.generator()),
    "ridge.laplace_spectral_density": lambda x: spectral.laplace_spectral_density(x.frequencies, gamma=0.5),
    "ridge.spectral_mixture_kernel": lambda x: spectral.spectral_mixture_kernel(
        x.points, x.law(3), x.real(3, 2), x.law(3)
    ),
    "ridge.spectral_mixture_density": lambda x: spectral.spectral_mixture_density(
        x.frequencies, x.law(3), x.real(3, 2), x.law(3)
    ),
    "fourier.matern_kernel": lambda x: spectral_measures.matern_kernel(
        x.points, x.points[:3], smoothness=1.5, lengthscale=0.8
    ),
    "fourier.matern_frequencies": lambda x: spectral_measures.matern_frequencies(
        M, 2, smoothness=1.5, lengthscale=0.8, generator=x.generator()
    ),
    "fourier.matern_spectral_density": lambda x: spectral_measures.matern_spectral_density(
        x.frequencies, smoothness=1.5, lengthscale=0.8
    ),
    "fourier.spline_spectral_masses": lambda x: spectral_measures.spline_spectral_masses(
        x.whole(-1, 0, 2).double(), order=2.0
    ),
    "fourier.spline_frequencies": lambda x: spectral_measures.spline_frequencies(1, order=2.0, generator=x.generator()),
    "fourier.trigonometric_factor": lambda x: spectral_measures.trigonometric_factor(x.points, x.frequencies, x.law(M)),
    "complexity.spectral_rademacher_complexity": lambda x: spectral_rademacher.spectral_rademacher_complexity(
        x.real(5, 1), 1.0, nodes=9
    ),
    "complexity.frequencies_rademacher_complexity": lambda x: spectral_rademacher.frequencies_rademacher_complexity(
        x.real(5, 1), x.real(4, 1)
    ),
    "kernel_learning.radial_label_transform": lambda x: sphere_alignment.radial_label_transform(
        x.law(3) * 3, dimension=3
    ),
    "kernel_learning.sphere_alignment": lambda x: sphere_alignment.sphere_alignment(x.real(M, 3)),
    "sphere.harmonic_indices": lambda x: spherical_harmonics.harmonic_indices(3, device=x.device),
    "sphere.pair_indices": lambda x: spherical_harmonics.pair_indices(3, device=x.device),
    "sphere.conjugate_index": lambda x: spherical_harmonics.conjugate_index(
        spherical_harmonics.harmonic_indices(3, device=x.device)
    ),
    "sphere.spherical_harmonics": lambda x: spherical_harmonics.spherical_harmonics(x.space, 3),
    "sphere.harmonic_pairs": lambda x: spherical_harmonics.harmonic_pairs(
        x.space, spherical_harmonics.pair_indices(3, device=x.device)
    ),
    "ridge.spline_kernel": lambda x: [spline.spline_kernel(x.places(), order) for order in (2.0, 3.0, 2.5)],
    "ridge.spline_features": lambda x: spline.spline_features(x.places(), x.places(4), 2.0),
    "ridge.spline_ridge_coefficients": lambda x: spline.spline_ridge_coefficients(
        x.places(), x.places(4), x.labels, order=2.0, ridge=0.3
    ),
    "ridge.spline_moments": lambda x: spline.spline_moments(x.places(), x.places(4), x.labels, order=2.0),
    "ridge.spline_excess_risk": lambda x: spline.spline_excess_risk(
        x.real(4), x.places(4), order=2.0, smoothness=3.0, origin=0.3
    ),
    "ridge.spline_kernel_ridge_coefficients": lambda x: spline_ridge.spline_kernel_ridge_coefficients(
        x.places(), x.labels, ridge=0.3
    ),
    "margin_game.strongly_concave_step": lambda x: squared_hinge_game.strongly_concave_step(0.5)(3, x.real(2)),
    "margin_game.play_squared_hinge_game": lambda x: squared_hinge_game.play_squared_hinge_game(
        x.player, x.labels, 1.0, rounds=4
    ),
    "ridge.feature_gram": lambda x: streaming.feature_gram(x.points, lambda p: p @ x.frequencies.mT, block_rows=3),
    "ridge.feature_moments": lambda x: streaming.feature_moments(
        x.points, x.labels, lambda p: p @ x.frequencies.mT, block_rows=3
    ),
    "sphere.unit_directions": lambda x: zonal.unit_directions(x.points),
    "sphere.zonal_polynomials": lambda x: zonal.zonal_polynomials(x.places(), 4, 3),
    "sphere.zonal_kernel": lambda x: zonal.zonal_kernel(x.law(4), x.places(), 3),
    "sphere.zonal_sequence": lambda x: list(zonal.zonal_sequence(x.places(), 4, 3)),
    "sphere.zonal_map": _zonal_map,
}

NUMBERS_ONLY = {
    "ridge.gaussian_kernel_eigenvalues",
    "best_response.langevin_noise_scale",
    "best_response.printed_noise_scale",
    "best_response.stationary_variance",
    "kernel_learning.sphere_ball_maximum",
}
"""Public functions of plain numbers: no tensor of theirs says where to compute."""
