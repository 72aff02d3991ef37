"""Evidence about a mean: fair bets by exact expectation, and what the asymptotic form stands for."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from harness.evidence.betting import FRACTIONS, log_e_asymptotic, log_e_mean, log_wealths


@pytest.mark.parametrize("low", [-1.0, -0.01, -30.0])
@pytest.mark.parametrize("high", [0.001, 1.0, 5.0])
def test_every_bet_is_fair_on_two_point_laws_of_mean_zero(low: float, high: float) -> None:
    """E wealth = 1 exactly; a bet that gains on a fair game would convict true claims."""
    p_high = -low / (high - low)
    at_low, at_high = (np.exp(log_wealths(np.array([v]), low)) for v in (low, high))
    assert (1.0 - p_high) * at_low + p_high * at_high == pytest.approx(np.ones(len(FRACTIONS)), rel=1e-12)


def test_no_bet_gains_on_laws_of_negative_mean() -> None:
    low, high, p_high = -1.0, 2.0, 0.3  # mean -0.1
    wealth = (1 - p_high) * np.exp(log_wealths(np.array([low]), low)) + p_high * np.exp(
        log_wealths(np.array([high]), low)
    )
    assert bool((wealth <= 1.0).all())


def test_averaged_wealth_over_all_paths_is_one() -> None:
    """All 2^8 paths of a fair two-point law: the e-value averages to one, so it is spent, not wasted."""
    low, high = -1.0, 2.0
    total = 0.0
    for path in range(2**8):
        x = np.array([high if path >> i & 1 else low for i in range(8)])
        ups = int((x > 0.0).sum())
        total += (1 / 3) ** ups * (2 / 3) ** (8 - ups) * math.exp(log_e_mean(log_wealths(x, low)))
    assert total == pytest.approx(1.0, rel=1e-12)


def test_wealth_does_not_depend_on_blocks_or_order() -> None:
    x = np.random.default_rng(0).uniform(-1.0, 1.5, 300)
    whole = log_wealths(x, -1.0)
    split = log_wealths(x[::-1][:100], -1.0) + log_wealths(x[::-1][100:], -1.0)
    assert split == pytest.approx(whole, rel=1e-11)
    assert whole.shape == FRACTIONS.shape


def test_the_worst_outcome_leaves_something() -> None:
    """A bet of everything would be ruined for ever by one lowest value."""
    assert bool(np.isfinite(log_wealths(np.full(50, -1.0), -1.0)).all())


def test_wealth_grows_when_the_mean_is_positive() -> None:
    """A mean of +0.1 on {-1, 1.2}: certain growth, at the rate of the best bet."""
    x = np.tile([-1.0, 1.2], 5000)
    assert log_e_mean(log_wealths(x, -1.0)) > math.log(1e6)


@pytest.mark.parametrize("low", [0.0, 1.0])
def test_a_range_that_decides_by_itself_is_refused(low: float) -> None:
    with pytest.raises(ValueError, match="must be negative"):
        log_wealths(np.array([1.0]), low)


@pytest.mark.parametrize("s", [-80.0, -3.0, 0.0, 2.0, 60.0])
@pytest.mark.parametrize("count", [2, 50, 5000])
def test_the_asymptotic_form_is_the_half_normal_mixture_of_drifts(s: float, count: int) -> None:
    """With S = sum/sd and drift mu: likelihood ratio exp(mu S - n mu^2 / 2), mixed over |N(0, rho^2)|."""
    rho = 0.05
    total, squares = s, count * (1.0 + (s / count) ** 2)  # unit variance

    def ratio(mu: float) -> float:
        return 2.0 * stats.norm.pdf(mu, scale=rho) * math.exp(mu * s - 0.5 * count * mu * mu)

    peak = max(rho**2 * s / (1.0 + count * rho**2), 0.0)
    width = rho / math.sqrt(1.0 + count * rho**2)
    ends = [0.0, *(p for p in (peak - 8 * width, peak, peak + 8 * width) if p > 0.0), peak + 40 * width]
    mixed = sum(integrate.quad(ratio, a, b, epsabs=0.0, epsrel=1e-12)[0] for a, b in itertools.pairwise(ends))
    assert log_e_asymptotic(count, total, squares, rho) == pytest.approx(math.log(mixed), rel=1e-8, abs=1e-8)


def test_asymptotic_evidence_without_variance() -> None:
    assert log_e_asymptotic(10, 5.0, 2.5) == math.inf  # always 1/2: certain
    assert log_e_asymptotic(10, -5.0, 2.5) == 0.0
    assert log_e_asymptotic(10, 0.0, 0.0) == 0.0
    assert log_e_asymptotic(1, 1.0, 1.0) == 0.0  # one value says nothing about its spread
