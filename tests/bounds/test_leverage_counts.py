"""Feature counts against the worked sizes, and each bound against the exact law of a small design."""

import math

import numpy as np
import pytest

from bounds.random_features.leverage import (
    PRINTED_THEOREM_CONSTANT,
    corrected_cross_term_bound,
    corrected_deviation_constant,
    deterministic_cross_term_bound,
    feature_count,
    leverage_score_upper,
    printed_cross_term_bound,
    printed_deviation_constant,
    refined_deviation_constant,
)
from bounds.random_features.multinomial import uniform_deviation_probability


def test_constants_at_one_half() -> None:
    """16/3 printed (the theorems say 5), 32/3 corrected, 28/3 refined."""
    assert printed_deviation_constant(0.5) == pytest.approx(16 / 3, rel=1e-15)
    assert corrected_deviation_constant(0.5) == pytest.approx(32 / 3, rel=1e-15)
    assert refined_deviation_constant(0.5) == pytest.approx(28 / 3, rel=1e-15)
    assert printed_deviation_constant(0.5) > PRINTED_THEOREM_CONSTANT


def test_corrected_count_inverts_the_matrix_bernstein_tail() -> None:
    """Bernstein tail 16 d_K exp(-s e^2 / 2 / (d (1 + 2 e / 3))): at most delta at the corrected count alone."""
    for epsilon in (0.05, 0.3, 0.5, 1.0):
        for dimension, effective, delta in ((300.0, 300.0, 0.05), (40.0, 2.0, 1e-6)):
            s = feature_count(dimension, effective, delta, constant=corrected_deviation_constant(epsilon))
            exponent = s * epsilon**2 / 2 / (dimension * (1 + 2 * epsilon / 3))
            assert 16 * effective * math.exp(-exponent) <= delta * (1 + 1e-12)
            fewer = feature_count(dimension, effective, delta, constant=printed_deviation_constant(epsilon))
            exponent = fewer * epsilon**2 / 2 / (dimension * (1 + 2 * epsilon / 3))
            assert 16 * effective * math.exp(-exponent) > delta


@pytest.mark.parametrize(
    ("cells", "epsilon", "delta", "ridge", "size", "failure"),
    [
        (100, 0.1, 0.05, 1e-9, 110651, 0.0772),
        (300, 0.1, 0.05, 1e-9, 367108, 0.1275),
        (1000, 0.5, 0.01, 1e-9, 76190, 0.0212),
        (1000, 0.5, 0.001, 1e-9, 88470, 0.00617),
        (100, 0.5, 0.01, 1e-9, 6391, 0.01028),
    ],
)
def test_printed_count_fails_too_often_on_orthogonal_features(
    *, cells: int, epsilon: float, delta: float, ridge: float, size: int, failure: float
) -> None:
    """Exact failure probabilities at the printed count exceed delta; at both corrected counts they do not."""
    dimension = cells / (1 + ridge)
    sizes = [
        feature_count(dimension, dimension, delta, constant=constant(epsilon))
        for constant in (printed_deviation_constant, refined_deviation_constant, corrected_deviation_constant)
    ]
    assert sizes[0] == size
    exact = [uniform_deviation_probability(s, cells, epsilon * (1 + ridge)) for s in sizes]
    assert exact[0] == pytest.approx(failure, rel=5e-3)
    assert exact[0] > delta
    assert delta / 20 > exact[1] > exact[2]


def test_cross_term_bounds() -> None:
    """Values by hand; arrays pass through; more features never loosen the corrected bound."""
    assert printed_cross_term_bound(0.05) == 0.05
    assert corrected_cross_term_bound(0.05, 0.97, 2.0, 200, 0.04) == pytest.approx(0.05 * 0.97 * 2)
    assert deterministic_cross_term_bound(0.02, 0.09) == pytest.approx(0.06)
    values = corrected_cross_term_bound(np.array([0.1, 0.2]), 1.0, np.array([1.0, 2.0]), 100, 0.1)
    assert values.shape == (2,)
    assert corrected_cross_term_bound(0.1, 1.0, 1.0, 101, 0.1) < values[0]


def test_leverage_upper_is_attained_in_the_limit_of_a_rare_atom() -> None:
    """n = 1, one atom of probability p: the score p z^2 / (p z^2 + lambda) approaches the bound as p tends to 0."""
    for p in (0.5, 1e-3, 1e-9):
        score, bound = p * 4 / (p * 4 + 0.1), leverage_score_upper(p, 2.0, 0.1)
        assert score <= bound
        assert bound / score == pytest.approx(1 + 40 * p, rel=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: printed_deviation_constant(0.0),
        lambda: refined_deviation_constant(1.5),
        lambda: feature_count(1.0, 2.0, 0.1, constant=5.0),
        lambda: feature_count(math.inf, 2.0, 0.1, constant=5.0),
        lambda: feature_count(1.0, 1.0, 0.0, constant=5.0),
        lambda: feature_count(1.0, 1.0, 0.1, constant=0.0),
        lambda: corrected_cross_term_bound(0.1, 1.0, 1.0, 0, 0.1),
    ],
)
def test_bad_input_is_refused(call) -> None:
    with pytest.raises(ValueError):
        call()
