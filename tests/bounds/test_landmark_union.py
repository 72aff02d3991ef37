"""Unions over landmarks: their coverage by exact enumeration."""

import numpy as np
import pytest
from scipy import stats

from bounds.pac_bayes.landmark_union import selected_landmark_kl_bound


@pytest.mark.parametrize(("n", "t"), [(4, 2.0), (8, 4.0), (20, 9.0)])
@pytest.mark.parametrize("delta", [0.05, 0.5, 0.9])
def test_selection_by_the_sample_is_covered_exactly(n: int, t: float, delta: float):
    """Constant inputs and coin labels; the landmark whose bound looks best in its favour is selected.

    All frequencies coincide, so KL = 0 is the worst case. The loss around a point is the chance of the other label, its
    estimate their share among the others; every outcome is a number of heads. A union that is too small fails where
    the exact probability exceeds delta; the enumeration says what it is.
    """
    gap = selected_landmark_kl_bound(0.0, 0.0, sample_size=n, delta=delta, inverse_temperature=t)
    heads = np.arange(n + 1)
    for p in np.linspace(0, 1, 41):
        around_head = np.where(heads > 0, (1 - p) - (n - heads) / (n - 1), -np.inf)
        around_tail = np.where(heads < n, p - heads / (n - 1), -np.inf)
        failure = stats.binom.pmf(heads, n, p)[np.maximum(around_head, around_tail) > gap].sum()
        assert failure <= delta
