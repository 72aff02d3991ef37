"""What a verdict about means rests on, and what refutes one."""

import math

import numpy as np

from harness.errors import ClaimError
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance
from harness.verdict import Counterexample, Details


class Means(Details, frozen=True, kw_only=True):
    """The distribution that was judged, and the means of its trials; `log_e` is None without evidence either way.

    `exact` where all outcomes were enumerated: `trials` is their number, and there is no error.
    """

    instance: Instance
    margin: float
    laws: int
    trials: int
    mean_lhs: float | None
    mean_rhs: float | None
    mean_excess: float | None
    standard_error: float | None
    log_e: float | None
    exact: bool = False


class TooLarge(Counterexample, frozen=True, kw_only=True):
    """A distribution with means of both sides, and of their difference with its standard error."""

    values: Instance
    mean_lhs: float
    mean_rhs: float
    mean_excess: float
    standard_error: float


def check_range(claim: Claim, params: Parameters, x: np.ndarray, ends: tuple[float, float]) -> None:
    """Refuse differences outside the stated range."""
    low, high = ends
    slack = 1e-9 * max(abs(end) for end in (low, high, 0.0) if math.isfinite(end))
    for extreme in (float(x.min()), float(x.max())):
        if not low - slack <= extreme <= high + slack:
            raise ClaimError(
                f"claim {claim.key!r} at {params}: lhs - rhs = {extreme:.6g} lies outside the stated range "
                f"({low}, {high}); widen range=, because the evidence relies on it."
            )
