"""What is known of each function of `bounds` by itself, checked wherever its arguments lie.

`+x` and `-x`: non-decreasing and non-increasing in x. `x^2`: homogeneous of degree 2 in x. `x=y`: the same when x and y
are exchanged. `in[0,1]`: the range. What holds between functions stands in `tests.bounds.orderings`.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from signatures.domains import Interval

PROPERTIES = {
    "divergence_ball.c_rho": "in[0,inf]",
    "divergence_ball.c_rho_order": "-order in[0,inf]",
    "divergence_ball.d_rho": "+rho in[0,inf]",
    "divergence_ball.dual_threshold_bound": "-rho -order in[0,inf]",
    "divergence_ball.printed_expected_supremum_gap": "+half_range half_range^1 -count in[0,inf]",
    "divergence_ball.binomial_deviation_constant": "-count in[0,inf]",
    "divergence_ball.expected_supremum_gap": "+half_range half_range^1 +rho -count -order in[0,inf]",
    "divergence_ball.supremum_deviation": "+half_range half_range^1 +rho -count -delta in[0,inf]",
    "divergence_ball.convex_deviation": "+half_range half_range^1 +lipschitz "
    "lipschitz^1 -delta half_range=lipschitz in[0,inf]",
    "divergence_ball.radius_growth": "+exponent",
    "divergence_ball.chi_square_radius": "+rho -order in[0,inf]",
    "divergence_ball.printed_weight_norm": "+rho -count count^-0.5 -order in[0,inf]",
    "divergence_ball.weight_norm": "+rho -count count^-0.5 -order in[0,inf]",
    "divergence_ball.alignment_deviation_tail": "-deviation +rho -n in[0,inf]",
    "divergence_ball.alignment_deviation": "+rho -n n^-0.5 -delta in[0,inf]",
    "divergence_ball.mcdiarmid_alignment_deviation": "+rho -n n^-0.5 -delta -order in[0,inf]",
    "random_features.leverage_feature_count": "+effective_dimension -delta +constant in[0,inf]",
    "random_features.plain_sampling_dimension": "+feature_bound feature_bound^2 "
    "-regularisation regularisation^-1 in[0,inf]",
    "random_features.plain_feature_count": "+effective_dimension -delta +feature_bound "
    "-regularisation +constant in[0,inf]",
    "random_features.lower_tail_feature_count": "+sampling_dimension +effective_dimension -delta -epsilon in[0,inf]",
    "random_features.failure_probability": "-features +sampling_dimension +effective_dimension "
    "effective_dimension^1 +constant in[0,inf]",
    "random_features.matrix_bernstein_tail": "-deviation -n +variance +norm +dimension dimension^1 in[0,inf]",
    "random_features.unit_ball_approximation_error": "+regularisation regularisation^1 +epsilon in[0,inf]",
    "margin_game.printed_lipschitz_constant": "+n n^2 +radius radius^1 in[0,inf]",
    "margin_game.lipschitz_constant": "+n n^2 +radius radius^1 in[0,inf]",
    "margin_game.expected_potential": "+ideal -n in[0,1]",
    "margin_game.derivative_bound": "+n n^2 +radius in[0,inf]",
    "margin_game.printed_point_lipschitz_constant": "+n n^1 +bandwidth bandwidth^1 n=bandwidth in[0,inf]",
    "margin_game.point_lipschitz_constant": "+n +bandwidth bandwidth^1 in[0,inf]",
    "margin_game.printed_replacement_change": "+largest_phase largest_phase^1 -n n^-1 in[0,inf]",
    "margin_game.replacement_change": "in[0,inf]",
    "divergence_ball.printed_sampling_deviation": "-count -delta in[0,inf]",
    "divergence_ball.sampling_deviation": "+half_range half_range^1 +rho -count -delta -order in[0,inf]",
    "divergence_ball.printed_consistency_deviation": "-n -count -delta in[0,inf]",
    "divergence_ball.consistency_deviation": "+half_range +rho -n -count -delta -order in[0,inf]",
    "pac_bayes.landmark_kl_bound": "+empirical_loss +divergence -delta +landmarks in[0,inf]",
    "pac_bayes.selected_landmark_kl_bound": "+empirical_loss +divergence -delta +settings in[0,inf]",
    "random_features.leverage_score_upper": "+probability probability^1 +feature_bound "
    "feature_bound^2 -regularisation regularisation^-1 in[0,inf]",
    "random_features.printed_deviation_constant": "-epsilon in[0,inf]",
    "random_features.deviation_constant": "-epsilon in[0,inf]",
    "random_features.refined_deviation_constant": "-epsilon in[0,inf]",
    "random_features.feature_count": "+sampling_dimension +effective_dimension -delta +constant in[0,inf]",
    "random_features.printed_cross_term_bound": "+regularisation regularisation^1 in[0,inf]",
    "random_features.cross_term_bound": "+regularisation regularisation^1 +squared_norm squared_norm^1 "
    "+sampling_dimension -features -delta in[0,inf]",
    "random_features.deterministic_cross_term_bound": "+regularisation regularisation^0.5 "
    "+residual_risk residual_risk^0.5 in[0,inf]",
    "random_features.composition_complexity": "+complexity complexity^1 +lipschitz "
    "lipschitz^1 complexity=lipschitz in[0,inf]",
    "random_features.risk_deviation": "+complexity -n -delta +loss_range in[0,inf]",
    "random_features.printed_approximation_loss": "+regularisation regularisation^0.5 in[0,inf]",
    "random_features.approximation_loss": "+regularisation +lipschitz in[0,inf]",
    "random_features.lipschitz_excess_risk_bound": "+regularisation +feature_bound -n "
    "-delta +lipschitz +squared_radius in[0,inf]",
    "complexity.truncated_trace": "+radius in[0,inf]",
    "complexity.printed_local_complexity": "+trace trace^0.5 -n in[0,inf]",
    "complexity.local_complexity": "+trace trace^0.5 -n in[0,inf]",
    "complexity.printed_fixed_point_bound": "-n +constant in[0,inf]",
    "complexity.fixed_point_bound": "-n +scale +truncation +offset in[0,inf]",
    "complexity.fixed_point": "-n +scale +truncation +offset in[0,inf]",
    "complexity.refined_excess_risk": "+fixed_point +approximation -variance_factor in[0,inf]",
    "complexity.margin_excess_risk": "+complexity -margin -n -delta in[0,inf]",
    "margin_game.printed_convergence": "+box +n -rounds +peak_gap in[0,inf]",
    "margin_game.convergence": "+box +n +minority -rounds +peak_gap in[0,inf]",
    "margin_game.printed_play_convergence": "+box +n +minority -rounds +peak_gap in[0,inf]",
    "margin_game.posterior_convergence": "+diameter -last_step +weighted_squares -rounds +peak_gap in[0,inf]",
    "margin_game.adagrad_convergence": "+diameter +squared_gradients -rounds +peak_gap in[0,inf]",
    "margin_game.squared_hinge_convergence": "+box +n -rounds +peak_gap in[0,inf]",
    "margin_game.trivial_gap": "+box box^1 +minority minority^1 box=minority in[0,inf]",
    "margin_game.printed_weak_learner_value": "+peak +box +n -rounds in[0,inf]",
    "margin_game.weak_learner_value": "+weight_sum -peak +regret",
    "margin_game.printed_margin_ratio_loss": "+box +n -rounds +peak_gap in[0,inf]",
    "margin_game.margin_ratio_loss": "+gap gap^1 -value value^-1 in[0,inf]",
    "divergence_ball.low_power_deficit": "-norm +variance variance^0.5 +two_norm two_norm^1 -n in[0,inf]",
    "divergence_ball.high_power_deficit": "-norm +variance -n in[0,inf]",
    "divergence_ball.bounded_low_power_deficit": "+bound bound^1 -n in[0,inf]",
    "divergence_ball.bounded_high_power_deficit": "+bound bound^1 -n in[0,inf]",
    "divergence_ball.power_mean_deficit": "-norm +variance variance^1 -n in[0,inf]",
    "divergence_ball.bounded_power_mean_deficit": "+bound bound^1 -n in[0,inf]",
    "divergence_ball.intermediate_moment_bound": "+moment +double_moment in[0,inf]",
    "random_features.multinomial_box_probability": "in[0,1]",
    "random_features.uniform_deviation_probability": "in[0,1]",
    "margin_game.online_ascent_regret": "+diameter diameter^1 +lipschitz lipschitz^1 "
    "-rounds rounds^-0.5 diameter=lipschitz in[0,inf]",
    "margin_game.decreasing_step_regret": "+diameter +lipschitz -rounds rounds^-0.5 in[0,inf]",
    "margin_game.printed_gradient_norm": "+box +n n^0.5 in[0,inf]",
    "margin_game.gradient_norm": "+box +n n^0.5 +minority in[0,inf]",
    "margin_game.printed_diameter": "+box box^1 +n n^0.5 in[0,inf]",
    "margin_game.diameter": "+box box^1 +minority minority^0.5 in[0,inf]",
    "pac_bayes.printed_first_order_kl_bound": "+empirical_loss +divergence -delta in[0,inf]",
    "pac_bayes.first_order_kl_bound": "+empirical_loss +divergence -delta in[0,inf]",
    "pac_bayes.printed_averaged_first_order_kl_bound": "+empirical_loss +divergence -delta in[0,inf]",
    "pac_bayes.averaged_first_order_kl_bound": "+empirical_loss +divergence -delta in[0,inf]",
    "pac_bayes.printed_second_order_kl_bound": "+empirical_loss +divergence -delta in[0,inf]",
    "pac_bayes.second_order_kl_bound": "+empirical_loss +divergence -delta in[0,inf]",
    "pac_bayes.printed_power_divergence_bound": "+empirical_loss +divergence -sample_size -delta in[0,inf]",
    "pac_bayes.power_divergence_bound": "+empirical_loss +divergence -sample_size -delta in[0,inf]",
    "pac_bayes.printed_chi_square_bound": "+empirical_loss +divergence -sample_size -delta in[0,inf]",
    "pac_bayes.chi_square_bound": "+empirical_loss +divergence -sample_size -delta in[0,inf]",
    "pac_bayes.logarithmic_chi_square_bound": "+empirical_loss +divergence -sample_size -delta in[0,inf]",
    "pac_bayes.printed_alignment_variance_bound": "-sample_size in[0,inf]",
    "pac_bayes.alignment_variance_bound": "-sample_size in[0,inf]",
    "pac_bayes.one_sided_second_moment": "-sample_size in[0,inf]",
    "concentration.hoeffding_deviation": "+width width^1 -n n^-0.5 -delta in[0,inf]",
    "concentration.bernstein_deviation": "+variance +width -n -delta in[0,inf]",
    "concentration.bennett_deviation": "+variance +width -n -delta in[0,inf]",
    "concentration.empirical_bernstein_deviation": "+sample_variance +width -n -delta in[0,inf]",
    "concentration.cantelli_deviation": "+variance variance^0.5 -n n^-0.5 -delta in[0,inf]",
    "divergence_ball.square_moment_bound": "+scale +proxy in[0,inf]",
    "divergence_ball.printed_alignment_variance_proxy": "-n in[0,inf]",
    "divergence_ball.alignment_variance_proxy": "-n in[0,inf]",
    "divergence_ball.block_alignment_deviation_tail": "-deviation +rho -n -order in[0,inf]",
    "divergence_ball.block_alignment_deviation": "+rho -n -delta -order in[0,inf]",
    "divergence_ball.diagonal_loss_by_spread": "+spread spread^1 -n in[0,inf]",
    "divergence_ball.diagonal_loss": "-n in[0,inf]",
    "divergence_ball.binary_alignment_half_range": "-n in[0,inf]",
    "divergence_ball.centred_alignment_deviation": "+rho -n -delta -order in[0,inf]",
    "margin_game.printed_potential_tail": "-deviation +largest_phase -n in[0,1]",
    "margin_game.potential_tail": "-deviation -n in[0,inf]",
    "margin_game.labelled_potential_tail": "-deviation +largest_phase -n in[0,inf]",
    "margin_game.printed_potential_sample_size": "radius^2 -delta",
    "margin_game.potential_sample_size": "+dimension +largest_phase -epsilon -delta in[0,inf]",
    "complexity.printed_unit_ball_complexity": "+trace trace^0.5 -n in[0,inf]",
    "complexity.unit_ball_complexity": "+trace trace^0.5 -n in[0,inf]",
    "complexity.printed_divergence_ball_complexity": "+radius radius^1 +rho -n in[0,inf]",
    "complexity.fourth_moment_divergence_ball_complexity": "+radius radius^1 +rho -n in[0,inf]",
    "complexity.divergence_ball_complexity": "+radius radius^1 +rho -order in[0,inf]",
    "complexity.khinchine_divergence_ball_complexity": "+radius radius^1 +rho -order in[0,inf]",
    "random_features.theorem_exponent": "-regularisation_exponent",
    "random_features.spline_effective_dimension": "-order -regularisation in[0,inf]",
    "random_features.printed_empirical_risk_excess": "+regularisation regularisation^1 in[0,inf]",
    "random_features.empirical_risk_excess_constant": "-multiple in[0,inf]",
    "random_features.markov_empirical_risk_excess": "+regularisation regularisation^1 +squared_norm squared_norm^1 "
    "+sampling_dimension -features -delta in[0,inf]",
    "random_features.squared_norm_bound": "+squared_norm squared_norm^1 +sampling_dimension "
    "-features -delta delta^-1 in[0,inf]",
    "random_features.generalisation_gap": "+target_bound +feature_bound -n -delta +squared_radius in[0,inf]",
    "random_features.ridge_excess_risk_bound": "+regularisation +target_bound +feature_bound -n "
    "-delta +squared_radius +constant in[0,inf]",
    "margin_game.log_sign_patterns": "+points in[0,inf]",
    "margin_game.error_deficit": "in[0,inf]",
    "margin_game.sign_pattern_gap": "+capacity",
    "margin_game.printed_share": "+box -rounds rounds^-0.5 in[0,inf]",
    "random_features.geometric_effective_dimension": "-regularisation +common_ratio +scale in[0,inf]",
    "random_features.geometric_dimension_bound": "-regularisation +common_ratio +scale in[0,inf]",
    "random_features.polynomial_effective_dimension": "-regularisation -decay +scale in[0,inf]",
    "random_features.polynomial_dimension_bound": "-regularisation +scale in[0,inf]",
    "random_features.printed_polynomial_dimension_bound": "-regularisation +scale in[0,inf]",
    "random_features.harmonic_effective_dimension": "+n -regularisation in[0,inf]",
    "random_features.harmonic_dimension_bound": "+n -regularisation in[0,inf]",
    "random_features.spectral_effective_dimension": "+n -regularisation -decay +common_ratio +rank in[0,inf]",
    "random_features.spectral_fixed_point_bound": "-n -decay +common_ratio +rank in[0,inf]",
    "complexity.expected_sign_sum": "+n in[0,inf]",
    "complexity.printed_spectral_complexity": "+largest_phase largest_phase^1 +spectral_mass "
    "spectral_mass^0.5 -n in[0,inf]",
    "complexity.spectral_complexity": "+largest_phase +spectral_mass spectral_mass^0.5 -n in[0,inf]",
    "complexity.printed_spectral_margin_excess": "+largest_phase +spectral_mass -margin -n -delta in[0,inf]",
    "complexity.spectral_margin_excess": "+largest_phase +spectral_mass -margin -n -delta in[0,inf]",
    "complexity.uniform_spectral_margin_excess": "+largest_phase +spectral_mass -margin -n -delta in[0,inf]",
    "complexity.printed_margin_vacuous_sample": "+largest_phase largest_phase^2 in[0,inf]",
    "margin_game.harmonic_dimension": "+ambient_dimension +degree in[0,inf]",
    "margin_game.surface_area": "in[0,inf]",
    "margin_game.printed_harmonic_potential_bound": "+total_mass total_mass^2 in[0,inf]",
    "margin_game.harmonic_potential_bound": "+total_mass total_mass^2 +degree in[0,inf]",
    "pac_bayes.kl_bound_infimum": "+empirical_loss +divergence -sample_size -delta in[0,inf]",
    "pac_bayes.tuned_kl_bound": "+empirical_loss +divergence in[0,inf]",
    "pac_bayes.tuned_inverse_temperature": "in[0,inf]",
    "pac_bayes.temperature_grid_size": "+delta +largest_divergence -ratio in[0,inf]",
    "pac_bayes.tuned_power_divergence_bound": "+empirical_loss -sample_size -delta in[0,inf]",
    "pac_bayes.largest_alignment_loss": "+classes in[0,1]",
    "pac_bayes.uninformed_alignment_loss": "in[0,1]",
    "pac_bayes.informative_margin": "-value +classes",
    "pac_bayes.smallest_informative_sample": "-delta +divergence -level in[0,inf]",
}
RTOL, NOTHING = 1e-9, 1e-140
"""Rounding; what is smaller than the second is of no size, since its square is no float."""


def broken(
    name: str,
    function: Callable[..., Any],
    given: dict[str, Any],
    another: Callable[[str], Any],
    rng: np.random.Generator,
) -> list[str]:
    """The properties that fail at arguments where the function has an answer; `another` draws one argument anew."""
    before = _value(function, given)
    if before is None:
        return []
    found = []
    for token in PROPERTIES[name].split():
        if token.startswith("in["):
            if before not in Interval(token[2:]):
                found.append(f"{token}: {function.__name__}({given}) = {before}")
            continue
        for changed, holds in _changes(token, given, another, rng):
            after = _value(function, changed)
            if after is not None and not holds(before, after):
                found.append(f"{token}: {function.__name__} is {before!r} at {given} and {after!r} at {changed}")
    return found


def _changes(
    token: str, given: dict[str, Any], another: Callable[[str], Any], rng: np.random.Generator
) -> Iterator[tuple[dict[str, Any], Callable[[float, float], bool]]]:
    """Other arguments, and what the values there and here have to do with each other."""
    if token[0] in "+-":
        name = token[1:]
        value = another(name)
        up = (value > given[name]) == (token[0] == "+")
        if value != given[name]:
            yield given | {name: value}, (_at_most if up else lambda before, after: _at_most(after, before))
    elif "^" in token:
        name, _, degree = token.partition("^")
        factor = 2.0 ** int(rng.integers(-20, 21))
        scale = factor ** float(degree)
        yield given | {name: given[name] * factor}, lambda before, after: _equal(before * scale, after)
    else:
        first, second = token.split("=")
        yield given | {first: given[second], second: given[first]}, _equal


def _value(function: Callable[..., Any], arguments: dict[str, Any]) -> float | None:
    try:
        return float(function(**arguments))
    except (ValueError, OverflowError):
        return None


def _at_most(low: float, high: float) -> bool:
    return low <= high + RTOL * max(abs(low), abs(high)) + NOTHING if math.isfinite(low) else high == low or low < 0


def _equal(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= RTOL * max(abs(one), abs(other)) + NOTHING
