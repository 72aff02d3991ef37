"""Box probabilities of many draws against binomial tails; the oracle values enumerate few."""

import pytest
from scipy.stats import binom

from bounds.random_features.multinomial import multinomial_box_probability


def test_two_cells_are_a_binomial() -> None:
    ours = multinomial_box_probability(10_000, [0.3, 0.7], [2900, 0], [3100, 10_000])
    exact = binom.cdf(3100, 10_000, 0.3) - binom.cdf(2899, 10_000, 0.3)
    assert ours == pytest.approx(exact, abs=1e-11)
