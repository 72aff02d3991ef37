"""The exponent of a decay: exact on noiseless curves, covered by its interval on noisy ones, cone respected."""

import math

import numpy as np
import pytest

from harness.evidence.bernoulli import sample_size
from harness.evidence.rates import Curve, fit_rate, local_slopes

N = np.geomspace(30, 3000, 9).round()


def _curve(exponent: float, c: float, g: float, log_power: float = 0.0, noise: float = 1e-6) -> Curve:
    mean = 2.5 * N**exponent * np.log(N) ** log_power * (1.0 + c * N**-g)
    return Curve(N, mean, noise * mean, log_power, g)


@pytest.mark.parametrize("exponent", [-2.0, -1.0, -0.5, 0.0, 0.7])
@pytest.mark.parametrize(("c", "g"), [(0.0, 0.5), (2.0, 0.5), (-2.0, 0.5), (1.5, 1.0)])
@pytest.mark.parametrize("log_power", [0.0, 1.0, -2.0])
def test_noiseless_curves_give_their_own_exponent(exponent: float, c: float, g: float, log_power: float) -> None:
    fit = fit_rate(_curve(exponent, c, g, log_power), 0.99)
    assert fit.exponent == pytest.approx(exponent, abs=1e-4)
    assert fit.low <= exponent <= fit.high
    assert fit.high - fit.low < 1e-2
    assert fit.leading == pytest.approx(2.5, rel=1e-2)
    assert fit.correction == pytest.approx(c, abs=0.05)


def test_a_forgotten_logarithm_moves_the_exponent() -> None:
    """n^-1 log n is not n^-1: the log power must enter the model."""
    mean = N**-1.0 * np.log(N)
    assert fit_rate(Curve(N, mean, 1e-6 * mean, 1.0, 0.5), 0.99).exponent == pytest.approx(-1.0, abs=1e-4)
    assert fit_rate(Curve(N, mean, 1e-6 * mean, 0.0, 0.5), 0.99).exponent > -0.95


def test_a_straight_line_would_miss_what_the_interval_covers() -> None:
    """The documented reason for the correction term: log-log regression errs by far more than its noise."""
    curve = _curve(-1.0, 3.0, 0.5)
    line = np.polyfit(np.log(curve.n), np.log(curve.mean), 1)[0]
    assert abs(line + 1.0) > 0.05
    assert abs(fit_rate(curve, 0.99).exponent + 1.0) < 1e-3


@pytest.mark.parametrize("c", [0.0, 2.0])
def test_the_interval_covers_the_exponent(c: float) -> None:
    """Null hypothesis: a 90 % interval misses in at most 10 % of noisy curves. A miss rate of 35 % would be seen."""
    trials, accepted = sample_size(1e-6, 1e-3, 0.1, 0.35)
    rng = np.random.default_rng(5)
    mean = N**-0.8 * (1.0 + c * N**-0.5)
    error = 0.02 * mean
    misses = 0
    for _ in range(trials):
        fit = fit_rate(Curve(N, mean + error * rng.standard_normal(len(N)), error, 0.0, 0.5), 0.9)
        misses += not fit.low <= -0.8 <= fit.high
    assert misses <= accepted


def test_more_confidence_gives_a_wider_interval() -> None:
    rng = np.random.default_rng(1)
    mean = N**-1.0
    curve = Curve(N, mean * (1.0 + 0.03 * rng.standard_normal(len(N))), 0.03 * mean, 0.0, 0.5)
    narrow, wide = fit_rate(curve, 0.9), fit_rate(curve, 0.9999)
    assert wide.low < narrow.low <= narrow.exponent <= narrow.high < wide.high


def test_a_curve_that_the_model_does_not_describe_says_so() -> None:
    mean = N**-1.0 * (1.0 + 0.3 * np.sin(3.0 * np.log(N)))
    fit = fit_rate(Curve(N, mean, 1e-3 * mean, 0.0, 0.5), 0.99)
    assert fit.misfit > 10.0
    assert fit.high - fit.low > 0.05  # and does not pretend to be certain


def test_local_slopes_are_those_of_the_segments() -> None:
    n = np.array([1.0, 10.0, 100.0])
    assert local_slopes(n, np.array([1.0, 0.1, 0.001])) == pytest.approx([-1.0, -2.0])
    assert all(math.isfinite(s) for s in local_slopes(n, np.zeros(3)))
