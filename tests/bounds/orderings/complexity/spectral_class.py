"""Orderings between the bounds of `bounds.complexity.spectral_class`."""

import math

import torch

from bounds.complexity import spectral_class
from tests.bounds.orderings import DELTA, POSITIVE, SIZE, Span, equal, ordered

PHASE = Span(0.0, 50.0)


@ordered(n=SIZE)
def sum_of_signs_has_mean_modulus_at_most_sqrt_n(n):
    return spectral_class.expected_sign_sum(n), math.sqrt(n)


@equal(n=Span(1, 10**5, "log", whole=True))
def next_sign_adds_nothing_after_an_odd_number(n):
    return spectral_class.expected_sign_sum(2 * n), spectral_class.expected_sign_sum(2 * n - 1)


@equal(rtol=1e-6)
def sum_of_signs_tends_to_a_normal_variable():
    return spectral_class.expected_sign_sum(10**6) / 1e3, math.sqrt(2 / math.pi)


@ordered(phase=PHASE, n=SIZE)
def no_complexity_is_beyond_the_trivial_one(phase, n):
    return spectral_class.spectral_complexity(phase, 1.0, n), 1.0


@equal(phase=PHASE, n=SIZE)
def complexity_of_a_tensor_has_its_dtype(phase, n):
    """Where the trivial bound is the least, too."""
    of_a_tensor = spectral_class.spectral_complexity(torch.tensor([phase], dtype=torch.float64), 1.0, n)
    return of_a_tensor.item(), spectral_class.spectral_complexity(phase, 1.0, n)


@equal(mass=POSITIVE, n=SIZE)
def without_phases_only_signs_are_left(mass, n):
    return spectral_class.spectral_complexity(0.0, mass, n), math.sqrt(mass) * spectral_class.expected_sign_sum(n) / n


@ordered(phase=PHASE, mass=POSITIVE, n=SIZE)
def proved_complexity_exceeds_the_printed_one_by_at_most_the_signs(phase, mass, n):
    yield spectral_class.spectral_complexity(phase, mass, n)
    signs = math.sqrt(mass) * spectral_class.expected_sign_sum(n) / n
    yield spectral_class.printed_spectral_complexity(phase, mass, n) + signs


@ordered(phase=PHASE, mass=POSITIVE, share=Span(0.001, 1.0), n=SIZE, delta=DELTA)
def theta_that_is_chosen_on_the_sample_costs_something(phase, mass, share, n, delta):
    yield spectral_class.spectral_margin_excess(phase, mass, share * math.sqrt(mass), n, delta=delta)
    yield spectral_class.uniform_spectral_margin_excess(phase, mass, share * math.sqrt(mass), n, delta=delta)


@ordered(phase=Span(0.2, 50.0), mass=POSITIVE, share=Span(0.001, 1.0), delta=DELTA)
def printed_bound_says_nothing_up_to_its_vacuous_sample_size(phase, mass, share, delta):
    yield 1.0
    size = int(spectral_class.printed_margin_vacuous_sample(phase))
    yield spectral_class.printed_spectral_margin_excess(phase, mass, share * math.sqrt(mass), size, delta=delta)
