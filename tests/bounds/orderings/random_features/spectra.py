"""Orderings between the bounds of `bounds.random_features.spectra`."""

from bounds.random_features.spectra import (
    geometric_dimension_bound,
    geometric_effective_dimension,
    harmonic_dimension_bound,
    harmonic_effective_dimension,
    polynomial_dimension_bound,
    polynomial_effective_dimension,
    printed_polynomial_dimension_bound,
    spectral_fixed_point_bound,
)
from tests.bounds.orderings import COUNT, Span, ordered

SPECTRUM = ("finite rank", "geometric", "polynomial", "harmonic")
DECAY = Span(1.1, 12.0)
RATIO = Span(0.01, 0.99)
REGULARISATION = Span(1e-9, 1e3, "log")


@ordered(atol=1e-9, ridge=REGULARISATION, ratio=RATIO)
def geometric_dimension_is_below_its_integral_by_at_most_one(ridge, ratio):
    """A decreasing sum lies below its integral, by at most 1 (geometric)."""
    integral = geometric_dimension_bound(ridge, common_ratio=ratio)
    return abs(integral - geometric_effective_dimension(ridge, common_ratio=ratio) - 0.5), 0.5


@ordered(rtol=0, atol=1e-5, ridge=REGULARISATION, decay=DECAY)
def polynomial_dimension_is_below_its_integral_by_at_most_one(ridge, decay):
    """A decreasing sum lies below its integral, by at most 1 (polynomial)."""
    integral = polynomial_dimension_bound(ridge, decay=decay)
    return abs(integral - polynomial_effective_dimension(ridge, decay=decay) - 0.5), 0.5


@ordered(ridge=REGULARISATION, decay=DECAY)
def printed_polynomial_bound_is_too_small(ridge, decay):
    """The printed polynomial bound is too small, by (pi/2t) / sin(pi/2t)."""
    return printed_polynomial_dimension_bound(ridge, decay=decay), polynomial_dimension_bound(ridge, decay=decay)


@ordered(rtol=1e-9, n=COUNT, share=Span(1e-3, 1e3, "log"))
def harmonic_dimension_lies_below_its_integral(n, share):
    return harmonic_effective_dimension(n, share / n), harmonic_dimension_bound(n, share / n)


@ordered(spectrum=("finite rank", "geometric", "polynomial"), n=COUNT)
def fixed_point_falls_by_one_to_four_with_four_times_the_points(spectrum, n):
    """Four times as many points lower the fixed point by a factor between one and four."""
    yield abs(2.5 * spectral_fixed_point_bound(spectrum, n) - 4 * spectral_fixed_point_bound(spectrum, 4 * n))
    yield 1.5 * spectral_fixed_point_bound(spectrum, n) + 1e-12
