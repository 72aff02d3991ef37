"""Orderings between the bounds of `bounds.random_features.lipschitz_risk`."""

from bounds.random_features import lipschitz_risk
from tests.bounds.orderings import COUNT, DELTA, Span, equal, ordered

REGULARISATION = Span(1e-9, 1e3, "log")
POSITIVE = Span(1e-2, 1e2, "log")


@equal(ridge=Span(1e-9, 0.125, "log"))
def printed_loss_is_right_for_slope_one_and_small_lambda(ridge):
    """With L = 1 and lambda <= 1/8 the printed term is right."""
    return lipschitz_risk.approximation_loss(ridge, lipschitz=1.0), lipschitz_risk.printed_approximation_loss(ridge)


@ordered(ridge=REGULARISATION, lipschitz=POSITIVE)
def approximation_loss_is_at_most_a_root_and_a_linear_term(ridge, lipschitz):
    """The approximation loss is at most L sqrt(2 lambda) + 2 lambda."""
    yield lipschitz_risk.approximation_loss(ridge, lipschitz=lipschitz)
    yield lipschitz * lipschitz_risk.printed_approximation_loss(ridge) + 2 * ridge


@equal(rtol=1e-10, ridge=REGULARISATION, lipschitz=POSITIVE)
def approximation_loss_scales_with_the_loss(ridge, lipschitz):
    """Scaling the loss by L and lambda by L^2 scales the approximation loss by L^2."""
    yield lipschitz_risk.approximation_loss(ridge * lipschitz**2, lipschitz=lipschitz)
    yield lipschitz**2 * lipschitz_risk.approximation_loss(ridge, lipschitz=1.0)


@equal(rtol=1e-8, ridge=Span(1e-3, 10.0, "log"), lipschitz=Span(0.1, 10.0, "log"), delta=Span(0.01, 0.9))
def risk_tends_to_the_approximation_loss_as_n_grows(ridge, lipschitz, delta):
    yield lipschitz_risk.lipschitz_excess_risk_bound(ridge, 1.0, 10**24, delta, lipschitz=lipschitz, squared_radius=2.0)
    yield lipschitz_risk.approximation_loss(ridge, lipschitz=lipschitz)


@ordered(complexity=POSITIVE, n=COUNT, delta=DELTA)
def both_conventions_forgive_the_same_complexity(complexity, n, delta):
    """Both conventions forgive the same complexity: 2 R plain is R absolute."""
    yield lipschitz_risk.risk_deviation(complexity, n, delta)
    yield lipschitz_risk.risk_deviation(2 * complexity, n, delta, convention="absolute")
