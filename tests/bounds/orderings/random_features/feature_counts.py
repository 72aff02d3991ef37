"""Orderings between the bounds of `bounds.random_features.feature_counts`."""

from bounds.random_features import feature_counts, leverage
from tests.bounds.orderings import COUNT, DELTA, Span, equal, ordered

DIMENSION = Span(0.5, 1e6, "log")
POSITIVE = Span(1e-2, 1e2, "log")
REGULARISATION = Span(1e-9, 1e3, "log")


@ordered(d=Span(2.0, 1e6, "log"), delta=DELTA)
def lower_tail_alone_needs_no_more_than_both_refined(d, delta):
    yield feature_counts.lower_tail_feature_count(d, d, delta)
    yield feature_counts.leverage_feature_count(d, delta, constant=leverage.refined_deviation_constant(0.5))


@ordered(z=POSITIVE, ridge=REGULARISATION, share=Span(0.01, 1.0), delta=DELTA)
def plain_sampling_asks_for_at_least_as_much_as_leverage_sampling(z, ridge, share, delta):
    yield feature_counts.leverage_feature_count(share * z**2 / ridge, delta)
    yield feature_counts.plain_feature_count(share * z**2 / ridge, delta, feature_bound=z, regularisation=ridge)


@equal(z=POSITIVE, ridge=REGULARISATION)
def scaling_features_and_lambda_together_changes_nothing(z, ridge):
    """Scaling features by z and lambda by z^2 changes nothing."""
    return feature_counts.plain_sampling_dimension(z, regularisation=ridge * z**2), 1 / ridge


@ordered(rtol=1e-9, d=DIMENSION, delta=DELTA, constant=Span(1.0, 50.0))
def count_leaves_a_probability_of_failure_of_at_most_delta(d, delta, constant):
    size = feature_counts.leverage_feature_count(d, delta, constant=constant)
    return feature_counts.failure_probability(size, d, d, constant=constant), delta


@ordered(x=POSITIVE, n=COUNT, norm=POSITIVE, variance=POSITIVE)
def semidefinite_summands_have_the_smaller_tail(x, n, norm, variance):
    return tuple(
        feature_counts.matrix_bernstein_tail(x, n, variance=variance, norm=norm, dimension=2.0, summands=summands)
        for summands in ("semidefinite", "bounded")
    )


@equal(rtol=1e-9, d=Span(1.0, 1e6, "log"), epsilon=Span(0.01, 1.0), per=Span(1.0, 300.0))
def bernstein_tail_is_the_failure_probability(d, epsilon, per):
    """Bernstein's tail with variance and norm d at s features is the failure probability."""
    yield feature_counts.matrix_bernstein_tail(epsilon, per * d, variance=d, norm=d, dimension=4 * d)
    yield feature_counts.failure_probability(per * d, d, d, constant=leverage.deviation_constant(epsilon))
