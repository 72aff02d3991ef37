"""Random Fourier features and sums of cosines: kernels, their spectral measures, families of features."""

from algos.fourier.fastfood import fastfood_features
from algos.fourier.feature_families import (
    ArcCosine,
    Coordinates,
    FeatureFamily,
    OffsetCosine,
)
from algos.fourier.random_features import (
    feature_product_variance,
    gaussian_frequencies,
    gaussian_kernel,
    random_fourier_features,
)
from algos.fourier.spectral_measures import (
    matern_frequencies,
    matern_kernel,
    matern_spectral_density,
    spline_frequencies,
    spline_spectral_masses,
    trigonometric_factor,
)
from algos.fourier.streamed import fourier_gram, fourier_moments
from algos.fourier.structured import (
    structured_fourier_features,
    structured_frequencies,
    structured_phases,
    structured_signs,
)
from algos.fourier.sums import (
    cosine_sums,
    fourier_potential,
    fourier_potential_and_gradient,
    fourier_sums,
)

__all__ = [
    "ArcCosine",
    "Coordinates",
    "FeatureFamily",
    "OffsetCosine",
    "cosine_sums",
    "fastfood_features",
    "feature_product_variance",
    "fourier_gram",
    "fourier_moments",
    "fourier_potential",
    "fourier_potential_and_gradient",
    "fourier_sums",
    "gaussian_frequencies",
    "gaussian_kernel",
    "matern_frequencies",
    "matern_kernel",
    "matern_spectral_density",
    "random_fourier_features",
    "spline_frequencies",
    "spline_spectral_masses",
    "structured_fourier_features",
    "structured_frequencies",
    "structured_phases",
    "structured_signs",
    "trigonometric_factor",
]
