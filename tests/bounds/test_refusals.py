"""Arguments that lie just outside, or contradict each other, are refused by name.

Impossible values of delta, epsilon and sample sizes, and absurd ones of everything: `tests/conformance`.
"""

import math
import re

import pytest

from bounds import pac_bayes
from bounds.complexity import local_rademacher, margin, rademacher, spectral_class
from bounds.divergence_ball import kernel_learning, moments, norms, pair_statistics, sampling
from bounds.margin_game import fourier_potential, game, online, sign_patterns, sphere
from bounds.pac_bayes import landmark_union, tuning, vacuity
from bounds.random_features import (
    feature_counts,
    leverage,
    lipschitz_risk,
    multinomial,
    rates,
    ridge_risk,
    spectra,
)

UNION = {"sample_size": 340, "delta": 0.05, "inverse_temperature": 92.0}
LEVEL = {"bound": "second_order", "delta": 0.05}
GRID = {"bound": "second_order", "delta": 0.05, "sample_size": 340}
POWER = {"sample_size": 340, "delta": 0.05, "labels": "binary"}
REFUSED = [
    (lambda: local_rademacher.truncated_trace([-1.0], 1.0), "an entry of eigenvalues"),
    (lambda: local_rademacher.truncated_trace([1.0], -1.0), "radius = -1.0"),
    (lambda: local_rademacher.printed_local_complexity(1.0, 0), "n = 0"),
    (lambda: local_rademacher.fixed_point([0.1, 0.2], 5), "must be sorted"),
    (lambda: local_rademacher.fixed_point([0.2, 0.1], 1), "2 eigenvalues for n = 1"),
    (lambda: local_rademacher.refined_excess_risk(0.1, 0.1, enlargement=1.0, variance_factor=1.0), "enlargement = 1.0"),
    (
        lambda: local_rademacher.refined_excess_risk(0.1, 0.1, enlargement=2.0, variance_factor=0.5),
        "variance_factor = 0.5",
    ),
    (lambda: margin.margin_excess_risk(1.0, 1.0, 0, delta=0.1), "n = 0"),
    (lambda: rademacher.unit_ball_complexity(1.0, 0), "0"),
    (lambda: rademacher.divergence_ball_complexity(1.0, 1.0, 0), "n = 0"),
    (lambda: rademacher.khinchine_divergence_ball_complexity(1.0, 1.0, 5, order=1), "order = 1"),
    (lambda: spectral_class.expected_sign_sum(0), "n = 0"),
    (lambda: spectral_class.uniform_spectral_margin_excess(1.0, 4.0, 2.1, 10, delta=0.1), "margin = 2.1"),
    (lambda: kernel_learning.consistency_deviation(0.5, 1.0, 10, 0, delta=0.1), "count = 0"),
    (lambda: kernel_learning.printed_consistency_deviation(1.0, 10, 10, delta=1.0), "delta = 1.0"),
    (lambda: moments.low_power_deficit(1.0, 1.0, 1.0, 5, power=2.5), "power = 2.5 must lie in"),
    (lambda: moments.bounded_high_power_deficit(1.0, 5, power=1.5), "power = 1.5 must be at least 2"),
    (lambda: moments.power_mean_deficit(1.0, 1.0, 5, power=0.5), "power = 0.5"),
    (lambda: moments.power_mean_deficit(1.0, 1.0, 5, power=math.inf), "power = inf"),
    (lambda: moments.bounded_power_mean_deficit(1.0, 0, power=1.5), "n = 0"),
    (lambda: moments.intermediate_moment_bound(1.0, 1.0, ratio=2.5), "ratio = 2.5"),
    (lambda: norms.printed_weight_norm(1.0, 5, order=1.5), "order = 1.5"),
    (lambda: norms.alignment_deviation(1.0, 5, delta=1.0), "delta = 1.0"),
    (lambda: pair_statistics.diagonal_loss(1), "n = 1"),
    (lambda: pair_statistics.block_alignment_deviation_tail(0.1, 1.0, 1), "n = 1"),
    (lambda: sampling.c_rho(0.0), "rho = 0.0 must be positive"),
    (lambda: sampling.c_rho_order(0.0, order=2), "rho = 0.0 must be positive"),
    (lambda: sampling.dual_threshold_bound(0.0, order=2), "rho = 0.0 must be positive"),
    (lambda: sampling.expected_supremum_gap(1.0, 1.0, 0), "count = 0"),
    (lambda: sampling.expected_supremum_gap(1.0, 1.0, 5, order=1.9), "order = 1.9"),
    (lambda: fourier_potential.derivative_bound(5, 1.5, 0), "order = 0"),
    (lambda: game.squared_hinge_convergence(1.0, 4, 0), "rounds = 0"),
    (lambda: online.gradient_norm(1.0, 4, 2, mass=3), "mass = 3"),
    (lambda: sign_patterns.log_sign_patterns(12, 3), "points = 12"),
    (lambda: sign_patterns.error_deficit(12, 0), "rounds = 0"),
    (lambda: sphere.surface_area(1), "ambient_dimension = 1"),
    (lambda: sphere.harmonic_dimension(3, -1), "degree = -1"),
    (
        lambda: pac_bayes.first_order_kl_bound(0, 0, **UNION | {"inverse_temperature": 0.0}),
        "inverse_temperature = 0.0",
    ),
    (lambda: pac_bayes.printed_power_divergence_bound(0, 0, sample_size=5, delta=0.1, order=1), "order = 1"),
    (lambda: pac_bayes.power_divergence_bound(0, 0, **POWER, order=1), "order = 1"),
    (lambda: landmark_union.landmark_kl_bound(0.3, 1.0, **UNION, landmarks=0), "landmarks = 0"),
    (lambda: landmark_union.selected_landmark_kl_bound(0.3, 1.0, **UNION, settings=0), "settings = 0"),
    *[
        (lambda tuned=tuned, name=name, value=value: tuned(**GRID, **{name: value}), f"{name} = {value}")
        for tuned in (
            lambda **o: tuning.tuned_kl_bound(0, 0, **o),
            lambda **o: tuning.tuned_inverse_temperature(0, **o),
            tuning.temperature_grid_size,
        )
        for name, values in {"largest_divergence": (-1.0, math.inf, math.nan), "ratio": (1.0, 0.5, math.nan)}.items()
        for value in values
    ],
    (lambda: tuning.tuned_power_divergence_bound(0.3, [], orders=[], **POWER), "has 0 entries"),
    (lambda: tuning.tuned_power_divergence_bound(0.3, [0.1, 0.2], orders=[2.0], **POWER), "match them"),
    (lambda: tuning.tuned_power_divergence_bound(0.3, [0.1], orders=[1.0], **POWER), "an entry of orders = 1.0"),
    (lambda: vacuity.largest_alignment_loss(0), "classes = 0"),
    (lambda: vacuity.informative_margin(0.4, classes=0), "classes = 0"),
    (lambda: vacuity.uninformed_alignment_loss([0.5, 0.4]), "probabilities"),
    (lambda: vacuity.uninformed_alignment_loss([1.5, -0.5]), "probabilities"),
    (lambda: vacuity.uninformed_alignment_loss([math.nan, 1.0]), "probabilities"),
    (lambda: vacuity.smallest_informative_sample(**LEVEL, divergence=-1.0), "divergence = -1.0"),
    (lambda: vacuity.smallest_informative_sample(**LEVEL, divergence=math.inf), "divergence = inf"),
    (lambda: vacuity.smallest_informative_sample(**LEVEL, level=0.0), "level = 0.0"),
    (lambda: vacuity.smallest_informative_sample(**LEVEL, level=2.0), "level = 2.0"),
    (lambda: feature_counts.leverage_feature_count(-1.0, 0.1), "effective_dimension = -1.0"),
    (
        lambda: feature_counts.plain_feature_count(50.0, 0.1, feature_bound=1.0, regularisation=0.1),
        "effective_dimension = 50.0",
    ),
    (lambda: feature_counts.failure_probability(10, 1.0, 1.0, constant=0.0), "constant = 0.0"),
    (lambda: feature_counts.matrix_bernstein_tail(0.1, 0, variance=1.0, norm=1.0, dimension=2.0), "n = 0"),
    (lambda: feature_counts.unit_ball_approximation_error(0.1, epsilon=1.0), "epsilon = 1.0"),
    (lambda: leverage.refined_deviation_constant(1.5), "epsilon = 1.5"),
    (lambda: leverage.feature_count(1.0, 2.0, 0.1, constant=5.0), "effective_dimension = 2.0"),
    (lambda: leverage.feature_count(math.inf, 2.0, 0.1, constant=5.0), "inf"),
    (lambda: leverage.feature_count(1.0, 1.0, 0.1, constant=0.0), "constant = 0.0"),
    (lambda: leverage.cross_term_bound(0.1, 1.0, 1.0, 0, 0.1), "features = 0"),
    (lambda: lipschitz_risk.risk_deviation(0.1, 0, 0.1), "n = 0"),
    (lambda: multinomial.multinomial_box_probability(-1, [1.0], [0], [1]), "-1"),
    (lambda: multinomial.multinomial_box_probability(1, [1.0], [0, 0], [1]), "match them"),
    (lambda: multinomial.multinomial_box_probability(1, [0.5, 0.6], [0, 0], [1, 1]), "probabilities"),
    (lambda: multinomial.multinomial_box_probability(1, [], [], []), "probabilities"),
    (lambda: multinomial.uniform_deviation_probability(1, 1, -0.1), "-0.1"),
    (lambda: rates.theorem_exponent(0.0), "0.0"),
    (lambda: rates.spline_ridge_exponent(0.5, 0.4, 2.0), "0.4"),
    (lambda: rates.spline_ridge_exponent(0.5, 2.0, math.nan), "nan"),
    (lambda: rates.spline_effective_dimension(0.9, 0.1), "0.9"),
    (lambda: rates.spline_effective_dimension(2.0, 0.0), "regularisation = 0.0"),
    (lambda: rates.effective_dimension_exponent("geometric", 0), "0"),
    (lambda: rates.fixed_point_exponent("polynomial", decay=1), "decay = 1"),
    (lambda: rates.feature_count_exponent("polynomial", 1, decay=math.inf), "decay = inf"),
    (lambda: ridge_risk.empirical_risk_excess_constant(2.0), "multiple is 2.0"),
    (lambda: ridge_risk.empirical_risk_excess_constant(12.0, truncation=1.0), "truncation = 1.0"),
    (lambda: ridge_risk.empirical_risk_excess_constant(-1.0), "multiple = -1.0"),
    (lambda: ridge_risk.empirical_risk_excess_constant(12.0, truncation=0.0), "truncation = 0.0"),
    (lambda: ridge_risk.squared_norm_bound(1.0, sampling_dimension=1.0, features=0, delta=0.1), "features = 0"),
    (lambda: spectra.geometric_effective_dimension(0.0, common_ratio=0.5), "regularisation = 0.0"),
    (lambda: spectra.geometric_effective_dimension(0.1, common_ratio=1.0), "common_ratio = 1.0"),
    (lambda: spectra.geometric_dimension_bound(0.1, common_ratio=0.5, scale=-1.0), "scale = -1.0"),
    (lambda: spectra.polynomial_effective_dimension(0.1, decay=1.0), "decay = 1.0"),
    (lambda: spectra.printed_polynomial_dimension_bound(0.1, decay=1.0), "decay = 1.0"),
    (lambda: spectra.harmonic_effective_dimension(0, 0.1), "n = 0"),
    (lambda: spectra.harmonic_effective_dimension(10, 1e-9), "regularisation = 1e-09"),
    (lambda: spectra.spectral_effective_dimension("geometric", 10, math.nan), "regularisation = nan"),
    (lambda: spectra.spectral_fixed_point_bound("polynomial", 0), "n = 0"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_is_refused_by_name(call, said) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        call()


def test_the_last_values_inside_are_accepted() -> None:
    assert sign_patterns.log_sign_patterns(13, 3) > 0
    assert spectral_class.uniform_spectral_margin_excess(1.0, 4.0, 2.0, 10, delta=0.1) > 0
