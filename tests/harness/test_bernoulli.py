"""Evidence about a violation probability, against direct integration and exact sums over all outcomes."""

import itertools
import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from harness.evidence.bernoulli import (
    fewest_violations,
    log_e_above,
    log_e_below,
    probability_interval,
    sample_size,
    upper_limit,
)

COUNTS = [
    (0, 0),
    (0, 1),
    (1, 1),
    (3, 10),
    (0, 100),
    (100, 100),
    (7, 100),
    (60, 1000),
    (0, 30_000),
    (30_000, 30_000),
    (1500, 30_000),
    (15_000, 30_000),
    (299_000, 300_000),
]


def _integrated(violations: int, trials: int, delta: float, *, above: bool) -> float:
    """log of the likelihood ratio averaged with the truncated Jeffreys prior, by quadrature in p = sin^2 theta.

    In theta the Jeffreys prior is flat, so both integrals are of smooth functions; the peak is split off and the
    integrand is scaled by its maximum, because it underflows otherwise.
    """
    with mpmath.workdps(30):
        edge = mpmath.asin(mpmath.sqrt(mpmath.mpf(delta)))
        low, high = (edge, mpmath.pi / 2) if above else (mpmath.mpf(0), edge)
        passes = trials - violations

        def log_likelihood(theta: mpmath.mpf) -> mpmath.mpf:
            hits = violations * mpmath.log(mpmath.sin(theta) ** 2) if violations else 0
            misses = passes * mpmath.log(mpmath.cos(theta) ** 2) if passes else 0
            return hits + misses

        peak = mpmath.asin(mpmath.sqrt(mpmath.mpf(violations) / trials)) if trials else edge
        peak = min(max(peak, low), high)
        inner = min(max(peak, low + mpmath.mpf(10) ** -25), high - mpmath.mpf(10) ** -25)
        top = log_likelihood(inner)
        slope = abs(mpmath.diff(log_likelihood, inner)) if trials else mpmath.mpf(0)
        width = 1 / (mpmath.sqrt(4 * trials + 1) + slope)
        cuts = sorted({low, high, *(c for k in (-30, -8, -2, 0, 2, 8, 30) if low < (c := peak + k * width) < high)})
        area = mpmath.quad(lambda t: mpmath.exp(log_likelihood(t) - top), cuts)
        null = violations * mpmath.log(delta) + passes * mpmath.log(1 - mpmath.mpf(delta))
        return float(mpmath.log(area) + top - mpmath.log(high - low) - null)


@pytest.mark.parametrize("delta", [1e-4, 0.05, 0.5, 0.99])
@pytest.mark.parametrize(("violations", "trials"), COUNTS)
def test_the_mixture_is_the_integral_it_stands_for(violations: int, trials: int, delta: float) -> None:
    """Far tails included: there the incomplete beta function underflows and a series takes over."""
    for above, ours in ((True, log_e_above), (False, log_e_below)):
        expected = _integrated(violations, trials, delta, above=above)
        assert ours(violations, trials, delta) == pytest.approx(expected, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("trials", [1, 7, 61, 400])
def test_evidence_against_a_true_statement_averages_at_most_one(trials: int, delta: float) -> None:
    """Exactly, by summing over all counts: this is what makes an e-value an e-value."""
    k = np.arange(trials + 1)

    def log_mean(ours: Callable[[int, int, float], float], p: float) -> float:
        return float(special.logsumexp(stats.binom.logpmf(k, trials, p) + [ours(int(v), trials, delta) for v in k]))

    for p in (delta, 0.5 * delta, 0.1 * delta):
        assert log_mean(log_e_above, p) <= 1e-9
    for p in (delta, 0.5 * (1.0 + delta), 0.99):
        assert log_mean(log_e_below, p) <= 1e-9


def test_at_the_boundary_the_average_is_exactly_one() -> None:
    """Would catch an e-value that is valid only because it is timid."""
    k = np.arange(201)
    for ours in (log_e_above, log_e_below):
        mean = stats.binom.pmf(k, 200, 0.1) @ np.exp([ours(int(v), 200, 0.1) for v in k])
        assert mean == pytest.approx(1.0, rel=1e-9)


def test_each_further_trial_is_a_fair_bet_at_the_boundary() -> None:
    """The process is a martingale in the number of trials, which is why peeking is free."""
    delta = 0.07
    for trials in (0, 1, 10, 100):
        for violations in range(0, trials + 1, max(trials // 10, 1)):
            for ours in (log_e_above, log_e_below):
                after = delta * math.exp(ours(violations + 1, trials + 1, delta))
                after += (1.0 - delta) * math.exp(ours(violations, trials + 1, delta))
                assert after == pytest.approx(math.exp(ours(violations, trials, delta)), rel=1e-9)


def test_evidence_grows_with_what_it_is_evidence_for() -> None:
    values = [log_e_above(v, 500, 0.05) for v in range(25, 501)]
    assert all(a < b for a, b in itertools.pairwise(values))
    values = [log_e_below(v, 500, 0.05) for v in range(26)]
    assert all(a > b for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("delta", [0.001, 0.05, 0.5])
@pytest.mark.parametrize("trials", [0, 1, 5, 100, 5000])
@pytest.mark.parametrize("threshold", [0.0, 3.0, 8.0])
def test_fewest_violations_is_the_first_count_that_convicts(trials: int, delta: float, threshold: float) -> None:
    fewest = fewest_violations(trials, delta, threshold)
    convicts = [v for v in range(trials + 1) if trials and log_e_above(v, trials, delta) >= threshold]
    above_delta = [v for v in convicts if v > delta * trials]
    assert fewest == (above_delta[0] if above_delta else None)


@pytest.mark.parametrize(
    ("false_fail", "false_pass", "null", "alternative"),
    [(0.01, 0.01, 0.05, 0.1), (1e-9, 1e-9, 0.3, 0.35), (0.05, 0.2, 0.0, 0.01), (1e-6, 1e-3, 0.5, 1.0)],
)
def test_sample_size_keeps_both_error_rates_by_exact_tails(
    false_fail: float, false_pass: float, null: float, alternative: float
) -> None:
    trials, accepted = sample_size(false_fail, false_pass, null, alternative)
    assert stats.binom.sf(accepted, trials, null) <= false_fail
    assert stats.binom.cdf(accepted, trials, alternative) <= false_pass
    # and it is no waste: two thirds of the trials cannot do it
    fewer = max(2 * trials // 3, 0)
    limit = int(stats.binom.isf(false_fail, fewer, null)) if fewer else 0
    while fewer and stats.binom.sf(limit, fewer, null) > false_fail:
        limit += 1
    assert fewer == 0 or stats.binom.cdf(limit, fewer, alternative) > false_pass


@pytest.mark.parametrize(("null", "alternative"), [(0.2, 0.1), (0.1, 0.1), (-0.1, 0.5), (0.5, 1.1)])
def test_sample_size_refuses_hypotheses_that_do_not_differ(null: float, alternative: float) -> None:
    with pytest.raises(ValueError, match="need 0 <= null < alternative <= 1"):
        sample_size(0.01, 0.01, null, alternative)


@pytest.mark.parametrize(("violations", "trials"), [(-1, 10), (11, 10)])
def test_impossible_counts_are_refused(violations: int, trials: int) -> None:
    with pytest.raises(ValueError, match="must lie between 0 and trials"):
        log_e_above(violations, trials, 0.1)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1])
def test_impossible_levels_are_refused(delta: float) -> None:
    with pytest.raises(ValueError, match="must lie in"):
        log_e_below(1, 10, delta)


@pytest.mark.parametrize("trials", [1, 10, 60])
def test_probability_interval_covers_for_every_probability(trials: int) -> None:
    """Coverage by exact summation over a grid of probabilities that includes the ends of the intervals."""
    intervals = [probability_interval(v, trials) for v in range(trials + 1)]
    edges = [edge for interval in intervals for edge in interval]
    for p in sorted({*np.linspace(0.0, 1.0, 101), *(min(max(e + s, 0.0), 1.0) for e in edges for s in (1e-9, -1e-9))}):
        pmf = stats.binom.pmf(np.arange(trials + 1), trials, p)
        covered = sum(mass for mass, (low, high) in zip(pmf, intervals, strict=True) if low <= p <= high)
        assert covered >= 0.99 - 1e-9
    assert probability_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("violations", "trials"), [(0, 50), (3, 50), (50, 50), (500, 10_000)])
def test_upper_limit_is_where_the_evidence_reaches_the_threshold(violations: int, trials: int) -> None:
    limit = upper_limit(violations, trials, math.log(100.0))
    if limit < 1.0:
        assert log_e_below(violations, trials, limit) == pytest.approx(math.log(100.0), abs=1e-6)
    assert limit >= violations / trials
    assert upper_limit(0, 0, 1.0) == 1.0
