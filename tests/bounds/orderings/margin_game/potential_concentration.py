"""Orderings between the bounds of `bounds.margin_game.potential_concentration`."""

import math

from bounds.margin_game.fourier_potential import expected_potential
from bounds.margin_game.potential_concentration import (
    labelled_potential_tail,
    potential_sample_size,
    potential_tail,
    printed_potential_sample_size,
    printed_potential_tail,
)
from tests.bounds.orderings import DELTA, POSITIVE, STEP, Span, equal, ordered

DEVIATION = Span(1e-3, 1.0, "log")


def _net_tail(n: float, epsilon: float, delta: float, dimension: float, phase: float) -> tuple[float, float]:
    """Logarithm of the union of tails over the net at a sample size, against that of delta."""
    nodes = dimension * math.log1p(8 * phase / epsilon)
    bias = expected_potential(0.0, n)
    return nodes + math.log(2) - n * (epsilon / 2 - bias) ** 2 / 8, math.log(delta)


@equal(t=DEVIATION, n=Span(1, 10**4, "log", whole=True))
def given_the_labels_unit_phases_have_the_tail_of_replaced_samples(t, n):
    return labelled_potential_tail(t, 1.0, n), potential_tail(t, n)


@equal(t=DEVIATION, phase=Span(0.1, 10.0, "log"), n=Span(1, 10**3, "log", whole=True))
def twice_the_phases_have_the_tail_of_half_the_deviation(t, phase, n):
    """Twice the phases: the tail of half the deviation."""
    return printed_potential_tail(t, 2 * phase, n), printed_potential_tail(t / 2, phase, n)


@ordered(rtol=1e-9, epsilon=Span(0.01, 1.0, "log"), delta=DELTA, dimension=Span(1, 20, whole=True), phase=POSITIVE)
def proved_sample_size_is_enough_at_one_frequency(epsilon, delta, dimension, phase):
    """At the proved sample size half of the deviation, less the bias, is enough at one frequency."""
    size = potential_sample_size(dimension, phase, epsilon=epsilon, delta=delta)
    return _net_tail(size, epsilon, delta, dimension, phase)


@ordered(scale=STEP, delta=DELTA, bandwidth=Span(1.0, 100.0, "log"))
def printed_sample_size_falls_as_points_stretch_and_frequencies_shrink(scale, delta, bandwidth):
    """Points stretched and frequencies shrunk by s: the printed sample size falls by s^2 or more."""
    yield printed_potential_sample_size(2, 2.0 * scale, bandwidth / scale, epsilon=0.1, delta=delta) * scale**2
    yield printed_potential_sample_size(2, 2.0, bandwidth, epsilon=0.1, delta=delta)
