"""Whether a planted error can be detected at all, computed from its exact size and the budget.

Counts: exact binomial tails of the e-process at the last look. Means: growth rate of the best bet. Rates: the
noise-free curve with the standard errors that the budget buys. Searches: the share of the set that violates, or the
reason why a climb arrives.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import special, stats

from harness.evidence.bernoulli import fewest_violations
from harness.evidence.betting import FRACTIONS
from harness.evidence.rates import Curve, fades, fit_late
from harness.settings import ALPHA, Effort

FAMILY = 400  # the zoo is judged as a run of this many claims, more than it holds
MISS = 1e-4  # detectable means: missed with at most this probability
SIGMAS = 4.0  # one-sided normal tail 3e-5, below MISS


@dataclass(frozen=True)
class Prospect:
    """Whether theory promises a refutation at a budget, and the computation in words."""

    detectable: bool
    why: str


Theory: TypeAlias = Callable[[Effort], Prospect]


def threshold() -> float:
    """log(m/alpha): the evidence that refutes a claim with one cell."""
    return math.log(FAMILY / ALPHA)


def divergence(p: float, delta: float) -> float:
    """KL(p || delta) of two Bernoulli laws: the expected log-growth of the evidence per trial."""
    return float(special.rel_entr(p, delta) + special.rel_entr(1.0 - p, 1.0 - delta))


def from_counts(p: float, delta: float) -> Theory:
    """A violation probability p against delta: the binomial tail of the last look."""

    def at(effort: Effort) -> Prospect:
        trials = effort.maximum_trials
        needed = fewest_violations(trials, delta, threshold())
        miss = 1.0 if needed is None else float(special.bdtr(needed - 1, trials, p))
        why = (
            f"KL({p:.5g} || {delta:g}) x {trials} trials = {divergence(p, delta) * trials:.3g} against "
            f"log(m/alpha) = {threshold():.3g}; missed with probability {miss:.2g}"
        )
        return Prospect(miss <= MISS, why)

    return at


def from_bets(values: Sequence[float], weights: Sequence[float], low: float) -> Theory:
    """A bounded excess with a known discrete law: log-wealth of the best bet, four standard deviations short."""
    x, mass = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)

    def at(effort: Effort) -> Prospect:
        trials = effort.maximum_trials
        growth = np.log1p(FRACTIONS[:, None] / -low * x)
        mean = (growth * mass).sum(-1)
        spread = np.sqrt((growth**2 * mass).sum(-1) - mean**2)
        wealth = trials * mean - SIGMAS * math.sqrt(trials) * spread - math.log(len(FRACTIONS))
        why = (
            f"mean excess {float(x @ mass):.3g}: the best of {len(FRACTIONS)} bets reaches log-wealth "
            f"{wealth.max():.3g} in {trials} trials, four standard deviations short, against {threshold():.3g}"
        )
        return Prospect(bool(wealth.max() >= threshold()), why)

    return at


@dataclass(frozen=True)
class Moments:
    """Mean and standard deviation of an excess."""

    mean: float
    deviation: float


def from_moments(low: float, excess: Moments) -> Theory:
    """An excess bounded below only: log(1 + x) >= x - x^2 for x >= -1/2 bounds the growth of the best small bet.

    A bet of at most half the lower end grows by at least b m - b^2 (s^2 + m^2) per trial; its spread is at most
    2 b sqrt(s^2 + m^2), as |log(1 + x)| <= 2 |x| there.
    """

    def at(effort: Effort) -> Prospect:
        trials = effort.maximum_trials
        bets = FRACTIONS[FRACTIONS <= 0.5] / -low
        square = excess.deviation**2 + excess.mean**2
        growth = bets * excess.mean - bets**2 * square
        spread = 2.0 * bets * math.sqrt(square)
        wealth = trials * growth - SIGMAS * math.sqrt(trials) * spread - math.log(len(FRACTIONS))
        why = (
            f"mean excess {excess.mean:.3g}: the best of {len(bets)} small bets reaches log-wealth {wealth.max():.3g} "
            f"or more in {trials} trials, four standard deviations short, against {threshold():.3g}"
        )
        return Prospect(bool(wealth.max() >= threshold()), why)

    return at


def from_curve(
    n: Sequence[int], mean: Sequence[float], *, noise: float, limit: float, log_power: float, correction: float
) -> Theory:
    """A decay with relative noise `noise`: the fitted exponent less (quantile + 4) standard errors against `limit`.

    No curve of which the excess over `limit` fades is refuted: its exponent lies beyond the grid.
    """

    def at(effort: Effort) -> Prospect:
        replicates = effort.rate_replicates * 2 ** max(effort.rate_rounds - 1, 0)
        means = np.asarray(mean, dtype=float)
        errors = means * max(noise / math.sqrt(replicates), 1e-12)
        level = ALPHA / (FAMILY * effort.rate_rounds)
        curve = Curve(np.asarray(n, dtype=float), means, errors, log_power, correction)
        fit = fit_late(curve, 1.0 - 2.0 * level)
        quantile = float(stats.norm.isf(level))
        worst = fit.exponent - (fit.exponent - fit.low) * (1.0 + SIGMAS / quantile)
        why = (
            f"{replicates} replicates a point: fitted exponent {fit.exponent:.3f}, lower end {worst:.3f} with four "
            f"standard errors of bad luck, against exponent + margin = {limit:.3f}"
        )
        if fades(curve, limit):
            return Prospect(detectable=False, why=f"{why}; the excess fades along the curve")
        return Prospect(worst > limit, why)

    return at


def from_search(why: str) -> Theory:
    """Found by a climb, a structured instance or coordinate moves; `why` names which."""
    return lambda effort: Prospect(detectable=True, why=why)  # noqa: ARG005


def from_volume(share: float) -> Theory:
    """Flat outside a region that holds `share` of the set: only random points can meet it."""

    def at(effort: Effort) -> Prospect:
        miss = math.exp(effort.random // 2 * math.log1p(-share)) if share < 1.0 else 0.0
        why = (
            f"flat elsewhere, and {share:.2g} of the set violates: {effort.random // 2} even points miss it with "
            f"probability {miss:.2g}"
        )
        return Prospect(miss <= MISS, why)

    return at


def from_laws(share: float) -> Theory:
    """One bad law among many that are all alike: only trying it can find it."""

    def at(effort: Effort) -> Prospect:
        miss = math.exp(effort.laws * math.log1p(-share))
        return Prospect(miss <= MISS, f"{effort.laws} laws, no slope between them: missed with probability {miss:.2g}")

    return at


def allowed(runs: int, alpha: float, *, doubt: float = 1e-3) -> int:
    """The most false verdicts in `runs` independent runs that a promise of `alpha` explains.

    The smallest k with P(Bin(runs, alpha) > k) <= doubt: more than k refute the promise at confidence 1 - doubt.
    """
    return int(stats.binom.isf(doubt, runs, alpha))


def below_rounding(relative: float, tolerance: float) -> Theory:
    """An error smaller than the stated float tolerance cannot count."""
    side = "above" if relative > tolerance else "below"
    why = f"relative error {relative:.1g} is {side} the stated tolerance {tolerance:.1g}"
    return lambda effort: Prospect(relative > tolerance, why)  # noqa: ARG005
