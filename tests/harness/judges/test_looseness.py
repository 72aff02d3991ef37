"""The stated looseness beside the exact one, where enumeration gives it: ratios with atoms have flat quantiles."""

import math
from collections.abc import Callable

import pytest
from scipy import stats

from harness.kinds import high_probability
from harness.language.registry import Claim, claim, grid
from harness.run.api import check

SEEDS = range(5)
WITHIN = 0.95  # what docs/verdicts.md promises; bins of the ratio are finer
N, DELTA = 20, 0.05
CLEARLY = DELTA + 6.0 * math.sqrt(DELTA * (1.0 - DELTA) / 30_000)  # what a quick run of 30,000 trials tells from delta


@claim("judges/lucky-ticket", high_probability("delta"), over=grid(delta=[DELTA]))
def lucky_ticket(forall, draw, *, delta):
    """1/m - 3/n is at most the number of wins in n draws, one of m tickets wins; the tightest m is one of a million."""
    m = forall.integers("m", 1, 1_000_000)
    return 1 / m - 3 / N, draw.bernoulli("x", 1 / m, N).sum(-1)


@claim("judges/walk-of-any-bias", high_probability("delta"), over=grid(delta=[DELTA]))
def walk_of_any_bias(forall, draw, *, delta):
    """Hoeffding's inequality for the mean of n signs of any bias."""
    p = forall.interval("p", 0.0, 1.0)
    wins = draw.bernoulli("x", p, N).sum(-1)
    return 2 * (wins / N - p), math.sqrt(2 * math.log(1 / delta) / N)


def _tickets(delta: float) -> float:
    ratios = []
    for m in range(1, N):
        most = next(k for k in range(N + 1) if stats.binom.cdf(k, N, 1 / m) > delta)
        ratios.append((1 / m - 3 / N) / most if most else 0.0)
    return 1 / max(ratios)


def _biases(delta: float) -> float:
    """For each k the smallest bias with P(wins >= k) > delta is the tightest."""
    smallest = [float(stats.beta.ppf(delta, k, N - k + 1)) for k in range(1, N + 1)]
    excess = max(2 * (k / N - p) for k, p in zip(range(1, N + 1), smallest, strict=True))
    return math.sqrt(2 * math.log(1 / DELTA) / N) / excess


@pytest.mark.in_turn
@pytest.mark.parametrize(("made", "exact"), [(lucky_ticket, _tickets), (walk_of_any_bias, _biases)], ids=["m", "p"])
def test_the_tightest_distribution_is_found(made: Claim, exact: Callable[[float], float]) -> None:
    for seed in SEEDS:
        verdict = check(made, seed=seed, effort="quick")
        assert verdict.looseness is not None
        assert exact(DELTA) * WITHIN <= verdict.looseness <= exact(CLEARLY) / WITHIN, f"seed {seed}"
