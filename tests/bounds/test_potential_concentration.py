"""Tails of the potential against exact binomial laws, and the examples at which print fails."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from bounds.margin_game import potential_concentration
from bounds.margin_game.fourier_potential import expected_potential


def sums(n: int, probability: float) -> tuple[np.ndarray, np.ndarray]:
    """Values and law of the sum of n signs: the potential at frequency zero is its square."""
    heads = np.arange(n + 1)
    return 2 * heads - n, stats.binom.pmf(heads, n, probability)


@pytest.mark.parametrize("probability", [0.5, 0.7, 0.95, 1.0])
def test_exact_binomial_tails_stay_below(probability: float) -> None:
    """Every deviation that occurs, at sizes 1 to 60: V-statistic around its mean and U-statistic around v_ideal."""
    ideal = (2 * probability - 1) ** 2
    for n in range(1, 61):
        total, law = sums(n, probability)
        statistics = [(total**2 / n**2, expected_potential(ideal, n))]
        statistics += [((total**2 - n) / (n * (n - 1)), ideal)] if n > 1 else []
        for values, centre in statistics:
            deviations = np.abs(values - centre)
            for t in np.unique(deviations):
                assert law[deviations >= t - 1e-12].sum() <= potential_concentration.potential_tail(t, n)


def test_tail_given_the_labels_by_enumeration() -> None:
    """Points +-R with equal chances, any labels: all 2^n samples around their conditional mean."""
    for n, phase in itertools.product([1, 2, 5, 8], [0.05, 0.4, 1.2]):
        labels = np.resize([1, 1, -1], n)
        points = np.array(list(itertools.product([-1, 1], repeat=n)))
        values = np.abs((labels * np.exp(1j * phase * points)).sum(-1)) ** 2 / n**2
        deviations = np.abs(values - values.mean())
        for t in np.unique(deviations):
            assert (deviations >= t - 1e-12).mean() <= potential_concentration.labelled_potential_tail(t, phase, n)


def test_the_printed_tail_fails_by_labels_and_by_bias() -> None:
    """Fair coins at r = .01: .3682 against 3.7e-6. One point at +-a, no random label: sin^2 t for certain."""
    total, law = sums(100, 0.5)
    assert law[np.abs(total) >= 10].sum() == pytest.approx(0.3682, abs=5e-5)
    assert potential_concentration.printed_potential_tail(0.01, 0.01, 100) == pytest.approx(3.73e-6, rel=1e-2)
    phase = 1.17
    assert potential_concentration.printed_potential_tail(math.sin(phase) ** 2, phase, 1) == pytest.approx(
        0.936, abs=5e-4
    )


def test_the_printed_sample_size_fails_with_unit_points() -> None:
    """R_x = 1, R_w = .3, epsilon = .1, delta = .01: 42 to 47 fair coins exceed 4 delta or nearly 3 delta."""
    needed = potential_concentration.printed_potential_sample_size(1, 1.0, 0.3, epsilon=0.1, delta=0.01)
    assert needed == pytest.approx(41.45, abs=5e-3)
    for n in range(math.ceil(needed), 48):
        total, law = sums(n, 0.5)
        failing = law[total**2 / n**2 > 0.1].sum()
        assert failing > 0.02
        assert n != 44 or failing == pytest.approx(0.0488, abs=5e-5)
    assert potential_concentration.potential_sample_size(1, 0.3, epsilon=0.1, delta=0.01) > 1000


def test_the_proved_sample_size_pays_for_its_net() -> None:
    """Sizes of the simulations: 3066 and 890; the union of tails over the net is at most delta."""
    assert math.ceil(potential_concentration.potential_sample_size(1, 10.0, epsilon=0.3, delta=0.1)) == 3066
    assert math.ceil(potential_concentration.potential_sample_size(1, 3.0, epsilon=0.5, delta=0.1)) == 890
    n = potential_concentration.potential_sample_size(2, 3.0, epsilon=0.5, delta=0.1)
    assert (1 + 8 * 3.0 / 0.5) ** 2 * potential_concentration.potential_tail(0.25 - 1 / n, n) <= 0.1
