"""Orderings between the bounds of `bounds.divergence_ball.norms`."""

import math
from fractions import Fraction

import torch

from bounds.divergence_ball import norms
from tests.bounds.orderings import COUNT, DELTA, ORDER, RHO, SIZE, Span, equal, ordered


@equal(rho=Span(1e-15, 1e3, "log"), exponent=Span(0.1, 1.0))
def power_of_the_radius_is_the_same_for_tensors(rho, exponent):
    """Of a tiny one, too."""
    of_a_tensor = norms.radius_growth(torch.tensor(rho, dtype=torch.float64), exponent)
    return float(of_a_tensor), norms.radius_growth(rho, exponent)


@equal(rho=Span(1e-15, 1e3, "log"), exponent=Span(0.1, 1.0))
def power_of_a_fraction_is_that_of_its_float(rho, exponent):
    """Of a small one too: a power of one and a small fraction, less one, would have no digits."""
    return norms.radius_growth(Fraction(rho), exponent), norms.radius_growth(rho, exponent)


@equal(rho=RHO, order=ORDER)
def chi_square_ball_around_a_ball_has_the_squared_sharp_norm(rho, order):
    """The chi-square ball around a ball of order k: 1 + rho' = N times the squared sharp norm."""
    return 1 + norms.chi_square_radius(rho, order=order), norms.weight_norm(rho, 1, order=order) ** 2


@equal(rho=RHO)
def chi_square_ball_around_itself_has_its_own_radius(rho):
    return norms.chi_square_radius(rho, order=2), rho


@ordered(rho=RHO, count=COUNT, order=ORDER)
def sharp_norm_is_at_most_the_printed_one(rho, count, order):
    return norms.weight_norm(rho, count, order=order), norms.printed_weight_norm(rho, count, order=order)


@equal(rho=RHO, count=COUNT)
def sharp_norm_equals_the_printed_one_for_order_two(rho, count):
    """The sharp norm equals the printed one for k = 2."""
    return norms.weight_norm(rho, count, order=2), norms.printed_weight_norm(rho, count, order=2)


@equal(count=COUNT, order=ORDER, norm=(norms.printed_weight_norm, norms.weight_norm))
def ball_of_radius_zero_holds_the_uniform_weights_alone(count, order, norm):
    """A ball of radius zero holds the uniform weights alone, of norm 1 / sqrt N."""
    return norm(0.0, count, order=order), 1 / math.sqrt(count)


@equal(count=Span(1, 1000, "log", whole=True), order=Span(2.0, 20.0), share=Span(0.0, 1.0))
def uniform_weights_on_some_entries_attain_the_sharp_norm(count, order, share):
    """Uniform weights on R of N entries have 1 + rho = (N/R)^(k-1) and norm R^(-1/2): for R = 1, a unit mass."""
    support = 1 + int(share * (count - 1))
    return norms.weight_norm((count / support) ** (order - 1) - 1, count, order=order), support**-0.5


@equal(rtol=1e-11, rho=RHO, n=SIZE, delta=DELTA)
def deviation_inverts_its_tail(rho, n, delta):
    return norms.alignment_deviation_tail(norms.alignment_deviation(rho, n, delta=delta), rho, n), delta


@equal(rho=RHO, n=SIZE)
def tail_at_no_deviation_is_sqrt_2(rho, n):
    return norms.alignment_deviation_tail(0.0, rho, n), math.sqrt(2)


@ordered(rho=RHO, n=SIZE, delta=DELTA)
def mcdiarmid_form_is_at_most_the_printed_one(rho, n, delta):
    """McDiarmid's form is at most the printed one: 4 A + 16 L <= 16 A (L + log sqrt 2) for A >= 1, L >= 0."""
    return norms.mcdiarmid_alignment_deviation(rho, n, delta=delta), norms.alignment_deviation(rho, n, delta=delta)


@equal(rtol=1e-7, rho=RHO, n=SIZE, order=ORDER)
def mcdiarmid_form_tends_to_the_mean(rho, n, order):
    """As delta tends to 1, McDiarmid's form leaves the mean sqrt(2 / n) times sqrt N times the sharp norm."""
    yield norms.mcdiarmid_alignment_deviation(rho, n, delta=1 - 2**-53, order=order)
    yield math.sqrt(2 / n) * norms.weight_norm(rho, 1, order=order)


@equal(rtol=1e-10, n=SIZE, delta=DELTA)
def mcdiarmid_form_inverts_its_tail_beyond_the_mean(n, delta):
    """Beyond the mean, McDiarmid's form inverts the tail exp(-n t^2 / 8) of bounded differences 4 / n."""
    return math.exp(-n * (norms.mcdiarmid_alignment_deviation(0, n, delta=delta) - (2 / n) ** 0.5) ** 2 / 8), delta
