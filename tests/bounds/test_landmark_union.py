"""Unions over landmarks: their costs, and their coverage by exact enumeration."""

import math

import numpy as np
import pytest
from scipy import stats

from bounds.pac_bayes.guarantees import first_order_kl_bound
from bounds.pac_bayes.landmark_union import landmark_kl_bound, selected_landmark_kl_bound

SETTINGS = {"sample_size": 340, "delta": 0.05, "inverse_temperature": 92.0}


def test_the_costs_in_nats_are_those_of_the_union():
    """34 landmarks cost log 34; selected ones log 340; the published grid of 350 settings 5.86 nats more."""

    def nats(value: float) -> float:
        return (value - first_order_kl_bound(0.3, 1.0, **SETTINGS)) * SETTINGS["inverse_temperature"]

    assert nats(landmark_kl_bound(0.3, 1.0, **SETTINGS, landmarks=34)) == pytest.approx(math.log(34), rel=1e-10)
    assert nats(selected_landmark_kl_bound(0.3, 1.0, **SETTINGS)) == pytest.approx(math.log(340), rel=1e-10)
    tuned = nats(selected_landmark_kl_bound(0.3, 1.0, **SETTINGS, settings=350))
    assert tuned - math.log(340) == pytest.approx(5.86, abs=5e-3)


@pytest.mark.parametrize(("n", "t"), [(4, 2.0), (8, 4.0), (20, 9.0)])
@pytest.mark.parametrize("delta", [0.05, 0.5, 0.9])
def test_selection_by_the_sample_is_covered_exactly(n: int, t: float, delta: float):
    """Constant inputs and coin labels; the landmark whose bound looks best in its favour is selected.

    All frequencies coincide, so KL = 0 is the worst case. The loss around a point is the chance of the other label, its
    estimate their share among the others; every outcome is a number of heads. A union that is too small fails where
    the exact probability exceeds delta; the enumeration says what it is.
    """
    gap = selected_landmark_kl_bound(0.0, 0.0, sample_size=n, delta=delta, inverse_temperature=t, constant="improved")
    heads = np.arange(n + 1)
    for p in np.linspace(0, 1, 41):
        around_head = np.where(heads > 0, (1 - p) - (n - heads) / (n - 1), -np.inf)
        around_tail = np.where(heads < n, p - heads / (n - 1), -np.inf)
        failure = stats.binom.pmf(heads, n, p)[np.maximum(around_head, around_tail) > gap].sum()
        assert failure <= delta
