"""Orderings between the bounds on sampled features: counts, risks, local complexities, spectra and exponents."""

from fractions import Fraction

from bounds.complexity.local_rademacher import (
    fixed_point,
    fixed_point_bound,
    local_complexity,
    printed_fixed_point_bound,
    printed_local_complexity,
    truncated_trace,
)
from bounds.random_features import leverage
from bounds.random_features.feature_counts import (
    failure_probability,
    leverage_feature_count,
    lower_tail_feature_count,
    matrix_bernstein_tail,
    plain_feature_count,
    plain_sampling_dimension,
    unit_ball_approximation_error,
)
from bounds.random_features.lipschitz_risk import (
    approximation_loss,
    lipschitz_excess_risk_bound,
    printed_approximation_loss,
    risk_deviation,
)
from bounds.random_features.rates import (
    effective_dimension_exponent,
    feature_count_exponent,
    fixed_point_exponent,
    risk_exponent,
)
from bounds.random_features.ridge_risk import (
    empirical_risk_excess_constant,
    generalisation_gap,
    markov_empirical_risk_excess,
    printed_empirical_risk_excess,
    ridge_excess_risk_bound,
)
from bounds.random_features.spectra import (
    geometric_dimension_bound,
    geometric_effective_dimension,
    harmonic_dimension_bound,
    harmonic_effective_dimension,
    polynomial_dimension_bound,
    polynomial_effective_dimension,
    printed_polynomial_dimension_bound,
    spectral_effective_dimension,
    spectral_fixed_point_bound,
)
from tests.mutation.orderings.table import DELTA, STEP, Ordering, Span

COUNTS, RIDGE, LIPSCHITZ = (
    "bounds.random_features.feature_counts",
    "bounds.random_features.ridge_risk",
    "bounds.random_features.lipschitz_risk",
)
LOCAL, SPECTRA, RATES = (
    "bounds.complexity.local_rademacher",
    "bounds.random_features.spectra",
    "bounds.random_features.rates",
)
DIMENSION = Span(0.5, 1e6, "log")
REGULARISATION = Span(1e-9, 1e3, "log")
POSITIVE = Span(1e-2, 1e2, "log")
SIZE = Span(1, 10**6, "log", whole=True)
RATIO, DECAY = Span(0.01, 0.99), Span(1.1, 12.0)
SPECTRUM = ("finite rank", "geometric", "polynomial", "harmonic")

TABLE = (
    Ordering(
        COUNTS,
        "the lower tail alone needs no more than both, refined",
        "<=",
        {"d": Span(2.0, 1e6, "log"), "delta": DELTA},
        lambda d, delta: (
            lower_tail_feature_count(d, d, delta),
            leverage_feature_count(d, delta, constant=leverage.refined_deviation_constant(0.5)),
        ),
    ),
    Ordering(
        COUNTS,
        "plain sampling asks for at least as much as leverage sampling",
        "<=",
        {"z": POSITIVE, "ridge": REGULARISATION, "share": Span(0.01, 1.0), "delta": DELTA},
        lambda z, ridge, share, delta: (
            leverage_feature_count(share * z**2 / ridge, delta),
            plain_feature_count(share * z**2 / ridge, delta, feature_bound=z, regularisation=ridge),
        ),
    ),
    Ordering(
        COUNTS,
        "scaling features by z and lambda by z^2 changes nothing",
        "=",
        {"z": POSITIVE, "ridge": REGULARISATION},
        lambda z, ridge: (plain_sampling_dimension(z, regularisation=ridge * z**2), 1 / ridge),
    ),
    Ordering(
        COUNTS,
        "the count leaves a probability of failure of at most delta",
        "<=",
        {"d": DIMENSION, "delta": DELTA, "constant": Span(1.0, 50.0)},
        lambda d, delta, constant: (
            failure_probability(leverage_feature_count(d, delta, constant=constant), d, d, constant=constant),
            delta,
        ),
        rtol=1e-9,
    ),
    Ordering(
        COUNTS,
        "semidefinite summands have the smaller tail",
        "<=",
        {"x": POSITIVE, "n": SIZE, "norm": POSITIVE, "variance": POSITIVE},
        lambda x, n, norm, variance: tuple(
            matrix_bernstein_tail(x, n, variance=variance, norm=norm, dimension=2.0, summands=summands)
            for summands in ("semidefinite", "bounded")
        ),
    ),
    Ordering(
        COUNTS,
        "Bernstein's tail with variance and norm d at s features is the failure probability",
        "=",
        {"d": Span(1.0, 1e6, "log"), "epsilon": Span(0.01, 1.0), "per": Span(1.0, 300.0)},
        lambda d, epsilon, per: (
            matrix_bernstein_tail(epsilon, per * d, variance=d, norm=d, dimension=4 * d),
            failure_probability(per * d, d, d, constant=leverage.corrected_deviation_constant(epsilon)),
        ),
        rtol=1e-9,
    ),
    Ordering(
        COUNTS,
        "a larger error of the kernel costs a larger error of the function",
        "<=",
        {"ridge": REGULARISATION, "epsilon": Span(0.01, 0.5), "step": Span(1.0, 1.9)},
        lambda ridge, epsilon, step: (
            unit_ball_approximation_error(ridge, epsilon=epsilon),
            unit_ball_approximation_error(ridge, epsilon=step * epsilon),
        ),
    ),
    Ordering(
        RIDGE,
        "more features lower the constant, and 2 is out of reach",
        "<=",
        {"multiple": Span(8.0, 1e4, "log"), "tau": Span(8.0, 100.0), "step": STEP},
        lambda multiple, tau, step: (
            max(2, empirical_risk_excess_constant(step * multiple, truncation=tau)),
            empirical_risk_excess_constant(multiple, truncation=tau),
        ),
    ),
    Ordering(
        RIDGE,
        "the corrected count gives at most the printed 4 lambda",
        "<=",
        {"ridge": REGULARISATION, "tau": Span(16.0, 60.0)},
        lambda ridge, tau: (
            ridge * empirical_risk_excess_constant(32 / 3, truncation=tau),
            printed_empirical_risk_excess(ridge),
        ),
    ),
    Ordering(
        RIDGE,
        "d / delta features are enough for 4 lambda by Markov's inequality",
        "=",
        {"ridge": REGULARISATION, "features": SIZE, "delta": DELTA},
        lambda ridge, features, delta: (
            markov_empirical_risk_excess(
                ridge, squared_norm=1.0, sampling_dimension=delta * features, features=features, delta=delta
            ),
            printed_empirical_risk_excess(ridge),
        ),
    ),
    Ordering(
        RIDGE,
        "four times as many points halve what two gaps add",
        "=",
        {"y": POSITIVE, "z": POSITIVE, "n": SIZE, "delta": DELTA},
        lambda y, z, n, delta: (
            ridge_excess_risk_bound(0.0, y, z, 4 * n, delta, squared_radius=1.0),
            generalisation_gap(y, z, n, delta, squared_radius=1.0),
        ),
    ),
    Ordering(
        RIDGE,
        "the absolute convention never gives the smaller bound",
        "<=",
        {"y": POSITIVE, "z": POSITIVE, "n": SIZE, "delta": DELTA},
        lambda y, z, n, delta: (
            generalisation_gap(y, z, n, delta),
            generalisation_gap(y, z, n, delta, convention="absolute"),
        ),
    ),
    Ordering(
        LIPSCHITZ,
        "with L = 1 and lambda <= 1/8 the printed term is right",
        "=",
        {"ridge": Span(1e-9, 0.125, "log")},
        lambda ridge: (approximation_loss(ridge, lipschitz=1.0), printed_approximation_loss(ridge)),
    ),
    Ordering(
        LIPSCHITZ,
        "the approximation loss is at most L sqrt(2 lambda) + 2 lambda",
        "<=",
        {"ridge": REGULARISATION, "lipschitz": POSITIVE},
        lambda ridge, lipschitz: (
            approximation_loss(ridge, lipschitz=lipschitz),
            lipschitz * printed_approximation_loss(ridge) + 2 * ridge,
        ),
    ),
    Ordering(
        LIPSCHITZ,
        "scaling the loss by L and lambda by L^2 scales the approximation loss by L^2",
        "=",
        {"ridge": REGULARISATION, "lipschitz": POSITIVE},
        lambda ridge, lipschitz: (
            approximation_loss(ridge * lipschitz**2, lipschitz=lipschitz),
            lipschitz**2 * approximation_loss(ridge, lipschitz=1.0),
        ),
        rtol=1e-10,
    ),
    Ordering(
        LIPSCHITZ,
        "the risk tends to the approximation loss as n grows",
        "=",
        {"ridge": Span(1e-3, 10.0, "log"), "lipschitz": Span(0.1, 10.0, "log"), "delta": Span(0.01, 0.9)},
        lambda ridge, lipschitz, delta: (
            lipschitz_excess_risk_bound(ridge, 1.0, 10**24, delta, lipschitz=lipschitz),
            approximation_loss(ridge, lipschitz=lipschitz),
        ),
        rtol=1e-8,
    ),
    Ordering(
        LIPSCHITZ,
        "both conventions forgive the same complexity: 2 R plain is R absolute",
        "<=",
        {"complexity": POSITIVE, "n": SIZE, "delta": DELTA},
        lambda complexity, n, delta: (
            risk_deviation(complexity, n, delta),
            risk_deviation(2 * complexity, n, delta, convention="absolute"),
        ),
    ),
    Ordering(
        LOCAL,
        "the truncated trace grows with the radius, up to the trace",
        "<=",
        {"radius": Span(0.0, 2.0), "step": STEP},
        lambda radius, step: (
            truncated_trace([1.5, 0.5, 0.1], radius),
            min(truncated_trace([1.5, 0.5, 0.1], step * radius), 2.1),
        ),
    ),
    Ordering(
        LOCAL,
        "Definition 1 doubles the local complexity",
        "=",
        {"trace": POSITIVE, "n": SIZE},
        lambda trace, n: (local_complexity(trace, n), 2 * printed_local_complexity(trace, n)),
    ),
    Ordering(
        LOCAL,
        "the fixed point lies below its bound",
        "<=",
        {"n": Span(3, 10**6, "log", whole=True), "a": POSITIVE, "e": POSITIVE, "b": Span(0.0, 10.0)},
        lambda n, a, e, b: (
            fixed_point([0.5, 0.2, 1e-3], n, scale=a, truncation=e, offset=b),
            fixed_point_bound([0.5, 0.2, 1e-3], n, scale=a, truncation=e, offset=b),
        ),
    ),
    Ordering(
        LOCAL,
        "the corrected bound with a = 1/sqrt 2 and b = 0 is the printed one",
        "=",
        {"n": Span(3, 10**6, "log", whole=True), "e": POSITIVE},
        lambda n, e: (
            fixed_point_bound([0.5, 0.2, 1e-3], n, scale=0.5**0.5, truncation=e),
            printed_fixed_point_bound([0.5, 0.2, 1e-3], n, constant=e),
        ),
    ),
    Ordering(
        SPECTRA,
        "a decreasing sum lies below its integral, by at most 1 (geometric)",
        "<=",
        {"ridge": REGULARISATION, "ratio": RATIO},
        lambda ridge, ratio: (
            abs(
                geometric_dimension_bound(ridge, common_ratio=ratio)
                - geometric_effective_dimension(ridge, common_ratio=ratio)
                - 0.5
            ),
            0.5,
        ),
        atol=1e-9,
    ),
    Ordering(
        SPECTRA,
        "a decreasing sum lies below its integral, by at most 1 (polynomial)",
        "<=",
        {"ridge": REGULARISATION, "decay": DECAY},
        lambda ridge, decay: (
            abs(
                polynomial_dimension_bound(ridge, decay=decay)
                - polynomial_effective_dimension(ridge, decay=decay)
                - 0.5
            ),
            0.5,
        ),
        rtol=0,
        atol=1e-5,
    ),
    Ordering(
        SPECTRA,
        "the printed polynomial bound is too small, by (pi/2t) / sin(pi/2t)",
        "<=",
        {"ridge": REGULARISATION, "decay": DECAY},
        lambda ridge, decay: (
            printed_polynomial_dimension_bound(ridge, decay=decay),
            polynomial_dimension_bound(ridge, decay=decay),
        ),
    ),
    Ordering(
        SPECTRA,
        "the harmonic dimension lies below its integral",
        "<=",
        {"n": SIZE, "share": Span(1e-3, 1e3, "log")},
        lambda n, share: (harmonic_effective_dimension(n, share / n), harmonic_dimension_bound(n, share / n)),
        rtol=1e-9,
    ),
    Ordering(
        SPECTRA,
        "every dimension shrinks as lambda grows",
        "<=",
        {"spectrum": SPECTRUM, "n": SIZE, "ridge": Span(1e-3, 1e3, "log"), "step": STEP},
        lambda spectrum, n, ridge, step: (
            spectral_effective_dimension(spectrum, n, step * ridge),
            spectral_effective_dimension(spectrum, n, ridge),
        ),
        rtol=1e-9,
    ),
    Ordering(
        SPECTRA,
        "four times as many points lower the fixed point by a factor between one and four",
        "<=",
        {"spectrum": ("finite rank", "geometric", "polynomial"), "n": SIZE},
        lambda spectrum, n: (
            abs(2.5 * spectral_fixed_point_bound(spectrum, n) - 4 * spectral_fixed_point_bound(spectrum, 4 * n)),
            1.5 * spectral_fixed_point_bound(spectrum, n) + 1e-12,
        ),
    ),
    Ordering(
        RATES,
        "leverage sampling never asks for a larger power of n than plain sampling",
        "<=",
        {"spectrum": SPECTRUM, "a": Span(0.1, 1.0), "decay": DECAY},
        lambda spectrum, a, decay: (
            float(feature_count_exponent(spectrum, a, decay=decay)),
            float(feature_count_exponent(spectrum, a, decay=decay, sampling="plain")),
        ),
    ),
    Ordering(
        RATES,
        "one logarithm more than the dimension, for a power of n",
        "=",
        {"a": Span(0.1, 2.0), "decay": DECAY, "b": Span(-2, 2, whole=True)},
        lambda a, decay, b: (
            float(feature_count_exponent("polynomial", a, decay=decay, regularisation_log_power=b, of="log n")),
            1
            + float(effective_dimension_exponent("polynomial", a, decay=decay, regularisation_log_power=b, of="log n")),
        ),
    ),
    Ordering(
        RATES,
        "lambda at the size of the fixed point gives its rate, at n^(1/(1+p)) features",
        "=",
        {"decay": DECAY},
        lambda decay: (
            float(risk_exponent("polynomial", _balance(decay), decay=decay, analysis="refined"))
            + float(feature_count_exponent("polynomial", _balance(decay), decay=decay)) * decay,
            0.0,
        ),
        atol=1e-12,
    ),
    Ordering(
        RATES,
        "the squared loss needs half the power of lambda that a Lipschitz loss needs",
        "=",
        {"spectrum": SPECTRUM, "a": Span(0.1, 2.0), "analysis": ("worst case", "refined")},
        lambda spectrum, a, analysis: (
            float(risk_exponent(spectrum, a, analysis=analysis)),
            float(risk_exponent(spectrum, 2 * a, loss="lipschitz", analysis=analysis)),
        ),
    ),
)


def _balance(decay: float) -> Fraction:
    return -fixed_point_exponent("polynomial", decay=decay)
