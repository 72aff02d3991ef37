"""Counts and tails against exact laws: binomial tails of signs, multinomial counts of orthogonal features."""

import math

import pytest
from scipy.stats import binom

from bounds.random_features import feature_counts
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
            bound = feature_counts.matrix_bernstein_tail(x, n, **options)
            assert exact <= bound
            if x < math.sqrt(p * (1 - p) / n) + span / (3 * n):
                assert bound > 1


@pytest.mark.parametrize(("cells", "delta", "ridge"), [(10, 0.1, 1e-3), (50, 0.01, 1e-6)])
def test_lower_tail_count_suffices_on_orthogonal_features(cells: int, delta: float, ridge: float) -> None:
    """Exactly (counts above four times their mean have no mass to speak of); a fifth of the features would not do."""
    dimension = cells / (1 + ridge)
    for epsilon in (0.5, 0.3):
        size = feature_counts.lower_tail_feature_count(dimension, dimension, delta, epsilon=epsilon)
        for share, enough in ((1, True), (5, False)):
            s = size // share
            least = math.ceil(s / cells * (1 - epsilon * (1 + ridge)) - 1e-9)
            box = ([1 / cells] * cells, [least] * cells, [4 * s // cells] * cells)
            assert (1 - multinomial_box_probability(s, *box) <= delta) == enough
