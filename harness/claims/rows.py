"""Numbers for rows of tables and figures."""

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import torch
from scipy.stats import chi2
from scipy.stats import t as student
from torch import Tensor

from harness import Estimate, Row


def fewest_trials(parts: Iterable[Estimate | Row]) -> int | None:
    """Trials of a sum of independent parts: the fewest of those with errors from few, None without such.

    Conservative: Student's t with the fewest degrees of freedom covers the sum, whatever the variances (Hajek 1962).
    """
    return min((part.trials for part in parts if part.trials is not None), default=None)


def prediction_half_width(values: Sequence[float] | Tensor, *, error: float) -> float:
    """How far from their mean one more number of the same law is with probability 1 - `error`, by Student's t.

    t s sqrt(1 + 1/m) for m >= 2 numbers of deviation s: exact for normal ones.

    Raises
    ------
    ValueError
        For fewer than two numbers, which have no deviation.
    """
    numbers = torch.as_tensor(values, dtype=torch.float64)
    m = len(numbers)
    if m < 2:
        raise ValueError(f"values holds {m} numbers, which have no deviation: give two or more")
    return float(student.isf(error / 2, m - 1)) * float(numbers.std()) * math.sqrt(1 + 1 / m)


def repetitions_needed(margin: float, deviation: float, *, error: float, power: float) -> int:
    """So many that a mean of expectation zero is told from `margin`: ((z_error + z_power) deviation / margin)^2.

    With normal numbers of this known deviation, probability `error` of a false alarm and `power` of telling them apart.
    Student's t, by which rows of few trials are judged, asks for some z_error^2 / 2 more: eleven at 1e-6.
    """
    quantiles = NormalDist().inv_cdf(1 - error) + NormalDist().inv_cdf(power)
    return math.ceil((quantiles * deviation / margin) ** 2)


def deviation_and_error(deviation: float, trials: int, *, error: float) -> tuple[float, float]:
    """A standard deviation over trials, and the error by which the law's is larger with probability `error` at most.

    The upper limit s sqrt((n - 1) / chi2_error) of normal numbers is s + z_error times this error.
    """
    limit = deviation * math.sqrt((trials - 1) / float(chi2.ppf(error, trials - 1)))
    return deviation, (limit - deviation) / NormalDist().inv_cdf(1 - error)


def trials_needed(share: float, *, error: float, power: float) -> int:
    """So many that the upper limit of a standard deviation stays below 1 with probability `power` where it is `share`.

    Raises
    ------
    ValueError
        If share is not in (0, 1).
    """
    if not 0 < share < 1:
        raise ValueError(f"share must be in (0, 1), got {share}")
    n = 2
    while chi2.cdf(chi2.ppf(error, n - 1) / share**2, n - 1) < power:
        n += 1
    return n
