"""Tail bounds: for all inputs, the probability of an event is at most a number that may depend on the inputs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR, UNDONE, NoiseLevel, undone
from harness.errors import ClaimError
from harness.judges.trials import Counts, Moments, Sums
from harness.kinds.mean import Expectation, ExpectationJudge
from harness.kinds.mean_findings import Means, TooLarge
from harness.language.evaluation import Sides
from harness.language.quantifiers import Recorder
from harness.language.registry import Claim, Parameters
from harness.numbers import count, number
from harness.search.distributions import Sample
from harness.search.objective import Batch
from harness.verdict import CellVerdict

if TYPE_CHECKING:
    from harness.settings import Settings

IN_DOUBT = 0.5
"""Stands for an event that rounding decides."""


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
    probability allowed, a number that may depend on what is quantified. Where p exceeds 1 nothing is claimed.
    """
    return Tail()


class TailJudge(ExpectationJudge):
    """The mean of an indicator minus the probability allowed, by betting; both are checked to be what they should.

    An event that rounding may undo, such as a tie of sums in different order, is `IN_DOUBT`: against the claim it
    counts as if it did not happen, in favour of it as if it did.
    """

    events: ClassVar[bool] = True

    def level(self, sides: Sides, noise: Tensor) -> NoiseLevel:
        """The rounding of the probability allowed, and 1 more where some events are in doubt."""
        doubtful = ~(noise < UNDONE)
        if not bool(doubtful.any()):
            return super().level(sides, noise)
        rest = noise[~doubtful]
        return NoiseLevel(1.0 + float(rest.max()) if len(rest) else math.inf, 1.0)

    def _settled(self, instance: Batch, sides: Sides, noise: NoiseLevel, drawn: Recorder) -> tuple[Sides, int]:
        """The sides with events in doubt marked, and how many there are."""
        finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
        self._check(sides.lhs[finite].numpy(), sides.rhs[finite].numpy())
        if noise.absolute < 1.0:
            return sides, 0
        doubtful = undone(self.claim, self.params, self.anatomy.spaces, self._on_device(instance), sides, drawn)
        event = sides.lhs.clone()
        event[doubtful] = IN_DOUBT
        return Sides(event, sides.rhs), len(doubtful)

    def exactly(self, lhs: np.ndarray, rhs: np.ndarray, weights: np.ndarray, noise: float) -> Moments:
        own = noise / CLEAR
        own -= 1.0 if own >= 1.0 else 0.0
        moments = super().exactly(*_claimed(_happened(lhs, doubtful=0.0), rhs), weights, CLEAR * own)
        doubtful = math.fsum(weights[(lhs == IN_DOUBT) & (rhs < 1.0)])
        return msgspec.structs.replace(moments, doubtful=doubtful)

    def record(self, counts: Counts, lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> Sums:
        found = super().record(counts, *_claimed(_happened(lhs, doubtful=0.0), rhs), finite)
        if not (lhs == IN_DOUBT).any():
            return found
        most = super().record(counts, *_claimed(_happened(lhs, doubtful=1.0), rhs), finite)
        return msgspec.structs.replace(found, in_favour=most.in_favour)

    def _check(self, event: np.ndarray, allowed: np.ndarray) -> None:
        """Refuse what is no event, and what is no probability."""
        if not np.isin(event, (0.0, 1.0)).all():
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.params}: its first side must be the event, True or False for each "
                "replicate (0 or 1 as a number); compare in the body: return x.mean(-1) >= t, bound."
            )
        if (allowed < 0.0).any():
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.params}: the probability allowed is {allowed.min():.6g}; it must "
                "not be negative."
            )

    def statistic(self, sample: Sample) -> float:
        lhs, rhs = _claimed(sample.lhs, sample.rhs)
        return super().statistic(replace(sample, lhs=lhs, rhs=rhs))


def _happened(event: np.ndarray, *, doubtful: float) -> np.ndarray:
    """The events, where those in doubt count as told."""
    return np.where(event == IN_DOUBT, doubtful, event)


def _claimed(event: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both sides, where no event counts against a probability of 1 or more."""
    return np.where(allowed >= 1.0, 0.0, event), np.minimum(allowed, 1.0)
