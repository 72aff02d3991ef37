"""What sampled features cost in risk: brute force, exact laws, and the designs on which print is too small."""

import math

import pytest
from scipy.stats import binom

from bounds.random_features.feature_counts import leverage_feature_count
from bounds.random_features.lipschitz_risk import (
    approximation_loss,
    composition_complexity,
    printed_approximation_loss,
    risk_deviation,
)
from bounds.random_features.ridge_risk import (
    PRINTED_SQUARED_RADIUS,
    empirical_risk_excess_constant,
    squared_norm_bound,
)


@pytest.mark.parametrize(("delta", "kappa", "failure", "norm"), [(0.1, 8.0386e-4, 0.182, 4.70)])
def test_fits_leave_the_printed_ball_more_often_than_delta(
    delta: float, kappa: float, failure: float, norm: float
) -> None:
    """Two points, K = diag(1, kappa), leverage sampling at the printed count: exact law of ||f~||^2."""
    ridge = 0.1
    scores = [1 / (1 + ridge), kappa / (kappa + ridge)]
    dimension = sum(scores)
    s = leverage_feature_count(dimension, delta, constant=5.0)
    share = scores[1] / dimension
    target = (kappa + ridge) / math.sqrt(kappa)
    drawn = [kappa * c / (s * share) for c in range(s + 1)]
    norms = [k * target**2 / (k + ridge) ** 2 for k in drawn]
    odds = [binom.pmf(c, s, share) for c in range(s + 1)]
    exceeding = sum(o for o, v in zip(odds, norms, strict=True) if v > PRINTED_SQUARED_RADIUS)
    assert norms[1] == pytest.approx(norm, rel=2e-3)
    assert exceeding == pytest.approx(failure, abs=2e-3)
    assert exceeding > delta
    bound = squared_norm_bound(1.0, sampling_dimension=dimension, features=s, delta=delta)
    assert sum(o for o, v in zip(odds, norms, strict=True) if v > bound) <= delta


@pytest.mark.parametrize(("truncation", "multiple"), [({}, 9.46), ({"truncation": 26.6}, 9.18)])
def test_the_constant_is_below_the_paper_s_from_the_stated_multiples_on(truncation, multiple) -> None:
    """And not from one hundredth less on."""
    assert empirical_risk_excess_constant(multiple, **truncation) < 4
    assert empirical_risk_excess_constant(multiple - 0.01, **truncation) > 4


def test_uniform_deviation_covers_an_exact_law() -> None:
    """Losses (1 +- y)/2 of the two constants on fair signs: R = E|mean| / 2, exact exceedance at most delta."""
    n = 40
    mean = sum(binom.pmf(c, n, 0.5) * abs(2 * c / n - 1) for c in range(n + 1))
    for delta in (0.5, 0.1, 0.01):
        for convention, complexity in (("plain", mean / 2), ("absolute", mean)):
            limit = risk_deviation(complexity, n, delta, convention=convention)
            exceeding = sum(binom.pmf(c, n, 0.5) for c in range(n + 1) if abs(2 * c / n - 1) / 2 > limit)
            assert exceeding <= delta
    assert composition_complexity(0.3, lipschitz=2.0, convention="absolute") == pytest.approx(1.2)


@pytest.mark.parametrize(("lipschitz", "risk"), [(20.0, 0.2020), (50.0, 0.505)])
def test_the_lipschitz_constant_is_missing_in_print(lipschitz: float, risk: float) -> None:
    """Two groups, one feature missed with probability .59: half of L sqrt(k), for every n."""
    regularisation, leverage = 0.01, 0.02
    eigenvalue = regularisation * leverage / (1 - leverage)  # of K / n, so k = twice this
    dimension = 0.5 / (0.5 + regularisation) + leverage
    s = leverage_feature_count(dimension, 0.1, constant=5.0)
    missed = (1 - leverage / dimension) ** s
    assert missed == pytest.approx(0.592, abs=2e-3)
    assert lipschitz * math.sqrt(2 * eigenvalue) / 2 == pytest.approx(risk, abs=5e-4)
    assert printed_approximation_loss(regularisation) < risk < approximation_loss(regularisation, lipschitz=lipschitz)


def test_approximation_loss_is_the_best_split() -> None:
    """Brute force over the error part of 2 lambda."""
    for regularisation in (1e-4, 0.05, 0.125, 0.3, 2.0):
        for lipschitz in (0.2, 1.0, 7.0):
            parts = [2 * regularisation * i / 20000 for i in range(20001)]
            best = max(lipschitz * math.sqrt(a) + 2 * regularisation - a for a in parts)
            assert approximation_loss(regularisation, lipschitz=lipschitz) == pytest.approx(best, rel=1e-7)
