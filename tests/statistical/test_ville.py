"""Our e-processes against an independent implementation (the package `ville`), to 1e-10, along whole sequences."""

import math

import numpy as np
import pytest
import ville
from scipy import special

from harness.evidence.bernoulli import JEFFREYS, log_e_above, log_e_below
from harness.evidence.betting import FRACTIONS, log_wealths

TRIALS = 2000
LOOKS = (1, 2, 10, 100, 500, TRIALS)


@pytest.mark.parametrize("delta", [1e-3, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("rate", [0.0, 0.02, 0.3, 1.0])
def test_both_bernoulli_processes_add_up_to_the_two_sided_one(delta: float, rate: float) -> None:
    """The Jeffreys prior splits at delta: its two truncated mixtures, weighted by their masses, are the full mixture.

    Would catch a wrong truncation, a wrong normaliser, or a tail lost to underflow.
    """
    x = (np.random.default_rng(5).random(TRIALS) < rate).astype(float)
    theirs = ville.BernoulliTest(delta, prior=(JEFFREYS, JEFFREYS)).fit(x).log_e_values_
    above, below = special.betaincc(JEFFREYS, JEFFREYS, delta), special.betainc(JEFFREYS, JEFFREYS, delta)
    for look in LOOKS:
        k = int(x[:look].sum())
        up, down = log_e_above(k, look, delta), log_e_below(k, look, delta)
        ours = np.logaddexp(math.log(above) + up, math.log(below) + down)
        assert ours == pytest.approx(theirs[look - 1], rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("index", [0, 5, 10])
def test_a_fixed_bet_earns_the_same_wealth(index: int) -> None:
    """With its bets capped at a small fraction the plug-in strategy is a fixed bet, one of ours."""
    low, high = -0.5, 2.0
    x = np.random.default_rng(6).uniform(low, high, TRIALS)
    fraction = float(FRACTIONS[index])
    theirs = ville.BettingTest(0.0, bounds=(low, high), alternative="greater", c=fraction).fit(x).log_e_values_
    for look in LOOKS:
        assert log_wealths(x[:look], low)[index] == pytest.approx(theirs[look - 1], rel=1e-10, abs=1e-10)
