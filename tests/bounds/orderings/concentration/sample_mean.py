"""Orderings between the bounds of `bounds.concentration.sample_mean`."""

import math

from bounds.concentration.sample_mean import (
    bennett_deviation,
    bernstein_deviation,
    cantelli_deviation,
    empirical_bernstein_deviation,
    hoeffding_deviation,
)
from tests.bounds.orderings import COUNT, DELTA, POSITIVE, SIZE, STEP, equal, ordered


@equal(rtol=1e-9, width=POSITIVE, n=COUNT, delta=DELTA)
def the_tail_of_hoeffding_at_its_deviation_is_delta(width, n, delta):
    t = hoeffding_deviation(width, n, delta=delta)
    return math.exp(-2 * n * t**2 / width**2), delta


@equal(rtol=1e-9, variance=POSITIVE, width=POSITIVE, n=COUNT, delta=DELTA)
def the_tail_of_bernstein_at_its_deviation_is_delta(variance, width, n, delta):
    t = bernstein_deviation(variance, width, n, delta=delta)
    return math.exp(-n * t**2 / (2 * (variance + width * t / 3))), delta


@equal(rtol=1e-6, variance=POSITIVE, width=POSITIVE, n=COUNT, delta=DELTA)
def the_tail_of_bennett_at_its_deviation_is_delta(variance, width, n, delta):
    u = width * bennett_deviation(variance, width, n, delta=delta) / variance
    h = (1 + u) * math.log1p(u) - u if u > 0.01 else u**2 / 2 - u**3 / 6 + u**4 / 12 - u**5 / 20 + u**6 / 30
    return math.exp(-n * variance / width**2 * h), delta


@ordered(rtol=1e-8, variance=POSITIVE, width=POSITIVE, n=COUNT, delta=DELTA)
def bennett_is_never_above_bernstein(variance, width, n, delta):
    return (f(variance, width, n, delta=delta) for f in (bennett_deviation, bernstein_deviation))


@ordered(rtol=1e-8, variance=POSITIVE, width=POSITIVE, n=COUNT, delta=DELTA)
def a_tail_no_lighter_than_that_of_gauss(variance, width, n, delta):
    """Both have the variance term of a Gaussian variable's Chernoff bound, and more."""
    return math.sqrt(2 * variance * -math.log(delta) / n), bennett_deviation(variance, width, n, delta=delta)


@equal(variance=POSITIVE, n=COUNT, delta=DELTA)
def without_a_width_bennett_and_bernstein_are_gaussian(variance, n, delta):
    return (f(variance, 0.0, n, delta=delta) for f in (bennett_deviation, bernstein_deviation))


@equal(rtol=1e-7, variance=POSITIVE, width=POSITIVE, n=COUNT, delta=DELTA, scale=POSITIVE)
def deviations_scale_with_the_variables(variance, width, n, delta, scale):
    yield scale * bennett_deviation(variance, width, n, delta=delta)
    yield bennett_deviation(scale**2 * variance, scale * width, n, delta=delta)


@equal(rtol=1e-10, variance=POSITIVE, n=COUNT, delta=DELTA)
def the_tail_of_cantelli_at_its_deviation_is_delta(variance, n, delta):
    t = cantelli_deviation(variance, n, delta=delta)
    return variance / n / (variance / n + t**2), delta


@ordered(variance=POSITIVE, width=POSITIVE, n=SIZE, delta=DELTA)
def not_knowing_the_variance_costs_something(variance, width, n, delta):
    yield bernstein_deviation(variance, width, n, delta=delta)
    yield empirical_bernstein_deviation(variance, width, n, delta=delta)


@equal(rtol=1e-10, width=POSITIVE, n=SIZE, delta=DELTA)
def without_a_sample_variance_seven_thirds_are_left(width, n, delta):
    t = empirical_bernstein_deviation(0.0, width, n, delta=delta)
    return 3 * t * (n - 1), 7 * width * math.log(2 / delta)


@equal(rtol=1e-10, variance=POSITIVE, n=SIZE, delta=DELTA)
def without_a_width_the_gaussian_deviation_of_half_the_level_is_left(variance, n, delta):
    t = empirical_bernstein_deviation(variance, 0.0, n, delta=delta)
    return t, hoeffding_deviation(2 * math.sqrt(variance), n, delta=delta / 2)


@ordered(rtol=1e-8, variance=POSITIVE, width=POSITIVE, n=COUNT, delta=DELTA, step=STEP)
def a_larger_variance_allows_a_larger_deviation(variance, width, n, delta, step):
    return (bennett_deviation(v, width, n, delta=delta) for v in (variance, step * variance))
