"""Orderings between the bounds of `bounds.random_features.leverage`."""

import math

from bounds.random_features import leverage
from tests.bounds.orderings import DELTA, SIZE, Span, equal, ordered

DIMENSION = Span(0.5, 1e6, "log")
CONSTANT = Span(1.0, 100.0)
EPSILON = Span(1e-4, 1.0, "log")
POSITIVE = Span(1e-6, 1e3, "log")


@ordered(epsilon=EPSILON)
def refined_constant_is_at_least_the_printed_one(epsilon):
    return leverage.printed_deviation_constant(epsilon), leverage.refined_deviation_constant(epsilon)


@ordered(epsilon=EPSILON)
def refined_constant_is_at_most_the_corrected_one(epsilon):
    return leverage.refined_deviation_constant(epsilon), leverage.deviation_constant(epsilon)


@equal(epsilon=EPSILON)
def printed_constant_loses_a_factor_two(epsilon):
    return 2 * leverage.printed_deviation_constant(epsilon), leverage.deviation_constant(epsilon)


@ordered()
def printed_theorems_use_at_most_the_constant_of_the_printed_lemma():
    """The constant of the printed theorems is at most that of the printed lemma at epsilon = 1/2."""
    return leverage.PRINTED_THEOREM_CONSTANT, leverage.printed_deviation_constant(0.5)


@equal(rtol=1e-8, constant=(leverage.refined_deviation_constant, leverage.deviation_constant))
def refined_and_corrected_constants_agree_to_leading_order(constant):
    """Refined and corrected constants agree to leading order: 2 / epsilon^2."""
    return constant(1e-9) * 1e-18, 2.0


@ordered(rtol=1e-9, d=DIMENSION, share=Span(0.1, 1.0), delta=DELTA, constant=CONSTANT)
def count_leaves_at_most_delta(d, share, delta, constant):
    """A count of features s leaves 16 d_K exp(-s / (c d)) at most delta."""
    yield 16 * share * d * math.exp(-leverage.feature_count(d, share * d, delta, constant=constant) / (constant * d))
    yield delta


@ordered(rtol=1e-9, d=DIMENSION, share=Span(0.3, 1.0), delta=DELTA, constant=CONSTANT)
def one_feature_less_than_the_count_would_leave_more_than_delta(d, share, delta, constant):
    fewer = leverage.feature_count(d, share * d, delta, constant=constant) - 1
    return delta, 16 * share * d * math.exp(-fewer / (constant * d))


@equal(d=Span(1e-3, 0.03), delta=Span(0.5, 1.0))
def one_feature_is_asked_for_at_least(d, delta):
    """At least one feature is asked for, and one is enough where log(16 d_K / delta) < 0."""
    return leverage.feature_count(d, d, delta, constant=1.0), 1


@equal(rtol=1e-9, epsilon=EPSILON)
def refined_constant_saves_the_linear_term(epsilon):
    """The refined constant saves 2 / (3 epsilon)."""
    return leverage.deviation_constant(epsilon) - leverage.refined_deviation_constant(epsilon), 2 / (3 * epsilon)


@equal(rtol=1e-9, atol=1e-15, norm=POSITIVE, d=DIMENSION, s=SIZE, delta=Span(1e-3, 1.0))
def corrected_cross_term_exceeds_the_mean_by_markov(norm, d, s, delta):
    """The corrected cross term exceeds lambda ||f||^2 by Markov's inequality: squared, four times d / (s delta)."""
    return (leverage.cross_term_bound(0.1, norm, d, s, delta) / (0.1 * norm) - 1) ** 2, 4 * d / (s * delta)


@ordered(p=Span(1e-9, 1.0, "log"), z=POSITIVE, ridge=POSITIVE)
def leverage_score_of_one_atom_is_at_most_its_upper_bound(p, z, ridge):
    """A leverage score is at most its upper bound: one atom, one point."""
    return p * z * z / (p * z * z + ridge), leverage.leverage_score_upper(p, z, ridge)


@equal(z=POSITIVE, ridge=POSITIVE)
def rare_atom_attains_the_upper_bound_on_its_leverage_score(z, ridge):
    return leverage.leverage_score_upper(1e-40, z, ridge), 1e-40 * z * z / (1e-40 * z * z + ridge)


@ordered(ridge=POSITIVE, d=DIMENSION, s=SIZE, delta=DELTA)
def corrected_cross_term_is_at_least_the_printed_one(ridge, d, s, delta):
    """The corrected cross term is at least the printed one for functions of norm one."""
    return leverage.printed_cross_term_bound(ridge), leverage.cross_term_bound(ridge, 1.0, d, s, delta)


@equal(rtol=1e-8, ridge=POSITIVE, norm=POSITIVE, d=DIMENSION, delta=Span(1e-3, 1.0))
def many_features_leave_lambda_times_the_squared_norm(ridge, norm, d, delta):
    return leverage.cross_term_bound(ridge, norm, d, 10**30, delta), ridge * norm


@equal(ridge=POSITIVE, risk=POSITIVE)
def deterministic_cross_term_is_a_geometric_mean(ridge, risk):
    """The deterministic cross term is the geometric mean of lambda and twice the risk."""
    yield leverage.deterministic_cross_term_bound(ridge, risk) ** 2 / leverage.printed_cross_term_bound(ridge)
    yield 2 * risk
