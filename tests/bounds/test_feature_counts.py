"""Counts and tails against exact laws: binomial tails of signs, multinomial counts of orthogonal features."""

import math

import pytest
from scipy.stats import binom

from bounds.random_features.feature_counts import (
    failure_probability,
    leverage_feature_count,
    lower_tail_feature_count,
    matrix_bernstein_tail,
    plain_feature_count,
    plain_sampling_dimension,
    unit_ball_approximation_error,
)
from bounds.random_features.leverage import corrected_deviation_constant
from bounds.random_features.multinomial import multinomial_box_probability


@pytest.mark.parametrize("n", [1, 2, 7, 40, 300])
@pytest.mark.parametrize("p", [0.5, 0.1])
def test_matrix_bernstein_covers_exact_binomial_tails(n: int, p: float) -> None:
    """Scalars are 1 x 1 matrices: both forms lie above the exact tail everywhere, and above 1 below the limit."""
    for step in range(1, 4 * n):
        x = step / (4 * n)
        exact = binom.sf(math.ceil(n * (p + x) - 1e-9) - 1, n, p) + binom.cdf(math.floor(n * (p - x) + 1e-9), n, p)
        for summands, span in (("bounded", 2), ("semidefinite", 1)):
            options = {"variance": p * (1 - p), "norm": 1.0, "dimension": 2.0, "summands": summands}
            bound = matrix_bernstein_tail(x, n, **options)
            assert exact <= bound
            if x < math.sqrt(p * (1 - p) / n) + span / (3 * n):
                assert bound > 1


@pytest.mark.parametrize(("cells", "delta", "ridge"), [(10, 0.1, 1e-3), (50, 0.01, 1e-6)])
def test_lower_tail_count_suffices_on_orthogonal_features(cells: int, delta: float, ridge: float) -> None:
    """Exactly (counts above four times their mean have no mass to speak of); a fifth of the features would not do."""
    dimension = cells / (1 + ridge)
    for epsilon in (0.5, 0.3):
        size = lower_tail_feature_count(dimension, dimension, delta, epsilon=epsilon)
        for share, enough in ((1, True), (5, False)):
            s = size // share
            least = math.ceil(s / cells * (1 - epsilon * (1 + ridge)) - 1e-9)
            box = ([1 / cells] * cells, [least] * cells, [4 * s // cells] * cells)
            assert (1 - multinomial_box_probability(s, *box) <= delta) == enough


def test_counts_and_tails_invert_each_other() -> None:
    for d, delta in ((3.0, 0.1), (250.0, 1e-6)):
        s = leverage_feature_count(d, delta)
        assert failure_probability(s, d, d) <= delta < failure_probability(s - 1, d, d)
        assert leverage_feature_count(d, delta) == leverage_feature_count(
            d, delta, constant=corrected_deviation_constant(0.5)
        )
    assert plain_sampling_dimension(2.0, regularisation=0.1) == pytest.approx(40)
    plain = plain_feature_count(3.0, 0.1, feature_bound=2.0, regularisation=0.1)
    assert plain == math.ceil(32 / 3 * 40 * math.log(480))


def test_lower_tail_needs_fewer_than_both_tails() -> None:
    """8 d + 4/3 with half the prefactor, against 28/3 and 32/3."""
    for d in (0.5, 1.0, 20.0, 1e4):
        assert lower_tail_feature_count(d, d, 0.1) <= leverage_feature_count(d, 0.1, constant=28 / 3) + 1
    assert lower_tail_feature_count(20.0, 20.0, 0.1) == math.ceil((160 + 4 / 3) * math.log(1600))


def test_approximation_error() -> None:
    """k / (K~ + lambda) with K~ + lambda = (1 - e)(k + lambda), the worst on the event, approaches the bound."""
    for epsilon in (0.1, 0.5, 0.9):
        worst = 0.02 * 1e9 / ((1 - epsilon) * (1e9 + 0.02))
        assert worst == pytest.approx(unit_ball_approximation_error(0.02, epsilon=epsilon), rel=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: leverage_feature_count(-1.0, 0.1),
        lambda: plain_feature_count(50.0, 0.1, feature_bound=1.0, regularisation=0.1),
        lambda: lower_tail_feature_count(1.0, 1.0, 0.1, epsilon=0.0),
        lambda: failure_probability(10, 1.0, 1.0, constant=0.0),
        lambda: matrix_bernstein_tail(0.1, 0, variance=1.0, norm=1.0, dimension=2.0),
        lambda: unit_ball_approximation_error(0.1, epsilon=1.0),
    ],
)
def test_bad_input_is_refused(call) -> None:
    with pytest.raises(ValueError):
        call()
