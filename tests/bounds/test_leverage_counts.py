"""Feature counts against the worked sizes, and each bound against the exact law of a small design."""

import pytest

from bounds.random_features.leverage import (
    deviation_constant,
    feature_count,
    printed_deviation_constant,
    refined_deviation_constant,
)
from bounds.random_features.multinomial import uniform_deviation_probability


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
        for constant in (printed_deviation_constant, refined_deviation_constant, deviation_constant)
    ]
    assert sizes[0] == size
    exact = [uniform_deviation_probability(s, cells, epsilon * (1 + ridge)) for s in sizes]
    assert exact[0] == pytest.approx(failure, rel=5e-3)
    assert exact[0] > delta
    assert delta / 20 > exact[1] > exact[2]
