"""Evidence about a violation probability, from (violations, trials) only; valid however often it is inspected."""

import math
from functools import lru_cache

import numpy as np
from scipy import special

JEFFREYS = 0.5
SMALLEST = 1e-290  # below this the incomplete beta function loses digits


def _log_beta_tail(a: float, b: float, x: float, *, upper: bool) -> float:
    """log of the Beta(a, b) mass above (or below) x."""
    tail = special.betaincc(a, b, x) if upper else special.betainc(a, b, x)
    if tail > SMALLEST:
        return math.log(tail)
    if upper:
        return _log_far_tail(b, a, 1.0 - x, math.log1p(-x), math.log(x))
    return _log_far_tail(a, b, x, math.log(x), math.log1p(-x))


def _log_far_tail(a: float, b: float, x: float, log_x: float, log_rest: float) -> float:
    """log I_x(a, b) far below the mean, where it underflows.

    I = x^a (1-x)^b / (a B(a, b)) sum_k prod_(j<k) (a+b+j) x / (a+1+j).
    The terms fall geometrically there, as x (a + b) / (a + 1) < 1.
    """
    total = term = 1.0
    j = 0
    while term > 1e-17 * total:
        term *= (a + b + j) * x / (a + 1.0 + j)
        total += term
        j += 1
    return float(a * log_x + b * log_rest - math.log(a) - special.betaln(a, b) + math.log(total))


def log_e_above(violations: int, trials: int, delta: float) -> float:
    """log e-value against "P(violation) <= delta".

    The likelihood ratio of p against delta, averaged over p > delta with the Jeffreys prior truncated to (delta, 1].
    Each ratio with p > delta is a supermartingale under every P <= delta, so the average is an e-process:
    it reaches 1/a with probability at most a, whenever one looks.
    """
    return _log_mixture(violations, trials, delta, upper=True)


def log_e_below(violations: int, trials: int, delta: float) -> float:
    """log e-value against "P(violation) >= delta"; large when the claim's event is rarer than delta."""
    return _log_mixture(violations, trials, delta, upper=False)


def _log_mixture(violations: int, trials: int, delta: float, *, upper: bool) -> float:
    if not 0 <= violations <= trials:
        raise ValueError(f"violations = {violations} must lie between 0 and trials = {trials}.")
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta = {delta} must lie in (0, 1).")
    a, b = violations + JEFFREYS, trials - violations + JEFFREYS
    posterior = special.betaln(a, b) + _log_beta_tail(a, b, delta, upper=upper)
    prior = special.betaln(JEFFREYS, JEFFREYS) + _log_beta_tail(JEFFREYS, JEFFREYS, delta, upper=upper)
    null = violations * math.log(delta) + (trials - violations) * math.log1p(-delta)
    return float(posterior - prior - null)


def fewest_violations(trials: int, delta: float, log_threshold: float) -> int | None:
    """The smallest number of violations in `trials` at which `log_e_above` reaches the threshold; None if none does."""
    if trials == 0 or log_e_above(trials, trials, delta) < log_threshold:
        return None
    low, high = math.floor(delta * trials), trials
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if log_e_above(middle, trials, delta) >= log_threshold else (middle, high)
    return high


def probability_interval(violations: int, trials: int, confidence: float = 0.99) -> tuple[float, float]:
    """Clopper-Pearson interval of a probability."""
    if trials == 0:
        return 0.0, 1.0
    tail = (1.0 - confidence) / 2.0
    low = 0.0 if violations == 0 else float(special.betaincinv(violations, trials - violations + 1, tail))
    high = 1.0 if violations == trials else float(special.betaincinv(violations + 1, trials - violations, 1.0 - tail))
    return low, high


@lru_cache(maxsize=256)
def sample_size(false_fail_rate: float, false_pass_rate: float, null: float, alternative: float) -> tuple[int, int]:
    """Trials, and the count above which to reject, that tell P <= `null` from P >= `alternative`.

    Nearly the fewest: the tails are not monotone in the number of trials. Exact binomial tails:
    P(reject | null) <= false_fail_rate and P(accept | alternative) <= false_pass_rate.
    """
    if not 0.0 <= null < alternative <= 1.0:
        raise ValueError(f"need 0 <= null < alternative <= 1, got {null} and {alternative}.")

    def largest_accepted(trials: int) -> int:
        counts = np.arange(trials + 1)
        return int(counts[special.bdtrc(counts, trials, null) <= false_fail_rate][0])

    def misses(trials: int) -> bool:
        return bool(special.bdtr(largest_accepted(trials), trials, alternative) > false_pass_rate)

    low, high = 0, 1
    while misses(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if misses(middle) else (low, middle)
    while misses(high):  # the exact tails are not monotone in the number of trials
        high += 1
    return high, largest_accepted(high)


def upper_limit(violations: int, trials: int, log_threshold: float) -> float:
    """Largest probability that the e-process has not excluded from above: the anytime-valid upper limit."""
    if trials == 0:
        return 1.0
    from scipy import optimize  # noqa: PLC0415  (it takes longer to import than most claims to judge)

    centre = max(violations / trials, 1e-12)

    def excess(p: float) -> float:
        return log_e_below(violations, trials, p) - log_threshold

    if excess(1.0 - 1e-12) < 0.0:
        return 1.0
    return float(optimize.brentq(excess, centre, 1.0 - 1e-12))
