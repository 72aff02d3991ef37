"""What a verdict about means rests on, and what refutes one."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from harness.errors import ClaimError
from harness.evidence.betting import log_e_asymptotic
from harness.judges.trials import MeanTotal, Sums, differences, sums
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, claim_at, number
from harness.verdict import Counterexample, Details, Status
from harness.words import decided_by_rounding, infinite

NEARLY_ALL = 0.99  # of the trials
SURE_ERRORS = 3.0  # standard errors taken off what was selected for its size
SLACK = 1e-9  # of each end of a range, by which rounding may pass it


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


class Judged(NamedTuple):
    """A verdict, the distribution where it was reached, and its means."""

    status: Status
    instance: Instance
    summary: MeanTotal


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
    for extreme in (float(x.min()), float(x.max())):
        if not low - SLACK * abs(low) <= extreme <= high + SLACK * abs(high):
            raise ClaimError(
                f"{claim_at(claim.key, params)}: lhs - rhs = {extreme:.6g} lies outside the stated range "
                f"({low}, {high}); widen range=, because the evidence relies on it."
            )


def untold_mean(parts: Sequence[Sums]) -> str:
    """Why the trials tell no error of their mean; empty where they do.

    Events that are too rare to be met leave them all equal, and one that was met once may be worth more than it shows.
    """
    return differences(parts).untold("trials")


def rounding_of_mean(parts: Sequence[Sums]) -> tuple[float, float]:
    """How far rounding may take the mean excess down and up, where it decides more than last places."""
    trials = sum(part.trials for part in parts)
    return -sum(part.undone for part in parts) / trials, sum(part.doubtful for part in parts) / trials


def surely_between(parts: Sequence[Sums], summary: MeanTotal) -> tuple[float, float]:
    """Ends that the mean excess is surely beyond, on either side, if rounding is the worst there: with their errors.

    Where rounding decides nearly all trials, these have none: what is left of them differs no more.
    """
    all_decided = sum(part.decided for part in parts) >= NEARLY_ALL * summary.trials
    clear = 0.0 if all_decided else SURE_ERRORS * summary.standard_error
    down, up = rounding_of_mean(parts)
    return summary.mean_excess + down + clear, summary.mean_excess + up - clear


def why_undecided(parts: Sequence[Sums], summary: MeanTotal, *, ends: tuple[float, float], conviction: float) -> str:
    """Why neither side is certified, and what would settle it."""
    measured = f"mean excess {summary.mean_excess:.3g} +- {summary.standard_error:.2g}"
    if not math.isfinite(ends[0]) and log_e_asymptotic(*sums(parts)) >= conviction:
        return (
            f"asymptotic evidence against: {measured}; to refute a mean, lhs - rhs needs a finite lower bound, "
            "state range=(low, math.inf)"
        )
    down, up = rounding_of_mean(parts)
    if summary.mean_excess + down <= 0.0 < summary.mean_excess + up:
        unresolved = sum(part.unresolved for part in parts)
        return decided_by_rounding(f"differences of {number(max(-down, up))} on average", unresolved)
    nonfinite = sum(part.nonfinite for part in parts) / summary.trials
    if nonfinite:
        return infinite(nonfinite)
    if all(part.ties == part.trials for part in parts):
        return "tight here: both sides are equal in every trial, at every distribution that comes close"
    untold = untold_mean(parts)
    if untold and not math.isfinite(ends[1]):
        return f"{untold}, so that the central limit theorem says nothing of their mean: state range=(low, high)"
    return f"tight here: {measured} is too close to zero; allow a little more, by a margin or on the right side"
