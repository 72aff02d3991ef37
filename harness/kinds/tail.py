"""Tail bounds: for all inputs, the probability of an event is at most a number that may depend on the inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from harness.errors import ClaimError
from harness.judges.trials import Counts, Every, Moments, Sums
from harness.kinds.mean import Expectation, ExpectationJudge
from harness.kinds.mean_findings import Means, TooLarge
from harness.language.chances import ROUNDING
from harness.language.registry import Claim, Parameters
from harness.numbers import claim_at, count, number
from harness.search.distributions import Sample
from harness.verdict import CellVerdict

if TYPE_CHECKING:
    from harness.settings import Settings


@dataclass(frozen=True)
class Tail(Expectation):
    """P(event) <= p: the mean of the event's indicator is at most p; their difference lies in [-1, 1] by itself."""

    name: ClassVar[str] = "tail"
    range: tuple[float, float] | None = (-1.0, 1.0)

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:  # noqa: ARG002
        if "draw" not in wants:
            raise ClaimError(
                f"claim {claim!r} is 'tail' but does not take `draw`; draw its random inputs, or return the exact "
                "probability and its bound as an `always` claim."
            )

    def judge(self, claim: Claim, params: Parameters, settings: "Settings") -> "TailJudge":
        return TailJudge(claim, params, settings)

    def line(self, cell: CellVerdict[Means, TooLarge]) -> str:
        d = cell.details
        assert d is not None
        if d.exact:
            allowed = f"allowed {number(d.mean_rhs)}, over all {count(cell.trials)} outcomes"
            return f"P(event) = {number(d.mean_lhs)} exactly, {allowed}"
        return (
            f"P(event) = {number(d.mean_lhs)} +- {number(d.standard_error)}, allowed {number(d.mean_rhs)}, "
            f"over {count(cell.trials)} trials"
        )


def tail() -> Tail:
    """For all inputs, P(event) <= p.

    The body returns (event, p): for each replicate whether the event has happened (a boolean, or 0 and 1), and the
    probability allowed, a number that may depend on what is quantified. Where p exceeds 1 nothing is claimed; where
    rounding takes it below 0, as in 1 - (.1 + .9), by no more than 1e-9, it is 0.
    """
    return Tail()


class TailJudge(ExpectationJudge):
    """The mean of an indicator minus the probability allowed, by betting; both are checked to be what they should.

    An event that rounding decides, such as a tie of sums in different order, counts against the claim as if it did not
    happen, and in favour of it as if it did.
    """

    events: ClassVar[bool] = True

    def exactly(self, every: Every) -> Moments:
        self._check(every.lhs, every.rhs)
        event, allowed, unsure = _claimed(every.lhs, every.rhs, every.doubt)
        moments = super().exactly(replace(every, lhs=event, rhs=allowed, doubt=unsure))
        return msgspec.structs.replace(moments, lhs=moments.least + moments.rhs, excess=moments.least)

    def record(self, counts: Counts, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray, doubt: np.ndarray) -> Sums:
        self._check(lhs[finite], rhs[finite])
        event, allowed, unsure = _claimed(lhs, rhs, doubt)
        return super().record(counts, event, allowed, finite, unsure)

    def between(self, lhs: np.ndarray, rhs: np.ndarray, doubt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.where(doubt > 0.0, 0.0, lhs) - rhs, np.where(doubt > 0.0, 1.0, lhs) - rhs

    def _check(self, event: np.ndarray, allowed: np.ndarray) -> None:
        """Refuse what is no event, and what is no probability."""
        if not np.isin(event, (0.0, 1.0)).all():
            raise ClaimError(
                f"{claim_at(self.claim.key, self.params)}: its first side must be the event, True or False for each "
                "replicate (0 or 1 as a number); compare in the body: return x.mean(-1) >= t, bound."
            )
        if (allowed < -ROUNDING).any():
            raise ClaimError(
                f"{claim_at(self.claim.key, self.params)}: the probability allowed is {allowed.min():.6g}; it must "
                "not be negative."
            )

    def statistic(self, sample: Sample) -> float:
        lhs, rhs, _ = _claimed(sample.lhs, sample.rhs, np.zeros_like(sample.lhs))
        return super().statistic(replace(sample, lhs=lhs, rhs=rhs))


def _claimed(event: np.ndarray, allowed: np.ndarray, doubt: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Events, probabilities and doubts, where no event counts against a probability of 1 or more.

    A probability that only rounding takes below zero is zero.
    """
    nothing = allowed >= 1.0
    allowed = np.where((allowed < 0.0) & (allowed >= -ROUNDING), 0.0, allowed)
    return np.where(nothing, 0.0, event), np.minimum(allowed, 1.0), np.where(nothing, 0.0, doubt)
