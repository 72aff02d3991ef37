"""Orderings between the bounds of `bounds.random_features.rates`."""

import math
from fractions import Fraction

from scipy import special

from bounds.random_features import rates
from tests.bounds.orderings import Span, equal, ordered

DECAY = Span(1.1, 12.0)
SPECTRUM = ("finite rank", "geometric", "polynomial", "harmonic")


def _balanced(r: float, t: float) -> tuple[float, float]:
    return rates.spline_ridge_exponent(r / t, r, t), 1 / (2 * t) - 1


def _balance(decay: float) -> Fraction:
    return -rates.fixed_point_exponent("polynomial", decay=decay)


@equal(a=Span(0.01, 3.0))
def theorem_promises_no_more_than_both_of_its_rates(a):
    """The theorem promises no more than n^-a and n^-1/2."""
    return rates.theorem_exponent(a), max(-a, -0.5)


@ordered(share=Span(0.01, 1.0), r=Span(1.0, 4.0), excess=Span(0.0, 5.0))
def spline_inside_the_space_is_learned_as_fast_as_the_theorem_says(share, r, excess):
    """A spline inside the kernel's space is learned at least as fast as the theorem says, for a <= r."""
    return rates.spline_ridge_exponent(share * r, r, r + 0.5 + excess), rates.theorem_exponent(share * r)


@equal(a=Span(0.01, 2.0), r=Span(0.6, 4.0), excess=Span(0.0, 5.0))
def smoothness_beyond_saturation_is_not_used(a, r, excess):
    """Smoothness beyond 2 r + 1/2 is not used."""
    return rates.spline_ridge_exponent(a, r, 2 * r + 0.5 + excess), -min(2 * a, 1 - a / (2 * r))


@equal(r=Span(0.6, 4.0), share=Span(0.0, 1.0))
def bias_and_variance_balance_at_the_optimal_exponent(r, share):
    """Bias and variance balance at a = 2 r / (2 t) for t <= 2 r + 1/2: the optimal exponent 1/(2t) - 1."""
    return _balanced(r, 0.6 + share * (2 * r + 0.5 - 0.6))


@equal(rtol=1e-9, ridge=Span(1e-4, 1e6, "log"))
def dimension_of_order_one_has_a_closed_form(ridge):
    """Order 1 in closed form: 1/(1 + lambda) + x coth x - 1 with x = pi / sqrt lambda."""
    yield rates.spline_effective_dimension(1.0, ridge)
    yield 1 / (1 + ridge) + math.pi / math.sqrt(ridge) / math.tanh(math.pi / math.sqrt(ridge)) - 1


@equal(rtol=1e-9, r=Span(1.0, 3.0))
def lambda_times_the_dimension_tends_to_the_trace(r):
    """Lambda times the dimension tends to the trace 1 + 2 zeta(2 r)."""
    return 1e12 * rates.spline_effective_dimension(r, 1e12), 1 + 2 * float(special.zeta(2 * r))


@ordered(spectrum=SPECTRUM, a=Span(0.1, 1.0), decay=DECAY)
def leverage_sampling_never_asks_for_more_than_plain_sampling(spectrum, a, decay):
    """Leverage sampling never asks for a larger power of n than plain sampling."""
    yield float(rates.feature_count_exponent(spectrum, a, decay=decay))
    yield float(rates.feature_count_exponent(spectrum, a, decay=decay, sampling="plain"))


@equal(a=Span(0.1, 2.0), decay=DECAY, b=Span(-2, 2, whole=True))
def one_logarithm_more_than_the_dimension_for_a_power_of_n(a, decay, b):
    options = {"decay": decay, "regularisation_log_power": b, "of": "log n"}
    yield float(rates.feature_count_exponent("polynomial", a, **options))
    yield 1 + float(rates.effective_dimension_exponent("polynomial", a, **options))


@equal(atol=1e-12, decay=DECAY)
def lambda_at_the_fixed_point_gives_its_rate(decay):
    """Lambda at the size of the fixed point gives its rate, at n^(1/(1+p)) features."""
    risk = rates.risk_exponent("polynomial", _balance(decay), decay=decay, analysis="refined")
    return float(risk) + float(rates.feature_count_exponent("polynomial", _balance(decay), decay=decay)) * decay, 0.0


@equal(spectrum=SPECTRUM, a=Span(0.1, 2.0), analysis=("worst case", "refined"))
def squared_loss_needs_half_the_power_of_lambda(spectrum, a, analysis):
    """The squared loss needs half the power of lambda that a Lipschitz loss needs."""
    yield float(rates.risk_exponent(spectrum, a, analysis=analysis))
    yield float(rates.risk_exponent(spectrum, 2 * a, loss="lipschitz", analysis=analysis))
