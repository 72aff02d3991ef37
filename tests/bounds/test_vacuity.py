"""When a bound says something: the levels from exact losses of laws, the sample sizes from published numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.pac_bayes.kullback_leibler import printed_averaged_first_order_kl_bound
from bounds.pac_bayes.power_divergence import chi_square_bound, logarithmic_chi_square_bound, printed_chi_square_bound
from bounds.pac_bayes.vacuity import (
    largest_alignment_loss,
    uninformed_alignment_loss,
)


def exact_loss(probabilities: np.ndarray, angles: np.ndarray) -> float:
    """Expected loss of an independent pair: class c lies at angle a_c; sum over all pairs of classes."""
    sign = 2 * np.eye(len(probabilities)) - 1
    pairs = (1 - sign * np.cos(angles[:, None] - angles[None, :])) / 2
    return float(probabilities @ pairs @ probabilities)


@given(st.lists(st.tuples(st.floats(0.01, 1), st.floats(0, 7)), min_size=1, max_size=6))
def test_no_law_has_a_larger_loss(classes: list[tuple[float, float]]):
    """Classes of any probabilities at any angles; with spread inside classes the loss is a mean of such."""
    weights, angles = np.array(classes).T
    assert exact_loss(weights / weights.sum(), angles) <= largest_alignment_loss(len(classes)) + 1e-12


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), st.floats(0, 1))
def test_a_constant_kernel_does_no_better_than_the_uninformed_level(weights: list[float], constant: float):
    """The kernel c has loss (1 - c (2 sum pi^2 - 1)) / 2, linear in c in [0, 1]: zero or one is best."""
    shares = np.array(weights) / np.sum(weights)
    loss = (1 - constant * (2 * np.sum(shares**2) - 1)) / 2
    assert uninformed_alignment_loss(list(shares)) <= loss + 1e-12


def test_corollary_2_at_the_published_temperature_needs_more():
    """t = sqrt(n log n): gap .528 at the published n = 340, which needs 383 points."""

    def gap(n: int) -> float:
        t = math.sqrt(n * math.log(n))
        return float(printed_averaged_first_order_kl_bound(0.0, 0.0, sample_size=n, delta=0.05, inverse_temperature=t))

    assert gap(340) == pytest.approx(0.528, abs=5e-4)
    assert next(n for n in range(2, 1000) if gap(n) < 0.5) == 383


def test_chi_square_bounds_need_a_sample_of_one_over_delta():
    """Gap below 1/2 at chi^2 = 0: n > 1 / delta (printed), 2 / delta (safe), about 4 s (logarithmic)."""

    def first(gap) -> int:
        return next(n for n in range(2, 1000) if gap(n) < 0.5)

    assert first(lambda n: printed_chi_square_bound(0.0, 0.0, sample_size=n, delta=0.05)) == 21
    assert first(lambda n: chi_square_bound(0.0, 0.0, sample_size=n, delta=0.05)) == 41
    assert first(lambda n: logarithmic_chi_square_bound(0.0, 0.0, sample_size=n, delta=0.05)) == 24
