"""Kernel ridge regression, its leverage scores, the spectra and splines that it is tested on, and linear machines."""

from algos.ridge.finite_rank import (
    finite_rank_effective_dimension,
    finite_rank_leverage_scores,
    whitened_atoms,
)
from algos.ridge.gaussian_leverage import (
    gaussian_effective_dimension,
    gaussian_kernel_eigenvalues,
    gaussian_leverage_density,
)
from algos.ridge.leverage import (
    effective_dimension,
    feature_kernel,
    gram_leverage_scores,
    operator_norm_deviation,
    ridge_leverage_scores,
    sampled_kernel,
    unit_ball_approximation_ratio,
)
from algos.ridge.leverage_sampling import (
    LeverageSample,
    leverage_sampling_weights,
    leverage_weighted_sample,
    pool_leverage_scores,
    printed_leverage_sampling_weights,
    printed_pool_leverage_scores,
    sample_by_leverage,
)
from algos.ridge.regression import (
    dual_coefficients,
    feature_ridge_coefficients,
    feature_ridge_fit,
    feature_ridge_from_moments,
    kernel_ridge_fit,
    ridge_cross_term,
    unit_ball_coefficients,
)
from algos.ridge.spectral import (
    gaussian_spectral_density,
    laplace_frequencies,
    laplace_kernel,
    laplace_spectral_density,
    spectral_mixture_density,
    spectral_mixture_kernel,
)
from algos.ridge.spline import (
    spline_excess_risk,
    spline_features,
    spline_kernel,
    spline_moments,
    spline_ridge_coefficients,
)
from algos.ridge.spline_ridge import (
    spline_kernel_ridge_coefficients,
)
from algos.ridge.squared_hinge_path import squared_hinge_path
from algos.ridge.streaming import (
    feature_gram,
    feature_moments,
)

__all__ = [
    "LeverageSample",
    "dual_coefficients",
    "effective_dimension",
    "feature_gram",
    "feature_kernel",
    "feature_moments",
    "feature_ridge_coefficients",
    "feature_ridge_fit",
    "feature_ridge_from_moments",
    "finite_rank_effective_dimension",
    "finite_rank_leverage_scores",
    "gaussian_effective_dimension",
    "gaussian_kernel_eigenvalues",
    "gaussian_leverage_density",
    "gaussian_spectral_density",
    "gram_leverage_scores",
    "kernel_ridge_fit",
    "laplace_frequencies",
    "laplace_kernel",
    "laplace_spectral_density",
    "leverage_sampling_weights",
    "leverage_weighted_sample",
    "operator_norm_deviation",
    "pool_leverage_scores",
    "printed_leverage_sampling_weights",
    "printed_pool_leverage_scores",
    "ridge_cross_term",
    "ridge_leverage_scores",
    "sample_by_leverage",
    "sampled_kernel",
    "spectral_mixture_density",
    "spectral_mixture_kernel",
    "spline_excess_risk",
    "spline_features",
    "spline_kernel",
    "spline_kernel_ridge_coefficients",
    "spline_moments",
    "spline_ridge_coefficients",
    "squared_hinge_path",
    "unit_ball_approximation_ratio",
    "unit_ball_coefficients",
    "whitened_atoms",
]
