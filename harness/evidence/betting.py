"""Evidence about a mean, by betting: wealth that grows in expectation only if the stated inequality is false.

For x with E x <= 0 and x >= low (low < 0), the wealth prod(1 + lambda x_i) with 0 <= lambda < 1/|low| is a
non-negative supermartingale. A fixed grid of bets, averaged, keeps the log-wealth of each bet additive over blocks,
so that evidence depends on sums only and not on the order of blocks.
"""

import math

import numpy as np
from scipy import special

FRACTIONS = np.concatenate([np.geomspace(1e-4, 0.5, 20), [0.65, 0.8, 0.9, 0.97]])
WITH_ALL = np.append(FRACTIONS, 1.0)
"""Where trials are few, one bet risks everything: all trials at one end of the range say most by it."""

TINY = 1e-200
SETTLED = 1e-7
"""Of a limit: how far it may be from the one that bets reach, on the safe side."""


def log_wealths(x: np.ndarray, low: float) -> np.ndarray:
    """Log-wealth of each bet after a block of values x >= low, against "E x <= 0"; shape (len(FRACTIONS),)."""
    if not low < 0.0:
        raise ValueError(f"low = {low} must be negative: otherwise E x <= 0 is decided by the range alone.")
    return np.asarray(np.log1p(FRACTIONS[:, None] / -low * x).sum(-1))


def log_e_mean(wealths: np.ndarray) -> float:
    """log e-value of the averaged bets."""
    return float(special.logsumexp(wealths) - math.log(len(wealths)))


def mean_limits(
    values: np.ndarray, between: tuple[float, float], level: float, times: float = 1.0
) -> tuple[float, float]:
    """Between what the mean of independent trials in a range lies: beyond either limit with at most this probability.

    By Markov's inequality for the averaged wealths: the limits are where these reach 1 / level. No law is assumed, and
    the trials need not have the same one. `times` counts each trial so often: what more like them would show.
    """
    low, high = between
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    below, above = _least_mean(share, level, times), _least_mean(1.0 - share, level, times)
    return low + (high - low) * below, high - (high - low) * above


def _least_mean(share: np.ndarray, level: float, times: float) -> float:
    """The least mean in [0, 1] that trials in [0, 1] do not refute; what exceeds it is refuted by no bet."""
    refuted, open_ = 0.0, float(share.mean())
    while open_ - refuted > SETTLED * open_ and open_ > TINY:
        middle = 0.5 * (refuted + open_)
        with np.errstate(divide="ignore"):  # a bet of everything may lose everything
            wealths = times * np.log1p(WITH_ALL[:, None] * (share / middle - 1.0)).sum(-1)
        above = log_e_mean(wealths) < -math.log(level)
        refuted, open_ = (refuted, middle) if above else (middle, open_)
    return refuted


def log_e_asymptotic(count: int, total: float, squares: float, rho: float = 0.05) -> float:
    """log e-value against "E x <= 0" from the central limit theorem (no range known): half-normal mixture of drifts.

    With S = sum(x)/sd, the mixture over drifts |N(0, rho^2)| is
    2 exp(S^2 rho^2 / (2 (1 + n rho^2))) Phi(S rho / sqrt(1 + n rho^2)) / sqrt(1 + n rho^2): valid as n grows.
    """
    if count < 2:
        return 0.0
    variance = max(squares / count - (total / count) ** 2, 0.0)
    if variance == 0.0:
        return math.inf if total > 0.0 else 0.0
    s = total / math.sqrt(variance)
    spread = 1.0 + count * rho**2
    normal = special.log_ndtr(s * rho / math.sqrt(spread))
    return float(math.log(2.0) + s**2 * rho**2 / (2.0 * spread) + normal - 0.5 * math.log(spread))
