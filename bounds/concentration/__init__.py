"""Deviations of a sample mean from its expectation."""

from bounds.concentration.sample_mean import (
    bennett_deviation,
    bernstein_deviation,
    cantelli_deviation,
    empirical_bernstein_deviation,
    hoeffding_deviation,
)

__all__ = [
    "bennett_deviation",
    "bernstein_deviation",
    "cantelli_deviation",
    "empirical_bernstein_deviation",
    "hoeffding_deviation",
]
