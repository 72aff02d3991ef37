"""Orderings between the bounds of `bounds.random_features.ridge_risk`."""

from bounds.random_features import ridge_risk
from tests.bounds.orderings import COUNT, DELTA, STEP, Span, equal, ordered

REGULARISATION = Span(1e-9, 1e3, "log")
POSITIVE = Span(1e-2, 1e2, "log")


@ordered(multiple=Span(8.0, 1e4, "log"), tau=Span(8.0, 100.0), step=STEP)
def more_features_lower_the_constant_and_2_is_out_of_reach(multiple, tau, step):
    yield max(2, ridge_risk.empirical_risk_excess_constant(step * multiple, truncation=tau))
    yield ridge_risk.empirical_risk_excess_constant(multiple, truncation=tau)


@ordered(ridge=REGULARISATION, tau=Span(16.0, 60.0))
def corrected_count_gives_at_most_the_printed_4_lambda(ridge, tau):
    yield ridge * ridge_risk.empirical_risk_excess_constant(32 / 3, truncation=tau)
    yield ridge_risk.printed_empirical_risk_excess(ridge)


@equal(ridge=REGULARISATION, features=COUNT, delta=DELTA)
def markov_asks_for_the_dimension_over_delta(ridge, features, delta):
    """D / delta features are enough for 4 lambda by Markov's inequality."""
    yield ridge_risk.markov_empirical_risk_excess(
        ridge, squared_norm=1.0, sampling_dimension=delta * features, features=features, delta=delta
    )
    yield ridge_risk.printed_empirical_risk_excess(ridge)


@equal(y=POSITIVE, z=POSITIVE, n=COUNT, delta=DELTA)
def four_times_as_many_points_halve_what_two_gaps_add(y, z, n, delta):
    yield ridge_risk.ridge_excess_risk_bound(0.0, y, z, 4 * n, delta, squared_radius=1.0, constant=4.0)
    yield ridge_risk.generalisation_gap(y, z, n, delta, squared_radius=1.0)


@ordered(y=POSITIVE, z=POSITIVE, n=COUNT, delta=DELTA)
def absolute_convention_never_gives_the_smaller_bound(y, z, n, delta):
    yield ridge_risk.generalisation_gap(y, z, n, delta, squared_radius=2.0)
    yield ridge_risk.generalisation_gap(y, z, n, delta, squared_radius=2.0, convention="absolute")
