"""The harness's own error rates, with the null hypothesis in each docstring and exact numbers of runs.

The paths of (violations, trials) that a judge sees are simulated as counts alone, at the block sizes of the judge, so
that hundreds of runs cost a second.
"""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from harness import Estimate, Row
from harness.claims.rows import fewest_trials
from harness.evidence.bernoulli import fewest_violations, log_e_above, log_e_below, sample_size
from harness.evidence.betting import log_e_mean, log_wealths
from harness.judges.base import block_size
from harness.kinds.table import limits

FALSE_ALARM, MISSED = 1e-6, 1e-3
LEVEL = 0.05  # of each e-process under test: looser than the runs' own, so that errors are common enough to count
THRESHOLD = math.log(1.0 / LEVEL)
BLOCKS = 8  # looks per run, at 61, 188, 439, ... trials


def _paths(probability: float, runs: int, seed: int) -> np.ndarray:
    """Cumulated violations at every look; (runs, BLOCKS)."""
    rng = np.random.default_rng(seed)
    sizes = [block_size(i, 1) for i in range(BLOCKS)]
    return np.cumsum(np.stack([rng.binomial(size, probability, runs) for size in sizes], axis=1), axis=1)


LOOKS = np.cumsum([block_size(i, 1) for i in range(BLOCKS)])


def _ever(paths: np.ndarray, log_e: object, delta: float) -> int:
    """In how many runs the evidence reaches the threshold at any look."""
    table = {}
    for look, trials in enumerate(LOOKS):
        for violations in np.unique(paths[:, look]):
            table[look, violations] = log_e(int(violations), int(trials), delta) >= THRESHOLD  # type: ignore[operator]
    return sum(any(table[look, v] for look, v in enumerate(path)) for path in paths)


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
def test_a_tight_true_claim_is_convicted_in_at_most_its_share_of_runs(delta: float) -> None:
    """Null: with P(violation) = delta exactly, convicting at any look happens in at most 5 % of runs."""
    runs, accepted = sample_size(FALSE_ALARM, MISSED, LEVEL, 2.0 * LEVEL)
    assert _ever(_paths(delta, runs, seed=1), log_e_above, delta) <= accepted


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
def test_a_claim_at_the_boundary_is_certified_in_at_most_its_share_of_runs(delta: float) -> None:
    """Null: with P(violation) = delta exactly, HOLDS ("strictly rarer") at any look happens in at most 5 % of runs."""
    runs, accepted = sample_size(FALSE_ALARM, MISSED, LEVEL, 2.0 * LEVEL)
    assert _ever(_paths(delta, runs, seed=2), log_e_below, delta) <= accepted


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("factor", [1.2, 1.5, 2.0])
def test_the_price_of_peeking_is_at_most_four_times_the_trials(delta: float, factor: float) -> None:
    """Power, by exact tails: P(violation) = factor * delta, level 5 %, missed in at most 1 % of runs.

    A fixed-sample test needs (1.64 + 2.33)^2 / 2 = 7.9 nats; the mixture pays about log n more, in all some 23 nats.
    """
    fixed, _ = sample_size(LEVEL, 0.01, delta, factor * delta)
    needed = fewest_violations(4 * fixed, delta, THRESHOLD)
    assert needed is not None
    assert stats.binom.cdf(needed - 1, 4 * fixed, factor * delta) <= 0.01


def test_peeking_at_a_fixed_sample_test_accuses_far_too_often() -> None:
    """Why the evidence is an e-process: a 5 % binomial test, looked at after every block, errs in over 10 % of runs.

    Null: peeking at the exact one-sided test convicts a true tight claim in at most 10 % of runs. It must be rejected.
    """
    delta = 0.05
    runs, accepted = sample_size(FALSE_ALARM, MISSED, 0.10, 0.15)
    paths = _paths(delta, runs, seed=4)
    p_values = stats.binom.sf(paths - 1, LOOKS, delta)
    assert int((p_values[:, -1] <= LEVEL).sum()) <= sample_size(FALSE_ALARM, MISSED, LEVEL, 0.10)[1]  # one look is fine
    assert int((p_values <= LEVEL).any(axis=1).sum()) > accepted
    assert _ever(paths, log_e_above, delta) <= accepted


def test_choosing_the_instance_on_the_judging_draws_accuses_far_too_often() -> None:
    """Why conviction needs fresh draws: the worst of 20,000 true instances on the draws that chose it looks guilty.

    Null: convicting the instance with most violations, on the draws that chose it, errs in at most 10 % of runs.
    """
    delta, trials, instances = 0.05, 500, 20_000
    runs, accepted = sample_size(FALSE_ALARM, MISSED, 0.10, 0.5)
    rng = np.random.default_rng(5)
    worst = rng.binomial(trials, delta, (runs, instances)).max(axis=1)
    fresh = rng.binomial(trials, delta, runs)
    assert sum(log_e_above(int(v), trials, delta) >= THRESHOLD for v in fresh) <= accepted
    assert sum(log_e_above(int(v), trials, delta) >= THRESHOLD for v in worst) > accepted


def test_a_mean_of_exactly_zero_is_convicted_in_at_most_its_share_of_runs() -> None:
    """Null: betting against E x <= 0 on a skewed law of mean zero, looked at often, convicts in at most 5 % of runs."""
    runs, accepted = sample_size(FALSE_ALARM, MISSED, LEVEL, 3.0 * LEVEL)
    low, high = -0.1, 0.9  # rare large gains: the law for which a normal approximation fails
    gains = np.random.default_rng(6).binomial(1, 0.1, (runs, 2000))
    wins = 0
    at_low, at_high = (log_wealths(np.array([v]), low) for v in (low, high))
    for run in gains:
        looks = np.cumsum(run)[199::200]
        counts = np.arange(200, 2001, 200)
        wins += any(
            log_e_mean(up * at_high + (n - up) * at_low) >= THRESHOLD for up, n in zip(looks, counts, strict=True)
        )
    assert wins <= accepted


@pytest.mark.nightly
def test_whole_runs_of_a_tight_claim() -> None:
    """Null: `check`, from search to verdict, refutes a claim of exactly delta in at most 1 % of seeds."""
    from harness.kinds import high_probability
    from harness.language.registry import claim, grid
    from harness.run.api import check
    from harness.verdict import Status

    @claim("statistical/tight", high_probability("delta"), over=grid(delta=[0.05]))
    def tight(forall, draw, *, delta):
        """P(x = 1) = p <= delta."""
        return draw.bernoulli("x", forall.interval("p", 0.0, delta)), 0.5

    runs, accepted = sample_size(FALSE_ALARM, 0.01, 0.01, 0.05)
    refuted = sum(check(tight, seed=seed, effort="quick").status is Status.REFUTED for seed in range(runs))
    assert refuted <= accepted


def _missed_by(quantile: float, spreads: Sequence[float], trials: Sequence[int], runs: int, seed: int) -> int:
    """In how many runs the sum of means of normal trials is further above its expectation than quantile errors."""
    rng = np.random.default_rng(seed)
    means, squares = np.zeros(runs), np.zeros(runs)
    for spread, n in zip(spreads, trials, strict=True):
        found = rng.normal(0.0, spread, (runs, n))
        means += found.mean(1)
        squares += found.var(1, ddof=1) / n
    return int((means > quantile * np.sqrt(squares)).sum())


def _quantile(trials: int | None) -> float:
    row = Row("x", Estimate(0.0, 1.0, trials), printed=0.0).stored()
    return row.ours - limits(row, LEVEL)[0]


@pytest.mark.parametrize("trials", [2, 3, 5, 32])
def test_a_mean_of_few_trials_is_off_in_its_share_of_runs_and_by_normal_quantiles_in_more(trials: int) -> None:
    """Null: a row of n normal trials is judged off, where it is not, in at most 5 % of runs; exactly 5 % by theory.

    By the normal quantile it would be so in 17 %, 12 %, 9 % and 5.5 % of runs: for two to five trials that is noticed.
    """
    runs, accepted = sample_size(FALSE_ALARM, MISSED, LEVEL, 1.5 * LEVEL)
    assert _missed_by(_quantile(trials), [1.0], [trials], runs, seed=5) <= accepted
    if trials <= 5:
        assert _missed_by(_quantile(None), [1.0], [trials], runs, seed=6) > accepted


@pytest.mark.parametrize(("spreads", "trials"), [((1.0, 1.0), (3, 3)), ((1.0, 0.1), (3, 30)), ((0.1, 1.0), (3, 30))])
def test_a_sum_of_estimates_is_off_in_at_most_its_share_of_runs(spreads, trials) -> None:
    """Null: with the fewest trials of its parts a sum is judged off in at most 5 % of runs."""
    fewest = fewest_trials([Estimate(0.0, 1.0, n) for n in trials])
    runs, accepted = sample_size(FALSE_ALARM, MISSED, LEVEL, 1.5 * LEVEL)
    assert _missed_by(_quantile(fewest), spreads, trials, runs, seed=7) <= accepted
